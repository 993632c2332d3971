#include "runtime/outcome.h"
#include <math.h>
#include <string.h>

/* ---- what is predicted ---- */

typedef struct prediction {
  ik_forecast all, round;
  bool        known, rounds; /* of every unit; there is a repeat */
  bool        ahead;         /* of the run, when nobody knows how many rounds there will be */
} prediction;

static void predict(const ik_loop *l, const ik_unit *u, int64_t times, ik_forecast *out,
                    prediction *p) {
  const ik_engine *x = l->engine;
  if (times > 0 && !x->ops->forecast(x, u, times, out)) p->known = false;
}

static bool is_repeat(const ik_unit *u) { return u->loop && u->loop->kind == IK_REPEAT; }

/* Of the first repeat. */
static void predict_round(const ik_loop *l, prediction *p) {
  const ik_stmt *repeat = NULL;
  for (int i = 0; i < l->units.n; i++) {
    const ik_unit *u = &l->units.unit[i];
    if (!is_repeat(u) || (repeat && u->loop != repeat)) continue;
    repeat = u->loop;
    predict(l, u, 1, &p->round, p);
  }
  p->rounds = repeat != NULL;
}

static int64_t times_done(const ik_unit *u) { return u->times; }

/* How often a repeat will go round, nobody knows. */
static int64_t times_to_come(const ik_unit *u) {
  return !u->loop ? 1 : is_repeat(u) ? 0 : u->loop->count;
}

/* ---- what was done ---- */

static double over(double a, double b) { return b > 0 ? a / b : NAN; }

static void set_roofs(const ik_engine *x, ik_outcome *o) {
  o->roofs = x->roofs;
  o->intensity = over(o->flops, o->traffic);
  double attainable = isnan(o->intensity) ? 0 : ik_roofs_attainable(&o->roofs, o->intensity);
  double least = ik_roofs_seconds(&o->roofs, o->flops, o->traffic);
  o->attainable = attainable > 0 ? attainable : NAN;
  o->roofline_share = least > 0 ? over(least, o->seconds) : NAN;
}

static bool is_any(const prediction *p) { return p->known && (p->all.npart || p->rounds); }

static const char *why_none(const ik_engine *x, const prediction *p) {
  return p->known ? "nothing is computed" : x->no_forecast;
}

/* Bytes of fields that lie in a cache come from there, as the roofline has it. */
static void set_limit(const ik_roofs *r, const ik_forecast_part *limit, ik_outcome *o) {
  const char *level = r->nlevel ? r->level[r->holds].name : "memory";
  bool        cached = !strcmp(limit->kind, "memory") && strcmp(level, "memory") != 0;
  o->bound = cached ? "cache" : limit->kind;
  o->limited_by = cached ? level : limit->name;
}

static void set_prediction(const ik_engine *x, const prediction *p, ik_outcome *o) {
  const ik_forecast_part *limit = ik_forecast_limit(p->ahead && p->rounds ? &p->round : &p->all);
  bool                    any = is_any(p);
  o->predicted_seconds = any && p->all.seconds > 0 ? p->all.seconds : NAN;
  o->predicted_rate = over((double)o->points, o->predicted_seconds);
  o->round_seconds = p->known && p->rounds ? p->round.seconds : NAN;
  o->ratio = over(o->seconds, o->predicted_seconds);
  if (any && limit) set_limit(&x->roofs, limit, o);
  o->basis = any ? x->basis : why_none(x, p);
  o->traffic = any && p->all.bytes > 0 ? p->all.bytes : o->bytes;
}

static void set_energy(const ik_engine *x, const ik_joules *e, ik_outcome *o) {
  o->joules = NAN, o->joules_why = "not measured";
  if (o->simulated) {
    bool known = x->simulated->joules > 0;
    o->joules = known ? x->simulated->joules : NAN;
    o->joules_source = known ? "simulated" : NULL;
    o->joules_why = known ? NULL : "the machine's figures do not give its power";
  } else if (e) {
    o->joules = ik_joules_used(e, &o->joules_why);
    o->joules_source = o->joules_why ? NULL : e->source;
  }
}

static ik_outcome outcome(const ik_loop *l, const ik_joules *e,
                          int64_t (*times_of)(const ik_unit *)) {
  const ik_engine *x = l->engine;
  ik_outcome o = {.simulated = x->simulated, .done = !l->at, .unit = ik_units_name(&l->units)};
  prediction p = {.known = true, .ahead = times_of == times_to_come};
  for (int i = 0; i < l->units.n; i++) {
    const ik_unit *u = &l->units.unit[i];
    int64_t        times = times_of(u);
    o.points += times * u->points;
    o.flops += (double)times * u->flops, o.bytes += (double)times * u->bytes;
    predict(l, u, times, &p.all, &p);
  }
  predict_round(l, &p);
  if (is_any(&p) && x->launch > 0)
    ik_forecast_add(&p.all, "start of the run", "overhead", x->launch, x->launch);
  o.count = o.unit[0] == 'p' ? o.done : l->done;
  o.seconds = o.simulated ? x->simulated->seconds : l->seconds;
  o.rate = o.seconds > 0 ? (double)o.points / o.seconds : 0;
  set_prediction(x, &p, &o);
  set_roofs(x, &o);
  set_energy(x, e, &o);
  return o;
}

