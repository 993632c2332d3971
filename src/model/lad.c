#include "model/lad.h"
#include "base/mem.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The dual with v = u + 1:  max b.v  with  sum_i v_i a_i + s = sum_i a_i,  0 <= v <= 2,  0 <= s.
 * All of A is >= 0, so v = 0 is feasible, with the slacks s as the first basis.  Variable i < rows
 * is v_i, variable rows + j is s_j.  The reduced cost of v_i is the deviation b_i - a_i . x, that
 * of s_j is -x_j: a basis is optimal when every deviation has the sign of its u and no x is
 * negative. */

static const double UPPER = 2;    /* bound of v */
static const double TINY = 1e-12; /* relative: what counts as rounding */
static const double PIVOT =
    1e-10;                       /* less is no pivot; columns are scaled to a largest entry of 1 */
static const double RANK = 1e-9; /* less is no rank */

enum { N = IK_LAD_COLUMNS };

typedef enum place { AT_LOWER, AT_UPPER, IN_BASIS } place;

typedef struct simplex {
  int            m, n;
  double        *a; /* [m][n], columns scaled */
  double        *b; /* [m], scaled */
  double         a_scale[N], b_scale;
  unsigned char *place;         /* [m + n] */
  int            basis[N];      /* variables */
  double         inverse[N][N]; /* of the basis matrix */
  double         value[N];      /* of the basic variables */
  double         x[N];          /* multipliers */
} simplex;

static bool usable(const ik_lad_problem *p) {
  if (p->rows < 1 || p->columns < 1 || p->columns > N) return false;
  for (int i = 0; i < p->rows; i++) {
    if (!isfinite(p->b[i])) return false;
    for (int j = 0; j < p->columns; j++) {
      double v = p->a[(size_t)i * (size_t)p->columns + (size_t)j];
      if (!isfinite(v) || v < 0) return false;
    }
  }
  return true;
}

static double *row_of(const simplex *s, int i) { return s->a + (size_t)i * (size_t)s->n; }

/* Entry j of the constraint column of a variable. */
static double entry(const simplex *s, int var, int j) {
  return var < s->m ? row_of(s, var)[j] : var - s->m == j;
}

static double cost(const simplex *s, int var) { return var < s->m ? s->b[var] : 0; }
static double upper(const simplex *s, int var) { return var < s->m ? UPPER : INFINITY; }

/* Scaled copies: the largest of each column and of b is 1. */
static bool open_simplex(simplex *s, const ik_lad_problem *p) {
  size_t m = (size_t)p->rows, n = (size_t)p->columns;
  *s = (simplex){.m = p->rows, .n = p->columns};
  s->a = m <= SIZE_MAX / sizeof(double) / n ? ik_malloc(m * n * sizeof(double)) : NULL;
  s->b = ik_malloc(m * sizeof(double));
  s->place = ik_calloc(m + n, 1);
  if (!s->a || !s->b || !s->place) return false;

  for (size_t i = 0; i < m; i++) {
    s->b_scale = fmax(s->b_scale, fabs(p->b[i]));
    for (size_t j = 0; j < n; j++) s->a_scale[j] = fmax(s->a_scale[j], p->a[i * n + j]);
  }
  if (s->b_scale == 0) s->b_scale = 1;
  for (size_t j = 0; j < n; j++) {
    if (s->a_scale[j] == 0) s->a_scale[j] = 1;
    s->basis[j] = s->m + (int)j;
    s->place[m + j] = IN_BASIS;
  }
  for (size_t i = 0; i < m; i++) {
    s->b[i] = p->b[i] / s->b_scale;
    for (size_t j = 0; j < n; j++) s->a[i * n + j] = p->a[i * n + j] / s->a_scale[j];
  }
  return true;
}

static void close_simplex(simplex *s) { ik_free(s->a), ik_free(s->b), ik_free(s->place); }

static void swap_rows(double m[N][2 * N], int p, int q) {
  double t[2 * N];
  memcpy(t, m[p], sizeof t), memcpy(m[p], m[q], sizeof t), memcpy(m[q], t, sizeof t);
}

