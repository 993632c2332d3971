#include "base/mem.h"
#include "ir/ir.h"
#include <inttypes.h>

/* What a statement or expression may do where it stands. */
typedef struct verifier {
  const ik_ir   *ir;
  ik_diag       *d;
  int           *made;  /* [nfield]: depth of the block that gave a TEMP or a u' its value, or 0 */
  int            depth; /* of blocks; 1 is the outermost */
  bool           in_init;
  const ik_stmt *loop;   /* the STEPS or REPEAT around */
  const ik_stmt *sweep;  /* the SWEEP around */
  const ik_stmt *assign; /* the ASSIGN whose value this is */
  const ik_box  *cells;  /* for which an expression is evaluated; NULL: for no cell, no reads */
  bool           no_read;
  bool           no_new; /* level 1 may not be read */
} verifier;

#define FAULT(v, at, ...) ik_fail((v)->d, IK_ERR_SOURCE, IK_E002, (at), "ir: " __VA_ARGS__)

/* ---- types ---- */

static bool is_number(ik_type t) { return t != IK_BOOL; }

static bool args_have(const ik_expr *e, int from, ik_type t) {
  for (int i = from; i < ik_op_nargs(e->op); i++)
    if (e->arg[i]->type != t) return false;
  return true;
}

static bool const_fits(const ik_expr *e) {
  double r = ik_type_round(e->type, e->value);
  return r == e->value || (r != r && e->value != e->value);
}

static bool types_agree(const ik_ir *ir, const ik_expr *e) {
  switch (e->op) {
  case IK_OP_CONST: return const_fits(e);
  case IK_OP_READ: return e->type == ir->field[e->id].type;
  case IK_OP_SCALAR: return e->type == ir->scalar[e->id].type;
  case IK_OP_COORD:
  case IK_OP_TIME: return is_number(e->type);
  case IK_OP_NOISE: return ik_type_is_float(e->type);
  case IK_OP_NEG:
  case IK_OP_ADD:
  case IK_OP_SUB:
  case IK_OP_MUL:
  case IK_OP_DIV:
  case IK_OP_FMA:
  case IK_OP_MIN:
  case IK_OP_MAX:
  case IK_OP_MOD:
  case IK_OP_ABS:
  case IK_OP_FLOOR: return is_number(e->type) && args_have(e, 0, e->type);
  case IK_OP_LT:
  case IK_OP_LE:
    if (!is_number(e->arg[0]->type)) return false; /* and like EQ */
    __attribute__((fallthrough));
  case IK_OP_EQ:
  case IK_OP_NE: return e->type == IK_BOOL && args_have(e, 1, e->arg[0]->type);
  case IK_OP_NOT:
  case IK_OP_AND:
  case IK_OP_OR: return e->type == IK_BOOL && args_have(e, 0, IK_BOOL);
  case IK_OP_SELECT: return e->arg[0]->type == IK_BOOL && args_have(e, 1, e->type);
  case IK_OP_CAST: return true;
  default: return ik_type_is_float(e->type) && args_have(e, 0, e->type);
  }
}

/* ---- boxes ---- */

static bool is_empty(const ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (b->lo[d] >= b->hi[d]) return true;
  return false;
}

static bool is_within(const ik_box *in, const ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (in->lo[d] < b->lo[d] || in->hi[d] > b->hi[d]) return false;
  return true;
}

static bool is_ordered(const ik_ir *ir, const ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++) {
    if (b->lo[d] > b->hi[d] || b->lo[d] < -INT64_MAX / 4 || b->hi[d] > INT64_MAX / 4) return false;
    if (d >= ir->ndim && (b->lo[d] != 0 || b->hi[d] != 1)) return false;
  }
  return true;
}

static bool in_box(const int64_t at[IK_MAX_DIM], const ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (at[d] < b->lo[d] || at[d] >= b->hi[d]) return false;
  return true;
}

static ik_status check_box(verifier *v, const ik_stmt *s) {
  if (is_ordered(v->ir, &s->box)) return IK_OK;
  return FAULT(v, s->span, "a box that ends before it begins, or leaves the axes");
}

/* ---- reads ---- */

static bool level_exists(const ik_field *f, int level) {
  return level <= f->has_new && level > -f->history;
}

