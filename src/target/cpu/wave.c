#include "target/cpu/wave.h"
#include "base/mem.h"
#include <stdatomic.h>
#include <string.h>

typedef struct run {
  const ik_wave      *w;
  ik_schedule         s;
  int64_t             front, tiles;
  atomic_int_fast64_t next; /* tile of the front that nobody has begun */
  ik_state           *view; /* [threads] */
} run;

typedef struct worker {
  const run       *r;
  ik_state        *view; /* the state as a step sees it */
  ik_drive_thread *thread;
  int64_t          step; /* that the view is for; -1: none */
} worker;

/* ---- the state at a step ---- */

/* The levels as they will be after so many steps: the arrays take turns. */
static void set_view(worker *k, int64_t step) {
  const ik_state *s = k->r->w->state;
  if (k->step == step) return;
  k->step = step;
  for (int f = 0; f < s->ir->nfield; f++) {
    const ik_slot *from = &s->slot[f];
    if (!s->ir->field[f].has_new) continue;
    for (int i = 0; i < from->nlevel; i++)
      k->view->slot[f].level[(i + step) % from->nlevel] = from->level[i];
  }
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

static void run_pass(const worker *k, const ik_schedule_box *b) {
  const ik_wave *w = k->r->w;
  const ik_pass *p = w->pipe->work[b->sub].pass;
  int64_t        lo[IK_NROLES], hi[IK_NROLES];
  ik_drive       d = {.ir = w->ir,
                      .state = k->view,
                      .pass = p,
                      .kernel = w->kernel[b->sub],
                      .rt = w->rt,
                      .t = w->state->t + b->step,
                      .exact = w->ir->ndim == 1}; /* tiles of a front are neighbours along lanes */
  for (ik_role r = 0; r < IK_NROLES; r++) {
    int axis = p->axis[r];
    lo[r] = p->lo[r], hi[r] = p->hi[r];
    if (axis >= 0 && b->lo[axis] > lo[r]) lo[r] = b->lo[axis];
    if (axis >= 0 && b->hi[axis] < hi[r]) hi[r] = b->hi[axis];
  }
  ik_drive_box(&d, lo, hi, k->thread);
}

static bool holds(const ik_schedule_box *b, const int64_t at[IK_MAX_DIM], int ndim) {
  for (int d = 0; d < ndim; d++)
    if (at[d] < b->lo[d] || at[d] >= b->hi[d]) return false;
  return true;
}

static void inject(const worker *k, const ik_schedule_box *b) {
  const ik_ir  *ir = k->r->w->ir;
  const double *amount = k->r->w->amount;
  int64_t       all = 0;
  for (int j = 0; j < ir->ninject; j++) all += ir->inject[j].ntap;
  amount += b->step * all;
  for (int j = 0; j < ir->ninject; j++) {
    const ik_inject *q = &ir->inject[j];
    for (int i = 0; i < q->ntap; i++, amount++) {
      if (!holds(b, q->tap[i].at, ir->ndim)) continue;
      double sum = ik_state_get(k->view, q->field, 1, q->tap[i].at) + *amount;
      ik_state_put(k->view, q->field, 1, q->tap[i].at,
                   ik_type_round(ir->field[q->field].type, sum));
    }
  }
}

static void run_box(void *ctx, const ik_schedule_box *b) {
  worker *k = ctx;
  set_view(k, b->step);
  if (b->sub < k->r->w->pipe->n)
    run_pass(k, b);
  else
    inject(k, b);
}

/* ---- fronts ---- */

static void run_tiles(void *ctx, int thread, int nthreads) {
  run   *r = ctx;
  worker k = {r, &r->view[thread], &r->w->thread[thread], -1};
  (void)nthreads;
  for (int64_t i; (i = atomic_fetch_add(&r->next, 1)) < r->tiles;)
    ik_schedule_visit(&r->s, r->front, i, run_box, &k);
}

ik_status ik_wave_advance(const ik_wave *w, int64_t n, ik_diag *d) {
  run r = {.w = w, .s = ik_wave_schedule(w->ir, w->pipe, w->plan)};
  r.s.steps = n;
  ik_schedule_init(&r.s);
  r.view = create_views(w->state, ik_team_threads(w->team));
  if (!r.view)
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for tiles in time");
  for (int64_t fronts = ik_schedule_fronts(&r.s); r.front < fronts; r.front++) {
    r.tiles = ik_schedule_tiles(&r.s, r.front);
    atomic_store(&r.next, 0);
    ik_team_run(w->team, run_tiles, &r);
  }
  ik_free(r.view);
  for (int64_t i = 0; i < n; i++) ik_state_rotate(w->state);
  return IK_OK;
}
