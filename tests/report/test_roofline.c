#include "report/roofline.h"
#include "check.h"
#include <math.h>

static ik_outcome run(void) {
  ik_outcome o = {.seconds = 2, .predicted_seconds = 1, .flops = 4e9, .intensity = 0.5};
  o.roofs = (ik_roofs){.peak = 80e9, .type = "f32", .nlevel = 2, .holds = 1};
  o.roofs.level[0].name = "L2", o.roofs.level[0].rate = 200e9;
  o.roofs.level[1].name = "memory", o.roofs.level[1].rate = 50e9;
  return o;
}

CASE(roofs_a_dot_and_a_ring_are_drawn_with_their_figures) {
  ik_outcome o = run();
  ik_buf     b = {0};
  CHECK(ik_svg_roofline(&o, &b));
  CHECK(strstr(ik_buf_text(&b), "measured 2 GFLOP/s") && strstr(ik_buf_text(&b), "predicted 4 G"));
  CHECK(strstr(ik_buf_text(&b), "L2 200 GB/s") && strstr(ik_buf_text(&b), "memory 50 GB/s"));
  CHECK(strstr(ik_buf_text(&b), "peak 80 GFLOP/s f32"));
  ik_buf_free(&b);
  o.simulated = true;
  CHECK(ik_svg_roofline(&o, &b) && strstr(ik_buf_text(&b), "simulated 2 GFLOP/s"));
  ik_buf_free(&b);
}

CASE(figures_have_the_prefix_that_suits) {
  ik_outcome o = run();
  ik_buf     b = {0};
  o.roofs.peak = 1.785e15, o.roofs.level[1].rate = 20e15;
  CHECK(ik_svg_roofline(&o, &b));
  CHECK(strstr(ik_buf_text(&b), "memory 20 PB/s"));
  CHECK(strstr(ik_buf_text(&b), "peak 1.78 PFLOP/s f32"));
  ik_buf_free(&b);
}

CASE(without_a_prediction_there_is_no_ring) {
  ik_outcome o = run();
  ik_buf     b = {0};
  o.predicted_seconds = NAN;
  CHECK(ik_svg_roofline(&o, &b) && !strstr(ik_buf_text(&b), "predicted"));
  ik_buf_free(&b);
}

CASE(without_roofs_or_operations_nothing_is_drawn) {
  ik_outcome o = run();
  ik_buf     b = {0};
  o.roofs.nlevel = 0;
  CHECK(!ik_svg_roofline(&o, &b) && b.len == 0);
  o = run(), o.flops = 0, o.intensity = NAN;
  CHECK(!ik_svg_roofline(&o, &b) && b.len == 0);
}
