/* choose.h: ways to run a list of statements, and the one that should be fastest. */
#pragma once
#include "targets/cpu/cost.h"
#include "targets/cpu/shape/traits.h"

typedef struct ik_strategy     ik_strategy;     /* strategy.h */
typedef struct ik_compile_part ik_compile_part; /* compile.h */

typedef struct ik_price {
  ik_pipeline_time time;    /* of one step, as predicted */
  int64_t          scratch; /* bytes of the rings of a thread */
} ik_price;

typedef struct ik_choice {
  ik_plan  plan;
  ik_price price;
} ik_choice;

enum { IK_CHOICES = 256 };

typedef struct ik_choose {
  const ik_ir        *ir;
  const ik_isa       *isa;
  const ik_traits    *traits; /* of its vectors */
  int                 threads;
  int64_t             room; /* bytes that the rings of a thread may have, if there is a way */
  ik_pipeline_machine figures;
  int64_t             memory; /* bytes that fields and rings may take; 0: any number */
  bool                slabs;  /* tiles that lean, of several steps in place, are a way as well */
  const ik_layout    *layout;
} ik_choose;

/* `m`: what is known of the machine; NULL: nothing. */
ik_choose ik_choose_on(const ik_ir *ir, const ik_layout *layout, const ik_isa *isa, int threads,
                       const ik_machine *m, ik_arena *a);

/* Every way worth a look for a list (`loop`: of which it is the body; NULL: none), the best first;
 * returns how many.  `fused` false: one step at a time. */
int ik_choose_all(const ik_choose *x, const ik_stmt *list, const ik_stmt *loop, bool fused,
                  ik_arena *a, ik_choice out[IK_CHOICES]);

/* What a plan is priced by; lives as long as the arena. */
const ik_pipeline_work *ik_choose_count(const ik_choose *x, const ik_stmt *list, bool steps,
                                        const ik_plan *p, ik_arena *a);

/* What one plan costs, lowered as it would be.  False: that many steps are not legal. */
bool ik_choose_price(const ik_choose *x, const ik_stmt *list, bool steps, const ik_plan *p,
                     ik_arena *a, ik_price *out);
