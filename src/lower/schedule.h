/* schedule.h: time-tiled orders of work: which box of cells is done at which step, and when.
 *
 * A loop is a row of sub-steps (the passes of a step, one after the other, step by step).  Each
 * gives cells new values and reads, along an axis, at most `reach` cells away from them.  Any order
 * of boxes gives the same result as one whole sub-step after the other, if
 *
 *   (*)  of two sub-steps s < t, what t does at cell x comes after what s did at cell y,
 *        wherever |x - y| <= max(reach of s, reach of t) along every axis.
 *
 * For two pieces of work meet in memory only if both touch the value of some cell z in some array,
 * and one of them writes it: that one is at z, the other at most its reach away.  So (*) orders
 * whatever reads with what made the value and with what overwrites it, however many levels of
 * history share however few arrays, in place or not.  Each sub-step must write its box and no more.
 *
 * Edges of tiles therefore move by at least the larger of two neighbouring sub-steps' reaches from
 * the one to the next (`shift` sums that up), always away from what is not done yet.
 *
 *   hex   Along the outermost axis, rows of hexagons.  Between them edges move back and forth: in
 *         one band of sub-steps the even tiles shrink and the odd ones grow, in the next the other
 *         way round.  A tile grows for a band and shrinks for the next.  Row f is the tiles of
 *         parity f: they are independent of each other, since the tile between two of them is
 *         nowhere narrower than what a sub-step reaches; and they need only rows before.  An axis
 *         that wraps around is a ring of an even number of tiles.
 *   skew  Along the outermost axis, bands of parallelograms that lean towards the low end.  Tile j
 *         of band b needs tiles up to j-1 of its band and up to j+d of earlier ones, where d tiles
 *         are as wide as a band leans: it runs on front j + b(d+1).
 *
 * Within a tile, the next axis is cut into parallelograms, one after the other, so that what a
 * thread works on stays small.  Other axes are whole.  Nothing is done twice.
 *
 *   slabs A skewed schedule whose outermost axis is whole while the next is cut: there tiles lean
 *         along that one, and each is a slab that is walked along the outermost axis, place by
 *         place.  At a place all sub-steps of the band have their turn, each as many cells behind
 *         the one before as its edges move: what lies between them are a few slices of a tile,
 *         however long the slab is.  Slab i of a band follows slab i-1, a place further behind it
 *         than it must: what it reads there at its next place is complete, and can be prefetched.
 *         It keeps its distance from slab i+d of the band before.
 */
#pragma once
#include "ir/ir.h"

enum {
  IK_SCHEDULE_SUBS = 64,
  IK_SCHEDULE_BAND = 16 /* sub-steps that the band of a slab has at most */
};

typedef enum ik_schedule_kind { IK_SCHEDULE_HEX, IK_SCHEDULE_SKEW } ik_schedule_kind;

typedef struct ik_schedule_axis {
  int64_t lo, hi; /* cells */
  int64_t width;  /* of tiles, about; 0: not cut.  Axes below the second outermost are never cut */
  bool    wraps;  /* cells beyond one end are those at the other.  HEX may cut it if it is the
                     outermost; else it must not be cut */
  int reach[IK_SCHEDULE_SUBS]; /* of each sub-step of a step */
} ik_schedule_axis;

typedef struct ik_schedule {
  ik_schedule_kind kind;
  int              ndim, nsub; /* sub-steps of a step */
  int64_t          steps;      /* in all */
  int64_t          band;       /* steps of a band */
  int64_t          place;      /* cells of a place along the outermost axis; 0: no slabs */
  ik_schedule_axis axis[IK_MAX_DIM];
  /* By ik_schedule_init: */
  int64_t shift[IK_MAX_DIM][IK_SCHEDULE_SUBS + 1]; /* of edges, up to each sub-step of a step */
  int64_t tiles; /* along the outermost axis, or the one that slabs are apart along */
} ik_schedule;

typedef struct ik_schedule_box {
  int64_t step; /* 0, 1, ... */
  int     sub;
  int64_t lo[IK_MAX_DIM], hi[IK_MAX_DIM]; /* never empty */
} ik_schedule_box;

/* Why an axis cannot be cut so; NULL if all can. */
const char *ik_schedule_illegal(const ik_schedule *s);
void        ik_schedule_init(ik_schedule *s);

/* Fronts are done one after the other; the tiles of a front, numbered along the outermost axis, at
 * the same time, or in any order; the boxes of a tile in the order in which they are visited. */
int64_t ik_schedule_fronts(const ik_schedule *s);
int64_t ik_schedule_tiles(const ik_schedule *s, int64_t front);
void    ik_schedule_visit(const ik_schedule *s, int64_t front, int64_t tile,
                          void (*f)(void *ctx, const ik_schedule_box *b), void *ctx);

/* ---- slabs ---- */

bool    ik_schedule_has_slabs(const ik_schedule *s); /* then there are no fronts */
int64_t ik_schedule_slabs(const ik_schedule *s);
int64_t ik_schedule_places(const ik_schedule *s); /* of each slab */
/* Sub-steps of a slab, counted from the first of all steps. */
void ik_schedule_subs(const ik_schedule *s, int64_t slab, int64_t *begin, int64_t *end);
/* The box of a sub-step at a place, or of all places of the slab (-1); false: there is none. */
bool ik_schedule_box_at(const ik_schedule *s, int64_t slab, int64_t sub, int64_t place,
                        ik_schedule_box *b);

/* Cells along the outermost axis that a sub-step of a band is behind its first. */
int64_t ik_schedule_behind(const ik_schedule *s, int64_t sub);

typedef struct ik_schedule_wait { /* until so many places of an earlier slab are done */
  int64_t slab, places;
} ik_schedule_wait;

/* What comes before a place of a slab; returns how many. */
int ik_schedule_waits(const ik_schedule *s, int64_t slab, int64_t place, ik_schedule_wait out[2]);
