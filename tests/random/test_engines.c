/* Random programs on the CPU engine, run in random ways (strategy, tile, block, vector width,
 * number of threads): every bit of the result is the interpreter's.  What a strategy refuses is run
 * with the next that does not.
 *
 * IKAT_SEED is the first seed, IKAT_COUNT how many there are; IKAT_PROGRAM is a file to run
 * instead of a random program, in the way that belongs to the seed. */
#include "base/least.h"
#include "check.h"
#include "edge.h"
#include "families.h"
#include "generate.h"
#include "sanitized.h"
#include "shrink.h"
#include "targets/cpu/isa.h"
#include "trial.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Each is compiled, which takes longer under the sanitizer. */
static uint64_t default_count(void) { return is_sanitized() ? 25 : 60; }

/* ---- how ---- */

/* Every fourth plan has up to 64 threads: more than processors, and often more than tiles. */
static ik_plan plan_of(uint64_t seed, family_plan *how) {
  family_vectors v = family_vectors_here();
  ik_plan        p = how(seed, &v);
  uint64_t       many = family_mixed(seed + 90);
  if (many % 4 == 0) p.threads = 1 + (int)(many / 4 % 64);
  return p;
}

/* ---- the same? ---- */

static void show_difference(const trial *a, const trial *b) {
  for (int f = 0; b->engine && f < a->ir->nfield; f++) {
    const ik_field *q = &a->ir->field[f];
    int64_t         n = 0, first = -1;
    if (q->kind == IK_FIELD_TEMP) continue;
    for (int64_t i = 0; i < a->state->slot[f].layout->cells; i++) {
      double  x, y;
      int64_t one = 1, at = ik_state_cell(a->state, f, i, &one);
      ik_state_load_row(q->type, ik_state_data(a->state, f, 0), at, 1, &x);
      at = ik_state_cell(b->state, f, i, &one);
      ik_state_load_row(q->type, ik_state_data(b->state, f, 0), at, 1, &y);
      if (memcmp(&x, &y, sizeof x) && n++ == 0) first = i;
    }
    int64_t nx = q->box.hi[0] - q->box.lo[0], ny = q->box.hi[1] - q->box.lo[1];
    if (n)
      printf("%s: %" PRId64 " of %" PRId64 " cells differ, first (%" PRId64 ", %" PRId64
             ", %" PRId64 ")\n",
             q->name, n, a->state->slot[f].layout->cells, first % nx, first / nx % ny,
             first / nx / ny);
  }
  for (int i = 0; i < a->ir->nscalar; i++)
    if (a->state->scalar[i] != b->state->scalar[i])
      printf("%s: %.17g, %.17g\n", a->ir->scalar[i].name, a->state->scalar[i], b->state->scalar[i]);
}

static void complain(uint64_t seed, const ik_buf *text, const ik_plan *p, trial *a,
                     const trial *b) {
  if (a->engine) show_difference(a, b);
  ik_buf plan = {0}, why = {0};
  ik_plan_print(p, a->ir, &plan);
  ik_diag_render(&a->diag, false, &why);
  printf("seed %" PRIu64 ": %s, %d threads\n%s%s%s\n", seed, ik_buf_text(&plan), p->threads,
         ik_buf_text(text), ik_buf_text(&why), a->engine ? a->engine->loops : "");
  check_fail(__FILE__, __LINE__, "rerun with IKAT_SEED=%" PRIu64 " IKAT_COUNT=1", seed);
  ik_buf_free(&plan), ik_buf_free(&why);
}

/* The strategy cannot run this program, and says so. */
static bool is_refused(const trial *t) {
  for (int i = 0; i < t->diag.nmsg; i++)
    if (t->diag.msg[i].code == IK_E082) return true;
  return false;
}

typedef enum outcome { SAME, OTHER, NOT_LEGAL, REFUSED } outcome;

/* How cells one after the other were done, as the loops say, and what was left to the interpreter:
 * programs that had some. */
enum { WAVEFRONTS, BLOCKS, LINES, PLANES, INTERPRETED, ORDERS };
static const char *const orders[] = {"in wavefronts", "in blocks", "in lines",
                                     "statement after statement", "interpreter:"};
static int               ordered[ORDERS];

static void count_orders(const trial *t) {
  for (int i = 0; i < ORDERS && t->engine; i++)
    ordered[i] += strstr(t->engine->loops, orders[i]) != NULL;
}

/* Runs the text both ways. */
static outcome compare(const char *text, const ik_plan *plan, trial *a, trial *b) {
  if (!trial_open(a, "random", text)) return memset(b, 0, sizeof *b), NOT_LEGAL;
  bool ok = trial_play(a, "cpu", plan) && trial_is_compiled(a);
  count_orders(a);
  if (!a->engine && is_refused(a)) return memset(b, 0, sizeof *b), REFUSED;
  ok = trial_open(b, "random", text) && ok && trial_play(b, "ref", NULL);
  return ok && trial_same(a, b) ? SAME : OTHER;
}

static outcome outcome_of(const char *text, const ik_plan *plan) {
  static trial a, b;
  outcome      o = compare(text, plan, &a, &b);
  trial_close(&a), trial_close(&b);
  return o;
}

