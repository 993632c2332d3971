/* Values through windows: the golden sums and hashes of hdiff and vadvc on 12 x 10 x 8 points, for
 * windows of any size, with every word going through the simulated streams; and what is refused.
 *
 * The golden values come from C programs.  With `_Float16` they depend on the compiler: gcc without
 * instructions for it computes in float and rounds where a variable is assigned (nero-half/
 * does the same); with them (-march=armv8.2-a+fp16) every operation is rounded, which is what
 * `arithmetic plain f16` says. */
#include "trial.h"
#include <stdlib.h>

#define HALF "tests/targets/simulated/nero/half"

static const struct golden {
  const char *folder, *program, *field, *type;
  uint64_t    fnv;
  double      sum, sumsq;
  int         edge; /* cells at the x and y faces that the sums leave out */
} goldens[] = {
    {"examples", "hdiff", "out", "f32", 0x284eaa369bd37146, 200.9955833, 180.909691, 2},
    {"examples", "hdiff-limited", "out", "f32", 0x50101f738e4ddfc1, 199.9867337, 135.8069977, 2},
    {"examples", "vadvc", "utensstage", "f32", 0x17895a1b8cb0860a, 1.28682381, 163.1074568, 0},
    {HALF, "hdiff", "out", "f16", 0x233199d16ea86af1, 200.9920931, 180.891804, 2},
    {HALF, "hdiff-limited", "out", "f16", 0xd566ed2df978a96d, 199.9820359, 135.8014312, 2},
    {HALF, "vadvc", "utensstage", "f16", 0xca33b8856c9ac5dd, 1.270789146, 163.0818077, 0},
    {"examples", "hdiff", "out", "f16", 0x70558e3ff2aa5aac, 200.9913788, 180.8965589, 2},
};

enum { GOLDENS = sizeof goldens / sizeof *goldens };

/* ---- programs ---- */

/* An example on 12 x 10 x 8 points, stored and computed in the type; others as they are. */
static void write_program(const struct golden *g, ik_buf *out) {
  ik_buf text = {0}, small = {0}, typed = {0};
  char   arithmetic[32];
  bool   example = strcmp(g->folder, "examples") == 0;
  snprintf(arithmetic, sizeof arithmetic, "arithmetic plain%s%s", example ? " " : "",
           example ? g->type : "");
  nero_read(g->folder, g->program, &text);
  nero_replace(ik_buf_text(&text), "x = 256, y = 256, z = 64", "x = 12, y = 10, z = 8", &small);
  nero_replace(ik_buf_text(&small), "f32", g->type, &typed);
  nero_replace(ik_buf_text(&typed), "arithmetic plain", arithmetic, out);
  ik_buf_free(&text), ik_buf_free(&small), ik_buf_free(&typed);
}

static int field_named(const ik_ir *ir, const char *name) {
  for (int f = 0; f < ir->nfield; f++)
    if (strcmp(ir->field[f].name, name) == 0) return f;
  abort();
}

/* ---- sums and hashes ---- */

/* FNV-1a of 64 bits, with the basis that the golden program has. */
static uint64_t fnv_of(const void *data, size_t bytes) {
  uint64_t h = 1469598103934665603u;
  for (size_t i = 0; i < bytes; i++) h = (h ^ ((const unsigned char *)data)[i]) * 1099511628211u;
  return h;
}

static void check_sums(const trial *t, int field, const struct golden *g) {
  double  sum = 0, sumsq = 0;
  int64_t at[IK_MAX_DIM];
  for (at[2] = 0; at[2] < 8; at[2]++)
    for (at[1] = g->edge; at[1] < 10 - g->edge; at[1]++)
      for (at[0] = g->edge; at[0] < 12 - g->edge; at[0]++) {
        double v = ik_state_get(t->state, field, 0, at);
        sum += v, sumsq += v * v;
      }
  CHECK_NEAR(sum, g->sum, 1e-7 * fabs(g->sum));
  CHECK_NEAR(sumsq, g->sumsq, 1e-7 * g->sumsq);
}

static void check_golden(const struct golden *g, const char *board, const char *override) {
  static trial t;
  ik_buf       text = {0};
  write_program(g, &text);
  bool ok = trial_open(&t, g->program, ik_buf_text(&text)) && nero_open(&t, board, override) &&
            trial_go(&t);
  int f = ok ? field_named(t.ir, g->field) : 0;
  if (!ok || fnv_of(ik_state_data(t.state, f, 0), t.state->slot[f].layout->bytes) != g->fnv)
    check_fail(__FILE__, __LINE__, "%s in %s with %s", g->program, g->type, override);
  if (ok) check_sums(&t, f, g);
  trial_close(&t);
  ik_buf_free(&text);
}

/* ---- cases ---- */

LONG_CASE(golden_values_whatever_the_window) {
  static const int sizes[][IK_MAX_DIM] = {{1, 1, 1}, {2, 1, 1}, {1, 3, 2},  {5, 3, 3},   {7, 10, 1},
                                          {4, 4, 4}, {3, 7, 8}, {12, 1, 5}, {16, 64, 8}, {0, 0, 0}};
  for (int g = 0; g < GOLDENS; g++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      char override[64];
      snprintf(override, sizeof override, "window=%dx%dx%d", sizes[i][0], sizes[i][1], sizes[i][2]);
      check_golden(&goldens[g], i % 2 ? "nero-ddr4" : "nero-hbm", override);
    }
}

