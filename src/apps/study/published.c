#include "apps/study/published.h"
#include "base/text.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

typedef struct printed { /* a number as it stands in a paper */
  bool   there, bound;
  double value;
  double unit;     /* of its last digit */
  int    decimals; /* after the point */
  bool   exponent;
} printed;

static printed read_printed(const char *s) {
  printed p = {0};
  if (!s) return p;
  char *end;
  p.there = true;
  p.bound = *s == '<';
  s += p.bound;
  p.value = ik_strtod(s, &end);
  const char *point = memchr(s, '.', (size_t)(end - s)), *e = memchr(s, 'e', (size_t)(end - s));
  if (point)
    for (const char *c = point + 1; isdigit((unsigned char)*c); c++) p.decimals++;
  p.exponent = e != NULL;
  p.unit = pow(10, (e ? ik_strtod(e + 1, NULL) : 0) - p.decimals);
  return p;
}

/* Two digits more than are printed, so that one sees how it would round. */
static void write_ours(const printed *p, double ours, ik_buf *out) {
  if (isnan(ours))
    ik_buf_putc(out, '-');
  else if (!p->there)
    ik_buf_printf(out, "%.7g", ours);
  else if (p->exponent)
    ik_buf_printf(out, "%.*e", p->decimals + 2, ours);
  else if (p->decimals == 0 && ours == floor(ours))
    ik_buf_printf(out, "%.0f", ours);
  else
    ik_buf_printf(out, "%.*f", p->decimals + 2, ours);
}

/* In units of the last digit: the same once it is rounded, or once the rest is cut off. */
static bool is_rounded(const printed *p, double ours) {
  const double slack = 1e-9; /* of a unit: 0.5 is not always 0.5 */
  return fabs((ours - p->value) / p->unit) <= 0.5 + slack;
}

static bool is_cut(const printed *p, double ours) {
  double units = (ours - p->value) / p->unit;
  return units > 0 && units < 1 && ours > 0;
}

/* Relative; of what is published as nothing, anything else is beyond all bounds. */
static double error_of(const printed *p, double ours) {
  if (p->bound) return ours < p->value ? 0 : INFINITY;
  if (is_rounded(p, ours) || is_cut(p, ours)) return 0;
  return p->value != 0 ? ours / p->value - 1 : INFINITY;
}

static void count(ik_published *t, const printed *p, double ours) {
  if (!p->there) return;
  if (isnan(ours))
    t->book->absent++;
  else
    ik_tally_add(&t->book->tally[t->calibrated ? IK_TALLY_CALIBRATED : IK_TALLY_PREDICTED],
                 error_of(p, ours));
}

static void write_difference(const printed *p, double ours, ik_buf *out) {
  if (!p->there || isnan(ours))
    ik_buf_putc(out, '-');
  else if (p->bound)
    ik_buf_puts(out, ours < p->value ? "holds" : "fails");
  else if (is_rounded(p, ours))
    ik_buf_putc(out, '0');
  else if (is_cut(p, ours))
    ik_buf_puts(out, "0 cut");
  else if (p->value == 0)
    ik_buf_printf(out, "%+.2g", ours);
  else
    ik_buf_printf(out, "%+.2f %%", 100 * (ours / p->value - 1));
}

ik_published ik_published_open(ik_published_book *b, const char *title, const char *note) {
  ik_buf      *text = b->text;
  ik_json     *json = b->json;
  ik_published t = {.book = b, .text = text, .json = json};
  ik_buf_printf(text, "\n%s%s%s\n\n", title, note ? ": " : "", note ? note : "");
  ik_table_row(&t.table, "\tpublished\tours\tdifference");
  ik_json_open(json, NULL, '{');
  ik_json_str(json, "title", title);
  ik_json_str(json, "note", note);
  ik_json_open(json, "rows", '[');
  return t;
}

void ik_published_add(ik_published *t, const char *what, const char *published, double ours,
                      const char *remark) {
  printed p = read_printed(published);
  ik_buf  mine = {0}, difference = {0};
  count(t, &p, ours);
  write_ours(&p, ours, &mine);
  write_difference(&p, ours, &difference);
  ik_table_row(&t->table, "%s\t%s\t%s\t%s%s%s", what, published ? published : "-",
               ik_buf_text(&mine), ik_buf_text(&difference), remark ? "\t" : "",
               remark ? remark : "");
  ik_json_open(t->json, NULL, '{');
  ik_json_str(t->json, "what", what);
  ik_json_num(t->json, "published", p.there ? p.value : NAN);
  ik_json_num(t->json, "ours", ours);
  ik_json_str(t->json, "difference", ik_buf_text(&difference));
  ik_json_str(t->json, "remark", remark);
  ik_json_close(t->json, '}');
  t->text->failed |= mine.failed || difference.failed;
  ik_buf_free(&mine), ik_buf_free(&difference);
}

void ik_published_close(ik_published *t) {
  ik_table_write(&t->table, 2, t->text);
  ik_json_close(t->json, ']');
  ik_json_close(t->json, '}');
}
