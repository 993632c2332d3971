/* Random programs on Wormhole: every bit is that of the interpreter under its rule.  Most of those
 * of tests/random read too far or in types that it lacks, and are refused; the others, and programs
 * of stars alone on grids of several cores, are run.
 *
 * IKAT_SEED is the first seed, IKAT_COUNT how many there are. */
#include "check.h"
#include "random/generate.h"
#include "random/trial.h"
#include <inttypes.h>

/* Runs it both ways; returns whether the machine took it. */
static bool check_program(uint64_t seed, const char *text) {
  static trial a, b;
  bool         runs = trial_open(&a, "random", text) && trial_engine(&a, "wormhole", NULL);
  bool         legal = trial_open(&b, "random", text);
  if (runs && legal &&
      !(trial_go(&a) && trial_play(&b, "wormhole/rule", NULL) && trial_same(&a, &b)))
    check_fail(__FILE__, __LINE__, "IKAT_SEED=%" PRIu64 " differs:\n%s", seed, text);
  trial_close(&a), trial_close(&b);
  return runs;
}

/* What the generator makes of f64 it may as well make of f32. */
static void narrow(ik_buf *text) {
  for (char *at = text->data; at && (at = strstr(at, "f64")); at += 3) memcpy(at, "f32", 3);
}

CASE(programs_that_it_accepts) {
  ik_random_options opt = IK_RANDOM_DEFAULTS;
  uint64_t          seed = check_seed(), count = check_count(4000);
  int               taken = 0;
  opt.features &=
      ~(unsigned)(IK_RANDOM_F16 | IK_RANDOM_I32 | IK_RANDOM_MORE_CELLS | IK_RANDOM_FAR |
                  IK_RANDOM_PART_AXES | IK_RANDOM_LAYERS | IK_RANDOM_SWEEPS | IK_RANDOM_BOUNDARIES);
  printf("seeds %" PRIu64 " to %" PRIu64 "\n", seed, seed + count - 1);
  for (uint64_t i = 0; i < count; i++) {
    ik_buf text = {0};
    ik_random_program(seed + i, &opt, &text);
    narrow(&text);
    taken += check_program(seed + i, ik_buf_text(&text));
    ik_buf_free(&text);
  }
  printf("%d of %" PRIu64 " were accepted\n", taken, count);
  CHECK(count < 4000 || taken >= 60);
}

/* ---- stars ---- */

typedef struct writer {
  uint64_t state;
  ik_buf  *out;
} writer;

static int pick(writer *w, int below) {
  w->state = w->state * 6364136223846793005u + 1442695040888963407u;
  return (int)((w->state >> 33) % (uint64_t)below);
}

static void read_star(writer *w) {
  static const char *const at[] = {"",        "[-1,0,0]", "[1,0,0]", "[0,-1,0]",
                                   "[0,1,0]", "[0,0,-1]", "[0,0,1]"};
  ik_buf_printf(w->out, "%s%s", pick(w, 2) ? "u" : "v", at[pick(w, 7)]);
}

static void value(writer *w, int depth) {
  static const char *const form[] = {"+", "-", "*", ", "};
  int                      k = pick(w, 6);
  if (depth == 0 || k == 5) {
    read_star(w);
    return;
  }
  if (k == 4) ik_buf_printf(w->out, "%d/7*", pick(w, 13) - 6);
  if (k == 3) ik_buf_puts(w->out, pick(w, 2) ? "min" : "max");
  ik_buf_puts(w->out, "(");
  value(w, depth - 1);
  if (k < 4) ik_buf_puts(w->out, form[k]), value(w, depth - 1);
  ik_buf_puts(w->out, ")");
}

static void statement(writer *w, const char *to) {
  ik_buf_printf(w->out, "  %s = 0.3*(", to);
  value(w, 4);
  ik_buf_puts(w->out, pick(w, 3) ? ")\n" : ") on interior(1)\n");
}

/* Two fields on up to 3 x 3 cores. */
static void write_program(uint64_t seed, ik_buf *out) {
  writer      w = {seed, out};
  const char *type = pick(&w, 2) ? "f32" : "bf16";
  ik_buf_printf(out, "%sgrid x = %d, y = %d, z = %d\n", pick(&w, 2) ? "arithmetic plain\n" : "",
                3 + pick(&w, 160), 3 + pick(&w, 45), 3 + pick(&w, 4));
  ik_buf_printf(out, "field u : %s = 2*noise(1) - 1\nfield v : %s = noise(2)\nboundary u, v = 0\n",
                type, pick(&w, 3) ? type : "f32");
  ik_buf_printf(out, "step %d {\n", 1 + pick(&w, 3));
  statement(&w, "u'"), statement(&w, "v"), statement(&w, "u'");
  ik_buf_puts(out, "}\ns = sum(u*v); m = max(u - v[0,1,0])\n");
}

CASE(stars_on_several_cores) {
  uint64_t seed = check_seed(), count = check_count(60);
  printf("seeds %" PRIu64 " to %" PRIu64 "\n", seed, seed + count - 1);
  for (uint64_t i = 0; i < count; i++) {
    ik_buf text = {0};
    write_program(seed + i, &text);
    CHECK(check_program(seed + i, ik_buf_text(&text)));
    ik_buf_free(&text);
  }
}
