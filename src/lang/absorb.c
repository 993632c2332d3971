/* Absorbing layers.
 *
 * A boundary `absorbing(n)` or `sponge(n)` is written out here in terms of the language: hidden
 * fields on single axes hold the damping, the update of the field is kept as it is in the interior
 * and replaced in slabs of n cells along the faces.  So every engine runs layers without knowing.
 *
 * absorbing(n), for u' = 2u - u[t-1] + k L(u) with L close to the Laplacian (minimod's layer, see
 * the wafer-scale paper's stencil): with e = sum of eta over the axes,
 *     u'  = (update + (2e - e^2) u + k phi) / (1 + 2e)
 *     phi = (phi - sum over axes of (eta[+1] - eta[-1]) (u[+1] - u[-1]) / (4 h^2)) / (1 + e)
 *     eta_i = (i/n)^2 * 3 ln(1000) sqrt(max k) / (2 n h),  i = 1..n counted outward.
 * k is read off from the second moment of the weights.
 *
 * sponge(n), after Cerjan: after each step the new and the old field are multiplied by
 * exp(-(s (n - distance))^2), s = 0.015.  The old field's factor is applied where it is next read.
 */
#include "lang/fix.h"
#include "lang/lower.h"
#include <math.h>
#include <string.h>

static const int here[IK_MAX_DIM] = {0};

bool ik_absorb_is_layer(const ik_ast *e) {
  return e->kind == IK_AST_CALL &&
         (strcmp(e->name, "absorbing") == 0 || strcmp(e->name, "sponge") == 0);
}

/* ---- declaration ---- */

static bool layer_strength(ik_lower *lo, const ik_ast *kind, bool sponge, double *out) {
  const ik_ast *x = kind->args ? kind->args->next : NULL;
  *out = 0.015;
  if (!x) return true;
  if (sponge && !x->next && (!x->label || strcmp(x->label, "strength") == 0))
    return ik_express_constant(lo, x, out, NULL);
  ik_error(lo->d, IK_E014, kind->span, "'%s' takes a number of cells%s", kind->name,
           sponge ? " and a strength" : "");
  ik_lang_fix(lo->d, kind->span,
              ik_arena_printf(lo->a, "%s(%.*s%s)", kind->name, kind->args->span.len,
                              kind->args->span.src->text + kind->args->span.off,
                              sponge ? ", strength = 0.015" : ""));
  return false;
}

/* 20 cells, or a quarter of the shortest axis. */
static int usual_width(const ik_field *f, int ndim) {
  int64_t n = 20;
  for (int d = 0; d < ndim; d++)
    if (f->on[d] && f->box.hi[d] / 4 < n) n = f->box.hi[d] / 4;
  return n > 0 ? (int)n : 1;
}

void ik_absorb_declare(ik_lower *lo, const ik_item *it, const ik_ast *kind, int field, int axis,
                       int side) {
  ik_field *f = &lo->ir->field[field];
  ik_layer *layer = &lo->layer[field];
  bool      sponge = strcmp(kind->name, "sponge") == 0;
  int64_t   n;
  f->bc[axis][side].value = ik_express_finish(lo, ik_node_const(lo, 0, kind->span), f->type);
  if (!kind->args) {
    ik_error(lo->d, IK_E014, kind->span, "expected the width of the layer in cells");
    ik_lang_fix(lo->d, kind->span,
                ik_arena_printf(lo->a, "%s(%d)", kind->name, usual_width(f, lo->ir->ndim)));
    return;
  }
  if (!ik_express_integer(lo, kind->args, "the width of a layer", 1, 100000, &n)) return;
  if (!layer_strength(lo, kind, sponge, &layer->strength)) return;
  if (layer->asked && layer->sponge != sponge) {
    ik_error(lo->d, IK_E041, kind->span, "'%s' has layers of two kinds", f->name);
    ik_lang_fix(lo->d, kind->span,
                ik_arena_printf(lo->a, "%s(%lld)", sponge ? "absorbing" : "sponge", (long long)n));
    return;
  }
  layer->asked = it, layer->sponge = sponge;
  f->absorb[axis][side] = (int)n;
}

