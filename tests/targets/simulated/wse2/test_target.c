/* The wafer as a target.  Random programs: every bit is that of the interpreter under the wafer's
 * rule.  IKAT_SEED is the first seed, IKAT_COUNT how many there are. */
#include "base/mem.h"
#include "check.h"
#include "random/generate.h"
#include "random/trial.h"
#include <inttypes.h>
#include <stdlib.h>

/* ---- the vendor's example ---- */

/* arXiv 2204.03775's kernel as in the public example: 10 x 10 x 10 cells, a pulse in the corner. */
#define PULSE                                                                                      \
  "param dt = 1.610153 ms\nparam sigma = 15 Hz\n"                                                  \
  "def pulse(q) = -16*sigma*(sigma - 16*sigma*q)*exp(-8*q)\n"                                      \
  "source pulse((sigma*t*dt - 1)^2) at (0, 0, 0) into u\n"

static const char *const example =
    "grid x = 10, y = 10, z = 10, spacing = 20 m\n"
    "field u : f32, history 2\nfield vp : f32 = 10.3703699112\nboundary u = 0\n" PULSE
    "step 2 { u' = 2*u - u[t-1] + vp*laplacian(u, order = 8) }\nlow2 = min(u)\nhigh2 = max(u)\n"
    "step 8 { u' = 2*u - u[t-1] + vp*laplacian(u, order = 8) }\nlow = min(u)\nhigh = max(u)\n";

static double scalar(const trial *t, const char *name) {
  for (int i = 0; i < t->ir->nscalar; i++)
    if (strcmp(t->ir->scalar[i].name, name) == 0) return t->state->scalar[i];
  check_fail(__FILE__, __LINE__, "no scalar '%s'", name);
  return 0;
}

static double cell(const trial *t, int64_t x, int64_t y, int64_t z) {
  return ik_state_get(t->state, 0, 0, (int64_t[]){x, y, z});
}

static void check_example(const char *strategy) {
  static trial t;
  ik_plan      plan = {.target = "wse2", .strategy = strategy};
  CHECK(trial_open(&t, "example", example) && trial_play(&t, "wse2", &plan));
  /* printed by the vendor's example, which allows 0.01 */
  CHECK_NEAR(scalar(&t, "low2"), -0.0939295, 1e-7);
  CHECK_NEAR(scalar(&t, "high2"), 57.403816, 1e-5);
  CHECK_NEAR(scalar(&t, "low"), -1.3100899, 1e-6);
  CHECK_NEAR(scalar(&t, "high"), 1200.9414062, 5e-4);
  /* a re-implementation in order of arrival: wave_sdk_golden.txt */
  CHECK_NEAR(cell(&t, 1, 0, 0), 207.044006, 207e-6);
  CHECK_NEAR(cell(&t, 4, 0, 0), 0.351911962, 4e-6);
  CHECK_NEAR(cell(&t, 1, 2, 3), 0.00530729722, 6e-7);
  CHECK_NEAR(cell(&t, 9, 9, 9), 1.02824946e-22, 1e-27);
  trial_close(&t);
}

CASE(the_example_has_the_values_of_its_vendor) { check_example("broadcast"); }

CASE(cycle_by_cycle_too) { check_example("cycles"); }

/* ---- the paper's kernel ---- */

#define WAVE(nz, body)                                                                             \
  "grid x = 16, y = 16, z = " #nz ", spacing = 10 m\nparam dt = 1 ms\n"                            \
  "field u : f32, history 2 = exp(-((x - 8)^2 + (y - 8)^2 + (z - 20)^2)/8)\nboundary u = 0\n" body

static double count(const trial *t, const char *name) {
  const ik_simulated *s = t->engine->simulated;
  for (int i = 0; i < s->ncount; i++)
    if (strcmp(s->count[i].name, name) == 0) return s->count[i].value;
  check_fail(__FILE__, __LINE__, "no count '%s'", name);
  return 0;
}

/* 57 executed (20 products, 20 sums, 8 fused, 1 difference), 17 words: three of 20 are its own, and
 * so are as many products and sums more than the 51 that are required. */
CASE(the_program_of_the_paper_does_its_operations) {
  static trial t;
  CHECK(trial_open(&t, "wave",
                   WAVE(60, "step 3 { u' = 2*u - u[t-1] + (2500*dt)^2*laplacian(u, order = 8) }")));
  CHECK(trial_play(&t, "wse2", NULL));
  CHECK_EQ(count(&t, "flops of an element"), 57 * 60);
  CHECK_EQ(count(&t, "of these required"), 51 * 60);
  CHECK_EQ(count(&t, "words received"), 17 * 60);
  const ik_simulated *s = t.engine->simulated;
  CHECK_NEAR(s->seconds, 0.567e-3 + 3 * count(&t, "cycles of a step") / s->clock, 1e-12);
  CHECK(s->timeline && s->timeline->nspan > 0);
  double required = count(&t, "flops in all") - 3 * (57 - 51) * 60.0 * 16 * 16;
  CHECK_NEAR(s->joules, 16.1e3 * s->seconds + 13.2e-12 * required, 1e-9 * s->joules);
  CHECK(strstr(s->origin, "a patch with borders of 11 x 11 elements"));
  CHECK(strstr(s->constants, "sim.stall") && strstr(s->constants, "calibrated"));
  CHECK(strstr(s->validation, "nz = 100"));
  trial_close(&t);
}

