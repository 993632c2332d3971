#include "ir/spell.h"
#include "base/pick.h"
#include "base/text.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

/* How tightly C binds. */
enum { CHOICE = 1, OR, AND, EQUAL, LESS, SUM, PRODUCT, SIGN, ATOM };

const char *ik_spell_type(ik_type t) {
  return t == IK_F32 ? "float" : t == IK_I32 ? "int32_t" : t == IK_BOOL ? "bool" : "double";
}

const char *ik_spell_end(ik_type t) { return t == IK_F32 ? "f32" : t == IK_I32 ? "i32" : "f64"; }

static bool is_half(ik_type t) { return t == IK_F16 || t == IK_BF16; }

const char *ik_spell_stored_type(ik_type t) { return is_half(t) ? "uint16_t" : ik_spell_type(t); }

const char *ik_spell_loaded(ik_type t, const char *cell, ik_arena *a) {
  return is_half(t) ? ik_arena_printf(a, "ik_%s_to_f64(%s)", ik_type_name(t), cell) : cell;
}

const char *ik_spell_stored(ik_type t, const char *value, ik_arena *a) {
  return is_half(t) ? ik_arena_printf(a, "ik_%s_from_f64(%s)", ik_type_name(t), value) : value;
}

char *ik_spell_word(const char *wanted, ik_arena *a) {
  char *name = ik_arena_printf(a, "%s%s", isdigit((unsigned char)*wanted) ? "_" : "", wanted);
  for (char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c)) *c = '_';
  return name;
}

bool ik_spell_is_reserved(const char *word) {
  static const char words[] =
      "auto bool break case char const continue default do double else enum extern false float for "
      "goto if inline int long register restrict return short signed sizeof static struct switch "
      "true typedef typeof union unsigned void volatile while asm linux unix i386 round acos asin "
      "atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp "
      "log "
      "log10 log1p log2 logb modf scalbn scalbln scalb cbrt fabs hypot pow sqrt erf erfc lgamma "
      "tgamma gamma signgam ceil floor nearbyint rint lrint lround trunc fmod remainder remquo "
      "drem "
      "copysign nan nextafter nexttoward fdim fmax fmin fma isnan isinf finite significand j0 j1 "
      "jn "
      "y0 y1 yn abs labs div ldiv atof atoi atol rand srand random srandom malloc calloc realloc "
      "free abort exit atexit system getenv bsearch qsort index rindex remove rename puts gets "
      "stdin stdout stderr select errno signbit time clock NULL EOF NAN INFINITY main";
  return ik_pick_has(words, word);
}

const char *ik_spell_shifted(const char *index, int64_t by, ik_arena *a) {
  if (!by) return index;
  return ik_arena_printf(a, "%s %c %lld", index, by < 0 ? '-' : '+',
                         (long long)(by < 0 ? -by : by));
}

/* ---- leaves ---- */

/* As few digits as read back to the same number. */
static void put_float(const ik_spelling *s, ik_type t, double v) {
  char text[40];
  if (isnan(v) || isinf(v)) {
    ik_buf_puts(s->out, isnan(v) ? "NAN" : v < 0 ? "-INFINITY" : "INFINITY");
    return;
  }
  bool whole = v == floor(v) && fabs(v) < 1e15 && t == IK_F64;
  for (int digits = whole ? 15 : 1; digits <= 17; digits++) {
    ik_format(text, sizeof text, "%.*g", digits, v);
    double back = ik_strtod(text, NULL), further = back + (back - v) * 0.01; /* no tie */
    if (t == IK_F32 ? (float)further == (float)v : back == v) break;
  }
  ik_buf_printf(s->out, "%s%s%s", text, strpbrk(text, ".e") ? "" : ".0", t == IK_F32 ? "f" : "");
}

static void put_const(const ik_spelling *s, const ik_expr *e) {
  if (ik_type_is_float(e->type))
    put_float(s, e->type, e->value);
  else if (e->value == INT32_MIN)
    ik_buf_puts(s->out, "INT32_MIN");
  else
    ik_buf_printf(s->out, "%lld", (long long)e->value);
}

/* ---- operations ---- */

static bool is_elementary(ik_op op) { return op >= IK_OP_EXP && op <= IK_OP_POW; }

