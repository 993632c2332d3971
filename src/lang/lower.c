/* The order of things: what a later part needs is done by an earlier one. */
#include "lang/lower.h"
#include "base/text.h"
#include "lang/fix.h"
#include <string.h>

/* ---- names ---- */

ik_amplification *ik_lower_find(ik_lower *lo, const char *name) {
  for (int i = lo->nsymbol - 1; i >= 0; i--)
    if (strcmp(lo->symbol[i]->name, name) == 0) return lo->symbol[i];
  return NULL;
}

ik_amplification *ik_lower_declare(ik_lower *lo, ik_amplification_kind kind, const char *name,
                                   ik_span at) {
  ik_amplification *old = ik_lower_find(lo, name);
  if (old) {
    if (ik_lower_is_poison(old)) return NULL;
    ik_error(lo->d, IK_E011, at, "'%s' is already declared", name);
    ik_note_add(lo->d, old->span, "declared here");
    ik_help(lo->d, "give one of the two another name, such as %s2", name);
    return NULL;
  }
  ik_amplification *y = IK_NEW(lo->a, ik_amplification);
  *y = (ik_amplification){.kind = kind, .name = name, .span = at};
  IK_PUSH(lo->a, lo->symbol, lo->nsymbol, lo->capsymbol, y);
  return y;
}

void ik_lower_poison(ik_lower *lo, const char *name, ik_span at) {
  ik_amplification *y =
      ik_lower_find(lo, name) ? NULL : ik_lower_declare(lo, IK_SYM_PARAM, name, at);
  if (y) y->used = true;
}

bool ik_lower_is_poison(const ik_amplification *y) {
  return y->kind == IK_SYM_PARAM && !y->value.node;
}

void ik_lower_help_axes(ik_lower *lo) {
  const ik_ir *ir = lo->ir;
  ik_help(lo->d, "the ax%ss of the grid %s %s%s%s%s%s", ir->ndim == 1 ? "i" : "e",
          ir->ndim == 1 ? "is" : "are", ir->axis[0], ir->ndim > 1 ? ", " : "",
          ir->ndim > 1 ? ir->axis[1] : "", ir->ndim > 2 ? ", " : "",
          ir->ndim > 2 ? ir->axis[2] : "");
}

static void help_declare(ik_lower *lo, const char *name, ik_span at, const char *what) {
  if (at.src != lo->source)
    ik_help(lo->d, "give a number, with a unit if it has one");
  else if (strcmp(what, "axis") == 0)
    ik_lower_help_axes(lo);
  else if (strcmp(what, "function") == 0)
    ik_help(lo->d, "define it, as in  def twice(a) = 2*a");
  else {
    if (strcmp(what, "field"))
      ik_lang_fix_line(lo->d, at.src, "declare it:", ik_arena_printf(lo->a, "param %s = 1", name));
    ik_lang_fix_line(lo->d, at.src, "declare it:", ik_arena_printf(lo->a, "field %s : f64", name));
    if (strcmp(what, "field"))
      ik_lang_fix_line_before(lo->d, at,
                              "declare it before:", ik_arena_printf(lo->a, "scalar %s = 1", name));
  }
}

/* Whether a symbol may be what was meant by an unknown name. */
static bool can_be(const ik_amplification *y, const char *what) {
  if (!y->name[0]) return false;
  if (strcmp(what, "axis") == 0) return y->kind == IK_SYM_AXIS;
  if (strcmp(what, "field") == 0) return y->kind == IK_SYM_FIELD;
  return (strcmp(what, "function") == 0) == (y->kind == IK_SYM_DEF);
}

void ik_lower_unknown(ik_lower *lo, const char *name, ik_span at, const char *what) {
  int  nfunctions = ik_operator_count();
  bool call = strcmp(what, "function") == 0;
  at.len = (int)strlen(name); /* of a call, the name alone */
  const char **known = IK_NEW_N(lo->a, const char *, lo->nsymbol + nfunctions + 1);
  int          n = 0;
  for (int i = 0; i < lo->nsymbol; i++)
    if (can_be(lo->symbol[i], what)) known[n++] = lo->symbol[i]->name;
  for (int i = 0; call && i < nfunctions; i++) known[n++] = ik_operator_name(i);
  const char *near = ik_nearest(name, known, n);
  ik_code     code = call ? IK_E013 : IK_E010;
  if (!near) {
    ik_error(lo->d, code, at, "unknown %s '%s'", what, name);
    help_declare(lo, name, at, what);
    return;
  }
  ik_error(lo->d, code, at, "unknown %s '%s'; did you mean '%s'?", what, name, near);
  ik_amplification *y = ik_lower_find(lo, near);
  if (y) ik_note_add(lo->d, y->span, "'%s' is declared here", near);
  ik_lang_fix(lo->d, at, near);
}

