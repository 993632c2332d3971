#include "api/api.h"
#include "base/fp.h"
#include "base/mem.h"
#include "base/stack.h"
#include "facts/nodes.h"
#include "io/file.h"
#include "io/io.h"
#include "machine/machine.h"
#include "report/film.h"
#include "report/page.h"
#include "runtime/memory.h"
#include "runtime/write.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void ik_run_options_init(ik_run_options *o) { *o = (ik_run_options){0}; }

void ik_picture_options_init(ik_picture_options *o) {
  *o = (ik_picture_options){.axis = -1, .index = -1};
}

/* ---- hooks of the loop ---- */

static void on_progress(const ik_loop_progress *p, void *user) {
  ik_run *r = user;
  ik_joules_sample(&r->energy, ik_loop_clock());
  if (!r->opt.progress) return;
  bool        real = !r->target->simulated && p->seconds > 0;
  double      rate = real ? (double)r->loop.points / p->seconds : 0;
  double      left = p->done > 0 ? p->seconds / (double)p->done * (double)(p->total - p->done) : -1;
  ik_progress q = {p->done, p->total, p->seconds, rate, left, p->max_abs, p->field};
  r->opt.progress(&q, r->opt.user);
}

void ik_run_note_file(ik_run *r, const char *path) { ik_buf_printf(&r->files, "%s\n", path); }

static bool is_hdf5(const char *path) { return ik_io_format_of(path) == IK_IO_HDF5; }

/* For ParaView; of one file, or of all that an output has written on the way. */
static ik_status write_xdmf(ik_run *r, const ik_fields *f, const char *path,
                            const ik_series *series, ik_diag *d) {
  ik_buf    xmf = {0};
  ik_status st = ik_write_xdmf(r->state, f, path, series, &xmf, d);
  if (!st && xmf.len) ik_run_note_file(r, ik_buf_text(&xmf));
  ik_buf_free(&xmf);
  return st;
}

static ik_status write_fields(ik_run *r, const ik_fields *f, const char *path, ik_span at,
                              ik_diag *d) {
  for (int i = 0; i < f->n; i++) IK_TRY(ik_engine_fetch(r->engine, f->field[i], f->level, d));
  IK_TRY(ik_write_fields(r->state, f, path, at, d));
  ik_run_note_file(r, path);
  return IK_OK;
}

static ik_status write_output(ik_run *r, int i, bool numbered, ik_diag *d) {
  const ik_output *o = &r->program->ir->output[i];
  ik_fields        f = {.field = o->field, .n = o->nfield};
  ik_buf           name = {0}, path = {0};
  if (numbered) ik_write_numbered(o->path, r->state->t, &name);
  ik_write_in(r->opt.directory, numbered ? ik_buf_text(&name) : o->path, &path);
  ik_status st = name.failed || path.failed ? ik_file_oom(o->path, o->span, d)
                                            : write_fields(r, &f, ik_buf_text(&path), o->span, d);
  if (!st && !numbered && is_hdf5(o->path)) st = write_xdmf(r, &f, ik_buf_text(&path), NULL, d);
  if (!st && numbered) r->written[i]++;
  ik_buf_free(&name), ik_buf_free(&path);
  return st;
}

/* One text for all files that an output has written on the way. */
static ik_status describe_series(ik_run *r, int i, ik_diag *d) {
  const ik_output *o = &r->program->ir->output[i];
  ik_fields        f = {.field = o->field, .n = o->nfield};
  ik_series        series = {o->every, r->written[i]};
  ik_buf           path = {0};
  if (!is_hdf5(o->path) || !series.count) return IK_OK;
  ik_write_in(r->opt.directory, o->path, &path);
  ik_status st = path.failed ? ik_file_oom(o->path, o->span, d)
                             : write_xdmf(r, &f, ik_buf_text(&path), &series, d);
  ik_buf_free(&path);
  return st;
}

static ik_status on_output(int output, const ik_state *s, ik_diag *d, void *user) {
  ik_run *r = user;
  (void)s;
  return r->opt.quiet_files ? IK_OK : write_output(r, output, true, d);
}

/* ---- life ---- */

/* Values that a list computes in all cells, loops to their last round. */
static double values_of(const ik_stmt *list, ik_arena *a) {
  double n = 0;
  for (const ik_stmt *s = list; s; s = s->next) {
    ik_nodes nodes = {0};
    if (s->kind == IK_ASSIGN || s->kind == IK_REDUCE) ik_nodes_of(s->value, a, &nodes);
    n += (double)ik_box_cells(&s->box) * nodes.n;
    if (s->body) n += values_of(s->body, a) * (s->kind == IK_SWEEP ? 1 : (double)s->count);
  }
  return n;
}

