#include "report/canvas.h"
#include "base/mem.h"
#include <math.h>
#include <string.h>

static const ik_box2 nowhere = {1 << 30, 1 << 30, 0, 0};

bool ik_canvas_init(ik_canvas *c, int w, int h, ik_rgb paper) {
  *c = (ik_canvas){.w = w, .h = h, .dirty = nowhere};
  c->pixel = ik_calloc((size_t)w * (size_t)h, sizeof *c->pixel);
  c->mask = ik_calloc((size_t)w, (size_t)h);
  if (!c->pixel || !c->mask) return ik_canvas_free(c), false;
  ik_canvas_unclip(c);
  ik_canvas_fill(c, c->clip, paper);
  return true;
}

void ik_canvas_free(ik_canvas *c) {
  ik_free(c->mask);
  ik_free(c->pixel);
  *c = (ik_canvas){0};
}

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

static ik_box2 common(ik_box2 a, ik_box2 b) {
  return (ik_box2){most(a.x0, b.x0), most(a.y0, b.y0), least(a.x1, b.x1), least(a.y1, b.y1)};
}

void ik_canvas_unclip(ik_canvas *c) { c->clip = (ik_box2){0, 0, c->w, c->h}; }
void ik_canvas_clip(ik_canvas *c, ik_box2 box) {
  c->clip = common(box, (ik_box2){0, 0, c->w, c->h});
}

void ik_canvas_fill(ik_canvas *c, ik_box2 box, ik_rgb colour) {
  box = common(box, (ik_box2){0, 0, c->w, c->h});
  for (int y = box.y0; y < box.y1; y++)
    for (int x = box.x0; x < box.x1; x++) c->pixel[(size_t)y * (size_t)c->w + (size_t)x] = colour;
}

void ik_canvas_frame(ik_canvas *c, ik_box2 in, ik_rgb colour) {
  ik_canvas_fill(c, (ik_box2){in.x0 - 1, in.y0 - 1, in.x1 + 1, in.y0}, colour);
  ik_canvas_fill(c, (ik_box2){in.x0 - 1, in.y1, in.x1 + 1, in.y1 + 1}, colour);
  ik_canvas_fill(c, (ik_box2){in.x0 - 1, in.y0, in.x0, in.y1}, colour);
  ik_canvas_fill(c, (ik_box2){in.x1, in.y0, in.x1 + 1, in.y1}, colour);
}

static double near(double v) { return fmin(fmax(v, -1e6), 1e6); }
static int    pixel_of(double v) { return (int)floor(near(v)); }

static double distance(double px, double py, double x0, double y0, double x1, double y1) {
  double dx = x1 - x0, dy = y1 - y0, len2 = dx * dx + dy * dy;
  double t = len2 > 0 ? ((px - x0) * dx + (py - y0) * dy) / len2 : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return hypot(px - x0 - t * dx, py - y0 - t * dy);
}

void ik_canvas_stroke(ik_canvas *c, double x0, double y0, double x1, double y1, double width) {
  if (isnan(x0) || isnan(y0) || isnan(x1) || isnan(y1)) return;
  x0 = near(x0), y0 = near(y0), x1 = near(x1), y1 = near(y1);
  double  reach = width / 2 + 0.5; /* a pixel is covered in part when the edge runs through it */
  ik_box2 box = {pixel_of(fmin(x0, x1) - reach), pixel_of(fmin(y0, y1) - reach),
                 pixel_of(fmax(x0, x1) + reach) + 1, pixel_of(fmax(y0, y1) + reach) + 1};
  box = common(box, c->clip);
  if (box.x0 >= box.x1 || box.y0 >= box.y1) return;
  for (int y = box.y0; y < box.y1; y++)
    for (int x = box.x0; x < box.x1; x++) {
      double   cover = reach - distance(x + 0.5, y + 0.5, x0, y0, x1, y1);
      uint8_t *m = &c->mask[(size_t)y * (size_t)c->w + (size_t)x];
      int      v = cover <= 0 ? 0 : cover >= 1 ? 255 : (int)(255 * cover + 0.5);
      if (v > *m) *m = (uint8_t)v;
    }
  c->dirty = (ik_box2){least(c->dirty.x0, box.x0), least(c->dirty.y0, box.y0),
                       most(c->dirty.x1, box.x1), most(c->dirty.y1, box.y1)};
}

static uint8_t blend(uint8_t under, uint8_t over, int cover) {
  return (uint8_t)((under * (255 - cover) + over * cover + 127) / 255);
}

void ik_canvas_ink(ik_canvas *c, ik_rgb colour) {
  for (int y = c->dirty.y0; y < c->dirty.y1; y++) {
    size_t row = (size_t)y * (size_t)c->w;
    for (int x = c->dirty.x0; x < c->dirty.x1; x++) {
      ik_rgb *p = &c->pixel[row + (size_t)x];
      int     m = c->mask[row + (size_t)x];
      *p = (ik_rgb){blend(p->r, colour.r, m), blend(p->g, colour.g, m), blend(p->b, colour.b, m)};
    }
    if (c->dirty.x0 < c->dirty.x1)
      memset(c->mask + row + c->dirty.x0, 0, (size_t)(c->dirty.x1 - c->dirty.x0));
  }
  c->dirty = nowhere;
}
