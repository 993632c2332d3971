/* program.h: a text, compiled to IR and run by the interpreter, for tests of what programs mean.
 *
 *   program p;
 *   if (program_open(&p, "grid x = 8 ...")) puts(program_body(&p));
 *   program_close(&p);
 *
 *   LOWERS("grid x = 8\nfield u : f64\n", "2*u", "(mul.f64 (f64 2) u@0)");
 *   FAILS("grid x = 8 ...", IK_E040, "face -x");
 */
#pragma once
#include "check.h"
#include "lang/prove.h"
#include "runtime/loop.h"
#include "targets/target.h"
#include <stdarg.h>
#include <stdlib.h>

/* ---- compiling ---- */

typedef struct program {
  ik_source        src;
  ik_arena         arena;
  ik_diag          diag;
  ik_lower_options opt;
  ik_ir           *ir;
  ik_status        status;
  ik_buf           shown; /* what a function below returned last */
} program;

static inline ik_status program_stages(program *p) {
  ik_program_ast tree;
  if (setjmp(p->arena.oom)) abort();
  IK_TRY(ik_lang_parse(&p->src, &p->arena, &p->diag, &tree));
  IK_TRY(ik_lang_lower(&tree, &p->opt, &p->arena, &p->diag, &p->ir));
  return ik_ir_verify(p->ir, &p->diag);
}

/* With name=value from outside, and the count of the step (-1: as written). */
static inline bool program_open_with(program *p, const char *text, const ik_override *over, int n,
                                     int64_t steps) {
  *p = (program){.src = {"test.ik", text, strlen(text)},
                 .opt = {.override = over, .noverride = n, .steps = steps, .name = "test"}};
  ik_arena_init(&p->arena);
  p->status = program_stages(p);
  if (p->status && ik_lang_prove(&p->src, &p->opt, &p->diag)) abort();
  return p->status == IK_OK;
}

static inline bool program_open(program *p, const char *text) {
  return program_open_with(p, text, NULL, 0, -1);
}

static inline void program_close(program *p) {
  ik_buf_free(&p->shown);
  ik_diag_free(&p->diag);
  ik_arena_free(&p->arena);
}

static inline const char *program_messages(program *p) {
  ik_buf_free(&p->shown);
  ik_diag_render(&p->diag, false, &p->shown);
  return ik_buf_text(&p->shown);
}

/* The program is right; if not, the messages are shown and the test fails. */
static inline bool program_must(program *p, const char *text, const char *file, int line) {
  if (program_open(p, text)) return true;
  check_fail(file, line, "%s\n%s", text, program_messages(p));
  return false;
}
#define MUST_OPEN(p, text) program_must(p, text, __FILE__, __LINE__)

/* The IR as text, from a word on: "body {", "init {", "field u". */
static inline const char *program_text(program *p, const char *from) {
  ik_buf_free(&p->shown);
  ik_ir_print(p->ir, &p->shown);
  const char *at = strstr(ik_buf_text(&p->shown), from);
  return at ? at : "";
}
static inline const char *program_body(program *p) { return program_text(p, "body {"); }

static inline int program_field(const program *p, const char *name) {
  for (int f = 0; f < p->ir->nfield; f++)
    if (strcmp(p->ir->field[f].name, name) == 0) return f;
  return -1;
}

static inline int program_scalar(const program *p, const char *name) {
  for (int i = 0; i < p->ir->nscalar; i++)
    if (strcmp(p->ir->scalar[i].name, name) == 0) return i;
  return -1;
}

/* The n-th assignment of a field at a level in the body, in order; NULL if there are fewer. */
typedef struct program_search {
  int            field, level, left;
  const ik_stmt *found;
} program_search;

static inline void program_match(const ik_stmt *s, void *ctx) {
  program_search *x = ctx;
  if (s->kind == IK_ASSIGN && s->field == x->field && s->level == x->level && x->left-- == 0)
    x->found = s;
}

static inline const ik_stmt *program_assign(const program *p, const char *field, int level, int n) {
  program_search x = {program_field(p, field), level, n, NULL};
  ik_ir          only_body = *p->ir;
  only_body.init = NULL;
  ik_ir_each_stmt(&only_body, program_match, &x);
  return x.found;
}

