/* traits.h: what a processor is like, as far as it decides how passes are shaped for it.  The
 * figures are the shape.* of machines/NAME.ikm, one machine for each width of vectors; docs/cpu.md
 * tells what was measured. */
#pragma once
#include "base/arena.h"
#include <stdbool.h>

typedef struct ik_traits {
  int vector;        /* bytes of one */
  int line;          /* bytes of a line of the cache */
  int registers;     /* results and what they are made of that a block may hold, in vectors */
  int constants;     /* of a kernel that may stay in registers */
  int copied_planes; /* of so many planes that are read, a copy in a ring is the better way */
  int turn;          /* bytes of rows that a stage makes before the next one has its turn */
  int flight;        /* bytes that are prefetched ahead of their use: as many as memory answers
                        with meanwhile */
  int  streamed_row; /* bytes of rows that hardware prefetches by itself, where they are planes */
  int  kept_tile;    /* bytes of a tile that the second cache keeps from a phase to the next */
  int  short_row;    /* bytes of rows in rings that begin at vectors rather than at lines */
  bool bypass;       /* a streaming store does not read its line first */
  int  near_row;     /* cells of a row from which on fields are read in place: its ends cost more
                        than the copy of a shorter one; 0: only if rows are read whole */
  int  near_level;   /* bytes of a level of a sweep that are still near when the next one is made */
  int  near_rows;    /* rows that are, whatever their bytes */
  bool by_planes;    /* planes are what results share best, and registers are few */
} ik_traits;

/* Of vectors of so many bytes; static, read once. */
const ik_traits *ik_traits_for(int vector_bytes, ik_arena *a);

/* Is a vector a line of the cache?  Then a row is read and written line by line, and a vector that
 * begins elsewhere costs two accesses. */
static inline bool ik_traits_by_lines(const ik_traits *t) { return t->vector == t->line; }
