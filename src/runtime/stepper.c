#include "runtime/stepper.h"
#include "base/least.h"
#include <math.h>

/* ---- life ---- */

static void see_number(const ik_stmt *s, void *ctx) {
  int *rows = ctx;
  if (s->kind == IK_SET || s->kind == IK_REPEAT) *rows = ik_max_int(*rows, ik_rows_need(s->value));
}

static int rows_of(const ik_ir *ir) {
  int rows = 1;
  ik_ir_each_stmt(ir, see_number, &rows);
  for (int j = 0; j < ir->ninject; j++) rows = ik_max_int(rows, ik_rows_need(ir->inject[j].value));
  return rows;
}

ik_status ik_stepper_attach(ik_stepper *x, ik_state *s, int64_t steps, ik_diag *d) {
  x->base.state = s;
  if (ik_spots_init(&x->spots, s->ir, steps) && ik_rows_init(&x->rows, s, rows_of(s->ir)))
    return IK_OK;
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for numbers and sources");
}

void ik_stepper_free(ik_stepper *x) {
  ik_interp_destroy(&x->host);
  ik_rows_free(&x->rows);
  ik_spots_free(&x->spots);
}

ik_status ik_stepper_need_host(ik_stepper *x, ik_diag *d) {
  return x->host ? IK_OK : ik_interp_create(x->base.state, d, &x->host);
}

/* ---- statements ---- */

static void say_assigned(ik_stepper *x, const ik_stmt *first, const ik_stmt *end) {
  for (const ik_stmt *s = first; s != end; s = s->next) {
    if (s->kind == IK_ASSIGN) ik_engine_dirty(&x->base, s->field, s->level);
    if (s->kind == IK_SWEEP) say_assigned(x, s->body, NULL);
  }
}

ik_status ik_stepper_host(ik_stepper *x, const ik_stmt *first, const ik_stmt *end, ik_diag *d) {
  if (!x->host) IK_TRY(ik_stepper_need_host(x, d));
  if (x->base.ops->fetch) IK_TRY(ik_engine_fetch_all(&x->base, d));
  ik_interp_run(x->host, first, end);
  if (x->base.ops->dirty) say_assigned(x, first, end);
  return IK_OK;
}

ik_status ik_stepper_run(ik_engine *e, const ik_stmt *first, const ik_stmt *end, ik_diag *d) {
  ik_stepper *x = (ik_stepper *)e;
  if (!x->does->claim) return ik_stepper_host(x, first, end, d);
  for (const ik_stmt *s = first, *next; s != end; s = next) {
    next = x->does->claim(x, s, end, d);
    if (next != s) {
      IK_TRY(x->does->own(x, s, next, d));
      continue;
    }
    next = s->next;
    IK_TRY(ik_stepper_host(x, s, next, d));
  }
  return IK_OK;
}

static double number(ik_stepper *x, const ik_expr *e) {
  static const int64_t nowhere[IK_MAX_DIM] = {0};
  double               out[IK_ROWS_CELLS];
  return ik_rows_eval(&x->rows, e, nowhere, 1, x->base.state->t, out)[0];
}

void ik_stepper_set(ik_stepper *x, const ik_stmt *set) {
  x->base.state->scalar[set->scalar] = number(x, set->value);
}

ik_status ik_stepper_scalar(ik_engine *e, const ik_expr *v, double *out, ik_diag *d) {
  (void)d;
  *out = number((ik_stepper *)e, v);
  return IK_OK;
}

/* ---- sources, and fields that stay as they are ---- */

static void amounts_of(ik_stepper *x, int64_t t, double *out) {
  const ik_ir *ir = x->base.state->ir;
  double       v[IK_ROWS_CELLS];
  for (int j = 0, n = 0; j < ir->ninject; j++) {
    const ik_inject *q = &ir->inject[j];
    for (int i = 0; i < q->ntap; i++) {
      double value = ik_rows_eval(&x->rows, q->value, q->tap[i].at, 1, t, v)[0];
      out[n++] = ik_type_round(ir->field[q->field].type, value * q->tap[i].weight);
    }
  }
}

static void hear_still(const ik_stepper *x, int64_t t, double *row) {
  const ik_state *s = x->base.state;
  for (const ik_spot *q = x->spots.spot; q < x->spots.spot + x->spots.n; q++)
    if (!s->ir->field[q->field].has_new && ik_spot_is_heard(q, t + 1))
      row[q->place] = ik_state_get(s, q->field, 0, q->at);
}

void ik_stepper_amounts(ik_stepper *x, int64_t first, int64_t n) {
  for (int64_t k = first; x->spots.n && k < first + n; k++) {
    amounts_of(x, x->base.state->t + k, ik_spots_row(&x->spots, k));
    hear_still(x, x->base.state->t + k, ik_spots_row(&x->spots, k));
  }
}

void ik_stepper_inject(ik_stepper *x, int64_t step) {
  ik_state     *s = x->base.state;
  const double *amount = ik_spots_row(&x->spots, step);
  for (int j = 0; j < s->ir->ninject; j++) {
    const ik_inject *q = &s->ir->inject[j];
    ik_type          type = s->ir->field[q->field].type;
    for (int i = 0; i < q->ntap; i++) {
      double sum = ik_state_get(s, q->field, 1, q->tap[i].at) + *amount++;
      ik_state_put(s, q->field, 1, q->tap[i].at, ik_type_round(type, sum));
    }
  }
}

void ik_stepper_count(ik_stepper *x, int64_t n) {
  for (int64_t k = 0; k < n; k++)
    for (int64_t i = 0; i < x->spots.added; i++)
      x->base.state->injected += fabs(ik_spots_row(&x->spots, k)[i]);
}

/* ---- steps ---- */

/* By the host, where the new values have to be for that. */
static ik_status end_step(ik_stepper *x, ik_diag *d) {
  const ik_ir *ir = x->base.state->ir;
  IK_TRY(ik_stepper_need_host(x, d));
  for (int j = 0; j < ir->ninject; j++)
    IK_TRY(ik_engine_fetch(&x->base, ir->inject[j].field, 1, d));
  ik_interp_inject(x->host);
  for (int j = 0; j < ir->ninject; j++) ik_engine_dirty(&x->base, ir->inject[j].field, 1);
  ik_state_rotate(x->base.state);
  return IK_OK;
}

static ik_status by_statements(ik_stepper *x, const ik_stmt *steps, int64_t n, ik_diag *d) {
  for (; n > 0; n--) {
    IK_TRY(x->base.ops->run(&x->base, steps->body, NULL, d));
    IK_TRY(end_step(x, d));
  }
  return IK_OK;
}

ik_status ik_stepper_steps(ik_engine *e, const ik_stmt *steps, int64_t n, ik_recorder *rec,
                           ik_diag *d) {
  ik_stepper *x = (ik_stepper *)e;
  for (int64_t made = 0; n > 0; n -= made, made = 0) {
    int64_t t = e->state->t;
    x->quiet = ik_recorder_until(rec, t, n);
    if (x->does->steps) IK_TRY(x->does->steps(x, steps, n, &made, d));
    if (!made) IK_TRY(by_statements(x, steps, made = x->quiet, d));
    for (int64_t k = 1; made > x->quiet && k < made; k++)
      ik_spots_hear(&x->spots, ik_spots_row(&x->spots, k - 1), t + k, rec);
    IK_TRY(ik_engine_sample(e, rec, d));
  }
  return IK_OK;
}
