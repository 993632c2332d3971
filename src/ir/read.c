#include "base/text.h"
#include "ir/names.h"
#include "ir/space.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A chain of one term per point of a large pattern nests as deep as the pattern has points. */
enum { DEEPEST_EXPR = 10000, DEEPEST_BLOCK = 16, SHOWN = 40 };

typedef enum token_kind { END, WORD, STRING, MARK } token_kind;

typedef struct token {
  token_kind  kind;
  int         off, len;
  const char *text; /* of a string without quotes and escapes */
} token;

typedef struct reader {
  const ik_source *src;
  ik_arena        *a;
  ik_diag         *d;
  ik_ir           *ir;
  token           *tok; /* all of them, the last is END */
  int              ntok, cap, at;
  int              expr_depth, block_depth;
  int              cap_field, cap_scalar, cap_param, cap_table, cap_inject, cap_record, cap_output;
} reader;

/* ---- tokens ---- */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         (c && strchr("_.+-", c));
}

static ik_span span_at(const reader *r, int off, int len) { return (ik_span){r->src, off, len}; }

static int skip_blank(const reader *r, int i) {
  int n = (int)r->src->len;
  while (i < n && (is_space(r->src->text[i]) || r->src->text[i] == ';')) {
    if (r->src->text[i] == ';')
      while (i < n && r->src->text[i] != '\n') i++;
    else
      i++;
  }
  return i;
}

