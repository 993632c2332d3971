#include "report/page.h"
#include "base/mem.h"
#include "base/text.h"
#include "io/file.h"
#include "report/drawing.h"
#include "report/gain.h"
#include "report/html.h"
#include "report/roofline.h"
#include "report/spacetime.h"
#include "report/svg.h"
#include <stdio.h>
#include <string.h>

/* ---- pictures ---- */

/* Encodes the picture of a slice. */
static ik_status draw(const ik_page_input *in, const ik_page_slice *s, ik_buf *png, ik_diag *d) {
  ik_drawing g;
  IK_TRY(ik_drawing_of(in, s, d, &g));
  ik_status st = ik_picture_draw(&g.spec, png, d);
  ik_drawing_free(&g);
  return st;
}

ik_status ik_page_picture(const ik_page_input *in, const ik_page_slice *s, const char *path,
                          ik_diag *d) {
  ik_buf    png = {0};
  ik_status st = draw(in, s, &png, d);
  if (!st) st = ik_file_write(path, png.data, png.len, d);
  ik_buf_free(&png);
  return st;
}

/* ---- sections of the report ---- */

typedef struct facts { /* names and values in two columns */
  ik_html_fact fact[16];
  ik_buf       value[16];
  int          n;
} facts;

static ik_buf *add_fact(facts *f, const char *name) {
  f->fact[f->n].name = name;
  return &f->value[f->n++];
}

static void put_facts(facts *f, ik_buf *b) {
  for (int i = 0; i < f->n; i++) f->fact[i].value = ik_buf_text(&f->value[i]);
  ik_html_facts(b, f->fact, f->n);
  for (int i = 0; i < f->n; i++) b->failed |= f->value[i].failed, ik_buf_free(&f->value[i]);
}

static void say_fact(facts *f, const char *name, const char *value) {
  if (value && *value) ik_buf_puts(add_fact(f, name), value);
}

/* How the run was set up, and what it said. */
static void section_run(const ik_page_input *in, ik_buf *b) {
  facts f = {.n = 0};
  ik_buf_printf(add_fact(&f, "target"), "%s%s", in->simulated ? "SIMULATED: " : "", in->target);
  say_fact(&f, "plan", in->plan);
  if (in->threads > 0) ik_buf_printf(add_fact(&f, "threads"), "%d", in->threads);
  say_fact(&f, "machine", in->machine);
  say_fact(&f, "parameters", in->parameters);
  say_fact(&f, "date", in->date);
  ik_buf_printf(add_fact(&f, "version"), "ikat %s, language 1", in->version);
  say_fact(&f, "command", in->command);
  ik_html_section(b, "The run");
  put_facts(&f, b);
  if (in->summary) ik_html_code(b, in->summary);
}

static void add_row(void *ctx, const char *name, const char *words) {
  static const char *const title[][2] = {{"model", "prediction"},
                                         {"work", "operations and bytes"},
                                         {"roof", "share of the roofline"},
                                         {"energy", "energy"}};
  for (size_t i = 0; i < sizeof title / sizeof *title; i++)
    if (strcmp(name, title[i][0]) == 0) say_fact(ctx, title[i][1], words);
}

static void section_outcome(const ik_page_input *in, ik_buf *b) {
  const ik_outcome *o = in->outcome;
  facts             f = {.n = 0};
  ik_buf            svg = {0};
  if (!o) return;
  ik_html_section(b, o->simulated ? "Predicted and simulated" : "Predicted and measured");
  ik_outcome_headline(o, add_fact(&f, o->simulated ? "SIMULATED" : "measured"));
  ik_outcome_each(o, add_row, &f);
  if (o->limited_by) say_fact(&f, "prediction rests on", o->basis);
  put_facts(&f, b);
  if (ik_svg_roofline(o, &svg))
    ik_html_svg(b, ik_buf_text(&svg),
                o->simulated ? "The program under the roofs of the machine: simulated filled, "
                               "predicted hollow."
                             : "The program under the roofs of the machine: measured filled, "
                               "predicted hollow; the roof of the level that holds the fields is "
                               "drawn in full, bytes are those that the plan moves.");
  b->failed |= svg.failed;
  ik_buf_free(&svg);
}

static ik_status section_picture(const ik_page_input *in, ik_buf *b, ik_diag *d) {
  ik_html_section(b, "The fields");
  for (int f = 0; f < in->ir->nfield; f++) {
    const ik_field *field = &in->ir->field[f];
    bool            changes =
        field->kind == IK_FIELD_USER && (field->has_new || f == ik_page_default_slice(in).field);
    if (!changes) continue;
    ik_page_slice s = ik_page_slice_of(in, f);
    ik_buf        png = {0};
    ik_status     st = draw(in, &s, &png, d);
    if (!st) ik_html_png(b, &png, field->name, NULL); /* it has its caption inside */
    ik_buf_free(&png);
    if (st) return st;
  }
  return IK_OK;
}

static void section_machine(const ik_page_input *in, ik_buf *b) {
  const ik_timeline *t = in->simulated ? in->simulated->timeline : NULL;
  if (!t || !t->nspan) return;
  ik_html_section(b, "The machine at work (SIMULATED)");
  ik_spacetime_page(t, b);
}

