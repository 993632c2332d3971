#include "targets/plainc/plainc.h"
#include "base/embed.h"
#include "base/least.h"
#include "base/pick.h"
#include "facts/nodes.h"
#include "ikat/version.h"
#include "interp/interp.h"
#include "ir/bound.h"
#include "ir/spell_face.h"
#include "lower/pipe.h"
#include <limits.h>
#include <string.h>

/* What files take parts of. */
static const char *const sources[] = {
    "src/base/bits.h",       "src/base/hash.h",     "src/base/num.c",
    "src/base/elementary.c", "src/ir/operations.h", "src/ir/apply.c",
    "src/ir/bound.c",        "src/ir/ir.c",         "src/targets/plainc/rt/run.h"};
enum { NSOURCES = sizeof sources / sizeof *sources };

/* Where a field is.  A temporary may be a variable, or nowhere: its value stands where it is read.
 */
typedef enum place { NOWHERE, VARIABLE, ARRAY } place;

typedef struct writer {
  const ik_ir     *ir;
  const ik_source *text;
  ik_arena        *a, arena;
  ik_buf *out, before, functions, main, scratch; /* the text in three parts, an expression */
  int     indent;
  ik_spell_arrays c;
  const char    **scalar; /* [nscalar] */
  const char    **spare;  /* [nfield] for new values that neighbours are read for; NULL: none */
  const char     *aside;  /* the spare one, while it takes the new values */
  const char    **face;   /* [nfield] the function that reads beyond faces; NULL: none is needed */
  place          *place;  /* [nfield] */
  const char    **rows;   /* [nscalar] of the reduction at hand that gives it */
  const ik_box   *cells;  /* that the expression at hand is computed for */
  const ik_expr **shared; /* parts of it that have a variable: v1, v2, ... */
  int             nshared;
  int             nearlier; /* variables before them in the same loop */
  const ik_stmt  *unsaid;   /* of the list at hand, whose comments are due */
  const char     *said[2];  /* the text of the last comment */
  size_t          fresh;    /* the length of `out` behind a line that no empty one follows */
} writer;

#define PUT(...)  ik_buf_printf(w->out, __VA_ARGS__)
#define TEXT(...) ik_arena_printf(w->a, __VA_ARGS__)
#define LINE(...) (ik_buf_pad(w->out, ' ', 2 * w->indent), PUT(__VA_ARGS__), PUT("\n"))

/* ---- names ---- */

static bool is_taken(const char *name) {
  static const char here[] = "argc argv t f front negative hash n file oldest NX NY NZ";
  if (ik_pick_has(here, name)) return true;
  for (int i = 0; i < NSOURCES; i++)
    if (ik_pick_defines(ik_embed_find(sources[i])->data, name)) return true;
  size_t head = strcspn(name, "0123456789"), digits = strspn(name + head, "0123456789");
  bool   numbered = digits && !name[head + digits];
  return numbered && (strncmp(name, "v", head) == 0 || strncmp(name, "table_", head) == 0);
}

static void name_all(writer *w) {
  w->c = (ik_spell_arrays){.ir = w->ir, .a = w->a, .is_taken = is_taken};
  ik_spell_name_arrays(&w->c);
  w->scalar = IK_NEW_N(w->a, const char *, w->ir->nscalar + 1);
  w->spare = IK_NEW_N(w->a, const char *, w->ir->nfield + 1);
  w->face = IK_NEW_N(w->a, const char *, w->ir->nfield + 1);
  w->place = IK_NEW_N(w->a, place, w->ir->nfield + 1);
  w->rows = IK_NEW_N(w->a, const char *, w->ir->nscalar + 1);
  for (int f = 0; f < w->ir->nfield; f++)
    if (w->ir->field[f].kind != IK_FIELD_TEMP) w->place[f] = ARRAY;
  for (int i = 0; i < w->ir->nscalar; i++)
    w->scalar[i] = ik_spell_name(&w->c, w->ir->scalar[i].name);
}

/* ---- expressions ---- */

static const char *read_of(writer *w, const ik_expr *e) {
  const ik_field *f = &w->ir->field[e->id];
  const char     *array = w->c.field[e->id].level[1 - e->level];
  if (w->place[e->id] == VARIABLE) return array;
  if (!ik_bound_is_crossed(f, e, w->cells))
    return ik_spell_loaded(f->type, ik_spell_cell(&w->c, e->id, array, e->off), w->a);
  if (!w->face[e->id]) w->face[e->id] = ik_spell_name(&w->c, TEXT("%s_at", f->name));
  const char *t = ik_bound_changes(f) ? TEXT(", %s", ik_spell_shifted("t", e->level, w->a)) : "";
  return TEXT("%s(%s%s%s)", w->face[e->id], array, t,
              ik_spell_indices(&w->c, e->id, e->off, ", ", ""));
}

