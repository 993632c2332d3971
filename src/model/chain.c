#include "model/chain.h"
#include "base/mem.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef struct solver {
  const int64_t *p;
  int            n;      /* matrices */
  double         m;      /* words of fast memory */
  double        *ops;    /* [n + 1][n + 1], row i, column j */
  int           *split;  /* same */
  int           *number; /* same: of the tree's product, from 1; 0: not in the tree */
  ik_chain      *out;
  int            nodes;
} solver;

static size_t at(const solver *s, int i, int j) {
  return (size_t)i * (size_t)(s->n + 1) + (size_t)j;
}

static double size(const solver *s, int i) { return (double)s->p[i]; }

/* Words of the matrix that stands for i..j where it is an input: written by its own product and
 * read here; a single matrix has been paid for by the product that reads it. */
static double weight(const solver *s, int i, int j) {
  return i == j ? 0 : size(s, i - 1) * size(s, j);
}

/* The textbook recurrence, by length; the first of equal splits stays. */
static void order(solver *s) {
  for (int len = 2; len <= s->n; len++)
    for (int i = 1; i + len - 1 <= s->n; i++) {
      int    j = i + len - 1;
      double best = INFINITY, outer = size(s, i - 1) * size(s, j);
      for (int k = i; k < j; k++) {
        double ops = s->ops[at(s, i, k)] + s->ops[at(s, k + 1, j)] + outer * size(s, k);
        if (ops < best) best = ops, s->split[at(s, i, j)] = k;
      }
      s->ops[at(s, i, j)] = best;
    }
}

static void mark(solver *s, int i, int j) {
  if (i == j) return;
  int k = s->split[at(s, i, j)];
  s->number[at(s, i, j)] = 1;
  mark(s, i, k), mark(s, k + 1, j);
}

/* Numbers the products of the tree as the source does: shorter ones first, from the left. */
static void build(solver *s) {
  mark(s, 1, s->n);
  for (int len = 2; len <= s->n; len++)
    for (int i = 1; i + len - 1 <= s->n; i++) {
      int j = i + len - 1, k = s->split[at(s, i, j)];
      if (!s->number[at(s, i, j)]) continue;
      s->out->node[s->nodes] = (ik_chain_node){.i = i,
                                               .k = k,
                                               .j = j,
                                               .left = s->number[at(s, i, k)] - 1,
                                               .right = s->number[at(s, k + 1, j)] - 1,
                                               .multiply_adds = s->ops[at(s, i, j)]};
      s->number[at(s, i, j)] = ++s->nodes;
    }
}

static double separate_below(const solver *s, int node) {
  return node < 0 ? 0 : s->out->node[node].separate;
}

static double words_below(const solver *s, int node, ik_chain_reading r) {
  return node < 0 ? 0 : s->out->node[node].cost[r].words;
}

/* (D.18) */
static void count_separate(const solver *s, ik_chain_node *v) {
  double a = size(s, v->i - 1), b = size(s, v->k), c = size(s, v->j);
  v->separate =
      separate_below(s, v->left) + separate_below(s, v->right) + 2 * a * b * c / sqrt(s->m) + a * c;
}

static ik_product_size size_of(const solver *s, const ik_chain_node *v) {
  return (ik_product_size){size(s, v->i - 1), size(s, v->k), size(s, v->j)};
}

/* Words of the product, less the write of the result, which its reader pays. */
static double words_alone(const solver *s, const ik_chain_node *v, ik_chain_reading r) {
  ik_product_size z = size_of(s, v);
  if (r == IK_CHAIN_COUNTED) return v->alone - z.p0 * z.p2;
  return 2 * z.p0 * z.p1 * z.p2 / sqrt(s->m);
}

static void count_alone(const solver *s, const ik_chain_node *v, ik_chain_reading r,
                        ik_chain_cost *c) {
  c->h[IK_CHAIN_ALONE] = weight(s, v->i, v->k) + weight(s, v->k + 1, v->j) + words_alone(s, v, r);
  c->f[IK_CHAIN_ALONE] =
      c->h[IK_CHAIN_ALONE] + words_below(s, v->left, r) + words_below(s, v->right, r);
}

