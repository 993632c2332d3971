/* colour.h: colour maps computed in OKLab, a space in which equal distances look about equal.
 *
 * A map is a curve through OKLab cut into 255 steps of equal length, so neighbouring values differ
 * by the same visible amount everywhere:
 *   sequential   dark blue over green to light yellow; lightness only rises
 *   diverging    blue - near white - red; both halves equally light at equal distance from the
 * middle qualitative  few unordered classes; class 0 is a pale background
 */
#pragma once
#include <stdint.h>

typedef struct ik_rgb {
  uint8_t r, g, b;
} ik_rgb;

typedef struct ik_oklab {
  double L, a, b; /* L: 0 black, 1 white */
} ik_oklab;

typedef enum ik_colour_kind {
  IK_COLOUR_AUTO, /* chosen from the data, see range.h */
  IK_COLOUR_SEQUENTIAL,
  IK_COLOUR_DIVERGING,
  IK_COLOUR_QUALITATIVE,
} ik_colour_kind;

enum { IK_COLOUR_STEPS = 256, IK_COLOUR_CLASSES = 8 };

ik_oklab ik_colour_to_oklab(ik_rgb c);
ik_rgb   ik_colour_from_oklab(ik_oklab c);                /* clamped to what sRGB can show */
ik_rgb   ik_colour_lch(double L, double C, double h_deg); /* the same from chroma and hue */

/* The map of a sequential or diverging kind. */
void ik_colour_table(ik_colour_kind kind, ik_rgb out[IK_COLOUR_STEPS]);

/* Colour of class `k`, 0 <= k < IK_COLOUR_CLASSES. */
ik_rgb ik_colour_class(int k);

/* Colour of the k-th line of a chart, readable on a light or on a dark page; repeats after 8. */
ik_rgb ik_colour_line(int k, int dark);
