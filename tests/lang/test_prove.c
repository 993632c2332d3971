/* Every rewrite that a message offers is made here, without lang/prove.c's own judgement: the error
 * must be gone and the line must parse. */
#define _GNU_SOURCE /* memmem */
#include "lang/prove.h"
#include "program.h"
#include <dirent.h>

/* ---- making an edit ---- */

static void edited(const ik_source *src, const ik_fix *f, ik_buf *out) {
  size_t end = (size_t)f->at.off + (size_t)f->at.len;
  ik_buf_write(out, src->text, (size_t)f->at.off);
  ik_buf_puts(out, ik_buf_text(&f->with));
  ik_buf_write(out, src->text + end, src->len - end);
}

/* The same words about the same characters: is it still said? */
static bool is_said(const program *p, const ik_message *m, int off) {
  for (int i = 0; i < p->diag.nmsg; i++) {
    const ik_message *n = &p->diag.msg[i];
    if (n->code == m->code && n->span.off == off &&
        strcmp(ik_buf_text(&n->text), ik_buf_text(&m->text)) == 0)
      return true;
  }
  return false;
}

static int breaks_on_line(const program *p, int line) {
  int n = 0, at, col;
  for (int i = 0; i < p->diag.nmsg; i++) {
    const ik_message *m = &p->diag.msg[i];
    if (m->warning || m->code > IK_E006 || !m->span.src) continue;
    ik_source_position(&p->src, m->span.off, &at, &col);
    n += at == line;
  }
  return n;
}

static bool is_right(const program *p, const ik_message *m, const ik_fix *f) {
  ik_buf  text = {0};
  program q;
  int     line, col, delta = (int)f->with.len - f->at.len;
  edited(&p->src, f, &text);
  program_open(&q, ik_buf_text(&text));
  ik_source_position(&p->src, f->at.off, &line, &col);
  int  moved = m->span.off + delta;
  bool gone = !is_said(&q, m, m->span.off) || m->span.off > f->at.off;
  gone = gone && (!is_said(&q, m, moved) || m->span.off < f->at.off + f->at.len);
  bool parses = breaks_on_line(&q, line) <= breaks_on_line(p, line) - (m->code <= IK_E006);
  if (!gone || !parses)
    check_fail(__FILE__, __LINE__, "the error %s after this edit:\n%s\n%s",
               gone ? "is another" : "stays", ik_buf_text(&text), program_messages(&q));
  program_close(&q);
  ik_buf_free(&text);
  return gone && parses;
}

/* How many rewrites a text is offered; all are tried. */
static int try_all(const char *text) {
  program p;
  int     n = 0;
  bool    ok = true;
  program_open(&p, text);
  for (int i = 0; i < p.diag.nmsg && ok; i++) {
    const ik_message *m = &p.diag.msg[i];
    bool              write = strncmp(ik_buf_text(&m->help), "write  ", 7) == 0;
    if (write && !(m->proven && m->nfix)) {
      check_fail(__FILE__, __LINE__, "not proven: %s\n%s", ik_buf_text(&m->help), text);
      ok = false;
    }
    for (int k = 0; m->proven && k < m->nfix && ok; k++, n++) ok = is_right(&p, m, &m->fix[k]);
  }
  program_close(&p);
  return n;
}

/* ---- programs ---- */

static char *read_text(const char *folder, const char *name) {
  char path[1000], *text = calloc(1, 1 << 16);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "r");
  if (f && text) text[fread(text, 1, (1 << 16) - 1, f)] = 0;
  if (f) fclose(f);
  return text;
}

static int each_text(const char *folder, const char *ending, int (*f)(const char *text)) {
  DIR           *d = opendir(check_data(folder));
  struct dirent *e;
  int            n = 0;
  CHECK(d);
  while (d && (e = readdir(d))) {
    const char *dot = strrchr(e->d_name, '.');
    if (!dot || strcmp(dot, ending)) continue;
    char *text = read_text(check_data(folder), e->d_name);
    n += f(text);
    free(text);
  }
  if (d) closedir(d);
  return n;
}

CASE(what_is_offered_for_wrong_programs_puts_them_right) {
  CHECK(each_text("tests/must-fail", ".ik", try_all) > 80);
}

/* ---- every message ---- */

#define U "grid x = 32\nfield u : f64\n"
#define V "grid x = 8, y = 6\nfield u : f64 = 1\nboundary u = 0\n"

