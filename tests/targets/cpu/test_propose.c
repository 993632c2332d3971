#include "targets/target.h"
#include "lang/program.h"
#include <math.h>

typedef struct world {
  program     p;
  ik_facts    facts;
  ik_source   src;
  ik_problem  problem;
  ik_proposal all[64]; /* how many are promising depends on the caches that are here */
  int         n;
} world;

static const ik_target *cpu(void) {
  for (const ik_target *const *t = ik_targets; *t; t++)
    if (!strcmp((*t)->name, "cpu")) return *t;
  return NULL;
}

static void propose(world *w, const char *figures) {
  ik_machine *m = NULL;
  w->src = (ik_source){"test.ikm", figures, strlen(figures)};
  CHECK_EQ(ik_machine_read("local", &w->src, &w->p.arena, &w->p.diag, &m), IK_OK);
  w->problem = (ik_problem){.ir = w->p.ir, .facts = &w->facts, .threads = 2};
  w->problem.machine = *figures ? m : NULL;
  w->n = cpu()->propose(&w->problem, &w->p.arena, &w->p.diag, w->all, 64);
}

/* The neighbours of a plan. */
static void surround(world *w, const ik_plan *plan) {
  const ik_plan around = *plan;
  w->problem.breadth = IK_BREADTH_NEAR, w->problem.around = &around;
  w->n = cpu()->propose(&w->problem, &w->p.arena, &w->p.diag, w->all, 64);
  w->problem.breadth = IK_BREADTH_SHORT, w->problem.around = NULL;
}

static bool open_world(world *w, const char *text) {
  *w = (world){0};
  if (!MUST_OPEN(&w->p, text)) return false;
  CHECK_EQ(ik_facts_of(w->p.ir, -1, &w->p.arena, &w->p.diag, &w->facts), IK_OK);
  propose(w, "");
  CHECK(w->n > 2);
  return w->n > 2;
}

static void close_world(world *w) { program_close(&w->p); }

#define PLATE(steps)                                                                               \
  "grid x = 4096, y = 4096\nfield u : f32 = 1\nboundary u = 0\nstep " steps                        \
  " { u' = (u[-1,0] + u[1,0] + u[0,-1] + u[0,1])/4 }\n"
#define STAR PLATE("100")

CASE(proposals_say_what_their_time_is_made_of) {
  world w;
  if (open_world(&w, STAR))
    for (int i = 0; i < w.n; i++) {
      double sum = 0;
      if (!w.all[i].time || !w.all[i].work) {
        CHECK(!"a price");
        continue;
      }
      for (int r = 0; r < IK_PIPELINE_RESOURCES; r++) sum += w.all[i].time->part[r];
      CHECK(w.all[i].seconds > 0 && w.all[i].time->seconds == w.all[i].seconds);
      CHECK_NEAR(sum / w.all[i].seconds, 1, 1e-12);
    }
  close_world(&w);
}

CASE(the_same_question_has_the_same_answer) {
  world a, b;
  bool  opened = open_world(&a, STAR);
  if (open_world(&b, STAR) && opened) {
    CHECK_EQ(a.n, b.n);
    for (int i = 0; i < a.n && i < b.n; i++) {
      ik_buf p = {0}, q = {0};
      ik_plan_write(&a.all[i].plan, &p), ik_plan_write(&b.all[i].plan, &q);
      CHECK_STR(ik_buf_text(&p), ik_buf_text(&q));
      CHECK(a.all[i].seconds == b.all[i].seconds);
      ik_buf_free(&p), ik_buf_free(&q);
    }
  }
  close_world(&a), close_world(&b);
}

/* Kernels for more steps than there are would be compiled for nothing. */
CASE(no_plan_has_more_steps_than_the_loop) {
  world w;
  if (open_world(&w, PLATE("3")))
    for (int i = 0; i < w.n; i++) CHECK(w.all[i].plan.steps <= 3);
  close_world(&w);
}

#define MEMORY(rate) "clock = 2.6 GHz\nprobe.threads = 2\nmemory.bandwidth = " rate " GB/s\n"

/* With hardly any memory it limits every plan, and more steps in one pass pay. */
CASE(what_was_measured_is_planned_with) {
  world w;
  if (open_world(&w, STAR)) {
    propose(&w, MEMORY("200"));
    double fast = w.all[0].seconds;
    int    steps = w.all[0].plan.steps;
    propose(&w, MEMORY("0.2"));
    CHECK(w.all[0].seconds > 10 * fast && w.all[0].plan.steps >= steps);
    CHECK_EQ(ik_pipeline_saturated(w.all[0].time), IK_PIPELINE_MEMORY);
  }
  close_world(&w);
}

