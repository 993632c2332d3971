/* shape.h: how a kernel computes what it computes: how many results at a time, how rows are cut,
 * what it prefetches and streams.  A target decides it while the pass is made (lower/shaper.h), and
 * printing obeys; no bit of a result depends on it.
 */
#pragma once
#include "lower/pipe.h"

typedef struct ik_value_shape { /* of an input or an output */
  bool        aligned;          /* rows begin where cache lines do */
  ik_row_ends ends;             /* input, read in place with the ends of its rows */
  int64_t     prefetch;         /* elements from here to what is prefetched; 0: nothing is */
  bool        near;             /* input: into the first cache, since it is read so soon */
  bool        streaming;        /* output: it may be stored past the caches */
  int         remainder; /* output: cells of a row that nobody writes, in cache lines of which
                            the kernel writes the rest; 0: there are none, or they do not matter */
} ik_value_shape;

typedef struct ik_prefetched { /* planes of a field that are read or fetched next */
  int     field, level;
  ik_type type;
  int64_t pitch; /* elements between rows; of `lines`, those that a row of blocks prefetches */
  int lines; /* that a block prefetches, where rows beside the tile are among them; 0: as many as
                it has itself */
  int  from; /* lines: the first row of them, from the tile's first on */
  bool next; /* lines: of the plane of the next results, not of the last that they read */
  bool own;  /* lines: of the step's own tile, not a part of the first one's */
} ik_prefetched;

/* While a kernel computes, memory is kept at work: it prefetches what will be fetched into rings or
 * read in place next.  The stages of all steps share that.  Planes with rows: each takes `rows`
 * rows of a block; planes that are a row each: `planes` planes.  If there are more steps than rows
 * each takes one of `parts` of a row. */
typedef struct ik_prefetch {
  int            n, planes, rows, parts;
  bool           in_turns; /* all steps of a wavefront prefetch what it reads next, a part each */
  ik_prefetched *of;
} ik_prefetch;

typedef struct ik_row_shape { /* a row: blocks of vectors, single vectors, what is left at its ends
                               */
  bool    blocks;             /* nothing but whole vectors, from the first cell to the last */
  bool    singles;            /* whole vectors that blocks leave are computed one by one */
  bool    ends;    /* what blocks leave knows what stands beyond the ends; blocks keep off them */
  bool    whole;   /* ends are computed in whole vectors: what is stored of them is said */
  int     look[2]; /* ends: blocks keep off so many cells */
  int64_t ragged;  /* ends: rows are so many elements apart, and begin anywhere in a cache line:
                      blocks begin at one all the same; 0: from a cell on */
  int64_t
      range[2]; /* ends: lanes of results of all kernels of the pass, which may share this one */
} ik_row_shape;

typedef struct ik_kernel_shape {
  int  rows, vectors; /* results computed together, in neighbouring rows, and along them */
  int  lanes;         /* cells of a vector; 1: one cell after the other */
  int  line;          /* bytes of a cache line */
  int  prefetch_from; /* bytes of a row that a block has at least if it prefetches */
  bool shift;         /* neighbours along aligned rows come from shifted vectors ... */
  int  loaded_from;   /* ... unless so many operations make a result; 0: however many do */
  bool streaming;     /* an output may be stored past the caches */
  int  weights;       /* the type whose constants are read from an array row by row, being too many
                         for registers; -1: none */
  ik_row_shape    row;
  ik_prefetch     prefetch;
  ik_value_shape *input, *output;
} ik_kernel_shape;