/* Table III of the paper, nz = 200: 16.133 us a step. */
CASE(a_step_of_the_language_takes_as_long_as_the_paper_says) {
  static trial t;
  CHECK(trial_open(
      &t, "wave", WAVE(200, "step 1 { u' = 2*u - u[t-1] + (2500*dt)^2*laplacian(u, order = 8) }")));
  CHECK(trial_play(&t, "wse2", NULL));
  CHECK_NEAR(count(&t, "cycles of a step") / t.engine->simulated->clock, 16.133e-6,
             0.01 * 16.133e-6);
  trial_close(&t);
}

CASE(the_field_is_near_that_of_other_targets) {
  static trial a, b;
  const char  *text = WAVE(40, "field c : f32 = if z < 20 then 2000 else 3000\n"
                                "step 60 { u' = 2*u - u[t-1] + (c*dt)^2*laplacian(u, order = 8) }");
  double       most = 0, apart = 0;
  CHECK(trial_open(&a, "wave", text) && trial_play(&a, "wse2", NULL));
  CHECK(trial_open(&b, "wave", text) && trial_play(&b, "ref", NULL));
  for (int64_t z = 0; z < 40; z++)
    for (int64_t y = 0; y < 16; y++)
      for (int64_t x = 0; x < 16; x++) {
        most = fmax(most, fabs(cell(&b, x, y, z)));
        apart = fmax(apart, fabs(cell(&a, x, y, z) - cell(&b, x, y, z)));
      }
  CHECK(apart > 0 && apart < 1e-5 * most);
  trial_close(&a), trial_close(&b);
}

CASE(threads_change_nothing) {
  static trial t[2];
  const char  *text = "grid x = 70, y = 64, z = 17\nfield u : f32 = noise(1)\nboundary u = mirror\n"
                      "step 2 { u' = 0.2*(u[1,0,0] + u[-1,0,0] + u[0,1,0] + u[0,-2,0] + u)\n"
                      "  s = sum(u') }\nu = u[1,1,0]\n";
  for (int i = 0; i < 2; i++) {
    ik_plan plan = {.target = "wse2", .strategy = "broadcast", .threads = 1 + 2 * i};
    CHECK(trial_open(&t[i], "threads", text) && trial_play(&t[i], "wse2", &plan));
  }
  CHECK(trial_same(&t[0], &t[1]));
  trial_close(&t[0]), trial_close(&t[1]);
}

/* The way of a reduction is as long as the fabric. */
CASE(reductions_take_longer_on_a_larger_fabric) {
  static trial t;
  double       seconds[2];
  for (int i = 0; i < 2; i++) {
    CHECK(trial_open(&t, "sum",
                     i ? "grid x = 200, y = 90\nfield u : f32 = 1\nscalar s = sum(u)\n"
                       : "grid x = 9, y = 9\nfield u : f32 = 1\nscalar s = sum(u)\n"));
    CHECK(trial_play(&t, "wse2", NULL));
    seconds[i] = t.engine->simulated->seconds;
    CHECK_EQ(scalar(&t, "s"), i ? 200 * 90 : 81);
    trial_close(&t);
  }
  CHECK(seconds[1] - seconds[0] > 272 / 0.85e9);
}

typedef struct sums { /* of a run */
  double seconds, flops, words;
} sums;

static sums sums_of(const char *text, const char *strategy) {
  static trial t;
  ik_plan      plan = {.target = "wse2", .strategy = strategy};
  CHECK(trial_open(&t, "time", text) && trial_play(&t, "wse2", &plan));
  sums s = {t.engine->simulated->seconds - 0.567e-3 /* sim.run */, count(&t, "flops in all"),
            count(&t, "words received in all")};
  trial_close(&t);
  return s;
}

/* Neither size of the grids is that of a patch; reductions are extrapolated.  What elements do and
 * hear depends on their place alone, and is the same in all. */