static bool differs(const char *text, void *plan) { return outcome_of(text, plan) == OTHER; }

static int ran[3]; /* hex, skew, others */

/* Two of three programs with gaps between their slices, some of which have room for rows. */
static void set_gaps(uint64_t seed) {
  static const int64_t gaps[] = {0, 1, 2000, 0, 16, 900};
  ik_layout_padding_always = gaps[seed % 6];
}

/* With the next strategy if that of the plan refuses. */
static outcome compare_some_way(const char *text, ik_plan *plan, trial *a, trial *b) {
  outcome o = compare(text, plan, a, b);
  if (o != REFUSED) return o;
  trial_close(a), trial_close(b);
  plan->strategy = plan->steps > 1 ? "fuse" : "sweep";
  return compare(text, plan, a, b);
}

static outcome run_some_way(const char *text, ik_plan *plan) {
  static trial a, b;
  outcome      o = compare_some_way(text, plan, &a, &b);
  trial_close(&a), trial_close(&b);
  ran[plan->strategy == family_waves[0] ? 0 : plan->strategy == family_waves[1] ? 1 : 2]++;
  return o;
}

static void read_program(const char *path, ik_buf *text) {
  FILE *f = fopen(path, "r");
  for (int c; f && (c = getc(f)) != EOF;) ik_buf_putc(text, (char)c);
  if (f) fclose(f);
}

static bool try_seed(uint64_t seed) {
  ik_random_options options = IK_RANDOM_DEFAULTS;
  static trial      a, b;
  ik_buf            text = {0};
  ik_plan           plan = plan_of(seed, family_plan_any);
  set_gaps(seed);
  options.max_cells = seed % 3 ? 600 : 6000, options.max_steps = 9;
  if (getenv("IKAT_PROGRAM"))
    read_program(getenv("IKAT_PROGRAM"), &text);
  else
    ik_random_program(seed, &options, &text);
  outcome o = run_some_way(ik_buf_text(&text), &plan);
  bool    ok = o == SAME || o == NOT_LEGAL;
  if (!ok) {
    shrink(&text, differs, &plan);
    compare(ik_buf_text(&text), &plan, &a, &b);
    complain(seed, &text, &plan, &a, &b);
    trial_close(&a), trial_close(&b);
  }
  set_gaps(0);
  ik_buf_free(&text);
  return ok;
}

/* Whether something is met often enough is asked of the seeds that are tried in every run: of
 * others there may be none. */
static bool is_usual(uint64_t seed, uint64_t n) { return seed == 1 && n >= 25; }

/* Fields with a cell more than the grid, as Yee's: no tile has that one alone, so 17 rows instead
 * of 16, and 48 lanes instead of 32. */
CASE(staggered_fields_are_cut_into_tiles) {
  static const char text[] =
      "grid x = 64, y = 64, z = 9\nfield e : f64, on (x+1, y+1, z) = noise(1)\n"
      "field h : f64, on (x+1, y, z) = noise(2)\nfield k : f64, on (x, y+1, z) = noise(3)\n"
      "step 5 {\n  e' = e + 0.1*(h - h[0, -1, 0] + k - k[-1, 0, 0]) on interior(1, 1, 0)\n"
      "  h' = h + 0.1*(e'[0, 1, 0] - e')\n  k' = k + 0.1*(e'[1, 0, 0] - e')\n}\n";
  for (int steps = 1; steps <= 3; steps++) {
    static trial a, b;
    ik_plan      plan = {.target = "cpu", .strategy = steps > 1 ? "fuse" : "sweep", .steps = steps};
    plan.tile[0] = 32, plan.tile[1] = 16, plan.cpu.rows = plan.cpu.vectors = plan.cpu.planes = 1;
    plan.cpu.vector_bytes = ik_isa_local().vector_bytes, plan.threads = 2;
    CHECK_EQ(compare(text, &plan, &a, &b), SAME);
    CHECK(strstr(a.engine->loops, "lane x: 0:65 in tiles of 48"));
    CHECK(strstr(a.engine->loops, "row y: 0:65 in tiles of 17"));
    trial_close(&a), trial_close(&b);
  }
}

CASE(cpu_gives_the_bits_of_the_interpreter) {
  uint64_t seed = check_seed();
  uint64_t count = check_count(default_count());
  int      failed = 0;
  printf("seeds %" PRIu64 " to %" PRIu64 "\n", seed, seed + count - 1);
  for (uint64_t i = 0; i < count && failed < (check_only_asks() ? 1 : 3); i++)
    failed += !try_seed(seed + i);
  printf("hex %d, skew %d, others %d\n", ran[0], ran[1], ran[2]);
  for (int i = 0; i < ORDERS; i++) printf("%s %d\n", orders[i], ordered[i]);
  if (!is_usual(seed, count) || failed || getenv("IKAT_PROGRAM")) return;
  CHECK(ran[0] && ran[1]);
  CHECK(ordered[WAVEFRONTS] && ordered[BLOCKS] && ordered[PLANES]);
}

/* ---- near the edge of what is legal ---- */

