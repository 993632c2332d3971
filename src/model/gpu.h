/* gpu.h: what a stencil kernel costs on a GPU, from counts that are known before it is compiled.
 *
 * A kernel asks each resource for some work: memory, L2 and shared memory for bytes, the schedulers
 * for instructions, the matrix unit for products.  The resources work side by side, so the longest
 * decides; but no kernel keeps its schedulers or the memory busy without a pause: between two rows
 * its warps wait for each other, and for what they load.  So
 *
 *   seconds = max(memory + latency, L2 + latency, shared, issue + waits, matrix + waits, launch)
 *
 * Source: "How the fastest public GPU stencil codes get their speed" (gpu-recipes; its sections are
 * given in brackets).  Its model is [6]: issue = (FP + overhead per row) / (X C), x loss =
 * 2 r t / (32 X), y loss = (2 r t + W) / rows per segment.  The waits are fitted to what it
 * measured [1, 5]; they are figures of the machine (model.stall.*), labelled as calibrated.
 *
 * Odd input (sizes, rates or counts that are not above zero where something is meant to be): the
 * variant does not fit, and its time is INFINITY.
 */
#pragma once
#include "machine/machine.h"

enum {
  IK_GPU_LANES = 32, /* of a warp */
  IK_GPU_CHUNK = 16, /* B of one access of a lane [4.6] */
  /* Output blocks on the matrix unit: six warps of 64 columns side by side [4, box2d3r fp64]. */
  IK_GPU_STRIP = 384,
  IK_GPU_STRIP_WARPS = 6,
};

/* ---- the machine ---- */

typedef struct ik_gpu {
  double sms, schedulers; /* multiprocessors; schedulers of each */
  double clock;           /* Hz, under arithmetic of the type [0] */
  double slots;           /* cycles of a scheduler that an FP instruction takes: 1 f32, 2 f64 */
  double memory, l2;      /* B/s */
  double shared;          /* B/cycle of an SM */
  double registers, per_thread; /* 32-bit ones of an SM; of a thread at most */
  double shared_size, block;    /* B of an SM; of a block at most */
  double warps, blocks;         /* of an SM at most */
  double launch;                /* s */
  double stall_row;             /* cycles lost per row that warps hand on, and per barrier */
  double stall_memory;          /* cycles lost per plane of a kernel that streams */
  double stall_matrix;          /* cycles lost per rows of blocks, with the fp64 matrix unit */
  double share_memory; /* of the rate of a copy that kernels reach which do more than stream */
  double share_dense, share_sparse; /* of the rate of mma that tf32 and fp16 reach between */
} ik_gpu;

/* Of arithmetic of a type, "f32" or "f64".  False if a figure is missing. */
bool ik_gpu_of(const ik_machine *m, const char *type, ik_gpu *out);

/* ---- counts to time ---- */

typedef enum ik_gpu_resource {
  IK_GPU_MEMORY,
  IK_GPU_L2,
  IK_GPU_SHARED,
  IK_GPU_ISSUE,
  IK_GPU_MATRIX,
  IK_GPU_LAUNCH,
  IK_GPU_RESOURCES
} ik_gpu_resource;

const char *ik_gpu_resource_name(ik_gpu_resource r); /* "memory", "shared memory", "issue" ... */

typedef struct ik_gpu_load { /* of one launch */
  double memory, l2, shared; /* B, of the whole device */
  double issue;              /* cycles of the scheduler that has most */
  double matrix;             /* s of the matrix unit */
  double waits;              /* cycles in which an SM does no arithmetic: its warps wait */
  double latency;            /* cycles in which its memory is idle: loads are not asked for yet */
  double sms;                /* that have work; others' shared memory does not help */
} ik_gpu_load;

typedef struct ik_gpu_time {
  double          seconds;
  double          busy[IK_GPU_RESOURCES];  /* s that each resource works */
  double          slack[IK_GPU_RESOURCES]; /* 1 - busy / seconds */
  ik_gpu_resource saturated;               /* decides the time; the first of equals */
  double          idle; /* s in which even that one waits: its slack in seconds */
} ik_gpu_time;

