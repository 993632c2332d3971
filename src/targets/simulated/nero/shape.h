/* shape.h: what a kernel is to the board: streams, buffers, phases, arithmetic. */
#pragma once
#include "targets/simulated/nero/board.h"
#include "targets/simulated/nero/window.h"

enum { IK_NERO_WIDE = 32 }; /* streams of a kernel, at most */

typedef struct ik_nero_halo { /* cells beyond a window, per axis; -1: the first one is not needed */
  int64_t lo[IK_MAX_DIM], hi[IK_MAX_DIM];
} ik_nero_halo;

typedef struct ik_nero_shape {
  int          bits;               /* of a number in memory: 32 or 16 */
  int          in, out;            /* streams: values that enter, values that are kept */
  int          phases;             /* passes over a window: 1; with sweeps, 2 or one for each */
  bool         swept[IK_MAX_DIM];  /* axes of its sweeps */
  bool         sweeps;             /* it has some */
  int          nwide;              /* values of which neighbours are read ... */
  ik_nero_halo wide[IK_NERO_WIDE]; /* ... and how far */
  int          hold;               /* values that wait from one phase to a later one */
  int          mul, div, other;    /* operations, by what they cost; constants 2^n cost nothing */
  int          unit_bits;          /* of the widest of them */
  int          control;            /* statements in sweeps */
} ik_nero_shape;

/* `w` is of the kernel; this leaves it placed somewhere. */
void ik_nero_shape_of(ik_nero_window *w, ik_arena *a, ik_nero_shape *out);

/* The values that its streams carry, in order; at most IK_NERO_WIDE of each. */
int ik_nero_streams_in(const ik_nero_window *w, int value[IK_NERO_WIDE]);
int ik_nero_streams_out(const ik_nero_window *w, int value[IK_NERO_WIDE]);

/* Cells that the pipeline computes in a cycle: as many as its port brings. */
int ik_nero_lanes(const ik_nero_shape *s, const ik_nero_board *b);
