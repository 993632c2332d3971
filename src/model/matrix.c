#include "model/matrix.h"
#include "facts/points.h"
#include "model/roofline.h"
#include <math.h>

const ik_matrix_instruction ik_matrix_instructions[] = {
    {"f64.matrix", "f64", 8, {8, 4}, false, 0x1p-53},
    {"f64.mma.m8n8k4", "f64", 8, {8, 4}, false, 0x1p-53},
    {"f64.mma.m16n8k16", "f64", 8, {16, 16}, false, 0x1p-53},
    {"tf32.matrix", "f32", 4, {16, 8}, false, 0x1p-11}, /* as many bits as f16 */
    {"tf32.sparse", "f32", 4, {16, 16}, true, 0x1p-11},
    {"f16.matrix", "f16", 2, {16, 16}, false, 0x1p-11},
    {"f16.sparse", "f16", 2, {16, 32}, true, 0x1p-11},
    {0},
};

/* ---- K(t) ---- */

/* Not pow(), so that counts are whole numbers on every machine. */
static double power(double base, int n) {
  double v = 1;
  for (; n > 0; n--) v *= base;
  return v;
}

static bool is_pattern(int d, int r, int t) { return d >= 1 && d <= IK_MAX_DIM && r > 0 && t > 0; }

double ik_matrix_points_box(int d, int r, int t) {
  return is_pattern(d, r, t) ? power(2.0 * r * t + 1, d) : 0;
}

/* The k-th term from the one before: C(n,k) = C(n,k-1) (n-k+1) / k, exact in this order. */
double ik_matrix_points_star(int d, int r, int t) {
  if (!is_pattern(d, r, t)) return 0;
  double sum = 1, axes = 1, ways = 1;
  for (int k = 1; k <= d && k <= t; k++) {
    axes = axes * (d - k + 1) / k;
    ways = ways * (t - k + 1.0) / k;
    sum += axes * ways * power(2.0 * r, k);
  }
  return sum;
}

struct ik_points *ik_matrix_box(int d, int r, struct ik_arena *a) {
  ik_points *s = ik_points_new(a);
  int        ry = d > 1 ? r : 0, rz = d > 2 ? r : 0;
  for (int z = -rz; z <= rz; z++)
    for (int y = -ry; y <= ry; y++)
      for (int x = -r; x <= r; x++) ik_points_add(s, &(ik_point){.off = {x, y, z}});
  return s;
}

struct ik_points *ik_matrix_star(int d, int r, struct ik_arena *a) {
  ik_points *s = ik_points_new(a);
  for (int axis = 0; axis < d && axis < IK_MAX_DIM; axis++)
    for (int x = -r; x <= r; x++) {
      ik_point p = {0};
      p.off[axis] = x;
      ik_points_add(s, &p);
    }
  return s;
}

struct ik_points *ik_matrix_fuse(const struct ik_points *pattern, int t, struct ik_arena *a) {
  enum { MOST_PAIRS = 1 << 26 };
  int64_t    pairs = 0;
  ik_points *now = ik_points_new(a);
  if (t < 1) return NULL;
  ik_points_join(now, pattern);
  for (int step = 1; step < t; step++) {
    ik_points *next = ik_points_new(a);
    pairs += (int64_t)pattern->n * now->n;
    if (pairs > MOST_PAIRS) return NULL;
    for (int i = 0; i < pattern->n; i++) ik_points_move(next, now, &pattern->row[i]);
    now = next;
  }
  return now;
}

/* ---- S ---- */

static bool has_size(ik_matrix_tile tile) { return tile.m > 0 && tile.k > 0; }

static double padded(double n, int to) { return ceil(n / to) * to; }

/* What all rows of a pattern need of the matrices, per output. */
typedef struct filling {
  double points;
  double rows;  /* of the pattern: lines along axis 0 */
  double width; /* of the widest */
  double bands; /* sum over the rows of their padded reductions */
} filling;

/* One product yields width + 1 outputs from twice rows * width entries each. */
static double flattened(const filling *f, ik_matrix_tile tile, ik_matrix_reading reading) {
  if (reading == IK_MATRIX_PRINTED) return 0.5;
  double reduction = padded(f->rows * f->width, tile.k), outputs = f->width + 1;
  return f->points * outputs / (2 * reduction * padded(outputs, tile.m));
}

static double filled(const filling *f, ik_matrix_scheme scheme, ik_matrix_tile tile,
                     ik_matrix_reading reading) {
  return scheme == IK_MATRIX_FLATTEN ? flattened(f, tile, reading) : f->points / f->bands;
}

/* m outputs of a row of w points need m + w - 1 inputs. */
static void add_rows(filling *f, double rows, double points, double width, ik_matrix_tile tile) {
  f->rows += rows, f->points += rows * points;
  f->width = fmax(f->width, width);
  f->bands += rows * padded(tile.m + width - 1, tile.k);
}

static bool same_row(const ik_point *a, const ik_point *b) {
  return a->field == b->field && a->level == b->level && a->off[1] == b->off[1] &&
         a->off[2] == b->off[2];
}