/* Gauss and Jordan, with the largest pivot of each column. */
static void invert_basis(simplex *s) {
  double w[N][2 * N] = {{0}};
  for (int j = 0; j < s->n; j++) {
    for (int r = 0; r < s->n; r++) w[j][r] = entry(s, s->basis[r], j);
    w[j][s->n + j] = 1;
  }
  for (int c = 0; c < s->n; c++) {
    int best = c;
    for (int j = c + 1; j < s->n; j++)
      if (fabs(w[j][c]) > fabs(w[best][c])) best = j;
    swap_rows(w, c, best);
    double p = w[c][c];
    for (int k = 0; k < 2 * s->n; k++) w[c][k] /= p;
    for (int j = 0; j < s->n; j++) {
      double f = w[j][c];
      if (j == c || f == 0) continue;
      for (int k = 0; k < 2 * s->n; k++) w[j][k] -= f * w[c][k];
    }
  }
  for (int r = 0; r < s->n; r++)
    for (int j = 0; j < s->n; j++) s->inverse[r][j] = w[r][s->n + j];
}

/* x solves: no deviation in the rows of the basis.  The second round removes what the first rounded
 * off. */
static void find_multipliers(simplex *s) {
  memset(s->x, 0, sizeof s->x);
  for (int round = 0; round < 2; round++) {
    double add[N] = {0};
    for (int r = 0; r < s->n; r++) {
      double miss = cost(s, s->basis[r]);
      for (int j = 0; j < s->n; j++) miss -= entry(s, s->basis[r], j) * s->x[j];
      for (int j = 0; j < s->n; j++) add[j] += s->inverse[r][j] * miss;
    }
    for (int j = 0; j < s->n; j++) s->x[j] += add[j];
  }
}

/* What the variables at their bounds leave to the basic ones. */
static void find_values(simplex *s) {
  double left[N] = {0};
  for (int i = 0; i < s->m; i++) {
    double f = s->place[i] == AT_UPPER ? 1 - UPPER : 1;
    for (int j = 0; j < s->n; j++) left[j] += f * row_of(s, i)[j];
  }
  for (int r = 0; r < s->n; r++) {
    double v = 0;
    for (int j = 0; j < s->n; j++) v += s->inverse[r][j] * left[j];
    s->value[r] = fmin(fmax(v, 0), upper(s, s->basis[r]));
  }
}

/* How much the objective gains for each unit that a variable moves off its bound; <= 0: nothing. */
static double gain(const simplex *s, int var) {
  double d = cost(s, var), size = fabs(d);
  for (int j = 0; j < s->n; j++) {
    double t = entry(s, var, j) * s->x[j];
    d -= t, size += fabs(t);
  }
  if (s->place[var] == AT_UPPER) d = -d;
  return d - TINY * size;
}

/* The variable that gains most; the first that gains (Bland) while steps have no length, which is
 * what ends every circle.  -1: the basis is optimal. */
static int choose_entering(const simplex *s, bool first) {
  int    best = -1;
  double most = 0;
  for (int var = 0; var < s->m + s->n; var++) {
    if (s->place[var] == IN_BASIS) continue;
    double g = gain(s, var);
    if (g <= most) continue;
    best = var, most = g;
    if (first) break;
  }
  return best;
}

/* How far the basic variable of a row lets the entering one go, if it changes at `rate`. */
static double room(const simplex *s, int r, double rate) {
  if (rate > PIVOT) return s->value[r] / rate;
  if (rate < -PIVOT) return (upper(s, s->basis[r]) - s->value[r]) / -rate;
  return INFINITY;
}

/* Moves `var` off its bound as far as it goes: to its other bound, or until a basic variable meets
 * one and leaves.  Returns the length of the step. */
