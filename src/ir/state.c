#include "ir/state.h"
#include "base/hash.h"
#include "base/least.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/pages.h"
#include <math.h>
#include <string.h>

/* ---- sizes ---- */

static int level_count(const ik_field *f) { return f->history + f->has_new; }

/* Bytes of one level, or -1. */
static int64_t level_bytes(const ik_field *f) {
  int64_t n = ik_type_bytes(f->type), extent;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    if (f->box.hi[d] <= f->box.lo[d]) return 0;
    if (__builtin_sub_overflow(f->box.hi[d], f->box.lo[d], &extent)) return -1;
    if (__builtin_mul_overflow(n, extent, &n)) return -1;
  }
  return n;
}

int64_t ik_state_field_bytes(const ik_ir *ir, int field) {
  const ik_field *f = &ir->field[field];
  int64_t         n = level_bytes(f);
  if (n < 0 || __builtin_mul_overflow(n, (int64_t)level_count(f), &n)) return -1;
  return n;
}

int64_t ik_state_bytes(const ik_ir *ir) {
  int64_t sum = (int64_t)sizeof(ik_state) + ir->nfield * (int64_t)sizeof(ik_slot) +
                ir->nscalar * (int64_t)sizeof(double);
  for (int i = 0; i < ir->nfield; i++) {
    int64_t n = ir->field[i].kind == IK_FIELD_TEMP ? 0 : ik_state_field_bytes(ir, i);
    if (n < 0 || __builtin_add_overflow(sum, n, &sum)) return -1;
  }
  return sum;
}

/* ---- life ---- */

static bool create_slot(const ik_field *f, ik_slot *s) {
  s->bytes = (size_t)level_bytes(f);
  s->cells = (int64_t)s->bytes / ik_type_bytes(f->type);
  s->slice = s->cells, s->gap = 0;
  s->first = f->has_new ? 0 : 1;
  s->nlevel = level_count(f);
  for (int i = s->first; i < s->first + s->nlevel; i++) {
    s->owned[i] = s->level[i] = ik_pages_alloc(s->bytes);
    if (!s->level[i]) return false;
  }
  return true;
}

static bool create_all(ik_state *s) {
  const ik_ir *ir = s->ir;
  s->slot = ik_calloc((size_t)ir->nfield, sizeof *s->slot);
  s->scalar = ik_calloc((size_t)ir->nscalar, sizeof *s->scalar);
  if (!s->slot || !s->scalar) return false;
  for (int i = 0; i < ir->nfield; i++)
    if (ir->field[i].kind != IK_FIELD_TEMP && !create_slot(&ir->field[i], &s->slot[i]))
      return false;
  return true;
}

static ik_status refuse(const ik_ir *ir, int64_t bytes, ik_diag *d) {
  if (bytes < 0)
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN,
                   "the fields of %s need more memory than can be addressed", ir->name);
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN,
                 "not enough memory: the fields of %s need %.3g GiB", ir->name,
                 (double)bytes / 0x1p30);
}

ik_status ik_state_create(const ik_ir *ir, ik_diag *d, ik_state **out) {
  *out = NULL;
  int64_t   bytes = ik_state_bytes(ir);
  ik_state *s = bytes < 0 ? NULL : ik_calloc(1, sizeof *s);
  if (!s) return refuse(ir, bytes, d);
  s->ir = ir;
  if (!create_all(s)) {
    ik_state_destroy(&s);
    return refuse(ir, bytes, d);
  }
  *out = s;
  return IK_OK;
}

ik_status ik_state_add(ik_state *s, int field, ik_diag *d) {
  const ik_field *f = &s->ir->field[field];
  if (s->slot[field].nlevel || create_slot(f, &s->slot[field])) return IK_OK;
  s->slot[field] = (ik_slot){0};
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the temporary '%s'",
                 f->name);
}

void ik_state_destroy(ik_state **state) {
  ik_state *s = *state;
  if (!s) return;
  for (int i = 0; s->slot && i < s->ir->nfield; i++)
    for (int l = 0; l <= IK_MAX_HISTORY; l++) ik_pages_free(s->slot[i].owned[l]);
  ik_free(s->slot);
  ik_free(s->scalar);
  ik_free(s);
  *state = NULL;
}

/* ---- gaps ---- */

int64_t ik_state_gap_always;