static const char *name_in_code(void *user, const ik_expr *e) {
  writer *w = user;
  if (e->op == IK_OP_READ) return read_of(w, e);
  if (e->op == IK_OP_SCALAR) return w->scalar[e->id];
  for (int i = 0; i < w->nshared; i++)
    if (w->shared[i] == e) return TEXT("v%d", w->nearlier + i + 1);
  return NULL;
}

static ik_spelling spelling(writer *w) {
  ik_spelling s = {.exact = true, name_in_code, w, {0}, "table_", w->a, &w->scratch};
  memcpy(s.axis, w->c.axis, sizeof s.axis);
  w->scratch.len = 0;
  return s;
}

static const char *spelled(writer *w, const ik_expr *e) {
  ik_spelling s = spelling(w);
  ik_spell(&s, e);
  return ik_arena_dup(w->a, ik_buf_text(&w->scratch), w->scratch.len);
}

static void put_wrapped(writer *w, const char *text) {
  ik_spell_lines(text, 2 * w->indent, w->out);
}

/* A value as a cell has it, between two texts; before it, parts of it that have a variable. */
static void put_value(writer *w, const char *before, ik_type t, const ik_expr *e,
                      const char *after) {
  int n = ik_nodes_worth_a_name(e, w->a, &w->shared);
  while (w->nshared < n) {
    const ik_expr *part = w->shared[w->nshared];
    const char    *type = ik_spell_type(part->type), *value = spelled(w, part);
    put_wrapped(w, TEXT("const %s v%d =\v%s;", type, w->nearlier + ++w->nshared, value));
  }
  put_wrapped(w, TEXT("%s%s%s;", before, ik_spell_stored(t, spelled(w, e), w->a), after));
  w->nearlier += n, w->nshared = 0;
}

/* ---- comments ---- */

/* An empty line, unless something begins here or a comment ends. */
static void put_gap(writer *w) {
  size_t n = w->out->len;
  if (n > 2 && n != w->fresh && w->out->data[n - 2] != '{') PUT("\n");
}

/* The lines of the program that a statement stands in, of a loop the first; what has just been said
 * is not said again. */
static void put_comment(writer *w, ik_span at, bool is_loop) {
  enum { MOST = 92 };
  if (!at.src || at.off >= (int)at.src->len) return;
  const char *from = at.src->text + at.off, *end = from + (is_loop ? 0 : at.len);
  while (from > at.src->text && !strchr("\n{", from[-1])) from--;
  end += strcspn(end, "\n{}");
  if (w->said[0] && from >= w->said[0] && end <= w->said[1]) return;
  char text[MOST + 4];
  ik_span_excerpt((ik_span){at.src, (int)(from - at.src->text), (int)(end - from)}, MOST, text);
  put_gap(w);
  LINE("/* %s */", text);
  w->said[0] = from, w->said[1] = end, w->fresh = w->out->len;
}

/* Those of temporaries first that have been put into what follows them. */
static void put_comments(writer *w, const ik_stmt *s) {
  const ik_stmt *own = w->unsaid;
  while (own && own->span.off != s->span.off) own = own->next;
  for (; own && w->unsaid != own; w->unsaid = w->unsaid->next)
    if (w->unsaid->kind == IK_ASSIGN && w->place[w->unsaid->field] == NOWHERE)
      put_comment(w, w->unsaid->span, false);
  put_comment(w, s->span, s->body || s->pre);
}

/* ---- loops ---- */

static void open_line(writer *w, int d, int64_t lo, int64_t hi, int dir, bool brace) {
  LINE("%s%s", ik_spell_loop(&w->c, d, lo, hi, dir), brace ? " {" : "");
  w->indent++;
}

/* So many loops, of which the last has a brace. */
static void close_lines(writer *w, int n) {
  if (n) w->indent--, LINE("}"), w->indent -= n - 1;
}

/* Loops over cells.  An axis along which there is one has none: its index is a number. */
typedef struct nest {
  int         loops;
  bool        brace;            /* behind the last */
  const char *axis[IK_MAX_DIM]; /* the indices outside */
} nest;

static bool is_one(const ik_box *b, int d) { return b->hi[d] - b->lo[d] == 1; }