/* Of programs, how many are run as they were asked to be, and refused: neither is to be rare. */
static void check_edge(uint64_t seed, int *legal, int *run, int *refused) {
  ik_buf  text = {0};
  ik_plan plan = plan_of(seed, family_plan_any);
  edge_program(seed, &text);
  const char *asked = plan.strategy;
  outcome     o = run_some_way(ik_buf_text(&text), &plan);
  *legal += o != NOT_LEGAL;
  *run += o == SAME && plan.strategy == asked, *refused += plan.strategy != asked;
  if (o != SAME && o != NOT_LEGAL) {
    static trial a, b;
    shrink(&text, differs, &plan);
    compare(ik_buf_text(&text), &plan, &a, &b);
    complain(seed, &text, &plan, &a, &b);
    trial_close(&a), trial_close(&b);
  }
  ik_buf_free(&text);
}

CASE(programs_near_the_edge_of_what_is_legal) {
  uint64_t seed = check_seed();
  uint64_t count = check_count(default_count());
  int      legal = 0, run = 0, refused = 0;
  for (uint64_t i = 0; i < count; i++) check_edge(seed + i, &legal, &run, &refused);
  printf("%d programs near the edge: %d run as asked, %d refused\n", legal, run, refused);
  if (is_usual(seed, count))
    CHECK(run >= legal / 4 && refused >= legal / 8 && legal > (int)count / 4);
}

/* ---- more threads than there is work for ---- */

static const char *const few_cells[] = {
    "grid x = 1\nfield u : f64 = 0.3\nboundary u = 0.5\n"
    "step 7 { u' = 0.5*u + 0.2*u[-1] + 0.1*u[1] }\n",
    "grid x = 3, y = 2\nfield u : f32 = noise(1)\nboundary u = mirror\n" /* a large radius */
    "step 5 { u' = 0.5*u + 0.1*u[-2,0] + 0.1*u[2,0] + 0.1*u[0,-2] + 0.1*u[0,2] }\n",
    "grid x = 2, y = 1, z = 2\nfield u : f32 = noise(1)\nboundary u = 0.25\n"
    "step 9 { u' = 0.5*u + 0.05*laplacian(u, order = 8) }\n",
    "grid x = 70, y = 33, z = 18\nfield u : f32, history 2 = noise(1)\nboundary u = 0\n"
    "step 8 { u' = 1.9*u - 0.95*u[t-1] + 0.01*laplacian(u, order = 4) }\n",
    "grid x = 40, y = 50\nfield u, v : f64 = noise(1)\nscalar s : f64 = 0\nboundary u = copy\n"
    "step 6 {\n  s = sum(u*v)\n  u' = 0.5*u + 0.1*u[0,1] + 0.001*s\n  v = 0.9*v + 0.1*u'\n}\n"
    "s = max(u)\n",
    "grid x = 90, y = 130\nfield u, v : f64 = noise(1)\nboundary u, v = 0\n" /* wavefronts */
    "step 3 {\n  sweep x up, y up { u = 0.2*u + 0.3*u[-1,0] + 0.3*u[0,-1] }\n"
    "  sweep x down { v = 0.5*v[1,0] + 0.1*u }\n}\n",                          /* pieces */
    "grid x = 130, y = 130, z = 3\nfield u : f32 = noise(1)\nboundary u = 0\n" /* planes */
    "step 2 { sweep z up { u = 0.5*u[0,-1,-1] + 0.5*u[0,1,-1] + 0.1*u[1,0,-1] } }\n",
    "grid x = 50, y = 60, z = 8\nfield u : f64 = noise(1)\nboundary u = 0\n"
    "step 2 { sweep y up, z up { u = 0.5*u[0,-1,0] + 0.4*u[0,0,-1] } }\n",
};

/* What a strategy refuses is run with another.  Tiles are small, or one. */
CASE(threads_without_work_change_nothing) {
  static const char *const how[] = {"sweep tile=0,4,3",         "sweep",
                                    "fuse steps=3 tile=0,7,5",  "hex steps=2 tile=0,6,5",
                                    "skew steps=2 tile=0,16,7", "skew steps=2 tile=0,6,0"};
  static const int         threads[] = {128, 64, 5, 17, 33, 128, 9};
  enum { PROGRAMS = sizeof few_cells / sizeof *few_cells, WAYS = sizeof how / sizeof *how };
  for (int i = 0; i < PROGRAMS * WAYS; i++) {
    if (!check_is_due((uint64_t)i)) continue;
    ik_plan plan = {.target = "cpu", .strategy = "sweep", .steps = 1};
    plan.cpu.rows = plan.cpu.vectors = plan.cpu.planes = 1, plan.cpu.vector_bytes = 16;
    CHECK(ik_plan_read(how[i % WAYS], &plan));
    plan.threads = threads[i % 7];
    if (run_some_way(few_cells[i / WAYS], &plan) != SAME)
      check_fail(__FILE__, __LINE__, "%s, %d threads\n%s", how[i % WAYS], plan.threads,
                 few_cells[i / WAYS]);
  }
}

/* ---- what random programs once brought to light ---- */

