#define _GNU_SOURCE /* strtod_l, uselocale */
#include "base/text.h"
#include "base/least.h"
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 63 };

int ik_edit_distance(const char *a, const char *b) {
  int na = (int)strlen(a), nb = (int)strlen(b);
  if (na > LONGEST || nb > LONGEST) return strcmp(a, b) == 0 ? 0 : na > nb ? na : nb;
  int d[LONGEST + 1][LONGEST + 1];
  for (int i = 0; i <= na; i++) d[i][0] = i;
  for (int j = 0; j <= nb; j++) d[0][j] = j;
  for (int i = 1; i <= na; i++)
    for (int j = 1; j <= nb; j++) {
      int replace = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      d[i][j] = ik_min_int(replace, ik_min_int(d[i - 1][j], d[i][j - 1]) + 1);
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = ik_min_int(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[na][nb];
}

const char *ik_nearest(const char *word, const char *const *names, int n) {
  const char *best = NULL;
  int         limit = (int)strlen(word) / 3 + 1, least = limit + 1;
  for (int i = 0; i < n; i++) {
    int  d = ik_edit_distance(word, names[i]);
    bool longer = best && d == least && strncmp(names[i], word, strlen(word)) == 0;
    if ((d < least || longer) && d < (int)strlen(names[i])) least = d, best = names[i];
  }
  return best;
}

static locale_t       c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;
static void           make_c_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

/* 0: there is no memory for it. */
static locale_t plain_locale(void) {
  pthread_once(&c_locale_once, make_c_locale);
  return c_locale;
}

double ik_strtod(const char *s, char **end) {
  locale_t c = plain_locale();
  return c ? strtod_l(s, end, c) : strtod(s, end);
}

int ik_vformat(char *s, size_t n, const char *fmt, va_list ap) {
  locale_t theirs = uselocale(plain_locale());
  int      all = vsnprintf(s, n, fmt, ap);
  uselocale(theirs);
  return all;
}

int ik_format(char *s, size_t n, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int all = ik_vformat(s, n, fmt, ap);
  va_end(ap);
  return all;
}
