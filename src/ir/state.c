#include "ir/state.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/least.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/pages.h"
#include <math.h>
#include <string.h>

/* ---- sizes ---- */

int64_t ik_state_field_bytes(const ik_ir *ir, int field) {
  ik_layout_field f = ik_layout_at(ir, NULL, field);
  return ik_layout_field_bytes(&f);
}

int64_t ik_state_bytes(const ik_ir *ir) { return ik_layout_bytes(ir, NULL); }

/* ---- life ---- */

static void fill(ik_type type, void *data, int64_t first, int64_t n, double value) {
  enum { PIECE = 256 };
  double v[PIECE];
  for (int64_t i = 0; i < PIECE; i++) v[i] = value;
  for (; n > 0; first += PIECE, n -= PIECE)
    ik_state_store_row(type, data, first, ik_min(n, PIECE), v);
}

/* What stands beyond the faces.  New memory is zero. */
static void fill_padding(const ik_layout_field *l, ik_type type, void *data) {
  int64_t pitch = l->slice + l->padding;
  if (!l->filled || (l->beyond == 0 && !signbit(l->beyond))) return;
  fill(type, data, -pitch - l->padding, pitch + l->padding, l->beyond);
  for (int64_t at = l->slice, cells = l->slice; cells <= l->cells; at += pitch, cells += l->slice)
    fill(type, data, at, l->padding, l->beyond);
}

static void keep_folded(ik_slot *s) {
  if (s->layout->folded) s->level[0] = s->level[s->nlevel - 1];
}

/* Behind the last array. */
static int end_of(const ik_slot *s) { return s->first + s->nlevel + s->layout->ahead; }

/* Each level in its own array. */
static void set_levels(ik_slot *s) {
  int64_t before = ik_layout_before(s->layout);
  for (int i = 0; i < IK_STATE_ARRAYS; i++)
    s->level[i] = s->owned[i] ? (char *)s->owned[i] + before : NULL;
  if (s->nlevel) keep_folded(s);
}

static bool create_slot(ik_slot *s, ik_type type) {
  const ik_layout_field *l = s->layout;
  int64_t                before = ik_layout_before(l);
  s->first = (short)l->first, s->nlevel = l->levels;
  for (int i = l->folded ? 1 : s->first; i < end_of(s); i++) {
    s->owned[i] = ik_pages_alloc((size_t)(before + l->bytes));
    if (!s->owned[i]) return false;
    fill_padding(l, type, (char *)s->owned[i] + before);
  }
  return set_levels(s), true;
}

