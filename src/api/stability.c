/* Is the time step stable?  Weights may depend on fields that a step does not update (a velocity):
 * these are frozen at their extremes, one after the other, once a run has given them values; before
 * that, at what the program says they are. */
#include "api/api.h"
#include "base/fp.h"
#include "base/stack.h"
#include "facts/sampling.h"
#include "facts/zero.h"
#include "io/file.h"
#include "io/io.h"
#include "runtime/write.h"
#include <math.h>

typedef struct frozen {
  const ik_ir *ir;
  ik_engine   *engine; /* NULL before a run */
  bool         largest;
} frozen;

/* NaN if its values cannot be had. */
static double extreme(ik_engine *engine, int field, bool largest) {
  enum { N = 1024 };
  const ik_state *s = engine->state;
  if (!ik_engine_has(engine, field)) return NAN;
  const ik_field *f = &s->ir->field[field];
  const void     *data = ik_state_data(s, field, 0);
  int64_t         cells = s->slot[field].layout->cells;
  double          row[N], best = largest ? -INFINITY : INFINITY;
  for (int64_t i = 0, n; i < cells; i += n) {
    n = cells - i < N ? cells - i : N;
    int64_t at = ik_state_cell(s, field, i, &n);
    ik_state_load_row(f->type, data, at, n, row);
    for (int64_t k = 0; k < n; k++)
      if (largest ? row[k] > best : row[k] < best) best = row[k];
  }
  return best;
}

static double freeze(void *ctx, const ik_expr *leaf) {
  const frozen *z = ctx;
  if (!z->engine) return ik_facts_known((void *)z->ir, leaf);
  if (leaf->op == IK_OP_SCALAR) return z->engine->state->scalar[leaf->id];
  if (leaf->op != IK_OP_READ) return NAN;
  if (z->ir->field[leaf->id].kind == IK_FIELD_HIDDEN) return 0;
  if (z->ir->field[leaf->id].kind == IK_FIELD_TEMP) return NAN;
  return extreme(z->engine, leaf->id, z->largest);
}

static ik_stability analyse(const ik_ir *ir, const ik_facts *f, frozen *z, const ik_what_if *other,
                            ik_arena *a) {
  ik_linear    l;
  ik_stability s;
  ik_linear_of(ir, &f->subject, &f->pattern, freeze, z, a, &l);
  ik_stability_with(ir, &f->subject, &l, other, a, &s);
  return s;
}

/* dt over its limit for a wave equation, whose k = (V dt)^2 may grow by a known factor. */
static double part_of_limit(const ik_program *p, ik_engine *engine, ik_arena *a) {
  const ik_ir    *ir = p->ir;
  const ik_facts *f = &p->facts;
  frozen          high = {ir, engine, true};
  ik_linear       l;
  double          factor;
  ik_linear_of(ir, &f->subject, &f->pattern, freeze, &high, a, &l);
  if (f->pattern.field < 0 || ir->dt <= 0) return 0;
  const ik_coefs *after = ik_linear_after(ir, &f->subject, &l, a)[f->pattern.field];
  bool            wave = after && ik_cfl_of(ir->ndim, f->pattern.field, after, &factor);
  return wave && factor > 0 && isfinite(factor) ? 1 / sqrt(factor) : 0;
}

/* Growth that a constant state shows too, without swinging, is meant by the program. */
static bool is_unstable(const ik_stability *s) {
  return s->known && !s->stable && s->max_g > s->steady_g + s->tolerance;
}

static const ik_what_if as_it_is = {.share = 1};

/* The worse of both extremes. */
static ik_stability worst(const ik_ir *ir, const ik_facts *f, ik_engine *engine,
                          const ik_what_if *other, ik_arena *a) {
  frozen       low = {ir, engine, false}, high = {ir, engine, true};
  ik_stability s = analyse(ir, f, &high, other, a), t = analyse(ir, f, &low, other, a);
  return t.known && (!s.known || t.max_g > s.max_g) ? t : s;
}

/* ---- what would be stable ---- */

typedef struct trial {
  const ik_program *p;
  ik_engine        *engine;
  bool (*at)(const struct trial *x, double v, ik_stability *s); /* false: cannot be told */
} trial;

static bool with_dt(const trial *x, double dt, ik_stability *s) {
  ik_arena      a;
  ik_ir        *ir;
  ik_facts      f;
  ik_diag       ignored = {0};
  volatile bool ok = false; /* it lives through a jump */
  ik_arena_init(&a);
  ik_status st = ik_compile(x->p, dt, &a, &ignored, &ir, &f);
  if (!st && !setjmp(a.oom)) {
    *s = worst(ir, &f, x->engine, &as_it_is, &a);
    ok = true;
  }
  ik_diag_free(&ignored);
  ik_arena_free(&a);
  return ok;
}

static bool with(const trial *x, const ik_what_if *other, ik_stability *s) {
  ik_arena      a;
  volatile bool ok = false;
  ik_arena_init(&a);
  if (!setjmp(a.oom)) {
    *s = worst(x->p->ir, &x->p->facts, x->engine, other, &a);
    ok = s->known;
  }
  ik_arena_free(&a);
  return ok;
}