static const struct found {
  const char *what, *plan, *program;
} founds[] = {
    {"a temporary has cells beyond a periodic end", "sweep tile=0,4 rows=4 vectors=2",
     "grid x = 2, y = 7\nfield u : f64, history 2 = 2*noise(3) - 1\nfield v : f16 = 2*noise(2) - "
     "1\n"
     "boundary u { -x = reflect; +x = reflect; y = periodic }\n"
     "boundary v { -x = copy; +x = 0; -y = mirror; +y = antimirror }\n"
     "step 5 {\n  u' = sin(u[t-1, 0, 3])/4 + v[0, 3]/3 + u[-1, 1]/4\n"
     "  a = 0.5*u'[-1, 0] + 0.5*u'\n  v = max(a[-1, 1], v, v[1, -14])\n}\n"},
    {"fields with and without a periodic end", "sweep rows=1 vectors=1",
     "grid x = 31, y = 4\nfield u : f32 = 2*noise(2) - 1\nfield p : f64 = noise(3)\n"
     "boundary u { -x = 0.01; +x = antimirror; y = periodic }\n"
     "boundary p { -x = 0.5; +x = antimirror; -y = copy; +y = mirror }\n"
     "step 6 {\n  u' = 0.15*d2(p[1, 0], x, order = 2)\n"
     "  a = 0.5*u[0, -1] + 0.2*(p[1, 1]/6 - 0.166*u' + 0.166*u'[3, -1])\n"
     "  u' = 0.5*u' + 0.5*a[1, -9]\n}\n"},
    {"overwritten in place, and its images read", "fuse steps=7 tile=8,5 rows=1 vectors=1",
     "grid x = 33, y = 16\nfield u : f32 = noise(1)\nfield v : f64 = 2*noise(5) - 1\n"
     "boundary u { x = periodic; y = periodic }\nboundary v { -x = 1; +x = 2; y = periodic }\n"
     "step 8 {\n  a = 0.5*u[0, 1] + 0.25*v\n  v = 0.15*u\n  u' = 0.3*a[0, 2] + 0.3*a[-1, -1]\n}\n"},
    {"results outside the grid, cut", "skew steps=2 tile=16,8,17 rows=2 vectors=2",
     "grid x = 19, y = 7, z = 4\nfield u : f32 = 2*noise(4) - 1\nfield v : f32 = abs(u)\n"
     "boundary u { x = periodic; -y = antireflect; +y = 0.01; z = periodic }\n"
     "boundary v { -x = antireflect; +x = mirror; -y = 1; +y = antimirror; -z = copy; +z = 2 }\n"
     "step 1 {\n  a0 = 0.5*u[0, 0, 1] + 0.2*dfwd(v[1, 1, 0], x, order = 6)\n"
     "  u' = v[-2, 2, 0] on interior(1)\n"
     "  a1 = 0.5*u'[-2, 1, -2] + 0.2*a0[-5, 1, -2]\n"
     "  u' = 0.2*a1[3, -1, -3] - tanh(a1[-1, -11, 1])/3 - a0[0, -1, 1]/4 on interior(1)\n}\n"},
    {"the sign of a zero sum", "sweep bytes=8",
     "grid x = 13, y = 7\nfield u : f16\nboundary u { -x = 0; +x = antireflect; y = periodic }\n"
     "step 4 {\n  u' = -(u[-1, 0]/4 + tan(0.5*u[0, -2])/12 - u[-1, -1]^4/5 - 0.249*u)"
     "*min(1, abs(dot(u, sin(t/100))))\n}\n"},
    {"neighbours along lanes, read in place, in skewed tiles", "skew steps=1 tile=1 shift=1",
     "grid x = 17\nfield v : bf16 = 2*noise(5) - 1\n"
     "step 2 {\n  v' = 0.15*d2(v[1], x, order = 4) on x = 4 .. 10\n}\n"},
    {"images of what is made from a temporary in memory", "sweep rows=1 vectors=1",
     "grid x = 3, y = 4, z = 5\nfield u : f64 = 2*noise(2) - 1\nboundary u = periodic\n"
     "step 1 {\n  a = u[0, 0, 1] + u[0, 0, -1]\n  u' = u[0, 0, 2] + a[0, 0, -1]\n"
     "  s = min(u'*u'[0, 0, -1])\n}\n"},
    {"read where they lie, one with images and one beyond a face", "sweep rows=1 vectors=4",
     "grid x = 523, y = 8\nfield u : bf16 = 2*noise(4) - 1\nfield v : f64 = 2*noise(3) - 1\n"
     "field p : f16\nboundary u = periodic\nboundary v = 0\n"
     "step 2 {\n  p = max((u/4 + 0.2*v + 0.2*u[0, 1])[-2, -1], v)\n}\n"},
    {"images of one value, computed with another that nobody looks around",
     "fuse steps=3 tile=2,2 rows=4 vectors=1",
     "grid x = 33, y = 11\nfield u : f32 = noise(1)\nfield p : f32 = noise(2)\n"
     "field q : f32 = noise(3)\nboundary u, p, q { -x = reflect; +x = mirror; y = periodic }\n"
     "step 1 {\n  q' = p\n}\n"
     "step 8 {\n  p' = q\n  u' = 3*p'[-1, -2] - 8\n  p' = p[0, 1]\n}\n"},
    {"a face of a tile where the last of several boxes has no cells", "sweep tile=2 vectors=1",
     "grid x = 33\nfield u : f32 = 2*noise(8) - 1\nfield v : f64 = u\n"
     "boundary u { -x = copy; +x = 0 }\nstep 4 {\n  u' = 0.5*u[-1] + 0.25*u on interior(16)\n"
     "  v = 0.25*(if x == 0 then u'[-1] else u)\n}\n"},
    {"planes beside the last of several boxes, along an axis that wraps",
     "sweep tile=2,16,5 rows=4 vectors=2",
     "grid x = 4, y = 7, z = 17\nfield u : f32 = 2*noise(1) - 1\n"
     "boundary u { x = periodic; -y = antimirror; +y = reflect; z = periodic }\n"
     "step 3 {\n  u' = 0.2*u[1, 1, -2] + 0.3*u[-1, 0, 2] on interior(1)\n"
     "  s = sum(u*u'[2, -1, 0])\n}\n"},
    {"planes that stand for those beyond a face, read by a temporary outside the grid",
     "sweep tile=16,1 rows=4 vectors=2",
     "grid x = 64, y = 8\nfield u : f64 = 2*noise(2) - 1\n"
     "field p : f32, on (x+2, y+2) = 2*noise(3) - 1\n"
     "boundary u { x = periodic; y = periodic }\n"
     "boundary p { x = periodic; -y = reflect; +y = antimirror }\n"
     "step 5 {\n  a = 0.5*u[1, 0] + 0.5*(if y > 5 then 0.25*p[1, 0] else p)\n"
     "  p = 0.3*a[-1, 0] + 0.2*a[0, -1] + 0.2*a[1, 1] + 0.1*a[-1, 1]\n}\n"},
    {"rows that all lie beyond a face, where values differ along them", "sweep rows=1 vectors=4",
     "grid x = 20, y = 1, z = 3\nfield u : f32\nfield v : f32, on (x, y) = 2\n"
     "field p : f32, on (x+2, y+2, z)\n"
     "boundary u { x = periodic; -y = 0.7; +y = antireflect; z = periodic }\n"
     "boundary v { -x = sin(0.3*x + t); +x = 0.6875; -y = copy; +y = 1 }\n"
     "boundary p { x = periodic; -y = copy; +y = antimirror; z = periodic }\n"
     "step 2 {\n  a = u + v\n  v' = v[-1, 0]\n  p' = a[0, 2, 1] on interior(1)\n}\n"},
    {"planes made up beyond a face, between two that a statement reads", "sweep planes=2 bytes=8",
     "grid x = 16, y = 9, z = 3\nfield v : f64 = 2*noise(5) - 1\n"
     "boundary v { -x = copy; +x = sin(0.3*z + t); -y = antireflect; +y = mirror; -z = 0.7; "
     "+z = reflect }\n"
     "step 1 {\n  a = v[1, -1, 7] + v[1, 1, 0]\n  v = 0.4*d(a, z, order = 6)\n}\n"},
    {"planes made up beyond both faces, read after a sweep by blocks of more rows than the sweep "
     "has",
     "sweep rows=2 bytes=8",
     "grid x = 12, y = 4\nfield u, v : f32 = 2*noise(3) - 1\nboundary u = 0\n"
     "boundary v { x = 0; -y = 0.3; +y = 0.25 }\n"
     "step 1 {\n  sweep y up { at last { v' = 0.5*v'[0, -1] + 0.1*v[1, -1] } }\n"
     "  u' = u + v[0, 1] + v[0, -3]\n}\n"},
    {"lanes that all lie beyond a face: as those rows, though these never differed",
     "sweep rows=1 vectors=2",
     "grid x = 20, y = 6\nfield v : f32 = noise(1)\nfield p : f32\n"
     "boundary v { -x = y; +x = y + t; -y = x; +y = 3*x }\n"
     "step 3 {\n  a = v + v[1, 0]\n  v' = v[-1, 0] + 0.1*p\n"
     "  p' = a[25, 0] + a[-27, 1] on interior(1)\n}\n"},
    {"a negated sum that is zero, in two lanes of f32", "sweep rows=1 vectors=1 bytes=16",
     "grid x = 64, y = 6\nfield u : bf16 = 0.25\n"
     "boundary u { -x = sin(0.3*x + t); +x = mirror; -y = 0; +y = antireflect }\n"
     "step 1 {\n  u' = (-((1/3*u[0, 1] + 1/3*u[0, -1])*(if u >= u[1, 1] then u[1, -1] else u)))"
     "\n}\n"},
    {"short rows of which one end alone is wanted", "sweep rows=1 vectors=1 in_place=1",
     "grid x = 64, y = 20, z = 20\nfield u, w : f32 = noise(1)\nboundary u = mirror\n"
     "w = 0.5*u[-16, 0, 0] + 0.3*u[16, 0, 0] + 0.1*u[0, 1, 1] on x = 20 .. 63\n"},
    {"an end of rows that stands for what lies beyond the other",
     "sweep rows=1 vectors=1 in_place=1",
     "grid x = 90, y = 12, z = 4\nfield u, w : f32 = noise(1)\nboundary u = periodic\n"
     "w = 0.5*u[-2, 0, 0] + 0.3*u[0, -1, 0] + 0.1*u[0, 1, 1] on x = 0 .. 9\n"},
    {"images along rows, made from what is read whole", "fuse steps=2 tile=8,4 rows=1 in_place=1",
     "grid x = 37, y = 20, z = 13\nfield u, k : f32 = noise(1)\nboundary u = periodic\n"
     "boundary k = 0.5\nstep 4 {\n  u' = 0.2*u[0, 0, 4] + 0.2*u[0, 0, -4] + 0.1*u[1, 0, 0] + 0.1*k"
     "\n}\n"},
    {"kernels that know the ends of rows, shared by boxes that have one end or none",
     "skew steps=2 tile=33,17,1 planes=2 rows=1 vectors=4 in_place=1",
     "grid x = 16, y = 9, z = 19\nfield u : f64, history 2 = 2*noise(4) - 1\n"
     "boundary u = absorbing(4)\n"
     "step 7 {\n  u' = 2*u - u[t-1] + 0.01*laplacian(u, order = 2)\n}\n"},
    {"temporaries that are made before the loop", "fuse steps=2 tile=16,8 rows=2 vectors=1",
     "grid x = 40, y = 30\nfield u, w : f32 = noise(1)\nboundary u, w = mirror\n"
     "a = u[1, 0] - u[-1, 0]\nb = a[0, 1] + a[0, -1]\n"
     "step 9 {\n  u' = 0.9*u + 0.01*b[1, 0] + 0.01*b\n}\nc = a + u\n"
     "step 3 {\n  w' = 0.5*w + 0.1*c[0, 1] + 0.1*a[-1, 0]\n}\ns = sum(b*b)\n"},
    {"overwritten in place, and read for the images of a temporary along rows",
     "sweep tile=0,2,0 rows=1 vectors=1",
     "grid x = 33, y = 17, z = 5\nfield u : f32 = noise(1)\nfield v : f16 = 2*noise(4) - 1\n"
     "boundary u { x = periodic; -y = copy; +y = mirror; z = periodic }\n"
     "boundary v { x = periodic; y = periodic; -z = 0; +z = mirror }\n"
     "step 2 {\n  v = 0.5*v\n  a = 0.5*u[1, 0, -1] + 0.5*v\n  v = -u[-1, 0, 0]\n"
     "  u' = a[1, 1, -2]\n}\n"},
    {"overwritten in place, and read for the images of a temporary along the stream",
     "sweep rows=1 vectors=1",
     "grid x = 33, y = 17\nfield u : f32 = noise(1)\nfield v : f16 = 2*noise(4) - 1\n"
     "boundary u = copy\nboundary v = periodic\n"
     "step 2 {\n  v = 0.5*v\n  a = 0.5*u + 0.5*v\n  v = -u\n"
     "  u' = 0.3*a[0, 2] + 0.3*a[0, -2]\n}\n"},
    {"slabs of whole rows where tiles have only a part of them", "skew steps=2 tile=16,10,0 rows=1",
     "grid x = 40, y = 30, z = 20\nfield u, v : f32 = noise(1)\nboundary u = 0\n"
     "step 6 {\n  u' = 0.5*u + 0.1*u[0, 1, 0] + 0.1*u[0, 0, 1] + 0.1*v\n"
     "  v' = 0.5*v + 0.01*u'\n}\n"},
    {"slabs of more rows than tiles where cells do not see each other",
     "skew steps=2 tile=0,80,0 rows=1 vectors=1",
     "grid x = 20, y = 200, z = 9\nfield u, v : f32 = noise(1)\nboundary u, v = 0\n"
     "step 6 {\n  u' = 0.5*u + 0.1*u[0, 1, 0] + 0.1*v\n  v' = 0.5*v\n"
     "  v' = 0.1*u' on x = 1 .. 18\n}\n"},
};

