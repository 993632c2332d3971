/* Statements: assignments on regions, scalars, steps, repeats, sweeps. */
#include "lang/fix.h"
#include "lang/lower.h"
#include <string.h>

static void body(ik_lower *lo, const ik_item *items, ik_list *out);

static ik_stmt *new_stmt(ik_lower *lo, ik_stmt_kind kind, ik_span at) {
  ik_stmt *s = IK_NEW(lo->a, ik_stmt);
  *s = (ik_stmt){.kind = kind, .span = at, .raw_type = -1};
  return s;
}

ik_stmt *ik_stage_assign(ik_lower *lo, int field, int level, ik_box box, const ik_expr *value,
                         ik_span at) {
  ik_stmt *s = new_stmt(lo, IK_ASSIGN, at);
  s->field = field, s->level = level, s->box = box, s->value = value;
  return s;
}

static ik_box grid_box(const ik_lower *lo) {
  ik_box b = {{0}, {0}};
  for (int d = 0; d < IK_MAX_DIM; d++) b.hi[d] = lo->ir->n[d];
  return b;
}

ik_node *ik_stage_reduce(ik_lower *lo, ik_list *list, ik_reduce op, ik_node *v, ik_span at) {
  static const char *const names[] = {"sum", "min", "max"};
  ik_type                  t = v->e.type;
  const char              *name = ik_arena_printf(lo->a, "%s#%d", names[op], lo->ir->nscalar);
  ik_stmt                 *s = new_stmt(lo, IK_REDUCE, at);
  s->scalar = ik_lower_scalar(lo, name, t, true, at);
  s->reduce = op, s->box = grid_box(lo);
  s->value = ik_express_finish(lo, v, t);
  ik_list_add(list, s);
  return ik_node_leaf(lo, IK_OP_SCALAR, t, s->scalar, at);
}

static ik_scope scope_here(const ik_lower *lo) {
  return (ik_scope){
      .coordinates = true, .fields = true, .reductions = !lo->sweep, .in_step = lo->step != NULL};
}

static void count_written(ik_lower *lo, const ik_node *r) {
  if (r && (lo->step || !lo->has_step)) lo->ir->flops_written += ik_chain_count(r);
}

/* Numbers and coordinates alone have no type of their own: they take that of the first field. */
static ik_type settled_type(const ik_lower *lo, const ik_node *r) {
  if (!r->weak) return r->e.type;
  for (int f = 0; f < lo->ir->nfield; f++)
    if (ik_type_is_float(lo->ir->field[f].type)) return lo->ir->field[f].type;
  return IK_F64;
}

/* ---- regions ---- */

static bool cut_range(ik_lower *lo, const ik_name *r, ik_box *b) {
  ik_amplification *y = ik_lower_find(lo, r->text);
  int64_t           first, last;
  if (!y || y->kind != IK_SYM_AXIS) {
    ik_lower_unknown(lo, r->text, r->span, "axis");
    return false;
  }
  int     d = y->id;
  int64_t most = b->hi[d] - 1;
  if (!ik_express_integer(lo, r->value, "the start of a region", 0, INT32_MAX, &first))
    return false;
  last = first;
  if (r->value2 && !ik_express_integer(lo, r->value2, "the end of a region", -1, INT32_MAX, &last))
    return false;
  ik_span all = ik_span_join(r->span, (r->value2 ? r->value2 : r->value)->span);
  if (first > last) {
    ik_error(lo->d, IK_E043, all, "the region ends at %lld before it starts at %lld",
             (long long)last, (long long)first);
    ik_lang_fix(
        lo->d, all,
        ik_arena_printf(lo->a, "%s = %lld .. %lld", r->text, (long long)last, (long long)first));
    return false;
  }
  if (last > most) {
    ik_error(lo->d, IK_E043, all, "the region reaches %s = %lld, and the cells are 0 .. %lld",
             r->text, (long long)last, (long long)most);
    ik_lang_fix(lo->d, r->value2 ? r->value2->span : r->value->span,
                ik_arena_printf(lo->a, "%lld", (long long)most));
    return false;
  }
  b->lo[d] = first, b->hi[d] = last + 1;
  return true;
}