static bool create_all(ik_state *s, const ik_layout *l) {
  const ik_ir *ir = s->ir;
  s->layout = ik_calloc((size_t)ir->nfield, sizeof *s->layout);
  s->slot = ik_calloc((size_t)ir->nfield, sizeof *s->slot);
  s->scalar = ik_calloc((size_t)ir->nscalar, sizeof *s->scalar);
  if (!s->layout || !s->slot || !s->scalar) return false;
  for (int i = 0; i < ir->nfield; i++) {
    s->layout[i] = ik_layout_at(ir, l, i), s->slot[i].layout = &s->layout[i];
    if (s->layout[i].stored && !create_slot(&s->slot[i], ir->field[i].type)) return false;
  }
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

ik_status ik_state_create_in(const ik_ir *ir, const ik_layout *l, ik_diag *d, ik_state **out) {
  *out = NULL;
  int64_t   bytes = ik_layout_bytes(ir, l);
  ik_state *s = bytes < 0 ? NULL : ik_calloc(1, sizeof *s);
  if (!s) return refuse(ir, bytes, d);
  s->ir = ir;
  if (!create_all(s, l)) {
    ik_state_destroy(&s);
    return refuse(ir, bytes, d);
  }
  *out = s;
  return IK_OK;
}

ik_status ik_state_create(const ik_ir *ir, ik_diag *d, ik_state **out) {
  return ik_state_create_in(ir, NULL, d, out);
}

static bool lies_so(const ik_layout_field *a, const ik_layout_field *b) {
  bool same = a->slice == b->slice && a->padding == b->padding && a->bytes == b->bytes;
  same = same && a->stored == b->stored && a->folded == b->folded && a->ahead == b->ahead;
  same = same && a->room == b->room && a->filled == b->filled;
  for (int d = 0; d < IK_MAX_DIM; d++) same = same && a->stride[d] == b->stride[d];
  return same && (!a->filled || ik_bits_of(a->beyond) == ik_bits_of(b->beyond));
}

bool ik_state_suits(const ik_state *s, const ik_layout *l) {
  bool suits = true;
  for (int i = 0; i < s->ir->nfield && suits; i++) {
    ik_layout_field f = ik_layout_at(s->ir, l, i);
    suits = !s->slot[i].bound && lies_so(&s->layout[i], &f);
  }
  return suits;
}

void ik_state_restart(ik_state *s) {
  s->t = 0, s->injected = 0;
  for (int i = 0; i < s->ir->nfield; i++) set_levels(&s->slot[i]);
}

ik_status ik_state_add(ik_state *s, int field, ik_diag *d) {
  ik_slot        *slot = &s->slot[field];
  const ik_field *f = &s->ir->field[field];
  if (slot->nlevel || create_slot(slot, f->type)) return IK_OK;
  *slot = (ik_slot){.layout = &s->layout[field]};
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the temporary '%s'",
                 f->name);
}

