#include "model/product.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>

static bool usable(double v) { return v >= 1 && v <= DBL_MAX; }

/* A tile of u by v stays, u v <= M, of a matrix of max_u by max_v.  Other matrices pass once for
 * every tile along u, of by_u words, or along v, of by_v; fixed words pass once. */
typedef struct tile_problem {
  double by_u, by_v, fixed;
  double max_u, max_v;
} tile_problem;

/* Keep R: (D.2).  Keep A1, A2: (D.4) and its mirror; R streams through twice, except for its first
 * read, which is skipped: hence -r. */
static tile_problem problem_of(const ik_product_size *s, ik_product_keep keep) {
  double a1 = s->p0 * s->p1, a2 = s->p1 * s->p2, r = s->p0 * s->p2;
  switch (keep) {
  case IK_PRODUCT_KEEP_R: break;
  case IK_PRODUCT_KEEP_A1: return (tile_problem){a2, 2 * r, a1 - r, s->p0, s->p1};
  case IK_PRODUCT_KEEP_A2: return (tile_problem){a1, 2 * r, a2 - r, s->p2, s->p1};
  }
  return (tile_problem){a2, a1, r, s->p0, s->p2};
}

/* A patch of the intermediate product stays: (D.7) and (D.11).  R is read and written for every
 * patch along the side that it does not have, but for its first read. */
static tile_problem fused_problem(const double p[4], ik_product_fusion f) {
  double a1 = p[0] * p[1], a2 = p[1] * p[2], a3 = p[2] * p[3], r = p[0] * p[3];
  if (f == IK_PRODUCT_LEFT) return (tile_problem){a2 + a3, a1 + 2 * r, -r, p[0], p[2]};
  return (tile_problem){a3 + 2 * r, a2 + a1, -r, p[1], p[3]};
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
  double per_u = t->by_u * t->max_u, per_v = t->by_v * t->max_v;
  double u = sqrt(m * per_u / per_v), v = m / u;
  if (clamp && t->max_u * t->max_v <= m) {
    u = t->max_u, v = t->max_v;
  } else if (clamp && u > t->max_u) {
    u = t->max_u, v = fmin(t->max_v, m / u);
  } else if (clamp && v > t->max_v) {
    v = t->max_v, u = fmin(t->max_u, m / v);
  }
  return name_sides(keep, u, v, per_u / u + per_v / v + t->fixed);
}

static double tiles(double size, double side) { return ceil(size / side); }

static double whole_words(const tile_problem *t, double u, double v) {
  return tiles(t->max_u, u) * t->by_u + tiles(t->max_v, v) * t->by_v + t->fixed;
}

/* The best u by v of whole tiles.  Only the shortest u of each number of tiles can be best: it
 * leaves the most to v.  There are about 2 sqrt(size) of them. */
static void whole(const tile_problem *t, double m, double *best_u, double *best_v) {
  double least = INFINITY;
  for (double u = t->max_u * t->max_v <= m ? t->max_u : 1; u <= fmin(t->max_u, m);) {
    double v = fmin(t->max_v, floor(m / u));
    v = ceil(t->max_v / tiles(t->max_v, v));
    double words = whole_words(t, u, v);
    if (words < least) least = words, *best_u = u, *best_v = v;
    double n = tiles(t->max_u, u);
    if (n <= 1) break;
    u = fmax(u + 1, ceil(t->max_u / (n - 1)));
  }
}

ik_product_move ik_product_of(const ik_product_size *s, double fast_words, ik_product_keep keep,
                              ik_product_count count) {
  if (!usable(s->p0) || !usable(s->p1) || !usable(s->p2) || !usable(fast_words))
    return (ik_product_move){.words = NAN};
  tile_problem t = problem_of(s, keep);
  if (count != IK_PRODUCT_WHOLE)
    return continuous(&t, fast_words, keep, count == IK_PRODUCT_CLAMPED);
  double u = 1, v = 1;
  whole(&t, floor(fast_words), &u, &v);
  return name_sides(keep, u, v, whole_words(&t, u, v));
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

static bool four_usable(const double p[4], double fast_words) {
  return usable(p[0]) && usable(p[1]) && usable(p[2]) && usable(p[3]) && usable(fast_words);
}

ik_product_fused ik_product_fuse(const double p[4], double fast_words, ik_product_fusion f,
                                 ik_product_reading r) {
  if (!four_usable(p, fast_words)) return (ik_product_fused){NAN, NAN, 0, 0, NAN};
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

ik_product_move ik_product_fuse_whole(const double p[4], double fast_words, ik_product_fusion f) {
  if (!four_usable(p, fast_words)) return (ik_product_move){.words = NAN};
  tile_problem t = fused_problem(p, f);
  double       u = 1, v = 1;
  whole(&t, floor(fast_words), &u, &v);
  return (ik_product_move){.words = whole_words(&t, u, v), .x = u, .y = v};
}

bool ik_product_fuse_holds(const double p[4], const ik_product_fused *t, ik_product_fusion f) {
  tile_problem inside = fused_problem(p, f);
  return t->x <= inside.max_u && t->y <= inside.max_v;
}

bool ik_product_closed_holds(const ik_product_size *s, double fast_words, ik_product_keep keep) {
  tile_problem    t = problem_of(s, keep);
  ik_product_move m = ik_product_of(s, fast_words, keep, IK_PRODUCT_CLOSED);
  double          u = keep == IK_PRODUCT_KEEP_A2 ? m.y : m.x;
  return u <= t.max_u && (keep == IK_PRODUCT_KEEP_R ? m.y : m.z) <= t.max_v;
}
