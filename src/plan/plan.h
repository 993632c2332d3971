/* plan.h: one way to run a program: every choice that a lowering and an emitter need, as data.
 * Whoever proposes it has checked that it is legal; nothing after it decides anything again.
 *
 * What every machine understands comes first; the rest is a part for the kind of machine that the
 * plan's target is.  A new kind is a struct, a table of words in plan.c and a line of its `kinds`.
 */
#pragma once
#include "base/buf.h"
#include "base/json.h"
#include "ir/layout.h"

typedef struct ik_plan_cpu {
  int  rows;         /* results computed together, in neighbouring rows ... */
  int  vectors;      /* ... and in neighbouring vectors of a row */
  int  planes;       /* ... and, in 3D, in neighbouring planes; 0, 1: in one */
  int  vector_bytes; /* 64, 32, 16; 8: plain C */
  bool stream;       /* results are stored past the caches */
  bool shift;        /* neighbours along a row come from shifted vectors */
  bool in_place;     /* fields are read where they lie, but near faces: not copied */
  int  terms;        /* matrix-band: bf16 numbers that make up one of the program's; 0, 1: one */
  int  band; /* steps of slabs that passes of one step are for; 0, 1: none.  Not in the text */
} ik_plan_cpu;

/* A thread block streams a segment of the last axis, `tile` of it and of the axes across. */
typedef enum ik_plan_form {
  IK_PLAN_STREAM,   /* all warps have a tile of each plane in shared memory */
  IK_PLAN_PIPELINE, /* warps are stages in time, which hand rows on; some of them stand side by
                       side */
  IK_PLAN_BAND      /* products of bands of the weights, on a matrix unit */
} ik_plan_form;

typedef struct ik_plan_gpu {
  int form;    /* an ik_plan_form */
  int columns; /* cells of a row that a lane has */
  int rows;    /* of cells that a lane has */
  int levels;  /* steps of a stage */
  int warps;   /* of a block */
  int blocks;  /* of a multiprocessor; 0: as many as fit */
} ik_plan_gpu;

typedef struct ik_plan {
  const char *target, *strategy;
  int         steps;            /* fused in one pass over memory; 1: none */
  int64_t     tile[IK_MAX_DIM]; /* cells of the result per tile along each axis; 0: all of it */
  int         threads;          /* of the host */
  ik_plan_cpu cpu;
  ik_plan_gpu gpu;
  const ik_layout *layout; /* of the fields, borrowed; NULL: cells lie one after the other.  It is
                              the target's and no part of the text */
} ik_plan;

/* The strategies that a plan can have, NULL at the end; the first is the default. */
extern const char *const ik_plan_strategies[];

/* "fuse: 16 steps, tile 1024 x all, 4 rows x 1 vector of 64 bytes, streaming stores,
 * shifted neighbours" */
void ik_plan_print(const ik_plan *p, const ik_ir *ir, ik_buf *out);
/* The same for machines: "fuse steps=16 tile=1024,0,0 rows=4 vectors=1 bytes=64 stream=1
 * shift=1". */
void ik_plan_write(const ik_plan *p, ik_buf *out);
/* What ik_plan_write wrote of a plan of that target, or a person: words that are not there keep
 * what `p` has.  False, and `p` is as it was, if it is no plan. */
bool ik_plan_read(const char *text, ik_plan *p);
/* Does it say all that a plan of its target must say? */
bool ik_plan_is_whole(const ik_plan *p);
/* The members of a JSON object. */
void ik_plan_json(const ik_plan *p, const ik_ir *ir, ik_json *out);
