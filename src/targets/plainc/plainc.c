#include "targets/plainc/plainc.h"
#include "base/embed.h"
#include "base/least.h"
#include "base/pick.h"
#include "facts/nodes.h"
#include "ikat/version.h"
#include "interp/interp.h"
#include "ir/spell.h"
#include <string.h>

/* Names that are C's, its library's, or stand for something in every file. */
static const char reserved[] =
    "auto bool break case char const continue default do double else enum extern false float for "
    "goto if inline int long register restrict return short signed sizeof static struct switch "
    "true typedef typeof union unsigned void volatile while asm linux unix i386 main argc argv t "
    "f row rows part negative hash n file oldest round acos asin atan atan2 cos sin tan acosh "
    "asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10 log1p log2 logb modf "
    "scalbn scalbln scalb cbrt fabs hypot pow sqrt erf erfc lgamma tgamma gamma signgam ceil "
    "floor nearbyint rint lrint lround trunc fmod remainder remquo drem copysign nan nextafter "
    "nexttoward fdim fmax fmin fma isnan isinf finite significand j0 j1 jn y0 y1 yn abs labs div "
    "ldiv atof atoi atol rand srand random srandom malloc calloc realloc free abort exit atexit "
    "system getenv bsearch qsort index rindex remove rename puts gets stdin stdout stderr select "
    "errno signbit time clock NULL EOF NAN INFINITY NX NY NZ";

/* What files take parts of. */
static const char *const sources[] = {
    "src/base/bits.h",     "src/base/hash.h", "src/base/num.c", "src/base/elementary.c",
    "src/ir/operations.h", "src/ir/apply.c",  "src/ir/ir.c",    "src/targets/plainc/rt/run.h"};
enum { NSOURCES = sizeof sources / sizeof *sources };

typedef struct writer {
  const ik_ir     *ir;
  const ik_source *text;
  ik_arena        *a, arena;
  ik_buf      *out, before, functions, main, scratch; /* the text in three parts, an expression */
  int          indent;
  const char **taken; /* [ntaken] names */
  int          ntaken, ctaken;
  const char  *axis[IK_MAX_DIM];
  const char *(*level)[IK_MAX_HISTORY + 1]; /* [nfield] arrays: u', u, u[t-1], ... */
  const char    **scalar;                   /* [nscalar] */
  const char    **spare;  /* [nfield] for new values that neighbours are read for; NULL: none */
  const char    **face;   /* [nfield] the function that reads beyond faces; NULL: none is needed */
  const ik_box   *cells;  /* that the expression at hand is computed for */
  const ik_expr **shared; /* parts of it that have a variable: v1, v2, ... */
  int             nfound, nshared, cshared; /* ... in the end, so far */
  const char     *said[2];                  /* the text of the last comment */
} writer;

static const char *const extent[] = {"NX", "NY", "NZ"};

#define PUT(...)  ik_buf_printf(w->out, __VA_ARGS__)
#define TEXT(...) ik_arena_printf(w->a, __VA_ARGS__)
#define LINE(...) (ik_buf_pad(w->out, ' ', 2 * w->indent), PUT(__VA_ARGS__), PUT("\n"))

/* ---- names ---- */

static bool is_taken(const writer *w, const char *name) {
  if (ik_pick_has(reserved, name)) return true;
  for (int i = 0; i < w->ntaken; i++)
    if (strcmp(w->taken[i], name) == 0) return true;
  for (int i = 0; i < NSOURCES; i++)
    if (ik_pick_defines(ik_embed_find(sources[i])->data, name)) return true;
  size_t tail = strcspn(name, "0123456789");
  bool   numbered = name[tail] && !name[tail + strspn(name + tail, "0123456789")];
  return numbered && (strncmp(name, "v", tail) == 0 || strncmp(name, "table_", tail) == 0);
}

/* As wanted, or with something behind it. */
static const char *name_of(writer *w, const char *wanted) {
  const char *name = ik_spell_word(wanted, w->a);
  while (is_taken(w, name)) name = TEXT("%s_", name);
  IK_PUSH(w->a, w->taken, w->ntaken, w->ctaken, name);
  return name;
}

