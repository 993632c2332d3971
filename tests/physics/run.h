/* run.h: programs for the tests in this folder, through the public interface only.
 *
 *   run r = run_text("grid x = 8 ...", "x=16");     compiled, not yet run
 *   run_advance(&r, 10);
 *   double v = ik_run_value(r.r, "u", 3, 0, 0);
 *   run_free(&r);
 *
 * A program that does not compile or run ends the test at once with its messages: what follows
 * would have no meaning.
 *
 * What takes minutes under a sanitizer and shows nothing new there is left out of such builds. */
#pragma once
#include "check.h"
#include "ikat/ikat.h"
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define SLOW_BUILD 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLOW_BUILD 1
#endif
#endif
#ifndef SLOW_BUILD
#define SLOW_BUILD 0
#endif

typedef struct run {
  ik_log     *log;
  ik_program *p;
  ik_run     *r;
} run;

static inline void run_must(ik_status st, ik_log *log) {
  if (!st) return;
  fprintf(stderr, "%s\n0 passed, 1 failed\n", ik_log_text(log, false));
  exit(1);
}

/* `set` holds name=value pairs between blanks; NULL: none. */
static inline void run_set(const run *x, const char *set) {
  char pair[128], *value;
  int  used;
  while (set && sscanf(set, "%127s%n", pair, &used) == 1) {
    value = strchr(pair, '=');
    if (value) *value++ = 0;
    run_must(ik_program_set(x->p, pair, value ? value : "", x->log), x->log);
    set += used;
  }
}

static inline run run_text(const char *text, const char *set) {
  run            x = {.log = ik_log_create()};
  ik_run_options o;
  ik_run_options_init(&o);
  o.quiet_files = true;
  run_must(ik_program_from_text("test", text, x.log, &x.p), x.log);
  run_set(&x, set);
  run_must(ik_program_compile(x.p, x.log), x.log);
  run_must(ik_run_create(x.p, &o, x.log, &x.r), x.log);
  return x;
}

/* -1: to the end. */
static inline void run_advance(const run *x, int64_t steps) {
  run_must(ik_run_advance(x->r, steps, x->log), x->log);
}

static inline void run_bind(const run *x, const char *field, void *data, size_t bytes) {
  run_must(ik_run_bind(x->r, field, data, bytes, x->log), x->log);
}

static inline double run_scalar(const run *x, const char *name) {
  double v = NAN;
  CHECK(ik_run_scalar(x->r, name, &v));
  return v;
}

static inline void run_free(run *x) {
  ik_run_destroy(&x->r);
  ik_program_destroy(&x->p);
  ik_log_destroy(&x->log);
}

/* ---- texts; the caller frees them ---- */

static inline char *example_text(const char *name) {
  char path[128];
  snprintf(path, sizeof path, "examples/%s.ik", name);
  FILE *f = fopen(check_data(path), "rb");
  if (!f) {
    fprintf(stderr, "%s cannot be read\n0 passed, 1 failed\n", path);
    exit(1);
  }
  char  *text = malloc(1 << 16);
  size_t n = fread(text, 1, (1 << 16) - 1, f);
  text[n] = 0;
  fclose(f);
  return text;
}

/* Every `from` becomes `to`; frees the old text. */
static inline char *replaced(char *text, const char *from, const char *to) {
  size_t cap = strlen(text) * (1 + strlen(to)) + 1, n = 0;
  char  *out = malloc(cap), *p = text;
  for (char *hit; (hit = strstr(p, from)); p = hit + strlen(from))
    n += (size_t)snprintf(out + n, cap - n, "%.*s%s", (int)(hit - p), p, to);
  CHECK(p != text); /* an example that no longer says this needs another test */
  snprintf(out + n, cap - n, "%s", p);
  free(text);
  return out;
}

static inline run run_example(const char *name, const char *set) {
  char *text = example_text(name);
  run   x = run_text(text, set);
  free(text);
  return x;
}
