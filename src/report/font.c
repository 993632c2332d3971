#include "report/font.h"
#include "report/xml.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* A glyph is a list of strokes separated by ';'.  A stroke is a list of points `x y` joined by
 * lines, in which `a cx cy rx ry from to` is an arc of an ellipse (degrees, anticlockwise when
 * from < to), joined to what came before.  The baseline is y = 0, small letters reach y = 10,
 * capitals and digits y = 14, descenders y = -4; x = 0 and x = width are the outermost strokes. */
typedef struct glyph {
  uint32_t    code;
  double      width;
  const char *strokes;
} glyph;

enum { CAP = 14, SMALL = 10 };
static const double GAP = 4.3; /* from the last stroke of a glyph to the first of the next */

#define DOT(x, y) "a" x " " y " .3 .3 0 360"

static const glyph glyphs[] = {
    {' ', 1, ""},
    {'!', 0, "0 14 0 4.4;" DOT("0", ".3")},
    {'"', 3, "0 14 0 10;3 14 3 10"},
    {'#', 9.8, "2 0 4 14;6 0 8 14;.4 4.6 9.2 4.6;1 9.4 9.8 9.4"},
    {'$', 8, "a4.2 10.5 3.7 3.5 35 235 a4 3.5 4 3.5 55 -145;4.1 16 4.1 -2"},
    {'%', 11.8, "a2.4 11 2.4 3 0 360;a9.4 3 2.4 3 0 360;9.6 14 2.2 0"},
    {'&', 9.8, "9.8 0 1.9 9.7 a3.9 11.4 2.6 2.6 220 -40 a3.7 3.6 3.7 3.6 125 325 9.4 6.4"},
    {'\'', 0, "0 14 0 10"},
    {'(', 3.2, "a7.5 5.5 7.5 11 125 235"},
    {')', 3.2, "a-4.3 5.5 7.5 11 55 -55"},
    {'*', 6, "3 14 3 7;0 12.3 6 8.7;0 8.7 6 12.3"},
    {'+', 8, "0 6 8 6;4 2 4 10"},
    {',', 1, ".7 .6 -.3 -2.8"},
    {'-', 4.4, "0 6 4.4 6"},
    {'.', 0, DOT("0", ".3")},
    {'/', 6, "0 -2 6 15"},
    {'0', 8, "8 4.5 8 9.5 a4 9.5 4 4.5 0 180 a4 4.5 4 4.5 180 360"},
    {'1', 8, "1.4 11.2 5 14 5 0"},
    {'2', 8, "a4 10 3.8 4 165 -35 .2 0 8 0"},
    {'3', 8, "a3.9 10.6 3.5 3.4 155 -90 a3.8 3.6 4.1 3.6 90 -155;2.4 7.2 3.9 7.2"},
    {'4', 8, "6 0 6 14 0 4 8.4 4"},
    {'5', 8, "7.3 14 1.2 14 .68 7.5 a3.8 4.5 4.2 4.5 138 -150"},
    {'6', 8, "a7.5 4.4 7.5 9.6 95 180 a4 4.4 4 4.4 180 540"},
    {'7', 8, "0 14 8 14 2.8 0"},
    {'8', 8, "a4 10.6 3.4 3.4 0 360;a4 3.6 4 3.6 0 360"},
    {'9', 8, "a.5 9.6 7.5 9.6 -85 0 a4 9.6 4 4.4 0 360"},
    {':', 0, DOT("0", ".3") ";" DOT("0", "8.7")},
    {';', 1, ".7 .6 -.3 -2.8;" DOT(".7", "8.7")},
    {'<', 7.5, "7.5 10.6 0 6 7.5 1.4"},
    {'=', 8, "0 8 8 8;0 4 8 4"},
    {'>', 7.5, "0 10.6 7.5 6 0 1.4"},
    {'?', 6.6, "a3.3 10.7 3.3 3.3 170 -45 3.3 6.4 3.3 4.4;" DOT("3.3", ".3")},
    {'@', 13,
     "a6.5 5.2 2.8 3.2 0 360;9.3 8.4 9.3 3.8 a11.15 3.8 1.85 2 180 360 a6.5 5.4 6.5 8 0 305"},
    {'A', 10, "0 0 5 14 10 0;1.7 4.7 8.3 4.7"},
    {'B', 8.6, "0 7.3 5 7.3 a5 3.65 3.6 3.65 90 -90 0 0 0 14 4.6 14 a4.6 10.65 3.3 3.35 90 -90"},
    {'C', 8.9, "a5.3 7 5.3 7 48 312"},
    {'D', 9, "0 0 0 14 3.5 14 a3.5 7 5.5 7 90 -90 0 0"},
    {'E', 7.4, "7.4 14 0 14 0 0 7.4 0;0 7.3 6.6 7.3"},
    {'F', 7, "7 14 0 14 0 0;0 7.2 6.2 7.2"},
    {'G', 10.2, "a5.3 7 5.3 7 48 315 10 2 10 6.8 6 6.8"},
    {'H', 9, "0 0 0 14;9 0 9 14;0 7.3 9 7.3"},
    {'I', 0, "0 0 0 14"},
    {'J', 5.5, "5.5 14 5.5 4 a2.8 4 2.7 4 0 -160"},
    {'K', 8.4, "0 0 0 14;8 14 0 5.2;3 8.5 8.4 0"},
    {'L', 7, "0 14 0 0 7 0"},
    {'M', 11, "0 0 0 14 5.5 3 11 14 11 0"},
    {'N', 9, "0 0 0 14 9 0 9 14"},
    {'O', 11, "a5.5 7 5.5 7 0 360"},
    {'P', 8.2, "0 0 0 14 4.5 14 a4.5 10.2 3.7 3.8 90 -90 0 6.4"},
    {'Q', 11, "a5.5 7 5.5 7 0 360;7 3.6 11 -1"},
    {'R', 8.6, "0 0 0 14 4.5 14 a4.5 10.2 3.7 3.8 90 -90 0 6.4;4.3 6.4 8.6 0"},
    {'S', 8, "a4.2 10.5 3.7 3.5 35 235 a4 3.5 4 3.5 55 -145"},
    {'T', 9, "0 14 9 14;4.5 14 4.5 0"},
    {'U', 9, "0 14 0 4.5 a4.5 4.5 4.5 4.5 180 360 9 14"},
    {'V', 9.6, "0 14 4.8 0 9.6 14"},
    {'W', 13, "0 14 3.3 0 6.5 12 9.7 0 13 14"},
    {'X', 8.6, "0 0 8.6 14;0 14 8.6 0"},
    {'Y', 8.8, "0 14 4.4 6.8 8.8 14;4.4 6.8 4.4 0"},
    {'Z', 8.4, "0 14 8.4 14 0 0 8.4 0"},
    {'[', 3, "3 15 0 15 0 -3 3 -3"},
    {'\\', 6, "0 15 6 -2"},
    {']', 3, "0 15 3 15 3 -3 0 -3"},
    {'^', 7, "0 9 3.5 14 7 9"},
    {'_', 8, "0 -2.5 8 -2.5"},
    {'`', 2, "0 14 2 11.6"},
    {'a', 7,
     "7 0 7 6.7 a3.7 6.7 3.3 3.3 0 155;7 5.8 3 5.8 a3 2.9 3 2.9 90 270 a3.2 3.4 3.8 3.4 270 350"},
    {'b', 7.4, "0 14 0 0;a3.7 5 3.7 5 0 360"},
    {'c', 6.5, "a3.8 5 3.8 5 45 315"},
    {'d', 7.4, "7.4 14 7.4 0;a3.7 5 3.7 5 0 360"},
    {'e', 7.4, "0 5.1 7.4 5.1 a3.7 5 3.7 5 0 315"},
    {'f', 4.4, "a4.6 11.4 2.6 2.6 80 180 2 0;0 10 4.4 10"},
    {'g', 7.4, "a3.7 5 3.7 5 0 360;7.4 10 7.4 -.6 a3.7 -.6 3.7 3.6 0 -150"},
    {'h', 7, "0 14 0 0;0 6 a3.5 6.2 3.5 3.8 180 0 7 0"},
    {'i', 0, "0 10 0 0;" DOT("0", "13.6")},
    {'j', 2.2, "2.2 10 2.2 -1.6 a-.2 -1.6 2.4 2.4 0 -80;" DOT("2.2", "13.6")},
    {'k', 6.8, "0 14 0 0;6.2 10 0 4;2.3 6.2 6.8 0"},
    {'l', 2, "0 14 0 2.4 a2 2.4 2 2.4 180 270"},
    {'m', 11.6,
     "0 10 0 0;0 6.4 a2.9 6.7 2.9 3.3 180 0 5.8 0;5.8 6.4 a8.7 6.7 2.9 3.3 180 0 11.6 0"},
    {'n', 7, "0 10 0 0;0 6 a3.5 6.2 3.5 3.8 180 0 7 0"},
    {'o', 7.6, "a3.8 5 3.8 5 0 360"},
    {'p', 7.4, "0 10 0 -4;a3.7 5 3.7 5 0 360"},
    {'q', 7.4, "7.4 10 7.4 -4;a3.7 5 3.7 5 0 360"},
    {'r', 4.2, "0 10 0 0;0 6 a3.8 6 3.8 4 180 85"},
    {'s', 6.2, "a3.2 7.5 2.8 2.5 35 235 a3.1 2.6 3.1 2.6 55 -145"},
    {'t', 4.4, "1.9 13.2 1.9 2.6 a4.3 2.6 2.4 2.6 180 275;0 10 4.4 10"},
    {'u', 7, "0 10 0 3.8 a3.5 3.8 3.5 3.8 180 360;7 10 7 0"},
    {'v', 7.2, "0 10 3.6 0 7.2 10"},
    {'w', 10.4, "0 10 2.7 0 5.2 8.6 7.7 0 10.4 10"},
    {'x', 6.6, "0 0 6.6 10;0 10 6.6 0"},
    {'y', 7.2, "0 10 3.6 0;7.2 10 2.1 -4"},
    {'z', 6.4, "0 10 6.4 10 0 0 6.4 0"},
    {'{', 4, "a4 13 2 2 90 180 2 8 a0 8 2 2 0 -90 a0 4 2 2 90 0 2 -2 a4 -2 2 2 180 270"},
    {'|', 0, "0 15 0 -4"},
    {'}', 4, "a0 13 2 2 90 0 2 8 a4 8 2 2 180 270 a4 4 2 2 90 180 2 -2 a0 -2 2 2 0 -90"},
    {'~', 8, "a2 6 2 1.5 180 0 a6 6 2 1.5 180 360"},
    {0xB0, 4, "a2 12 2 2 0 360"},                                 /* ° */
    {0xB1, 8, "0 8 8 8;4 4 4 12;0 1 8 1"},                        /* ± */
    {0xB5, 7, "0 10 0 -4;0 4 a3.5 3.8 3.5 3.8 180 360;7 10 7 0"}, /* µ */
    {0xB7, 0, DOT("0", "6")},                                     /* · */
    {0xD7, 6.4, "0 2.8 6.4 9.2;0 9.2 6.4 2.8"},                   /* × */
    {0x394, 10, "0 0 5 14 10 0 0 0"},                             /* Δ */
    {0x3BB, 7.6, "0 14 1 14 7.6 0;3.9 7.6 0 0"},                  /* λ */
    {0x2013, 8, "0 6 8 6"},                                       /* – */
    {0x2212, 8, "0 6 8 6"},                                       /* − */
};
static const glyph box = {0, 7, "0 0 0 14 7 14 7 0 0 0"};