static void name_levels(writer *w, int f) {
  const ik_field *u = &w->ir->field[f];
  w->level[f][1] = name_of(w, u->name);
  if (u->has_new) w->level[f][0] = name_of(w, TEXT("%s_new", u->name));
  for (int k = 1; k < u->history; k++)
    w->level[f][1 + k] =
        name_of(w, k == 1 ? TEXT("%s_old", u->name) : TEXT("%s_old%d", u->name, k));
}

static void name_all(writer *w) {
  w->level = ik_arena_alloc_n(w->a, (size_t)w->ir->nfield + 1, sizeof *w->level);
  w->scalar = IK_NEW_N(w->a, const char *, w->ir->nscalar + 1);
  w->spare = IK_NEW_N(w->a, const char *, w->ir->nfield + 1);
  w->face = IK_NEW_N(w->a, const char *, w->ir->nfield + 1);
  for (int d = 0; d < IK_MAX_DIM; d++)
    w->axis[d] = d < w->ir->ndim ? name_of(w, w->ir->axis[d]) : "0";
  for (int f = 0; f < w->ir->nfield; f++) name_levels(w, f);
  for (int i = 0; i < w->ir->nscalar; i++) w->scalar[i] = name_of(w, w->ir->scalar[i].name);
}

/* ---- cells ---- */

/* A number of cells along an axis, by its extent if it is near that. */
static const char *number(writer *w, int d, int64_t v) {
  int64_t n = w->ir->n[d];
  if (v == n) return extent[d];
  if (n >= 16 && v > n - 16 && v < n + 16) return ik_spell_shifted(extent[d], v - n, w->a);
  return TEXT("%lld", (long long)v);
}

static const char *extent_of(writer *w, const ik_field *f, int d) {
  return number(w, d, f->box.hi[d] - f->box.lo[d]);
}

/* The last axis that a field is on; -1: it is a single number. */
static int outer_axis(const ik_field *f) {
  int d = IK_MAX_DIM - 1;
  while (d >= 0 && !f->on[d]) d--;
  return d;
}

static const char *outer_extent(writer *w, const ik_field *f) {
  int d = outer_axis(f);
  return d < 0 ? "1" : extent_of(w, f, d);
}

/* "(*u)[NY][NX]": an array, by a pointer to the cells across its last axis. */
static const char *declarator(writer *w, int f, const char *name) {
  const ik_field *u = &w->ir->field[f];
  const char     *inner = "";
  for (int d = outer_axis(u) - 1; d >= 0; d--)
    if (u->on[d]) inner = TEXT("%s[%s]", inner, extent_of(w, u, d));
  return *inner ? TEXT("(*%s)%s", name, inner) : TEXT("*%s", name);
}

/* Indices of a cell of a field, as "[y][x - 1]" or, for a function, ", y, x - 1". */
static const char *indices(writer *w, int f, const int *off, const char *before,
                           const char *after) {
  const ik_field *u = &w->ir->field[f];
  const char     *text = "";
  for (int d = IK_MAX_DIM - 1; d >= 0; d--)
    if (u->on[d])
      text = TEXT("%s%s%s%s", text, before,
                  ik_spell_shifted(w->axis[d], (off ? off[d] : 0) - u->box.lo[d], w->a), after);
  return *text ? text : "[0]";
}

static const char *cell(writer *w, int f, const char *array, const int *off) {
  return TEXT("%s%s", array, indices(w, f, off, "[", "]"));
}

static bool is_half(ik_type t) { return t == IK_F16 || t == IK_BF16; }

static const char *type_in_memory(ik_type t) { return is_half(t) ? "uint16_t" : ik_spell_type(t); }

static const char *loaded(writer *w, ik_type t, const char *cell) {
  return is_half(t) ? TEXT("ik_%s_to_f64(%s)", ik_type_name(t), cell) : cell;
}

static const char *stored(writer *w, ik_type t, const char *value) {
  return is_half(t) ? TEXT("ik_%s_from_f64(%s)", ik_type_name(t), value) : value;
}

