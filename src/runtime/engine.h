/* engine.h: what the run loop asks of whoever computes.
 *
 * An engine is made before the state, so that its memory can be planned, and says how that is laid
 * out; then it works on an ik_state.  The loop (loop.h) decides when to stop, check and write.
 * Engines are made by targets, so this interface is all that a new one has to serve.
 */
#pragma once
#include "ir/state.h"
#include "runtime/forecast.h"
#include "runtime/record.h"
#include "runtime/simulated.h"
#include "runtime/units.h"

typedef struct ik_engine ik_engine;

typedef struct ik_engine_ops {
  /* Begins work on a state; once, before all else. */
  ik_status (*attach)(ik_engine *x, ik_state *s, ik_diag *d);
  /* Waits until nothing but computing is left to do (compilers have finished).  Whoever is asked to
   * compute does it as well. */
  void (*ready)(ik_engine *x, ik_diag *d);
  /* Statements outside loops, in order, from `first` up to `end`: ASSIGN, REDUCE, SET, SWEEP. */
  ik_status (*run)(ik_engine *x, const ik_stmt *first, const ik_stmt *end, ik_diag *d);
  /* The next n steps of a STEPS statement, sources included; after each one, when level 0 is the
   * new value and t has grown, the recorder gets to see it. */
  ik_status (*steps)(ik_engine *x, const ik_stmt *steps, int64_t n, ik_recorder *rec, ik_diag *d);
  /* The value of an expression without fields. */
  ik_status (*scalar)(ik_engine *x, const ik_expr *e, double *out, ik_diag *d);
  /* Calls work(ctx, thread, threads) on each of its threads, and waits for them. */
  void (*share)(ik_engine *x, void (*work)(void *ctx, int thread, int threads), void *ctx);
  /* The caller goes on with other things for a while. */
  void (*pause)(ik_engine *x);
  void (*destroy)(ik_engine **x);
  /* What so many times through a unit should take, added to `out`.  False: not known, and `x` says
   * why not.  Good once attached. */
  bool (*forecast)(const ik_engine *x, const ik_unit *u, int64_t times, ik_forecast *out);
} ik_engine_ops;

struct ik_engine { /* first member of every engine */
  const ik_engine_ops *ops;
  ik_state            *state;  /* NULL until attached */
  int64_t              bytes;  /* that it takes besides the state, known before it takes them */
  const ik_layout     *layout; /* of the state that it works on; NULL: cells one after the other */
  double               bound_fixed, bound_step; /* see ik_engine_bound() */
  int64_t              stride; /* steps that it likes to make at a time; 0: as many as there are */
  const char          *strategy; /* that it uses */
  const char          *plan; /* how it runs the program, a line each; NULL: there is no choice */
  const char          *help; /* what computes, if that is not what the target says; or NULL */
  int                  threads;
  ik_roofs             roofs;        /* of what it runs on */
  double               launch;       /* seconds of every run, whatever it computes */
  const char          *basis;        /* what forecasts rest on, for a person */
  const char          *no_forecast;  /* or why there is none */
  const ik_simulated  *simulated;    /* NULL: the machine is real */
  const char          *loops, *code; /* what it made of it, for --dump; NULL: nothing */
};

/* How far the results of so many steps may be from the interpreter's, relative to the largest
 * value; 0: they have the same bits. */
static inline double ik_engine_bound(const ik_engine *x, int64_t steps) {
  return x->bound_fixed + x->bound_step * (double)steps;
}
