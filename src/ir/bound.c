#include "ir/bound.h"

/* How often an index beyond a face is reflected, at faces that lie on the first and last cell,
 * until it is a cell.  Both faces of a single cell are one: nothing is reflected there. */
static int64_t reflections(int64_t k, int64_t n) {
  if (n == 1) return 0;
  return k < 0 ? (-k + n - 2) / (n - 1) : (k - 1) / (n - 1);
}

int ik_bound_fold(const ik_field *f, int axis, int64_t *i, double *sign) {
  int64_t lo = f->box.lo[axis], n = f->box.hi[axis] - lo, k = *i - lo;
  if (k >= 0 && k < n) return -1;
  int        side = k >= n;
  ik_bc_kind kind = f->bc[axis][side].kind;
  int64_t    period, image;
  switch (kind) {
  case IK_BC_PERIODIC: k = ((k % n) + n) % n; break;
  case IK_BC_COPY: k = side ? n - 1 : 0; break;
  case IK_BC_MIRROR:
  case IK_BC_ANTIMIRROR:
    period = 2 * n;
    image = ((k % period) + period) % period;
    if (image >= n) {
      image = period - 1 - image;
      if (kind == IK_BC_ANTIMIRROR) *sign = -*sign;
    }
    k = image;
    break;
  case IK_BC_REFLECT:
  case IK_BC_ANTIREFLECT:
    if (kind == IK_BC_ANTIREFLECT && reflections(k, n) % 2) *sign = -*sign;
    period = n > 1 ? 2 * n - 2 : 1;
    image = ((k % period) + period) % period;
    k = image < n ? image : period - image;
    break;
  case IK_BC_VALUE: return side;
  case IK_BC_NONE:
  case IK_NBC: IK_ASSERT(!"a read beyond a face without a boundary");
  }
  *i = lo + k;
  return -1;
}
