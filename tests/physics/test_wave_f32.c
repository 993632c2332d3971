/* The wave from a point in f32; see wave_exact.h.  The listed errors are those of sums in another
 * order without fma, hence the tolerance of one in the third digit. */
#include "wave_exact.h"

CASE(reach) { check_reach("f32"); }

#if !SLOW_BUILD
static double trace[RECEIVERS][STEPS + 1];

LONG_CASE(against_the_exact_solution) {
  static const double error[RECEIVERS] = {4.435e-3, 6.331e-3, 5.602e-3};
  record_wave("f32", trace);
  for (int k = 0; k < RECEIVERS; k++)
    CHECK_NEAR(relative_error(trace[k], distance_of(k)), error[k], 1e-5);
}
#endif