static bool cut_interior(ik_lower *lo, const ik_ast *e, const ik_field *f, ik_box *b) {
  int64_t width[IK_MAX_DIM] = {0};
  int     n = 0;
  for (const ik_ast *x = e->args; x; x = x->next, n++) {
    int64_t w;
    if (!ik_express_integer(lo, x, "a border", 0, INT32_MAX, &w)) return false;
    if (n < IK_MAX_DIM) width[n] = w;
  }
  if (n != 1 && n != lo->ir->ndim) {
    ik_error(lo->d, IK_E030, e->span, "interior() takes one width, or one for each of %d axes",
             lo->ir->ndim);
    ik_lang_fix(lo->d, e->span, "interior(1)");
    return false;
  }
  for (int d = 0; d < lo->ir->ndim; d++) {
    if (f && !f->on[d]) continue;
    long long w = n == 1 ? width[0] : width[d], cells = b->hi[d] - b->lo[d];
    b->lo[d] += w, b->hi[d] -= w;
    if (b->lo[d] >= b->hi[d]) {
      ik_error(lo->d, IK_E043, e->span,
               "the interior is empty: %s has %lld cells, the borders %lld", lo->ir->axis[d], cells,
               2 * w);
      ik_help(lo->d, "give one width for each axis, 0 where there is no border, or a longer grid");
      return false;
    }
  }
  return true;
}

static bool region_of(ik_lower *lo, const ik_item *it, const ik_field *f, ik_box *b) {
  if (it->interior) return cut_interior(lo, it->interior, f, b);
  for (const ik_name *r = it->region; r; r = r->next)
    if (!cut_range(lo, r, b)) return false;
  return true;
}

/* In a sweep, `at first` and its like cut the box along the swept axis. */
static void cut_sweep(const ik_lower *lo, const ik_item *it, int axis, int dir, ik_box *b) {
  int64_t n = lo->ir->n[axis], first = dir > 0 ? 0 : n - 1, last = n - 1 - first;
  int64_t low = 0, high = n;
  switch (it->at) {
  case IK_AT_ALL: break;
  case IK_AT_FIRST: low = first, high = first + 1; break;
  case IK_AT_WITHIN: low = 1, high = n - 1; break;
  case IK_AT_LAST: low = last, high = n > 1 ? last + 1 : last; break;
  }
  if (b->lo[axis] < low) b->lo[axis] = low;
  if (b->hi[axis] > high) b->hi[axis] = high;
}

static bool is_empty(const ik_box *b) { return ik_box_cells(b) == 0; }

/* ---- which neighbours an assignment may read ---- */

typedef struct own_check {
  ik_lower      *lo;
  const ik_stmt *s;
  const ik_stmt *sweep; /* its axes, or NULL */
  const ik_expr *wrong; /* the first in the text, or NULL */
} own_check;

static bool along_sweep(const ik_expr *e, const ik_stmt *sweep) {
  for (int k = 0; k < sweep->naxes; k++)
    if (e->off[sweep->axis[k]]) return true;
  return false;
}

static void check_own_read(const ik_expr *e, void *ctx) {
  own_check *c = ctx;
  if (e->op != IK_OP_READ || e->id != c->s->field || e->level != c->s->level) return;
  bool neighbour = e->off[0] || e->off[1] || e->off[2];
  if (!neighbour || (c->sweep && along_sweep(e, c->sweep))) return;
  if (!c->sweep && c->s->level == 0) return; /* read as a whole before it is written */
  if (!c->wrong || e->span.off < c->wrong->span.off) c->wrong = e;
}