double ik_matrix_sparsity(const struct ik_points *fused, ik_matrix_scheme scheme,
                          ik_matrix_tile tile, ik_matrix_reading reading) {
  int             n;
  filling         f = {0};
  const ik_point *p = ik_points_list(fused, fused->arena, &n);
  if (!has_size(tile) || n == 0) return 0;
  for (int i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && same_row(&p[i], &p[end]);) end++;
    add_rows(&f, 1, end - i, p[end - 1].off[0] - p[i].off[0] + 1, tile);
  }
  return filled(&f, scheme, tile, reading);
}

double ik_matrix_sparsity_box(int d, int r, int t, ik_matrix_scheme scheme, ik_matrix_tile tile,
                              ik_matrix_reading reading) {
  filling f = {0};
  double  width = 2.0 * r * t + 1;
  if (!has_size(tile) || !is_pattern(d, r, t)) return 0;
  add_rows(&f, power(width, d - 1), width, width, tile);
  return filled(&f, scheme, tile, reading);
}

/* Rows of a star along axis 0 whose other coordinates take n steps to reach. */
static double star_rows(int d, double r, double n) {
  if (n == 0) return 1;
  return d == 1 ? 0 : d == 2 ? 2 * r : 4 * r + 4 * r * r * (n - 1);
}

double ik_matrix_sparsity_star(int d, int r, int t, ik_matrix_scheme scheme, ik_matrix_tile tile,
                               ik_matrix_reading reading) {
  filling f = {0};
  if (!has_size(tile) || !is_pattern(d, r, t)) return 0;
  for (int n = 0; n <= t; n++) { /* t - n steps are left to go along the row */
    double width = 2.0 * r * (t - n) + 1;
    add_rows(&f, star_rows(d, r, n), width, width, tile);
  }
  return filled(&f, scheme, tile, reading);
}

double ik_matrix_sparsity_24(double sparsity) { return sparsity > 0 ? fmin(sparsity, 0.5) : 0; }

/* ---- work ---- */

static bool makes_sense(const ik_matrix_stencil *s) {
  return s->points > 0 && s->fused > 0 && s->steps > 0 && s->value > 0;
}

double ik_matrix_alpha(const ik_matrix_stencil *s) {
  return makes_sense(s) ? s->fused / (s->steps * s->points) : 0;
}

static ik_matrix_work work(const ik_matrix_stencil *s, double operations) {
  double bytes = 2 * s->value;
  return (ik_matrix_work){.useful = 2 * s->steps * s->points,
                          .operations = operations,
                          .bytes = bytes,
                          .intensity = operations / bytes,
                          .steps = s->steps};
}

ik_matrix_work ik_matrix_general(const ik_matrix_stencil *s) {
  return makes_sense(s) ? work(s, 2 * s->steps * s->points) : (ik_matrix_work){0};
}

/* (alpha / S) 2 t K, with alpha = K(t) / (t K) put in: whole numbers stay whole. */
ik_matrix_work ik_matrix_unit(const ik_matrix_stencil *s, double sparsity) {
  bool sense = makes_sense(s) && sparsity > 0;
  return sense ? work(s, 2 * s->fused / sparsity) : (ik_matrix_work){0};
}

ik_matrix_rate ik_matrix_run(const ik_matrix_work *w, double peak, double bandwidth) {
  ik_matrix_rate r = {.ridge = ik_roofline_ridge(peak, bandwidth),
                      .attainable = ik_roofline_attainable(peak, bandwidth, w->intensity),
                      .memory = ik_roofline_memory_bound(peak, bandwidth, w->intensity)};
  if (!(w->operations > 0)) return r;
  r.useful = r.attainable * (w->useful / w->operations);
  r.gstencils = r.attainable * (w->steps / w->operations) / 1e9;
  return r;
}

double ik_matrix_depth(double points, double value, double peak, double bandwidth) {
  if (!(points > 0 && value > 0 && peak > 0 && bandwidth > 0)) return 0;
  return fmax(1, ceil(ik_roofline_ridge(peak, bandwidth) * value / points));
}

/* ---- the comparison ---- */

static int scenario(bool general_memory, bool matrix_memory) {
  if (general_memory) return matrix_memory ? 1 : 2;
  return matrix_memory ? 3 : 4;
}

ik_matrix_verdict ik_matrix_compare(const ik_matrix_stencil *s, double sparsity,
                                    const ik_matrix_machine *m) {
  ik_matrix_verdict v = {0};
  ik_matrix_work    general = ik_matrix_general(s), matrix = ik_matrix_unit(s, sparsity);
  v.general = ik_matrix_run(&general, m->general, m->bandwidth);
  v.matrix = ik_matrix_run(&matrix, m->matrix, m->bandwidth);
  if (!(v.general.useful > 0 && v.matrix.useful > 0)) return v;
  v.scenario = scenario(v.general.memory, v.matrix.memory);
  v.alpha = ik_matrix_alpha(s);
  v.limit = sparsity * m->matrix / m->general;
  v.ratio = v.matrix.useful / v.general.useful;
  v.sweet = v.scenario == 3 || (v.scenario == 4 && v.alpha < v.limit);
  return v;
}
