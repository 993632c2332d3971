/* The study of a chain of matrix products: in which order, what to fuse, what moves. */
#include "api/api.h"
#include "base/fp.h"
#include "base/mem.h"
#include "model/chain.h"
#include "report/html.h"
#include "report/svg.h"
#include "apps/study/study.h"
#include "apps/study/table.h"
#include <math.h>
#include <stdio.h>

static const double  FAST = 65536;                 /* words, unless told otherwise */
static const int64_t LARGEST = 1000 * 1000 * 1000; /* size of a matrix */

typedef struct chain {
  const int64_t *p;
  double         fast;
  ik_chain       c;
} chain;

enum { PRINTED = IK_CHAIN_PRINTED, CORRECTED = IK_CHAIN_CORRECTED, COUNTED = IK_CHAIN_COUNTED };

static const char *const way_name[] = {"alone", "left", "right", "inner"};
static const char *const keep_name[] = {"R", "A1", "A2"};

/* ---- names and numbers ---- */

/* 1 092 977 664; sizes are limited, so no count has more than 31 digits. */
typedef struct grouped {
  char text[64];
} grouped;

static grouped group(double v) {
  char    digits[48];
  grouped g = {""};
  int     n = snprintf(digits, sizeof digits, "%.0f", v), out = 0;
  for (int i = 0; i < n; i++) {
    if (i > 0 && (n - i) % 3 == 0) g.text[out++] = ' ';
    g.text[out++] = digits[i];
  }
  return g;
}

/* (A1 (A2 A3)) */
static void write_order(const chain *c, int node, int matrix, ik_buf *out) {
  if (node < 0) {
    ik_buf_printf(out, "A%d", matrix);
    return;
  }
  const ik_chain_node *v = &c->c.node[node];
  ik_buf_putc(out, '(');
  write_order(c, v->left, v->i, out);
  ik_buf_putc(out, ' ');
  write_order(c, v->right, v->j, out);
  ik_buf_putc(out, ')');
}

static int root_of(const chain *c) { return c->c.matrices - 2; }

/* A factor of a product: "A3", or "T2" if it is a product itself. */
static void write_factor(int node, int matrix, ik_buf *out) {
  if (node < 0)
    ik_buf_printf(out, "A%d", matrix);
  else
    ik_buf_printf(out, "T%d", node + 1);
}

static ik_product_size size_of(const chain *c, const ik_chain_node *v) {
  return (ik_product_size){(double)c->p[v->i - 1], (double)c->p[v->k], (double)c->p[v->j]};
}

/* ---- the tree ---- */

/* A fused edge is drawn double. */
static void draw_node(const chain *c, int node, int matrix, bool fused, ik_buf *out) {
  const ik_chain_node *v = node < 0 ? NULL : &c->c.node[node];
  write_factor(node, matrix, out);
  ik_buf_printf(out, "  %lld x %lld%s\n", (long long)c->p[v ? v->i - 1 : matrix - 1],
                (long long)c->p[v ? v->j : matrix], fused ? "  stays in fast memory" : "");
}

static void draw_below(const chain *c, int node, ik_buf *indent, ik_buf *out) {
  const ik_chain_node *v = &c->c.node[node];
  for (int side = 0; side < 2; side++) {
    int  child = side ? v->right : v->left, matrix = side ? v->j : v->i;
    bool fused = v->cost[COUNTED].way == (side ? IK_CHAIN_RIGHT : IK_CHAIN_LEFT);
    ik_buf_printf(out, "%s%s%s ", ik_buf_text(indent),
                  side    ? (fused ? "╚" : "└")
                  : fused ? "╠"
                          : "├",
                  fused ? "═" : "─");
    draw_node(c, child, matrix, fused, out);
    if (child < 0) continue;
    size_t before = indent->len;
    ik_buf_puts(indent, side ? "   " : "│  ");
    draw_below(c, child, indent, out);
    if (!indent->failed) indent->data[indent->len = before] = 0;
  }
}