static ik_status check_offsets(verifier *v, const ik_expr *e) {
  const ik_field *f = &v->ir->field[e->id];
  bool            empty = is_empty(v->cells);
  for (int d = 0; d < IK_MAX_DIM; d++) {
    if (!f->on[d] && e->off[d])
      return FAULT(v, e->span, "%s is read with an offset along an axis it is not on", f->name);
    if (!f->on[d] || empty) continue;
    int64_t lo = v->cells->lo[d] + e->off[d], hi = v->cells->hi[d] + e->off[d];
    if ((lo < f->box.lo[d] && f->bc[d][0].kind == IK_BC_NONE) ||
        (hi > f->box.hi[d] && f->bc[d][1].kind == IK_BC_NONE))
      return FAULT(v, e->span,
                   "%s is read at %" PRId64 ":%" PRId64 " along axis %d, beyond a face without "
                   "a boundary",
                   f->name, lo, hi, d);
  }
  return IK_OK;
}

/* +1: a cell that the sweep comes to later, -1: earlier, 0: at the same index. */
static int sweep_order(const ik_stmt *sweep, const ik_expr *e) {
  for (int i = 0; i < sweep->naxes; i++) {
    int off = e->off[sweep->axis[i]];
    if (off) return (off > 0) == (sweep->dir[i] > 0) ? 1 : -1;
  }
  return 0;
}

static bool has_offset(const ik_expr *e) { return e->off[0] || e->off[1] || e->off[2]; }

/* A TEMP, or a u', needs a value before it is read; in a sweep an earlier index may have given it.
 */
static bool has_value(const verifier *v, const ik_expr *e) {
  bool kept = v->ir->field[e->id].kind != IK_FIELD_TEMP && e->level <= 0;
  if (kept || v->made[e->id]) return true;
  if (!v->sweep || sweep_order(v->sweep, e) >= 0) return false;
  for (const ik_stmt *s = v->sweep->body; s; s = s->next)
    if (s->field == e->id && s->level == e->level) return true;
  return false;
}

static ik_status check_order(verifier *v, const ik_expr *e) {
  const char *name = v->ir->field[e->id].name;
  if (!has_value(v, e)) return FAULT(v, e->span, "%s is read before it has a value", name);
  bool own = v->assign && v->assign->field == e->id && v->assign->level == e->level;
  if (v->sweep && own && has_offset(e) && sweep_order(v->sweep, e) == 0)
    return FAULT(v, e->span, "%s is read beside the cell that the sweep writes", name);
  return IK_OK;
}

static ik_status check_read(verifier *v, const ik_expr *e) {
  if (!v->cells || v->no_read) return FAULT(v, e->span, "a field is read where none may be");
  const ik_field *f = &v->ir->field[e->id];
  if (!level_exists(f, e->level)) return FAULT(v, e->span, "%s has no level %d", f->name, e->level);
  bool in_steps = v->loop && v->loop->kind == IK_STEPS;
  if (e->level == 1 && (!in_steps || v->no_new))
    return FAULT(v, e->span, "the new value of %s is read outside a step", f->name);
  IK_TRY(check_offsets(v, e));
  return check_order(v, e);
}

/* ---- expressions ---- */

static int id_count(const ik_ir *ir, ik_op op) {
  switch (op) {
  case IK_OP_READ: return ir->nfield;
  case IK_OP_SCALAR: return ir->nscalar;
  case IK_OP_TABLE: return ir->ntable;
  case IK_OP_COORD: return ir->ndim;
  default: return -1;
  }
}

static ik_status check_expr(verifier *v, const ik_expr *e) {
  if (!e) return FAULT(v, IK_NOSPAN, "an operand is missing");
  if ((unsigned)e->op >= IK_NOPS || (unsigned)e->type >= IK_NTYPES)
    return FAULT(v, e->span, "an operation or type that does not exist");
  for (int i = 0; i < ik_op_nargs(e->op); i++) IK_TRY(check_expr(v, e->arg[i]));
  int ids = id_count(v->ir, e->op);
  if (ids >= 0 && (e->id < 0 || e->id >= ids))
    return FAULT(v, e->span, "%s of number %d, of %d", ik_op_name(e->op), e->id, ids);
  if (!types_agree(v->ir, e))
    return FAULT(v, e->span, "%s.%s with types that do not fit", ik_op_name(e->op),
                 ik_type_name(e->type));
  if ((e->op == IK_OP_COORD || e->op == IK_OP_NOISE) && !v->cells)
    return FAULT(v, e->span, "%s where there is no cell", ik_op_name(e->op));
  return e->op == IK_OP_READ ? check_read(v, e) : IK_OK;
}

