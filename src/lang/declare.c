/* Grid, parameters, fields, boundaries, initial values. */
#include "lang/lower.h"
#include "base/text.h"
#include "io/io.h"
#include "ir/space.h"
#include "lang/fix.h"
#include <math.h>
#include <string.h>

/* ---- language and arithmetic ---- */

void ik_declare_language(ik_lower *lo, const ik_item *it) {
  double v;
  if (!ik_express_constant(lo, it->value, &v, NULL) || v == 1) return;
  ik_error(lo->d, IK_E006, it->value->span,
           "this is language 1, and the program requires version %g", v);
}

bool ik_declare_type(ik_lower *lo, const char *name, ik_span at, ik_type *out) {
  static const struct {
    const char *other, *ours;
  } table[] = {{"double", "f64"},  {"float64", "f64"}, {"real", "f64"},   {"float", "f32"},
               {"float32", "f32"}, {"single", "f32"},  {"half", "f16"},   {"float16", "f16"},
               {"int", "i32"},     {"int32", "i32"},   {"integer", "i32"}};
  const char *ours = "f64";
  int         t = ik_type_find(name);
  if (t >= 0 && t != IK_BOOL) return *out = (ik_type)t, true;
  ik_error(lo->d, IK_E026, at, "'%s' is not a type; the types are f64, f32, f16, bf16 and i32",
           name);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].other, name) == 0) ours = table[i].ours;
  ik_lang_fix(lo->d, at, ours);
  return false;
}

void ik_declare_arithmetic(ik_lower *lo, const ik_item *it) {
  lo->ir->arithmetic = strcmp(it->word, "plain") == 0 ? IK_PLAIN : IK_CHAIN;
  ik_type t;
  if (!it->type || !ik_declare_type(lo, it->type, it->type_span, &t)) return;
  if (ik_type_is_float(t)) {
    lo->compute = t;
    return;
  }
  ik_error(lo->d, IK_E026, it->type_span, "arithmetic is done in a floating-point type, not in %s",
           it->type);
  ik_lang_fix(lo->d, it->type_span, "f64");
}

/* ---- grid ---- */

static const ik_override *find_override(const ik_lower *lo, const char *name) {
  for (int i = 0; i < lo->opt->noverride; i++)
    if (strcmp(lo->opt->override[i].name, name) == 0) return &lo->opt->override[i];
  return NULL;
}

/* The value given from outside, or the one in the program. */
static const ik_ast *overridden(ik_lower *lo, const char *name, const ik_ast *e, bool *is) {
  const ik_override *o = find_override(lo, name);
  ik_ast            *value;
  *is = o != NULL;
  if (!o || ik_lang_parse_expr(o->text, lo->a, lo->d, &value)) return e;
  return value;
}

static bool axis_wanted(ik_lower *lo, const ik_name *x) {
  if (!x->value2) return true;
  ik_value v = ik_express(lo, x->value2, &ik_scope_constant);
  if (!v.node) return false;
  if (ik_node_is_const(v.node) && v.node->e.type == IK_BOOL) return v.node->e.value != 0;
  ik_error(lo->d, IK_E023, x->value2->span, "this condition must be known at compile time");
  ik_help(lo->d, "compare a parameter, as in  %s = 64 if dim >= 2", x->text);
  return false;
}

static bool extent(ik_lower *lo, const char *axis, const ik_ast *e, double *n) {
  const double most = 2147483647.0;
  ik_quantity  q;
  if (!ik_express_constant(lo, e, n, &q)) return false;
  if (!q.plain && !q.wild) {
    ik_error(lo->d, IK_E025, e->span, "the extent of %s is a number of cells, without a unit",
             axis);
    return false;
  }
  if (*n >= 1 && *n == floor(*n) && *n <= most) return true;
  if (*n > most)
    ik_error(lo->d, IK_E022, e->span, "the extent of %s is %g, and an axis has at most %.0f cells",
             axis, *n, most);
  else
    ik_error(lo->d, IK_E022, e->span,
             "the extent of %s must be a whole number of at least 1, not %g", axis, *n);
  if (*n > most)
    ik_help(lo->d, "make the axis shorter");
  else
    ik_lang_fix(lo->d, e->span, ik_arena_printf(lo->a, "%.0f", *n >= 1 ? floor(*n) : 1));
  return false;
}