static void draw_tree(const chain *c, ik_buf *out) {
  ik_buf indent = {0};
  ik_buf_puts(&indent, "  ");
  ik_buf_puts(out, "\n  ");
  draw_node(c, root_of(c), 0, false, out);
  draw_below(c, root_of(c), &indent, out);
  out->failed |= indent.failed;
  ik_buf_free(&indent);
}

/* ---- tables ---- */

static void write_totals(const chain *c, ik_buf *out) {
  ik_table t = {0};
  ik_table_row(&t, "\twords moved\tsaved");
  ik_table_row(&t, "compulsory: inputs read once, result written once\t%s\t-",
               group(c->c.compulsory).text);
  ik_table_row(&t, "every product by itself\t%s\t-", group(c->c.counted).text);
  ik_table_row(&t, "the best pairs fused\t%s\t%.2f %%", group(c->c.fused[COUNTED]).text,
               100 * c->c.saved[COUNTED]);
  ik_buf_puts(out, "\n");
  ik_table_write(&t, 2, out);
}

/* "fused with T1"; "inside its parent" for one that its parent is fused with. */
static void write_way(const chain *c, int node, int reading, ik_buf *out) {
  const ik_chain_node *v = &c->c.node[node];
  const ik_chain_cost *cost = &v->cost[reading];
  if (cost->way == IK_CHAIN_INNER) {
    ik_buf_puts(out, "inside its parent\t-");
    return;
  }
  if (cost->way == IK_CHAIN_ALONE)
    ik_buf_printf(out, "alone, keeps %s", keep_name[reading == COUNTED ? v->keep : 0]);
  else
    ik_buf_printf(out, "fused with T%d", 1 + (cost->way == IK_CHAIN_LEFT ? v->left : v->right));
  ik_buf_printf(out, "\t%.0f x %.0f", cost->whole_x, cost->whole_y);
}

static void write_products(const chain *c, ik_buf *out) {
  ik_table t = {0};
  ik_table_row(&t, "product\tof\tsizes\tmultiply-adds\tplan\ttile");
  for (int k = 0; k <= root_of(c); k++) {
    const ik_chain_node *v = &c->c.node[k];
    ik_product_size      s = size_of(c, v);
    ik_buf               of = {0}, way = {0};
    write_factor(v->left, v->i, &of);
    ik_buf_putc(&of, ' ');
    write_factor(v->right, v->j, &of);
    write_way(c, k, COUNTED, &way);
    ik_table_row(&t, "T%d\t%s\t%.0f x %.0f x %.0f\t%s\t%s", k + 1, ik_buf_text(&of), s.p0, s.p1,
                 s.p2, group(s.p0 * s.p1 * s.p2).text, ik_buf_text(&way));
    out->failed |= of.failed || way.failed;
    ik_buf_free(&of), ik_buf_free(&way);
  }
  ik_buf_puts(out, "\n");
  ik_table_write(&t, 2, out);
}

static ik_product_move whole(const chain *c, int node, ik_product_keep keep) {
  ik_product_size s = size_of(c, &c->c.node[node]);
  return ik_product_of(&s, c->fast, keep, IK_PRODUCT_WHOLE);
}

/* What an execution with whole tiles moves, whichever matrix it keeps. */
static void write_whole(const chain *c, ik_buf *out) {
  ik_table t = {0};
  ik_table_row(&t, "words by itself\tkeeping R\tkeeping A1\tkeeping A2");
  for (int k = 0; k <= root_of(c); k++)
    ik_table_row(&t, "T%d\t%s\t%s\t%s", k + 1, group(whole(c, k, IK_PRODUCT_KEEP_R).words).text,
                 group(whole(c, k, IK_PRODUCT_KEEP_A1).words).text,
                 group(whole(c, k, IK_PRODUCT_KEEP_A2).words).text);
  ik_buf_puts(out, "\n");
  ik_table_write(&t, 2, out);
  ik_buf_puts(out, "\n  Words are counted tile by tile; the tile that a product keeps may fill the "
                   "fast memory.\n  R is the product, A1 and A2 its factors; a fused pair keeps a "
                   "patch of the inner product.\n");
}