/* What takes the interpreter some tenth of a second is not worth a compiler's time (0.06 to 0.19 s
 * on Neoverse V1, of seven programs). */
const char *ik_default_target(const ik_ir *ir) {
  enum { FEW = 300000000 };
  ik_arena a;
  ik_arena_init(&a);
  if (setjmp(a.oom)) return ik_arena_free(&a), ik_target_reference()->name; /* takes the least */
  double values = values_of(ir->init, &a) + values_of(ir->body, &a);
  ik_arena_free(&a);
  return values < FEW ? ik_target_reference()->name : NULL;
}

ik_status ik_run_loop(ik_run *r, ik_diag *d) {
  ik_loop_hooks hooks = {r->opt.stop, on_progress, on_output, r};
  IK_TRY(ik_loop_create(&r->loop, r->engine, r->opt.check_every, &hooks, d));
  r->looped = true;
  return IK_OK;
}

static ik_status check_counts(const ik_run_options *o, ik_diag *d) {
  bool        threads = o->threads < 0;
  const char *what = threads ? "threads" : "check_every";
  int64_t     v = threads ? o->threads : o->check_every;
  if (v >= 0) return IK_OK;
  return ik_fail(d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN,
                 "%s = %lld: expected 1 or more, or 0 for the default", what, (long long)v);
}

/* The folder for the program's files, which are held to it. */
static ik_status enter_folder(ik_run *r, ik_diag *d) {
  const char *folder = r->opt.directory;
  if (folder) IK_TRY(ik_file_make_folder(folder, 0777, d));
  if (!ik_folder_open(&r->outputs, folder))
    return ik_fail(d, IK_ERR_RESOURCE, IK_E064, IK_NOSPAN, "cannot write to the folder '%s': %s",
                   folder ? folder : ".", strerror(errno));
  if (!r->opt.allow_paths) r->access.write = &r->outputs;
  return IK_OK;
}

static ik_status prepare_files(ik_run *r, ik_diag *d) {
  const ik_ir *ir = r->program->ir;
  bool         written = !r->opt.quiet_files && ir->nrecord + ir->noutput > 0;
  r->access = ik_program_access(r->program);
  if (written) IK_TRY(enter_folder(r, d));
  IK_ON_BEHALF(&r->access);
  return ik_check_files(ir, written, r->opt.directory, d);
}

static ik_status prepare(ik_run *r, ik_diag *d) {
  const ik_ir *ir = r->program->ir;
  const char  *target = r->opt.target;
  IK_TRY(check_counts(&r->opt, d));
  if (!target && !r->opt.strategy && !r->opt.plan) target = ik_default_target(ir);
  r->small = target && !r->opt.target;
  IK_TRY(ik_target_find(target, d, &r->target));
  IK_TRY(ik_target_strategy(r->target, r->opt.strategy, d, &r->strategy));
  IK_TRY(prepare_files(r, d));
  ik_problem problem = {ir,           &r->program->facts,     r->opt.strategy, r->opt.threads,
                        r->opt.cache, .override = r->opt.plan};
  problem.memory = r->opt.max_memory > 0 ? r->opt.max_memory : ik_memory_free();
  return ik_stages_open(r, &problem, d);
}

ik_status ik_run_rewind(ik_run *r, ik_log *log) {
  IK_OWN_ARITHMETIC;
  IK_ON_BEHALF(&r->access);
  ik_state *s = r->state;
  for (int f = 0; f < s->ir->nfield; f++)
    for (int k = 0; k < s->slot[f].nlevel; k++) {
      int level = 1 - s->slot[f].first - k;
      ik_state_clear(s, f, level, 0, s->slot[f].layout->cells);
      ik_engine_dirty(r->engine, f, level);
    }
  for (int i = 0; i < s->ir->nscalar; i++) s->scalar[i] = 0;
  s->t = 0, s->injected = 0;
  memset(r->written, 0, (size_t)s->ir->noutput * sizeof *r->written);
  ik_loop_free(&r->loop);
  r->looped = false;
  IK_TRY(ik_run_loop(r, &log->d));
  return ik_loop_start(&r->loop, &log->d);
}