/* ---- expressions ---- */

static bool is_beyond(const ik_field *f, const ik_expr *e, const ik_box *cells) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (f->on[d] &&
        (cells->lo[d] + e->off[d] < f->box.lo[d] || cells->hi[d] + e->off[d] > f->box.hi[d]))
      return true;
  return false;
}

static void note_time(const ik_expr *e, void *ctx) { *(bool *)ctx |= e->op == IK_OP_TIME; }

/* Does what stands beyond its faces depend on the step? */
static bool changes(const ik_field *f) {
  bool time = false;
  for (int i = 0; i < 2 * IK_MAX_DIM; i++)
    if (f->bc[i / 2][i % 2].value) ik_expr_each(f->bc[i / 2][i % 2].value, note_time, &time);
  return time;
}

static const char *read_of(writer *w, const ik_expr *e) {
  const ik_field *f = &w->ir->field[e->id];
  const char     *array = w->level[e->id][1 - e->level];
  if (!is_beyond(f, e, w->cells)) return loaded(w, f->type, cell(w, e->id, array, e->off));
  if (!w->face[e->id]) w->face[e->id] = name_of(w, TEXT("%s_at", f->name));
  const char *t = changes(f) ? TEXT(", %s", ik_spell_shifted("t", e->level, w->a)) : "";
  return TEXT("%s(%s%s%s)", w->face[e->id], array, t, indices(w, e->id, e->off, ", ", ""));
}

static const char *name_in_code(void *user, const ik_expr *e) {
  writer *w = user;
  if (e->op == IK_OP_READ) return read_of(w, e);
  if (e->op == IK_OP_SCALAR) return w->scalar[e->id];
  for (int i = 0; i < w->nshared; i++)
    if (w->shared[i] == e) return TEXT("v%d", i + 1);
  return NULL;
}

static const char *spelled(writer *w, const ik_expr *e) {
  ik_spelling s = {.exact = true, name_in_code, w, {0}, "table_", w->a, &w->scratch};
  memcpy(s.axis, w->axis, sizeof s.axis);
  w->scratch.len = 0;
  ik_spell(&s, e);
  return ik_arena_dup(w->a, ik_buf_text(&w->scratch), w->scratch.len);
}

/* A line, or several. */
static void put_wrapped(writer *w, const char *text) {
  enum { WIDE = 100 };
  size_t room = (size_t)ik_max_int(WIDE - 2 * w->indent - 4, 40);
  bool   whole = strlen(text) <= room + 4;
  for (const char *s = text; *s;) {
    size_t n = whole ? strlen(s) : strcspn(s, "\v"), some = n > room && !whole ? room : 0;
    while (some && s[some] != IK_SPELL_BREAKABLE) some--;
    if (some) n = some;
    ik_buf_pad(w->out, ' ', 2 * w->indent + (s > text ? 4 : 0));
    for (size_t i = 0; i < n; i++) ik_buf_putc(w->out, strchr("\v\f", s[i]) ? ' ' : s[i]);
    PUT("\n");
    s += n + (s[n] != 0);
  }
}

static bool is_chain(const ik_expr *e) {
  return e->op == IK_OP_FMA && e->arg[2]->op == IK_OP_FMA && e->arg[2]->arg[2]->op == IK_OP_FMA;
}

/* Parts of an expression that get a variable: what is used twice, and long sums within others. */
static bool find_shared(writer *w, const ik_expr *e) {
  ik_nodes nodes;
  ik_nodes_of(e, w->a, &nodes);
  int *uses = IK_NEW_N(w->a, int, nodes.n);
  for (int i = 0; i < nodes.n; i++)
    for (int k = 0; k < ik_op_nargs(nodes.node[i]->op); k++) {
      bool goes_on = nodes.node[i]->op == IK_OP_FMA && k == 2;
      uses[nodes.arg[i][k]] += 1 + (is_chain(nodes.node[i]->arg[k]) && !goes_on);
    }
  w->nfound = w->nshared = 0;
  for (int i = 0; i < nodes.n - 1; i++)
    if (uses[i] > 1 && ik_op_nargs(nodes.node[i]->op) > 0)
      IK_PUSH(w->a, w->shared, w->nfound, w->cshared, nodes.node[i]);
  return w->nfound > 0;
}