static bool layers_fit(ik_lower *lo, int field) {
  const ik_field *f = &lo->ir->field[field];
  for (int d = 0; d < lo->ir->ndim; d++) {
    int64_t n = f->box.hi[d], both = (int64_t)f->absorb[d][0] + f->absorb[d][1];
    if (both <= n) continue;
    ik_error(lo->d, IK_E042, lo->layer[field].asked->span,
             "the layers of '%s' take %lld cells, and %s has only %lld", f->name, (long long)both,
             lo->ir->axis[d], (long long)n);
    ik_help(lo->d, "%s(%lld) would leave half of them",
            lo->layer[field].sponge ? "sponge" : "absorbing", (long long)(n / 4 ? n / 4 : 1));
    return false;
  }
  return true;
}

/* ---- slabs ---- */

typedef struct slabs {
  ik_box box[2 * IK_MAX_DIM], interior;
  int    n;
} slabs;

/* The layers as disjoint boxes; what they leave is the interior. */
static slabs slabs_of(const ik_field *f, int ndim) {
  slabs s = {.interior = f->box};
  for (int d = ndim - 1; d >= 0; d--)
    for (int side = 0; side < 2; side++) {
      int width = f->absorb[d][side];
      if (!width) continue;
      ik_box b = s.interior;
      if (side == 0)
        b.hi[d] = s.interior.lo[d] += width;
      else
        b.lo[d] = s.interior.hi[d] -= width;
      s.box[s.n++] = b;
    }
  return s;
}

static void assign_slabs(ik_lower *lo, const slabs *s, int field, int level, const ik_expr *v,
                         ik_span at) {
  for (int k = 0; v && k < s->n; k++)
    ik_list_add(lo->list, ik_stage_assign(lo, field, level, s->box[k], v, at));
}

/* ---- small expressions ---- */

static ik_node *num(ik_lower *lo, double v, ik_span at) { return ik_node_const(lo, v, at); }
static ik_node *add(ik_lower *lo, ik_node *a, ik_node *b, ik_span at) {
  return a ? ik_node_op2(lo, IK_OP_ADD, a, b, at) : b;
}
static ik_node *sub(ik_lower *lo, ik_node *a, ik_node *b, ik_span at) {
  return ik_node_op2(lo, IK_OP_SUB, a, b, at);
}
static ik_node *mul(ik_lower *lo, ik_node *a, ik_node *b, ik_span at) {
  return a ? ik_node_op2(lo, IK_OP_MUL, a, b, at) : b;
}
static ik_node *divide(ik_lower *lo, ik_node *a, ik_node *b, ik_span at) {
  return ik_node_op2(lo, IK_OP_DIV, a, b, at);
}
static ik_node *read_at(ik_lower *lo, int field, int axis, int off, ik_span at) {
  int o[IK_MAX_DIM] = {0};
  o[axis] = off;
  return ik_node_read(lo, field, 0, o, at);
}

static const ik_expr *field_read(const ik_node *n, int field) {
  const ik_expr *e = &n->e;
  while (e->op == IK_OP_CAST) e = e->arg[0];
  return e->op == IK_OP_READ && e->id == field ? e : NULL;
}

/* ---- hidden fields ---- */

static int hidden(ik_lower *lo, int of, const char *suffix, int axis) {
  const ik_field *u = &lo->ir->field[of];
  ik_field        f = {.kind = IK_FIELD_HIDDEN, .type = u->type, .history = 1, .span = u->span};
  f.name = axis < 0 ? ik_arena_printf(lo->a, "%s.%s", u->name, suffix)
                    : ik_arena_printf(lo->a, "%s.%s_%s", u->name, suffix, lo->ir->axis[axis]);
  for (int d = 0; d < IK_MAX_DIM; d++) {
    f.on[d] = axis < 0 ? u->on[d] : d == axis;
    f.box.hi[d] = f.on[d] ? u->box.hi[d] : 1;
    for (int side = 0; side < 2 && f.on[d]; side++)
      f.bc[d][side] =
          (ik_bc){.kind = IK_BC_VALUE,
                  .value = ik_express_finish(lo, ik_node_const(lo, 0, u->span), u->type),
                  .span = u->span};
  }
  return ik_lower_field(lo, &f);
}

