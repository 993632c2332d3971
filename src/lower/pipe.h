/* pipe.h: a program as passes over memory: what is left to do is to print kernels and to run them.
 *
 * A list of statements becomes a list of passes.  A pass computes one or several statements, for
 * one or several time steps, tile by tile; tiles are independent of each other.  Within a tile it
 * is a pipeline: along one axis, the stream, stages follow each other plane by plane, each behind
 * (`lag`) those whose results it reads, so that what lies between them fits into rings of a few
 * planes that never see memory.  One structure serves plain sweeps (one stage, one step), compound
 * stencils (temporaries in rings) and time tiling (the stages of several steps); and one who runs
 * it may be a CPU with rings in its cache or a GPU with rings in its registers.
 *
 * Roles.  LANE is axis 0, contiguous, vectors lie along it.  STREAM is the axis that a tile is
 * walked along.  ROW is what is left: a plane is rows by lanes.  With two dimensions a plane is one
 * row; with one it is all there is, and the stream has one plane.
 *
 * Coordinates are those of the grid everywhere, also in rings: cell (x, y, z) of a plane lies at
 * [y*pitch + x] from the plane's origin, whatever part of the plane exists.
 */
#pragma once
#include "base/arena.h"
#include "base/diag.h"
#include "ir/ir.h"
#include "plan/plan.h"

/* What a kernel has at most: planes that it reads, different inputs, outputs; and planes, or parts
 * of them, that it prefetches. */
enum { IK_PIPE_PORTS = 256, IK_PIPE_INS = 32, IK_PIPE_OUTS = 16, IK_PIPE_PREFETCHED = 16 };

typedef enum ik_role { IK_LANE, IK_ROW, IK_STREAM, IK_NROLES } ik_role;

/* How a buffer behaves beyond the ends of an axis. */
typedef enum ik_edge {
  IK_EDGE_NONE,    /* never read there */
  IK_EDGE_MAP,     /* what lies beyond the field is found by its boundary condition */
  IK_EDGE_VIRTUAL, /* periodic, and the ring holds the images: cell n+1 is computed like cell 1 */
} ik_edge;

/* Where the planes of a ring lie: in the scratch memory of a thread, of which a CPU has them in its
 * caches, or in what a GPU has. */
typedef enum ik_ring_space { IK_RING_SCRATCH, IK_RING_REGISTERS, IK_RING_SHARED } ik_ring_space;

typedef struct ik_row_ends { /* what stands beyond the ends of a row */
  bool   known;              /* it is so simple; and all of the row is read where it lies */
  double value[2];           /* the number beyond either end, ... */
  bool   copied[2];          /* ... or the row's own last cell there */
} ik_row_ends;

/* A ring that is spared: kernels read the array instead, but near faces. */
typedef struct ik_in_place {
  bool        on;
  int         reach[IK_NROLES][2]; /* how far kernels look, per side */
  ik_row_ends ends;                /* known: no end of a row is in the ring */
  bool        whole;               /* ends are known, and rows are nothing but whole cache lines */
  bool        padded;              /* ends are known, one number stands beyond all other faces, and
                                      arrays can have it there as padding (ir/layout.h): if they do,
                                      nothing is in the ring */
  double padding;                  /* the number */
} ik_in_place;

/* One value of a field in the course of a pass: level 0 before it, u' of its second step, ... */
typedef struct ik_pipe_buffer {
  int field;
  int version; /* level when the pass begins: 0, -1: read from memory; 1: after the first step;
                  temporaries: the step they belong to */
  ik_type       type;
  bool          ring; /* has private planes */
  ik_ring_space space;
  int           depth;  /* of the ring, in planes; plane z lives in slot z mod depth */
  int           rows;   /* of a plane of the ring, a power of two; row y is y mod rows; 0: all */
  int64_t       offset; /* ring: bytes from the start of a thread's scratch memory */
  bool          shared; /* ring: an earlier one lies there, at another time */
  int           spare;  /* ring: planes behind it for what boundaries make up (VALUE, ANTI...) along
                           the stream, used by ports in turn */
  ik_in_place in_place;
  bool        memory; /* lies in memory: what is read from there, or written to there */
  int         level;  /* memory: the level of the state that holds it while the pass runs */
  int         halo[IK_NROLES][2]; /* cells beyond the field that are read, per face */
  int         need[IK_NROLES][2]; /* cells beyond a tile that come from memory, per side */
  ik_edge     edge[IK_NROLES];
} ik_pipe_buffer;

