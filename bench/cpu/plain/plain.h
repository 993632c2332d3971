/* plain.h: what stands before every plain loop.
 *
 * The loops of this folder are what `ikat bench cpu` holds the engine against: each the nest that a
 * good programmer writes, without tiling and without intrinsics, for a compiler with -O3
 * -march=native -fopenmp.  The bench defines REAL (float or double), DIM and RADIUS, and puts the
 * loop behind this text.
 *
 * Every array has rows along x that are `pitch` elements apart and planes that are `plane` apart,
 * and a halo as wide as the loop reads, which is zero.  a[i] points at cell (0, 0, 0).  After the
 * call a[i] holds what it held before, one or more steps later; buffers may have changed places.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct grid {
  long n[3], pitch, plane;
  int  threads;
} grid;

void plain_run(REAL **a, const grid *g, long steps, double *kept);

#if RADIUS
/* The weights of star.ik and box.ik. */
static inline REAL weight(int i, int j, int k, int count) {
  return (REAL)((1 + (i + 2 * j + 3 * k) / (8.0 * RADIUS)) / count);
}
#endif

/* The pages of an array come to the threads that will use them. */
void plain_clear(char *from, long bytes, int threads) {
  long part = (bytes + threads - 1) / threads;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int t = 0; t < threads; t++) {
    long left = bytes - t * part;
    if (left > 0) memset(from + t * part, 0, (size_t)(left < part ? left : part));
  }
}

static inline void swap(REAL **a, REAL **b) {
  REAL *t = *a;
  *a = *b, *b = t;
}
