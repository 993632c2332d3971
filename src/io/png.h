/* png.h: pictures as PNG files, by an encoder of our own (RFC 2083, 1950, 1951).
 *
 * 8 bits per channel; with at most 256 colours a palette is written instead of RGB. */
#pragma once
#include "base/diag.h"
#include <stdint.h>

/* `rgb` is [h][w][3], top row first.  False: no picture (w or h below 1, or more than 2^28 pixels)
 * or out of memory; then `out` has `failed` set. */
bool ik_png_encode(int w, int h, const uint8_t *rgb, ik_buf *out);

/* E064, E072; E066 for a size that is no picture. */
ik_status ik_png_write(const char *path, int w, int h, const uint8_t *rgb, ik_diag *d);