ik_status ik_run_follow(ik_run *r, const ik_run *other, ik_log *log) {
  IK_OWN_ARITHMETIC;
  IK_TRY(ik_loop_follow(&r->loop, &other->loop, &log->d));
  r->checked = other->checked;
  return IK_OK;
}

typedef struct task { /* what may go deep; see base/stack.h */
  ik_run   *r;
  int64_t   steps;
  ik_diag  *d;
  ik_status status;
} task;

/* Has an engine been described, or a step been predicted, while memory ran out?  Another engine may
 * have taken over where one is compiled; the interpreter is the last one. */
typedef struct losses {
  long cuts, refused;
} losses;

static losses losses_now(void) { return (losses){ik_buf_cuts(), ik_mem_refused()}; }

static void note_losses(ik_run *r, losses before) {
  losses now = losses_now();
  bool   last = r->target == ik_target_reference();
  r->starved |= now.refused != before.refused;
  r->cut |= now.cuts != before.cuts || (last && r->starved);
}

static void prepare_deep(void *ctx) {
  task  *t = ctx;
  losses before = losses_now();
  t->status = prepare(t->r, t->d);
  note_losses(t->r, before);
}

ik_status ik_run_create(ik_program *p, const ik_run_options *o, ik_log *log, ik_run **out) {
  return ik_run_create_in(p, o, NULL, log, out);
}

ik_status ik_run_create_in(ik_program *p, const ik_run_options *o, ik_state **arrays, ik_log *log,
                           ik_run **out) {
  IK_OWN_ARITHMETIC;
  *out = NULL;
  if (!p->ir)
    return ik_fail(&log->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "the program is not compiled");
  ik_run *r = ik_calloc(1, sizeof *r);
  if (!r) return ik_log_no_memory(log);
  r->program = p;
  if (arrays) r->state = *arrays, *arrays = NULL;
  r->outputs.fd = -1;
  if (o) r->opt = *o;
  r->written = ik_calloc((size_t)p->ir->noutput, sizeof *r->written);
  r->copy = ik_calloc((size_t)p->ir->nfield, sizeof *r->copy);
  task t = {.r = r, .d = &log->d};
  if (r->written && r->copy)
    ik_stack_call(prepare_deep, &t);
  else
    t.status = ik_log_no_memory(log);
  if (t.status) ik_run_destroy(&r);
  *out = r;
  return t.status;
}

void ik_run_leave(ik_run **run, ik_state **arrays) {
  if (*run) *arrays = (*run)->state, (*run)->state = NULL;
  ik_run_destroy(run);
}

void ik_run_destroy(ik_run **run) {
  ik_run *r = *run;
  if (!r) return;
  if (r->looped) ik_loop_free(&r->loop);
  if (r->engine) r->engine->ops->destroy(&r->engine);
  ik_state_destroy(&r->state);
  for (int f = 0; r->copy && f < r->program->ir->nfield; f++) ik_free(r->copy[f]);
  ik_free(r->copy);
  ik_folder_close(&r->outputs);
  ik_buf_free(&r->text), ik_buf_free(&r->files);
  ik_free(r->written);
  ik_free(r);
  *run = NULL;
}

/* ---- fields and scalars by name ---- */

int ik_run_field(const ik_run *r, const char *name) {
  const ik_ir *ir = r->program->ir;
  for (int f = 0; f < ir->nfield; f++)
    if (ir->field[f].kind == IK_FIELD_USER && strcmp(ir->field[f].name, name) == 0) return f;
  return -1;
}

static ik_status need_field(const ik_run *r, const char *name, ik_diag *d, int *out) {
  *out = ik_run_field(r, name);
  if (*out >= 0) return IK_OK;
  const ik_ir *ir = r->program->ir;
  ik_buf       all = {0};
  for (int f = 0; f < ir->nfield; f++)
    if (ir->field[f].kind == IK_FIELD_USER)
      ik_buf_printf(&all, "%s%s", all.len ? ", " : "", ir->field[f].name);
  ik_error(d, IK_E010, IK_NOSPAN, "the program has no field '%s'", name);
  ik_help(d, "it has %s", ik_buf_text(&all));
  ik_buf_free(&all);
  return IK_ERR_SOURCE;
}

