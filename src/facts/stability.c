#include "facts/stability.h"
#include "facts/eigen.h"
#include <math.h>

enum { MOST_VARIABLES = 64 };
static const double pi = 3.14159265358979323846;

/* ---- the system: stages over state variables ---- */

typedef struct group {  /* what one stage reads of one value */
  int            value; /* variable below nvar, else a stage: value - nvar */
  int            n;
  const ik_coef *c;
} group;

typedef struct stage {
  int          ngroup;
  const group *group;
} stage;

typedef struct amplifier {
  int        ndim, nvar, nstage;
  stage     *stage;
  int       *next;  /* [nvar] the value that the variable has after the step */
  int       *index; /* by ik_value_of: the value read there now; -1: none, or hidden and zero */
  bool       one_addition; /* to the fields: no statement reads a new value, no field a history */
  ik_what_if other;
  ik_hull    hull;
  ik_phases *phase;
  ik_cplx   *row; /* [nstage][nvar] each stage as a sum of variables */
  ik_cplx   *g;   /* [nvar][nvar] */
} amplifier;

static bool takes_part(const ik_ir *ir, const ik_subject *s, int f) {
  return s->updated[f] && ir->field[f].kind == IK_FIELD_USER;
}

static void number_variables(amplifier *y, const ik_ir *ir, const ik_subject *s) {
  for (int v = 0; v < ik_values_of(ir); v++) y->index[v] = -1;
  for (int f = 0; f < ir->nfield; f++)
    for (int level = 0; takes_part(ir, s, f) && level > -ir->field[f].history; level--)
      y->index[ik_value_of(f, level)] = y->nvar++;
}

/* What is read at a point: the value at `v`, or the new one in its place. */
static int newest(const amplifier *y, const ik_point *p, int v) {
  int fresh = p->level == 0 && y->other.fresh ? y->index[ik_value_of(p->field, 1)] : -1;
  return fresh < 0 ? y->index[v] : fresh;
}

static stage make_stage(amplifier *y, const ik_ir *ir, const ik_coefs *reads, ik_arena *a) {
  group *g = NULL;
  int    n = 0, cap = 0;
  for (int i = 0, e; i < reads->n; i = e) {
    const ik_point *p = &reads->c[i].at;
    int             v = ik_value_of(p->field, p->level), now = newest(y, p, v);
    for (e = i; e < reads->n && ik_value_of(reads->c[e].at.field, reads->c[e].at.level) == v;) e++;
    if (now < 0) continue;
    y->one_addition &= now < y->nvar || ir->field[p->field].kind != IK_FIELD_USER;
    group x = {now, e - i, &reads->c[i]};
    IK_PUSH(a, g, n, cap, x);
  }
  return (stage){n, g};
}

/* Level 0 after the step is what was assigned last (to u', or in place); level -k is level -k+1. */
static void link_next(amplifier *y, const ik_ir *ir, const ik_subject *s, const int *before) {
  for (int f = 0; f < ir->nfield; f++)
    for (int level = 0; takes_part(ir, s, f) && level > -ir->field[f].history; level--) {
      int var = before[ik_value_of(f, level)], fresh = y->index[ik_value_of(f, 1)];
      y->one_addition &= level == 0;
      if (level < 0)
        y->next[var] = before[ik_value_of(f, level + 1)];
      else
        y->next[var] = fresh >= 0 ? fresh : y->index[ik_value_of(f, 0)];
    }
}

