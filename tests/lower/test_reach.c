#include "lower/passes.h"

/* ---- tiles ---- */

static int64_t planes_of(const char *text, const char *words) {
  program p;
  int64_t planes = MUST_OPEN(&p, text) ? pass_of(&p, words)->tile[IK_STREAM] : 0;
  program_close(&p);
  return planes;
}

#define FLAT(extra)                                                                                \
  "grid x = 20, y = 16, z = 10\nfield u : f32 = noise(1)\nboundary u = 0\n"                        \
  "step 4 {\n  u' = 0.5*u[1, 0, 0] + 0.25*u[0, 1, 0]" extra "\n}\n"

/* In the order of memory: all of a plane, then the next. */
CASE(planes_that_do_not_see_each_other_are_tiles) {
  CHECK_EQ(planes_of(FLAT(""), "tile=0,16,0"), 1);
  CHECK_EQ(planes_of(FLAT(""), "tile=0,8,0"), 1);
  CHECK_EQ(planes_of(FLAT(""), "tile=8,16,5"), 1);
}

CASE(planes_that_see_each_other_are_streamed) {
  CHECK_EQ(planes_of(FLAT(" + 0.1*u[0, 0, 1]"), "tile=0,8,0"), 10);
}

/* ---- in place ---- */

#define IN_PLACE(row)                                                                              \
  "grid x = 33, y = 17\nfield u : f32 = noise(1)\nfield v : f32 = noise(2)\nboundary u = copy\n"   \
  "boundary v = periodic\n"                                                                        \
  "step 2 {\n  v = 0.5*v\n  a = 0.5*u + 0.5*v\n  v = -u\n  u' = 0.3*a[0, " row "] + 0.3*a\n}\n"

static int passes_in(const char *text) {
  program p;
  int     n = 0;
  if (MUST_OPEN(&p, text)) n = passes_of(&p, true, "tile=0,0")->n;
  program_close(&p);
  return n;
}

/* v is overwritten at one end before what stands for it beyond the other is computed: the temporary
 * has a pass of its own if it has a row there.  That v is assigned twice takes two in any case. */
CASE(what_is_overwritten_in_place_has_no_images) {
  CHECK_EQ(passes_in(IN_PLACE("0")), 2);
  CHECK_EQ(passes_in(IN_PLACE("1")), 3);
}

/* ---- images ---- */

#define IMAGES                                                                                     \
  "grid x = 32, y = 20\nfield u : f32 = noise(1)\nfield k : f32 = noise(2)\nboundary u, k = "      \
  "periodic\nstep 4 {\n  u' = k*u[1, 0] + u[0, 1]\n}\n"

/* The second step reads u' beyond the ends of rows: what it is made of there is in no array. */
CASE(what_images_are_made_of_has_images) {
  program p;
  if (MUST_OPEN(&p, IMAGES)) {
    const ik_pass *pass = pass_of(&p, "fuse steps=2 tile=16,0");
    int            found = 0;
    for (int i = 0; i < pass->nbuffer; i++) {
      const ik_pipe_buffer *b = &pass->buffer[i];
      if (b->field < 0 || strcmp(p.ir->field[b->field].name, "k")) continue;
      CHECK(b->ring && b->edge[IK_LANE] == IK_EDGE_VIRTUAL);
      found++;
    }
    CHECK_EQ(found, 1);
  }
  program_close(&p);
}

/* A tile is as long as the periodic fields of its pass are, whatever others are. */
CASE(fields_of_other_passes_make_no_tile_longer) {
  program p;
  if (MUST_OPEN(&p, "grid x = 20, y = 16\nfield e : f32, on (x+1, y) = 0\n"
                    "field u : f32 = noise(1)\nboundary e, u = periodic\n"
                    "step 4 { u' = u[1, 0] + u[0, 1] }\n"))
    CHECK_EQ(pass_of(&p, "")->tile[IK_LANE], 20);
  program_close(&p);
}

/* ---- rings ---- */

static int64_t pitch_of(const char *text, const char *words) {
  program p;
  int64_t pitch = MUST_OPEN(&p, text) ? pass_of(&p, words)->pitch : 0;
  program_close(&p);
  return pitch;
}

#define ACROSS(left)                                                                               \
  "grid x = 2048, y = 20\nfield u : f32 = noise(1)\nboundary u = 0\nstep 4 {\n  u' = "             \
  "u[" left ", 0] + u[0, 1]\n}\n"