/* The axes `around`, one bit each, have their loops already. */
static nest open_nest(writer *w, const ik_box *cells, unsigned around, bool brace) {
  nest n = {.brace = brace};
  int  last = 0;
  memcpy(n.axis, w->c.axis, sizeof n.axis);
  while (last < w->ir->ndim && (around >> last & 1 || is_one(cells, last))) last++;
  for (int d = IK_MAX_DIM - 1; d >= 0; d--) {
    if (d >= w->ir->ndim || around >> d & 1) continue;
    if (is_one(cells, d))
      w->c.axis[d] = ik_spell_in_parentheses(ik_spell_cells(&w->c, d, cells->lo[d]), w->a);
    else
      open_line(w, d, cells->lo[d], cells->hi[d], 1, brace && d == last), n.loops++;
  }
  if (brace && !n.loops) LINE("{"), w->indent++, n.loops++;
  return n;
}

static void close_nest(writer *w, const nest *n) {
  if (n->brace)
    close_lines(w, n->loops);
  else
    w->indent -= n->loops;
  memcpy(w->c.axis, n->axis, sizeof n->axis);
}

/* What follows stands under a condition; the one before ends unless it is the same. */
static void turn_guard(writer *w, const char **open, const char *guard) {
  if (strcmp(*open, guard) == 0) return;
  close_lines(w, **open != 0);
  if (*guard) LINE("if (%s) {", guard + 4), w->indent++;
  *open = guard;
}

/* ---- reductions ---- */

/* Before the loops that have the values, and behind them. */
static void open_reduction(writer *w, const ik_stmt *s) {
  static const char *const how[] = {NULL, "min_f64", "max_f64"};
  const ik_box            *b = &s->box;
  const char *f = s->reduce ? how[s->reduce] : TEXT("sum_%s", ik_type_name(s->value->type));
  w->rows[s->scalar] = ik_spell_name(&w->c, TEXT("rows_of_%s", w->ir->scalar[s->scalar].name));
  put_gap(w);
  LINE("reduction %s = rows_to_reduce(%s, %lld, %s);", w->rows[s->scalar], f,
       (long long)((b->hi[1] - b->lo[1]) * (b->hi[2] - b->lo[2])),
       ik_spell_cells(&w->c, 0, b->hi[0] - b->lo[0]));
  w->fresh = w->out->len;
}

static void close_reduction(writer *w, const ik_stmt *s) {
  LINE("%s = (%s)reduced(&%s);", w->scalar[s->scalar], ik_spell_type(s->value->type),
       w->rows[s->scalar]);
}

/* ---- kernels: statements that are computed together, cell by cell ---- */

/* Is the first of n statements more than a variable that the others have no need of? */
static bool is_needed(writer *w, const ik_stmt *const *s, int n) {
  bool needed = s[0]->kind == IK_REDUCE || w->place[s[0]->field] != VARIABLE;
  for (int i = 1; i < n && !needed; i++)
    needed = ik_nodes_read(s[i]->value, s[0]->field, w->a) && is_needed(w, s + i, n - i);
  return needed;
}

static void put_cell(writer *w, const ik_stmt *s) {
  if (s->kind == IK_REDUCE) {
    put_value(w, TEXT("take(&%s, %s,\v", w->rows[s->scalar], ik_spell_row(&w->c, w->cells)), IK_F64,
              s->value, ")");
    return;
  }
  ik_type     t = w->ir->field[s->field].type;
  const char *name = w->c.field[s->field].level[1 - s->level];
  if (w->place[s->field] == VARIABLE)
    put_value(w, TEXT("const %s %s =\v", ik_spell_type(t), name), IK_F64, s->value, "");
  else
    put_value(w, TEXT("%s =\v", ik_spell_cell(&w->c, s->field, w->aside ? w->aside : name, NULL)),
              t, s->value, "");
}

/* Only cells that are in `when`, unless it is NULL. */
static void put_kernel(writer *w, const ik_box *cells, const char *when, const ik_stmt *const *s,
                       int n, unsigned around) {
  if (n == 1)
    put_comments(w, s[0]);
  else
    put_gap(w);
  w->cells = cells, w->nearlier = 0;
  bool several = n > 1 || when || ik_nodes_worth_a_name(s[0]->value, w->a, &w->shared) > 0;
  nest loops = open_nest(w, cells, around, several);
  if (when) put_wrapped(w, TEXT("if (%s) {", when)), w->indent++;
  for (int i = 0; i < n; i++) {
    if (!is_needed(w, s + i, n - i)) continue;
    if (n > 1) put_comments(w, s[i]);
    put_cell(w, s[i]);
  }
  close_lines(w, when != NULL);
  close_nest(w, &loops);
}

/* ---- passes ---- */

