/* choose.h: ways to run a list of statements, and the one that should be fastest. */
#pragma once
#include "lower/pipe.h"
#include "target/cpu/isa.h"

typedef struct ik_choice {
  ik_plan plan;
  double  seconds; /* of one step, as predicted */
} ik_choice;

enum { IK_CHOICES = 256 };

typedef struct ik_choose {
  const ik_ir  *ir;
  const ik_isa *isa;
  int           threads;
} ik_choose;

/* Every way worth a look for a list (`steps`: the body of a step loop), the best first; returns how
 * many.  `fused` false: one step at a time. */
int ik_choose_all(const ik_choose *x, const ik_stmt *list, bool steps, bool fused, ik_arena *a,
                  ik_choice out[IK_CHOICES]);