static const ik_item *field_item(const ik_lower *lo, const char *name) {
  for (const ik_item *it = lo->items; it; it = it->next)
    for (const ik_name *n = it->names; it->kind == IK_ITEM_FIELD && n; n = n->next)
      if (strcmp(n->text, name) == 0) return it;
  return NULL;
}

void ik_lower_fix_history(ik_lower *lo, const char *field, int history) {
  const ik_item *it = field_item(lo, field);
  if (it && it->history)
    ik_lang_fix(lo->d, it->history->span, ik_arena_printf(lo->a, "%d", history));
  else if (it)
    ik_lang_fix(lo->d, (ik_span){lo->source, it->type_span.off + it->type_span.len, 0},
                ik_arena_printf(lo->a, ", history %d", history));
}

void ik_lower_fix_axes(ik_lower *lo, const char *field) {
  const ik_item *it = field_item(lo, field);
  if (!it || !it->on) return;
  int end = it->on->span.off + it->on->span.len, comma = it->on->span.off;
  while (comma > it->type_span.off && lo->source->text[comma] != ',') comma--;
  ik_lang_fix(lo->d, (ik_span){lo->source, comma, end - comma}, "");
}

void ik_lower_fix_scalar(ik_lower *lo, const char *param) {
  static const char word[] = "param";
  const int         len = sizeof word - 1;
  for (const ik_item *it = lo->items; it; it = it->next) {
    if (it->kind != IK_ITEM_PARAM || strcmp(it->name, param)) continue;
    int at = it->name_span.off;
    while (at > 0 && lo->source->text[at - 1] == ' ') at--;
    if (at >= len && !strncmp(lo->source->text + at - len, word, (size_t)len))
      ik_lang_fix(lo->d, (ik_span){lo->source, at - len, len}, "scalar");
  }
}

ik_amplification *ik_lower_field_named(ik_lower *lo, const char *name, ik_span at) {
  ik_amplification *y = ik_lower_find(lo, name);
  if (!y)
    ik_lower_unknown(lo, name, at, "field");
  else if (y->kind != IK_SYM_FIELD) {
    if (ik_lower_is_poison(y)) return NULL;
    ik_error(lo->d, IK_E012, at, "'%s' is not a field", name);
    ik_note_add(lo->d, y->span, "declared here");
    ik_help(lo->d, "a field is declared with its type:  field %s2 : f64", name);
  } else
    return y;
  return NULL;
}

int ik_lower_scalar(ik_lower *lo, const char *name, ik_type t, bool hidden, ik_span at) {
  ik_scalar s = {.name = name, .type = t, .hidden = hidden, .span = at};
  IK_PUSH(lo->a, lo->ir->scalar, lo->ir->nscalar, lo->capscalar, s);
  return lo->ir->nscalar - 1;
}

int ik_lower_field(ik_lower *lo, const ik_field *f) {
  IK_PUSH(lo->a, lo->ir->field, lo->ir->nfield, lo->capfield, *f);
  return lo->ir->nfield - 1;
}

void ik_list_add(ik_list *l, ik_stmt *s) {
  *l->last = s;
  l->last = &s->next;
}

/* ---- overrides ---- */

static bool is_parameter(const ik_program_ast *p, const char *name) {
  for (const ik_item *it = p->items; it; it = it->next) {
    if (it->kind == IK_ITEM_PARAM && strcmp(it->name, name) == 0) return true;
    for (const ik_name *x = it->names; it->kind == IK_ITEM_GRID && x; x = x->next)
      if (strcmp(x->text, name) == 0) return true;
  }
  return false;
}