ik_gpu_time ik_gpu_meet(const ik_gpu *g, const ik_gpu_load *l);

/* ---- the stencil ---- */

typedef struct ik_gpu_stencil {
  int    dims;        /* 2 or 3 */
  double n[3];        /* cells; axis 0 lies in memory without gaps, the last one is streamed */
  double reach[3];    /* r of one step, the greater of both sides */
  double fp;          /* floating-point instructions of a cell and step; an fma is one */
  double value;       /* B of a value */
  double updated;     /* values of a cell that a step computes and reads with neighbours */
  double delayed;     /* values that travel with them: older levels, coefficients */
  double read, write; /* B of a cell and pass that memory must move */
  double history;     /* levels that later steps need, so that a pass of more steps writes them */
} ik_gpu_stencil;

typedef struct ik_gpu_cost {
  bool        fits;      /* registers do not spill, shared memory suffices */
  double      registers; /* of a thread, as counted */
  double      shared;    /* B of a block */
  int         blocks;    /* of an SM at a time */
  double      strips;    /* tiles across the grid */
  double      segment;   /* rows or planes of one block's piece of a strip */
  double      computed;  /* cells computed for each useful one, all steps together */
  double      rate;      /* updates/s, of all steps */
  ik_gpu_time time;      /* of one pass */
} ik_gpu_cost;

/* ---- time pipeline of warps [1, 4] ---- */

typedef enum ik_gpu_form {
  IK_GPU_SUMS,  /* partial sums; segments of equal cost over all SMs [4.1, 4.4].  The instructions
                 * beside arithmetic take their time */
  IK_GPU_QUEUE, /* rows in a queue, unrolled; whole chunks, each begun r t rows early: FastStencil
                 * [1].  In fp64 the other instructions fit between */
} ik_gpu_form;

typedef struct ik_gpu_pipeline {
  ik_gpu_form form;
  int         columns; /* X, of a lane */
  int         rows;    /* of a lane, in 3D; 1 in 2D */
  int         levels;  /* C, of a warp */
  int         stages;  /* warps one behind the other in time; steps = levels * stages */
  int         across;  /* warps side by side in y, in 3D; 1 in 2D */
  int         blocks;  /* of an SM, asked for */
  double      others;  /* instructions of a warp and row that do no arithmetic; 0: counted as in [4]
                        */
} ik_gpu_pipeline;

ik_gpu_cost ik_gpu_pipeline_cost(const ik_gpu *g, const ik_gpu_stencil *s,
                                 const ik_gpu_pipeline *p);

/* ---- tiles that stream along the last axis, one or two steps: wave [4, 5] ---- */

typedef struct ik_gpu_stream {
  int tile[2]; /* cells of the first step; {columns, 1} in 2D */
  int steps;
} ik_gpu_stream;

ik_gpu_cost ik_gpu_stream_cost(const ik_gpu *g, const ik_gpu_stencil *s, const ik_gpu_stream *p);

/* ---- 2D output blocks on the matrix unit [3.1] ---- */

typedef struct ik_gpu_blocks {
  double rate;    /* products/s of the unit */
  int    k;       /* length of its reduction */
  int    fused;   /* steps composed into one stencil of that many times the reach */
  int    stages;  /* of these, each by warps of its own; steps = fused * stages */
  int    columns; /* bx of the 8 outputs of a block; 0: the best */
  bool   sparse;  /* two zeros in four: bands of 16 outputs, not blocks */
} ik_gpu_blocks;

/* Products a point, zeros included: (bx + 2 r)(by + 2 r) with rows of whole 16 bytes, in whole
 * instructions, for the best block of 8 outputs; or (2 r + 1) bands of 16 outputs. */
double      ik_gpu_blocks_products(const ik_gpu_stencil *s, const ik_gpu_blocks *p);
ik_gpu_cost ik_gpu_blocks_cost(const ik_gpu *g, const ik_gpu_stencil *s, const ik_gpu_blocks *p);