static bool with_share(const trial *x, double share, ik_stability *s) {
  return with(x, &(ik_what_if){.share = share}, s);
}

/* Some schemes grow whatever the step, and the less the smaller it is: such growth is at some point
 * within tolerance, which is no limit. */
static bool is_limit(const trial *x, double good, double top) {
  ik_stability s;
  if (good > top / 2 || !x->at(x, 2 * good, &s)) return good > 0;
  return good > 0 && s.max_g > 1 + 8 * s.tolerance;
}

/* The largest stable value below an unstable one, to a part in a million; 0 if there is none. */
static double limit_below(const trial *x, double top) {
  double       good = 0, bad = top, try = top / 2;
  ik_stability s;
  while (bad - good > 1e-6 * bad && bad > 1e-9 * top) {
    if (!x->at(x, try, &s) || is_unstable(&s))
      bad = try;
    else
      good = try;
    try = (good + bad) / 2;
  }
  return is_limit(x, good, top) ? good : 0;
}

/* ---- messages ---- */

/* There is no dt that would help. */
static void report_step(const trial *x, const ik_stability *s, ik_diag *d) {
  const ik_subject *subject = &x->p->facts.subject;
  bool              wave = s->theta[0] || s->theta[1] || s->theta[2];
  double            share = limit_below(x, 1);
  ik_stability      fresh;
  ik_fail(d, IK_ERR_SOURCE, IK_E071, subject->loop ? subject->loop->span : IK_NOSPAN,
          "this step is unstable: a %s grows %.4g times each step",
          wave ? "wave" : "constant state", s->max_g);
  if (share > 0)
    ik_help(d, "multiply what is added each step by %.3g or less", 0.999 * share);
  else if (with(x, &(ik_what_if){.share = 1, .fresh = true}, &fresh) && fresh.stable)
    ik_help(d, "read the new value (u' in place of u) of each field that is updated before");
  else if (with_share(x, 0.5, &fresh))
    ik_help(d, "no smaller step is stable; if growth is meant, run it with --allow-unstable");
  else
    ik_help(d, "make what is added each step smaller");
}

static void report(const ik_program *p, ik_engine *engine, const ik_stability *s, ik_diag *d) {
  const ik_param *dt = ik_ir_param(p->ir, "dt");
  double          limit = dt ? limit_below(&(trial){p, engine, with_dt}, dt->value) : 0;
  if (limit > 0) {
    ik_fail(d, IK_ERR_SOURCE, IK_E071, dt->span, "dt = %g is beyond the stability limit %.6g",
            dt->value, limit);
    ik_help(d, "set it in the program or on the command line:  dt=%.3g%s", 0.95 * limit,
            dt->unit ? "s" : "");
  } else {
    report_step(&(trial){p, engine, with_share}, s, d);
  }
  ik_note_add(d, IK_NOSPAN,
              "von Neumann: |G| = %.6g at wavenumber (%.3g, %.3g, %.3g) per cell; "
              "--allow-unstable runs it anyway",
              s->max_g, s->theta[0], s->theta[1], s->theta[2]);
}

ik_status ik_check_stability(const ik_program *p, ik_engine *engine, ik_diag *d, ik_stability *s,
                             double *of_limit) {
  ik_arena a;
  ik_arena_init(&a);
  *s = (ik_stability){0}, *of_limit = 0;
  if (setjmp(a.oom)) {
    ik_arena_free(&a);
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "out of memory");
  }
  bool many =
      p->facts.subject.steps && p->facts.subject.loop->count > 1; /* one applies an operator */
  if (many && p->facts.linear.linear) *s = worst(p->ir, &p->facts, engine, &as_it_is, &a);
  bool bad = is_unstable(s);
  if (bad)
    report(p, engine, s, d);
  else if (s->known)
    *of_limit = part_of_limit(p, engine, &a);
  if (*of_limit > 0.99) {
    ik_warn(d, IK_W003, ik_ir_param(p->ir, "dt")->span, "dt is %.4g %% of its stability limit",
            100 * *of_limit);
    ik_help(d, "use a slightly smaller dt, so that rounding cannot push it over the limit");
  }
  ik_arena_free(&a);
  return bad ? IK_ERR_SOURCE : IK_OK;
}

/* ---- what is right, and most likely not meant ---- */

/* The weights of the new values of the field shown, with all that is frozen at its smallest. */
static const ik_coefs *slowest(const ik_program *p, ik_engine *engine, ik_arena *a) {
  const ik_facts *f = &p->facts;
  frozen          low = {p->ir, engine, false};
  ik_linear       l;
  double          factor;
  if (f->pattern.field < 0 || !f->subject.steps || !f->linear.linear) return NULL;
  ik_linear_of(p->ir, &f->subject, &f->pattern, freeze, &low, a, &l);
  const ik_coefs *after = ik_linear_after(p->ir, &f->subject, &l, a)[f->pattern.field];
  return after && ik_cfl_of(p->ir->ndim, f->pattern.field, after, &factor) ? after : NULL;
}

