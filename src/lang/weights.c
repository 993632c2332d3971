/* Patterns: cells around a cell, with weights.
 *
 *   weights w = [[0, 1, 0], [1, -4, 1], [0, 1, 0]]     rows from the slowest axis inwards
 *   weights w = star(r, expr)    weights w = box(r, expr)     i, j, k and distance are the offset
 *   weights w = file("w.npy")    an array with odd extents
 *   weights w = sparse("w.npy")  rows: one offset for each axis, and a weight
 */
#include "io/io.h"
#include "lang/fix.h"
#include "lang/lower.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pattern becomes one chain of operations, and whoever walks it goes as deep as it is long. */
enum { WIDEST = 64, MOST_POINTS = 5000 };

typedef struct growing {
  ik_weights *w;
  int         length[IK_MAX_DIM]; /* of the lists along each axis; 0: none yet */
  int         cap_off, cap_w;
} growing;

static bool push(ik_lower *lo, growing *g, const int off[IK_MAX_DIM], double weight, ik_span at) {
  if (weight == 0) return true;
  if (g->w->n == MOST_POINTS) {
    ik_error(lo->d, IK_E005, at, "a pattern of more than %d points", MOST_POINTS);
    return false;
  }
  int n = g->w->n;
  g->w->off = ik_arena_grow(lo->a, g->w->off, n, &g->cap_off, sizeof *g->w->off);
  memcpy(g->w->off[n], off, sizeof *g->w->off);
  IK_PUSH(lo->a, g->w->w, g->w->n, g->cap_w, weight);
  return true;
}

/* ---- star and box ---- */

static bool weight_at(ik_lower *lo, const ik_ast *e, const int off[IK_MAX_DIM], double *out) {
  static const char *const name[] = {"i", "j", "k", "distance"};
  ik_binding               b[4];
  for (int k = 0; k < 4; k++) {
    double v = k < 3 ? off[k] : abs(off[0]) + abs(off[1]) + abs(off[2]);
    b[k] = (ik_binding){.name = name[k],
                        .value = {ik_node_const(lo, v, e->span), {.plain = true}},
                        .next = k < 3 ? &b[k + 1] : NULL};
  }
  ik_scope s = {.bindings = b, .outer = &ik_scope_constant, .constant = true};
  return ik_express_constant_in(lo, e, &s, out, NULL);
}

static bool from_shape(ik_lower *lo, const ik_ast *e, bool box, growing *g) {
  int64_t r;
  if (!e->args || !e->args->next || e->args->next->next) {
    ik_error(lo->d, IK_E014, e->span, "'%s' takes a radius and a weight", e->name);
    ik_lang_fix(lo->d, e->span,
                ik_arena_printf(lo->a, "%s(1, if distance == 0 then 0.5 else 0.125)", e->name));
    return false;
  }
  if (!ik_express_integer(lo, e->args, "a radius", 0, WIDEST, &r)) return false;
  int top[IK_MAX_DIM] = {0}, off[IK_MAX_DIM];
  for (int d = 0; d < lo->ir->ndim; d++) top[d] = (int)r;
  for (off[2] = -top[2]; off[2] <= top[2]; off[2]++)
    for (off[1] = -top[1]; off[1] <= top[1]; off[1]++)
      for (off[0] = -top[0]; off[0] <= top[0]; off[0]++) {
        int    axes = (off[0] != 0) + (off[1] != 0) + (off[2] != 0);
        double w;
        if (!box && axes > 1) continue;
        if (!weight_at(lo, e->args->next, off, &w) || !push(lo, g, off, w, e->span)) return false;
      }
  return true;
}

/* ---- lists ---- */

static int list_length(const ik_ast *e) {
  int n = 0;
  for (const ik_ast *x = e->args; x; x = x->next) n++;
  return n;
}

/* `axis` is the axis that this level of brackets runs along: the slowest is outermost. */
static bool from_list(ik_lower *lo, const ik_ast *e, int axis, int off[IK_MAX_DIM], growing *g) {
  if (axis < 0) {
    double w;
    if (e->kind == IK_AST_LIST) {
      ik_error(lo->d, IK_E063, e->span, "more brackets than the grid has axes (%d)", lo->ir->ndim);
      ik_help(lo->d, "remove the innermost brackets");
      return false;
    }
    return ik_express_constant(lo, e, &w, NULL) && push(lo, g, off, w, e->span);
  }
  if (e->kind != IK_AST_LIST) {
    ik_error(lo->d, IK_E063, e->span, "expected a list in brackets along axis %s",
             lo->ir->axis[axis]);
    ik_help(lo->d, "as many brackets as axes, as in  %s",
            lo->ir->ndim == 1   ? "[1, -2, 1]"
            : lo->ir->ndim == 2 ? "[[0, 1, 0], [1, -4, 1], [0, 1, 0]]"
                                : "[[[1]], [[-2]], [[1]]]");
    return false;
  }
  int n = list_length(e), k = 0;
  if (n % 2 == 0) {
    ik_error(lo->d, IK_E063, e->span,
             "%d weights along %s: the number must be odd, the middle is offset 0", n,
             lo->ir->axis[axis]);
    ik_help(lo->d, "add a 0 where there is no weight");
    return false;
  }
  if (g->length[axis] && g->length[axis] != n) {
    ik_error(lo->d, IK_E063, e->span, "%d weights along %s here, and %d before", n,
             lo->ir->axis[axis], g->length[axis]);
    ik_help(lo->d, "add zeros, so that all lists along %s are equally long", lo->ir->axis[axis]);
    return false;
  }
  g->length[axis] = n;
  for (const ik_ast *x = e->args; x; x = x->next, k++) {
    off[axis] = k - n / 2;
    if (!from_list(lo, x, axis - 1, off, g)) return false;
  }
  return true;
}

