/* plot.h: the sheet a picture is drawn on: margins, title, axes with ticks, caption.
 *
 * Order of use: fill x, y and the texts; ik_plot_open(); draw inside `in`; ik_plot_axes(); take
 * the pixels; ik_plot_close().
 */
#pragma once
#include "base/diag.h"
#include "report/axis.h"
#include "report/canvas.h"
#include "report/font.h"

typedef struct ik_plot_axis {
  const char *name, *unit; /* either may be NULL */
  double      lo, hi;      /* fit for ik_axis_ticks() */
  bool        whole;       /* ticks at whole numbers only */
  bool        backwards;   /* from the right, from the top */
  ik_ticks    ticks;       /* set by ik_plot_open() */
} ik_plot_axis;

typedef struct ik_plot {
  ik_plot_axis x, y;
  const char  *title;   /* may be NULL */
  const char  *caption; /* "" for none */
  int          right;   /* room to leave to the right of the data, for a colour bar */
  ik_canvas    canvas;
  ik_box2      in;     /* where the data go */
  bool         failed; /* memory ran out while labelling */
} ik_plot;

/* Inks and sizes, shared by all that draw on the sheet. */
extern const ik_rgb  ik_plot_paper, ik_plot_ink, ik_plot_faint;
extern const ik_font ik_plot_font;

/* Lays out a sheet around `w` x `h` pixels of data and writes title and caption.  E072. */
ik_status ik_plot_open(ik_plot *p, int w, int h, ik_diag *d);
void      ik_plot_axes(ik_plot *p); /* frame, ticks, labels and names */
void      ik_plot_grid(ik_plot *p); /* faint lines at the ticks */
void      ik_plot_close(ik_plot *p);

/* From coordinates to pixels. */
double ik_plot_px(const ik_plot *p, double x);
double ik_plot_py(const ik_plot *p, double y);

/* The widest label. */
double ik_plot_label_width(const ik_ticks *t);
