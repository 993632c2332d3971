/* gif.h: moving pictures as GIF files (GIF89a), by an encoder of our own.
 *
 * Every frame has a palette of its own: its colours if there are at most 256, else as many that
 * come near them, found by median cut (Heckbert, SIGGRAPH 1982).  The film repeats for ever.
 */
#pragma once
#include "io/file.h"
#include <stdint.h>

typedef struct ik_gif {
  const char *path; /* borrowed */
  ik_outfile  out;
  int         w, h;
  bool        open;
} ik_gif;

/* E064; E066 for a size that GIF does not have. */
ik_status ik_gif_open(ik_gif *g, const char *path, int w, int h, ik_diag *d);

/* A picture of `w` by `h` pixels, `rgb` being [h][w][3], shown for so many hundredths of a second.
 * What is beyond the size of the film is left out, what lacks is white.  E072. */
ik_status ik_gif_add(ik_gif *g, int w, int h, const uint8_t *rgb, int delay, ik_diag *d);

/* Ends the file and gives it its name; on failure (E064) there is none. */
ik_status ik_gif_commit(ik_gif *g, ik_diag *d);
void      ik_gif_abandon(ik_gif *g); /* may follow a commit; then it does nothing */
