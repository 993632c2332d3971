#include "study/compare.h"
#include "base/mem.h"
#include "base/text.h"
#include "report/html.h"
#include "report/svg.h"
#include "study/table.h"
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

/* A bar so low asks for the same number. */
#define EXACT 1e-6

/* ---- tables ---- */

static const char *verdict(const ik_published_row *r) {
  return r->bar <= 0 ? "" : ik_compared_holds(r) ? "holds" : "MISSED";
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
  char   bar[32] = "", mark[16] = "", published[32] = "-";
  int    note = number_of(x, r->note);
  ik_buf difference = {0};
  put_difference(r, &difference);
  if (!isnan(r->published)) ik_format(published, sizeof published, "%.6g", r->published);
  if (r->bar > 0) ik_format(bar, sizeof bar, r->bar <= EXACT ? "exact" : "%.3g %%", 100 * r->bar);
  if (note) snprintf(mark, sizeof mark, "[%d]", note);
  ik_table_row(t, "%s\t%s\t%.6g\t%s\t%s\t%s\t%s\t%s", r->row, published, r->simulated, r->unit,
               ik_buf_text(&difference), bar, verdict(r), mark);
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
  ik_table_row(&t, "\tpublished\tsimulated\t\tdifference\tbar\t\t");
  for (int i = first; i < c->n; i++)
    if (same_table(c, i, first)) put_row(&c->row[i], &x, &t);
  ik_table_write(&t, 2, text);
  for (int k = 0; k < x.n; k++) ik_buf_printf(text, "  [%d] %s\n", k + 1, x.note[k]);
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
  ik_json_num(j, "bar", r->bar > 0 ? r->bar : NAN);
  ik_json_bool(j, "holds", ik_compared_holds(r));
  ik_json_str(j, "note", r->note);
  ik_json_close(j, '}');
}

/* ---- the chart ---- */

enum { SERIES = 16 };

/* Rows without a bar may be far away, and those that must be exact are: both are left to the
 * tables. */
static bool is_charted(const ik_published_row *r) { return r->bar > EXACT; }

/* Differences of one machine in percent, by the place of their rows. */
static int fill(const ik_compared *c, int from, double *x, double *y, const char **tip) {
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    if (!is_charted(&c->row[i])) continue;
    x[n] = from + n + 1, y[n] = 100 * ik_compared_difference(&c->row[i]);
    tip[n++] = c->row[i].row;
  }
  return n;
}

static void fill_bars(const ik_compared *c, int from, double *x, double *y) {
  for (int i = 0, n = 0; i < c->n; i++) {
    if (!is_charted(&c->row[i])) continue;
    x[2 * n] = x[2 * n + 1] = from + n + 1;
    y[2 * n] = 100 * c->row[i].bar, y[2 * n + 1] = -y[2 * n];
    n++;
  }
}

typedef struct numbers { /* of the chart, room for all rows */
  double      *x, *y, *bx, *by;
  const char **tip;
} numbers;

static void draw_series(const ik_compared *c, int n, const numbers *v, ik_buf *page) {
  ik_series s[SERIES];
  int       k = 0, all = 0;
  for (int i = 0; i < n && k + 1 < SERIES; i++) {
    int m = fill(&c[i], all, v->x + all, v->y + all, v->tip + all);
    fill_bars(&c[i], all, v->bx + 2 * all, v->by + 2 * all);
    s[k++] = (ik_series){.name = c[i].machine,
                         .x = v->x + all,
                         .y = v->y + all,
                         .n = m,
                         .mark = IK_MARK_DOT,
                         .colour = i + 1,
                         .tip = v->tip + all};
    all += m;
  }
  s[k++] = (ik_series){.name = "allowed",
                       .x = v->bx,
                       .y = v->by,
                       .n = 2 * all,
                       .mark = IK_MARK_RING,
                       .colour = 8,
                       .faint = true};
  ik_chart chart = {.title = "Simulated against published",
                    .x_name = "row",
                    .y_name = "difference",
                    .y_unit = "%",
                    .series = s,
                    .nseries = k};
  ik_buf   svg = {0};
  ik_svg_lines(&chart, &svg);
  ik_html_svg(page, ik_buf_text(&svg),
              "Rows with a bar, in the order of the tables below; not those that must be exact.");
  page->failed |= svg.failed;
  ik_buf_free(&svg);
}

static void draw(const ik_compared *c, int n, ik_buf *page) {
  size_t all = 1;
  for (int i = 0; i < n; i++) all += (size_t)c[i].n;
  double *v = ik_calloc(6 * all, sizeof *v);
  numbers x = {v, v + all, v + 2 * all, v + 4 * all, ik_calloc(all, sizeof *x.tip)};
  if (v && x.tip)
    draw_series(c, n, &x, page);
  else
    page->failed = true;
  ik_free(v), ik_free(x.tip);
}

/* ---- the whole ---- */

int ik_compared_write(const ik_compared *c, int n, ik_buf *text, ik_json *json, ik_buf *page) {
  int bars = 0, missed = 0;
  ik_json_open(json, "rows", '[');
  for (int i = 0; i < n; i++) {
    write_machine(&c[i], text);
    for (int k = 0; k < c[i].n; k++) {
      json_row(&c[i], &c[i].row[k], json);
      bars += c[i].row[k].bar > 0, missed += !ik_compared_holds(&c[i].row[k]);
    }
  }
  ik_json_close(json, ']');
  ik_json_int(json, "bars", bars), ik_json_int(json, "missed", missed);
  ik_buf_printf(text, "%d of %d bars hold\n", bars - missed, bars);
  draw(c, n, page);
  return missed;
}