static void build(amplifier *y, const ik_ir *ir, const ik_subject *s, const ik_linear *l,
                  const ik_what_if *other, ik_arena *a) {
  *y = (amplifier){.ndim = ir->ndim, .one_addition = true, .other = *other};
  y->index = IK_NEW_N(a, int, ik_values_of(ir));
  number_variables(y, ir, s);
  int *before = IK_NEW_N(a, int, ik_values_of(ir));
  for (int v = 0; v < ik_values_of(ir); v++) before[v] = y->index[v];
  y->stage = IK_NEW_N(a, stage, s->n);
  for (int i = 0; i < s->n; i++) {
    const ik_stmt *st = s->work[i].stmt;
    if (!s->work[i].main || ir->field[st->field].kind == IK_FIELD_HIDDEN) continue;
    ik_coefs_extend(&y->hull, &l->form[i].reads);
    y->stage[y->nstage] = make_stage(y, ir, &l->form[i].reads, a);
    y->index[ik_value_of(st->field, st->level)] = y->nvar + y->nstage++;
  }
  y->next = IK_NEW_N(a, int, y->nvar);
  link_next(y, ir, s, before);
  y->phase = IK_NEW(a, ik_phases);
  y->row = IK_NEW_N(a, ik_cplx, y->nstage * y->nvar);
  y->g = IK_NEW_N(a, ik_cplx, y->nvar * y->nvar);
}

/* ---- G(theta) ---- */

static ik_cplx symbol(const amplifier *y, const group *g) {
  ik_cplx sum = {0, 0};
  for (int i = 0; i < g->n; i++) {
    ik_cplx p = ik_phases_at(y->phase, g->c[i].at.off);
    sum = ik_plus(sum, (ik_cplx){g->c[i].weight * p.re, g->c[i].weight * p.im});
  }
  return sum;
}

static void fill_row(amplifier *y, int i) {
  ik_cplx *row = y->row + i * y->nvar;
  for (int v = 0; v < y->nvar; v++) row[v] = (ik_cplx){0, 0};
  for (int k = 0; k < y->stage[i].ngroup; k++) {
    const group *g = &y->stage[i].group[k];
    ik_cplx      s = symbol(y, g);
    int          before = g->value - y->nvar;
    if (before < 0)
      row[g->value] = ik_plus(row[g->value], s);
    else
      for (int v = 0; v < y->nvar; v++)
        row[v] = ik_plus(row[v], ik_times(s, y->row[before * y->nvar + v]));
  }
}

static void fill_g(amplifier *y, const double theta[IK_MAX_DIM]) {
  int n = y->nvar;
  ik_phases_fill(y->phase, y->ndim, &y->hull, theta);
  for (int i = 0; i < y->nstage; i++) fill_row(y, i);
  for (int r = 0; r < n; r++)
    for (int v = 0; v < n; v++) {
      int from = y->next[r];
      y->g[r * n + v] = from < n ? (ik_cplx){from == v, 0} : y->row[(from - n) * n + v];
    }
  double share = y->other.share;
  for (int i = 0; i < n * n && share != 1; i++) {
    double kept = i % (n + 1) ? 0 : 1 - share; /* of the old values */
    y->g[i] = (ik_cplx){kept + share * y->g[i].re, share * y->g[i].im};
  }
}

static double growth(void *ctx, const double theta[IK_MAX_DIM]) {
  amplifier *y = ctx;
  fill_g(y, theta);
  return ik_eigen_radius(y->g, y->nvar);
}

/* The largest real eigenvalue of variables `first` up to `end` by themselves.  One of several
 * levels is real to the root of the precision, or a higher one. */
static double steady_among(amplifier *y, int first, int end, double turn) {
  static const double zero[IK_MAX_DIM] = {0};
  int                 n = end - first;
  double              most = 0;
  fill_g(y, zero);
  for (int i = 0; i < n * n; i++)
    y->g[i] = y->g[(first + i / n) * y->nvar + first + i % n]; /* from further on */
  if (!ik_eigen_values(y->g, n)) return 0;
  for (int i = 0; i < n; i++) {
    ik_cplx v = y->g[i * n + i];
    if (fabs(v.im) <= turn * v.re) most = fmax(most, v.re);
  }
  return most;
}