static void warn_sampling(const ik_ir *ir, const ik_inject *j, const ik_sampling *s, ik_diag *d) {
  const char *m = ir->has_spacing ? " m" : "";
  double      h = ir->spacing[s->axis], share = s->points / s->enough;
  ik_warn(d, IK_W004, j->span,
          "%.3g points per wavelength along %s; a scheme of order %d needs %.3g", s->points,
          ir->axis[s->axis], s->order, s->enough);
  ik_note_add(d, IK_NOSPAN,
              "frequencies up to %.3g Hz at %.4g%s/s: the shortest wave is %.3g%s, a cell %.3g%s",
              j->frequency, s->speed, m, s->wavelength, m, h, m);
  ik_help(d, "use a spacing of %.3g%s or less, or %.3g times the frequency%s", h * share, m, share,
          s->order < 8 ? ", or a higher order" : "");
}

static void check_sampling(const ik_program *p, ik_engine *engine, ik_arena *a, ik_diag *d) {
  const ik_ir    *ir = p->ir;
  const ik_coefs *after = NULL;
  bool            many = p->facts.subject.steps && p->facts.subject.loop->count > 1;
  for (int i = 0; many && ir->dt > 0 && i < ir->ninject; i++) {
    const ik_inject *j = &ir->inject[i];
    ik_sampling      s;
    if (!(j->frequency > 0) || j->field != p->facts.pattern.field) continue;
    if (!after && !(after = slowest(p, engine, a))) return;
    if (ik_sampling_of(ir, after, j->frequency, &s) && s.points < 0.99 * s.enough)
      warn_sampling(ir, j, &s, d);
  }
}

/* A caller of the library may have given it values. */
static bool is_zero_now(ik_engine *x, int field) {
  return !x || (extreme(x, field, true) == 0 && extreme(x, field, false) == 0);
}

static void check_zero(const ik_program *p, ik_engine *engine, ik_arena *a, ik_diag *d) {
  const ik_ir *ir = p->ir;
  const bool  *zero = ik_zero_of(ir, a);
  for (int f = 0; f < ir->nfield; f++) /* one of several that hang together is not */
    if (zero[f] && ir->field[f].kind == IK_FIELD_USER && !is_zero_now(engine, f)) return;
  for (int f = 0; f < ir->nfield; f++) {
    if (!ik_zero_is_odd(ir, zero, f)) continue;
    const char *u = ir->field[f].name;
    ik_warn(d, IK_W007, ir->field[f].span,
            "'%s' stays zero: no initial value, source or boundary value ever reaches it", u);
    ik_help(d, "give it an initial value, as in  init %s = noise(1) , or a source", u);
  }
}

ik_status ik_check_sense(const ik_program *p, ik_engine *engine, ik_diag *d) {
  ik_arena a;
  ik_arena_init(&a);
  if (setjmp(a.oom)) {
    ik_arena_free(&a);
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "out of memory");
  }
  check_sampling(p, engine, &a, d);
  check_zero(p, engine, &a, d);
  ik_arena_free(&a);
  return IK_OK;
}

/* ---- before anything is computed ---- */

typedef struct inputs {
  ik_diag  *d;
  ik_status status; /* of the first that is missing */
} inputs;

static void check_input(const ik_stmt *s, void *ctx) {
  inputs *in = ctx;
  if (s->kind != IK_LOAD) return;
  ik_status st = ik_io_usable(s->path, s->raw_type >= 0, s->span, in->d);
  if (!st) st = ik_file_readable(s->path, s->span, in->d);
  if (st && !in->status) in->status = st;
}

ik_status ik_check_files(const ik_ir *ir, bool written, const char *directory, ik_diag *d) {
  inputs in = {.d = d};
  ik_ir_each_stmt(ir, check_input, &in);
  IK_TRY(ik_recorder_check(ir, d));
  if (written) IK_TRY(ik_write_check(ir, directory, d));
  return in.status;
}

typedef struct task { /* what may go deep; see base/stack.h */
  const ik_program *p;
  ik_diag          *d;
  ik_status         status;
} task;

static void check(void *ctx) {
  task        *t = ctx;
  ik_stability s;
  double       of_limit;
  t->status = ik_check_stability(t->p, NULL, t->d, &s, &of_limit);
  if (!t->status) t->status = ik_check_sense(t->p, NULL, t->d);
}

ik_status ik_program_check(const ik_program *p, ik_log *log) {
  IK_OWN_ARITHMETIC;
  ik_access access = ik_program_access(p);
  if (p->nread) access.write = &p->reads[0]; /* the current folder: that of a run */
  IK_ON_BEHALF(&access);
  ik_status files = ik_check_files(p->ir, true, NULL, &log->d);
  task      t = {.p = p, .d = &log->d};
  ik_stack_call(check, &t);
  return t.status ? t.status : files;
}
