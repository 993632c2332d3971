#include "api/api.h"
#include "base/fp.h"
#include "base/mem.h"
#include "base/stack.h"
#include "base/text.h"
#include "io/file.h"
#include "lang/prove.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ---- the compiler ---- */

static bool dt_has_unit(const ik_program *p) {
  const ik_param *dt = p->ir ? ik_ir_param(p->ir, "dt") : NULL;
  return dt && dt->unit;
}

/* What replaces values of the program; `dt`, if it is one, those of dt that were set. */
static int overrides_of(const ik_program *p, const ik_source *dt, ik_arena *a, ik_override **out) {
  int n = 0;
  for (const ik_setting *s = p->settings; s; s = s->next) n++;
  *out = IK_NEW_N(a, ik_override, n + 1);
  n = 0;
  for (const ik_setting *s = p->settings; s; s = s->next)
    if (!dt || strcmp(s->name, "dt") != 0)
      (*out)[n++] = (ik_override){.name = s->name, .text = &s->value->source};
  if (dt) (*out)[n++] = (ik_override){.name = "dt", .text = dt};
  return n;
}

ik_status ik_compile(const ik_program *p, double dt, ik_arena *a, ik_diag *d, ik_ir **ir,
                     ik_facts *facts) {
  ik_override *over;
  char         number[40]; /* of seconds */
  ik_source    text = {.name = "dt", .text = number};
  if (dt > 0)
    text.len = (size_t)ik_format(number, sizeof number, "%.17g%s", dt, dt_has_unit(p) ? " s" : "");
  const ik_access access = ik_program_access(p);
  IK_ON_BEHALF(&access);
  if (setjmp(a->oom))
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "out of memory while compiling");
  ik_lower_options opt = {.steps = p->steps, .name = p->text->source.name};
  opt.noverride = overrides_of(p, dt > 0 ? &text : NULL, a, &over);
  opt.override = over;
  return ik_stages_compile(&p->text->source, &opt, a, d, ir, facts);
}

/* What is wrong has been said; now which remedies work. */
static ik_status prove(ik_program *p, ik_status st, ik_diag *d) {
  ik_override    *over;
  const ik_access access = ik_program_access(p);
  IK_ON_BEHALF(&access);
  if (st != IK_ERR_SOURCE) return st;
  if (setjmp(p->arena.oom))
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "out of memory while compiling");
  int              n = overrides_of(p, NULL, &p->arena, &over);
  ik_lower_options opt = {over, n, p->steps, p->text->source.name};
  ik_status        proof = ik_lang_prove(&p->text->source, &opt, d);
  return proof ? proof : st;
}

typedef struct task { /* what may go deep; see base/stack.h */
  ik_program           *p;
  const char           *what;
  const ik_run_options *o;
  ik_log               *log;
  ik_status             status;
  const char           *text;
} task;

static void compile(void *ctx) {
  task  *t = ctx;
  ik_ir *ir = NULL;
  t->status = ik_compile(t->p, 0, &t->p->arena, &t->log->d, &ir, &t->p->facts);
  if (!t->status) t->p->ir = ir;
  t->status = prove(t->p, t->status, &t->log->d);
}

ik_status ik_program_compile(ik_program *p, ik_log *log) {
  IK_OWN_ARITHMETIC;
  task t = {.p = p, .log = log};
  if (p->arena_used) ik_arena_free(&p->arena);
  ik_arena_init(&p->arena);
  p->arena_used = true;
  p->ir = NULL;
  if (p->steps < -1 || p->steps > IK_MOST_STEPS)
    return ik_fail(&log->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN,
                   "%lld steps cannot be run: 0 to %lld, or -1 for as many as the program says",
                   (long long)p->steps, (long long)IK_MOST_STEPS);
  ik_stack_call(compile, &t);
  return t.status;
}

/* ---- life ---- */

static ik_status create(const char *name, const char *text, size_t len, ik_log *log,
                        ik_program **out) {
  ik_program *p = *out = ik_calloc(1, sizeof *p);
  if (!p) return ik_log_no_memory(log);
  p->steps = -1;
  p->text = ik_text_create(name, text, len);
  if (p->text) return IK_OK;
  ik_program_destroy(out);
  return ik_log_no_memory(log);
}

ik_status ik_program_from_text(const char *name, const char *text, ik_log *log, ik_program **out) {
  return create(name, text, strlen(text), log, out);
}

ik_status ik_program_open(const char *path, ik_log *log, ik_program **out) {
  ik_buf b = {0};
  *out = NULL;
  IK_TRY(ik_file_read(path, (size_t)1 << 20, IK_NOSPAN, &b, &log->d));
  ik_status st = create(path, ik_buf_text(&b), b.len, log, out);
  if (!st) (*out)->is_file = true;
  ik_buf_free(&b);
  return st;
}

/* ---- what it may read ---- */

ik_access ik_program_access(const ik_program *p) {
  ik_access a = {.nread = p->nread};
  for (int i = 0; i < p->nread; i++) a.read[i] = &p->reads[i];
  return a;
}