static void add_axis(ik_lower *lo, const ik_name *x) {
  ik_ir *ir = lo->ir;
  bool   over;
  if (!axis_wanted(lo, x)) return;
  if (ir->ndim == IK_MAX_DIM) {
    ik_error(lo->d, IK_E021, x->span, "a grid has at most %d axes, and '%s' is one more",
             IK_MAX_DIM, x->text);
    ik_help(lo->d, "leave '%s' out; a short axis can be several fields, a long one several runs",
            x->text);
    return;
  }
  if (strcmp(x->text, "t") == 0) {
    ik_error(lo->d, IK_E012, x->span, "'t' is the time step index and cannot name an axis");
    ik_help(lo->d, "steps in time are counted by  step 100 { ... }");
    return;
  }
  const ik_ast     *e = overridden(lo, x->text, x->value, &over);
  double            n;
  int               d = ir->ndim;
  ik_amplification *y = ik_lower_declare(lo, IK_SYM_AXIS, x->text, x->span);
  if (!y) return;
  if (!extent(lo, x->text, e, &n)) n = 1; /* the axis exists all the same: no further complaints */
  y->id = d, y->used = true;
  ir->axis[d] = x->text, ir->n[d] = (int64_t)n, ir->ndim++;
}

static void set_spacing(ik_lower *lo, const ik_ast *e, int axis) {
  double      h;
  ik_quantity q;
  if (!ik_express_constant(lo, e, &h, &q)) return;
  ik_dim length = {{0}};
  length.e[IK_DIM_M] = 1;
  if (!q.plain && !q.wild && memcmp(&q.dim, &length, sizeof length)) {
    ik_error(lo->d, IK_E025, e->span, "a spacing is a length");
    ik_lang_fix(lo->d, e->span, "10 m");
  } else if (!(h > 0) || isinf(h)) {
    ik_error(lo->d, IK_E024, e->span, "a spacing must be positive, not %g", h);
    ik_lang_fix(lo->d, e->span, "10 m");
  } else {
    lo->ir->spacing[axis] = h;
    lo->spacing_unit = lo->spacing_unit || !q.plain;
  }
}

static void spacings(ik_lower *lo, const ik_ast *e) {
  ik_ir *ir = lo->ir;
  ir->has_spacing = true;
  if (e->kind != IK_AST_TUPLE) {
    int before = lo->d->nerror;
    for (int d = 0; d < ir->ndim && lo->d->nerror == before; d++) set_spacing(lo, e, d);
    return;
  }
  int n = 0;
  for (const ik_ast *x = e->args; x; x = x->next, n++)
    if (n < ir->ndim) set_spacing(lo, x, n);
  if (n == ir->ndim) return;
  ik_error(lo->d, IK_E030, e->span, "%d spacings for %d ax%ss", n, ir->ndim,
           ir->ndim == 1 ? "i" : "e");
  ik_help(lo->d, "give one for each axis, or one alone for all:  spacing = 10 m");
}

/* An axis that a condition leaves out has no direction either. */
static void set_vertical(ik_lower *lo, const ik_item *it) {
  ik_vertical *v = &lo->ir->vertical;
  *v = ik_space_named(lo->ir);
  if (!it->word) return;
  for (int d = 0; d < lo->ir->ndim; d++)
    if (strcmp(lo->ir->axis[d], it->name) == 0)
      *v = (ik_vertical){.known = true, .up = strcmp(it->word, "up") == 0, .axis = d};
  for (const ik_name *x = it->names; x; x = x->next)
    if (strcmp(x->text, it->name) == 0) return;
  ik_lower_unknown(lo, it->name, it->name_span, "axis");
}

void ik_declare_grid(ik_lower *lo, const ik_item *it) {
  ik_ir *ir = lo->ir;
  if (lo->grid) {
    ik_error(lo->d, IK_E020, it->span, "a program has one grid, and it is already declared");
    ik_note_add(lo->d, lo->grid->span, "declared here");
    ik_help(lo->d, "name all axes in one statement:  grid x = 64, y = 64");
    return;
  }
  lo->grid = it;
  for (const ik_name *x = it->names; x; x = x->next) add_axis(lo, x);
  if (it->spacing) spacings(lo, it->spacing);
  set_vertical(lo, it);
  double cells = 1;
  for (int d = 0; d < IK_MAX_DIM; d++) cells *= (double)ir->n[d];
  if (cells <= 1e15) return;
  ik_error(lo->d, IK_E027, it->span, "a grid of %g cells; at most 1e15 can be addressed", cells);
  ik_help(lo->d, "make the axes shorter");
  for (int d = 0; d < IK_MAX_DIM; d++) ir->n[d] = 1; /* no product of extents may overflow */
}

