#include "ir/spell_array.h"
#include <string.h>

#define TEXT(...) ik_arena_printf(x->a, __VA_ARGS__)

/* ---- names ---- */

static bool is_free(const ik_spell_arrays *x, const char *name) {
  for (int i = 0; i < x->nname; i++)
    if (strcmp(x->name[i], name) == 0) return false;
  return !ik_spell_is_reserved(name) && !x->is_taken(name);
}

const char *ik_spell_name(ik_spell_arrays *x, const char *wanted) {
  const char *name = ik_spell_word(wanted, x->a);
  while (!is_free(x, name)) name = TEXT("%s_", name);
  IK_PUSH(x->a, x->name, x->nname, x->cap, name);
  return name;
}

static void name_levels(ik_spell_arrays *x, int f) {
  const ik_field *u = &x->ir->field[f];
  const char    **level = x->field[f].level;
  level[1] = ik_spell_name(x, u->name);
  if (u->has_new) level[0] = ik_spell_name(x, TEXT("%s_new", u->name));
  for (int k = 1; k < u->history; k++)
    level[1 + k] =
        ik_spell_name(x, k == 1 ? TEXT("%s_old", u->name) : TEXT("%s_old%d", u->name, k));
}

void ik_spell_name_arrays(ik_spell_arrays *x) {
  x->field = IK_NEW_N(x->a, ik_spell_field, x->ir->nfield + 1);
  for (int d = 0; d < IK_MAX_DIM; d++)
    x->axis[d] = d < x->ir->ndim ? ik_spell_name(x, x->ir->axis[d]) : "0";
  for (int f = 0; f < x->ir->nfield; f++) name_levels(x, f);
}

/* ---- extents ---- */

const char *ik_spell_in_parentheses(const char *text, ik_arena *a) {
  return strchr(text, ' ') ? ik_arena_printf(a, "(%s)", text) : text;
}

const char *ik_spell_cells(const ik_spell_arrays *x, int axis, int64_t n) {
  static const char *const extent[] = {"NX", "NY", "NZ"};
  int64_t                  all = x->ir->n[axis];
  bool                     near = all >= 16 && n > all - 16 && n < all + 16;
  if (near || n == all) return ik_spell_shifted(extent[axis], n - all, x->a);
  return TEXT("%lld", (long long)n);
}

const char *ik_spell_loop(const ik_spell_arrays *x, int axis, int64_t lo, int64_t hi, int dir) {
  const char *i = x->axis[axis], *first = ik_spell_cells(x, axis, dir > 0 ? lo : hi - 1);
  const char *end = ik_spell_cells(x, axis, dir > 0 ? hi : lo);
  return TEXT("for (long %s = %s; %s %s %s; %s%s)", i, first, i, dir > 0 ? "<" : ">=", end, i,
              dir > 0 ? "++" : "--");
}

const char *ik_spell_within(const ik_spell_arrays *x, const ik_box *b, int axis, int64_t lo,
                            int64_t hi) {
  const char *i = x->axis[axis], *text = "";
  const char *from = ik_spell_cells(x, axis, b->lo[axis]),
             *end = ik_spell_cells(x, axis, b->hi[axis]);
  if (b->hi[axis] - b->lo[axis] == 1 && hi - lo > 1) return TEXT(" && %s == %s", i, from);
  if (b->lo[axis] > lo) text = TEXT(" && %s >= %s", i, from);
  return b->hi[axis] < hi ? TEXT("%s && %s < %s", text, i, end) : text;
}

const char *ik_spell_row(const ik_spell_arrays *x, const ik_box *b) {
  int64_t     ny = b->hi[1] - b->lo[1], nz = b->hi[2] - b->lo[2];
  const char *y = ny == 1 ? "0" : ik_spell_shifted(x->axis[1], -b->lo[1], x->a);
  const char *z = ik_spell_in_parentheses(ik_spell_shifted(x->axis[2], -b->lo[2], x->a), x->a);
  if (nz == 1) return y;
  if (ny == 1) return z;
  return TEXT("%s*%s + %s", z, ik_spell_in_parentheses(ik_spell_cells(x, 1, ny), x->a), y);
}

int64_t ik_spell_first_cell(const ik_field *f, int axis) {
  return f->box.lo[axis] < 0 ? f->box.lo[axis] : 0;
}

static bool has_planes(const ik_spell_arrays *x, int f, int d) {
  return x->field[f].planes && x->field[f].axis == d;
}

static const char *extent_of(const ik_spell_arrays *x, int f, int d) {
  const ik_field *u = &x->ir->field[f];
  if (has_planes(x, f, d)) return TEXT("%d", x->field[f].planes);
  return ik_spell_cells(x, d, u->box.hi[d] - ik_spell_first_cell(u, d));
}

/* The last axis that a field is on; -1: it is a single number. */
static int outer_axis(const ik_field *f) {
  int d = IK_MAX_DIM - 1;
  while (d >= 0 && !f->on[d]) d--;
  return d;
}

const char *ik_spell_outer_extent(const ik_spell_arrays *x, int field) {
  int d = outer_axis(&x->ir->field[field]);
  return d < 0 ? "1" : extent_of(x, field, d);
}

const char *ik_spell_declarator(const ik_spell_arrays *x, int field, const char *name) {
  const ik_field *u = &x->ir->field[field];
  const char     *inner = "";
  for (int d = outer_axis(u) - 1; d >= 0; d--)
    if (u->on[d]) inner = TEXT("%s[%s]", inner, extent_of(x, field, d));
  return *inner ? TEXT("(*%s)%s", name, inner) : TEXT("*%s", name);
}

/* ---- cells ---- */

static const char *index_of(const ik_spell_arrays *x, int f, const int *off, int d) {
  int64_t     by = (off ? off[d] : 0) - ik_spell_first_cell(&x->ir->field[f], d);
  const char *at = ik_spell_shifted(x->axis[d], by, x->a);
  if (!has_planes(x, f, d)) return at;
  return TEXT("%s %% %d", ik_spell_in_parentheses(at, x->a), x->field[f].planes);
}

const char *ik_spell_indices(const ik_spell_arrays *x, int field, const int *off,
                             const char *before, const char *after) {
  const char *text = "";
  for (int d = IK_MAX_DIM - 1; d >= 0; d--)
    if (x->ir->field[field].on[d])
      text = TEXT("%s%s%s%s", text, before, index_of(x, field, off, d), after);
  return *text ? text : "[0]";
}

const char *ik_spell_cell(const ik_spell_arrays *x, int field, const char *array, const int *off) {
  return TEXT("%s%s", array, ik_spell_indices(x, field, off, "[", "]"));
}
