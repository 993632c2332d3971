#include "report/plot.h"
#include <math.h>
#include <string.h>

const ik_rgb         ik_plot_paper = {255, 255, 255}, ik_plot_ink = {38, 42, 48};
const ik_rgb         ik_plot_faint = {226, 229, 233};
const ik_font        ik_plot_font = {10, 1.35};
static const ik_rgb  grey = {92, 98, 106};
static const ik_font title_font = {12, 1.9}, caption_font = {9.2, 1.2};

enum { EDGE = 16, TICK = 5, GAP = 6, TITLE_LINE = 22, CAPTION_LINE = 18, NAME_ROOM = 24 };

static bool has_name(const ik_plot_axis *a) {
  return (a->name && *a->name) || (a->unit && *a->unit) || a->ticks.exponent;
}

double ik_plot_label_width(const ik_ticks *t) {
  double w = 0;
  for (int i = 0; i < t->n; i++) w = fmax(w, ik_font_width(ik_plot_font, t->label[i]));
  return w;
}

/* Bytes of `text` that fit on a line of `width`: up to the last space before, or else one word. */
static size_t line_length(ik_font f, const char *text, double width) {
  size_t best = 0;
  for (size_t end = 0;; end++) {
    if (text[end] && text[end] != ' ') continue;
    char   line[512];
    size_t n = end < sizeof line ? end : sizeof line - 1;
    memcpy(line, text, n), line[n] = 0;
    if (best && ik_font_width(f, line) > width) return best;
    best = end;
    if (!text[end] || end >= sizeof line) return best;
  }
}

/* Writes `text` in lines, the first with its baseline at `y`, and returns their number; with no
 * canvas it only counts. */
static int write_lines(ik_canvas *c, ik_font f, ik_rgb colour, double x, double y, double step,
                       double width, const char *text) {
  int n = 0;
  for (; *text; n++) {
    size_t len = line_length(f, text, width), keep = len < 511 ? len : 511;
    char   line[512];
    memcpy(line, text, keep), line[keep] = 0;
    if (c) ik_font_draw(c, f, (ik_font_place){.x = x, .y = y + n * step}, colour, line);
    text += len;
    while (*text == ' ') text++;
  }
  return n;
}

static int ticks_for(int pixels, int each) {
  int n = pixels / each;
  return n < 2 ? 2 : n > 12 ? 12 : n;
}

/* As many ticks as leave room between their labels. */
static void spread_ticks(ik_plot_axis *a, int pixels) {
  for (int want = ticks_for(pixels, 90); want >= 1; want--) {
    ik_axis_ticks(a->lo, a->hi, want, a->whole, &a->ticks);
    if (a->ticks.n * (ik_plot_label_width(&a->ticks) + 14) < pixels) return;
  }
}

ik_status ik_plot_open(ik_plot *p, int w, int h, ik_diag *d) {
  const char *title = p->title ? p->title : "";
  spread_ticks(&p->x, w);
  ik_axis_ticks(p->y.lo, p->y.hi, ticks_for(h, 60), p->y.whole, &p->y.ticks);
  int left =
      EDGE + (has_name(&p->y) ? NAME_ROOM : 0) + (int)ik_plot_label_width(&p->y.ticks) + TICK + GAP;
  int width = left + w + EDGE + p->right, room = width - left - EDGE;
  int ntitle = write_lines(NULL, title_font, ik_plot_ink, 0, 0, 0, room, title);
  int ncaption = write_lines(NULL, caption_font, grey, 0, 0, 0, room, p->caption);
  int top = EDGE + ntitle * TITLE_LINE + (ntitle ? 2 : 0);
  int below = TICK + GAP + 12 + (has_name(&p->x) ? NAME_ROOM : 0);
  int height = top + h + below + (ncaption ? 8 : 0) + ncaption * CAPTION_LINE + EDGE;
  if (!ik_canvas_init(&p->canvas, width, height, ik_plot_paper))
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN,
                   "no memory for a picture of %d × %d pixels", width, height);
  p->in = (ik_box2){left, top, left + w, top + h};
  write_lines(&p->canvas, title_font, ik_plot_ink, left, EDGE + 12, TITLE_LINE, room, title);
  write_lines(&p->canvas, caption_font, grey, left, top + h + below + 8 + 10, CAPTION_LINE, room,
              p->caption);
  return IK_OK;
}

