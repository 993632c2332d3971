/* plan.h: one way to run a program: every choice that a lowering and an emitter need, as data.
 * Whoever proposes it has checked that it is legal; nothing after it decides anything again. */
#pragma once
#include "base/buf.h"
#include "base/json.h"
#include "ir/layout.h"

typedef struct ik_plan {
  const char *target, *strategy;
  int         steps;            /* fused in one pass over memory; 1: none */
  int         band;             /* steps of lines that passes of one step are for; 0, 1: none */
  int64_t     tile[IK_MAX_DIM]; /* cells of the result per tile along each axis; 0: all of it */
  int         rows;             /* results computed together, in neighbouring rows ... */
  int         vectors;          /* ... and in neighbouring vectors of a row */
  int         planes;           /* ... and, in 3D, in neighbouring planes; 0, 1: in one */
  int         vector_bytes;     /* 64, 32, 16; 8: plain C */
  bool        stream;           /* results are stored past the caches */
  bool        shift;            /* neighbours along a row come from shifted vectors */
  bool        place;            /* fields are read where they lie, but near faces: not copied */
  int         terms; /* matrix-band: bf16 numbers that make up one of the program's; 0, 1: one */
  int         threads;
  const ik_layout *layout; /* of the fields, borrowed; NULL: cells lie one after the other.  It is
                              the target's and no part of the text */
} ik_plan;

/* "fuse: 16 steps, tile 1024 x all, 4 rows x 1 vector of 64 bytes, streaming stores,
 * shifted neighbours" */
void ik_plan_print(const ik_plan *p, const ik_ir *ir, ik_buf *out);
/* The same for machines: "fuse steps=16 tile=1024,0,0 rows=4 vectors=1 bytes=64 stream=1
 * shift=1". */
void ik_plan_write(const ik_plan *p, ik_buf *out);
/* What ik_plan_write wrote, or a person: words that are not there keep what `p` has.  False, and
 * `p` is as it was, if it is no plan. */
bool ik_plan_read(const char *text, ik_plan *p);
/* The members of a JSON object. */
void ik_plan_json(const ik_plan *p, const ik_ir *ir, ik_json *out);
