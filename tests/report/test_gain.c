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

CASE(even_traces_need_no_gain) {
  double v[NT], zero[NT] = {0};
  for (int i = 0; i < NT; i++) v[i] = sin(0.1 * i);
  CHECK(!ik_gain_is_needed(v, 1, NT));
  CHECK(!ik_gain_is_needed(zero, 1, NT));
  CHECK(ik_gain_agc(zero, 1, NT, 9) && zero[0] == 0);
}
