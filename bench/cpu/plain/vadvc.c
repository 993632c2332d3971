/* vadvc.c: vertical advection.  a: ustage, upos, utens, utensstage, wcon.
 * A tridiagonal solve in each column, all columns of a row side by side; the two coefficients of
 * the Thomas algorithm and the solution are kept for a row, in the thread's cache. */
typedef struct row {
  const REAL *ustage, *upos, *utens, *wcon;
  REAL       *utensstage, *c, *d, *below;
  long        nx, q;
} row;

static const REAL dtr = (REAL)(3.0 / 20), half = (REAL)0.5;

/* Elimination of one level.  Below the first level c and d are zero. */
static void up(const row *r, long z, long nz) {
  const REAL *restrict u = r->ustage + z * r->q, *restrict pos = r->upos + z * r->q;
  const REAL *restrict tens = r->utens + z * r->q, *restrict stage = r->utensstage + z * r->q;
  const REAL *restrict w = r->wcon + z * r->q, *restrict wh = w + r->q;
  const REAL *restrict ul = u - (z > 0 ? r->q : 0), *restrict uh = u + (z < nz - 1 ? r->q : 0);
  const REAL *restrict cl = r->c + (z - 1) * r->nx, *restrict dl = r->d + (z - 1) * r->nx;
  REAL *restrict c = r->c + z * r->nx, *restrict d = r->d + z * r->nx;
  const REAL lower = z > 0 ? half : 0, upper = z < nz - 1 ? half : 0;
  for (long x = 0; x < r->nx; x++) {
    REAL a = -lower * (w[x + 1] + w[x]) / 4, b = upper * (wh[x + 1] + wh[x]) / 4;
    REAL corr = -a * (ul[x] - u[x]) - b * (uh[x] - u[x]);
    REAL dd = dtr * pos[x] + tens[x] + stage[x] + corr;
    REAL q = 1 / (dtr - a - b - cl[x] * a);
    c[x] = b * q;
    d[x] = (dd - dl[x] * a) * q;
  }
}

static void down(const row *r, long z, long nz) {
  const REAL *restrict pos = r->upos + z * r->q, *restrict c = r->c + z * r->nx;
  const REAL *restrict d = r->d + z * r->nx;
  REAL *restrict stage = r->utensstage + z * r->q, *restrict u = r->below;
  if (z == nz - 1) memset(u, 0, (size_t)r->nx * sizeof *u);
  for (long x = 0; x < r->nx; x++) {
    u[x] = d[x] - c[x] * u[x];
    stage[x] = dtr * (u[x] - pos[x]);
  }
}

static void solve(REAL **a, const grid *g, long y, REAL *scratch) {
  const long at = y * g->pitch, nx = g->n[0], nz = g->n[2];
  row        r = {.nx = nx, .q = g->plane, .c = scratch + nx, .d = scratch + nx * (nz + 2)};
  r.below = scratch + 2 * nx * (nz + 1);
  r.ustage = a[0] + at, r.upos = a[1] + at, r.utens = a[2] + at;
  r.utensstage = a[3] + at, r.wcon = a[4] + at;
  for (long z = 0; z < nz; z++) up(&r, z, nz);
  for (long z = nz - 1; z >= 0; z--) down(&r, z, nz);
}

void plain_run(REAL **a, const grid *g, long steps, double *kept) {
  (void)kept;
#pragma omp parallel num_threads(g->threads)
  {
    REAL *scratch = calloc((size_t)(g->n[0] * (2 * g->n[2] + 3)), sizeof *scratch);
    for (long t = 0; scratch && t < steps; t++)
#pragma omp for schedule(static)
      for (long y = 0; y < g->n[1]; y++) solve(a, g, y, scratch);
    free(scratch);
  }
}
