/* `ikat plan` on machines that are simulated. */
#include "base/text.h"
#include "report/html.h"
#include "report/svg.h"
#include "apps/study/spatial.h"
#include "apps/study/table.h"
#include <math.h>

static double rate_of(const ik_spatial_work *w, double seconds) {
  return ik_spatial_cells(w) / seconds / 1e9;
}

/* ---- scaling ---- */

enum { MOST = 16 };

typedef struct point {
  double elements, cells, seconds, gstencils;
  bool   simulated; /* else it is extrapolated, by the model */
  char   grid[64];
} point;

typedef struct curve {
  const char *name, *title;
  int         n;
  point       at[MOST];
} curve;

typedef ik_spatial_work scale_fn(const ik_machine *m, const ik_spatial_work *w, double elements);

/* Does the machine hold it as it is? */
static bool is_held(const ik_machine *m, ik_spatial_work w) {
  ik_spatial_time t;
  w.elements = 0;
  return ik_spatial_of(m, &w, &t) && t.fits;
}

/* The time of a wafer's step is that of its columns, however many there are: the patch that was
 * simulated is one of any fabric that exists.  But a reduction crosses all of it. */
static bool is_simulated(const ik_spatial_case *c, const ik_spatial_answer *x,
                         const ik_spatial_work *w, double elements) {
  bool wafer = ik_spatial_kind_of(x->machine) == IK_SPATIAL_WAFER && !w->reductions;
  bool same = wafer && w->n[2] == c->work.n[2] && is_held(x->machine, *w);
  return x->simulated > 0 && (same || fabs(elements - x->time.elements) < 0.5);
}

/* What is not simulated follows from what is as the model has it. */
static void add_point(const ik_spatial_case *c, const ik_spatial_answer *x, scale_fn *grow,
                      double elements, curve *out) {
  ik_spatial_work w = grow(x->machine, &c->work, elements);
  ik_spatial_time t;
  double          by = x->simulated > 0 ? x->simulated / x->time.seconds : 1;
  if (!ik_spatial_of(x->machine, &w, &t) || !t.fits || out->n == MOST) return;
  point p = {.elements = elements, .cells = ik_spatial_cells(&w), .seconds = by * t.seconds};
  p.simulated = is_simulated(c, x, &w, elements);
  p.gstencils = rate_of(&w, p.seconds);
  ik_format(p.grid, sizeof p.grid, "%.0f x %.0f x %.0f", w.n[0], w.n[1], w.n[2]);
  out->at[out->n++] = p;
}

/* The machine's elements by powers of four, and where the program stands. */
static curve *scale(const ik_spatial_case *c, const ik_spatial_answer *x, const char *name,
                    const char *title, scale_fn *by) {
  curve *out = IK_NEW(c->a, curve);
  double all = ik_spatial_elements(x->machine, &c->work), mine = x->time.elements, before = 0;
  *out = (curve){.name = name, .title = title};
  for (int k = -4; k <= 5; k++) {
    double e = floor(ldexp(all, 2 * k));
    if (mine > before && mine < e) add_point(c, x, by, mine, out);
    if (e >= 1) add_point(c, x, by, e, out);
    before = e;
  }
  return out;
}

/* Of a wafer a patch was simulated, which stands for fabrics of other sizes too. */
static const char *origin_of(const ik_spatial_answer *x, const point *p) {
  bool wafer = ik_spatial_kind_of(x->machine) == IK_SPATIAL_WAFER;
  return !p->simulated ? "extrapolated" : wafer ? "as the simulated patch" : "simulated";
}

static void write_curve(const curve *v, const ik_spatial_answer *x, ik_buf *text) {
  ik_table t = {0};
  ik_buf_printf(text, "%s scaling: %s\n", v->name, v->title);
  ik_table_row(&t, "%s\tgrid\tseconds a step\tGStencils/s\t",
               ik_spatial_elements_name(ik_spatial_kind_of(x->machine)));
  for (int i = 0; i < v->n; i++)
    ik_table_row(&t, "%.0f\t%s\t%.4g\t%.4g\t%s", v->at[i].elements, v->at[i].grid, v->at[i].seconds,
                 v->at[i].gstencils, origin_of(x, &v->at[i]));
  ik_table_write(&t, 2, text);
}

static void json_curve(const curve *v, ik_json *j) {
  ik_json_open(j, v->name, '[');
  for (int i = 0; i < v->n; i++) {
    ik_json_open(j, NULL, '{');
    ik_json_num(j, "elements", v->at[i].elements), ik_json_num(j, "cells", v->at[i].cells);
    ik_json_num(j, "seconds", v->at[i].seconds);
    ik_json_num(j, "gstencils_per_s", v->at[i].gstencils);
    ik_json_str(j, "origin", v->at[i].simulated ? "simulated" : "extrapolated");
    ik_json_close(j, '}');
  }
  ik_json_close(j, ']');
}