/* The stages of a phase that compute something; the first is at the front, others have a lag. */
static ik_pipe_phase kernels_of(writer *w, const ik_pipe_phase *ph) {
  ik_pipe_phase k = *ph;
  int           least = INT_MAX;
  k.stage = IK_NEW_N(w->a, ik_pipe_stage, ph->nstage + 1), k.nstage = 0;
  for (int i = 0; i < ph->nstage; i++) {
    if (ph->stage[i].kind != IK_STAGE_KERNEL) continue;
    k.stage[k.nstage++] = ph->stage[i];
    least = ik_min_int(least, ph->stage[i].lag);
  }
  for (int i = 0; i < k.nstage; i++) k.stage[i].lag -= least;
  return k;
}

/* Is it made beyond the ends of a periodic axis, too? */
static bool has_images(const ik_pipe_stage *s, ik_role r) { return s->lo[r] < -INT_MAX / 2; }

/* The cells of a stage.  Kernels are shared: their statements stand for others on other boxes. */
static ik_box cells_of(const ik_pass *p, const ik_pipe_stage *s) {
  ik_box cells = p->kernel[s->kernel].stmt[0]->box;
  for (ik_role r = 0; r < IK_NROLES; r++)
    if (p->axis[r] >= 0 && !has_images(s, r))
      cells.lo[p->axis[r]] = s->lo[r], cells.hi[p->axis[r]] = s->hi[r];
  return cells;
}

/* Can kernels go along the stream together?  Not where the first plane waits for the last one, as
 * at periodic ends: then each goes through the grid when those before it have. */
static bool is_stream(const ik_pass *p) {
  for (int i = 0; i < p->nphase; i++)
    for (int k = 0; k < p->phase[i].nstage; k++)
      if (p->phase[i].stage[k].kind == IK_STAGE_KERNEL &&
          has_images(&p->phase[i].stage[k], IK_STREAM))
        return false;
  return p->axis[IK_STREAM] >= 0;
}

/* A pass keeps its temporaries in variables, or in so many planes as anybody looks back. */
static void keep_temporaries(writer *w, const ik_pass *p) {
  for (const ik_pipe_buffer *b = p->buffer; b < p->buffer + p->nbuffer; b++) {
    if (b->field < 0 || w->ir->field[b->field].kind != IK_FIELD_TEMP) continue;
    const ik_field *f = &w->ir->field[b->field];
    ik_spell_field *to = &w->c.field[b->field];
    w->place[b->field] = b->memory || b->ring ? ARRAY : VARIABLE;
    if (b->memory || !b->ring || !is_stream(p)) continue;
    to->axis = p->axis[IK_STREAM];
    bool all = b->depth >= f->box.hi[to->axis] - ik_spell_first_cell(f, to->axis);
    to->planes = all ? 0 : b->depth;
  }
}

/* Stages of a long kernel that follow each other: it is printed once, for the cells of any. */
typedef struct group {
  int         n;
  ik_box      cells; /* all of them, and more */
  const char *when;  /* NULL: no more */
} group;

static group group_at(writer *w, const ik_pass *p, const ik_pipe_stage *s, int nstage) {
  const ik_expr *value = p->kernel[s->kernel].stmt[0]->value;
  bool           is_long = ik_nodes_worth_a_name(value, w->a, &w->shared) > 0;
  group          g = {.n = 1, .cells = cells_of(p, s)};
  for (; is_long && g.n < nstage && s[g.n].kernel == s->kernel && s[g.n].lag == s->lag; g.n++) {
    ik_box b = cells_of(p, s + g.n);
    g.cells = ik_box_hull(&g.cells, &b);
  }
  for (int i = 0; i < g.n && g.n > 1; i++) {
    ik_box      b = cells_of(p, s + i);
    const char *in = "";
    for (int d = 0; d < w->ir->ndim; d++)
      in = TEXT("%s%s", in, ik_spell_within(&w->c, &b, d, g.cells.lo[d], g.cells.hi[d]));
    g.when = TEXT("%s%s(%s)", i ? g.when : "", i ? " ||\f" : "", in + 4);
  }
  return g;
}

static void put_group(writer *w, const ik_pass *p, const ik_pipe_stage *s, const group *g,
                      unsigned around) {
  const ik_pipe_kernel *k = &p->kernel[s->kernel];
  put_kernel(w, &g->cells, g->when, k->stmt, k->nstmt, around);
}