#define LONG                                                                                       \
  "+ 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12 + 13 + 14 + 15 + 16 + 17 + 18 + 19 + 20"

/* Mistakes whose messages tests/must-fail does not have. */
static const char *const mistakes[] = {
    U "boundary u = absorbing(10, 3)\nstep 1 { u' = 2*u }\n",
    U "boundary u = sponge(10, 0.1, 3)\nstep 1 { u' = 2*u }\n",
    "language 2\n" U "step 1 { u' = u }\n",
    "grid x = 32 m\nfield u : f64\nstep 1 { u' = u }\n",
    U "init u = file(u)\nstep 1 { u' = u }\n",
    U "init u = file(\"none.raw\", 3)\nstep 1 { u' = u }\n",
    U "init u[1] = 3\nstep 1 { u' = u }\n",
    U "init u[0] = 3\nstep 1 { u' = u }\n",
    U "boundary u = 0\nstep 1 { a = 2*u\n u' = a'[1] }\n",
    U "boundary u = 0\nstep 1 { a = 2*u\n u' = a[t-1] }\n",
    "grid x = 32, spacing = 1 m\nfield u : f64\nparam k = 3 m\nstep 1 { u' = u*k^u }\n",
    "grid x = 32, spacing = 1 m\nfield u : f64\nparam k = 3 m\nparam l = 2^k\nstep 1 { u' = l*u "
    "}\n",
    U "repeat until norm(u) max 3 { u = 2*u }\n",
    U "init u = x < 3\nstep 1 { u' = u }\n",
    U "param an_äußerst_long_name_that_goes_on_and_on_without_end = 3\nstep 1 { u' = u }\n",
    U "step 1 { u' = u\x01 }\n",
    U "step 1 { u' = u\xff }\n",
    U "output u into \"a\x01.npy\"\nstep 1 { u' = u }\n",
    U "param n = 1_000\nstep 1 { u' = n*u }\n",
    U "param n = 5 % 2\nstep 1 { u' = n*u }\n",
    U "param k = 2\nboundary k = 0\nstep 1 { u' = k*u }\n",
    U "step 1 { u' = if u then 1 else 0 }\n",
    U "step 1 { u' = if u and u > 1 then 1 else 0 }\n",
    U "param k = noise(1)\nstep 1 { u' = k*u }\n",
    U "param dt = 1\nsource gaussian(0) at 3 into u\nstep 1 { u' = u }\n",
    U "param dt = 1\nsource wavelet(3) at 3 into u\nstep 1 { u' = u }\n",
    U "sweep x up { at begin { u = 1 } }\n",
    U "step 1 { u' = 2f*u }\n",
    U "step 1 { u' = 1 + if u > 12345678901234567890 and u < 12345678901234567890 or u == "
      "12345678901234567890 then 1 else 0 }\n",
    U "step 1 { u' = 1 + if u > 0 then 1 else 0 }\n",
    U "step 1 { u' = u**2 " LONG " }\n",
    U "step 1 { u' = 2f*u " LONG " }\n",
    U "step 1 { u.next = 2*u }\n",
    U "step 1 { u' = 2*u.next }\n",
    "grid x = 32\nfield u : f64, history 2\nstep 1 { u' = 2*u.prev }\n",
    U "step 1 { u' = np.exp(u) }\n",
    U "step 1 { u' = u.x }\n",
    U "step 1 { u' = u. + 1 }\n",
    U
    "step 1 { u' = if 12345678901234567890 < u*12345678901234567890 < 123456789012345678901 then 1 "
    "else 0 }\n",
    U "output u into \"a.npy\" into \"b.npy\"\nstep 1 { u' = u }\n",
    V "boundary u { x = 0, y = 1 }\nstep 1 { u' = u }\n",
    "grid x = 8, y = 6\nfield u : f64\nboundary u { x = 0, y = 1 }\nstep 1 { u' = u }\n",
    "grid x = 8, y = 6\nfield u : f64\nboundary u { }\nstep 1 { u' = u }\n",
    U "init u' = 3\nstep 1 { u' = u }\n",
    U "source at 3 into u\nstep 1 { u' = u }\n",
    U "receiver u at 3 .. 5 into \"r.npy\"\nstep 1 { u' = u }\n",
    U "step 1 { u' = 1 on interior }\n",
    U "sweep x up { first { u = 1 } within { u = u[-1] } }\n",
    U "sweep x up { begin { u = 1 } within { u = u[-1] } }\n",
    U "output u into \"u_{.npy\"\nstep 1 { u' = u }\n",
    "grid x = 32, spacing = 1 m\nfield u : f64\nreceiver u at file(\"p.txt\", 1 s) into \"r.npy\"\n"
    "step 1 { u' = u }\n",
    U "receiver u at file(3) into \"r.npy\"\nstep 1 { u' = u }\n",
    "grid x = 8, y = 6\nfield u : f64, on x\nreceiver u at (1, 1) into \"r.npy\"\nstep 1 { u' = u "
    "}\n",
    "grid x = 1500000\nfield u : f64\nreceiver u at line 0 .. 1400000 into \"r.npy\"\n"
    "step 1 { u' = u }\n",
    V "sweep y up { at first { a = 1 } within { a = a[0,-2] + 1 } at last { u = a[0,-2] } }\n",
    V "sweep y up { at first { a = 1 } within { a = a[0,1] } }\n",
    U "step 1 { u[1]' = 2 }\n",
    U "param k = 1 < 2\nstep 1 { u' = k*u }\n",
    U "weights w = star(1, i < 1)\nstep 1 { u' = stencil(u, w) }\n",
    "grid x = 1e30\nfield u : f64\nstep 1 { u' = u }\n",
    "grid x = 8\nfield u : f64, on 3\nstep 1 { u' = u }\n",
    U "boundary u = xyzzy\nstep 1 { u' = u }\n",
    "grid x = 8\nfield u : f64, history 2\nstep 1 { u' = (u + 1)[t-1] }\n",
    U "step 1 { u' = (u + 1)' }\n",
    U "param n = 3\noutput u into \"u_{n.npy\"\nstep 1 { u' = u }\n",
    "grid x = 8, y = 8, z = 8\nfield u : f64\nboundary u = 0\nweights w = box(9, 1)\n"
    "step 1 { u' = stencil(u, w) }\n",
    V "sweep y up { a = 1\n a' = 2\n u = a }\n",
    U "weights w = star(1, u)\nstep 1 { u' = stencil(u, w) }\n",
    U "weights w = [[0, 1, 0]]\nstep 1 { u' = stencil(u, w) }\n",
    U "weights w = file(3)\nstep 1 { u' = stencil(u, w) }\n",
};

