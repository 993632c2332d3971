/* A target held against the interpreter. */
#include "api/api.h"
#include "base/fp.h"
#include <math.h>
#include <stdio.h>

typedef struct difference {
  int64_t cells;    /* that differ */
  double  greatest; /* |a - b|, relative to the largest |b| */
  int     field;
  int     scalar; /* the first that differs; -1: none */
} difference;

static void compare_field(const ik_state *a, const ik_state *b, int f, difference *out) {
  enum { N = 1024 };
  double      x[N], y[N], most = 0, scale = 0;
  ik_type     t = a->ir->field[f].type;
  const void *p = ik_state_data(a, f, 0), *q = ik_state_data(b, f, 0);
  for (int64_t i = 0, n; i < a->slot[f].layout->cells; i += n) {
    n = a->slot[f].layout->cells - i < N ? a->slot[f].layout->cells - i : N;
    int64_t at = ik_state_cell(a, f, i, &n), there = ik_state_cell(b, f, i, &n);
    ik_state_load_row(t, p, at, n, x), ik_state_load_row(t, q, there, n, y);
    for (int64_t k = 0; k < n; k++) {
      out->cells += x[k] != y[k];
      most = fmax(most, fabs(x[k] - y[k])), scale = fmax(scale, fabs(y[k]));
    }
  }
  double relative = scale > 0 ? most / scale : most;
  if (relative > out->greatest) out->greatest = relative, out->field = f;
}

/* Numbers such as sums, which fields need not show. */
static int compare_scalars(const ik_state *a, const ik_state *b) {
  for (int i = 0; i < a->ir->nscalar; i++) {
    double x = a->scalar[i], y = b->scalar[i];
    if (x != y && !(isnan(x) && isnan(y))) return i;
  }
  return -1;
}

static difference compare(const ik_run *a, const ik_run *b) {
  difference d = {.scalar = compare_scalars(a->state, b->state)};
  for (int f = 0; f < a->program->ir->nfield; f++)
    if (a->program->ir->field[f].kind == IK_FIELD_USER) compare_field(a->state, b->state, f, &d);
  return d;
}

static bool is_identical(const ik_run *a, const ik_run *b, const difference *d) {
  return ik_state_hash(a->state) == ik_state_hash(b->state) && d->scalar < 0;
}

static double bound_of(const ik_run *r) { return ik_engine_bound(r->engine, r->state->t); }

/* Some engines promise to be near, not to have the same bits. */
static bool is_within(const ik_run *a, const difference *d) {
  return bound_of(a) > 0 && d->greatest <= bound_of(a);
}

static void say(const ik_run *a, const ik_run *b, const difference *d, bool json, ik_buf *out) {
  char     hash[20], reference[20];
  uint64_t x = ik_state_hash(a->state), y = ik_state_hash(b->state);
  bool     same = is_identical(a, b, d);
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)x);
  snprintf(reference, sizeof reference, "%016llx", (unsigned long long)y);
  if (!json) {
    ik_buf_printf(out, "%s: %s the interpreter%s\n  %-11s %s\n  %-11s %s\n", a->program->ir->name,
                  same              ? "bit-identical to"
                  : is_within(a, d) ? "within its bound of"
                                    : "differs from",
                  a->target->rule ? " under the machine's arithmetic" : "", a->target->name, hash,
                  "interpreter", reference);
    if (x != y)
      ik_buf_printf(
          out, "  %lld cells differ, by at most %.3g of the largest |%s|; its bound is %.3g\n",
          (long long)d->cells, d->greatest, a->program->ir->field[d->field].name, bound_of(a));
    if (d->scalar >= 0)
      ik_buf_printf(out, "  %s is %.17g, and %.17g by the interpreter\n",
                    a->program->ir->scalar[d->scalar].name, a->state->scalar[d->scalar],
                    b->state->scalar[d->scalar]);
    return;
  }
  ik_json j = {.out = out};
  ik_json_open(&j, NULL, '{');
  ik_json_str(&j, "program", a->program->ir->name);
  ik_json_str(&j, "target", a->target->name);
  ik_json_str(&j, "hash", hash);
  ik_json_str(&j, "reference_hash", reference);
  ik_json_bool(&j, "identical", same);
  ik_json_num(&j, "max_error", d->greatest);
  ik_json_num(&j, "error_bound", bound_of(a));
  ik_outcome took = ik_run_outcome(a), reference_took = ik_run_outcome(b);
  ik_json_num(&j, "seconds", took.seconds);
  ik_json_num(&j, "predicted_seconds", took.predicted_seconds);
  ik_json_num(&j, "reference_seconds", reference_took.seconds);
  ik_json_num(&j, "reference_predicted_seconds", reference_took.predicted_seconds);
  ik_json_close(&j, '}');
}

static ik_status both(ik_run *a, ik_run *b, bool json, ik_log *log, ik_buf *out) {
  IK_TRY(ik_run_advance(a, -1, log));
  IK_TRY(ik_run_advance(b, -1, log));
  IK_TRY(ik_engine_fetch_declared(a->engine, &log->d));
  difference d = compare(a, b);
  say(a, b, &d, json, out);
  if (out->failed) return ik_log_no_memory(log);
  if (is_identical(a, b, &d) || is_within(a, &d)) return IK_OK;
  return ik_fail(&log->d, IK_ERR_NUMERIC, IK_E074, IK_NOSPAN,
                 "target '%s' differs from the interpreter in %lld cells%s", a->target->name,
                 (long long)d.cells, d.scalar < 0 ? "" : " and in a number");
}

ik_status ik_verify(ik_program *p, const ik_run_options *o, ik_log *log, bool json,
                    const char **text) {
  IK_OWN_ARITHMETIC;
  ik_run_options opt, ref;
  ik_run        *a = NULL, *b = NULL;
  if (o)
    opt = *o;
  else
    ik_run_options_init(&opt);
  opt.quiet_files = true;
  if (!opt.target) opt.target = ik_targets[0]->name; /* also where a run would not be worth it */
  ref = opt;
  ref.strategy = NULL, ref.plan = NULL, ref.progress = NULL;
  ik_buf_free(&p->shown);
  ik_status st = ik_run_create(p, &opt, log, &a);
  if (!st) ref.target = ik_target_measure(a->target)->name;
  if (!st) st = ik_run_create(p, &ref, log, &b);
  if (!st) st = both(a, b, json, log, &p->shown);
  ik_run_destroy(&a), ik_run_destroy(&b);
  if (text) *text = p->shown.failed ? NULL : ik_buf_text(&p->shown);
  return st;
}
