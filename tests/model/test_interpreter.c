#include "model/interpreter.h"
#include "lang/program.h"

static ik_interpreter count(const char *text, bool body) {
  program        p;
  ik_interpreter n = {0};
  MUST_OPEN(&p, text);
  if (setjmp(p.arena.oom)) abort();
  const ik_stmt *first = body ? p.ir->body->body : p.ir->body;
  ik_interpreter_count(p.ir, first, NULL, &p.arena, &n);
  program_close(&p);
  return n;
}

CASE(rows_are_taken_256_cells_at_a_time) {
  ik_interpreter n = count("grid x = 600, y = 2\nfield u, v : f64 = 1\nu = v + 1\n", false);
  CHECK(n.node == 4 * 2 * 3); /* a read, a constant, a sum, a store; two rows in three pieces */
  CHECK(n.cell == 3 * 1200 && n.round == 0 && n.edge == 0);
}

CASE(narrow_types_are_converted_and_faces_cost_their_cells) {
  ik_interpreter n = count(
      "grid x = 100, y = 7\nfield u : f32 = 1\nboundary u = 0\nstep 1 { u' = u[-2,0] }\n", true);
  CHECK(n.edge == 2 * 7 && n.round == 2 * 700 - 14); /* read, and stored */
}

CASE(a_value_that_is_used_twice_is_computed_twice) {
  ik_interpreter once =
      count("grid x = 8\narithmetic plain\nfield u, v : f64 = 1\nu = sqrt(v)\n", false);
  ik_interpreter twice =
      count("grid x = 8\narithmetic plain\nfield u, v : f64 = 1\ndef f(a) = a*a\nu = f(sqrt(v))\n",
            false);
  CHECK(once.call == 8 && twice.call == 16);
}

CASE(along_a_swept_row_every_cell_is_begun_anew) {
  ik_interpreter n = count("grid x = 9, y = 3\nfield u : f64 = 1\nboundary u = 0\n"
                           "sweep x up { u = u[-1,0] + 1 }\n",
                           false);
  CHECK(n.node > 27 * 4);
}

CASE(cycles_are_counts_times_their_costs) {
  ik_interpreter n = {1, 2, 3, 4, 5, 6, 7, 8}, c = {1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7};
  CHECK(ik_interpreter_cycles(&n, &c) == 87654321);
}