/* Too much of something: `piece` so many times. */
static const struct {
  const char *head, *piece, *tail;
  int         n;
} masses[] = {
    {U "step 1 { u' = u", " + 1", " }\n", 2001},
    {U, "u = 2*u\n", "", 2001},
    {U, "# more than a megabyte of comments, which no program needs\n", "", 20000},
    {U "step 1 { u' = ", "sqrt(", "u", 201},
    {U "def p(v) = v", "*v", "\nstep 1 { u' = p(p(p(u))) }\n", 11},
};

static void write_mass(size_t i, ik_buf *b) {
  ik_buf_puts(b, masses[i].head);
  for (int k = 0; k < masses[i].n; k++) ik_buf_puts(b, masses[i].piece);
  ik_buf_puts(b, masses[i].tail);
}

/* Each function calls the one before. */
static void write_calls(ik_buf *b) {
  ik_buf_puts(b, U "def g0(a) = a\n");
  for (int k = 1; k < 450; k++) ik_buf_printf(b, "def g%d(a) = g%d(a)\n", k, k - 1);
  ik_buf_puts(b, "step 1 { u' = g449(u) }\n");
}

/* Messages that a text in memory cannot draw: those of files are tested by test_weights.c and
 * test_point.c. */
static const char *const elsewhere[] = {
    "not enough memory to compile",
    "no memory for a name",
    "a NUL byte in the text; is this a text file?",
    "'%s' has too many samples for a wavelet",
    "the file has %d dimensions, the grid has %d",
    "%lld weights along %s: an odd number up to %d is needed",
    "rows of %d offsets and a weight are needed",
    "row %lld: offset %g is not a whole number up to %d",
    "expected rows of %d coordinate%s, at most %d of them",
    "row %d: the %s lies outside the grid: %s = %g, cells are 0 .. %lld",
};

/* ---- which messages have been drawn ---- */

static struct {
  char **text;
  int    n;
} drawn;

static void note(const char *text, size_t len) {
  drawn.text = realloc(drawn.text, (size_t)(drawn.n + 1) * sizeof *drawn.text);
  drawn.text[drawn.n++] = strndup(text, len);
}