static double steady_growth(amplifier *y, const ik_ir *ir, const ik_subject *s, double tolerance) {
  double most = 0;
  for (int f = 0, first = 0; f < ir->nfield; f++) {
    if (!takes_part(ir, s, f)) continue;
    int end = first + ir->field[f].history;
    most = fmax(most, steady_among(y, first, end, fmax(tolerance, 1e-4)));
    first = end;
  }
  return most;
}

/* ---- answers ---- */

static bool weights_known(const ik_ir *ir, const ik_subject *s, const ik_linear *l) {
  for (int i = 0; i < s->n; i++) {
    if (!s->work[i].main || ir->field[s->work[i].stmt->field].kind == IK_FIELD_HIDDEN) continue;
    for (int k = 0; k < l->form[i].reads.n; k++)
      if (!isfinite(l->form[i].reads.c[k].weight)) return false;
  }
  return true;
}

/* How much of a growth may come from weights that were rounded to the type of the statement, and
 * from adding them up here. */
static double tolerance(const ik_ir *ir, const ik_subject *s, const ik_linear *l, int nvar) {
  static const double epsilon[IK_NTYPES] = {0x1p-52, 0x1p-23, 0x1p-10, 0x1p-7, 0, 0};
  double              most = 0;
  for (int i = 0; i < s->n; i++) {
    const ik_coefs *c = &l->form[i].reads;
    double          sum = 0;
    if (!s->work[i].main || ir->field[s->work[i].stmt->field].kind == IK_FIELD_HIDDEN) continue;
    for (int k = 0; k < c->n; k++) sum += fabs(c->c[k].weight);
    sum *= epsilon[s->work[i].stmt->value->type] + c->n * 0x1p-52;
    if (sum > most) most = sum;
  }
  return 1e-9 + (nvar > 1 ? sqrt(most) : most);
}

static const char *obstacle(const ik_ir *ir, const ik_subject *s, const ik_linear *l) {
  if (!s->steps) return "there is no time-step loop";
  if (s->nsweep) return "the step contains a sweep";
  if (s->nreduce || s->nset) return "a scalar is computed within the step";
  if (!l->linear) return "the step is not linear in the fields it updates";
  if (!weights_known(ir, s, l)) return "a coefficient is not known before the run";
  return NULL;
}

static const char *obstacle_of(const amplifier *y) {
  if (!y->nvar) return "no field is updated";
  if (y->nvar > MOST_VARIABLES) return "too many fields and levels are updated";
  if (ik_hull_radius(&y->hull) > IK_ANGLES_RADIUS) return "the radius is too large";
  if (y->other.share != 1 && !y->one_addition) return "more than one source term is added";
  return NULL;
}

void ik_stability_with(const ik_ir *ir, const ik_subject *s, const ik_linear *l,
                       const ik_what_if *other, ik_arena *a, ik_stability *out) {
  *out = (ik_stability){.why = obstacle(ir, s, l), .max_g = NAN, .steady_g = NAN};
  if (out->why) return;
  amplifier y;
  build(&y, ir, s, l, other, a);
  out->why = obstacle_of(&y);
  if (out->why) return;
  ik_peak p = ik_angles_highest(growth, &y, ir->ndim, (y.nvar > 4) + (y.nvar > 16));
  if (isnan(p.value)) {
    out->why = "the eigenvalues did not converge";
    return;
  }
  out->known = true;
  out->tolerance = tolerance(ir, s, l, y.nvar);
  out->steady_g = steady_growth(&y, ir, s, out->tolerance);
  out->max_g = p.value;
  out->stable = p.value <= 1 + out->tolerance;
  for (int d = 0; d < ir->ndim; d++) out->theta[d] = pi * p.theta[d];
}

void ik_stability_of(const ik_ir *ir, const ik_subject *s, const ik_linear *l, ik_arena *a,
                     ik_stability *out) {
  static const ik_what_if as_it_is = {.share = 1};
  ik_stability_with(ir, s, l, &as_it_is, a, out);
}
