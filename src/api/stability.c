/* Is the time step stable?  Weights may depend on fields that a step does not update (a velocity):
 * these are frozen at their extremes, one after the other, once a run has given them values; before
 * that, at what the program says they are. */
#include "api/api.h"
#include "base/fp.h"
#include "io/file.h"
#include <math.h>

typedef struct frozen {
  const ik_ir    *ir;
  const ik_state *state; /* NULL before a run */
  bool            largest;
} frozen;

static double extreme(const ik_state *s, int field, bool largest) {
  enum { N = 1024 };
  const ik_field *f = &s->ir->field[field];
  const void     *data = ik_state_data(s, field, 0);
  int64_t         cells = s->slot[field].cells;
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
  if (!z->state) return ik_facts_known((void *)z->ir, leaf);
  if (leaf->op == IK_OP_SCALAR) return z->state->scalar[leaf->id];
  if (leaf->op != IK_OP_READ) return NAN;
  if (z->state->ir->field[leaf->id].kind == IK_FIELD_HIDDEN) return 0;
  if (z->state->ir->field[leaf->id].kind == IK_FIELD_TEMP) return NAN;
  return extreme(z->state, leaf->id, z->largest);
}

static ik_stability analyse(const ik_ir *ir, const ik_facts *f, frozen *z, ik_arena *a) {
  ik_linear    l;
  ik_stability s;
  ik_linear_of(ir, &f->subject, &f->pattern, freeze, z, a, &l);
  ik_stability_of(ir, &f->subject, &l, a, &s);
  return s;
}

/* dt over its limit for a wave equation, whose k = (V dt)^2 may grow by a known factor. */
static double part_of_limit(const ik_program *p, const ik_state *state, ik_arena *a) {
  const ik_ir    *ir = p->ir;
  const ik_facts *f = &p->facts;
  frozen          high = {ir, state, true};
  ik_linear       l;
  double          factor;
  ik_linear_of(ir, &f->subject, &f->pattern, freeze, &high, a, &l);
  if (f->pattern.field < 0 || ir->dt <= 0) return 0;
  const ik_coefs *after = ik_linear_after(ir, &f->subject, &l, a)[f->pattern.field];
  bool            wave = after && ik_cfl_of(ir->ndim, f->pattern.field, after, &factor);
  return wave && factor > 0 && isfinite(factor) ? 1 / sqrt(factor) : 0;
}

/* Growth that a constant state shows too is meant by the program; more than that is not. */
static bool is_unstable(const ik_stability *s) {
  return s->known && !s->stable && s->max_g > s->mean_g + s->tolerance;
}

/* The worse of both extremes. */
static ik_stability worst(const ik_ir *ir, const ik_facts *f, const ik_state *state, ik_arena *a) {
  frozen       low = {ir, state, false}, high = {ir, state, true};
  ik_stability s = analyse(ir, f, &high, a), t = analyse(ir, f, &low, a);
  return t.known && (!s.known || t.max_g > s.max_g) ? t : s;
}

static bool unstable_at(const ik_program *p, const ik_state *state, double dt) {
  ik_arena      a;
  ik_ir        *ir;
  ik_facts      f;
  ik_diag       ignored = {0};
  volatile bool bad = true; /* it lives through a jump */
  ik_arena_init(&a);
  ik_status st = ik_compile(p, dt, &a, &ignored, &ir, &f);
  if (!st && !setjmp(a.oom)) {
    ik_stability s = worst(ir, &f, state, &a);
    bad = is_unstable(&s);
  }
  ik_diag_free(&ignored);
  ik_arena_free(&a);
  return bad;
}

/* The largest stable dt below the one given, to a part in a million; 0 if there is none. */
static double limit_below(const ik_program *p, const ik_state *state, double dt) {
  double good = 0, bad = dt, try = dt / 2;
  while (bad - good > 1e-6 * bad && bad > 1e-9 * dt) {
    if (unstable_at(p, state, try))
      bad = try;
    else
      good = try;
    try = (good + bad) / 2;
  }
  return good;
}

static void report(const ik_program *p, const ik_state *state, const ik_stability *s, ik_diag *d) {
  const ik_param *dt = ik_ir_param(p->ir, "dt");
  double          limit = dt ? limit_below(p, state, dt->value) : 0;
  if (limit > 0) {
    ik_fail(d, IK_ERR_SOURCE, IK_E071, dt->span, "dt = %g is beyond the stability limit %.6g",
            dt->value, limit);
    ik_help(d, "set it in the program or outside:  dt=%.3g%s", 0.95 * limit, dt->unit ? "s" : "");
  } else {
    ik_span at = p->facts.subject.loop ? p->facts.subject.loop->span : IK_NOSPAN;
    ik_fail(d, IK_ERR_SOURCE, IK_E071, at,
            "this step is unstable: a wave grows %.4g times each step", s->max_g);
    ik_help(d, "make what is added each step smaller");
  }
  ik_note_add(d, IK_NOSPAN,
              "von Neumann: |G| = %.6g at wavenumber (%.3g, %.3g, %.3g) per cell; "
              "run it all the same with --allow-unstable",
              s->max_g, s->theta[0], s->theta[1], s->theta[2]);
}

ik_status ik_check_stability(const ik_program *p, const ik_state *state, ik_diag *d,
                             ik_stability *s, double *of_limit) {
  ik_arena a;
  ik_arena_init(&a);
  *s = (ik_stability){0}, *of_limit = 0;
  if (setjmp(a.oom)) {
    ik_arena_free(&a);
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "out of memory");
  }
  bool many =
      p->facts.subject.steps && p->facts.subject.loop->count > 1; /* one applies an operator */
  if (many && p->facts.linear.linear) *s = worst(p->ir, &p->facts, state, &a);
  bool bad = is_unstable(s);
  if (bad)
    report(p, state, s, d);
  else if (s->known)
    *of_limit = part_of_limit(p, state, &a);
  if (*of_limit > 0.99) {
    ik_warn(d, IK_W003, ik_ir_param(p->ir, "dt")->span, "dt is %.4g %% of its stability limit",
            100 * *of_limit);
    ik_help(d, "use a slightly smaller dt, so that rounding cannot push it over the limit");
  }
  ik_arena_free(&a);
  return bad ? IK_ERR_SOURCE : IK_OK;
}

static void check_file(const ik_stmt *s, void *ctx) {
  if (s->kind == IK_LOAD) ik_file_readable(s->path, s->span, ctx);
}

ik_status ik_program_check(const ik_program *p, ik_log *log) {
  IK_OWN_ARITHMETIC;
  int          errors = log->d.nerror;
  ik_stability s;
  double       of_limit;
  ik_ir_each_stmt(p->ir, check_file, &log->d);
  IK_TRY(ik_check_stability(p, NULL, &log->d, &s, &of_limit));
  return log->d.nerror > errors ? IK_ERR_SOURCE : IK_OK;
}
