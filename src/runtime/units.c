#include "runtime/units.h"
#include "base/mem.h"
#include "facts/bytes.h"
#include "facts/flops.h"

/* ---- lists ---- */

static const ik_stmt *end_of_list(const ik_stmt *s) {
  while (s && !ik_stmt_is_loop(s)) s = s->next;
  return s;
}

/* The units of a program, in order; `out` may be NULL. */
static int list_units(const ik_ir *ir, ik_unit *out) {
  int n = 0;
#define ADD(...)                                                                                   \
  do {                                                                                             \
    if (out) out[n] = (ik_unit){__VA_ARGS__};                                                      \
    n++;                                                                                           \
  } while (0)
  for (const ik_stmt *s = ir->body; s;) {
    const ik_stmt *end = end_of_list(s);
    if (end != s) ADD(.first = s, .end = end);
    if (end && end->pre) ADD(.first = end->pre, .loop = end, .test = true);
    if (end && end->body) ADD(.first = end->body, .loop = end);
    s = end ? end->next : NULL;
  }
#undef ADD
  return n;
}

/* ---- what they are worth ---- */

static int64_t points_of(const ik_ir *ir, const ik_stmt *s, const ik_stmt *end) {
  int64_t n = 0;
  for (; s != end; s = s->next) {
    if (s->kind == IK_ASSIGN && ir->field[s->field].kind == IK_FIELD_USER)
      n += ik_box_cells(&s->box);
    if (s->body) n += points_of(ir, s->body, NULL);
  }
  return n;
}

static void value(const ik_ir *ir, ik_arena *a, ik_unit *u) {
  ik_subject s;
  ik_flops   flops;
  ik_bytes   bytes;
  ik_subject_of_list(ir, u->first, u->end, a, &s);
  ik_flops_of(&s, -1, a, &flops);
  ik_bytes_of(ir, &s, a, &bytes);
  u->points = points_of(ir, u->first, u->end);
  u->flops = flops.step;
  u->bytes = bytes.cell * (double)ik_box_cells(&s.written);
}

static bool value_all(const ik_units *u, const ik_ir *ir) {
  ik_arena a;
  ik_arena_init(&a);
  bool ok = !setjmp(a.oom);
  for (int i = 0; ok && i < u->n; i++) value(ir, &a, &u->unit[i]);
  ik_arena_free(&a);
  return ok;
}

/* ---- life ---- */

bool ik_units_init(ik_units *u, const ik_ir *ir) {
  *u = (ik_units){.n = list_units(ir, NULL)};
  u->unit = ik_calloc((size_t)u->n, sizeof *u->unit);
  if (!u->unit) return *u = (ik_units){0}, false;
  list_units(ir, u->unit);
  return value_all(u, ir);
}

void ik_units_free(ik_units *u) {
  ik_free(u->unit);
  *u = (ik_units){0};
}

/* ---- questions ---- */

ik_unit *ik_units_find(const ik_units *u, const ik_stmt *first) {
  for (int i = 0; i < u->n; i++)
    if (u->unit[i].first == first) return &u->unit[i];
  return NULL;
}

const char *ik_units_name(const ik_units *u) {
  const char *name = "pass";
  for (int i = 0; i < u->n; i++) {
    if (!u->unit[i].loop) continue;
    if (u->unit[i].loop->kind == IK_STEPS) return "step";
    name = "round";
  }
  return name;
}

static bool sets(const ik_stmt *s, const ik_stmt *end, int scalar) {
  for (; s != end; s = s->next)
    if ((s->kind == IK_SET || s->kind == IK_REDUCE) && s->scalar == scalar) return true;
  return false;
}

bool ik_units_has_set(const ik_units *u, const ik_ir *ir, int scalar) {
  if (sets(ir->init, NULL, scalar)) return true;
  for (int i = 0; i < u->n; i++)
    if (u->unit[i].times && sets(u->unit[i].first, u->unit[i].end, scalar)) return true;
  return false;
}
