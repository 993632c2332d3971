/* hdiff.c: horizontal diffusion with a flux limiter.  a: in, coeff, out.
 * The Laplacian of a level is kept in a plane of the thread's own, which stays in its cache; the
 * fluxes are cheaper to compute twice than to keep. */
static inline REAL limited(REAL flux, REAL slope) { return flux * slope > 0 ? 0 : flux; }

static void laplacian(REAL *restrict lap, const REAL *restrict in, const grid *g) {
  const long p = g->pitch, nx = g->n[0], ny = g->n[1];
  for (long y = 1; y < ny - 1; y++)
    for (long at = y * p + 1; at < y * p + nx - 1; at++)
      lap[at] = 4 * in[at] - (in[at + 1] + in[at - 1] + in[at + p] + in[at - p]);
}

static void diffuse(REAL *restrict out, const REAL *restrict in, const REAL *restrict coeff,
                    const REAL *restrict lap, const grid *g) {
  const long p = g->pitch, nx = g->n[0], ny = g->n[1];
  for (long y = 2; y < ny - 2; y++)
    for (long at = y * p + 2; at < y * p + nx - 2; at++) {
      REAL right = limited(lap[at + 1] - lap[at], in[at + 1] - in[at]);
      REAL left = limited(lap[at] - lap[at - 1], in[at] - in[at - 1]);
      REAL upper = limited(lap[at + p] - lap[at], in[at + p] - in[at]);
      REAL lower = limited(lap[at] - lap[at - p], in[at] - in[at - p]);
      out[at] = in[at] - coeff[at] * (right - left + upper - lower);
    }
}

void plain_run(REAL **a, const grid *g, long steps, double *kept) {
  (void)kept;
#pragma omp parallel num_threads(g->threads)
  {
    REAL *lap = malloc((size_t)g->plane * sizeof *lap);
    for (long t = 0; lap && t < steps; t++)
#pragma omp for schedule(static)
      for (long z = 0; z < g->n[2]; z++) {
        laplacian(lap, a[0] + z * g->plane, g);
        diffuse(a[2] + z * g->plane, a[0] + z * g->plane, a[1] + z * g->plane, lap, g);
      }
    free(lap);
  }
}
