#include "apps/design/design.h"
#include "apps/design/corners.h"
#include "apps/design/walk.h"
#include "base/mem.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

enum { MOST_THREADS = 64 };

static const int shared_kb[IK_DESIGN_SHARED] = {12,  24,  36,  48,  96,  144, 192,
                                                240, 288, 336, 384, 432, 480};

/* ---- hardware points ---- */

static int place(int unit, int sm, int shared) {
  return (unit * IK_DESIGN_SMS + sm) * IK_DESIGN_SHARED + shared;
}

ik_area_design ik_design_at(int i) {
  int shared = i % IK_DESIGN_SHARED, sm = i / IK_DESIGN_SHARED % IK_DESIGN_SMS;
  int unit = i / IK_DESIGN_SHARED / IK_DESIGN_SMS;
  return (ik_area_design){.sms = 2 * (sm + 1),
                          .vector_units = 32 * (unit + 1),
                          .registers_kb = 2,
                          .shared_kb = shared_kb[shared]};
}

int ik_design_find(int sms, int vector_units, int kb) {
  int shared = 0;
  while (shared < IK_DESIGN_SHARED && shared_kb[shared] != kb) shared++;
  if (shared == IK_DESIGN_SHARED || sms < 2 || sms > 2 * IK_DESIGN_SMS || sms % 2) return -1;
  if (vector_units < 32 || vector_units > 32 * IK_DESIGN_UNITS || vector_units % 32) return -1;
  return place(vector_units / 32 - 1, sms / 2 - 1, shared);
}

double ik_design_area(int i) {
  ik_area_design d = ik_design_at(i);
  return ik_area_of(&d, IK_AREA_PER_SM).total;
}

ik_hex_machine ik_design_machine(const ik_design_search *s, int point) {
  ik_area_design d = ik_design_at(point);
  ik_hex_machine m = s->machine;
  m.sms = d.sms, m.vector_units = d.vector_units;
  m.shared_words = (int64_t)d.shared_kb * 1024 / 4;
  if (m.block_words > m.shared_words) m.block_words = m.shared_words;
  return m;
}

/* ---- one column: all points with the same vector units ---- */

typedef struct job {
  const ik_design_search *s;
  ik_design_result       *out;
  ik_walk                 walk;
  int                     parts;
  atomic_int              next, done; /* columns */
  atomic_bool             failed;     /* no memory */
} job;

typedef struct worker {
  job            *j;
  ik_walk_scratch scratch;
  ik_corners      corners; /* for the product */
  pthread_t       thread;
  bool            caller, running;
} worker;

static bool stopped(job *j) { return (j->s->stop && *j->s->stop) || atomic_load(&j->failed); }

/* One that has no memory stops all. */
static bool is_fine(worker *w) {
  if (w->scratch.failed || w->corners.failed) atomic_store(&w->j->failed, true);
  return !atomic_load(&w->j->failed);
}

static ik_design_plan *plans_of(ik_design_plan *all, const job *j, int point) {
  return all + (size_t)point * (size_t)j->s->n;
}

static void solve_problem(worker *w, int point, int problem) {
  const job       *j = w->j;
  ik_walk_scratch *x = &w->scratch;
  int              shared = point % IK_DESIGN_SHARED, best = -1;
  double           static_w = j->s->power.static_w_mm2 * ik_design_area(point);
  int              n = ik_walk_ways(&j->walk, problem, shared, static_w, x);
  switch (j->s->goal) {
  case IK_DESIGN_TIME: best = ik_pick_fastest(x->way, n); break;
  case IK_DESIGN_ENERGY: best = ik_pick_thriftiest(x->way, n); break;
  case IK_DESIGN_EDP: ik_corners_add(&w->corners, shared, problem, x->way, n); break;
  }
  if (best >= 0)
    plans_of(j->out->plan, j, point)[problem] =
        (ik_design_plan){x->way[best].time_s, x->way[best].tile, x->way[best].k};
}

/* All problems of designs that differ in shared memory alone, of which `point` is the first. */
static void solve_together(worker *w, int point) {
  const job *j = w->j;
  for (int m = 0; m < IK_DESIGN_SHARED; m++) {
    ik_corners_choose(&w->corners, m, -1, plans_of(j->out->plan, j, point + m));
    if (j->out->alone == j->out->plan) continue;
    for (int p = 0; p < j->parts; p++)
      ik_corners_choose(&w->corners, m, p, plans_of(j->out->alone, j, point + m));
  }
}

