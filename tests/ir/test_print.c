#include "../check.h"
#include "ir/ir.h"
#include <stdlib.h>

/* How many damaged texts are read back; more when hunting. */
#ifndef MUTATIONS
#define MUTATIONS 2000
#endif

/* ---- an IR with everything in it ---- */

static ik_arena arena;

static ik_expr *node(ik_op op, ik_type t) {
  ik_expr *e = IK_NEW(&arena, ik_expr);
  e->op = op, e->type = t;
  return e;
}

static ik_expr *number(ik_type t, double v) {
  ik_expr *e = node(IK_OP_CONST, t);
  e->value = v;
  return e;
}

static ik_expr *leaf(ik_op op, ik_type t, int id) {
  ik_expr *e = node(op, t);
  e->id = id;
  return e;
}

static ik_expr *access(ik_type t, int field, int level, int x, int y) {
  ik_expr *e = leaf(IK_OP_READ, t, field);
  e->level = level, e->off[0] = x, e->off[1] = y;
  return e;
}

static ik_expr *call(ik_op op, ik_type t, const ik_expr *a, const ik_expr *b, const ik_expr *c) {
  ik_expr *e = node(op, t);
  e->arg[0] = a, e->arg[1] = b, e->arg[2] = c;
  return e;
}

static ik_stmt *stmt(ik_stmt_kind k, ik_stmt *next) {
  ik_stmt *s = IK_NEW(&arena, ik_stmt);
  s->kind = k, s->next = next;
  s->raw_type = -1;
  return s;
}

static ik_box box(int64_t x0, int64_t x1, int64_t y0, int64_t y1) {
  return (ik_box){{x0, y0, 0}, {x1, y1, 1}};
}

static ik_stmt *assign(int field, int level, const ik_expr *value, ik_stmt *next) {
  ik_stmt *s = stmt(IK_ASSIGN, next);
  s->field = field, s->level = level, s->value = value, s->box = box(0, 8, 0, 6);
  return s;
}

/* One sum over every operation of floats, and one bool over the others. */
static ik_expr *all_operations(void) {
  ik_expr *sum = access(IK_F64, 0, 0, -1, 2), *yes = number(IK_BOOL, 1);
  for (int op = IK_OP_COORD; op < IK_NOPS; op++) {
    ik_expr *e = call((ik_op)op, IK_F64, sum, access(IK_F64, 0, -1, 0, 0), number(IK_F64, 1.5));
    bool     is_bool = op >= IK_OP_LT && op <= IK_OP_OR;
    if (op == IK_OP_SELECT) e->arg[0] = yes;
    if (is_bool) e->type = IK_BOOL;
    if (op >= IK_OP_NOT && op <= IK_OP_OR) e->arg[0] = e->arg[1] = yes;
    if (op == IK_OP_NOISE) e->value = 42;
    for (int i = ik_op_nargs((ik_op)op); i < 3; i++) e->arg[i] = NULL;
    if (is_bool)
      yes = e;
    else
      sum = ik_op_nargs((ik_op)op) ? e : call(IK_OP_ADD, IK_F64, sum, e, NULL);
  }
  return call(IK_OP_SELECT, IK_F64, yes, sum, leaf(IK_OP_SCALAR, IK_F64, 1));
}

static ik_expr *odd_numbers(void) {
  static const double odd[] = {0.1, -0.0, 1e300, 5e-324, NAN, INFINITY, -INFINITY, 1e22, 123456789};
  ik_expr            *e = number(IK_F64, 1.0 / 3);
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
    e = call(IK_OP_FMA, IK_F64, number(IK_F64, odd[i]), access(IK_F64, 3, 0, 0, 0), e);
  return e;
}

