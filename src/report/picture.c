#include "report/picture.h"
#include "base/mem.h"
#include "io/file.h"
#include "io/png.h"
#include "report/plot.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const ik_rgb not_finite = {255, 0, 255};

typedef struct picture {
  const ik_picture_spec *spec;
  ik_grid                g;
  ik_range               r;
  ik_plot                plot;
  ik_buf                 caption;
} picture;

/* ---- captions ---- */

static void note(ik_buf *b, const char *text) {
  if (!text || !*text) return;
  if (b->len) ik_buf_puts(b, " · ");
  ik_buf_puts(b, text);
}

static void note_range(ik_buf *b, const ik_range *r) {
  if (!r->cut_below && !r->cut_above) return;
  note(b, "range cut; the data reach ");
  if (r->cut_below) ik_axis_number(b, r->least);
  if (r->cut_below && r->cut_above) ik_buf_puts(b, " and ");
  if (r->cut_above) ik_axis_number(b, r->greatest);
}

static void note_data(ik_buf *b, const ik_range *r) {
  note_range(b, r);
  if (r->least == r->greatest) {
    note(b, "constant: ");
    ik_axis_number(b, r->least);
  }
  if (!r->bad) return;
  if (b->len) ik_buf_puts(b, " · ");
  ik_buf_printf(b, "%lld cell%s not finite", (long long)r->bad, r->bad == 1 ? "" : "s");
}

/* ---- heat map: size ---- */

static bool in_cells(const ik_picture_axis *a, int64_t n) { /* no usable coordinates */
  double extent = a->spacing * (double)n;
  return !(a->spacing > 0) || !isfinite(a->origin) || !isfinite(extent) ||
         extent < 1e-9 * fabs(a->origin) || extent < 1e-300;
}

static ik_plot_axis plot_axis(const ik_picture_axis *a, int64_t numbers) {
  int64_t      n = a->cells ? a->cells : numbers;
  bool         cells = in_cells(a, n);
  double       origin = cells ? 0 : a->origin, spacing = cells ? 1 : a->spacing;
  ik_plot_axis p = {.name = a->name, .unit = cells ? NULL : a->unit, .whole = cells};
  p.lo = origin - 0.5 * spacing;
  p.hi = origin + ((double)n - 0.5) * spacing;
  return p;
}

static bool same_unit(const ik_plot_axis *a, const ik_plot_axis *b) {
  return !strcmp(a->unit ? a->unit : "", b->unit ? b->unit : "");
}

/* Width over height of the data, and whether that distorts them. */
static double shape(const ik_plot_axis *x, const ik_plot_axis *y, bool *distorted) {
  const double extreme = 4;
  *distorted = false;
  if (!same_unit(x, y)) return 4.0 / 3;
  double r = (x->hi - x->lo) / (y->hi - y->lo);
  *distorted = r > extreme || r < 1 / extreme;
  return r > extreme ? extreme : r < 1 / extreme ? 1 / extreme : r;
}

/* Pixels for n cells: whole blocks where there is room. */
static int long_side(int64_t n, int most) { return n > most ? most : (int)(n * (most / n)); }

static int short_side(int64_t n, double want) {
  double blocks = floor(want / (double)n + 0.5) * (double)n;
  return (int)(fabs(blocks - want) <= 0.08 * want ? blocks : floor(want + 0.5));
}

static void data_size(const ik_grid *g, double ratio, int *w, int *h) {
  int most = ratio > 1.3 ? 960 : 800;
  if (ratio >= 1) {
    *w = long_side(g->nx, most);
    *h = short_side(g->ny, *w / ratio);
  } else {
    *h = long_side(g->ny, most);
    *w = short_side(g->nx, *h * ratio);
  }
}

/* ---- heat map: cells to pixels ---- */

typedef struct span { /* the cells under one row or column of pixels */
  int64_t first, last;
  double  begin, end; /* in cells */
} span;

