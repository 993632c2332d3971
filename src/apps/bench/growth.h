/* growth.h: `ikat bench growth`: does the cost grow as it should?  Each case on a grid that no
 * cache holds and on one of eight times as many cells: cells a second, which should be the same;
 * and on the smaller for n and for 4n steps: seconds, which should be four times as many. */
#pragma once
#include "base/buf.h"
#include "apps/bench/cases.h"
#include "apps/bench/stats.h"
#include "ikat/ikat.h"

typedef struct ik_growth_case {
  const char   *name;
  ik_bench_case program;
  ik_bench_size size, small; /* the lesser grid, and the one of `small` */
} ik_growth_case;

typedef struct ik_growth_row {
  const ik_growth_case *c;
  ik_bench_size         size[2];      /* the lesser grid, and the greater */
  const char           *strategy;     /* asked for, or the usual one */
  char                  plan[2][160]; /* what came of it on each; "": there is no choice */
  double                rate[2];      /* GStencils/s, medians */
  double                by_size;      /* greater over lesser, median of the rounds */
  double                by_steps; /* a step of 4n over one of n, in time; median of the rounds */
  char                  failure[192]; /* why there are no figures, or "" */
} ik_growth_row;

/* Is a ratio that should be one within 10 % of it? */
bool ik_growth_is_even(double ratio);
/* The same case with eight times as many cells. */
ik_bench_size ik_growth_larger(const ik_bench_case *c, const ik_bench_size *s);
void ik_growth_text(const ik_bench_options *o, const ik_growth_row *row, int n, ik_buf *out);
void ik_growth_json(const ik_bench_options *o, const ik_growth_row *row, int n, ik_buf *out);