/* ---- parameters and functions ---- */

/* A bare number from outside takes the unit of the declaration: dt=0.9 for `param dt = 0.8 ms`. */
static double in_declared_unit(ik_lower *lo, const ik_ast *declared, double v, ik_quantity *q) {
  double factor;
  ik_dim dim;
  (void)lo;
  if (!q->plain || declared->kind != IK_AST_NUMBER || !declared->unit) return v;
  if (!ik_unit_parse(declared->unit, &factor, &dim)) return v;
  *q = (ik_quantity){.dim = dim};
  return v * factor;
}

/* The unit as written, or in SI where the value is an expression; NULL for a bare number. */
static const char *unit_text(ik_lower *lo, const ik_ast *value, ik_quantity q) {
  if (value->kind == IK_AST_NUMBER) return value->unit;
  if (q.plain || q.wild) return NULL;
  ik_buf b = {0};
  ik_unit_name(q.dim, &b);
  const char *text = ik_arena_dup(lo->a, ik_buf_text(&b), b.len);
  ik_buf_free(&b);
  return text;
}

void ik_declare_param(ik_lower *lo, const ik_item *it) {
  bool              over;
  int               before = lo->d->nerror;
  const ik_ast     *e = overridden(lo, it->name, it->value, &over);
  ik_amplification *y = ik_lower_declare(lo, IK_SYM_PARAM, it->name, it->name_span);
  double            v, declared;
  ik_quantity       q, was;
  if (!y || lo->d->nerror > before || !ik_express_constant(lo, e, &v, &q)) return;
  if (over) {
    v = in_declared_unit(lo, it->value, v, &q);
    if (!ik_express_constant(lo, it->value, &declared, &was)) return;
    if (q.plain) q = was; /* a bare number, in SI units */
    if (!q.wild && !was.wild && !was.plain && memcmp(&q.dim, &was.dim, sizeof q.dim)) {
      ik_buf a = {0}, b = {0};
      ik_unit_name(was.dim, &a), ik_unit_name(q.dim, &b);
      ik_error(lo->d, IK_E025, e->span, "'%s' is declared in %s, and this is in %s", it->name,
               ik_buf_text(&a), ik_buf_text(&b));
      ik_note_add(lo->d, it->value->span, "declared here");
      ik_help(lo->d, "a number without a unit is taken in the unit of the declaration");
      ik_buf_free(&a), ik_buf_free(&b);
      return;
    }
  }
  y->value = (ik_value){ik_node_const(lo, v, it->value->span), q};
  ik_param p = {.name = it->name,
                .value = v,
                .unit = unit_text(lo, it->value, q),
                .overridden = over,
                .span = it->span};
  IK_PUSH(lo->a, lo->ir->param, lo->ir->nparam, lo->capparam, p);
  if (strcmp(it->name, "dt") == 0) lo->ir->dt = v, y->used = true;
}

static bool parameters_are_right(ik_lower *lo, const ik_item *it) {
  int n = 0;
  for (const ik_name *p = it->names; p; p = p->next) {
    for (const ik_name *q = it->names; q != p; q = q->next) {
      if (strcmp(p->text, q->text)) continue;
      ik_error(lo->d, IK_E011, p->span, "the argument '%s' is named twice", p->text);
      ik_lang_fix(lo->d, p->span, ik_arena_printf(lo->a, "%s2", p->text));
      return false;
    }
    if (n++ < IK_MOST_PARAMETERS) continue;
    ik_error(lo->d, IK_E014, p->span, "a function has at most %d arguments", IK_MOST_PARAMETERS);
    ik_help(lo->d, "split it into two functions");
    return false;
  }
  return true;
}

void ik_declare_def(ik_lower *lo, const ik_item *it) {
  if (ik_operator_is_known(it->name)) {
    ik_error(lo->d, IK_E011, it->name_span, "'%s' is a built-in function", it->name);
    ik_lang_fix(lo->d, it->name_span, ik_arena_printf(lo->a, "my_%s", it->name));
    return;
  }
  if (!parameters_are_right(lo, it)) {
    ik_lower_poison(lo, it->name, it->name_span);
    return;
  }
  ik_amplification *y = ik_lower_declare(lo, IK_SYM_DEF, it->name, it->name_span);
  if (y) y->def = it;
}

