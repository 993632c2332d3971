#include "check.h"
#include "lang/program.h"
#include "random/trial.h"
#include "targets/cpu/compile.h"

#define HEAT(steps)                                                                                \
  "grid x = 70, y = 40\nfield u : f32 = noise(1)\nboundary u = 0\nstep " steps                     \
  " { u' = u + 0.1*laplacian(u) }\n"

/* The passes of a run, of so many steps each if that is all: as --dump loops has them, in a line;
 * then those for which kernels are printed. */
static void passes_of(const char *text, int steps, char *out, size_t size) {
  static trial a, b;
  ik_plan      plan = {
           .target = "cpu", .strategy = "fuse", .steps = steps, .cpu.rows = 2, .cpu.vectors = 1};
  size_t len = 0;
  plan.cpu.vector_bytes = 16, plan.threads = 2;
  *out = 0;
  if (trial_open(&a, "parts", text) && trial_engine(&a, "cpu", &plan)) {
    for (const char *at = a.engine->loops; (at = strstr(at, "pass 0: ")); at++)
      len += (size_t)snprintf(out + len, size - len, "%.*s, ", (int)strcspn(at + 8, "\n"), at + 8);
    for (int p = 0; p < 4; p++) {
      char name[32];
      snprintf(name, sizeof name, "void ikat_p%d_k0(", p);
      if (strstr(a.engine->code, name))
        len += (size_t)snprintf(out + len, size - len, "kernels of %d; ", p);
    }
    CHECK(trial_go(&a) && trial_is_compiled(&a));
    CHECK(trial_open(&b, "parts", text) && trial_play(&b, "ref", NULL) && trial_same(&a, &b));
    trial_close(&b);
  }
  trial_close(&a);
}

#define CHECK_PASSES(text, steps, expected)                                                        \
  do {                                                                                             \
    char passes[256];                                                                              \
    passes_of(text, steps, passes, sizeof passes);                                                 \
    CHECK_STR(passes, expected);                                                                   \
  } while (0)

/* The two steps at the end are in kernels of the three; a single one would have its own. */
CASE(several_steps_at_the_end_need_no_kernels_of_their_own) {
  CHECK_PASSES(HEAT("8"), 3, "3 steps, 2 steps, 1 step, kernels of 0; kernels of 2; ");
  CHECK_PASSES(HEAT("9"), 3, "3 steps, 1 step, kernels of 0; kernels of 1; ");
  CHECK_PASSES(HEAT("10"), 3, "3 steps, 1 step, kernels of 0; kernels of 1; ");
}

/* What is left of a run may be anything: five steps have two and one behind them. */
CASE(a_pass_of_half_as_many_steps_is_there_from_five_on) {
  CHECK_PASSES(HEAT("9"), 4, "4 steps, 1 step, kernels of 0; kernels of 1; ");
  CHECK_PASSES(HEAT("11"), 5, "5 steps, 2 steps, 1 step, kernels of 0; kernels of 2; ");
}

/* A part has room for six passes, those of the rest and of one step among them. */
CASE(passes_are_halved_three_times_at_most) {
  CHECK_PASSES(HEAT("40"), 40, "40 steps, 20 steps, 10 steps, 5 steps, 1 step, kernels of 0; ");
}

/* ---- what is chosen ---- */

#define WAVE(n, order)                                                                             \
  "grid x = " n ", y = " n ", z = " n "\nfield u : f32, history 2 = noise(1)\n"                    \
  "field v : f32 = 0.1\nboundary u = 0\n"                                                          \
  "step 20 { u' = 2*u - u[t-1] + v*laplacian(u, order = " order ") }\n"

/* The strategy of the step loop, its steps and rows, with vectors of so many bytes and caches of 2
 * and 32 MiB. */
static void chosen(const char *text, int bytes, const char *strategy, char *out, size_t size) {
  ik_isa   isa = {.vector_bytes = bytes, .cores = 2, .l1 = 48 << 10, .l2 = 2 << 20, .l3 = 32 << 20};
  ik_facts facts;
  ik_compile parts;
  program    p;
  isa.cpu = isa.name = "";
  snprintf(out, size, "none");
  if (MUST_OPEN(&p, text)) {
    CHECK_EQ(ik_facts_of(p.ir, -1, &p.arena, &p.diag, &facts), IK_OK);
    ik_problem q = {.ir = p.ir, .facts = &facts, .strategy = strategy, .threads = 2};
    CHECK_EQ(ik_compile_plan(&q, &isa, 2, true, &p.arena, &p.diag, &parts), IK_OK);
    const ik_plan *plan = &ik_compile_main(&parts)->plan;
    snprintf(out, size, "%s, %s", plan->strategy, plan->steps > 1 ? "several" : "one");
    if (strcmp(plan->strategy, "skew") == 0)
      snprintf(out, size, "skew, %d steps of %d rows, %d planes", plan->steps, (int)plan->tile[1],
               (int)plan->tile[2]);
  }
  program_close(&p);
}

#define CHECK_CHOSEN(text, bytes, strategy, expected)                                              \
  do {                                                                                             \
    char plan[64];                                                                                 \
    chosen(text, bytes, strategy, plan, sizeof plan);                                              \
    CHECK_STR(plan, expected);                                                                     \
  } while (0)

