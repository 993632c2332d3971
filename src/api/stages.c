/* stages.c: the way of a program on one screen, from its text to its last step.
 *
 * What an engine does on its way stands in target.h and engine.h; that of the CPU has the same
 * screen in targets/cpu/cpu.c: plan, lower, shape, emit when it is opened, build and attach when
 * there is memory.
 */
#include "api/api.h"
#include "runtime/memory.h"

/* Jumps to `a->oom` when memory runs out. */
ik_status ik_stages_compile(const ik_source *text, const ik_lower_options *opt, ik_arena *a,
                            ik_diag *d, ik_ir **ir, ik_facts *facts) {
  ik_program_ast ast;
  IK_TRY(ik_lang_parse(text, a, d, &ast));                    /* text -> tree */
  IK_TRY(ik_lang_lower(&ast, opt, a, d, ir));                 /* tree -> stage graph */
  IK_TRY(ik_ir_verify(*ir, d));                               /* its rules hold */
  return ik_facts_of(*ir, (*ir)->flops_written, a, d, facts); /* what models and people ask */
}

/* Those of a run that is over, or new ones if there is memory. */
static ik_status get_arrays(ik_run *r, const ik_problem *p, ik_diag *d) {
  const ik_engine *x = r->engine;
  if (r->state && ik_state_suits(r->state, x->layout)) return ik_state_restart(r->state), IK_OK;
  ik_state_destroy(&r->state);
  IK_TRY(ik_memory_plan(p->ir, x->layout, x->bytes, r->opt.max_memory, d));
  IK_TRY(ik_memory_plan_device(p->ir, x->layout, &x->device, d));
  return ik_state_create_in(p->ir, x->layout, d, &r->state);
}

ik_status ik_stages_open(ik_run *r, const ik_problem *p, ik_diag *d) {
  IK_TRY(ik_run_open(r, p, d)); /* an engine: it decides how, and how much memory that takes */
  const ik_engine *x = r->engine;
  IK_TRY(get_arrays(r, p, d));                    /* is there memory? */
  IK_TRY(x->ops->attach(r->engine, r->state, d)); /* the engine at work on them */
  return ik_run_loop(r, d);                       /* who does what next */
}

ik_status ik_stages_advance(ik_run *r, int64_t steps, ik_diag *d) {
  ik_engine_take_bound(r->engine);    /* arrays of the caller */
  IK_TRY(ik_loop_start(&r->loop, d)); /* initial values */
  IK_TRY(ik_run_check(r, d));         /* will it stay stable? */
  if (!r->metered) ik_joules_open(&r->energy, "");
  r->metered = true;
  ik_joules_begin(&r->energy, ik_loop_clock());
  ik_status st = ik_loop_advance(&r->loop, steps, d);
  ik_joules_end(&r->energy, ik_loop_clock());
  return st;
}