/* Operations after which a value of 16 bits is rounded; the results of others have its bits. */
static bool is_rounded(const ik_expr *e) {
  switch (is_half(e->type) ? e->op : IK_OP_CONST) {
  case IK_OP_CAST: return e->arg[0]->type != e->type;
  case IK_OP_COORD:
  case IK_OP_TIME:
  case IK_OP_NOISE:
  case IK_OP_ADD:
  case IK_OP_SUB:
  case IK_OP_MUL:
  case IK_OP_DIV:
  case IK_OP_MOD:
  case IK_OP_SQRT:
  case IK_OP_TABLE: return true;
  default: return is_half(e->type) && is_elementary(e->op);
  }
}

static int binding_unrounded(const ik_spelling *s, const ik_expr *e) {
  bool whole = e->type == IK_I32;
  switch (e->op) {
  case IK_OP_CONST: return signbit(e->value) ? SIGN : ATOM;
  case IK_OP_CAST:
  case IK_OP_COORD:
  case IK_OP_TIME:
  case IK_OP_NOISE:
  case IK_OP_TABLE: return SIGN;
  case IK_OP_NEG: return whole ? ATOM : SIGN;
  case IK_OP_ADD:
  case IK_OP_SUB: return whole ? ATOM : SUM;
  case IK_OP_FMA: return whole || s->exact ? ATOM : SUM;
  case IK_OP_MUL:
  case IK_OP_DIV: return whole ? ATOM : PRODUCT;
  case IK_OP_NOT: /* compilers take "!a & b" for a mistake */
  case IK_OP_LT:
  case IK_OP_LE: return LESS;
  case IK_OP_EQ:
  case IK_OP_NE: return EQUAL;
  case IK_OP_AND: return AND;
  case IK_OP_OR: return OR;
  case IK_OP_SELECT: return CHOICE;
  default: return is_elementary(e->op) && e->type == IK_F32 ? SIGN : ATOM;
  }
}

static void put(const ik_spelling *s, const ik_expr *e, int least);

static void put_infix(const ik_spelling *s, const ik_expr *e, const char *sign) {
  int            b = binding_unrounded(s, e), least = b < SUM ? SUM : b; /* (a < b) == c */
  const ik_expr *right = e->arg[1];
  ik_expr        positive = *right;
  positive.value = -right->value;
  put(s, e->arg[0], least);
  bool less = e->op == IK_OP_ADD && right->op == IK_OP_CONST && right->value < 0;
  ik_buf_puts(s->out, less ? " - " : sign); /* x + -1 */
  if (s->exact && b == SUM && !s->out->failed) s->out->data[s->out->len - 1] = IK_SPELL_BREAKABLE;
  put(s, less ? &positive : right, least + 1);
}

static void put_call(const ik_spelling *s, const ik_expr *e, const char *function) {
  ik_buf_printf(s->out, "%s(", function);
  for (int i = 0; i < ik_op_nargs(e->op); i++) {
    if (i) ik_buf_printf(s->out, ",%c", i == 2 && s->exact ? IK_SPELL_BREAK : ' ');
    put(s, e->arg[i], CHOICE);
  }
  ik_buf_putc(s->out, ')');
}

static void put_named_call(const ik_spelling *s, const ik_expr *e, const char *before,
                           const char *after) {
  put_call(s, e, ik_arena_printf(s->a, "%s%s%s", before, ik_op_name(e->op), after));
}

/* Functions of math.h: fabsf(). */
static const char *math_end(const ik_expr *e) { return e->type == IK_F32 ? "f" : ""; }

/* A cast, unless C has the value as one of that type. */
static bool put_cast_to(const ik_spelling *s, ik_type t, const char *of) {
  if (strcmp(ik_spell_type(t), of) == 0) return false;
  ik_buf_printf(s->out, "(%s)", ik_spell_type(t));
  return true;
}

static void put_cast(const ik_spelling *s, const ik_expr *e) {
  if (e->type == IK_I32 && ik_type_is_float(e->arg[0]->type)) {
    put_call(s, e, "to_i32");
    return;
  }
  bool cast = put_cast_to(s, e->type, ik_spell_type(e->arg[0]->type));
  put(s, e->arg[0], cast || !is_rounded(e) ? SIGN : CHOICE);
}

