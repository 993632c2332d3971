/* Where temporaries are needed, and whether every read finds a value. */
#include "lang/lower.h"
#include "lang/fix.h"
#include <string.h>

/* ---- boxes of temporaries: from the last reader back to the first writer ---- */

typedef struct needs {
  ik_lower *lo;
  ik_box   *box;     /* [field] cells that later statements read; lo > hi: none */
  bool     *carried; /* [field] written in a sweep: exists on the whole grid */
  ik_box    at;      /* of the statement being looked at */
} needs;

static void add_box(ik_box *sum, const ik_box *b, const int off[IK_MAX_DIM]) {
  for (int d = 0; d < IK_MAX_DIM; d++) {
    if (b->lo[d] + off[d] < sum->lo[d]) sum->lo[d] = b->lo[d] + off[d];
    if (b->hi[d] + off[d] > sum->hi[d]) sum->hi[d] = b->hi[d] + off[d];
  }
}

static void need_read(const ik_expr *e, void *ctx) {
  needs *n = ctx;
  if (e->op == IK_OP_READ && n->lo->ir->field[e->id].kind == IK_FIELD_TEMP)
    add_box(&n->box[e->id], &n->at, e->off);
}

static int list_to_array(ik_lower *lo, ik_stmt *first, ik_stmt ***out) {
  int n = 0, cap = 0;
  *out = NULL;
  for (ik_stmt *s = first; s; s = s->next) IK_PUSH(lo->a, *out, n, cap, s);
  return n;
}

static ik_stmt *relink(ik_stmt **v, int n) {
  ik_stmt *first = NULL;
  for (int i = n - 1; i >= 0; i--)
    if (v[i]) v[i]->next = first, first = v[i];
  return first;
}

static bool is_temp(const ik_lower *lo, const ik_stmt *s) {
  return s->kind == IK_ASSIGN && lo->ir->field[s->field].kind == IK_FIELD_TEMP;
}

static void mark_carried(needs *n, const ik_stmt *body) {
  for (const ik_stmt *s = body; s; s = s->next)
    if (is_temp(n->lo, s)) n->carried[s->field] = true;
}

static void needs_of_list(needs *n, ik_stmt **list);

/* The statement, or NULL if nobody needs it. */
static ik_stmt *needs_of(needs *n, ik_stmt *s) {
  if (is_temp(n->lo, s) && !n->carried[s->field]) {
    ik_box *b = &n->box[s->field];
    if (b->lo[0] >= b->hi[0]) {
      ik_warn(n->lo->d, IK_W001, s->span, "the temporary '%s' is never used",
              n->lo->ir->field[s->field].name);
      return NULL;
    }
    s->box = n->lo->ir->field[s->field].box = *b;
  }
  if (s->body) {
    if (s->kind == IK_SWEEP) mark_carried(n, s->body);
    needs_of_list(n, &s->body);
  }
  if (s->pre) needs_of_list(n, &s->pre);
  n->at = s->box;
  if (s->value) ik_expr_each(s->value, need_read, n);
  return s;
}

static void needs_of_list(needs *n, ik_stmt **list) {
  ik_stmt **v;
  int       count = list_to_array(n->lo, *list, &v);
  for (int i = count - 1; i >= 0; i--) v[i] = needs_of(n, v[i]);
  *list = relink(v, count);
}

/* ---- reads beyond faces ---- */

typedef struct beyond {
  ik_lower *lo;
  bool     *said; /* [field] reported once already */
  ik_box    at;
  /* of one statement and one field */
  int     field;
  int64_t reach[IK_MAX_DIM][2], most;
  ik_span span;    /* of the first read that goes farthest */
  ik_span shrinks; /* the statement, if it may be given a region */
} beyond;

static void measure(const ik_expr *e, void *ctx) {
  beyond *b = ctx;
  if (e->op != IK_OP_READ || e->id != b->field) return;
  const ik_field *f = &b->lo->ir->field[e->id];
  for (int d = 0; d < IK_MAX_DIM; d++) {
    if (!f->on[d]) continue;
    int64_t over[2] = {f->box.lo[d] - (b->at.lo[d] + e->off[d]),
                       b->at.hi[d] + e->off[d] - f->box.hi[d]};
    for (int side = 0; side < 2; side++)
      if (f->bc[d][side].kind == IK_BC_NONE && over[side] > 0) {
        if (over[side] > b->reach[d][side]) b->reach[d][side] = over[side];
        bool first = over[side] == b->most && e->span.off < b->span.off;
        if (over[side] > b->most || first) b->most = over[side], b->span = e->span;
      }
  }
}