/* Those parts; then `before`, the value as a cell has it, `;` */
static void put_value(writer *w, const char *before, ik_type t, const ik_expr *e) {
  for (w->nshared = 0; w->nshared < w->nfound;) {
    const ik_expr *part = w->shared[w->nshared];
    const char    *value = spelled(w, part);
    put_wrapped(w, TEXT("const %s v%d =\v%s;", ik_spell_type(part->type), ++w->nshared, value));
  }
  put_wrapped(w, TEXT("%s%s;", before, stored(w, t, spelled(w, e))));
  w->nfound = w->nshared = 0;
}

/* ---- loops ---- */

/* Is there a loop along the axis?  Not if it has one cell that nobody asks for. */
static bool has_axis(writer *w, const ik_stmt *s, int d) {
  bool on = s->kind == IK_ASSIGN && w->ir->field[s->field].on[d];
  return s->box.hi[d] - s->box.lo[d] != 1 || on || ik_pick_has(spelled(w, s->value), w->axis[d]);
}

static void open_line(writer *w, int d, int64_t lo, int64_t hi, int dir, bool braces) {
  const char *x = w->axis[d], *from = number(w, d, dir > 0 ? lo : hi - 1);
  LINE("for (long %s = %s; %s %s %s; %s%s)%s", x, from, x,
       dir > 0 ? "<" : ">=", number(w, d, dir > 0 ? hi : lo), x, dir > 0 ? "++" : "--",
       braces ? " {" : "");
  w->indent++;
}

/* So many loops, all of them with braces or only the last, or none. */
static void close_lines(writer *w, int n, int braces) {
  for (; n > 0; n--, braces--) {
    w->indent--;
    if (braces > 0) LINE("}");
  }
}

static bool is_swept(const ik_stmt *sweep, int axis) {
  for (int k = 0; sweep && k < sweep->naxes; k++)
    if (sweep->axis[k] == axis) return true;
  return false;
}

/* Loops over the cells of a statement but along swept axes, down to axis `last`; their number.  In
 * braces if there is more than one statement in them. */
static int open_nest(writer *w, const ik_stmt *s, const ik_stmt *sweep, int last, bool braces) {
  int n = 0, left = 0;
  for (int d = last; d < w->ir->ndim; d++) left += !is_swept(sweep, d) && has_axis(w, s, d);
  if (left == 0 && braces) return LINE("{"), w->indent++, 1;
  for (int d = w->ir->ndim - 1; d >= last; d--)
    if (!is_swept(sweep, d) && has_axis(w, s, d))
      open_line(w, d, s->box.lo[d], s->box.hi[d], 1, braces && ++n == left);
  return left;
}

/* ---- statements ---- */

static void put_assign(writer *w, const ik_stmt *s, const ik_stmt *sweep) {
  ik_type     t = w->ir->field[s->field].type;
  const char *array = w->level[s->field][1 - s->level], *to = cell(w, s->field, array, NULL);
  bool        apart = ik_interp_reads_own_neighbour(s, sweep);
  if (apart && !w->spare[s->field]) w->spare[s->field] = name_of(w, TEXT("%s_next", array));
  const char *next = apart ? cell(w, s->field, w->spare[s->field], NULL) : to;
  bool        more = find_shared(w, s->value);
  int         n = open_nest(w, s, sweep, 0, more);
  put_value(w, TEXT("%s =\v", next), t, s->value);
  close_lines(w, n, more);
  if (!apart) return;
  n = open_nest(w, s, sweep, 0, false);
  LINE("%s = %s;", to, next);
  close_lines(w, n, 0);
}

