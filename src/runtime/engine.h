/* engine.h: what the run loop asks of whoever computes.
 *
 * An engine is made before the state, so that its memory can be planned, and says how that is laid
 * out; then it works on an ik_state.  The loop (loop.h) decides when to stop, check and write.
 * Engines are made by targets, so this interface is all that a new one has to serve.
 *
 * Most engines work on the arrays of the state.  One with memory of its own has the values there,
 * and those of the state are copies, which may be old: whoever reads a level asks for it first, and
 * whoever writes to one says so.
 */
#pragma once
#include "ir/state.h"
#include "runtime/forecast.h"
#include "runtime/memory.h"
#include "runtime/record.h"
#include "runtime/simulated.h"
#include "runtime/units.h"

typedef struct ik_engine ik_engine;

typedef struct ik_rounds {
  int64_t done; /* rounds */
  bool    over; /* the condition held before another one */
} ik_rounds;

typedef struct ik_engine_ops {
  /* Begins work on a state; once, before all else. */
  ik_status (*attach)(ik_engine *x, ik_state *s, ik_diag *d);
  /* Statements outside loops, in order, from `first` up to `end`: ASSIGN, REDUCE, SET, SWEEP. */
  ik_status (*run)(ik_engine *x, const ik_stmt *first, const ik_stmt *end, ik_diag *d);
  /* The next n steps of a STEPS statement, sources included; after each one, when level 0 is the
   * new value and t has grown, the recorder gets to see it (ik_engine_sample), or later what was
   * heard of it (spots.h). */
  ik_status (*steps)(ik_engine *x, const ik_stmt *steps, int64_t n, ik_recorder *rec, ik_diag *d);
  /* The value of an expression without fields. */
  ik_status (*scalar)(ik_engine *x, const ik_expr *e, double *out, ik_diag *d);
  void (*destroy)(ik_engine **x);
  /* What so many times through a unit should take, added to `out`.  False: not known, and `x` says
   * why not.  Good once attached. */
  bool (*forecast)(const ik_engine *x, const ik_unit *u, int64_t times, ik_forecast *out);

  /* What follows may be NULL, and is asked for by the functions below, which do without. */

  void (*touch)(ik_engine *x);
  void (*ready)(ik_engine *x, ik_diag *d);
  void (*share)(ik_engine *x, void (*work)(void *ctx, int thread, int threads), void *ctx);
  void (*pause)(ik_engine *x);
  ik_status (*rounds)(ik_engine *x, const ik_stmt *repeat, int64_t most, ik_rounds *out,
                      ik_diag *d);
  /* An engine with memory of its own has the first two, and the others if they spare it a transfer.
   * All arrays are zero when it is attached.  Scalars, t and `injected` are those of the state: an
   * engine takes them from there, and has them there again when a call returns.  The levels of the
   * state's arrays take turns as ever, t times since it was zero, or since t was set to something
   * else and all levels but those ahead were said to be dirty. */
  ik_status (*fetch)(ik_engine *x, int field, int level, ik_diag *d);
  void (*dirty)(ik_engine *x, int field, int level);
  ik_status (*look)(ik_engine *x, int field, double *most, ik_diag *d);
  ik_status (*sample)(ik_engine *x, ik_recorder *rec, ik_diag *d);
} ik_engine_ops;

struct ik_engine { /* first member of every engine */
  const ik_engine_ops *ops;
  ik_state            *state;  /* NULL until attached */
  int64_t              bytes;  /* that it takes besides the state, known before it takes them */
  ik_device            device; /* its own memory, if it has some */
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

/* Before the first initial value, while all arrays are zero: whoever computes later takes their
 * memory, where it is near. */
void ik_engine_touch(ik_engine *x);
/* Waits until nothing but computing is left to do (compilers have finished).  Whoever is asked to
 * compute does it as well. */
void ik_engine_ready(ik_engine *x, ik_diag *d);
/* Calls work(ctx, thread, threads) on each of its threads, and waits for them. */
void ik_engine_share(ik_engine *x, void (*work)(void *ctx, int thread, int threads), void *ctx);
/* The caller goes on with other things for a while. */
void ik_engine_pause(ik_engine *x);

/* Rounds of a REPEAT, `most` at most: each begins with what its test needs and the test. */
ik_status ik_engine_rounds(ik_engine *x, const ik_stmt *repeat, int64_t most, ik_rounds *out,
                           ik_diag *d);

/* The state's array of a level has its values: asked before anybody but the engine reads it, ... */
ik_status ik_engine_fetch(ik_engine *x, int field, int level, ik_diag *d);
/* ... where nobody would hear why that failed (level 0; false: it did), ... */
bool ik_engine_has(ik_engine *x, int field);
/* ... of what ik_state_hash() reads, ... */
ik_status ik_engine_fetch_declared(ik_engine *x, ik_diag *d);
/* ... and of all levels that there are. */
ik_status ik_engine_fetch_all(ik_engine *x, ik_diag *d);
/* Somebody but the engine has written to the state's array of a level. */
void ik_engine_dirty(ik_engine *x, int field, int level);

/* The largest |value| of level 0 of a floating-point field; NaN if one is not finite. */
ik_status ik_engine_look(ik_engine *x, int field, double *most, ik_diag *d);
/* Receivers that listen at this step hear level 0. */
ik_status ik_engine_sample(ik_engine *x, ik_recorder *rec, ik_diag *d);

/* The caller's arrays, see state.h: bound; their values taken; their values given back. */
void      ik_engine_bind(ik_engine *x, int field, void *array);
void      ik_engine_take_bound(ik_engine *x);
ik_status ik_engine_settle(ik_engine *x, ik_diag *d);