/* Or lines, if they are long; none more than cells need. */
CASE(rows_of_rings_are_whole_vectors) {
  CHECK_EQ(pitch_of(ACROSS("0"), "fuse steps=2 tile=240,0"), 240);
  CHECK_EQ(pitch_of(ACROSS("0"), "fuse steps=2 tile=241,0"), 244);
  CHECK_EQ(pitch_of(ACROSS("-1"), "fuse steps=2 tile=240,0"), 244);
  CHECK_EQ(pitch_of(ACROSS("0"), "fuse steps=2 tile=512,0"), 512);
  CHECK_EQ(pitch_of(ACROSS("0"), "fuse steps=2 tile=1024,0"), 1024);
  CHECK_EQ(pitch_of(ACROSS("0"), "fuse steps=2 tile=1040,0"), 1040);
}

/* ---- outside the grid ---- */

static int64_t rows_of(const char *text, const char *words) {
  program p;
  int64_t rows = MUST_OPEN(&p, text) ? pass_of(&p, words)->tile[IK_ROW] : 0;
  program_close(&p);
  return rows;
}

#define FACES                                                                                      \
  "grid x = 20, y = 15, z = 10\nfield u : f32 = noise(1)\nfield f : f32, on (x, y+1, z) = 0\n"     \
  "boundary u = 0\nstep 4 {\n  f = u[0, -1, 0] - u + u[0, 0, 1]\n}\n"

/* 16 rows, the last of which the grid does not have: in no tile that row alone. */
CASE(no_tile_lies_outside_the_grid) {
  CHECK_EQ(rows_of(FACES, "tile=0,8,0"), 8);
  CHECK_EQ(rows_of(FACES, "tile=0,4,0"), 4);
  CHECK_EQ(rows_of(FACES, "tile=0,5,0"), 6);
}

#define WALKED(first, second)                                                                      \
  "grid x = 32, y = 30, z = 10\nfield u, v, w : f32 = noise(1)\nboundary u, v, w = 0\nstep 4 {\n"  \
  "  sweep z up { at first { u = v }\n within { u = 0.5*u[0, 0, -1] + " first " } }\n"             \
  "  sweep z down { at first { v = u }\n within { v = 0.5*v[0, 0, 1] + " second " } }\n}\n"

/* In which walk w is copied into its ring; -1: in none, or in several. */
static int fetched_in(const char *text) {
  program p;
  int     found = -1, n = 0;
  if (MUST_OPEN(&p, text)) {
    const ik_pass *pass = pass_of(&p, "tile=0,8,0");
    CHECK_EQ(pass->nphase, 2);
    for (int i = 0; i < pass->nphase; i++)
      for (int s = 0; s < pass->phase[i].nstage; s++) {
        const ik_pipe_stage *t = &pass->phase[i].stage[s];
        if (t->kind != IK_STAGE_FETCH) continue;
        if (!strcmp(p.ir->field[pass->buffer[t->out[0]].field].name, "w")) found = i, n++;
      }
  }
  program_close(&p);
  return n == 1 ? found : -1;
}

CASE(what_is_read_in_both_walks_is_fetched_in_the_first) {
  CHECK_EQ(fetched_in(WALKED("w[1, 0, 0]", "w[-1, 0, 0]")), 0);
  CHECK_EQ(fetched_in(WALKED("w[1, 0, 0]", "u")), 0);
  CHECK_EQ(fetched_in(WALKED("v", "w[-1, 0, 0]")), 1);
}

#define UP_AND_DOWN                                                                                \
  "grid x = 32, y = 30, z = 10\nfield u, v : f32 = noise(1)\nboundary u, v = 0\nstep 4 {\n"        \
  "  sweep z up { at first { u = v }\n within { u = 0.5*u[0, 0, -1] + v } }\n"                     \
  "  sweep z down { at first { v = u }\n within { v = 0.5*v[0, 0, 1] + u } }\n}\n"

/* All planes of them are kept from the first walk to the second. */
CASE(columns_that_are_walked_twice_have_few_rows) {
  CHECK_EQ(rows_of(UP_AND_DOWN, "tile=0,8,0"), 8);
  CHECK_EQ(rows_of(UP_AND_DOWN, "tile=0,9,0"), 1);
  CHECK_EQ(rows_of(UP_AND_DOWN, "tile=0,0,0"), 1);
}
