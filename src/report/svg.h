/* svg.h: charts as SVG text, for a page or for a file of their own.
 *
 * Colours are CSS classes, so a chart follows its page into dark mode; a page needs ik_svg_css()
 * once, a chart with `standalone` brings it along.  All text is escaped.  Values that are not
 * finite (or not above zero on a logarithmic axis) are left out; a chart without values is drawn
 * empty.
 */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

void ik_svg_css(ik_buf *b);

typedef enum ik_mark {
  IK_MARK_LINE,
  IK_MARK_DASH,
  IK_MARK_DOT,   /* filled: measured */
  IK_MARK_RING,  /* hollow: predicted */
  IK_MARK_ARROW, /* from each point to the next */
  IK_MARK_BAND,  /* a faint area, whose corners the points are */
} ik_mark;

typedef struct ik_series {
  const char   *name; /* NULL: not in the legend */
  const double *x, *y;
  int           n;
  ik_mark       mark;
  int           colour; /* 1..8; 0: by its place in the chart */
  bool          direct; /* the name stands at the last point instead of in the legend */
  bool          faint;  /* a crowd, before which others stand */
  /* [n] or NULL: of dots and rings, shown when the pointer rests on one. */
  const char *const *tip;
} ik_series;

typedef struct ik_chart {
  const char      *title, *x_name, *x_unit, *y_name, *y_unit; /* may be NULL */
  bool             log_x, log_y;
  const ik_series *series;
  int              nseries;
  int              w, h; /* in CSS pixels; 0: 720 x 380 */
  bool             standalone;
} ik_chart;

void ik_svg_lines(const ik_chart *c, ik_buf *out);

/* Horizontal bars, each a stack of parts; a single part without a name needs no legend.  The total
 * is written behind the bar.  Values below zero count as zero. */
typedef struct ik_bars {
  const char        *title, *unit;
  const char *const *label; /* [nbar] */
  const char *const *part;  /* [npart], or NULL */
  const double      *value; /* [nbar][npart] */
  int                nbar, npart;
  int                w; /* 0: 720 */
  bool               standalone;
} ik_bars;

void ik_svg_bars(const ik_bars *c, ik_buf *out);

/* Seismograms side by side, time downwards, positive swings filled; one common scale.  More than 60
 * traces are thinned out evenly, which the chart says: a heat map (picture.h) shows all of them. */
typedef struct ik_wiggles {
  const char   *title, *x_name, *x_unit, *t_unit;
  const double *v; /* [ntrace][nt] */
  int           ntrace, nt;
  double        x0, dx, t0, dt; /* of the first trace and sample, and their spacing */
  int           w, h;           /* 0: 720 x 480 */
  bool          standalone;
} ik_wiggles;

void ik_svg_gather(const ik_wiggles *c, ik_buf *out);