static void init_hidden(ik_lower *lo, int field, ik_node *value, ik_span at) {
  const ik_field *f = &lo->ir->field[field];
  const ik_expr  *v = ik_express_finish(lo, value, f->type);
  if (v) ik_list_add(lo->init, ik_stage_assign(lo, field, 0, f->box, v, at));
}

/* Cells into the layer, 1 at its inner edge to n at the face; `otherwise` outside of it. */
static ik_node *in_layer(ik_lower *lo, const ik_field *f, int axis,
                         ik_node *(*profile)(ik_lower *, ik_node *, int, const void *, int),
                         const void *ctx, double otherwise, ik_span at) {
  ik_node *v = num(lo, otherwise, at);
  for (int side = 0; side < 2; side++) {
    int64_t n = f->absorb[axis][side], last = f->box.hi[axis] - 1;
    if (!n) continue;
    ik_node *x = ik_node_leaf(lo, IK_OP_COORD, IK_F64, axis, at);
    ik_node *depth = side ? sub(lo, x, num(lo, (double)(last - n), at), at)
                          : sub(lo, num(lo, (double)n, at), x, at);
    ik_node *inside = ik_node_op2(lo, IK_OP_LT, num(lo, 0, at), depth, at);
    v = ik_node_select(lo, inside, profile(lo, depth, (int)n, ctx, axis), v, at);
  }
  return v;
}

/* ---- absorbing ---- */

static bool wrong_form(ik_lower *lo, int field, ik_span at) {
  const char *u = lo->ir->field[field].name;
  ik_error(lo->d, IK_E042, at, "an absorbing layer needs an update that is a wave equation in '%s'",
           u);
  ik_note_add(lo->d, lo->layer[field].asked->span, "the layer is declared here");
  ik_help(lo->d, "that is  %s' = 2*%s - %s[t-1] + k*laplacian(%s); for others there is  sponge(20)",
          u, u, u, u);
  return false;
}

/* Half the second moment of the constant weights on u, along an axis: the k of k*u_xx. */
static bool moment(ik_lower *lo, int field, ik_node *sum, int axis, double *out) {
  ik_terms t;
  double   h = lo->ir->spacing[axis];
  ik_chain_terms(lo, sum, &t);
  *out = 0;
  for (int i = 0; i < t.n; i++) {
    const ik_expr *r = t.term[i].nfactor == 1 ? field_read(t.term[i].factor[0], field) : NULL;
    if (!r || r->level != 0) return false;
    *out += t.term[i].coef * r->off[axis] * r->off[axis] * h * h / 2;
  }
  return true;
}

static void find_field(const ik_expr *e, void *ctx) {
  int *field = ctx;
  if (e->op == IK_OP_READ && e->id == *field) *field = -1;
}

static bool mentions(const ik_node *n, int field) {
  ik_expr_each(&n->e, find_field, &field);
  return field == -1;
}

/* A product of factors without u and one sum over u: adds its share to k. */
static bool product_share(ik_lower *lo, int field, const ik_term *t, int axis, ik_node **k,
                          ik_span at) {
  ik_node *share = NULL;
  double   m = 0;
  int      sums = 0;
  for (int j = 0; j < t->nfactor; j++) {
    if (!mentions(t->factor[j], field))
      share = mul(lo, share, t->factor[j], at);
    else if (sums++ || !moment(lo, field, t->factor[j], axis, &m))
      return false;
  }
  if (sums) *k = add(lo, *k, mul(lo, num(lo, t->coef * m, at), share, at), at);
  return true;
}

