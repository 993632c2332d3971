/* An edit is proven by making it.  That costs a compilation each, so it is done only for messages
 * that will be shown, and not for texts that are costly to compile. */
#include "lang/prove.h"
#include "base/mem.h"
#include <string.h>

enum { MOST_BYTES = 4 << 20 }; /* that all trials of a text may compile */

typedef struct trial {
  const ik_source        *program; /* as it was */
  const ik_lower_options *opt;
  const ik_diag          *before;
  const ik_message       *m;
  const ik_fix           *fix;
  ik_buf                  text;   /* with the edit made */
  ik_source               edited; /* the same */
  bool                    parsed; /* the text as it was: what is wrong is its meaning */
  bool                    parses; /* the edited text */
  ik_diag                 after;
} trial;

/* ---- the text again ---- */

static bool make_edit(trial *t) {
  const ik_span *at = &t->fix->at;
  const char    *s = at->src->text;
  size_t         end = (size_t)at->off + (size_t)at->len;
  ik_buf_write(&t->text, s, (size_t)at->off);
  ik_buf_write(&t->text, ik_buf_text(&t->fix->with), t->fix->with.len);
  ik_buf_write(&t->text, s + end, at->src->len - end);
  t->edited = (ik_source){at->src->name, ik_buf_text(&t->text), t->text.len};
  return !t->text.failed;
}

static const ik_source *now(const trial *t, const ik_source *src) {
  return src == t->fix->at.src ? &t->edited : src;
}

static void compile(trial *t, ik_arena *a) {
  ik_program_ast tree;
  t->parses = ik_lang_parse(now(t, t->program), a, &t->after, &tree) == IK_OK;
  if (!t->parses || !t->opt) return;
  ik_lower_options opt = *t->opt;
  ik_override     *over = IK_NEW_N(a, ik_override, opt.noverride + 1);
  ik_ir           *ir;
  for (int i = 0; i < opt.noverride; i++) {
    over[i] = opt.override[i];
    over[i].text = now(t, opt.override[i].text);
  }
  opt.override = over;
  ik_lang_lower(&tree, &opt, a, &t->after, &ir);
}

/* ---- is it better? ---- */

typedef enum stage { TEXT, MEANING, READS } stage; /* a later one is reached without errors only */

static stage stage_of(bool parsed, ik_code c) {
  return !parsed ? TEXT : c == IK_E040 || c == IK_E044 ? READS : MEANING;
}

static int shift(const trial *t) { return (int)t->fix->with.len - t->fix->at.len; }

/* Whether a place before the edit is that place after it.  What stands at an insertion may have
 * moved or not. */
static bool same_place(const trial *t, ik_span before, ik_span after) {
  const ik_span *at = &t->fix->at;
  if (!before.src || !after.src) return before.src == after.src;
  if (now(t, before.src) != after.src) return false;
  bool edited = before.src == at->src;
  return (before.off == after.off && (!edited || before.off <= at->off)) ||
         (edited && before.off >= at->off + at->len && before.off + shift(t) == after.off);
}

static bool is_known(const trial *t, const ik_message *n) {
  for (int i = 0; i < t->before->nmsg; i++) {
    const ik_message *o = &t->before->msg[i];
    if (o != t->m && o->code == n->code && same_place(t, o->span, n->span)) return true;
  }
  return false;
}

static bool touches_edit(const trial *t, ik_span s) {
  int b = t->fix->at.off, e = b + (int)t->fix->with.len;
  if (s.src != &t->edited) return false;
  int end = s.off + (s.len ? s.len : 1);
  return b == e ? s.off <= b && b <= end : s.off < e && end > b;
}

/* A mistake of the same kind may have the edit as the nearest name that is known. */
static bool speaks_of_edit(const trial *t, const ik_message *n) {
  if (touches_edit(t, n->span)) return true;
  for (int i = 0; n->code != t->m->code && i < n->nnote; i++)
    if (touches_edit(t, n->note[i].span)) return true;
  return false;
}

static int line_of(const ik_source *src, int off) {
  int line, col;
  ik_source_position(src, off, &line, &col);
  return line;
}

/* On the line of the message, or on one that was changed. */
static bool is_near(const trial *t, const ik_message *n) {
  const ik_span *at = &t->fix->at, *m = &t->m->span;
  if (n->span.src != &t->edited || m->src != at->src) return false;
  int line = line_of(&t->edited, n->span.off), end = at->off + (int)t->fix->with.len;
  int off = m->off < at->off ? m->off : m->off + shift(t);
  return line == line_of(&t->edited, off) ||
         (line >= line_of(&t->edited, at->off) && line <= line_of(&t->edited, end));
}

/* The edit is on the line of the message itself. */
static bool is_in_place(const trial *t) {
  const ik_span *at = &t->fix->at, *m = &t->m->span;
  return m->src == at->src && line_of(m->src, m->off) == line_of(m->src, at->off) &&
         !memchr(ik_buf_text(&t->fix->with), '\n', t->fix->with.len);
}

