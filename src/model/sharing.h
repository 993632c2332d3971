/* sharing.h: what cores share (a byte of memory, a line of the last cache), by how many of them
 * want it at the same time: two often get twice as much as one, sixteen not sixteen times. */
#pragma once

enum { IK_SHARING_POINTS = 10 };

typedef struct ik_sharing {
  int    n; /* points, with more and more cores; 0: nothing is known */
  double cores[IK_SHARING_POINTS];
  double cost[IK_SHARING_POINTS]; /* of each of them, over that with as many as the unit is for */
} ik_sharing;

/* Between two points on the line through them; beyond the last as from the one before it, by a
 * power that is not above one: then more cores get no more. */
double ik_sharing_at(const ik_sharing *s, double cores);