/* Is the index of the sweep one of the statement's?  "": always. */
static const char *guard_of(writer *w, const ik_stmt *sweep, const ik_stmt *s) {
  const char *text = "";
  for (int k = 0; k < sweep->naxes; k++) {
    int     d = sweep->axis[k];
    int64_t lo = s->box.lo[d], hi = s->box.hi[d];
    if (lo > sweep->box.lo[d]) text = TEXT("%s && %s >= %s", text, w->axis[d], number(w, d, lo));
    if (hi < sweep->box.hi[d]) text = TEXT("%s && %s < %s", text, w->axis[d], number(w, d, hi));
  }
  return text;
}

static void put_reduce(writer *w, const ik_stmt *s) {
  static const char *const how[] = {NULL, "min_f64", "max_f64"};
  const ik_box            *b = &s->box;
  ik_type                  t = s->value->type;
  const char              *f = s->reduce ? how[s->reduce] : TEXT("sum_%s", ik_type_name(t));
  const char              *length = number(w, 0, b->hi[0] - b->lo[0]);
  LINE("{"), w->indent++;
  LINE("double *row = allocate(%s, sizeof *row), *part = allocate(%lld, sizeof *part);", length,
       (long long)((b->hi[1] - b->lo[1]) * (b->hi[2] - b->lo[2])));
  LINE("long    rows = 0;");
  int  n = w->ir->ndim > 1 ? open_nest(w, s, NULL, 1, true) : 0;
  bool more = find_shared(w, s->value);
  open_line(w, 0, b->lo[0], b->hi[0], 1, more);
  put_value(w, TEXT("row[%s] =\v", ik_spell_shifted(w->axis[0], -b->lo[0], w->a)), IK_F64,
            s->value);
  close_lines(w, 1, more);
  LINE("part[rows++] = reduce_row(%s, row, %s);", f, length);
  close_lines(w, n, 1);
  LINE("%s = (%s)tree(%s, part, rows);", w->scalar[s->scalar], ik_spell_type(t), f);
  LINE("free(row), free(part);");
  close_lines(w, 1, 1);
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
  char *text = ik_arena_alloc(w->a, MOST + 1);
  int   n = 0;
  for (const char *s = from; s < end && n < MOST; s++) {
    if (*s == '#') s += strcspn(s, "\n");
    bool blank = s >= end || strchr(" \n", *s);
    if (!blank || (n && text[n - 1] != ' ')) text[n++] = blank ? ' ' : *s;
  }
  while (n && text[n - 1] == ' ') text[--n] = 0;
  if (w->out->len > 2 && w->out->data[w->out->len - 2] != '{') PUT("\n");
  LINE("/* %s%s */", text, n == MOST ? "..." : "");
  w->said[0] = from, w->said[1] = end;
}

static void put_statement(writer *w, const ik_stmt *s, const ik_stmt *sweep);

static void put_list(writer *w, const ik_stmt *list) {
  for (const ik_stmt *s = list; s; s = s->next) put_statement(w, s, NULL);
}

static void put_sweep(writer *w, const ik_stmt *sweep) {
  const char *open = "";
  for (int k = 0; k < sweep->naxes; k++) {
    int d = sweep->axis[k];
    open_line(w, d, sweep->box.lo[d], sweep->box.hi[d], sweep->dir[k], true);
  }
  for (const ik_stmt *s = sweep->body; s; s = s->next) {
    const char *guard = guard_of(w, sweep, s);
    if (strcmp(guard, open) != 0) {
      close_lines(w, *open != 0, 1);
      if (*guard) LINE("if (%s) {", guard + 4), w->indent++;
    }
    put_statement(w, s, sweep), open = guard;
  }
  close_lines(w, sweep->naxes + (*open != 0), sweep->naxes + 1);
}

static void put_repeat(writer *w, const ik_stmt *s) {
  LINE("for (long round = 0;; round++) {"), w->indent++;
  put_list(w, s->pre);
  put_wrapped(w,
              TEXT("if ((%s) || round == %lld) break;", spelled(w, s->value), (long long)s->count));
  put_list(w, s->body);
  close_lines(w, 1, 1);
}

