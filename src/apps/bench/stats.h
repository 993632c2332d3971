/* stats.h: the few numbers that many timings become, and many values. */
#pragma once
#include "ir/ir.h"

/* The middle one, or the mean of the two in the middle; NaN of none.  `v` is left in order. */
double ik_stats_median(double *v, int n);

/* The median of a[i]/b[i]: of timings taken next to each other, so that what slows the machine down
 * for a while slows both and leaves the ratio alone. */
double ik_stats_ratio(const double *a, const double *b, int n);

/* Call it between plain loops and a timing of anything else: until the threads of OpenMP have gone
 * to sleep.  By libgomp's default they look out for more work for 300,000 pauses, which would be
 * 16 ms where a pause takes 140 cycles, and where there is a core for each thread they take one of
 * those away. */
void ik_stats_rest(void);

/* Whether others had the cores meanwhile: of a virtual machine, that below it says how much of
 * their time it gave away ("steal" in /proc/stat).  Where nobody says, all is quiet. */
typedef struct ik_quiet {
  double stolen, since; /* seconds */
} ik_quiet;

ik_quiet ik_quiet_begin(void);
bool   ik_quiet_was(const ik_quiet *q, int threads); /* but for a thirtieth of these, since then */
double ik_quiet_share(const ik_quiet *q, int threads); /* stolen of the time of these, since then */
double ik_quiet_ticks(const char *stat); /* that were stolen, by such a text; NaN: nobody says */

/* max |a - b| over max |b|, the greatest of the two where all b are zero.  Infinite if one of them
 * is no number. */
typedef struct ik_deviation {
  double most, scale;
} ik_deviation;

/* `n` values of a type. */
void   ik_deviation_add(ik_deviation *d, ik_type t, const void *a, const void *b, int64_t n);
double ik_deviation_of(const ik_deviation *d);