static void add_fields(ik_ir *ir) {
  static const ik_bc_kind kinds[] = {IK_BC_MIRROR, IK_BC_ANTIMIRROR, IK_BC_REFLECT,
                                     IK_BC_ANTIREFLECT};
  ir->nfield = 6, ir->field = IK_NEW_N(&arena, ik_field, 6);
  for (int i = 0; i < 6; i++)
    ir->field[i] = (ik_field){
        .name = "u", .type = (ik_type)i, .history = 1, .on = {true, true}, .box = box(0, 8, 0, 6)};
  ik_field *f = ir->field;
  f[0].history = 3, f[0].has_new = true;
  f[0].bc[0][0] = (ik_bc){.kind = IK_BC_VALUE, .value = leaf(IK_OP_TIME, IK_F64, 0)};
  f[0].bc[0][1] = (ik_bc){.kind = IK_BC_VALUE, .value = leaf(IK_OP_SCALAR, IK_F64, 1)};
  f[0].bc[1][0].kind = f[0].bc[1][1].kind = IK_BC_PERIODIC;
  f[1].name = "c", f[1].bc[0][0].kind = IK_BC_COPY, f[1].absorb[0][0] = 30, f[1].absorb[1][1] = 7;
  for (int i = 0; i < 4; i++) f[2].bc[i / 2][i % 2].kind = kinds[i];
  f[2].name = "psi/x 0", f[2].kind = IK_FIELD_HIDDEN;
  f[3] = f[0], f[3].kind = IK_FIELD_TEMP, f[3].has_new = false, f[3].box = box(-2, 10, 0, 6);
  f[4].on[0] = false, f[4].box.hi[0] = 1, f[4].name = "on";
  f[5].on[0] = f[5].on[1] = false, f[5].box = box(0, 1, 0, 1), f[5].name = "1";
}

static void add_io(ik_ir *ir) {
  static const ik_tap taps[] = {
      {{1, 2, 0}, 0.25}, {{2, 2, 0}, 0.75}, {{3, 0, 0}, 1}, {{0, 0, 0}, 0}};
  static const double points[] = {1.75, 2, 0, 2.5, 1, 0};
  static const int    out[] = {0, 3, 1};
  ir->ninject = 1, ir->inject = IK_NEW(&arena, ik_inject);
  ir->inject[0] = (ik_inject){
      .field = 0, .value = number(IK_F64, 2), .ntap = 2, .tap = taps, .position = {1.75, 2}};
  ir->nrecord = 2, ir->record = IK_NEW_N(&arena, ik_record, 2);
  ir->record[0] = (ik_record){.field = 0,
                              .npoint = 2,
                              .ntap = 2,
                              .tap = taps,
                              .position = points,
                              .every = 3,
                              .path = "a \"quoted\\path\"\n.segy"};
  ir->record[1] = (ik_record){.field = 1, .every = 1, .path = ""};
  ir->noutput = 2, ir->output = IK_NEW_N(&arena, ik_output, 2);
  ir->output[0] = (ik_output){.nfield = 3, .field = out, .every = 5, .path = "u-\xc3\xa9.npy"};
  ir->output[1] = (ik_output){.path = "nothing; here"};
}

static ik_stmt *init_stmts(void) {
  ik_stmt *raw = stmt(IK_LOAD, assign(3, 0, odd_numbers(), NULL)), *set = stmt(IK_SET, raw);
  raw->field = 1, raw->path = "c.bin", raw->raw_type = IK_F16;
  set->scalar = 0, set->value = number(IK_I32, -5);
  ik_stmt *hdf = stmt(IK_LOAD, set);
  hdf->path = "c.h5", hdf->dataset = "/vel \"p\"", hdf->level = -1;
  return hdf;
}

