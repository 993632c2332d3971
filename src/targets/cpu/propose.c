#include "targets/cpu/propose.h"
#include "base/hash.h"
#include "base/least.h"
#include "machine/machine.h"
#include "targets/cpu/choose.h"
#include "targets/cpu/compile.h"
#include "targets/cpu/strategy.h"
#include <math.h>
#include <string.h>

/* ---- where ---- */

/* What changes from day to day, or from one start to the next, is not the machine. */
static bool is_lasting(const char *key) {
  return strncmp(key, "memory.", 7) != 0 && strcmp(key, "cpu.usable") != 0;
}

static int threads_of(const ik_problem *p, const ik_isa *isa) {
  return p->threads > 0 ? p->threads : isa->cores;
}

static uint64_t hash_machine(const ik_isa *isa, ik_arena *a) {
  uint64_t          h = ik_hash(IK_HASH_INIT, &isa->vector_bytes, sizeof isa->vector_bytes);
  const ik_machine *m = ik_machine_local("", a);
  for (int i = 0; i < m->n; i++) {
    const ik_figure *f = &m->figure[i];
    if (!is_lasting(f->key)) continue;
    h = ik_hash(h, f->key, strlen(f->key) + 1);
    h = ik_hash(h, f->value, strlen(f->value) + 1);
  }
  return h;
}

ik_status ik_cpu_place(const ik_problem *p, ik_diag *d, uint64_t *machine, int *threads) {
  ik_isa   isa = ik_isa_local();
  ik_arena a;
  ik_arena_init(&a);
  if (setjmp(a.oom)) {
    ik_arena_free(&a);
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory to describe this machine");
  }
  *machine = hash_machine(&isa, &a);
  *threads = threads_of(p, &isa);
  ik_arena_free(&a);
  return IK_OK;
}

/* ---- what ---- */

typedef struct shortlist {
  const ik_problem      *p;
  ik_choose              choose;
  const ik_compile_part *part;
  ik_arena              *a;
  ik_proposal           *out;
  int                    n, most;
} shortlist;

static bool same_plan(const ik_plan *p, const ik_plan *q) {
  ik_buf a = {0}, b = {0};
  ik_plan_write(p, &a), ik_plan_write(q, &b);
  bool same = strcmp(ik_buf_text(&a), ik_buf_text(&b)) == 0;
  ik_buf_free(&a), ik_buf_free(&b);
  return same;
}

static bool is_new(const shortlist *s, const ik_plan *p) {
  for (int i = 0; i < s->n; i++)
    if (same_plan(&s->out[i].plan, p)) return false;
  return true;
}

/* What was priced when it was chosen is not priced again. */
static bool price(const shortlist *s, const ik_plan *p, const ik_price *known, ik_proposal *out) {
  *out = (ik_proposal){.plan = *p};
  ik_price *x = IK_NEW(s->a, ik_price);
  int64_t   room = s->part->nchoice ? s->part->choice[0].price.scratch : INT64_MAX;
  if (known)
    *x = *known;
  else if (!ik_choose_price(&s->choose, s->part->list, s->part->steps != NULL, p, s->a, x))
    return false;
  out->seconds = x->time.seconds, out->time = &x->time;
  if (s->p->breadth != IK_BREADTH_RANKED)
    out->work = ik_choose_count(&s->choose, s->part->list, s->part->steps != NULL, p, s->a);
  return x->scratch <= ik_max(room, s->choose.room);
}

/* If it is legal, new, and of the strategy that was asked for. */
static bool add(shortlist *s, const ik_plan *p, const ik_price *known) {
  if (s->n == s->most || (s->p->strategy && strcmp(s->p->strategy, p->strategy))) return false;
  if (!is_new(s, p) || !price(s, p, known, &s->out[s->n])) return false;
  s->n++;
  return true;
}

static bool add_choice(shortlist *s, const ik_choice *c) {
  if (!add(s, &c->plan, &c->price)) return false;
  return s->out[s->n - 1].ranked = true;
}

/* Vectors and rows as in the best plan of one step. */
static const ik_plan *single_step(const ik_compile_part *part) {
  for (int i = 0; i < part->nchoice; i++)
    if (part->choice[i].plan.steps == 1) return &part->choice[i].plan;
  return NULL;
}

static void add_waves(shortlist *s) {
  const ik_strategy *asked = ik_strategy_find(s->p->strategy);
  const ik_plan     *from = single_step(s->part);
  for (const ik_strategy *const *i = ik_strategies; s->part->steps && from && *i; i++) {
    ik_plan p = *from;
    if (!(*i)->plan || (asked && *i != asked)) continue;
    p.strategy = (*i)->name;
    (*i)->plan(&s->choose, s->part->list, s->part->steps->count, s->a, &p);
    add(s, &p, NULL);
  }
}

enum { NEIGHBOURS = 48 };

typedef struct near {
  const shortlist *s;
  ik_plan          plan[NEIGHBOURS];
  int              n;
} near;

static void note(near *x, ik_plan p) {
  if (x->n < NEIGHBOURS) x->plan[x->n++] = p;
}

/* Along an axis tiles become smaller and larger by steps of a half and of a quarter; the whole axis
 * is cut into pieces for each thread, and tiles that are as long as it become the whole of it. */
