#include "ir/layout.h"
#include "base/least.h"
#include "base/pages.h"
#include <stdio.h>
#include <string.h>

int64_t ik_layout_padding_always;

/* ---- cells one after the other ---- */

/* Bytes of a level without padding, or -1. */
static int64_t level_bytes(const ik_field *f) {
  int64_t n = ik_type_bytes(f->type), extent;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    if (f->box.hi[d] <= f->box.lo[d]) return 0;
    if (__builtin_sub_overflow(f->box.hi[d], f->box.lo[d], &extent)) return -1;
    if (__builtin_mul_overflow(n, extent, &n)) return -1;
  }
  return n;
}

static void set_strides(ik_layout_field *l) {
  int64_t stride = 1;
  for (int d = 0; l->bytes >= 0 && d < IK_MAX_DIM; d++) l->stride[d] = stride, stride *= l->n[d];
}

static ik_layout_field plain(const ik_field *f) {
  ik_layout_field l = {.align = IK_PAGES_ALIGN, .element = ik_type_bytes(f->type)};
  l.bytes = level_bytes(f);
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (l.bytes > 0) l.n[d] = f->box.hi[d] - f->box.lo[d];
  l.cells = l.slice = ik_max(l.bytes, 0) / l.element;
  l.first = f->has_new ? 0 : 1, l.levels = f->history + f->has_new;
  l.stored = f->kind != IK_FIELD_TEMP;
  set_strides(&l);
  return l;
}

/* ---- padding ---- */

/* Cells across the last axis of the grid; 0 if it is the only one or the field is not on it. */
static int64_t slice_of(const ik_ir *ir, const ik_field *f, const ik_layout_field *l) {
  int last = ir->ndim - 1;
  return last > 0 && f->on[last] ? l->stride[last] : 0;
}

/* Of rows a kernel reads some of a field at a time, so that a few lines between them are enough
 * (random-1 of the bench with NEON, rows of 16 KiB, none, one, two and four lines apart: 2.5 2.8
 * 3.1 3.3 GPts/s). */
static int64_t between_rows(const ik_layout_machine *m, int64_t slice, int64_t least,
                            int64_t most) {
  int64_t line = m->line_bytes, lines = ik_min(4 * line, ik_max(line, most / line * line));
  return (slice + least) % m->l1_way_bytes < lines ? least + lines : least;
}

/* Of planes it reads several rows each: half a way, if they begin near each other. */
static int64_t clear_of_l1(const ik_layout_machine *m, int64_t slice, int64_t padding) {
  int64_t way = m->l1_way_bytes, near = way / 4, half = way / 2 + m->line_bytes;
  int64_t beyond = (slice + padding) % way;
  if (beyond < near) return padding + half - beyond;
  return beyond > way - near ? padding + half + way - beyond : padding;
}

/* How far planes begin from each other in a second cache. */
static int64_t distance(const ik_layout_machine *m, int64_t pitch) {
  int64_t beyond = pitch % m->l2_way_bytes;
  return ik_min(beyond, m->l2_way_bytes - beyond);
}

/* A tile reads ten planes where they lie, tens of rows of each: some ways more (wave f32 512^3
 * with AVX-512, half a way and three and a half: 1.30 1.39 GPts/s).  Where there is not enough
 * room for that, as many as put them a way or more further from each other. */
static int64_t between_planes(const ik_layout_machine *m, int64_t slice, int64_t least,
                              int64_t most) {
  int64_t best = clear_of_l1(m, slice, least), way = m->l1_way_bytes, far = 3 * way;
  for (int64_t pad = best; pad <= most && distance(m, slice + best) < far; pad += way)
    if (distance(m, slice + pad) >= distance(m, slice + best) + way) best = pad;
  return best;
}

/* At most a small part of a slice; with room for rows beyond a face, between large planes a larger
 * one.  No such room is worth planes that are near each other.  All in bytes. */
static int64_t between(const ik_layout_machine *m, int64_t slice, int64_t row, int ndim) {
  enum { PART = 64, LARGER = 24, LARGE = 8 /* ways of the second cache */ };
  int64_t to_line = -slice & (m->line_bytes - 1), most = slice / PART;
  if (ndim > 2 && row > 0) {
    int64_t rows = m->halo_rows * row, to = -(slice + rows) & (m->line_bytes - 1);
    int64_t more = slice / (slice < LARGE * m->l2_way_bytes ? PART : LARGER);
    int64_t pad = between_planes(m, slice, rows + to, more);
    if (pad <= more && distance(m, slice + pad) >= 2 * m->l1_way_bytes) return pad;
  }
  int64_t pad = (ndim > 2 ? between_planes : between_rows)(m, slice, to_line, most);
  if (pad > most) pad = to_line;
  return pad <= most ? pad : 0;
}