static ik_stmt *body_stmts(void) {
  ik_stmt *repeat = stmt(IK_REPEAT, NULL), *sum = stmt(IK_REDUCE, NULL),
          *most = stmt(IK_REDUCE, sum);
  sum->scalar = 1, sum->value = all_operations(), sum->box = box(1, 3, 0, 6);
  most->scalar = 1, most->value = number(IK_F64, 1), most->reduce = IK_MAXIMUM;
  most->box = box(0, 0, 0, 6);
  repeat->count = 500, repeat->pre = most, repeat->body = assign(0, 0, odd_numbers(), NULL);
  repeat->value =
      call(IK_OP_LE, IK_BOOL, leaf(IK_OP_SCALAR, IK_F64, 1), number(IK_F64, 1e-6), NULL);
  ik_stmt *sweep = stmt(IK_SWEEP, NULL);
  sweep->naxes = 2, sweep->axis[0] = 1, sweep->dir[0] = -1, sweep->dir[1] = 1;
  sweep->body = assign(0, 1, access(IK_F64, 0, 1, 0, 1), assign(0, 1, number(IK_F64, 0), NULL));
  ik_stmt *empty = stmt(IK_STEPS, repeat), *steps = stmt(IK_STEPS, empty);
  steps->count = INT64_C(9000000000), steps->body = assign(3, 0, all_operations(), sweep);
  return steps;
}

static ik_ir *everything(void) {
  static const double entries[] = {1, 0.1, -3};
  ik_ir              *ir = IK_NEW(&arena, ik_ir);
  *ir = (ik_ir){.name = "a program",
                .ndim = 2,
                .axis = {"x", "spacing"},
                .n = {8, 6, 1},
                .spacing = {10, 0.1, 1},
                .has_spacing = true,
                .vertical = {.known = true, .up = true, .axis = 1},
                .dt = 8e-4,
                .arithmetic = IK_PLAIN,
                .nscalar = 2,
                .nparam = 2,
                .ntable = 2};
  ir->scalar = IK_NEW_N(&arena, ik_scalar, 2);
  ir->scalar[0] = (ik_scalar){.name = "k", .type = IK_I32, .hidden = true};
  ir->scalar[1] = (ik_scalar){.name = "alpha", .type = IK_F64};
  ir->param = IK_NEW_N(&arena, ik_param, 2);
  ir->param[0] = (ik_param){.name = "dt", .value = 8e-4, .unit = "ms", .overridden = true};
  ir->param[1] = (ik_param){.name = "nu", .value = -1e-3};
  ir->table = IK_NEW_N(&arena, ik_samples, 2);
  ir->table[0] = (ik_samples){"w", 3, entries};
  ir->table[1] = (ik_samples){"w", 0, NULL};
  add_fields(ir);
  add_io(ir);
  ir->init = init_stmts(), ir->body = body_stmts();
  return ir;
}