/* Plane by plane, which 2D has as rows; kernels that wait for others are behind the front. */
static void put_walk(writer *w, const ik_pass *p, const ik_pipe_phase *ph) {
  int         d = p->axis[IK_STREAM];
  const char *z = w->c.axis[d], *plane = w->ir->ndim == 2 ? "row" : "plane", *open = "";
  bool        lags = ik_pipe_lag(ph) > 0;
  int64_t     lo = INT64_MAX, hi = INT64_MIN;
  for (const ik_pipe_stage *s = ph->stage; s < ph->stage + ph->nstage; s++) {
    lo = ik_min(lo, s->lo[IK_STREAM] + ph->dir * s->lag);
    hi = ik_max(hi, s->hi[IK_STREAM] + ph->dir * s->lag);
  }
  put_gap(w);
  if (lags)
    LINE("/* Along %s, %s by %s: each statement so far behind that it finds what it reads. */", z,
         plane, plane);
  if (lags) w->c.axis[d] = "front";
  open_line(w, d, lo, hi, ph->dir, true);
  w->c.axis[d] = z;
  if (lags) LINE("long %s = front;", z);
  group g;
  for (const ik_pipe_stage *s = ph->stage, *end = s + ph->nstage; s < end; s += g.n) {
    g = group_at(w, p, s, (int)(end - s));
    int64_t     by = ph->dir * s->lag;
    const char *guard = ik_spell_within(&w->c, &g.cells, d, lo - by, hi - by);
    if (s > ph->stage ? s->lag != s[-1].lag : s->lag) {
      turn_guard(w, &open, "");
      put_gap(w);
      LINE("%s = %s;", z, ik_spell_shifted("front", -by, w->a));
      w->fresh = w->out->len;
    }
    turn_guard(w, &open, guard);
    put_group(w, p, s, &g, 1u << d);
  }
  turn_guard(w, &open, "");
  close_lines(w, 1);
}

static void put_pass(writer *w, const ik_pass *p) {
  if (p->nreduce && p->kernel[0].nstmt == 1) put_comments(w, p->kernel[0].stmt[0]);
  for (int i = 0; i < p->nreduce; i++) open_reduction(w, p->reduce[i].stmt);
  for (int i = 0; i < p->nphase; i++) {
    ik_pipe_phase ph = kernels_of(w, &p->phase[i]);
    bool          plain = ph.nstage == 1 && ph.dir > 0 && p->axis[IK_STREAM] == w->ir->ndim - 1;
    group         g = {.n = 0};
    if (is_stream(p) && !plain) put_walk(w, p, &ph), g.n = ph.nstage;
    for (int k = g.n; k < ph.nstage; k += g.n) {
      g = group_at(w, p, &ph.stage[k], ph.nstage - k);
      put_group(w, p, &ph.stage[k], &g, 0);
    }
  }
  for (int i = 0; i < p->nreduce; i++) close_reduction(w, p->reduce[i].stmt);
}

/* ---- what no pass can do ---- */

/* All cells are read before one is written. */
static void put_assign(writer *w, const ik_stmt *s, const ik_stmt *sweep, unsigned around) {
  const char *array = w->c.field[s->field].level[1 - s->level], **spare = &w->spare[s->field];
  bool        apart = ik_interp_reads_own_neighbour(s, sweep);
  if (apart && !*spare) *spare = ik_spell_name(&w->c, TEXT("%s_next", array));
  w->aside = apart ? *spare : NULL;
  put_kernel(w, &s->box, NULL, &s, 1, around);
  w->aside = NULL;
  if (!apart) return;
  nest n = open_nest(w, &s->box, around, false);
  LINE("%s = %s;", ik_spell_cell(&w->c, s->field, array, NULL),
       ik_spell_cell(&w->c, s->field, *spare, NULL));
  close_nest(w, &n);
}

static void put_sweep(writer *w, const ik_stmt *sweep) {
  const char *open = "";
  unsigned    around = 0;
  for (int k = 0; k < sweep->naxes; k++) {
    int d = sweep->axis[k];
    open_line(w, d, sweep->box.lo[d], sweep->box.hi[d], sweep->dir[k], k == sweep->naxes - 1);
    around |= 1u << d;
  }
  for (const ik_stmt *s = sweep->body; s; s = s->next) {
    const char *guard = "";
    for (int d = 0; d < w->ir->ndim; d++)
      if (around >> d & 1)
        guard = TEXT("%s%s", guard,
                     ik_spell_within(&w->c, &s->box, d, sweep->box.lo[d], sweep->box.hi[d]));
    turn_guard(w, &open, guard);
    if (ik_box_cells(&s->box)) put_assign(w, s, sweep, around);
  }
  turn_guard(w, &open, "");
  close_lines(w, sweep->naxes);
}

