/* hextile.h: which hexagonal tile to take: (A.32) of "Analytical Cost Metrics".
 *
 * The problem is not convex and small enough to try everything: the source does the same, keeps
 * what is within 10 % of the best and measures that, since registers are not in the model.
 */
#pragma once
#include "model/hex.h"

/* Every tile that fits into a threadblock: t even, the innermost side a multiple of 32.  For one
 * and three dimensions the source does not say which side that is.  Sides ascend like the digits of
 * a number, and t fastest. */
enum { IK_HEXTILE_WORDS = 65536 }; /* larger tiles are not tried: no threadblock has as much */

typedef struct ik_hextile_list {
  ik_hex_tile *tile;
  int          n;
} ik_hextile_list;

/* False: no memory.  No tiles if `dims` is none of 1, 2, 3. */
bool ik_hextile_all(int dims, int64_t block_words, ik_hextile_list *out);
void ik_hextile_list_free(ik_hextile_list *l);

/* ik_hex_row_sum() of every tile of such a list, in one go. */
void ik_hextile_row_sums(int dims, const ik_hextile_list *l, int vector_units, int64_t *out);

typedef struct ik_hextile_choice {
  ik_hex_tile tile;
  int         k;
  double      time_s;
} ik_hextile_choice;

typedef struct ik_hextile_set {
  ik_hextile_choice *near;  /* [n] at most 1 + within times the least time, fastest first */
  int                n;     /* 0: no tile fits */
  int                tried; /* of the others a bound tells that they are not near the best */
} ik_hextile_set;

/* False: no memory. */
bool ik_hextile_search(const ik_hex_problem *p, const ik_hex_machine *m, const ik_hex_reading *r,
                       double within, ik_hextile_set *out);
void ik_hextile_set_free(ik_hextile_set *s);
