#include "report/label.h"
#include "base/mem.h"
#include "report/draw.h"
#include <math.h>
#include <string.h>

enum { MOST = 20000, LINE_STEP = 6 };

void ik_label_take(ik_labels *l, ik_label_box b) {
  if (l->n == l->cap) {
    int   cap = l->cap ? 2 * l->cap : 128;
    void *taken = cap <= MOST ? ik_realloc(l->taken, (size_t)cap * sizeof *l->taken) : NULL;
    if (!taken) return;
    l->taken = taken, l->cap = cap;
  }
  l->taken[l->n++] = b;
}

/* As a row of small boxes. */
void ik_label_take_line(ik_labels *l, double x0, double y0, double x1, double y1) {
  double steps = fmin(ceil(hypot(x1 - x0, y1 - y0) / LINE_STEP), 1000), half = LINE_STEP / 2.0;
  for (double i = 0; i <= steps; i++) {
    double x = x0 + (x1 - x0) * i / fmax(steps, 1), y = y0 + (y1 - y0) * i / fmax(steps, 1);
    ik_label_take(l, (ik_label_box){x - half, y - 1, x + half, y + 1});
  }
}

static ik_label_box box_of(const char *text, const ik_label_spot *s) {
  double w = ik_draw_text_width(text);
  double x = !strcmp(s->anchor, "end")      ? s->x - w
             : !strcmp(s->anchor, "middle") ? s->x - w / 2
                                            : s->x;
  return (ik_label_box){x, s->y - 10, x + w, s->y + 3};
}

static double area(ik_label_box b) { return fmax(b.x1 - b.x0, 0) * fmax(b.y1 - b.y0, 0); }

static double common(ik_label_box a, ik_label_box b) {
  if (a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 || b.y1 <= a.y0) return 0;
  return area(
      (ik_label_box){fmax(a.x0, b.x0), fmax(a.y0, b.y0), fmin(a.x1, b.x1), fmin(a.y1, b.y1)});
}

/* What lies outside is lost, what covers something can often be read still. */
static double covered(const ik_labels *l, ik_label_box b) {
  double sum = 4 * (area(b) - common(b, l->inside));
  for (int i = 0; i < l->n; i++) sum += common(b, l->taken[i]);
  return sum;
}

ik_label_spot ik_label_place(ik_labels *l, const char *text, const ik_label_spot *spot, int n) {
  int    best = 0;
  double least = INFINITY;
  for (int i = 0; i < n; i++) {
    double v = covered(l, box_of(text, &spot[i]));
    if (v < least - 1e-6) least = v, best = i;
  }
  ik_label_take(l, box_of(text, &spot[best]));
  return spot[best];
}

void ik_labels_free(ik_labels *l) {
  ik_free(l->taken);
  *l = (ik_labels){0};
}
