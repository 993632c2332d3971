/* chain.h: the order of a chain of matrix products, and the words it moves, fused or not.
 *
 * Source: "Analytical Cost Metrics: Days of Future Past" (paper 003), appendix D.6 and D.7.  Matrix
 * i = 1..n has p[i-1] rows and p[i] columns.  First the order with the fewest multiply-adds; then,
 * on that tree, the least data movement: each product by itself (S, D.18), or pairs of parent and
 * child fused, so that the child is never written (F, D.19 to D.22).
 *
 * Words are counted in whole tiles, which holds for any sizes, and by the closed forms of the
 * source, which hold where the tile lies inside the matrix that stays (see product.h); ik_chain
 * says whether they do.  Counts are doubles: exact up to 2^53, huge beyond, never overflowing for
 * sizes that fit int64_t.
 */
#pragma once
#include "ikat/status.h"
#include "model/product.h"
#include <stdbool.h>
#include <stdint.h>

enum { IK_CHAIN_MATRICES = 500 }; /* the order takes time with the cube */

typedef enum ik_chain_way {
  IK_CHAIN_ALONE, /* both factors are read */
  IK_CHAIN_LEFT,  /* fused with its left child */
  IK_CHAIN_RIGHT, /* fused with its right child */
  IK_CHAIN_INNER, /* is the child that its parent is fused with */
} ik_chain_way;

typedef enum ik_chain_reading {
  IK_CHAIN_CORRECTED = IK_PRODUCT_CORRECTED, /* closed forms */
  IK_CHAIN_PRINTED = IK_PRODUCT_PRINTED,     /* closed forms as the source prints them */
  IK_CHAIN_COUNTED,                          /* whole tiles, the best matrix kept */
  IK_CHAIN_READINGS,
} ik_chain_reading;

typedef struct ik_chain_cost {
  double h[3], f[3];       /* words of the node itself, and with all below, for ALONE, LEFT, RIGHT;
                              infinite where there is no such child */
  double       words;      /* the least f */
  ik_chain_way best;       /* where it comes from */
  ik_chain_way way;        /* best, or INNER, as chosen from the root down */
  bool         holds;      /* the closed form's tile lies inside the matrix; always if COUNTED */
  double       x, y;       /* sides of the tile that stays; 0 for INNER */
  double whole_x, whole_y; /* the same as whole numbers; of a closed form: the nearest even ones,
                              lowered until they fit */
} ik_chain_cost;

typedef struct ik_chain_node { /* a product: matrices i..k times matrices k+1..j */
  int             i, k, j;
  int             left, right;   /* nodes; -1: a single matrix */
  double          multiply_adds; /* of it and all below */
  double          separate;      /* S(i, j): words of it and all below, nothing fused */
  ik_product_keep keep;          /* COUNTED, ALONE: the matrix that stays, */
  double          alone;         /* and the words that the product moves */
  ik_chain_cost   cost[IK_CHAIN_READINGS];
} ik_chain_node;

typedef struct ik_chain {
  int            matrices;
  ik_chain_node *node; /* [matrices - 1], shorter ones first, the root last */
  double         multiply_adds;
  double         compulsory;               /* every matrix read once, the result written once */
  double         separate;                 /* S(1, n), a closed form */
  bool           separate_holds;           /* for every product */
  double         counted;                  /* in whole tiles, nothing fused */
  double         fused[IK_CHAIN_READINGS]; /* F(1, n) + p0 pn */
  double at_tiles[IK_CHAIN_READINGS];      /* the same by (D.7) and (D.11) at the tiles chosen: more
                                              where the closed form is not their minimum */
  bool holds[IK_CHAIN_READINGS];   /* for every product, by itself and as chosen, and in all no
                                      less than what is compulsory */
  double saved[IK_CHAIN_READINGS]; /* 1 - fused / separate (COUNTED: counted) */
} ik_chain;

/* p[matrices + 1], each at least 1; fast_words finite and at least 4.
 * IK_ERR_SOURCE: less than two matrices, more than IK_CHAIN_MATRICES, or such a number missed;
 * IK_ERR_RESOURCE: out of memory.  Release with ik_chain_free(), also after an error. */
ik_status ik_chain_solve(const int64_t *p, int matrices, double fast_words, ik_chain *out);
void      ik_chain_free(ik_chain *c);

/* Table D.1: the part of the words saved, in %, over random chains.  Sizes are multiples of 8 from
 * 320 to 1024: the source does not say which it took, but these give its averages.  The closed
 * forms are taken as they are, also where a fused patch is longer than its product, as the source
 * does. */
typedef struct ik_chain_savings {
  double average, least, most; /* % */
} ik_chain_savings;

/* Statuses as above; the same chains for the same seed on every machine. */
ik_status ik_chain_survey(int matrices, int chains, uint64_t seed, double fast_words,
                          ik_chain_savings out[2]);