static void put_statement(writer *w, const ik_stmt *s) {
  if (s->kind == IK_SET || s->kind == IK_SWEEP) put_comments(w, s);
  if (s->kind == IK_SWEEP) put_sweep(w, s);
  if (s->kind == IK_SET)
    put_wrapped(w, TEXT("%s =\v%s;", w->scalar[s->scalar], spelled(w, s->value)));
  if (ik_box_cells(&s->box) == 0) return;
  if (s->kind == IK_ASSIGN) put_assign(w, s, NULL, 0);
  if (s->kind != IK_REDUCE) return;
  open_reduction(w, s);
  put_kernel(w, &s->box, NULL, &s, 1, 0);
  close_reduction(w, s);
}

static void put_list(writer *w, const ik_stmt *list, int steps);

static void put_repeat(writer *w, const ik_stmt *s) {
  LINE("for (long round = 0;; round++) {"), w->indent++;
  put_list(w, s->pre, 0);
  put_wrapped(w,
              TEXT("if ((%s) || round == %lld) break;", spelled(w, s->value), (long long)s->count));
  put_list(w, s->body, 0);
  close_lines(w, 1);
}

/* Of whole numbers, which wrap. */
static void put_whole_tap(writer *w, const ik_stmt *s, const ik_expr *amount) {
  put_comments(w, s);
  w->cells = &s->box;
  nest        n = open_nest(w, w->cells, 0, false);
  const char *to = ik_spell_cell(&w->c, s->field, w->c.field[s->field].level[0], NULL);
  put_wrapped(w, TEXT("%s = add_i32(%s, (int32_t)round_i32(%s));", to, to, spelled(w, amount)));
  close_nest(w, &n);
}

/* u' = u' + type(value*weight) at a cell. */
static void put_tap(writer *w, const ik_inject *j, const ik_tap *tap) {
  ik_type        t = w->ir->field[j->field].type;
  ik_expr        weight = {.op = IK_OP_CONST, .type = IK_F64, .value = tap->weight};
  ik_expr        product = {.op = IK_OP_MUL, .type = IK_F64, .arg = {j->value, &weight}};
  ik_expr        amount = {.op = IK_OP_CAST, .type = t, .arg = {&product}};
  ik_expr        read = {.op = IK_OP_READ, .type = t, .id = j->field, .level = 1};
  ik_expr        sum = {.op = IK_OP_ADD, .type = t, .arg = {&read, &amount}};
  ik_stmt        s = {.span = j->span, .field = j->field, .level = 1, .value = &sum};
  const ik_stmt *one = &s;
  if (tap->weight == 1) product = *j->value;
  for (int d = 0; d < IK_MAX_DIM; d++) s.box.lo[d] = tap->at[d], s.box.hi[d] = tap->at[d] + 1;
  if (t == IK_I32)
    put_whole_tap(w, &s, &product);
  else
    put_kernel(w, &s.box, NULL, &one, 1, 0);
}

/* u' becomes u, u becomes u[t-1], ...: arrays change places. */
static void put_turn(writer *w, int f) {
  const char **u = w->c.field[f].level;
  const char  *text = "";
  int          oldest = w->ir->field[f].history;
  for (int k = oldest; k > 0; k--) text = TEXT("%s%s = %s, ", text, u[k], u[k - 1]);
  LINE("oldest = %s, %s%s = oldest;", u[oldest], text, u[0]);
}

/* A function that makes a step, and its calls. */
static void put_steps(writer *w, const ik_stmt *s) {
  const char *name = ik_spell_name(&w->c, "step");
  LINE("for (long n = 0; n < %lld; n++) %s();", (long long)s->count, name);
  ik_buf *out = w->out;
  int     indent = w->indent;
  w->out = &w->functions, w->indent = 0;
  LINE("/* One step: t becomes t + 1. */\nstatic void %s(void) {", name), w->indent++;
  put_list(w, s->body, 1);
  for (const ik_inject *j = w->ir->inject; j < w->ir->inject + w->ir->ninject; j++)
    for (int k = 0; k < j->ntap; k++) put_tap(w, j, &j->tap[k]);
  LINE("void *oldest;");
  for (int f = 0; f < w->ir->nfield; f++)
    if (w->ir->field[f].has_new) put_turn(w, f);
  LINE("t++;\n}\n");
  w->out = out, w->indent = indent;
}