/* Cells across the last axis of the grid; 0 if it is the only one or the field is not on it. */
static int64_t slice_of(const ik_ir *ir, const ik_field *f) {
  int     last = ir->ndim - 1;
  int64_t n = last > 0 && f->on[last] ? 1 : 0;
  for (int d = 0; d < last; d++) n *= f->box.hi[d] - f->box.lo[d];
  return n;
}

static int64_t slices_of(const ik_ir *ir, const ik_field *f) {
  return f->box.hi[ir->ndim - 1] - f->box.lo[ir->ndim - 1];
}

enum { LINE = 64, WAY = 4096 };

/* First caches have sets for 4 KiB a way, or some times that.  Of rows a kernel reads some of a
 * field at a time, so that a few lines between them are enough (random-1 of the bench with NEON,
 * rows of 16 KiB, none, one, two and four lines apart: 2.5 2.8 3.1 3.3 GPts/s). */
static int64_t gap_of_rows(int64_t slice, int64_t least, int64_t most) {
  int64_t lines = ik_min(4 * LINE, ik_max(LINE, most / LINE * LINE));
  return (slice + least) % WAY < lines ? least + lines : least;
}

/* Of planes it reads several rows each: half a page, if they begin near each other. */
static int64_t clear_of_pages(int64_t slice, int64_t gap) {
  enum { NEAR = WAY / 4, HALF = WAY / 2 + LINE };
  int64_t beyond = (slice + gap) % WAY;
  if (beyond < NEAR) return gap + HALF - beyond;
  return beyond > WAY - NEAR ? gap + HALF + WAY - beyond : gap;
}

/* Second caches have sets for 64 or 128 KiB: how far planes begin from each other there. */
static int64_t distance(int64_t pitch) {
  enum { SETS = 1 << 16 };
  return ik_min(pitch % SETS, SETS - pitch % SETS);
}

/* A tile reads ten planes where they lie, tens of rows of each: some pages more (wave f32 512^3
 * with AVX-512, half a page and three and a half: 1.30 1.39 GPts/s).  Where there is not enough
 * room for that, as many as put them a page or more further from each other. */
static int64_t gap_of_planes(int64_t slice, int64_t least, int64_t most) {
  enum { FAR = 3 * WAY };
  int64_t best = clear_of_pages(slice, least);
  for (int64_t gap = best; gap <= most && distance(slice + best) < FAR; gap += WAY)
    if (distance(slice + gap) >= distance(slice + best) + WAY) best = gap;
  return best;
}

/* With room for rows that stand beyond a face, as many as schemes of eighth order read: see
 * ik_state_spread(). */
static int64_t gap_of_frames(int64_t slice, int64_t row, int64_t most) {
  enum { LOOK = 4 };
  int64_t rows = LOOK * row;
  return gap_of_planes(slice, rows + (-(slice + rows) & (LINE - 1)), most);
}

/* At most a small part of a slice; for frames of large planes a larger one.  No frame is worth
 * planes that are near each other. */
static int64_t gap_of(int64_t slice, int64_t row, int ndim) {
  enum { PART = 64, LARGER = 24, LARGE = 1 << 19, NEAR = 2 * WAY };
  int64_t to_line = -slice & (LINE - 1), most = slice / PART;
  if (ndim > 2 && row > 0) {
    int64_t frames = slice / (slice < LARGE ? PART : LARGER);
    int64_t gap = gap_of_frames(slice, row, frames);
    if (gap <= frames && distance(slice + gap) >= NEAR) return gap;
  }
  int64_t gap = (ndim > 2 ? gap_of_planes : gap_of_rows)(slice, to_line, most);
  if (gap > most) gap = to_line;
  return gap <= most ? gap : 0;
}

int64_t ik_state_gap(const ik_ir *ir, int field) {
  const ik_field *f = &ir->field[field];
  int64_t         slice = slice_of(ir, f), bytes = ik_type_bytes(f->type);
  if (ik_state_gap_always && slice) return ik_state_gap_always;
  bool    frame = f->bc[1][0].kind == IK_BC_VALUE || f->bc[1][1].kind == IK_BC_VALUE;
  int64_t row = f->on[0] && frame ? f->box.hi[0] - f->box.lo[0] : 0;
  return gap_of(slice * bytes, row * bytes, ir->ndim) / bytes;
}