static void add_token(reader *r, token_kind kind, int off, int end, const char *text, size_t len) {
  token t = {kind, off, end - off, ik_arena_dup(r->a, text, len)};
  IK_PUSH(r->a, r->tok, r->ntok, r->cap, t);
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The character after a backslash at `*i`; -1 if there is no such escape. */
static int unescape(const reader *r, int *i) {
  const char *s = r->src->text;
  int         n = (int)r->src->len, k = *i + 1;
  if (k < n && (s[k] == '"' || s[k] == '\\')) return *i = k, s[k];
  if (k + 2 >= n || s[k] != 'x') return -1;
  int high = hex_digit(s[k + 1]), low = hex_digit(s[k + 2]);
  if (high < 0 || low < 0 || high + low == 0) return -1;
  *i = k + 2;
  return 16 * high + low;
}

/* Where the string that starts at `off` is closed; -1 if it is not. */
static int string_end(const reader *r, int off) {
  const char *s = r->src->text;
  int         n = (int)r->src->len, i = off + 1;
  while (i < n && s[i] && s[i] != '"' && s[i] != '\n') i += s[i] == '\\' ? 2 : 1;
  return i < n && s[i] == '"' ? i : -1;
}

static ik_status lex_string(reader *r, int *pos) {
  const char *s = r->src->text;
  int         off = *pos, end = string_end(r, off), len = 0;
  if (end < 0) return ik_error(r->d, IK_E003, span_at(r, off, 1), "this string is never closed");
  char *text = ik_arena_alloc(r->a, (size_t)(end - off));
  for (int i = off + 1; i < end; i++) {
    int c = s[i] == '\\' ? unescape(r, &i) : (unsigned char)s[i];
    if (c < 0)
      return ik_error(r->d, IK_E002, span_at(r, i, 1),
                      "only \\\", \\\\ and \\xHH stand in a string");
    text[len++] = (char)c;
  }
  *pos = end + 1;
  add_token(r, STRING, off, end + 1, text, (size_t)len);
  return IK_OK;
}

static ik_status lex_one(reader *r, int *pos) {
  const char *s = r->src->text;
  int         n = (int)r->src->len, off = *pos, i = off;
  if (s[i] == '"') return lex_string(r, pos);
  while (i < n && is_word(s[i])) i++;
  if (i > off)
    add_token(r, WORD, off, i, s + off, (size_t)(i - off));
  else if (s[i] && strchr("(){}[],:=@#$", s[i]))
    add_token(r, MARK, off, ++i, s + off, 1);
  else
    return ik_error(r->d, IK_E001, span_at(r, off, 1),
                    "a character that the text form does not have");
  *pos = i;
  return IK_OK;
}

static ik_status lex(reader *r) {
  if (r->src->len > INT_MAX - 16)
    return ik_error(r->d, IK_E005, span_at(r, 0, 0), "the text is too long");
  int i = skip_blank(r, 0), n = (int)r->src->len;
  while (i < n) {
    IK_TRY(lex_one(r, &i));
    i = skip_blank(r, i);
  }
  add_token(r, END, n, n, "", 0);
  return IK_OK;
}

/* ---- what comes next ---- */

static token *next(const reader *r) { return &r->tok[r->at]; }

static void advance(reader *r) {
  if (next(r)->kind != END) r->at++;
}

static ik_span here(const reader *r) { return span_at(r, next(r)->off, next(r)->len); }

/* From the token `first` to the last one taken. */
static ik_span since(const reader *r, int first) {
  const token *a = &r->tok[first], *b = &r->tok[r->at > first ? r->at - 1 : first];
  return span_at(r, a->off, b->off + b->len - a->off);
}

static ik_status expected(reader *r, const char *what) {
  if (next(r)->kind == END)
    return ik_error(r->d, IK_E002, here(r), "expected %s, found the end of the text", what);
  return ik_error(r->d, IK_E002, here(r), "expected %s, found '%.*s'", what, SHOWN, next(r)->text);
}

static bool is_next(const reader *r, token_kind kind, const char *text) {
  return next(r)->kind == kind && strcmp(next(r)->text, text) == 0;
}

static bool take(reader *r, token_kind kind, const char *text) {
  if (!is_next(r, kind, text)) return false;
  advance(r);
  return true;
}

static ik_status need(reader *r, token_kind kind, const char *text) {
  if (take(r, kind, text)) return IK_OK;
  char what[SHOWN];
  snprintf(what, sizeof what, "'%s'", text);
  return expected(r, what);
}

static ik_status need_mark(reader *r, const char *text) { return need(r, MARK, text); }
static ik_status need_word(reader *r, const char *text) { return need(r, WORD, text); }

/* ---- numbers, strings, words of a list ---- */

static ik_status read_int(reader *r, int64_t low, int64_t high, int64_t *out) {
  if (next(r)->kind != WORD) return expected(r, "a whole number");
  char *end;
  errno = 0;
  long long v = strtoll(next(r)->text, &end, 10);
  if (*end) return expected(r, "a whole number");
  if (errno || v < low || v > high)
    return ik_error(r->d, IK_E004, here(r), "expected a number from %lld to %lld", (long long)low,
                    (long long)high);
  advance(r);
  *out = v;
  return IK_OK;
}

static ik_status read_small(reader *r, int low, int *out) {
  int64_t v = 0;
  IK_TRY(read_int(r, low, INT_MAX, &v));
  *out = (int)v;
  return IK_OK;
}

static ik_status read_double(reader *r, double *out) {
  if (next(r)->kind != WORD) return expected(r, "a number");
  char  *end;
  double v = ik_strtod(next(r)->text, &end);
  if (*end || end == next(r)->text)
    return ik_error(r->d, IK_E004, here(r), "'%.*s' is not a number", SHOWN, next(r)->text);
  advance(r);
  *out = v;
  return IK_OK;
}

static ik_status read_doubles(reader *r, int n, double *out) {
  for (int i = 0; i < n; i++) {
    if (i) IK_TRY(need_mark(r, ","));
    IK_TRY(read_double(r, &out[i]));
  }
  return IK_OK;
}

static ik_status read_string(reader *r, const char **out) {
  if (next(r)->kind != STRING) return expected(r, "a string");
  *out = next(r)->text;
  advance(r);
  return IK_OK;
}

static ik_status read_name(reader *r, const char **out) {
  if (next(r)->kind != STRING && next(r)->kind != WORD) return expected(r, "a name");
  *out = next(r)->text;
  advance(r);
  return IK_OK;
}

static ik_status unknown(reader *r, const char *what, const char *const *names, int n) {
  const char *near = ik_nearest(next(r)->text, names, n);
  ik_status   s =
      ik_error(r->d, IK_E010, here(r), "there is no %s '%.*s'", what, SHOWN, next(r)->text);
  if (near) ik_help(r->d, "'%s' may be meant", near);
  return s;
}

static ik_status read_choice(reader *r, const char *what, const char *const *names, int n,
                             int *out) {
  if (next(r)->kind != WORD) return expected(r, what);
  for (int i = 0; i < n; i++)
    if (strcmp(next(r)->text, names[i]) == 0) {
      advance(r);
      *out = i;
      return IK_OK;
    }
  return unknown(r, what, names, n);
}

static ik_status read_type(reader *r, ik_type *out) {
  const char *names[IK_NTYPES];
  int         i = 0;
  for (int t = 0; t < IK_NTYPES; t++) names[t] = ik_type_name((ik_type)t);
  IK_TRY(read_choice(r, "type", names, IK_NTYPES, &i));
  *out = (ik_type)i;
  return IK_OK;
}

/* ---- references ---- */

static int count_named(const reader *r, ik_named k, const char *name, int *first) {
  int n = 0;
  for (int i = ik_named_count(r->ir, k) - 1; i >= 0; i--)
    if (strcmp(ik_named_at(r->ir, k, i), name) == 0) n++, *first = i;
  return n;
}

static ik_status read_index(reader *r, ik_named k, const char *name, int *out) {
  int64_t i = 0;
  ik_span at = here(r);
  IK_TRY(read_int(r, 0, INT_MAX, &i));
  if (i >= ik_named_count(r->ir, k) || strcmp(ik_named_at(r->ir, k, (int)i), name))
    return ik_error(r->d, IK_E010, at, "number %d is not named '%.*s'", (int)i, SHOWN, name);
  *out = (int)i;
  return IK_OK;
}

static ik_status read_ref(reader *r, ik_named k, int *out) {
  static const char *const what[] = {"field", "scalar", "table", "axis"};
  ik_span                  at = here(r);
  const char              *name = NULL;
  int                      n = 0;
  if (next(r)->kind == STRING || next(r)->kind == WORD)
    n = count_named(r, k, next(r)->text, out);
  else
    return expected(r, what[k]);
  if (!n)
    return ik_error(r->d, IK_E010, at, "there is no %s '%.*s'", what[k], SHOWN, next(r)->text);
  IK_TRY(read_name(r, &name));
  if (take(r, MARK, "#")) return read_index(r, k, name, out);
  if (n > 1)
    return ik_error(r->d, IK_E010, at, "'%.*s' is the name of %d: write %.*s#%d", SHOWN, name, n,
                    SHOWN, name, *out);
  return IK_OK;
}

static ik_status read_box(reader *r, ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++) b->lo[d] = 0, b->hi[d] = 1;
  for (int d = 0; d < r->ir->ndim; d++) {
    if (d) IK_TRY(need_mark(r, ","));
    IK_TRY(read_int(r, -INT64_MAX, INT64_MAX, &b->lo[d]));
    IK_TRY(need_mark(r, ":"));
    IK_TRY(read_int(r, -INT64_MAX, INT64_MAX, &b->hi[d]));
  }
  return IK_OK;
}