static ik_status confine_to(ik_program *p, const char *folder, ik_log *log) {
  if (ik_folder_open(&p->reads[p->nread], folder)) return p->nread++, IK_OK;
  return ik_fail(&log->d, IK_ERR_RESOURCE, IK_E062, IK_NOSPAN, "cannot read the folder '%s': %s",
                 folder, strerror(errno));
}

static ik_status confine_to_own(ik_program *p, ik_log *log) {
  const char *path = p->text->name, *slash = strrchr(path, '/');
  ik_buf      folder = {0};
  if (!slash) return IK_OK; /* it is the current one */
  ik_buf_write(&folder, path, (size_t)(slash - path) + 1);
  ik_status st = folder.failed ? ik_log_no_memory(log) : confine_to(p, ik_buf_text(&folder), log);
  ik_buf_free(&folder);
  return st;
}

static void release_reads(ik_program *p) {
  while (p->nread) ik_folder_close(&p->reads[--p->nread]);
}

ik_status ik_program_confine(ik_program *p, const char *directory, ik_log *log) {
  release_reads(p);
  IK_TRY(confine_to(p, ".", log));
  if (p->is_file) IK_TRY(confine_to_own(p, log));
  /* one that is yet to be made has nothing to read in it */
  if (directory && access(directory, F_OK) == 0) IK_TRY(confine_to(p, directory, log));
  return IK_OK;
}

static void destroy_setting(ik_setting *s) {
  ik_free(s->name);
  ik_text_destroy(s->value);
  ik_free(s);
}

void ik_program_destroy(ik_program **program) {
  ik_program *p = *program;
  if (!p) return;
  while (p->settings) {
    ik_setting *next = p->settings->next;
    destroy_setting(p->settings);
    p->settings = next;
  }
  if (p->arena_used) ik_arena_free(&p->arena);
  ik_text_destroy(p->text);
  release_reads(p);
  ik_buf_free(&p->shown);
  ik_free(p);
  *program = NULL;
}

ik_status ik_program_set(ik_program *p, const char *name, const char *value, ik_log *log) {
  ik_setting **at = &p->settings;
  ik_setting  *s = ik_calloc(1, sizeof *s);
  if (!s) return ik_log_no_memory(log);
  s->value = ik_text_create(name, value, strlen(value));
  s->name = ik_malloc(strlen(name) + 1);
  if (!s->value || !s->name) {
    destroy_setting(s);
    return ik_log_no_memory(log);
  }
  strcpy(s->name, name);
  while (*at && strcmp((*at)->name, name)) at = &(*at)->next;
  if (*at) { /* said again: the later counts */
    ik_setting *old = *at;
    s->next = old->next;
    destroy_setting(old);
  }
  *at = s;
  return IK_OK;
}

void ik_program_set_steps(ik_program *p, int64_t steps) { p->steps = steps; }

/* ---- views ---- */

static ik_status show_source_view(ik_program *p, const char *what, ik_diag *d) {
  ik_arena       a;
  ik_program_ast ast;
  ik_status      st;
  ik_arena_init(&a);
  if (setjmp(a.oom)) {
    ik_arena_free(&a);
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "out of memory");
  }
  if (strcmp(what, "format") == 0) {
    st = ik_lang_format(&p->text->source, &a, d, &p->shown);
  } else {
    st = ik_lang_parse(&p->text->source, &a, d, &ast);
    if (!st) ik_lang_dump(&ast, &p->shown);
  }
  ik_arena_free(&a);
  ik_status proof = st ? ik_lang_prove(&p->text->source, NULL, d) : IK_OK;
  return proof ? proof : st;
}

static ik_status show_engine(ik_program *p, const char *what, const ik_run_options *o, ik_arena *a,
                             ik_diag *d) {
  const ik_target *target;
  ik_engine       *x = NULL;
  ik_problem       problem = {.ir = p->ir, .facts = &p->facts};
  problem.machine = ik_saved_figures(o ? o->figures : NULL, a);
  if (o) problem.strategy = o->strategy, problem.threads = o->threads, problem.override = o->plan;
  IK_TRY(ik_target_find(o ? o->target : NULL, d, &target));
  if (problem.strategy) IK_TRY(ik_target_strategy(target, problem.strategy, d, &problem.strategy));
  IK_TRY(target->open(&problem, d, &x));
  const char *text = strcmp(what, "code") ? x->loops : x->code;
  if (strcmp(what, "layout") == 0)
    ik_layout_print(p->ir, x->layout, &p->shown);
  else
    ik_buf_puts(&p->shown, text ? text : "");
  x->ops->destroy(&x);
  return IK_OK;
}

/* What a target makes of the program. */
static ik_status show_engine_view(ik_program *p, const char *what, const ik_run_options *o,
                                  ik_log *log) {
  ik_arena a;
  ik_arena_init(&a);
  ik_status st = setjmp(a.oom) ? ik_log_no_memory(log) : show_engine(p, what, o, &a, &log->d);
  ik_arena_free(&a);
  return st;
}