/* Superscripts are the plain digits, smaller and raised. */
static const struct {
  uint32_t code, plain;
} raised[] = {{0x2070, '0'}, {0xB9, '1'},   {0xB2, '2'},     {0xB3, '3'},
              {0x2074, '4'}, {0x2075, '5'}, {0x2076, '6'},   {0x2077, '7'},
              {0x2078, '8'}, {0x2079, '9'}, {0x207B, 0x2212}};

typedef struct sized { /* a glyph as it stands in the text; lengths in font units */
  const glyph *g;
  double       scale, raise;
} sized;

static const glyph *glyph_of(uint32_t code) {
  if (code == 0x3BC) code = 0xB5; /* the Greek letter and the micro sign look alike */
  for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
    if (glyphs[i].code == code) return &glyphs[i];
  return &box;
}

static sized sized_of(uint32_t code) {
  for (size_t i = 0; i < sizeof raised / sizeof *raised; i++)
    if (raised[i].code == code) return (sized){glyph_of(raised[i].plain), 0.62, 6.5};
  return (sized){glyph_of(code), 1, 0};
}

static double advance(sized s) { return (s.g->width + GAP) * s.scale; }

static double units_wide(const char *text) {
  double w = 0;
  while (*text) w += advance(sized_of(ik_utf8_next(&text)));
  return w > 0 ? w - GAP : 0;
}

