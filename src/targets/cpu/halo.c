/* What lies beyond faces.  Axes are mapped one by one, as ik_rows_cell() does, but for whole rows:
 * first the cells beyond lane faces, in the rows that exist; then rows beyond row faces, with those
 * cells; then, only where a kernel looks, planes beyond the faces of the stream, with those rows.
 */
#include "base/least.h"
#include "ir/bound.h"
#include "targets/cpu/tile.h"
#include "targets/cpu/value.h"
#include <math.h>
#include <string.h>

/* ---- rows of elements ---- */

static void move(char *to, const void *from, int bytes) { /* of one element */
  switch (bytes) {
  case 1: memcpy(to, from, 1); break;
  case 2: memcpy(to, from, 2); break;
  case 4: memcpy(to, from, 4); break;
  default: memcpy(to, from, 8); break;
  }
}

#define FILL(T)                                                                                    \
  for (int64_t i = 0; i < n; i++) ((T *)at)[i] = (T)bits;                                          \
  break

static void fill(char *at, int bytes, int64_t n, uint64_t bits) {
  switch (bytes) {
  case 1: FILL(uint8_t);
  case 2: FILL(uint16_t);
  case 4: FILL(uint32_t);
  default: FILL(uint64_t);
  }
}

static void negate_any(ik_type type, char *to, const char *from, int64_t n) {
  enum { PIECE = 256 };
  double v[PIECE];
  for (int64_t i = 0; i < n; i += PIECE) {
    int64_t m = n - i < PIECE ? n - i : PIECE;
    ik_state_load_row(type, from, i, m, v);
    for (int64_t k = 0; k < m; k++) v[k] = ik_type_round(type, -v[k]);
    ik_state_store_row(type, to, i, m, v);
  }
}

static void negate(ik_type type, char *to, const char *from, int64_t n) {
  if (type == IK_F64)
    for (int64_t i = 0; i < n; i++) ((double *)to)[i] = -((const double *)from)[i];
  else if (type == IK_F32)
    for (int64_t i = 0; i < n; i++) ((float *)to)[i] = -((const float *)from)[i];
  else
    negate_any(type, to, from, n);
}

static uint64_t bits_of(ik_type type, double v) {
  uint64_t bits = 0;
  double   rounded = ik_type_round(type, v);
  ik_state_store_row(type, &bits, 0, 1, &rounded);
  return bits;
}

/* ---- where a cell is found ---- */

typedef struct place {
  int64_t              at[IK_MAX_DIM]; /* the cell that stands for it, as a VALUE sees it */
  double               sign;
  const ik_face_value *value; /* NULL: the cell's own */
  int                  axis;  /* of the value */
} place;

static void map(const ik_tile *t, const ik_view *v, ik_role r, int64_t i, place *p) {
  int axis = t->p->axis[r];
  if (!v->on[r]) return;
  bool wraps = v->b->edge[r] == IK_EDGE_VIRTUAL; /* also fields that are read at the cell alone */
  if (wraps) i = ik_view_wrap(v, r, i);
  int side = wraps ? -1 : ik_bound_fold(v->field, axis, &i, &p->sign);
  p->at[axis] = i;
  if (side < 0 || (p->value && p->axis < axis)) return;
  p->value = &v->face[r][side], p->axis = axis;
}

/* Where the cell lies in rings and arrays: images of virtual axes are there themselves. */
static int64_t found(const ik_tile *t, const ik_view *v, ik_role r, int64_t i, const place *p) {
  if (!v->on[r]) return 0;
  return v->b->edge[r] == IK_EDGE_VIRTUAL && v->b->ring ? i : p->at[t->p->axis[r]];
}

static void put_value(const ik_tile *t, const ik_view *v, const place *p, int64_t n, char *to) {
  if (p->value->uniform)
    fill(to, v->bytes, n, bits_of(v->b->type, p->sign * p->value->value));
  else
    ik_value_row(t->rows, p->value->expr, v->b->type, p->at, n, v->t, p->sign, to);
}

/* ---- rows and planes beyond faces ---- */

/* Has the view cells beyond this face? */
static bool reaches(const ik_view *v, ik_role r, int side) {
  return v->on[r] && (side ? v->end[r] > v->hi[r] : v->first[r] < v->lo[r]);
}

/* Is it this value that stands beyond all faces of a role that the view has cells beyond? */
static bool has_only(const ik_view *v, ik_role r, double value) {
  for (int side = 0; side < 2; side++) {
    const ik_face_value *f = &v->face[r][side];
    if (reaches(v, r, side) && (v->b->edge[r] != IK_EDGE_MAP || !f->expr || !f->uniform ||
                                f->value != value || signbit(f->value) != signbit(value)))
      return false;
  }
  return true;
}