CASE(what_once_differed_does_not) {
  for (size_t i = 0; i < sizeof founds / sizeof *founds; i++) {
    if (!check_is_due(i)) continue;
    ik_plan plan = {
        .target = "cpu", .strategy = "sweep", .steps = 1, .cpu.rows = 4, .cpu.vectors = 2};
    plan.cpu.vector_bytes = 16, plan.threads = 2, plan.cpu.stream = true;
    CHECK(ik_plan_read(founds[i].plan, &plan));
    if (outcome_of(founds[i].program, &plan) != SAME)
      check_fail(__FILE__, __LINE__, "%s", founds[i].what);
  }
}

/* ---- fields that are read where they lie ---- */

static void write_in_place(int k, int reach, ik_buf *out) {
  static const char *const bc[] = {"0.5",     "copy",        "mirror",   "antimirror",
                                   "reflect", "antireflect", "periodic", "x*y/50 + z/20 - t/9"};
  const char              *u = bc[k % 8], *v = bc[(k + 3) % 8], *w = bc[(k + 5) % 8];
  ik_buf_printf(out,
                "grid x = %d, y = 13, z = 11\nfield u : f32 = 2*noise(1) - 1\n"
                "field v : f64 = 2*noise(2) - 1\nboundary u { x = %s; y = %s; z = %s }\n"
                "boundary v = %s\nstep 5 {\n"
                "  u' = 0.3*u + 0.2*u[%d, 0, 0] + 0.2*u[-1, %d, 0] + 0.2*u[0, 0, -1]*v[0, -1, 0]\n"
                "  v' = 0.4*v[-%d, 0, 0] + 0.3*v[1, -%d, 1] + 0.2*u\n}\n",
                75 + 8 * k, u, v, w, u, reach, reach, reach, reach);
}

