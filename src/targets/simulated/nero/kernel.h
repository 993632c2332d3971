/* kernel.h: a program cut into kernels: runs of statements whose windows stream through one
 * pipeline together.
 *
 * A window computes a box of results from what it loads with its halo; nothing but what a kernel
 * keeps goes back to memory, and all windows read what was there before the first of them.  So a
 * new kernel begins where a statement reads a result beyond a face of its field (the image may be
 * in any other window), and where the host has something to do in between.
 *
 * Values are counted by ik_value_of(): a field at a level.
 */
#pragma once
#include "base/least.h"
#include "facts/subject.h"

typedef struct ik_nero_kernel {
  const ik_stmt *first, *end;       /* of one list: ASSIGN and SWEEP */
  ik_box         cover;             /* cells that windows are cut from: all that is kept */
  bool           whole[IK_MAX_DIM]; /* a window has all cells of this axis: a sweep goes along it */
  bool          *assigned;          /* [values] */
  bool          *read;              /* [values] */
  bool          *enters;            /* [values] read before a statement gives it a value */
  bool          *loads;             /* [values] has a place in memory: loaded where needed */
  bool          *keeps;             /* [values] assigned, and of use afterwards */
} ik_nero_kernel;

typedef struct ik_nero_program {
  const ik_ir    *ir;
  int             n;
  ik_nero_kernel *kernel;
} ik_nero_program;

static inline int ik_nero_field(int value) { return value / (IK_MAX_HISTORY + 1); }
static inline int ik_nero_level(int value) { return 1 - value % (IK_MAX_HISTORY + 1); }

/* The cells that both have; empty if there are none. */
static inline ik_box ik_nero_meet(ik_box a, const ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++) {
    a.lo[d] = ik_max(a.lo[d], b->lo[d]);
    a.hi[d] = ik_max(a.lo[d], ik_min(a.hi[d], b->hi[d]));
  }
  return a;
}

/* Do the results go to a place of their own until all windows are done, since others might read
 * what was there before? */
static inline bool ik_nero_goes_aside(const ik_nero_kernel *k, int value) {
  return k->keeps[value] && k->read[value];
}

/* Of everything but `init`, which is the host's.  IK_ERR_UNSUPPORTED where the machine cannot. */
ik_status ik_nero_cut(const ik_ir *ir, ik_arena *a, ik_diag *d, ik_nero_program *out);

/* The kernel that begins with that statement, or NULL. */
const ik_nero_kernel *ik_nero_kernel_at(const ik_nero_program *p, const ik_stmt *s);

/* Calls `f` for every assignment of a kernel in order; `sweep` is the one around it, or NULL. */
typedef void ik_nero_visit(const ik_stmt *s, const ik_stmt *sweep, void *ctx);
void         ik_nero_each(const ik_nero_kernel *k, ik_nero_visit *f, void *ctx);
