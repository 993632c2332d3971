/* The wave from a point in f32; see wave_exact.h. */
#include "wave_exact.h"

#if SLOW_BUILD
CASE(left_out) { CHECK(STEPS == 300); }
#else
static double trace[RECEIVERS][STEPS + 1];

CASE(against_the_exact_solution) {
  static const double error[RECEIVERS] = {4.435e-3, 6.331e-3, 5.602e-3};
  record_wave("f32", trace);
  for (int k = 0; k < RECEIVERS; k++)
    CHECK_NEAR(relative_error(trace[k], distance_of(k)), error[k], 5e-6);
}
#endif