/* The addend first: a chain then reads from left to right, and needs no parentheses. */
static void put_fma(const ik_spelling *s, const ik_expr *e) {
  if (s->exact) {
    put_call(s, e,
             e->type == IK_F16    ? "ik_fma_f16"
             : e->type == IK_BF16 ? "ik_fma_bf16"
             : e->type == IK_F32  ? "fmaf"
                                  : "fma");
    return;
  }
  put(s, e->arg[2], SUM);
  ik_buf_puts(s->out, " + ");
  put(s, e->arg[0], PRODUCT);
  ik_buf_putc(s->out, '*');
  put(s, e->arg[1], SIGN);
}

static void put_choice(const ik_spelling *s, const ik_expr *e) {
  char blank = s->exact ? IK_SPELL_BREAKABLE : ' ';
  put(s, e->arg[0], EQUAL); /* compilers take "a & b ? c : d" for a mistake */
  ik_buf_printf(s->out, " ?%c", blank);
  put(s, e->arg[1], OR);
  ik_buf_printf(s->out, " :%c", blank);
  put(s, e->arg[2], CHOICE);
}

static void put_noise(const ik_spelling *s, const ik_expr *e) {
  put_cast_to(s, e->type, "double");
  ik_buf_puts(s->out, "ik_apply_noise(");
  put_float(s, IK_F64, e->value);
  for (int d = 0; d < IK_MAX_DIM; d++)
    ik_buf_printf(s->out, ", %s", ik_spell_shifted(s->axis[d], e->off[d], s->a));
  ik_buf_putc(s->out, ')');
}

static void put_table(const ik_spelling *s, const ik_expr *e) {
  put_cast_to(s, e->type, "double");
  ik_buf_printf(s->out, "table_at(%s%d, sizeof %s%d/sizeof(double), ", s->tables, e->id, s->tables,
                e->id);
  put(s, e->arg[0], CHOICE);
  ik_buf_putc(s->out, ')');
}

/* Whole numbers wrap, which C leaves open. */
static bool put_whole(const ik_spelling *s, const ik_expr *e) {
  switch (e->type == IK_I32 ? e->op : IK_NOPS) {
  case IK_OP_NEG:
  case IK_OP_ADD:
  case IK_OP_SUB:
  case IK_OP_MUL:
  case IK_OP_DIV:
  case IK_OP_ABS: put_named_call(s, e, "", "_i32"); return true;
  case IK_OP_FLOOR: put(s, e->arg[0], ATOM); return true;
  case IK_OP_FMA:
    ik_buf_puts(s->out, "add_i32(mul_i32(");
    put(s, e->arg[0], CHOICE), ik_buf_puts(s->out, ", ");
    put(s, e->arg[1], CHOICE), ik_buf_puts(s->out, "), ");
    put(s, e->arg[2], CHOICE), ik_buf_putc(s->out, ')');
    return true;
  default: return false;
  }
}

static void put_elementary(const ik_spelling *s, const ik_expr *e) {
  if (s->exact) put_cast_to(s, e->type, "double");
  put_named_call(s, e, s->exact ? "ik_" : "", s->exact ? "" : math_end(e));
}