/* A machine of which nothing was measured is one of its kind. */
CASE(nothing_measured_changes_nothing) {
  world w;
  if (open_world(&w, STAR)) {
    char   text[160];
    double seconds = w.all[0].seconds;
    snprintf(text, sizeof text, "title = \"%s\"\n", ik_machine_processor());
    propose(&w, text);
    CHECK(w.all[0].seconds == seconds);
  }
  close_world(&w);
}

static bool proposes(const world *w, const char *strategy, int planes) {
  for (int i = 0; i < w->n; i++)
    if (!strcmp(w->all[i].plan.strategy, strategy) && w->all[i].plan.cpu.planes >= planes)
      return true;
  return false;
}

CASE(fields_with_a_longer_history_are_made_several_steps_at_a_time) {
  world w;
  if (open_world(&w, "grid x = 64, y = 64, z = 64\nfield u : f32, history 2\nboundary u = 0\n"
                     "step 9 { u' = 2*u - u[t-1] + u[1,0,0] - u[-1,0,0] }\n"))
    CHECK(proposes(&w, "fuse", 1) && proposes(&w, "sweep", 1));
  close_world(&w);
}

static bool is_same(const ik_plan *p, const ik_plan *q) {
  ik_buf a = {0}, b = {0};
  ik_plan_write(p, &a), ik_plan_write(q, &b);
  bool same = !strcmp(ik_buf_text(&a), ik_buf_text(&b));
  ik_buf_free(&a), ik_buf_free(&b);
  return same;
}

static bool has_plan(const ik_proposal *all, int n, const ik_plan *p) {
  for (int i = 0; i < n; i++)
    if (is_same(&all[i].plan, p)) return true;
  return false;
}

/* Who wants all of them has the promising ones, the first of them first, the neighbours of that and
 * others. */
CASE(all_is_everything_that_was_priced) {
  enum { MOST = 320 };
  world w;
  if (open_world(&w, STAR)) {
    ik_proposal *all = IK_NEW_N(&w.p.arena, ik_proposal, MOST);
    int          few = cpu()->propose(&w.problem, &w.p.arena, &w.p.diag, all, MOST);
    w.problem.breadth = IK_BREADTH_ALL;
    int many = cpu()->propose(&w.problem, &w.p.arena, &w.p.diag, all, MOST);
    CHECK(few == w.n && many > few && many < MOST);
    CHECK(is_same(&w.all[0].plan, &all[0].plan));
    for (int i = 0; i < w.n; i++) CHECK(has_plan(all, many, &w.all[i].plan));
    const ik_plan best = w.all[0].plan;
    surround(&w, &best);
    CHECK(many > few + w.n / 2);
    for (int i = 0; i < w.n; i++) CHECK(has_plan(all, many, &w.all[i].plan));
  }
  close_world(&w);
}

/* ---- neighbours ---- */

/* Along how many axes, or in how many other things, two plans differ. */
static int differences(const ik_plan *p, const ik_plan *q) {
  int n = strcmp(p->strategy, q->strategy) != 0;
  n += (p->steps != q->steps) + (p->tile[0] != q->tile[0]) + (p->tile[1] != q->tile[1]);
  n += (p->tile[2] != q->tile[2]) + (p->cpu.rows != q->cpu.rows);
  n += (p->cpu.vectors != q->cpu.vectors) + ((p->cpu.planes > 1) != (q->cpu.planes > 1));
  n += (p->cpu.vector_bytes != q->cpu.vector_bytes) + (p->cpu.stream != q->cpu.stream);
  return n + (p->cpu.shift != q->cpu.shift) + (p->cpu.in_place != q->cpu.in_place);
}

/* The plan that the model likes best, with other words. */
static ik_plan with_words(const world *w, const char *words) {
  ik_plan p = w->all[0].plan;
  CHECK(ik_plan_read(words, &p));
  return p;
}

CASE(neighbours_differ_in_one_thing) {
  static const char *const words[] = {"fuse steps=4 tile=512,1024", "fuse steps=2 tile=0,0",
                                      "sweep steps=1 tile=0,512 rows=8 vectors=1"};
  for (int k = 0; k < 3; k++) {
    world w;
    if (open_world(&w, STAR)) {
      const ik_plan around = with_words(&w, words[k]);
      surround(&w, &around);
      CHECK(w.n > 10);
      for (int i = 0; i < w.n; i++) {
        CHECK_EQ(differences(&w.all[i].plan, &around), 1);
        CHECK(!has_plan(w.all, i, &w.all[i].plan));
        CHECK(w.all[i].work && !w.all[i].ranked && w.all[i].seconds > 0);
        /* The most promising first, but for what is held for as good. */
        CHECK(!i || 1.15 * w.all[i].seconds >= w.all[i - 1].seconds);
      }
    }
    close_world(&w);
  }
}