static span span_of(int pixel, int pixels, int64_t cells, bool flip) {
  int    i = flip ? pixels - 1 - pixel : pixel;
  double scale = (double)cells / pixels;
  span   s = {.begin = i * scale, .end = (i + 1) * scale};
  s.first = (int64_t)s.begin;
  s.last = (int64_t)ceil(s.end) - 1;
  if (s.last >= cells) s.last = cells - 1;
  if (s.last < s.first) s.last = s.first;
  return s;
}

static double weight(const span *s, int64_t i) {
  return fmin(s->end, (double)i + 1) - fmax(s->begin, (double)i);
}

typedef struct painter {
  const ik_grid  *g;
  const ik_range *r;
  ik_rgb          table[IK_COLOUR_STEPS];
} painter;

static ik_rgb colour_at(const painter *p, double t) {
  double i = floor(t * IK_COLOUR_STEPS);
  return p->table[i < 0 ? 0 : i >= IK_COLOUR_STEPS ? IK_COLOUR_STEPS - 1 : (int)i];
}

/* The mean of the cells under a pixel; one cell that is not finite shows through. */
static ik_rgb pixel_of_values(const painter *p, const span *sx, const span *sy) {
  double sum = 0, area = 0;
  for (int64_t y = sy->first; y <= sy->last; y++)
    for (int64_t x = sx->first; x <= sx->last; x++) {
      double v = ik_grid_at(p->g, x, y), w = weight(sx, x) * weight(sy, y);
      if (!isfinite(v)) return not_finite;
      double t = ik_axis_fraction(v, p->r->lo, p->r->hi);
      sum += w * fmin(fmax(t, -1e6), 1e6);
      area += w;
    }
  return colour_at(p, sum / area);
}

/* Classes have no mean; their colours do. */
static ik_rgb pixel_of_classes(const painter *p, const span *sx, const span *sy) {
  double r = 0, g = 0, b = 0, area = 0;
  for (int64_t y = sy->first; y <= sy->last; y++)
    for (int64_t x = sx->first; x <= sx->last; x++) {
      double v = ik_grid_at(p->g, x, y), w = weight(sx, x) * weight(sy, y);
      if (!isfinite(v)) return not_finite;
      ik_rgb c = p->table[ik_range_class(p->r, v)];
      r += w * c.r, g += w * c.g, b += w * c.b, area += w;
    }
  return (ik_rgb){(uint8_t)(r / area + 0.5), (uint8_t)(g / area + 0.5), (uint8_t)(b / area + 0.5)};
}

static void paint_cells(const painter *p, ik_plot *plot) {
  ik_box2 in = plot->in;
  int     w = in.x1 - in.x0, h = in.y1 - in.y0;
  bool    classes = p->r->kind == IK_COLOUR_QUALITATIVE;
  for (int y = 0; y < h; y++) {
    span    sy = span_of(y, h, p->g->ny, !plot->y.backwards);
    ik_rgb *row = plot->canvas.pixel + (size_t)(in.y0 + y) * (size_t)plot->canvas.w + in.x0;
    for (int x = 0; x < w; x++) {
      span sx = span_of(x, w, p->g->nx, false);
      row[x] = classes ? pixel_of_classes(p, &sx, &sy) : pixel_of_values(p, &sx, &sy);
    }
  }
}

static void mix_colours(painter *p) {
  if (p->r->kind != IK_COLOUR_QUALITATIVE)
    ik_colour_table(p->r->kind, p->table);
  else
    for (int i = 0; i < p->r->nclass; i++) p->table[i] = ik_colour_class(i);
}

/* ---- heat map: colour bar ---- */

enum { BAR_GAP = 22, BAR = 18, TIP = 12, LABEL_GAP = 11, NAME_GAP = 24 };

/* A triangle above (up = -1) or below (+1) the bar says that values go on. */
static void draw_tip(ik_canvas *c, int x, int y, int up, ik_rgb colour) {
  double tip = y + up * TIP, mid = x + BAR / 2.0;
  for (int i = 0; i < TIP; i++) {
    int inset = i * BAR / (2 * TIP), row = up < 0 ? y - 1 - i : y + i;
    ik_canvas_fill(c, (ik_box2){x + inset, row, x + BAR - inset, row + 1}, colour);
  }
  ik_canvas_stroke(c, x - 0.5, y, mid, tip, 1);
  ik_canvas_stroke(c, x + BAR + 0.5, y, mid, tip, 1);
  ik_canvas_ink(c, ik_plot_ink);
}

