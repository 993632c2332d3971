/* loop.h: walks a program from its first statement to its last, and minds everything that is not
 * arithmetic: progress, interruption, checks, receivers, outputs on the way.  Knows no target. */
#pragma once
#include "runtime/engine.h"
#include "runtime/watch.h"
#include <signal.h>

typedef struct ik_loop_progress {
  int64_t     done, total; /* steps and rounds */
  double      seconds;
  double      max_abs;
  const char *field;
} ik_loop_progress;

typedef struct ik_loop_hooks { /* each may be NULL */
  volatile sig_atomic_t *stop;
  void (*progress)(const ik_loop_progress *p, void *user);
  /* After steps at which an output is due; level 0 is current. */
  ik_status (*output)(int output, const ik_state *s, ik_diag *d, void *user);
  void *user;
} ik_loop_hooks;

typedef struct ik_repeat { /* how far one has come */
  const ik_stmt *stmt;
  int64_t        rounds;
  bool           over, converged; /* it has ended; its condition holds */
} ik_repeat;

typedef struct ik_loop {
  const ik_ir   *ir;
  ik_engine     *engine;
  ik_recorder    recorder;
  ik_watch       watch;
  ik_units       units; /* what the engine is asked to do, and how often it has been done */
  ik_loop_hooks  hooks;
  int64_t        check_every;
  const ik_stmt *at;     /* next top-level statement; NULL: done */
  int64_t        inside; /* steps or rounds of it done */
  bool           started;
  int64_t        done, total;
  int64_t        points;  /* cell updates so far */
  double         seconds; /* spent computing */
  double         each;    /* of the newest steps or rounds of a loop, seconds; 0: not known yet */
  int            nrepeat;
  ik_repeat     *repeat; /* in the order of the program */
  double         last_shown;
} ik_loop;

/* The engine is borrowed.  Checks every `check_every` steps, 100 at most; 0: as it suits the
 * engine.  E072 if there is no memory for receivers. */
ik_status ik_loop_create(ik_loop *l, ik_engine *x, int64_t check_every, const ik_loop_hooks *h,
                         ik_diag *d);
void      ik_loop_free(ik_loop *l);

/* Initial values; advance does it if it has not been done. */
ik_status ik_loop_start(ik_loop *l, ik_diag *d);
/* Stands where another loop over the same program stands, with the same values, whatever the
 * engine: as if it had come the same way. */
ik_status ik_loop_follow(ik_loop *l, const ik_loop *other, ik_diag *d);
/* A program that repeats nothing: applied to what is there. */
bool ik_loop_is_operator(const ik_loop *l);
/* At most n steps or rounds more (-1: all), then whatever stands before the next loop.  An operator
 * that is over is applied again, unless n is 0. */
ik_status ik_loop_advance(ik_loop *l, int64_t n, ik_diag *d);

double ik_loop_clock(void); /* seconds, monotonic */
