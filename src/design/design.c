#include "design/design.h"
#include "design/walk.h"
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
  atomic_int              next, done; /* columns */
} job;

typedef struct worker {
  job            *j;
  ik_walk_scratch scratch;
  pthread_t       thread;
  bool            caller, running;
} worker;

static bool stopped(const job *j) { return j->s->stop && *j->s->stop; }

static void solve_column(job *j, ik_walk_scratch *x, int unit) {
  ik_walk_units(&j->walk, 32 * (unit + 1), x);
  for (int sm = 0; sm < IK_DESIGN_SMS && !stopped(j); sm++)
    for (int g = 0; g < j->walk.ngroup; g++) {
      ik_walk_group(&j->walk, g, 2 * (sm + 1), x);
      for (int i = 0; i < j->walk.n; i++)
        if (j->walk.group_of[i] == g)
          for (int m = 0; m < IK_DESIGN_SHARED; m++)
            j->out->plan[(size_t)place(unit, sm, m) * (size_t)j->s->n + (size_t)i] =
                ik_walk_plan(&j->walk, i, m, x);
    }
}

static void *work(void *arg) {
  worker *w = arg;
  job    *j = w->j;
  int     unit;
  while ((unit = atomic_fetch_add(&j->next, 1)) < IK_DESIGN_UNITS && !stopped(j)) {
    solve_column(j, &w->scratch, unit);
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
static void clear(ik_design_result *r) {
  for (size_t i = 0; i < (size_t)IK_DESIGN_POINTS * (size_t)r->n; i++)
    r->plan[i] = (ik_design_plan){.time_s = INFINITY, .tile = -1};
}

static ik_status run(job *j) {
  worker w[MOST_THREADS] = {{0}};
  int    n = j->s->threads < 1 ? 1 : j->s->threads > MOST_THREADS ? MOST_THREADS : j->s->threads;
  bool   ok = true;
  for (int i = 0; i < n; i++) {
    w[i].j = j;
    ok = ik_walk_scratch_create(&j->walk, &w[i].scratch) && ok;
  }
  if (ok) work_all(w, n);
  for (int i = 0; i < n; i++) ik_walk_scratch_free(&w[i].scratch);
  if (!ok) return IK_ERR_RESOURCE;
  return atomic_load(&j->done) == IK_DESIGN_UNITS && !stopped(j) ? IK_OK : IK_ERR_INTERRUPTED;
}

ik_status ik_design_solve(const ik_design_search *s, ik_design_result *out) {
  job       j = {.s = s, .out = out};
  ik_status st = IK_ERR_RESOURCE;
  *out = (ik_design_result){.n = s->n};
  out->plan = ik_calloc((size_t)IK_DESIGN_POINTS * (size_t)s->n + 1, sizeof *out->plan);
  if (out->plan) clear(out);
  if (out->plan && ik_walk_create(s, shared_kb, out->list, &j.walk)) st = run(&j);
  ik_walk_free(&j.walk);
  if (st) ik_design_result_free(out);
  return st;
}

void ik_design_result_free(ik_design_result *r) {
  ik_free(r->plan);
  for (int d = 0; d < 4; d++) ik_hextile_list_free(&r->list[d]);
  *r = (ik_design_result){0};
}