static void say_own_read(const own_check *c) {
  const ik_expr *e = c->wrong;
  ik_error(c->lo->d, IK_E052, e->span,
           "this reads a neighbour of '%s' while '%s' is being written%s",
           c->lo->ir->field[e->id].name, c->lo->ir->field[e->id].name,
           c->sweep ? ", across the sweep" : "");
  const char *axis = c->lo->ir->axis[e->off[0] ? 0 : e->off[1] ? 1 : 2];
  if (c->sweep)
    ik_help(c->lo->d, "a sweep along both axes fixes the order:  sweep %s up, %s up { ... }",
            c->lo->ir->axis[c->sweep->axis[0]], axis);
  else
    ik_help(c->lo->d, "a sweep along that axis fixes the order:  sweep %s up { ... }", axis);
}

typedef struct flat_check { /* fields on part of the axes take no value that differs along others */
  ik_lower       *lo;
  const ik_field *f;
  bool            failed;
} flat_check;

static void check_flat(const ik_expr *e, void *ctx) {
  flat_check *c = ctx;
  for (int d = 0; d < c->lo->ir->ndim && !c->failed; d++) {
    bool varies = (e->op == IK_OP_READ && c->lo->ir->field[e->id].on[d]) ||
                  (e->op == IK_OP_COORD && e->id == d);
    if (!varies || c->f->on[d]) continue;
    c->failed = true;
    ik_error(c->lo->d, IK_E034, e->span,
             "this varies along %s, and '%s' is not defined on that axis", c->lo->ir->axis[d],
             c->f->name);
    ik_note_add(c->lo->d, c->f->span, "declared here");
    ik_lower_fix_axes(c->lo, c->f->name);
  }
}

static bool reads_are_legal(ik_lower *lo, const ik_stmt *s, const ik_stmt *sweep) {
  own_check  own = {lo, s, sweep, NULL};
  flat_check flat = {lo, &lo->ir->field[s->field], false};
  ik_expr_each(s->value, check_own_read, &own);
  if (own.wrong) say_own_read(&own);
  ik_expr_each(s->value, check_flat, &flat);
  return !own.wrong && !flat.failed;
}

/* ---- assignments ---- */

/* Cells that no statement gives a new value keep the old one: all but those of `except`, if there
 * are such.  The pieces do not overlap, so that each cell gets its new value once. */
static void keep_old(ik_lower *lo, int field, const ik_box *except, ik_span at, ik_list *out) {
  static const int here[IK_MAX_DIM] = {0};
  const ik_field  *f = &lo->ir->field[field];
  ik_type          was = lo->compute;
  lo->compute = f->type;
  const ik_expr *v = ik_express_finish(lo, ik_node_read(lo, field, 0, here, at), f->type);
  lo->compute = was;
  ik_box left = f->box;
  if (!v) return;
  for (int d = IK_MAX_DIM - 1; except && d >= 0; d--) {
    ik_box below = left, above = left;
    below.hi[d] = except->lo[d], above.lo[d] = except->hi[d];
    if (!is_empty(&below)) ik_list_add(out, ik_stage_assign(lo, field, 1, below, v, at));
    if (!is_empty(&above)) ik_list_add(out, ik_stage_assign(lo, field, 1, above, v, at));
    left.lo[d] = except->lo[d], left.hi[d] = except->hi[d];
  }
  if (!except) ik_list_add(out, ik_stage_assign(lo, field, 1, f->box, v, at));
}

static bool may_assign(ik_lower *lo, int field, int level, ik_span at) {
  const ik_field *f = &lo->ir->field[field];
  if (level == 1 && !lo->step) {
    ik_error(lo->d, IK_E050, at, "%s' can be assigned only inside a step", f->name);
    ik_lang_fix(lo->d, at, f->name);
    return false;
  }
  if (!lo->step || field >= lo->nuser) return true;
  if (level == 1 ? lo->is_plain[field] : lo->is_new[field]) {
    ik_error(lo->d, IK_E051, at, "'%s' is updated both as %s' and as %s in this step", f->name,
             f->name, f->name);
    ik_help(lo->d, "assign  %s'  in both; the second may read  %s'  of the first", f->name,
            f->name);
    return false;
  }
  return true;
}

