#include "text.h"

static ik_status format(const char *s, size_t len, ik_buf *out) {
  text t;
  text_open(&t, s, len);
  ik_status status = ik_lang_format(&t.src, &t.arena, &t.diag, out);
  CHECK((status == IK_OK) == (t.diag.nerror == 0));
  text_free(&t);
  return status;
}

static const char *formatted(const char *s) {
  static char copy[4000];
  ik_buf      b = {0};
  CHECK_EQ(format(s, strlen(s), &b), IK_OK);
  snprintf(copy, sizeof copy, "%s", ik_buf_text(&b));
  ik_buf_free(&b);
  return copy;
}

CASE(spaces) {
  CHECK_STR(formatted("grid x=10,y =20"), "grid x = 10, y = 20\n");
  CHECK_STR(formatted("u'=a+b*(c -d)"), "u' = a+b*(c - d)\n");
  CHECK_STR(formatted("u '= - a ^ 2*10m / s + 10 m/s"), "u' = -a^2*10 m / s + 10 m/s\n");
  CHECK_STR(formatted("u = v [ -1,0 ] + v[1, 0]"), "u = v[-1,0] + v[1, 0]\n");
  CHECK_STR(formatted("u = f (a,order=8 )"), "u = f(a, order = 8)\n");
  CHECK_STR(formatted("u = 10 m ^ 2"), "u = 10 m ^ 2\n");
  CHECK_STR(formatted("w = if a>0and not(b)then-1 else(2)"),
            "w = if a > 0 and not (b) then -1 else (2)\n");
  CHECK_STR(formatted("source -1 at(1,-2)into u"), "source -1 at (1, -2) into u\n");
  CHECK_STR(formatted("field u:f64,on(x,y)=3"), "field u : f64, on (x, y) = 3\n");
  CHECK_STR(formatted("u = max (a,b)"), "u = max(a, b)\n");
  CHECK_STR(formatted("receiver u at line 1..3 into \"a  b\""),
            "receiver u at line 1 .. 3 into \"a  b\"\n");
}

CASE(lines) {
  CHECK_STR(formatted(""), "");
  CHECK_STR(formatted("\n\n  \n"), "");
  CHECK_STR(formatted("u=1;v=2 ;;"), "u = 1\nv = 2\n");
  CHECK_STR(formatted("step 3{u'=a;v'=b}w=1"), "step 3 {\n  u' = a\n  v' = b\n}\nw = 1\n");
  CHECK_STR(formatted("step 3\n\n{\n\nu'=a\n\n}"), "step 3 {\n  u' = a\n}\n");
  CHECK_STR(formatted("u = a\n+b*\nc"), "u = a\n    + b *\n    c\n");
  CHECK_STR(formatted("\n\nu = 1\n\n\n\nv = 2\nw = 3\n\n"), "u = 1\n\nv = 2\nw = 3\n");
  CHECK_STR(formatted("boundary u{-x=0;+x=1}"), "boundary u {\n  -x = 0\n  +x = 1\n}\n");
  CHECK_STR(formatted("sweep z up{at first{a=1}at last{a=2}}"),
            "sweep z up {\n  at first {\n    a = 1\n  }\n  at last {\n    a = 2\n  }\n}\n");
  CHECK_STR(formatted("u = 1; on = 2"), "u = 1;\non = 2\n"); /* else: u = 1 on ... */
  CHECK_STR(formatted("\xef\xbb\xbfu = 1\r\nv = 2  \r\n"), "u = 1\nv = 2\n");
}

CASE(comments) {
  CHECK_STR(formatted("#a \nu=1#b\r\n\n   #c\nv=2"), "#a\nu = 1  #b\n\n#c\nv = 2\n");
  CHECK_STR(formatted("step 3 { # why\n u' = a\n   # end\n }# after"),
            "step 3 {  # why\n  u' = a\n  # end\n}  # after\n");
  CHECK_STR(formatted("u = a + # first\n# second\nb"), "u = a +  # first\n    # second\n    b\n");
  CHECK_STR(formatted("step 3 # n\n{ u' = a }"), "step 3  # n\n    {\n  u' = a\n}\n");
  CHECK_STR(formatted("u = 1 # c\n; on = 2"), "u = 1  # c\n    ;\non = 2\n");
  CHECK_STR(formatted("# only"), "# only\n");
}

CASE(refuses_what_does_not_parse) {
  ik_buf b = {0};
  CHECK_EQ(format("u = (", 5, &b), IK_ERR_SOURCE);
  CHECK_EQ(b.len, 0);
  ik_buf_free(&b);
}

/* ---- any text whatsoever ---- */

static void dump(const char *s, size_t len, ik_buf *out) {
  text t;
  text_open(&t, s, len);
  if (ik_lang_parse(&t.src, &t.arena, &t.diag, &t.tree) == IK_OK) ik_lang_dump(&t.tree, out);
  text_free(&t);
}

static int count_comments(const char *s, size_t len) {
  int n = 0;
  for (size_t i = 0; i < len; i++) {
    if (s[i] == '"') /* a string holds no comment */
      for (i++; i < len && s[i] != '"'; i++) i += s[i] == '\\';
    if (i < len && s[i] == '#') {
      n++;
      while (i < len && s[i] != '\n') i++;
    }
  }
  return n;
}