static void put_unrounded(const ik_spelling *s, const ik_expr *e) {
  if (put_whole(s, e)) return;
  switch (e->op) {
  case IK_OP_CONST: put_const(s, e); break;
  case IK_OP_COORD: ik_buf_printf(s->out, "(%s)%s", ik_spell_type(e->type), s->axis[e->id]); break;
  case IK_OP_TIME: ik_buf_printf(s->out, "(%s)t", ik_spell_type(e->type)); break;
  case IK_OP_NOISE: put_noise(s, e); break;
  case IK_OP_TABLE: put_table(s, e); break;
  case IK_OP_NEG: ik_buf_putc(s->out, '-'), put(s, e->arg[0], ATOM); break;
  case IK_OP_ADD: put_infix(s, e, " + "); break;
  case IK_OP_SUB: put_infix(s, e, " - "); break;
  case IK_OP_MUL: put_infix(s, e, "*"); break;
  case IK_OP_DIV: put_infix(s, e, "/"); break;
  case IK_OP_FMA: put_fma(s, e); break;
  case IK_OP_LT: put_infix(s, e, " < "); break;
  case IK_OP_LE: put_infix(s, e, " <= "); break;
  case IK_OP_EQ: put_infix(s, e, " == "); break;
  case IK_OP_NE: put_infix(s, e, " != "); break;
  case IK_OP_NOT: ik_buf_putc(s->out, '!'), put(s, e->arg[0], ATOM); break;
  case IK_OP_AND: put_infix(s, e, s->exact ? " && " : " & "); break; /* & has no branch: neither */
  case IK_OP_OR: put_infix(s, e, s->exact ? " || " : " | "); break;  /* side has effects */
  case IK_OP_SELECT: put_choice(s, e); break;
  case IK_OP_CAST: put_cast(s, e); break;
  case IK_OP_ABS: put_call(s, e, e->type == IK_F32 ? "fabsf" : "fabs"); break;
  case IK_OP_FLOOR:
  case IK_OP_SQRT: put_named_call(s, e, "", math_end(e)); break;
  case IK_OP_MIN:
  case IK_OP_MAX:
  case IK_OP_MOD:
    put_named_call(s, e, "", ik_arena_printf(s->a, "_%s", ik_spell_end(e->type)));
    break;
  default: put_elementary(s, e);
  }
}

static void put(const ik_spelling *s, const ik_expr *e, int least) {
  const char *name = s->name(s->user, e);
  bool        rounded = is_rounded(e);
  bool        loose = !name && !rounded && binding_unrounded(s, e) < least;
  if (name) {
    ik_buf_puts(s->out, name);
    return;
  }
  if (rounded) ik_buf_printf(s->out, "ik_round_%s", ik_type_name(e->type));
  if (loose || rounded) ik_buf_putc(s->out, '(');
  put_unrounded(s, e);
  if (loose || rounded) ik_buf_putc(s->out, ')');
}

void ik_spell(const ik_spelling *s, const ik_expr *e) { put(s, e, CHOICE); }

/* ---- lines ---- */

/* Of a text that is too long for its line: up to a mark that fits, or to the next there is. */
static size_t line_length(const char *s, size_t room) {
  size_t n = strcspn(s, "\v"), fits = n > room ? room : 0;
  while (fits && s[fits] != IK_SPELL_BREAKABLE) fits--;
  return fits ? fits : n;
}

void ik_spell_lines(const char *text, int indent, ik_buf *out) {
  enum { WIDE = 100, FURTHER = 4, LEAST = 40 };
  int    left = WIDE - indent - FURTHER;
  size_t room = (size_t)(left > LEAST ? left : LEAST);
  bool   whole = strlen(text) <= room + FURTHER;
  for (const char *s = text; *s;) {
    size_t n = whole ? strlen(s) : line_length(s, room);
    ik_buf_pad(out, ' ', indent + (s > text ? FURTHER : 0));
    for (size_t i = 0; i < n; i++)
      ik_buf_putc(out, s[i] == IK_SPELL_BREAK || s[i] == IK_SPELL_BREAKABLE ? ' ' : s[i]);
    ik_buf_putc(out, '\n');
    s += n + (s[n] != 0);
  }
}

void ik_spell_comment(const char *text, ik_buf *out) {
  char last = '\n';
  for (const char *s = text; *s; last = *s++) {
    if (last == '\n') ik_buf_puts(out, *s == '\n' ? " *" : " *   ");
    ik_buf_putc(out, *s);
    if (*s == '*' && s[1] == '/') ik_buf_putc(out, ' ');
  }
  if (last != '\n') ik_buf_putc(out, '\n');
}

void ik_spell_tables(const ik_ir *ir, const char *name, ik_buf *out) {
  for (int i = 0; i < ir->ntable; i++) {
    const ik_samples *t = &ir->table[i];
    ik_buf_printf(out, "\n/* samples of %s */\nstatic const double %s%d[] = {\n", t->name, name, i);
    for (int k = 0; k < t->n; k++) ik_buf_printf(out, "  %.17g,\n", t->value[k]);
    ik_buf_puts(out, "};\n");
  }
}