/* A line that declares what is missing, and nothing that is there already. */
static void help_boundary(const beyond *b, const ik_field *f) {
  const ik_ir *ir = b->lo->ir;
  ik_buf       t = {0};
  bool         all = true;
  ik_buf_printf(&t, "boundary %s {", f->name);
  for (int d = 0; d < ir->ndim; d++)
    for (int side = 0; side < 2; side++) {
      if (f->on[d] && f->bc[d][side].kind != IK_BC_NONE) all = false;
      if (b->reach[d][side]) ik_buf_printf(&t, " %c%s = 0;", "-+"[side], ir -> axis[d]);
    }
  if (all) t.len = 0, ik_buf_printf(&t, "boundary %s = 0", f->name);
  if (!all) t.len--, ik_buf_puts(&t, " }"); /* the last semicolon */
  ik_lang_fix_line(b->lo->d, b->lo->source, "add", ik_buf_text(&t));
  if (b->shrinks.src)
    ik_lang_fix_behind(b->lo->d, b->shrinks, "or compute fewer cells, with",
                       ik_arena_printf(b->lo->a, "on interior(%lld)", (long long)b->most));
  ik_buf_free(&t);
}

static void say_beyond(beyond *b, const ik_field *f) {
  ik_lower *lo = b->lo;
  ik_buf    faces = {0};
  int64_t   most = b->most;
  int       nfaces = 0;
  for (int d = 0; d < IK_MAX_DIM; d++)
    for (int side = 0; side < 2; side++)
      if (b->reach[d][side])
        ik_buf_printf(&faces, "%s%c%s", nfaces++ ? ", " : "", "-+"[side], lo -> ir -> axis[d]);
  if (f->kind == IK_FIELD_TEMP) {
    ik_error(lo->d, IK_E044, b->span,
             "'%s' is read %lld cell%s beyond %s, where no sweep gives it "
             "a value",
             f->name, (long long)most, most == 1 ? "" : "s", ik_buf_text(&faces));
    ik_note_add(lo->d, f->span, "computed here");
    ik_help(lo->d, "treat the ends separately:  at first { ... } within { ... } at last { ... }");
  } else {
    ik_error(lo->d, IK_E040, b->span,
             "'%s' is read %lld cell%s beyond %s %s, which ha%s no boundary condition", f->name,
             (long long)most, most == 1 ? "" : "s", nfaces == 1 ? "face" : "faces",
             ik_buf_text(&faces), nfaces == 1 ? "s" : "ve");
    ik_note_add(lo->d, f->span, "declared here");
    help_boundary(b, f);
  }
  ik_buf_free(&faces);
}

static void check_reads(beyond *b, const ik_expr *value, const ik_box *at) {
  b->at = *at;
  for (int f = 0; f < b->lo->ir->nfield; f++) {
    if (b->said[f]) continue;
    memset(b->reach, 0, sizeof b->reach);
    b->field = f, b->most = 0, b->span = IK_NOSPAN;
    ik_expr_each(value, measure, b);
    if (!b->span.src) continue;
    b->said[f] = true;
    say_beyond(b, &b->lo->ir->field[f]);
  }
}

static void check_stmt(const ik_stmt *s, void *ctx) {
  beyond *b = ctx;
  bool    field = s->kind == IK_ASSIGN && b->lo->ir->field[s->field].kind == IK_FIELD_USER;
  b->shrinks = field ? s->span : IK_NOSPAN;
  if ((s->kind == IK_ASSIGN || s->kind == IK_REDUCE) && s->value) check_reads(b, s->value, &s->box);
}

static void check_source(beyond *b, const ik_inject *j) {
  for (int k = 0; k < j->ntap; k++) {
    ik_box cell;
    for (int d = 0; d < IK_MAX_DIM; d++) cell.lo[d] = j->tap[k].at[d], cell.hi[d] = cell.lo[d] + 1;
    check_reads(b, j->value, &cell);
  }
}

/* ---- values that a sweep leaves out, or gives later ---- */

typedef struct unset {
  ik_lower      *lo;
  const ik_stmt *list;  /* in which the statement stands, or the sweep around it */
  const ik_stmt *sweep; /* around it, or NULL */
  const ik_stmt *s;
  bool           failed;
} unset;

static bool is_ahead(const ik_stmt *sweep, const ik_expr *e) {
  for (int k = 0; k < sweep->naxes; k++) {
    int off = e->off[sweep->axis[k]];
    if (off) return (off > 0) == (sweep->dir[k] > 0);
  }
  return false;
}