static void near_tiles(near *x, const ik_plan *best, int axis) {
  int64_t n = x->s->p->ir->n[axis], at = best->tile[axis], threads = x->s->choose.threads;
  int64_t cut[] = {n / 2, n / 4, (n + threads - 1) / threads};
  int64_t other[] = {at / 2, at * 2, at * 3 / 4, at * 3 / 2, 0};
  for (size_t i = 0; at && i < sizeof other / sizeof *other; i++) {
    ik_plan p = *best;
    p.tile[axis] = other[i] < n ? other[i] : 0;
    if (other[i] || i + 1 == sizeof other / sizeof *other) note(x, p);
  }
  for (size_t i = 0; !at && axis && i < sizeof cut / sizeof *cut; i++) {
    ik_plan p = *best;
    p.tile[axis] = cut[i];
    if (cut[i] > 1 && cut[i] < n) note(x, p);
  }
}

static void near_counts(near *x, const ik_plan *best) {
  static const int count[] = {2, 4, 1, 8};
  for (int i = 0; i < 4; i++) {
    ik_plan p = *best, q = *best;
    p.cpu.vectors = count[i], q.cpu.rows = count[i];
    if (count[i] < 8) note(x, p);
    note(x, q);
  }
}

static void near_steps(near *x, const ik_plan *best) {
  const int     n = best->steps, count[] = {n + 1, n - 1, n * 3 / 2, n * 2, n * 3 / 4, n / 2};
  const int64_t most = x->s->part->steps ? x->s->part->steps->count : 1;
  for (size_t i = 0; n > 1 && i < sizeof count / sizeof *count; i++) {
    ik_plan p = *best;
    p.steps = count[i];
    if (p.steps > 1 && p.steps <= most) note(x, p);
  }
}

static void near_planes(near *x, const ik_plan *best) {
  ik_plan p = *best;
  p.cpu.planes = best->cpu.planes > 1 ? 1 : 2;
  if (x->s->p->ir->ndim > 2) note(x, p);
}

/* Tiles first: threads and caches differ more from what a model says than a core does. */
static void neighbours(near *x, const ik_plan *best) {
  ik_plan p = *best, q = *best, r = *best;
  p.cpu.shift = !best->cpu.shift, q.cpu.stream = !best->cpu.stream,
  r.cpu.in_place = !best->cpu.in_place;
  for (int d = x->s->p->ir->ndim - 1; d >= 0; d--) near_tiles(x, best, d);
  near_steps(x, best);
  near_counts(x, best);
  near_planes(x, best);
  note(x, p);
  note(x, q);
  note(x, r);
}

static double seconds_of(const ik_proposal *p) { return isnan(p->seconds) ? INFINITY : p->seconds; }

static double least_of(const ik_proposal *p, int n) {
  double least = INFINITY;
  for (int i = 0; i < n; i++) least = fmin(least, seconds_of(&p[i]));
  return least;
}

/* What is predicted to be as good as the best comes in the order in which it was made, then what is
 * worse by as much again, ... */
static void put_by_promise(ik_proposal *p, int n, ik_arena *a) {
  const double as_good = 1.15;
  ik_proposal *made = IK_NEW_N(a, ik_proposal, n);
  double       from = -1, to = as_good * least_of(p, n);
  memcpy(made, p, (size_t)n * sizeof *p);
  for (int done = 0; done<n; from = to, to = to> 0 ? to * as_good : INFINITY)
    for (int i = 0; i < n; i++)
      if (seconds_of(&made[i]) > from && seconds_of(&made[i]) <= to) p[done++] = made[i];
}

static void fill_near(shortlist *s, const ik_plan *around) {
  near x = {.s = s};
  neighbours(&x, around);
  for (int k = 0; k < x.n; k++)
    if (!same_plan(&x.plan[k], around)) add(s, &x.plan[k], NULL);
  if (s->n) put_by_promise(s->out, s->n, s->a);
}

/* The best of a number of steps and a strategy: the first of it in the order of the model. */
static bool is_first_of_its_kind(const ik_choice *all, int i) {
  for (int k = 0; k < i; k++)
    if (all[k].plan.steps == all[i].plan.steps &&
        strcmp(all[k].plan.strategy, all[i].plan.strategy) == 0)
      return false;
  return true;
}

/* Worth a look: within a tenth of what the model holds for the best, or the first of its kind. */
static bool is_promising(const ik_choice *all, int i) {
  return all[i].price.time.seconds <= 1.1 * all[0].price.time.seconds ||
         is_first_of_its_kind(all, i);
}

/* What the model likes, and after the first of it other ways to tile in time. */
static void fill(shortlist *s) {
  const ik_choice *all = s->part->choice;
  bool             whole = s->p->breadth == IK_BREADTH_ALL;
  int              n = s->part->nchoice, i = 0;
  while (i < n && !add_choice(s, &all[i])) i++;
  add_waves(s);
  if (!s->n) return;
  ik_plan best = s->out[0].plan;
  for (i = 0; i < n; i++)
    if (whole || is_promising(all, i)) add_choice(s, &all[i]);
  near x = {.s = s};
  if (whole) neighbours(&x, &best);
  for (int k = 0; k < x.n; k++) add(s, &x.plan[k], NULL);
}

int ik_cpu_propose(const ik_problem *p, ik_arena *a, ik_diag *d, ik_proposal *out, int most) {
  ik_isa     isa = ik_isa_local();
  int        threads = threads_of(p, &isa);
  ik_problem open = *p;
  ik_compile parts;
  open.plan = NULL, open.override = NULL;
  ik_status st = ik_compile_plan(&open, &isa, threads, true, a, d, &parts);
  shortlist s = {
      .p = p, .part = st ? NULL : ik_compile_main(&parts), .a = a, .out = out, .most = most};
  if (!s.part) return 0;
  s.choose = parts.choose;
  if (p->breadth == IK_BREADTH_NEAR)
    fill_near(&s, p->around);
  else
    fill(&s);
  return s.n;
}
