#include "lang/lex.h"
#include "text.h"

/* The kinds of all tokens as one word each, with `/` for the newlines before. */
static const char *kinds(const char *s) {
  static const char *const short_names[] = {
      "end", "bad", "comment", "num", "str", "name", "if", "then", "else", "and", "or", "not",
      "(",   ")",   "[",       "]",   "{",   "}",    ",",  ";",    ":",    "=",   "'",  "..",
      ".",   "+",   "-",       "*",   "/",   "^",    "<",  "<=",   ">",    ">=",  "==", "!="};
  static char out[1000];
  text        t;
  text_open(&t, s, strlen(s));
  out[0] = 0;
  for (const ik_token *k = ik_lex(&t.src, &t.arena); k->kind != IK_TOK_END; k++) {
    if (k->newlines) strcat(out, "| ");
    strcat(strcat(out, short_names[k->kind]), k->wrong ? "! " : " ");
  }
  text_free(&t);
  return out;
}

CASE(kinds) {
  CHECK_STR(kinds(""), "");
  CHECK_STR(kinds("u' = 2*u[t-1]"), "name ' = num * name [ name - num ] ");
  CHECK_STR(kinds("a<b<=c>d>=e==f!=g"), "name < name <= name > name >= name == name != name ");
  CHECK_STR(kinds("if a then b else not c and d or e"),
            "if name then name else not name and name or name ");
  CHECK_STR(kinds("{ } , ; : .. ( )"), "{ } , ; : .. ( ) ");
  CHECK_STR(kinds("\"a \\\" b\" # c\nx"), "str comment | name ");
  CHECK_STR(kinds("\xef\xbb\xbfx\r\ny"), "name | name "); /* byte order mark, CRLF */
}

CASE(numbers_and_ranges) {
  CHECK_STR(kinds("1..3"), "num .. num ");
  CHECK_STR(kinds("1 .. 3"), "num .. num ");
  CHECK_STR(kinds("1...5"), "num .. num ");
  CHECK_STR(kinds(".5 1. 1e3 1.5e-3 2E+4"), "num num num num num ");
  CHECK_STR(kinds("1e 1_000 1.2.3 0x1F"), "num! num! num! num! ");
}

/* The length of the unit that the number at the start of `s` takes. */
static int unit_length(const char *s) {
  text t;
  text_open(&t, s, strlen(s));
  int n = ik_lex(&t.src, &t.arena)->unit;
  text_free(&t);
  return n;
}

CASE(units_belong_to_numbers) {
  CHECK_EQ(unit_length("2500 m/s"), 3);
  CHECK_EQ(unit_length("9.81 m/s^2 "), 5);
  CHECK_EQ(unit_length("15Hz"), 2);
  CHECK_EQ(unit_length("10 m / s"), 1);
  CHECK_EQ(unit_length("10 m/dt"), 1);
  CHECK_EQ(unit_length("10\nm"), 0);
  CHECK_EQ(unit_length("2 min(a,b)"), 0);
  CHECK_EQ(unit_length("2 u"), 0);
}

CASE(wrong_tokens_have_the_kind_that_was_meant) {
  CHECK_STR(kinds("a ** b && c || !d"), "name ^! name and! name or! not! name ");
  CHECK_STR(kinds("a := b =< c => d <> e"), "name =! name <=! name >=! name !=! name ");
  CHECK_STR(kinds("u += 1 // c\n/* d */ x"), "name =! num comment! | comment! name ");
  CHECK_STR(kinds("a \xc3\x97 b \xe2\x88\x92 c\xe2\x80\x99"), "name *! name -! name '! ");
  CHECK_STR(kinds("\xce\x94t gr\xc3\xb6\xc3\x9f"
                  "e"),
            "name! name! ");
  CHECK_STR(kinds("\"open\n\"a\\b\""), "str! | str! ");
}

CASE(junk_is_one_token_per_run) {
  CHECK_STR(kinds("a \x01\x02\x03 b"), "name bad! name ");
  CHECK_STR(kinds("a \xff\xfe\xfd b"), "name bad! name ");
  CHECK_STR(kinds("$ @"), "bad! bad! ");
  text t;
  text_open(&t, "a\0\0b", 4);
  const ik_token *k = ik_lex(&t.src, &t.arena);
  CHECK(k[0].kind == IK_TOK_NAME && k[1].kind == IK_TOK_BAD && k[1].len == 2);
  CHECK(k[2].kind == IK_TOK_NAME && k[3].kind == IK_TOK_END);
  text_free(&t);
}

/* Texts cut off inside a token: nothing is read behind the end. */
CASE(cut_off) {
  static const char *const cut[] = {"\"a",  "\"",       "\"a\\",    "1e",   "1e+",   "1.", ".",
                                    "0x",   "1 ",       "1 m/",     "1 m^", "1 m^-", "/*", "/* *",
                                    "\xc3", "\xe2\x88", "\xef\xbb", "=",    "!",     "<",  "*",
                                    "#",    "a",        "1_",       "u +="};
  for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
    text t;
    text_open(&t, cut[i], strlen(cut[i]));
    const ik_token *k = ik_lex(&t.src, &t.arena);
    int             end = 0;
    for (; k->kind != IK_TOK_END; k++) end = k->off + k->len;
    CHECK(end <= (int)t.src.len);
    text_free(&t);
  }
}