static ik_status read_level(reader *r, int *level) {
  int64_t v = 0;
  IK_TRY(need_mark(r, "@"));
  IK_TRY(read_int(r, -IK_MAX_HISTORY, 1, &v));
  *level = (int)v;
  return IK_OK;
}

/* ---- expressions ---- */

static ik_status read_expr(reader *r, const ik_expr **out);

static ik_status read_offsets(reader *r, ik_expr *e) {
  if (!take(r, MARK, "[")) return IK_OK;
  for (int d = 0; d < r->ir->ndim; d++) {
    int64_t v = 0;
    if (d) IK_TRY(need_mark(r, ","));
    IK_TRY(read_int(r, -INT_MAX, INT_MAX, &v));
    e->off[d] = (int)v;
  }
  return need_mark(r, "]");
}

static ik_status read_read(reader *r, ik_expr *e) {
  e->op = IK_OP_READ;
  IK_TRY(read_ref(r, IK_NAMED_FIELD, &e->id));
  e->type = r->ir->field[e->id].type;
  IK_TRY(read_level(r, &e->level));
  return read_offsets(r, e);
}

static ik_status read_scalar_value(reader *r, ik_expr *e) {
  e->op = IK_OP_SCALAR;
  IK_TRY(read_ref(r, IK_NAMED_SCALAR, &e->id));
  e->type = r->ir->scalar[e->id].type;
  return IK_OK;
}

