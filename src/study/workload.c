#include "base/text.h"
#include "io/file.h"
#include "study/codesign.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const ik_codesign_benchmark ik_codesign_benchmarks[IK_CODESIGN_BENCHMARKS] = {
    {"jacobi2d", 2, 32, 128, 24, 438, 2059},   {"heat2d", 2, 22, 256, 12, 447, 3017},
    {"gradient2d", 2, 28, 160, 24, 431, 4963}, {"laplacian2d", 2, 28, 160, 12, 426, 2549},
    {"heat3d", 3, 18, 288, 192, 447, 3600},    {"laplacian3d", 3, 8, 896, 96, 446, 1427},
};

int ik_codesign_published(int benchmark) {
  const ik_codesign_benchmark *b = &ik_codesign_benchmarks[benchmark];
  return ik_design_find(b->sms, b->vector_units, b->shared_kb);
}

typedef struct draft {
  ik_codesign_workload *w;
  const ik_machine     *gpu;
  ik_diag              *d;
  const char           *file; /* NULL: not from a file */
  int                   line;
} draft;

enum { MOST = 1024 }; /* problems */

static ik_status wrong(const draft *r, ik_code code, const char *what) {
  return ik_fail(r->d, IK_ERR_SOURCE, code, IK_NOSPAN, "%s, line %d: %s", r->file, r->line, what);
}

static ik_status add(draft *r, int benchmark, int64_t side, int64_t steps, double weight) {
  ik_codesign_workload *w = r->w;
  char                  key[64];
  ik_hex_problem        p = {.dims = ik_codesign_benchmarks[benchmark].dims, .steps = steps};
  if (w->n == MOST) return wrong(r, IK_E005, "more than 1024 problems");
  for (int i = 0; i < p.dims; i++) p.s[i] = side;
  snprintf(key, sizeof key, "c_iter.%s", ik_codesign_benchmarks[benchmark].name);
  if (!ik_machine_number(r->gpu, key, "s", &p.iter_s))
    return ik_fail(r->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "machine %s has no figure %s",
                   r->gpu->name, key);
  w->dims = w->n && w->dims != p.dims ? 0 : p.dims;
  w->problem[w->n] = p, w->weight[w->n] = weight, w->benchmark[w->n++] = benchmark;
  return IK_OK;
}

/* Section C.3.1 for two dimensions (12288 is printed 12228); none are given for three, so those of
 * section A.5. */
static ik_status add_sizes(draft *r, int benchmark, double weight) {
  bool    flat = ik_codesign_benchmarks[benchmark].dims == 2;
  int64_t first = flat ? 4096 : 384, step = flat ? 4096 : 128, last = flat ? 16384 : 640;
  for (int64_t side = first; side <= last; side += step)
    for (int64_t t = flat ? 1024 : 128; t <= side; t = flat ? 2 * t : t + 128)
      IK_TRY(add(r, benchmark, side, t, weight));
  return IK_OK;
}

static ik_status add_dims(draft *r, int dims) {
  for (int b = 0; b < IK_CODESIGN_BENCHMARKS; b++)
    if (ik_codesign_benchmarks[b].dims == dims) IK_TRY(add_sizes(r, b, 1));
  return IK_OK;
}

/* ---- files ---- */

static ik_status find_benchmark(const draft *r, const char *name, int *out) {
  const char *names[IK_CODESIGN_BENCHMARKS];
  for (int b = 0; b < IK_CODESIGN_BENCHMARKS; b++) {
    names[b] = ik_codesign_benchmarks[b].name;
    if (!strcmp(name, names[b])) return *out = b, IK_OK;
  }
  const char *near = ik_nearest(name, names, IK_CODESIGN_BENCHMARKS);
  ik_error(r->d, IK_E082, IK_NOSPAN, "%s, line %d: there is no stencil '%s'", r->file, r->line,
           name);
  if (near)
    ik_help(r->d, "did you mean '%s'?", near);
  else
    ik_help(r->d, "it is one of jacobi2d, heat2d, gradient2d, laplacian2d, heat3d, laplacian3d");
  return IK_ERR_SOURCE;
}

static bool is_whole(double v) { return v >= 1 && v <= IK_HEX_LIMIT && v == floor(v); }

/* NAME [SIZE STEPS] [WEIGHT] */
static ik_status read_line(draft *r, char *line) {
  double v[4];
  int    n = 0, benchmark;
  char  *save, *name, *word;
  line[strcspn(line, "#\r")] = 0;
  if (!(name = strtok_r(line, " \t", &save))) return IK_OK;
  IK_TRY(find_benchmark(r, name, &benchmark));
  while ((word = strtok_r(NULL, " \t", &save)) && n < 4) {
    char *end;
    v[n++] = ik_strtod(word, &end);
    if (*end) return wrong(r, IK_E004, "a size, a number of steps or a weight is no number");
  }
  if (n > 3) return wrong(r, IK_E002, "more than a name, a size, steps and a weight");
  double weight = n % 2 ? v[n - 1] : 1;
  if (!(weight > 0 && weight < INFINITY)) return wrong(r, IK_E081, "a weight must be above zero");
  if (n < 2) return add_sizes(r, benchmark, weight);
  if (!is_whole(v[0]) || !is_whole(v[1]))
    return wrong(r, IK_E024, "a size and steps must be whole numbers of at least one");
  return add(r, benchmark, (int64_t)v[0], (int64_t)v[1], weight);
}

static ik_status read_file(draft *r) {
  ik_buf    text = {0};
  ik_status st = ik_file_read(r->file, 1 << 20, IK_NOSPAN, &text, r->d);
  char     *rest = text.data;
  while (rest && !st) {
    char *line = strsep(&rest, "\n");
    r->line++;
    st = read_line(r, line);
  }
  ik_buf_free(&text);
  if (!st && !r->w->n)
    st = ik_fail(r->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "there is no stencil in %s", r->file);
  return st;
}

ik_status ik_codesign_read(const char *workload, const ik_machine *gpu, ik_arena *a, ik_diag *d,
                           ik_codesign_workload *out) {
  draft r = {.w = out, .gpu = gpu, .d = d};
  *out = (ik_codesign_workload){.problem = IK_NEW_N(a, ik_hex_problem, MOST),
                                .weight = IK_NEW_N(a, double, MOST),
                                .benchmark = IK_NEW_N(a, int, MOST)};
  if (!workload || !strcmp(workload, "2d")) return add_dims(&r, 2);
  if (!strcmp(workload, "3d")) return add_dims(&r, 3);
  r.file = workload;
  return read_file(&r);
}