/* The numbers along an axis (or of steps: -1) that neighbours have instead of the plan's. */
static void check_others(int line, const world *w, const ik_plan *around, int axis,
                         const int64_t *want, int n) {
  int found = 0;
  for (int i = 0; i < w->n; i++) {
    const ik_plan *p = &w->all[i].plan;
    int64_t        is = axis < 0 ? p->steps : p->tile[axis];
    bool           wanted = false;
    if (is == (axis < 0 ? around->steps : around->tile[axis])) continue;
    for (int k = 0; k < n; k++) wanted |= want[k] == is;
    if (!wanted) check_fail(__FILE__, line, "%lld along %d", (long long)is, axis);
    found++;
  }
  if (found != n) check_fail(__FILE__, line, "%d of %d along %d", found, n, axis);
}
#define CHECK_OTHERS(w, around, axis, ...)                                                         \
  check_others(__LINE__, w, around, axis, (const int64_t[]){__VA_ARGS__},                          \
               sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

/* Halves and quarters of a tile and of the whole axis, and the whole of it; as many pieces as there
 * are threads, but not along the lanes; some steps more and less. */
CASE(neighbours_lie_in_every_direction) {
  world w;
  if (open_world(&w, STAR)) {
    w.problem.threads = 3;
    ik_plan p = with_words(&w, "fuse steps=4 tile=512,1024");
    surround(&w, &p);
    CHECK_OTHERS(&w, &p, 0, 256, 1024, 384, 768, 0);
    CHECK_OTHERS(&w, &p, 1, 512, 2048, 768, 1536, 0);
    CHECK_OTHERS(&w, &p, -1, 5, 3, 6, 8, 2);
    propose(&w, "");
    w.problem.threads = 3;
    p = with_words(&w, "fuse steps=4 tile=0,3000");
    surround(&w, &p);
    CHECK_EQ(w.all[0].plan.tile[0], 0);
    CHECK_OTHERS(&w, &p, 1, 1500, 2250, 0); /* twice as long is longer than the axis */
    propose(&w, "");
    w.problem.threads = 3;
    p = with_words(&w, "fuse steps=2 tile=512,0");
    surround(&w, &p);
    CHECK_OTHERS(&w, &p, 1, 2048, 1024, 1366);
    CHECK_OTHERS(&w, &p, -1, 3, 4);
  }
  close_world(&w);
  if (open_world(&w, PLATE("5"))) { /* no more steps than there are */
    ik_plan p = with_words(&w, "fuse steps=4 tile=512,1024");
    surround(&w, &p);
    CHECK_OTHERS(&w, &p, -1, 5, 3, 2);
  }
  close_world(&w);
}

/* A plan that another strategy has won with, and a strategy that is asked for. */
CASE(neighbours_are_of_the_same_strategy) {
  world w;
  if (open_world(&w, STAR)) {
    ik_plan p = with_words(&w, "hex steps=4 tile=0,64");
    surround(&w, &p);
    CHECK(w.n > 4);
    for (int i = 0; i < w.n; i++) CHECK_STR(w.all[i].plan.strategy, "hex");
    w.problem.strategy = "sweep";
    surround(&w, &p);
    CHECK_EQ(w.n, 0);
  }
  close_world(&w);
}

/* What is ranked has the blocks that the target chose: others are for measuring, and so is what
 * prices were counted from. */
CASE(what_is_ranked_has_blocks_of_one_size) {
  world w;
  if (open_world(&w, STAR)) {
    ik_proposal all[64];
    w.problem.breadth = IK_BREADTH_RANKED;
    int n = cpu()->propose(&w.problem, &w.p.arena, &w.p.diag, all, 64);
    CHECK(n > 1);
    for (int i = 0; i < n; i++) {
      const ik_plan *p = &all[i].plan, *first = &all[0].plan;
      CHECK(p->cpu.vectors == first->cpu.vectors && p->cpu.shift == first->cpu.shift);
      CHECK(!all[i].work);
      CHECK(i == 0 || !(all[i].seconds > 0) || all[i].seconds >= all[0].seconds);
    }
  }
  close_world(&w);
}

static bool is_one_of(int n, int most) { return n > 0 && n <= most && (n & (n - 1)) == 0; }

/* What is tried beside the best plan is 1, 2 or 4 vectors, and as many rows or twice that. */
CASE(blocks_that_are_tried_are_small) {
  world w;
  if (open_world(&w, STAR)) {
    bool          eight = false;
    const ik_plan best = w.all[0].plan;
    for (int i = 0; i < w.n; i++)
      CHECK(is_one_of(w.all[i].plan.cpu.vectors, 4) && is_one_of(w.all[i].plan.cpu.rows, 8));
    surround(&w, &best);
    for (int i = 0; i < w.n; i++) {
      CHECK(is_one_of(w.all[i].plan.cpu.vectors, 4) && is_one_of(w.all[i].plan.cpu.rows, 8));
      eight |= w.all[i].plan.cpu.rows == 8;
    }
    CHECK(eight);
  }
  close_world(&w);
}

/* ... and one step less in the same tiles, unless a single one would be left.  With hardly any
 * memory several are best anywhere. */
CASE(fewer_steps_in_the_same_tiles_are_tried) {
  world w;
  if (open_world(&w, STAR)) {
    propose(&w, MEMORY("0.2"));
    bool          found = false;
    const ik_plan best = w.all[0].plan;
    CHECK(best.steps > 2);
    surround(&w, &best);
    for (int i = 0; i < w.n; i++)
      found |= w.all[i].plan.steps == best.steps - 1 && w.all[i].plan.tile[0] == best.tile[0] &&
               w.all[i].plan.tile[1] == best.tile[1];
    CHECK(found);
  }
  close_world(&w);
  if (open_world(&w, PLATE("2"))) {
    propose(&w, MEMORY("0.2"));
    CHECK_EQ(w.all[0].plan.steps, 2);
    const ik_plan best = w.all[0].plan;
    for (int i = 0; i < w.n; i++)
      CHECK(w.all[i].plan.steps > 1 || strcmp(w.all[i].plan.strategy, "fuse"));
    surround(&w, &best);
    for (int i = 0; i < w.n; i++)
      CHECK(w.all[i].plan.steps > 1 || strcmp(w.all[i].plan.strategy, "fuse"));
  }
  close_world(&w);
}

/* The model knows no price of hexagons: they are for measuring. */
CASE(hexagons_are_proposed_without_a_price) {
  world w;
  if (open_world(&w, STAR)) CHECK(proposes(&w, "hex", 0) && proposes(&w, "fuse", 0));
  close_world(&w);
}

/* Do neighbours of the best plan compute so many planes together? */
static bool near_has_planes(world *w, int planes) {
  const ik_plan best = w->all[0].plan;
  bool          found = false;
  surround(w, &best);
  for (int i = 0; i < w->n; i++) found |= w->all[i].plan.cpu.planes == planes;
  return found;
}

/* A program of rows has no planes to compute together. */
CASE(planes_together_are_tried_in_3d) {
  world w;
  if (open_world(&w, STAR)) {
    CHECK(!proposes(&w, "fuse", 2) && !proposes(&w, "sweep", 2));
    CHECK(!near_has_planes(&w, 2));
  }
  close_world(&w);
  if (open_world(&w, "grid x = 64, y = 64, z = 64\nfield u : f64, history 2\nboundary u = 0\n"
                     "step 9 { u' = 2*u - u[t-1] + 0.1*laplacian(u, order = 8) }\n")) {
    CHECK(w.all[0].plan.cpu.planes <= 1);
    CHECK(near_has_planes(&w, 2));
  }
  close_world(&w);
}

/* ... and one at a time, where the model holds two together for better: with any vectors but those
 * of 32 bytes. */
CASE(single_planes_are_tried_where_two_together_are_best) {
  world w;
  if (open_world(&w, "grid x = 512, y = 512, z = 512\nfield u : f32\nboundary u = 0\n"
                     "weights w = box(1, 1/27)\nstep 12 { u' = stencil(u, w) }\n")) {
    ik_plan best = w.all[0].plan;
    bool    found = false;
    surround(&w, &best);
    for (int i = 0; i < w.n; i++) {
      ik_plan p = w.all[i].plan;
      found |= p.cpu.planes == 1 && p.steps == best.steps && p.cpu.rows == best.cpu.rows &&
               p.cpu.vectors == best.cpu.vectors && p.cpu.shift == best.cpu.shift &&
               p.cpu.stream == best.cpu.stream && p.cpu.in_place == best.cpu.in_place &&
               !memcmp(p.tile, best.tile, sizeof p.tile);
    }
    CHECK(found || best.cpu.planes < 2);
  }
  close_world(&w);
}
