/* sweep.h: how the engine calls a function that does cells one after the other.  Part of ikat and
 * of every generated file that has such functions; comes after rt/kernel.h. */
#ifndef IK_RT_SWEEP_H
#define IK_RT_SWEEP_H

typedef struct ik_sweep_call {
  const void *const *in;  /* arrays: where cell (0, 0, 0) is or would be */
  void *const       *out; /* the same, for results */
  const int64_t     *still;
  int64_t            lo[3], hi[3]; /* the cells */
  int64_t            t;            /* number of the step */
  const double      *scalar;
  const ik_rt       *rt;
} ik_sweep_call;

/* ikat_s<sweep>_set<set>: all cells of a box, all of whose reads lie inside the fields; in[] and
 * out[] are those of the order's values.
 *
 * ikat_s<sweep>_cell<stmt>: cells of one row.  in[k] is for read k alone: where it finds what the
 * cell 0 of the row would read or, where still[k] is 1, what every cell does.  The only result goes
 * to out[0], of which cell 0 of the row is or would be there. */
typedef void ik_sweep_fn(const ik_sweep_call *c);
#endif