/* u' = u' + type(value*weight) at a cell, whose indices are numbers. */
static void put_tap(writer *w, const ik_inject *j, const ik_tap *tap) {
  const ik_field *f = &w->ir->field[j->field];
  const char     *axis[IK_MAX_DIM];
  ik_box          at;
  ik_expr         weight = {.op = IK_OP_CONST, .type = IK_F64, .value = tap->weight};
  ik_expr         product = {.op = IK_OP_MUL, .type = IK_F64, .arg = {j->value, &weight}};
  ik_expr         amount = {.op = IK_OP_CAST, .type = f->type, .arg = {&product}};
  ik_expr         read = {.op = IK_OP_READ, .type = f->type, .id = j->field, .level = 1};
  ik_expr         sum = {.op = IK_OP_ADD, .type = f->type, .arg = {&read, &amount}};
  if (tap->weight == 1) product = *j->value;
  memcpy(axis, w->axis, sizeof axis);
  for (int d = 0; d < IK_MAX_DIM; d++) {
    at.lo[d] = tap->at[d], at.hi[d] = at.lo[d] + 1;
    if (d < w->ir->ndim) w->axis[d] = TEXT("%lld", (long long)tap->at[d]);
  }
  const char *to = cell(w, j->field, w->level[j->field][0], NULL);
  w->cells = &at;
  bool more = f->type != IK_I32 && find_shared(w, &sum);
  if (more) LINE("{"), w->indent++;
  if (f->type == IK_I32)
    put_wrapped(w, TEXT("%s = add_i32(%s, (int32_t)round_i32(%s));", to, to, spelled(w, &product)));
  else
    put_value(w, TEXT("%s =\v", to), f->type, &sum);
  close_lines(w, more, 1);
  memcpy(w->axis, axis, sizeof axis);
}

/* u' becomes u, u becomes u[t-1], ...: arrays change places. */
static void put_turn(writer *w, int f) {
  const char **u = w->level[f];
  const char  *text = "";
  int          oldest = w->ir->field[f].history;
  for (int k = oldest; k > 0; k--) text = TEXT("%s%s = %s, ", text, u[k], u[k - 1]);
  LINE("oldest = %s, %s%s = oldest;", u[oldest], text, u[0]);
}

/* A function that makes a step, and its calls. */
static void put_steps(writer *w, const ik_stmt *s) {
  const char *name = name_of(w, "step");
  LINE("for (long n = 0; n < %lld; n++) %s();", (long long)s->count, name);
  ik_buf *out = w->out;
  int     indent = w->indent;
  w->out = &w->functions, w->indent = 0;
  LINE("/* One step: t becomes t + 1. */\nstatic void %s(void) {", name), w->indent++;
  put_list(w, s->body);
  for (const ik_inject *j = w->ir->inject; j < w->ir->inject + w->ir->ninject; j++) {
    put_comment(w, j->span, false);
    for (int k = 0; k < j->ntap; k++) put_tap(w, j, &j->tap[k]);
  }
  LINE("void *oldest;");
  for (int f = 0; f < w->ir->nfield; f++)
    if (w->ir->field[f].has_new) put_turn(w, f);
  LINE("t++;\n}\n");
  w->out = out, w->indent = indent;
}

/* One of init and body, or of what stands in them. */
static void put_statement(writer *w, const ik_stmt *s, const ik_stmt *sweep) {
  w->cells = &s->box;
  if ((s->kind == IK_ASSIGN || s->kind == IK_REDUCE) && ik_box_cells(&s->box) == 0) return;
  put_comment(w, s->span, s->body || s->pre);
  switch (s->kind) {
  case IK_ASSIGN: put_assign(w, s, sweep); break;
  case IK_REDUCE: put_reduce(w, s); break;
  case IK_SET: put_wrapped(w, TEXT("%s =\v%s;", w->scalar[s->scalar], spelled(w, s->value))); break;
  case IK_SWEEP: put_sweep(w, s); break;
  case IK_REPEAT: put_repeat(w, s); break;
  case IK_STEPS: put_steps(w, s); break;
  case IK_LOAD: break; /* refused */
  }
}

/* ---- what stands beyond faces ---- */

static bool flips(ik_bc_kind k) { return k == IK_BC_ANTIMIRROR || k == IK_BC_ANTIREFLECT; }

