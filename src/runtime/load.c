#include "runtime/load.h"
#include "io/io.h"
#include "ir/apply.h"
#include "ir/space.h"

ik_dtype ik_load_dtype(ik_type t) {
  static const ik_dtype of[] = {[IK_F64] = IK_DT_F64,
                                [IK_F32] = IK_DT_F32,
                                [IK_F16] = IK_DT_F16,
                                [IK_BF16] = IK_DT_BF16,
                                [IK_I32] = IK_DT_I32};
  return of[t];
}

ik_array ik_load_view(const ik_state *s, int field, int level) {
  const ik_field *f = &s->ir->field[field];
  ik_array        a = {.dtype = ik_load_dtype(f->type), .data = ik_state_data(s, field, level)};
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (f->on[d]) a.n[a.ndim++] = f->box.hi[d] - f->box.lo[d];
  for (int d = a.ndim; d < IK_ARRAY_DIMS; d++) a.n[d] = 1;
  a.gap = s->slot[field].layout->padding;
  return a;
}

/* ---- shapes ---- */

/* How a file's numbers lie: where the one of cell (0, 0, 0) is, and how far apart neighbours are.
 */
typedef struct layout {
  int64_t first, stride[IK_MAX_DIM];
} layout;

static void put_shape(ik_buf *b, const ik_array *a) {
  for (int k = a->ndim - 1; k >= 0; k--)
    ik_buf_printf(b, "%lld%s", (long long)a->n[k], k ? "x" : "");
}

static bool is_reverse(const ik_array *a, const ik_array *b) {
  bool same = a->ndim == b->ndim;
  for (int k = 0; same && k < a->ndim; k++) same = a->n[k] == b->n[a->ndim - 1 - k];
  return same;
}

static ik_status check_shape(const ik_array *want, const ik_array *got, const ik_stmt *load,
                             const char *name, ik_diag *d) {
  bool   same = want->ndim == got->ndim;
  ik_buf a = {0}, b = {0};
  for (int k = 0; k < IK_ARRAY_DIMS; k++) same = same && want->n[k] == got->n[k];
  if (same) return IK_OK;
  put_shape(&a, want), put_shape(&b, got);
  ik_error(d, IK_E063, load->span, "'%s' has shape %s, and %s holds %s", name, ik_buf_text(&a),
           load->path, ik_buf_text(&b));
  ik_note_add(d, IK_NOSPAN, "shapes are written slowest axis first");
  if (is_reverse(want, got))
    ik_help(d, "transpose? the extents are the reverse; name the axes of the grid the other way "
               "round, or write the array transposed:  numpy.save(name, a.T)");
  ik_buf_free(&a), ik_buf_free(&b);
  return IK_ERR_SOURCE;
}

static ik_status plain_layout(const ik_state *s, const ik_stmt *load, const ik_array *got,
                              ik_diag *d, layout *out) {
  const ik_field *f = &s->ir->field[load->field];
  ik_array        want = ik_load_view(s, load->field, 0);
  int64_t         step = 1;
  *out = (layout){0};
  for (int k = 0; k < IK_MAX_DIM; k++) {
    out->stride[k] = step;
    step *= f->box.hi[k] - f->box.lo[k];
  }
  return check_shape(&want, got, load, f->name, d);
}

/* ---- seismic traces, which go down ---- */

static bool goes_down(const ik_state *s, const ik_stmt *load) {
  const ik_vertical *v = &s->ir->vertical;
  return ik_io_format_of(load->path) == IK_IO_SEGY && v->known &&
         s->ir->field[load->field].on[v->axis];
}

static ik_status traces_differ(const ik_field *f, const char *axis, int64_t cells, int64_t traces,
                               const ik_stmt *load, const ik_array *got, ik_diag *d) {
  ik_error(d, IK_E063, load->span,
           "'%s' needs %lld traces of %lld samples along %s, and %s holds %lld of %lld", f->name,
           (long long)traces, (long long)cells, axis, load->path, (long long)got->n[1],
           (long long)got->n[0]);
  if (got->n[0] == traces && got->n[1] == cells)
    ik_help(d, "transpose? the traces of a model go down, one after the other along x");
  return IK_ERR_SOURCE;
}

/* A trace for each place on the ground: east first, then north. */
static ik_status trace_layout(const ik_state *s, const ik_stmt *load, const ik_array *got,
                              ik_diag *d, layout *out) {
  const ik_ir    *ir = s->ir;
  const ik_field *f = &ir->field[load->field];
  int             down = ir->vertical.axis, direction[IK_MAX_DIM];
  int64_t         cells = f->box.hi[down] - f->box.lo[down], traces = 1;
  ik_space_directions(ir, direction);
  *out = (layout){.first = ir->vertical.up ? cells - 1 : 0};
  for (int way = IK_EAST; way <= IK_NORTH; way++)
    for (int k = 0; k < ir->ndim; k++) {
      if (direction[k] != way || !f->on[k]) continue;
      out->stride[k] = cells * traces;
      traces *= f->box.hi[k] - f->box.lo[k];
    }
  out->stride[down] = ir->vertical.up ? -1 : 1;
  if (got->n[0] == cells && got->n[1] == traces) return IK_OK;
  return traces_differ(f, ir->axis[down], cells, traces, load, got, d);
}

/* ---- loading ---- */

static void store(ik_state *s, const ik_stmt *load, const ik_array *from, const layout *l) {
  const ik_field *f = &s->ir->field[load->field];
  void           *data = ik_state_data(s, load->field, load->level);
  int64_t         n[IK_MAX_DIM], one = 1;
  for (int k = 0; k < IK_MAX_DIM; k++) n[k] = f->box.hi[k] - f->box.lo[k];
  for (int64_t i = 0; i < s->slot[load->field].layout->cells; i++) {
    int64_t x = i % n[0], y = i / n[0] % n[1], z = i / n[0] / n[1];
    int64_t at = l->first + x * l->stride[0] + y * l->stride[1] + z * l->stride[2];
    double  v = ik_apply(IK_OP_CAST, f->type, ik_array_get(from, at), 0, 0);
    ik_state_store_row(f->type, data, ik_state_cell(s, load->field, i, &one), 1, &v);
  }
}

ik_status ik_load(ik_state *s, const ik_stmt *load, ik_diag *d) {
  ik_array    want = ik_load_view(s, load->field, 0), got = {0};
  ik_raw_form form = {.ndim = want.ndim};
  layout      l;
  for (int k = 0; k < IK_ARRAY_DIMS; k++) form.n[k] = want.n[k];
  if (load->raw_type >= 0) form.dtype = ik_load_dtype((ik_type)load->raw_type);
  IK_TRY(ik_io_read_array(load->path, load->dataset, load->raw_type >= 0 ? &form : NULL, load->span,
                          &got, d));
  ik_status st =
      goes_down(s, load) ? trace_layout(s, load, &got, d, &l) : plain_layout(s, load, &got, d, &l);
  if (!st) store(s, load, &got, &l);
  ik_array_free(&got);
  return st;
}