int64_t ik_state_gap_bytes(const ik_ir *ir, int field) {
  const ik_field *f = &ir->field[field];
  return ik_state_gap(ir, field) * slices_of(ir, f) * ik_type_bytes(f->type) * level_count(f);
}

static void set_gap(const ik_state *state, int field, int64_t gap) {
  const ik_field *f = &state->ir->field[field];
  ik_slot        *s = &state->slot[field];
  s->gap = gap, s->slice = gap ? slice_of(state->ir, f) : s->cells;
  s->bytes = (size_t)(s->cells + gap * slices_of(state->ir, f)) * (size_t)ik_type_bytes(f->type);
}

static void replace_level(ik_slot *s, const void *old, void *by) {
  for (int i = s->first; i < s->first + s->nlevel; i++)
    if (s->level[i] == old) s->level[i] = by;
}

/* A slice, with a gap on either side. */
static size_t lead_of(const ik_ir *ir, int field) {
  const ik_field *f = &ir->field[field];
  int64_t         n = slice_of(ir, f) + 2 * ik_state_gap(ir, field);
  return (size_t)(n * ik_type_bytes(f->type) + IK_PAGES_ALIGN - 1) / IK_PAGES_ALIGN *
         IK_PAGES_ALIGN;
}

bool ik_state_can_frame(const ik_ir *ir, int field, int64_t elements) {
  enum { DEAR = 64 };
  bool cheap = slices_of(ir, &ir->field[field]) >= DEAR || ik_state_gap_always;
  return slice_of(ir, &ir->field[field]) && ik_state_gap(ir, field) >= elements && cheap;
}

int64_t ik_state_frame_bytes(const ik_ir *ir, int field) {
  return (int64_t)lead_of(ir, field) * level_count(&ir->field[field]);
}

static void fill(ik_type type, void *data, int64_t first, int64_t n, double value) {
  enum { PIECE = 256 };
  double v[PIECE];
  for (int64_t i = 0; i < PIECE; i++) v[i] = value;
  for (; n > 0; first += PIECE, n -= PIECE)
    ik_state_store_row(type, data, first, ik_min(n, PIECE), v);
}

/* New memory is zero. */
static void fill_frame(const ik_slot *s, ik_type type, double value, void *data) {
  int64_t pitch = s->slice + s->gap;
  if (value == 0 && !signbit(value)) return;
  fill(type, data, -pitch - s->gap, pitch + s->gap, value);
  for (int64_t at = s->slice, cells = s->slice; cells <= s->cells; at += pitch, cells += s->slice)
    fill(type, data, at, s->gap, value);
}

ik_status ik_state_spread(ik_state *state, int field, const double *frame, ik_diag *d) {
  ik_slot *s = &state->slot[field];
  IK_ASSERT(!s->bound && !s->lead && state->t == 0);
  set_gap(state, field, ik_state_gap(state->ir, field));
  if (!s->gap) return IK_OK;
  if (frame) s->framed = true, s->lead = lead_of(state->ir, field);
  for (int i = 0; i <= IK_MAX_HISTORY; i++) {
    void *old = s->owned[i];
    if (!old) continue;
    ik_pages_free(old);
    s->owned[i] = ik_pages_alloc(s->lead + s->bytes);
    char *level = s->owned[i] ? (char *)s->owned[i] + s->lead : NULL;
    replace_level(s, old, level);
    if (!level) return refuse(state->ir, ik_state_bytes(state->ir), d);
    if (frame) fill_frame(s, state->ir->field[field].type, *frame, level);
  }
  return IK_OK;
}

void ik_state_pack(ik_state *state, int field) {
  ik_slot *s = &state->slot[field];
  size_t   element = (size_t)ik_type_bytes(state->ir->field[field].type);
  size_t   slice = (size_t)s->slice * element, pitch = slice + (size_t)s->gap * element;
  if (!s->gap) return;
  for (int i = s->folded ? 1 : s->first; i < s->first + s->nlevel; i++)
    for (int64_t k = 1; k < s->cells / s->slice; k++)
      memmove((char *)s->level[i] + (size_t)k * slice, (char *)s->level[i] + (size_t)k * pitch,
              slice);
  set_gap(state, field, 0);
  s->framed = false;
}

/* ---- arrays of the caller ---- */