/* `fma.f64`: an operation that is written with its name. */
static ik_status read_op(reader *r, ik_expr *e) {
  const char *text = next(r)->text, *dot = strchr(text, '.');
  int         type = dot ? ik_type_find(dot + 1) : -1;
  if (next(r)->kind != WORD || type < 0) return expected(r, "an operation like add.f64");
  for (int op = IK_OP_COORD; op < IK_NOPS; op++) {
    const char *name = ik_op_name((ik_op)op);
    if (strlen(name) != (size_t)(dot - text) || strncmp(name, text, strlen(name))) continue;
    e->op = (ik_op)op, e->type = (ik_type)type;
    advance(r);
    return IK_OK;
  }
  return ik_error(r->d, IK_E010, here(r), "there is no operation '%.*s'", SHOWN, text);
}

static ik_status read_detail(reader *r, ik_expr *e) {
  switch (e->op) {
  case IK_OP_COORD: return read_ref(r, IK_NAMED_AXIS, &e->id);
  case IK_OP_TABLE: return read_ref(r, IK_NAMED_TABLE, &e->id);
  case IK_OP_NOISE: IK_TRY(read_double(r, &e->value)); return read_offsets(r, e);
  default: return IK_OK;
  }
}

static ik_status read_operation(reader *r, ik_expr *e) {
  if (next(r)->kind == WORD && ik_type_find(next(r)->text) >= 0) {
    IK_TRY(read_type(r, &e->type));
    e->op = IK_OP_CONST;
    IK_TRY(read_double(r, &e->value));
    return need_mark(r, ")");
  }
  IK_TRY(read_op(r, e));
  IK_TRY(read_detail(r, e));
  for (int i = 0; i < ik_op_nargs(e->op); i++) IK_TRY(read_expr(r, &e->arg[i]));
  return need_mark(r, ")");
}

static ik_status read_expr(reader *r, const ik_expr **out) {
  if (++r->expr_depth > DEEPEST_EXPR)
    return ik_error(r->d, IK_E005, here(r), "expressions nest deeper than %d", DEEPEST_EXPR);
  int      first = r->at;
  ik_expr *e = IK_NEW(r->a, ik_expr);
  if (take(r, MARK, "("))
    IK_TRY(read_operation(r, e));
  else if (take(r, MARK, "$"))
    IK_TRY(read_scalar_value(r, e));
  else if (next(r)->kind == WORD || next(r)->kind == STRING)
    IK_TRY(read_read(r, e));
  else
    return expected(r, "an expression");
  e->span = since(r, first);
  *out = e;
  r->expr_depth--;
  return IK_OK;
}

/* ---- statements ---- */

static ik_status read_block(reader *r, ik_stmt **out);

static ik_status read_target(reader *r, ik_stmt *s) {
  IK_TRY(read_ref(r, IK_NAMED_FIELD, &s->field));
  return read_level(r, &s->level);
}

static ik_status read_on_box(reader *r, ik_stmt *s) {
  IK_TRY(need_word(r, "on"));
  return read_box(r, &s->box);
}

static ik_status read_value(reader *r, const ik_expr **value) {
  IK_TRY(need_mark(r, "="));
  return read_expr(r, value);
}

static ik_status read_assign(reader *r, ik_stmt *s) {
  IK_TRY(read_target(r, s));
  IK_TRY(read_on_box(r, s));
  return read_value(r, &s->value);
}

static ik_status read_load(reader *r, ik_stmt *s) {
  ik_type raw = IK_F64;
  IK_TRY(read_target(r, s));
  IK_TRY(need_word(r, "from"));
  IK_TRY(read_string(r, &s->path));
  if (take(r, WORD, "dataset")) IK_TRY(read_string(r, &s->dataset));
  if (!take(r, WORD, "raw")) return IK_OK;
  IK_TRY(read_type(r, &raw));
  s->raw_type = (int)raw;
  return IK_OK;
}

static ik_status read_reduce(reader *r, ik_stmt *s) {
  int how = 0;
  IK_TRY(read_ref(r, IK_NAMED_SCALAR, &s->scalar));
  IK_TRY(read_choice(r, "reduction", ik_reduce_names, 3, &how));
  s->reduce = (ik_reduce)how;
  IK_TRY(read_on_box(r, s));
  return read_value(r, &s->value);
}

static ik_status read_set(reader *r, ik_stmt *s) {
  IK_TRY(read_ref(r, IK_NAMED_SCALAR, &s->scalar));
  return read_value(r, &s->value);
}

