#include "base/text.h"
#include "machine/machine.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };

typedef struct reader {
  const ik_source *src;
  int              pos, end; /* of the line being read, without its newline */
  ik_arena        *arena;
  ik_diag         *diag;
  ik_figure       *figure;
  int              n, cap;
} reader;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool in_key(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; }
/* Bytes above ASCII are for the Greek mu. */
static bool in_unit(char c) {
  return is_letter(c) || is_digit(c) || (c && strchr("/%^*._-", c)) || (unsigned char)c > 127;
}

static char peek(const reader *r) { return r->pos < r->end ? r->src->text[r->pos] : 0; }
static bool at_end(const reader *r) { return r->pos == r->end || peek(r) == '#'; }

static void skip_space(reader *r) {
  while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\r') r->pos++;
}

static ik_span span(const reader *r, int from) {
  int len = r->pos - from;
  return (ik_span){r->src, from, len ? len : r->pos < r->end};
}

static const char *copy(const reader *r, int from) {
  return ik_arena_dup(r->arena, r->src->text + from, (size_t)(r->pos - from));
}

static const char *take(reader *r, bool (*in)(char)) {
  int from = r->pos;
  while (r->pos < r->end && in(peek(r))) r->pos++;
  return copy(r, from);
}

static ik_status expected(const reader *r, const char *what) {
  return ik_error(r->diag, IK_E002, span(r, r->pos), "%s is expected here", what);
}

static ik_status read_string(reader *r, const char **out) {
  int from = r->pos++;
  while (r->pos < r->end && peek(r) != '"') r->pos++;
  if (r->pos == r->end)
    return ik_error(r->diag, IK_E003, span(r, from), "a string that does not end on its line");
  *out = copy(r, from + 1);
  r->pos++;
  return IK_OK;
}

/* Digits with at most one point and an exponent; true if it was one. */
static bool scan_number(reader *r) {
  int digits = 0;
  if (peek(r) == '-' || peek(r) == '+') r->pos++;
  for (; is_digit(peek(r)); r->pos++) digits++;
  if (peek(r) == '.') r->pos++;
  for (; is_digit(peek(r)); r->pos++) digits++;
  if (!digits) return false;
  if (peek(r) != 'e' && peek(r) != 'E') return true;
  r->pos++;
  if (peek(r) == '-' || peek(r) == '+') r->pos++;
  if (!is_digit(peek(r))) return false;
  while (is_digit(peek(r))) r->pos++;
  return true;
}

/* A number and its unit, with a space between them. */
static ik_status read_number(reader *r, ik_figure *f) {
  int  from = r->pos;
  bool good = scan_number(r) && !in_unit(peek(r));
  if (!good) {
    while (in_unit(peek(r))) r->pos++;
    ik_error(r->diag, IK_E004, span(r, from), "this is not a number");
    ik_help(r->diag, "write it like 1.935 or 7.36e-3; a space stands before the unit");
    return IK_ERR_SOURCE;
  }
  f->numeric = true;
  f->value = copy(r, from);
  f->number = ik_strtod(f->value, NULL);
  if (!isfinite(f->number))
    return ik_error(r->diag, IK_E004, span(r, from), "this number is too large");
  skip_space(r);
  return IK_OK;
}

static ik_status read_value(reader *r, ik_figure *f) {
  char c = peek(r);
  if (c == '"') return read_string(r, &f->value);
  if (is_digit(c) || c == '-' || c == '+' || c == '.') return read_number(r, f);
  expected(r, "a number or a text in quotes");
  ik_help(r->diag, "a figure is written  name = 1.5 GB/s  or  name = \"text\"");
  return IK_ERR_SOURCE;
}

/* source P "where": the word has been read. */
static ik_status read_source(reader *r, ik_figure *f) {
  skip_space(r);
  int         from = r->pos;
  const char *label = take(r, is_letter);
  if (label[0] && (label[1] || !strchr(IK_LABELS, label[0])))
    return ik_error(r->diag, IK_E013, span(r, from), "'%s' is not a kind of source; they are %s",
                    label, "P S D C A M");
  f->label = label[0];
  skip_space(r);
  if (peek(r) != '"') return expected(r, "the source, a text in quotes,");
  return read_string(r, &f->source);
}

/* What may follow a value: a unit, if it is a number, and a source. */
static ik_status read_rest(reader *r, ik_figure *f) {
  skip_space(r);
  if (at_end(r)) return IK_OK;
  int         from = r->pos;
  const char *word = take(r, in_unit);
  bool        is_source = strcmp(word, "source") == 0;
  if (f->numeric && word[0] && !is_source) {
    f->unit = word;
    skip_space(r);
    from = r->pos;
    is_source = strcmp(take(r, is_letter), "source") == 0;
  }
  if (is_source) return read_source(r, f);
  r->pos = from;
  return at_end(r) ? IK_OK
                   : expected(r, f->unit[0] ? "'source' or the end of the line"
                                            : "a unit, 'source' or the end of the line");
}

static ik_status check_new(reader *r, const ik_figure *f) {
  for (int i = 0; i < r->n; i++) {
    if (strcmp(r->figure[i].key, f->key)) continue;
    ik_error(r->diag, IK_E011, f->span, "'%s' is given twice", f->key);
    ik_note_add(r->diag, r->figure[i].span, "first here");
    return IK_ERR_SOURCE;
  }
  return IK_OK;
}

static void read_comment(reader *r, ik_figure *f) {
  skip_space(r);
  if (peek(r) != '#') return;
  r->pos++;
  skip_space(r);
  int from = r->pos;
  r->pos = r->end;
  while (r->pos > from && r->src->text[r->pos - 1] == '\r') r->pos--;
  f->comment = copy(r, from);
}

static ik_status read_line(reader *r) {
  skip_space(r);
  if (at_end(r)) return IK_OK;
  if (!is_letter(peek(r))) return expected(r, "the name of a figure");
  ik_figure f = {.unit = ""};
  int       from = r->pos;
  f.key = take(r, in_key);
  f.span = span(r, from);
  IK_TRY(check_new(r, &f));
  skip_space(r);
  if (peek(r) != '=') return expected(r, "'='");
  r->pos++;
  skip_space(r);
  IK_TRY(read_value(r, &f));
  IK_TRY(read_rest(r, &f));
  skip_space(r);
  if (!at_end(r)) return expected(r, "the end of the line");
  read_comment(r, &f);
  IK_PUSH(r->arena, r->figure, r->n, r->cap, f);
  return IK_OK;
}

ik_status ik_machine_read(const char *name, const ik_source *src, ik_arena *a, ik_diag *d,
                          ik_machine **out) {
  reader    r = {.src = src, .arena = a, .diag = d};
  ik_status worst = IK_OK;
  if (src->len > MOST_BYTES)
    return ik_error(d, IK_E005, (ik_span){src, 0, 0}, "a machine file of more than 1 MiB");
  int len = (int)src->len;
  for (int begin = 0; begin < len; begin = r.end + 1) {
    const char *newline = memchr(src->text + begin, '\n', (size_t)(len - begin));
    r.pos = begin;
    r.end = newline ? (int)(newline - src->text) : len;
    ik_status s = read_line(&r);
    if (s) worst = s;
  }
  if (worst) return worst;
  *out = IK_NEW(a, ik_machine);
  **out = (ik_machine){.name = ik_arena_dup(a, name, strlen(name)), .figure = r.figure, .n = r.n};
  return IK_OK;
}