ik_status ik_run_bind(ik_run *r, const char *field, void *data, size_t bytes, ik_log *log) {
  int f;
  IK_TRY(need_field(r, field, &log->d, &f));
  size_t need = (size_t)r->state->slot[f].layout->cells *
                (size_t)ik_type_bytes(r->program->ir->field[f].type);
  if (bytes != need)
    return ik_fail(&log->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "'%s' takes %zu bytes, not %zu",
                   field, need, bytes);
  if (r->loop.started)
    return ik_fail(&log->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN,
                   "an array can be bound only before the run begins");
  ik_engine_bind(r->engine, f, data);
  return IK_OK;
}

/* Its cells one after the other; the run keeps its own. */
static const void *copy_of(const ik_run *r, int field) {
  const ik_layout_field *l = r->state->slot[field].layout;
  if (!r->copy[field]) r->copy[field] = ik_malloc((size_t)(l->cells * l->element));
  if (r->copy[field]) ik_state_copy_out(r->state, field, 0, r->copy[field]);
  return r->copy[field];
}

const void *ik_run_data(const ik_run *r, const char *field, ik_field_info *info) {
  int f = ik_run_field(r, field);
  if (f < 0 || !ik_engine_has(r->engine, f)) return NULL;
  if (info) ik_field_info_of(&r->program->ir->field[f], info);
  const ik_slot *s = &r->state->slot[f];
  if (s->bound) return s->bound;
  return s->layout->padding ? copy_of(r, f) : ik_state_data(r->state, f, 0);
}

double ik_run_value(const ik_run *r, const char *field, int64_t x, int64_t y, int64_t z) {
  int     f = ik_run_field(r, field);
  int64_t at[IK_MAX_DIM] = {x, y, z};
  if (f < 0) return 0;
  const ik_field *info = &r->program->ir->field[f];
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (info->on[d] && (at[d] < info->box.lo[d] || at[d] >= info->box.hi[d])) return 0;
  return ik_engine_has(r->engine, f) ? ik_state_get(r->state, f, 0, at) : NAN;
}

bool ik_run_scalar(const ik_run *r, const char *name, double *out) {
  const ik_ir *ir = r->program->ir;
  for (int i = 0; i < ir->nscalar; i++)
    if (!ir->scalar[i].hidden && strcmp(ir->scalar[i].name, name) == 0)
      return *out = r->state->scalar[i], r->loop.started && ik_units_has_set(&r->loop.units, ir, i);
  return false;
}

/* ---- running ---- */

ik_status ik_run_check(ik_run *r, ik_diag *d) {
  if (!r->checked && !r->opt.allow_unstable)
    IK_TRY(ik_check_stability(r->program, r->engine, d, &r->stability, &r->of_limit));
  if (!r->checked) IK_TRY(ik_check_sense(r->program, r->engine, d));
  r->checked = true;
  return IK_OK;
}

static ik_status advance(ik_run *r, int64_t steps, ik_diag *d) {
  IK_ON_BEHALF(&r->access);
  return ik_stages_advance(r, steps, d);
}

static void advance_deep(void *ctx) {
  task  *t = ctx;
  losses before = losses_now();
  t->status = advance(t->r, t->steps, t->d);
  note_losses(t->r, before);
}

ik_status ik_run_advance(ik_run *r, int64_t steps, ik_log *log) {
  IK_OWN_ARITHMETIC;
  task t = {.r = r, .steps = steps, .d = &log->d};
  if (steps < -1)
    return ik_fail(
        &log->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN,
        "a run cannot advance by %lld steps: expected 0 or more, or -1 for all that are left",
        (long long)steps);
  if (steps > 0 && ik_run_done(r) && !ik_loop_is_operator(&r->loop))
    return ik_fail(&log->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN,
                   "the run is over: all of its steps are done");
  ik_stack_call(advance_deep, &t);
  return t.status;
}

bool ik_run_done(const ik_run *r) { return r->loop.at == NULL; }

/* ---- files ---- */

ik_status ik_run_write_outputs(ik_run *r, ik_log *log) {
  IK_OWN_ARITHMETIC;
  IK_ON_BEHALF(&r->access);
  const ik_ir *ir = r->program->ir;
  ik_status    first = IK_OK;
  for (int i = 0; i < ir->nrecord && !r->opt.quiet_files; i++) {
    ik_buf path = {0};
    ik_write_in(r->opt.directory, ir->record[i].path, &path);
    ik_status st = path.failed
                       ? ik_file_oom(ir->record[i].path, ir->record[i].span, &log->d)
                       : ik_recorder_write(&r->loop.recorder, i, ik_buf_text(&path), &log->d);
    if (!st)
      ik_run_note_file(r, ik_buf_text(&path));
    else if (!first)
      first = st;
    ik_buf_free(&path);
  }
  for (int i = 0; i < ir->noutput && !r->opt.quiet_files; i++) {
    ik_status st = ir->output[i].every ? describe_series(r, i, &log->d) /* written on the way */
                                       : write_output(r, i, false, &log->d);
    if (st && !first) first = st;
  }
  return first;
}

