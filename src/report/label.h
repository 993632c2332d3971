/* label.h: names beside points and lines, where they cover the least.  Private to report/. */
#pragma once
#include <stdbool.h>

typedef struct ik_label_box { /* in pixels, y downwards */
  double x0, y0, x1, y1;
} ik_label_box;

typedef struct ik_label_spot { /* of a text, as SVG has it */
  double      x, y;
  const char *anchor; /* "start", "middle", "end" */
} ik_label_spot;

typedef struct ik_labels {
  ik_label_box  inside; /* where names should stay */
  ik_label_box *taken;  /* [n] */
  int           n, cap;
} ik_labels;

/* What a name should not cover.  Without memory it is covered. */
void ik_label_take(ik_labels *l, ik_label_box b);
/* The same for a straight line. */
void ik_label_take_line(ik_labels *l, double x0, double y0, double x1, double y1);
/* The best of n > 0 spots for a text at 12 pixels, of equal ones the first; it is taken then. */
ik_label_spot ik_label_place(ik_labels *l, const char *text, const ik_label_spot *spot, int n);
void          ik_labels_free(ik_labels *l);
