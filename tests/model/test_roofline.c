#include "check.h"
#include "model/roofline.h"

/* Ridge points as Tables 3 and 4 of paper 000 print them, from the figures of the A100. */
CASE(ridges_of_the_a100) {
  double b = 1.935e12;
  CHECK_EQ(lround(ik_roofline_ridge(9.7e12, b)), 5);
  CHECK_EQ(lround(ik_roofline_ridge(19.5e12, b)), 10);
  CHECK_EQ(lround(ik_roofline_ridge(156e12, b)), 81);
  CHECK_EQ(lround(ik_roofline_ridge(312e12, b)), 161);
}

CASE(attainable_is_the_lower_roof) {
  CHECK_NEAR(ik_roofline_attainable(100, 10, 3), 30, 0);
  CHECK_NEAR(ik_roofline_attainable(100, 10, 10), 100, 0);
  CHECK_NEAR(ik_roofline_attainable(100, 10, 1e300), 100, 0);
  CHECK(ik_roofline_memory_bound(100, 10, 9.99));
  CHECK(!ik_roofline_memory_bound(100, 10, 10));
}

CASE(more_bandwidth_is_never_slower) {
  for (double i = 1.0 / 64; i < 1000; i *= 1.7)
    for (double b = 1; b < 1e6; b *= 1.3)
      CHECK(ik_roofline_attainable(1e4, 1.3 * b, i) >= ik_roofline_attainable(1e4, b, i));
}

CASE(odd_input) {
  double odd[] = {0, -1, NAN, -INFINITY};
  for (int i = 0; i < 4; i++) {
    CHECK(ik_roofline_attainable(odd[i], 1, 1) == 0);
    CHECK(ik_roofline_attainable(1, odd[i], 1) == 0);
    CHECK(ik_roofline_attainable(1, 1, odd[i]) == 0);
    CHECK(ik_roofline_attainable(1, INFINITY, odd[i]) == 0);
    CHECK(ik_roofline_ridge(odd[i], 1) == 0);
    CHECK(isinf(ik_roofline_ridge(1, odd[i])));
    CHECK(ik_roofline_memory_bound(1, 1, odd[i]));
  }
}

static const ik_roofline two_levels = {
    .n = 3,
    .roof = {{.name = "memory", .kind = IK_ROOFLINE_LEVEL, .rate = 10},
             {.name = "l2", .kind = IK_ROOFLINE_LEVEL, .rate = 40},
             {.name = "f64", .kind = IK_ROOFLINE_UNIT, .rate = 100}}};

CASE(the_busiest_roof_is_saturated) {
  ik_roofline_load l = ik_roofline_meet(&two_levels, (double[]){20, 120, 150});
  CHECK_NEAR(l.seconds, 3, 0);
  CHECK_EQ(l.saturated, 1);
  CHECK_NEAR(l.use[0], 2.0 / 3, 1e-15);
  CHECK_NEAR(l.use[1], 1, 0);
  CHECK_NEAR(l.slack[2], 0.5, 1e-15);
}

CASE(no_work_and_no_roof) {
  ik_roofline_load l = ik_roofline_meet(&two_levels, (double[]){0, -3, NAN});
  CHECK_EQ(l.saturated, -1);
  CHECK(l.seconds == 0 && l.use[0] == 0 && l.slack[2] == 1);
  ik_roofline broken = two_levels;
  broken.roof[0].rate = NAN, broken.roof[2].rate = 0;
  l = ik_roofline_meet(&broken, (double[]){1, 1, 1});
  CHECK(isinf(l.seconds) && l.saturated == 0);
  CHECK(l.use[0] == 1 && l.use[1] == 0 && l.use[2] == 1);
}

CASE(roofs_of_machines) {
  ik_arena    a;
  ik_diag     d = {0};
  ik_machine *m;
  ik_arena_init(&a);
  CHECK_EQ(ik_machine_find("a100-80gb-pcie", &a, &d, &m), IK_OK);
  ik_roofline r = ik_roofline_of(m, &a);
  CHECK_EQ(r.n, 6);
  int memory = ik_roofline_find(&r, "memory"), sparse = ik_roofline_find(&r, "tf32.sparse");
  CHECK(memory >= 0 && sparse >= 0 && ik_roofline_find(&r, "nothing") == -1);
  CHECK_NEAR(r.roof[memory].rate, 1.935e12, 1);
  CHECK_NEAR(r.roof[sparse].rate, 312e12, 1);
  CHECK_EQ(r.roof[memory].kind, IK_ROOFLINE_LEVEL);
  CHECK_EQ(r.roof[sparse].kind, IK_ROOFLINE_UNIT);
  CHECK_EQ(ik_machine_find("generic-cpu", &a, &d, &m), IK_OK);
  r = ik_roofline_of(m, &a);
  CHECK_EQ(r.n, 4); /* l1, l2, l3, memory; nobody measured its peaks */
  ik_diag_free(&d);
  ik_arena_free(&a);
}