static void draw_bar_ticks(picture *pic, ik_box2 bar, const ik_ticks *t) {
  ik_canvas *c = &pic->plot.canvas;
  for (int i = 0; i < t->n; i++) {
    double f = ik_axis_fraction(t->at[i], pic->r.lo, pic->r.hi);
    int    y = (int)(bar.y1 - f * (bar.y1 - bar.y0));
    y = y >= bar.y1 ? bar.y1 - 1 : y;
    ik_canvas_fill(c, (ik_box2){bar.x1, y, bar.x1 + 6, y + 1}, ik_plot_ink);
    ik_font_place at = {.x = bar.x1 + LABEL_GAP, .y = y + 5};
    ik_font_draw(c, ik_plot_font, at, ik_plot_ink, t->label[i]);
  }
}

static const char *value_name(const picture *p) { return p->spec->name ? p->spec->name : ""; }

static void draw_value_name(picture *pic, int x, int exponent) {
  ik_box2       in = pic->plot.in;
  ik_buf        name = {0};
  ik_font_place at = {.x = x, .y = (in.y0 + in.y1) / 2.0, .align = 0.5, .up = true};
  ik_axis_title(&name, pic->spec->name, pic->spec->unit, exponent);
  ik_font_draw(&pic->plot.canvas, ik_plot_font, at, ik_plot_ink, ik_buf_text(&name));
  pic->plot.failed |= name.failed;
  ik_buf_free(&name);
}

static void draw_bar(picture *pic, const painter *p, const ik_ticks *t) {
  ik_canvas *c = &pic->plot.canvas;
  ik_box2    in = pic->plot.in;
  ik_box2    bar = {in.x1 + BAR_GAP, in.y0, in.x1 + BAR_GAP + BAR, in.y1};
  if (pic->r.cut_above) bar.y0 += TIP;
  if (pic->r.cut_below) bar.y1 -= TIP;
  for (int y = bar.y0; y < bar.y1; y++) {
    double f = (bar.y1 - y - 0.5) / (bar.y1 - bar.y0);
    ik_canvas_fill(c, (ik_box2){bar.x0, y, bar.x1, y + 1}, colour_at(p, f));
  }
  ik_canvas_frame(c, bar, ik_plot_ink);
  if (pic->r.cut_above) draw_tip(c, bar.x0, bar.y0, -1, colour_at(p, 1));
  if (pic->r.cut_below) draw_tip(c, bar.x0, bar.y1, 1, colour_at(p, 0));
  draw_bar_ticks(pic, bar, t);
  draw_value_name(pic, bar.x1 + LABEL_GAP + (int)ik_plot_label_width(t) + NAME_GAP, t->exponent);
}

enum { CLASS_STEP = BAR + 8 };

static void draw_classes(picture *pic, const painter *p, const ik_ticks *t) {
  ik_canvas    *c = &pic->plot.canvas;
  int           x = pic->plot.in.x1 + BAR_GAP, y = pic->plot.in.y0;
  ik_font_place name = {.x = x, .y = y + 10};
  ik_font_draw(c, ik_plot_font, name, ik_plot_ink, value_name(pic));
  if (*value_name(pic)) y += CLASS_STEP;
  for (int i = 0; i < pic->r.nclass; i++, y += CLASS_STEP) {
    ik_box2       swatch = {x, y, x + BAR, y + BAR};
    ik_font_place at = {.x = x + BAR + LABEL_GAP, .y = y + BAR / 2.0 + 5};
    ik_canvas_fill(c, swatch, p->table[i]);
    ik_canvas_frame(c, swatch, ik_plot_ink);
    ik_font_draw(c, ik_plot_font, at, ik_plot_ink, t->label[i]);
  }
}