CASE(a_patch_tells_of_the_whole) {
  static const char *const texts[] = {
      "grid x = 25, y = 17, z = 30\nfield u : f32 = noise(1)\nboundary u = 0\n"
      "step 1 { u' = u + 0.1*laplacian(u, order = 4) }\n",
      "grid x = 23, y = 30, z = 12\nfield u, v : f32 = noise(1)\nboundary u = 0\n"
      "repeat until sum(v) < 0 max 2 {\n  v = 6*u - u[1,0,0] - u[-1,0,0] - u[0,1,0] - u[0,-1,0]\n"
      "  s = sum(u*v)\n  u = u + v/(1 + s*s)\n}\n",
      "grid x = 31, y = 20, z = 8\nfield u : f32 = noise(1)\nboundary u = mirror\n"
      "step 1 { u' = 0.2*max(u[1,1,0], u[-1,-1,0]) }\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    sums patch = sums_of(texts[i], "broadcast"), whole = sums_of(texts[i], "cycles");
    CHECK_NEAR(patch.seconds, whole.seconds, 0.01 * whole.seconds);
    CHECK_NEAR(patch.flops, whole.flops, 1e-9 * whole.flops);
    CHECK_NEAR(patch.words, whole.words, 1e-9 * whole.words);
  }
}

/* ---- what is shown ---- */

static void check_shown(const char *text, const char *strategy, const char *cycles,
                        const char *values) {
  static trial t;
  ik_plan      plan = {.target = "wse2", .strategy = strategy};
  CHECK(trial_open(&t, "shown", text) && trial_play(&t, "wse2", &plan));
  const ik_simulated *s = t.engine->simulated;
  CHECK(count(&t, cycles) > 0);
  CHECK(s->timeline && s->timeline->nspan > 0 && s->timeline->title);
  CHECK(strstr(s->origin, values));
  trial_close(&t);
}

/* A step, although other statements take longer; of a program without steps the longest. */
CASE(every_way_of_running_has_something_to_show) {
  const char *step = "grid x = 9, y = 9, z = 60\nfield u : f32 = x\nboundary u = 0\n"
                     "u = u/(1 + u*u)\nstep 2 { u' = u[1,0,0] + u }\nu = u/(1 + u*u)\n";
  const char *none = "grid x = 9, y = 9\nfield u, v : f32 = x\nboundary u = 0\nv = u[1,0] + u\n";
  check_shown(step, "broadcast", "cycles of a step", "values: of all cells");
  check_shown(step, "cycles", "cycles of a step", "values: from the memories");
  check_shown(none, "broadcast", "cycles of the longest statements", "values: of all cells");
  check_shown(none, "cycles", "cycles of the longest statements", "values: from the memories");
}

/* ---- without memory ---- */

/* Fails every allocation in turn: nothing is left, and the reason is said. */
static bool runs_with(const char *text, const char *strategy, long allocations) {
  static trial t;
  ik_plan      plan = {.target = "wse2", .strategy = strategy};
  bool         ok = trial_open(&t, "memory", text);
  ik_mem_fail_after(allocations);
  ok = ok && trial_play(&t, "wse2", &plan);
  ik_mem_fail_after(-1);
  CHECK(ok || t.diag.nmsg);
  trial_close(&t);
  return ok;
}

CASE(running_out_of_memory_is_said) {
  static const char *const ways[] = {"broadcast", "cycles"};
  const char              *text = "grid x = 3, y = 2\nfield u : f32 = x\nboundary u = 0\n"
                                  "step 1 { u' = u[1,0] + u\n s = sum(u') }\n";
  for (int i = 0; i < 2; i++) {
    int failed = 0; /* without a text alone it would go on */
    for (long n = 0; n < 80; n++) failed += !runs_with(text, ways[i], n);
    CHECK(failed > 12);
    CHECK(runs_with(text, ways[i], 1000000));
  }
}

/* ---- random programs ---- */

/* Fields of this machine are f32. */
static void only_f32(ik_buf *text) {
  for (char *p = text->data; (p = strstr(p, "f64")) != NULL;) memcpy(p, "f32", 3);
}

static void random_text(uint64_t seed, ik_buf *text) {
  ik_random_options o = IK_RANDOM_DEFAULTS;
  o.features &= ~(unsigned)(IK_RANDOM_F16 | IK_RANDOM_BF16 | IK_RANDOM_I32 | IK_RANDOM_MIXED);
  if (seed % 5) o.features &= ~(unsigned)IK_RANDOM_SWEEPS;
  if (seed % 4) o.features &= ~(unsigned)(IK_RANDOM_FAR);
  if (seed % 3) o.features &= ~(unsigned)(IK_RANDOM_BOUNDARIES | IK_RANDOM_LAYERS);
  ik_random_program(seed, &o, text);
  only_f32(text);
}

typedef enum outcome { SAME, OTHER, REFUSED, NOT_LEGAL } outcome;

static bool is_refused(const trial *t) {
  return !t->engine && t->diag.nmsg && t->diag.msg[t->diag.nmsg - 1].code == IK_E082;
}