typedef struct ik_pipe_port { /* a plane that a kernel reads: input `input`, at stream z + dz */
  int input, dz;
} ik_pipe_port;

/* A field at a level, as the statements of a kernel name it.  A whole vector beyond either end of
 * any row may be loaded: rings have guard elements, arrays have bytes beyond (base/pages.h). */
typedef struct ik_pipe_value {
  int     field, level;
  ik_type type;
  int64_t pitch; /* elements between rows; 0: the field is not on the row axis */
  int     rows;  /* of a plane that exist, see ik_pipe_buffer */
  bool    on[IK_NROLES];
} ik_pipe_value;

/* Statements that are evaluated together, cell by cell, in order.  A read at offset 0 of what an
 * earlier statement of the kernel assigns is that value; every other read is of an input.  Shared
 * by the stages of all steps: a stage says which buffers the inputs and outputs are. */
typedef struct ik_pipe_kernel {
  int                  nstmt;
  const ik_stmt      **stmt;  /* ASSIGN or REDUCE, all on the same box */
  int                 *store; /* [nstmt] index of the output that gets the value; -1: none does */
  int                  ninput, noutput, nport;
  const ik_pipe_value *input, *output;
  const ik_pipe_port  *port;   /* grouped by input, dz ascending; dz covers `planes` results */
  int                  planes; /* results along the stream computed together, at least 1 */
  int nahead, rows_ahead; /* the first nahead statements are computed `rows_ahead` rows further on:
                      the others read them there as values, and the rows before from the planes they
                      are stored to */
  bool wraps[IK_NROLES];  /* computes images beyond the ends of a periodic axis: the coordinates
                             there are those of the cells meant */
  const struct ik_kernel_shape *shape; /* what a target has made of it; NULL: nothing */
} ik_pipe_kernel;

typedef enum ik_stage_kind {
  IK_STAGE_FETCH,  /* memory to ring: out[0], planes of the field and of its images */
  IK_STAGE_KERNEL, /* in[] to out[] */
  IK_STAGE_STORE,  /* ring in[0] to memory out[0] (the same buffer) */
  IK_STAGE_SPOTS,  /* sources of a step are added to in[0], and receivers hear it */
} ik_stage_kind;

typedef struct ik_pipe_stage {
  ik_stage_kind kind;
  int           kernel; /* KERNEL */
  int           inside; /* the kernel for cells that read in place all that can be, where rows lie
                           further from each other than those of rings; -1: there is none */
  int     step;         /* which step of the pass: 0, 1, ... */
  int     in[IK_PIPE_INS], out[IK_PIPE_OUTS]; /* buffers, per input and output */
  int     prefetch[IK_PIPE_PREFETCHED];       /* buffers, per value that the kernel prefetches */
  bool    prefetched; /* FETCH: kernels prefetch the planes of the tile; not those around it */
  int     lag;        /* in planes of the stream */
  int64_t lo[IK_NROLES], hi[IK_NROLES]; /* cells that have a value at all (the box) */
  int     ext[IK_NROLES][2];            /* beyond the tile that are needed, per side */
  bool    loose;      /* along lanes more may be computed than has a value: nobody looks there */
  bool    first_rows; /* KERNEL: those of a tile, as far as the next stage does not compute them
                         itself (nahead) */
  int ndone;          /* buffers whose planes are complete with this stage: halos are due */
  int done[IK_PIPE_OUTS];
} ik_pipe_stage;

typedef struct ik_pipe_phase { /* one walk along the stream */
  int dir;                     /* +1 or -1 */
  int planes;                  /* that each stage handles at a time */
  int rows; /* of a plane that each stage handles at a time, then the next stage: what
               lies between them is still in the first cache; 0: all */
  int            nstage;
  ik_pipe_stage *stage;
} ik_pipe_phase;

typedef struct ik_pipe_reduce { /* rows of values that a kernel made, to be combined */
  int            phase, stage;  /* the kernel that makes them */
  const ik_stmt *stmt;
  int            buffer; /* a ring that holds the values; rows are whole */
} ik_pipe_reduce;