/* ---- fields ---- */

/* One entry of `on (x+1, y)`: the axis and how many cells more it has. */
static bool on_entry(ik_lower *lo, const ik_ast *e, int *axis, int64_t *extra) {
  const ik_ast     *base = e->kind == IK_AST_BINARY && e->op == IK_AST_ADD ? e->a : e;
  ik_amplification *y = base->kind == IK_AST_NAME ? ik_lower_find(lo, base->name) : NULL;
  *extra = 0;
  if (!y || y->kind != IK_SYM_AXIS) {
    ik_error(lo->d, IK_E012, e->span,
             "expected an axis of the grid, or an axis plus a number of cells");
    ik_help(lo->d, "on %s, or on (%s+1, ...)", lo->ir->axis[0], lo->ir->axis[0]);
    return false;
  }
  *axis = y->id;
  return base == e || ik_express_integer(lo, e->b, "the number of cells added", 0, 1000, extra);
}

static bool field_axes(ik_lower *lo, const ik_ast *on, ik_field *f) {
  for (int d = 0; d < IK_MAX_DIM; d++) {
    f->on[d] = !on && d < lo->ir->ndim;
    f->box.lo[d] = 0, f->box.hi[d] = f->on[d] ? lo->ir->n[d] : 1;
  }
  if (!on) return true;
  int last = -1;
  for (const ik_ast *e = on->kind == IK_AST_TUPLE ? on->args : on; e; e = e->next) {
    int     d;
    int64_t extra;
    if (!on_entry(lo, e, &d, &extra)) return false;
    if (d <= last) {
      ik_error(lo->d, IK_E030, e->span, "axes must be listed in the order of the grid, each once");
      ik_lower_help_axes(lo);
      return false;
    }
    last = d;
    f->on[d] = true, f->box.hi[d] = lo->ir->n[d] + extra;
    if (on->kind != IK_AST_TUPLE) break;
  }
  return true;
}

void ik_declare_field(ik_lower *lo, const ik_item *it) {
  ik_field f = {.kind = IK_FIELD_USER, .history = 1};
  int64_t  history = 1;
  if (!ik_declare_type(lo, it->type, it->type_span, &f.type)) f.type = IK_F64;
  field_axes(lo, it->on, &f);
  if (it->history && ik_express_integer(lo, it->history, "a history", 1, IK_MAX_HISTORY, &history))
    f.history = (int)history;
  for (const ik_name *n = it->names; n; n = n->next) {
    ik_amplification *y = ik_lower_declare(lo, IK_SYM_FIELD, n->text, n->span);
    if (!y) continue;
    f.name = n->text, f.span = n->span;
    y->id = ik_lower_field(lo, &f);
  }
}

/* ---- boundaries ---- */

static const struct {
  const char *name;
  ik_bc_kind  kind;
} kinds[] = {
    {"periodic", IK_BC_PERIODIC},       {"mirror", IK_BC_MIRROR},
    {"antimirror", IK_BC_ANTIMIRROR},   {"reflect", IK_BC_REFLECT},
    {"antireflect", IK_BC_ANTIREFLECT}, {"copy", IK_BC_COPY},
};
enum { NKINDS = sizeof kinds / sizeof *kinds };

static bool boundary_kind(const ik_ast *e, ik_bc_kind *out) {
  for (int k = 0; k < NKINDS; k++)
    if (e->kind == IK_AST_NAME && strcmp(kinds[k].name, e->name) == 0)
      return *out = kinds[k].kind, true;
  return false;
}

