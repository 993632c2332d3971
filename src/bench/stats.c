#include "bench/stats.h"
#include <math.h>
#include <stdlib.h>

enum { MOST = 1000 };

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double ik_stats_median(double *v, int n) {
  if (n < 1) return NAN;
  qsort(v, (size_t)n, sizeof *v, compare);
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

double ik_stats_ratio(const double *a, const double *b, int n) {
  double v[MOST];
  if (n > MOST) n = MOST;
  for (int i = 0; i < n; i++) v[i] = a[i] / b[i];
  return ik_stats_median(v, n);
}

static void add(ik_deviation *d, double a, double b) {
  double off = fabs(a - b), size = fabs(b);
  if (!(off <= d->most)) d->most = isnan(off) ? INFINITY : off;
  if (size > d->scale) d->scale = size;
}

void ik_deviation_add_f32(ik_deviation *d, const float *a, const float *b, long n) {
  for (long i = 0; i < n; i++) add(d, a[i], b[i]);
}

void ik_deviation_add_f64(ik_deviation *d, const double *a, const double *b, long n) {
  for (long i = 0; i < n; i++) add(d, a[i], b[i]);
}

double ik_deviation_of(const ik_deviation *d) {
  return d->scale > 0 ? d->most / d->scale : d->most;
}