static ik_status check_value(verifier *v, const ik_expr *e, ik_type t, ik_span at) {
  IK_TRY(check_expr(v, e));
  if (e->type == t) return IK_OK;
  return FAULT(v, at, "a value of type %s where %s is needed", ik_type_name(e->type),
               ik_type_name(t));
}

/* ---- statements ---- */

static ik_status check_list(verifier *v, const ik_stmt *list);

static void forget(verifier *v) {
  for (int i = 0; i < v->ir->nfield; i++)
    if (v->made[i] >= v->depth) v->made[i] = 0;
}

static ik_status check_target(verifier *v, const ik_stmt *s) {
  if (s->field < 0 || s->field >= v->ir->nfield)
    return FAULT(v, s->span, "field number %d, of %d", s->field, v->ir->nfield);
  const ik_field *f = &v->ir->field[s->field];
  if (!level_exists(f, s->level)) return FAULT(v, s->span, "%s has no level %d", f->name, s->level);
  if (s->level == 1 && !(v->loop && v->loop->kind == IK_STEPS))
    return FAULT(v, s->span, "the new value of %s is assigned outside a step", f->name);
  return IK_OK;
}

static ik_status check_assign(verifier *v, const ik_stmt *s) {
  IK_TRY(check_target(v, s));
  IK_TRY(check_box(v, s));
  const ik_field *f = &v->ir->field[s->field];
  if (!is_empty(&s->box) && !is_within(&s->box, &f->box))
    return FAULT(v, s->span, "an assignment outside the box of %s", f->name);
  v->assign = s, v->cells = &s->box;
  ik_status bad = check_value(v, s->value, f->type, s->span);
  v->assign = NULL, v->cells = NULL;
  if ((f->kind == IK_FIELD_TEMP || s->level == 1) && !v->made[s->field])
    v->made[s->field] = v->depth;
  return bad;
}

static ik_status check_load(verifier *v, const ik_stmt *s) {
  IK_TRY(check_target(v, s));
  if (!v->in_init || v->ir->field[s->field].kind == IK_FIELD_TEMP)
    return FAULT(v, s->span, "only init loads, and only fields that stay");
  if (!s->path || s->raw_type < -1 || s->raw_type >= IK_NTYPES)
    return FAULT(v, s->span, "a load without a path or of a type that does not exist");
  return IK_OK;
}

static ik_status check_scalar_stmt(verifier *v, const ik_stmt *s) {
  if (s->scalar < 0 || s->scalar >= v->ir->nscalar)
    return FAULT(v, s->span, "scalar number %d, of %d", s->scalar, v->ir->nscalar);
  ik_type t = v->ir->scalar[s->scalar].type;
  if (s->kind == IK_REDUCE) {
    IK_TRY(check_box(v, s));
    if (is_empty(&s->box)) return FAULT(v, s->span, "a reduction of no cells");
    if (!is_number(t) || s->reduce > IK_MAXIMUM) return FAULT(v, s->span, "a reduction to bool");
    v->cells = &s->box;
  }
  ik_status bad = check_value(v, s->value, t, s->span);
  v->cells = NULL;
  return bad;
}

static ik_status check_axes(verifier *v, const ik_stmt *s) {
  unsigned seen = 0;
  if (s->naxes < 1 || s->naxes > v->ir->ndim)
    return FAULT(v, s->span, "a sweep of %d axes", s->naxes);
  for (int i = 0; i < s->naxes; i++) {
    if (s->axis[i] < 0 || s->axis[i] >= v->ir->ndim || (seen >> s->axis[i] & 1))
      return FAULT(v, s->span, "a sweep along an axis that is not there, or twice");
    if (s->dir[i] != 1 && s->dir[i] != -1)
      return FAULT(v, s->span, "a sweep in direction %d", s->dir[i]);
    seen |= 1u << s->axis[i];
  }
  return IK_OK;
}

static ik_status check_sweep(verifier *v, const ik_stmt *s) {
  if (v->sweep) return FAULT(v, s->span, "a sweep within a sweep");
  IK_TRY(check_axes(v, s));
  for (const ik_stmt *b = s->body; b; b = b->next)
    if (b->kind != IK_ASSIGN) return FAULT(v, b->span, "only assignments stand in a sweep");
  v->sweep = s;
  ik_status bad = check_list(v, s->body);
  v->sweep = NULL;
  return bad;
}

/* ---- loops ---- */