static void one_update(ik_lower *lo, int field, ik_span at) {
  const char *name = lo->ir->field[field].name;
  ik_error(lo->d, IK_E042, at, "'%s' has an absorbing layer, so it takes one update on all cells",
           name);
  ik_note_add(lo->d, lo->layer[field].asked->span, "the layer is declared here");
  ik_help(lo->d, "write one  %s' = ...  outside of sweeps and without  on", name);
}

static void assign_field(ik_lower *lo, const ik_item *it, int field, int level) {
  if (!may_assign(lo, field, level, it->target->span)) return;
  if (level == 1) lo->ir->field[field].has_new = true;
  ik_scope  s = scope_here(lo);
  ik_node  *v = ik_express(lo, it->value, &s).node;
  ik_field *f = &lo->ir->field[field];
  ik_box    box = f->box, whole = f->box;
  if (!v || !region_of(lo, it, f, &box)) {
    if (lo->step && level == 1 && field < lo->nuser) lo->is_new[field] = true; /* no more of it */
    return;
  }
  count_written(lo, v);
  if (level == 1 && lo->layer[field].asked) {
    if (lo->is_new[field] || it->interior || it->region || lo->sweep)
      one_update(lo, field, it->span);
    else
      ik_absorb_update(lo, field, v, it->span);
    lo->is_new[field] = true;
    return;
  }
  const ik_expr *e = ik_express_finish(lo, v, f->type);
  if (!e) return;
  ik_stmt *sweep = lo->sweep_stmt;
  if (sweep)
    for (int k = 0; k < sweep->naxes; k++) cut_sweep(lo, it, sweep->axis[k], sweep->dir[k], &box);
  ik_stmt *st = ik_stage_assign(lo, field, level, box, e, it->span);
  if (!reads_are_legal(lo, st, sweep)) return;
  if (level == 1 && !sweep && !lo->is_new[field] && memcmp(&box, &whole, sizeof box))
    keep_old(lo, field, is_empty(&box) ? NULL : &box, it->span, lo->list);
  if (lo->step && field < lo->nuser)
    *(level == 1 ? &lo->is_new[field] : &lo->is_plain[field]) = true;
  if (!is_empty(&box)) ik_list_add(lo->list, st);
}

static void not_one_number(ik_lower *lo, const char *name, ik_span at) {
  ik_error(lo->d, IK_E034, at, "'%s' is a scalar, and this varies from cell to cell", name);
  ik_lang_fix(lo->d, at, ik_arena_printf(lo->a, "sum(%.*s)", at.len, at.src->text + at.off));
}

static void set_scalar(ik_lower *lo, int scalar, const ik_ast *value, ik_span at) {
  ik_scope s = scope_here(lo);
  ik_node *v = ik_express(lo, value, &s).node;
  if (!v) return;
  if (v->cells) {
    not_one_number(lo, lo->ir->scalar[scalar].name, value->span);
    return;
  }
  ik_stmt *st = new_stmt(lo, IK_SET, at);
  st->scalar = scalar;
  st->value = ik_express_finish(lo, v, lo->ir->scalar[scalar].type);
  if (st->value) ik_list_add(lo->list, st);
}

/* Only fields keep values on a region and others beside it. */
static bool everywhere(ik_lower *lo, const ik_item *it, const char *name) {
  if (!it->region && !it->interior) return true;
  ik_error(lo->d, IK_E050, it->span, "only a field can be assigned on a region");
  ik_help(lo->d, "put the region on the field that is computed from '%s'", name);
  return false;
}