double ik_font_width(ik_font f, const char *text) { return units_wide(text) * f.cap / CAP; }

typedef struct pen {
  ik_canvas *canvas;
  ik_font    font;
  double     x0, y0; /* where the glyph's origin is, in pixels */
  double     scale, raise;
  bool       up, down; /* writing upwards; on paper */
  double     x, y;     /* where the pen is, in pixels */
} pen;

/* Rounds the tops of small and capital letters to whole pixels: horizontal strokes stay crisp. */
static double fit_height(const pen *p, double y) {
  double s = p->font.cap / CAP, small = floor(SMALL * s + 0.5), cap = floor(CAP * s + 0.5);
  if (p->scale != 1 || y < 0) return y * s;
  if (y <= SMALL) return y * small / SMALL;
  return small + (y - SMALL) * (cap - small) / (CAP - SMALL);
}

static void pen_to(pen *p, double gx, double gy) {
  double along = gx * p->scale * p->font.cap / CAP;
  double high = fit_height(p, gy * p->scale + p->raise);
  double x = p->up ? p->x0 - high : p->x0 + along;
  double y = p->up ? p->y0 - along : p->y0 - high;
  if (p->down) ik_canvas_stroke(p->canvas, p->x, p->y, x, y, p->font.weight);
  p->x = x, p->y = y, p->down = true;
}