/* All u' become u after a step, so each must have been given a value in every cell. */
static ik_status check_new(verifier *v, const ik_stmt *s) {
  for (int i = 0; i < v->ir->nfield; i++) {
    const ik_field *f = &v->ir->field[i];
    if (f->has_new && !ik_stmt_covers(s->body, i, 1, f->box))
      return FAULT(v, s->span, "a step that leaves cells of the new %s without a value", f->name);
  }
  return IK_OK;
}

static ik_status check_rounds(verifier *v, const ik_stmt *s) {
  if (s->kind == IK_STEPS) {
    IK_TRY(check_list(v, s->body));
    return check_new(v, s);
  }
  IK_TRY(check_list(v, s->pre));
  IK_TRY(check_value(v, s->value, IK_BOOL, s->span));
  return check_list(v, s->body);
}

static ik_status check_loop(verifier *v, const ik_stmt *s) {
  if (v->loop) return FAULT(v, s->span, "steps and repeats do not nest");
  if (s->count < 0) return FAULT(v, s->span, "a negative count");
  v->loop = s, v->depth++;
  ik_status bad = check_rounds(v, s);
  forget(v);
  v->loop = NULL, v->depth--;
  return bad;
}

static ik_status check_stmt(verifier *v, const ik_stmt *s) {
  switch (s->kind) {
  case IK_ASSIGN: return check_assign(v, s);
  case IK_LOAD: return check_load(v, s);
  case IK_REDUCE:
  case IK_SET: return check_scalar_stmt(v, s);
  case IK_SWEEP: return check_sweep(v, s);
  case IK_STEPS:
  case IK_REPEAT: return check_loop(v, s);
  }
  return FAULT(v, s->span, "a statement that does not exist");
}

static ik_status check_list(verifier *v, const ik_stmt *list) {
  for (const ik_stmt *s = list; s; s = s->next) IK_TRY(check_stmt(v, s));
  return IK_OK;
}

/* ---- declarations ---- */

static ik_status check_grid(verifier *v) {
  const ik_ir *ir = v->ir;
  if (ir->ndim < 1 || ir->ndim > IK_MAX_DIM)
    return FAULT(v, IK_NOSPAN, "a grid of %d axes", ir->ndim);
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (d < ir->ndim ? ir->n[d] < 1 || !ir->axis[d] : ir->n[d] != 1)
      return FAULT(v, IK_NOSPAN, "axis %d with %" PRId64 " cells", d, ir->n[d]);
  return IK_OK;
}

/* Stored fields begin at 0; every field has one cell along axes that it is not on. */
static bool box_fits(const ik_ir *ir, const ik_field *f) {
  if (!is_ordered(ir, &f->box)) return false;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    if (f->on[d] && d >= ir->ndim) return false;
    if (!f->on[d] && (f->box.lo[d] != 0 || f->box.hi[d] != 1)) return false;
    if (f->kind != IK_FIELD_TEMP && (f->box.lo[d] != 0 || f->box.hi[d] < 1)) return false;
  }
  return true;
}

static ik_status check_face(verifier *v, const ik_field *f, int d, int side) {
  const ik_bc *bc = &f->bc[d][side];
  if ((unsigned)bc->kind >= IK_NBC || f->absorb[d][side] < 0)
    return FAULT(v, f->span, "a boundary of %s that does not exist", f->name);
  if (bc->kind == IK_BC_NONE) return IK_OK;
  if (!f->on[d] || f->kind == IK_FIELD_TEMP)
    return FAULT(v, bc->span, "a boundary of %s where it has no face", f->name);
  if (bc->kind == IK_BC_PERIODIC && f->bc[d][!side].kind != IK_BC_PERIODIC)
    return FAULT(v, bc->span, "%s is periodic on one side of axis %d only", f->name, d);
  if (bc->kind != IK_BC_VALUE) return IK_OK;
  v->cells = &f->box, v->no_read = true;
  ik_status bad = check_value(v, bc->value, f->type, bc->span);
  v->cells = NULL, v->no_read = false;
  return bad;
}

