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

/* ---- a quick look, by all threads ---- */

typedef int32_t __attribute__((may_alias)) bits32;
typedef int64_t __attribute__((may_alias)) bits64;

typedef struct look {
  const ik_state *state;
  int             field;
  double          most[256]; /* per thread; NaN: there is a value that is not finite */
} look;

/* Without its sign, a number that is larger has larger bits; those of infinity and NaN are largest
 * of all. */
static double most_f32(const bits32 *bits, int64_t n) {
  int32_t most = 0;
  float   v;
  for (int64_t i = 0; i < n; i++) {
    int32_t b = bits[i] & INT32_MAX;
    most = b > most ? b : most;
  }
  memcpy(&v, &most, sizeof v);
  return most < 0x7f800000 ? (double)v : NAN;
}

static double most_f64(const bits64 *bits, int64_t n) {
  int64_t most = 0;
  double  v;
  for (int64_t i = 0; i < n; i++) {
    int64_t b = bits[i] & INT64_MAX;
    most = b > most ? b : most;
  }
  memcpy(&v, &most, sizeof v);
  return most < 0x7ff0000000000000 ? v : NAN;
}

static double most_of(const ik_state *s, int field, int64_t from, int64_t to) {
  const void *data = ik_state_data(s, field, 0);
  bool        single = s->ir->field[field].type == IK_F32;
  double      most = 0;
  for (int64_t n; from < to && !isnan(most); from += n) {
    n = to - from;
    int64_t at = ik_state_cell(s, field, from, &n);
    double  v =
        single ? most_f32((const bits32 *)data + at, n) : most_f64((const bits64 *)data + at, n);
    most = v <= most ? most : v;
  }
  return most;
}

static void look_at(void *ctx, int thread, int threads) {
  look *l = ctx;
  if (thread >= 256) return;
  if (threads > 256) threads = 256;
  int64_t cells = l->state->slot[l->field].layout->cells;
  l->most[thread] =
      most_of(l->state, l->field, cells * thread / threads, cells * (thread + 1) / threads);
}

/* The largest |value|; NaN if one is not finite. */
static double quick_look(ik_engine *x, int field) {
  look   l = {x->state, field, {0}};
  double most = 0;
  x->ops->share(x, look_at, &l);
  for (int i = 0; i < 256; i++) {
    if (isnan(l.most[i])) return NAN;
    most = fmax(most, l.most[i]);
  }
  return most;
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
    finding         x = {.field = f, .done = done, .unit = unit, .finite = true};
    if (field->kind == IK_FIELD_TEMP || !ik_type_is_float(field->type)) continue;
    bool   known = w->begun && w->steady[f];
    bool   quick = field->type == IK_F32 || field->type == IK_F64;
    double v = known ? w->before[f] : quick ? quick_look(engine, f) : NAN;
    if (isnan(v)) v = x.value = largest(s, f, &x.cell, &x.finite);
    if (!x.finite) return report(w, s, &x, d);
    if (w->reference[f] == 0) w->reference[f] = v;
    w->scale = fmax(w->scale, w->reference[f]);
    double scale = fmax(fmax(w->scale, s->injected), 1);
    if (changes(field) && v > 1e10 * scale && v > w->before[f]) {
      x.value = largest(s, f, &x.cell, &x.finite);
      return report(w, s, &x, d);
    }
    w->before[f] = v;
    name(w, f, field, v);
  }
  w->begun = true;
  return IK_OK;
}
