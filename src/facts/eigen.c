/* The QR iteration for a complex matrix with single shifts: reduce to Hessenberg form by rotations,
 * then rotate until the matrix falls apart into blocks of one or two.  (Squaring the matrix over
 * and over looks simpler, but a double eigenvalue, which every wave has, loses all digits on the
 * way.) */
#include "facts/eigen.h"
#include <float.h>
#include <math.h>

typedef struct rotation { /* (x, y) -> (c x + s y, c y - conj(s) x), c real */
  double  c;
  ik_cplx s;
} rotation;

static double  size(ik_cplx a) { return sqrt(a.re * a.re + a.im * a.im); }
static ik_cplx minus(ik_cplx a, ik_cplx b) { return (ik_cplx){a.re - b.re, a.im - b.im}; }
static ik_cplx scaled(double f, ik_cplx a) { return (ik_cplx){f * a.re, f * a.im}; }
static ik_cplx conjugate(ik_cplx a) { return (ik_cplx){a.re, -a.im}; }

static ik_cplx root(ik_cplx a) {
  double r = size(a);
  double re = sqrt((r + fabs(a.re)) / 2), im = re > 0 ? fabs(a.im) / (2 * re) : 0;
  if (a.re < 0) return (ik_cplx){im, a.im < 0 ? -re : re};
  return (ik_cplx){re, a.im < 0 ? -im : im};
}

/* ---- rotations ---- */

/* The rotation that takes (x, y) to (r, 0). */
static rotation annihilate(ik_cplx x, ik_cplx y) {
  double a = size(x), b = size(y), r = sqrt(a * a + b * b);
  if (b == 0) return (rotation){1, {0, 0}};
  if (a == 0) return (rotation){0, scaled(1 / b, conjugate(y))};
  return (rotation){a / r, scaled(1 / (a * r), ik_times(x, conjugate(y)))};
}

static void rotate(rotation g, ik_cplx *x, ik_cplx *y) {
  ik_cplx p = ik_plus(scaled(g.c, *x), ik_times(g.s, *y));
  *y = minus(scaled(g.c, *y), ik_times(conjugate(g.s), *x));
  *x = p;
}

static void rotate_rows(ik_cplx *m, int n, rotation g, int i, int j, int from, int to) {
  for (int k = from; k < to; k++) rotate(g, &m[i * n + k], &m[j * n + k]);
}

/* From the right, with the inverse: the eigenvalues stay. */
static void rotate_columns(ik_cplx *m, int n, rotation g, int i, int j, int from, int to) {
  g.s = conjugate(g.s);
  for (int k = from; k < to; k++) rotate(g, &m[k * n + i], &m[k * n + j]);
}

static void make_hessenberg(ik_cplx *m, int n) {
  for (int k = 0; k + 2 < n; k++)
    for (int i = n - 1; i > k + 1; i--) {
      rotation g = annihilate(m[(i - 1) * n + k], m[i * n + k]);
      rotate_rows(m, n, g, i - 1, i, 0, n);
      rotate_columns(m, n, g, i - 1, i, 0, n);
      m[i * n + k] = (ik_cplx){0, 0};
    }
}

/* ---- iteration ---- */

/* The eigenvalues of the block at rows i and i+1. */
static void solve_two(const ik_cplx *m, int n, int i, ik_cplx out[2]) {
  ik_cplx a = m[i * n + i], d = m[(i + 1) * n + i + 1];
  ik_cplx bc = ik_times(m[i * n + i + 1], m[(i + 1) * n + i]);
  ik_cplx middle = scaled(0.5, ik_plus(a, d)), half = scaled(0.5, minus(a, d));
  ik_cplx r = root(ik_plus(ik_times(half, half), bc));
  out[0] = ik_plus(middle, r);
  out[1] = minus(middle, r);
}

/* The eigenvalue of the last block of two that is nearer to the last entry; now and then another,
 * should that go round in circles. */
static ik_cplx shift_for(const ik_cplx *m, int n, int last, int round) {
  ik_cplx two[2], corner = m[last * n + last];
  if (round % 10 == 9) return (ik_cplx){corner.re + size(m[last * n + last - 1]), corner.im};
  solve_two(m, n, last - 1, two);
  return size(minus(two[0], corner)) < size(minus(two[1], corner)) ? two[0] : two[1];
}

/* One step of QR on rows and columns first ... last, with the shift taken off and put back. */
static void step(ik_cplx *m, int n, int first, int last, ik_cplx shift) {
  rotation before = {1, {0, 0}};
  for (int i = first; i <= last; i++) m[i * n + i] = minus(m[i * n + i], shift);
  for (int k = first; k < last; k++) {
    rotation g = annihilate(m[k * n + k], m[(k + 1) * n + k]);
    rotate_rows(m, n, g, k, k + 1, k, last + 1);
    /* the columns before are not needed by later rows any more */
    if (k > first) rotate_columns(m, n, before, k - 1, k, first, k + 1);
    before = g;
  }
  rotate_columns(m, n, before, last - 1, last, first, last + 1);
  for (int i = first; i <= last; i++) m[i * n + i] = ik_plus(m[i * n + i], shift);
}

/* First row of the block that ends at `last`: above it the entry below the diagonal is nothing. */
static int block_start(ik_cplx *m, int n, int last, double norm) {
  int i = last;
  for (; i > 0; i--) {
    double beside = size(m[i * n + i]) + size(m[(i - 1) * n + i - 1]);
    if (size(m[i * n + i - 1]) <= DBL_EPSILON * (beside > 0 ? beside : norm)) break;
  }
  if (i > 0) m[i * n + i - 1] = (ik_cplx){0, 0};
  return i;
}

bool ik_eigen_values(ik_cplx *m, int n) {
  double  norm = 0;
  ik_cplx two[2];
  for (int i = 0; i < n * n; i++) norm += size(m[i]);
  if (!isfinite(norm)) return false;
  make_hessenberg(m, n);
  for (int last = n - 1, round = 0; last >= 0;) {
    int first = block_start(m, n, last, norm);
    if (last - first < 2) {
      if (first < last) {
        solve_two(m, n, first, two);
        m[first * n + first] = two[0], m[last * n + last] = two[1];
      }
      last = first - 1, round = 0;
    } else {
      if (++round > 100) return false;
      step(m, n, first, last, shift_for(m, n, last, round));
    }
  }
  return true;
}

double ik_eigen_radius(ik_cplx *m, int n) {
  double most = 0;
  if (!ik_eigen_values(m, n)) return NAN;
  for (int i = 0; i < n; i++) most = fmax(most, size(m[i * n + i]));
  return most;
}