/* In elements. */
static int64_t padding_of(const ik_ir *ir, const ik_field *f, const ik_layout_machine *m,
                          int64_t slice) {
  int64_t bytes = ik_type_bytes(f->type);
  if (ik_layout_padding_always && slice) return ik_layout_padding_always;
  bool    value = f->bc[1][0].kind == IK_BC_VALUE || f->bc[1][1].kind == IK_BC_VALUE;
  int64_t row = f->on[0] && value ? f->box.hi[0] - f->box.lo[0] : 0;
  return between(m, slice * bytes, row * bytes, ir->ndim) / bytes;
}

/* A slice, with padding on either side, in whole lines. */
static int64_t room_for(const ik_layout_field *l, int64_t slice) {
  return ((slice + 2 * l->padding) * l->element + l->align - 1) / l->align * l->align;
}

/* False: that is more than can be addressed. */
static bool pad(const ik_ir *ir, const ik_field *f, const ik_layout_machine *m,
                ik_layout_field *l) {
  enum { DEAR = 64 }; /* slices: of fewer, one more takes too large a part */
  int     last = ir->ndim - 1;
  int64_t slice = slice_of(ir, f, l), more;
  if (!slice) return true;
  l->padding = padding_of(ir, f, m, slice);
  if (__builtin_mul_overflow(l->padding, l->n[last], &more) ||
      __builtin_mul_overflow(more, l->element, &more) ||
      __builtin_add_overflow(l->bytes, more, &l->bytes))
    return false;
  if (l->padding) l->slice = slice, l->stride[last] += l->padding;
  if (l->n[last] >= DEAR || ik_layout_padding_always) l->room = room_for(l, slice);
  return true;
}

void ik_layout_of(const ik_ir *ir, const ik_layout_machine *m, ik_layout_field *field,
                  ik_layout *out) {
  *out = (ik_layout){ir, field};
  for (int i = 0; i < ir->nfield; i++) {
    field[i] = plain(&ir->field[i]);
    if (!m) continue;
    field[i].space = m->space;
    if (field[i].bytes > 0 && !pad(ir, &ir->field[i], m, &field[i])) field[i].bytes = -1;
  }
}

ik_layout_field ik_layout_at(const ik_ir *ir, const ik_layout *l, int field) {
  return l ? l->field[field] : plain(&ir->field[field]);
}

/* ---- what lowering has found out ---- */

void ik_layout_store(ik_layout *l, int field) { l->field[field].stored = true; }

void ik_layout_unpad(ik_layout *l) {
  for (int i = 0; i < l->ir->nfield; i++) {
    ik_layout_field was = l->field[i], *f = &l->field[i];
    *f = plain(&l->ir->field[i]);
    f->space = was.space, f->stored = was.stored, f->folded = was.folded, f->ahead = was.ahead;
  }
}

void ik_layout_fold(ik_layout *l, int field) {
  IK_ASSERT(l->field[field].first == 0 && l->field[field].levels > 2);
  l->field[field].folded = true;
}

void ik_layout_ahead(ik_layout *l, int field, int ahead) {
  IK_ASSERT(l->field[field].first == 0 && !l->field[field].folded);
  l->field[field].ahead = ahead;
}

void ik_layout_fill(ik_layout *l, int field, double beyond) {
  ik_layout_field *f = &l->field[field];
  if (f->padding && f->room) f->filled = true, f->beyond = beyond;
}

bool ik_layout_can_fill(const ik_layout_field *f, int64_t elements) {
  return f->room && f->padding >= elements;
}

/* ---- sums ---- */

static int arrays_of(const ik_layout_field *f) { return f->levels - f->folded + f->ahead; }

int64_t ik_layout_before(const ik_layout_field *f) { return f->filled ? f->room : 0; }

int64_t ik_layout_field_bytes(const ik_layout_field *f) {
  int64_t n;
  if (f->bytes < 0 || __builtin_add_overflow(f->bytes, ik_layout_before(f), &n) ||
      __builtin_mul_overflow(n, (int64_t)arrays_of(f), &n))
    return -1;
  return n;
}