static void check_overrides(ik_lower *lo, const ik_program_ast *p) {
  for (int i = 0; i < lo->opt->noverride; i++) {
    const ik_override *o = &lo->opt->override[i];
    const char       **known = NULL;
    int                n = 0, cap = 0;
    if (is_parameter(p, o->name)) continue;
    for (const ik_item *it = p->items; it; it = it->next) {
      if (it->kind == IK_ITEM_PARAM) IK_PUSH(lo->a, known, n, cap, it->name);
      for (const ik_name *x = it->names; it->kind == IK_ITEM_GRID && x; x = x->next)
        IK_PUSH(lo->a, known, n, cap, x->text);
    }
    const char *near = ik_nearest(o->name, known, n);
    ik_error(lo->d, IK_E080, o->place, "the program has no parameter or axis '%s'", o->name);
    if (near)
      ik_help(lo->d, "did you mean '%s'?", near);
    else if (n) {
      ik_buf all = {0};
      for (int k = 0; k < n; k++) ik_buf_printf(&all, "%s%s", k ? ", " : "", known[k]);
      ik_help(lo->d, "it has %s", ik_buf_text(&all));
      ik_buf_free(&all);
    }
  }
}

/* ---- passes over the items ---- */

typedef void pass(ik_lower *lo, const ik_item *it);

static void each(ik_lower *lo, const ik_program_ast *p, ik_item_kind kind, pass *f) {
  for (const ik_item *it = p->items; it; it = it->next)
    if (it->kind == kind) f(lo, it);
}

/* Parameters may use the grid and functions, and the grid parameters: in the order of the text. */
static void numbers(ik_lower *lo, const ik_program_ast *p) {
  for (const ik_item *it = p->items; it; it = it->next) {
    if (it->kind == IK_ITEM_PARAM) ik_declare_param(lo, it);
    if (it->kind == IK_ITEM_DEF) ik_declare_def(lo, it);
    if (it->kind == IK_ITEM_GRID) ik_declare_grid(lo, it);
  }
  if (lo->ir->ndim || lo->d->nerror) return;
  ik_span start = {p->source, 0, 0};
  ik_error(lo->d, IK_E020, start, "the program has no grid");
  ik_lang_fix_line(lo->d, p->source, "add a grid at the top, such as", "grid x = 256, y = 256");
  ik_lang_fix_line(lo->d, p->source, "add a grid at the top, such as", "grid x = 256");
}

static void initial_values(ik_lower *lo, const ik_program_ast *p) {
  for (const ik_item *it = p->items; it; it = it->next) {
    if (it->kind == IK_ITEM_FIELD) ik_declare_field_init(lo, it);
    if (it->kind == IK_ITEM_INIT) ik_declare_init(lo, it);
  }
}

static int count_fields(const ik_program_ast *p) {
  int n = 0;
  for (const ik_item *it = p->items; it; it = it->next)
    for (const ik_name *x = it->names; it->kind == IK_ITEM_FIELD && x; x = x->next) n++;
  return n;
}

static bool has_kind(const ik_program_ast *p, ik_item_kind kind) {
  for (const ik_item *it = p->items; it; it = it->next)
    if (it->kind == kind) return true;
  return false;
}

static void one_step_to_count(ik_lower *lo, const ik_program_ast *p) {
  int n = 0;
  for (const ik_item *it = p->items; it; it = it->next) n += it->kind == IK_ITEM_STEP;
  if (lo->opt->steps < 0 || n == 1) return;
  ik_error(lo->d, IK_E081, IK_NOSPAN,
           "--steps sets the count of the program's step, and it has %d of them", n);
  ik_help(lo->d, "leave --steps out, and make the count a parameter:  step n { ... }");
}

static void warn_unused(ik_lower *lo) {
  for (int i = 0; i < lo->nsymbol; i++) {
    const ik_amplification *y = lo->symbol[i];
    if (y->used || !y->name[0] || y->kind == IK_SYM_SCALAR || y->kind == IK_SYM_AXIS) continue;
    if (y->kind == IK_SYM_FIELD && y->id >= lo->nuser) continue;
    ik_warn(lo->d, IK_W001, y->span, "'%s' is never used", y->name);
  }
}

/* Much of what is asked about a program is asked of every pair of statements. */
enum { MOST_STATEMENTS = 2000 };

