#include "report/svg.h"
#include "base/text.h"
#include "report/axis.h"
#include "report/colour.h"
#include "report/draw.h"
#include "report/label.h"
#include <math.h>

/* ---- style ---- */

enum { COLOURS = 8 };

static void palette(ik_buf *b, bool dark) {
  ik_buf_puts(b, dark ? "svg.ik{--ink:#d8dce2;--faint:#363c45;--paper:#16191e;"
                      : "svg.ik{--ink:#262a30;--faint:#e2e5e9;--paper:#fff;");
  for (int i = 0; i < COLOURS; i++) {
    ik_rgb c = ik_colour_line(i, dark);
    ik_buf_printf(b, "--s%d:#%02x%02x%02x;", i + 1, c.r, c.g, c.b);
  }
  ik_buf_puts(b, "}\n");
}

void ik_svg_css(ik_buf *b) {
  palette(b, false);
  ik_buf_puts(b, "@media(prefers-color-scheme:dark){");
  palette(b, true);
  ik_buf_puts(b, "}\n");
  for (int i = 1; i <= COLOURS; i++) ik_buf_printf(b, ".ik .s%d{color:var(--s%d)}", i, i);
  ik_buf_puts(b, "\nsvg.ik{max-width:100%;height:auto;background:var(--paper)}"
                 ".ik text{font:12px system-ui,sans-serif;fill:var(--ink)}"
                 ".ik .title{font-size:14px;font-weight:600}"
                 ".ik .halo{paint-order:stroke;stroke:var(--paper);stroke-width:4px}\n"
                 ".ik .grid{stroke:var(--faint);fill:none}"
                 ".ik .frame{stroke:var(--ink);fill:none;stroke-width:1}"
                 ".ik .line{stroke:currentColor;fill:none;stroke-width:1.7;stroke-linejoin:round}"
                 ".ik .dash{stroke-dasharray:6 4}"
                 ".ik .dot{fill:currentColor;stroke:var(--paper)}"
                 ".ik .ring{fill:var(--paper);stroke:currentColor;stroke-width:1.7}"
                 ".ik .area{fill:currentColor;stroke:none}"
                 ".ik .band{fill:currentColor;stroke:none;opacity:.16}"
                 ".ik .faint{opacity:.4}"
                 ".ik .thin{stroke-width:.8}\n");
}

/* ---- scales and axes ---- */

typedef struct scale {
  double   lo, hi;      /* of the data, or of their logarithms */
  double   first, last; /* in pixels */
  bool     log;
  ik_ticks ticks;
} scale;

typedef struct sheet {
  ik_buf *out;
  scale   x, y;
} sheet;

static bool shows(const scale *s, double v) { return isfinite(v) && (!s->log || v > 0); }

static double place(const scale *s, double v) {
  double t = ik_axis_fraction(s->log ? log10(v) : v, s->lo, s->hi);
  return s->first + fmin(fmax(t, -10), 10) * (s->last - s->first);
}

static void include(scale *s, double v) {
  double u = s->log ? log10(v) : v;
  s->lo = fmin(s->lo, u), s->hi = fmax(s->hi, u);
}

static void finish_scale(scale *s, int want, bool margin) {
  want = want < 2 ? 2 : want > 12 ? 12 : want;
  if (s->log && !(s->hi - s->lo > 0.3)) s->lo -= 0.5, s->hi += 0.5;
  ik_axis_widen(&s->lo, &s->hi);
  double room = margin ? (s->hi / 20 - s->lo / 20) : 0;
  if (!s->log && s->lo >= 0 && s->lo < 0.5 * s->hi && margin)
    s->lo = 0;
  else
    s->lo -= room;
  s->hi += room;
  if (s->log) s->lo = fmax(s->lo, -305), s->hi = fmin(s->hi, 305); /* 10^lo and 10^hi exist */
  if (s->log)
    ik_axis_ticks_log(pow(10, s->lo), pow(10, s->hi), want, &s->ticks);
  else
    ik_axis_ticks(s->lo, s->hi, want, false, &s->ticks);
}

static double widest_label(const ik_ticks *t) {
  double w = 0;
  for (int i = 0; i < t->n; i++) w = fmax(w, ik_draw_text_width(t->label[i]));
  return w;
}

static void grid_line(ik_buf *b, double x0, double y0, double x1, double y1) {
  ik_buf_printf(b, "<path class=\"grid\" d=\"M%.1f %.1fL%.1f %.1f\"/>", x0, y0, x1, y1);
}