/* ---- the same but for spans ---- */

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool same_number(double a, double b) {
  return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

static bool same_numbers(const double *a, const double *b, int n) {
  for (int i = 0; i < n; i++)
    if (!same_number(a[i], b[i])) return false;
  return true;
}

static bool same_expr(const ik_expr *a, const ik_expr *b) {
  if (!a || !b) return a == b;
  if (a->op != b->op || a->type != b->type || !same_number(a->value, b->value)) return false;
  if (a->id != b->id || a->level != b->level || memcmp(a->off, b->off, sizeof a->off)) return false;
  for (int i = 0; i < 3; i++)
    if (!same_expr(a->arg[i], b->arg[i])) return false;
  return true;
}

static bool same_box(const ik_box *a, const ik_box *b) { return memcmp(a, b, sizeof *a) == 0; }

static bool same_stmts(const ik_stmt *a, const ik_stmt *b) {
  for (; a && b; a = a->next, b = b->next) {
    bool has_box = a->kind == IK_ASSIGN || a->kind == IK_REDUCE;
    if (a->kind != b->kind || a->field != b->field || a->level != b->level ||
        (has_box && !same_box(&a->box, &b->box)) || !same_expr(a->value, b->value) ||
        a->scalar != b->scalar || a->reduce != b->reduce || a->naxes != b->naxes ||
        memcmp(a->axis, b->axis, sizeof a->axis) || memcmp(a->dir, b->dir, sizeof a->dir) ||
        a->count != b->count || !same_text(a->path, b->path) ||
        !same_text(a->dataset, b->dataset) || a->raw_type != b->raw_type ||
        !same_stmts(a->body, b->body) || !same_stmts(a->pre, b->pre))
      return false;
  }
  return a == b;
}

static bool same_field(const ik_field *a, const ik_field *b) {
  for (int i = 0; i < 6; i++) {
    const ik_bc *p = &a->bc[i / 2][i % 2], *q = &b->bc[i / 2][i % 2];
    if (p->kind != q->kind || !same_expr(p->value, q->value)) return false;
  }
  return same_text(a->name, b->name) && a->kind == b->kind && a->type == b->type &&
         memcmp(a->on, b->on, sizeof a->on) == 0 && same_box(&a->box, &b->box) &&
         a->history == b->history && a->has_new == b->has_new &&
         memcmp(a->absorb, b->absorb, sizeof a->absorb) == 0;
}

static bool same_taps(const ik_tap *a, const ik_tap *b, int n) {
  for (int i = 0; i < n; i++)
    if (memcmp(a[i].at, b[i].at, sizeof a[i].at) || a[i].weight != b[i].weight) return false;
  return true;
}

static void check_same_io(const ik_ir *a, const ik_ir *b) {
  for (int i = 0; i < a->ninject; i++) {
    const ik_inject *p = &a->inject[i], *q = &b->inject[i];
    CHECK(p->field == q->field && same_expr(p->value, q->value) && p->ntap == q->ntap);
    CHECK(same_taps(p->tap, q->tap, p->ntap) && same_numbers(p->position, q->position, 3));
  }
  for (int i = 0; i < a->nrecord; i++) {
    const ik_record *p = &a->record[i], *q = &b->record[i];
    CHECK(p->field == q->field && p->npoint == q->npoint && p->ntap == q->ntap);
    CHECK(p->every == q->every && same_text(p->path, q->path));
    CHECK(same_taps(p->tap, q->tap, p->npoint * p->ntap));
    CHECK(same_numbers(p->position, q->position, 3 * p->npoint));
  }
  for (int i = 0; i < a->noutput; i++) {
    const ik_output *p = &a->output[i], *q = &b->output[i];
    CHECK(p->nfield == q->nfield && p->every == q->every && same_text(p->path, q->path));
    for (int k = 0; k < p->nfield; k++) CHECK_EQ(p->field[k], q->field[k]);
  }
}

static void check_same_declarations(const ik_ir *a, const ik_ir *b) {
  for (int i = 0; i < a->nfield; i++) CHECK(same_field(&a->field[i], &b->field[i]));
  for (int i = 0; i < a->nscalar; i++) {
    CHECK_STR(a->scalar[i].name, b->scalar[i].name);
    CHECK(a->scalar[i].type == b->scalar[i].type && a->scalar[i].hidden == b->scalar[i].hidden);
  }
  for (int i = 0; i < a->nparam; i++) {
    const ik_param *p = &a->param[i], *q = &b->param[i];
    CHECK(same_text(p->name, q->name) && p->value == q->value && same_text(p->unit, q->unit));
    CHECK_EQ(p->overridden, q->overridden);
  }
  for (int i = 0; i < a->ntable; i++) {
    CHECK(same_text(a->table[i].name, b->table[i].name) && a->table[i].n == b->table[i].n);
    CHECK(same_numbers(a->table[i].value, b->table[i].value, a->table[i].n));
  }
}

static void check_same(const ik_ir *a, const ik_ir *b) {
  CHECK_STR(a->name, b->name);
  for (int d = 0; d < IK_MAX_DIM; d++)
    CHECK(same_text(a->axis[d], b->axis[d]) && a->n[d] == b->n[d] &&
          a->spacing[d] == b->spacing[d]);
  CHECK(a->ndim == b->ndim && a->has_spacing == b->has_spacing && a->dt == b->dt);
  CHECK(a->vertical.known == b->vertical.known && a->vertical.up == b->vertical.up);
  CHECK_EQ(a->vertical.axis, b->vertical.axis);
  CHECK(a->arithmetic == b->arithmetic && a->nfield == b->nfield && a->nscalar == b->nscalar);
  CHECK(a->nparam == b->nparam && a->ntable == b->ntable && a->ninject == b->ninject);
  CHECK(a->nrecord == b->nrecord && a->noutput == b->noutput);
  check_same_declarations(a, b);
  check_same_io(a, b);
  CHECK(same_stmts(a->init, b->init));
  CHECK(same_stmts(a->body, b->body));
}

/* ---- cases ---- */

static ik_ir *read_text(const char *text, size_t len, ik_diag *d) {
  ik_source *src = IK_NEW(&arena, ik_source);
  *src = (ik_source){"test.ir", text, len};
  ik_ir *ir = NULL;
  CHECK_EQ(ik_ir_read(src, &arena, d, &ir), ir ? IK_OK : IK_ERR_SOURCE);
  CHECK(!ir == (d->nerror > 0));
  return ir;
}

/* Prints, reads and prints again. */
static ik_ir *round_trip(const ik_ir *ir, ik_buf *text) {
  ik_diag d = {0};
  ik_buf  again = {0};
  ik_ir_print(ir, text);
  ik_ir *back = read_text(ik_buf_text(text), text->len, &d);
  ik_diag_render(&d, false, &again);
  CHECK_STR(ik_buf_text(&again), "");
  if (back) ik_ir_print(back, &again);
  CHECK_STR(ik_buf_text(&again), ik_buf_text(text));
  ik_buf_free(&again);
  ik_diag_free(&d);
  return back;
}

CASE(everything_survives) {
  ik_arena_init(&arena);
  ik_buf       text = {0};
  const ik_ir *ir = everything(), *back = round_trip(ir, &text);
  if (back) check_same(ir, back);
  ik_buf_free(&text);
  ik_arena_free(&arena);
}

CASE(prints_for_people) {
  static const char want[] = "ikat-ir 1\n"
                             "program heat\n"
                             "arithmetic chain\n"
                             "grid x=8, y=6\n"
                             "field u user f64 on x, y box 0:8, 0:6 history 1 new\n"
                             "  low x value (f64 0)\n"
                             "init {\n"
                             "}\n"
                             "body {\n"
                             "  steps 10 {\n"
                             "    assign u@1 on 0:8, 0:6 =\n"
                             "      (fma.f64 (f64 0.1) u@0[-1,0]\n"
                             "      (fma.f64 (f64 0.2) u@0[1,0] (mul.f64 (f64 0.7) u@0)))\n"
                             "  }\n"
                             "}\n";
  ik_diag           d = {0};
  ik_buf            text = {0};
  ik_arena_init(&arena);
  ik_ir *ir = read_text(want, strlen(want), &d);
  CHECK(ir);
  if (ir) ik_ir_print(ir, &text);
  CHECK_STR(ik_buf_text(&text), want);
  text.len = 0;
  if (ir) ik_ir_print_expr(ir, ir->body->body->value, &text);
  CHECK_STR(ik_buf_text(&text), "(fma.f64 (f64 0.1) u@0[-1,0] (fma.f64 (f64 0.2) u@0[1,0] "
                                "(mul.f64 (f64 0.7) u@0)))");
  ik_buf_free(&text);
  ik_diag_free(&d);
  ik_arena_free(&arena);
}

CASE(long_chains_survive) {
  ik_arena_init(&arena);
  ik_ir   *ir = everything();
  ik_expr *right = number(IK_F64, 1), *left = number(IK_F64, 1);
  for (int i = 0; i < 9000; i++) {
    right = call(IK_OP_FMA, IK_F64, number(IK_F64, i), access(IK_F64, 0, 0, i, 0), right);
    left = call(IK_OP_ADD, IK_F64, left, access(IK_F64, 0, 0, i, 0), NULL);
  }
  ir->body = assign(0, 0, right, assign(0, 0, left, NULL));
  ik_buf       text = {0};
  const ik_ir *back = round_trip(ir, &text);
  if (back) check_same(ir, back);
  CHECK(text.len < 4u << 20);
  ik_buf_free(&text);
  ik_arena_free(&arena);
}

#define HEAD "ikat-ir 1 program p arithmetic chain grid x=8, y=6 "
#define U    "field u user f64 on x, y box 0:8, 0:6 history 1 "

CASE(says_what_is_wrong) {
  static const struct {
    const char *text;
    ik_code     code;
    int         col; /* of the span */
  } bad[] = {
      {"", IK_E002, 1},
      {"ikat-ir 2", IK_E006, 9},
      {"ikat-ir 1 program p arithmetic fast", IK_E010, 32},
      {"ikat-ir 1 program p arithmetic plain grid x=0", IK_E004, 45},
      {"ikat-ir 1 program p arithmetic plain grid x=4, x=4", IK_E011, 48},
      {"ikat-ir 1 program p arithmetic plain grid x=4,y=4,z=4,w=4", IK_E002, 55},
      {"ikat-ir 1 program p arithmetic plain grid x=99999999999999999999", IK_E004, 45},
      {"ikat-ir 1 program \"p", IK_E003, 19},
      {"ikat-ir 1 program \"p\\q\"", IK_E002, 21},
      {"ikat-ir 1 program \"p\\x00\"", IK_E002, 21},
      {"ikat-ir 1 program %", IK_E001, 19},
      {HEAD "fields", IK_E010, 52},
      {HEAD "param a = 1.2.3", IK_E004, 62},
      {HEAD "scalar s f65", IK_E010, 61},
      {HEAD "field u user f64 box 0:8", IK_E002, 76},
      {HEAD U "body { assign v@0 on 0:8,0:6 = (f64 0) }", IK_E010, 114},
      {HEAD U "body { assign u@2 on 0:8,0:6 = (f64 0) }", IK_E004, 116},
      {HEAD U "body { assign u@0 on 0:8,0:6 = (adn.f64 u@0 u@0) }", IK_E010, 132},
      {HEAD U "body { assign u@0 on 0:8,0:6 = (add u@0 u@0) }", IK_E002, 132},
      {HEAD U "body { assign u@0 on 0:8,0:6 = (add.f64 u@0) }", IK_E002, 143},
      {HEAD U U "body { assign u@0 on 0:8,0:6 = (f64 0) }", IK_E010, 162},
      {HEAD U U "body { assign u#2@0 on 0:8,0:6 = (f64 0) }", IK_E010, 164},
      {HEAD "scalar s i32 body { set s = (i32 1)", IK_E002, 87},
      {HEAD "init { sweep x up, x sideways {} }", IK_E010, 73},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    ik_diag d = {0};
    ik_arena_init(&arena);
    CHECK(!read_text(bad[i].text, strlen(bad[i].text), &d));
    CHECK_EQ(d.nmsg, 1);
    if (d.msg[0].code != bad[i].code || d.msg[0].span.off + 1 != bad[i].col)
      check_fail(__FILE__, __LINE__, "%s: %s at %d: %s", bad[i].text, ik_code_name(d.msg[0].code),
                 d.msg[0].span.off + 1, ik_buf_text(&d.msg[0].text));
    ik_diag_free(&d);
    ik_arena_free(&arena);
  }
}

CASE(refuses_to_nest_without_end) {
  ik_buf text = {0};
  ik_arena_init(&arena);
  ik_diag d = {0};
  ik_buf_puts(&text, HEAD "scalar s f64 body { set s = ");
  for (int i = 0; i < 200000; i++) ik_buf_puts(&text, "(neg.f64 ");
  CHECK(!read_text(ik_buf_text(&text), text.len, &d));
  CHECK_EQ(d.msg[0].code, IK_E005);
  ik_diag_free(&d);
  text.len = 0;
  ik_buf_puts(&text, HEAD);
  ik_buf_puts(&text, "body ");
  for (int i = 0; i < 200000; i++) ik_buf_puts(&text, "{ steps 1 ");
  CHECK(!read_text(ik_buf_text(&text), text.len, &d));
  CHECK_EQ(d.msg[0].code, IK_E005);
  ik_diag_free(&d);
  ik_buf_free(&text);
  ik_arena_free(&arena);
}

/* ---- damage ---- */

static unsigned chance(unsigned *state, unsigned n) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % n;
}