/* An error that was not there before the edit: has the edit made it? */
static bool is_worse(const trial *t, const ik_message *n) {
  bool again = n->code == t->m->code;
  if (again && same_place(t, t->m->span, n->span)) return true;
  stage was = stage_of(t->parsed, t->m->code), is = stage_of(t->parses, n->code);
  if (is == READS && was != READS) return false; /* never looked at before */
  if (speaks_of_edit(t, n)) return true;
  if (is_near(t, n)) return was == TEXT || !(again || is_in_place(t)); /* else it was hidden */
  return is == TEXT && was == TEXT && !t->before->ndropped;
}

static bool is_better(const trial *t) {
  for (int i = 0; i < t->after.nmsg; i++) {
    const ik_message *n = &t->after.msg[i];
    if (!n->warning && !is_known(t, n) && is_worse(t, n)) return false;
  }
  return true;
}

/* ---- all of them ---- */

static void trial_free(trial *t) {
  ik_buf_free(&t->text);
  ik_diag_free(&t->after);
}

/* False when memory is gone. */
static bool compiles(trial *t) {
  ik_arena a;
  ik_arena_init(&a);
  if (setjmp(a.oom)) return ik_arena_free(&a), false;
  compile(t, &a);
  ik_arena_free(&a);
  for (int i = 0; i < t->after.nmsg; i++)
    if (t->after.msg[i].code == IK_E072) return false;
  return true;
}

static ik_status attempt(trial *t, bool *works) {
  if (!make_edit(t) || !compiles(t)) return IK_ERR_RESOURCE;
  *works = is_better(t);
  return IK_OK;
}

static const char or [] = "or ";
enum { OR = sizeof or -1 };

/* "declare it:  field u" goes with "declare it:  param u" as "field u", and so does what begins
 * with "or "; any other is for where the first does not work. */
static const char *beside(const char *text, const char *first) {
  const char *colon = strstr(first, ":  ");
  size_t      len = colon ? (size_t)(colon - first) + 3 : 0;
  if (!strncmp(text, or, OR)) return text + OR;
  return len && !strncmp(text, first, len) ? text + len : NULL;
}

static void offer(ik_message *m, int nworking) {
  const char *first = ik_buf_text(&m->fix[0].text);
  const char *second = nworking > 1 ? beside(ik_buf_text(&m->fix[1].text), first) : NULL;
  if (nworking) {
    ik_buf_free(&m->help);
    ik_buf_puts(&m->help, strncmp(first, or, OR) ? first : first + OR);
    if (second) ik_buf_printf(&m->help, "  or  %s", second);
  }
  if (!m->help.len && m->nfix)
    ik_buf_printf(&m->help, "`ikat explain %s` has an example", ik_code_name(m->code));
  int n = nworking ? 1 + (second != NULL) : 0;
  for (int i = n; i < m->nfix; i++) ik_fix_free(&m->fix[i]);
  m->nfix = n, m->proven = true;
}

static bool is_ours(const trial *t, const ik_fix *f) {
  if (f->at.src == t->program) return true;
  for (int i = 0; t->opt && i < t->opt->noverride; i++)
    if (t->opt->override[i].text == f->at.src) return true;
  return false;
}

static ik_status prove_message(const trial *like, ik_message *m, size_t *bytes) {
  int n = 0;
  for (int i = 0; i < m->nfix; i++) {
    trial t = *like;
    bool  works = false;
    t.m = m, t.fix = &m->fix[i];
    *bytes += t.program->len + m->fix[i].with.len;
    ik_status st = *bytes <= MOST_BYTES && is_ours(&t, t.fix) ? attempt(&t, &works) : IK_OK;
    trial_free(&t);
    IK_TRY(st);
    if (!works) continue;
    ik_fix keep = m->fix[i];
    m->fix[i] = m->fix[n], m->fix[n++] = keep;
  }
  offer(m, n);
  return IK_OK;
}

static bool is_costly(const ik_diag *d) {
  for (int i = 0; i < d->nmsg; i++)
    if (d->msg[i].code == IK_E005) return true;
  return false;
}

/* Whether the text is well formed; false when memory is gone. */
static bool is_parsed(const ik_source *text, bool *out) {
  ik_arena       a;
  ik_program_ast tree;
  ik_diag        d = {0};
  ik_arena_init(&a);
  bool ok = setjmp(a.oom) == 0;
  if (ok) *out = ik_lang_parse(text, &a, &d, &tree) == IK_OK;
  ik_diag_free(&d);
  ik_arena_free(&a);
  return ok;
}

ik_status ik_lang_prove(const ik_source *text, const ik_lower_options *opt, ik_diag *d) {
  trial     t = {.program = text, .opt = opt, .before = d};
  size_t    bytes = is_costly(d) ? MOST_BYTES : 0;
  ik_status st = is_parsed(text, &t.parsed) ? IK_OK : IK_ERR_RESOURCE;
  for (int i = 0; i < d->nmsg && !st; i++)
    if (!d->msg[i].proven) st = prove_message(&t, &d->msg[i], &bytes);
  if (!st) return IK_OK;
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "not enough memory to compile");
}
