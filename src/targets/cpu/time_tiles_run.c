#include "targets/cpu/time_tiles_run.h"
#include "base/least.h"
#include "base/mem.h"
#include "runtime/loop.h"
#include "targets/cpu/slabs.h"
#include <string.h>

typedef struct run {
  const ik_time_tiles *w;
  ik_schedule          s;
  int64_t              front;
  bool                 by_slabs;
  ik_slabs             slabs;
  int                  sets; /* sub-steps that a thread, or a slab, has in work */
  ik_state            *view; /* [threads * sets] the state as a sub-step sees it */
  ik_drive            *drive;
} run;

typedef struct worker { /* what a thread, or a slab, has to work with */
  run             *r;
  ik_state        *view;  /* [sets] */
  ik_drive        *drive; /* [sets] */
  ik_drive_thread *thread;
  int64_t          step; /* that the first view is for; -1: none */
} worker;

static worker worker_of(run *r, int thread) {
  int first = thread * r->sets;
  return (worker){r, &r->view[first], &r->drive[first], &r->w->thread[first], -1};
}

/* ---- the state at a step ---- */

static void set_view(const run *r, int64_t step, ik_state *view) {
  const ik_state *s = r->w->state;
  for (int f = 0; f < s->ir->nfield; f++)
    if (s->ir->field[f].has_new) ik_state_turn(&s->slot[f], step, &view->slot[f]);
}

static ik_state *create_views(const ik_state *s, int n) {
  size_t    slots = (size_t)s->ir->nfield * sizeof *s->slot;
  ik_state *view = ik_calloc((size_t)n, sizeof *view + slots);
  ik_slot  *slot = view ? (ik_slot *)(view + n) : NULL;
  for (int i = 0; view && i < n; i++) {
    view[i] = *s;
    view[i].slot = slot + (size_t)i * (size_t)s->ir->nfield;
    memcpy(view[i].slot, s->slot, slots);
  }
  return view;
}

/* ---- boxes ---- */

/* A pass on a state.  Tiles at work side by side must not be neighbours along lanes, unless these
 * are read with care. */
static ik_drive drive_of(const run *r, const ik_schedule_box *b, ik_state *view) {
  const ik_time_tiles *w = r->w;
  return (ik_drive){.ir = w->ir,
                    .state = view,
                    .pass = w->pipe->work[b->sub].pass,
                    .kernel = w->kernel[b->sub],
                    .rt = w->rt,
                    .t = w->state->t + b->step,
                    .exact = w->ir->ndim == (r->by_slabs ? 2 : 1)};
}

/* Of a box, what the pass has; false: nothing. */
static bool range_of(const ik_pass *p, const ik_schedule_box *b, int64_t lo[IK_NROLES],
                     int64_t hi[IK_NROLES]) {
  bool any = true;
  for (ik_role r = 0; r < IK_NROLES; r++) {
    int axis = p->axis[r];
    lo[r] = axis < 0 ? p->lo[r] : ik_max(p->lo[r], b->lo[axis]);
    hi[r] = axis < 0 ? p->hi[r] : ik_min(p->hi[r], b->hi[axis]);
    any = any && lo[r] < hi[r];
  }
  return any;
}

typedef struct visit {
  const ik_state *view;
  double         *row; /* of the step */
  int64_t         t;   /* after it */
} visit;

/* What no step gives a new value lies where it was. */
static void meet(void *ctx, const ik_spot *q) {
  const visit    *x = ctx;
  const ik_field *f = &x->view->ir->field[q->field];
  ik_spot_meet(q, f->type, ik_state_data(x->view, q->field, f->has_new),
               ik_state_index(x->view, q->field, q->at), x->t, x->row);
}

/* The last sub-step of a step ends with what sources add and receivers hear. */
static void end_box(const run *r, const ik_schedule_box *b, ik_state *view) {
  const ik_time_tiles *w = r->w;
  if (b->sub < r->s.nsub - 1 || !w->spots) return;
  visit x = {view, ik_spots_row(w->spots, b->step), w->state->t + b->step + 1};
  ik_spots_each(w->spots, b->lo, b->hi, meet, &x);
}

static bool has_pass(const run *r, const ik_schedule_box *b) { return b->sub < r->w->pipe->n; }

/* ---- fronts ---- */

static void run_box(void *ctx, const ik_schedule_box *b) {
  worker *k = ctx;
  int64_t lo[IK_NROLES], hi[IK_NROLES];
  if (k->step != b->step) set_view(k->r, b->step, k->view);
  k->step = b->step;
  if (has_pass(k->r, b)) {
    *k->drive = drive_of(k->r, b, k->view);
    range_of(k->drive->pass, b, lo, hi);
    ik_drive_box(k->drive, lo, hi, k->thread);
  }
  end_box(k->r, b, k->view);
}

static void run_tiles(void *ctx, int thread, int nthreads) {
  run    *r = ctx;
  worker  k = worker_of(r, thread);
  int64_t lo, hi;
  while (ik_team_take(r->w->part, thread, nthreads, &lo, &hi))
    for (; lo < hi; lo++) ik_schedule_visit(&r->s, r->front, lo, run_box, &k);
}

