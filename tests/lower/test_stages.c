#include "lower/passes.h"

/* More than registers hold: half the vectors, where there is one row of one plane. */
CASE(many_results_are_fewer_cells_at_a_time) {
  program p;
  if (MUST_OPEN(&p, "grid x = 64, y = 20\nfield a, b, c, d, e, f : f32 = noise(1)\nstep 3 {\n"
                    "  a = f; b = 2*f; c = 3*f; d = 4*f; e = 5*f\n}\n")) {
    const ik_pass *pass = pass_of(&p, "");
    CHECK(pass->nkernel == 1 && pass->kernel[0].noutput == 5);
    CHECK_EQ(pass->kernel[0].shape->vectors, 2);
  }
  program_close(&p);
}

/* ---- constants ---- */

static int weights_of(int n) {
  program p;
  ik_buf  text = {0};
  int     weights = 0;
  ik_buf_puts(&text, "grid x = 64\nfield u : f32 = noise(1)\nboundary u = 0\nstep 3 {\n  u' = u");
  for (int i = 1; i <= n; i++) ik_buf_printf(&text, " + %d.5*u[%d]", i, i);
  ik_buf_puts(&text, "\n}\n");
  if (MUST_OPEN(&p, ik_buf_text(&text))) weights = pass_of(&p, "")->kernel[0].shape->weights;
  ik_buf_free(&text);
  program_close(&p);
  return weights;
}

CASE(constants_that_registers_hold_are_not_loaded) {
  CHECK_EQ(weights_of(16), -1);
  CHECK_EQ(weights_of(17), IK_F32);
}

/* ---- past the caches ---- */

/* A box of a few rows has a small kernel, which stores as others do. */
CASE(small_boxes_stay_in_caches) {
  program p;
  if (MUST_OPEN(&p, "grid x = 64, y = 20, z = 20\nfield u, v : f32 = noise(1)\nstep 3 {\n"
                    "  u = 2*v on y = 0 .. 1\n  u = 3*v on y = 2 .. 19\n}\n")) {
    const ik_pass *pass = pass_of(&p, "stream=1 bytes=64");
    CHECK_EQ(pass->nkernel, 2);
    CHECK(!pass->kernel[0].shape->streaming && !pass->kernel[0].shape->output[0].streaming);
    CHECK(pass->kernel[1].shape->streaming && pass->kernel[1].shape->output[0].streaming);
  }
  program_close(&p);
}

/* ---- stages of a plane ---- */

static int rows_of(const char *text, const char *words) {
  program p;
  int     rows = MUST_OPEN(&p, text) ? pass_of(&p, words)->phase[0].rows : -1;
  program_close(&p);
  return rows;
}

#define PIECES(then)                                                                               \
  "grid x = 64, y = 64, z = 10\nfield u, v, w : f32 = noise(1)\nboundary u = 0\nstep 4 {\n"        \
  "  w = 2*v on y = 0 .. 9\n  w = 3*v on y = 10 .. 63\n" then "}\n"
#define SWEEP "  sweep z up { at first { u = v }\n within { u = 0.5*u[0, 0, -1] + v } }\n"

/* Sums are made of whole planes, and of those of their own walk alone. */
CASE(kernels_of_a_plane_take_turns_unless_it_is_summed) {
  CHECK(rows_of(PIECES(""), "tile=0,8,0") > 0);
  CHECK(rows_of(PIECES(SWEEP), "tile=0,8,0") > 0);
  CHECK(rows_of(PIECES(SWEEP "  s = sum(u)\n"), "tile=0,8,0") > 0);
  CHECK_EQ(rows_of(PIECES("  s = sum(v)\n"), "tile=0,8,0"), 0);
}

#define BOTH(first, second)                                                                        \
  "grid x = 64, y = 64, z = 10\nfield u, v, w : f32 = noise(1)\nstep 4 {\n"                        \
  "  " first " on y = 0 .. 9\n  " second " on y = 10 .. 63\n}\n"

