#include "targets/simulated/nero/override.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A whole number at *at, which moves behind it; -1: there is none. */
static int64_t read_number(const char **at) {
  char     *end;
  long long v = **at >= '0' && **at <= '9' ? strtoll(*at, &end, 10) : -1;
  if (v < 0) return -1;
  *at = end;
  return v;
}

/* Axes that are left out are 0, whatever a word before said. */
static bool read_window(const char *at, ik_nero_override *w) {
  memset(w->window, 0, sizeof w->window);
  w->has_window = true;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    w->window[d] = read_number(&at);
    if (w->window[d] < 0) return false;
    if (*at != 'x') break;
    at++;
  }
  return *at == 0 || *at == ' ';
}

static bool read_elements(const char *at, ik_nero_override *w) {
  int64_t n = read_number(&at);
  w->elements = n > 0 && n <= INT_MAX ? (int)n : 0;
  return w->elements > 0 && (*at == 0 || *at == ' ');
}

static bool read_words(const char *at, ik_nero_override *w) {
  w->all_words = strncmp(at, "all", 3) == 0;
  return w->all_words && (at[3] == 0 || at[3] == ' ');
}

static const struct word {
  const char *name;
  bool (*read)(const char *at, ik_nero_override *w);
} known[] = {{"window=", read_window}, {"elements=", read_elements}, {"words=", read_words}};

static bool read_word(const char *at, ik_nero_override *w) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strncmp(at, known[i].name, strlen(known[i].name)) == 0)
      return known[i].read(at + strlen(known[i].name), w);
  return false;
}

ik_status ik_nero_override_read(const char *words, ik_diag *d, ik_nero_override *out) {
  *out = (ik_nero_override){0};
  const char *at = words ? words + strspn(words, " ") : "";
  for (; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
    if (read_word(at, out)) continue;
    ik_error(d, IK_E081, IK_NOSPAN, "'%.*s' is not a word of a plan for NERO",
             (int)strcspn(at, " "), at);
    ik_help(d,
            "window=XxYxZ (cells; 0: all of an axis), elements=N and words=all are, for instance  "
            "--plan \"window=64x2x64 elements=4\"");
    return IK_ERR_SOURCE;
  }
  return IK_OK;
}
