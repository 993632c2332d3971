#include "report/axis.h"
#include "base/text.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MINUS "\xE2\x88\x92"

void ik_axis_widen(double *lo, double *hi) {
  const double far = DBL_MAX / 4; /* leaves room for margins */
  if (!(*lo <= *hi)) *lo = 0, *hi = 1;
  *lo = fmin(fmax(*lo, -far), far);
  *hi = fmin(fmax(*hi, -far), far);
  double size = fmax(fabs(*lo), fabs(*hi));
  if (size < 1e-303) { /* steps of such a range would be denormal */
    *lo = fmin(*lo, 0), *hi = 1;
  } else if (*hi - *lo < 1e-9 * size) {
    *lo -= 0.5 * size, *hi += 0.5 * size;
  }
}

double ik_axis_fraction(double v, double lo, double hi) {
  return (v / 2 - lo / 2) / (hi / 2 - lo / 2);
}

static int floor_log10(double v) {
  int e = (int)floor(log10(v));
  return pow(10, e + 1) <= v ? e + 1 : e;
}

/* The nearest to `raw`, by ratio, of 1, 2, 5 times a power of ten. */
static void round_step(double raw, bool whole, int *mantissa, int *exponent) {
  if (whole && raw < 1) raw = 1;
  int    e = floor_log10(raw);
  double m = raw / pow(10, e);
  *mantissa = m < 1.41421 ? 1 : m < 3.16228 ? 2 : m < 7.07107 ? 5 : 1;
  *exponent = m < 7.07107 ? e : e + 1;
}

/* Writes q * 10^shift exactly. */
static void label_of(char *s, size_t size, long long q, int shift) {
  const char *sign = q < 0 ? MINUS : "";
  char        digit[24];
  int         n = snprintf(digit, sizeof digit, "%0*lld", shift < 0 ? 1 - shift : 1, llabs(q));
  if (q == 0)
    snprintf(s, size, "0");
  else if (shift >= 0)
    snprintf(s, size, "%s%s%.*s", sign, digit, shift, "0000000");
  else
    snprintf(s, size, "%s%.*s.%s", sign, n + shift, digit, digit + n + shift);
}

/* A power of ten, a multiple of three, to leave out of labels that would otherwise be long. */
static int shared_exponent(double largest) {
  if (largest == 0 || (largest >= 1e-2 && largest < 1e5)) return 0;
  int e = floor_log10(largest);
  return e - ((e % 3) + 3) % 3;
}

void ik_axis_ticks(double lo, double hi, int want, bool whole, ik_ticks *t) {
  int m, e;
  *t = (ik_ticks){0};
  round_step((hi / want - lo / want), whole, &m, &e);
  double    step = m * pow(10, e);
  long long first = (long long)ceil(lo / step - 1e-6), last = (long long)floor(hi / step + 1e-6);
  t->exponent = shared_exponent(fmax(fabs(lo), fabs(hi)));
  for (long long k = first; k <= last && t->n < IK_TICKS_MAX; k++) {
    t->at[t->n] = (double)k * step;
    label_of(t->label[t->n++], sizeof t->label[0], k * m, e - t->exponent);
  }
}

static void superscript(char *s, size_t size, int v) {
  static const char *digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char               plain[16];
  snprintf(plain, sizeof plain, "%d", v);
  *s = 0;
  for (const char *p = plain; *p; p++)
    strncat(s, *p == '-' ? "⁻" : digit[*p - '0'], size - strlen(s) - 1);
}

static void log_label(char *s, size_t size, int mantissa, int e) {
  char power[32];
  superscript(power, sizeof power, e);
  if (e >= -3 && e <= 4)
    label_of(s, size, mantissa, e);
  else if (mantissa == 1)
    snprintf(s, size, "10%s", power);
  else
    snprintf(s, size, "%d×10%s", mantissa, power);
}

static void log_tick(ik_ticks *t, double lo, double hi, int mantissa, int e) {
  double v = mantissa * pow(10, e);
  if (t->n == IK_TICKS_MAX || v < lo * (1 - 1e-9) || v > hi * (1 + 1e-9)) return;
  log_label(t->label[t->n], sizeof t->label[0], mantissa, e);
  t->at[t->n++] = v;
}

void ik_axis_ticks_log(double lo, double hi, int want, ik_ticks *t) {
  int  first = floor_log10(lo), last = floor_log10(hi), decades = last - first + 1;
  int  every = (decades + want - 1) / want;
  bool fine = 3 * decades <= want + 3;
  *t = (ik_ticks){0};
  for (int e = first; e <= last; e++) {
    if ((e % every + every) % every) continue;
    log_tick(t, lo, hi, 1, e);
    if (fine) log_tick(t, lo, hi, 2, e), log_tick(t, lo, hi, 5, e);
  }
}

void ik_axis_title(ik_buf *b, const char *name, const char *unit, int exponent) {
  bool has_unit = unit && *unit;
  if (name) ik_buf_puts(b, name);
  if (!has_unit && !exponent) return;
  ik_buf_puts(b, name && *name ? " (" : "(");
  if (exponent) {
    char power[32];
    superscript(power, sizeof power, exponent);
    ik_buf_printf(b, "×10%s%s", power, has_unit ? " " : "");
  }
  if (has_unit) ik_buf_puts(b, unit);
  ik_buf_putc(b, ')');
}

void ik_axis_number(ik_buf *b, double v) {
  if (!isfinite(v)) {
    ik_buf_puts(b, isnan(v) ? "NaN" : v > 0 ? "∞" : MINUS "∞");
    return;
  }
  char s[40], power[32];
  ik_format(s, sizeof s, "%.4g", fabs(v));
  char *e = strchr(s, 'e');
  if (v < 0) ik_buf_puts(b, MINUS);
  ik_buf_printf(b, "%.*s", e ? (int)(e - s) : (int)strlen(s), s);
  if (!e) return;
  superscript(power, sizeof power, atoi(e + 1));
  ik_buf_printf(b, "×10%s", power);
}
