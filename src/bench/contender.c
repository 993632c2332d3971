#include "bench/contender.h"
#include "api/api.h"
#include "base/embed.h"
#include <stdio.h>
#include <string.h>

/* ---- the program ---- */

/* The programs are written for f32; with f64 in its place they are the others. */
static void write_program(const ik_bench_case *c, ik_buf *out) {
  char path[64];
  snprintf(path, sizeof path, "bench/cpu/%s.ik", c->program);
  const char *text = ik_embed_find(path)->data;
  for (const char *at; c->f64 && (at = strstr(text, "f32")); text = at + 3) {
    ik_buf_write(out, text, (size_t)(at - text));
    ik_buf_puts(out, "f64");
  }
  ik_buf_puts(out, text);
}

static ik_status set_number(ik_program *p, const char *name, int64_t v, ik_log *log) {
  char text[24];
  snprintf(text, sizeof text, "%lld", (long long)v);
  return ik_program_set(p, name, text, log);
}

/* More rounds than anybody waits for: whoever runs it says how many. */
static ik_status set_up(const ik_bench_case *c, const ik_bench_size *s, ik_program *p,
                        ik_log *log) {
  static const char *const axis[] = {"x", "y", "z"};
  IK_TRY(set_number(p, "rounds", 1000000000, log));
  if (c->radius) IK_TRY(set_number(p, "dim", c->ndim, log));
  if (c->radius) IK_TRY(set_number(p, "radius", c->radius, log));
  for (int k = 0; k < 3 && k < c->ndim; k++) IK_TRY(set_number(p, axis[k], s->n[k], log));
  return ik_program_compile(p, log);
}

ik_status ik_contender_program(const ik_bench_case *c, const ik_bench_size *s, ik_log *log,
                               ik_program **out) {
  ik_buf text = {0};
  *out = NULL;
  write_program(c, &text);
  ik_status st = text.failed ? ik_log_no_memory(log)
                             : ik_program_from_text(c->name, ik_buf_text(&text), log, out);
  ik_buf_free(&text);
  if (!st) st = set_up(c, s, *out, log);
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