CASE(golden_values_with_every_word_through_the_streams) {
  static const char *const overrides[] = {"window=1x1x1 words=all", "window=5x3x3 words=all",
                                          "window=4x4x4 words=all", "window=7x10x2 words=all",
                                          "words=all"};
  for (int g = 0; g < GOLDENS; g++)
    for (size_t i = 0; i < sizeof overrides / sizeof *overrides; i++)
      check_golden(&goldens[g], i % 2 ? "nero-ddr4" : "nero-hbm", overrides[i]);
}

/* ---- kernels of one program ---- */

/* A temporary is read in another kernel than the one that makes it: in a loop, after it, beyond a
 * face, and by the host. */
static const char crossing[] =
    "grid x = 33, y = 9\nfield u : f32 = noise(1)\nfield v : f32 = noise(2)\n"
    "boundary u, v = periodic\n"
    "a = u[1, 0] - u\nb = a[3, 0] + v\n"
    "step 3 {\n  c = u[1, 0] + a\n  d = c[0, 1] + b\n  u' = 0.25*d[-2, 0]\n}\n"
    "v = u + a + v[1, 1]\ns = sum(v*b)\ne = v[1, 0] + s\nstep 2 { v' = 0.5*v[0, 1] + e }\n";

CASE(temporaries_reach_every_kernel_that_reads_them) {
  static const char *const overrides[] = {NULL, "window=3x2", "window=5x9 words=all"};
  static trial             ours, right;
  CHECK(trial_open(&right, "crossing", crossing) && trial_play(&right, "ref", NULL));
  for (size_t i = 0; i < sizeof overrides / sizeof *overrides; i++)
    for (int board = 0; board < 2; board++) {
      CHECK(trial_open(&ours, "crossing", crossing));
      CHECK(nero_open(&ours, board ? "nero-ddr4" : "nero-hbm", overrides[i]) && trial_go(&ours));
      CHECK(trial_same(&ours, &right));
      trial_close(&ours);
    }
  trial_close(&right);
}

/* ---- refusals ---- */

static void check_refused(const char *text, const char *override, const char *why) {
  static trial t;
  ik_buf       said = {0};
  CHECK(trial_open(&t, "refused", text));
  CHECK(!nero_open(&t, "nero-hbm", override));
  ik_diag_render(&t.diag, false, &said);
  if (!strstr(ik_buf_text(&said), why))
    check_fail(__FILE__, __LINE__, "'%s' is not in\n%s", why, ik_buf_text(&said));
  ik_buf_free(&said);
  trial_close(&t);
}

CASE(what_no_window_can_do_is_refused_with_the_reason) {
  check_refused("grid x = 9\nfield u : f64 = noise(1)\nboundary u = 0\nstep 1 { u' = u[1] }\n",
                NULL, "units for f32 and f16");
  check_refused("grid x = 9\nfield u : bf16 = noise(1)\nu = 2*u\n", NULL, "cannot run bf16");
  check_refused("grid x = 9\nfield u : f32 = noise(1)\nstep 1 {\n  u' = u\n  s = sum(u)\n}\n", NULL,
                "nothing on the board joins its windows");
  check_refused("grid x = 9, y = 9\nfield u : f32 = noise(1)\nboundary u = periodic\n"
                "sweep y up { u = u[0, -1] }\n",
                NULL, "which it is just making, beyond a face");
}

CASE(what_does_not_fit_is_refused_with_the_figures) {
  static const char big[] = "grid x = 2048, y = 2048\nfield u : f32\nfield v : f32\n"
                            "boundary u = 0\nv = u[1, 0] + u[0, 1]\n";
  check_refused(big, "window=2048x2048",
                "windows of 2048 x 2048 x 1 cells: an element takes 4136 BRAM, and 1313 of 2016");
  check_refused("grid x = 1024, y = 1024, z = 600\nfield u : f32\nfield v : f32\nv = 2*u\n", NULL,
                "its fields take 4.69 GiB, and the memory that elements read has 4.00");
  check_refused(big, "window=64x64 elements=17", "room for 16 elements");
  check_refused(big, "elements=4 window=64xx64",
                "'window=64xx64' is not a word of a plan for NERO");
  check_refused(big, "window=-1", "'window=-1' is not a word");
  check_refused(big, "elements=0", "'elements=0' is not a word");
  check_refused(big, "tile=64,64", "window=64x2x64 elements=4");
}

CASE(arithmetic_that_no_board_has_room_for_is_refused_whatever_the_window) {
  ik_buf text = {0};
  ik_buf_puts(&text, "grid x = 64\nfield u : f32 = noise(1)\nu = sqrt(u)");
  for (int i = 1; i < 60; i++) ik_buf_printf(&text, " + sqrt(u + %d)", i);
  ik_buf_putc(&text, '\n');
  check_refused(ik_buf_text(&text), NULL, "whatever the window: an element takes 10080 DSP");
  ik_buf_free(&text);
}
