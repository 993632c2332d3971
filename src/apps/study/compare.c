#include "apps/study/compare.h"
#include "base/mem.h"
#include "base/text.h"
#include "report/html.h"
#include "report/svg.h"
#include "apps/study/table.h"
#include "apps/study/tally.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

double ik_compared_difference(const ik_published_row *r) {
  return r->published != 0 ? r->simulated / r->published - 1 : r->simulated;
}

/* A hair more than the bar is rounding. */
bool ik_compared_holds(const ik_published_row *r) {
  return r->bar <= 0 || fabs(ik_compared_difference(r)) <= r->bar * (1 + 1e-9);
}

/* ---- tables ---- */

static const char *kind_of(const ik_published_row *r) {
  static const char *const name[] = {"predicted", "calibrated", "proved"};
  return name[r->kind];
}

/* What a paper has printed, and not left to be seen in a figure, counts. */
static bool counts(const ik_published_row *r) {
  return r->kind != IK_PROVED && !isnan(r->published);
}

/* Of what is published as nothing, anything else is a miss. */
static double error_of(const ik_published_row *r) {
  double v = ik_compared_difference(r);
  return r->published != 0 || v == 0 ? v : INFINITY;
}

enum { NOTES = 32 };

typedef struct notes { /* under a table, each once */
  const char *note[NOTES];
  int         n;
} notes;

/* Its number, from 1; 0: there is none, or no room. */
static int number_of(notes *x, const char *note) {
  int i = 0;
  if (!note) return 0;
  while (i < x->n && strcmp(x->note[i], note)) i++;
  if (i == NOTES) return 0;
  if (i == x->n) x->note[x->n++] = note;
  return i + 1;
}

/* In percent; of what is published as nothing, the figure itself. */
static void put_difference(const ik_published_row *r, ik_buf *b) {
  double v = ik_compared_difference(r);
  if (isnan(v))
    ik_buf_putc(b, '-');
  else
    ik_buf_printf(b, r->published != 0 ? "%+.2f %%" : "%+.3g", r->published != 0 ? 100 * v : v);
}

static void put_row(const ik_published_row *r, notes *x, ik_table *t) {
  char   mark[16] = "", published[32] = "-";
  int    note = number_of(x, r->note);
  ik_buf difference = {0};
  put_difference(r, &difference);
  if (!isnan(r->published)) ik_format(published, sizeof published, "%.6g", r->published);
  if (note) snprintf(mark, sizeof mark, "[%d]", note);
  ik_table_row(t, "%s\t%s\t%.6g\t%s\t%s\t%s\t%s\t%s", r->row, published, r->simulated, r->unit,
               ik_buf_text(&difference), counts(r) ? ik_tally_class(error_of(r)) : "-", kind_of(r),
               mark);
  t->text.failed |= difference.failed;
  ik_buf_free(&difference);
}

static bool same_table(const ik_compared *c, int i, int k) {
  return !strcmp(c->row[i].table, c->row[k].table);
}

/* All rows of the table that row `first` is the first of. */
static void write_table(const ik_compared *c, int first, ik_buf *text) {
  ik_table t = {0};
  notes    x = {0};
  ik_buf_printf(text, "%s: %s\n\n", c->machine, c->row[first].table);
  ik_table_row(&t, "\tpublished\tsimulated\t\terror\twithin\t\t");
  for (int i = first; i < c->n; i++)
    if (same_table(c, i, first)) put_row(&c->row[i], &x, &t);
  ik_table_write(&t, 2, text);
  for (int k = 0; k < x.n; k++) {
    ik_buf note = {0};
    ik_buf_printf(&note, "[%d] %s", k + 1, x.note[k]);
    ik_table_wrap(ik_buf_text(&note), 2, 6, text);
    text->failed |= note.failed;
    ik_buf_free(&note);
  }
  ik_buf_putc(text, '\n');
}

static void write_machine(const ik_compared *c, ik_buf *text) {
  for (int i = 0; i < c->n; i++) {
    int first = 0;
    while (!same_table(c, first, i)) first++;
    if (first == i) write_table(c, i, text);
  }
}

