/* Golden text of the CPU engine: a few programs, each with a plan that depends on no machine, as
 * loops and as kernels, in tests/golden-kernels/CASE/{in.ik, loops.txt, kernels.c}.  The text is
 * also compiled and run: what it computes is what the interpreter does, bit for bit.
 *
 * IKAT_GOLDEN=1 in the environment writes the files anew, which `make golden` does. */
#include "check.h"
#include "golden.h"
#include "random/trial.h"
#include "sanitized.h"
#include "runtime/build.h"
#include <stdlib.h>

/* AVX2 where that is; elsewhere the compiler makes the vectors of what it has. */
enum { BYTES = 32 };

static ik_plan plan_of(const char *strategy, int steps, int rows, int64_t x, int64_t y) {
  return (ik_plan){.target = "cpu",
                   .strategy = strategy,
                   .steps = steps,
                   .tile = {x, y},
                   .cpu.rows = rows,
                   .cpu.vectors = 1,
                   .cpu.vector_bytes = BYTES,
                   .cpu.shift = steps > 1,
                   .threads = 2};
}

/* ---- files ---- */

static const char *file_of(const char *name, const char *file) {
  char path[256];
  snprintf(path, sizeof path, "tests/golden-kernels/%s/%s", name, file);
  return check_data(path);
}

static void keep(const char *name, const char *file, const char *text) {
  golden_keep(file_of(name, file), text);
}

/* ---- results ---- */

static void complain(const trial *t) {
  ik_buf why = {0};
  ik_diag_render(&t->diag, false, &why);
  check_fail(__FILE__, __LINE__, "%s", ik_buf_text(&why));
  ik_buf_free(&why);
}

/* `a` has an engine. */
static void run_both(trial *a, const char *text) {
  static trial b;
  if (!trial_go(a) || !trial_is_compiled(a)) return complain(a);
  if (trial_open(&b, "golden", text) && trial_play(&b, "ref", NULL))
    CHECK(trial_same(a, &b));
  else
    complain(&b);
  trial_close(&b);
}

static void check_text(const char *name, const char *text, const ik_plan *plan) {
  static trial a;
  if (trial_open(&a, name, text) && trial_engine(&a, "cpu", plan)) {
    keep(name, "loops.txt", a.engine->loops);
    keep(name, "kernels.c", a.engine->code);
    if (trial_can_run(plan->cpu.vector_bytes))
      run_both(&a, text);
    else
      printf("%s is not run: no vectors of %d bytes here\n", name, plan->cpu.vector_bytes);
  } else
    complain(&a);
  trial_close(&a);
}

static void check_golden(const char *name, ik_plan plan) {
  ik_buf text = {0};
  if (golden_read(file_of(name, "in.ik"), &text))
    check_text(name, ik_buf_text(&text), &plan);
  else
    check_fail(file_of(name, "in.ik"), 1, "cannot be read");
  ik_buf_free(&text);
}

CASE(points3) { check_golden("points3", plan_of("sweep", 1, 4, 64, 0)); }
CASE(points5) { check_golden("points5", plan_of("sweep", 1, 4, 0, 16)); }
CASE(points7) { check_golden("points7", plan_of("sweep", 1, 4, 0, 8)); }
CASE(wave) { check_golden("wave", plan_of("sweep", 1, 2, 0, 8)); }
CASE(hdiff) { check_golden("hdiff", plan_of("sweep", 1, 4, 0, 16)); }
/* Vectors as wide as a line of the cache: the laplacian a row ahead, cells of rows kept. */
CASE(hdiff_ahead) {
  ik_plan plan = plan_of("sweep", 1, 1, 0, 16);
  plan.cpu.vector_bytes = 64, plan.cpu.stream = true;
  check_golden("hdiff-ahead", plan);
}

/* As wide, and rows that are read whole where they lie: a number stands beyond their ends. */
CASE(points7_whole) {
  ik_plan plan = plan_of("sweep", 1, 1, 0, 16);
  plan.cpu.vector_bytes = 64, plan.cpu.shift = plan.cpu.in_place = true, plan.cpu.vectors = 2;
  check_golden("points7-whole", plan);
}

/* Narrow vectors: what is left at the ends of rows knows what stands beyond. */
CASE(points7_ends) {
  ik_plan plan = plan_of("sweep", 1, 1, 0, 16);
  plan.cpu.in_place = true, plan.cpu.vectors = 2;
  check_golden("points7-ends", plan);
}

CASE(two_fields) { check_golden("two-fields", plan_of("fuse", 2, 2, 32, 0)); }

/* What an engine compiles is under the sanitizer exactly when this test is. */
CASE(generated_code_is_sanitized_like_this) {
  static const char text[] = "#if defined(__SANITIZE_ADDRESS__)\n"
                             "int sanitized = 1;\n"
                             "#elif defined(__has_feature)\n"
                             "int sanitized = __has_feature(address_sanitizer);\n"
                             "#else\n"
                             "int sanitized = 0;\n"
                             "#endif\n";
  ik_diag           d = {0};
  ik_build         *b = NULL;
  sanitize_generated_code();
  CHECK(ik_build_open(text, &(ik_build_options){0}, &d, &b) == IK_OK);
  const int *sanitized = b ? ik_build_symbol(b, "sanitized") : NULL;
  CHECK(sanitized && *sanitized == is_sanitized());
  ik_build_close(&b);
  ik_diag_free(&d);
}