/* Finds k in u' = 2u - u[t-1] + k L(u) + anything without u. */
static bool wave_coefficient(ik_lower *lo, int field, ik_node *value, int axis, ik_node **k,
                             ik_span at) {
  ik_terms t;
  double   constant = 0, h = lo->ir->spacing[axis];
  bool     old = false;
  *k = NULL;
  ik_chain_terms(lo, value, &t);
  for (int i = 0; i < t.n; i++) {
    const ik_expr *r = t.term[i].nfactor == 1 ? field_read(t.term[i].factor[0], field) : NULL;
    if (r && r->level == -1) {
      if (t.term[i].coef != -1 || r->off[0] || r->off[1] || r->off[2]) return false;
      old = true;
    } else if (r && r->level == 0) {
      constant += t.term[i].coef * r->off[axis] * r->off[axis] * h * h / 2;
    } else if (!product_share(lo, field, &t.term[i], axis, k, at)) {
      return false;
    }
  }
  if (constant != 0) *k = add(lo, *k, num(lo, constant, at), at);
  return old && *k;
}

/* sqrt(max k) = V dt, as a number or as a scalar found at the start. */
static ik_node *speed(ik_lower *lo, ik_node *k, ik_span at) {
  if (!k->cells) return ik_node_op1(lo, IK_OP_SQRT, k, at);
  return ik_node_op1(lo, IK_OP_SQRT, ik_stage_reduce(lo, lo->init, IK_MAXIMUM, k, at), at);
}

static ik_node *eta_profile(ik_lower *lo, ik_node *depth, int n, const void *ctx, int axis) {
  ik_span  at = depth->e.span;
  ik_node *x = divide(lo, depth, num(lo, n, at), at);
  double   scale = 3 * 6.907755278982137 / (2 * n * lo->ir->spacing[axis]); /* 3 ln(1000)/(2nh) */
  return mul(lo, mul(lo, mul(lo, x, x, at), num(lo, scale, at), at), (ik_node *)ctx, at);
}

static bool has_layer(const ik_field *f, int d) { return f->absorb[d][0] || f->absorb[d][1]; }

/* One hidden field for each axis with a layer. */
static void make_profiles(ik_lower *lo, int field, const char *name,
                          ik_node *(*profile)(ik_lower *, ik_node *, int, const void *, int),
                          const void *ctx, double otherwise, ik_span at) {
  ik_type was = lo->compute;
  for (int d = 0; d < lo->ir->ndim; d++) {
    if (!has_layer(&lo->ir->field[field], d)) continue;
    int id = lo->layer[field].axis[d] = hidden(lo, field, name, d);
    lo->compute = IK_F64;
    init_hidden(lo, id, in_layer(lo, &lo->ir->field[field], d, profile, ctx, otherwise, at), at);
    lo->compute = was;
  }
  lo->layer[field].made = true;
}

static void absorbing(ik_lower *lo, int field, ik_node *value, const slabs *s, ik_span at) {
  ik_layer *layer = &lo->layer[field];
  ik_node  *k, *e = NULL, *flow = NULL;
  int       axis = 0;
  while (!has_layer(&lo->ir->field[field], axis)) axis++;
  if (!wave_coefficient(lo, field, value, axis, &k, at)) {
    wrong_form(lo, field, at);
    return;
  }
  if (!layer->made) {
    layer->phi = hidden(lo, field, "phi", -1);
    make_profiles(lo, field, "eta", eta_profile, speed(lo, k, at), 0, at);
  }
  for (int d = 0; d < lo->ir->ndim; d++) {
    if (!has_layer(&lo->ir->field[field], d)) continue;
    int eta = layer->axis[d];
    e = add(lo, e, ik_node_read(lo, eta, 0, here, at), at);
    ik_node *de = sub(lo, read_at(lo, eta, d, 1, at), read_at(lo, eta, d, -1, at), at);
    ik_node *du = sub(lo, read_at(lo, field, d, 1, at), read_at(lo, field, d, -1, at), at);
    double   h = lo->ir->spacing[d];
    flow = add(lo, flow, mul(lo, num(lo, 1 / (4 * h * h), at), mul(lo, de, du, at), at), at);
  }
  ik_node *u = ik_node_read(lo, field, 0, here, at);
  ik_node *p = ik_node_read(lo, layer->phi, 0, here, at);
  ik_node *damp = sub(lo, mul(lo, num(lo, 2, at), e, at), mul(lo, e, e, at), at);
  ik_node *top = add(lo, value, add(lo, mul(lo, damp, u, at), mul(lo, k, p, at), at), at);
  ik_node *bottom = add(lo, num(lo, 1, at), mul(lo, num(lo, 2, at), e, at), at);
  ik_type  t = lo->ir->field[field].type;
  assign_slabs(lo, s, field, 1, ik_express_finish(lo, divide(lo, top, bottom, at), t), at);
  ik_node *next = divide(lo, sub(lo, p, flow, at), add(lo, num(lo, 1, at), e, at), at);
  assign_slabs(lo, s, layer->phi, 0, ik_express_finish(lo, next, t), at);
}