static void bar_ticks(const ik_range *r, int height, ik_ticks *t) {
  int want = height / 60 < 3 ? 3 : height / 60 > 9 ? 9 : height / 60;
  if (r->kind != IK_COLOUR_QUALITATIVE) {
    ik_axis_ticks(r->lo, r->hi, want, false, t);
    return;
  }
  *t = (ik_ticks){.n = r->nclass};
  for (int i = 0; i < r->nclass; i++)
    snprintf(t->label[i], sizeof t->label[i], "%d", (int)r->class[i]);
}

static int room_for_bar(const picture *pic, const ik_ticks *t) {
  double labels = BAR + LABEL_GAP + ik_plot_label_width(t);
  bool   named = *value_name(pic) || (pic->spec->unit && *pic->spec->unit) || t->exponent;
  if (pic->r.kind != IK_COLOUR_QUALITATIVE) return BAR_GAP + (int)labels + (named ? NAME_GAP : 0);
  return BAR_GAP + (int)fmax(labels, ik_font_width(ik_plot_font, value_name(pic)));
}

static ik_status draw_heat(picture *pic, ik_diag *d) {
  painter  p = {.g = &pic->g, .r = &pic->r};
  ik_plot *plot = &pic->plot;
  ik_ticks t;
  bool     distorted;
  int      w, h;
  plot->x = plot_axis(&pic->spec->x, pic->g.nx);
  plot->y = plot_axis(&pic->spec->y, pic->g.ny);
  plot->y.backwards = pic->spec->y_down;
  data_size(&pic->g, shape(&plot->x, &plot->y, &distorted), &w, &h);
  if (distorted) note(&pic->caption, "axes not to the same scale");
  bar_ticks(&pic->r, h, &t);
  plot->right = room_for_bar(pic, &t);
  plot->caption = ik_buf_text(&pic->caption);
  IK_TRY(ik_plot_open(plot, w, h, d));
  mix_colours(&p);
  paint_cells(&p, plot);
  ik_plot_axes(plot);
  if (pic->r.kind == IK_COLOUR_QUALITATIVE)
    draw_classes(pic, &p, &t);
  else
    draw_bar(pic, &p, &t);
  return IK_OK;
}

/* ---- line plot ---- */

typedef struct group { /* neighbouring cells that share a pixel column */
  double first, last, least, greatest;
  bool   any;
} group;

static group group_of(const ik_grid *g, int64_t from, int64_t to) {
  group out = {0};
  for (int64_t i = from; i < to; i++) {
    double v = ik_grid_at(g, i, 0);
    if (!isfinite(v)) continue;
    if (!out.any) out = (group){v, v, v, v, true};
    out.last = v, out.least = fmin(out.least, v), out.greatest = fmax(out.greatest, v);
  }
  return out;
}

/* Long arrays are drawn as the range of values in each quarter of a pixel: the same picture as with
 * all of them, in bounded time. */
static void draw_curve(ik_plot *p, const ik_grid *g, double x0, double dx) {
  const double width = 1.6;
  int64_t      each = 1 + (g->nx - 1) / (4 * (p->in.x1 - p->in.x0));
  bool         dots = g->nx <= 50;
  group        before = {0};
  double       px_before = 0;
  ik_canvas_clip(&p->canvas, p->in);
  for (int64_t i = 0; i < g->nx; i += each) {
    int64_t end = i + each < g->nx ? i + each : g->nx;
    group   now = group_of(g, i, end);
    double px = ik_plot_px(p, x0 + dx * ((double)(i + end - 1) / 2)), py = ik_plot_py(p, now.first);
    if (now.any && before.any)
      ik_canvas_stroke(&p->canvas, px_before, ik_plot_py(p, before.last), px, py, width);
    if (now.any)
      ik_canvas_stroke(&p->canvas, px, ik_plot_py(p, now.least), px, ik_plot_py(p, now.greatest),
                       dots ? 5 : width);
    before = now, px_before = px;
  }
  ik_canvas_ink(&p->canvas, ik_colour_line(0, false));
  ik_canvas_unclip(&p->canvas);
}