/* A word that is neither a kind nor a name: most likely a kind that was misspelt. */
static bool misspelt_kind(ik_lower *lo, const ik_ast *e) {
  const char *known[NKINDS + 2];
  if (e->kind != IK_AST_NAME && e->kind != IK_AST_CALL) return false;
  if (ik_lower_find(lo, e->name) || strcmp(e->name, "pi") == 0 || strcmp(e->name, "t") == 0)
    return false;
  if (e->kind == IK_AST_CALL && ik_operator_is_known(e->name)) return false;
  for (int k = 0; k < NKINDS; k++) known[k] = kinds[k].name;
  known[NKINDS] = "absorbing", known[NKINDS + 1] = "sponge";
  const char *near = ik_nearest(e->name, known, NKINDS + 2);
  ik_span     word = {e->span.src, e->span.off, (int)strlen(e->name)};
  if (near) {
    ik_error(lo->d, IK_E013, word, "unknown boundary condition '%s'; did you mean '%s'?", e->name,
             near);
    ik_lang_fix(lo->d, word, near);
  } else {
    ik_error(lo->d, IK_E013, word, "unknown boundary condition '%s'", e->name);
    ik_help(lo->d, "a value, periodic, mirror, antimirror, reflect, antireflect, copy, "
                   "absorbing(n) or sponge(n)");
  }
  return true;
}

static void set_face(ik_lower *lo, const ik_item *it, int field, int axis, int side,
                     const ik_ast *e) {
  ik_bc *bc = &lo->ir->field[field].bc[axis][side];
  if (bc->kind != IK_BC_NONE) {
    ik_error(lo->d, IK_E041, e->span, "face %c%s of '%s' already has a boundary condition",
             "-+"[side], lo -> ir -> axis[axis], lo -> ir -> field[field].name);
    ik_note_add(lo->d, bc->span, "declared here");
    ik_help(lo->d, "remove one of them");
    return;
  }
  *bc = (ik_bc){.kind = IK_BC_VALUE, .span = e->span};
  if (boundary_kind(e, &bc->kind)) return;
  if (ik_absorb_is_layer(e)) {
    ik_absorb_declare(lo, it, e, field, axis, side);
    return;
  }
  if (misspelt_kind(lo, e)) return;
  ik_scope s = {.coordinates = true};
  bc->value = ik_express_as(lo, e, &s, lo->ir->field[field].type);
}

static void check_periodic(ik_lower *lo, int field) {
  ik_field *f = &lo->ir->field[field];
  for (int d = 0; d < lo->ir->ndim; d++)
    for (int side = 0; side < 2; side++) {
      const ik_bc *a = &f->bc[d][side], *b = &f->bc[d][1 - side];
      if (a->kind != IK_BC_PERIODIC || b->kind == IK_BC_PERIODIC) continue;
      ik_error(lo->d, IK_E041, a->span, "%s is periodic at one end only", lo->ir->axis[d]);
      ik_help(lo->d, "periodic joins both ends:  %s = periodic", lo->ir->axis[d]);
      return;
    }
}

static void apply_face(ik_lower *lo, const ik_item *it, int field, const ik_name *face) {
  const ik_field *f = &lo->ir->field[field];
  bool            all = face->text[0] == 0, hit = false;
  int             before = lo->d->nerror; /* what is wrong is wrong on all faces: said once */
  for (int d = 0; d < lo->ir->ndim; d++) {
    if (!all && strcmp(face->text, lo->ir->axis[d])) continue;
    hit = true;
    for (int side = 0; f->on[d] && side < 2; side++)
      if (face->sign != (side ? -1 : 1) && lo->d->nerror == before)
        set_face(lo, it, field, d, side, face->value);
  }
  if (!hit) ik_lower_unknown(lo, face->text, face->span, "axis");
}

void ik_declare_boundary(ik_lower *lo, const ik_item *it) {
  for (const ik_name *n = it->names; n; n = n->next) {
    ik_amplification *y = ik_lower_field_named(lo, n->text, n->span);
    if (!y) continue;
    if (lo->ir->field[y->id].kind != IK_FIELD_USER) continue;
    for (const ik_name *face = it->faces; face; face = face->next) apply_face(lo, it, y->id, face);
    check_periodic(lo, y->id);
  }
}

/* ---- initial values ---- */

static bool is_file(const ik_ast *e) {
  return e->kind == IK_AST_CALL && strcmp(e->name, "file") == 0;
}

/* Whether files of that kind hold arrays with names, or numbers whose type they do not say. */
static void check_second(ik_lower *lo, const char *path, const ik_ast *second) {
  ik_io_format f = ik_io_format_of(path);
  if (f == IK_IO_UNKNOWN) return; /* complained of where it is read */
  bool is_name = second->kind == IK_AST_STRING, named = f == IK_IO_HDF5 || f == IK_IO_NPZ;
  if (is_name && !named) {
    ik_error(lo->d, IK_E014, second->span, "arrays have names in .h5 and .npz files only");
    ik_help(lo->d, "leave the name out:  file(\"%s\")", path);
  } else if (!is_name && f != IK_IO_RAW) {
    ik_error(lo->d, IK_E014, second->span, "only raw files are read with a type: '%s' has its own",
             path);
    ik_help(lo->d, "leave the type out:  file(\"%s\")", path);
  }
}

