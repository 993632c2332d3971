#include "ir/spell_face.h"
#include "ir/bound.h"
#include <string.h>

typedef struct face {
  const ik_spelling     *s;
  const ik_spell_arrays *x;
  const ik_field        *f;
  ik_buf                *out;
  bool                   flips; /* there is a variable that says whether the value is negated */
} face;

#define TEXT(...) ik_arena_printf(x->s->a, __VA_ARGS__)

static void put_line(const face *x, const char *text) { ik_spell_lines(text, 2, x->out); }

static bool flips(ik_bc_kind k) { return k == IK_BC_ANTIMIRROR || k == IK_BC_ANTIREFLECT; }

static const char *signed_value(const face *x, const char *value) {
  const char *minus = x->f->type == IK_I32 ? "neg_i32" : "-";
  bool        can = x->flips && x->f->type != IK_BOOL;
  return can ? TEXT("negative ?\f%s(%s) :\f%s", minus, value, value) : value;
}

static const char *extent_of(const face *x, int d) {
  return ik_spell_cells(x->x, d, x->f->box.hi[d]);
}

/* Is a cell beyond a face, or beyond both of an axis? */
static const char *beyond(const face *x, int d, bool low, bool high) {
  const char *i = x->s->axis[d], *above = high ? TEXT("%s >= %s", i, extent_of(x, d)) : "";
  return TEXT("%s%s%s", low ? TEXT("%s < 0", i) : "", low && high ? " || " : "", above);
}

/* The index becomes that of the cell which stands for it. */
static void put_fold(const face *x, int d, ik_bc_kind kind, bool low, bool high) {
  static const char *const to[IK_NBC] = {
      [IK_BC_PERIODIC] = "periodic",   [IK_BC_MIRROR] = "mirror",   [IK_BC_ANTIMIRROR] = "mirror",
      [IK_BC_ANTIREFLECT] = "reflect", [IK_BC_REFLECT] = "reflect",
  };
  const char *i = x->s->axis[d], *n = extent_of(x, d), *flip = "";
  if (kind == IK_BC_COPY && low) put_line(x, TEXT("if (%s < 0) %s = 0;", i, i));
  if (kind == IK_BC_COPY && high) put_line(x, TEXT("if (%s >= %s) %s = %s - 1;", i, n, i, n));
  if (!to[kind]) return;
  if (flips(kind)) flip = TEXT("negative ^= %s_flips(%s, %s), ", to[kind], i, n);
  put_line(x, TEXT("if (%s) %s%s = %s(%s, %s);", beyond(x, d, low, high), flip, i, to[kind], i, n));
}

static const char *value_of(const face *x, const ik_expr *e) {
  x->s->out->len = 0;
  ik_spell(x->s, e);
  return signed_value(x, ik_arena_dup(x->s->a, ik_buf_text(x->s->out), x->s->out->len));
}

/* The lowest axis with a value wins. */
static void put_values(const face *x) {
  const char *when = "", *value = "";
  for (int i = 0; i < 2 * IK_MAX_DIM; i++) {
    const ik_bc *bc = &x->f->bc[i / 2][i % 2];
    if (bc->kind != IK_BC_VALUE) continue;
    const char *here = value_of(x, bc->value);
    if (*when && strcmp(here, value) != 0)
      put_line(x, TEXT("if (%s) return %s;", when + 4, value)), when = "";
    when = TEXT("%s || %s", when, beyond(x, i / 2, i % 2 == 0, i % 2)), value = here;
  }
  if (*when) put_line(x, TEXT("if (%s) return %s;", when + 4, value));
}

static void put_body(face *x, const char *cell) {
  const ik_field *f = x->f;
  for (int i = 0; i < 2 * IK_MAX_DIM; i++) x->flips |= flips(f->bc[i / 2][i % 2].kind);
  if (x->flips) put_line(x, "bool negative = false;");
  for (int d = 0; d < IK_MAX_DIM; d++) {
    ik_bc_kind low = f->bc[d][0].kind, high = f->bc[d][1].kind;
    put_fold(x, d, low, true, low == high);
    if (low != high) put_fold(x, d, high, false, true);
  }
  put_values(x);
  put_line(x, TEXT("return %s;", signed_value(x, cell)));
}

void ik_spell_face(const ik_spelling *s, const ik_spell_arrays *x, int field, const char *name,
                   ik_buf *out) {
  const ik_field *f = &x->ir->field[field];
  ik_spelling     own = *s;
  face            of = {&own, x, f, out, false};
  const char     *array = x->field[field].level[1];
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (!f->on[d]) own.axis[d] = "0";
  ik_buf_printf(out, "/* %s, also beyond its faces. */\n", f->name);
  ik_buf_printf(out, "static %s %s(%s %s%s%s) {\n", ik_spell_type(f->type), name,
                ik_spell_stored_type(f->type), ik_spell_declarator(x, field, array),
                ik_bound_changes(f) ? ", long t" : "",
                ik_spell_indices(x, field, NULL, ", long ", ""));
  put_body(&of, ik_spell_loaded(f->type, ik_spell_cell(x, field, array, NULL), s->a));
  ik_buf_puts(out, "}\n\n");
}