static void swap_bytes(unsigned char *a, unsigned char *b, size_t n) {
  unsigned char part[4096];
  while (n) {
    size_t m = n < sizeof part ? n : sizeof part;
    memcpy(part, a, m), memcpy(a, b, m), memcpy(b, part, m);
    a += m, b += m, n -= m;
  }
}

/* Where the bound array is now; 1 when it is home. */
static int bound_level(const ik_slot *s) {
  int i = s->folded ? 1 : s->first;
  while (s->level[i] != s->bound) i++;
  return i;
}

static void keep_folded(ik_slot *s) {
  if (s->folded) s->level[0] = s->level[s->nlevel - 1];
}

static void trade_places(ik_slot *s, int i) {
  void *home = s->level[1];
  s->level[1] = s->level[i], s->level[i] = home;
  keep_folded(s);
}

static void drop_owned(ik_slot *s, const void *p) {
  for (int l = 0; l <= IK_MAX_HISTORY; l++)
    if (s->owned[l] && (char *)s->owned[l] + s->lead == p) {
      ik_pages_free(s->owned[l]);
      s->owned[l] = NULL;
      return;
    }
}

void ik_state_fold(ik_state *state, int field) {
  ik_slot *s = &state->slot[field];
  IK_ASSERT(s->first == 0 && s->nlevel > 2 && state->t == 0);
  if (s->folded) return;
  drop_owned(s, s->level[0]);
  s->folded = true;
  keep_folded(s);
}

void ik_state_bind(ik_state *state, int field, void *array) {
  IK_ASSERT(array);
  ik_slot *s = &state->slot[field];
  ik_state_pack(state, field);
  if (s->bound)
    trade_places(s, bound_level(s));
  else
    drop_owned(s, s->level[1]);
  s->level[1] = s->bound = array;
}

/* An older level in the bound array is still needed; the buffer of the next u' is not. */
static void settle_slot(ik_slot *s) {
  int i = bound_level(s);
  if (i == 1) return;
  if (i == 0)
    memcpy(s->bound, s->level[1], s->bytes);
  else
    swap_bytes(s->bound, s->level[1], s->bytes);
  trade_places(s, i);
}

void ik_state_settle(ik_state *s) {
  for (int i = 0; i < s->ir->nfield; i++)
    if (s->slot[i].bound) settle_slot(&s->slot[i]);
}

/* ---- levels and cells ---- */

void *ik_state_data(const ik_state *s, int field, int level) {
  const ik_slot *slot = &s->slot[field];
  int            i = 1 - level;
  IK_ASSERT(i >= slot->first && i < slot->first + slot->nlevel);
  return slot->level[i];
}

static void rotate_slot(ik_slot *s) {
  void *oldest = s->level[s->nlevel - 1];
  memmove(&s->level[1], &s->level[0], (size_t)(s->nlevel - 1) * sizeof s->level[0]);
  s->level[0] = oldest;
  keep_folded(s);
}

void ik_state_turn(const ik_slot *from, int64_t steps, ik_slot *to) {
  int first = from->folded ? 1 : 0, n = from->nlevel - first;
  for (int i = 0; i < n; i++) to->level[first + (i + steps) % n] = from->level[first + i];
  keep_folded(to);
}

void ik_state_rotate(ik_state *s) {
  for (int i = 0; i < s->ir->nfield; i++)
    if (s->ir->field[i].has_new) rotate_slot(&s->slot[i]);
  s->t++;
}

int64_t ik_state_index(const ik_state *s, int field, const int64_t at[IK_MAX_DIM]) {
  const ik_field *f = &s->ir->field[field];
  int64_t         gap = s->slot[field].gap, last = s->ir->ndim - 1, index = 0;
  for (int d = IK_MAX_DIM - 1; d >= 0; d--) {
    int64_t i = f->on[d] ? at[d] - f->box.lo[d] : 0;
    index = index * (f->box.hi[d] - f->box.lo[d]) + i;
  }
  return gap ? index + gap * (at[last] - f->box.lo[last]) : index;
}

int64_t ik_state_stride(const ik_state *s, int field, int axis) {
  const ik_field *f = &s->ir->field[field];
  int64_t         stride = 1;
  for (int d = 0; d < axis; d++) stride *= f->box.hi[d] - f->box.lo[d];
  return axis == s->ir->ndim - 1 ? stride + s->slot[field].gap : stride;
}