static void put_passes(writer *w, const ik_stmt *list, int steps) {
  const ik_plan plan = {.steps = 1, .threads = 1};
  ik_pipe       pipe;
  ik_pipe_of(w->ir, list, steps, &plan, NULL, w->a, &pipe);
  for (int f = 0; f < w->ir->nfield; f++)
    if (pipe.stored[f]) w->place[f] = ARRAY;
  for (int i = 0; i < pipe.n; i++)
    if (pipe.work[i].kind == IK_WORK_PASS) keep_temporaries(w, pipe.work[i].pass);
  w->unsaid = list;
  for (const ik_pipe_work *k = pipe.work; k < pipe.work + pipe.n; k++) {
    if (k->kind == IK_WORK_PASS)
      put_pass(w, k->pass);
    else
      put_statement(w, k->stmt);
  }
}

static void put_list(writer *w, const ik_stmt *list, int steps) {
  for (const ik_stmt *end = list; list; list = end) {
    while (end && !ik_stmt_is_loop(end)) end = end->next;
    if (end != list) put_passes(w, ik_stmt_copies(list, end, w->a), steps);
    if (!end) continue;
    put_comment(w, end->span, true);
    if (end->kind == IK_STEPS)
      put_steps(w, end);
    else
      put_repeat(w, end);
    end = end->next;
  }
}

/* ---- declarations ---- */

static void put_field(writer *w, int f) {
  static const char *const kinds[] = {"field", "of an absorbing layer:", "temporary"};
  const ik_field          *u = &w->ir->field[f];
  const ik_spell_field    *c = &w->c.field[f];
  const char              *type = TEXT("static %s ", ik_spell_stored_type(u->type)), *axes = "";
  for (int d = 0; d < w->ir->ndim; d++)
    if (u->on[d]) axes = TEXT("%s, %s", axes, w->ir->axis[d]);
  LINE("/* %s %s, %s on (%s)%s%s */", kinds[u->kind], u->name, ik_type_name(u->type),
       *axes ? axes + 2 : axes,
       u->history > 1 ? ": at t + 1, t and before"
       : u->has_new   ? ": at t + 1 and t"
                      : "",
       c->planes ? TEXT(": the last %d along %s", c->planes, w->ir->axis[c->axis]) : "");
  for (int i = 0; i <= u->history; i++)
    if (w->c.field[f].level[i])
      PUT("%s%s", *type ? type : ", ", ik_spell_declarator(&w->c, f, w->c.field[f].level[i])),
          type = "";
  if (w->spare[f]) PUT(", %s", ik_spell_declarator(&w->c, f, w->spare[f]));
  PUT(";\n");
}

static void put_declarations(writer *w) {
  for (int d = 0; d < IK_MAX_DIM && d < w->ir->ndim; d++) {
    long long n = w->ir->n[d];
    LINE("#define N%c %lld", "XYZ"[d], n);
  }
  PUT("\n");
  for (int f = 0; f < w->ir->nfield; f++)
    if (w->place[f] == ARRAY) put_field(w, f);
  bool time = ik_pick_has(ik_buf_text(&w->main), "t") || w->functions.len;
  PUT("\n%s", time ? "static long t; /* steps done */\n" : "");
  for (int i = 0; i < w->ir->nscalar; i++)
    LINE("static %s %s;", ik_spell_type(w->ir->scalar[i].type), w->scalar[i]);
  ik_spell_tables(w->ir, "table_", w->out);
  PUT("\n");
}

/* ---- the whole ---- */

static void put_allocation(writer *w) {
  LINE("static void allocate_fields(void) {");
  for (int f = 0; f < w->ir->nfield; f++)
    for (int k = 0; k <= w->ir->field[f].history + 1; k++) {
      const char *array = k <= w->ir->field[f].history ? w->c.field[f].level[k] : w->spare[f];
      const char *n = ik_spell_outer_extent(&w->c, f);
      if (array && w->place[f] == ARRAY) LINE("  %s = allocate(%s, sizeof *%s);", array, n, array);
    }
  LINE("}\n");
}

static void put_results(writer *w) {
  const char *hashes = "", *writes = "";
  int         n = 0;
  for (int i = 0; i < w->ir->nscalar; i++)
    if (!w->ir->scalar[i].hidden)
      LINE("printf(\"  %s = %%.%dg\\n\", (double)%s);", w->ir->scalar[i].name,
           w->ir->scalar[i].type == IK_I32 ? 10 : 9, w->scalar[i]);
  for (int f = 0; f < w->ir->nfield; f++) {
    if (w->ir->field[f].kind != IK_FIELD_USER) continue;
    const char *u = w->c.field[f].level[1], *rows = ik_spell_outer_extent(&w->c, f);
    hashes = TEXT("%s%shash_array(%s, sizeof *%s, %s)", hashes, n++ ? ",\f" : "", u, u, rows);
    writes = TEXT("%s  if (file) fwrite(%s, sizeof *%s, %s, file);\n", writes, u, u, rows);
  }
  put_wrapped(w, TEXT("const uint64_t hash[] = {%s};", n ? hashes : "IK_HASH_INIT"));
  LINE("printf(\"  hash    %%016llx\\n\", (unsigned long long)%s);",
       n > 1 ? "ik_hash(IK_HASH_INIT, hash, sizeof hash)" : "hash[0]");
  LINE("FILE *file = argc > 1 ? fopen(argv[1], \"wb\") : NULL;\n%s"
       "  if (argc > 1 && (!file || fclose(file))) return perror(argv[1]), 1;",
       writes);
}