/* Tiles of a front are numbered along memory: a thread meets the same part of it in every front. */
static void run_fronts(run *r) {
  for (int64_t fronts = ik_schedule_fronts(&r->s); r->front < fronts; r->front++) {
    ik_team_deal(ik_schedule_tiles(&r->s, r->front), ik_team_threads(r->w->team), r->w->part);
    ik_team_run(r->w->team, run_tiles, r);
  }
}

/* ---- slabs ---- */

/* All steps prefetch what the first of them reads next. */
static void set_first(const worker *k, int64_t sub, ik_drive *d) {
  const ik_schedule *s = &k->r->s;
  int64_t            first = sub % s->nsub;
  if (sub == first || !k->drive[first].pass) return;
  d->first = &k->thread[first], d->part = (int)(sub / s->nsub);
  d->first_planes = ik_schedule_behind(s, sub) - ik_schedule_behind(s, first);
}

/* The tiles of all sub-steps.  Nothing of the arrays is looked at yet. */
static void open_slab(worker *k, int64_t slab, int64_t begin, int64_t end) {
  int64_t         lo[IK_NROLES], hi[IK_NROLES];
  ik_schedule_box b;
  for (int64_t i = 0; i < end - begin; i++) {
    k->drive[i].pass = NULL;
    if (!ik_schedule_box_at(&k->r->s, slab, begin + i, -1, &b)) continue;
    set_view(k->r, b.step, &k->view[i]);
    if (!has_pass(k->r, &b)) continue;
    ik_drive d = drive_of(k->r, &b, &k->view[i]);
    if (!range_of(d.pass, &b, lo, hi)) continue;
    k->drive[i] = d;
    set_first(k, i, &k->drive[i]);
    ik_drive_open(&k->drive[i], lo, hi, &k->thread[i]);
  }
}

static void run_place(const worker *k, int64_t slab, int64_t place, int64_t begin, int64_t end) {
  int             along = k->r->s.ndim - 1;
  ik_schedule_box b;
  for (int64_t i = 0; i < end - begin; i++) {
    if (!ik_schedule_box_at(&k->r->s, slab, begin + i, place, &b)) continue;
    if (k->drive[i].pass) ik_drive_on(&k->thread[i], b.hi[along]);
    end_box(k->r, &b, &k->view[i]);
  }
}

static void run_slab(run *r, int slot, int thread) {
  const ik_slab *at = &r->slabs.slot[slot];
  worker         k = worker_of(r, slot);
  int64_t        begin, end;
  ik_schedule_subs(&r->s, at->slab, &begin, &end);
  if (!at->place) open_slab(&k, at->slab, begin, end);
  for (bool more = true; more; more = more && ik_slabs_go_on(&r->slabs, slot, thread)) {
    double start = ik_loop_clock();
    run_place(&k, at->slab, at->place, begin, end);
    more = ik_slabs_did(&r->slabs, slot, thread, ik_loop_clock() - start);
  }
}

static void run_slabs(void *ctx, int thread, int nthreads) {
  run *r = ctx;
  (void)nthreads;
  for (int slot; (slot = ik_slabs_take(&r->slabs, thread)) >= 0;) run_slab(r, slot, thread);
}

/* ---- all of it ---- */

static bool make_room(run *r) {
  int threads = ik_team_threads(r->w->team), n = threads * r->sets;
  r->view = create_views(r->w->state, n);
  r->drive = ik_calloc((size_t)n, sizeof *r->drive);
  if (!r->view || !r->drive) return false;
  if (!ik_schedule_has_slabs(&r->s)) return true;
  r->by_slabs = ik_slabs_create(&r->s, threads, ik_team_looks(r->w->team, 2000), &r->slabs);
  return r->by_slabs;
}

static ik_status advance(const ik_time_tiles *w, int64_t n, ik_diag *d) {
  run r = {.w = w, .s = ik_time_tiles_schedule(w->ir, w->pipe, w->plan)};
  r.s.steps = n, r.sets = ik_max_int(ik_time_tiles_slabs(w->ir, w->pipe, w->plan), 1);
  ik_schedule_init(&r.s);
  bool ok = make_room(&r);
  if (ok && r.by_slabs)
    ik_team_run(w->team, run_slabs, &r);
  else if (ok)
    run_fronts(&r);
  if (r.by_slabs) ik_slabs_free(&r.slabs);
  ik_free(r.view), ik_free(r.drive);
  for (int64_t i = 0; ok && i < n; i++) ik_state_rotate(w->state);
  return ok ? IK_OK
            : ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for tiles in time");
}

/* Many steps a part at a time: slabs have something to remember each. */
ik_status ik_time_tiles_advance(const ik_time_tiles *w, int64_t n, ik_diag *d) {
  enum { BANDS = 32 };
  int64_t       most = (int64_t)BANDS * w->plan->steps;
  ik_time_tiles part = *w;
  ik_spots      rest = w->spots ? *w->spots : (ik_spots){0};
  if (w->spots) part.spots = &rest;
  for (; n > most; n -= most, rest.value += most * rest.width) IK_TRY(advance(&part, most, d));
  return advance(&part, n, d);
}