/* A new level is another array. */
CASE(kernels_of_a_plane_take_turns_unless_one_overwrites_what_is_read) {
  CHECK(rows_of(BOTH("w = 2*v", "u = 3*v"), "tile=0,8,0") > 0);
  CHECK(rows_of(BOTH("w' = 2*w", "u' = 3*v"), "tile=0,8,0") > 0);
  CHECK_EQ(rows_of(BOTH("w = 2*w", "u = 3*v"), "tile=0,8,0"), 0);
  CHECK_EQ(rows_of(BOTH("w = 2*v", "u = 3*u"), "tile=0,8,0"), 0);
}

#define AHEAD(then)                                                                                \
  "grid x = 128, y = 40, z = 4\nfield in : f32 = noise(1)\nfield out, w : f32 = in\nstep 3 {\n"    \
  "  a = in[1, 0, 0] + in[-1, 0, 0]*in[0, 1, 0]\n"                                                 \
  "  out = in - a[0, 1, 0] + a[1, 0, 0]*a[-1, -1, 0] on interior(2, 2, 0)\n" then "}\n"

/* The second kernel makes the rows of the first: only a third one has to wait its turn. */
CASE(what_is_computed_ahead_takes_no_turns) {
  CHECK_EQ(rows_of(AHEAD(""), "tile=0,16 bytes=64"), 0);
  CHECK(rows_of(AHEAD("  w = in on interior(2, 3, 0)\n"), "tile=0,16 bytes=64") > 0);
}

/* A neighbour's u' is read in the same pass: it has a ring, and is copied to memory from there. */
CASE(what_is_read_around_a_cell_is_stored_from_its_ring) {
  program p;
  int     stored = 0;
  if (MUST_OPEN(&p, "grid x = 64, y = 20, z = 10\nfield u, v : f32 = noise(1)\nboundary u, v = 0\n"
                    "step 4 {\n  u' = 2*v + u[1, 0, 0]\n  v' = u'[1, 0, 0] + u'[0, 1, 0]\n}\n")) {
    const ik_pass *pass = pass_of(&p, "tile=0,8,0");
    for (int i = 0; i < pass->phase[0].nstage; i++) {
      const ik_pipe_stage  *s = &pass->phase[0].stage[i];
      const ik_pipe_buffer *b = &pass->buffer[s->out[0]];
      if (s->kind != IK_STAGE_STORE) continue;
      CHECK(b->ring && b->memory && b->level == 1);
      CHECK_STR(p.ir->field[b->field].name, "u");
      stored++;
    }
    CHECK_EQ(stored, 1);
  }
  program_close(&p);
}

/* v' is read beyond its ends, so u', made with it, has images and a ring, too.  What a source adds
 * in the last step of a pass is added when the pass is over. */
CASE(sources_are_added_in_a_pass_between_its_steps) {
  program p;
  int     added = 0;
  if (MUST_OPEN(&p, "grid x = 32, y = 20\nparam dt = 1\nfield u, v, w : f32 = noise(1)\n"
                    "boundary u, v, w = periodic\nsource 1 at (3, 4) into u\n"
                    "step 4 {\n  u' = 0.5*u\n  v' = 0.5*v\n  w' = v'[1, 0] + v'[0, 1]\n}\n")) {
    const ik_pass *pass = pass_of(&p, "fuse steps=2 tile=16,0");
    CHECK(pass->steps == 2 && pass->nphase == 1);
    for (int i = 0; i < pass->phase[0].nstage; i++) {
      const ik_pipe_stage *s = &pass->phase[0].stage[i];
      if (s->kind != IK_STAGE_SPOTS) continue;
      CHECK_EQ(s->step, 0);
      added++;
    }
    CHECK_EQ(added, 1);
  }
  program_close(&p);
}

