/* Sources, receivers, outputs: positions become cells with weights. */
#include "io/io.h"
#include "lang/fix.h"
#include "lang/lower.h"
#include <math.h>
#include <string.h>

/* ---- positions ---- */

static bool coordinate(ik_lower *lo, const ik_ast *e, int axis, const char *what, double *out) {
  ik_quantity q;
  if (!ik_express_constant(lo, e, out, &q)) return false;
  if (!q.plain && !q.wild) { /* a length: in cells from the first one */
    ik_dim length = {{0}};
    length.e[IK_DIM_M] = 1;
    if (memcmp(&q.dim, &length, sizeof length)) {
      ik_error(lo->d, IK_E025, e->span, "a position is a number of cells, or a length");
      ik_lang_fix(lo->d, e->span, "3");
      return false;
    }
    *out /= lo->ir->spacing[axis];
    double cell = floor(*out + 0.5); /* 0.3 m is cell 3 of 0.1 m, though 0.3/0.1 is a bit less */
    if (fabs(*out - cell) <= 1e-12 * (1 + cell)) *out = cell;
  }
  if (*out >= 0 && *out <= (double)(lo->ir->n[axis] - 1)) return true;
  ik_error(lo->d, IK_E060, e->span, "the %s lies outside the grid: %s = %g, cells are 0 .. %lld",
           what, lo->ir->axis[axis], *out, (long long)(lo->ir->n[axis] - 1));
  ik_lang_fix(lo->d, e->span,
              ik_arena_printf(lo->a, "%lld", *out < 0 ? 0 : (long long)(lo->ir->n[axis] - 1)));
  return false;
}

static bool position(ik_lower *lo, const ik_ast *e, const char *what, double out[IK_MAX_DIM]) {
  int n = 0;
  for (const ik_ast *x = e->kind == IK_AST_TUPLE ? e->args : e; x; x = x->next) {
    if (n < lo->ir->ndim && !coordinate(lo, x, n, what, &out[n])) return false;
    n++;
    if (e->kind != IK_AST_TUPLE) break;
  }
  if (n == lo->ir->ndim) return true;
  ik_error(lo->d, IK_E060, e->span, "%d coordinate%s in a grid of %d ax%ss", n, n == 1 ? "" : "s",
           lo->ir->ndim, lo->ir->ndim == 1 ? "i" : "e");
  ik_lower_help_axes(lo);
  return false;
}

/* ---- positions from files ---- */

typedef struct points {
  int     n;
  double *at; /* [n][IK_MAX_DIM], in cells */
} points;

enum { MOST_POINTS = 1000000 };

static bool is_file(const ik_ast *e) {
  return e->kind == IK_AST_CALL && strcmp(e->name, "file") == 0;
}

/* file("p.txt") holds cells, file("p.txt", 1 m) lengths in that unit: how many cells along `axis`
 * one of them is. */
static bool cells_per_unit(ik_lower *lo, const ik_ast *unit, int axis, double *out) {
  ik_quantity q;
  ik_dim      length = {{0}};
  *out = 1;
  if (!unit) return true;
  length.e[IK_DIM_M] = 1;
  if (!ik_express_constant(lo, unit, out, &q)) return false;
  bool ok = !q.plain && !q.wild && !memcmp(&q.dim, &length, sizeof length) && *out > 0;
  *out /= lo->ir->spacing[axis];
  if (ok) return true;
  ik_error(lo->d, IK_E025, unit->span, "expected the unit of the positions, which is a length");
  ik_lang_fix(lo->d, unit->span, "1 m");
  return false;
}

static bool check_rows(ik_lower *lo, const ik_ast *path, const char *what, const ik_array *a) {
  int     nd = lo->ir->ndim;
  int64_t columns = a->ndim == 1 ? 1 : a->n[0], rows = a->ndim == 1 ? a->n[0] : a->n[1];
  if (a->ndim <= 2 && columns == nd && rows <= MOST_POINTS) return true;
  ik_error(lo->d, IK_E063, path->span, "expected rows of %d coordinate%s, at most %d of them", nd,
           nd == 1 ? "" : "s", MOST_POINTS);
  ik_help(lo->d, "write the file as an array of shape (%ss, %d), or as text with %d in each line",
          what, nd, nd);
  return false;
}

