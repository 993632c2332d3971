/* picture.h: a field as a PNG picture with axes, colour bar and caption.
 *
 * A plane of numbers becomes a heat map; a row or a column (nx or ny is 1, not both) a line plot.
 * Cells of small grids are drawn as whole blocks of pixels, large grids are averaged over boxes, so
 * that the plot is 400 to 960 pixels on its longer side.  Lengths keep their ratio, except beyond
 * 4:1 (the caption then says so) and between axes of different units.
 * Cells that are not finite are magenta and counted in the caption.
 */
#pragma once
#include "base/buf.h"
#include "base/diag.h"
#include "report/canvas.h"
#include "report/range.h"

typedef struct ik_picture_axis {
  const char *name, *unit; /* either may be NULL */
  double      origin;      /* coordinate of the first cell's centre */
  double      spacing;     /* between cells; not above zero: the axis counts cells */
  int64_t     cells;       /* that the numbers of the grid stand for; 0: one each */
} ik_picture_axis;

typedef struct ik_picture_spec {
  ik_grid         grid; /* strides of 0 stand for 1 and nx */
  ik_picture_axis x, y;
  bool            y_down;      /* y grows downwards, as depth does */
  const char     *title;       /* texts may be NULL */
  const char     *caption;     /* "slice z = 36 of 72", "step 2000" */
  const char     *name, *unit; /* of the values */
  ik_colour_kind  kind;
  bool            limited; /* use lo..hi instead of what the data suggest */
  double          lo, hi;
  const ik_range *range; /* use this range, settled, of a film; NULL: that of the data */
} ik_picture_spec;

/* The picture as pixels, and where in it the data are; the caller frees `out`.  E022 for a grid
 * without cells, E072; then there is nothing to free. */
ik_status ik_picture_pixels(const ik_picture_spec *spec, ik_canvas *out, ik_box2 *data, ik_diag *d);

/* Appends the PNG to `png`. */
ik_status ik_picture_draw(const ik_picture_spec *spec, ik_buf *png, ik_diag *d);

/* The same into a file, complete or not at all; E064 too. */
ik_status ik_picture_write(const ik_picture_spec *spec, const char *path, ik_diag *d);