/* The model's line, what was simulated as dots. */
static void draw_curve(const curve *v, const ik_spatial_answer *x, ik_buf *page) {
  double e[MOST], rate[MOST], se[MOST], sr[MOST];
  int    n = 0;
  for (int i = 0; i < v->n; i++) {
    e[i] = v->at[i].elements, rate[i] = v->at[i].gstencils;
    if (v->at[i].simulated) se[n] = e[i], sr[n++] = rate[i];
  }
  ik_series s[] = {{.name = "extrapolated", .x = e, .y = rate, .n = v->n, .mark = IK_MARK_RING},
                   {.x = e, .y = rate, .n = v->n, .mark = IK_MARK_DASH, .colour = 1},
                   {.name = "simulated", .x = se, .y = sr, .n = n, .mark = IK_MARK_DOT}};
  ik_buf    svg = {0}, title = {0};
  ik_buf_printf(&title, "%s, %s scaling: %s", x->machine->name, v->name, v->title);
  ik_chart chart = {.title = ik_buf_text(&title),
                    .x_name = ik_spatial_elements_name(ik_spatial_kind_of(x->machine)),
                    .y_name = "GStencils/s",
                    .log_x = true,
                    .log_y = true,
                    .series = s,
                    .nseries = n ? 3 : 2};
  ik_svg_lines(&chart, &svg);
  ik_html_svg(page, ik_buf_text(&svg), NULL);
  page->failed |= svg.failed || title.failed;
  ik_buf_free(&svg), ik_buf_free(&title);
}

static void write_scaling(const ik_spatial_case *c, const ik_spatial_answer *x, ik_buf *text,
                          ik_json *json, ik_buf *page) {
  bool   wafer = ik_spatial_kind_of(x->machine) == IK_SPATIAL_WAFER;
  curve *v[] = {scale(c, x, "weak", "each has as much as before", ik_spatial_weak),
                scale(c, x, "strong",
                      wafer ? "as many cells, in shorter columns" : "the same grid, shared by more",
                      ik_spatial_strong)};
  for (int i = 0; i < 2; i++) {
    json_curve(v[i], json);
    if (!v[i]->n) continue;
    write_curve(v[i], x, text);
    draw_curve(v[i], x, page);
  }
}

/* ---- one machine ---- */

static void json_answer(const ik_spatial_case *c, const ik_spatial_answer *x, ik_json *j) {
  bool can = x->known && !x->refused;
  ik_json_str(j, "machine", x->machine->name);
  ik_json_str(j, "target", x->target ? x->target->name : NULL);
  ik_json_bool(j, "simulated", true);
  ik_json_str(j, "refused", x->refused);
  ik_json_str(j, "strategy", x->target ? x->target->strategies[0] : NULL);
  ik_json_num(j, "elements", can ? x->time.elements : NAN);
  ik_json_str(j, "bound", can ? x->time.bound : NULL);
  ik_json_num(j, "predicted_seconds", can ? x->time.seconds * c->steps : NAN);
  ik_json_num(j, "predicted_gstencils_per_s", can ? rate_of(&c->work, x->time.seconds) : NAN);
  ik_json_num(j, "predicted_joules", can ? x->time.joules * c->steps : NAN);
  ik_json_num(j, "simulated_seconds", x->simulated > 0 ? x->simulated * c->steps : NAN);
  ik_json_str(j, "simulated_part", x->part);
}

/* Seconds, and which part of the machine they come from. */
static void say_simulated(const ik_spatial_case *c, const ik_spatial_answer *x, ik_buf *out) {
  ik_buf text = {0};
  ik_buf_printf(&text, "simulated  %.4g s a step: %.4g GStencils/s, on %s", x->simulated,
                rate_of(&c->work, x->simulated), x->part);
  ik_buf_printf(&text, "; the estimate is %+.1f %% from it",
                100 * (x->time.seconds / x->simulated - 1));
  if (x->run > 0) ik_buf_printf(&text, "; a run takes %.3g s more", x->run);
  ik_table_wrap(ik_buf_text(&text), 2, 13, out);
  out->failed |= text.failed;
  ik_buf_free(&text);
}

/* What stands beside the prediction. */
static void write_simulation(const ik_spatial_case *c, const ik_spatial_answer *x, ik_buf *out) {
  bool wafer = ik_spatial_kind_of(x->machine) == IK_SPATIAL_WAFER, known = x->simulated > 0;
  if (known)
    say_simulated(c, x, out);
  else if (x->target)
    ik_buf_printf(out,
                  "  simulated  not here, as that takes long: %sikat run --target %s does it\n",
                  wafer && c->brief ? "--simulate or " : "", x->target->name);
  if (wafer && !known && c->program->facts.subject.nsweep > 0)
    ik_buf_puts(out, "             the estimate leaves out that levels of a sweep wait for each "
                     "other: far too fast here\n");
}

