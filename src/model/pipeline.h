/* pipeline.h: the time of a pass over memory on a CPU, plane by plane through stages whose results
 * wait in caches.
 *
 *   cycles of a vector = max(core, memory) + overlap min(core, memory)
 *   core               = sum over stages (compute C + line L) redundancy + copies + starts
 *   C                  = max(arithmetic/units, loads/ports, stores, chain)
 *   seconds of a pass  = (vectors of the busiest thread * cycles + tiles + pass) / hertz
 *
 * Cores that others use as well are slower for a while: core is longer for the thread that is last,
 * by spread (1 - 2/threads) / pieces^2, since others take from it when they are done.
 *
 * After section "A model for the planner" of the prototypes' measurements (cycles = k C + c2 L +
 * m B), with an overlap of computing and moving, starts of calls and rows, tiles and threads added.
 * L and where lines come from are the layer conditions: rings that fit into a level are served by
 * it.  What comes from beyond the second level and from memory costs each core more, the more of
 * them there are (model/sharing.h).
 *
 * All counts are per vector of results unless they say otherwise, all costs are cycles of a core.
 * Amounts and costs that are not above zero (NaN included) cost nothing; a machine without a clock,
 * or without a unit or port that is needed, never ends (INFINITY).
 */
#pragma once
#include "model/interpreter.h"
#include "model/sharing.h"

typedef struct ik_pipeline_machine {
  double hertz;
  double units;    /* vectors of operations a cycle */
  double loads;    /* vectors a cycle */
  double compute;  /* on the cycles that units and ports need at least */
  double divide;   /* operations that a division counts for */
  double function; /* operations that exp and its like count for */
  double chain;  /* cycles of an operation that waits for the one before; 0: others fill the gap */
  double l1, l2; /* bytes of a core's caches */
  double usable; /* working set up to which lines cost the same, and ... */
  double full;   /* ... from which on all come from beyond; in second levels */
  double near, line, far; /* of a line (64 bytes) from the first level, the second, beyond */
  double deeper;          /* of `far`, how much it grows with each doubling beyond `full`, where
                             planes have rows */
  double     byte;        /* of a byte of memory, with `cores` cores at work */
  double     alone;       /* of that, with one; if `bytes` is not known */
  double     cores;
  ik_sharing bytes, lines; /* of `byte` and `far`, by cores at work */
  double     cached;       /* of `byte`, where all fits into the caches */
  double     overlap;      /* of the shorter of computing and moving, what shows; 1: both add up */
  double     copy;         /* of a vector that is copied into a ring */
  double     call;         /* of a call of a kernel */
  double     row;          /* of a row: one that begins in a cache, ... */
  double     far_row;      /* ... in memory, ... */
  double     cut_row;      /* ... there, and ends before the grid does */
  double     tile, pass;
  double     box, place;   /* of a box of tiles in time, and of a place of a slab: tiled.h */
  double     boxes, slabs; /* of a cache, what they may fill */
  double     slices;       /* of a slab, over which what is prefetched for all its steps is kept */
  double     wake;         /* of a run: threads that sleep until it begins */
  double     spread;       /* how much longer the slowest of very many threads takes for its
                              part than all do on average */
  ik_interpreter interp;   /* of what is left to the interpreter */
} ik_pipeline_machine;

typedef struct ik_pipeline_stage {
  bool   copies;               /* moves planes between memory and rings; else it computes */
  double arithmetic;           /* operations, without: */
  double divisions, functions; /* square roots; exp, tables, ... */
  double loads, stores;        /* vectors */
  double together;             /* results that are in work at once: chains of operations */
  double lines;                /* vectors from rings and to them */
  double redundancy;           /* results over those of the tile; at least 1 */
  double part;                 /* cells over those of the pass; at most 1 */
  double bytes;                /* of memory per cell of the tile, redundancy included */
} ik_pipeline_stage;