CASE(fields_read_in_place_give_the_same_bits) {
  static const char *const how[] = {"sweep steps=1 rows=1 vectors=4",
                                    "sweep steps=1 tile=0,4,3 rows=4 vectors=1",
                                    "fuse steps=2 tile=0,5,0 rows=2",
                                    "fuse steps=3 tile=0,0,6 rows=1 vectors=1 planes=2",
                                    "sweep steps=1 tile=0,6,0 rows=2 bytes=8",
                                    "hex steps=2 tile=0,6,6 rows=1"};
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < 12; i++) {
      if (!check_is_due((uint64_t)(12 * k + i))) continue;
      ik_buf  text = {0};
      ik_plan plan = {
          .target = "cpu", .strategy = "sweep", .steps = 1, .cpu.vectors = 2, .cpu.in_place = true};
      plan.cpu.vector_bytes = 16, plan.threads = 2, plan.cpu.stream = true;
      CHECK(ik_plan_read(how[i % 6], &plan));
      write_in_place(k, 1 + i / 6, &text);
      if (run_some_way(ik_buf_text(&text), &plan) != SAME)
        check_fail(__FILE__, __LINE__, "%s\n%s", how[i % 6], ik_buf_text(&text));
      ik_buf_free(&text);
    }
}

/* ---- what is computed a row ahead, and cells that rows leave as they are ---- */