static bool check_row(ik_lower *lo, const ik_ast *path, const char *what, int row,
                      const double *at) {
  for (int d = 0; d < lo->ir->ndim; d++) {
    if (at[d] >= 0 && at[d] <= (double)(lo->ir->n[d] - 1)) continue;
    ik_error(lo->d, IK_E060, path->span,
             "row %d: the %s lies outside the grid: %s = %g, cells are 0 .. %lld", row + 1, what,
             lo->ir->axis[d], at[d], (long long)(lo->ir->n[d] - 1));
    ik_help(lo->d, "positions are in cells; for others give their unit:  file(\"%s\", 1 m)",
            path->name);
    return false;
  }
  return true;
}

static bool points_of(ik_lower *lo, const ik_ast *path, const double *scale, const char *what,
                      const ik_array *a, points *out) {
  int nd = lo->ir->ndim;
  IK_ASSERT(nd <= IK_MAX_DIM);
  if (!check_rows(lo, path, what, a)) return false;
  out->n = (int)(ik_array_count(a) / nd);
  out->at = IK_NEW_N(lo->a, double, (int64_t)out->n *IK_MAX_DIM);
  for (int i = 0; i < out->n; i++) {
    double *at = out->at + (size_t)i * IK_MAX_DIM;
    for (int d = 0; d < nd; d++) at[d] = ik_array_get(a, (int64_t)i * nd + d) * scale[d];
    if (!check_row(lo, path, what, i, at)) return false;
  }
  return true;
}

static bool file_points(ik_lower *lo, const ik_ast *e, const char *what, points *out) {
  const ik_ast *path = e->args, *unit = path ? path->next : NULL;
  ik_array      data = {0};
  double        scale[IK_MAX_DIM] = {0};
  if (!path || path->kind != IK_AST_STRING || (unit && unit->next)) {
    ik_error(lo->d, IK_E014, e->span,
             "file() takes the name of a file, in quotes, and the unit of its positions");
    ik_help(lo->d, "for example  file(\"positions.txt\")  or  file(\"positions.txt\", 1 m)");
    return false;
  }
  for (int d = 0; d < lo->ir->ndim; d++)
    if (!cells_per_unit(lo, unit, d, &scale[d])) return false;
  const char *name = ik_path_of(lo, path);
  if (!name || ik_io_read_array(name, NULL, NULL, path->span, &data, lo->d)) return false;
  bool ok = points_of(lo, path, scale, what, &data, out);
  ik_array_free(&data);
  return ok;
}

/* One position, or those of a file. */
static bool positions(ik_lower *lo, const ik_ast *e, const char *what, points *out) {
  if (is_file(e)) return file_points(lo, e, what, out);
  *out = (points){1, IK_NEW_N(lo->a, double, IK_MAX_DIM)};
  return position(lo, e, what, out->at);
}

/* ---- weights between cells ---- */

enum { SINC_HALF = 4, MOST_TAPS = 2 * SINC_HALF };
static const double sinc_shape = 6.31; /* Hicks (2002): Kaiser window for half width 4 */

static double bessel_i0(double x) {
  double sum = 1, term = 1;
  for (int k = 1; k < 60; k++) {
    term *= (x / 2 / k) * (x / 2 / k);
    sum += term;
  }
  return sum;
}

static double kaiser_sinc(double x) {
  double edge = x / SINC_HALF;
  if (fabs(edge) > 1) return 0;
  double pi = 3.141592653589793, s = x == 0 ? 1 : sin(pi * x) / (pi * x);
  return s * bessel_i0(sinc_shape * sqrt(1 - edge * edge)) / bessel_i0(sinc_shape);
}

/* Cells and weights along one axis. */
static int taps_along(double p, bool sinc, int64_t n, int64_t *cell, double *weight) {
  double base = floor(p), x = p - base;
  int    count = 0, reach = x == 0 ? 0 : sinc ? SINC_HALF : 1;
  if (reach == 0) return cell[0] = (int64_t)base, weight[0] = 1, 1;
  for (int k = 1 - reach; k <= reach; k++) {
    int64_t c = (int64_t)base + k;
    if (c < 0 || c >= n) continue;
    cell[count] = c;
    weight[count++] = sinc ? kaiser_sinc(k - x) : k == 0 ? 1 - x : x;
  }
  return count;
}

static int taps_at(const ik_lower *lo, const double p[IK_MAX_DIM], bool sinc, ik_tap *out) {
  int64_t cell[IK_MAX_DIM][MOST_TAPS] = {{0}};
  double  weight[IK_MAX_DIM][MOST_TAPS] = {{1}, {1}, {1}};
  int     count[IK_MAX_DIM] = {1, 1, 1}, n = 0;
  for (int d = 0; d < lo->ir->ndim; d++)
    count[d] = taps_along(p[d], sinc, lo->ir->n[d], cell[d], weight[d]);
  for (int k = 0; k < count[2]; k++)
    for (int j = 0; j < count[1]; j++)
      for (int i = 0; i < count[0]; i++)
        out[n++] = (ik_tap){{cell[0][i], cell[1][j], cell[2][k]},
                            weight[0][i] * weight[1][j] * weight[2][k]};
  return n;
}

