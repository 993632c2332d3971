#include "runtime/load.h"
#include "io/io.h"
#include "ir/apply.h"

ik_dtype ik_load_dtype(ik_type t) {
  static const ik_dtype of[] = {[IK_F64] = IK_DT_F64,
                                [IK_F32] = IK_DT_F32,
                                [IK_F16] = IK_DT_F16,
                                [IK_BF16] = IK_DT_BF16,
                                [IK_I32] = IK_DT_I32};
  return of[t];
}

ik_array ik_load_view(const ik_state *s, int field) {
  const ik_field *f = &s->ir->field[field];
  ik_array        a = {.dtype = ik_load_dtype(f->type), .data = ik_state_data(s, field, 0)};
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (f->on[d]) a.n[a.ndim++] = f->box.hi[d] - f->box.lo[d];
  for (int d = a.ndim; d < IK_ARRAY_DIMS; d++) a.n[d] = 1;
  a.gap = s->slot[field].gap;
  return a;
}

static ik_status check_shape(const ik_array *want, const ik_array *got, const ik_stmt *load,
                             const char *name, ik_diag *d) {
  bool   same = want->ndim == got->ndim;
  ik_buf a = {0}, b = {0};
  for (int k = 0; k < IK_ARRAY_DIMS; k++) same = same && want->n[k] == got->n[k];
  if (same) return IK_OK;
  for (int k = want->ndim - 1; k >= 0; k--)
    ik_buf_printf(&a, "%lld%s", (long long)want->n[k], k ? "x" : "");
  for (int k = got->ndim - 1; k >= 0; k--)
    ik_buf_printf(&b, "%lld%s", (long long)got->n[k], k ? "x" : "");
  ik_error(d, IK_E063, load->span, "'%s' has shape %s, and %s holds %s", name, ik_buf_text(&a),
           load->path, ik_buf_text(&b));
  ik_note_add(d, IK_NOSPAN, "shapes are written slowest axis first");
  ik_buf_free(&a), ik_buf_free(&b);
  return IK_ERR_SOURCE;
}

ik_status ik_load(ik_state *s, const ik_stmt *load, ik_diag *d) {
  const ik_field *f = &s->ir->field[load->field];
  ik_array        want = ik_load_view(s, load->field), got = {0};
  ik_raw_form     form = {.ndim = want.ndim};
  for (int k = 0; k < IK_ARRAY_DIMS; k++) form.n[k] = want.n[k];
  if (load->raw_type >= 0) form.dtype = ik_load_dtype((ik_type)load->raw_type);
  IK_TRY(ik_io_read_array(load->path, load->dataset, load->raw_type >= 0 ? &form : NULL, load->span,
                          &got, d));
  ik_status st = check_shape(&want, &got, load, f->name, d);
  void     *data = ik_state_data(s, load->field, load->level);
  int64_t   n = st ? 0 : s->slot[load->field].cells;
  for (int64_t i = 0, one = 1; i < n; i++) {
    double v = ik_apply(IK_OP_CAST, f->type, ik_array_get(&got, i), 0, 0);
    ik_state_store_row(f->type, data, ik_state_cell(s, load->field, i, &one), 1, &v);
  }
  ik_array_free(&got);
  return st;
}