static bool says(const trial *t, const char *what) {
  return t->engine && strstr(t->engine->loops, what);
}

/* A program in vectors of so many bytes, in some way or other; what the engine says of it is in
 * `a`. */
static void try_with(int bytes, uint64_t seed, family_write *write, bool place, trial *a) {
  static trial b;
  ik_buf       text = {0};
  ik_plan      plan = family_plan_rows(seed, bytes, place);
  set_gaps(seed);
  write(seed, &text);
  if (compare(ik_buf_text(&text), &plan, a, &b) != SAME) complain(seed, &text, &plan, a, &b);
  set_gaps(0);
  trial_close(&b);
  ik_buf_free(&text);
}

CASE(rows_ahead_and_remainders_give_the_same_bits) {
  uint64_t seed = check_seed();
  uint64_t n = check_count(default_count());
  int      ahead = 0, rest = 0, both = 0;
  if (!trial_can_run(64)) {
    printf("not run: no vectors of 64 bytes here\n");
    return;
  }
  for (uint64_t i = 0; i < n; i++) {
    static trial a;
    try_with(64, seed + i, family_ahead, false, &a);
    ahead += says(&a, "rows ahead"), rest += says(&a, "a remainder of");
    both += says(&a, "rows ahead") && says(&a, "a remainder of");
    trial_close(&a);
  }
  printf("%d programs from seed %d on: %d with rows ahead, %d with a remainder, %d with both\n",
         (int)n, (int)seed, ahead, rest, both);
  CHECK(!is_usual(seed, n) || (ahead > 3 && rest > 3 && both > 1));
}

/* ---- rows that are read whole ---- */

CASE(rows_that_are_read_whole_give_the_same_bits) {
  uint64_t seed = check_seed();
  uint64_t n = check_count(default_count());
  int      whole = 0, padded = 0;
  if (!trial_can_run(64)) {
    printf("not run: no vectors of 64 bytes here\n");
    return;
  }
  for (uint64_t i = 0; i < n; i++) {
    static trial a;
    try_with(64, seed + i, family_whole_rows, true, &a);
    whole += says(&a, "rows whole"), padded += says(&a, "beyond them");
    trial_close(&a);
  }
  printf("%d programs from seed %d on: %d with rows read whole, %d of padded arrays\n", (int)n,
         (int)seed, whole, padded);
  CHECK(!is_usual(seed, n) || (whole > 5 && whole < (int)n && padded > 1));
}

CASE(rows_whose_ends_are_known_give_the_same_bits) {
  uint64_t seed = check_seed();
  uint64_t n = check_count(default_count());
  int      width[IK_ISA_WIDTHS], widths = ik_isa_widths(width), whole = 0;
  for (uint64_t i = 0; i < n; i++) {
    static trial a;
    try_with(width[i % (uint64_t)widths], seed + i, family_ends, true, &a);
    whole += says(&a, "rows whole");
    trial_close(&a);
  }
  printf("%d programs from seed %d on: %d with rows read whole\n", (int)n, (int)seed, whole);
  CHECK(!is_usual(seed, n) || (whole > 5 && whole < (int)n));
}

/* ---- fluxes between neighbours along a row ---- */

