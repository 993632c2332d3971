#include "check.h"
#include "io/scratch.h"
#include "targets/target.h"

CASE(targets_are_listed_with_their_names) {
  int n = 0;
  for (const ik_target *const *t = ik_targets; *t; t++, n++) {
    CHECK((*t)->name && (*t)->help && (*t)->probe && (*t)->open);
    for (int k = 0; k < n; k++) CHECK(strcmp(ik_targets[k]->name, (*t)->name) != 0);
  }
  CHECK(n >= 1);
}

CASE(a_target_is_found_by_name) {
  const ik_target *t = NULL;
  ik_diag          d = {0};
  CHECK_EQ(ik_target_find("ref", &d, &t), IK_OK);
  CHECK(t && strcmp(t->name, "ref") == 0 && !t->simulated);
  CHECK_EQ(d.nmsg, 0);
}

CASE(without_a_name_it_is_the_first_that_is_here) {
  const ik_target *t = NULL, *first = NULL;
  ik_diag          d = {0};
  for (const ik_target *const *x = ik_targets; *x && !first; x++) {
    ik_buf why = {0};
    if ((*x)->probe(&why)) first = *x;
    ik_buf_free(&why);
  }
  CHECK_EQ(ik_target_find(NULL, &d, &t), IK_OK);
  CHECK(t == first);
}

CASE(the_rule_of_a_machine_is_found_beside_it) {
  const ik_target *t = NULL, *rule = NULL;
  ik_diag          d = {0};
  CHECK_EQ(ik_target_find("wse2", &d, &t), IK_OK);
  CHECK_EQ(ik_target_find("wse2/rule", &d, &rule), IK_OK);
  CHECK(t && rule && t != rule && ik_target_measure(t) == rule && !rule->simulated);
  CHECK_EQ(ik_target_find("cpu", &d, &t), IK_OK);
  CHECK(ik_target_measure(t) == ik_target_reference());
  CHECK_EQ(ik_target_find("cpu/rule", &d, &t), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E082, "there is no target 'cpu/rule'");
}

CASE(unknown_names_are_refused_with_the_nearest) {
  const ik_target *t;
  ik_diag          d = {0};
  CHECK_EQ(ik_target_find("reff", &d, &t), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E082, "did you mean 'ref'?");
  CHECK_EQ(ik_target_find("abacus", &d, &t), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E082, "ikat doctor");
}

CASE(an_engine_without_memory_is_refused) {
  ik_field         f = {.name = "u", .type = IK_F64, .on = {true}, .history = 1};
  ik_ir            ir = {.name = "t", .ndim = 1, .axis = {"x"}, .n = {4, 1, 1}, .nfield = 1};
  ik_diag          d = {0};
  ik_state        *s;
  ik_engine       *x;
  const ik_target *t;
  f.box = (ik_box){{0, 0, 0}, {4, 1, 1}};
  ir.field = &f;
  CHECK_EQ(ik_state_create(&ir, &d, &s), IK_OK);
  CHECK_EQ(ik_target_find("ref", &d, &t), IK_OK);
  for (long n = 0;; n++) {
    ik_mem_fail_after(n);
    ik_problem problem = {.ir = &ir};
    ik_status  st = t->open(&problem, &d, &x);
    if (!st) st = x->ops->attach(x, s, &d);
    ik_mem_fail_after(-1);
    if (st && x) x->ops->destroy(&x);
    if (st == IK_OK) break;
    CHECK_EQ(st, IK_ERR_RESOURCE);
    CHECK(x == NULL && n < 20);
    if (n == 20) break;
  }
  CHECK(x && x->state == s);
  if (x) x->ops->destroy(&x);
  CHECK(x == NULL);
  ik_state_destroy(&s);
  ik_diag_free(&d);
}
