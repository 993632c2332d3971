/* frame.h: a frame of an animation: pictures side by side on one sheet. */
#pragma once
#include "report/picture.h"

/* What makes a film of frames wants all of one size, while labels get longer and shorter: begin
 * with zeros, and the first frame leaves some room around it. */
typedef struct ik_frame_size {
  int w, h;
} ik_frame_size;

/* The second may be NULL.  The sheet has the size that is given, or is larger if it must be; the
 * caller frees it.  E022, E072. */
ik_status ik_frame_draw(const ik_picture_spec *left, const ik_picture_spec *right,
                        ik_frame_size *size, ik_canvas *out, ik_diag *d);