/* Declarations and statements; a list of fields has as many as it has names. */
static int count_items(const ik_item *it) {
  int n = 0;
  for (; it; it = it->next) {
    n += 1 + count_items(it->body);
    for (const ik_name *x = it->names; x; x = x->next) n++;
  }
  return n;
}

static void count_statement(const ik_stmt *s, void *n) {
  (void)s;
  ++*(int *)n;
}

static bool is_too_large(ik_lower *lo, const ik_program_ast *p, int n) {
  if (n <= MOST_STATEMENTS) return false;
  ik_error(lo->d, IK_E005, (ik_span){p->source, 0, 0},
           "a program of %d statements and names; there can be %d", n, MOST_STATEMENTS);
  ik_help(lo->d, "split it into several programs");
  return true;
}

/* Memory may run out while a file is read: then nothing is known about the program. */
static ik_status failure(const ik_diag *d) {
  for (int i = 0; i < d->nmsg; i++)
    if (d->msg[i].code == IK_E072) return IK_ERR_RESOURCE;
  return IK_ERR_SOURCE;
}

ik_status ik_lang_lower(const ik_program_ast *p, const ik_lower_options *opt, ik_arena *a,
                        ik_diag *d, ik_ir **out) {
  int      errors = d->nerror;
  ik_lower lower = {.a = a, .d = d, .opt = opt, .compute = IK_NTYPES}, *lo = &lower;
  lo->source = p->source, lo->items = p->items;
  ik_ir  *ir = lo->ir = *out = IK_NEW(a, ik_ir);
  ik_list init = {0}, main_list = {0};
  ir->name = opt->name;
  for (int k = 0; k < IK_MAX_DIM; k++) ir->n[k] = 1, ir->spacing[k] = 1;
  init.last = &init.first, main_list.last = &main_list.first;
  lo->init = lo->list = &init;
  lo->nuser = count_fields(p);
  lo->layer = IK_NEW_N(a, ik_layer, lo->nuser);
  lo->is_new = IK_NEW_N(a, bool, lo->nuser), lo->is_plain = IK_NEW_N(a, bool, lo->nuser);
  lo->has_step = has_kind(p, IK_ITEM_STEP);

  if (is_too_large(lo, p, count_items(p->items))) return IK_ERR_SOURCE;
  each(lo, p, IK_ITEM_LANGUAGE, ik_declare_language);
  each(lo, p, IK_ITEM_ARITHMETIC, ik_declare_arithmetic);
  check_overrides(lo, p);
  one_step_to_count(lo, p);
  numbers(lo, p);
  if (!ir->ndim) return IK_ERR_SOURCE;
  each(lo, p, IK_ITEM_WEIGHTS, ik_weights_declare);
  each(lo, p, IK_ITEM_FIELD, ik_declare_field);
  if (lo->ir->nfield < lo->nuser) return failure(d); /* a declaration failed */
  each(lo, p, IK_ITEM_BOUNDARY, ik_declare_boundary);
  initial_values(lo, p);
  lo->list = &main_list;
  for (const ik_item *it = p->items; it; it = it->next) ik_stage_item(lo, it);
  ik_stage_forget(lo, 0); /* a source adds its value later, when no temporary has one */
  each(lo, p, IK_ITEM_SOURCE, ik_point_source);
  each(lo, p, IK_ITEM_RECEIVER, ik_point_receiver);
  each(lo, p, IK_ITEM_OUTPUT, ik_point_output);
  ir->init = init.first, ir->body = main_list.first;
  if (d->nerror == errors && !ir->body) {
    const char *u = ir->nfield ? ir->field[0].name : "u";
    ik_error(d, IK_E053, (ik_span){p->source, 0, 0},
             "the program declares things but computes nothing");
    ik_help(d, "say what a step does, as in  step 100 { %s' = 0.5*%s }", u, u);
  }
  if (d->nerror > errors) return failure(d);
  int statements = 0; /* with the reductions that stood inside expressions */
  ik_ir_each_stmt(ir, count_statement, &statements);
  if (is_too_large(lo, p, statements)) return IK_ERR_SOURCE;
  ik_stage_keep_others(lo);
  ik_reads_check(lo);
  if (d->nerror > errors) return failure(d);
  warn_unused(lo);
  return IK_OK;
}
