#include "base/text.h"
#include "io/file.h"
#include "apps/study/codesign.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const ik_codesign_benchmark ik_codesign_benchmarks[IK_CODESIGN_BENCHMARKS] = {
    {"jacobi2d", 2, 32, 128, 24, 438, 2059},   {"heat2d", 2, 22, 256, 12, 447, 3017},
    {"gradient2d", 2, 28, 160, 24, 431, 4963}, {"laplacian2d", 2, 28, 160, 12, 426, 2549},
    {"heat3d", 3, 18, 288, 192, 447, 3600},    {"laplacian3d", 3, 8, 896, 96, 446, 1427},
};

int ik_codesign_published(int benchmark) {
  if (benchmark < 0) return -1;
  const ik_codesign_benchmark *b = &ik_codesign_benchmarks[benchmark];
  return ik_design_find(b->sms, b->vector_units, b->shared_kb);
}

typedef struct draft {
  ik_codesign_workload *w;
  const ik_machine     *gpu;
  ik_arena             *a;
  ik_diag              *d;
  const char           *file; /* NULL: not from a file */
  int                   line;
} draft;

enum { MOST = 1024 }; /* problems */

static ik_status wrong(const draft *r, ik_code code, const char *what) {
  return ik_fail(r->d, IK_ERR_SOURCE, code, IK_NOSPAN, "%s, line %d: %s", r->file, r->line, what);
}

/* ---- what it consists of ---- */

/* Lines with the same name are sizes of one stencil. */
static int stencil_of(draft *r, const char *name, int benchmark) {
  ik_codesign_workload *w = r->w;
  int                   i = 0;
  while (i < w->nstencil && strcmp(w->stencil[i].name, name)) i++;
  if (i == w->nstencil)
    w->stencil[w->nstencil++] =
        (ik_codesign_stencil){ik_arena_dup(r->a, name, strlen(name)), benchmark};
  return i;
}

static ik_status add(draft *r, const ik_codesign_entry *e) {
  ik_codesign_workload *w = r->w;
  if (w->n == MOST) return wrong(r, IK_E005, "more than 1024 problems");
  w->dims = w->n && w->dims != e->problem.dims ? 0 : e->problem.dims;
  w->entry[w->n++] = *e;
  return IK_OK;
}

static ik_status add_benchmark(draft *r, int benchmark, int64_t side, int64_t steps,
                               double weight) {
  const ik_codesign_benchmark *b = &ik_codesign_benchmarks[benchmark];
  ik_codesign_entry            e = {.weight = weight, .problem = {.dims = b->dims, .steps = steps}};
  char                         key[64];
  for (int i = 0; i < b->dims; i++) e.problem.s[i] = side;
  snprintf(key, sizeof key, "c_iter.%s", b->name);
  if (!ik_machine_number(r->gpu, key, "s", &e.problem.iter_s))
    return ik_fail(r->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "machine %s has no figure %s",
                   r->gpu->name, key);
  e.stencil = stencil_of(r, b->name, benchmark);
  return add(r, &e);
}

/* Section C.3.1 for two dimensions (12288 is printed 12228); none are given for three, so those of
 * section A.5. */
static ik_status add_sizes(draft *r, int benchmark, double weight) {
  bool    flat = ik_codesign_benchmarks[benchmark].dims == 2;
  int64_t first = flat ? 4096 : 384, step = flat ? 4096 : 128, last = flat ? 16384 : 640;
  for (int64_t side = first; side <= last; side += step)
    for (int64_t t = flat ? 1024 : 128; t <= side; t = flat ? 2 * t : t + 128)
      IK_TRY(add_benchmark(r, benchmark, side, t, weight));
  return IK_OK;
}

static ik_status add_dims(draft *r, int dims) {
  r->w->published = true;
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
    ik_help(r->d, "it is one of jacobi2d, heat2d, gradient2d, laplacian2d, heat3d, laplacian3d, or "
                  "a program, FILE.ik");
  return IK_ERR_SOURCE;
}

static bool is_whole(double v) { return v >= 1 && v <= IK_HEX_LIMIT && v == floor(v); }

static ik_status check_weight(const draft *r, double weight) {
  if (weight >= 0 && weight < INFINITY) return IK_OK;
  return wrong(r, IK_E081, "a weight cannot be below zero or without end");
}