/* The four sizes of a node fused with a child: p[i-1], then where the two are split, then p[j]. */
static void sizes_of(const solver *s, const ik_chain_node *v, ik_chain_way way, double p[4]) {
  const ik_chain_node *child = &s->out->node[way == IK_CHAIN_LEFT ? v->left : v->right];
  p[0] = size(s, v->i - 1);
  p[1] = size(s, way == IK_CHAIN_LEFT ? child->k : v->k);
  p[2] = size(s, way == IK_CHAIN_LEFT ? v->k : child->k);
  p[3] = size(s, v->j);
}

static ik_product_fusion fusion_of(ik_chain_way way) {
  return way == IK_CHAIN_LEFT ? IK_PRODUCT_LEFT : IK_PRODUCT_RIGHT;
}

/* Words of the two products, with the write of the result but once. */
static double words_fused(const solver *s, const double p[4], ik_chain_way way,
                          ik_chain_reading r) {
  if (r == IK_CHAIN_COUNTED) return ik_product_fuse_whole(p, s->m, fusion_of(way)).words;
  return ik_product_fuse(p, s->m, fusion_of(way), (ik_product_reading)r).words;
}

/* (D.20) and (D.22): a count of the two products has the write of their result, which its reader
 * pays: it is taken off. */
static void count_fused(const solver *s, const ik_chain_node *v, ik_chain_way way,
                        ik_chain_reading r, ik_chain_cost *c) {
  bool                 left = way == IK_CHAIN_LEFT;
  int                  inner = left ? v->left : v->right, other = left ? v->right : v->left;
  const ik_chain_node *child = &s->out->node[inner];
  double               p[4];
  sizes_of(s, v, way, p);
  double inputs = weight(s, child->i, child->k) + weight(s, child->k + 1, child->j) +
                  (left ? weight(s, v->k + 1, v->j) : weight(s, v->i, v->k));
  c->h[way] = inputs + words_fused(s, p, way, r) - p[0] * p[3];
  c->f[way] = c->h[way] + words_below(s, child->left, r) + words_below(s, child->right, r) +
              words_below(s, other, r);
}

static void count(const solver *s, ik_chain_node *v, ik_chain_reading r) {
  ik_chain_cost *c = &v->cost[r];
  *c = (ik_chain_cost){.h = {0, INFINITY, INFINITY}, .f = {0, INFINITY, INFINITY}};
  count_alone(s, v, r, c);
  if (v->left >= 0) count_fused(s, v, IK_CHAIN_LEFT, r, c);
  if (v->right >= 0) count_fused(s, v, IK_CHAIN_RIGHT, r, c);
  c->best = IK_CHAIN_ALONE;
  for (ik_chain_way w = IK_CHAIN_LEFT; w <= IK_CHAIN_RIGHT; w++)
    if (c->f[w] < c->f[c->best]) c->best = w;
  c->words = c->f[c->best];
}

static double even(double side) { return fmin(fmax(2 * floor(side / 2 + 0.5), 2), INT32_MAX - 1); }

/* "Nearest even, then lower until they fit" gives every tile that the source prints; the longer
 * side is lowered. */
static void round_tile(const solver *s, ik_chain_cost *c) {
  double x = even(c->x), y = even(c->y);
  while (x * y > s->m) *(x > y ? &x : &y) -= 2;
  c->whole_x = x, c->whole_y = y;
}

static void counted_tile(const solver *s, const ik_chain_node *v, ik_chain_cost *c) {
  ik_product_size z = size_of(s, v);
  ik_product_move t;
  double          p[4];
  if (c->way == IK_CHAIN_ALONE) {
    t = ik_product_of(&z, s->m, v->keep, IK_PRODUCT_WHOLE);
  } else {
    sizes_of(s, v, c->way, p);
    t = ik_product_fuse_whole(p, s->m, fusion_of(c->way));
  }
  c->x = t.x > 0 ? t.x : t.z; /* A2's tile is z along its rows, y along its columns */
  c->y = t.y > 0 ? t.y : t.z;
  c->whole_x = c->x, c->whole_y = c->y;
  c->holds = true;
}