/* Where memory is what wide vectors wait for, and so much is read that tiles overlap too far. */
CASE(large_waves_run_in_lines) {
  CHECK_CHOSEN(WAVE("512", "8"), 64, NULL, "skew, 2 steps of 24 rows, 0 planes");
  CHECK_CHOSEN(WAVE("512", "8"), 64, "fuse", "sweep, one");
  CHECK_CHOSEN(WAVE("512", "8"), 16, NULL, "sweep, one");
  CHECK_CHOSEN(WAVE("256", "8"), 64, NULL, "sweep, one"); /* four rows have no room in its gaps */
  CHECK_CHOSEN(WAVE("500", "8"), 64, NULL, "skew, 2 steps of 24 rows, 0 planes");
  CHECK_CHOSEN(WAVE("64", "8"), 64, NULL, "sweep, one");
  CHECK_CHOSEN("grid x = 512, y = 512, z = 512\nfield u : f32 = noise(1)\nboundary u = 0\n"
               "step 20 { u' = u + 0.1*laplacian(u) }\n",
               64, NULL, "fuse, several");
}

/* What a test at the end of a round needs is compiled like the round itself. */
CASE(tests_of_loops_are_parts) {
  program    p;
  ik_facts   facts;
  ik_compile parts;
  ik_isa     isa = {.vector_bytes = 16, .cores = 2, .l1 = 48 << 10, .l2 = 2 << 20, .l3 = 32 << 20};
  isa.cpu = isa.name = "";
  if (MUST_OPEN(&p, "grid x = 70, y = 40\nfield u : f32 = 1\n"
                    "repeat until max(u) <= 0.1 max 9 { u = u/2 }\n")) {
    CHECK_EQ(ik_facts_of(p.ir, -1, &p.arena, &p.diag, &facts), IK_OK);
    ik_problem q = {.ir = p.ir, .facts = &facts, .threads = 2};
    CHECK_EQ(ik_compile_plan(&q, &isa, 2, true, &p.arena, &p.diag, &parts), IK_OK);
    CHECK(p.ir->body->kind == IK_REPEAT && p.ir->body->pre);
    CHECK(ik_compile_find(&parts, p.ir->body->pre, NULL));
    CHECK(ik_compile_find(&parts, p.ir->body->body, NULL));
  }
  program_close(&p);
}

/* Compiling takes longer than what is done once, unless that is assigning very many cells. */
CASE(only_large_assignments_are_parts_of_the_beginning) {
  program    p;
  ik_facts   facts;
  ik_compile parts;
  ik_isa     isa = {.vector_bytes = 16, .cores = 2, .l1 = 48 << 10, .l2 = 2 << 20, .l3 = 32 << 20};
  int        kinds[IK_REPEAT + 1] = {0};
  isa.cpu = isa.name = "";
  if (MUST_OPEN(&p, "grid x = 2001, y = 1000\nfield k : f32 = 0.1\nfield s : f32, on x = 1\n"
                    "field u : f32, history 2\nboundary u = absorbing(8)\n"
                    "step 3 { u' = 2*u - u[t-1] + k*laplacian(u) }\n")) {
    CHECK_EQ(ik_facts_of(p.ir, -1, &p.arena, &p.diag, &facts), IK_OK);
    ik_problem q = {.ir = p.ir, .facts = &facts, .threads = 2};
    CHECK_EQ(ik_compile_plan(&q, &isa, 2, true, &p.arena, &p.diag, &parts), IK_OK);
    for (const ik_stmt *s = p.ir->init; s; s = s->next) {
      bool large = s->kind == IK_ASSIGN && ik_box_cells(&s->box) > 2000000;
      CHECK_EQ(ik_compile_find(&parts, s, s->next) != NULL, large);
      kinds[s->kind] += large || s->kind != IK_ASSIGN;
    }
    CHECK(kinds[IK_ASSIGN] > 0 && kinds[IK_REDUCE] > 0);
  }
  program_close(&p);
}

/* What sources add in one step is there in the next, within a pass. */
CASE(sources_add_in_every_step_of_a_pass) {
  CHECK_PASSES("grid x = 70, y = 40\nparam dt = 1\nfield u : f32 = noise(1)\nboundary u = 0\n"
               "source ricker(0.1) at (3, 4) into u\nsource ricker(0.2) at (13, 14) into u\n"
               "step 9 { u' = u + 0.1*laplacian(u) }\n",
               3, "3 steps, 1 step, kernels of 0; kernels of 1; ");
}

/* Rows of 40 cells begin anywhere in lines of the cache: each has a split of its own. */
CASE(blocks_of_rows_that_are_no_whole_lines_begin_at_lines) {
  static const char text[] =
      "grid x = 40, y = 260, z = 70\nfield u : f32, history 2 = noise(1)\nboundary u = 0\n"
      "step 3 { u' = 2*u - u[t-1] + 0.1*laplacian(u) }\n";
  static trial a, b;
  ik_plan      plan = {.target = "cpu", .strategy = "sweep", .steps = 1, .cpu.vector_bytes = 64};
  plan.cpu.rows = plan.cpu.planes = plan.threads = 1, plan.cpu.vectors = 2;
  plan.cpu.stream = plan.cpu.shift = plan.cpu.in_place = true;
  if (!trial_can_run(plan.cpu.vector_bytes)) return;
  if (trial_open(&a, "parts", text) && trial_engine(&a, "cpu", &plan)) {
    CHECK(strstr(a.engine->code, "const int64_t line = c->split"));
    CHECK(trial_go(&a) && trial_is_compiled(&a));
    CHECK(trial_open(&b, "parts", text) && trial_play(&b, "ref", NULL) && trial_same(&a, &b));
    trial_close(&b);
  }
  trial_close(&a);
}