void ik_state_destroy(ik_state **state) {
  ik_state *s = *state;
  if (!s) return;
  for (int i = 0; s->slot && i < s->ir->nfield; i++)
    for (int l = 0; l < IK_STATE_ARRAYS; l++) ik_pages_free(s->slot[i].owned[l]);
  ik_free(s->layout), ik_free(s->slot);
  ik_free(s->scalar);
  ik_free(s);
  *state = NULL;
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

/* Does the caller's array take part? */
static bool is_shared(const ik_slot *s) { return s->bound && !s->layout->padding; }

/* Where the bound array is now; 1 when it is home. */
static int bound_level(const ik_slot *s) {
  int i = s->layout->folded ? 1 : s->first;
  while (s->level[i] != s->bound) i++;
  return i;
}

static void trade_places(ik_slot *s, int i) {
  void *home = s->level[1];
  s->level[1] = s->level[i], s->level[i] = home;
  keep_folded(s);
}

static void drop_owned(ik_slot *s, const void *p) {
  for (int l = 0; l < IK_STATE_ARRAYS; l++)
    if (s->owned[l] == p) {
      ik_pages_free(s->owned[l]);
      s->owned[l] = NULL;
      return;
    }
}

static void share(ik_slot *s, void *array) {
  if (s->bound)
    trade_places(s, bound_level(s));
  else
    drop_owned(s, s->level[1]);
  s->level[1] = s->bound = array;
}

void ik_state_bind(ik_state *state, int field, void *array) {
  IK_ASSERT(array);
  ik_slot *s = &state->slot[field];
  if (!s->layout->padding) {
    share(s, array);
    return;
  }
  s->bound = array;
  ik_state_copy_in(state, field, 0, array);
}

/* An older level in the bound array is still needed; what is there for new ones is not. */
static void settle_shared(ik_slot *s) {
  int    i = bound_level(s);
  size_t bytes = (size_t)s->layout->bytes;
  if (i == 1) return;
  if (i == 0 || i >= s->nlevel)
    memcpy(s->bound, s->level[1], bytes);
  else
    swap_bytes(s->bound, s->level[1], bytes);
  trade_places(s, i);
}

void ik_state_settle(ik_state *s) {
  for (int i = 0; i < s->ir->nfield; i++)
    if (is_shared(&s->slot[i]))
      settle_shared(&s->slot[i]);
    else if (s->slot[i].bound)
      ik_state_copy_out(s, i, 0, s->slot[i].bound);
}

void ik_state_take_bound(ik_state *s) {
  for (int i = 0; i < s->ir->nfield; i++)
    if (s->slot[i].bound && !is_shared(&s->slot[i])) ik_state_copy_in(s, i, 0, s->slot[i].bound);
}

/* ---- levels and cells ---- */

void *ik_state_data(const ik_state *s, int field, int level) {
  const ik_slot *slot = &s->slot[field];
  int            i = 1 - level;
  IK_ASSERT(i >= slot->first - slot->layout->ahead && i < slot->first + slot->nlevel);
  return slot->level[i < 0 ? i + end_of(slot) : i];
}

void ik_state_turn(const ik_slot *from, int64_t steps, ik_slot *to) {
  int first = from->layout->folded ? 1 : 0, n = end_of(from) - first;
  for (int i = 0; i < n; i++) to->level[first + (i + steps) % n] = from->level[first + i];
  keep_folded(to);
}

/* A field turns no further than it keeps levels. */
static void turn_all(ik_state *s, int64_t steps, int spared) {
  for (int i = 0; i < s->ir->nfield; i++) {
    const ik_field *f = &s->ir->field[i];
    const ik_slot   was = s->slot[i];
    if (f->has_new) ik_state_turn(&was, ik_min(steps, f->history - spared), &s->slot[i]);
  }
  s->t += steps;
}

void ik_state_rotate(ik_state *s) { turn_all(s, 1, 0); }

void ik_state_skip(ik_state *s, int64_t steps) { turn_all(s, steps, 1); }

int64_t ik_state_index(const ik_state *s, int field, const int64_t at[IK_MAX_DIM]) {
  const ik_field        *f = &s->ir->field[field];
  const ik_layout_field *l = s->slot[field].layout;
  int64_t                index = 0;
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (f->on[d]) index += (at[d] - f->box.lo[d]) * l->stride[d];
  return index;
}

int64_t ik_state_stride(const ik_state *s, int field, int axis) {
  return s->slot[field].layout->stride[axis];
}

int64_t ik_state_cell(const ik_state *s, int field, int64_t i, int64_t *n) {
  const ik_layout_field *l = s->slot[field].layout;
  if (!l->padding) return i;
  *n = ik_min(*n, l->slice - i % l->slice);
  return i + i / l->slice * l->padding;
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

/* `array` holds the cells of a level one after the other. */
static void copy_cells(const ik_state *s, int field, int level, char *array, bool out) {
  const ik_layout_field *l = s->slot[field].layout;
  char                  *data = ik_state_data(s, field, level);
  for (int64_t i = 0, n; i < l->cells; i += n) {
    n = l->cells - i;
    char *cell = data + ik_state_cell(s, field, i, &n) * l->element;
    char *other = array + i * l->element;
    memcpy(out ? other : cell, out ? cell : other, (size_t)(n * l->element));
  }
}

void ik_state_copy_out(const ik_state *s, int field, int level, void *array) {
  copy_cells(s, field, level, array, true);
}

void ik_state_copy_in(ik_state *s, int field, int level, const void *array) {
  copy_cells(s, field, level, (char *)array, false);
}

void ik_state_copy(const ik_state *from, const ik_state *to, int field, int level, int64_t first,
                   int64_t end) {
  int64_t     bytes = ik_type_bytes(from->ir->field[field].type);
  const char *source = ik_state_data(from, field, level);
  char       *target = ik_state_data(to, field, level);
  for (int64_t n; first < end; first += n) {
    n = end - first;
    int64_t at = ik_state_cell(from, field, first, &n), put = ik_state_cell(to, field, first, &n);
    memcpy(target + put * bytes, source + at * bytes, (size_t)(n * bytes));
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
  const ik_layout_field *l = s->slot[field].layout;
  size_t                 element = (size_t)l->element;
  return ik_hash_slices(ik_state_data(s, field, 0), (size_t)l->slice * element,
                        (size_t)l->padding * element, (size_t)l->cells * element);
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