static ik_status check_field(verifier *v, const ik_field *f) {
  bool temp = f->kind == IK_FIELD_TEMP;
  if (!f->name || (unsigned)f->type >= IK_NTYPES)
    return FAULT(v, f->span, "a field without a name or type");
  if (f->history < 1 || f->history > IK_MAX_HISTORY || (temp && (f->history != 1 || f->has_new)))
    return FAULT(v, f->span, "%s with %d levels", f->name, f->history);
  if (!box_fits(v->ir, f)) return FAULT(v, f->span, "%s with a box that does not fit", f->name);
  for (int d = 0; d < IK_MAX_DIM; d++)
    for (int side = 0; side < 2; side++) IK_TRY(check_face(v, f, d, side));
  return IK_OK;
}

static ik_status check_fields(verifier *v) {
  for (int i = 0; i < v->ir->nscalar; i++)
    if ((unsigned)v->ir->scalar[i].type >= IK_NTYPES || !v->ir->scalar[i].name)
      return FAULT(v, v->ir->scalar[i].span, "a scalar without a name or type");
  for (int i = 0; i < v->ir->nfield; i++) IK_TRY(check_field(v, &v->ir->field[i]));
  return IK_OK;
}

/* ---- sources, receivers, files ---- */

static ik_status check_stored(verifier *v, int field, ik_span at) {
  if (field < 0 || field >= v->ir->nfield || v->ir->field[field].kind == IK_FIELD_TEMP)
    return FAULT(v, at, "field number %d cannot stand here", field);
  return IK_OK;
}

static ik_status check_taps(verifier *v, int field, const ik_tap *tap, int64_t n, ik_span at) {
  for (int64_t i = 0; i < n; i++)
    if (!in_box(tap[i].at, &v->ir->field[field].box))
      return FAULT(v, at, "a tap outside %s", v->ir->field[field].name);
  return IK_OK;
}

static ik_status check_inject(verifier *v, const ik_inject *j) {
  IK_TRY(check_stored(v, j->field, j->span));
  if (!v->ir->field[j->field].has_new)
    return FAULT(v, j->span, "a source into %s, which has no new value",
                 v->ir->field[j->field].name);
  IK_TRY(check_taps(v, j->field, j->tap, j->ntap, j->span));
  ik_status bad = IK_OK;
  v->no_new = true;
  for (int i = 0; i < j->ntap && !bad; i++) {
    ik_box cell;
    for (int d = 0; d < IK_MAX_DIM; d++)
      cell.lo[d] = j->tap[i].at[d], cell.hi[d] = j->tap[i].at[d] + 1;
    v->cells = &cell;
    bad = check_value(v, j->value, IK_F64, j->span);
  }
  v->no_new = false, v->cells = NULL;
  return bad;
}

static ik_status check_record(verifier *v, const ik_record *r) {
  IK_TRY(check_stored(v, r->field, r->span));
  if (r->every < 1 || r->npoint < 0 || r->ntap < 0 || !r->path)
    return FAULT(v, r->span, "a receiver each %" PRId64 " steps, or without a path", r->every);
  return check_taps(v, r->field, r->tap, (int64_t)r->npoint * r->ntap, r->span);
}

static ik_status check_output(verifier *v, const ik_output *o) {
  if (o->every < 0 || !o->path)
    return FAULT(v, o->span, "an output each %" PRId64 " steps, or without a path", o->every);
  for (int i = 0; i < o->nfield; i++) IK_TRY(check_stored(v, o->field[i], o->span));
  return IK_OK;
}

static ik_status check_io(verifier *v) {
  for (int i = 0; i < v->ir->ninject; i++) IK_TRY(check_inject(v, &v->ir->inject[i]));
  for (int i = 0; i < v->ir->nrecord; i++) IK_TRY(check_record(v, &v->ir->record[i]));
  for (int i = 0; i < v->ir->noutput; i++) IK_TRY(check_output(v, &v->ir->output[i]));
  return IK_OK;
}

static ik_status check_lists(verifier *v) {
  v->depth = 1, v->in_init = true;
  IK_TRY(check_list(v, v->ir->init));
  forget(v);
  v->in_init = false;
  IK_TRY(check_list(v, v->ir->body));
  forget(v);
  return IK_OK;
}

static ik_status check_all(verifier *v) {
  IK_TRY(check_grid(v));
  IK_TRY(check_fields(v));
  IK_TRY(check_lists(v));
  return check_io(v);
}

ik_status ik_ir_verify(const ik_ir *ir, ik_diag *d) {
  verifier v = {.ir = ir, .d = d, .made = ik_calloc((size_t)ir->nfield, sizeof *v.made)};
  if (!v.made)
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "not enough memory to check the IR");
  ik_status bad = check_all(&v);
  ik_free(v.made);
  return bad;
}