/* file("c.npy"), file("c.h5", "velocity"), file("c.raw", f32) */
static void load(ik_lower *lo, int field, int level, const ik_ast *e) {
  const ik_ast *path = e->args, *second = path ? path->next : NULL;
  ik_stmt      *s = IK_NEW(lo->a, ik_stmt);
  *s = (ik_stmt){.kind = IK_LOAD, .field = field, .level = level, .span = e->span, .raw_type = -1};
  s->box = lo->ir->field[field].box;
  if (!path || path->kind != IK_AST_STRING || (second && second->next)) {
    ik_error(
        lo->d, IK_E014, e->span,
        "file() takes the name of a file in quotes, and for .h5 and .npz that of the array, for "
        "raw files the type");
    ik_help(lo->d,
            "for example  file(\"c.npy\")  or  file(\"c.h5\", \"name\")  or  file(\"c.raw\", f32)");
    return;
  }
  s->path = ik_path_of(lo, path);
  if (!s->path) return;
  if (second) check_second(lo, s->path, second);
  if (second && second->kind == IK_AST_STRING)
    s->dataset = second->name;
  else if (second) {
    s->raw_type = second->kind == IK_AST_NAME ? ik_type_find(second->name) : -1;
    if (s->raw_type < 0) ik_error(lo->d, IK_E026, second->span, "expected a type, such as f32");
  }
  ik_list_add(lo->list, s);
}

static void initialise(ik_lower *lo, int field, int level, const ik_ast *e) {
  const ik_field *f = &lo->ir->field[field];
  if (is_file(e)) {
    load(lo, field, level, e);
    return;
  }
  ik_type  was = lo->compute;
  ik_scope s = {.coordinates = true, .fields = true, .reductions = true};
  if (f->type != IK_I32) lo->compute = IK_F64;
  const ik_expr *v = ik_express_as(lo, e, &s, f->type);
  lo->compute = was;
  if (v) ik_list_add(lo->list, ik_stage_assign(lo, field, level, f->box, v, e->span));
}

/* All levels start alike; `init u[t-1] = ...` later may say otherwise. */
static void initialise_all(ik_lower *lo, int field, const ik_ast *e) {
  initialise(lo, field, 0, e);
  static const int here[IK_MAX_DIM] = {0};
  const ik_field  *f = &lo->ir->field[field];
  for (int k = 1; k < f->history; k++) {
    ik_type was = lo->compute;
    lo->compute = IK_NTYPES;
    ik_node *r = ik_node_read(lo, field, 0, here, e->span);
    lo->compute = was;
    const ik_expr *v = ik_express_finish(lo, r, f->type);
    if (v) ik_list_add(lo->list, ik_stage_assign(lo, field, -k, f->box, v, e->span));
  }
}

void ik_declare_field_init(ik_lower *lo, const ik_item *it) {
  if (!it->value) return;
  for (const ik_name *n = it->names; n; n = n->next) {
    ik_amplification *y = ik_lower_find(lo, n->text);
    if (y && y->kind == IK_SYM_FIELD) initialise_all(lo, y->id, it->value);
  }
}

void ik_declare_init(ik_lower *lo, const ik_item *it) {
  const ik_ast     *t = it->target, *name = t->kind == IK_AST_INDEX ? t->a : t;
  ik_amplification *y = ik_lower_field_named(lo, name->name, name->span);
  if (!y) return;
  if (t == name) {
    initialise_all(lo, y->id, it->value);
    return;
  }
  /* u[t-k]: read it as an expression, which checks the history */
  ik_scope s = {.fields = true};
  ik_value v = ik_express(lo, t, &s);
  if (!v.node) return;
  const ik_expr *e = &v.node->e;
  while (e->op == IK_OP_CAST) e = e->arg[0];
  if (e->level > 0 || e->off[0] || e->off[1] || e->off[2]) {
    ik_error(lo->d, IK_E012, t->span, "init sets a whole level of a field, without offsets");
    ik_lang_fix(lo->d, t->span, name->name);
    return;
  }
  initialise(lo, y->id, e->level, it->value);
}
