#include "apps/study/windows.h"
#include "report/html.h"
#include "report/svg.h"
#include "targets/simulated/nero/published.h"
#include <stdio.h>

typedef struct cloud { /* designs as points: share of the device in percent, million cells a second
                        */
  double *x, *y;
  int     n;
} cloud;

static void add_design(const ik_nero_work *w, const ik_nero_board *b, const ik_nero_design *x,
                       cloud *c) {
  if (!(x->cycles > 0)) return;
  c->x[c->n] = 100 * x->share;
  c->y[c->n++] = ik_nero_design_rate(w, b, x) / 1e6;
}

static cloud room(int n, ik_arena *a) {
  return (cloud){IK_NEW_N(a, double, n + 1), IK_NEW_N(a, double, n + 1), 0};
}

static void draw(const char *title, const char *window, const cloud *all, const cloud *front,
                 const cloud *published, ik_buf *page) {
  ik_series s[] = {{.name = "all windows",
                    .x = all->x,
                    .y = all->y,
                    .n = all->n,
                    .mark = IK_MARK_RING,
                    .faint = true},
                   {.name = "the front", .x = front->x, .y = front->y, .n = front->n, .colour = 2},
                   {.name = window,
                    .x = published->x,
                    .y = published->y,
                    .n = published->n,
                    .mark = IK_MARK_DOT,
                    .colour = 3}};
  ik_chart  chart = {.title = title,
                     .x_name = "share of the scarcest resource",
                     .x_unit = "%",
                     .y_name = "million cells a second",
                     .log_x = true,
                     .series = s,
                     .nseries = 3};
  ik_buf    svg = {0};
  ik_svg_lines(&chart, &svg);
  ik_html_svg(page, ik_buf_text(&svg), NULL);
  page->failed |= svg.failed;
  ik_buf_free(&svg);
}

static bool draw_kernel(ik_nero_known k, int bits, const ik_nero_board *b, ik_arena *a,
                        ik_buf *page) {
  ik_nero_work    w = ik_nero_known_work(k, bits, a);
  const int64_t  *size = ik_nero_known_window(k, bits);
  ik_nero_windows found;
  ik_nero_design  theirs;
  char            title[80], window[80];
  if (!ik_nero_search(&w, b, -1, a, &found)) return false;
  cloud all = room(found.n, a), front = room(found.nfront, a), published = room(1, a);
  for (int i = 0; i < found.n; i++) add_design(&w, b, &found.design[i], &all);
  for (int i = 0; i < found.nfront; i++) add_design(&w, b, &found.design[found.front[i]], &front);
  ik_nero_design_of(&w, b, size, &theirs);
  if (!ik_nero_design_simulate(&w, b, 1, &theirs)) return false;
  add_design(&w, b, &theirs, &published);
  snprintf(title, sizeof title, "%s, f%d: one element, %d windows",
           k == IK_NERO_HDIFF ? "hdiff" : "vadvc", bits, found.n);
  snprintf(window, sizeof window, "published: %lldx%lldx%lld", (long long)size[0],
           (long long)size[1], (long long)size[2]);
  draw(title, window, &all, &front, &published, page);
  return true;
}

ik_status ik_windows_draw(const ik_machine *m, ik_arena *a, ik_diag *d, ik_buf *page) {
  ik_nero_board b;
  bool          fine = true;
  IK_TRY(ik_nero_board_of(m, d, &b));
  for (int k = IK_NERO_HDIFF; k <= IK_NERO_VADVC; k++)
    for (int bits = 32; bits >= 16 && fine; bits /= 2)
      fine = draw_kernel((ik_nero_known)k, bits, &b, a, page);
  return fine ? IK_OK
              : ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the windows");
}