/* ---- the closed forms of the source ---- */

static void closed_row(const char *what, bool holds, double words, double saved, ik_table *t) {
  if (!holds)
    ik_table_row(t, "%s\tdoes not hold\t-", what);
  else if (saved != 0)
    ik_table_row(t, "%s\t%s\t%.2f %%", what, group(words).text, 100 * saved);
  else
    ik_table_row(t, "%s\t%s\t-", what, group(words).text);
}

/* The first product whose tile is longer than the matrix that it should lie in. */
static void write_where_not(const chain *c, ik_buf *out) {
  int node = 0;
  for (int k = root_of(c); k >= 0; k--) {
    const ik_chain_node *v = &c->c.node[k];
    ik_product_size      s = size_of(c, v);
    bool                 alone = ik_product_closed_holds(&s, c->fast, IK_PRODUCT_KEEP_R);
    if (!alone || !v->cost[CORRECTED].holds || !v->cost[PRINTED].holds) node = k + 1;
  }
  if (node == 0) return;
  ik_buf_printf(out,
                "\n  A closed form holds where its tile lies inside the matrix that it keeps: "
                "%.4g x %.4g (keep R),\n  up to %.4g along one side (fused).  That of T%d does "
                "not.\n",
                sqrt(c->fast), sqrt(c->fast), sqrt(2 * c->fast), node);
}

static void write_misprint(const chain *c, ik_buf *out) {
  if (c->c.fused[PRINTED] < c->c.compulsory)
    ik_buf_puts(out, "\n  The printed form gives less than the compulsory traffic.\n");
  if (!c->c.holds[PRINTED] || c->c.fused[PRINTED] == c->c.at_tiles[PRINTED]) return;
  ik_buf_printf(
      out,
      "\n  The printed form is inconsistent: it has the ratio P0/P1 for a right fusion, "
      "but P0/P2 minimises\n  what that moves (D.11).  With the tiles that it names, (D.7) "
      "and (D.11) give %s words.\n",
      group(c->c.at_tiles[PRINTED]).text);
}

static void write_closed_ways(const chain *c, ik_buf *out) {
  ik_table t = {0};
  ik_table_row(&t, "product\tcorrected\ttile\tas printed\ttile");
  for (int k = 0; k <= root_of(c); k++) {
    ik_buf way[2] = {{0}};
    for (int r = 0; r < 2; r++)
      if (c->c.holds[r])
        write_way(c, k, r, &way[r]);
      else
        ik_buf_puts(&way[r], "-\t-");
    ik_table_row(&t, "T%d\t%s\t%s", k + 1, ik_buf_text(&way[CORRECTED]),
                 ik_buf_text(&way[PRINTED]));
    out->failed |= way[0].failed || way[1].failed;
    ik_buf_free(&way[0]), ik_buf_free(&way[1]);
  }
  ik_buf_puts(out, "\n");
  ik_table_write(&t, 2, out);
}

static void write_closed(const chain *c, ik_buf *out) {
  ik_table t = {0};
  ik_table_row(&t, "closed forms (\"Analytical Cost Metrics\", appendix D)\twords moved\tsaved");
  closed_row("every product by itself (D.18)", c->c.separate_holds, c->c.separate, 0, &t);
  closed_row("fused, corrected", c->c.holds[CORRECTED], c->c.fused[CORRECTED],
             c->c.saved[CORRECTED], &t);
  closed_row("fused, as printed (D.19 to D.22)", c->c.holds[PRINTED], c->c.fused[PRINTED],
             c->c.saved[PRINTED], &t);
  ik_buf_puts(out, "\n");
  ik_table_write(&t, 2, out);
  write_where_not(c, out);
  write_misprint(c, out);
  if (c->c.holds[CORRECTED] || c->c.holds[PRINTED]) write_closed_ways(c, out);
}

