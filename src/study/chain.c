/* The study of a chain of matrix products: in which order, what to fuse, what moves. */
#include "api/api.h"
#include "base/fp.h"
#include "base/mem.h"
#include "model/chain.h"
#include "report/html.h"
#include "report/svg.h"
#include "study/study.h"
#include "study/table.h"
#include <math.h>
#include <stdio.h>

static const double  FAST = 65536;                 /* words, unless told otherwise */
static const int64_t LARGEST = 1000 * 1000 * 1000; /* size of a matrix */

typedef struct chain {
  const int64_t *p;
  double         fast;
  ik_chain       c;
} chain;

enum { PRINTED = IK_PRODUCT_PRINTED, CORRECTED = IK_PRODUCT_CORRECTED };

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
    bool fused = v->cost[CORRECTED].way == (side ? IK_CHAIN_RIGHT : IK_CHAIN_LEFT);
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
  ik_table_row(&t, "every product by itself\t%s\t-", group(c->c.separate).text);
  ik_table_row(&t, "fused, corrected\t%s\t%.2f %%", group(c->c.fused[CORRECTED]).text,
               100 * c->c.saved[CORRECTED]);
  ik_table_row(&t, "fused, as printed\t%s\t%.2f %%", group(c->c.fused[PRINTED]).text,
               100 * c->c.saved[PRINTED]);
  ik_buf_puts(out, "\n");
  ik_table_write(&t, 2, out);
  if (c->c.fused[PRINTED] != c->c.fused[CORRECTED])
    ik_buf_puts(out,
                "\n  As printed, the ratio of a right fusion is P0/P1; but P0/P2 minimises what it "
                "moves (D.11).\n");
}

/* "with T1, 312 x 210"; "in T3" for one that its parent is fused with. */
static void write_way(const chain *c, int node, int reading, ik_buf *out) {
  const ik_chain_node *v = &c->c.node[node];
  const ik_chain_cost *cost = &v->cost[reading];
  if (cost->way == IK_CHAIN_INNER) {
    ik_buf_puts(out, "inside its parent\t-");
    return;
  }
  if (cost->way == IK_CHAIN_ALONE)
    ik_buf_puts(out, "alone");
  else
    ik_buf_printf(out, "fused with T%d", 1 + (cost->way == IK_CHAIN_LEFT ? v->left : v->right));
  ik_buf_printf(out, "\t%d x %d", cost->whole_x, cost->whole_y);
}

static void write_products(const chain *c, ik_buf *out) {
  ik_table t = {0};
  ik_table_row(&t, "product\tof\tsizes\tmultiply-adds\tcorrected\ttile\tas printed\ttile");
  for (int k = 0; k <= root_of(c); k++) {
    const ik_chain_node *v = &c->c.node[k];
    ik_product_size      s = size_of(c, v);
    ik_buf               of = {0}, way[2] = {{0}};
    write_factor(v->left, v->i, &of);
    ik_buf_putc(&of, ' ');
    write_factor(v->right, v->j, &of);
    for (int r = 0; r < 2; r++) write_way(c, k, r, &way[r]);
    ik_table_row(&t, "T%d\t%s\t%.0f x %.0f x %.0f\t%s\t%s\t%s", k + 1, ik_buf_text(&of), s.p0, s.p1,
                 s.p2, group(s.p0 * s.p1 * s.p2).text, ik_buf_text(&way[CORRECTED]),
                 ik_buf_text(&way[PRINTED]));
    out->failed |= of.failed || way[0].failed || way[1].failed;
    ik_buf_free(&of), ik_buf_free(&way[0]), ik_buf_free(&way[1]);
  }
  ik_buf_puts(out, "\n");
  ik_table_write(&t, 2, out);
}

static ik_product_move whole(const chain *c, int node, ik_product_keep keep) {
  ik_product_size s = size_of(c, &c->c.node[node]);
  return ik_product_of(&s, c->fast, keep, IK_PRODUCT_WHOLE);
}

static ik_product_keep best_kept(const chain *c, int node) {
  ik_product_size s = size_of(c, &c->c.node[node]);
  return ik_product_best(&s, c->fast, IK_PRODUCT_WHOLE);
}

static double whole_total(const chain *c) {
  double sum = 0;
  for (int k = 0; k <= root_of(c); k++) sum += whole(c, k, best_kept(c, k)).words;
  return sum;
}

/* What an execution with whole tiles moves, whichever matrix it keeps: R is the product, A1 and A2
 * its factors. */
