/* The strategies of the CPU: each that a plan can have is a row of the table, and no other. */
#include "targets/cpu/strategy.h"
#include "check.h"
#include "targets/target.h"
#include <string.h>

extern const ik_target ik_target_cpu;

CASE(names_and_rows_are_the_same) {
  int n = 0;
  for (; ik_target_cpu.strategies[n]; n++)
    CHECK_STR(ik_strategies[n] ? ik_strategies[n]->name : "", ik_target_cpu.strategies[n]);
  CHECK(ik_strategies[n] == NULL);
}

/* Whoever has tiles of his own plans, prices and runs them. */
CASE(a_row_is_whole_or_silent) {
  for (const ik_strategy *const *s = ik_strategies; *s; s++) {
    bool own = (*s)->advance != NULL;
    CHECK(own == ((*s)->plan != NULL) && own == ((*s)->legal != NULL));
    CHECK(own == ((*s)->price != NULL) && own == ((*s)->stride != NULL));
    CHECK(!own || !(*s)->special);
  }
}

CASE(lists_outside_of_step_loops_are_swept) {
  ik_plan plan = {.strategy = "hex"};
  CHECK_STR(ik_strategy_of(&plan, true)->name, "hex");
  CHECK_STR(ik_strategy_of(&plan, false)->name, "sweep");
  CHECK(ik_strategy_find(NULL) == NULL);
}
