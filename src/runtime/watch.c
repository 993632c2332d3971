#include "runtime/watch.h"
#include "base/mem.h"
#include <math.h>
#include <string.h>

static void mark_assigned(const ik_stmt *list, bool *steady) {
  for (const ik_stmt *s = list; s; s = s->next) {
    if (s->kind == IK_ASSIGN) steady[s->field] = false; /* fields are loaded in init alone */
    mark_assigned(s->pre, steady);
    mark_assigned(s->body, steady);
  }
}

bool ik_watch_init(ik_watch *w, const ik_ir *ir) {
  *w = (ik_watch){0};
  w->before = ik_calloc((size_t)ir->nfield, sizeof(double));
  w->reference = ik_calloc((size_t)ir->nfield, sizeof(double));
  w->steady = ik_calloc((size_t)ir->nfield, sizeof(bool));
  if (!w->before || !w->reference || !w->steady) return false;
  for (int f = 0; f < ir->nfield; f++) w->steady[f] = !ir->field[f].has_new;
  mark_assigned(ir->body, w->steady);
  return true;
}

void ik_watch_free(ik_watch *w) { ik_free(w->before), ik_free(w->reference), ik_free(w->steady); }

void ik_watch_follow(ik_watch *w, const ik_watch *other, const ik_ir *ir) {
  ik_watch own = *w;
  size_t   fields = (size_t)ir->nfield;
  *w = *other;
  w->before = own.before, w->reference = own.reference, w->steady = own.steady;
  memcpy(w->before, other->before, fields * sizeof *w->before);
  memcpy(w->reference, other->reference, fields * sizeof *w->reference);
  memcpy(w->steady, other->steady, fields * sizeof *w->steady);
}

/* ---- a close look ---- */

/* The largest |value|, or the first cell that is not finite. */
static double largest(const ik_state *s, int field, int64_t *where, bool *finite) {
  enum { N = 1024 };
  const ik_field *f = &s->ir->field[field];
  const void     *data = ik_state_data(s, field, 0);
  double          row[N], most = 0;
  int64_t         cells = s->slot[field].layout->cells;
  *finite = true, *where = 0;
  for (int64_t i = 0, n; i < cells; i += n) {
    n = cells - i < N ? cells - i : N;
    int64_t at = ik_state_cell(s, field, i, &n);
    ik_state_load_row(f->type, data, at, n, row);
    for (int64_t k = 0; k < n; k++) {
      double v = fabs(row[k]);
      if (!(v <= 1.7976931348623157e308)) return *finite = false, *where = i + k, row[k];
      if (v > most) most = v, *where = i + k;
    }
  }
  return most;
}

static void place(const ik_state *s, int field, int64_t i, ik_buf *out) {
  const ik_field *f = &s->ir->field[field];
  bool            first = true;
  for (int d = 0; d < s->ir->ndim; d++) {
    int64_t n = f->box.hi[d] - f->box.lo[d];
    if (f->on[d]) {
      ik_buf_printf(out, "%s%s = %lld", first ? "" : ", ", s->ir->axis[d], (long long)(i % n));
      if (s->ir->has_spacing) ik_buf_printf(out, " (%g m)", (double)(i % n) * s->ir->spacing[d]);
      first = false;
    }
    i /= n;
  }
}

typedef struct finding {
  int         field;
  int64_t     cell;
  double      value;
  bool        finite;
  int64_t     done;
  const char *unit;
} finding;

static ik_status report(const ik_watch *w, const ik_state *s, const finding *x, ik_diag *d) {
  const ik_field *f = &s->ir->field[x->field];
  double          value = isnan(x->value) ? NAN : x->value; /* it has no sign to tell */
  ik_buf          at = {0}, time = {0};
  place(s, x->field, x->cell, &at);
  ik_ir_time(s->ir, s->t, ", ", &time);
  ik_fail(d, IK_ERR_NUMERIC, IK_E070, f->span, "'%s' %s: %g at %s, found after %s %lld%s", f->name,
          x->finite ? "blows up" : "is not finite", value, ik_buf_text(&at), x->unit,
          (long long)x->done, ik_buf_text(&time));
  if (w->begun)
    ik_note_add(d, IK_NOSPAN, "at the previous check, the largest |%s| was %g", f->name,
                w->before[x->field]);
  if (!x->finite && f->type == IK_F16)
    ik_help(d, "f16 holds numbers up to 65504; bf16 and f32 hold larger ones");
  else if (!w->begun)
    ik_help(d, "the initial values are not finite");
  else if (s->t)
    ik_help(d, "a smaller time step is the usual remedy; `ikat check` shows the limit if it can");
  else
    ik_help(d, "look for a division by zero, or a root or logarithm of a negative number");
  ik_buf_free(&at), ik_buf_free(&time);
  return IK_ERR_NUMERIC;
}

/* Where it is takes another look, at every cell in order. */
static ik_status report_worst(const ik_watch *w, ik_engine *engine, finding *x, ik_diag *d) {
  IK_TRY(ik_engine_fetch(engine, x->field, 0, d));
  x->value = largest(engine->state, x->field, &x->cell, &x->finite);
  return report(w, engine->state, x, d);
}

static bool changes(const ik_field *f) { return f->has_new; }

/* The largest of the declared fields that the program updates; without one, of what comes first. */
static void name(ik_watch *w, int f, const ik_field *field, double v) {
  bool updated = field->kind == IK_FIELD_USER && !w->steady[f];
  if (w->field && (w->updated > updated || (w->updated == updated && v <= w->max_abs))) return;
  w->max_abs = v, w->field = field->name, w->updated = updated;
}

ik_status ik_watch_check(ik_watch *w, ik_engine *engine, int64_t done, const char *unit,
                         ik_diag *d) {
  const ik_state *s = engine->state;
  w->max_abs = 0, w->field = NULL, w->updated = false;
  for (int f = 0; f < s->ir->nfield; f++) {
    const ik_field *field = &s->ir->field[f];
    finding         x = {.field = f, .done = done, .unit = unit};
    if (field->kind == IK_FIELD_TEMP || !ik_type_is_float(field->type)) continue;
    double v = w->before[f];
    if (!w->begun || !w->steady[f]) IK_TRY(ik_engine_look(engine, f, &v, d));
    if (isnan(v)) return report_worst(w, engine, &x, d);
    if (w->reference[f] == 0) w->reference[f] = v;
    w->scale = fmax(w->scale, w->reference[f]);
    double scale = fmax(fmax(w->scale, s->injected), 1);
    if (changes(field) && v > 1e10 * scale && v > w->before[f])
      return report_worst(w, engine, &x, d);
    w->before[f] = v;
    name(w, f, field, v);
  }
  w->begun = true;
  return IK_OK;
}