static void closed_tile(const solver *s, const ik_chain_node *v, ik_product_reading r,
                        ik_chain_cost *c) {
  ik_product_size z = size_of(s, v);
  double          p[4];
  if (c->way == IK_CHAIN_ALONE) {
    c->x = c->y = sqrt(s->m);
    c->holds = ik_product_closed_holds(&z, s->m, IK_PRODUCT_KEEP_R);
  } else {
    sizes_of(s, v, c->way, p);
    ik_product_fused t = ik_product_fuse(p, s->m, fusion_of(c->way), r);
    c->x = t.x, c->y = t.y;
    c->holds = ik_product_fuse_holds(p, &t, fusion_of(c->way));
  }
  round_tile(s, c);
}

static void choose_tile(const solver *s, const ik_chain_node *v, ik_chain_reading r,
                        ik_chain_cost *c) {
  if (c->way == IK_CHAIN_INNER) {
    c->holds = true; /* its parent tells */
    return;
  }
  if (r == IK_CHAIN_COUNTED)
    counted_tile(s, v, c);
  else
    closed_tile(s, v, (ik_product_reading)r, c);
}

/* From the root down: a child that is fused into its parent has no say. */
static void choose(const solver *s, ik_chain_reading r) {
  for (int v = s->nodes - 1; v >= 0; v--) {
    ik_chain_node *node = &s->out->node[v];
    ik_chain_cost *c = &node->cost[r];
    if (c->way != IK_CHAIN_INNER) c->way = c->best;
    if (c->way == IK_CHAIN_LEFT) s->out->node[node->left].cost[r].way = IK_CHAIN_INNER;
    if (c->way == IK_CHAIN_RIGHT) s->out->node[node->right].cost[r].way = IK_CHAIN_INNER;
    choose_tile(s, node, r, c);
  }
}

static double compulsory(const solver *s) {
  double words = size(s, 0) * size(s, s->n);
  for (int i = 1; i <= s->n; i++) words += size(s, i - 1) * size(s, i);
  return words;
}

/* What (D.7) and (D.11) give beyond the closed form, at the tile that it names. */
static double beyond_closed(const solver *s, const ik_chain_node *v, ik_chain_reading r) {
  const ik_chain_cost *c = &v->cost[r];
  double               p[4];
  if (c->way != IK_CHAIN_LEFT && c->way != IK_CHAIN_RIGHT) return 0;
  sizes_of(s, v, c->way, p);
  return ik_product_fused_words(p, c->x, c->y, fusion_of(c->way)) - words_fused(s, p, c->way, r);
}

/* Sums of the same words in another order differ by this much. */
#define ROUNDING 1e-12

static void total(const solver *s, ik_chain_reading r) {
  ik_chain *c = s->out;
  double    alone = r == IK_CHAIN_COUNTED ? c->counted : c->separate;
  c->fused[r] = c->node[s->nodes - 1].cost[r].words + size(s, 0) * size(s, s->n);
  c->at_tiles[r] = c->fused[r];
  c->holds[r] = r == IK_CHAIN_COUNTED || c->separate_holds;
  for (int v = 0; v < s->nodes; v++) {
    c->holds[r] &= c->node[v].cost[r].holds;
    if (r != IK_CHAIN_COUNTED) c->at_tiles[r] += beyond_closed(s, &c->node[v], r);
  }
  c->holds[r] &= c->fused[r] >= c->compulsory * (1 - ROUNDING);
  c->saved[r] = fmax(0, 1 - c->fused[r] / alone); /* no pair is fused that saves nothing */
}

static bool usable(const int64_t *p, int matrices, double fast_words) {
  if (matrices < 2 || matrices > IK_CHAIN_MATRICES) return false;
  if (!(fast_words >= 4) || fast_words > DBL_MAX) return false;
  for (int i = 0; i <= matrices; i++)
    if (p[i] < 1) return false;
  return true;
}