/* "u" or, of a field that keeps them, the values of earlier steps: "u[t-1]". */
static ik_status need_level(const ik_run *r, const char *name, ik_diag *d, int *field, int *level) {
  const char *bracket = strchr(name, '[');
  ik_buf      base = {0};
  ik_buf_write(&base, name, bracket ? (size_t)(bracket - name) : strlen(name));
  ik_status st =
      base.failed ? ik_file_oom(name, IK_NOSPAN, d) : need_field(r, ik_buf_text(&base), d, field);
  ik_buf_free(&base);
  *level = 0;
  if (st || !bracket) return st;
  int   history = r->program->ir->field[*field].history;
  char *end;
  long  k = strncmp(bracket, "[t-", 3) ? -1 : strtol(bracket + 3, &end, 10);
  if (k >= 0 && k < history && end != bracket + 3 && !strcmp(end, "]"))
    return *level = -(int)k, IK_OK;
  int len = (int)(bracket - name);
  ik_error(d, IK_E081, IK_NOSPAN, "'%s' is not stored", name);
  if (history > 1)
    ik_help(d, "the oldest time level of %.*s is %.*s[t-%d]", len, name, len, name, history - 1);
  else
    ik_help(d, "to store older time levels:  field %.*s : %s, history 2", len, name,
            ik_type_name(r->program->ir->field[*field].type));
  return IK_ERR_SOURCE;
}

ik_status ik_run_write(ik_run *r, const char *path, const char *field, ik_log *log) {
  IK_OWN_ARITHMETIC;
  const ik_ir *ir = r->program->ir;
  int         *all = ik_calloc((size_t)ir->nfield, sizeof *all);
  ik_fields    f = {.field = all, .n = field != NULL};
  ik_status    st = all ? IK_OK : ik_log_no_memory(log);
  if (!st && field) st = need_level(r, field, &log->d, all, &f.level);
  for (int i = 0; !st && !field && i < ir->nfield; i++)
    if (ir->field[i].kind == IK_FIELD_USER) all[f.n++] = i;
  if (!st) st = write_fields(r, &f, path, IK_NOSPAN, &log->d);
  if (!st && is_hdf5(path)) st = write_xdmf(r, &f, path, NULL, &log->d);
  ik_free(all);
  return st;
}

/* ---- pictures and reports ---- */

static ik_page_input page_input(const ik_run *r) {
  return (ik_page_input){.ir = r->program->ir,
                         .facts = &r->program->facts,
                         .loop = &r->loop,
                         .source = r->program->text->content,
                         .target = r->target->name,
                         .simulated = r->engine->simulated,
                         .plan = r->engine->plan ? r->engine->plan : ik_run_help(r),
                         .threads = r->engine->simulated ? 0 : r->engine->threads,
                         .machine = r->engine->simulated ? r->engine->simulated->machine
                                                         : ik_machine_processor(),
                         .version = IK_VERSION};
}

static ik_status slice_of(const ik_run *r, const ik_picture_options *o, ik_diag *d,
                          ik_page_slice *out) {
  ik_page_input in = page_input(r);
  *out = ik_page_default_slice(&in);
  if (!o) return IK_OK;
  if (o->field) IK_TRY(need_field(r, o->field, d, &out->field));
  if (o->field) *out = ik_page_slice_of(&in, out->field);
  if (o->axis >= 0) out->axis = o->axis, out->index = r->program->ir->n[o->axis % 3] / 2;
  if (o->index >= 0) out->index = o->index;
  out->lo = o->lo, out->hi = o->hi;
  return IK_OK;
}

ik_status ik_run_can_draw(const ik_run *r, const ik_picture_options *o, ik_log *log) {
  ik_page_slice s;
  ik_page_input in = page_input(r);
  IK_TRY(slice_of(r, o, &log->d, &s));
  return ik_page_check_slice(&in, &s, &log->d);
}