static void draw_ticks(const sheet *s, bool x_on_top) {
  const scale *x = &s->x, *y = &s->y;
  double       top = fmin(y->first, y->last), bottom = fmax(y->first, y->last);
  for (int i = 0; i < x->ticks.n; i++) {
    double px = place(x, x->ticks.at[i]);
    grid_line(s->out, px, top, px, bottom);
    ik_draw_text(s->out, px, x_on_top ? top - 7 : bottom + 17, "middle", "", x->ticks.label[i]);
  }
  for (int i = 0; i < y->ticks.n; i++) {
    double py = place(y, y->ticks.at[i]);
    grid_line(s->out, x->first, py, x->last, py);
    ik_draw_text(s->out, x->first - 7, py + 4, "end", "", y->ticks.label[i]);
  }
}

static void draw_names(const sheet *s, const char *const x_name[2], const char *const y_name[2],
                       bool x_on_top) {
  ik_buf name = {0};
  char   turn[64];
  double mid = (s->y.first + s->y.last) / 2, top = fmin(s->y.first, s->y.last);
  ik_axis_title(&name, x_name[0], x_name[1], s->x.ticks.exponent);
  ik_draw_text(s->out, (s->x.first + s->x.last) / 2,
               x_on_top ? top - 25 : fmax(s->y.first, s->y.last) + 36, "middle", "",
               ik_buf_text(&name));
  ik_buf_free(&name);
  ik_axis_title(&name, y_name[0], y_name[1], s->y.ticks.exponent);
  ik_format(turn, sizeof turn, " transform=\"rotate(-90 14 %.1f)\"", mid);
  ik_draw_text(s->out, 14, mid + 4, "middle", turn, ik_buf_text(&name));
  s->out->failed |= name.failed;
  ik_buf_free(&name);
}

