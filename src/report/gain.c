#include "report/gain.h"
#include "base/mem.h"
#include <math.h>
#include <stdint.h>

static double largest(const double *v, int64_t n) {
  double most = 0;
  for (int64_t i = 0; i < n; i++)
    if (isfinite(v[i])) most = fmax(most, fabs(v[i]));
  return most;
}

static int64_t above(const double *v, int64_t n, double least) {
  int64_t count = 0;
  for (int64_t i = 0; i < n; i++) count += fabs(v[i]) > least;
  return count;
}

bool ik_gain_is_needed(const double *v, int ntrace, int nt) {
  int64_t n = (int64_t)ntrace * nt;
  double  most = largest(v, n);
  return most > 0 && 20 * above(v, n, most / 5) < above(v, n, most / 1e3);
}

static double square(double v) { return isfinite(v) ? v * v : 0; }

/* Of a sine of n samples a period, differences of neighbours are 2 sin(pi/n) times its values. */
int ik_gain_window(const double *v, int ntrace, int nt) {
  enum { PERIODS = 3, LEAST = 3 };
  double values = 0, steps = 0;
  for (int k = 0; k < ntrace; k++)
    for (int i = 1; i < nt; i++) {
      const double *at = v + (int64_t)k * nt + i;
      values += square(at[0]), steps += square(at[0] - at[-1]);
    }
  double sine = values > 0 ? fmin(1, sqrt(steps / values) / 2) : 1;
  double period = sine > 0 ? acos(-1) / asin(sine) : nt;
  double window = fmin(PERIODS * period, nt);
  return window > LEAST ? (int)window : LEAST;
}

/* One trace; `sum` has room for nt + 1 numbers. */
static void scale(double *v, int nt, int window, double floor, double *sum) {
  for (int i = 0; i < nt; i++) sum[i + 1] = sum[i] + square(v[i]);
  for (int i = 0; i < nt; i++) {
    int    lo = i - window / 2 > 0 ? i - window / 2 : 0;
    int    hi = i + window / 2 + 1 < nt ? i + window / 2 + 1 : nt;
    double rms = sqrt(fmax(0, sum[hi] - sum[lo]) / (hi - lo));
    v[i] /= rms + floor;
  }
}

bool ik_gain_agc(double *v, int ntrace, int nt, int window) {
  double *sum = ik_calloc((size_t)nt + 1, sizeof *sum);
  double  floor = largest(v, (int64_t)ntrace * nt) / 1000;
  if (!sum) return false;
  for (int i = 0; i < ntrace && floor > 0; i++) scale(v + (int64_t)i * nt, nt, window, floor, sum);
  ik_free(sum);
  return true;
}
