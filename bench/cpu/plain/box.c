/* box.c: a full box of any radius in two or three dimensions.  a: u, and its new values.
 *
 * gcc uses vectors only if the loops over the taps are unrolled and the weights are local. */
enum { R = RADIUS, W = 2 * RADIUS + 1 };

#if DIM == 3
enum { RZ = RADIUS, COUNT = W * W * W };
#else
enum { RZ = 0, COUNT = W * W };
#endif

static void load_weights(REAL w[2 * RZ + 1][W][W]) {
  for (int k = -RZ; k <= RZ; k++)
    for (int j = -R; j <= R; j++)
      for (int i = -R; i <= R; i++) w[k + RZ][j + R][i + R] = weight(i, j, k, COUNT);
}

static void row(REAL *restrict out, const REAL *restrict in, long p, long q, long nx,
                const REAL from[2 * RZ + 1][W][W]) {
  REAL w[2 * RZ + 1][W][W];
  memcpy(w, from, sizeof w);
  for (long x = 0; x < nx; x++) {
    REAL sum = 0;
#pragma GCC unroll 3
    for (int k = -RZ; k <= RZ; k++)
#pragma GCC unroll 15
      for (int j = -R; j <= R; j++)
#pragma GCC unroll 15
        for (int i = -R; i <= R; i++) sum += w[k + RZ][j + R][i + R] * in[x + k * q + j * p + i];
    out[x] = sum;
  }
}

static void step(REAL *to, const REAL *u, const grid *g) {
  REAL w[2 * RZ + 1][W][W];
  load_weights(w);
#pragma omp parallel for num_threads(g->threads) schedule(static)
  for (long r = 0; r < g->n[1] * g->n[2]; r++) {
    long at = r / g->n[1] * g->plane + r % g->n[1] * g->pitch;
    row(to + at, u + at, g->pitch, g->plane, g->n[0], w);
  }
}

void plain_run(REAL **a, const grid *g, long steps, double *kept) {
  (void)kept;
  for (long t = 0; t < steps; t++) {
    step(a[1], a[0], g);
    swap(&a[0], &a[1]);
  }
}
