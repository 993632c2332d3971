#include "plan/candidate.h"
#include <math.h>

/* Cells that one step or round assigns last: those of the grid as a rule. */
static double cells_of(const ik_ir *ir) {
  double n = 1;
  for (int d = 0; d < ir->ndim; d++) n *= (double)ir->n[d];
  return n;
}

static double steps_of(const ik_ir *ir) {
  double n = 0;
  for (const ik_stmt *s = ir->body; s; s = s->next)
    if (ik_stmt_is_loop(s)) n += (double)s->count;
  return n > 0 ? n : 1;
}

ik_question ik_question_of(const ik_ir *ir, const ik_facts *f) {
  return (ik_question){.ir = ir, .facts = f, .cells = cells_of(ir), .steps = steps_of(ir)};
}

double ik_question_flops(const ik_question *q) {
  const ik_facts *f = q->facts;
  bool            sum = f->linear.linear && f->linear.constant && f->pattern.points > 0;
  return sum ? 2.0 * f->pattern.points : (double)f->flops.cell;
}

ik_type ik_question_type(const ik_question *q) {
  int f = q->facts->pattern.field;
  if (f < 0)
    for (int i = 0; i < q->ir->nfield && f < 0; i++)
      if (q->ir->field[i].kind == IK_FIELD_USER) f = i;
  return f < 0 ? IK_F64 : q->ir->field[f].type;
}

bool ik_question_is_matrix(const ik_question *q) {
  const ik_facts *f = q->facts;
  int             levels = 0, fields = 0;
  for (int i = 0; i <= IK_MAX_HISTORY; i++) levels += f->pattern.level_points[i] > 0;
  for (int i = 0; i < q->ir->nfield; i++) fields += q->ir->field[i].has_new;
  return f->linear.linear && f->linear.constant && levels == 1 && fields <= 1 &&
         f->pattern.field >= 0;
}

double ik_candidate_cost(const ik_candidate *c, ik_objective o) {
  double cost = o == IK_LEAST_TIME     ? c->seconds
                : o == IK_LEAST_ENERGY ? c->joules
                                       : c->joules * c->seconds;
  return isnan(cost) ? INFINITY : cost;
}

/* Ties keep a fixed order, so that the same question has the same answer. */
static bool goes_before(const ik_candidate *a, const ik_candidate *b, ik_objective o) {
  double p = ik_candidate_cost(a, o), q = ik_candidate_cost(b, o);
  if (p != q) return p < q;
  if (a->seconds != b->seconds) return a->seconds < b->seconds;
  return a->steps < b->steps;
}

/* There are some dozens; equal ones stay as they are. */
void ik_candidates_sort(ik_candidates *c, ik_objective o) {
  for (int i = 1; i < c->n; i++) {
    ik_candidate x = c->at[i];
    int          k = i;
    for (; k > 0 && goes_before(&x, &c->at[k - 1], o); k--) c->at[k] = c->at[k - 1];
    c->at[k] = x;
  }
}
