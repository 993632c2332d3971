/* kernel.h: how the engine calls a kernel.  Part of ikat and of every generated file. */
#ifndef IK_RT_KERNEL_H
#define IK_RT_KERNEL_H
#include <stdint.h>

typedef struct ik_rt { /* what kernels call but do not contain */
  double (*exp)(double), (*log)(double), (*sin)(double), (*cos)(double), (*tan)(double);
  double (*tanh)(double), (*atan)(double), (*pow)(double, double);
  double (*noise)(double seed, int64_t x, int64_t y, int64_t z);
  double (*table)(const void *program, int id, double at);
  const void *program;
} ik_rt;

typedef struct ik_kernel_call {
  const void *const *in;        /* planes, one per port: where cell (0, 0) is or would be */
  void *const       *out;       /* planes: [output * planes + k] */
  const void *const *prefetch;  /* planes to prefetch, [value * planes + k] */
  const void *const *remainder; /* [output * planes + k]: of each row, one after the other, the
                                  cells of its lines that are not computed; NULL: not known */
  int64_t x0, x1, y0, y1;       /* lanes and rows to compute */
  int64_t split;                /* x0 <= split <= x1: where rows reach a line of the cache */
  int64_t until;                /* up to where blocks may reach, for kernels that know the ends */
  int64_t w0, w1;               /* w0 <= x0, x1 <= w1, split: whole vectors, for kernels that
                                   compute what blocks leave of a row in those */
  int64_t       z;              /* stream index of the first result */
  int64_t       t;              /* number of the step */
  const double *scalar;
  const ik_rt  *rt;
  int           stream; /* 1: results from the split on may be stored past the caches */
} ik_kernel_call;

/* A kernel computes `planes` planes of results; its twin, with _one behind its name, computes one,
 * from the ports that this one needs (dz of one result), in the same order. */
typedef void ik_kernel_fn(const ik_kernel_call *c);
#endif
