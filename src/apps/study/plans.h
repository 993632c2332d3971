/* plans.h: the candidates of one machine as a table, as reasons, as JSON and as charts. */
#pragma once
#include "api/api.h"
#include "base/json.h"
#include "plan/candidate.h"

enum {
  IK_PLANS_SHOWN = 8
}; /* with their plan; of the others, the best of each strategy and unit */

/* "time", "energy", "edp", by ik_objective. */
extern const char *const ik_plans_objective[3];

/* What predicts: a word, and what is to be known about it. */
const char *ik_plans_model(ik_candidate_model m);
const char *ik_plans_model_about(ik_candidate_model m);

/* No wider than 100 columns: a row for each, plans and notes below it by number, then what the
 * symbols mean. */
void ik_plans_table(const ik_candidates *c, ik_objective o, ik_buf *out);
/* Why the first wins and the others do not. */
void ik_plans_why(const ik_candidates *c, ik_objective o, ik_buf *out);
void ik_plans_json(const ik_candidate *c, const ik_ir *ir, ik_json *j);

/* Of some that targets propose not even the time is known. */
bool ik_plans_is_modelled(const ik_candidate *c);
/* Has ikat a target that runs it?  Else it is an estimate alone. */
bool ik_plans_runs(const ik_candidate *c);
/* The first of each strategy and unit is its best, as they are sorted. */
bool ik_plans_is_first(const ik_candidates *c, int i);

typedef struct ik_plans_page { /* what charts show */
  const ik_program    *program;
  const ik_machine    *machine;
  const ik_candidates *candidates;
  const char          *wisdom; /* as in ik_plan_options */
  int                  threads;
} ik_plans_page;

/* Rates of the plans, and where the machine has roofs, the program under them. */
void ik_plans_draw(const ik_plans_page *x, ik_arena *a, ik_buf *page);