static void fill_row(const ik_view *v, double value, char *row) {
  int64_t x = v->first[IK_LANE];
  fill(row + x * v->bytes, v->bytes, v->end[IK_LANE] - x, bits_of(v->b->type, value));
}

/* A row where a VALUE stands; it has cells beyond lane faces, too. */
static void make_value_row(const ik_tile *t, const ik_view *v, const place *p, char *to) {
  int64_t first = v->first[IK_LANE], end = v->end[IK_LANE];
  if (p->value->uniform && p->sign > 0 && has_only(v, IK_LANE, p->value->value)) {
    fill_row(v, p->value->value, to);
    return;
  }
  int64_t lo = v->lo[IK_LANE] > first ? v->lo[IK_LANE] : first;
  int64_t hi = v->hi[IK_LANE] < end ? v->hi[IK_LANE] : end;
  for (int64_t x = first; x < end; x++) {
    place   q = *p;
    int64_t n = x == lo && hi > lo ? hi - lo : 1;
    map(t, v, IK_LANE, x, &q);
    put_value(t, v, &q, n, to + x * v->bytes);
    x += n - 1;
  }
}

/* Row y of plane z, at least one of which the field does not have, at `to`. */
static void make_row(const ik_tile *t, const ik_view *v, int64_t y, int64_t z, char *to) {
  place p = {.sign = 1};
  map(t, v, IK_ROW, y, &p);
  map(t, v, IK_STREAM, z, &p);
  if (p.value) {
    make_value_row(t, v, &p, to);
    return;
  }
  int64_t     stream = v->on[IK_STREAM] ? found(t, v, IK_STREAM, z, &p) : z;
  int64_t     x = v->first[IK_LANE], n = v->end[IK_LANE] - x;
  const char *from = ik_view_plane(v, stream) + found(t, v, IK_ROW, y, &p) * v->row;
  to += x * v->bytes, from += x * v->bytes;
  if (p.sign < 0)
    negate(v->b->type, to, from, n);
  else
    memcpy(to, from, (size_t)(n * v->bytes));
}

static char *make_plane(const ik_tile *t, const ik_view *v, int64_t z, int spare) {
  IK_ASSERT(v->b->spare > 0);
  char *plane = v->spare + spare % v->b->spare * v->spare_plane;
  for (int64_t y = v->first[IK_ROW]; y < v->end[IK_ROW]; y++)
    make_row(t, v, y, z, plane + y * v->row);
  return plane;
}

/* One spare plane serves both faces if they have the same value, else each has one. */
void ik_halo_blank(ik_view *v) {
  for (int side = 0; side < 2; side++) {
    const ik_face_value *f = &v->face[IK_STREAM][side], *other = &v->face[IK_STREAM][0];
    bool                 simple = v->b->spare > side && v->on[IK_STREAM] && f->expr && f->uniform &&
                  v->b->halo[IK_STREAM][side] && has_only(v, IK_LANE, f->value) &&
                  has_only(v, IK_ROW, f->value);
    v->blank[side] = simple ? v->spare + side * v->spare_plane : NULL;
    if (side && simple && v->blank[0] && other->value == f->value &&
        signbit(other->value) == signbit(f->value))
      v->blank[1] = v->blank[0];
    else if (simple)
      for (int64_t y = v->first[IK_ROW]; y < v->end[IK_ROW]; y++)
        fill_row(v, f->value, v->blank[side] + y * v->row);
  }
  if (!v->blank[0] != !v->blank[1]) v->blank[0] = v->blank[1] = NULL; /* spare planes are shared */
}

/* The cells of a view beyond a face: all of them, if the tile lies there. */
static int64_t beyond_begin(const ik_view *v, ik_role r, int side) {
  return side ? ik_max(v->hi[r], v->first[r]) : v->first[r];
}
static int64_t beyond_end(const ik_view *v, ik_role r, int side) {
  return side ? v->end[r] : ik_min(v->lo[r], v->end[r]);
}

bool ik_halo_rows_once(const ik_view *v, int side) {
  const ik_face_value *f = &v->face[IK_ROW][side];
  if (!v->b->ring || !f->expr || !f->uniform || !has_only(v, IK_LANE, f->value)) return false;
  int64_t begin = beyond_begin(v, IK_ROW, side), end = beyond_end(v, IK_ROW, side);
  for (int64_t i = 0; i < v->b->depth; i++)
    for (int64_t y = begin; y < end; y++)
      fill_row(v, f->value, v->base + i * v->plane + y * v->row);
  return true;
}