/* A name not declared: a temporary if its value differs from cell to cell, else a scalar. */
static void assign_new_name(ik_lower *lo, const ik_item *it) {
  const char *name = it->target->name;
  ik_scope    s = scope_here(lo);
  lo->naming = name;
  ik_node *v = ik_express(lo, it->value, &s).node;
  lo->naming = NULL;
  if (v && v->e.type == IK_BOOL) {
    ik_span at = it->value->span;
    ik_error(lo->d, IK_E032, at, "a condition cannot be stored");
    ik_lang_fix(lo->d, at,
                ik_arena_printf(lo->a, "if %.*s then 1 else 0", at.len, at.src->text + at.off));
    v = NULL;
  }
  if (!v || !everywhere(lo, it, name)) {
    ik_lower_poison(lo, name, it->target->span);
    return;
  }
  ik_type t = settled_type(lo, v);
  if (!v->cells && !lo->sweep) {
    ik_amplification *y = ik_lower_declare(lo, IK_SYM_SCALAR, name, it->target->span);
    if (!y) return;
    y->id = ik_lower_scalar(lo, name, t, false, it->target->span);
    ik_stmt *st = new_stmt(lo, IK_SET, it->span);
    st->scalar = y->id, st->value = ik_express_finish(lo, v, t);
    ik_list_add(lo->list, st);
    return;
  }
  ik_field f = {.name = name, .kind = IK_FIELD_TEMP, .type = t, .history = 1, .span = it->span};
  for (int d = 0; d < lo->ir->ndim; d++) f.on[d] = true;
  f.box = grid_box(lo);
  ik_amplification *y = ik_lower_declare(lo, IK_SYM_FIELD, name, it->target->span);
  if (!y) return;
  y->id = ik_lower_field(lo, &f);
  ik_stmt *sweep = lo->sweep_stmt;
  if (sweep)
    for (int k = 0; k < sweep->naxes; k++) cut_sweep(lo, it, sweep->axis[k], sweep->dir[k], &f.box);
  count_written(lo, v);
  const ik_expr *e = ik_express_finish(lo, v, t);
  if (e && !is_empty(&f.box))
    ik_list_add(lo->list, ik_stage_assign(lo, y->id, 0, f.box, e, it->span));
}

static void assign(ik_lower *lo, const ik_item *it) {
  const ik_ast     *t = it->target;
  bool              prime = t->kind == IK_AST_PRIME;
  const ik_ast     *name = prime ? t->a : t;
  ik_amplification *y = ik_lower_find(lo, name->name);
  if (!y && !prime) {
    assign_new_name(lo, it);
    return;
  }
  if (!y) {
    ik_lower_unknown(lo, name->name, name->span, "field");
    return;
  }
  bool temp = y->kind == IK_SYM_FIELD && lo->ir->field[y->id].kind == IK_FIELD_TEMP;
  y->used = true;
  if (temp && !lo->sweep) {
    ik_error(lo->d, IK_E011, name->span, "the temporary '%s' is already assigned", name->name);
    ik_note_add(lo->d, y->span, "assigned here");
    ik_help(lo->d, "give the second another name, such as %s2", name->name);
  } else if (temp && prime) {
    ik_error(lo->d, IK_E012, t->span, "'%s' is a temporary and has no new value", name->name);
    ik_lang_fix(lo->d, t->span, name->name);
  } else if (y->kind == IK_SYM_FIELD) {
    if (!temp || everywhere(lo, it, name->name)) assign_field(lo, it, y->id, prime ? 1 : 0);
  } else if (y->kind == IK_SYM_SCALAR && !prime) {
    if (lo->sweep) {
      ik_error(lo->d, IK_E050, it->span, "a scalar cannot be set inside a sweep");
      ik_help(lo->d, "set it before the sweep");
    } else if (everywhere(lo, it, name->name))
      set_scalar(lo, y->id, it->value, it->span);
  } else if (!ik_lower_is_poison(y)) {
    ik_error(lo->d, IK_E012, t->span, "'%s' cannot be assigned here", name->name);
    ik_note_add(lo->d, y->span, "declared here");
    if (y->kind == IK_SYM_PARAM)
      ik_lower_fix_scalar(lo, name->name);
    else
      ik_help(lo->d, "use another name, such as %s2", name->name);
  }
}