typedef struct ik_pipeline_phase { /* one walk along the tile */
  int                      nstage;
  const ik_pipeline_stage *stage;
  double                   planes; /* that a stage has in one call */
  double                   lanes;  /* cells of a vector */
} ik_pipeline_phase;

typedef struct ik_pipeline_pass {
  int                      nphase;
  const ik_pipeline_phase *phase;
  double                   vector_bytes;
  double                   lanes;       /* cells of a vector */
  double                   working_set; /* bytes that a tile comes back to */
  double                   share;       /* of the bytes of memory, those that move: others are in
                                           caches from the step before; 0: all of them */
  double nearby;                        /* of these bytes, those that come from the last cache */
  double fresh;                         /* of what is copied, or read where it lies instead, what
                                           the step before has not had there; 0: all of it */
  bool   by_rows;                       /* stages take turns row by row: lines are near */
  double tile_row;                      /* cells of a row of a tile */
  double tile_rows;                     /* rows of a plane of a tile */
  bool   cut;                           /* rows end before the grid does */
  double cells;                         /* in all */
  double most_cells;                    /* of the thread that has most */
  double most_tiles;
  double pieces; /* tiles of a thread, which others may take when they are done; 0: nobody waits */
  double tile_cycles; /* of a tile; 0: as the machine says */
  double threads;
} ik_pipeline_pass;

typedef struct ik_pipeline_work { /* passes one after the other, by one machine's planner */
  int               npass;
  ik_pipeline_pass *pass;
  double            single; /* seconds of cells one by one, in between */
  double            steps;  /* that all of it makes */
  double            l1, l2; /* bytes of a core's caches */
} ik_pipeline_work;

/* What can be short: ports of a core, caches, memory; and what is no work at all. */
typedef enum ik_pipeline_resource {
  IK_PIPELINE_ARITHMETIC,
  IK_PIPELINE_LOADS,
  IK_PIPELINE_STORES,
  IK_PIPELINE_CHAIN,   /* results that wait for each other */
  IK_PIPELINE_LINES,   /* between caches, copies into rings included */
  IK_PIPELINE_MEMORY,  /* bytes */
  IK_PIPELINE_STARTS,  /* of calls and rows */
  IK_PIPELINE_TILES,   /* and passes: threads that meet */
  IK_PIPELINE_WAITING, /* for threads that are slower than others */
  IK_PIPELINE_SINGLE,  /* cells one by one: in order, or in the interpreter */
  IK_PIPELINE_RESOURCES
} ik_pipeline_resource;

typedef struct ik_pipeline_time {
  double seconds;
  double bytes;                       /* from and to memory */
  double part[IK_PIPELINE_RESOURCES]; /* seconds, which add up to `seconds` */
  double busy[IK_PIPELINE_RESOURCES]; /* seconds that it would take if the others cost nothing */
} ik_pipeline_time;

ik_pipeline_time ik_pipeline_pass_time(const ik_pipeline_pass *p, const ik_pipeline_machine *m);

/* Of one step.  `m` need not have the sizes of caches. */
ik_pipeline_time ik_pipeline_work_time(const ik_pipeline_work *w, const ik_pipeline_machine *m);

/* Of `byte`, what it costs with so many threads at work. */
double ik_pipeline_byte_share(const ik_pipeline_machine *m, double threads);

/* Operations a byte of memory from which on arithmetic limits, vectors of so many lanes. */
double ik_pipeline_ridge(const ik_pipeline_machine *m, double lanes);

/* The one that is busy longest, the first of equals. */
ik_pipeline_resource ik_pipeline_saturated(const ik_pipeline_time *t);
/* 1 - busy/seconds: the share of the time in which it has nothing to do; 1 if there is no time. */
double ik_pipeline_slack(const ik_pipeline_time *t, ik_pipeline_resource r);
/* "cache lines", ...; static */
const char *ik_pipeline_name(ik_pipeline_resource r);
/* What is bound by it is "compute"-bound, "cache"-, "memory"- or "overhead"-bound. */
const char *ik_pipeline_kind(ik_pipeline_resource r);
