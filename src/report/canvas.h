/* canvas.h: an RGB image to draw on, with anti-aliased strokes.
 *
 * Strokes first gather in a mask, where overlapping ones do not add up; ik_canvas_ink() then paints
 * the mask in one colour.  x runs right, y down; the centre of the first pixel is (0.5, 0.5).
 */
#pragma once
#include "report/colour.h"
#include <stdbool.h>

typedef struct ik_box2 { /* half open, in pixels */
  int x0, y0, x1, y1;
} ik_box2;

typedef struct ik_canvas {
  int      w, h;
  ik_rgb  *pixel; /* [h][w] */
  uint8_t *mask;  /* [h][w] */
  ik_box2  clip;  /* strokes stay inside */
  ik_box2  dirty; /* where the mask is not zero */
} ik_canvas;

bool ik_canvas_init(ik_canvas *c, int w, int h, ik_rgb paper); /* false: out of memory */
void ik_canvas_free(ik_canvas *c);
void ik_canvas_clip(ik_canvas *c, ik_box2 box);
void ik_canvas_unclip(ik_canvas *c);

void ik_canvas_fill(ik_canvas *c, ik_box2 box, ik_rgb colour);
void ik_canvas_frame(ik_canvas *c, ik_box2 inside, ik_rgb colour); /* one pixel, around `inside` */

/* Adds a straight stroke with round ends to the mask; nothing for a NaN. */
void ik_canvas_stroke(ik_canvas *c, double x0, double y0, double x1, double y1, double width);
void ik_canvas_ink(ik_canvas *c, ik_rgb colour);