static void scalar_item(ik_lower *lo, const ik_item *it) {
  ik_type  t = IK_NTYPES;
  ik_scope s = scope_here(lo);
  ik_node *v = ik_express(lo, it->value, &s).node;
  bool     ok = !it->type || ik_declare_type(lo, it->type, it->type_span, &t);
  if (v && v->cells) not_one_number(lo, it->name, it->value->span);
  if (!ok || !v || v->cells) {
    ik_lower_poison(lo, it->name, it->name_span);
    return;
  }
  ik_amplification *y = ik_lower_declare(lo, IK_SYM_SCALAR, it->name, it->name_span);
  if (!y) return;
  if (!it->type) t = settled_type(lo, v);
  y->id = ik_lower_scalar(lo, it->name, t, false, it->name_span);
  ik_stmt *st = new_stmt(lo, IK_SET, it->span);
  st->scalar = y->id, st->value = ik_express_finish(lo, v, t);
  if (st->value) ik_list_add(lo->list, st);
}

/* ---- sweeps ---- */

static bool sweep_axes(ik_lower *lo, const ik_item *it, ik_stmt *s) {
  for (const ik_name *x = it->names; x; x = x->next) {
    ik_amplification *y = ik_lower_find(lo, x->text);
    bool              again = false;
    if (!y || y->kind != IK_SYM_AXIS) {
      ik_error(lo->d, IK_E054, x->span, "'%s' is not an axis of the grid", x->text);
      ik_lower_help_axes(lo);
      return false;
    }
    for (int k = 0; k < s->naxes; k++) again = again || s->axis[k] == y->id;
    if (again) {
      ik_error(lo->d, IK_E054, x->span, "%s is swept twice", x->text);
      ik_help(lo->d, "write two sweeps, one after the other");
      return false;
    }
    s->axis[s->naxes] = y->id, s->dir[s->naxes++] = x->sign;
  }
  for (const ik_item *b = it->body; b && s->naxes > 1; b = b->next)
    if (b->at != IK_AT_ALL) {
      ik_error(lo->d, IK_E050, b->span,
               "'at first', 'within' and 'at last' need a sweep along one axis");
      ik_help(lo->d, "sweep one axis, or choose by coordinates:  if x == 0 then 0 else u");
      return false;
    }
  return true;
}

/* New values that a sweep gives may be read inside it, behind the front. */
static void announce_new(ik_lower *lo, const ik_item *it, bool *fresh) {
  for (const ik_item *b = it->body; b; b = b->next) {
    const ik_ast *t = b->target;
    if (!t || t->kind != IK_AST_PRIME || t->a->kind != IK_AST_NAME) continue;
    ik_amplification *y = ik_lower_find(lo, t->a->name);
    if (!y || y->kind != IK_SYM_FIELD || y->id >= lo->nuser || !lo->step || lo->is_plain[y->id])
      continue;
    if (!lo->is_new[y->id]) fresh[y->id] = true;
    lo->is_new[y->id] = true;
  }
}

static void sweep(ik_lower *lo, const ik_item *it) {
  ik_stmt *s = new_stmt(lo, IK_SWEEP, it->span);
  if (!sweep_axes(lo, it, s)) return;
  int      nfield = lo->ir->nfield;
  bool    *fresh = IK_NEW_N(lo->a, bool, nfield);
  ik_list *outer = lo->list, inner = {0};
  announce_new(lo, it, fresh);
  lo->sweep = it, lo->sweep_stmt = s;
  body(lo, it->body, &inner);
  lo->sweep = NULL, lo->sweep_stmt = NULL, lo->list = outer;
  for (int f = 0; f < nfield; f++)
    if (fresh[f] && !ik_stmt_covers(inner.first, f, 1, lo->ir->field[f].box))
      keep_old(lo, f, NULL, it->span, lo->list);
  s->body = inner.first;
  s->box = grid_box(lo);
  if (s->body) ik_list_add(lo->list, s);
}

/* ---- loops ---- */

/* Temporaries end with the block in which they are computed. */
void ik_stage_forget(ik_lower *lo, int from) {
  for (int i = from; i < lo->nsymbol; i++) {
    ik_amplification *y = lo->symbol[i];
    if (y->kind == IK_SYM_FIELD && lo->ir->field[y->id].kind == IK_FIELD_TEMP) y->name = "";
  }
}