static void write_prediction(const ik_spatial_case *c, const ik_spatial_answer *x, ik_buf *out) {
  const ik_spatial_time *t = &x->time;
  ik_buf_printf(out, "  estimate   %.4g s a step on %.0f %s: %.4g GStencils/s; %.4g s in all",
                t->seconds, t->elements, ik_spatial_elements_name(ik_spatial_kind_of(x->machine)),
                rate_of(&c->work, t->seconds), t->seconds * c->steps);
  if (isfinite(t->joules)) ik_buf_printf(out, ", %.3g J", t->joules * c->steps);
  ik_buf_printf(out, "\n             limited by: %s; %.3g s of a step whatever its size\n",
                t->bound, t->fixed);
  write_simulation(c, x, out);
}

void ik_spatial_plan(const ik_spatial_case *c, const ik_spatial_answer *x, ik_buf *text,
                     ik_json *json, ik_buf *page) {
  const ik_machine *m = x->machine;
  const char       *title = ik_machine_text(m, "title");
  ik_buf_printf(text, "on %s%s%s%s, a SIMULATED machine\n", m->name, title ? " (" : "",
                title ? title : "", title ? ")" : "");
  ik_json_open(json, NULL, '{');
  json_answer(c, x, json);
  if (x->refused) {
    ik_buf line = {0};
    ik_buf_printf(&line, "refused: %s", x->refused);
    ik_table_wrap(ik_buf_text(&line), 2, 4, text);
    text->failed |= line.failed;
    ik_buf_free(&line);
  } else if (!x->known) {
    ik_buf_printf(text,
                  "  no estimate possible: machines/%s.ikm lacks figures of the closed form\n",
                  m->name);
  } else {
    write_prediction(c, x, text);
    write_scaling(c, x, text, json, page);
  }
  ik_json_close(json, '}');
}

/* ---- all machines ---- */

static void write_line(const ik_spatial_case *c, const ik_spatial_answer *x, ik_table *t) {
  char simulated[32] = "-";
  if (x->simulated > 0) ik_format(simulated, sizeof simulated, "%.4g", x->simulated);
  if (!x->refused && x->known)
    ik_table_row(t, "%s\t%.0f\t%.4g\t%s\t%.4g\tlimited by: %s", x->machine->name, x->time.elements,
                 x->time.seconds, simulated, rate_of(&c->work, x->time.seconds), x->time.bound);
}

static void write_refusal(const ik_spatial_answer *x, ik_buf *out) {
  ik_buf text = {0};
  if (!x->refused && x->known) return;
  if (x->refused)
    ik_buf_printf(&text, "%s refused: %s", x->machine->name, x->refused);
  else
    ik_buf_printf(&text, "%s no estimate: machines/%s.ikm lacks figures of the closed form",
                  x->machine->name, x->machine->name);
  ik_table_wrap(ik_buf_text(&text), 2, 4, out);
  out->failed |= text.failed;
  ik_buf_free(&text);
}

static void write_answers(const ik_spatial_case *c, const ik_spatial_answer *const *x, int n,
                          ik_buf *text, ik_json *json) {
  ik_table t = {0};
  int      can = 0;
  ik_table_row(&t, "SIMULATED machine\telements\tseconds a step\tsimulated\tGStencils/s\t");
  for (int i = 0; i < n; i++) {
    write_line(c, x[i], &t);
    can += !x[i]->refused && x[i]->known;
    ik_json_open(json, NULL, '{');
    json_answer(c, x[i], json);
    ik_json_close(json, '}');
  }
  if (can)
    ik_table_write(&t, 2, text);
  else
    ik_buf_free(&t.text);
  for (int i = 0; i < n; i++) write_refusal(x[i], text);
}

ik_status ik_spatial_list(const ik_spatial_case *c, ik_diag *d, ik_buf *text, ik_json *json) {
  int                       n, found = 0;
  const char *const        *name = ik_machine_names(&n);
  const ik_spatial_answer **x = IK_NEW_N(c->a, const ik_spatial_answer *, n);
  for (int i = 1; i < n; i++) { /* the first is this one */
    ik_machine *m;
    IK_TRY(ik_machine_find(name[i], c->a, d, &m));
    if (ik_spatial_kind_of(m)) x[found++] = ik_spatial_ask(c, m);
  }
  write_answers(c, x, found, text, json);
  return IK_OK;
}
