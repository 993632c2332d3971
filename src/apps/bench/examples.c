/* The cases of suite `examples`. */
#include "apps/bench/cases.h"
#include <stddef.h>

/* Nothing in a cache.  As many steps of a timing as any plan can do in passes alone: a multiple of
 * those that it fuses.  It takes half a second, about. */
#define EXAMPLE(name_, title_, ndim_)                                                              \
  .name = name_, .title = title_, .program = "examples/" name_, .ndim = ndim_
#define SIZE1(n, steps)                                                                            \
  { {n, 1, 1}, 1, steps }
#define SIZE2(nx, ny, steps)                                                                       \
  { {nx, ny, 1}, 1, steps }
#define SIZE3(nx, ny, nz, steps)                                                                   \
  { {nx, ny, nz}, 1, steps }
#define RANDOM(seed_, ndim_, f64_, ...)                                                            \
  {                                                                                                \
    .name = "random-" #seed_, .title = "a random program, seed " #seed_, .seed = seed_,            \
    .ndim = ndim_, .f64 = f64_, __VA_ARGS__                                                        \
  }
#define RANDOM1(seed, f64) RANDOM(seed, 1, f64, .full = SIZE1(32 << 20, 48), .small = SIZE1(523, 3))
#define RANDOM2(seed, f64)                                                                         \
  RANDOM(seed, 2, f64, .full = SIZE2(4096, 4096, 48), .small = SIZE2(72, 37, 3))
#define RANDOM3(seed, f64)                                                                         \
  RANDOM(seed, 3, f64, .full = SIZE3(256, 256, 256, 24), .small = SIZE3(40, 19, 13, 3))

static const ik_bench_case examples[] = {
    {EXAMPLE("align", "Smith-Waterman, i32", 2), .repeated = "\nsweep x up, y up {",
     .full = SIZE2(8192, 8192, 1), .small = SIZE2(45, 38, 2)},
    {EXAMPLE("box", "9 points on a torus, f32", 2), .full = SIZE2(4096, 4096, 48),
     .small = SIZE2(72, 37, 5)},
    {EXAMPLE("gradient2d", "division and square root, f32", 2), .full = SIZE2(4096, 4096, 48),
     .small = SIZE2(72, 37, 5)},
    {EXAMPLE("gray-scott", "two substances on a torus, f32", 2), .full = SIZE2(4096, 4096, 48),
     .small = SIZE2(72, 37, 5)},
    {EXAMPLE("hdiff", "horizontal diffusion, f32", 3),
     .repeated = "\nlap = ", .full = SIZE3(512, 512, 64, 8), .small = SIZE3(40, 19, 13, 2)},
    {EXAMPLE("hdiff-limited", "horizontal diffusion with limiter, f32", 3),
     .repeated = "\nlap = ", .full = SIZE3(512, 512, 64, 8), .small = SIZE3(40, 19, 13, 2)},
    {EXAMPLE("heat", "5 points, f64", 2), .f64 = true, .full = SIZE2(4096, 4096, 48),
     .small = SIZE2(72, 37, 5)},
    {EXAMPLE("heat3d", "27 points, f32", 3), .full = SIZE3(384, 384, 384, 24),
     .small = SIZE3(40, 19, 13, 5)},
    {EXAMPLE("jacobi1d", "3 points, f32", 1), .full = SIZE1(32 << 20, 48), .small = SIZE1(1234, 5)},
    {EXAMPLE("jacobi2d", "5 points, values and mirrors at the rim, f32", 2),
     .full = SIZE2(4096, 4096, 48), .small = SIZE2(72, 37, 5)},
    {EXAMPLE("laplacian2d", "5 points on a torus, f32", 2), .full = SIZE2(4096, 4096, 48),
     .small = SIZE2(72, 37, 5)},
    {EXAMPLE("laplacian3d", "7 points on a torus, f32", 3), .full = SIZE3(384, 384, 384, 24),
     .small = SIZE3(40, 19, 13, 5)},
    {EXAMPLE("life", "Conway's game on a torus, i32", 2), .full = SIZE2(4096, 4096, 48),
     .small = SIZE2(72, 37, 5)},
    {EXAMPLE("maxwell", "Yee's grid, six fields, f64", 3), .f64 = true,
     .full = SIZE3(256, 256, 256, 24), .small = SIZE3(24, 19, 13, 5)},
    {EXAMPLE("poisson", "conjugate gradients, f32, an iteration", 3), .settings = "tolerance=0",
     .full = SIZE3(384, 384, 384, 3), .small = SIZE3(24, 19, 13, 5)},
    {EXAMPLE("shallow", "shallow water on a C grid, f64", 2), .f64 = true,
     .full = SIZE2(4096, 4096, 48), .small = SIZE2(72, 37, 5)},
    {EXAMPLE("star", "5 points on a torus, f32", 2), .full = SIZE2(4096, 4096, 48),
     .small = SIZE2(72, 37, 5)},
    {EXAMPLE("vadvc", "vertical advection, f32", 3), .repeated = "\nsweep z up {",
     .full = SIZE3(512, 512, 64, 2), .small = SIZE3(40, 19, 13, 2)},
    {EXAMPLE("wafer", "25 points, a velocity field, a source, f32", 3),
     .full = SIZE3(320, 320, 320, 24), .small = SIZE3(40, 36, 32, 8)},
    {EXAMPLE("wave", "25 points, absorbing layers, a source, f32", 3),
     .full = SIZE3(320, 320, 320, 24), .small = SIZE3(40, 36, 32, 8)},
    {EXAMPLE("wave2d", "17 points, absorbing layers, a source, f32", 2),
     .full = SIZE2(4096, 4096, 24), .small = SIZE2(80, 76, 8)},
    RANDOM2(1, false),
    RANDOM2(2, true),
    RANDOM3(3, false),
    RANDOM3(4, true),
    RANDOM1(5, false),
    RANDOM2(6, false),
    RANDOM3(7, false),
    RANDOM1(8, true),
    RANDOM2(9, true),
    RANDOM3(10, true),
    RANDOM2(11, false),
    RANDOM3(12, false),
};

const ik_bench_suite ik_bench_examples = {"examples", sizeof examples / sizeof *examples, examples};
