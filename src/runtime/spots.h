/* spots.h: cells that sources add to and that receivers hear, for engines that make several steps
 * in one go: they meet them on their way through memory.
 *
 * Each step has a row of numbers: first what sources add, tap by tap; then what is heard of each
 * cell that any tap of a receiver is in.
 */
#pragma once
#include "runtime/record.h"

typedef struct ik_spot {
  int64_t at[IK_MAX_DIM];
  int     field;
  int64_t every; /* steps after which it is heard; 0: a source adds to it */
  int64_t place; /* in a row */
} ik_spot;

typedef struct ik_spots {
  const ik_ir *ir;
  int64_t      n;
  ik_spot     *spot;  /* [n] cell by cell, axis 0 first; of a cell, sources in order, then others */
  int64_t     *first; /* [planes + 1] of each plane across the last axis */
  int64_t      added, width; /* numbers in a row: of sources, of all */
  int64_t      rows;         /* that there are */
  double      *value;        /* [rows][width] */
  int64_t     *place;        /* [taps of receivers, in order] in a row; weight 0: any */
} ik_spots;

/* With rows for so many steps at a time; if they would take much memory, for fewer, though for 64.
 * Receivers are among the spots of more than one: what they hear after the last is in memory.
 * False: there is no memory; to be freed in any case. */
bool ik_spots_init(ik_spots *p, const ik_ir *ir, int64_t rows);
void ik_spots_free(ik_spots *p);

static inline double *ik_spots_row(const ik_spots *p, int64_t step) {
  return p->value + step * p->width;
}

/* Those in a box, in order. */
void ik_spots_each(const ik_spots *p, const int64_t lo[IK_MAX_DIM], const int64_t hi[IK_MAX_DIM],
                   void (*f)(void *ctx, const ik_spot *q), void *ctx);

/* Is it heard when the time is t? */
static inline bool ik_spot_is_heard(const ik_spot *q, int64_t t) {
  return q->every && t % q->every == 0;
}

/* At a cell, element `i` of such data, when a step has given it its value and the time is t: a
 * source adds to it; what is heard of it is noted. */
void ik_spot_meet(const ik_spot *q, ik_type type, void *data, int64_t i, int64_t t, double *row);

/* The recorder gets what was heard, as the sample at time t. */
void ik_spots_hear(const ik_spots *p, const double *row, int64_t t, ik_recorder *rec);
