/* Every rewrite that a message offers is made here, without lang/prove.c's own judgement: the error
 * must be gone and the line must parse. */
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

static int each_program(const char *folder, int (*f)(const char *text)) {
  DIR           *d = opendir(check_data(folder));
  struct dirent *e;
  int            n = 0;
  CHECK(d);
  while (d && (e = readdir(d))) {
    size_t len = strlen(e->d_name);
    if (len < 3 || strcmp(e->d_name + len - 3, ".ik")) continue;
    char *text = read_text(check_data(folder), e->d_name);
    n += f(text);
    free(text);
  }
  if (d) closedir(d);
  return n;
}

CASE(what_is_offered_for_wrong_programs_puts_them_right) {
  CHECK(each_program("tests/must-fail", try_all) > 80);
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
  CHECK(each_program("examples", try_mutants) > 100);
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

#define U "grid x = 32\nfield u : f64\n"

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