static void write_whole(const chain *c, ik_buf *out) {
  ik_table t = {0};
  ik_table_row(&t, "product\tkeeping R\tkeeping A1\tkeeping A2\tbest\ttile");
  for (int k = 0; k <= root_of(c); k++) {
    ik_product_keep best = best_kept(c, k);
    ik_product_move m = whole(c, k, best);
    double          first = best == IK_PRODUCT_KEEP_A2 ? m.y : m.x;
    ik_table_row(&t, "T%d\t%s\t%s\t%s\t%s\t%.0f x %.0f", k + 1,
                 group(whole(c, k, IK_PRODUCT_KEEP_R).words).text,
                 group(whole(c, k, IK_PRODUCT_KEEP_A1).words).text,
                 group(whole(c, k, IK_PRODUCT_KEEP_A2).words).text, keep_name[best], first,
                 best == IK_PRODUCT_KEEP_R ? m.y : m.z);
  }
  ik_buf_printf(out, "\n  words of each product by itself, counted in whole tiles: %s together\n\n",
                group(whole_total(c)).text);
  ik_table_write(&t, 2, out);
}

/* Where the closed forms may not be used. */
static void write_small(const chain *c, ik_buf *out) {
  int64_t least = c->p[0];
  for (int i = 1; i <= c->c.matrices; i++)
    if (c->p[i] < least) least = c->p[i];
  if ((double)least > sqrt(c->fast)) return;
  ik_buf_printf(
      out,
      "\n  The smallest size, %lld, is not above the square root of the fast memory, %.4g: "
      "the formulas\n  of S and F promise fewer words than there are.  The count in whole "
      "tiles holds for any size.\n",
      (long long)least, sqrt(c->fast));
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
  write_small(c, out);
}

/* ---- JSON ---- */

static void json_cost(const ik_chain_node *v, int reading, const char *key, ik_json *j) {
  const ik_chain_cost *cost = &v->cost[reading];
  ik_json_open(j, key, '{');
  ik_json_str(j, "way", way_name[cost->way]);
  ik_json_num(j, "words_with_all_below", cost->words);
  ik_json_num(j, "alone", cost->f[IK_CHAIN_ALONE]);
  ik_json_num(j, "left", cost->f[IK_CHAIN_LEFT]);
  ik_json_num(j, "right", cost->f[IK_CHAIN_RIGHT]);
  if (cost->way != IK_CHAIN_INNER) {
    ik_json_open(j, "tile", '[');
    ik_json_int(j, NULL, cost->whole_x), ik_json_int(j, NULL, cost->whole_y);
    ik_json_close(j, ']');
  }
  ik_json_close(j, '}');
}

static void json_whole(const chain *c, int node, ik_json *j) {
  ik_json_open(j, "whole_tiles", '{');
  ik_json_str(j, "keep", keep_name[best_kept(c, node)]);
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
  ik_json_num(j, "separate_words_with_all_below", v->separate);
  json_cost(v, CORRECTED, "corrected", j);
  json_cost(v, PRINTED, "printed", j);
  json_whole(c, node, j);
  ik_json_close(j, '}');
  j->out->failed |= name.failed || left.failed || right.failed;
  ik_buf_free(&name), ik_buf_free(&left), ik_buf_free(&right);
}

static void json_pair(const char *key, const double v[2], ik_json *j) {
  ik_json_open(j, key, '{');
  ik_json_num(j, "corrected", v[CORRECTED]);
  ik_json_num(j, "printed", v[PRINTED]);
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
  ik_json_num(&j, "separate_words", c->c.separate);
  json_pair("fused_words", c->c.fused, &j);
  json_pair("saved", c->c.saved, &j);
  ik_json_num(&j, "whole_tile_words", whole_total(c));
  ik_json_open(&j, "products", '[');
  for (int k = 0; k <= root_of(c); k++) json_product(c, k, &j);
  ik_json_close(&j, ']');
  ik_json_close(&j, '}');
  out->failed |= text.failed;
  ik_buf_free(&text);
}

static void write_page(const chain *c, ik_buf *out) {
  static const char *const label[] = {"every product by itself", "fused, corrected",
                                      "fused, as printed"};
  double                   value[] = {c->c.separate, c->c.fused[CORRECTED], c->c.fused[PRINTED]};
  ik_bars                  bars = {.title = "Words moved",
                                   .unit = "words",
                                   .label = label,
                                   .value = value,
                                   .nbar = 3,
                                   .npart = 1};
  ik_buf                   svg = {0};
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
