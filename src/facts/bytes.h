/* bytes.h: compulsory memory traffic: what a step must move if it touches each value once.
 *
 * Every level of a stored field that is read before it is made here counts one read, every one that
 * is assigned one write; temporaries count nothing.  A field that is not on an axis counts by its
 * share, 1/n of that axis.  Main statements only. */
#pragma once
#include "facts/subject.h"

typedef struct ik_traffic {
  int    field, level;
  bool   write;
  double bytes; /* per cell of the grid */
} ik_traffic;

typedef struct ik_bytes {
  double            cell; /* M: sum of all */
  int               n;
  const ik_traffic *item; /* [n] reads, then writes; in order of fields and levels (newest first) */
} ik_bytes;

void ik_bytes_of(const ik_ir *ir, const ik_subject *s, ik_arena *a, ik_bytes *out);
