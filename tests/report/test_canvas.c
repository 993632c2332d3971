#include "check.h"
#include "report/canvas.h"

static const ik_rgb white = {255, 255, 255}, black = {0, 0, 0};

static double ink(const ik_canvas *c) {
  double sum = 0;
  for (int i = 0; i < c->w * c->h; i++) sum += (255 - c->pixel[i].r) / 255.0;
  return sum;
}

CASE(a_stroke_covers_its_area) {
  ik_canvas c;
  CHECK(ik_canvas_init(&c, 50, 50, white));
  ik_canvas_stroke(&c, 10, 12, 40, 37, 2);
  ik_canvas_ink(&c, black);
  CHECK_NEAR(ink(&c), 2 * hypot(30, 25) + 3.14159, 2.5);
  ik_canvas_free(&c);
}

CASE(overlaps_do_not_add_up) {
  ik_canvas c;
  CHECK(ik_canvas_init(&c, 50, 50, white));
  ik_canvas_stroke(&c, 10.2, 12.7, 40.1, 37.3, 1.3);
  ik_canvas_ink(&c, black);
  double once = ink(&c);
  ik_canvas_fill(&c, (ik_box2){0, 0, 50, 50}, white);
  for (int i = 0; i < 5; i++) ik_canvas_stroke(&c, 10.2, 12.7, 40.1, 37.3, 1.3);
  ik_canvas_ink(&c, black);
  CHECK_NEAR(ink(&c), once, 1e-9);
  ik_canvas_free(&c);
}

CASE(ink_is_used_up) {
  ik_canvas c;
  CHECK(ik_canvas_init(&c, 20, 20, white));
  ik_canvas_stroke(&c, 5, 5, 15, 5, 2);
  ik_canvas_ink(&c, white);
  ik_canvas_ink(&c, black);
  CHECK(ink(&c) == 0);
  ik_canvas_free(&c);
}

CASE(clipped_and_far_away) {
  ik_canvas c;
  CHECK(ik_canvas_init(&c, 20, 20, white));
  ik_canvas_clip(&c, (ik_box2){5, 5, 10, 10});
  ik_canvas_stroke(&c, -1e300, 7.5, 1e300, 7.5, 1e9);
  ik_canvas_stroke(&c, NAN, NAN, 3, 3, 1);
  ik_canvas_ink(&c, black);
  CHECK(ink(&c) <= 25);
  for (int i = 0; i < 20; i++) CHECK_EQ(c.pixel[4 * 20 + i].r, 255);
  ik_canvas_unclip(&c);
  ik_canvas_fill(&c, (ik_box2){-5, -5, 100, 1}, black);
  CHECK_EQ(c.pixel[19].r, 0);
  CHECK_EQ(c.pixel[20].r, 255);
  ik_canvas_free(&c);
}

CASE(a_frame_is_outside) {
  ik_canvas c;
  CHECK(ik_canvas_init(&c, 10, 10, white));
  ik_canvas_frame(&c, (ik_box2){3, 3, 6, 6}, black);
  CHECK_NEAR(ink(&c), 16, 1e-9);
  CHECK_EQ(c.pixel[3 * 10 + 3].r, 255);
  CHECK_EQ(c.pixel[2 * 10 + 2].r, 0);
  ik_canvas_free(&c);
}
