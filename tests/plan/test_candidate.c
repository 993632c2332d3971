#include "plan/candidate.h"
#include "lang/program.h"
#include <math.h>

typedef struct world {
  program       p;
  ik_facts      facts;
  ik_question   q;
  ik_machine   *m;
  ik_candidates c;
} world;

static bool open_world(world *w, const char *text, const char *machine, const char *what_if) {
  *w = (world){0};
  if (!MUST_OPEN(&w->p, text)) return false;
  CHECK_EQ(ik_facts_of(w->p.ir, -1, &w->p.arena, &w->p.diag, &w->facts), IK_OK);
  w->q = ik_question_of(w->p.ir, &w->facts);
  CHECK_EQ(ik_machine_find(machine, &w->p.arena, &w->p.diag, &w->m), IK_OK);
  CHECK_EQ(ik_machine_vary(w->m, what_if, &w->p.arena, &w->p.diag, &w->m), IK_OK);
  ik_candidates_units(&w->q, w->m, &w->p.arena, &w->c);
  ik_candidates_hexagons(&w->q, w->m, &w->p.arena, &w->c);
  ik_candidates_sort(&w->c, IK_LEAST_TIME);
  return true;
}

static void close_world(world *w) { program_close(&w->p); }

static const ik_candidate *find(const world *w, const char *strategy, int steps) {
  for (int i = 0; i < w->c.n; i++)
    if (!strcmp(w->c.at[i].strategy, strategy) && w->c.at[i].steps == steps) return &w->c.at[i];
  return NULL;
}

#define BOX(d, r, type)                                                                            \
  "grid " d "\nfield u : " type "\nboundary u = 0\n"                                               \
  "weights w = box(" r ", 1 + i/9)\nstep 100 { u' = stencil(u, w) }\n"
#define A100 "a100-80gb-pcie"

/* Cases 1, 2, 5 and 6 of Table 3 of "Do We Need Tensor Cores for Stencil Computations?". */
CASE(published_cases_have_the_published_scenarios) {
  world w;
  if (open_world(&w, BOX("x = 1024, y = 1024", "1", "f64"), A100, "")) {
    const ik_candidate *general = find(&w, "fuse", 3), *flat = find(&w, "matrix-flat", 3);
    CHECK(general && flat);
    CHECK_NEAR(general->intensity, 3.375, 1e-12);
    CHECK(general->memory_bound);
    CHECK_EQ(flat->scenario, 2);
    CHECK(flat->seconds > general->seconds);
    CHECK_NEAR(flat->alpha, 49 / 27.0, 1e-12);
  }
  close_world(&w);
  if (open_world(&w, BOX("x = 1024, y = 1024", "1", "f32"), A100, "")) {
    const ik_candidate *sparse = find(&w, "matrix-sparse", 7), *general = find(&w, "fuse", 7);
    CHECK(sparse && general);
    CHECK_EQ(sparse->scenario, 3);
    CHECK(sparse->memory_bound && sparse->seconds < general->seconds);
    CHECK(sparse->error > 0 && general->error == 0);
  }
  close_world(&w);
  if (open_world(&w, BOX("x = 128, y = 128, z = 128", "1", "f64"), A100, "")) {
    const ik_candidate *flat = find(&w, "matrix-flat", 3);
    CHECK(flat && flat->scenario == 4 && flat->seconds > find(&w, "fuse", 3)->seconds);
  }
  close_world(&w);
}

/* A program that is no sum of products has no matrix; one that cannot be tiled has no depth. */
CASE(what_cannot_be_done_is_absent) {
  world w;
  if (open_world(&w,
                 "grid x = 64, y = 64\nfield u : f32 = 1\nboundary u = 0\n"
                 "step 9 { u' = u*u + u[1,0] }\n",
                 A100, "")) {
    CHECK(find(&w, "fuse", 4));
    for (int i = 0; i < w.c.n; i++) CHECK(strncmp(w.c.at[i].strategy, "matrix", 6) != 0);
  }
  close_world(&w);
  if (open_world(&w, "grid x = 64\nfield u : i32 = 1\nu = u + 1\n", A100, ""))
    CHECK_EQ(w.c.n, 0); /* no peak of integers is known */
  close_world(&w);
}