/* ---- sponge ---- */

static ik_node *sponge_profile(ik_lower *lo, ik_node *depth, int n, const void *strength,
                               int axis) {
  ik_span  at = depth->e.span;
  ik_node *x = mul(lo, num(lo, *(const double *)strength, at), depth, at);
  (void)n, (void)axis;
  return ik_node_op1(lo, IK_OP_EXP, ik_node_op1(lo, IK_OP_NEG, mul(lo, x, x, at), at), at);
}

/* The update with every u[t-1] damped; false if one stands where it cannot be reached. */
static bool damp_old(ik_lower *lo, int field, ik_node *value, ik_node *g, ik_node **out) {
  ik_terms t;
  ik_chain_terms(lo, value, &t);
  for (int i = 0; i < t.n; i++)
    for (int j = 0; j < t.term[i].nfactor; j++) {
      const ik_expr *r = field_read(t.term[i].factor[j], field);
      if (r && r->level < -1) return false;
      if (r && r->level == -1)
        t.term[i].factor[j] = mul(lo, g, t.term[i].factor[j], t.term[i].factor[j]->e.span);
    }
  *out = ik_chain_sum(lo, &t, value->e.type, value->e.span);
  return true;
}

static void sponge(ik_lower *lo, int field, ik_node *value, const slabs *s, ik_span at) {
  ik_layer *layer = &lo->layer[field];
  ik_node  *g = NULL, *damped;
  if (!layer->made) make_profiles(lo, field, "damp", sponge_profile, &layer->strength, 1, at);
  for (int d = 0; d < lo->ir->ndim; d++)
    if (has_layer(&lo->ir->field[field], d))
      g = mul(lo, g, ik_node_read(lo, layer->axis[d], 0, here, at), at);
  if (!damp_old(lo, field, value, g, &damped)) {
    const char *u = lo->ir->field[field].name;
    ik_error(lo->d, IK_E042, at,
             "a sponge damps %s and %s[t-1], and this update reads older levels", u, u);
    ik_note_add(lo->d, layer->asked->span, "the sponge is declared here");
    ik_help(lo->d, "use a boundary without a layer:  boundary %s = 0", u);
    return;
  }
  ik_type t = lo->ir->field[field].type;
  assign_slabs(lo, s, field, 1, ik_express_finish(lo, mul(lo, g, damped, at), t), at);
}

void ik_absorb_update(ik_lower *lo, int field, ik_node *value, ik_span at) {
  const ik_field *f = &lo->ir->field[field];
  if (!layers_fit(lo, field)) return;
  slabs          s = slabs_of(f, lo->ir->ndim);
  const ik_expr *plain = ik_express_finish(lo, value, f->type);
  if (plain && ik_box_cells(&s.interior))
    ik_list_add(lo->list, ik_stage_assign(lo, field, 1, s.interior, plain, at));
  if (lo->layer[field].sponge)
    sponge(lo, field, value, &s, at);
  else
    absorbing(lo, field, value, &s, at);
}
