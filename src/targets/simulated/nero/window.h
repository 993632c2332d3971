/* window.h: one window at a time: buffers of its own, filled with a halo, computed, put down.
 *
 * Which cells each statement computes follows backwards from the results: a value that a later
 * statement reads at an offset is computed so much wider, halos of temporaries included, so every
 * window gives its cells the bits that they have in one piece.
 */
#pragma once
#include "interp/interp.h"
#include "targets/simulated/nero/kernel.h"

/* The memory of the board, as the address generators see it. */
typedef struct ik_nero_memory {
  ik_state  *state;
  ik_interp *interp; /* reads beyond faces */
  void     **result; /* [values] where results go while others still read the old ones, or NULL */
} ik_nero_memory;

typedef struct ik_nero_window {
  const ik_nero_kernel *kernel;
  ik_ir                 ir;    /* the kernel alone, on the cells of the window */
  ik_state              state; /* its buffers */
  int                   values;
  ik_box               *need;      /* [values] cells in the buffers; empty: none */
  size_t               *capacity;  /* [values] bytes of the buffers */
  ik_box                box;       /* results */
  bool                  boundless; /* regions are not looked at */
} ik_nero_window;

void ik_nero_window_init(ik_nero_window *w, const ik_ir *ir, const ik_nero_kernel *k, ik_arena *a);
void ik_nero_window_free(ik_nero_window *w);

/* Decides what a window with these results holds and computes. */
void ik_nero_window_place(ik_nero_window *w, const ik_box *box);
/* The same for one cell (along whole axes, all), as if statements had no regions: how far a window
 * reaches, wherever it lies. */
void ik_nero_window_reach(ik_nero_window *w);
/* Bytes of its buffers as placed. */
int64_t ik_nero_window_bytes(const ik_nero_window *w);

/* The cells of the i-th of the windows of `size` cells that a kernel's cover is cut into; false if
 * there are not so many.  Along whole axes a window has all cells. */
bool    ik_nero_window_box(const ik_nero_kernel *k, const int64_t size[IK_MAX_DIM], int64_t i,
                           ik_box *out);
int64_t ik_nero_window_count(const ik_nero_kernel *k, const int64_t size[IK_MAX_DIM]);

/* E072 without memory. */
ik_status ik_nero_window_load(ik_nero_window *w, const ik_nero_memory *m, ik_diag *d);
ik_status ik_nero_window_compute(ik_nero_window *w, const ik_nero_memory *m, ik_diag *d);
void      ik_nero_window_store(const ik_nero_window *w, const ik_nero_memory *m);

/* The cells of a value that a window puts down, and the array that they go to. */
ik_box ik_nero_window_out(const ik_nero_window *w, int value);
void  *ik_nero_window_target(const ik_nero_window *w, const ik_nero_memory *m, int value);
