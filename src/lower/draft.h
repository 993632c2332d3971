/* draft.h: a pass while it is being made.  build.c goes through its steps in order. */
#pragma once
#include "facts/nodes.h"
#include "lower/pipe.h"

enum { IK_DRAFT_FAR = 1 << 30 }; /* an end of a virtual axis: never reached */

typedef struct draft_op { /* a statement of one step */
  const ik_stmt  *stmt, *sweep;
  const ik_nodes *nodes; /* of its value */
  int             step;
  int             unit;   /* what it is computed in */
  int             target; /* buffer that it assigns */
} draft_op;

typedef struct draft_buffer {
  ik_pipe_buffer b;
  int            first, last; /* ops that assign it; -1: it comes from memory */
  int            old;         /* the buffer whose memory it overwrites; -1: none */
  int            lag;
  int            phase;              /* that assigns or fetches it */
  int            need[IK_NROLES][2]; /* cells beyond the tile */
  bool           across;             /* read in a later phase */
} draft_buffer;

typedef struct draft_read {
  int            op, buffer;
  const ik_expr *expr;
  int            off[IK_NROLES];
  int            hull[IK_NROLES][2];   /* how far it looks; at faces that reflect, both ways */
  int            beyond[IK_NROLES][2]; /* and beyond the faces of the field */
  bool           in_register; /* made by an earlier statement of the same unit, at the same cell */
} draft_read;

typedef struct draft_unit { /* consecutive ops that are computed together: a kernel of one step */
  int  first, last;         /* ops */
  int  phase;
  int  lag;
  int  ext[IK_NROLES][2];
  bool extended[IK_NROLES]; /* computes images beyond a periodic end */
  bool ahead;      /* the next unit computes it too, but for the first rows of a tile ... */
  int  rows_ahead; /* ... and so many rows ahead of itself */
} draft_unit;

typedef struct draft_kernel {
  ik_pipe_kernel          k;
  bool                    inside;
  int                     in[IK_PIPE_INS], out[IK_PIPE_OUTS]; /* buffers */
  int                     lo[IK_PIPE_INS], hi[IK_PIPE_INS];   /* stream offsets read */
  ik_pipe_value           input[IK_PIPE_INS], output[IK_PIPE_OUTS];
  int                     prefetch[IK_PIPE_PREFETCHED]; /* buffers */
  struct ik_kernel_shape *shape;                        /* NULL: none, or not yet */
} draft_kernel;

typedef struct draft_room { /* of the lists of a draft, in entries */
  int op, buffer, read, unit;
} draft_room;

typedef struct ik_draft {
  const ik_ir     *ir;
  const ik_plan   *plan;
  const ik_shaper *shaper;
  ik_arena        *a;
  const bool      *stored; /* [nfield] temporaries that other passes read */
  const bool      *fold;   /* [nfield] u' may lie where the oldest level does; see fold.h */
  int              steps;
  ik_pass         *pass;
  draft_op        *op;
  draft_buffer    *buffer;
  draft_read      *read;
  draft_unit      *unit;
  int              nop, nbuffer, nread, nunit;
  draft_room       cap;
  bool             virtual_axis[IK_NROLES];
  bool             whole[IK_NROLES]; /* one tile along it */
  const char      *why;              /* it cannot be done: one sentence */
} ik_draft;

/* values.c: ops, which buffers they read and assign, what is computed together. */
void ik_draft_roles(ik_draft *x);
void ik_draft_values(ik_draft *x);
void ik_draft_units(ik_draft *x);
/* reach.c: tiles; how far behind and beyond each unit works; rings. */
void ik_draft_tiles(ik_draft *x);
void ik_draft_edges(ik_draft *x);
void ik_draft_reach(ik_draft *x);
void ik_draft_rings(ik_draft *x);
/* kernel.c: of a unit, and of the one before it where that is computed ahead; `inside`: where what
 * can be is read in place. */
void ik_draft_kernel(ik_draft *x, const draft_unit *of, bool inside, draft_kernel *k);
/* Its number in the pass: that of one that does the same, or a new one. */
int ik_draft_share(ik_draft *x, const ik_pipe_kernel *k);
/* stages.c: the finished tables. */
void ik_draft_stages(ik_draft *x);
/* scratch.c: rings in scratch memory. */
void ik_draft_scratch(ik_draft *x);

/* How far a read of `expr` by an op looks along each role. */
void ik_draft_look(const ik_draft *x, draft_read *r);
/* The box of an op, and the cells of a field, by role. */
void ik_draft_range(const ik_draft *x, const ik_box *b, ik_role role, int64_t *lo, int64_t *hi);
/* Does a unit's result depend on where its cells are along a role? */
bool ik_draft_uses_place(const ik_draft *x, const draft_unit *u, ik_role role);
bool ik_draft_on(const ik_draft *x, int field, ik_role role);
bool ik_draft_on_all(const ik_draft *x, int field); /* that the pass has */
/* Temporaries that only this unit makes, from what lies along lanes: a cell beyond their box is of
 * no interest. */
bool ik_draft_is_loose(const ik_draft *x, int unit);

/* Elements of an array between neighbours along an axis.  A program of whose passes one walks along
 * another axis than the last has no padding. */
int64_t ik_draft_stride(const ik_draft *x, const draft_buffer *b, int axis);
/* A buffer as the kernel sees it that reads rings, or the one that reads in place.
 */
ik_pipe_value ik_draft_value(const ik_draft *x, const draft_buffer *b, int level, bool inside);
/* Do both lie in the same array, or may they? */
bool ik_draft_is_place(const ik_draft *x, const ik_pipe_buffer *a, const ik_pipe_buffer *b);
/* Does a statement of the unit read that, from a buffer? */
bool ik_draft_is_of(const draft_unit *u, const draft_read *r);
/* Does a source add to it? */
bool ik_draft_is_injected(const ik_draft *x, int field);
/* Does one, or a receiver hear it, at the end of a step after which the pass goes on? */
bool ik_draft_has_spots(const ik_draft *x, const draft_buffer *b);
/* Is anything of it made up beyond a face? */
bool ik_draft_has_halo(const ik_pipe_buffer *b);

/* Does anything look along a role, from cell to cell? */
bool ik_draft_reads_along(const ik_draft *x, ik_role r);
/* Does the pass have all of an axis in one tile, whatever the plan says? */
bool ik_draft_must_be_whole(const ik_draft *x, ik_role r);
/* Do results lie outside the grid along a role? */

static inline void ik_draft_refuse(ik_draft *x, const char *why) {
  if (!x->why) x->why = why;
}