static void write_text(const chain *c, ik_buf *out) {
  ik_buf_printf(out, "%d matrices, %s words of fast memory\n\n  order          ", c->c.matrices,
                group(c->fast).text);
  write_order(c, root_of(c), 0, out);
  ik_buf_printf(out, "\n  multiply-adds  %s\n", group(c->c.multiply_adds).text);
  draw_tree(c, out);
  write_totals(c, out);
  write_products(c, out);
  write_whole(c, out);
  write_closed(c, out);
}

/* ---- JSON ---- */

static void json_cost(const ik_chain_node *v, int reading, const char *key, ik_json *j) {
  const ik_chain_cost *cost = &v->cost[reading];
  ik_json_open(j, key, '{');
  ik_json_str(j, "way", way_name[cost->way]);
  ik_json_bool(j, "holds", cost->holds);
  ik_json_num(j, "words_with_all_below", cost->words);
  ik_json_num(j, "alone", cost->f[IK_CHAIN_ALONE]);
  ik_json_num(j, "left", cost->f[IK_CHAIN_LEFT]);
  ik_json_num(j, "right", cost->f[IK_CHAIN_RIGHT]);
  if (cost->way != IK_CHAIN_INNER) {
    ik_json_open(j, "tile", '[');
    ik_json_int(j, NULL, (int64_t)cost->whole_x), ik_json_int(j, NULL, (int64_t)cost->whole_y);
    ik_json_close(j, ']');
  }
  ik_json_close(j, '}');
}

static void json_whole(const chain *c, int node, ik_json *j) {
  ik_json_open(j, "whole_tiles", '{');
  ik_json_str(j, "keep", keep_name[c->c.node[node].keep]);
  for (ik_product_keep k = IK_PRODUCT_KEEP_R; k <= IK_PRODUCT_KEEP_A2; k++)
    ik_json_num(j, keep_name[k], whole(c, node, k).words);
  ik_json_close(j, '}');
}

static void json_product(const chain *c, int node, ik_json *j) {
  const ik_chain_node *v = &c->c.node[node];
  ik_buf               name = {0}, left = {0}, right = {0};
  write_factor(node, 0, &name);
  write_factor(v->left, v->i, &left), write_factor(v->right, v->j, &right);
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "name", ik_buf_text(&name));
  ik_json_str(j, "left", ik_buf_text(&left)), ik_json_str(j, "right", ik_buf_text(&right));
  ik_json_open(j, "size", '[');
  ik_json_int(j, NULL, c->p[v->i - 1]);
  ik_json_int(j, NULL, c->p[v->k]), ik_json_int(j, NULL, c->p[v->j]);
  ik_json_close(j, ']');
  json_cost(v, COUNTED, "counted", j);
  ik_json_num(j, "separate_words_with_all_below", v->separate);
  json_cost(v, CORRECTED, "corrected", j);
  json_cost(v, PRINTED, "printed", j);
  json_whole(c, node, j);
  ik_json_close(j, '}');
  j->out->failed |= name.failed || left.failed || right.failed;
  ik_buf_free(&name), ik_buf_free(&left), ik_buf_free(&right);
}

static void json_closed_fused(const chain *c, int r, const char *key, ik_json *j) {
  ik_json_open(j, key, '{');
  ik_json_bool(j, "holds", c->c.holds[r]);
  ik_json_num(j, "words", c->c.holds[r] ? c->c.fused[r] : NAN);
  ik_json_num(j, "saved", c->c.holds[r] ? c->c.saved[r] : NAN);
  ik_json_num(j, "words_at_its_tiles", c->c.holds[r] ? c->c.at_tiles[r] : NAN);
  ik_json_close(j, '}');
}

static void json_closed(const chain *c, ik_json *j) {
  ik_json_open(j, "closed_forms", '{');
  ik_json_bool(j, "separate_holds", c->c.separate_holds);
  ik_json_num(j, "separate_words", c->c.separate_holds ? c->c.separate : NAN);
  json_closed_fused(c, CORRECTED, "corrected", j);
  json_closed_fused(c, PRINTED, "printed", j);
  ik_json_close(j, '}');
}

