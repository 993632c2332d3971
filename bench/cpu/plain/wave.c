/* wave.c: second order in time, eighth in space.  a: u, u one step ago, v = (c dt/h)^2.
 * The oldest values are read once, where the new ones go: two buffers are enough. */
static void row(REAL *restrict out, const REAL *restrict in, const REAL *restrict v, long p, long q,
                long nx) {
  const REAL c0 = (REAL)(3 * -205.0 / 72), c1 = (REAL)(8.0 / 5), c2 = (REAL)(-1.0 / 5);
  const REAL c3 = (REAL)(8.0 / 315), c4 = (REAL)(-1.0 / 560);
  for (long x = 0; x < nx; x++) {
    REAL one = in[x - 1] + in[x + 1] + in[x - p] + in[x + p] + in[x - q] + in[x + q];
    REAL two =
        in[x - 2] + in[x + 2] + in[x - 2 * p] + in[x + 2 * p] + in[x - 2 * q] + in[x + 2 * q];
    REAL three =
        in[x - 3] + in[x + 3] + in[x - 3 * p] + in[x + 3 * p] + in[x - 3 * q] + in[x + 3 * q];
    REAL four =
        in[x - 4] + in[x + 4] + in[x - 4 * p] + in[x + 4 * p] + in[x - 4 * q] + in[x + 4 * q];
    REAL lap = c0 * in[x] + c1 * one + c2 * two + c3 * three + c4 * four;
    out[x] = 2 * in[x] - out[x] + v[x] * lap;
  }
}

static void step(REAL *to, const REAL *u, const REAL *v, const grid *g) {
#pragma omp parallel for num_threads(g->threads) schedule(static)
  for (long r = 0; r < g->n[1] * g->n[2]; r++) {
    long at = r / g->n[1] * g->plane + r % g->n[1] * g->pitch;
    row(to + at, u + at, v + at, g->pitch, g->plane, g->n[0]);
  }
}

void plain_run(REAL **a, const grid *g, long steps, double *kept) {
  (void)kept;
  for (long t = 0; t < steps; t++) {
    step(a[1], a[0], a[2], g);
    swap(&a[0], &a[1]);
  }
}
