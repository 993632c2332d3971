/* sweep.h: assignments whose cells follow each other, in place: sweeps that no pipeline can hold,
 * and fields that are not on all axes.
 *
 * A cell may read what the ones before it have left and what the ones behind it will overwrite.
 * Which of the two is decided by the sweep; the dependences between the cells then say in which
 * other orders the same values are read.  Mostly, in any that goes along each axis in one direction
 * (BLOCKS): then cells are done in rows of memory, and blocks of them by several threads, a block
 * when its neighbours behind it are done.
 *
 * The grid is cut into regions.  All cells of a region have the same statements, and read beyond
 * the fields alike: in most of it nothing does.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "ir/ir.h"

enum { IK_SWEEP_STMTS = 64 };

typedef enum ik_sweep_kind {
  IK_SWEEP_BLOCKS, /* along each axis in its direction, axes in any order */
  IK_SWEEP_LINES,  /* cell by cell as the sweep, which goes along all axes, says */
  IK_SWEEP_PLANES, /* index by index of the sweep; there, one statement for all cells, then the
                      next.  All cells are read before any is written */
} ik_sweep_kind;

typedef struct ik_sweep_value { /* a field at a level: an array */
  int     field, level;
  int64_t stride[IK_MAX_DIM]; /* in elements; 0 along axes that the field is not on */
  int64_t first;              /* element of cell (0, 0, 0), which may lie outside */
} ik_sweep_value;

typedef struct ik_sweep_read {
  int value, off[IK_MAX_DIM];
} ik_sweep_read;

typedef struct ik_sweep_stmt {
  const ik_stmt *stmt;
  ik_box         box;
  int            value; /* that it assigns */
  int            nread; /* different ones, in the order of the expression's nodes */
  ik_sweep_read *read;
  bool           beside; /* reads its own value across the swept axes */
} ik_sweep_stmt;

typedef struct ik_sweep_region {
  uint64_t active; /* statements that its cells have */
  uint64_t inside; /* those of which read no cell outside a field */
  int      set;    /* BLOCKS, LINES: all of it is inside, and the set of statements; else -1 */
} ik_sweep_region;

typedef struct ik_sweep_row { /* how the cells of one are computed */
  bool vectors;               /* several at once may be ... */
  bool wide;                  /* ... and hold 8 bytes each, not 4 */
  int  turns;                 /* rows whose cells are computed in turn, one of each; at least 1 */
} ik_sweep_row;

typedef struct ik_sweep {
  const ik_stmt   *stmt; /* the sweep or the assignment */
  ik_sweep_kind    kind;
  int              naxes, axis[IK_MAX_DIM]; /* of the sweep, outermost first */
  int              dir[IK_MAX_DIM];         /* +1 or -1, of each axis */
  bool             free[IK_MAX_DIM]; /* no cell needs another along this axis: it may be cut */
  ik_sweep_row     row;
  int              wave[2]; /* BLOCKS: blocks follow each other along these; -1: not along two */
  int64_t          block[IK_MAX_DIM]; /* cells of a block */
  ik_box           box;               /* all cells */
  int              nvalue, nstmt, nset;
  ik_sweep_value  *value;
  ik_sweep_stmt   *body;
  uint64_t        *set; /* statements that are done together, cell by cell; PLANES: each alone */
  int              ncut[IK_MAX_DIM];
  int64_t         *cut[IK_MAX_DIM]; /* where regions begin; the last is where the box ends */
  ik_sweep_region *region;          /* axis 0 fastest */
} ik_sweep;

/* An ASSIGN, or a SWEEP; NULL: it does not fit.  One without statements has no cells.  Its blocks
 * are for so many threads, if they are not for fewer. */
const ik_sweep *ik_sweep_of(const ik_ir *ir, const ik_stmt *s, int threads, ik_arena *a);

/* Blocks along an axis. */
int64_t ik_sweep_blocks(const ik_sweep *o, int axis);
bool    ik_sweep_is_swept(const ik_sweep *o, int axis);

/* "x up, y up in wavefronts of 188 x 64 cells" */
void ik_sweep_describe(const ik_ir *ir, const ik_sweep *o, ik_buf *out);
/* Text, for --dump loops. */
void ik_sweep_print(const ik_ir *ir, const ik_sweep *o, ik_buf *out);