static size_t damage(char *text, size_t len, unsigned *seed) {
  static const char marks[] = "(){}[],:=@#$\"\\;-0189 xu\n.\0\xff";
  for (unsigned k = 1 + chance(seed, 3); k > 0 && len; k--) {
    size_t at = chance(seed, (unsigned)len), n = 1 + chance(seed, 12);
    if (n > len - at) n = len - at;
    switch (chance(seed, 3)) {
    case 0: text[at] = marks[chance(seed, sizeof marks - 1)]; break;
    case 1: memmove(text + at, text + at + n, len - at - n), len -= n; break;
    default: memmove(text + at, text + chance(seed, (unsigned)(len - n + 1)), n);
    }
  }
  return len;
}

/* Whatever can be read can be checked, printed and read again. */
static void survive(const char *text, size_t len) {
  ik_diag d = {0};
  ik_arena_init(&arena);
  ik_ir *ir = read_text(text, len, &d);
  if (ir) {
    ik_buf printed = {0};
    (void)ik_ir_verify(ir, &d);
    round_trip(ir, &printed);
    ik_buf_free(&printed);
  }
  ik_diag_free(&d);
  ik_arena_free(&arena);
}

static void damage_often(const char *text, size_t len) {
  unsigned seed = 7;
  char    *copy = malloc(len);
  for (int i = 0; i < MUTATIONS; i++) {
    memcpy(copy, text, len);
    survive(copy, damage(copy, len, &seed));
  }
  free(copy);
}