/* The stages of a pass, each with what it makes and, if memory has that, its level. */
static void levels_of(const char *text, const char *words, char *out, size_t size) {
  static const char *const kind[] = {"fetch", "kernel", "store", "spots"};
  program                  p;
  size_t                   len = 0;
  *out = 0;
  if (MUST_OPEN(&p, text)) {
    const ik_pass *pass = pass_of(&p, words);
    for (int i = 0; i < pass->phase[0].nstage; i++) {
      const ik_pipe_stage  *s = &pass->phase[0].stage[i];
      int                   spots = s->kind == IK_STAGE_SPOTS;
      const ik_pipe_buffer *b = &pass->buffer[spots ? s->in[0] : s->out[0]];
      len += (size_t)snprintf(out + len, size - len, "%s %s", kind[s->kind],
                              p.ir->field[b->field].name);
      if (b->memory) len += (size_t)snprintf(out + len, size - len, "%d", b->level);
      len += (size_t)snprintf(out + len, size - len, "; ");
    }
  }
  program_close(&p);
}

#define CHECK_LEVELS(text, words, expected)                                                        \
  do {                                                                                             \
    char levels[512];                                                                              \
    levels_of(text, words, levels, sizeof levels);                                                 \
    CHECK_STR(levels, expected);                                                                   \
  } while (0)

#define KEPT(history, value)                                                                       \
  "grid x = 64, y = 20\nparam dt = 1\nfield u : f64, history " history " = noise(1)\n"             \
  "boundary u = 0\nsource 1 at (3, 4) into u\nstep 9 { u' = " value " }\n"

/* The newest of the levels that a pass leaves is stored by its kernel, the others from rings, with
 * what sources add to them. */
CASE(a_pass_of_several_steps_leaves_as_many_levels_as_are_kept) {
  CHECK_LEVELS(KEPT("1", "u[1, 0]"), "steps=3",
               "fetch u0; kernel u; spots u; kernel u; spots u; kernel u1; ");
  CHECK_LEVELS(KEPT("2", "u[1, 0] - u[t-1]"), "steps=3",
               "fetch u-1; fetch u0; kernel u; spots u; kernel u1; spots u1; store u1; "
               "kernel u2; ");
  CHECK_LEVELS(KEPT("3", "u[1, 0] - u[t-1]"), "steps=2",
               "fetch u-1; fetch u0; kernel u1; spots u1; store u1; kernel u2; ");
}

/* What the rest of the pass does not read gets what a source adds all the same. */
CASE(a_level_that_is_left_and_not_read_has_its_sources) {
  CHECK_LEVELS(KEPT("3", "0.5*u[t-2]"), "steps=2",
               "fetch u-2; fetch u-1; kernel u1; spots u1; store u1; kernel u2; ");
}

static int count_spots(const ik_ir *ir, const ik_pass *pass, const char *field) {
  int n = 0;
  for (int i = 0; i < pass->phase[0].nstage; i++) {
    const ik_pipe_stage *s = &pass->phase[0].stage[i];
    if (s->kind != IK_STAGE_SPOTS) continue;
    CHECK(pass->buffer[s->in[0]].ring && s->step < pass->steps - 1);
    n += strcmp(ir->field[pass->buffer[s->in[0]].field].name, field) == 0;
  }
  return n;
}

/* Nobody reads q, which has rings to be heard in all the same; c is not given a value at all. */
CASE(receivers_hear_between_the_steps_of_a_pass) {
  program p;
  if (MUST_OPEN(&p, "grid x = 32, y = 20\nfield u, q, v : f32 = noise(1)\nfield c : f32\n"
                    "boundary u = copy\nreceiver u at (3, 4) into \"a.npy\"\n"
                    "receiver q at (3, 4) every 5 into \"b.npy\"\n"
                    "receiver c at (3, 4) into \"c.npy\"\n"
                    "step 4 {\n  u' = u[1, 0] + c\n  q' = 0.5*u\n  v' = 0.5*v\n}\n")) {
    const ik_pass *pass = pass_of(&p, "fuse steps=3 tile=16,0");
    CHECK_EQ(pass->steps, 3);
    CHECK_EQ(count_spots(p.ir, pass, "u"), 2);
    CHECK_EQ(count_spots(p.ir, pass, "q"), 2);
    CHECK_EQ(count_spots(p.ir, pass, "v") + count_spots(p.ir, pass, "c"), 0);
  }
  program_close(&p);
}
