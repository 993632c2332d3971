/* Figures of a processor's kind come from its machine's file. */
#include "targets/cpu/shape/traits.h"
#include "lower/passes.h"
#include "machine/machine.h"

static double figure(const char *machine, const char *key, const char *unit, ik_arena *a) {
  ik_diag     d = {0};
  ik_machine *m;
  double      v = -1;
  CHECK_EQ(ik_machine_find(machine, a, &d, &m), IK_OK);
  CHECK(ik_machine_number(m, key, unit, &v));
  return v;
}

CASE(each_width_of_vectors_has_a_machine_of_its_own) {
  static const struct {
    int         vector;
    const char *machine;
  } kinds[] = {{64, "generic-cpu"}, {32, "generic-avx2"}, {16, "neoverse-v1"}, {8, "neoverse-v1"}};
  ik_arena a;
  ik_arena_init(&a);
  for (int i = 0; i < 4; i++) {
    const ik_traits *t = ik_traits_for(kinds[i].vector, &a);
    const char      *m = kinds[i].machine;
    CHECK_EQ(t->vector, kinds[i].vector);
    CHECK_NEAR(t->line, figure(m, "shape.line", "B", &a), 0);
    CHECK_NEAR(t->turn, figure(m, "shape.turn", "B", &a), 0);
    CHECK_NEAR(t->near_row, figure(m, "shape.near.row", "", &a), 0);
    CHECK_NEAR(t->bypass, figure(m, "shape.bypass", "", &a), 0);
    CHECK_NEAR(t->by_planes, figure(m, "shape.by.planes", "", &a), 0);
    CHECK_EQ(ik_traits_by_lines(t), kinds[i].vector == 64);
  }
  ik_arena_free(&a);
}

#define PLAN(bytes) "sweep tile=0,16,0 rows=4 vectors=4 shift=1 in_place=1 bytes=" #bytes
#define WAVE                                                                                       \
  "grid x = 128, y = 64, z = 64\nfield u : f32, history 2\nboundary u = 0\nstep 4 { u' = 2*u - "   \
  "u[t-1] + 0.1*laplacian(u, order = 8) }\n"

static bool blocks_to_the_end(const char *words) {
  program p;
  bool    blocks = false;
  if (MUST_OPEN(&p, WAVE)) {
    const ik_pass *pass = pass_of(&p, words);
    for (int i = 0; i < pass->nkernel; i++) blocks |= pass->kernel[i].shape->row.blocks;
  }
  program_close(&p);
  return blocks;
}

/* Half a line is no line: rows are not read whole. */
CASE(vectors_of_avx2_are_shaped_by_their_own_figures) {
  CHECK(blocks_to_the_end(PLAN(64)));
  CHECK(!blocks_to_the_end(PLAN(32)));
  CHECK(!blocks_to_the_end(PLAN(16)));
}
