/* passes.h: runs passes with kernels that are not generated: they walk the statements' expressions,
 * cell by cell, and find what these read in the planes that the driver hands them.
 *
 *   passes_run(ir, state, pass, t, &opt);    tiles in a scrambled order, scratch memory full of NaN
 */
#pragma once
#include "base/mem.h"
#include "check.h"
#include "ir/apply.h"
#include "targets/cpu/drive.h"
#include <stdlib.h>

/* ---- kernels ---- */

enum { PASSES_STMTS = 128 }; /* of one kernel */

static struct {
  const ik_ir   *ir;
  const ik_pass *pass;
  int            calls, streamed;
} passes_now; /* whom the kernels work for: a call does not say */

typedef struct passes_cell {
  const ik_kernel_call *c;
  const ik_pipe_kernel *k;
  bool                  all;
  int                   plane, stmt;
  int64_t               at[IK_NROLES];
  double                made[PASSES_STMTS];
} passes_cell;

static inline double passes_eval(passes_cell *x, const ik_expr *e);

/* Where the plane of an input is among those of the call. */
static inline int passes_port(const passes_cell *x, int input, int dz) {
  const ik_pipe_port *p = x->k->port;
  int                 n = 0;
  for (int i = 0; i < x->k->nport; i++) {
    int last = i;
    while (last + 1 < x->k->nport && p[last + 1].input == p[i].input) last++;
    if (!x->all && p[i].dz > p[last].dz - (x->k->planes - 1)) continue;
    if (p[i].input == input && p[i].dz == dz) return n;
    n++;
  }
  return -1;
}

static inline int64_t passes_offset(const ik_pipe_value *v, int64_t x, int64_t y) {
  return (v->on[IK_ROW] ? y * v->pitch : 0) + (v->on[IK_LANE] ? x : 0);
}

static inline double passes_read(passes_cell *x, const ik_expr *e) {
  const ik_pass *p = passes_now.pass;
  int64_t        at[IK_NROLES];
  int            input = 0;
  for (ik_role r = 0; r < IK_NROLES; r++)
    at[r] = x->at[r] + (p->axis[r] < 0 ? 0 : e->off[p->axis[r]]);
  bool here = !e->off[0] && !e->off[1] && !e->off[2];
  for (int i = x->stmt - 1; i >= 0 && here; i--) {
    const ik_stmt *s = x->k->stmt[i];
    if (s->kind == IK_ASSIGN && s->field == e->id && s->level == e->level) return x->made[i];
  }
  while (input < x->k->ninput &&
         !(x->k->input[input].field == e->id && x->k->input[input].level == e->level))
    input++;
  const ik_pipe_value *v = &x->k->input[input];
  int    port = passes_port(x, input, (int)(at[IK_STREAM] - x->at[IK_STREAM]) + x->plane);
  double value = NAN;
  if (input == x->k->ninput || port < 0)
    check_fail(__FILE__, __LINE__, "no port for a read of %s", passes_now.ir->field[e->id].name);
  else
    ik_state_load_row(v->type, x->c->in[port], passes_offset(v, at[IK_LANE], at[IK_ROW]), 1,
                      &value);
  return value;
}

static inline double passes_leaf(passes_cell *x, const ik_expr *e) {
  for (ik_role r = 0; r < IK_NROLES && e->op == IK_OP_COORD; r++)
    if (passes_now.pass->axis[r] == e->id) return (double)x->at[r];
  switch (e->op) {
  case IK_OP_READ: return passes_read(x, e);
  case IK_OP_CONST: return e->value;
  case IK_OP_SCALAR: return x->c->scalar[e->id];
  case IK_OP_TIME: return (double)x->c->t;
  default: return 0; /* COORD of an axis that is not there */
  }
}

static inline double passes_eval(passes_cell *x, const ik_expr *e) {
  double v[3] = {0};
  int    n = ik_op_nargs(e->op);
  for (int i = 0; i < n; i++) v[i] = passes_eval(x, e->arg[i]);
  if (n == 0) return ik_type_round(e->type, passes_leaf(x, e));
  if (e->op == IK_OP_TABLE)
    return ik_type_round(e->type, ik_apply_table(&passes_now.ir->table[e->id], v[0]));
  return ik_apply(e->op, e->type, v[0], v[1], v[2]);
}

static inline void passes_make(passes_cell *x, int planes) {
  for (x->stmt = 0; x->stmt < x->k->nstmt; x->stmt++) {
    int out = x->k->store[x->stmt];
    x->made[x->stmt] = passes_eval(x, x->k->stmt[x->stmt]->value);
    if (out < 0) continue;
    const ik_pipe_value *v = &x->k->output[out];
    ik_state_store_row(v->type, x->c->out[out * planes + x->plane],
                       passes_offset(v, x->at[IK_LANE], x->at[IK_ROW]), 1, &x->made[x->stmt]);
  }
}

static inline void passes_kernel(const ik_kernel_call *c, int kernel, bool all) {
  passes_cell x = {.c = c, .k = &passes_now.pass->kernel[kernel], .all = all};
  int         planes = all ? x.k->planes : 1;
  passes_now.calls++, passes_now.streamed += c->stream != 0;
  for (x.plane = 0; x.plane < planes; x.plane++)
    for (x.at[IK_ROW] = c->y0; x.at[IK_ROW] < c->y1; x.at[IK_ROW]++)
      for (x.at[IK_LANE] = c->x0; x.at[IK_LANE] < c->x1; x.at[IK_LANE]++) {
        x.at[IK_STREAM] = c->z + x.plane;
        passes_make(&x, planes);
      }
}

#define PASSES_KERNEL(n)                                                                           \
  static void passes_all_##n(const ik_kernel_call *c) { passes_kernel(c, n, true); }               \
  static void passes_one_##n(const ik_kernel_call *c) { passes_kernel(c, n, false); }
#define PASSES_PAIR(n) passes_all_##n, passes_one_##n,
#define PASSES_EACH(F)                                                                             \
  F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15)
PASSES_EACH(PASSES_KERNEL)
static ik_kernel_fn *const passes_kernels[] = {PASSES_EACH(PASSES_PAIR)};

/* ---- running ---- */

typedef struct passes_options {
  bool            stream;
  double        **partial;
  const ik_spots *spots;
} passes_options;

static inline bool passes_run(const ik_ir *ir, ik_state *s, const ik_pass *p, int64_t t,
                              const passes_options *opt) {
  ik_drive_thread th = {0};
  ik_drive        d = {.ir = ir, .state = s, .pass = p, .kernel = passes_kernels, .t = t};
  size_t          bytes = ((size_t)p->scratch_bytes + 127) / 64 * 64;
  int64_t         n = ik_drive_tiles(p);
  d.stream = opt->stream, d.partial = opt->partial, d.spots = opt->spots;
  passes_now.ir = ir, passes_now.pass = p;
  CHECK(p->nkernel <= (int)(sizeof passes_kernels / sizeof *passes_kernels) / 2);
  th.scratch = aligned_alloc(64, bytes);
  bool ok = ik_drive_thread_fit(&th, s, p);
  for (int64_t i = 0, some; i < n && ok; i += some) {
    int64_t first = n % 7 ? (i * 7 + 3) % n : i; /* one by one, or a few at once */
    some = n % 7 || i + 1 + i % 3 > n ? 1 : 1 + i % 3;
    memset(th.scratch, 0xff, bytes); /* NaN: who reads what nobody wrote will be seen */
    ik_drive_some(&d, first, first + some, &th);
  }
  free(th.scratch);
  ik_drive_thread_free(&th);
  return ok;
}
