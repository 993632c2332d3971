#include "facts/points.h"
#include <stdlib.h>
#include <string.h>

ik_points *ik_points_new(ik_arena *a) {
  ik_points *s = IK_NEW(a, ik_points);
  s->arena = a;
  return s;
}

/* Odd factors, one per coordinate; a last product spreads what neighbours share. */
static uint64_t place(const ik_points_row *r) {
  uint64_t h = (uint64_t)r->x * UINT64_C(0x9E3779B97F4A7C15) +
               (uint64_t)r->y * UINT64_C(0xC2B2AE3D27D4EB4F) +
               (uint64_t)r->z * UINT64_C(0x165667B19E3779F9) +
               (uint64_t)r->field * UINT64_C(0xD6E8FEB86659FD93) +
               (uint64_t)(int64_t)r->level * UINT64_C(0xA0761D6478BD642F);
  return (h ^ h >> 32) * UINT64_C(0x9FB21C651E98DF25) >> 24;
}

static bool same_place(const ik_points_row *a, const ik_points_row *b) {
  return a->x == b->x && a->y == b->y && a->z == b->z && a->field == b->field &&
         a->level == b->level;
}

/* The slot of a row, or the free one where it belongs. */
static int *find(const ik_points *s, const ik_points_row *r) {
  uint64_t mask = (uint64_t)s->nslot - 1;
  for (uint64_t i = place(r) & mask;; i = (i + 1) & mask)
    if (!s->slot[i] || same_place(&s->row[s->slot[i] - 1], r)) return &s->slot[i];
}

static void widen(ik_points *s) {
  s->nslot = s->nslot ? 2 * s->nslot : 16;
  s->slot = IK_NEW_N(s->arena, int, s->nslot);
  for (int i = 0; i < s->n; i++) *find(s, &s->row[i]) = i + 1;
}

void ik_points_add_row(ik_points *s, const ik_points_row *row) {
  if (!row->bits) return;
  if (2 * s->n >= s->nslot) widen(s);
  int *slot = find(s, row);
  if (*slot) {
    s->row[*slot - 1].bits |= row->bits;
    return;
  }
  IK_PUSH(s->arena, s->row, s->n, s->cap, *row);
  *slot = s->n;
}

void ik_points_add(ik_points *s, const ik_point *p) {
  int64_t       x = (int64_t)p->off[0] + 32;
  ik_points_row row = {p->field, p->level, x >> 6, p->off[1], p->off[2], UINT64_C(1) << (x & 63)};
  ik_points_add_row(s, &row);
}

void ik_points_join(ik_points *s, const ik_points *from) {
  for (int i = 0; i < from->n; i++) ik_points_add_row(s, &from->row[i]);
}

/* Bit i + j for each bit i of `a` and j of `b`. */
static unsigned __int128 sums(uint64_t a, uint64_t b) {
  unsigned __int128 sum = 0;
  if (__builtin_popcountll(a) < __builtin_popcountll(b)) {
    uint64_t swap = a;
    a = b, b = swap;
  }
  for (; b; b &= b - 1) sum |= (unsigned __int128)a << __builtin_ctzll(b);
  return sum;
}

void ik_points_move(ik_points *s, const ik_points *from, const ik_points_row *by) {
  for (int i = 0; i < from->n; i++) {
    ik_points_row row = from->row[i];
    /* Bit k of the sums stands for 64*(x + x') - 64 + k, which is 32 before the row x + x'. */
    unsigned __int128 sum = sums(row.bits, by->bits);
    row.x += by->x - 1, row.y += by->y, row.z += by->z;
    row.bits = (uint64_t)(sum << 32);
    ik_points_add_row(s, &row);
    row.x++, row.bits = (uint64_t)(sum >> 32);
    ik_points_add_row(s, &row);
    row.x++, row.bits = (uint64_t)(sum >> 96);
    ik_points_add_row(s, &row);
  }
}

int64_t ik_points_count(const ik_points *s) {
  int64_t n = 0;
  for (int i = 0; i < s->n; i++) n += __builtin_popcountll(s->row[i].bits);
  return n;
}

int ik_point_compare(const ik_point *a, const ik_point *b) {
  if (a->field != b->field) return a->field < b->field ? -1 : 1;
  if (a->level != b->level) return a->level > b->level ? -1 : 1;
  for (int d = IK_MAX_DIM - 1; d >= 0; d--)
    if (a->off[d] != b->off[d]) return a->off[d] < b->off[d] ? -1 : 1;
  return 0;
}

static int compare(const void *a, const void *b) { return ik_point_compare(a, b); }

const ik_point *ik_points_list(const ik_points *s, ik_arena *a, int *n) {
  ik_point *list = IK_NEW_N(a, ik_point, ik_points_count(s));
  int       count = 0;
  for (int i = 0; i < s->n; i++) {
    const ik_points_row *r = &s->row[i];
    for (uint64_t bits = r->bits; bits; bits &= bits - 1) {
      int x = (int)(64 * r->x - 32 + __builtin_ctzll(bits));
      list[count++] = (ik_point){r->field, r->level, {x, (int)r->y, (int)r->z}};
    }
  }
  if (count) qsort(list, (size_t)count, sizeof *list, compare);
  *n = count;
  return list;
}

ik_hull ik_hull_of(const ik_point *p, int n) {
  ik_hull h = {{0}, {0}};
  for (int i = 0; i < n; i++)
    for (int d = 0; d < IK_MAX_DIM; d++) {
      if (!i || p[i].off[d] < h.lo[d]) h.lo[d] = p[i].off[d];
      if (!i || p[i].off[d] > h.hi[d]) h.hi[d] = p[i].off[d];
    }
  return h;
}

int ik_hull_radius(const ik_hull *h) {
  int r = 0;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    if (-h->lo[d] > r) r = -h->lo[d];
    if (h->hi[d] > r) r = h->hi[d];
  }
  return r;
}