typedef struct ik_pass {
  int             axis[IK_NROLES];              /* the grid's axis in each role; -1: none */
  int64_t         n[IK_NROLES];                 /* cells of the grid along it; 1 if none */
  int64_t         tile[IK_NROLES];              /* cells of a tile */
  int64_t         lo[IK_NROLES], hi[IK_NROLES]; /* what the tiles cover */
  int             steps; /* that the pass makes; 0: it is no part of a step loop */
  int             nbuffer, nkernel, nphase, nreduce;
  ik_pipe_buffer *buffer;
  ik_pipe_kernel *kernel;
  ik_pipe_phase  *phase;
  ik_pipe_reduce *reduce;
  /* Rings have rows of `pitch` elements and planes of `pitch * ring_rows`; the first cell of a
   * ring plane is (tile lo - before[LANE], tile lo - before[ROW]). */
  int64_t pitch, ring_rows;
  int     before[IK_NROLES];
  int64_t scratch_bytes; /* of one thread */
} ik_pass;

typedef enum ik_work_kind {
  IK_WORK_PASS,
  IK_WORK_SET,    /* a scalar; the stmt */
  IK_WORK_SWEEP,  /* a statement that no pass can do: cells one after the other, in order */
  IK_WORK_INTERP, /* a statement that is left to the interpreter */
} ik_work_kind;

typedef struct ik_pipe_work {
  ik_work_kind           kind;
  ik_pass               *pass;
  const struct ik_sweep *sweep; /* lower/sweep.h */
  const ik_stmt         *stmt;
  const char            *why; /* ORDER, INTERP: it is no pass; one sentence */
} ik_pipe_work;

typedef struct ik_pipe {
  int           n;
  ik_pipe_work *work;   /* in order */
  int           steps;  /* time steps that the list makes together; 0: no step loop */
  const bool   *stored; /* [nfield] temporaries that need an array in the state */
} ik_pipe;

typedef struct ik_shaper ik_shaper; /* lower/shaper.h */

/* The statements of `list` as passes.  `steps` > 0: the list is the body of a step loop, done so
 * many times (`plan->steps` at most, and only if facts allow).  `shaper`: what the target makes of
 * them; NULL: nothing. */
void ik_pipe_of(const ik_ir *ir, const ik_stmt *list, int steps, const ik_plan *plan,
                const ik_shaper *shaper, ik_arena *a, ik_pipe *out);

/* Rows of a plane of a ring. */
static inline int64_t ik_pipe_rows(const ik_pass *p, const ik_pipe_buffer *b) {
  return b->rows ? b->rows : p->ring_rows;
}

/* New levels of a field that a pass of so many steps leaves in memory: those that it keeps.  The
 * pass reads the older ones meanwhile, so they lie ahead of level 0, the newest furthest. */
static inline int ik_pass_levels(const ik_field *f, int steps) {
  return steps < f->history ? steps : f->history;
}

/* Tiles along a role. */
static inline int64_t ik_pass_tiles(const ik_pass *p, ik_role r) {
  return (p->hi[r] - p->lo[r] + p->tile[r] - 1) / p->tile[r];
}

/* May a tile be so wide?  Rings are made for tiles of the pass's size. */
static inline bool ik_pass_has_room(const ik_pass *p, ik_role r, int64_t wide) {
  bool rings = false;
  for (int i = 0; i < p->nbuffer; i++) rings = rings || p->buffer[i].ring;
  return wide <= p->tile[r] || !rings;
}

/* Planes that the last stage is behind the first plane of the walk. */
static inline int ik_pipe_lag(const ik_pipe_phase *ph) {
  int lag = 0;
  for (int i = 0; i < ph->nstage; i++) lag = ph->stage[i].lag > lag ? ph->stage[i].lag : lag;
  return lag;
}

int64_t ik_pipe_scratch(const ik_pipe *p); /* bytes that a thread needs, at most at a time */

/* Do they compute the same, of the same inputs?  Shapes are for their target to compare. */
bool ik_pipe_same_kernel(const ik_pipe_kernel *a, const ik_pipe_kernel *b);

/* The statement before `stmt` whose value a read of the same cell means, or of the cell that leads
 * by so many rows; -1: none, it is an input. */
int ik_pipe_assigned_by(const ik_pass *p, const ik_pipe_kernel *k, int stmt, const ik_expr *e);
/* Rows that a statement is ahead of the block's. */
static inline int ik_pipe_rows_ahead(const ik_pipe_kernel *k, int stmt) {
  return stmt < k->nahead ? k->rows_ahead : 0;
}

/* Text, for --dump loops and golden files; of shapes, what `shaper` has to say unless it is NULL.
 */
void ik_pipe_print(const ik_ir *ir, const ik_pipe *p, const ik_shaper *shaper, ik_buf *out);