static void section_facts(const ik_page_input *in, ik_buf *b) {
  ik_buf text = {0};
  ik_facts_print(in->ir, in->facts, &text);
  ik_html_section(b, "What is known of the program");
  ik_html_text(b, "Derived from the program and its data: no machine, tile or thread is involved.");
  ik_html_code(b, ik_buf_text(&text));
  ik_buf_free(&text);
}

/* Says how the traces are scaled, after it has scaled them. */
static void caption_gather(const ik_ir *ir, const ik_record *r, double *v, int ns, ik_buf *out) {
  int    window = ik_gain_window(v, r->npoint, ns);
  double dt = ir->dt > 0 ? ir->dt * (double)r->every : (double)r->every;
  bool   gained = ik_gain_is_needed(v, r->npoint, ns) && ik_gain_agc(v, r->npoint, ns, window);
  ik_buf_printf(out, "Receiver traces of %s, ", ir->field[r->field].name);
  if (gained)
    ik_buf_printf(out, "with automatic gain control over %.3g %s: amplitudes are relative.",
                  window * dt, ir->dt > 0 ? "s" : "steps");
  else
    ik_buf_puts(out, "in true amplitude, one scale for all traces.");
}

/* Traces side by side: [point][sample], as the chart wants them. */
static ik_status section_record(const ik_page_input *in, int i, ik_buf *b, ik_diag *d) {
  const ik_record *r = &in->ir->record[i];
  const ik_trace  *t = &in->loop->recorder.trace[i];
  if (!t->nsample) return IK_OK;
  int64_t np = r->npoint, ns = t->nsample;
  double *v = ik_calloc((size_t)(np * ns), sizeof *v), dt = in->ir->dt > 0 ? in->ir->dt : 1;
  if (!v) return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the report");
  for (int64_t k = 0; k < ns; k++)
    for (int64_t p = 0; p < np; p++) v[p * ns + k] = t->data[k * np + p];
  ik_buf caption = {0};
  caption_gather(in->ir, r, v, (int)ns, &caption);
  ik_wiggles w = {.title = r->path,
                  .x_name = "receiver",
                  .t_unit = in->ir->dt > 0 ? "s" : "steps",
                  .v = v,
                  .ntrace = (int)np,
                  .nt = (int)ns,
                  .dx = 1,
                  .t0 = dt * (double)r->every,
                  .dt = dt * (double)r->every};
  ik_buf     svg = {0};
  ik_svg_gather(&w, &svg);
  ik_html_svg(b, ik_buf_text(&svg), ik_buf_text(&caption));
  b->failed |= caption.failed;
  ik_buf_free(&svg), ik_buf_free(&caption);
  ik_free(v);
  return IK_OK;
}

static ik_status section_records(const ik_page_input *in, ik_buf *b, ik_diag *d) {
  if (in->ir->nrecord) ik_html_section(b, "Receivers");
  for (int i = 0; i < in->ir->nrecord; i++) IK_TRY(section_record(in, i, b, d));
  return IK_OK;
}

static ik_status build(const ik_page_input *in, ik_buf *b, ik_diag *d) {
  ik_buf subtitle = {0}, footer = {0};
  for (int k = 0; k < in->ir->ndim; k++)
    ik_buf_printf(&subtitle, "%s%s = %lld", k ? ", " : "", in->ir->axis[k],
                  (long long)in->ir->n[k]);
  ik_buf_printf(&footer, "ikat %s, language 1", in->version);
  ik_html_begin(b, ik_drawing_program(in->ir), ik_buf_text(&subtitle));
  ik_status st = section_picture(in, b, d);
  if (!st) st = section_records(in, b, d);
  section_outcome(in, b);
  section_run(in, b);
  section_machine(in, b);
  section_facts(in, b);
  ik_html_section(b, "The program");
  ik_html_code(b, in->source);
  ik_html_end(b, ik_buf_text(&footer));
  ik_buf_free(&subtitle), ik_buf_free(&footer);
  if (!st && b->failed)
    st = ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the report");
  return st;
}

/* ---- files ---- */

static ik_status write_in(const char *directory, const char *name, const char *bytes, size_t len,
                          ik_buf *path, ik_diag *d) {
  ik_buf_printf(path, "%s/%s", directory, name);
  if (path->failed) return ik_file_oom(name, IK_NOSPAN, d);
  return ik_file_write(ik_buf_text(path), bytes, len, d);
}

ik_status ik_page_save(const char *directory, const ik_buf *html, const char *json, ik_buf *page,
                       ik_diag *d) {
  ik_buf path = {0};
  IK_TRY(ik_file_make_folder(directory, 0777, d));
  ik_status st = write_in(directory, "report.html", html->data, html->len, page, d);
  if (!st) st = write_in(directory, "report.json", json, strlen(json), &path, d);
  ik_buf_free(&path);
  return st;
}

ik_status ik_page_write(const ik_page_input *in, const char *directory, ik_buf *page, ik_diag *d) {
  ik_buf    html = {0};
  ik_status st = build(in, &html, d);
  if (!st) st = ik_page_save(directory, &html, in->json, page, d);
  ik_buf_free(&html);
  return st;
}
