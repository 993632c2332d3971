#include "model/product.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>

static bool usable(double v) { return v >= 1 && v <= DBL_MAX; }

/* A tile of u by v stays, u v <= M.  words = per_u / u + per_v / v + fixed. */
typedef struct tile_problem {
  double per_u, per_v, fixed;
  double max_u, max_v; /* sides of the matrix that stays */
} tile_problem;

/* Keep R: (D.2).  Keep A1, A2: (D.4) and its mirror; R streams through twice, except for its first
 * read, which is skipped: hence -p0 p2. */
static tile_problem problem_of(const ik_product_size *s, ik_product_keep keep) {
  double ops = s->p0 * s->p1 * s->p2, r = s->p0 * s->p2;
  switch (keep) {
  case IK_PRODUCT_KEEP_R: break;
  case IK_PRODUCT_KEEP_A1: return (tile_problem){ops, 2 * ops, s->p0 * s->p1 - r, s->p0, s->p1};
  case IK_PRODUCT_KEEP_A2: return (tile_problem){ops, 2 * ops, s->p1 * s->p2 - r, s->p2, s->p1};
  }
  return (tile_problem){ops, ops, r, s->p0, s->p2};
}

/* The names that the sides of the tile have. */
static ik_product_move name_sides(ik_product_keep keep, double u, double v, double words) {
  switch (keep) {
  case IK_PRODUCT_KEEP_R: break;
  case IK_PRODUCT_KEEP_A1: return (ik_product_move){.words = words, .x = u, .z = v};
  case IK_PRODUCT_KEEP_A2: return (ik_product_move){.words = words, .y = u, .z = v};
  }
  return (ik_product_move){.words = words, .x = u, .y = v};
}

static ik_product_move continuous(const tile_problem *t, double m, ik_product_keep keep,
                                  bool clamp) {
  double u = sqrt(m * t->per_u / t->per_v), v = m / u;
  if (clamp && t->max_u * t->max_v <= m) {
    u = t->max_u, v = t->max_v;
  } else if (clamp && u > t->max_u) {
    u = t->max_u, v = fmin(t->max_v, m / u);
  } else if (clamp && v > t->max_v) {
    v = t->max_v, u = fmin(t->max_u, m / v);
  }
  return name_sides(keep, u, v, t->per_u / u + t->per_v / v + t->fixed);
}

static double tiles(double size, double side) { return ceil(size / side); }

/* Words with whole tiles of u by v.  The matrix that stays is moved once; each of the others once
 * for every tile along the side it does not have; a partial R is read and written. */
static double whole_words(const ik_product_size *s, ik_product_keep keep, double u, double v) {
  double a1 = s->p0 * s->p1, a2 = s->p1 * s->p2, r = s->p0 * s->p2;
  switch (keep) {
  case IK_PRODUCT_KEEP_R: break;
  case IK_PRODUCT_KEEP_A1: return a1 + tiles(s->p0, u) * a2 + (2 * tiles(s->p1, v) - 1) * r;
  case IK_PRODUCT_KEEP_A2: return a2 + tiles(s->p2, u) * a1 + (2 * tiles(s->p1, v) - 1) * r;
  }
  return tiles(s->p2, v) * a1 + tiles(s->p0, u) * a2 + r;
}

/* Only the shortest u of each number of tiles can be best: it leaves the most to v.  There are
 * about 2 sqrt(size) of them. */
static ik_product_move whole(const ik_product_size *s, double m, ik_product_keep keep) {
  tile_problem    t = problem_of(s, keep);
  ik_product_move best = {.words = INFINITY};
  for (double u = 1; u <= fmin(t.max_u, m);) {
    double v = fmin(t.max_v, floor(m / u));
    v = ceil(t.max_v / tiles(t.max_v, v));
    double words = whole_words(s, keep, u, v);
    if (words < best.words) best = name_sides(keep, u, v, words);
    double n = tiles(t.max_u, u);
    if (n <= 1) break;
    u = fmax(u + 1, ceil(t.max_u / (n - 1)));
  }
  return best;
}

ik_product_move ik_product_of(const ik_product_size *s, double fast_words, ik_product_keep keep,
                              ik_product_count count) {
  if (!usable(s->p0) || !usable(s->p1) || !usable(s->p2) || !usable(fast_words))
    return (ik_product_move){.words = NAN};
  if (count == IK_PRODUCT_WHOLE) return whole(s, floor(fast_words), keep);
  tile_problem t = problem_of(s, keep);
  return continuous(&t, fast_words, keep, count == IK_PRODUCT_CLAMPED);
}

ik_product_keep ik_product_best(const ik_product_size *s, double fast_words,
                                ik_product_count count) {
  ik_product_keep best = IK_PRODUCT_KEEP_R;
  double          least = ik_product_of(s, fast_words, best, count).words;
  for (ik_product_keep k = IK_PRODUCT_KEEP_A1; k <= IK_PRODUCT_KEEP_A2; k++) {
    double words = ik_product_of(s, fast_words, k, count).words;
    if (words < least) least = words, best = k;
  }
  return best;
}

/* alpha' of (D.9): between 1 and 2. */
static double skew_of(double ratio) { return (1 + 2 * ratio) / (1 + ratio); }

/* The first term of (D.10) and (D.14): what streams past the patch of a product a x b x c. */
static double stream(double a, double b, double c, double ratio, double fast_words) {
  return 2 * a * b * c * (1 + ratio) * sqrt(skew_of(ratio)) / sqrt(fast_words);
}

ik_product_fused ik_product_fuse(const double p[4], double fast_words, ik_product_fusion f,
                                 ik_product_reading r) {
  for (int i = 0; i < 4; i++)
    if (!usable(p[i]) || !usable(fast_words)) return (ik_product_fused){NAN, NAN, 0, 0, NAN};
  bool             left = f == IK_PRODUCT_LEFT;
  ik_product_fused out = {.ratio = left                        ? p[3] / p[1]
                                   : r == IK_PRODUCT_CORRECTED ? p[0] / p[2]
                                                               : p[0] / p[1]};
  out.skew = skew_of(out.ratio);
  double wide = sqrt(fast_words * out.skew), narrow = sqrt(fast_words / out.skew);
  out.x = left ? narrow : wide;
  out.y = left ? wide : narrow;
  const double *q = left ? p : p + 1;
  out.words = stream(q[0], q[1], q[2], out.ratio, fast_words) - p[0] * p[3];
  return out;
}

double ik_product_fused_words(const double p[4], double x, double y, ik_product_fusion f) {
  double inner = f == IK_PRODUCT_LEFT ? p[0] * p[1] * p[2] : p[1] * p[2] * p[3];
  double outer = f == IK_PRODUCT_LEFT ? p[0] * p[2] * p[3] : p[0] * p[1] * p[3];
  double twice = f == IK_PRODUCT_LEFT ? 2 * x + y : x + 2 * y;
  return (inner * (x + y) + outer * twice) / (x * y) - p[0] * p[3];
}
