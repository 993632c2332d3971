#include "apps/bench/cases.h"
#include "base/text.h"
#include <string.h>

#define GRID2(n, steps)                                                                            \
  { {n, n, 1}, 1, steps }
#define GRID3(n, steps)                                                                            \
  { {n, n, n}, 1, steps }
#define WEATHER(steps)                                                                             \
  { {256, 256, 64}, IK_BENCH_SETS, steps }
#define SMALL2                                                                                     \
  { {72, 37, 1}, 1, 5 }
#define SMALL3                                                                                     \
  { {40, 19, 13}, 1, 5 }
#define SMALL_WEATHER                                                                              \
  { {40, 19, 13}, 2, 3 }
#define ONE_FIELD  .array = {"u", ""}, .result = 0
#define STAR(d, r) .program = "star", .plain = "star", .ndim = d, .radius = r, .halo = r, ONE_FIELD
#define BOX(d, r)  .program = "box", .plain = "box", .ndim = d, .radius = r, .halo = r, ONE_FIELD
#define HDIFF                                                                                      \
  .program = "hdiff", .plain = "hdiff", .ndim = 3, .array = {"in", "coeff", "out"}, .result = 2,   \
  .full = WEATHER(12), .small = SMALL_WEATHER
#define VADVC                                                                                      \
  .program = "vadvc", .plain = "vadvc", .ndim = 3, .halo = 1,                                      \
  .array = {"ustage", "upos", "utens", "utensstage", "wcon"}, .result = 3, .full = WEATHER(6),     \
  .small = SMALL_WEATHER

/* Published figures are of other codes, against the plain loop on the same machine: two cores of an
 * Emerald Rapids server. */
static const ik_bench_case cpu[] = {
    {.name = "star2d-r1-f32",
     .title = "5 points, f32",
     STAR(2, 1),
     .full = GRID2(16384, 16),
     .small = SMALL2,
     .published = "YASK time-tiled 2.1x"},
    {.name = "star2d-r1-f64",
     .title = "5 points, f64",
     STAR(2, 1),
     .f64 = true,
     .full = GRID2(16384, 16),
     .small = SMALL2,
     .published = "YASK time-tiled 2.2x"},
    {.name = "box2d-r1-f32",
     .title = "9 points, f32",
     BOX(2, 1),
     .full = GRID2(16384, 16),
     .small = SMALL2,
     .published = "YASK 1.7x"},
    {.name = "box2d-r1-f64",
     .title = "9 points, f64",
     BOX(2, 1),
     .f64 = true,
     .full = GRID2(16384, 16),
     .small = SMALL2,
     .published = "YASK 2.1x"},
    {.name = "star3d-r1-f32",
     .title = "7 points, f32",
     STAR(3, 1),
     .full = GRID3(512, 12),
     .small = SMALL3,
     .published = "Girih 2.5x"},
    {.name = "star3d-r1-f64",
     .title = "7 points, f64",
     STAR(3, 1),
     .f64 = true,
     .full = GRID3(512, 12),
     .small = SMALL3,
     .published = "Girih 2.7x"},
    {.name = "box3d-r1-f32",
     .title = "27 points, f32",
     BOX(3, 1),
     .full = GRID3(512, 12),
     .small = SMALL3,
     .published = "others at most 1.0x"},
    {.name = "box3d-r1-f64",
     .title = "27 points, f64",
     BOX(3, 1),
     .f64 = true,
     .full = GRID3(512, 12),
     .small = SMALL3,
     .published = "others at most 1.0x"},
    {.name = "wave-f32",
     .title = "wave, 25 points, velocity field, f32",
     .program = "wave",
     .plain = "wave",
     .ndim = 3,
     .halo = 4,
     .array = {"u", "u", "v"},
     .full = GRID3(512, 12),
     .small = SMALL3,
     .published = "YASK 2.4x"},
    {.name = "hdiff-f32",
     .title = "horizontal diffusion, f32",
     HDIFF,
     .published = "stencil_benchmarks 2.3x"},
    {.name = "hdiff-f64",
     .title = "horizontal diffusion, f64",
     HDIFF,
     .f64 = true,
     .published = "stencil_benchmarks 2.8x"},
    {.name = "vadvc-f32",
     .title = "vertical advection, f32",
     VADVC,
     .published = "others at most 1.0x"},
    {.name = "vadvc-f64",
     .title = "vertical advection, f64",
     VADVC,
     .f64 = true,
     .published = "others at most 1.0x"},
    {.name = "pcg-f64",
     .title = "conjugate gradients, 7 points, f64, an iteration",
     .program = "pcg",
     .plain = "pcg",
     .f64 = true,
     .ndim = 3,
     .halo = 1,
     .array = {"sol", "p", "q", "r", ""},
     .full = GRID3(256, 6),
     .small = SMALL3},
    {.name = "box2d-r7-f32",
     .title = "225 points, f32",
     BOX(2, 7),
     .full = GRID2(4096, 8),
     .small = SMALL2,
     .special = "matrix-band"},
    {.name = "periodic-star2d-f64",
     .title = "5 points on a torus, f64, 1000 steps",
     .program = "periodic",
     .plain = "star",
     .f64 = true,
     .periodic = true,
     .ndim = 2,
     .halo = 1,
     ONE_FIELD,
     .full = GRID2(4096, 1000),
     .small = SMALL2,
     .special = "spectral",
     .against_best = true},
};

static const ik_bench_suite suite = {"cpu", sizeof cpu / sizeof *cpu, cpu};

const ik_bench_suite *ik_bench_suite_find(const char *name) {
  const ik_bench_suite *const all[] = {&suite, &ik_bench_examples};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!name || !strcmp(all[i]->name, name)) return all[i];
  return NULL;
}

bool ik_bench_wanted(const ik_bench_case *c, const char *only) {
  size_t len = only ? strlen(only) : 0;
  return !only || (!strncmp(c->name, only, len) && (!c->name[len] || c->name[len] == '-'));
}

ik_status ik_bench_no_case(const char *only, const char *const *names, int n, ik_diag *d) {
  const char *near = ik_nearest(only, names, n);
  ik_error(d, IK_E082, IK_NOSPAN, "there is no case '%s'", only);
  if (near)
    ik_help(d, "did you mean '%s'?", near);
  else
    ik_help(d, "the first is '%s', and the words that names begin with mean all of them", names[0]);
  return IK_ERR_SOURCE;
}