static void step(ik_lower *lo, const ik_item *it) {
  ik_stmt *s = new_stmt(lo, IK_STEPS, it->span);
  int64_t  n;
  if (!ik_express_integer(lo, it->value, "a number of steps", 0, IK_MOST_STEPS, &n)) return;
  s->count = lo->opt->steps >= 0 ? lo->opt->steps : n;
  ik_list *outer = lo->list, inner = {0};
  int      mark = lo->nsymbol;
  lo->is_new = IK_NEW_N(lo->a, bool, lo->nuser), lo->is_plain = IK_NEW_N(lo->a, bool, lo->nuser);
  lo->step = it;
  body(lo, it->body, &inner);
  lo->step = NULL, lo->list = outer;
  ik_stage_forget(lo, mark);
  s->body = inner.first;
  ik_list_add(lo->list, s);
}

static bool assigns(const ik_stmt *list, int field, int level) {
  for (const ik_stmt *s = list; s; s = s->next)
    if ((s->kind == IK_ASSIGN && s->field == field && s->level == level) ||
        (s->kind == IK_SWEEP && assigns(s->body, field, level)))
      return true;
  return false;
}

/* All fields with new values move on at the end of a step; one that this step leaves alone keeps
 * its value, and one that it overwrites in place the value that it has in the end. */
void ik_stage_keep_others(ik_lower *lo) {
  for (ik_stmt *s = lo->ir->body; s; s = s->next) {
    ik_list   more = {.last = &more.first}, late = {.last = &late.first};
    ik_stmt **end = &s->body;
    if (s->kind != IK_STEPS) continue;
    for (int f = 0; f < lo->nuser; f++)
      if (lo->ir->field[f].has_new && !assigns(s->body, f, 1))
        keep_old(lo, f, NULL, s->span, assigns(s->body, f, 0) ? &late : &more);
    while (*end) end = &(*end)->next;
    *end = late.first;
    *more.last = s->body;
    s->body = more.first;
  }
}

static void repeat(ik_lower *lo, const ik_item *it) {
  ik_stmt *s = new_stmt(lo, IK_REPEAT, it->span);
  ik_list *outer = lo->list, pre = {0}, inner = {0};
  if (!ik_express_integer(lo, it->limit, "a number of rounds", 0, IK_MOST_STEPS, &s->count)) return;
  int      mark = lo->nsymbol;
  ik_scope sc = scope_here(lo);
  pre.last = &pre.first;
  lo->list = &pre;
  ik_node *test = ik_express(lo, it->value, &sc).node;
  if (test && test->cells) {
    ik_error(lo->d, IK_E034, it->value->span,
             "this condition varies from cell to cell, and a repeat needs "
             "a single one");
    ik_help(lo->d, "compare one number, as in  norm(r) <= 1e-6  or  max(r) < 0.1");
    test = NULL;
  }
  s->value = ik_express_finish(lo, test, IK_BOOL);
  body(lo, it->body, &inner);
  lo->list = outer;
  ik_stage_forget(lo, mark);
  s->pre = pre.first, s->body = inner.first;
  if (s->value) ik_list_add(lo->list, s);
}

static void body(ik_lower *lo, const ik_item *items, ik_list *out) {
  out->last = &out->first;
  lo->list = out;
  for (const ik_item *it = items; it; it = it->next) ik_stage_item(lo, it);
}

void ik_stage_item(ik_lower *lo, const ik_item *it) {
  switch (it->kind) {
  case IK_ITEM_ASSIGN: assign(lo, it); break;
  case IK_ITEM_SCALAR: scalar_item(lo, it); break;
  case IK_ITEM_STEP: step(lo, it); break;
  case IK_ITEM_REPEAT: repeat(lo, it); break;
  case IK_ITEM_SWEEP: sweep(lo, it); break;
  default: break; /* declarations are done elsewhere; the parser keeps them out of bodies */
  }
}
