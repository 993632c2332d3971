/* points.h: sets of points (field, level, offset), and what becomes of them when one pattern is
 * read through another.
 *
 * A set holds rows of 64 points along axis 0 as bits, so that reading a pattern through another
 * (the Minkowski sum of the two) costs one step per pair of rows, not per pair of points.  Sets
 * live in an arena and only grow.
 */
#pragma once
#include "base/arena.h"
#include "ir/ir.h"

typedef struct ik_point {
  int field, level, off[IK_MAX_DIM];
} ik_point;

typedef struct ik_hull { /* inclusive; offsets relative to the cell that is computed */
  int lo[IK_MAX_DIM], hi[IK_MAX_DIM];
} ik_hull;

typedef struct ik_points_row { /* points 64*x - 32 ... 64*x + 31 of axis 0 */
  int      field, level;
  int64_t  x, y, z;
  uint64_t bits;
} ik_points_row;

typedef struct ik_points {
  ik_arena      *arena;
  int            n, cap; /* rows, none of them empty */
  ik_points_row *row;
  int            nslot; /* of the hash table: a power of two, or 0 */
  int           *slot;  /* [nslot] 1 + index of a row; 0 is free */
} ik_points;

ik_points *ik_points_new(ik_arena *a);
void       ik_points_add(ik_points *s, const ik_point *p);
void       ik_points_add_row(ik_points *s, const ik_points_row *row);
void       ik_points_join(ik_points *s, const ik_points *from);
/* Adds `from` moved by every offset in `by`, whose field and level are not looked at. */
void ik_points_move(ik_points *s, const ik_points *from, const ik_points_row *by);

int64_t ik_points_count(const ik_points *s);
/* All points in order of field, level (newest first), then offset with axis 0 fastest. */
const ik_point *ik_points_list(const ik_points *s, ik_arena *a, int *n);
int             ik_point_compare(const ik_point *a, const ik_point *b); /* that order */

/* The smallest hull of some points; all zero for none. */
ik_hull ik_hull_of(const ik_point *p, int n);
int     ik_hull_radius(const ik_hull *h); /* greatest distance along one axis */
