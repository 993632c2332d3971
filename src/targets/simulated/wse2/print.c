#include "targets/simulated/wse2/print.h"

static const char *const directions[IK_WSE2_DIRECTIONS] = {"east", "west", "south", "north"};

/* ---- mappings ---- */

static void print_level(const ik_ir *ir, int field, int level, ik_buf *out) {
  ik_buf_printf(out, "%s@%d", ir->field[field].name, level);
}

static void print_exchange(const ik_ir *ir, const ik_wse2_exchange *x, ik_buf *out) {
  ik_buf_puts(out, "    receives ");
  print_level(ir, x->field, x->level, out);
  for (int d = 0; d < IK_WSE2_DIRECTIONS; d++)
    if (x->reach[d]) ik_buf_printf(out, ", %d sent %s", x->reach[d], directions[d]);
  ik_buf_printf(out, "%s%s\n", x->box ? ", along x and then y" : "",
                x->scaled ? ", multiplied on arrival" : "");
}

static void print_job(const ik_ir *ir, const ik_wse2_job *j, ik_buf *out) {
  const ik_stmt *s = j->stmt;
  ik_buf_puts(out, "  ");
  if (s->kind == IK_ASSIGN)
    print_level(ir, s->field, s->level, out);
  else
    ik_buf_puts(out, ir->scalar[s->scalar].name);
  if (!j->code) {
    ik_buf_puts(out, ": by the host\n");
    return;
  }
  ik_buf_printf(out, ": %d operations, %d registers%s\n", j->code->nop, j->code->nreg,
                j->together ? "" : ", with the words of the one before");
  for (int i = 0; j->together && i < j->nexchange; i++) print_exchange(ir, &j->exchange[i], out);
}

void ik_wse2_map_print(const ik_wse2_mapping *m, ik_buf *out) {
  const ik_wse2_bytes *b = &m->bytes;
  ik_buf_printf(out, "%lld x %lld of %lld x %lld elements, columns of %lld cells in %d x %d\n",
                (long long)m->size[0], (long long)m->size[1], (long long)m->fabric[0],
                (long long)m->fabric[1], (long long)m->column, m->chunks, m->chunk);
  ik_buf_printf(out, "%d bytes: fields %d, temporaries %d, received %d, registers %d\n", b->total,
                b->fields, b->temporaries, b->received, b->registers);
  for (int i = 0; i < m->njob; i++) print_job(m->ir, &m->job[i], out);
}

/* ---- programs ---- */

static void print_words(int at, int n, ik_buf *out) {
  if (n == 1)
    ik_buf_printf(out, "[%d]", at);
  else
    ik_buf_printf(out, "[%d..%d]", at, at + n - 1);
}

static void print_operand(const ik_wse2_operand *o, int n, ik_buf *out) {
  if (o->at >= 0)
    print_words(o->at, o->stride ? n : 1, out);
  else
    ik_buf_double(out, (double)o->value);
}

static void print_map(const ik_wse2_map *m, ik_buf *out) {
  print_operand(&m->dst, m->n, out);
  ik_buf_printf(out, " = %s", m->op == IK_OP_CAST ? "copy" : ik_op_name(m->op));
  for (int k = 0; k < ik_op_nargs(m->op); k++) {
    ik_buf_putc(out, ' ');
    print_operand(&m->arg[k], m->n, out);
  }
}

static void print_take(const ik_wse2_take *t, ik_buf *out) {
  if (t->kind == IK_WSE2_DROP) {
    ik_buf_puts(out, " dropped");
    return;
  }
  ik_buf_puts(out, " to ");
  print_words(t->at, t->n, out);
  if (t->kind == IK_WSE2_SCALE) ik_buf_puts(out, " times "), ik_buf_double(out, t->coefficient);
}

static bool is_wanted(const ik_wse2_takes *t) {
  for (int i = 0; i < t->n; i++)
    if (t->take[i].kind != IK_WSE2_DROP) return true;
  return false;
}

static void print_broadcast(const ik_wse2_broadcast *b, ik_buf *out) {
  ik_buf_puts(out, "broadcast ");
  print_words(b->at, b->n, out);
  for (int d = 0; d < IK_WSE2_DIRECTIONS; d++)
    for (int k = 0; b->on[d] && k <= IK_WSE2_RADIUS; k++) {
      if (!is_wanted(&b->from[d][k])) continue;
      ik_buf_printf(out, "\n  %s, %d away:", directions[d], k);
      for (int i = 0; i < b->from[d][k].n; i++) print_take(&b->from[d][k].take[i], out);
    }
}

void ik_wse2_program_print(const ik_wse2_program *p, ik_buf *out) {
  enum { MOST = 2000 }; /* sweeps repeat themselves for every cell */
  for (int i = 0; i < p->n && i < MOST; i++) {
    const ik_wse2_instr *in = &p->instr[i];
    switch (in->kind) {
    case IK_WSE2_STEP: ik_buf_puts(out, "step"); break;
    case IK_WSE2_MAP: print_map(&in->map, out); break;
    case IK_WSE2_BROADCAST: print_broadcast(in->broadcast, out); break;
    case IK_WSE2_AWAIT: ik_buf_puts(out, "await"); break;
    case IK_WSE2_REDUCE: ik_buf_printf(out, "reduce [%d] over the fabric", in->reduce.at); break;
    }
    ik_buf_putc(out, '\n');
  }
  if (p->n > MOST) ik_buf_printf(out, "... %d more\n", p->n - MOST);
}
