/* star.c: a star of radius one in two or three dimensions, or on a torus of two (PERIODIC).
 * a: u, and its new values. */
static void row(REAL *restrict out, const REAL *restrict in, long p, long q, long nx) {
  const int  count = 2 * DIM + 1;
  const REAL c = weight(0, 0, 0, count);
  const REAL xl = weight(-1, 0, 0, count), xh = weight(1, 0, 0, count);
  const REAL yl = weight(0, -1, 0, count), yh = weight(0, 1, 0, count);
#if DIM == 3
  const REAL zl = weight(0, 0, -1, count), zh = weight(0, 0, 1, count);
  for (long x = 0; x < nx; x++)
    out[x] = c * in[x] + xl * in[x - 1] + xh * in[x + 1] + yl * in[x - p] + yh * in[x + p] +
             zl * in[x - q] + zh * in[x + q];
#else
  (void)q;
  for (long x = 0; x < nx; x++)
    out[x] = c * in[x] + xl * in[x - 1] + xh * in[x + 1] + yl * in[x - p] + yh * in[x + p];
#endif
}

static void step(REAL *to, const REAL *u, const grid *g) {
#pragma omp parallel for num_threads(g->threads) schedule(static)
  for (long r = 0; r < g->n[1] * g->n[2]; r++) {
    long at = r / g->n[1] * g->plane + r % g->n[1] * g->pitch;
    row(to + at, u + at, g->pitch, g->plane, g->n[0]);
  }
}

#if PERIODIC
/* The halo gets what lies on the other side. */
static void wrap(REAL *u, const grid *g) {
  const long p = g->pitch, nx = g->n[0], ny = g->n[1];
  for (long y = 0; y < ny; y++) u[y * p - 1] = u[y * p + nx - 1], u[y * p + nx] = u[y * p];
  memcpy(u - p, u + (ny - 1) * p, (size_t)nx * sizeof *u);
  memcpy(u + ny * p, u, (size_t)nx * sizeof *u);
}
#endif

void plain_run(REAL **a, const grid *g, long steps, double *kept) {
  (void)kept;
  for (long t = 0; t < steps; t++) {
#if PERIODIC
    wrap(a[0], g);
#endif
    step(a[1], a[0], g);
    swap(&a[0], &a[1]);
  }
}