static void pen_arc(pen *p, const double a[6]) {
  double turn = a[5] - a[4], unit = 3.14159265358979323846 / 180;
  int    n = 1 + (int)(fabs(turn) / 12);
  for (int i = 0; i <= n; i++) {
    double t = (a[4] + turn * i / n) * unit;
    pen_to(p, a[0] + a[2] * cos(t), a[1] + a[3] * sin(t));
  }
}

/* The numbers of the table above, and nothing more: sign, digits, point, digits. */
static double read_number(const char **s) {
  while (**s == ' ') ++*s;
  bool   minus = **s == '-';
  double v = 0, unit = 1;
  *s += minus;
  for (; **s >= '0' && **s <= '9'; ++*s) v = 10 * v + (**s - '0');
  if (**s == '.')
    for (++*s; **s >= '0' && **s <= '9'; ++*s) v += (unit /= 10) * (**s - '0');
  return minus ? -v : v;
}

static void draw_strokes(pen *p, const char *s) {
  p->down = false;
  while (*s) {
    if (*s == ';') {
      p->down = false, s++;
    } else if (*s == 'a') {
      double a[6];
      s++;
      for (int i = 0; i < 6; i++) a[i] = read_number(&s);
      pen_arc(p, a);
    } else {
      double x = read_number(&s), y = read_number(&s);
      pen_to(p, x, y);
    }
    while (*s == ' ') s++;
  }
}

void ik_font_draw(ik_canvas *c, ik_font f, ik_font_place at, ik_rgb colour, const char *text) {
  double before = at.align * ik_font_width(f, text);
  pen    p = {.canvas = c, .font = f, .up = at.up};
  p.x0 = at.up ? floor(at.x) + 0.5 : at.x - before;
  p.y0 = at.up ? at.y + before : floor(at.y) + 0.5;
  while (*text) {
    sized s = sized_of(ik_utf8_next(&text));
    p.scale = s.scale, p.raise = s.raise;
    p.font.weight = s.scale < 1 ? 0.8 * f.weight : f.weight;
    draw_strokes(&p, s.g->strokes);
    double step = advance(s) * f.cap / CAP;
    if (at.up)
      p.y0 -= step;
    else
      p.x0 += step;
  }
  ik_canvas_ink(c, colour);
}
