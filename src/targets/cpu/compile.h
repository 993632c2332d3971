/* compile.h: a program cut into the lists that the run loop hands to an engine, each lowered to
 * passes and all of them printed as C. */
#pragma once
#include "lower/sweep.h"
#include "emit/shape.h"
#include "targets/cpu/choose.h"
#include "targets/cpu/kernels.h"
#include "targets/cpu/rt/kernel.h"
#include "targets/target.h"

/* Texts: three of sequential sweeps, and for two widths of elements, now and late, up to four
 * slices each; with room for plans of another vector length. */
enum { IK_PART_PIPES = 6, IK_COMPILE_TEXTS = 48 };

struct ik_compile_part {
  const ik_stmt     *first, *end; /* of the list; of the body of a step loop */
  const ik_stmt     *steps;       /* the step loop, or NULL */
  const ik_stmt     *list;        /* the statements as they are lowered, with an end of their own */
  ik_plan            plan;
  const ik_strategy *how; /* steps are made; of other lists, as ever */
  int hands; /* tiles that a thread has in work at a time, each with rings of its own; 0: those of
                passes, one after the other */
  double           seconds; /* of a step, as predicted */
  int              nchoice; /* ways to run it, if the plan is one of them ... */
  const ik_choice *choice;  /* ... the best first */
  int              npipe;
  ik_pipe          pipe[IK_PART_PIPES]; /* most steps first; the last makes one */
  int              rest;                /* steps of the one that ends the loop; 0: none does */
  ik_pipeline_time time[IK_PART_PIPES]; /* of one of their steps; of the list (forecast.h) */
};

/* Is that for what is left of a run that stops where nobody could know? */
static inline bool ik_part_is_late(const ik_compile_part *p, int pipe) {
  return pipe > 0 && p->pipe[pipe].steps != p->rest;
}

typedef struct ik_compile {
  const ik_ir     *ir;
  ik_arena        *a;
  ik_choose        choose; /* what it is planned for */
  int              n, npass;
  ik_compile_part *part;
  const ik_pass  **pass; /* all of them; kernel k of pass p is ikat_p<p>_k<k> */
  ik_code_of     **code; /* [pass][kernel] whose code serves it: often its own */
  int              nsweep;
  const ik_sweep **sweep; /* all of them; their functions begin with ikat_s<sweep> */
  int              ntext, lanes[IK_COMPILE_TEXTS];
  ik_buf text[IK_COMPILE_TEXTS]; /* each of one number of lanes; 0: the sequential sweeps */
  int late_pass, late_text; /* passes and texts from here on are for what is left of a run that is
                               no multiple of the steps of a pass: needed late, or never */
  bool       interpreted;   /* some work is the interpreter's */
  int64_t    scratch_bytes, partial_rows;
  int        most_reduce; /* reductions of a pass, at most */
  bool      *stored;      /* [nfield] temporaries with memory */
  ik_layout *layout;      /* that the passes were lowered for */
} ik_compile;

/* Which lists there are, and how each is run: with the plan of the problem, or the best by the
 * model, of one step at a time (`fused` false) or of any number.  It is legal: it has been lowered.
 */
ik_status ik_compile_plan(const ik_problem *p, const ik_isa *isa, int threads, bool fused,
                          ik_arena *a, ik_diag *d, ik_compile *out);
/* The passes of all of them, and of fewer steps than planned; then what these need. */
void ik_compile_lower(ik_compile *c);
/* The passes as C.  E072; to be freed in any case. */
ik_status ik_compile_emit(ik_compile *c, ik_diag *d);
void      ik_compile_free(ik_compile *p);

/* The part from `first` up to `end`; NULL: there is none. */
const ik_compile_part *ik_compile_find(const ik_compile *p, const ik_stmt *first,
                                       const ik_stmt *end);
/* The one that takes the time: a step loop, or what is predicted to take longest.  NULL: none. */
const ik_compile_part *ik_compile_main(const ik_compile *p);
int                    ik_compile_pass(const ik_compile *p, const ik_pass *pass); /* its index */
int                    ik_compile_sweep(const ik_compile *p, const ik_sweep *sweep);
/* The largest sweep outside of step loops that is done in wavefronts.  NULL: none. */
const ik_sweep *ik_part_wave(const ik_compile_part *p);