static ik_status read_sweep(reader *r, ik_stmt *s) {
  static const char *const directions[] = {"up", "down"};
  do {
    int down = 0;
    if (s->naxes == IK_MAX_DIM) return expected(r, "no more than three axes");
    IK_TRY(read_ref(r, IK_NAMED_AXIS, &s->axis[s->naxes]));
    IK_TRY(read_choice(r, "direction", directions, 2, &down));
    s->dir[s->naxes++] = down ? -1 : 1;
  } while (take(r, MARK, ","));
  return read_block(r, &s->body);
}

static ik_status read_steps(reader *r, ik_stmt *s) {
  IK_TRY(read_int(r, 0, INT64_MAX, &s->count));
  return read_block(r, &s->body);
}

static ik_status read_repeat(reader *r, ik_stmt *s) {
  IK_TRY(read_int(r, 0, INT64_MAX, &s->count));
  IK_TRY(read_block(r, &s->pre));
  IK_TRY(need_word(r, "until"));
  IK_TRY(read_expr(r, &s->value));
  return read_block(r, &s->body);
}

static ik_status read_stmt(reader *r, ik_stmt **out) {
  static const char *const names[] = {"assign", "load",  "reduce", "set",
                                      "sweep",  "steps", "repeat"};
  static ik_status (*const read[])(reader *, ik_stmt *) = {
      [IK_ASSIGN] = read_assign, [IK_LOAD] = read_load,   [IK_REDUCE] = read_reduce,
      [IK_SET] = read_set,       [IK_SWEEP] = read_sweep, [IK_STEPS] = read_steps,
      [IK_REPEAT] = read_repeat};
  int kind = 0, first = r->at;
  IK_TRY(read_choice(r, "statement", names, IK_REPEAT + 1, &kind));
  ik_stmt *s = IK_NEW(r->a, ik_stmt);
  s->kind = (ik_stmt_kind)kind, s->raw_type = -1;
  IK_TRY(read[kind](r, s));
  s->span = since(r, first);
  *out = s;
  return IK_OK;
}

static ik_status read_block(reader *r, ik_stmt **out) {
  if (++r->block_depth > DEEPEST_BLOCK)
    return ik_error(r->d, IK_E005, here(r), "blocks nest deeper than %d", DEEPEST_BLOCK);
  IK_TRY(need_mark(r, "{"));
  while (*out) out = &(*out)->next; /* a second block of a name continues the first */
  while (!take(r, MARK, "}")) {
    IK_TRY(read_stmt(r, out));
    out = &(*out)->next;
  }
  r->block_depth--;
  return IK_OK;
}

/* ---- declarations ---- */

static ik_status read_param(reader *r) {
  ik_param p = {.span = here(r)};
  IK_TRY(read_name(r, &p.name));
  IK_TRY(need_mark(r, "="));
  IK_TRY(read_double(r, &p.value));
  if (take(r, WORD, "unit")) IK_TRY(read_string(r, &p.unit));
  p.overridden = take(r, WORD, "overridden");
  IK_PUSH(r->a, r->ir->param, r->ir->nparam, r->cap_param, p);
  return IK_OK;
}

static ik_status read_table(reader *r) {
  ik_samples t = {0};
  double    *value = NULL, v = 0;
  int        cap = 0;
  IK_TRY(read_name(r, &t.name));
  IK_TRY(need_mark(r, "="));
  IK_TRY(need_mark(r, "["));
  while (!take(r, MARK, "]")) {
    if (t.n) IK_TRY(need_mark(r, ","));
    IK_TRY(read_double(r, &v));
    IK_PUSH(r->a, value, t.n, cap, v);
  }
  t.value = value;
  IK_PUSH(r->a, r->ir->table, r->ir->ntable, r->cap_table, t);
  return IK_OK;
}

static ik_status read_scalar(reader *r) {
  ik_scalar s = {.span = here(r)};
  IK_TRY(read_name(r, &s.name));
  IK_TRY(read_type(r, &s.type));
  s.hidden = take(r, WORD, "hidden");
  IK_PUSH(r->a, r->ir->scalar, r->ir->nscalar, r->cap_scalar, s);
  return IK_OK;
}

