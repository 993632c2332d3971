/* design.h: a program on a board with windows of one size: what it takes, how fast it is. */
#pragma once
#include "targets/simulated/nero/area.h"
#include "targets/simulated/nero/stream.h"

typedef struct ik_nero_work { /* a program as the board sees it: its kernels, once each */
  int            n;
  ik_nero_shape *shape;          /* [n] */
  int64_t (*extent)[IK_MAX_DIM]; /* [n] cells that windows are cut from */
  bool (*whole)[IK_MAX_DIM];     /* [n] */
  double cells;                  /* of the grid */
} ik_nero_work;

void ik_nero_work_of(const ik_nero_program *p, ik_arena *a, ik_nero_work *out);

typedef struct ik_nero_design {
  int64_t          size[IK_MAX_DIM]; /* of a window */
  ik_nero_area     area;             /* of an element with all kernels */
  double           share;            /* the largest share of what is free that it takes ... */
  ik_nero_resource scarce;           /* ... of this */
  int              elements;         /* that fit; 0: none does */
  double           least;            /* cycles of one element for everything, at least */
  double           cycles;           /* the same, simulated with `used` elements; 0: not yet */
  double           board;            /* cycles until the last of these is done */
  int              used;
} ik_nero_design;

/* Cells of a window of a kernel, where the grid ends it and sweeps stretch it. */
void    ik_nero_design_window(const ik_nero_work *w, int kernel, const int64_t size[IK_MAX_DIM],
                              int64_t out[IK_MAX_DIM]);
int64_t ik_nero_design_windows(const ik_nero_work *w, int kernel, const int64_t size[IK_MAX_DIM]);

/* Everything but `cycles`. */
void ik_nero_design_of(const ik_nero_work *w, const ik_nero_board *b,
                       const int64_t size[IK_MAX_DIM], ik_nero_design *out);
/* So many of the elements that fit have a window to do. */
int ik_nero_design_busy(const ik_nero_work *w, const ik_nero_design *x);
/* Windows that one of so many elements does, and none does more. */
int64_t ik_nero_design_rounds(const ik_nero_work *w, int kernel, int elements,
                              const int64_t size[IK_MAX_DIM]);
/* Cycles of the board for all windows of a kernel if each takes `period`: those of the element that
 * has most, but no less than a shared channel needs (few windows hardly meet there, and yet all
 * words have to pass). */
double ik_nero_design_board(const ik_nero_work *w, const ik_nero_board *b, int kernel, int elements,
                            const int64_t size[IK_MAX_DIM], double period);
/* The board cannot be faster with so many elements: cycles. */
double ik_nero_design_bound(const ik_nero_work *w, const ik_nero_board *b, int elements,
                            const ik_nero_design *x);

/* Simulates windows of a kernel: one, or, where elements share a channel, many of so many elements.
 * False without memory. */
bool ik_nero_design_stream(const ik_nero_work *w, const ik_nero_board *b, int kernel, int elements,
                           const int64_t size[IK_MAX_DIM], ik_nero_cycles *out);
/* All kernels, with so many elements; what each did goes to `each` [kernels]. */
bool ik_nero_design_measure(const ik_nero_work *w, const ik_nero_board *b, int elements,
                            ik_nero_design *x, ik_nero_cycles *each);
bool ik_nero_design_simulate(const ik_nero_work *w, const ik_nero_board *b, int elements,
                             ik_nero_design *x);

/* Cells of the grid that one element does in a second. */
double ik_nero_design_rate(const ik_nero_work *w, const ik_nero_board *b, const ik_nero_design *x);
