#include "apps/bench/plain.h"
#include "api/api.h"
#include "base/embed.h"
#include "base/pages.h"
#include "apps/bench/loops.h"
#include "apps/bench/stats.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*run_fn)(void **a, const ik_plain_grid *g, long steps, double *kept);
typedef void (*clear_fn)(void *from, long bytes, int threads);

/* ---- code ---- */

const char *const ik_plain_options[IK_PLAINS] = {"-O3 -march=native -fopenmp",
                                                 "-O3 -march=native -fopenmp -ffast-math"};

/* nodelete: the threads of the OpenMP runtime that comes with it outlive the loops. */
#define FLAGS "-std=gnu11", "-O3", "-march=native", "-fopenmp", "-lm", "-Wl,-z,nodelete"
static const char *const flags[IK_PLAINS][8] = {{FLAGS}, {FLAGS, "-ffast-math"}};

/* Threads of OpenMP shall sleep when they have nothing to do, whatever the environment says: others
 * are timed meanwhile.  Before the first code that uses them is loaded. */
static void let_sleep(void) { unsetenv("OMP_WAIT_POLICY"), unsetenv("GOMP_SPINCOUNT"); }

ik_status ik_plain_compile(const char *text, int way, const char *cache, ik_diag *d,
                           ik_build **out) {
  ik_build_options o = {.flags = flags[way], .cache_dir = cache, .prefix = "plain_"};
  let_sleep();
  return ik_build_start(text, &o, d, out);
}

static void write_text(const ik_bench_case *c, ik_buf *out) {
  char path[64];
  snprintf(path, sizeof path, "bench/cpu/plain/%s.c", c->plain);
  ik_buf_printf(out, "#define REAL %s\n#define DIM %d\n#define RADIUS %d\n#define PERIODIC %d\n",
                c->f64 ? "double" : "float", c->ndim, c->halo, c->periodic);
  ik_buf_puts(out, ik_embed_find("bench/cpu/plain/plain.h")->data);
  ik_buf_puts(out, ik_embed_find(path)->data);
}

static ik_status no_memory(const ik_plain *p, ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the plain loop of %s",
                 p->c->name);
}

static ik_status build(ik_plain *p, const char *cache, ik_diag *d) {
  ik_buf text = {0};
  write_text(p->c, &text);
  ik_status st = text.failed ? no_memory(p, d) : IK_OK;
  for (int way = 0; !st && way < IK_PLAINS; way++)
    st = ik_plain_compile(ik_buf_text(&text), way, cache, d, &p->code[way]);
  for (int way = 0; !st && way < IK_PLAINS; way++) st = ik_build_finish(p->code[way], d);
  ik_buf_free(&text);
  return st;
}

/* ---- arrays ---- */

static size_t element(const ik_plain *p) { return p->c->f64 ? sizeof(double) : sizeof(float); }

/* Cells before the first of a row: the halo, and as many as bring that cell to the start of a line
 * of the cache. */
static long lead_of(const ik_plain *p) {
  long line = 64 / (long)element(p);
  return (p->c->halo + line - 1) / line * line;
}

static void lay_out(ik_plain *p, const ik_bench_size *s, int threads) {
  long line = 64 / (long)element(p), h = p->c->halo;
  for (int k = 0; k < 3; k++) p->grid.n[k] = (long)s->n[k];
  p->grid.pitch = lead_of(p) + (p->grid.n[0] + h + line - 1) / line * line;
  p->grid.plane = p->grid.pitch * (p->grid.n[1] + 2 * h);
  p->grid.threads = threads;
}

/* To cell (0, 0, 0), in elements. */
static long before(const ik_plain *p) {
  long h = p->c->halo;
  return lead_of(p) + h * p->grid.pitch + (p->c->ndim == 3 ? h * p->grid.plane : 0);
}