static ik_status read_face(reader *r, ik_field *f, int side) {
  const char *names[IK_NBC];
  int         d = 0, kind = 0, first = r->at;
  for (int k = 0; k < IK_NBC; k++) names[k] = ik_bc_name((ik_bc_kind)k);
  IK_TRY(read_ref(r, IK_NAMED_AXIS, &d));
  IK_TRY(read_choice(r, "boundary", names, IK_NBC, &kind));
  ik_bc *bc = &f->bc[d][side];
  *bc = (ik_bc){.kind = (ik_bc_kind)kind};
  if (kind == IK_BC_VALUE) IK_TRY(read_expr(r, &bc->value));
  bc->span = since(r, first);
  return take(r, WORD, "absorb") ? read_small(r, 0, &f->absorb[d][side]) : IK_OK;
}

static ik_status read_on(reader *r, ik_field *f) {
  if (!take(r, WORD, "on")) return IK_OK;
  do {
    int d = 0;
    IK_TRY(read_ref(r, IK_NAMED_AXIS, &d));
    f->on[d] = true;
  } while (take(r, MARK, ","));
  return IK_OK;
}

static ik_status read_field(reader *r) {
  ik_field f = {.span = here(r)};
  int      kind = 0;
  IK_TRY(read_name(r, &f.name));
  IK_TRY(read_choice(r, "kind of field", ik_field_kind_names, 3, &kind));
  f.kind = (ik_field_kind)kind;
  IK_TRY(read_type(r, &f.type));
  IK_TRY(read_on(r, &f));
  IK_TRY(need_word(r, "box"));
  IK_TRY(read_box(r, &f.box));
  IK_TRY(need_word(r, "history"));
  IK_TRY(read_small(r, 1, &f.history));
  f.has_new = take(r, WORD, "new");
  while (is_next(r, WORD, "low") || is_next(r, WORD, "high")) {
    int side = is_next(r, WORD, "high");
    advance(r);
    IK_TRY(read_face(r, &f, side));
  }
  IK_PUSH(r->a, r->ir->field, r->ir->nfield, r->cap_field, f);
  return IK_OK;
}

/* ---- sources, receivers, files ---- */

/* After the word `tap`. */
static ik_status read_tap(reader *r, ik_tap *t) {
  *t = (ik_tap){0};
  for (int d = 0; d < r->ir->ndim; d++) {
    if (d) IK_TRY(need_mark(r, ","));
    IK_TRY(read_int(r, -INT64_MAX, INT64_MAX, &t->at[d]));
  }
  IK_TRY(need_word(r, "weight"));
  return read_double(r, &t->weight);
}

static ik_status read_inject(reader *r) {
  ik_inject j = {.span = here(r)};
  ik_tap   *tap = NULL, t;
  int       cap = 0;
  IK_TRY(read_ref(r, IK_NAMED_FIELD, &j.field));
  IK_TRY(need_word(r, "at"));
  IK_TRY(read_doubles(r, r->ir->ndim, j.position));
  IK_TRY(read_value(r, &j.value));
  while (take(r, WORD, "tap")) {
    IK_TRY(read_tap(r, &t));
    IK_PUSH(r->a, tap, j.ntap, cap, t);
  }
  j.tap = tap;
  IK_PUSH(r->a, r->ir->inject, r->ir->ninject, r->cap_inject, j);
  return IK_OK;
}

static ik_status read_points(reader *r, ik_record *c) {
  struct point {
    double x[IK_MAX_DIM];
  } *point = NULL, p;
  ik_tap *tap = NULL, t;
  int     ntap = 0, cap_tap = 0, cap_point = 0;
  while (take(r, WORD, "point")) {
    p = (struct point){0};
    IK_TRY(read_doubles(r, r->ir->ndim, p.x));
    IK_PUSH(r->a, point, c->npoint, cap_point, p);
    for (int i = 0; i < c->ntap; i++) {
      IK_TRY(need_word(r, "tap"));
      IK_TRY(read_tap(r, &t));
      IK_PUSH(r->a, tap, ntap, cap_tap, t);
    }
  }
  c->tap = tap, c->position = (const double *)point;
  return IK_OK;
}

static ik_status read_record(reader *r) {
  ik_record c = {.span = here(r)};
  IK_TRY(read_ref(r, IK_NAMED_FIELD, &c.field));
  IK_TRY(need_word(r, "every"));
  IK_TRY(read_int(r, 0, INT64_MAX, &c.every));
  IK_TRY(need_word(r, "taps"));
  IK_TRY(read_small(r, 0, &c.ntap));
  IK_TRY(need_word(r, "into"));
  IK_TRY(read_string(r, &c.path));
  IK_TRY(read_points(r, &c));
  IK_PUSH(r->a, r->ir->record, r->ir->nrecord, r->cap_record, c);
  return IK_OK;
}