ik_outcome ik_outcome_of(const ik_loop *l, const ik_joules *e) { return outcome(l, e, times_done); }

ik_outcome ik_outcome_before(const ik_loop *l) { return outcome(l, NULL, times_to_come); }

/* ---- in words ---- */

static void put_rate(ik_buf *b, double per_s) {
  ik_buf_scaled(b, per_s);
  ik_buf_puts(b, "Pts/s");
}

static void put_seconds(ik_buf *b, double s) {
  if (s >= 0.01 || s == 0)
    ik_buf_printf(b, "%.3g s", s);
  else if (s >= 1e-4)
    ik_buf_printf(b, "%.3g ms", 1e3 * s);
  else if (s >= 1e-7)
    ik_buf_printf(b, "%.3g us", 1e6 * s);
  else
    ik_buf_printf(b, "%.3g ns", 1e9 * s);
}

static const char *ending(const ik_outcome *o) {
  return o->count == 1 ? "" : o->unit[0] == 'p' ? "es" : "s";
}

void ik_outcome_headline(const ik_outcome *o, ik_buf *out) {
  ik_buf_printf(out, "%s %lld %s%s", o->done ? "done:" : "stopped after", (long long)o->count,
                o->unit, ending(o));
  if (!o->simulated || o->seconds > 0) ik_buf_puts(out, " in "), put_seconds(out, o->seconds);
  if (o->simulated) ik_buf_puts(out, " SIMULATED");
  if (o->seconds > 0 && o->points) {
    ik_buf_puts(out, "   ");
    put_rate(out, o->rate);
  }
}

static void put_limit(const ik_outcome *o, ik_buf *b) {
  if (!o->limited_by) return;
  ik_buf_printf(b, ", %s-bound", o->bound);
  if (strcmp(o->bound, o->limited_by)) ik_buf_printf(b, " (%s)", o->limited_by);
}

static bool has_rate(double rate) { return rate > 0 && isfinite(rate); }

/* Seconds and rate. */
static void put_predicted(const ik_outcome *o, ik_buf *b) {
  put_seconds(b, o->predicted_seconds);
  if (!has_rate(o->predicted_rate)) return;
  ik_buf_puts(b, ", ");
  put_rate(b, o->predicted_rate);
}

void ik_outcome_prediction(const ik_outcome *o, ik_buf *out) {
  if (!isnan(o->round_seconds)) {
    put_seconds(out, o->round_seconds);
    ik_buf_puts(out, " a round");
    if (o->predicted_seconds > 0) {
      ik_buf_puts(out, " and ");
      put_seconds(out, o->predicted_seconds);
      ik_buf_puts(out, " besides");
    }
  } else if (o->predicted_seconds > 0)
    put_predicted(o, out);
  else
    ik_buf_printf(out, "not known%s%s", o->basis ? ": " : "", o->basis ? o->basis : "");
  if (isnan(o->round_seconds) && !(o->predicted_seconds > 0)) return;
  put_limit(o, out);
  if (o->basis) ik_buf_printf(out, "\n%s", o->basis);
}

static void put_model(const ik_outcome *o, ik_buf *b) {
  if (!(o->predicted_seconds > 0)) {
    ik_buf_printf(b, "no prediction%s%s", o->basis ? ": " : "", o->basis ? o->basis : "");
    return;
  }
  ik_buf_puts(b, o->simulated ? "analytic model " : "predicted ");
  put_predicted(o, b);
  if (!isnan(o->round_seconds)) {
    ik_buf_puts(b, " (");
    put_seconds(b, o->round_seconds);
    ik_buf_puts(b, " a round)");
  }
  put_limit(o, b);
  if (o->seconds > 0)
    ik_buf_printf(b, "; %s / predicted = %.2f", o->simulated ? "simulated" : "measured", o->ratio);
}

/* "2.55 GFLOP (39 a point), 1.04 GB (16 per point): 21.6 GFLOP/s, 8.85 GB/s" */
static void put_work(const ik_outcome *o, ik_buf *b) {
  double points = (double)o->points;
  ik_buf_scaled(b, o->flops);
  ik_buf_puts(b, "FLOP");
  if (points > 0) ik_buf_printf(b, " (%.4g per point on average)", o->flops / points);
  ik_buf_puts(b, ", ");
  ik_buf_scaled(b, o->bytes);
  ik_buf_puts(b, "B");
  if (points > 0) ik_buf_printf(b, " (%.4g per point)", o->bytes / points);
  if (!(o->seconds > 0)) return;
  ik_buf_puts(b, "; ");
  ik_buf_scaled(b, o->flops / o->seconds);
  ik_buf_puts(b, "FLOP/s, ");
  ik_buf_scaled(b, o->bytes / o->seconds);
  ik_buf_puts(b, "B/s");
}

