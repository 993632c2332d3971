#include "lang/unit.h"
#include "base/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PI 3.14159265358979323846

/* clang-format off */
static const struct known {
  const char *name;
  ik_unit     is; /* {scale, power of ten, {{m, kg, s, K, A}}} */
} known[] = {
  {"m",   {1, 0, {{1}}}},           {"km",  {1, 3, {{1}}}},           {"cm",  {1, -2, {{1}}}},
  {"mm",  {1, -3, {{1}}}},          {"um",  {1, -6, {{1}}}},          {"nm",  {1, -9, {{1}}}},
  {"s",   {1, 0, {{0, 0, 1}}}},     {"ms",  {1, -3, {{0, 0, 1}}}},    {"us",  {1, -6, {{0, 0, 1}}}},
  {"ns",  {1, -9, {{0, 0, 1}}}},    {"min", {60, 0, {{0, 0, 1}}}},    {"h",   {3600, 0, {{0, 0, 1}}}},
  {"Hz",  {1, 0, {{0, 0, -1}}}},    {"kHz", {1, 3, {{0, 0, -1}}}},    {"MHz", {1, 6, {{0, 0, -1}}}},
  {"GHz", {1, 9, {{0, 0, -1}}}},
  {"kg",  {1, 0, {{0, 1}}}},        {"g",   {1, -3, {{0, 1}}}},       {"t",   {1, 3, {{0, 1}}}},
  {"N",   {1, 0, {{1, 1, -2}}}},
  {"Pa",  {1, 0, {{-1, 1, -2}}}},   {"kPa", {1, 3, {{-1, 1, -2}}}},
  {"MPa", {1, 6, {{-1, 1, -2}}}},   {"GPa", {1, 9, {{-1, 1, -2}}}},
  {"J",   {1, 0, {{2, 1, -2}}}},    {"W",   {1, 0, {{2, 1, -3}}}},
  {"K",   {1, 0, {{0, 0, 0, 1}}}},
  {"V",   {1, 0, {{2, 1, -3, 0, -1}}}},
  {"A",   {1, 0, {{0, 0, 0, 0, 1}}}},
  {"T",   {1, 0, {{0, 1, -2, 0, -1}}}},
  {"C",   {1, 0, {{0, 0, 1, 0, 1}}}},
  {"rad", {1, 0, {{0}}}},           {"deg", {PI / 180, 0, {{0}}}},    {"percent", {1, -2, {{0}}}},
};
/* clang-format on */
enum { NKNOWN = sizeof known / sizeof *known, HIGHEST_POWER = 9, HIGHEST_TOTAL = 99 };

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

static const ik_unit *find(const char *s, int len) {
  for (int i = 0; i < NKNOWN; i++)
    if ((int)strlen(known[i].name) == len && !memcmp(known[i].name, s, (size_t)len))
      return &known[i].is;
  return NULL;
}

/* `^2`, `^-1`: its length and value; 0 where there is none or it is not a small whole number, which
 * leaves `2 m^2.5` and `2 m^n` to be powers of the quantity. */
static int scan_power(const char *s, int len, int *power) {
  int i = 1, sign = 1;
  *power = 1;
  if (len < 2 || s[0] != '^') return 0;
  if (s[i] == '-') sign = -1, i++;
  if (i >= len || !is_digit(s[i])) return 0;
  *power = sign * (s[i++] - '0');
  bool longer = i < len && is_word(s[i]);
  bool fraction = i + 1 < len && s[i] == '.' && is_digit(s[i + 1]);
  return longer || fraction ? (*power = 1, 0) : i;
}

/* Multiplies `into` by u^power; false when an exponent leaves its range. */
static bool apply(ik_unit *into, const ik_unit *u, int power) {
  ik_unit next = *into;
  for (int i = 0; i < IK_NDIM; i++) {
    int e = into->dim.e[i] + u->dim.e[i] * power;
    if (abs(e) > HIGHEST_TOTAL) return false;
    next.dim.e[i] = (signed char)e;
  }
  next.exp10 += u->exp10 * power;
  for (int i = 0; i < abs(power); i++)
    next.scale = power > 0 ? next.scale * u->scale : next.scale / u->scale;
  if (abs(next.exp10) > HIGHEST_TOTAL || next.scale > 1e99 || next.scale < 1e-99) return false;
  *into = next;
  return true;
}

/* One factor, `s` or `s^2`; returns its length. */
static int scan_factor(const char *s, int len, int sign, ik_unit *into) {
  int n = 0, power;
  if (!len || !is_letter(s[0])) return 0;
  while (n < len && is_word(s[n])) n++;
  const ik_unit *u = find(s, n);
  if (!u) return 0;
  n += scan_power(s + n, len - n, &power);
  return apply(into, u, sign * power) ? n : 0;
}

int ik_unit_scan(const char *s, int len, ik_unit *out) {
  *out = (ik_unit){.scale = 1};
  int n = scan_factor(s, len, 1, out);
  while (n && n < len && (s[n] == '/' || s[n] == '*')) {
    int more = scan_factor(s + n + 1, len - n - 1, s[n] == '/' ? -1 : 1, out);
    if (!more) break;
    n += 1 + more;
  }
  return n;
}

bool ik_unit_parse(const char *text, double *factor, ik_dim *dim) {
  ik_unit u = {.scale = 1};
  int     len = (int)strlen(text), n = 0;
  if (strcmp(text, "1") == 0)
    n = 1;
  else if (strncmp(text, "1/", 2) == 0) { /* what ik_unit_name writes for a frequency */
    n = scan_factor(text + 2, len - 2, -1, &u);
    if (n) n += 2;
    while (n && n < len && text[n] == '/') {
      int more = scan_factor(text + n + 1, len - n - 1, -1, &u);
      if (!more) return false;
      n += 1 + more;
    }
  } else
    n = ik_unit_scan(text, len, &u);
  if (!n || n != len) return false;
  char power[16];
  snprintf(power, sizeof power, "1e%d", u.exp10);
  *factor = u.scale * ik_strtod(power, NULL);
  *dim = u.dim;
  return true;
}

double ik_unit_value(const char *unit, double si) {
  double factor;
  ik_dim dim;
  return unit && ik_unit_parse(unit, &factor, &dim) ? si / factor : si;
}

static void put_power(ik_buf *out, const char *name, int e) {
  ik_buf_puts(out, name);
  if (e != 1) ik_buf_printf(out, "^%d", e);
}

void ik_unit_name(ik_dim dim, ik_buf *out) {
  static const char *const base[IK_NDIM] = {"m", "kg", "s", "K", "A"};
  bool                     any = false;
  for (int i = 0; i < IK_NDIM; i++) {
    if (dim.e[i] <= 0) continue;
    if (any) ik_buf_putc(out, '*');
    put_power(out, base[i], dim.e[i]);
    any = true;
  }
  if (!any) ik_buf_putc(out, '1');
  for (int i = 0; i < IK_NDIM; i++) {
    if (dim.e[i] >= 0) continue;
    ik_buf_putc(out, '/');
    put_power(out, base[i], -dim.e[i]);
  }
}

const char *ik_unit_nearest(const char *word) {
  const char *names[NKNOWN];
  if (strlen(word) < 2) return NULL; /* one letter is a name, not a misspelt unit */
  for (int i = 0; i < NKNOWN; i++) {
    names[i] = known[i].name;
    if (strcasecmp(word, names[i]) == 0) return names[i];
  }
  return strlen(word) < 3 ? NULL : ik_nearest(word, names, NKNOWN);
}
