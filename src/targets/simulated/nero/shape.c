#include "targets/simulated/nero/shape.h"
#include "base/least.h"
#include "facts/nodes.h"
#include <math.h>
#include <string.h>

/* ---- arithmetic ---- */

/* Multiplying by 0.5 or 4 changes the exponent alone. */
static bool is_power_of_two(const ik_expr *e) {
  int exponent;
  return e->op == IK_OP_CONST && fabs(frexp(e->value, &exponent)) == 0.5;
}

static void count_node(const ik_expr *e, ik_nero_shape *s) {
  if (ik_op_flops(e->op)) s->unit_bits = ik_max_int(s->unit_bits, 8 * ik_type_bytes(e->type));
  switch (e->op) {
  case IK_OP_FMA: s->other++; /* and the product: */ /* fall through */
  case IK_OP_MUL:
    if (!is_power_of_two(e->arg[0]) && !is_power_of_two(e->arg[1])) s->mul++;
    break;
  case IK_OP_DIV:
    if (!is_power_of_two(e->arg[1])) s->div++;
    break;
  case IK_OP_SQRT:
  case IK_OP_EXP:
  case IK_OP_LOG:
  case IK_OP_SIN:
  case IK_OP_COS:
  case IK_OP_TAN:
  case IK_OP_TANH:
  case IK_OP_ATAN:
  case IK_OP_POW: s->div++; break;
  default: s->other += ik_op_flops(e->op);
  }
}

/* ---- phases ---- */

typedef struct survey {
  ik_nero_window *w;
  ik_arena       *arena;
  ik_nero_shape  *out;
  const ik_stmt  *sweep; /* of the last statement */
  bool           *made;  /* [values] in this phase */
  bool           *held;  /* [values] */
  bool           *wide;  /* [values] read at an offset */
} survey;

static void begin_phase(survey *v, const ik_stmt *sweep) {
  bool first = !v->out->sweeps;
  v->sweep = sweep;
  if (sweep) v->out->sweeps = true;
  if (first) return;
  v->out->phases++;
  memset(v->made, 0, (size_t)v->w->values * sizeof *v->made);
}

static void survey_read(survey *v, const ik_expr *e) {
  int value = ik_value_of(e->id, e->level);
  if (v->out->phases > 1 && !v->made[value]) v->held[value] = true;
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (e->off[d]) v->wide[value] = true;
}

static void survey_stmt(const ik_stmt *s, const ik_stmt *sweep, void *ctx) {
  survey  *v = ctx;
  ik_nodes nodes;
  if (sweep != v->sweep) begin_phase(v, sweep);
  for (int i = 0; sweep && i < sweep->naxes; i++) v->out->swept[sweep->axis[i]] = true;
  if (sweep) v->out->control++;
  ik_nodes_of(s->value, v->arena, &nodes);
  for (int i = 0; i < nodes.n; i++) {
    count_node(nodes.node[i], v->out);
    if (nodes.node[i]->op == IK_OP_READ) survey_read(v, nodes.node[i]);
  }
  v->made[ik_value_of(s->field, s->level)] = true;
}

/* ---- streams and buffers ---- */

static bool is_on_all(const ik_ir *ir, const ik_field *f) {
  for (int d = 0; d < ir->ndim; d++)
    if (!f->on[d]) return false;
  return true;
}

/* What enters: fields on part of the axes are small and stay on the board. */
static bool streams_in(const ik_nero_window *w, int v) {
  return w->kernel->enters[v] && w->kernel->loads[v] &&
         is_on_all(&w->ir, &w->ir.field[ik_nero_field(v)]);
}

static bool streams_out(const ik_nero_window *w, int v) { return w->kernel->keeps[v]; }

static int list_streams(const ik_nero_window *w, bool (*is)(const ik_nero_window *w, int v),
                        int                   value[IK_NERO_WIDE]) {
  int n = 0;
  for (int v = 0; v < w->values && n < IK_NERO_WIDE; v++)
    if (is(w, v)) value[n++] = v;
  return n;
}

int ik_nero_streams_in(const ik_nero_window *w, int value[IK_NERO_WIDE]) {
  return list_streams(w, streams_in, value);
}

int ik_nero_streams_out(const ik_nero_window *w, int value[IK_NERO_WIDE]) {
  return list_streams(w, streams_out, value);
}

static ik_nero_halo halo_of(const ik_nero_window *w, int v) {
  ik_nero_halo h;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    h.lo[d] = w->box.lo[d] - w->need[v].lo[d];
    h.hi[d] = w->need[v].hi[d] - w->box.hi[d];
  }
  return h;
}

static void survey_value(const survey *v, int value) {
  ik_nero_shape *s = v->out;
  const ik_ir   *ir = &v->w->ir;
  bool           in = streams_in(v->w, value), out = streams_out(v->w, value);
  if (in || out)
    s->bits = ik_max_int(s->bits, 8 * ik_type_bytes(ir->field[ik_nero_field(value)].type));
  s->in += in, s->out += out;
  s->hold += v->held[value];
  if (in && v->wide[value] && s->nwide < IK_NERO_WIDE) s->wide[s->nwide++] = halo_of(v->w, value);
}

void ik_nero_shape_of(ik_nero_window *w, ik_arena *a, ik_nero_shape *out) {
  survey v = {.w = w, .arena = a, .out = out};
  *out = (ik_nero_shape){.bits = 16, .phases = 1};
  v.made = IK_NEW_N(a, bool, w->values);
  v.held = IK_NEW_N(a, bool, w->values);
  v.wide = IK_NEW_N(a, bool, w->values);
  ik_nero_window_reach(w);
  ik_nero_each(w->kernel, survey_stmt, &v);
  if (out->sweeps) out->phases = ik_max_int(2, out->phases); /* results leave when it is over */
  for (int i = 0; i < w->values; i++) survey_value(&v, i);
}

int ik_nero_lanes(const ik_nero_shape *s, const ik_nero_board *b) {
  int words = (int)b->port_bits / s->bits, in = ik_max_int(1, s->in);
  return ik_max_int(1, (words + in - 1) / in);
}