static ik_status draw_line(picture *pic, ik_diag *d) {
  bool                   column = pic->g.nx == 1;
  const ik_picture_axis *a = column ? &pic->spec->y : &pic->spec->x;
  ik_grid                g = pic->g;
  if (column) g = (ik_grid){g.v, g.ny, 1, g.stride_y, g.stride_x};
  ik_plot *plot = &pic->plot;
  double   room = pic->spec->limited ? 0 : pic->r.hi / 20 - pic->r.lo / 20;
  plot->x = plot_axis(a, g.nx);
  plot->y = (ik_plot_axis){.name = pic->spec->name, .unit = pic->spec->unit};
  plot->y.lo = pic->r.lo - room, plot->y.hi = pic->r.hi + room;
  plot->caption = ik_buf_text(&pic->caption);
  plot->right = 8;
  IK_TRY(ik_plot_open(plot, 760, 400, d));
  ik_plot_grid(plot);
  double spacing = (plot->x.hi - plot->x.lo) / (double)g.nx;
  draw_curve(plot, &g, plot->x.lo + spacing / 2, spacing);
  ik_plot_axes(plot);
  return IK_OK;
}

/* ---- all ---- */

static ik_status check_grid(const ik_picture_spec *spec, ik_grid *g, ik_diag *d) {
  *g = spec->grid;
  if (g->nx < 1 || g->ny < 1 || !g->v)
    return ik_error(d, IK_E022, IK_NOSPAN, "nothing to draw: the picture has %lld × %lld cells",
                    (long long)g->nx, (long long)g->ny);
  if (!g->stride_x) g->stride_x = 1;
  if (!g->stride_y) g->stride_y = g->nx;
  return IK_OK;
}

/* Only what cannot be shown is told of one picture of a film. */
static void use_range(ik_range *r, const ik_range *of_film) {
  int64_t bad = r->bad;
  *r = *of_film, r->bad = bad;
}

static ik_status draw(picture *pic, ik_diag *d) {
  const ik_picture_spec *s = pic->spec;
  const double           limits[2] = {s->lo, s->hi};
  IK_TRY(check_grid(s, &pic->g, d));
  bool           line = (pic->g.nx == 1) != (pic->g.ny == 1);
  ik_colour_kind kind = line ? IK_COLOUR_SEQUENTIAL : s->kind;
  IK_TRY(ik_range_find(&pic->g, kind, s->limited ? limits : NULL, &pic->r, d));
  if (s->range) use_range(&pic->r, s->range);
  note(&pic->caption, s->caption);
  note_data(&pic->caption, &pic->r);
  pic->plot.title = s->title;
  return line ? draw_line(pic, d) : draw_heat(pic, d);
}

static ik_status out_of_memory(ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for a picture");
}

ik_status ik_picture_pixels(const ik_picture_spec *spec, ik_canvas *out, ik_box2 *data,
                            ik_diag *d) {
  picture   pic = {.spec = spec};
  ik_status s = draw(&pic, d);
  if (!s && (pic.caption.failed || pic.plot.failed)) s = out_of_memory(d);
  ik_buf_free(&pic.caption);
  if (s) ik_plot_close(&pic.plot);
  *out = pic.plot.canvas, *data = pic.plot.in;
  return s;
}

_Static_assert(sizeof(ik_rgb) == 3, "pixels are the bytes of the PNG encoder");

ik_status ik_picture_draw(const ik_picture_spec *spec, ik_buf *png, ik_diag *d) {
  ik_canvas c;
  ik_box2   data;
  IK_TRY(ik_picture_pixels(spec, &c, &data, d));
  bool ok = ik_png_encode(c.w, c.h, (const uint8_t *)c.pixel, png);
  ik_canvas_free(&c);
  return ok ? IK_OK : out_of_memory(d);
}

ik_status ik_picture_write(const ik_picture_spec *spec, const char *path, ik_diag *d) {
  ik_buf    png = {0};
  ik_status s = ik_picture_draw(spec, &png, d);
  if (!s) s = ik_file_write(path, png.data, png.len, d);
  ik_buf_free(&png);
  return s;
}