static void solve_column(worker *w, int unit) {
  job *j = w->j;
  ik_walk_units(&j->walk, 32 * (unit + 1), &w->scratch);
  for (int sm = 0; sm < IK_DESIGN_SMS && !stopped(j); sm++) {
    if (j->s->goal == IK_DESIGN_EDP) ik_corners_clear(&w->corners);
    for (int g = 0; g < j->walk.ngroup; g++) {
      ik_walk_group(&j->walk, g, 2 * (sm + 1), &w->scratch);
      for (int i = 0; i < j->walk.n; i++)
        for (int m = 0; m < IK_DESIGN_SHARED && j->walk.group_of[i] == g; m++)
          solve_problem(w, place(unit, sm, m), i);
    }
    if (is_fine(w) && j->s->goal == IK_DESIGN_EDP) solve_together(w, place(unit, sm, 0));
  }
}

static void *work(void *arg) {
  worker *w = arg;
  job    *j = w->j;
  int     unit;
  while ((unit = atomic_fetch_add(&j->next, 1)) < IK_DESIGN_UNITS && !stopped(j)) {
    solve_column(w, unit);
    int done = atomic_fetch_add(&j->done, 1) + 1;
    if (w->caller && j->s->progress) j->s->progress(done, IK_DESIGN_UNITS, j->s->user);
  }
  return NULL;
}

/* The caller works, too; threads that cannot be had are done without. */
static void work_all(worker *w, int n) {
  for (int i = 1; i < n; i++) w[i].running = !pthread_create(&w[i].thread, NULL, work, &w[i]);
  w[0].caller = true;
  work(&w[0]);
  for (int i = 1; i < n; i++)
    if (w[i].running) pthread_join(w[i].thread, NULL);
}

/* ---- all ---- */

/* Problems without meaning are never walked. */
static bool make_plans(int n, ik_design_plan **out) {
  size_t all = (size_t)IK_DESIGN_POINTS * (size_t)n;
  *out = ik_calloc(all + 1, sizeof **out);
  for (size_t i = 0; *out && i < all; i++)
    (*out)[i] = (ik_design_plan){.time_s = INFINITY, .tile = -1};
  return *out;
}

/* Only for the product it makes a difference what else there is. */
static bool make_result(job *j) {
  const ik_design_search *s = j->s;
  ik_design_result       *r = j->out;
  for (int i = 0; s->part && i < s->n; i++)
    if (s->part[i] >= j->parts) j->parts = s->part[i] + 1;
  if (!make_plans(s->n, &r->plan)) return false;
  r->alone = r->plan;
  return s->goal != IK_DESIGN_EDP || j->parts < 2 || make_plans(s->n, &r->alone);
}

static ik_status run(job *j) {
  worker w[MOST_THREADS] = {{0}};
  int    n = j->s->threads < 1 ? 1 : j->s->threads > MOST_THREADS ? MOST_THREADS : j->s->threads;
  bool   ok = true;
  for (int i = 0; i < n; i++) {
    w[i].j = j;
    ok = ik_walk_scratch_create(&j->walk, &w[i].scratch) && ok;
    if (j->s->goal == IK_DESIGN_EDP) ok = ik_corners_create(j->s, &w[i].corners) && ok;
  }
  if (ok) work_all(w, n);
  for (int i = 0; i < n; i++) ik_walk_scratch_free(&w[i].scratch), ik_corners_free(&w[i].corners);
  if (!ok || atomic_load(&j->failed)) return IK_ERR_RESOURCE;
  return atomic_load(&j->done) == IK_DESIGN_UNITS && !stopped(j) ? IK_OK : IK_ERR_INTERRUPTED;
}

ik_status ik_design_solve(const ik_design_search *s, ik_design_result *out) {
  job       j = {.s = s, .out = out};
  ik_status st = IK_ERR_RESOURCE;
  *out = (ik_design_result){.n = s->n};
  if (make_result(&j) && ik_walk_create(s, shared_kb, out->list, &j.walk)) st = run(&j);
  ik_walk_free(&j.walk);
  if (st) ik_design_result_free(out);
  return st;
}

void ik_design_result_free(ik_design_result *r) {
  if (r->alone != r->plan) ik_free(r->alone);
  ik_free(r->plan);
  for (int d = 0; d < 4; d++) ik_hextile_list_free(&r->list[d]);
  *r = (ik_design_result){0};
}
