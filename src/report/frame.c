#include "report/frame.h"
#include "report/plot.h"
#include <string.h>

enum { ROOM = 40 };

/* In the middle of the sheet's height. */
static void paste(const ik_canvas *from, int x, ik_canvas *to) {
  int y = (to->h - from->h) / 2;
  for (int row = 0; row < from->h; row++)
    memcpy(to->pixel + (size_t)(y + row) * (size_t)to->w + x,
           from->pixel + (size_t)row * (size_t)from->w, (size_t)from->w * sizeof *from->pixel);
}

/* Encoders of films want even numbers. */
static void grow(int *side, int need) {
  if (!*side) *side = need + ROOM;
  if (*side < need) *side = need;
  *side += *side % 2;
}

static ik_status join(const ik_canvas *left, const ik_canvas *right, ik_frame_size *size,
                      ik_canvas *out, ik_diag *d) {
  grow(&size->w, left->w + right->w);
  grow(&size->h, left->h > right->h ? left->h : right->h);
  if (!ik_canvas_init(out, size->w, size->h, ik_plot_paper))
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for a frame of %d × %d",
                   size->w, size->h);
  paste(left, 0, out);
  if (right->w) paste(right, left->w, out);
  return IK_OK;
}

ik_status ik_frame_draw(const ik_picture_spec *left, const ik_picture_spec *right,
                        ik_frame_size *size, ik_canvas *out, ik_diag *d) {
  ik_canvas a = {0}, b = {0};
  ik_box2   data;
  *out = (ik_canvas){0};
  ik_status st = ik_picture_pixels(left, &a, &data, d);
  if (!st && right) st = ik_picture_pixels(right, &b, &data, d);
  if (!st) st = join(&a, &b, size, out, d);
  ik_canvas_free(&a), ik_canvas_free(&b);
  return st;
}