static ik_status allocate(ik_plain *p, const ik_bench_size *s, int threads, ik_diag *d) {
  const ik_bench_case *c = p->c;
  clear_fn             clear = (clear_fn)ik_build_symbol(p->code[0], "plain_clear");
  p->sets = s->sets;
  lay_out(p, s, threads);
  while (p->narray < IK_BENCH_ARRAYS && c->array[p->narray]) p->narray++;
  long planes = p->grid.n[2] + (c->ndim == 3 ? 2 * c->halo : 0);
  long bytes = planes * p->grid.plane * (long)element(p);
  for (int i = 0; i < p->sets; i++)
    for (int k = 0; k < p->narray; k++) {
      p->owned[i][k] = ik_pages_alloc((size_t)bytes);
      if (!p->owned[i][k]) return no_memory(p, d);
      clear(p->owned[i][k], bytes, threads);
      p->a[i][k] = (char *)p->owned[i][k] + (size_t)before(p) * element(p);
    }
  return IK_OK;
}

const char *ik_plain_missing(const ik_bench_case *c, const ik_ir *ir) {
  return c->plain ? NULL : ik_loops_missing(ir);
}

ik_status ik_plain_open(ik_plain *p, const ik_bench_case *c, const ik_bench_size *s,
                        const ik_ir *ir, int threads, const char *cache, ik_diag *d) {
  *p = (ik_plain){.c = c};
  if (!c->plain) return ik_loops_open(ir, threads, cache, d, &p->written);
  ik_status st = build(p, cache, d);
  if (!st) st = allocate(p, s, threads, d);
  if (st) ik_plain_close(p);
  return st;
}

void ik_plain_close(ik_plain *p) {
  ik_loops_close(&p->written);
  for (int i = 0; i < IK_BENCH_SETS; i++)
    for (int k = 0; k < IK_BENCH_ARRAYS; k++) {
      ik_pages_free(p->owned[i][k]);
      p->owned[i][k] = NULL;
    }
  for (int way = 0; way < IK_PLAINS; way++) ik_build_close(&p->code[way]);
}

static char *row_of(const ik_plain *p, void *a, int64_t y, int64_t z) {
  return (char *)a + (size_t)(z * p->grid.plane + y * p->grid.pitch) * element(p);
}

static void load_array(ik_plain *p, void *a, const ik_run *from, const char *name) {
  int           f = ik_run_field(from, name);
  const ik_box *b = &from->program->ir->field[f].box;
  for (int64_t z = 0; z < b->hi[2]; z++)
    for (int64_t y = 0; y < b->hi[1]; y++)
      memcpy(row_of(p, a, y, z), ik_state_row(from->state, f, 0, y, z),
             (size_t)b->hi[0] * element(p));
}

void ik_plain_load(ik_plain *p, const ik_run *from) {
  if (p->written) {
    ik_loops_load(p->written, from->state);
    return;
  }
  for (int i = 0; i < p->sets; i++)
    for (int k = 0; k < p->narray; k++)
      if (*p->c->array[k]) load_array(p, p->a[i][k], from, p->c->array[k]);
  memset(p->kept, 0, sizeof p->kept);
}

/* ---- running ---- */

void ik_plain_run(ik_plain *p, int way, int steps) {
  if (p->written) {
    ik_loops_run(p->written, way, steps);
    return;
  }
  run_fn run = (run_fn)ik_build_symbol(p->code[way], "plain_run");
  if (p->sets == 1) {
    run(p->a[0], &p->grid, steps, &p->kept[0]);
    return;
  }
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < p->sets; i++) run(p->a[i], &p->grid, 1, &p->kept[i]);
}

double ik_plain_error(const ik_plain *p, const ik_run *run) {
  if (p->written) return ik_loops_error(p->written, run->state);
  ik_deviation  dev = {0};
  int           f = ik_run_field(run, p->c->array[p->c->result]);
  const ik_box *b = &run->program->ir->field[f].box;
  void         *a = p->a[0][p->c->result];
  for (int64_t z = 0; z < b->hi[2]; z++)
    for (int64_t y = 0; y < b->hi[1]; y++)
      ik_deviation_add(&dev, p->c->f64 ? IK_F64 : IK_F32, row_of(p, a, y, z),
                       ik_state_row(run->state, f, 0, y, z), b->hi[0]);
  return ik_deviation_of(&dev);
}
