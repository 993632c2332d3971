/* product.h: words moved between slow and fast memory by one product of matrices and by two fused.
 *
 * Source: "Analytical Cost Metrics: Days of Future Past" (paper 003), appendix D.  R (p0 x p2) is
 * A1 (p0 x p1) times A2 (p1 x p2); a tile of one of the three stays in fast memory of M words while
 * the others stream past.  Tile sides: x along p0, y along p2, z along p1; a side that a way of
 * computing does not have is 0.
 *
 * Sizes and M must be finite and at least 1; otherwise every figure is NaN and every side 0.
 */
#pragma once
#include <stdbool.h>

typedef struct ik_product_size {
  double p0, p1, p2; /* whole numbers */
} ik_product_size;

typedef enum ik_product_keep { /* what stays in fast memory */
                               IK_PRODUCT_KEEP_R,
                               IK_PRODUCT_KEEP_A1,
                               IK_PRODUCT_KEEP_A2,
} ik_product_keep;

typedef enum ik_product_count {
  IK_PRODUCT_CLAMPED, /* (D.2) to (D.6), sides no longer than the matrix */
  IK_PRODUCT_CLOSED,  /* the closed forms of Table D.2: ik_product_closed_holds() says where */
  IK_PRODUCT_WHOLE,   /* whole sides, whole tiles: the words an execution moves, at their least */
} ik_product_count;

typedef struct ik_product_move {
  double words;
  double x, y, z; /* sides of the tile */
} ik_product_move;

ik_product_move ik_product_of(const ik_product_size *s, double fast_words, ik_product_keep keep,
                              ik_product_count count);

/* What is best to keep.  The source says: always R (D.5); that fails when p1 is small. */
ik_product_keep ik_product_best(const ik_product_size *s, double fast_words,
                                ik_product_count count);

/* The closed forms count a tile of sqrt(M) by sqrt(M) (keep R), or sqrt(M/2) by sqrt(2M) (keep A1,
 * A2).  They hold where it lies inside the matrix that stays: x <= p0, y <= p2, z <= p1.  Beyond,
 * they promise fewer words than the matrices have. */
bool ik_product_closed_holds(const ik_product_size *s, double fast_words, ik_product_keep keep);

/* Two products of three matrices, sizes p0 x p1, p1 x p2, p2 x p3, that never write the
 * intermediate product: its x by y patch stays in fast memory. */
typedef enum ik_product_fusion {
  IK_PRODUCT_LEFT,  /* (A1 A2) A3, a patch of A1 A2: x along p0, y along p2 */
  IK_PRODUCT_RIGHT, /* A1 (A2 A3), a patch of A2 A3: x along p1, y along p3 */
} ik_product_fusion;

typedef enum ik_product_reading { /* of the right fusion's ratio b; the left one's is right */
                                  IK_PRODUCT_CORRECTED, /* b = p0 / p2, which minimises (D.11) */
                                  IK_PRODUCT_PRINTED,   /* b = p0 / p1, as in (D.12) to (D.14) */
} ik_product_reading;

typedef struct ik_product_fused {
  double ratio, skew; /* alpha and alpha' of (D.8), or beta and beta' of (D.12) */
  double x, y;        /* sides of the patch */
  double words;       /* closed form, (D.10) or (D.14) */
} ik_product_fused;

ik_product_fused ik_product_fuse(const double p[4], double fast_words, ik_product_fusion f,
                                 ik_product_reading r);

/* (D.10) and (D.14) hold where the patch lies inside the intermediate product: x <= p0 and y <= p2
 * (left), x <= p1 and y <= p3 (right). */
bool ik_product_fuse_holds(const double p[4], const ik_product_fused *t, ik_product_fusion f);

/* The least words of whole patches, for any sizes; never less than the matrices have. */
ik_product_move ik_product_fuse_whole(const double p[4], double fast_words, ik_product_fusion f);

/* Words moved with a patch of any sides, (D.7) or (D.11). */
double ik_product_fused_words(const double p[4], double x, double y, ik_product_fusion f);