static bool interpolation(ik_lower *lo, const ik_item *it, bool *sinc) {
  *sinc = it->word && strcmp(it->word, "sinc") == 0;
  if (!it->word || *sinc || strcmp(it->word, "linear") == 0) return true;
  ik_error(lo->d, IK_E013, it->word_span, "unknown interpolation '%s'; there are linear and sinc",
           it->word);
  ik_lang_fix(lo->d, it->word_span, "linear");
  return false;
}

/* The field, which must be on every axis with the extents of the grid. */
static ik_amplification *point_field(ik_lower *lo, const ik_item *it) {
  ik_amplification *y = ik_lower_field_named(lo, it->name, it->name_span);
  if (!y) return NULL;
  y->used = true;
  for (int d = 0; d < lo->ir->ndim; d++)
    if (!lo->ir->field[y->id].on[d]) {
      ik_error(lo->d, IK_E012, it->name_span, "'%s' is not on every axis of the grid", it->name);
      ik_note_add(lo->d, y->span, "declared here");
      ik_lower_fix_axes(lo, it->name);
      return NULL;
    }
  return y;
}

static void fix_extension(ik_lower *lo, const ik_item *it, const char *right) {
  const char *dot = strrchr(it->path, '.');
  int         stem = dot && !strchr(dot, '/') ? (int)(dot - it->path) : (int)strlen(it->path);
  ik_lang_fix(lo->d, it->path_span, ik_arena_printf(lo->a, "\"%.*s.%s\"", stem, it->path, right));
}

static bool needs_step(ik_lower *lo, const ik_item *it, const char *what) {
  if (lo->has_step) return true;
  ik_error(lo->d, IK_E050, it->span, "a %s acts in every step, and the program has no step", what);
  ik_help(lo->d, "say what a step does:  step 100 { u' = ... }");
  return false;
}

/* ---- sources ---- */

static void add_source(ik_lower *lo, ik_inject j, const double *at, bool sinc) {
  ik_tap tap[MOST_TAPS * MOST_TAPS * MOST_TAPS];
  memcpy(j.position, at, sizeof j.position);
  j.ntap = taps_at(lo, at, sinc, tap);
  ik_tap *own = IK_NEW_N(lo->a, ik_tap, j.ntap);
  memcpy(own, tap, (size_t)j.ntap * sizeof *tap);
  j.tap = own;
  IK_PUSH(lo->a, lo->ir->inject, lo->ir->ninject, lo->capinject, j);
}

void ik_point_source(ik_lower *lo, const ik_item *it) {
  ik_amplification *y = point_field(lo, it);
  ik_inject         j = {.span = it->span};
  points            p;
  bool              sinc;
  if (!y || !needs_step(lo, it, "source") || !interpolation(lo, it, &sinc)) return;
  if (!positions(lo, it->from, "source", &p)) return;
  ik_scope s = {.coordinates = true, .fields = true, .wavelets = true};
  ik_type  was = lo->compute;
  lo->compute = IK_F64;
  lo->frequency = 0;
  j.value = ik_express_as(lo, it->value, &s, IK_F64);
  j.frequency = lo->frequency;
  lo->compute = was;
  if (!j.value) return;
  if (!lo->ir->field[y->id].has_new) {
    ik_error(lo->d, IK_E050, it->name_span,
             "a source adds to the new value of a field, and no step assigns %s'", it->name);
    ik_help(lo->d, "keep its value in the step:  %s' = %s", it->name, it->name);
    return;
  }
  j.field = y->id;
  for (int i = 0; i < p.n; i++) add_source(lo, j, p.at + (size_t)i * IK_MAX_DIM, sinc);
}

/* ---- receivers ---- */

