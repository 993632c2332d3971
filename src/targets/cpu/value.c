#include "targets/cpu/value.h"
#include "base/mem.h"
#include "interp/rows.h"

struct ik_rows *ik_value_create(const ik_state *s) {
  ik_rows *r = ik_malloc(sizeof *r);
  if (r && ik_rows_init(r, s, 0)) return r; /* it counts what boundaries need by itself */
  ik_free(r);
  return NULL;
}

void ik_value_destroy(struct ik_rows **r) {
  if (!*r) return;
  ik_rows_free(*r);
  ik_free(*r);
  *r = NULL;
}

bool ik_value_is_uniform(const ik_expr *e) {
  return !ik_expr_has(e, IK_OP_COORD) && !ik_expr_has(e, IK_OP_NOISE);
}

void ik_value_row(struct ik_rows *r, const ik_expr *e, ik_type t, const int64_t at[IK_MAX_DIM],
                  int64_t n, int64_t time, double sign, void *out) {
  double  row[IK_ROWS_CELLS];
  int64_t c[IK_MAX_DIM] = {at[0], at[1], at[2]};
  for (int64_t i = 0; i < n; i += IK_ROWS_CELLS) {
    int m = n - i < IK_ROWS_CELLS ? (int)(n - i) : IK_ROWS_CELLS;
    c[0] = at[0] + i;
    const double *v = ik_rows_eval(r, e, c, m, time, row);
    for (int k = 0; k < m; k++) row[k] = ik_type_round(t, sign * v[k]);
    ik_state_store_row(t, out, i, m, row);
  }
}