void ik_plot_close(ik_plot *p) { ik_canvas_free(&p->canvas); }

static double along(const ik_plot_axis *a, double v, double first, double last) {
  double t = ik_axis_fraction(v, a->lo, a->hi);
  return a->backwards ? last + t * (first - last) : first + t * (last - first);
}

double ik_plot_px(const ik_plot *p, double x) { return along(&p->x, x, p->in.x0, p->in.x1); }
double ik_plot_py(const ik_plot *p, double y) { return along(&p->y, y, p->in.y1, p->in.y0); }

void ik_plot_grid(ik_plot *p) {
  for (int i = 0; i < p->x.ticks.n; i++) {
    int x = (int)ik_plot_px(p, p->x.ticks.at[i]);
    ik_canvas_fill(&p->canvas, (ik_box2){x, p->in.y0, x + 1, p->in.y1}, ik_plot_faint);
  }
  for (int i = 0; i < p->y.ticks.n; i++) {
    int y = (int)ik_plot_py(p, p->y.ticks.at[i]);
    ik_canvas_fill(&p->canvas, (ik_box2){p->in.x0, y, p->in.x1, y + 1}, ik_plot_faint);
  }
}

static void draw_x_axis(ik_plot *p) {
  ik_canvas *c = &p->canvas;
  int        base = p->in.y1 + TICK + GAP + 10;
  for (int i = 0; i < p->x.ticks.n; i++) {
    int           x = (int)ik_plot_px(p, p->x.ticks.at[i]);
    ik_font_place at = {.x = x + 0.5, .y = base, .align = 0.5};
    ik_canvas_fill(c, (ik_box2){x, p->in.y1, x + 1, p->in.y1 + TICK + 1}, ik_plot_ink);
    ik_font_draw(c, ik_plot_font, at, ik_plot_ink, p->x.ticks.label[i]);
  }
  ik_buf name = {0};
  ik_axis_title(&name, p->x.name, p->x.unit, p->x.ticks.exponent);
  ik_font_place at = {.x = (p->in.x0 + p->in.x1) / 2.0, .y = base + NAME_ROOM - 2, .align = 0.5};
  ik_font_draw(c, ik_plot_font, at, ik_plot_ink, ik_buf_text(&name));
  p->failed |= name.failed;
  ik_buf_free(&name);
}

static void draw_y_axis(ik_plot *p) {
  ik_canvas *c = &p->canvas;
  for (int i = 0; i < p->y.ticks.n; i++) {
    int           y = (int)ik_plot_py(p, p->y.ticks.at[i]);
    ik_font_place at = {.x = p->in.x0 - TICK - GAP, .y = y + 5, .align = 1};
    ik_canvas_fill(c, (ik_box2){p->in.x0 - TICK - 1, y, p->in.x0, y + 1}, ik_plot_ink);
    ik_font_draw(c, ik_plot_font, at, ik_plot_ink, p->y.ticks.label[i]);
  }
  ik_buf name = {0};
  ik_axis_title(&name, p->y.name, p->y.unit, p->y.ticks.exponent);
  ik_font_place at = {.x = EDGE + 10, .y = (p->in.y0 + p->in.y1) / 2.0, .align = 0.5, .up = true};
  ik_font_draw(c, ik_plot_font, at, ik_plot_ink, ik_buf_text(&name));
  p->failed |= name.failed;
  ik_buf_free(&name);
}

void ik_plot_axes(ik_plot *p) {
  ik_canvas_frame(&p->canvas, p->in, ik_plot_ink);
  draw_x_axis(p);
  draw_y_axis(p);
}