static void json_row(const ik_compared *c, const ik_published_row *r, ik_json *j) {
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "machine", c->machine), ik_json_str(j, "table", r->table);
  ik_json_str(j, "row", r->row), ik_json_str(j, "unit", r->unit);
  ik_json_num(j, "published", r->published), ik_json_num(j, "simulated", r->simulated);
  ik_json_num(j, "difference", ik_compared_difference(r));
  ik_json_str(j, "kind", kind_of(r));
  ik_json_str(j, "within", counts(r) ? ik_tally_class(error_of(r)) : NULL);
  ik_json_num(j, "bar", r->bar > 0 ? r->bar : NAN);
  ik_json_bool(j, "holds", ik_compared_holds(r));
  ik_json_str(j, "note", r->note);
  ik_json_close(j, '}');
}

/* ---- the chart ---- */

enum { SERIES = 16 };

/* An error beyond the chart is drawn at its edge; what is published as nothing has none. */
#define EDGE 30.0

static bool is_charted(const ik_published_row *r, int calibrated) {
  return counts(r) && r->published != 0 && (r->kind == IK_CALIBRATED) == calibrated;
}

/* Errors of one machine in percent, by the place of their rows. */
static int fill(const ik_compared *c, int calibrated, int from, double *x, double *y,
                const char **tip) {
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    if (!is_charted(&c->row[i], calibrated)) continue;
    x[n] = from + n + 1;
    y[n] = fmax(-EDGE, fmin(EDGE, 100 * ik_compared_difference(&c->row[i])));
    tip[n++] = c->row[i].row;
  }
  return n;
}

typedef struct numbers { /* of the chart, room for all rows */
  double      *x, *y;
  const char **tip;
} numbers;

/* Predicted ones are filled, those that were fitted hollow. */
static void draw_series(const ik_compared *c, int n, const numbers *v, ik_buf *page) {
  ik_series s[SERIES];
  int       k = 0, all = 0;
  for (int calibrated = 0; calibrated < 2; calibrated++)
    for (int i = 0; i < n && k < SERIES; i++) {
      int m = fill(&c[i], calibrated, all, v->x + all, v->y + all, v->tip + all);
      if (!m) continue;
      s[k++] = (ik_series){.name = calibrated ? NULL : c[i].machine,
                           .x = v->x + all,
                           .y = v->y + all,
                           .n = m,
                           .mark = calibrated ? IK_MARK_RING : IK_MARK_DOT,
                           .colour = i + 1,
                           .tip = v->tip + all};
      all += m;
    }
  ik_chart chart = {.title = "Simulated against published",
                    .x_name = "figure",
                    .y_name = "error",
                    .y_unit = "%",
                    .series = s,
                    .nseries = k};
  ik_buf   svg = {0};
  ik_svg_lines(&chart, &svg);
  ik_html_svg(page, ik_buf_text(&svg),
              "Every published figure that is not zero. Filled: predicted; hollow, to the right: "
              "constants were "
              "fitted to it. Errors beyond 30 % are drawn at the edge.");
  page->failed |= svg.failed;
  ik_buf_free(&svg);
}

static void draw(const ik_compared *c, int n, ik_buf *page) {
  size_t all = 1;
  for (int i = 0; i < n; i++) all += (size_t)c[i].n;
  double *v = ik_calloc(2 * all, sizeof *v);
  numbers x = {v, v + all, ik_calloc(all, sizeof *x.tip)};
  if (v && x.tip)
    draw_series(c, n, &x, page);
  else
    page->failed = true;
  ik_free(v), ik_free(x.tip);
}

/* ---- the whole ---- */

static void add_row(const ik_published_row *r, ik_tally t[IK_TALLIES]) {
  int kind = r->kind == IK_CALIBRATED ? IK_TALLY_CALIBRATED : IK_TALLY_PREDICTED;
  if (counts(r)) ik_tally_add(&t[kind], error_of(r));
}

int ik_compared_write(const ik_compared *c, int n, ik_buf *text, ik_json *json, ik_buf *page) {
  ik_tally t[IK_TALLIES] = {{0}};
  int      changed = 0;
  ik_json_open(json, "rows", '[');
  for (int i = 0; i < n; i++) {
    write_machine(&c[i], text);
    for (int k = 0; k < c[i].n; k++) {
      json_row(&c[i], &c[i].row[k], json);
      add_row(&c[i].row[k], t);
      changed += !ik_compared_holds(&c[i].row[k]);
    }
  }
  ik_json_close(json, ']');
  ik_tally_json(t, json);
  ik_json_int(json, "changed", changed);
  ik_tally_text(t, text);
  draw(c, n, page);
  return changed;
}