static ik_status read_output(reader *r) {
  ik_output o = {.span = here(r)};
  int      *field = NULL, id = 0, cap = 0;
  IK_TRY(need_word(r, "every"));
  IK_TRY(read_int(r, 0, INT64_MAX, &o.every));
  IK_TRY(need_word(r, "into"));
  IK_TRY(read_string(r, &o.path));
  if (take(r, WORD, "of")) do {
      IK_TRY(read_ref(r, IK_NAMED_FIELD, &id));
      IK_PUSH(r->a, field, o.nfield, cap, id);
    } while (take(r, MARK, ","));
  o.field = field;
  IK_PUSH(r->a, r->ir->output, r->ir->noutput, r->cap_output, o);
  return IK_OK;
}

static ik_status read_init(reader *r) { return read_block(r, &r->ir->init); }
static ik_status read_body(reader *r) { return read_block(r, &r->ir->body); }

/* ---- the whole ---- */

static ik_status read_vertical(reader *r) {
  ik_vertical *v = &r->ir->vertical;
  bool         up = take(r, WORD, "up");
  *v = ik_space_named(r->ir);
  if (!up && !take(r, WORD, "down")) return IK_OK;
  v->known = true, v->up = up;
  return read_ref(r, IK_NAMED_AXIS, &v->axis);
}

static ik_status read_grid(reader *r) {
  ik_ir *ir = r->ir;
  int    same = 0;
  IK_TRY(need_word(r, "grid"));
  do {
    if (ir->ndim == IK_MAX_DIM) return expected(r, "no more than three axes");
    if (next(r)->kind != END && count_named(r, IK_NAMED_AXIS, next(r)->text, &same))
      return ik_error(r->d, IK_E011, here(r), "this axis is listed twice");
    IK_TRY(read_name(r, &ir->axis[ir->ndim]));
    IK_TRY(need_mark(r, "="));
    IK_TRY(read_int(r, 1, INT64_MAX, &ir->n[ir->ndim++]));
  } while (take(r, MARK, ","));
  ir->has_spacing = take(r, WORD, "spacing");
  if (ir->has_spacing) IK_TRY(read_doubles(r, ir->ndim, ir->spacing));
  IK_TRY(read_vertical(r));
  return take(r, WORD, "dt") ? read_double(r, &ir->dt) : IK_OK;
}

static ik_status read_head(reader *r) {
  static const char *const arithmetics[] = {"chain", "plain"};
  int                      how = 0;
  ik_ir                   *ir = r->ir;
  for (int d = 0; d < IK_MAX_DIM; d++) ir->n[d] = 1, ir->spacing[d] = 1;
  IK_TRY(need_word(r, "ikat-ir"));
  if (!is_next(r, WORD, "1"))
    return ik_error(r->d, IK_E006, here(r), "only version 1 of the text form can be read");
  advance(r);
  IK_TRY(need_word(r, "program"));
  IK_TRY(read_name(r, &ir->name));
  IK_TRY(need_word(r, "arithmetic"));
  IK_TRY(read_choice(r, "arithmetic", arithmetics, 2, &how));
  ir->arithmetic = (ik_arithmetic)how;
  return read_grid(r);
}

static ik_status read_items(reader *r) {
  static const char *const names[] = {"param",  "table",  "scalar", "field", "inject",
                                      "record", "output", "init",   "body"};
  static ik_status (*const read[])(reader *) = {read_param,  read_table,  read_scalar,
                                                read_field,  read_inject, read_record,
                                                read_output, read_init,   read_body};
  enum { NITEMS = sizeof names / sizeof names[0] };
  while (next(r)->kind != END) {
    int item = 0;
    IK_TRY(read_choice(r, "declaration", names, NITEMS, &item));
    IK_TRY(read[item](r));
  }
  return IK_OK;
}

ik_status ik_ir_read(const ik_source *src, ik_arena *a, ik_diag *d, ik_ir **out) {
  reader r = {.src = src, .a = a, .d = d, .ir = IK_NEW(a, ik_ir)};
  *out = NULL;
  IK_TRY(lex(&r));
  IK_TRY(read_head(&r));
  IK_TRY(read_items(&r));
  *out = r.ir;
  return IK_OK;
}