/* Runs a text on a target, and on the rule. */
static outcome outcome_of(const char *text, const char *strategy, ik_buf *why) {
  static trial a, b;
  ik_plan      plan = {.target = "wse2", .strategy = strategy};
  outcome      o = OTHER;
  bool         legal = trial_open(&a, "random", text), ok = legal && trial_play(&a, "wse2", &plan);
  ik_diag_render(&a.diag, false, why);
  if (!legal || is_refused(&a)) {
    o = legal ? REFUSED : NOT_LEGAL;
  } else {
    ok = trial_open(&b, "random", text) && trial_play(&b, "wse2/rule", NULL) && ok;
    if (ok && trial_same(&a, &b)) o = SAME;
    trial_close(&b);
  }
  trial_close(&a);
  return o;
}

/* Programs for which something is not exact cycle by cycle are only timed so. */
static void check_random(const char *strategy, uint64_t count) {
  uint64_t seed = check_seed();
  int      n[4] = {0};
  count = check_count(count);
  printf("%s: seeds %" PRIu64 " to %" PRIu64 "\n", strategy, seed, seed + count - 1);
  for (uint64_t i = seed; i < seed + count && n[OTHER] < 3; i++) {
    ik_buf text = {0}, why = {0};
    random_text(i, &text);
    outcome o = outcome_of(ik_buf_text(&text), strategy, &why);
    n[o]++;
    if (o == OTHER) {
      printf("%s%s\n", ik_buf_text(&text), ik_buf_text(&why));
      check_fail(__FILE__, __LINE__, "rerun with IKAT_SEED=%" PRIu64 " IKAT_COUNT=1", i);
    }
    ik_buf_free(&text), ik_buf_free(&why);
  }
  printf("same %d, refused %d, not legal %d\n", n[SAME], n[REFUSED], n[NOT_LEGAL]);
  if (count >= 100) CHECK(n[SAME] > (int)count / 3);
}

CASE(random_programs_have_the_bits_of_the_rule) { check_random("broadcast", 150); }

CASE(cycle_by_cycle_they_have_them_too) { check_random("cycles", 100); }

/* ---- what random programs brought to light ---- */

static const struct found {
  const char *what, *program;
} founds[] = {
    {"one statement shows images where another scales what arrives",
     "grid x = 9\nfield u, p : f32 = noise(5)\nboundary u { -x = copy; +x = 0.7 }\n"
     "step 2 {\n  p = 0.75*u[1] - 0.25*u\n  u' = 0.75*u - 0.25*u[-1]\n}\n"},
    {"all that is read lies beyond the faces",
     "grid x = 1\nfield u : f32 = noise(5)\nboundary u = 3\nstep 2 { u' = 2*u + 3*u[1] }\n"},
    {"two products of the own cell, beside a temporary beyond the faces",
     "arithmetic plain\ngrid x = 6\nfield u : f32 = noise(5)\nboundary u = 0\n"
     "step 1 {\n  a = u[-1] + 2*u + u/4\n  u' = a[-1]\n}\n"},
    {"at the same place, beyond the faces of a field",
     "grid x = 7, y = 6\nfield u : f32 = noise(5)\nfield v : f32, on (x+2, y+2)\n"
     "boundary u { -x = mirror; +x = reflect; -y = antireflect; +y = antimirror }\n"
     "step 1 { v = abs(u[0,-2]) + u[2,0]*u }\n"},
    {"the same along an axis",
     "grid x = 7, y = 6\nfield u : f32 = noise(5)\nfield v : f32, history 2, on (y) = y\n"
     "boundary v = copy\nstep 2 {\n  v' = v[1] + v[t-1, -1]\n  u' = u*v'\n}\n"},
    {"new values in the place of the oldest, and a reduction on the way",
     "grid x = 8\nfield u : f32 = noise(5)\nfield v : f32, history 3 = x\nboundary v = 0\n"
     "step 3 {\n  v' = 2*u on x = 2 .. 4\n  s = sum(u)\n  u' = v'[1]*s\n}\n"},
    {"a constant beyond a face, negated above the column",
     "grid x = 4, y = 1, z = 3\nfield u : f32 = noise(5)\n"
     "boundary u { -x = 0.5; +x = antimirror; y = 0.25; -z = antireflect; +z = copy }\n"
     "step 2 { u' = u[-1,0,-2]*u[2,1,-1] + u[1,-1,1] }\n"},
};

CASE(what_once_differed_does_not) {
  for (size_t i = 0; i < sizeof founds / sizeof *founds; i++) {
    ik_buf why = {0};
    if (outcome_of(founds[i].program, "cycles", &why) != SAME)
      check_fail(__FILE__, __LINE__, "%s: %s", founds[i].what, ik_buf_text(&why));
    ik_buf_free(&why);
  }
}
