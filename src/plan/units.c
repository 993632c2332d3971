/* General-purpose and matrix units: the model of "Do We Need Tensor Cores for Stencil
 * Computations?", for any program. */
#include "base/arena.h"
#include "model/matrix.h"
#include "model/roofline.h"
#include "plan/candidate.h"
#include <math.h>
#include <string.h>

enum { INSTRUCTIONS = 16 };

struct ik_units_memo { /* zero: not known yet */
  ik_arena               *a;
  const struct ik_points *wide[IK_FUSE_MAX + 1]; /* [steps] the pattern of so many in one */
  double                  sparsity[INSTRUCTIONS][2][IK_FUSE_MAX + 1]; /* [unit][scheme][steps] */
};

ik_units_memo *ik_units_memo_new(ik_arena *a) {
  ik_units_memo *memo = IK_NEW(a, ik_units_memo);
  memo->a = a;
  return memo;
}

typedef struct desk {
  const ik_question *q;
  const ik_machine  *m;
  ik_arena          *a;
  ik_candidates     *out;
  ik_units_memo     *memo;
  ik_roofline        roofs;
  ik_type            type;                     /* of the field that is updated */
  double             bandwidth, power, launch; /* B/s, W, s; 0: not known */
} desk;

/* ---- one candidate ---- */

/* Fills in what follows from operations and bytes of a pass of c->steps steps.  Launches are
 * queued: they show where a pass is shorter (model/link.h). */
static void judge(const desk *d, double peak, ik_candidate *c) {
  double cells = d->q->cells, passes = ceil(d->q->steps / c->steps);
  double compute = c->flops * cells / peak, memory = c->bytes * cells / d->bandwidth;
  double pass = fmax(compute, memory);
  c->launch_bound = pass < d->launch;
  pass = fmax(pass, d->launch);
  c->intensity = c->bytes > 0 ? c->flops / c->bytes : INFINITY;
  c->ridge = ik_roofline_ridge(peak, d->bandwidth);
  c->memory_bound = memory > compute;
  c->seconds = pass * passes;
  c->gstencils = pass > 0 ? cells * d->q->steps / c->seconds / 1e9 : INFINITY;
  c->use_memory = pass > 0 ? memory / pass : 0, c->use_unit = pass > 0 ? compute / pass : 0;
  c->joules = d->power > 0 ? d->power * c->seconds : NAN;
}

static void add(desk *d, ik_candidate c, double peak) {
  c.machine = d->m->name, c.target = ik_machine_text(d->m, "kind");
  if (!c.target) c.target = "?";
  judge(d, peak, &c);
  IK_PUSH(d->a, d->out->at, d->out->n, d->out->cap, c);
}

/* ---- general-purpose units ---- */

static int deepest(const desk *d) {
  const ik_facts *f = d->q->facts;
  double          most = fmin(d->q->steps, 16);
  return f->depend.tiling.legal ? (int)most : 1;
}

static void add_general(desk *d, const char *unit, double peak) {
  for (int t = 1; t <= deepest(d); t++)
    add(d,
        (ik_candidate){.strategy = t > 1 ? "fuse" : "sweep",
                       .unit = unit,
                       .steps = t,
                       .alpha = 1,
                       .sparsity = 1,
                       .flops = ik_question_flops(d->q) * t,
                       .bytes = d->q->facts->bytes.cell,
                       .note = ""},
        peak);
}

/* ---- matrix units ---- */

static const ik_points *pattern_of(const ik_question *q) {
  return q->facts->pattern.after[q->facts->pattern.field];
}

/* 0 if the pattern is too large to be fused. */
static double sparsity_of(const desk *d, const ik_matrix_instruction *u, ik_matrix_scheme scheme,
                          int t) {
  ptrdiff_t at = u - ik_matrix_instructions;
  IK_ASSERT(at < INSTRUCTIONS);
  double                  *s = &d->memo->sparsity[at][scheme][t];
  const struct ik_points **wide = &d->memo->wide[t];
  if (*s > 0) return *s;
  if (!*wide) *wide = ik_matrix_fuse(pattern_of(d->q), t, d->memo->a);
  if (!*wide) return 0;
  *s = ik_matrix_sparsity(*wide, scheme, u->tile, IK_MATRIX_PADDED);
  if (u->sparse) *s = ik_matrix_sparsity_24(*s);
  return *s;
}

static void add_unit_depth(desk *d, const ik_matrix_instruction *u, ik_matrix_scheme scheme,
                           double peak, double general, int t) {
  const ik_fused *k = &d->q->facts->fused;
  double          s = sparsity_of(d, u, scheme, t);
  if (!(s > 0)) return;
  ik_matrix_stencil st = {(double)k->points[1], (double)k->points[t], t, u->value};
  ik_matrix_work    w = ik_matrix_unit(&st, s);
  ik_matrix_machine m = {general, peak, d->bandwidth};
  ik_matrix_verdict v = ik_matrix_compare(&st, s, &m);
  add(d,
      (ik_candidate){.strategy = u->sparse                  ? "matrix-sparse"
                                 : scheme == IK_MATRIX_BAND ? "matrix-band"
                                                            : "matrix-flat",
                     .unit = u->unit,
                     .steps = t,
                     .alpha = v.alpha,
                     .sparsity = s,
                     .flops = w.operations,
                     .bytes = d->q->facts->bytes.cell,
                     .scenario = v.scenario,
                     .error = u->error,
                     .note = v.sweet ? "sweet spot" : ""},
      peak);
}

/* Only bands can be put into the form that a sparse unit wants. */
static void add_matrix(desk *d, const ik_matrix_instruction *u, double general) {
  if (strcmp(u->type, ik_type_name(d->type))) return;
  int at = ik_roofline_find(&d->roofs, u->unit);
  int deep = (int)fmin(d->q->facts->fused.n, d->q->steps);
  if (at < 0) return;
  for (int t = 1; t <= deep; t++) {
    add_unit_depth(d, u, IK_MATRIX_BAND, d->roofs.roof[at].rate, general, t);
    if (!u->sparse) add_unit_depth(d, u, IK_MATRIX_FLATTEN, d->roofs.roof[at].rate, general, t);
  }
}

/* ---- all ---- */

void ik_candidates_units(const ik_question *q, const ik_machine *m, ik_arena *a,
                         ik_candidates *out) {
  desk d = {.q = q, .m = m, .a = a, .out = out, .memo = q->memo, .type = ik_question_type(q)};
  if (!d.memo) d.memo = ik_units_memo_new(a);
  d.roofs = ik_roofline_of(m, a);
  int general = ik_roofline_find(&d.roofs, ik_type_name(d.type));
  int memory = general < 0 ? -1 : ik_roofline_find(&d.roofs, "memory");
  if (memory < 0) return;
  d.bandwidth = d.roofs.roof[memory].rate;
  if (!ik_machine_number(m, "power.tdp", "W", &d.power)) d.power = 0;
  if (!ik_machine_number(m, "time.launch", "s", &d.launch)) d.launch = 0;
  add_general(&d, d.roofs.roof[general].name, d.roofs.roof[general].rate);
  for (const ik_matrix_instruction *u = ik_matrix_instructions; u->unit && ik_question_is_matrix(q);
       u++)
    add_matrix(&d, u, d.roofs.roof[general].rate);
}