/* ---- files ---- */

static bool from_dense(ik_lower *lo, const ik_array *a, ik_span at, growing *g) {
  int64_t r[IK_MAX_DIM] = {0};
  if (a->ndim != lo->ir->ndim) {
    ik_error(lo->d, IK_E063, at, "the file has %d dimensions, the grid has %d", a->ndim,
             lo->ir->ndim);
    return false;
  }
  for (int d = 0; d < a->ndim; d++) {
    if (a->n[d] % 2 == 0 || a->n[d] > 2 * WIDEST + 1) {
      ik_error(lo->d, IK_E063, at, "%lld weights along %s: an odd number up to %d is needed",
               (long long)a->n[d], lo->ir->axis[d], 2 * WIDEST + 1);
      return false;
    }
    r[d] = a->n[d] / 2;
  }
  int64_t i = 0;
  for (int64_t z = -r[2]; z <= r[2]; z++)
    for (int64_t y = -r[1]; y <= r[1]; y++)
      for (int64_t x = -r[0]; x <= r[0]; x++) {
        int off[IK_MAX_DIM] = {(int)x, (int)y, (int)z};
        if (!push(lo, g, off, ik_array_get(a, i++), at)) return false;
      }
  return true;
}

static bool from_sparse(ik_lower *lo, const ik_array *a, ik_span at, growing *g) {
  int nd = lo->ir->ndim;
  if (a->ndim != 2 || a->n[0] != nd + 1) {
    ik_error(lo->d, IK_E063, at, "rows of %d offsets and a weight are needed", nd);
    return false;
  }
  for (int64_t row = 0; row < a->n[1]; row++) {
    int off[IK_MAX_DIM] = {0};
    for (int d = 0; d < nd; d++) {
      double v = ik_array_get(a, row * (nd + 1) + d);
      if (v != floor(v) || fabs(v) > WIDEST) {
        ik_error(lo->d, IK_E063, at, "row %lld: offset %g is not a whole number up to %d",
                 (long long)row, v, WIDEST);
        return false;
      }
      off[d] = (int)v;
    }
    if (!push(lo, g, off, ik_array_get(a, row * (nd + 1) + nd), at)) return false;
  }
  return true;
}

static bool from_file(ik_lower *lo, const ik_ast *e, bool sparse, growing *g) {
  const ik_ast *path = e->args;
  ik_array      a = {0};
  if (!path || path->kind != IK_AST_STRING || path->next) {
    ik_error(lo->d, IK_E014, e->span, "'%s' takes the name of a file, in quotes", e->name);
    return false;
  }
  const char *name = ik_path_of(lo, path);
  if (!name || ik_io_read_array(name, NULL, NULL, path->span, &a, lo->d)) return false;
  bool ok = sparse ? from_sparse(lo, &a, path->span, g) : from_dense(lo, &a, path->span, g);
  ik_array_free(&a);
  return ok;
}

static bool fill(ik_lower *lo, const ik_ast *e, growing *g) {
  int off[IK_MAX_DIM] = {0};
  if (e->kind == IK_AST_LIST) return from_list(lo, e, lo->ir->ndim - 1, off, g);
  const char *name = e->kind == IK_AST_CALL ? e->name : "";
  if (strcmp(name, "star") == 0) return from_shape(lo, e, false, g);
  if (strcmp(name, "box") == 0) return from_shape(lo, e, true, g);
  if (strcmp(name, "file") == 0) return from_file(lo, e, false, g);
  if (strcmp(name, "sparse") == 0) return from_file(lo, e, true, g);
  ik_error(lo->d, IK_E014, e->span, "weights are a list, star(), box(), file() or sparse()");
  ik_help(lo->d, "for example  weights w = star(1, if distance == 0 then 0.5 else 0.125)");
  return false;
}

void ik_weights_declare(ik_lower *lo, const ik_item *it) {
  ik_amplification *y = ik_lower_declare(lo, IK_SYM_WEIGHTS, it->name, it->name_span);
  growing           g = {.w = IK_NEW(lo->a, ik_weights)};
  if (fill(lo, it->value, &g) && y) y->weights = g.w;
}