/* NAME [SIZE STEPS] [WEIGHT] */
static ik_status read_benchmark(draft *r, const char *name, char *const *word, int n) {
  double v[3];
  int    benchmark;
  IK_TRY(find_benchmark(r, name, &benchmark));
  if (n > 3) return wrong(r, IK_E002, "more than a name, a size, steps and a weight");
  for (int i = 0; i < n; i++) {
    char *end;
    v[i] = ik_strtod(word[i], &end);
    if (*end) return wrong(r, IK_E004, "a size, a number of steps or a weight is not a number");
  }
  double weight = n % 2 ? v[n - 1] : 1;
  IK_TRY(check_weight(r, weight));
  if (n < 2) return add_sizes(r, benchmark, weight);
  if (!is_whole(v[0]) || !is_whole(v[1]))
    return wrong(r, IK_E024, "a size and steps must be whole numbers of at least one");
  return add_benchmark(r, benchmark, (int64_t)v[0], (int64_t)v[1], weight);
}

/* Programs lie beside the workload. */
static const char *path_of(const draft *r, const char *name) {
  const char *slash = strrchr(r->file, '/');
  if (name[0] == '/' || !slash) return name;
  return ik_arena_printf(r->a, "%.*s/%s", (int)(slash - r->file), r->file, name);
}

/* FILE.ik [WEIGHT] [name=value]... */
static ik_status read_program(draft *r, const char *name, char **word, int n) {
  ik_codesign_line  l = {r->file, r->line, path_of(r, name), word, 0};
  ik_codesign_entry e = {.weight = 1};
  bool              weighted = false;
  for (int i = 0; i < n; i++) {
    char *end;
    if (strchr(word[i], '=')) {
      word[l.nsetting++] = word[i];
      continue;
    }
    if (weighted) return wrong(r, IK_E002, "more than one weight; the rest is name=value");
    e.weight = ik_strtod(word[i], &end), weighted = true;
    if (*end) return wrong(r, IK_E004, "a weight is not a number; the rest is name=value");
  }
  IK_TRY(check_weight(r, e.weight));
  IK_TRY(ik_codesign_program(&l, r->gpu, r->d, &e));
  e.stencil = stencil_of(r, name, -1);
  return add(r, &e);
}

static bool is_program(const char *name) {
  size_t len = strlen(name);
  return len > 3 && !strcmp(name + len - 3, ".ik");
}

static ik_status read_line(draft *r, char *line) {
  enum { WORDS = 64 };
  char *word[WORDS], *save, *name;
  int   n = 0;
  line[strcspn(line, "#\r")] = 0;
  if (!(name = strtok_r(line, " \t", &save))) return IK_OK;
  while (n < WORDS && (word[n] = strtok_r(NULL, " \t", &save))) n++;
  if (n == WORDS) return wrong(r, IK_E005, "more than 63 words behind a name");
  return is_program(name) ? read_program(r, name, word, n) : read_benchmark(r, name, word, n);
}

static ik_status check_all(const draft *r) {
  if (!r->w->n)
    return ik_fail(r->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "there is no stencil in %s", r->file);
  for (int i = 0; i < r->w->n; i++)
    if (r->w->entry[i].weight > 0) return IK_OK;
  return ik_fail(r->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "all weights in %s are zero", r->file);
}

static ik_status read_file(draft *r) {
  ik_buf *text = &r->w->text;
  IK_TRY(ik_file_read(r->file, 1 << 20, IK_NOSPAN, text, r->d));
  for (char *rest = text->data, *line; rest && (line = strsep(&rest, "\n"));) {
    r->line++;
    IK_TRY(read_line(r, line));
  }
  return check_all(r);
}

ik_status ik_codesign_read(const char *workload, const ik_machine *gpu, ik_arena *a, ik_diag *d,
                           ik_codesign_workload *out) {
  draft r = {.w = out, .gpu = gpu, .a = a, .d = d};
  *out = (ik_codesign_workload){.entry = IK_NEW_N(a, ik_codesign_entry, MOST),
                                .stencil = IK_NEW_N(a, ik_codesign_stencil, MOST)};
  if (!workload || !strcmp(workload, "2d")) return add_dims(&r, 2);
  if (!strcmp(workload, "3d")) return add_dims(&r, 3);
  r.file = workload;
  return read_file(&r);
}
