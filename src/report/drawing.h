/* drawing.h: a field as a picture before it is drawn. */
#pragma once
#include "report/page.h"

typedef struct ik_drawing { /* and what the picture borrows from */
  ik_picture_spec spec;
  double         *v;
  ik_buf          caption, title;
} ik_drawing;

/* Of a slice, as the field is now; to be freed unless it fails.  E043, E072. */
ik_status ik_drawing_of(const ik_page_input *in, const ik_page_slice *s, ik_diag *d,
                        ik_drawing *out);
void      ik_drawing_free(ik_drawing *g);

/* The name of a program without its folder. */
const char *ik_drawing_program(const ik_ir *ir);
