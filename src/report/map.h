/* map.h: maps of classes: cells over two whole numbers, several maps side by side, one legend.
 *
 * A class has a name and a tint; a cell may carry a few characters and a longer text that shows
 * when the pointer rests on it.  Cells of classes that are `framed` get one outline around each
 * region. Tints are CSS classes with a light and a dark form, as the colours of svg.h, whose style
 * (ik_svg_css) the page must have; a map with `standalone` brings it along.
 */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

typedef enum ik_map_tint { /* blue for gains, orange for losses: told apart by all eyes */
                           IK_MAP_NEUTRAL,
                           IK_MAP_GAIN,
                           IK_MAP_GREAT_GAIN,
                           IK_MAP_LOSS,
                           IK_MAP_GREAT_LOSS,
                           IK_MAP_TINTS,
} ik_map_tint;

typedef struct ik_map_class {
  const char *name;
  ik_map_tint tint;
  bool        framed;
} ik_map_class;

typedef struct ik_map_cell {
  int  kind;     /* a class; below 0: no cell */
  char text[8];  /* UTF-8 that ends */
  char tip[120]; /* the same; "" for none */
} ik_map_cell;

typedef struct ik_map_panel {
  const char        *title;
  const ik_map_cell *cell; /* [ny][nx], the lowest row first */
} ik_map_panel;

typedef struct ik_map {
  const char         *title, *x_name, *y_name;
  int                 x0, y0, nx, ny; /* numbers of the first cell, and how many there are */
  const ik_map_class *kind;           /* [nkind] */
  const ik_map_panel *panel;          /* [npanel] */
  int                 nkind, npanel;
  int                 columns; /* of panels; 0: all side by side */
  int                 w;       /* in CSS pixels; 0: 960 */
  bool                standalone;
} ik_map;

void ik_svg_map(const ik_map *m, ik_buf *out);