CASE(survives_damage) {
  ik_buf text = {0};
  ik_arena_init(&arena);
  ik_ir_print(everything(), &text);
  ik_arena_free(&arena);
  damage_often(text.data, text.len);
  ik_buf_free(&text);
}

/* The checks get further with this one: it has no fault. */
CASE(survives_damage_to_what_is_right) {
  static const char text[] =
      HEAD "scalar s f64 table w = [1, 2] field u user f64 on x, y box 0:8, 0:6 history 2 new "
           "low x periodic high x periodic low y value (f64 0) high y copy "
           "field t temp f64 on x, y box -1:9, 0:6 history 1 "
           "inject u at 1, 2 = (table.f64 w (time.f64)) tap 1, 2 weight 0.5 "
           "init { load u@-1 from \"a\" } body { steps 9 { assign t@0 on -1:9, 0:6 = u@-1[0,1] "
           "sweep y up, x down { assign u@1 on 0:8, 0:6 = (add.f64 t@0[1,0] u@1[1,0]) } } "
           "repeat 9 { reduce s sum on 0:8, 0:6 = u@0 } until (lt.bool $s (f64 1)) { } }";
  ik_diag d = {0};
  ik_arena_init(&arena);
  ik_ir *ir = read_text(text, sizeof text - 1, &d);
  CHECK(ir && ik_ir_verify(ir, &d) == IK_OK);
  ik_diag_free(&d);
  ik_arena_free(&arena);
  damage_often(text, sizeof text - 1);
}
