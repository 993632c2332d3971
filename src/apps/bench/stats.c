#include "apps/bench/stats.h"
#include "base/system.h"
#include "base/least.h"
#include "ir/state.h"
#include "runtime/loop.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

void ik_stats_rest(void) {
  struct timespec left = {.tv_nsec = 30 * 1000 * 1000};
  while (nanosleep(&left, &left)) /* a signal came */
    ;
}

/* "cpu  user nice system idle iowait irq softirq steal ..." */
double ik_quiet_ticks(const char *stat) {
  long long stolen;
  bool      all = strncmp(stat, "cpu ", 4) == 0;
  bool      told = all && sscanf(stat + 4, "%*d %*d %*d %*d %*d %*d %*d %lld", &stolen) == 1;
  return told ? (double)stolen : NAN;
}

static double stolen_seconds(void) {
  char line[256];
  bool told = ik_system_read("/proc/stat", line, sizeof line);
  return told ? ik_quiet_ticks(line) / (double)sysconf(_SC_CLK_TCK) : NAN;
}

ik_quiet ik_quiet_begin(void) { return (ik_quiet){stolen_seconds(), ik_loop_clock()}; }

double ik_quiet_share(const ik_quiet *q, int threads) {
  return (stolen_seconds() - q->stolen) / ((ik_loop_clock() - q->since) * threads);
}

bool ik_quiet_was(const ik_quiet *q, int threads) {
  return !(ik_quiet_share(q, threads) > 1.0 / 30);
}

static void add(ik_deviation *d, double a, double b) {
  double off = fabs(a - b), size = fabs(b);
  if (!(off <= d->most)) d->most = isnan(off) ? INFINITY : off;
  if (size > d->scale) d->scale = size;
}

void ik_deviation_add(ik_deviation *d, ik_type t, const void *a, const void *b, int64_t n) {
  enum { SOME = 256 };
  double x[SOME], y[SOME];
  for (int64_t i = 0; i < n; i += SOME) {
    int64_t m = ik_min(n - i, SOME);
    ik_state_load_row(t, a, i, m, x);
    ik_state_load_row(t, b, i, m, y);
    for (int64_t k = 0; k < m; k++) add(d, x[k], y[k]);
  }
}

double ik_deviation_of(const ik_deviation *d) {
  return d->scale > 0 ? d->most / d->scale : d->most;
}