static void collect(const char *text) {
  program p;
  program_open(&p, text);
  for (int i = 0; i < p.diag.nmsg; i++) {
    const char *m = ik_buf_text(&p.diag.msg[i].text);
    note(m, strlen(m));
  }
  program_close(&p);
}

/* What tests/must-fail/run expects: "NAME.ik:3:4: error E001: TEXT". */
static int collect_expected(const char *text) {
  for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
    size_t      len = strcspn(p, "\n");
    const char *code = memmem(p, len, ": error E", 9);
    if (!code) code = memmem(p, len, ": warning W", 11);
    const char *m = code ? memmem(code + 9, len - (size_t)(code + 9 - p), ": ", 2) : NULL;
    if (m) note(m + 2, len - (size_t)(m + 2 - p));
  }
  return 0;
}

/* Whether a text may have been printed with this format. */
static bool is_made_by(const char *text, const char *fmt) {
  for (; *fmt && *fmt != '%'; fmt++, text++)
    if (*text != *fmt) return false;
  if (!*fmt) return !*text;
  if (fmt[1] == '%') return *text == '%' && is_made_by(text + 1, fmt + 2);
  fmt += 1 + strspn(fmt + 1, "0123456789.*+-lz");
  do
    if (is_made_by(text, fmt + 1)) return true;
  while (*text++);
  return false;
}

static bool is_seen(const char *fmt) {
  for (int i = 0; i < drawn.n; i++)
    if (is_made_by(drawn.text[i], fmt)) return true;
  for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
    if (!strcmp(elsewhere[i], fmt)) return true;
  return false;
}

/* The string literal at `p`, with those that follow it; returns what is behind. */
static const char *read_literal(const char *p, char *out, size_t cap) {
  size_t n = 0;
  while (*p == '"') {
    for (p++; *p != '"'; p++) {
      if (*p == '\\') p++;
      if (n + 1 < cap) out[n++] = *p;
    }
    p++;
    p += strspn(p, " \n");
  }
  out[n] = 0;
  return p;
}

/* All formats of messages in a file of C; behind `? "one"` stands `: "other"`. */
static int check_formats(const char *c) {
  static const char *const calls[] = {"ik_error(", "ik_warn(", "ik_fail("};
  int                      n = 0;
  for (int i = 0; i < 3; i++)
    for (const char *p = c; (p = strstr(p, calls[i]));) {
      const char *end = strchr(p, ';');
      p = strchr(p, '"');
      while (p && p < end) {
        char fmt[400];
        p = read_literal(p, fmt, sizeof fmt);
        n++;
        if (!is_seen(fmt)) check_fail(__FILE__, __LINE__, "no program draws this: %s", fmt);
        if (*p != ':' || p[2] != '"') break;
        p += 2;
      }
    }
  return n;
}

CASE(every_message_is_drawn_by_a_program_here_or_in_must_fail) {
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) collect(mistakes[i]);
  for (size_t i = 0; i <= sizeof masses / sizeof *masses; i++) {
    ik_buf b = {0};
    if (i)
      write_mass(i - 1, &b);
    else
      write_calls(&b);
    collect(ik_buf_text(&b));
    ik_buf_free(&b);
  }
  each_text("tests/must-fail", ".txt", collect_expected);
  CHECK(each_text("src/lang", ".c", check_formats) > 150);
  for (int i = 0; i < drawn.n; i++) free(drawn.text[i]);
  free(drawn.text);
}

CASE(what_is_offered_for_mistakes_puts_them_right) {
  int n = 0;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) n += try_all(mistakes[i]);
  CHECK(n > 20);
}

/* ---- right programs, made wrong ---- */

static unsigned state = 1;
static unsigned dice(unsigned n) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % n;
}

/* A word or a sign: where it begins, and behind it. */
static void token_at(const char *s, size_t len, size_t *b, size_t *e) {
  *b = dice((unsigned)len);
  while (*b < len && strchr(" \n", s[*b])) ++*b;
  bool word = s[*b] && !strchr("+-*/^()[]{}=,;:'<>.\"#", s[*b]);
  while (word && *b > 0 && !strchr(" \n+-*/^()[]{}=,;:'<>.\"#", s[*b - 1])) --*b;
  *e = *b + (*b < len);
  while (word && *e < len && !strchr(" \n+-*/^()[]{}=,;:'<>.\"#", s[*e])) ++*e;
}

