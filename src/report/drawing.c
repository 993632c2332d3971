#include "report/drawing.h"
#include "base/mem.h"
#include "ir/space.h"
#include <string.h>

/* ---- slices ---- */

static int axes_of(const ik_ir *ir, const ik_field *f, int axis[IK_MAX_DIM]) {
  int n = 0;
  for (int d = 0; d < ir->ndim; d++)
    if (f->on[d]) axis[n++] = d;
  return n;
}

ik_page_slice ik_page_slice_of(const ik_page_input *in, int field) {
  const ik_field *f = &in->ir->field[field];
  int             axis[IK_MAX_DIM], n = axes_of(in->ir, f, axis);
  ik_page_slice   s = {.field = field, .axis = n == 3 ? 2 : -1};
  if (n == 3) s.index = (f->box.hi[2] - f->box.lo[2]) / 2;
  return s;
}

typedef struct own_read {
  int  field;
  bool found;
} own_read;

static void find_own_read(const ik_expr *e, void *ctx) {
  own_read *o = ctx;
  o->found |= e->op == IK_OP_READ && e->id == o->field;
}

/* The first field that a round makes from itself, as a solver does with its solution; -1: none. */
static int iterated(const ik_ir *ir, const ik_stmt *repeat) {
  for (const ik_stmt *s = repeat->body; s; s = s->next) {
    own_read o = {.field = s->field};
    if (s->kind != IK_ASSIGN || ir->field[s->field].kind != IK_FIELD_USER) continue;
    ik_expr_each(s->value, find_own_read, &o);
    if (o.found) return s->field;
  }
  return -1;
}

/* The last field that a list assigns, with what stands in its loops; -1: none. */
static int last_assigned(const ik_ir *ir, const ik_stmt *list) {
  int field = -1;
  for (const ik_stmt *s = list; s; s = s->next) {
    int inner = s->body ? last_assigned(ir, s->body) : -1;
    if (inner >= 0) field = inner;
    if (s->kind == IK_ASSIGN && ir->field[s->field].kind == IK_FIELD_USER) field = s->field;
  }
  return field;
}

/* The first field that a step changes; without one, that of a repeat; without that, the last that
 * is assigned. */
ik_page_slice ik_page_default_slice(const ik_page_input *in) {
  int solved = -1, last = last_assigned(in->ir, in->ir->body);
  for (const ik_stmt *s = in->ir->body; s; s = s->next)
    if (s->kind == IK_REPEAT && solved < 0) solved = iterated(in->ir, s);
  int field = solved >= 0 ? solved : last >= 0 ? last : 0;
  for (int f = in->ir->nfield - 1; f >= 0; f--)
    if (in->ir->field[f].kind == IK_FIELD_USER && in->ir->field[f].has_new) field = f;
  return ik_page_slice_of(in, field);
}

typedef struct plane { /* numbers of a slice and the axes it shows */
  double *v;
  int64_t n[2];
  int     axis[2]; /* -1: none */
} plane;

ik_status ik_page_check_slice(const ik_page_input *in, const ik_page_slice *s, ik_diag *d) {
  const ik_field *f = &in->ir->field[s->field];
  int             axis[IK_MAX_DIM], n = axes_of(in->ir, f, axis);
  if (n < 3 && s->axis < 0) return IK_OK;
  if (n < 3 || s->axis > 2)
    return ik_fail(d, IK_ERR_SOURCE, IK_E043, IK_NOSPAN,
                   "'%s' has %d ax%ss: a slice is of a field with three", f->name, n,
                   n == 1 ? "i" : "e");
  if (s->index >= 0 && s->index < f->box.hi[s->axis]) return IK_OK;
  return ik_fail(d, IK_ERR_SOURCE, IK_E043, IK_NOSPAN, "%s = %lld lies outside the cells 0 .. %lld",
                 in->ir->axis[s->axis], (long long)s->index, (long long)f->box.hi[s->axis] - 1);
}

/* To the right goes east, or north beside the vertical. */
static void put_upright(const ik_ir *ir, int axis[2]) {
  int direction[IK_MAX_DIM], first = axis[0];
  ik_space_directions(ir, direction);
  if (direction[axis[0]] > direction[axis[1]]) axis[0] = axis[1], axis[1] = first;
}