/* "21 % of 103 GFLOP/s: L2 at 94 GB/s, 2.4 FLOP/B; peak 166 GFLOP/s f32 (estimates)" */
static void put_roofs(const ik_outcome *o, ik_buf *b) {
  const ik_roofs *r = &o->roofs;
  bool            flops = o->attainable > 0;
  if (isnan(o->roofline_share)) {
    ik_buf_puts(b, "not known");
    return;
  }
  ik_buf_printf(b, "%.3g %% of ", 100 * o->roofline_share);
  ik_buf_scaled(b, flops ? o->attainable : r->level[r->holds].rate);
  ik_buf_puts(b, flops ? "FLOP/s: " : "B/s: ");
  if (r->nlevel) {
    ik_buf_printf(b, "fields in %s, ", r->level[r->holds].name);
    ik_buf_scaled(b, r->level[r->holds].rate);
    ik_buf_puts(b, "B/s");
  }
  if (flops) ik_buf_printf(b, " at %.3g FLOP/B", o->intensity);
  if (r->peak > 0) {
    ik_buf_puts(b, "; peak ");
    ik_buf_scaled(b, r->peak);
    ik_buf_printf(b, "FLOP/s %s", r->type);
  }
  if (!r->measured) ik_buf_printf(b, " (%s)", r->machine ? r->machine : "estimates");
}

static void put_energy(const ik_outcome *o, ik_buf *b) {
  if (isnan(o->joules)) {
    ik_buf_printf(b, "%s: %s", o->simulated ? "not known" : "not readable here", o->joules_why);
    return;
  }
  ik_buf_printf(b, "%.4g J", o->joules);
  if (o->points > 0) ik_buf_printf(b, " (%.3g J/GPt)", 1e9 * o->joules / (double)o->points);
  ik_buf_printf(b, ", %s%s", o->joules_source,
                o->simulated ? "" : ": everything that ran on the processor during the run");
}

void ik_outcome_each(const ik_outcome *o,
                     void (*row)(void *ctx, const char *name, const char *words), void *ctx) {
  static const struct {
    const char *name;
    void (*put)(const ik_outcome *, ik_buf *);
  } rows[] = {
      {"model", put_model}, {"work", put_work}, {"roof", put_roofs}, {"energy", put_energy}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ik_buf b = {0};
    rows[i].put(o, &b);
    row(ctx, rows[i].name, ik_buf_text(&b));
    ik_buf_free(&b);
  }
}

/* ---- for other programs ---- */

static void json_roofline(const ik_outcome *o, ik_json *j) {
  const ik_roofs *r = &o->roofs;
  ik_json_open(j, "roofline", '{');
  ik_json_bool(j, "measured", r->measured);
  ik_json_num(j, "peak_flops_per_s", r->peak > 0 ? r->peak : NAN);
  ik_json_str(j, "level", r->nlevel ? r->level[r->holds].name : NULL);
  ik_json_num(j, "bytes_per_s", r->nlevel ? r->level[r->holds].rate : NAN);
  ik_json_num(j, "intensity", o->intensity);
  ik_json_num(j, "attainable_flops_per_s", o->attainable);
  ik_json_close(j, '}');
}

void ik_outcome_json(const ik_outcome *o, ik_json *j) {
  ik_json_int(j, "points", o->points);
  ik_json_num(j, "seconds", o->seconds);
  ik_json_num(j, "gstencils_per_s", o->rate / 1e9);
  ik_json_num(j, "predicted_seconds", o->predicted_seconds);
  ik_json_num(j, "predicted_gstencils_per_s", o->predicted_rate / 1e9);
  ik_json_num(j, "predicted_round_seconds", o->round_seconds);
  ik_json_num(j, "ratio", o->seconds > 0 ? o->ratio : NAN);
  ik_json_str(j, "bound", o->bound);
  ik_json_str(j, "limited_by", o->limited_by);
  ik_json_str(j, "predicted_from", o->basis);
  ik_json_num(j, "flops", o->flops);
  ik_json_num(j, "flops_per_point", over(o->flops, (double)o->points));
  ik_json_num(j, "bytes", o->bytes);
  ik_json_num(j, "bytes_per_point", over(o->bytes, (double)o->points));
  ik_json_num(j, "traffic_bytes", o->traffic);
  ik_json_num(j, "roofline_share", o->roofline_share);
  json_roofline(o, j);
  ik_json_num(j, "joules", o->joules);
  ik_json_str(j, "joules_source", o->joules_source);
  ik_json_str(j, "joules_reason", o->joules_why);
}
