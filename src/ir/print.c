#include "ir/names.h"
#include "ir/space.h"
#include <inttypes.h>
#include <string.h>

/* Indentation stops growing here, so that deep expressions stay readable and small. */
enum { DEEPEST_INDENT = 60, SMALL_EXPR = 5 };

typedef struct printer {
  const ik_ir *ir;
  ik_buf      *out;
} printer;

/* ---- words ---- */

static void new_line(printer *p, int indent) {
  ik_buf_putc(p->out, '\n');
  ik_buf_pad(p->out, ' ', indent);
}

static void put_quoted(printer *p, const char *s) {
  ik_buf_putc(p->out, '"');
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c < 0x20 || c == 0x7f) {
      ik_buf_printf(p->out, "\\x%02x", c);
      continue;
    }
    if (c == '"' || c == '\\') ik_buf_putc(p->out, '\\');
    ik_buf_putc(p->out, *s);
  }
  ik_buf_putc(p->out, '"');
}

static bool is_plain(const char *s) {
  static const char first[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  if (!*s || !strchr(first, *s)) return false;
  for (; *s; s++)
    if (!strchr(first, *s) && !strchr("0123456789.", *s)) return false;
  return true;
}

static void put_name(printer *p, const char *s) {
  if (is_plain(s))
    ik_buf_puts(p->out, s);
  else
    put_quoted(p, s);
}

static void put_ref(printer *p, ik_named k, int id) {
  const char *name = ik_named_at(p->ir, k, id);
  put_name(p, name);
  for (int i = 0; i < ik_named_count(p->ir, k); i++)
    if (i != id && strcmp(ik_named_at(p->ir, k, i), name) == 0) {
      ik_buf_printf(p->out, "#%d", id);
      return;
    }
}

static void put_comma(printer *p, int i) {
  if (i) ik_buf_puts(p->out, ", ");
}

static void put_box(printer *p, const ik_box *b) {
  for (int d = 0; d < p->ir->ndim; d++) {
    put_comma(p, d);
    ik_buf_printf(p->out, "%" PRId64 ":%" PRId64, b->lo[d], b->hi[d]);
  }
}

static void put_cell(printer *p, const int64_t *at) {
  for (int d = 0; d < p->ir->ndim; d++) {
    put_comma(p, d);
    ik_buf_printf(p->out, "%" PRId64, at[d]);
  }
}

static void put_doubles(printer *p, const double *v, int n) {
  for (int i = 0; i < n; i++) {
    put_comma(p, i);
    ik_buf_double(p->out, v[i]);
  }
}

/* ---- expressions ---- */

static void put_offsets(printer *p, const ik_expr *e) {
  if (!e->off[0] && !e->off[1] && !e->off[2]) return;
  for (int d = 0; d < p->ir->ndim; d++) ik_buf_printf(p->out, "%c%d", d ? ',' : '[', e->off[d]);
  ik_buf_putc(p->out, ']');
}

static void put_read(printer *p, const ik_expr *e) {
  put_ref(p, IK_NAMED_FIELD, e->id);
  ik_buf_printf(p->out, "@%d", e->level);
  put_offsets(p, e);
}

/* What stands between an operation and its operands. */
static void put_detail(printer *p, const ik_expr *e) {
  if (e->op == IK_OP_COORD || e->op == IK_OP_TABLE || e->op == IK_OP_NOISE)
    ik_buf_putc(p->out, ' ');
  if (e->op == IK_OP_COORD) put_ref(p, IK_NAMED_AXIS, e->id);
  if (e->op == IK_OP_TABLE) put_ref(p, IK_NAMED_TABLE, e->id);
  if (e->op == IK_OP_NOISE) ik_buf_double(p->out, e->value), put_offsets(p, e);
}

static bool put_leaf(printer *p, const ik_expr *e) {
  switch (e->op) {
  case IK_OP_READ: put_read(p, e); return true;
  case IK_OP_SCALAR:
    ik_buf_putc(p->out, '$');
    put_ref(p, IK_NAMED_SCALAR, e->id);
    return true;
  case IK_OP_CONST:
    ik_buf_printf(p->out, "(%s ", ik_type_name(e->type));
    ik_buf_double(p->out, e->value);
    ik_buf_putc(p->out, ')');
    return true;
  default: return false;
  }
}

/* Takes the nodes of `e` from `room`; false when that is not enough. */
static bool fits(const ik_expr *e, int *room) {
  if (--*room < 0) return false;
  for (int i = 0; i < ik_op_nargs(e->op); i++)
    if (!fits(e->arg[i], room)) return false;
  return true;
}

static bool is_small(const ik_expr *e) {
  int room = SMALL_EXPR;
  return fits(e, &room);
}

/* indent < 0: all on one line.  Otherwise a large operand starts a line of its own; the last one
 * keeps the indentation, so that a long chain runs straight down the page. */
static void put_expr(printer *p, const ik_expr *e, int indent) {
  if (put_leaf(p, e)) return;
  ik_buf_printf(p->out, "(%s.%s", ik_op_name(e->op), ik_type_name(e->type));
  put_detail(p, e);
  bool broken = false;
  for (int i = 0, n = ik_op_nargs(e->op); i < n; i++) {
    bool small = indent < 0 || is_small(e->arg[i]);
    int  inner = i == n - 1 || indent >= DEEPEST_INDENT ? indent : indent + 2;
    broken = broken || !small;
    if (broken)
      new_line(p, inner);
    else
      ik_buf_putc(p->out, ' ');
    put_expr(p, e->arg[i], small ? -1 : inner);
  }
  ik_buf_putc(p->out, ')');
}

/* After `=`: on the same line when small. */
static void put_value(printer *p, const ik_expr *e, int indent) {
  if (is_small(e)) {
    ik_buf_putc(p->out, ' ');
    put_expr(p, e, -1);
    return;
  }
  new_line(p, indent + 2);
  put_expr(p, e, indent + 2);
}

/* ---- statements ---- */

static void put_stmts(printer *p, const ik_stmt *s, int indent);

static void put_block(printer *p, const ik_stmt *s, int indent) {
  ik_buf_puts(p->out, " {");
  put_stmts(p, s, indent + 2);
  new_line(p, indent);
  ik_buf_putc(p->out, '}');
}

static void put_target(printer *p, const char *word, const ik_stmt *s) {
  ik_buf_puts(p->out, word);
  put_ref(p, IK_NAMED_FIELD, s->field);
  ik_buf_printf(p->out, "@%d", s->level);
}

static void put_assign(printer *p, const ik_stmt *s, int indent) {
  put_target(p, "assign ", s);
  ik_buf_puts(p->out, " on ");
  put_box(p, &s->box);
  ik_buf_puts(p->out, " =");
  put_value(p, s->value, indent);
}

static void put_load(printer *p, const ik_stmt *s) {
  put_target(p, "load ", s);
  ik_buf_puts(p->out, " from ");
  put_quoted(p, s->path);
  if (s->dataset) {
    ik_buf_puts(p->out, " dataset ");
    put_quoted(p, s->dataset);
  }
  if (s->raw_type >= 0) ik_buf_printf(p->out, " raw %s", ik_type_name((ik_type)s->raw_type));
}

static void put_scalar_stmt(printer *p, const ik_stmt *s, int indent) {
  ik_buf_puts(p->out, s->kind == IK_SET ? "set " : "reduce ");
  put_ref(p, IK_NAMED_SCALAR, s->scalar);
  if (s->kind == IK_REDUCE) {
    ik_buf_printf(p->out, " %s on ", ik_reduce_names[s->reduce]);
    put_box(p, &s->box);
  }
  ik_buf_puts(p->out, " =");
  put_value(p, s->value, indent);
}

static void put_sweep(printer *p, const ik_stmt *s, int indent) {
  ik_buf_puts(p->out, "sweep ");
  for (int i = 0; i < s->naxes; i++) {
    put_comma(p, i);
    put_ref(p, IK_NAMED_AXIS, s->axis[i]);
    ik_buf_puts(p->out, s->dir[i] > 0 ? " up" : " down");
  }
  put_block(p, s->body, indent);
}

static void put_repeat(printer *p, const ik_stmt *s, int indent) {
  ik_buf_printf(p->out, "repeat %" PRId64, s->count);
  put_block(p, s->pre, indent);
  ik_buf_puts(p->out, " until");
  put_value(p, s->value, indent);
  put_block(p, s->body, indent);
}

static void put_stmts(printer *p, const ik_stmt *s, int indent) {
  for (; s; s = s->next) {
    new_line(p, indent);
    switch (s->kind) {
    case IK_ASSIGN: put_assign(p, s, indent); break;
    case IK_LOAD: put_load(p, s); break;
    case IK_REDUCE:
    case IK_SET: put_scalar_stmt(p, s, indent); break;
    case IK_SWEEP: put_sweep(p, s, indent); break;
    case IK_STEPS:
      ik_buf_printf(p->out, "steps %" PRId64, s->count);
      put_block(p, s->body, indent);
      break;
    case IK_REPEAT: put_repeat(p, s, indent); break;
    }
  }
}

/* ---- declarations ---- */

/* Where it is not what the names of the axes say. */
static void put_vertical(printer *p) {
  ik_vertical v = p->ir->vertical, named = ik_space_named(p->ir);
  if (!v.known || (named.known && v.axis == named.axis && !v.up)) return;
  ik_buf_puts(p->out, v.up ? "\nup " : "\ndown ");
  put_ref(p, IK_NAMED_AXIS, v.axis);
}

static void put_head(printer *p) {
  const ik_ir *ir = p->ir;
  ik_buf_puts(p->out, "ikat-ir 1\nprogram ");
  put_name(p, ir->name);
  ik_buf_printf(p->out, "\narithmetic %s\ngrid ", ir->arithmetic == IK_PLAIN ? "plain" : "chain");
  for (int d = 0; d < ir->ndim; d++) {
    put_comma(p, d);
    put_name(p, ir->axis[d]);
    ik_buf_printf(p->out, "=%" PRId64, ir->n[d]);
  }
  if (ir->has_spacing) {
    ik_buf_puts(p->out, "\nspacing ");
    put_doubles(p, ir->spacing, ir->ndim);
  }
  put_vertical(p);
  if (ir->dt != 0) {
    ik_buf_puts(p->out, "\ndt ");
    ik_buf_double(p->out, ir->dt);
  }
}

static void put_param(printer *p, const ik_param *q) {
  ik_buf_puts(p->out, "\nparam ");
  put_name(p, q->name);
  ik_buf_puts(p->out, " = ");
  ik_buf_double(p->out, q->value);
  if (q->unit) {
    ik_buf_puts(p->out, " unit ");
    put_quoted(p, q->unit);
  }
  if (q->overridden) ik_buf_puts(p->out, " overridden");
}

static void put_table(printer *p, const ik_samples *t) {
  ik_buf_puts(p->out, "\ntable ");
  put_name(p, t->name);
  ik_buf_puts(p->out, " = [");
  put_doubles(p, t->value, t->n);
  ik_buf_putc(p->out, ']');
}

static void put_scalar(printer *p, const ik_scalar *s) {
  ik_buf_puts(p->out, "\nscalar ");
  put_name(p, s->name);
  ik_buf_printf(p->out, " %s%s", ik_type_name(s->type), s->hidden ? " hidden" : "");
}

static void put_face(printer *p, const ik_field *f, int d, int side) {
  const ik_bc *bc = &f->bc[d][side];
  if (bc->kind == IK_BC_NONE && !f->absorb[d][side]) return;
  ik_buf_puts(p->out, side ? "\n  high " : "\n  low ");
  put_ref(p, IK_NAMED_AXIS, d);
  ik_buf_printf(p->out, " %s", ik_bc_name(bc->kind));
  if (bc->kind == IK_BC_VALUE) put_value(p, bc->value, 2);
  if (f->absorb[d][side]) ik_buf_printf(p->out, " absorb %d", f->absorb[d][side]);
}

static void put_field(printer *p, const ik_field *f) {
  ik_buf_puts(p->out, "\nfield ");
  put_name(p, f->name);
  ik_buf_printf(p->out, " %s %s", ik_field_kind_names[f->kind], ik_type_name(f->type));
  const char *word = " on ";
  for (int d = 0; d < p->ir->ndim; d++)
    if (f->on[d]) {
      ik_buf_puts(p->out, word);
      put_ref(p, IK_NAMED_AXIS, d);
      word = ", ";
    }
  ik_buf_puts(p->out, " box ");
  put_box(p, &f->box);
  ik_buf_printf(p->out, " history %d%s", f->history, f->has_new ? " new" : "");
  for (int d = 0; d < p->ir->ndim; d++)
    for (int side = 0; side < 2; side++) put_face(p, f, d, side);
}

/* ---- sources, receivers, files ---- */

static void put_taps(printer *p, const ik_tap *t, int n, int indent) {
  for (int i = 0; i < n; i++) {
    new_line(p, indent);
    ik_buf_puts(p->out, "tap ");
    put_cell(p, t[i].at);
    ik_buf_puts(p->out, " weight ");
    ik_buf_double(p->out, t[i].weight);
  }
}

static void put_inject(printer *p, const ik_inject *j) {
  ik_buf_puts(p->out, "\ninject ");
  put_ref(p, IK_NAMED_FIELD, j->field);
  ik_buf_puts(p->out, " at ");
  put_doubles(p, j->position, p->ir->ndim);
  ik_buf_puts(p->out, " =");
  put_value(p, j->value, 0);
  put_taps(p, j->tap, j->ntap, 2);
}

static void put_record(printer *p, const ik_record *r) {
  ik_buf_puts(p->out, "\nrecord ");
  put_ref(p, IK_NAMED_FIELD, r->field);
  ik_buf_printf(p->out, " every %" PRId64 " taps %d into ", r->every, r->ntap);
  put_quoted(p, r->path);
  for (int i = 0; i < r->npoint; i++) {
    ik_buf_puts(p->out, "\n  point ");
    put_doubles(p, r->position + (size_t)i * IK_MAX_DIM, p->ir->ndim);
    put_taps(p, r->tap + (size_t)i * (size_t)r->ntap, r->ntap, 4);
  }
}

static void put_output(printer *p, const ik_output *o) {
  ik_buf_printf(p->out, "\noutput every %" PRId64 " into ", o->every);
  put_quoted(p, o->path);
  for (int i = 0; i < o->nfield; i++) {
    ik_buf_puts(p->out, i ? ", " : " of ");
    put_ref(p, IK_NAMED_FIELD, o->field[i]);
  }
}

void ik_ir_print(const ik_ir *ir, ik_buf *out) {
  printer p = {ir, out};
  put_head(&p);
  for (int i = 0; i < ir->nparam; i++) put_param(&p, &ir->param[i]);
  for (int i = 0; i < ir->ntable; i++) put_table(&p, &ir->table[i]);
  for (int i = 0; i < ir->nscalar; i++) put_scalar(&p, &ir->scalar[i]);
  for (int i = 0; i < ir->nfield; i++) put_field(&p, &ir->field[i]);
  for (int i = 0; i < ir->ninject; i++) put_inject(&p, &ir->inject[i]);
  for (int i = 0; i < ir->nrecord; i++) put_record(&p, &ir->record[i]);
  for (int i = 0; i < ir->noutput; i++) put_output(&p, &ir->output[i]);
  ik_buf_puts(out, "\ninit");
  put_block(&p, ir->init, 0);
  ik_buf_puts(out, "\nbody");
  put_block(&p, ir->body, 0);
  ik_buf_putc(out, '\n');
}

void ik_ir_print_expr(const ik_ir *ir, const ik_expr *e, ik_buf *out) {
  put_expr(&(printer){ir, out}, e, -1);
}