static bool assigned(const ik_stmt *list, const ik_stmt *end, const ik_expr *read) {
  for (const ik_stmt *s = list; s && s != end; s = s->next)
    if ((s->kind == IK_ASSIGN && s->field == read->id && s->level == read->level) ||
        (s->kind == IK_SWEEP && assigned(s->body, NULL, read)))
      return true;
  return false;
}

static void say_ahead(unset *x, const ik_expr *e) {
  bool is_new = e->level == 1;
  x->failed = true;
  ik_error(x->lo->d, is_new ? IK_E033 : IK_E044, e->span,
           "%s%s' is read ahead of the sweep, where it is not assigned yet", is_new ? "" : "'",
           x->lo->ir->field[e->id].name);
  ik_help(x->lo->d,
          "read what the sweep has passed, with the opposite offset, or reverse the sweep");
}

static bool has_slice(const unset *x, int field, ik_box b, int axis, int64_t i) {
  b.lo[axis] = i, b.hi[axis] = i + 1;
  return ik_stmt_covers(x->lo->ir->body, field, 0, b);
}

/* The axis along which cells are left out: one where some slices have values and others not. */
static int hole_axis(const unset *x, int field, const ik_box *b) {
  for (int d = x->lo->ir->ndim - 1; d > 0; d--)
    for (int64_t i = b->lo[d]; i < b->hi[d]; i++)
      if (has_slice(x, field, *b, d, i)) return d;
  return 0;
}

static void say_hole(unset *x, const ik_expr *e, const ik_box *b) {
  const ik_field *f = &x->lo->ir->field[e->id];
  int             d = x->sweep ? x->sweep->axis[0] : hole_axis(x, e->id, b);
  int64_t         i = b->lo[d];
  while (has_slice(x, e->id, *b, d, i)) i++;
  x->failed = true;
  ik_error(x->lo->d, IK_E044, e->span,
           "'%s' is read at %s = %lld, where the sweep gives it no value", f->name,
           x->lo->ir->axis[d], (long long)i);
  ik_note_add(x->lo->d, f->span, "computed here");
  ik_help(x->lo->d, "give it a value there as well:  at first { %s = ... }", f->name);
}

static void check_value(const ik_expr *e, void *ctx) {
  unset *x = ctx;
  if (x->failed || e->op != IK_OP_READ) return;
  const ik_field *f = &x->lo->ir->field[e->id];
  bool            temp = f->kind == IK_FIELD_TEMP;
  if ((temp || e->level == 1) && x->sweep && is_ahead(x->sweep, e) &&
      assigned(x->sweep->body, NULL, e) && !assigned(x->list, x->sweep, e)) {
    say_ahead(x, e);
    return;
  }
  ik_box b = x->s->box;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    b.lo[d] += e->off[d], b.hi[d] += e->off[d];
    if (b.lo[d] < f->box.lo[d]) b.lo[d] = f->box.lo[d]; /* beyond the grid: said elsewhere */
    if (b.hi[d] > f->box.hi[d]) b.hi[d] = f->box.hi[d];
  }
  if (temp && !ik_stmt_covers(x->lo->ir->body, e->id, 0, b)) say_hole(x, e, &b);
}

static void check_values(unset *x, const ik_stmt *list) {
  for (const ik_stmt *s = list; s; s = s->next) {
    x->s = s;
    if (!x->sweep) x->list = list;
    if (s->value) ik_expr_each(s->value, check_value, x);
    if (s->pre) check_values(x, s->pre);
    if (s->kind == IK_SWEEP) x->sweep = s, x->list = list;
    if (s->body) check_values(x, s->body);
    if (s->kind == IK_SWEEP) x->sweep = NULL;
  }
}

void ik_reads_check(ik_lower *lo) {
  int   nf = lo->ir->nfield;
  needs n = {lo, IK_NEW_N(lo->a, ik_box, nf), IK_NEW_N(lo->a, bool, nf), {{0}, {0}}};
  for (int f = 0; f < nf; f++)
    for (int d = 0; d < IK_MAX_DIM; d++) n.box[f].lo[d] = INT32_MAX, n.box[f].hi[d] = INT32_MIN;
  needs_of_list(&n, &lo->ir->body);
  beyond b = {.lo = lo, .said = IK_NEW_N(lo->a, bool, nf)};
  ik_ir_each_stmt(lo->ir, check_stmt, &b);
  for (int i = 0; i < lo->ir->ninject; i++) check_source(&b, &lo->ir->inject[i]);
  unset x = {.lo = lo};
  check_values(&x, lo->ir->body);
}