int64_t ik_layout_padding_bytes(const ik_layout_field *f) {
  int64_t slices = f->slice ? f->cells / f->slice : 0, n = f->padding * slices * f->element;
  return f->padding ? (n + f->room) * arrays_of(f) : 0;
}

int64_t ik_layout_bytes(const ik_ir *ir, const ik_layout *l) {
  enum { STATE = 40, FIELD = 672 }; /* what is kept beside cells, about */
  int64_t sum = STATE + ir->nfield * (int64_t)FIELD + ir->nscalar * (int64_t)sizeof(double);
  for (int i = 0; i < ir->nfield; i++) {
    ik_layout_field f = ik_layout_at(ir, l, i);
    int64_t         n = f.stored ? ik_layout_field_bytes(&f) : 0;
    if (n < 0 || __builtin_add_overflow(sum, n, &sum)) return -1;
  }
  return sum;
}

/* ---- text ---- */

enum { COLUMNS = 10, WIDE = 72 };

typedef char row[COLUMNS][WIDE];

static void put_along(const ik_ir *ir, const int64_t *n, char *out) {
  int at = 0;
  for (int d = 0; d < ir->ndim; d++)
    at += snprintf(out + at, (size_t)(WIDE - at), "%s%lld", d ? " x " : "", (long long)n[d]);
}

static void put_number(int64_t n, char *out) { snprintf(out, WIDE, "%lld", (long long)n); }

/* What there is to say of a level beside its figures. */
static void put_note(const ik_layout_field *f, int level, char *out) {
  if (!f->stored)
    snprintf(out, WIDE, "lives within a pass");
  else if (f->bytes < 0)
    snprintf(out, WIDE, "more than can be addressed");
  else if (f->folded && level == 1)
    snprintf(out, WIDE, "in the array of level %d", 2 - f->levels);
  else if (f->filled)
    snprintf(out, WIDE, "%g in the padding and %lld bytes before", f->beyond, (long long)f->room);
}

static void put_level(const ik_ir *ir, int field, const ik_layout_field *f, int level, row r) {
  static const char *const space[] = {"host", "device"};
  bool                     none = !f->stored || (f->folded && level == 1);
  snprintf(r[0], WIDE, "%s", ir->field[field].name);
  put_number(level, r[1]);
  snprintf(r[2], WIDE, "%s", ik_type_name(ir->field[field].type));
  put_along(ir, f->n, r[3]), put_along(ir, f->stride, r[4]);
  put_number(f->padding, r[5]), put_number(f->align, r[6]);
  put_number(none ? 0 : f->bytes + ik_layout_before(f), r[7]);
  snprintf(r[8], WIDE, "%s", space[f->space]);
  put_note(f, level, r[9]);
}

/* Numbers end where their column does, words begin there. */
static void print_row(row r, const int *width, ik_buf *out) {
  static const char right[COLUMNS] = {0, 1, 0, 0, 0, 1, 1, 1, 0, 0};
  for (int k = 0; k < COLUMNS; k++) {
    bool last = k == COLUMNS - 1 || (k == COLUMNS - 2 && !*r[k + 1]);
    ik_buf_printf(out, "%s%*s", k ? "  " : "", last ? 0 : right[k] ? width[k] : -width[k], r[k]);
    if (last) break;
  }
  ik_buf_putc(out, '\n');
}

/* `out` NULL: makes columns as wide as what is in them. */
static void do_row(row r, int *width, ik_buf *out) {
  if (out) print_row(r, width, out);
  for (int k = 0; !out && k < COLUMNS; k++) width[k] = ik_max_int(width[k], (int)strlen(r[k]));
}

static void do_rows(const ik_ir *ir, const ik_layout *l, int *width, ik_buf *out) {
  row r = {"field", "level", "type", "extents", "strides", "padding", "align", "bytes", "space"};
  do_row(r, width, out);
  for (int i = 0; i < ir->nfield; i++) {
    ik_layout_field f = ik_layout_at(ir, l, i);
    for (int k = -f.ahead; k < f.levels; k++) {
      *r[COLUMNS - 1] = 0;
      put_level(ir, i, &f, 1 - f.first - k, r);
      do_row(r, width, out);
    }
  }
}

void ik_layout_print(const ik_ir *ir, const ik_layout *l, ik_buf *out) {
  int width[COLUMNS] = {0};
  do_rows(ir, l, width, NULL);
  do_rows(ir, l, width, out);
}
