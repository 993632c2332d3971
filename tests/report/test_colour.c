#include "check.h"
#include "report/colour.h"

static double distance(ik_rgb p, ik_rgb q) {
  ik_oklab a = ik_colour_to_oklab(p), b = ik_colour_to_oklab(q);
  return sqrt((a.L - b.L) * (a.L - b.L) + (a.a - b.a) * (a.a - b.a) + (a.b - b.b) * (a.b - b.b));
}

/* Steps are measured over sixteen colours, so that rounding to 8 bits hardly counts. */
static void check_even(const ik_rgb *t, int from, int to) {
  enum { EACH = 16 };
  double least = 1, most = 0;
  for (int i = from; i + EACH < to; i++) {
    double d = distance(t[i], t[i + EACH]);
    least = fmin(least, d), most = fmax(most, d);
  }
  CHECK(least > 0);
  CHECK(most / least < 1.12);
}

CASE(white_and_black) {
  ik_oklab w = ik_colour_to_oklab((ik_rgb){255, 255, 255}),
           k = ik_colour_to_oklab((ik_rgb){0, 0, 0});
  CHECK_NEAR(w.L, 1, 1e-6);
  CHECK_NEAR(hypot(w.a, w.b), 0, 1e-6);
  CHECK_NEAR(k.L, 0, 1e-12);
}

CASE(there_and_back) {
  for (int r = 0; r < 256; r += 15)
    for (int g = 0; g < 256; g += 15)
      for (int b = 0; b < 256; b += 15) {
        ik_rgb c =
            ik_colour_from_oklab(ik_colour_to_oklab((ik_rgb){(uint8_t)r, (uint8_t)g, (uint8_t)b}));
        CHECK(c.r == r && c.g == g && c.b == b);
      }
}

CASE(beyond_srgb_is_clamped) {
  ik_rgb c = ik_colour_lch(0.7, 0.5, 30);
  CHECK(c.r == 255 && c.b == 0);
}

CASE(sequential_rises_evenly) {
  ik_rgb t[IK_COLOUR_STEPS];
  ik_colour_table(IK_COLOUR_SEQUENTIAL, t);
  for (int i = 0; i + 2 < IK_COLOUR_STEPS; i++)
    CHECK(ik_colour_to_oklab(t[i + 2]).L > ik_colour_to_oklab(t[i]).L);
  CHECK(ik_colour_to_oklab(t[0]).L < 0.25);
  CHECK(ik_colour_to_oklab(t[IK_COLOUR_STEPS - 1]).L > 0.9);
  check_even(t, 0, IK_COLOUR_STEPS);
}

CASE(diverging_is_symmetric) {
  ik_rgb    t[IK_COLOUR_STEPS];
  const int half = IK_COLOUR_STEPS / 2;
  ik_colour_table(IK_COLOUR_DIVERGING, t);
  check_even(t, 0, half);
  check_even(t, half, IK_COLOUR_STEPS);
  for (int i = 0; i < half; i++) {
    double below = ik_colour_to_oklab(t[i]).L;
    CHECK_NEAR(below, ik_colour_to_oklab(t[IK_COLOUR_STEPS - 1 - i]).L, 0.03);
    if (i + 2 < half) CHECK(ik_colour_to_oklab(t[i + 2]).L > below);
  }
  CHECK(distance(t[half - 1], t[half]) < 0.01);
  CHECK(t[0].b > t[0].r && t[IK_COLOUR_STEPS - 1].r > t[IK_COLOUR_STEPS - 1].b);
}

CASE(classes_differ) {
  for (int i = 0; i < IK_COLOUR_CLASSES; i++)
    for (int k = 0; k < i; k++) CHECK(distance(ik_colour_class(i), ik_colour_class(k)) > 0.1);
}

CASE(lines_show_on_their_page) {
  for (int i = 0; i < 8; i++) {
    CHECK(ik_colour_to_oklab(ik_colour_line(i, 0)).L < 0.65);
    CHECK(ik_colour_to_oklab(ik_colour_line(i, 1)).L > 0.65);
  }
}
