/* All that is decided of a kernel, in order. */
#include "base/bits.h"
#include "targets/cpu/shape/shape.h"
#include <string.h>

/* ---- how values lie ---- */

/* Where planes are rows, one kernel reads both rings and what is read in place. */
static bool is_aligned(const ik_draft *x, const draft_buffer *b, bool inside) {
  bool arrays = b->b.in_place.on && (inside || x->pass->axis[IK_ROW] < 0);
  if (b->b.ring && !arrays) return true;
  return ik_draft_stride(x, b, 1) * ik_type_bytes(b->b.type) % ik_shape_traits(x)->line == 0;
}

static ik_value_shape *shape_values(const ik_draft *x, const int *buffer, int n, bool inside) {
  ik_value_shape *v = IK_NEW_N(x->a, ik_value_shape, n + 1);
  for (int i = 0; i < n; i++) {
    const draft_buffer *b = &x->buffer[buffer[i]];
    v[i].aligned = is_aligned(x, b, inside);
    if (inside && b->b.in_place.ends.known) v[i].ends = b->b.in_place.ends;
  }
  return v;
}

/* ---- all of it ---- */

static bool reads_in_place(const ik_draft *x, const draft_kernel *k) {
  for (int i = 0; i < k->k.ninput; i++)
    if (x->buffer[k->in[i]].b.in_place.on) return true;
  return false;
}

/* Of a single step, what is left to the kernel that reads rings is little, and it is kept small. */
static bool is_for_faces(const ik_draft *x, const draft_kernel *k) {
  return x->steps <= 1 && !k->inside && x->pass->axis[IK_ROW] >= 0 && reads_in_place(x, k);
}

/* Shifts take the units that multiply: where so many operations make a result, neighbours before
 * the cell are loaded after all (with AVX-512, medians of 4 to 8 runs, shifted and loaded: 225
 * points 0.36 0.40 GPts/s, 27 points in two planes at a time 3.02 3.53; but 9 points 8.0 7.1, 7
 * points 5.4 4.9). */
static int loaded_from(const ik_draft *x) {
  enum { MUCH = 24 };
  return ik_traits_by_lines(ik_shape_traits(x)) ? MUCH : 0;
}

const ik_kernel_shape *ik_shape_one_result(int lanes, int nvalue, ik_arena *a) {
  ik_kernel_shape *s = IK_NEW(a, ik_kernel_shape);
  *s = (ik_kernel_shape){.rows = 1, .vectors = 1, .lanes = lanes};
  s->weights = -1;
  s->input = IK_NEW_N(a, ik_value_shape, nvalue), s->output = IK_NEW_N(a, ik_value_shape, nvalue);
  return s;
}

void ik_shape_kernel(ik_draft *x, const draft_unit *u, draft_kernel *k) {
  ik_kernel_shape *s = k->shape = IK_NEW(x->a, ik_kernel_shape);
  s->line = ik_shape_traits(x)->line, s->loaded_from = loaded_from(x);
  s->prefetch_from = s->line / 2; /* so that each line is prefetched twice at most */
  s->row.whole = k->k.nahead > 0;
  s->input = shape_values(x, k->in, k->k.ninput, k->inside);
  s->output = shape_values(x, k->out, k->k.noutput, k->inside);
  ik_shape_streaming(x, u, k);
  ik_shape_block(x, u, k);
  ik_shape_remainders(x, u, k);
  ik_shape_prefetch(x, u, k);
  if (is_for_faces(x, k)) s->rows = s->vectors = 1, s->prefetch.n = 0;
}

/* ---- the same kernel for every step ---- */

static bool same_ends(const ik_row_ends *a, const ik_row_ends *b) {
  if (a->known != b->known) return false;
  for (int side = 0; side < 2; side++)
    if (ik_bits_of(a->value[side]) != ik_bits_of(b->value[side]) ||
        a->copied[side] != b->copied[side])
      return false;
  return true;
}

static bool same_values(const ik_value_shape *a, const ik_value_shape *b, int n) {
  for (int i = 0; i < n; i++)
    if (a[i].aligned != b[i].aligned || !same_ends(&a[i].ends, &b[i].ends) ||
        a[i].prefetch != b[i].prefetch || a[i].near != b[i].near ||
        a[i].streaming != b[i].streaming || a[i].remainder != b[i].remainder)
      return false;
  return true;
}

static bool same_rows(const ik_row_shape *a, const ik_row_shape *b) {
  return a->blocks == b->blocks && a->singles == b->singles && a->ends == b->ends &&
         a->whole == b->whole && a->ragged == b->ragged &&
         !memcmp(a->look, b->look, sizeof a->look) && !memcmp(a->range, b->range, sizeof a->range);
}

static bool same_prefetches(const ik_prefetch *a, const ik_prefetch *b) {
  if (a->n != b->n || a->planes != b->planes || a->rows != b->rows || a->in_turns != b->in_turns)
    return false;
  for (int i = 0; i < a->n; i++) {
    const ik_prefetched *v = &a->of[i], *w = &b->of[i];
    if (v->field != w->field || v->level != w->level || v->type != w->type ||
        v->pitch != w->pitch || v->lines != w->lines || v->from != w->from || v->next != w->next ||
        v->own != w->own)
      return false;
  }
  return true;
}

bool ik_shape_same(const ik_pipe_kernel *a, const ik_pipe_kernel *b) {
  const ik_kernel_shape *s = a->shape, *t = b->shape;
  return s->rows == t->rows && s->vectors == t->vectors && s->lanes == t->lanes &&
         s->line == t->line && s->shift == t->shift && s->loaded_from == t->loaded_from &&
         s->streaming == t->streaming && s->weights == t->weights && same_rows(&s->row, &t->row) &&
         same_prefetches(&s->prefetch, &t->prefetch) &&
         same_values(s->input, t->input, a->ninput) &&
         same_values(s->output, t->output, a->noutput);
}

/* ---- for people ---- */

void ik_shape_print_kernel(const ik_pipe_kernel *k, ik_buf *out) {
  const ik_kernel_shape *s = k->shape;
  ik_buf_printf(out, ", %d planes x %d rows x %d vectors of %d lanes", k->planes, s->rows,
                s->vectors, s->lanes);
  for (int o = 0; o < k->noutput; o++)
    if (s->output[o].remainder)
      ik_buf_printf(out, ", a remainder of %d cells", s->output[o].remainder);
}
