#include "trial.h"
#include "play.h"
#include "sanitized.h"
#include "targets/cpu/isa.h"
#include <stdlib.h>
#include <string.h>

bool trial_open(trial *t, const char *name, const char *text) {
  ik_program_ast   program;
  ik_lower_options options = {.steps = -1, .name = name};
  memset(t, 0, sizeof *t);
  ik_arena_init(&t->arena);
  if (setjmp(t->arena.oom)) abort();
  t->src = (ik_source){"test.ik", text, strlen(text)};
  return !ik_lang_parse(&t->src, &t->arena, &t->diag, &program) &&
         !ik_lang_lower(&program, &options, &t->arena, &t->diag, &t->ir) &&
         !ik_recorder_create(&t->recorder, t->ir, &t->diag);
}

void trial_close(trial *t) {
  if (t->engine) t->engine->ops->destroy(&t->engine);
  ik_recorder_free(&t->recorder);
  ik_state_destroy(&t->state);
  ik_diag_free(&t->diag), ik_arena_free(&t->arena);
}

bool trial_engine(trial *t, const char *name, const ik_plan *plan) {
  const ik_target *target;
  ik_problem       problem = {.ir = t->ir, .plan = plan};
  sanitize_generated_code();
  if (plan) problem.threads = plan->threads, problem.strategy = plan->strategy;
  ik_state_destroy(&t->state); /* of another engine */
  return !ik_target_find(name, &t->diag, &target) &&
         !target->open(&problem, &t->diag, &t->engine) &&
         !ik_state_create_in(t->ir, t->engine->layout, &t->diag, &t->state);
}

bool trial_go(trial *t) {
  if (t->engine->ops->attach(t->engine, t->state, &t->diag)) return false;
  ik_engine_touch(t->engine);
  ik_engine_ready(t->engine, &t->diag);
  return play_program(t->engine, &t->recorder, &t->diag) == IK_OK;
}

bool trial_play(trial *t, const char *target, const ik_plan *plan) {
  return trial_engine(t, target, plan) && trial_go(t);
}

bool trial_can_run(int vector_bytes) {
#ifdef __x86_64__
  return ik_isa_local().vector_bytes >= vector_bytes;
#else
  return vector_bytes > 0;
#endif
}

bool trial_is_compiled(const trial *t) {
  for (int i = 0; i < t->diag.nmsg; i++)
    if (t->diag.msg[i].code == IK_W005) return false;
  return true;
}

static bool same_traces(const trial *a, const trial *b) {
  for (int i = 0; i < a->ir->nrecord; i++) {
    const ik_trace *x = &a->recorder.trace[i], *y = &b->recorder.trace[i];
    size_t          n = (size_t)x->nsample * (size_t)a->ir->record[i].npoint;
    if (x->nsample != y->nsample || memcmp(x->data, y->data, n * sizeof(double))) return false;
  }
  return true;
}

static bool same_level(const ik_state *a, const ik_state *b, int field, int level) {
  size_t bytes = (size_t)ik_state_field_bytes(a->ir, field) / (size_t)a->slot[field].layout->levels;
  void  *x = malloc(bytes), *y = malloc(bytes);
  ik_state_copy_out(a, field, level, x), ik_state_copy_out(b, field, level, y);
  bool same = memcmp(x, y, bytes) == 0;
  free(x), free(y);
  return same;
}

static bool same_values(const trial *a, const trial *b) {
  for (int f = 0; f < a->ir->nfield; f++) {
    if (a->ir->field[f].kind == IK_FIELD_TEMP) continue;
    for (int l = 0; l > -a->ir->field[f].history; l--)
      if (!same_level(a->state, b->state, f, l)) return false;
  }
  return memcmp(a->state->scalar, b->state->scalar, (size_t)a->ir->nscalar * sizeof(double)) == 0 &&
         a->state->t == b->state->t && a->state->injected == b->state->injected;
}

bool trial_same(const trial *a, const trial *b) { return same_values(a, b) && same_traces(a, b); }
