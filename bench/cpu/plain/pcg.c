/* pcg.c: preconditioned conjugate gradients as in the textbook, a loop for each line.
 * a: sol, p, q, r, z.  kept: r.z, once there is one. */
static long start(const grid *g, long row) {
  return row / g->n[1] * g->plane + row % g->n[1] * g->pitch;
}

static void apply(REAL *restrict q, const REAL *restrict p, const grid *g) {
  const long s = g->pitch, l = g->plane;
#pragma omp parallel for num_threads(g->threads) schedule(static)
  for (long row = 0; row < g->n[1] * g->n[2]; row++)
    for (long at = start(g, row), end = at + g->n[0]; at < end; at++)
      q[at] = 6 * p[at] - p[at - l] - p[at + l] - p[at - 1] - p[at + 1] - p[at - s] - p[at + s];
}

static double dot(const REAL *restrict a, const REAL *restrict b, const grid *g) {
  double sum = 0;
#pragma omp      parallel for num_threads(g->threads) schedule(static) reduction(+ : sum)
  for (long row = 0; row < g->n[1] * g->n[2]; row++) {
         double part = 0;
         long   at = start(g, row);
#pragma omp simd reduction(+ : part)
    for (long x = 0; x < g->n[0]; x++) part += (double)a[at + x] * b[at + x];
    sum += part;
       }
       return sum;
}

static void move(REAL *restrict sol, REAL *restrict r, const REAL *restrict p,
                 const REAL *restrict q, REAL alpha, const grid *g) {
#pragma omp parallel for num_threads(g->threads) schedule(static)
  for (long row = 0; row < g->n[1] * g->n[2]; row++)
    for (long at = start(g, row), end = at + g->n[0]; at < end; at++) {
      sol[at] += alpha * p[at];
      r[at] -= alpha * q[at];
    }
}

static void precondition(REAL *restrict z, const REAL *restrict r, const grid *g) {
  const REAL sixth = (REAL)(1.0 / 6);
#pragma omp parallel for num_threads(g->threads) schedule(static)
  for (long row = 0; row < g->n[1] * g->n[2]; row++)
    for (long at = start(g, row), end = at + g->n[0]; at < end; at++) z[at] = r[at] * sixth;
}

static void turn(REAL *restrict p, const REAL *restrict z, REAL beta, const grid *g) {
#pragma omp parallel for num_threads(g->threads) schedule(static)
  for (long row = 0; row < g->n[1] * g->n[2]; row++)
    for (long at = start(g, row), end = at + g->n[0]; at < end; at++) p[at] = z[at] + beta * p[at];
}

void plain_run(REAL **a, const grid *g, long steps, double *kept) {
  REAL *sol = a[0], *p = a[1], *q = a[2], *r = a[3], *z = a[4];
  if (*kept == 0) {
    precondition(z, r, g);
    *kept = dot(r, z, g);
  }
  for (long t = 0; t < steps; t++) {
    apply(q, p, g);
    double alpha = *kept / dot(p, q, g);
    move(sol, r, p, q, (REAL)alpha, g);
    precondition(z, r, g);
    double rz = dot(r, z, g);
    turn(p, z, (REAL)(rz / *kept), g);
    *kept = rz;
  }
}