int64_t ik_state_cell(const ik_state *s, int field, int64_t i, int64_t *n) {
  const ik_slot *slot = &s->slot[field];
  if (!slot->gap) return i;
  *n = ik_min(*n, slot->slice - i % slot->slice);
  return i + i / slot->slice * slot->gap;
}

void ik_state_clear(const ik_state *s, int field, int level, int64_t from, int64_t to) {
  int64_t bytes = ik_type_bytes(s->ir->field[field].type);
  char   *data = ik_state_data(s, field, level);
  for (int64_t n; from < to; from += n) {
    n = to - from;
    int64_t at = ik_state_cell(s, field, from, &n);
    memset(data + at * bytes, 0, (size_t)(n * bytes));
  }
}

void *ik_state_row(const ik_state *s, int field, int level, int64_t y, int64_t z) {
  const ik_field *f = &s->ir->field[field];
  const int64_t   at[IK_MAX_DIM] = {f->box.lo[0], y, z};
  return (char *)ik_state_data(s, field, level) +
         ik_state_index(s, field, at) * ik_type_bytes(f->type);
}

double ik_state_get(const ik_state *s, int field, int level, const int64_t at[IK_MAX_DIM]) {
  const ik_field *f = &s->ir->field[field];
  double          v;
  ik_state_load_row(f->type, ik_state_data(s, field, level), ik_state_index(s, field, at), 1, &v);
  return v;
}

void ik_state_put(ik_state *s, int field, int level, const int64_t at[IK_MAX_DIM], double v) {
  const ik_field *f = &s->ir->field[field];
  ik_state_store_row(f->type, ik_state_data(s, field, level), ik_state_index(s, field, at), 1, &v);
}

/* ---- rows ---- */

#define LOAD(T, convert)                                                                           \
  do {                                                                                             \
    const T *p = (const T *)data + first;                                                          \
    for (int64_t i = 0; i < n; i++) out[i] = convert(p[i]);                                        \
  } while (0)

#define STORE(T, convert)                                                                          \
  do {                                                                                             \
    T *p = (T *)data + first;                                                                      \
    for (int64_t i = 0; i < n; i++) p[i] = (T)convert(in[i]);                                      \
  } while (0)

static double to_i32(double v) { return ik_type_round(IK_I32, v); }
static bool   to_bool(double v) { return v != 0; }

void ik_state_load_row(ik_type t, const void *data, int64_t first, int64_t n, double *out) {
  switch (t) {
  case IK_F64: LOAD(double, ); break;
  case IK_F32: LOAD(float, ); break;
  case IK_F16: LOAD(uint16_t, ik_f16_to_f64); break;
  case IK_BF16: LOAD(uint16_t, ik_bf16_to_f64); break;
  case IK_I32: LOAD(int32_t, ); break;
  default: LOAD(uint8_t, to_bool); break;
  }
}

void ik_state_store_row(ik_type t, void *data, int64_t first, int64_t n, const double *in) {
  switch (t) {
  case IK_F64: STORE(double, ); break;
  case IK_F32: STORE(float, ); break;
  case IK_F16: STORE(uint16_t, ik_f16_from_f64); break;
  case IK_BF16: STORE(uint16_t, ik_bf16_from_f64); break;
  case IK_I32: STORE(int32_t, to_i32); break;
  default: STORE(uint8_t, to_bool); break;
  }
}

/* ---- fingerprints ---- */

uint64_t ik_state_hash_field(const ik_state *s, int field) {
  const ik_slot *slot = &s->slot[field];
  size_t         element = (size_t)ik_type_bytes(s->ir->field[field].type);
  return ik_hash_slices(ik_state_data(s, field, 0), (size_t)slot->slice * element,
                        (size_t)slot->gap * element, (size_t)slot->cells * element);
}

uint64_t ik_state_hash(const ik_state *s) {
  uint64_t all = IK_HASH_INIT, one = all;
  int      n = 0;
  for (int i = 0; i < s->ir->nfield; i++) {
    if (s->ir->field[i].kind != IK_FIELD_USER) continue;
    one = ik_state_hash_field(s, i);
    all = ik_hash(all, &one, sizeof one);
    n++;
  }
  return n == 1 ? one : all;
}