static void mutate(const char *s, ik_buf *out) {
  static const char *const odd[] = {"=", "**",   "x",           "q",  "2",
                                    ")", "real", "file(\"a\")", "u'", "[1]"};
  size_t                   len = strlen(s), b, e;
  token_at(s, len, &b, &e);
  unsigned what = dice(4);
  ik_buf_write(out, s, what == 1 ? e : b);
  if (what == 1) ik_buf_write(out, s + b, e - b);                       /* twice */
  if (what == 2) ik_buf_puts(out, odd[dice(sizeof odd / sizeof *odd)]); /* another */
  if (what == 3 && e - b > 1) ik_buf_write(out, s + b, e - b - 1);      /* cut short */
  ik_buf_puts(out, s + e);
}

static int try_mutants(const char *text) {
  enum { MUTANTS = 40 };
  int n = 0;
  for (int i = 0; i < MUTANTS; i++) {
    ik_buf b = {0};
    mutate(text, &b);
    n += try_all(ik_buf_text(&b));
    ik_buf_free(&b);
  }
  return n;
}

CASE(what_is_offered_for_damaged_programs_puts_them_right) {
  CHECK(each_text("examples", ".ik", try_mutants) > 100);
}

/* ---- what must not be offered, or must ---- */

static bool help_has(const char *text, const char *part) {
  program p;
  program_open(&p, text);
  bool has = false;
  for (int i = 0; i < p.diag.nmsg; i++) has = has || strstr(ik_buf_text(&p.diag.msg[i].help), part);
  program_close(&p);
  return has;
}

CASE(what_would_not_compile_is_not_offered) {
  CHECK(!help_has(U "u = 2*file(\"c.npy\")\n", "def file"));
  CHECK(!help_has("grid x = 9\nfield u : f64[9]\nstep 1 { u' = u }\n", "f64*"));
  CHECK(!help_has(U "type real = f32\nstep 1 { u' = u }\n", "type ="));
  CHECK(!help_has("grid x = 1e30\nfield u : f64\nstep 1 { u' = u }\n", "1000"));
  CHECK(!help_has(U "step 1 { u' = \"wind\"*u }\n", "write"));
}

CASE(of_several_ways_those_that_work_are_offered) {
#define REPEAT "repeat until res < 1e-3 max 9 { u = u/2; res = norm(u) }\n"
  CHECK(!help_has(U REPEAT, "param res"));
  CHECK(help_has(U REPEAT, "declare it before:  scalar res = 1"));
  CHECK(help_has(U "step 1 { u' = k*u }\n", "declare it:  param k = 1  or  field k : f64"));
  CHECK(help_has(U "step 1 { u' = u**2 }\n", "write  step 1 { u' = u^2 }"));
}

CASE(a_remedy_of_one_mistake_stands_beside_others) {
  const char *two = U "param n = 2 +* 3\nstep 1 { u' = u**2 }\n";
  CHECK(help_has(two, "write  step 1 { u' = u^2 }"));
  CHECK(help_has(two, "write  param n = 2 +3"));
}

CASE(values_from_outside_are_put_right_as_well) {
  ik_source   value = {"dt", "2*u", 3};
  ik_override over = {.name = "dt", .text = &value};
  program     p;
  program_open_with(&p, U "param dt = 1\nstep 1 { u' = dt*u }\n", &over, 1, -1);
  CHECK(p.status);
  program_close(&p);
  value = (ik_source){"dt", "1.5e", 4};
  program_open_with(&p, U "param dt = 1\nstep 1 { u' = dt*u }\n", &over, 1, -1);
  CHECK_STR(ik_buf_text(&p.diag.msg[0].help), "write  1.5e0");
  program_close(&p);
}

/* Texts that are costly to compile are compiled once. */
CASE(long_texts_are_not_compiled_again_and_again) {
  ik_buf b = {0};
  ik_buf_puts(&b, U);
  for (int i = 0; i < 20; i++) ik_buf_puts(&b, "u = u**2\n");
  while (b.len < 900000) ik_buf_puts(&b, "# a comment of some length, to make the text long\n");
  program p;
  program_open(&p, ik_buf_text(&b));
  int proven = 0;
  for (int i = 0; i < p.diag.nmsg; i++) proven += p.diag.msg[i].nfix;
  CHECK_EQ(p.diag.nmsg, 20);
  CHECK_EQ(proven, 4);
  program_close(&p);
  ik_buf_free(&b);
}