static void draw_frame(const sheet *s) {
  double top = fmin(s->y.first, s->y.last), bottom = fmax(s->y.first, s->y.last);
  ik_buf_printf(s->out,
                "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                s->x.first, top, s->x.last - s->x.first, bottom - top);
}

/* ---- legend ---- */

typedef struct legend { /* flows from left to right and wraps */
  ik_buf *out;          /* NULL: only measures */
  double  left, right, x, y;
} legend;

enum { LEGEND_LINE = 20, LEGEND_KEY = 22 };

/* Advances by one entry and tells where its key starts. */
static double legend_next(legend *l, const char *name) {
  double need = LEGEND_KEY + 6 + ik_draw_text_width(name) + 18;
  if (l->x > l->left && l->x + need > l->right) l->x = l->left, l->y += LEGEND_LINE;
  double x = l->x;
  l->x += need;
  if (l->out) ik_draw_text(l->out, x + LEGEND_KEY + 6, l->y + 4, "start", "", name);
  return x;
}

/* ---- line chart ---- */

static int colour_of(const ik_series *s, int place_in_chart) {
  int c = s->colour > 0 ? s->colour - 1 : place_in_chart;
  return c % COLOURS + 1;
}

static void open_group(ik_buf *b, const ik_series *s, int place_in_chart) {
  ik_buf_printf(b, "<g class=\"s%d%s\">", colour_of(s, place_in_chart), s->faint ? " faint" : "");
}

static void draw_arrow_head(ik_buf *b, double x0, double y0, double x1, double y1) {
  double len = hypot(x1 - x0, y1 - y0);
  if (!(len > 0)) return;
  double ux = 8 * (x1 - x0) / len, uy = 8 * (y1 - y0) / len;
  ik_buf_printf(b, "<path class=\"area\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>", x1, y1,
                x1 - ux - uy / 2.5, y1 - uy + ux / 2.5, x1 - ux + uy / 2.5, y1 - uy - ux / 2.5);
}

static void draw_mark(ik_buf *b, ik_mark m, double x, double y, const char *tip) {
  ik_buf_printf(b, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"",
                m == IK_MARK_DOT ? "dot" : "ring", x, y, m == IK_MARK_DOT ? "5" : "4.2");
  if (tip && *tip) {
    ik_buf_putc(b, '>');
    ik_draw_tip(b, tip);
    ik_buf_puts(b, "</circle>");
  } else
    ik_buf_puts(b, "/>");
}

/* Of a long series, the least and the greatest point of each group of neighbours, in order. */
static void draw_thinned(const sheet *sh, const ik_series *s, int from, int to, bool *down) {
  int least = -1, greatest = -1;
  for (int i = from; i < to; i++) {
    if (!shows(&sh->x, s->x[i]) || !shows(&sh->y, s->y[i])) {
      *down = false;
      continue;
    }
    if (least < 0 || s->y[i] < s->y[least]) least = i;
    if (greatest < 0 || s->y[i] > s->y[greatest]) greatest = i;
  }
  int first = least < greatest ? least : greatest, second = least < greatest ? greatest : least;
  for (int i = first; i >= 0; i = i < second ? second : -1) {
    ik_buf_printf(sh->out, "%c%.1f %.1f", *down ? 'L' : 'M', place(&sh->x, s->x[i]),
                  place(&sh->y, s->y[i]));
    *down = true;
  }
}

static const char *class_of(ik_mark m) {
  return m == IK_MARK_BAND ? "band" : m == IK_MARK_DASH ? "line dash" : "line";
}

static void draw_line(const sheet *sh, const ik_series *s) {
  int  each = s->mark == IK_MARK_BAND ? 1 : 1 + (s->n - 1) / 1000;
  bool down = false;
  ik_buf_printf(sh->out, "<path class=\"%s\" d=\"", class_of(s->mark));
  for (int i = 0; i < s->n; i += each)
    draw_thinned(sh, s, i, i + each < s->n ? i + each : s->n, &down);
  ik_buf_puts(sh->out, s->mark == IK_MARK_BAND && down ? "Z\"/>" : "\"/>");
}

static void draw_points(const sheet *sh, const ik_series *s) {
  double px = NAN, py = NAN;
  for (int i = 0; i < s->n; i++) {
    if (!shows(&sh->x, s->x[i]) || !shows(&sh->y, s->y[i])) continue;
    double x = place(&sh->x, s->x[i]), y = place(&sh->y, s->y[i]);
    if (s->mark != IK_MARK_ARROW)
      draw_mark(sh->out, s->mark, x, y, s->tip ? s->tip[i] : NULL);
    else if (!isnan(px)) {
      ik_buf_printf(sh->out, "<path class=\"line\" d=\"M%.1f %.1fL%.1f %.1f\"/>", px, py, x, y);
      draw_arrow_head(sh->out, px, py, x, y);
    }
    px = x, py = y;
  }
}

static bool is_line(const ik_series *s) {
  return s->mark == IK_MARK_LINE || s->mark == IK_MARK_DASH || s->mark == IK_MARK_BAND;
}

/* ---- names of series ---- */

static int last_shown(const sheet *sh, const ik_series *s) {
  int i = s->n - 1;
  while (i >= 0 && !(shows(&sh->x, s->x[i]) && shows(&sh->y, s->y[i]))) i--;
  return i;
}

static void take_series(const sheet *sh, const ik_series *s, ik_labels *l) {
  double px = NAN, py = NAN;
  if (s->faint || s->mark == IK_MARK_BAND) return;
  for (int i = 0; i < s->n; i++) {
    if (!shows(&sh->x, s->x[i]) || !shows(&sh->y, s->y[i])) continue;
    double x = place(&sh->x, s->x[i]), y = place(&sh->y, s->y[i]);
    if (s->mark == IK_MARK_DOT || s->mark == IK_MARK_RING)
      ik_label_take(l, (ik_label_box){x - 5, y - 5, x + 5, y + 5});
    else if (!isnan(px))
      ik_label_take_line(l, px, py, x, y);
    px = x, py = y;
  }
}

/* Behind the frame, if the line ends there. */
static bool ends_outside(const sheet *sh, const ik_series *s) {
  int i = last_shown(sh, s);
  return i >= 0 && is_line(s) && place(&sh->x, s->x[i]) > sh->x.last - 1;
}

static ik_label_spot spot_of(const sheet *sh, const ik_series *s, int i, ik_labels *l) {
  double        x = place(&sh->x, s->x[i]), y = place(&sh->y, s->y[i]);
  ik_label_spot beyond[] = {
      {x + 6, y + 4, "start"}, {x + 6, y - 4, "start"}, {x + 6, y + 12, "start"}};
  ik_label_spot along[] = {{x - 4, y - 6, "end"},
                           {x - 4, y + 15, "end"},
                           {x - 20 - ik_draw_text_width(s->name), y - 6, "end"}};
  ik_label_spot around[] = {{x + 9, y + 4, "start"},  {x - 9, y + 4, "end"},
                            {x + 6, y - 8, "start"},  {x + 6, y + 16, "start"},
                            {x, y - 10, "middle"},    {x, y + 19, "middle"},
                            {x - 6, y - 8, "end"},    {x - 6, y + 16, "end"},
                            {x + 9, y - 20, "start"}, {x + 9, y + 28, "start"}};
  if (ends_outside(sh, s)) return ik_label_place(l, s->name, beyond, 3);
  if (is_line(s)) return ik_label_place(l, s->name, along, 3);
  return ik_label_place(l, s->name, around, 10);
}

static void draw_names_of(const ik_chart *c, const sheet *sh, ik_labels *l, bool lines) {
  for (int i = 0; i < c->nseries; i++) {
    const ik_series *s = &c->series[i];
    int              at = last_shown(sh, s);
    if (!s->name || !s->direct || at < 0 || is_line(s) != lines) continue;
    ik_label_spot spot = spot_of(sh, s, at, l);
    ik_draw_text(sh->out, spot.x, spot.y, spot.anchor, " class=\"halo\"", s->name);
  }
}

/* Lines first: there are fewer places for their names. */
static void draw_direct_names(const ik_chart *c, const sheet *sh, double right) {
  ik_labels l = {.inside = {sh->x.first, sh->y.last, right, sh->y.first}};
  for (int i = 0; i < c->nseries; i++) take_series(sh, &c->series[i], &l);
  draw_names_of(c, sh, &l, true);
  draw_names_of(c, sh, &l, false);
  ik_labels_free(&l);
}

/* Room for names behind the frame. */
static double names_width(const ik_chart *c, const sheet *sh) {
  double w = 0;
  for (int i = 0; i < c->nseries; i++)
    if (c->series[i].name && c->series[i].direct && ends_outside(sh, &c->series[i]))
      w = fmax(w, ik_draw_text_width(c->series[i].name));
  return w;
}

/* ---- the whole ---- */

static bool in_legend(const ik_series *s) { return s->name && *s->name && !s->direct; }

static void draw_legend(const ik_chart *c, legend *l) {
  for (int i = 0; i < c->nseries; i++) {
    const ik_series *s = &c->series[i];
    if (!in_legend(s)) continue;
    double x = legend_next(l, s->name);
    if (!l->out) continue;
    open_group(l->out, s, i);
    if (s->mark == IK_MARK_DOT || s->mark == IK_MARK_RING)
      draw_mark(l->out, s->mark, x + 11, l->y, NULL);
    else if (s->mark == IK_MARK_BAND)
      ik_buf_printf(l->out, "<path class=\"band\" d=\"M%.1f %.1fh%dv12h-%dZ\"/>", x, l->y - 6,
                    LEGEND_KEY, LEGEND_KEY);
    else
      ik_buf_printf(l->out, "<path class=\"%s\" d=\"M%.1f %.1fh%d\"/>", class_of(s->mark), x, l->y,
                    LEGEND_KEY);
    ik_buf_puts(l->out, "</g>\n");
  }
}

/* Height of the legend, and the legend itself when there is somewhere to write it. */
static double flow_legend(const ik_chart *c, ik_buf *out, double left, double right, double y) {
  legend l = {out, left, right, left, y};
  draw_legend(c, &l);
  return l.x > l.left ? l.y - y + LEGEND_LINE : 0;
}

static void fit_scales(const ik_chart *c, sheet *sh) {
  sh->x = (scale){.log = c->log_x, .lo = INFINITY, .hi = -INFINITY};
  sh->y = (scale){.log = c->log_y, .lo = INFINITY, .hi = -INFINITY};
  for (int i = 0; i < c->nseries; i++)
    for (int k = 0; k < c->series[i].n; k++) {
      double x = c->series[i].x[k], y = c->series[i].y[k];
      if (!shows(&sh->x, x) || !shows(&sh->y, y)) continue;
      include(&sh->x, x), include(&sh->y, y);
    }
}

static void draw_series(const ik_chart *c, const sheet *sh) {
  for (int i = 0; i < c->nseries; i++) {
    open_group(sh->out, &c->series[i], i);
    if (is_line(&c->series[i]))
      draw_line(sh, &c->series[i]);
    else
      draw_points(sh, &c->series[i]);
    ik_buf_puts(sh->out, "</g>\n");
  }
}

void ik_svg_lines(const ik_chart *c, ik_buf *out) {
  int    w = c->w ? c->w : 720, h = c->h ? c->h : 380;
  double top = c->title && *c->title ? 34 : 12;
  sheet  sh = {.out = out};
  fit_scales(c, &sh);
  finish_scale(&sh.x, w / 90, c->log_x);
  finish_scale(&sh.y, h / 60, true);
  double left = 34 + widest_label(&sh.y.ticks);
  sh.x.first = left, sh.x.last = w - 16;
  double names = names_width(c, &sh);
  if (names > 0) sh.x.last = fmax(w - 16 - names, w / 2.0);
  sh.y.first = h - 46, sh.y.last = top + flow_legend(c, NULL, left, w - 16, 0) + 4;
  ik_draw_open(out, w, h, c->standalone, c->title);
  if (c->title) ik_draw_text(out, left, 20, "start", " class=\"title\"", c->title);
  flow_legend(c, out, left, w - 16, top + 6);
  draw_ticks(&sh, false);
  draw_frame(&sh);
  draw_names(&sh, (const char *[]){c->x_name, c->x_unit}, (const char *[]){c->y_name, c->y_unit},
             false);
  draw_series(c, &sh);
  draw_direct_names(c, &sh, w);
  ik_buf_puts(out, "</svg>\n");
}

/* ---- bars ---- */

enum { BAR_STEP = 28, BAR_THICK = 18 };

static double part_of(const ik_bars *c, int bar, int part) {
  double v = c->value[(size_t)bar * (size_t)c->npart + (size_t)part];
  return isfinite(v) && v > 0 ? v : 0;
}

static double total_of(const ik_bars *c, int bar) {
  double sum = 0;
  for (int p = 0; p < c->npart; p++) sum += part_of(c, bar, p);
  return sum;
}

static void put_total(const ik_bars *c, int bar, ik_buf *b) {
  ik_axis_number(b, total_of(c, bar));
  if (c->unit && *c->unit) ik_buf_printf(b, " %s", c->unit);
}

/* What the number behind the longest bar needs, and space around it. */
static double room_for_totals(const ik_bars *c) {
  double widest = 0;
  for (int i = 0; i < c->nbar; i++) {
    ik_buf total = {0};
    put_total(c, i, &total);
    widest = fmax(widest, ik_draw_text_width(ik_buf_text(&total)));
    ik_buf_free(&total);
  }
  return widest + 6 + 16;
}

static void draw_bar(const ik_bars *c, int bar, double x, double y, double per_unit, ik_buf *out) {
  ik_buf total = {0};
  ik_draw_text(out, x - 8, y + BAR_THICK / 2.0 + 4, "end", "", c->label[bar]);
  for (int p = 0; p < c->npart; p++) {
    double w = part_of(c, bar, p) * per_unit;
    ik_buf_printf(out,
                  "<rect class=\"area s%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>",
                  p % COLOURS + 1, x, y, w, BAR_THICK);
    x += w;
  }
  put_total(c, bar, &total);
  ik_draw_text(out, x + 6, y + BAR_THICK / 2.0 + 4, "start", "", ik_buf_text(&total));
  out->failed |= total.failed;
  ik_buf_free(&total);
}

static void draw_parts(const ik_bars *c, legend *l) {
  for (int p = 0; c->part && p < c->npart; p++) {
    double x = legend_next(l, c->part[p]);
    if (l->out)
      ik_buf_printf(l->out,
                    "<rect class=\"area s%d\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"12\"/>\n",
                    p % COLOURS + 1, x + 4, l->y - 6, LEGEND_KEY - 8);
  }
}

void ik_svg_bars(const ik_bars *c, ik_buf *out) {
  int    w = c->w ? c->w : 720;
  double left = 16, longest = 0, top = c->title && *c->title ? 34 : 12;
  for (int i = 0; i < c->nbar; i++) {
    left = fmax(left, 16 + ik_draw_text_width(c->label[i]));
    longest = fmax(longest, total_of(c, i));
  }
  legend measure = {NULL, left, w - 16, left, 0};
  draw_parts(c, &measure);
  double bars = top + (c->part && c->npart ? measure.y + LEGEND_LINE + 4 : 0);
  double per_unit = longest > 0 ? fmax(0, w - left - room_for_totals(c)) / longest : 0;
  ik_draw_open(out, w, (int)bars + c->nbar * BAR_STEP + 8, c->standalone, c->title);
  if (c->title) ik_draw_text(out, left, 20, "start", " class=\"title\"", c->title);
  draw_parts(c, &(legend){out, left, w - 16, left, top + 6});
  for (int i = 0; i < c->nbar; i++) draw_bar(c, i, left, bars + i * BAR_STEP, per_unit, out);
  ik_buf_puts(out, "</svg>\n");
}

/* ---- gather ---- */

enum { TRACES = 60, SAMPLES = 700 };

static double largest_sample(const ik_wiggles *c) {
  double  most = 0;
  int64_t n = (int64_t)c->ntrace * c->nt;
  for (int64_t i = 0; i < n; i++)
    if (isfinite(c->v[i])) most = fmax(most, fabs(c->v[i]));
  return most;
}

typedef struct trace {
  const double *v; /* [nt] */
  int           nt;
  double        gain;     /* pixels per unit */
  bool          positive; /* only swings to the right, for filling */
} trace;

static double swing(const trace *t, int i) { /* rounded to what is written */
  double s = i >= 0 && i < t->nt && isfinite(t->v[i]) ? t->v[i] * t->gain : 0;
  return t->positive && s < 0 ? 0 : floor(10 * s + 0.5) / 10;
}

/* Where the trace rests only the ends of the rest are written. */
static void trace_points(const sheet *sh, const ik_wiggles *c, const trace *t, double base) {
  int         each = 1 + (t->nt - 1) / SAMPLES;
  const char *to = "M";
  for (int i = 0; i < t->nt; i += each) {
    bool end = i == 0 || i + each >= t->nt;
    if (!end && !swing(t, i) && !swing(t, i - each) && !swing(t, i + each)) continue;
    ik_buf_printf(sh->out, "%s%.1f %.1f", to, base + swing(t, i), place(&sh->y, c->t0 + i * c->dt));
    to = "L";
  }
}

static void draw_traces(const sheet *sh, const ik_wiggles *c, int each) {
  double most = largest_sample(c);
  double apart = fabs(place(&sh->x, c->x0 + each * c->dx) - place(&sh->x, c->x0));
  double gain = most > 0 ? 1.6 * apart / most : 0;
  for (int i = 0; i < c->ntrace && c->nt > 0; i += each) {
    double base = place(&sh->x, c->x0 + i * c->dx);
    trace  t = {c->v + (size_t)i * (size_t)c->nt, c->nt, gain, true};
    ik_buf_puts(sh->out, "<g class=\"s1\"><path class=\"area\" d=\"");
    trace_points(sh, c, &t, base);
    ik_buf_printf(sh->out, "L%.1f %.1fL%.1f %.1fZ\"/><path class=\"line thin\" d=\"", base,
                  sh->y.last, base, sh->y.first);
    t.positive = false;
    trace_points(sh, c, &t, base);
    ik_buf_puts(sh->out, "\"/></g>\n");
  }
}

static scale gather_scale(double from, double spacing, int n, double margin) {
  double last = from + (n > 0 ? n - 1 : 0) * spacing;
  return (scale){.lo = fmin(from, last) - margin, .hi = fmax(from, last) + margin};
}

static void gather_title(const ik_wiggles *c, int each, ik_buf *title) {
  if (c->title) ik_buf_puts(title, c->title);
  if (each > 1) ik_buf_printf(title, "%s(one trace in %d shown)", title->len ? " " : "", each);
}

void ik_svg_gather(const ik_wiggles *c, ik_buf *out) {
  int    w = c->w ? c->w : 720, h = c->h ? c->h : 480;
  int    each = 1 + (c->ntrace - 1) / TRACES;
  sheet  sh = {.out = out};
  ik_buf title = {0};
  sh.x = gather_scale(c->x0, c->dx, c->ntrace, 1.8 * fabs(each * c->dx));
  sh.y = gather_scale(c->t0, c->dt, c->nt, 0);
  finish_scale(&sh.x, w / 90, false);
  finish_scale(&sh.y, h / 60, false);
  gather_title(c, each, &title);
  sh.x.first = 34 + widest_label(&sh.y.ticks), sh.x.last = w - 16;
  sh.y.first = title.len ? 74 : 50, sh.y.last = h - 14;
  ik_draw_open(out, w, h, c->standalone, ik_buf_text(&title));
  ik_draw_text(out, sh.x.first, 20, "start", " class=\"title\"", ik_buf_text(&title));
  draw_ticks(&sh, true);
  draw_names(&sh, (const char *[]){c->x_name, c->x_unit}, (const char *[]){"t", c->t_unit}, true);
  draw_traces(&sh, c, each);
  draw_frame(&sh);
  ik_buf_puts(out, "</svg>\n");
  out->failed |= title.failed;
  ik_buf_free(&title);
}
