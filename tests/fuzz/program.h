/* program.h: a program that a fuzz target made, run if it is tiny. */
#pragma once
#include "fuzz.h"
#include "ir/ir.h"
#include "runtime/loop.h"
#include "targets/target.h"

enum { TINY_CELLS = 4096, TINY_ROUNDS = 8, TINY_WORK = 1 << 20 };

typedef struct tiny {
  int64_t work; /* operations of one pass over all statements */
  bool    is;
} tiny;

static inline void tiny_node(const ik_expr *e, void *ctx) {
  (void)e;
  ++*(int64_t *)ctx;
}

static inline void tiny_stmt(const ik_stmt *s, void *ctx) {
  tiny   *t = ctx;
  int64_t nodes = 0, cells = 1;
  if (s->kind == IK_LOAD) t->is = false; /* no files here */
  if ((s->kind == IK_STEPS || s->kind == IK_REPEAT) && s->count > TINY_ROUNDS) t->is = false;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    int64_t n = s->box.hi[d] - s->box.lo[d];
    if (n > TINY_CELLS || cells > TINY_CELLS) t->is = false;
    if (t->is && n > 0) cells *= n;
  }
  if (s->value) ik_expr_each(s->value, tiny_node, &nodes);
  if (t->is) t->work += cells * nodes;
  if (t->work > TINY_WORK) t->is = false;
}

static inline bool is_tiny(const ik_ir *ir) {
  tiny t = {0, true};
  ik_ir_each_stmt(ir, tiny_stmt, &t);
  int64_t bytes = ik_state_bytes(ir), points = 0;
  for (int i = 0; i < ir->nrecord; i++) points += ir->record[i].npoint;
  return t.is && bytes >= 0 && bytes < TINY_CELLS * 64 && points < TINY_CELLS;
}

/* A program that has passed ik_ir_verify() runs, or says why not. */
static inline void run_tiny(const ik_ir *ir, ik_diag *d) {
  const ik_target *target;
  ik_state        *state = NULL;
  ik_engine       *engine = NULL;
  ik_loop          loop;
  ik_loop_hooks    hooks = {0};
  MUST(ik_target_find("ref", d, &target) == IK_OK);
  MUST(ik_state_create(ir, d, &state) == IK_OK);
  ik_problem problem = {.ir = ir};
  MUST(target->open(&problem, d, &engine) == IK_OK);
  MUST(engine->ops->attach(engine, state, d) == IK_OK);
  MUST(ik_loop_create(&loop, engine, 1, &hooks, d) == IK_OK);
  ik_status st = ik_loop_advance(&loop, -1, d);
  MUST(st == IK_OK || st == IK_ERR_NUMERIC);
  ik_loop_free(&loop);
  engine->ops->destroy(&engine);
  ik_state_destroy(&state);
}

/* Printing, reading and printing again gives the same text. */
static inline void check_round_trip(const ik_ir *ir, ik_arena *a) {
  ik_buf  once = {0}, twice = {0};
  ik_ir  *again;
  ik_diag fresh = {0};
  ik_ir_print(ir, &once);
  ik_source text = {"fuzz.ir", once.data, once.len};
  MUST(ik_ir_read(&text, a, &fresh, &again) == IK_OK);
  MUST(ik_ir_verify(again, &fresh) == IK_OK);
  ik_ir_print(again, &twice);
  MUST(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
  ik_diag_free(&fresh);
  ik_buf_free(&once), ik_buf_free(&twice);
}