ik_status ik_run_picture(ik_run *r, const ik_picture_options *o, const char *path, ik_log *log) {
  IK_OWN_ARITHMETIC;
  ik_page_slice s;
  ik_page_input in = page_input(r);
  IK_TRY(slice_of(r, o, &log->d, &s));
  IK_TRY(ik_page_picture(&in, &s, path, &log->d));
  ik_run_note_file(r, path);
  return IK_OK;
}

static ik_status take_frame(ik_run *r, const ik_picture_options *o, ik_film *film, ik_diag *d) {
  ik_page_slice s;
  ik_page_input in = page_input(r);
  IK_TRY(slice_of(r, o, d, &s));
  return ik_film_take(film, &in, &s, d);
}

/* The frames on the way; those before a failure are kept. */
static ik_status take_frames(ik_run *r, const ik_picture_options *o, int64_t every, ik_film *film,
                             ik_log *log) {
  IK_TRY(ik_run_advance(r, 0, log));
  for (;;) {
    IK_TRY(take_frame(r, o, film, &log->d));
    if (ik_run_done(r)) return IK_OK;
    IK_TRY(ik_run_advance(r, every, log));
  }
}

ik_status ik_run_animate(ik_run *r, const ik_picture_options *o, const ik_film_options *to,
                         ik_log *log) {
  IK_OWN_ARITHMETIC;
  enum { ABOUT = 48, MOST = 1000000 };
  int64_t total = r->loop.total, every = to->every;
  ik_film film;
  if (every <= 0) every = total > ABOUT ? (total + ABOUT - 1) / ABOUT : 1;
  if (every > total) every = total ? total : 1;
  if ((total + every - 1) / every > MOST)
    return ik_fail(&log->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN,
                   "an animation has at most %d frames, and this one would have more", MOST);
  int           frames = (int)((total + every - 1) / every) + 1;
  ik_status     st = ik_film_open(&film, to->frames, to->movie, frames, &log->d);
  ik_page_input in = page_input(r);
  if (!st) st = take_frames(r, o, every, &film, log);
  ik_status drawn = ik_film_finish(&film, &in, &log->d);
  if (film.drawn && to->frames) ik_run_note_file(r, to->frames);
  if (film.drawn && to->movie && !drawn) ik_run_note_file(r, to->movie);
  ik_film_close(&film);
  return st ? st : drawn;
}

static void say_parameters(const ik_ir *ir, ik_buf *b) {
  for (int i = 0; i < ir->nparam; i++) {
    if (i) ik_buf_puts(b, ", ");
    ik_put_parameter(&ir->param[i], b);
  }
}

/* Those of the program, and what the values of coefficients that are fields add to them. */
static ik_facts facts_of(const ik_run *r) {
  ik_facts f = r->program->facts;
  if (!r->stability.known) return f;
  f.stability = r->stability;
  f.cfl = r->of_limit > 0 ? 1 / (r->of_limit * r->of_limit) : NAN;
  return f;
}

static void say_date(char *out, size_t cap) {
  time_t    now = time(NULL);
  struct tm t;
  if (!gmtime_r(&now, &t) || !strftime(out, cap, "%Y-%m-%d %H:%M UTC", &t)) *out = 0;
}

ik_status ik_run_report(ik_run *r, const char *directory, const char *command, ik_log *log,
                        const char **path) {
  IK_OWN_ARITHMETIC;
  ik_page_input in = page_input(r);
  ik_outcome    o = ik_run_outcome(r);
  ik_facts      facts = facts_of(r);
  ik_buf        json = {0}, parameters = {0};
  char          date[32];
  say_date(date, sizeof date);
  say_parameters(in.ir, &parameters);
  in.outcome = &o, in.date = date, in.facts = &facts, in.parameters = ik_buf_text(&parameters);
  const char *text = ik_run_json(r);
  if (text) ik_buf_puts(&json, text);
  in.command = command, in.json = ik_buf_text(&json), in.summary = ik_run_summary(r);
  ik_buf    page = {0};
  bool      cut = !text || json.failed || parameters.failed || !in.summary;
  ik_status st = cut ? ik_log_no_memory(log) : ik_page_write(&in, directory, &page, &log->d);
  if (!st) ik_run_note_file(r, ik_buf_text(&page));
  ik_buf_free(&json), ik_buf_free(&parameters);
  ik_buf_free(&r->text);
  r->text = page;
  if (path) *path = st ? NULL : ik_buf_text(&r->text);
  return st;
}
