/* bench.h: what `ikat bench` knows: the measurements of a run of the suite, before they are shown.
 *
 * bench stands above api: it drives programs through ikat.h, as any user does, so that what it
 * times is what a user gets.
 */
#pragma once
#include "base/buf.h"
#include "apps/bench/cases.h"
#include "apps/bench/limits.h"
#include "apps/bench/plain.h"
#include "ikat/ikat.h"

enum {
  IK_BENCH_LINES = 16, /* strategies of a target */
  IK_BENCH_ROUNDS = 100,
};

typedef struct ik_bench_line { /* a strategy on a case */
  const char *strategy;
  char        failure[192];                      /* why there are no timings, or "" */
  int         n;                                 /* timings */
  double      seconds[IK_BENCH_ROUNDS];          /* [n] of the engine */
  double      plain[IK_PLAINS][IK_BENCH_ROUNDS]; /* [.][n] of the plain loop, beside them */
  bool        approximate;                       /* need not give the same bits */
  bool        identical;                         /* to the interpreter, on the small size */
  double      error;                             /* from the interpreter, relative */
  bool        wrong;                             /* beyond what it may be */
  char        plan[192];                         /* in words */
  int64_t     peak_bytes;                        /* fields, history and engine */
  uint64_t    hash;                              /* at the end, on the size that is timed */
  double      rate, ratio;                       /* GStencils/s; times the plain loop */
} ik_bench_line;

typedef struct ik_bench_row { /* a case */
  const ik_bench_case *c;
  const ik_bench_size *size;
  double               points;         /* cells that a timing updates */
  int64_t              declared_bytes; /* fields and history of the program */
  double               bytes, flops;   /* of a cell, in one pass */
  double               limit;          /* GStencils/s of one pass */
  bool                 memory_bound;
  int                  plain;      /* which of the ways to compile is the faster */
  double               plain_rate; /* GStencils/s */
  const char          *no_plain;   /* why there is none, and no timings; NULL: there is one */
  double               plain_error;
  bool                 plain_wrong;
  int                  again; /* rounds that were disturbed, and done once more */
  ik_cores             cores; /* looked at before each round */
  int                  nline;
  ik_bench_line        line[IK_BENCH_LINES];
} ik_bench_row;

struct ik_bench {
  ik_bench_options      opt;
  const ik_bench_suite *suite;
  const char           *target;
  char                  machine[128];
  ik_limits             limits;
  ik_limits_rig        *rig;    /* while the cases are measured */
  ik_cores              cores;  /* with the limits, and before each round of all cases */
  double                stolen; /* share of the threads' time, from first to last; NaN: unknown */
  int                   nrow;
  ik_bench_row         *row; /* [nrow] */
  ik_buf                text;
};

/* measure.c: all of a row but what finish.c computes.  What a strategy does wrong is kept in its
 * line; a status is returned where nothing more can be measured. */
ik_status ik_bench_measure(ik_bench *b, ik_bench_row *row, ik_log *log);

/* finish.c: rates, ratios and limits, from the timings. */
void ik_bench_finish(const ik_limits *l, ik_bench_row *row);
/* The fastest strategy of those with the same bits (approximate: of all); NULL if there is none. */
const ik_bench_line *ik_bench_best(const ik_bench_row *row, bool approximate);
/* What is compared of a strategy: times the plain loop, or the best other strategy; 0: nothing. */
double ik_bench_compared(const ik_bench_row *row, const ik_bench_line *line);

/* goals.c: what we ask of the engine ourselves, for developers: bench/goals, by kind of machine. */
typedef struct ik_bench_goal {
  double must, aim; /* of ik_bench_compared() */
} ik_bench_goal;

/* The goal of a strategy in a row; false: it has none. */
bool ik_bench_goal_of(const ik_bench *b, const ik_bench_row *row, const ik_bench_line *line,
                      ik_bench_goal *out);
/* The same in the text of such a file. */
bool ik_bench_goal_find(const char *text, const char *kind, const char *suite, const char *name,
                        const char *strategy, ik_bench_goal *out);

/* show.c */
void ik_bench_write_text(const ik_bench *b, ik_buf *out);
void ik_bench_write_json(const ik_bench *b, ik_buf *out);
/* page.c */
ik_status ik_bench_write_page(const ik_bench *b, const char *directory, const char *command,
                              ik_buf *path, ik_diag *d);