static void write_json(const chain *c, ik_buf *out) {
  ik_json j = {.out = out};
  ik_buf  text = {0};
  write_order(c, root_of(c), 0, &text);
  ik_json_open(&j, NULL, '{');
  ik_json_open(&j, "sizes", '[');
  for (int i = 0; i <= c->c.matrices; i++) ik_json_int(&j, NULL, c->p[i]);
  ik_json_close(&j, ']');
  ik_json_num(&j, "fast_words", c->fast);
  ik_json_str(&j, "order", ik_buf_text(&text));
  ik_json_num(&j, "multiply_adds", c->c.multiply_adds);
  ik_json_num(&j, "compulsory_words", c->c.compulsory);
  ik_json_num(&j, "separate_words", c->c.counted);
  ik_json_num(&j, "fused_words", c->c.fused[COUNTED]);
  ik_json_num(&j, "saved", c->c.saved[COUNTED]);
  json_closed(c, &j);
  ik_json_open(&j, "products", '[');
  for (int k = 0; k <= root_of(c); k++) json_product(c, k, &j);
  ik_json_close(&j, ']');
  ik_json_close(&j, '}');
  out->failed |= text.failed;
  ik_buf_free(&text);
}

/* Closed forms only where they hold. */
static void write_page(const chain *c, ik_buf *out) {
  const char *label[6] = {"compulsory", "every product by itself", "the best pairs fused"};
  double      value[6] = {c->c.compulsory, c->c.counted, c->c.fused[COUNTED]};
  ik_bars     bars = {.title = "Words moved",
                      .unit = "words",
                      .label = label,
                      .value = value,
                      .nbar = 3,
                      .npart = 1};
  ik_buf      svg = {0};
  if (c->c.separate_holds)
    label[bars.nbar] = "closed form (D.18)", value[bars.nbar++] = c->c.separate;
  if (c->c.holds[CORRECTED])
    label[bars.nbar] = "closed form, fused, corrected", value[bars.nbar++] = c->c.fused[CORRECTED];
  if (c->c.holds[PRINTED])
    label[bars.nbar] = "closed form, fused, as printed", value[bars.nbar++] = c->c.fused[PRINTED];
  ik_svg_bars(&bars, &svg);
  ik_html_section(out, "Data movement");
  ik_html_svg(out, ik_buf_text(&svg), NULL);
  out->failed |= svg.failed;
  ik_buf_free(&svg);
}

/* ---- the question ---- */

static ik_status check(const ik_chain_options *o, ik_diag *d) {
  if (o->n < 3 || o->n > IK_CHAIN_MATRICES + 1)
    return ik_error(d, IK_E081, IK_NOSPAN,
                    "a chain has from 3 sizes, which are two matrices, to %d, not %d",
                    IK_CHAIN_MATRICES + 1, o->n);
  for (int i = 0; i < o->n; i++)
    if (o->size[i] < 1 || o->size[i] > LARGEST)
      return ik_error(d, IK_E081, IK_NOSPAN, "size %d of the chain is %lld, not from 1 to %lld",
                      i + 1, (long long)o->size[i], (long long)LARGEST);
  if (o->fast != 0 && !(o->fast >= 4 && o->fast <= 1e15))
    return ik_error(d, IK_E081, IK_NOSPAN, "fast memory of %g words, not from 4 to 1e15", o->fast);
  return IK_OK;
}

ik_status ik_study_chain(const ik_chain_options *o, ik_log *log, ik_study **out) {
  IK_OWN_ARITHMETIC;
  *out = NULL;
  IK_TRY(check(o, &log->d));
  ik_study *s = ik_study_create("A chain of matrix products", log);
  if (!s) return IK_ERR_RESOURCE;
  chain     c = {.p = o->size, .fast = o->fast != 0 ? o->fast : FAST};
  ik_status st = ik_chain_solve(o->size, o->n - 1, c.fast, &c.c);
  if (st) {
    ik_log_no_memory(log); /* the input has been checked */
  } else {
    write_text(&c, &s->text);
    write_json(&c, &s->json);
    write_page(&c, &s->page);
  }
  ik_chain_free(&c.c);
  return ik_study_finish(s, st, log, out);
}
