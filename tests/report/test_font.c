#include "check.h"
#include "report/font.h"

static const ik_rgb white = {255, 255, 255}, black = {0, 0, 0};

/* Amount of ink of a text in the middle of a 60 x 60 sheet, and the box around it. */
static double ink_of(const char *text, bool up, ik_box2 *where) {
  ik_canvas c;
  double    ink = 0;
  CHECK(ik_canvas_init(&c, 60, 60, white));
  ik_font_place at = {.x = 30, .y = 35, .align = 0.5, .up = up};
  ik_font_draw(&c, (ik_font){14, 1.5}, at, black, text);
  *where = (ik_box2){60, 60, 0, 0};
  for (int y = 0; y < 60; y++)
    for (int x = 0; x < 60; x++) {
      int dark = 255 - c.pixel[y * 60 + x].g;
      ink += dark / 255.0;
      if (!dark) continue;
      *where =
          (ik_box2){x < where->x0 ? x : where->x0, y < where->y0 ? y : where->y0,
                    x + 1 > where->x1 ? x + 1 : where->x1, y + 1 > where->y1 ? y + 1 : where->y1};
    }
  ik_canvas_free(&c);
  return ink;
}

CASE(every_sign_has_its_own_shape) {
  ik_box2 box, b;
  double  unknown = ink_of("\xE2\x82\xAC", false, &box); /* the euro sign is not in the font */
  CHECK(unknown > 30);
  for (char s[2] = "!"; s[0] < 127; s[0]++) {
    double ink = ink_of(s, false, &b);
    CHECK(ink > 2 && ink < 110);
    CHECK(ink != unknown);
  }
  const char *more[] = {"×", "·", "±", "°", "µ", "–", "−", "Δ", "λ", "²", "⁻", "⁹"};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
    double ink = ink_of(more[i], false, &b);
    CHECK(ink > 2 && ink != unknown);
  }
  CHECK(ink_of(" ", false, &b) == 0);
}

CASE(bytes_that_are_no_text_show_as_boxes) {
  ik_box2 b;
  CHECK(ink_of("\xff", false, &b) > 30);
  CHECK_NEAR(ink_of("\xc3", false, &b), ink_of("\xff", false, &b), 1e-9);
}

CASE(letters_stand_on_the_baseline) {
  ik_box2 b;
  ink_of("H", false, &b);
  CHECK(b.y1 == 36 || b.y1 == 37);
  CHECK_EQ(b.y1 - b.y0, 17); /* 14 and the stroke, with its soft edges */
  ink_of("x", false, &b);
  CHECK_EQ(b.y1 - b.y0, 13);
  ink_of("p", false, &b);
  CHECK(b.y1 > 38);
}

CASE(upwards_is_turned) {
  ik_box2 a, b;
  double  flat = ink_of("Wi", false, &a), up = ink_of("Wi", true, &b);
  CHECK_NEAR(flat, up, 0.1 * flat);
  CHECK_NEAR(a.x1 - a.x0, b.y1 - b.y0, 1);
  CHECK_NEAR(a.y1 - a.y0, b.x1 - b.x0, 1);
}

CASE(width_scales) {
  double one = ik_font_width((ik_font){10, 1}, "0.25");
  CHECK(one > 10);
  CHECK_NEAR(ik_font_width((ik_font){20, 1}, "0.25"), 2 * one, 1e-9);
  CHECK_NEAR(ik_font_width((ik_font){10, 1}, "111"), ik_font_width((ik_font){10, 1}, "888"), 1e-9);
  CHECK(ik_font_width((ik_font){10, 1}, "") == 0);
}

CASE(alignment) {
  ik_canvas c;
  CHECK(ik_canvas_init(&c, 40, 20, white));
  ik_font_draw(&c, (ik_font){10, 1.2}, (ik_font_place){.x = 20, .y = 15, .align = 1}, black, "HI");
  for (int y = 0; y < 20; y++)
    for (int x = 22; x < 40; x++) CHECK_EQ(c.pixel[y * 40 + x].g, 255);
  ik_canvas_free(&c);
}