static const char *signed_by(writer *w, const ik_field *f, bool flip, const char *value) {
  const char *minus = f->type == IK_I32 ? "neg_i32" : "-";
  return flip ? TEXT("negative ?\f%s(%s) :\f%s", minus, value, value) : value;
}

/* Is a cell beyond a face, or beyond both of an axis? */
static const char *beyond(writer *w, int d, const ik_field *f, bool low, bool high) {
  const char *x = w->axis[d];
  const char *above = high ? TEXT("%s >= %s", x, extent_of(w, f, d)) : "";
  return TEXT("%s%s%s", low ? TEXT("%s < 0", x) : "", low && high ? " || " : "", above);
}

/* The index becomes that of the cell which stands for it. */
static void put_fold(writer *w, const ik_field *f, int d, ik_bc_kind kind, bool low, bool high) {
  static const char *const to[IK_NBC] = {
      [IK_BC_PERIODIC] = "periodic",   [IK_BC_MIRROR] = "mirror",   [IK_BC_ANTIMIRROR] = "mirror",
      [IK_BC_ANTIREFLECT] = "reflect", [IK_BC_REFLECT] = "reflect",
  };
  const char *x = w->axis[d], *n = extent_of(w, f, d), *flip = "";
  if (kind == IK_BC_COPY && low) LINE("if (%s < 0) %s = 0;", x, x);
  if (kind == IK_BC_COPY && high) LINE("if (%s >= %s) %s = %s - 1;", x, n, x, n);
  if (!to[kind]) return;
  if (flips(kind)) flip = TEXT("negative ^= %s_flips(%s, %s), ", to[kind], x, n);
  LINE("if (%s) %s%s = %s(%s, %s);", beyond(w, d, f, low, high), flip, x, to[kind], x, n);
}

static bool put_folds(writer *w, const ik_field *f) {
  bool flip = false;
  for (int d = 0; d < w->ir->ndim; d++) flip |= flips(f->bc[d][0].kind) || flips(f->bc[d][1].kind);
  if (flip) LINE("bool negative = false;");
  for (int d = 0; d < w->ir->ndim; d++) {
    ik_bc_kind low = f->bc[d][0].kind, high = f->bc[d][1].kind;
    put_fold(w, f, d, low, true, low == high);
    if (low != high) put_fold(w, f, d, high, false, true);
  }
  return flip && f->type != IK_BOOL;
}

/* The lowest axis with a value wins. */
static void put_values(writer *w, const ik_field *f, bool flip) {
  const char *when = "", *value = "";
  for (int d = 0; d < w->ir->ndim; d++)
    for (int side = 0; side < 2; side++) {
      if (f->bc[d][side].kind != IK_BC_VALUE) continue;
      const char *here = signed_by(w, f, flip, spelled(w, f->bc[d][side].value));
      if (*when && strcmp(here, value) != 0)
        put_wrapped(w, TEXT("if (%s) return %s;", when + 4, value)), when = "";
      when = TEXT("%s || %s", when, beyond(w, d, f, !side, side)), value = here;
    }
  if (*when) put_wrapped(w, TEXT("if (%s) return %s;", when + 4, value));
}

static void put_face(writer *w, int f) {
  const ik_field *u = &w->ir->field[f];
  const char     *name = w->level[f][1], *axis[IK_MAX_DIM];
  memcpy(axis, w->axis, sizeof axis);
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (!u->on[d]) w->axis[d] = "0";
  LINE("/* %s, also beyond its faces. */", u->name);
  LINE("static %s %s(%s %s%s%s) {", ik_spell_type(u->type), w->face[f], type_in_memory(u->type),
       declarator(w, f, name), changes(u) ? ", long t" : "", indices(w, f, NULL, ", long ", ""));
  w->indent++;
  bool        flip = put_folds(w, u);
  const char *value = loaded(w, u->type, cell(w, f, name, NULL));
  put_values(w, u, flip);
  put_wrapped(w, TEXT("return %s;", signed_by(w, u, flip, value)));
  w->indent--, LINE("}\n");
  memcpy(w->axis, axis, sizeof axis);
}

