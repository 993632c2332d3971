#include "ir/bound.h"

/* The cell that stands for the i-th, beyond a face of n cells. */
static int64_t periodic(int64_t i, int64_t n) { return (i % n + n) % n; }

/* The face lies between cells: -1 is 0, -2 is 1. */
static int64_t mirror(int64_t i, int64_t n) {
  int64_t k = periodic(i, 2 * n);
  return k < n ? k : 2 * n - 1 - k;
}

static bool mirror_flips(int64_t i, int64_t n) { return periodic(i, 2 * n) >= n; }

/* The face lies on a cell: -1 is 1, -2 is 2.  Both faces of a single cell are one. */
static int64_t reflect(int64_t i, int64_t n) {
  int64_t p = n > 1 ? 2 * n - 2 : 1, k = periodic(i, p);
  return k < n ? k : p - k;
}

static bool reflect_flips(int64_t i, int64_t n) {
  return n > 1 && (i < 0 ? (n - 2 - i) / (n - 1) : (i - 1) / (n - 1)) % 2;
}

int ik_bound_fold(const ik_field *f, int axis, int64_t *i, double *sign) {
  int64_t lo = f->box.lo[axis], n = f->box.hi[axis] - lo, k = *i - lo;
  if (k >= 0 && k < n) return -1;
  int        side = k >= n;
  ik_bc_kind kind = f->bc[axis][side].kind;
  if (kind == IK_BC_ANTIMIRROR && mirror_flips(k, n)) *sign = -*sign;
  if (kind == IK_BC_ANTIREFLECT && reflect_flips(k, n)) *sign = -*sign;
  switch (kind) {
  case IK_BC_PERIODIC: k = periodic(k, n); break;
  case IK_BC_COPY: k = side ? n - 1 : 0; break;
  case IK_BC_MIRROR:
  case IK_BC_ANTIMIRROR: k = mirror(k, n); break;
  case IK_BC_REFLECT:
  case IK_BC_ANTIREFLECT: k = reflect(k, n); break;
  case IK_BC_VALUE: return side;
  case IK_BC_NONE:
  case IK_NBC: IK_ASSERT(!"a read beyond a face without a boundary");
  }
  *i = lo + k;
  return -1;
}

bool ik_bound_is_crossed(const ik_field *f, const ik_expr *read, const ik_box *cells) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (f->on[d] &&
        (cells->lo[d] + read->off[d] < f->box.lo[d] || cells->hi[d] + read->off[d] > f->box.hi[d]))
      return true;
  return false;
}

static void note_time(const ik_expr *e, void *ctx) { *(bool *)ctx |= e->op == IK_OP_TIME; }

bool ik_bound_changes(const ik_field *f) {
  bool time = false;
  for (int i = 0; i < 2 * IK_MAX_DIM; i++)
    if (f->bc[i / 2][i % 2].value) ik_expr_each(f->bc[i / 2][i % 2].value, note_time, &time);
  return time;
}
