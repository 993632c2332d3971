/* The wave from a point in f64; see wave_exact.h. */
#include "wave_exact.h"

CASE(reach) { check_reach("f64"); }

#if !SLOW_BUILD
static double trace[RECEIVERS][STEPS + 1];

static const struct {
  double error, peak;
  int    at;
} golden[RECEIVERS] = {{4.4329e-3, 3.978774529e-4, 200},
                       {6.3270e-3, 2.812063785e-4, 241},
                       {5.5991e-3, 3.182987805e-4, 225}};

static const double samples[RECEIVERS][7] = {
    {-5.656403584e-05, -1.408471962e-04, 3.978774529e-04, -1.407175241e-04, -5.647101978e-05,
     -1.140234900e-06, -2.624996042e-09},
    {-1.606292966e-08, -3.861334723e-06, -8.612604507e-05, 3.250833238e-05, 1.926104173e-04,
     -1.217846808e-04, -1.366818818e-05},
    {-8.606471545e-07, -4.525809723e-05, -1.127090694e-04, 3.182987805e-04, -1.125400094e-04,
     -4.517001177e-05, -9.180614694e-07},
};

CASE(against_the_exact_solution) {
  record_wave("f64", trace);
  for (int k = 0; k < RECEIVERS; k++) {
    int peak = 0;
    for (int n = 0; n <= STEPS; n++)
      if (trace[k][n] > trace[k][peak]) peak = n;
    CHECK_NEAR(relative_error(trace[k], distance_of(k)), golden[k].error, 0.5e-7);
    CHECK_EQ(peak, golden[k].at);
    CHECK_NEAR(trace[k][peak], golden[k].peak, 1e-12);
    for (int s = 0; s < 7; s++)
      CHECK_NEAR(trace[k][150 + 25 * s], samples[k][s], 1e-13 + 1e-9 * fabs(samples[k][s]));
  }
}
#endif
