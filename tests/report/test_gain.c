#include "report/gain.h"
#include "check.h"
#include <math.h>

enum { NT = 400, TRACES = 3 };

/* A pulse, then an echo a hundredth as large; the last trace is silent. */
static void shot(double *v) {
  for (int i = 0; i < TRACES * NT; i++) v[i] = 0;
  for (int k = 0; k < TRACES - 1; k++)
    for (int i = 0; i < 40; i++) {
      v[k * NT + 20 + i] = i < 2 ? 100 : 0.5 * sin(0.5 * i);
      v[k * NT + 250 + i] = sin(0.5 * i);
    }
}

static double largest(const double *v, int from, int to) {
  double most = 0;
  for (int i = from; i < to; i++) most = fmax(most, fabs(v[i]));
  return most;
}

CASE(an_echo_comes_near_the_direct_wave_and_silence_stays) {
  double v[TRACES * NT];
  shot(v);
  CHECK(ik_gain_is_needed(v, TRACES, NT));
  CHECK(largest(v, 250, 290) < 0.011 * largest(v, 0, 100));
  CHECK(ik_gain_agc(v, TRACES, NT, 40));
  CHECK(largest(v, 250, 290) > 0.1 * largest(v, 0, 100));
  CHECK(largest(v, (TRACES - 1) * NT, TRACES * NT) == 0);
  CHECK(largest(v, 100, 200) == 0);
}

CASE(a_window_holds_three_periods) {
  double v[2 * NT], slow[NT], flip[NT];
  for (int i = 0; i < 2 * NT; i++) v[i] = i / NT * sin(2 * acos(-1) * i / 20);
  for (int i = 0; i < NT; i++) slow[i] = 1, flip[i] = i % 2 ? 1 : -1;
  CHECK_NEAR(ik_gain_window(v, 2, NT), 60, 1.01);
  v[NT + 7] = NAN, v[NT + 9] = INFINITY;
  CHECK_NEAR(ik_gain_window(v, 2, NT), 60, 3);
  CHECK_EQ(ik_gain_window(slow, 1, NT), NT);
  CHECK_EQ(ik_gain_window(flip, 1, NT), 6);
  CHECK_EQ(ik_gain_window(flip, 1, 1), 3);
}

/* Two wavelets, the second a hundredth as large: each keeps its shape, so that none of its samples
 * comes nearer to its largest than before. */
CASE(a_wavelet_keeps_its_shape) {
  double v[NT] = {0};
  for (int k = 0; k < 2; k++)
    for (int i = -60; i <= 60; i++) {
      double a = 0.012 * i * i;
      v[100 + 200 * k + i] = (k ? 0.01 : 1) * (1 - 2 * a) * exp(-a);
    }
  int window = ik_gain_window(v, 1, NT);
  CHECK(ik_gain_agc(v, 1, NT, window));
  for (int k = 0; k < 2; k++) {
    double *at = v + 100 + 200 * k;
    for (int i = -8; i <= 8; i++) {
      double a = 0.012 * i * i;
      CHECK_NEAR(at[i] / at[0], (1 - 2 * a) * exp(-a), 0.05);
    }
  }
  CHECK(v[300] > 0.75 * v[100] && v[300] < v[100]); /* noise is no signal: a thousandth */
}

CASE(even_traces_need_no_gain) {
  double v[NT], zero[NT] = {0};
  for (int i = 0; i < NT; i++) v[i] = sin(0.1 * i);
  CHECK(!ik_gain_is_needed(v, 1, NT));
  CHECK(!ik_gain_is_needed(zero, 1, NT));
  CHECK(ik_gain_agc(zero, 1, NT, 9) && zero[0] == 0);
}