/* ---- declarations ---- */

static void put_field(writer *w, int f) {
  static const char *const kinds[] = {"field", "of an absorbing layer:", "temporary"};
  const ik_field          *u = &w->ir->field[f];
  const char              *type = TEXT("static %s ", type_in_memory(u->type)), *axes = "";
  for (int d = 0; d < w->ir->ndim; d++)
    if (u->on[d]) axes = TEXT("%s, %s", axes, w->ir->axis[d]);
  LINE("/* %s %s, %s on (%s)%s */", kinds[u->kind], u->name, ik_type_name(u->type),
       *axes ? axes + 2 : axes,
       u->history > 1 ? ": at t + 1, t and before"
       : u->has_new   ? ": at t + 1 and t"
                      : "");
  for (int k = 0; k <= u->history; k++)
    if (w->level[f][k])
      PUT("%s%s", *type ? type : ", ", declarator(w, f, w->level[f][k])), type = "";
  if (w->spare[f]) PUT(", %s", declarator(w, f, w->spare[f]));
  PUT(";\n");
}

static void put_declarations(writer *w) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (d < w->ir->ndim) LINE("#define %s %lld", extent[d], (long long)w->ir->n[d]);
  PUT("\n");
  for (int f = 0; f < w->ir->nfield; f++) put_field(w, f);
  bool time = ik_pick_has(ik_buf_text(&w->main), "t") || w->functions.len;
  PUT("\n%s", time ? "static long t; /* steps done */\n" : "");
  for (int i = 0; i < w->ir->nscalar; i++)
    LINE("static %s %s;", ik_spell_type(w->ir->scalar[i].type), w->scalar[i]);
  for (int i = 0; i < w->ir->ntable; i++) {
    const ik_samples *v = &w->ir->table[i];
    LINE("\n/* samples of %s */\nstatic const double table_%d[] = {", v->name, i);
    for (int k = 0; k < v->n; k++) LINE("  %.17g,", v->value[k]);
    LINE("};");
  }
  PUT("\n");
}

/* ---- the whole ---- */

static void put_allocation(writer *w) {
  LINE("static void allocate_fields(void) {");
  for (int f = 0; f < w->ir->nfield; f++)
    for (int k = 0; k <= w->ir->field[f].history + 1; k++) {
      const char *array = k <= w->ir->field[f].history ? w->level[f][k] : w->spare[f];
      const char *n = outer_extent(w, &w->ir->field[f]);
      if (array) LINE("  %s = allocate(%s, sizeof *%s);", array, n, array);
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
    const char *u = w->level[f][1], *rows = outer_extent(w, &w->ir->field[f]);
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
  put_list(w, w->ir->init);
  put_list(w, w->ir->body);
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
  char last = '\n';
  for (const char *s = w->text ? w->text->text : ""; *s; last = *s++) {
    if (last == '\n') PUT(*s == '\n' ? " *" : " *   ");
    ik_buf_putc(w->out, *s);
    if (*s == '*' && s[1] == '/') ik_buf_putc(w->out, ' ');
  }
  PUT("%s */\n#include <float.h>\n#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n"
      "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n%s",
      last != '\n' ? "\n" : "", guard);
}

/* The parts of sources that the code uses: each takes what those behind it need. */
static const char *parts_of(writer *w, const char *code) {
  const char *parts = "";
  for (int i = NSOURCES - 1; i >= 0; i--)
    parts = TEXT("%s%s", ik_pick(ik_embed_find(sources[i])->data, TEXT("%s%s", parts, code), w->a),
                 parts);
  return parts;
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
  for (int f = 0; f < w->ir->nfield; f++)
    if (w->face[f]) put_face(w, f);
  const char *code =
      TEXT("%s%s%s", ik_buf_text(&w->before), ik_buf_text(&w->functions), ik_buf_text(&w->main));
  w->out = out;
  put_head(w);
  PUT("/* ---- what the program calls ---- */\n%s\n/* ---- the program ---- */\n\n%s",
      parts_of(w, code), code);
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