char *ik_halo_plane(const ik_tile *t, const ik_view *v, int64_t z, int spare) {
  place p = {.sign = 1};
  int   side = z >= v->hi[IK_STREAM];
  if (v->b->edge[IK_STREAM] == IK_EDGE_MAP &&
      v->field->bc[t->p->axis[IK_STREAM]][side].kind == IK_BC_NONE)
    return ik_view_plane(v, z); /* nobody reads it */
  map(t, v, IK_STREAM, z, &p);
  if (p.value && v->blank[side]) return v->blank[side];
  if (p.value || p.sign < 0) return make_plane(t, v, z, spare);
  return ik_view_plane(v, found(t, v, IK_STREAM, z, &p));
}

/* ---- halos ---- */

/* A value that is the same in all rows and planes is put there once: nothing else is ever written
 * beyond a face, unless others have the same place (1-D). */
static void put_everywhere(const ik_tile *t, const ik_view *v, int64_t x, uint64_t bits) {
  char *at = v->base + (t->lo[IK_ROW] - t->p->before[IK_ROW]) * v->row + x * v->bytes;
  if (!v->on[IK_ROW]) at = v->base + x * v->bytes;
  for (int64_t i = 0; i < v->b->depth; i++)
    for (int64_t y = 0; y < (v->on[IK_ROW] ? t->p->ring_rows : 1); y++)
      move(at + i * v->plane + y * v->row, &bits, v->bytes); /* little-endian */
}

int ik_halo_cells(const ik_tile *t, const ik_view *v, int side, ik_halo_cell *out) {
  int64_t begin = beyond_begin(v, IK_LANE, side), end = beyond_end(v, IK_LANE, side);
  int     n = 0;
  for (int64_t x = begin; x < end; x++) {
    place p = {.sign = 1};
    map(t, v, IK_LANE, x, &p);
    if (p.value && p.value->uniform && t->p->axis[IK_STREAM] >= 0)
      put_everywhere(t, v, x, bits_of(v->b->type, p.value->value));
    else
      out[n++] = (ik_halo_cell){.x = x, .from = p.at[0], .sign = p.sign, .value = p.value};
  }
  return n;
}

static void make_cell(const ik_tile *t, const ik_view *v, const ik_halo_cell *c, int64_t y,
                      int64_t z, char *row) {
  char *to = row + c->x * v->bytes, *from = row + c->from * v->bytes;
  if (c->value) {
    place p = {.at = {c->x}, .sign = 1};
    map(t, v, IK_ROW, y, &p);
    map(t, v, IK_STREAM, z, &p);
    p.value = c->value;
    put_value(t, v, &p, 1, to);
  } else {
    negate(v->b->type, to, from, 1);
  }
}

#define COPY(T)                                                                                    \
  for (int64_t y = 0; y < n; y++) *(T *)(to + y * row) = *(const T *)(from + y * row);             \
  break

static void copy_column(char *to, const char *from, int bytes, int64_t row, int64_t n) {
  switch (bytes) {
  case 1: COPY(uint8_t);
  case 2: COPY(uint16_t);
  case 4: COPY(uint32_t);
  default: COPY(uint64_t);
  }
}

/* A cell beyond a lane face, in all rows that exist. */
static void make_column(const ik_tile *t, const ik_halo *h, const ik_halo_cell *c, int64_t z,
                        char *plane) {
  const ik_view *v = h->v;
  int64_t        lo = h->lo[IK_ROW], hi = h->hi[IK_ROW];
  char          *first = plane + lo * v->row;
  if (!c->value && c->sign > 0)
    copy_column(first + c->x * v->bytes, first + c->from * v->bytes, v->bytes, v->row, hi - lo);
  else
    for (int64_t y = lo; y < hi; y++) make_cell(t, v, c, y, z, plane + y * v->row);
}

/* Rows beyond a row face, nearest first. */
static void make_rows(const ik_tile *t, const ik_view *v, int side, int64_t z, char *plane) {
  int64_t begin = beyond_begin(v, IK_ROW, side), end = beyond_end(v, IK_ROW, side);
  for (int64_t y = begin; y < end; y++) make_row(t, v, y, z, plane + y * v->row);
}

void ik_halo_fill(const ik_tile *t, const ik_halo *h, int64_t z) {
  const ik_view *v = h->v;
  char          *plane = ik_view_plane(v, z);
  for (int i = 0; i < h->ncell; i++) make_column(t, h, &h->cell[i], z, plane);
  for (int side = 0; side < 2; side++)
    if (h->face[side]) make_rows(t, v, side, z, plane);
}