static ik_status cut(const ik_page_input *in, const ik_page_slice *s, ik_diag *d, plane *out) {
  const ik_field *f = &in->ir->field[s->field];
  int             axis[IK_MAX_DIM], n = axes_of(in->ir, f, axis), shown = 0;
  int64_t         at[IK_MAX_DIM] = {0};
  IK_TRY(ik_page_check_slice(in, s, d));
  IK_TRY(ik_engine_fetch(in->loop->engine, s->field, 0, d));
  *out = (plane){.n = {1, 1}, .axis = {-1, -1}};
  for (int k = 0; k < n; k++)
    if (axis[k] != s->axis) out->axis[shown++] = axis[k];
  if (shown == 2) put_upright(in->ir, out->axis);
  for (int k = 0; k < shown; k++) out->n[k] = f->box.hi[out->axis[k]] - f->box.lo[out->axis[k]];
  out->v = ik_calloc((size_t)(out->n[0] * out->n[1]), sizeof *out->v);
  if (!out->v) return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for a picture");
  if (s->axis >= 0) at[s->axis] = s->index;
  for (int64_t j = 0; j < out->n[1]; j++)
    for (int64_t i = 0; i < out->n[0]; i++) {
      if (out->axis[0] >= 0) at[out->axis[0]] = i;
      if (out->axis[1] >= 0) at[out->axis[1]] = j;
      out->v[j * out->n[0] + i] = ik_state_get(in->loop->engine->state, s->field, 0, at);
    }
  return IK_OK;
}

/* ---- pictures ---- */

static ik_picture_axis axis_of(const ik_ir *ir, int axis) {
  if (axis < 0) return (ik_picture_axis){0};
  return (ik_picture_axis){.name = ir->axis[axis],
                           .unit = ir->has_spacing ? "m" : NULL,
                           .spacing = ir->has_spacing ? ir->spacing[axis] : 0};
}

static bool points_down(const ik_ir *ir, int axis) {
  return ir->vertical.known && ir->vertical.axis == axis && !ir->vertical.up;
}

static void caption_of(const ik_page_input *in, const ik_page_slice *s, ik_buf *b) {
  const char *unit = ik_units_name(&in->loop->units);
  int64_t     done = in->loop->done;
  if (strcmp(unit, "pass"))
    ik_buf_printf(b, "after %lld %s%s", (long long)done, unit, done == 1 ? "" : "s");
  else
    ik_buf_puts(b, "result");
  ik_ir_time(in->ir, in->loop->engine->state->t, ", ", b);
  if (s->axis >= 0)
    ik_buf_printf(b, ", slice %s = %lld of %lld", in->ir->axis[s->axis], (long long)s->index,
                  (long long)in->ir->field[s->field].box.hi[s->axis]);
}

const char *ik_drawing_program(const ik_ir *ir) {
  const char *slash = strrchr(ir->name, '/');
  return slash ? slash + 1 : ir->name;
}

void ik_drawing_free(ik_drawing *g) {
  ik_buf_free(&g->caption), ik_buf_free(&g->title);
  ik_free(g->v);
}

ik_status ik_drawing_of(const ik_page_input *in, const ik_page_slice *s, ik_diag *d,
                        ik_drawing *g) {
  plane p;
  IK_TRY(cut(in, s, d, &p));
  *g = (ik_drawing){.v = p.v};
  caption_of(in, s, &g->caption);
  ik_buf_printf(&g->title, "%s of %s", in->ir->field[s->field].name, ik_drawing_program(in->ir));
  g->spec = (ik_picture_spec){.grid = {.v = p.v, .nx = p.n[0], .ny = p.n[1]},
                              .x = axis_of(in->ir, p.axis[0]),
                              .y = axis_of(in->ir, p.axis[1]),
                              .y_down = points_down(in->ir, p.axis[1]),
                              .title = ik_buf_text(&g->title),
                              .caption = ik_buf_text(&g->caption),
                              .name = in->ir->field[s->field].name,
                              .limited = s->lo < s->hi,
                              .lo = s->lo,
                              .hi = s->hi};
  return IK_OK;
}
