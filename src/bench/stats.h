/* stats.h: the few numbers that many timings become. */
#pragma once

/* The middle one, or the mean of the two in the middle; NaN of none.  `v` is left in order. */
double ik_stats_median(double *v, int n);

/* The median of a[i]/b[i]: of timings taken next to each other, so that what slows the machine down
 * for a while slows both and leaves the ratio alone. */
double ik_stats_ratio(const double *a, const double *b, int n);

/* max |a - b| over max |b|, the greatest of the two where all b are zero.  Infinite if one of them
 * is no number. */
typedef struct ik_deviation {
  double most, scale;
} ik_deviation;

void   ik_deviation_add_f32(ik_deviation *d, const float *a, const float *b, long n);
void   ik_deviation_add_f64(ik_deviation *d, const double *a, const double *b, long n);
double ik_deviation_of(const ik_deviation *d);
