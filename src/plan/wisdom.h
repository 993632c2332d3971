/* wisdom.h: plans that were measured and won, kept as text, one file per user.
 *
 *   ikat wisdom 1 0.1.0
 *   2b7e151628aed2a6 abf7158809cf4f3c 2 cpu fuse steps=8 tile=1024,0,0 ... = 3.21 GPts/s
 *
 * A line is about one program (a hash of what it computes, with its grid, but neither its name nor
 * the number of its steps) on one machine (a hash, too) with so many threads of a target.
 * "untuned" in place of a plan: the choice that is made without wisdom was the best.
 *
 * Wisdom rots: what another version of ikat wrote, what was measured on another machine and what
 * cannot be read is never used, and one line (W006) says so.
 */
#pragma once
#include "base/diag.h"
#include "plan/plan.h"

typedef struct ik_wisdom_key {
  const char *version; /* of ikat */
  uint64_t    program, machine;
  int         threads;
  const char *target;
} ik_wisdom_key;

/* The hash of a program; 0 when memory runs out. */
uint64_t ik_wisdom_program(const ik_ir *ir);

/* What is kept under a key: false if that is nothing.  The strategy is NULL where the untuned
 * choice was the best.  A file that is not there is no wisdom, and nothing to talk about. */
bool ik_wisdom_find(const char *path, const ik_wisdom_key *k, ik_plan *out, ik_diag *d);

/* The same without a word, and what was measured then, in 1e9 cells a second. */
bool ik_wisdom_measured(const char *path, const ik_wisdom_key *k, ik_plan *out, double *gpts);

/* Keeps a plan (NULL: untuned), in place of what is there under the same key, and what is there
 * under others.  The folder is made if need be.  The file is complete at any time; several
 * processes may do this at once.  E064 if it cannot be written. */
ik_status ik_wisdom_keep(const char *path, const ik_wisdom_key *k, const ik_plan *p, double gpts,
                         ik_diag *d);
