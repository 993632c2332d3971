#include "plan/solve.h"
#include <math.h>
#include <stdint.h>

enum { MOST = 32 }; /* constants */
/* Of logarithms: from which on the distance counts, no longer its square; steps of the search. */
#define OUTLIER    0.3
#define FIRST_STEP 0.4
#define LAST_STEP  0.01

/* ---- how far off ---- */

static double off_by(const ik_solve_sample *s, const ik_pipeline_machine *m) {
  return log(ik_pipeline_work_time(s->work, m).seconds / s->seconds);
}

double ik_solve_error(const ik_solve_sample *all, int n, int group, const ik_pipeline_machine *m) {
  double sum = 0, weight = 0;
  for (int i = 0; i < n; i++) {
    if (group >= 0 && all[i].group != group) continue;
    double e = off_by(&all[i], m);
    sum += all[i].weight * e * e, weight += all[i].weight;
  }
  return weight > 0 ? sqrt(sum / weight) : 0;
}

typedef struct solving {
  const ik_solve_sample *all;
  int                    n, without;
  const ik_fit_constant *free[MOST];
  int                    nfree;
} solving;

static double badness(const solving *x, const ik_pipeline_machine *m) {
  double sum = 0;
  for (int i = 0; i < x->n; i++) {
    if (x->all[i].group == x->without) continue;
    double e = fabs(off_by(&x->all[i], m));
    sum += x->all[i].weight * (e < OUTLIER ? e * e : OUTLIER * (2 * e - OUTLIER));
  }
  return sum;
}

/* ---- the search ---- */

static double within(const ik_fit_constant *c, double v) {
  return fmin(c->most, fmax(c->least, v));
}

static void move(const solving *x, int i, double by, ik_pipeline_machine *m) {
  double *v = ik_fit_value(m, x->free[i]);
  *v = within(x->free[i], *v * exp(by));
}

/* Lines come from beyond from some point on, not before. */
static bool is_possible(const ik_pipeline_machine *m) { return m->usable <= 0.95 * m->full; }

static bool keep_better(const solving *x, const ik_pipeline_machine *moved, ik_pipeline_machine *m,
                        double *best) {
  if (!is_possible(moved)) return false;
  double now = badness(x, moved);
  if (!(now < *best)) return false;
  *m = *moved, *best = now;
  return true;
}

/* Each constant a step up or, if that is no help, down. */
static bool try_each(const solving *x, double step, ik_pipeline_machine *m, double *best) {
  bool any = false;
  for (int i = 0; i < x->nfree; i++)
    for (int down = 0; down < 2; down++) {
      ik_pipeline_machine moved = *m;
      move(x, i, down ? -step : step, &moved);
      if (!keep_better(x, &moved, m, best)) continue;
      any = true;
      break;
    }
  return any;
}

static double random_of(uint64_t *state) { /* from -1 to 1 */
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / (double)(1ull << 52) - 1;
}

/* Some constants at once: what one alone makes worse, two may mend. */
static bool try_some(const solving *x, double step, uint64_t *state, ik_pipeline_machine *m,
                     double *best) {
  bool any = false;
  for (int k = 0; k < x->nfree; k++) {
    ik_pipeline_machine moved = *m;
    for (int i = 0; i < x->nfree; i++) {
      double by = random_of(state) * step;
      if (random_of(state) > 0.4) move(x, i, 2 * by, &moved);
    }
    any |= keep_better(x, &moved, m, best);
  }
  return any;
}

void ik_solve(const ik_solve_sample *all, int n, int without, ik_pipeline_machine *m) {
  enum { AGAIN = 12 }; /* at most, with one step */
  solving                x = {.all = all, .n = n, .without = without};
  uint64_t               state = 1;
  int                    constants;
  const ik_fit_constant *c = ik_fit_constants(&constants);
  for (int i = 0; i < constants && x.nfree < MOST; i++)
    if (c[i].most > 0) x.free[x.nfree++] = &c[i];
  for (int i = 0; i < x.nfree; i++) move(&x, i, 0, m);
  m->usable = fmin(m->usable, 0.95 * m->full);
  double best = badness(&x, m);
  for (double step = FIRST_STEP; step > LAST_STEP; step *= 0.6) {
    bool more = true;
    for (int k = 0; k < AGAIN && more; k++) {
      more = try_each(&x, step, m, &best);
      more |= try_some(&x, step, &state, m, &best);
    }
  }
}
