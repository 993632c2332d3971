/* nest.h: what stands before the plain loops that are written from a program
 * (src/apps/bench/nest.h).
 *
 * An array is a level of a field, with as many cells around it as are read beyond its faces.
 * a[i] points at cell (0, 0, 0).  Buffers change places from step to step.
 */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct plain {
  void  **a;
  double *scalar;
  long    t; /* steps done */
  int     threads;
} plain;

/* What does not change is put around the arrays. */
void plain_begin(const plain *p);
/* Steps, or rounds of a repeat until its test holds; returns how many. */
long plain_run(plain *p, long rounds);

/* The pages of an array come to the threads that will use them. */
void plain_clear(char *from, long bytes, int threads) {
  long part = (bytes + threads - 1) / threads;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int t = 0; t < threads; t++) {
    long left = bytes - t * part;
    if (left > 0) memset(from + t * part, 0, (size_t)(left < part ? left : part));
  }
}

/* u' becomes u, u becomes u[t-1], ... */
static inline void rotate(void **level, int n) {
  void *oldest = level[n - 1];
  memmove(level + 1, level, (size_t)(n - 1) * sizeof *level);
  level[0] = oldest;
}
