#include "report/colour.h"
#include "base/diag.h"
#include <math.h>
#include <stdbool.h>

/* Conversions and constants: B. Ottosson, "A perceptual color space for image processing" (2020);
 * transfer function: IEC 61966-2-1 (sRGB). */

static double to_linear(uint8_t v) {
  double s = v / 255.0;
  return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

static uint8_t from_linear(double v) {
  double s = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
  return s <= 0 ? 0 : s >= 1 ? 255 : (uint8_t)(255 * s + 0.5);
}

ik_oklab ik_colour_to_oklab(ik_rgb c) {
  double r = to_linear(c.r), g = to_linear(c.g), b = to_linear(c.b);
  double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return (ik_oklab){0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                    1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                    0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

static double cube(double x) { return x * x * x; }

ik_rgb ik_colour_from_oklab(ik_oklab c) {
  double l = cube(c.L + 0.3963377774 * c.a + 0.2158037573 * c.b);
  double m = cube(c.L - 0.1055613458 * c.a - 0.0638541728 * c.b);
  double s = cube(c.L - 0.0894841775 * c.a - 1.2914855480 * c.b);
  return (ik_rgb){from_linear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                  from_linear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                  from_linear(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

typedef struct lch { /* lightness, chroma, hue in degrees */
  double L, C, h;
} lch;

static ik_oklab lab_of(lch c) {
  double h = c.h * (3.14159265358979323846 / 180);
  return (ik_oklab){c.L, c.C * cos(h), c.C * sin(h)};
}

ik_rgb ik_colour_lch(double L, double C, double h_deg) {
  return ik_colour_from_oklab(lab_of((lch){L, C, h_deg}));
}

/* A map is a Bezier curve: smooth, and lightness rises along it when it rises along the controls.
 */
typedef struct curve {
  int n;
  lch control[5];
} curve;

static const curve sequential = {5,
                                 {{0.20, 0.085, 290},
                                  {0.36, 0.190, 268},
                                  {0.60, 0.090, 205},
                                  {0.80, 0.230, 150},
                                  {0.96, 0.110, 105}}};
static const curve blue_half = {3, {{0.97, 0, 0}, {0.70, 0.170, 250}, {0.36, 0.105, 258}}};
static const curve red_half = {3, {{0.97, 0, 0}, {0.70, 0.200, 48}, {0.36, 0.120, 28}}};

static ik_oklab mix(ik_oklab p, ik_oklab q, double t) {
  return (ik_oklab){p.L + t * (q.L - p.L), p.a + t * (q.a - p.a), p.b + t * (q.b - p.b)};
}

static ik_oklab curve_at(const curve *c, double t) { /* de Casteljau */
  ik_oklab p[5];
  for (int i = 0; i < c->n; i++) p[i] = lab_of(c->control[i]);
  for (int n = c->n - 1; n > 0; n--)
    for (int i = 0; i < n; i++) p[i] = mix(p[i], p[i + 1], t);
  return p[0];
}

static double distance(ik_oklab p, ik_oklab q) {
  return sqrt((p.L - q.L) * (p.L - q.L) + (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

/* Cuts the curve into n - 1 pieces of equal length; out[i * stride] is the start of piece i. */
static void cut_evenly(const curve *c, int n, ik_rgb *out, int stride) {
  enum { FINE = 2048 };
  double   length[FINE + 1];
  ik_oklab last = curve_at(c, 0);
  length[0] = 0;
  for (int i = 1; i <= FINE; i++) {
    ik_oklab p = curve_at(c, (double)i / FINE);
    length[i] = length[i - 1] + distance(last, p);
    last = p;
  }
  for (int i = 0, k = 0; i < n; i++) {
    double want = length[FINE] * i / (n - 1);
    while (k < FINE - 1 && length[k + 1] < want) k++;
    double t = k + (want - length[k]) / (length[k + 1] - length[k]);
    out[i * stride] = ik_colour_from_oklab(curve_at(c, t / FINE));
  }
}

void ik_colour_table(ik_colour_kind kind, ik_rgb out[IK_COLOUR_STEPS]) {
  IK_ASSERT(kind == IK_COLOUR_SEQUENTIAL || kind == IK_COLOUR_DIVERGING);
  enum { HALF = IK_COLOUR_STEPS / 2 };
  if (kind == IK_COLOUR_DIVERGING) {
    cut_evenly(&blue_half, HALF, out + HALF - 1, -1);
    cut_evenly(&red_half, HALF, out + HALF, 1);
  } else {
    cut_evenly(&sequential, IK_COLOUR_STEPS, out, 1);
  }
}

ik_rgb ik_colour_class(int k) {
  /* Dark and light alternate, so that neighbours differ without their hue too. */
  static const lch class[IK_COLOUR_CLASSES] = {
      {0.955, 0.006, 250}, {0.42, 0.125, 258}, {0.74, 0.145, 62},  {0.60, 0.125, 155},
      {0.50, 0.170, 25},   {0.80, 0.090, 220}, {0.45, 0.130, 310}, {0.86, 0.130, 100}};
  IK_ASSERT(k >= 0 && k < IK_COLOUR_CLASSES);
  return ik_colour_from_oklab(lab_of(class[k]));
}

ik_rgb ik_colour_line(int k, int dark) {
  static const double hue[8] = {255, 45, 155, 330, 85, 200, 20, 295};
  double              h = hue[k & 7];
  return dark ? ik_colour_lch(0.76, 0.115, h) : ik_colour_lch(0.54, 0.125, h);
}