static bool line_points(ik_lower *lo, const ik_item *it, points *out) {
  double  a[IK_MAX_DIM] = {0}, b[IK_MAX_DIM] = {0}, longest = 0;
  int64_t n;
  if (!position(lo, it->from, "receiver", a) || !position(lo, it->to, "receiver", b)) return false;
  for (int d = 0; d < IK_MAX_DIM; d++) longest = fmax(longest, fabs(b[d] - a[d]));
  n = (int64_t)floor(longest + 0.5) + 1;
  if (it->count && !ik_express_integer(lo, it->count, "a count", 1, MOST_POINTS, &n)) return false;
  if (n > MOST_POINTS) {
    ik_error(lo->d, IK_E024, it->span, "a line of %lld receivers, and there can be at most %d",
             (long long)n, MOST_POINTS);
    ik_help(lo->d, "say how many:  count 1000");
    return false;
  }
  *out = (points){(int)n, IK_NEW_N(lo->a, double, n *IK_MAX_DIM)};
  for (int64_t i = 0; i < n; i++)
    for (int d = 0; d < IK_MAX_DIM; d++)
      out->at[i * IK_MAX_DIM + d] =
          n == 1 ? a[d] : a[d] + (b[d] - a[d]) * (double)i / (double)(n - 1);
  return true;
}

/* All points get the same number of taps; those with fewer are filled up with weight zero. */
static void receiver_taps(ik_lower *lo, ik_record *r, const double *at, bool sinc) {
  ik_tap tap[MOST_TAPS * MOST_TAPS * MOST_TAPS];
  int    most = 0;
  for (int i = 0; i < r->npoint; i++) {
    int n = taps_at(lo, at + (size_t)i * IK_MAX_DIM, sinc, tap);
    if (n > most) most = n;
  }
  ik_tap *all = IK_NEW_N(lo->a, ik_tap, (int64_t)most * r->npoint + 1);
  for (int i = 0; i < r->npoint; i++) {
    int n = taps_at(lo, at + (size_t)i * IK_MAX_DIM, sinc, tap);
    memcpy(all + (size_t)i * (size_t)most, tap, (size_t)n * sizeof *tap);
  }
  r->ntap = most, r->tap = all, r->position = at;
}

static bool every(ik_lower *lo, const ik_ast *e, int64_t otherwise, int64_t *out) {
  *out = otherwise;
  return !e || ik_express_integer(lo, e, "a number of steps", 1, IK_MOST_STEPS, out);
}

void ik_point_receiver(ik_lower *lo, const ik_item *it) {
  ik_amplification *y = point_field(lo, it);
  ik_record         r = {.span = it->span, .path = ik_path(lo, it->path, it->path_span)};
  points            p;
  bool              sinc;
  if (!y || !r.path || !needs_step(lo, it, "receiver") || !interpolation(lo, it, &sinc)) return;
  if (!(it->to ? line_points(lo, it, &p) : positions(lo, it->from, "receiver", &p))) return;
  if (!every(lo, it->every, 1, &r.every)) return;
  ik_io_format f = ik_io_format_of(r.path);
  if (f != IK_IO_NPY && f != IK_IO_SEGY) {
    ik_error(lo->d, IK_E065, it->path_span, "receivers are written as .npy or .segy");
    fix_extension(lo, it, "npy");
    return;
  }
  r.field = y->id;
  r.npoint = p.n;
  receiver_taps(lo, &r, p.at, sinc);
  IK_PUSH(lo->a, lo->ir->record, lo->ir->nrecord, lo->caprecord, r);
}

/* ---- outputs ---- */

void ik_point_output(ik_lower *lo, const ik_item *it) {
  ik_output o = {.span = it->span, .path = ik_path(lo, it->path, it->path_span)};
  int      *field = NULL, cap = 0;
  if (!o.path) return;
  if (!every(lo, it->every, 0, &o.every)) return;
  if (o.every && !needs_step(lo, it, "repeated output")) return;
  for (const ik_name *n = it->names; n; n = n->next) {
    ik_amplification *y = ik_lower_field_named(lo, n->text, n->span);
    if (!y) return;
    y->used = true;
    IK_PUSH(lo->a, field, o.nfield, cap, y->id);
  }
  ik_io_format f = ik_io_format_of(o.path);
  if (f != IK_IO_NPY && f != IK_IO_HDF5 && f != IK_IO_RAW) {
    ik_error(lo->d, IK_E065, it->path_span, "fields are written as .npy, .h5 or .raw");
    fix_extension(lo, it, "npy");
    return;
  }
  if (o.nfield > 1 && f != IK_IO_HDF5) {
    ik_error(lo->d, IK_E065, it->path_span, "several fields in one file need HDF5 (.h5)");
    fix_extension(lo, it, "h5");
    return;
  }
  o.field = field;
  IK_PUSH(lo->a, lo->ir->output, lo->ir->noutput, lo->capoutput, o);
}
