/* run.h: kernels on a state, window by window. */
#pragma once
#include "targets/simulated/nero/words.h"

typedef struct ik_nero_run {
  const ik_nero_program *program;
  int64_t                size[IK_MAX_DIM]; /* of a window; 0: all cells of the axis */
  ik_nero_window        *window;           /* [kernels] */
  ik_nero_memory         memory;
  int                    values;
  /* The first window of each kernel goes through the simulated streams as words, the others are
   * computed without them.  NULL: all are so. */
  const ik_nero_board *board;
  const ik_nero_shape *shape;    /* [kernels] */
  ik_nero_cycles      *cycles;   /* [kernels] of those windows; cycles 0: not yet */
  bool                 all;      /* every window goes through the streams */
  int64_t              streamed; /* windows that did */
} ik_nero_run;

void ik_nero_run_init(ik_nero_run *r, const ik_nero_program *p, const int64_t size[IK_MAX_DIM],
                      ik_arena *a);
void ik_nero_run_free(ik_nero_run *r);
/* Bytes that it will take besides the state, with the buffers of a whole window of each kernel. */
int64_t ik_nero_run_bytes(ik_nero_run *r);

/* Begins work on a state.  E072 without memory. */
ik_status ik_nero_run_attach(ik_nero_run *r, ik_state *s, ik_interp *host, ik_diag *d);
/* All windows of a kernel. */
ik_status ik_nero_run_kernel(ik_nero_run *r, const ik_nero_kernel *k, ik_diag *d);