static void check_round_trip(const char *s, size_t len) {
  ik_buf once = {0}, twice = {0}, before = {0}, after = {0};
  CHECK_EQ(format(s, len, &once), IK_OK);
  CHECK_EQ(format(ik_buf_text(&once), once.len, &twice), IK_OK);
  dump(s, len, &before), dump(ik_buf_text(&once), once.len, &after);
  bool right = once.len == twice.len && !strcmp(ik_buf_text(&once), ik_buf_text(&twice)) &&
               !strcmp(ik_buf_text(&before), ik_buf_text(&after)) &&
               count_comments(s, len) == count_comments(ik_buf_text(&once), once.len);
  if (!right)
    check_fail(__FILE__, __LINE__, "no round trip of\n%.*s\n--- once\n%s\n--- twice\n%s", (int)len,
               s, ik_buf_text(&once), ik_buf_text(&twice));
  ik_buf_free(&once), ik_buf_free(&twice), ik_buf_free(&before), ik_buf_free(&after);
}

/* Every message has a text and a place in the source; a text without messages survives formatting.
 */
static void check_text(const char *s, size_t len) {
  text t;
  text_open(&t, s, len);
  t.status = ik_lang_parse(&t.src, &t.arena, &t.diag, &t.tree);
  CHECK((t.status == IK_OK) == (t.diag.nerror == 0));
  for (int i = 0; i < t.diag.nmsg; i++) {
    const ik_message *m = &t.diag.msg[i];
    CHECK(m->text.len && m->span.src == &t.src);
    if (!m->help.len && !m->nfix)
      check_fail(__FILE__, __LINE__, "no help: %s", ik_buf_text(&m->text));
    CHECK(m->span.off >= 0 && m->span.len >= 0 && (size_t)(m->span.off + m->span.len) <= len);
  }
  ik_buf shown = {0};
  ik_diag_render(&t.diag, false, &shown);
  ik_buf_free(&shown);
  if (t.status == IK_OK) check_round_trip(s, len);
  text_free(&t);
}

static unsigned next_random(unsigned *seed) {
  *seed ^= *seed << 13, *seed ^= *seed >> 17, *seed ^= *seed << 5;
  return *seed;
}

/* One change: a byte, a piece taken out or doubled, or a word of the language put in. */
static size_t mutate(char *s, size_t len, size_t cap, unsigned *seed) {
  static const char *const words[] = {
      "(",    ")",        "[",      "]",    "{",          "}",      ";",           "\n",
      ",",    "=",        "'",      "..",   "-",          "+",      "*",           "/",
      "^",    "<",        "#c\n",   "if ",  " then ",     " else ", " not ",       " and ",
      " on ", " at ",     " into ", "max ", "step ",      "field ", "sweep ",      "boundary ",
      "1",    " 2 m",     ".5",     "\"",   "x",          "**",     ":=",          ".",
      "\\",   "\xc3\x97", "\n\n\n", " ",    "at first {", "u = ",   "interior(1)", "-x = ",
      "== ",  "; on = 2", "   "};
  size_t at = len ? next_random(seed) % len : 0, n = len ? next_random(seed) % (len - at) % 20 : 0;
  switch (next_random(seed) % 5) {
  case 0:
    if (len) s[at] = (char)next_random(seed);
    return len;
  case 1: memmove(s + at, s + at + n, len - at - n); return len - n;
  case 2:
    if (len + n > cap) return len;
    memmove(s + at + n, s + at, len - at);
    return len + n;
  default: break;
  }
  const char *w = words[next_random(seed) % (sizeof words / sizeof *words)];
  n = strlen(w);
  if (len + n > cap) return len;
  memmove(s + at + n, s + at, len - at);
  memcpy(s + at, w, n);
  return len + n;
}

CASE(mutations) {
  unsigned seed = 20240607;
  for (int i = 0; i < 6000; i++) {
    char   s[4096];
    size_t len = sizeof text_everything - 1;
    memcpy(s, text_everything, len);
    for (unsigned k = next_random(&seed) % 8 + 1; k; k--) len = mutate(s, len, sizeof s, &seed);
    check_text(s, len);
  }
}

/* Short pieces survive changes far oftener than the whole program does. */
CASE(mutated_lines) {
  unsigned seed = 977;
  int      fine = 0;
  for (int i = 0; i < 30000; i++) {
    char        s[512];
    const char *from = text_everything + next_random(&seed) % (sizeof text_everything - 200);
    while (from != text_everything && from[-1] != '\n') from++;
    size_t len = strcspn(from, "\n") + 1;
    memcpy(s, from, len);
    for (unsigned k = next_random(&seed) % 4; k; k--) len = mutate(s, len, sizeof s, &seed);
    check_text(s, len);
    ik_buf b = {0};
    fine += format(s, len, &b) == IK_OK;
    ik_buf_free(&b);
  }
  CHECK(fine > 5000); /* else the round trip was hardly tried */
}

CASE(everything) { check_round_trip(text_everything, sizeof text_everything - 1); }