static void show_extents(const ik_ir *ir, ik_buf *b) {
  for (int d = 0; d < ir->ndim; d++)
    ik_buf_printf(b, "%s%lld", d ? " x " : "", (long long)ir->n[d]);
}

void ik_put_parameter(const ik_param *p, ik_buf *b) {
  char value[40];
  ik_format(value, sizeof value, "%.12g", ik_unit_value(p->unit, p->value));
  ik_buf_printf(b, "%s = %s%s%s", p->name, value, p->unit ? " " : "", p->unit ? p->unit : "");
}

static void show_summary(const ik_program *p, ik_buf *b) {
  const ik_ir *ir = p->ir;
  int          user = 0;
  for (int f = 0; f < ir->nfield; f++) user += ir->field[f].kind == IK_FIELD_USER;
  ik_buf_printf(b, "%s: grid ", ir->name);
  show_extents(ir, b);
  ik_buf_printf(b, ", %d field%s", user, user == 1 ? "" : "s");
  const ik_patterns *pat = &p->facts.pattern;
  if (pat->source >= 0 && pat->points > 1)
    ik_buf_printf(b, ", %d points of %s", pat->points, ir->field[pat->source].name);
  ik_buf_putc(b, '\n');
  for (int i = 0; i < ir->nparam; i++)
    if (ir->param[i].overridden) {
      ik_buf_puts(b, "  ");
      ik_put_parameter(&ir->param[i], b);
      ik_buf_puts(b, " (overridden)\n");
    }
}

static bool show_compiled_view(ik_program *p, const char *what) {
  if (strcmp(what, "ir") == 0)
    ik_ir_print(p->ir, &p->shown);
  else if (strcmp(what, "facts") == 0)
    ik_facts_print(p->ir, &p->facts, &p->shown);
  else if (strcmp(what, "summary") == 0)
    show_summary(p, &p->shown);
  else if (strcmp(what, "facts-json") == 0) {
    ik_json j = {.out = &p->shown};
    ik_json_open(&j, NULL, '{');
    ik_facts_json(p->ir, &p->facts, &j);
    ik_json_close(&j, '}');
  } else
    return false;
  return true;
}

static bool is_of_engine(const char *what) {
  return !strcmp(what, "layout") || !strcmp(what, "loops") || !strcmp(what, "code");
}

static void show(void *ctx) {
  task       *t = ctx;
  ik_program *p = t->p;
  bool        known = true;
  long        before = ik_mem_refused();
  if (strcmp(t->what, "format") == 0 || strcmp(t->what, "ast") == 0)
    t->status = show_source_view(p, t->what, &t->log->d);
  else if (p->ir && is_of_engine(t->what))
    t->status = show_engine_view(p, t->what, t->o, t->log);
  else
    known = p->ir && show_compiled_view(p, t->what);
  if (!known) {
    ik_error(&t->log->d, IK_E081, IK_NOSPAN, "'%s' cannot be shown", t->what);
    ik_help(&t->log->d,
            "one of source, format, ast, ir, facts, facts-json, layout, loops, code, summary");
  }
  t->text = known && !t->status ? ik_answer(&p->shown, before) : NULL;
  if (known && !t->status && !t->text) ik_log_no_memory(t->log);
}

const char *ik_program_show(ik_program *p, const char *what, const ik_run_options *o, ik_log *log) {
  IK_OWN_ARITHMETIC;
  task t = {.p = p, .what = what, .o = o, .log = log};
  ik_buf_free(&p->shown);
  if (strcmp(what, "source") == 0) return p->text->content;
  ik_stack_call(show, &t);
  return t.text;
}

/* ---- fields ---- */

static int user_field(const ik_ir *ir, int i) {
  for (int f = 0; ir && f < ir->nfield; f++)
    if (ir->field[f].kind == IK_FIELD_USER && i-- == 0) return f;
  return -1;
}

int ik_program_field_count(const ik_program *p) {
  int n = 0;
  while (user_field(p->ir, n) >= 0) n++;
  return n;
}

bool ik_program_field(const ik_program *p, int i, ik_field_info *out) {
  int f = user_field(p->ir, i);
  if (f < 0) return false;
  ik_field_info_of(&p->ir->field[f], out);
  return true;
}

void ik_field_info_of(const ik_field *f, ik_field_info *out) {
  *out = (ik_field_info){.name = f->name, .type = ik_type_name(f->type), .n = {1, 1, 1}};
  out->history = f->history;
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (f->on[d]) out->n[out->ndim++] = f->box.hi[d] - f->box.lo[d];
  out->bytes = (size_t)(ik_box_cells(&f->box) * ik_type_bytes(f->type));
}

const char *ik_program_axis(const ik_program *p, int i) {
  return p->ir && i >= 0 && i < p->ir->ndim ? p->ir->axis[i] : NULL;
}