static double step(simplex *s, int var) {
  double rate[N], most = upper(s, var);
  int    leaving = -1;
  double way = s->place[var] == AT_UPPER ? -1 : 1;
  for (int r = 0; r < s->n; r++) {
    rate[r] = 0;
    for (int j = 0; j < s->n; j++) rate[r] += way * s->inverse[r][j] * entry(s, var, j);
    double t = room(s, r, rate[r]);
    bool   tie = leaving >= 0 && t == most && s->basis[r] < s->basis[leaving];
    if (t < most || tie) most = t, leaving = r;
  }
  if (leaving < 0) {
    s->place[var] = s->place[var] == AT_UPPER ? AT_LOWER : AT_UPPER;
  } else {
    s->place[s->basis[leaving]] = rate[leaving] > 0 ? AT_LOWER : AT_UPPER;
    s->place[var] = IN_BASIS;
    s->basis[leaving] = var;
  }
  return most;
}

static void run(simplex *s, ik_lad_fit *out) {
  int    limit = s->m < INT32_MAX / 100 ? 50 * (s->m + s->n) : INT32_MAX;
  double length = 1;
  for (out->pivots = 0; out->pivots < limit; out->pivots++) {
    invert_basis(s);
    find_multipliers(s);
    find_values(s);
    int var = choose_entering(s, length == 0);
    out->converged = var < 0;
    if (out->converged) break;
    length = step(s, var);
  }
}

static void join(ik_lad_fit *out, int n, int from, int to) {
  for (int j = 0; j < n; j++)
    if (out->group[j] == from) out->group[j] = to;
}

static void eliminate(simplex *s, int rank, int best, int c) {
  double *p = row_of(s, rank), *q = row_of(s, best);
  for (int k = 0; k < s->n; k++) {
    double t = p[k];
    p[k] = q[k], q[k] = t;
  }
  double f = p[c];
  for (int k = 0; k < s->n; k++) p[k] /= f;
  for (int i = 0; i < s->m; i++) {
    double *row = row_of(s, i);
    if (i == rank || row[c] == 0) continue;
    f = row[c];
    for (int k = 0; k < s->n; k++) row[k] -= f * p[k];
  }
}

static bool zero_column(const simplex *s, int c) {
  for (int i = 0; i < s->m; i++)
    if (row_of(s, i)[c] != 0) return false;
  return true;
}

/* Null vectors of A are read off its reduced echelon form.  Whatever has a part in one is known
 * only together with the others that have.  Destroys s->a. */
static void find_groups(simplex *s, ik_lad_fit *out) {
  int pivot[N], rank = 0, groups = 0;
  for (int c = 0; c < s->n; c++) out->group[c] = zero_column(s, c) ? -1 : 0;
  for (int c = 0; c < s->n; c++) {
    if (out->group[c] < 0) continue;
    int best = rank;
    for (int i = rank + 1; i < s->m; i++)
      if (fabs(row_of(s, i)[c]) > fabs(row_of(s, best)[c])) best = i;
    if (rank < s->m && fabs(row_of(s, best)[c]) > RANK) {
      eliminate(s, rank, best, c);
      pivot[rank++] = c;
      continue;
    }
    out->group[c] = ++groups;
    for (int r = 0; r < rank; r++) {
      if (fabs(row_of(s, r)[c]) <= RANK) continue;
      int *g = &out->group[pivot[r]];
      if (*g) join(out, s->n, *g, groups);
      *g = groups;
    }
  }
}

static double deviation(const ik_lad_problem *p, const double *x) {
  double sum = 0;
  for (int i = 0; i < p->rows; i++) {
    double d = -p->b[i];
    for (int j = 0; j < p->columns; j++)
      d += p->a[(size_t)i * (size_t)p->columns + (size_t)j] * x[j];
    sum += fabs(d);
  }
  return sum;
}

ik_status ik_lad_solve(const ik_lad_problem *p, ik_lad_fit *out) {
  simplex   s;
  ik_status st = IK_OK;
  *out = (ik_lad_fit){0};
  if (!usable(p)) return IK_ERR_SOURCE;
  if (open_simplex(&s, p)) {
    run(&s, out);
    for (int j = 0; j < s.n; j++) out->x[j] = fmax(s.x[j], 0) * (s.b_scale / s.a_scale[j]);
    out->deviation = deviation(p, out->x);
    find_groups(&s, out);
  } else {
    st = IK_ERR_RESOURCE;
  }
  close_simplex(&s);
  return st;
}