/* How many of n programs have code with that in it; all must have the interpreter's bits. */
static int compare_all(uint64_t seed, uint64_t n, family_write *write, family_plan *how,
                       const char *in_code) {
  int found = 0;
  for (uint64_t i = seed; i < seed + n; i++) {
    static trial a, b;
    ik_buf       text = {0};
    ik_plan      plan = plan_of(i, how);
    set_gaps(i);
    write(i, &text);
    if (compare_some_way(ik_buf_text(&text), &plan, &a, &b) != SAME)
      complain(i, &text, &plan, &a, &b);
    found += a.engine && strstr(a.engine->code, in_code);
    set_gaps(0);
    trial_close(&a), trial_close(&b);
    ik_buf_free(&text);
  }
  return found;
}

CASE(fluxes_have_the_same_bits) {
  uint64_t seed = check_seed();
  uint64_t n = check_count(default_count());
  int      limited = compare_all(seed, n, family_fluxes, family_plan_any, "ik_select");
  printf("%d programs from seed %d on: %d with limited fluxes\n", (int)n, (int)seed, limited);
  CHECK(!is_usual(seed, n) || limited > (int)n / 6);
}

/* ---- boxes, of which wide vectors load half of the neighbours ---- */

CASE(boxes_have_the_same_bits) {
  uint64_t seed = check_seed();
  uint64_t n = check_count(default_count() / 2);
  int      shifted = compare_all(seed, n, family_boxes, family_plan_boxes, "ik_shift");
  printf("%d programs from seed %d on: %d with shifted neighbours\n", (int)n, (int)seed, shifted);
  CHECK(!is_usual(seed, n) || shifted > (int)n / 3);
}

/* ---- several steps in a pass, of fields that keep several values ---- */

CASE(levels_that_passes_make_have_the_same_bits) {
  uint64_t seed = check_seed();
  uint64_t n = check_count(2 * default_count());
  int      legal = 0, several = 0, ahead = 0;
  for (uint64_t i = seed; i < seed + n; i++) {
    static trial a, b;
    ik_buf       text = {0};
    ik_plan      plan = plan_of(i, family_plan_fused);
    set_gaps(i);
    family_levels(i, &text);
    outcome o = compare(ik_buf_text(&text), &plan, &a, &b);
    if (o != SAME && o != NOT_LEGAL) complain(i, &text, &plan, &a, &b);
    legal += o != NOT_LEGAL, several += o == SAME && says(&a, "steps\n");
    ahead += o == SAME && says(&a, "memory level 2");
    set_gaps(0);
    trial_close(&a), trial_close(&b);
    ik_buf_free(&text);
  }
  printf("%d programs from seed %d on: %d legal, %d with several steps in a pass, %d of them with "
         "several levels\n",
         (int)n, (int)seed, legal, several, ahead);
  CHECK(!is_usual(seed, n) || (legal > (int)n / 2 && several > legal / 2 && ahead > several / 3));
}

/* ---- slabs of skewed tiles ---- */

CASE(slabs_of_skewed_tiles_give_the_same_bits) {
  static family_write *const write[] = {family_whole_rows, family_ends, family_any, family_padded};
  uint64_t                   seed = check_seed();
  uint64_t                   n = check_count(default_count());
  int                        slabs = 0, padded = 0;
  for (uint64_t i = seed; i < seed + n; i++) {
    static trial a, b;
    ik_buf       text = {0};
    ik_plan      plan = plan_of(i, family_plan_slabs);
    set_gaps(i % 4 == 3 ? 2 : i / 4);
    write[i % 4](i, &text);
    outcome o = compare(ik_buf_text(&text), &plan, &a, &b);
    if (o == OTHER) complain(i, &text, &plan, &a, &b);
    slabs += o == SAME && strcmp(a.engine->strategy, "skew") == 0;
    padded += o == SAME && says(&a, "beyond them");
    set_gaps(0);
    trial_close(&a), trial_close(&b);
    ik_buf_free(&text);
  }
  printf("%d programs from seed %d on: %d in skewed tiles, %d of padded arrays\n", (int)n,
         (int)seed, slabs, padded);
  CHECK(!is_usual(seed, n) || (slabs > 10 && padded > 0));
}

/* ---- sources and receivers in several steps at a time ---- */

CASE(receivers_hear_the_same_when_several_steps_are_made_in_one_go) {
  uint64_t seed = check_seed();
  uint64_t n = check_count(default_count());
  int      whole = 0, waves = 0;
  for (uint64_t i = seed; i < seed + n; i++) {
    static trial a, b;
    ik_buf       text = {0};
    ik_plan      plan = plan_of(i, family_plan_steps);
    set_gaps(i);
    family_heard(i, &text);
    if (compare_some_way(ik_buf_text(&text), &plan, &a, &b) != SAME)
      complain(i, &text, &plan, &a, &b);
    whole += says(&a, "spots step");
    waves += a.engine && strcmp(a.engine->strategy, "fuse") && a.engine->stride > 1;
    set_gaps(0);
    trial_close(&a), trial_close(&b);
    ik_buf_free(&text);
  }
  printf("%d programs from seed %d on: %d heard within a pass, %d in tiles of time\n", (int)n,
         (int)seed, whole, waves);
  CHECK(!is_usual(seed, n) || (whole >= (int)n / 6 && waves > (int)n / 6));
}
