/* draw.h: what all charts in SVG begin and are labelled with.  Private to report/. */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

/* The opening tag with a title for those who cannot see the chart (NULL or "": none), and the style
 * of ik_svg_css() if the chart is to stand by itself. */
void ik_draw_open(ik_buf *b, int w, int h, bool standalone, const char *title);

/* `attributes`: further ones, as " class=\"small\"", or "". */
void ik_draw_text(ik_buf *b, double x, double y, const char *anchor, const char *attributes,
                  const char *text);
/* Of an element, shown when the pointer rests on it; nothing for NULL and "". */
void ik_draw_tip(ik_buf *b, const char *text);

/* In pixels.  The browser's font is not known here; this is an average for sans-serif at 12. */
double ik_draw_text_width(const char *text);
