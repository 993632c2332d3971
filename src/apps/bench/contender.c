#include "apps/bench/contender.h"
#include "api/api.h"
#include "base/embed.h"
#include "apps/bench/random.h"
#include <stdio.h>
#include <string.h>

/* ---- the program ---- */

/* More rounds than anybody waits for; steps of a program that may have receivers, for which there
 * must be memory. */
enum { FOREVER = 1000000000, LONG = 2000 };

/* Programs of bench/cpu are written for f32; with f64 in its place they are the others. */
static void write_with_type(const char *text, bool f64, ik_buf *out) {
  for (const char *at; f64 && (at = strstr(text, "f32")); text = at + 3) {
    ik_buf_write(out, text, (size_t)(at - text));
    ik_buf_puts(out, "f64");
  }
  ik_buf_puts(out, text);
}

/* From a line on over and over. */
static void write_repeated(const char *text, const char *from, ik_buf *out) {
  const char *at = strstr(text, from);
  ik_buf_write(out, text, (size_t)(at - text));
  ik_buf_printf(out, "repeat until nx < 0 max %d {\n%s}\n", FOREVER, at);
}

static void write_program(const ik_bench_case *c, ik_buf *out) {
  char path[64];
  if (c->seed) {
    ik_random_write(c->seed, c->ndim, c->f64, out);
    return;
  }
  bool whole = strchr(c->program, '/') != NULL;
  snprintf(path, sizeof path, "%s%s.ik", whole ? "" : "bench/cpu/", c->program);
  const char *text = ik_embed_find(path)->data;
  if (c->repeated)
    write_repeated(text, c->repeated, out);
  else
    write_with_type(text, !whole && c->f64, out);
}

static ik_status set_number(ik_program *p, const char *name, int64_t v, ik_log *log) {
  char text[24];
  snprintf(text, sizeof text, "%lld", (long long)v);
  return ik_program_set(p, name, text, log);
}

/* name=value, with spaces between. */
static ik_status set_all(ik_program *p, const char *settings, ik_log *log) {
  char name[32], value[32];
  for (int len; settings && sscanf(settings, " %31[^=]=%31s%n", name, value, &len) == 2;
       settings += len)
    IK_TRY(ik_program_set(p, name, value, log));
  return IK_OK;
}

/* Whoever runs it says how many steps. */
static ik_status set_rounds(const ik_bench_case *c, const char *text, ik_program *p, ik_log *log) {
  if (!c->seed && !strchr(c->program, '/')) return set_number(p, "rounds", FOREVER, log);
  if (strstr(text, "\nstep ")) ik_program_set_steps(p, LONG);
  return IK_OK;
}

static ik_status set_up(const ik_bench_case *c, const ik_bench_size *s, const char *text,
                        ik_program *p, ik_log *log) {
  static const char *const axis[] = {"x", "y", "z"};
  IK_TRY(set_rounds(c, text, p, log));
  if (c->radius) IK_TRY(set_number(p, "dim", c->ndim, log));
  if (c->radius) IK_TRY(set_number(p, "radius", c->radius, log));
  for (int k = 0; k < 3 && k < c->ndim; k++) IK_TRY(set_number(p, axis[k], s->n[k], log));
  IK_TRY(set_all(p, c->settings, log));
  return ik_program_compile(p, log);
}

ik_status ik_contender_program(const ik_bench_case *c, const ik_bench_size *s, ik_log *log,
                               ik_program **out) {
  ik_buf text = {0};
  *out = NULL;
  write_program(c, &text);
  ik_status st = text.failed ? ik_log_no_memory(log)
                             : ik_program_from_text(c->name, ik_buf_text(&text), log, out);
  if (!st) st = set_up(c, s, ik_buf_text(&text), *out, log);
  ik_buf_free(&text);
  if (st) ik_program_destroy(out);
  return st;
}

/* ---- its runs ---- */

ik_status ik_contender_create(ik_contender *x, ik_program *p, const ik_bench_size *s,
                              const ik_run_options *o, ik_log *log) {
  ik_status st = IK_OK;
  *x = (ik_contender){0};
  while (!st && x->n < s->sets) {
    st = ik_run_create(p, o, log, &x->run[x->n]);
    if (!st) st = ik_run_advance(x->run[x->n++], 0, log);
  }
  if (st) ik_contender_free(x);
  return st;
}

void ik_contender_free(ik_contender *x) {
  for (int i = 0; i < x->n; i++) ik_run_destroy(&x->run[i]);
  x->n = 0;
}

ik_status ik_contender_advance(ik_contender *x, int steps, ik_log *log) {
  if (x->n == 1) return ik_run_advance(x->run[0], steps, log);
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < x->n; i++) IK_TRY(ik_run_advance(x->run[i], 1, log));
  return IK_OK;
}