static inline const char *program_expr(program *p, const ik_expr *e) {
  ik_buf_free(&p->shown);
  ik_ir_print_expr(p->ir, e, &p->shown);
  return ik_buf_text(&p->shown);
}

/* `head` declares u; what does `u' = value` in a step become? */
static inline void program_lowers(const char *file, int line, const char *head, const char *value,
                                  const char *want) {
  char    text[4000];
  program p;
  snprintf(text, sizeof text, "%sstep 1 { u' = %s }\n", head, value);
  if (program_must(&p, text, file, line)) {
    const char *got = program_expr(&p, program_assign(&p, "u", 1, 0)->value);
    if (strcmp(got, want)) check_fail(file, line, "%s becomes\n%s\nnot\n%s", value, got, want);
  }
  program_close(&p);
}
#define LOWERS(head, value, want) program_lowers(__FILE__, __LINE__, head, value, want)

/* The first message has this code and, as people see it, contains `part`. */
static inline void program_fails(const char *file, int line, const char *text, ik_code code,
                                 const char *part) {
  program p;
  program_open(&p, text);
  const char *all = program_messages(&p);
  if (p.diag.nmsg == 0 || p.diag.msg[0].code != code)
    check_fail(file, line, "%s not triggered by\n%s\nbut\n%s", ik_code_name(code), text, all);
  else if (!strstr(all, part))
    check_fail(file, line, "'%s' is not in\n%s", part, all);
  program_close(&p);
}
#define FAILS(text, code, part) program_fails(__FILE__, __LINE__, text, code, part)

/* ---- running ---- */

typedef struct run {
  program       p;
  ik_loop_hooks hooks;
  ik_state     *state;
  ik_engine    *engine;
  ik_loop       loop;
  bool          looped;
} run;

/* Compiles and gets ready; `every` is how often values are checked (0: as the library likes). */
static inline bool run_prepare(run *r, const char *text, int64_t every, const ik_loop_hooks *h) {
  const ik_target *target;
  *r = (run){.hooks = h ? *h : (ik_loop_hooks){0}};
  if (!program_must(&r->p, text, "program.h", 0)) return false;
  ik_problem problem = {.ir = r->p.ir};
  if (ik_target_find("ref", &r->p.diag, &target) ||
      ik_state_create(r->p.ir, &r->p.diag, &r->state) ||
      target->open(&problem, &r->p.diag, &r->engine) ||
      r->engine->ops->attach(r->engine, r->state, &r->p.diag) ||
      ik_loop_create(&r->loop, r->engine, every, &r->hooks, &r->p.diag)) {
    check_fail("program.h", 0, "%s\n%s", text, program_messages(&r->p));
    return false;
  }
  return r->looped = true;
}

static inline bool run_program(run *r, const char *text) {
  if (!run_prepare(r, text, 0, NULL)) return false;
  if (ik_loop_advance(&r->loop, -1, &r->p.diag) == IK_OK) return true;
  check_fail("program.h", 0, "%s\n%s", text, program_messages(&r->p));
  return false;
}

static inline void run_close(run *r) {
  if (r->looped) ik_loop_free(&r->loop);
  if (r->engine) r->engine->ops->destroy(&r->engine);
  ik_state_destroy(&r->state);
  program_close(&r->p);
}

static inline double run_level(const run *r, const char *field, int level, int64_t x, int64_t y,
                               int64_t z) {
  int64_t at[IK_MAX_DIM] = {x, y, z};
  return ik_state_get(r->state, program_field(&r->p, field), level, at);
}
static inline double run_at(const run *r, const char *field, int64_t x, int64_t y, int64_t z) {
  return run_level(r, field, 0, x, y, z);
}
static inline double run_scalar(const run *r, const char *name) {
  return r->state->scalar[program_scalar(&r->p, name)];
}

/* The bits of all fields after a run. */
static inline uint64_t run_hash(const char *text) {
  run      r;
  uint64_t h = run_program(&r, text) ? ik_state_hash(r.state) : 0;
  run_close(&r);
  return h;
}

/* The value of one expression of numbers, parameters and scalars, in f64. */
static inline double run_value(const char *head, const char *value) {
  char   text[4000];
  run    r;
  double v = NAN;
  snprintf(text, sizeof text, "%sscalar result : f64 = %s\n", head, value);
  if (run_program(&r, text)) v = run_scalar(&r, "result");
  run_close(&r);
  return v;
}
