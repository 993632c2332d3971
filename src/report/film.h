/* film.h: an animation of a field: frames as PNG files in a folder, as one GIF, or both.
 *
 * All frames have one range of colours, over all of them: they are kept until the last one is there
 * and drawn then, unless the range is given; then each is drawn at once.  On a simulated machine
 * the share of time that its elements are busy stands beside the field. */
#pragma once
#include "io/gif.h"
#include "report/drawing.h"

typedef struct ik_film {
  const char   *folder, *movie; /* where to; either may be NULL */
  int           frames;         /* how many there will be */
  int           taken, drawn;
  bool          drawable; /* one at a time: the range is known */
  ik_drawing   *kept;     /* [frames] */
  ik_range      range;
  ik_frame_size size;
  ik_gif        gif;
} ik_film;

/* Makes the folder; E064, E072. */
ik_status ik_film_open(ik_film *f, const char *folder, const char *movie, int frames, ik_diag *d);

/* The next frame, of the field as it is now.  E043; E072 before the first one if there is no room
 * for all; E064. */
ik_status ik_film_take(ik_film *f, const ik_page_input *in, const ik_page_slice *s, ik_diag *d);

/* Draws what was kept and completes the movie; also of a film that ended early.  To be closed in
 * any case. */
ik_status ik_film_finish(ik_film *f, const ik_page_input *in, ik_diag *d);
void      ik_film_close(ik_film *f);
