#include "check.h"
#include "apps/design/power.h"
#include "model/energy.h"

/* For the Jacobi stencil of appendix B it is the published model, if its watts are given. */
CASE(jacobi_is_model_a) {
  const ik_energy_params a = ik_energy_model_a();
  const ik_hex_problem   p = {.dims = 2, .s = {4096, 4096}, .steps = 1024, .iter_s = 3.39e-8};
  const ik_hex_tile      t = {.s = {8, 64}, .t = 16};
  const ik_power_model   m = {.static_w_mm2 = a.static_w / 500,
                              .unit_w = (6 * a.shared_j + 4 * a.fadd_j + a.fmul_j) / 3.39e-8,
                              .word_j = a.global_j};
  CHECK_NEAR(ik_power_energy(&m, &p, &t, 500, 1), 88.018738064, 1e-8);
}

CASE(larger_tiles_in_time_move_less) {
  const ik_hex_problem p = {.dims = 2, .s = {4096, 4096}, .steps = 1024, .iter_s = 3.39e-8};
  const ik_power_model m = {.word_j = 1};
  const ik_hex_tile    low = {.s = {8, 64}, .t = 4}, high = {.s = {8, 64}, .t = 16};
  CHECK(ik_power_energy(&m, &p, &high, 0, 0) < ik_power_energy(&m, &p, &low, 0, 0));
}

CASE(one_dimension_conserves_iterations) {
  const ik_hex_problem p = {.dims = 1, .s = {1000}, .steps = 10, .iter_s = 2};
  const ik_power_model m = {.unit_w = 3};
  const ik_hex_tile    t = {.s = {32}, .t = 4};
  CHECK_NEAR(ik_power_energy(&m, &p, &t, 0, 0), 1000 * 10 * 2 * 3, 1e-9);
}
