#include "runtime/units.h"
#include "lang/program.h"

static const char text[] = "grid x = 10, y = 4\nfield u, v : f64 = 1\nscalar a : f64 = 3\n"
                           "u = 2*u\nv = u + 1 on interior(1, 1)\n"
                           "step 5 { u' = u*v + 1; b = sum(u) }\n"
                           "repeat until norm(v) < 1e-3 max 3 { v = 0.5*v; c = sum(v) }\n"
                           "d = sum(u)\n";

static int scalar(const ik_ir *ir, const char *name) {
  for (int i = 0; i < ir->nscalar; i++)
    if (strcmp(ir->scalar[i].name, name) == 0) return i;
  return -1;
}

CASE(a_program_is_lists_bodies_and_tests) {
  program  p;
  ik_units u;
  MUST_OPEN(&p, text);
  CHECK(ik_units_init(&u, p.ir));
  CHECK_EQ(u.n, 5);
  CHECK(!u.unit[0].loop && u.unit[0].points == 40 + 16 && u.unit[0].flops == 40 + 16);
  CHECK(u.unit[1].loop->kind == IK_STEPS && u.unit[1].points == 40);
  CHECK(u.unit[1].flops == 40 * 2 + 40); /* fma; a value joins the sum */
  CHECK(u.unit[2].test && u.unit[2].loop == u.unit[3].loop && !u.unit[3].test);
  CHECK(!u.unit[4].loop && u.unit[4].points == 0 && u.unit[4].flops == 40);
  for (int i = 0; i < u.n; i++) CHECK(ik_units_find(&u, u.unit[i].first) == &u.unit[i]);
  CHECK(!ik_units_find(&u, p.ir->init));
  ik_units_free(&u);
  program_close(&p);
}

CASE(a_scalar_is_computed_once_its_statement_was_done) {
  run r;
  if (run_prepare(&r, text, 0, NULL)) {
    const ik_ir *ir = r.p.ir;
    CHECK_EQ(ik_loop_advance(&r.loop, 0, &r.p.diag), IK_OK);
    CHECK(ik_units_has_set(&r.loop.units, ir, scalar(ir, "a")));
    CHECK(!ik_units_has_set(&r.loop.units, ir, scalar(ir, "b")));
    CHECK_EQ(ik_loop_advance(&r.loop, 1, &r.p.diag), IK_OK);
    CHECK(ik_units_has_set(&r.loop.units, ir, scalar(ir, "b")));
    CHECK(!ik_units_has_set(&r.loop.units, ir, scalar(ir, "c")));
    CHECK(!ik_units_has_set(&r.loop.units, ir, scalar(ir, "d")));
    CHECK_EQ(ik_loop_advance(&r.loop, -1, &r.p.diag), IK_OK);
    CHECK(ik_units_has_set(&r.loop.units, ir, scalar(ir, "d")));
    int64_t points = 0;
    for (int i = 0; i < r.loop.units.n; i++)
      points += r.loop.units.unit[i].times * r.loop.units.unit[i].points;
    CHECK_EQ(points, r.loop.points);
  }
  run_close(&r);
}
