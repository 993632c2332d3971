/* passes.h: what a program does over and over as passes, for tests of lowering.
 *
 *   program p;
 *   if (MUST_OPEN(&p, text)) puts(passes_text(&p, true, "fuse steps=2 bytes=64"));
 *   program_close(&p);
 */
#pragma once
#include "lang/program.h"
#include "lower/pipe.h"
#include "targets/cpu/layout.h"
#include "targets/cpu/shape/shape.h"

/* As time steps, or as a list that is done once; what the words do not say is one of each, in 16
 * bytes. */
static inline const ik_pipe *passes_of(program *p, bool step, const char *words) {
  ik_pipe *pipe = IK_NEW(&p->arena, ik_pipe);
  ik_plan  plan = {
       .strategy = "sweep", .steps = 1, .cpu.planes = 1, .cpu.rows = 1, .cpu.vectors = 1};
  plan.cpu.vector_bytes = 16, plan.threads = 1, plan.layout = ik_cpu_layout_of(p->ir, &p->arena);
  CHECK(ik_plan_read(words, &plan));
  ik_shape_passes(p->ir, p->ir->body->body, step ? plan.steps : 0, &plan, &p->arena, pipe);
  return pipe;
}

static inline const char *passes_text(program *p, bool step, const char *words) {
  ik_buf_free(&p->shown);
  ik_shape_print(p->ir, passes_of(p, step, words), &p->shown);
  return ik_buf_text(&p->shown);
}

/* The first pass of a step loop. */
static inline const ik_pass *pass_of(program *p, const char *words) {
  const ik_pipe *pipe = passes_of(p, true, words);
  CHECK(pipe->n > 0 && pipe->work[0].kind == IK_WORK_PASS);
  return pipe->work[0].pass;
}