/* One pass after the other, each as long as the slower of memory and unit. */
CASE(a_prediction_is_made_of_its_parts) {
  world w;
  if (open_world(&w, BOX("x = 4096, y = 4096", "1", "f64"), A100, "")) {
    double cells = 4096.0 * 4096, bandwidth;
    CHECK(ik_machine_number(w.m, "memory.bandwidth", "B/s", &bandwidth));
    for (int steps = 1; steps <= 7; steps += 3) {
      const ik_candidate *c = find(&w, steps > 1 ? "fuse" : "sweep", steps);
      CHECK(c && !c->launch_bound);
      double passes = ceil(100.0 / steps), memory = c->bytes * cells / bandwidth;
      double compute = memory * c->intensity / c->ridge, pass = fmax(memory, compute);
      CHECK_NEAR(c->intensity, c->flops / c->bytes, 1e-12);
      CHECK_NEAR(c->seconds / (pass * passes), 1, 1e-12);
      CHECK_NEAR(c->gstencils * c->seconds / (cells * 100 / 1e9), 1, 1e-12);
      CHECK_NEAR(c->use_memory, memory / pass, 1e-12);
      CHECK_NEAR(c->use_unit, compute / pass, 1e-12);
      CHECK_EQ(c->memory_bound, memory > compute);
      CHECK_EQ(c->memory_bound, steps < 7); /* the last is bound by its unit */
    }
  }
  close_world(&w);
}

/* A pass that is shorter than a launch takes as long as one, and nothing is busy all of it. */
CASE(a_short_pass_takes_a_launch) {
  world a, b;
  if (open_world(&a, BOX("x = 8, y = 8", "1", "f64"), "h200", "") &&
      open_world(&b, BOX("x = 16, y = 8", "1", "f64"), "h200", "")) {
    const ik_candidate *c = find(&a, "sweep", 1), *d = find(&b, "sweep", 1);
    CHECK(c && d && c->launch_bound && d->launch_bound);
    CHECK_NEAR(c->seconds, d->seconds, 0);
    CHECK_NEAR(d->gstencils / c->gstencils, 2, 1e-12);
    CHECK(c->use_memory < 0.5 && c->use_unit < 0.5);
    CHECK_NEAR(c->gstencils * c->seconds / (64 * 100 / 1e9), 1, 1e-12);
  }
  close_world(&a), close_world(&b);
}

CASE(more_of_anything_is_never_slower) {
  static const char *const more[] = {"bandwidth=x1.5", "f32=x2", "tf32.sparse=x1.3",
                                     "tf32.matrix=x3"};
  world                    a, b;
  if (open_world(&a, BOX("x = 512, y = 512", "2", "f32"), A100, ""))
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
      if (open_world(&b, BOX("x = 512, y = 512", "2", "f32"), A100, more[i])) {
        CHECK_EQ(a.c.n, b.c.n);
        CHECK(b.c.at[0].seconds <= a.c.at[0].seconds);
        for (int k = 0; k < a.c.n && k < b.c.n; k++)
          CHECK(b.c.at[k].seconds <= a.c.at[k].seconds * (1 + 1e-12));
      }
      close_world(&b);
    }
  close_world(&a);
}

CASE(hexagons_are_tiled_where_their_figures_are_known) {
  world w;
  if (open_world(&w,
                 "grid x = 4096, y = 4096\nfield u : f32 = 1\nboundary u = 0\n"
                 "step 1024 { u' = 0.2*(u + u[1,0] + u[-1,0] + u[0,1] + u[0,-1]) }\n",
                 "gtx980", "")) {
    CHECK_EQ(w.c.n, 1);
    const ik_candidate *c = &w.c.at[0];
    CHECK_STR(c->strategy, "hex");
    CHECK(c->seconds > 0.2843738112 && c->seconds < 0.4);
    CHECK(c->steps % 2 == 0);
  }
  close_world(&w);
}

CASE(what_an_objective_cannot_judge_comes_last) {
  ik_candidate  at[3] = {{.seconds = 1, .joules = NAN, .steps = 1},
                         {.seconds = 3, .joules = 5, .steps = 2},
                         {.seconds = 2, .joules = 9, .steps = 3}};
  ik_candidates c = {at, 3, 3};
  ik_candidates_sort(&c, IK_LEAST_ENERGY);
  CHECK(at[0].steps == 2 && at[1].steps == 3 && at[2].steps == 1);
  ik_candidates_sort(&c, IK_LEAST_TIME);
  CHECK(at[0].steps == 1 && at[1].steps == 3 && at[2].steps == 2);
  ik_candidates_sort(&c, IK_LEAST_EDP);
  CHECK(at[0].steps == 2 && at[1].steps == 3);
}
