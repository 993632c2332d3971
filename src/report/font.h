/* font.h: a proportional stroke font for labels in pictures, drawn at any size.
 *
 * Text is UTF-8.  There are ASCII 32..126, the signs × · ± ° µ – − Δ λ and superscript digits and
 * minus; anything else, and bytes that are no UTF-8, show as a box.
 */
#pragma once
#include "report/canvas.h"

typedef struct ik_font {
  double cap;    /* height of a capital letter in pixels */
  double weight; /* width of a stroke in pixels */
} ik_font;

double ik_font_width(ik_font f, const char *text);

typedef struct ik_font_place {
  double x, y;  /* the baseline; where along the text is said by `align` */
  double align; /* 0: the text starts there, 0.5: is centred there, 1: ends there */
  bool   up;    /* written upwards instead of to the right */
} ik_font_place;

void ik_font_draw(ik_canvas *c, ik_font f, ik_font_place at, ik_rgb colour, const char *text);