static void put_main(writer *w) {
  LINE("int main(int argc, char **argv) {"), w->indent++;
  LINE("allocate_fields();");
  put_list(w, w->ir->init, 0);
  put_list(w, w->ir->body, 0);
  PUT("\n");
  put_results(w);
  LINE("return 0;\n}");
  w->indent--;
}

static void put_head(writer *w) {
  static const char *const guard =
      "#if defined __FAST_MATH__ || FLT_EVAL_METHOD != 0\n"
      "#error \"double and float have to be computed as they are written\"\n#endif\n"
      "#if !defined __GNUC__ || defined __clang__\n#pragma STDC FP_CONTRACT OFF\n#endif\n\n";
  const char *base = strrchr(w->ir->name, '/');
  char       *name = TEXT("%s", base ? base + 1 : w->ir->name), *end = strstr(name, ".ik");
  if (end) *end = 0;
  PUT("/* %s.c: a program of ikat %s as plain C.\n *\n"
      " *   cc -std=c99 -O2 -ffp-contract=off %s.c -lm -o %s && ./%s\n *\n"
      " * prints a hash of the result: that of `ikat run`, since all numbers have the same bits.\n"
      " * It is faster with -march=native.  `./%s FILE` writes the fields to a file, too, one\n"
      " * after the other as they lie in memory.\n",
      name, IK_VERSION, name, name, name, name);
  if (w->ir->nrecord + w->ir->noutput)
    PUT(" * Left out are its receivers, and the files that it writes.\n");
  for (int i = 0; i < w->ir->nparam; i++)
    if (w->ir->param[i].overridden)
      PUT(" * Here %s is %.17g, in SI units.\n", w->ir->param[i].name, w->ir->param[i].value);
  if (w->text) PUT(" *\n * The program:\n *\n");
  ik_spell_comment(w->text ? w->text->text : "", w->out);
  PUT(" */\n#include <float.h>\n#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n"
      "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n%s",
      guard);
}

static ik_status check(const ik_ir *ir, ik_diag *d) {
  for (const ik_stmt *s = ir->init; s; s = s->next)
    if (s->kind == IK_LOAD) {
      ik_error(d, IK_E084, s->span, "a program that reads files cannot be exported");
      ik_help(d, "give '%s' its initial values by a formula", ir->field[s->field].name);
      return IK_ERR_SOURCE;
    }
  return IK_OK;
}

/* What stands before the statements follows from them. */
static void print(writer *w, ik_buf *out) {
  name_all(w);
  w->out = &w->main;
  put_main(w);
  w->out = &w->before;
  put_declarations(w);
  put_allocation(w);
  ik_spelling s = spelling(w);
  for (int f = 0; f < w->ir->nfield; f++)
    if (w->face[f]) ik_spell_face(&s, &w->c, f, w->face[f], w->out);
  const char *code =
      TEXT("%s%s%s", ik_buf_text(&w->before), ik_buf_text(&w->functions), ik_buf_text(&w->main));
  w->out = out;
  put_head(w);
  PUT("/* ---- what the program calls ---- */\n%s\n/* ---- the program ---- */\n\n%s",
      ik_pick_files(sources, NSOURCES, code, w->a), code);
}

ik_status ik_plainc_print(const ik_ir *ir, const ik_source *text, ik_diag *d, ik_buf *out) {
  writer w = {.ir = ir, .text = text, .a = &w.arena};
  IK_TRY(check(ir, d));
  ik_arena_init(w.a);
  bool done = !setjmp(w.arena.oom);
  if (done) print(&w, out);
  done = done && !(out->failed | w.before.failed | w.functions.failed | w.main.failed);
  done = done && !w.scratch.failed;
  ik_buf_free(&w.before), ik_buf_free(&w.functions), ik_buf_free(&w.main), ik_buf_free(&w.scratch);
  ik_arena_free(w.a);
  return done ? IK_OK : ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the file");
}
