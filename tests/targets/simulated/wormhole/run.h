/* wormhole_run.h: a program on wormhole, or on the interpreter under its rule, with an override. */
#pragma once
#include "lang/program.h"

typedef struct chip_run {
  program    p;
  ik_state  *state;
  ik_engine *engine;
  ik_loop    loop;
  bool       open; /* the engine took the program */
} chip_run;

static inline ik_status chip_begin(chip_run *r, const char *target, const char *override) {
  const ik_target *t;
  ik_problem       problem = {.ir = r->p.ir, .override = override};
  ik_loop_hooks    none = {0};
  IK_TRY(ik_target_find(target, &r->p.diag, &t));
  IK_TRY(t->open(&problem, &r->p.diag, &r->engine));
  IK_TRY(ik_state_create(r->p.ir, &r->p.diag, &r->state));
  IK_TRY(r->engine->ops->attach(r->engine, r->state, &r->p.diag));
  return ik_loop_create(&r->loop, r->engine, 0, &none, &r->p.diag);
}

/* False where the target refuses; program_messages() says why. */
static inline bool chip_open(chip_run *r, const char *text, const char *target,
                             const char *override) {
  *r = (chip_run){0};
  if (!MUST_OPEN(&r->p, text)) return false;
  r->open = chip_begin(r, target, override) == IK_OK;
  return r->open;
}

/* Rounds or steps; -1: to the end. */
static inline void chip_advance(chip_run *r, int64_t n) {
  if (ik_loop_advance(&r->loop, n, &r->p.diag))
    check_fail(__FILE__, __LINE__, "%s", program_messages(&r->p));
}

static inline void chip_close(chip_run *r) {
  if (r->open) ik_loop_free(&r->loop);
  if (r->engine) r->engine->ops->destroy(&r->engine);
  ik_state_destroy(&r->state);
  program_close(&r->p);
}

/* Every bit of fields and scalars. */
static inline bool chip_same(const chip_run *a, const chip_run *b) {
  size_t n = (size_t)a->p.ir->nscalar * sizeof(double);
  return ik_state_hash(a->state) == ik_state_hash(b->state) &&
         memcmp(a->state->scalar, b->state->scalar, n) == 0;
}