static void keep_best(const solver *s, ik_chain_node *v) {
  ik_product_size z = size_of(s, v);
  v->keep = ik_product_best(&z, s->m, IK_PRODUCT_WHOLE);
  v->alone = ik_product_of(&z, s->m, v->keep, IK_PRODUCT_WHOLE).words;
  s->out->counted += v->alone;
}

static void read_as(solver *s, ik_chain_reading r) {
  for (int v = 0; v < s->nodes; v++) {
    if (r == IK_CHAIN_COUNTED) keep_best(s, &s->out->node[v]);
    count(s, &s->out->node[v], r);
  }
  choose(s, r);
  total(s, r);
}

static void solve_tree(solver *s) {
  ik_chain *c = s->out;
  order(s);
  build(s);
  c->compulsory = compulsory(s);
  c->separate_holds = true;
  for (int v = 0; v < s->nodes; v++) {
    ik_product_size z = size_of(s, &c->node[v]);
    count_separate(s, &c->node[v]);
    c->separate_holds &= ik_product_closed_holds(&z, s->m, IK_PRODUCT_KEEP_R);
  }
  c->multiply_adds = c->node[s->nodes - 1].multiply_adds;
  c->separate = c->node[s->nodes - 1].separate;
}

/* The first so many readings: counting takes a hundred times as long as the closed forms. */
static ik_status solve(const int64_t *p, int matrices, double fast_words, int readings,
                       ik_chain *out) {
  *out = (ik_chain){.matrices = matrices};
  if (!usable(p, matrices, fast_words)) return IK_ERR_SOURCE;
  solver s = {.p = p, .n = matrices, .m = fast_words, .out = out};
  size_t cells = at(&s, matrices, matrices) + 1;
  s.ops = ik_calloc(cells, sizeof *s.ops);
  s.split = ik_calloc(cells, sizeof *s.split);
  s.number = ik_calloc(cells, sizeof *s.number);
  out->node = ik_calloc((size_t)matrices - 1, sizeof *out->node);
  bool enough = s.ops && s.split && s.number && out->node;
  if (enough) solve_tree(&s);
  for (int r = 0; r < readings && enough; r++) read_as(&s, (ik_chain_reading)r);
  ik_free(s.ops), ik_free(s.split), ik_free(s.number);
  return enough ? IK_OK : IK_ERR_RESOURCE;
}

ik_status ik_chain_solve(const int64_t *p, int matrices, double fast_words, ik_chain *out) {
  return solve(p, matrices, fast_words, IK_CHAIN_READINGS, out);
}

void ik_chain_free(ik_chain *c) {
  ik_free(c->node);
  c->node = NULL;
}

/* The upper bits of a linear congruence, modulus 2^64. */
static int64_t random_size(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return 320 + 8 * (int64_t)((*state >> 33) % ((1024 - 320) / 8 + 1));
}

static void survey_add(ik_chain_savings *s, double percent) {
  s->average += percent;
  s->least = fmin(s->least, percent);
  s->most = fmax(s->most, percent);
}

ik_status ik_chain_survey(int matrices, int chains, uint64_t seed, double fast_words,
                          ik_chain_savings out[2]) {
  int64_t p[IK_CHAIN_MATRICES + 1];
  if (matrices > IK_CHAIN_MATRICES || chains < 1) return IK_ERR_SOURCE;
  for (int r = 0; r < 2; r++) out[r] = (ik_chain_savings){0, INFINITY, -INFINITY};
  for (int c = 0; c < chains; c++) {
    for (int i = 0; i <= matrices; i++) p[i] = random_size(&seed);
    ik_chain  one;
    ik_status st = solve(p, matrices, fast_words, IK_CHAIN_COUNTED, &one);
    for (int r = 0; r < 2 && !st; r++) survey_add(&out[r], 100 * one.saved[r]);
    ik_chain_free(&one);
    if (st) return st;
  }
  for (int r = 0; r < 2; r++) out[r].average /= chains;
  return IK_OK;
}
