/* cases.h: the problems of the suites that hold the engine against plain loops, one row each: a
 * program, the plain loop that does the same, sizes, and what others have published.
 *
 * Suite `cpu` has programs of bench/cpu and loops of bench/cpu/plain.  Suite `examples` has those
 * of examples/ and random ones (bench/random.h), and loops that are written from them
 * (bench/nest.h).
 */
#pragma once
#include "base/diag.h"
#include <stdbool.h>
#include <stdint.h>

enum { IK_BENCH_ARRAYS = 5, IK_BENCH_SETS = 12 };

typedef struct ik_bench_size {
  int64_t n[3];  /* extents; 1 beyond the last axis */
  int     sets;  /* independent copies, taken in turn, so that none is left in a cache */
  int     steps; /* of a timing */
} ik_bench_size;

typedef struct ik_bench_case {
  const char   *name, *title;
  const char   *program;  /* "star" is bench/cpu/star.ik, "examples/star" itself */
  const char   *plain;    /* a file in bench/cpu/plain; NULL: written from the program */
  const char   *settings; /* of parameters: "a=1 b=2"; may be NULL */
  const char   *repeated; /* the line from which on the program is repeated, which has no loop */
  int           seed;     /* of a random program; 0: `program` */
  bool          f64, periodic;
  int           ndim, radius;           /* radius 0: the program has neither `dim` nor `radius` */
  int           halo;                   /* of the plain loop's arrays */
  const char   *array[IK_BENCH_ARRAYS]; /* fields that they begin with; "": zeros; NULL: the end */
  int           result;                 /* which array is compared with its field */
  ik_bench_size full, small;
  const char   *published;    /* what other codes reached, times the plain loop; or NULL */
  const char   *special;      /* a strategy of another kind, or NULL */
  bool          against_best; /* which is compared with the best other strategy */
} ik_bench_case;

typedef struct ik_bench_suite {
  const char          *name;
  int                  ncase;
  const ik_bench_case *cases;
} ik_bench_suite;

extern const ik_bench_suite ik_bench_examples; /* examples.c */

/* NULL: "cpu".  Returns NULL if there is no such suite. */
const ik_bench_suite *ik_bench_suite_find(const char *name);

/* Is the case meant by `only`: its name, or the words that it begins with ("star2d" means
 * "star2d-r1-f32")?  NULL means all. */
bool ik_bench_wanted(const ik_bench_case *c, const char *only);
/* Says that none of these is called `only`, and what is called almost so, or how to name them. */
ik_status ik_bench_no_case(const char *only, const char *const *names, int n, ik_diag *d);
