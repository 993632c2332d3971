/* nest_expr.c: what arrays, variables and cells are called in the plain loop. */
#include "apps/bench/nest.h"
#include "ir/spell.h"

typedef struct names {
  const ik_nest *n;
  ik_arena      *a;
} names;

/* The index makes it one that nothing else has. */
static const char *name_of(const char *wanted, int index, const char *end, ik_arena *a) {
  return ik_spell_word(ik_arena_printf(a, "%s_%d%s", wanted, index, end), a);
}

const char *ik_nest_array_name(const ik_nest *n, int field, int level, ik_arena *a) {
  const char *end = level > 0 ? "_new" : level < 0 ? ik_arena_printf(a, "_old%d", -level) : "";
  return name_of(n->ir->field[field].name, field, end, a);
}

const char *ik_nest_index_name(const ik_nest *n, int field, ik_arena *a) {
  return name_of(n->ir->field[field].name, field, "_at", a);
}

const char *ik_nest_scalar_name(const ik_nest *n, int scalar, ik_arena *a) {
  return name_of(n->ir->scalar[scalar].name, scalar, "_s", a);
}

static const char *read_of(const names *x, const ik_expr *e) {
  const char *array = ik_nest_array_name(x->n, e->id, e->level, x->a);
  if (x->n->field[e->id].local) return array;
  return ik_arena_printf(x->a, "%s[%s(%s, %s, %s)]", array, ik_nest_index_name(x->n, e->id, x->a),
                         ik_spell_shifted("x", e->off[0], x->a),
                         ik_spell_shifted("y", e->off[1], x->a),
                         ik_spell_shifted("z", e->off[2], x->a));
}

static const char *name(void *user, const ik_expr *e) {
  const names *x = user;
  if (e->op == IK_OP_READ) return read_of(x, e);
  return e->op == IK_OP_SCALAR ? ik_nest_scalar_name(x->n, e->id, x->a) : NULL;
}

void ik_nest_write_expr(const ik_nest *n, const ik_expr *e, ik_arena *a, ik_buf *out) {
  names       x = {n, a};
  ik_spelling s = {.name = name, .user = &x, .axis = {"x", "y", "z"}, "table_", a, out};
  ik_spell(&s, e);
}
