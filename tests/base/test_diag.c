#include "base/diag.h"
#include "check.h"

static const char      text[] = "grid 4\nu' = lap(v)\n\tz\xc3\xa9ro = 1\n";
static const ik_source src = {"t.ik", text, sizeof text - 1};

static ik_span at(const char *word) {
  return (ik_span){&src, (int)(strstr(text, word) - text), (int)strlen(word)};
}

static void check_rendered(ik_diag *d, const char *want) {
  ik_buf b = {0};
  ik_diag_render(d, false, &b);
  CHECK_STR(ik_buf_text(&b), want);
  ik_buf_free(&b);
  ik_diag_free(d);
}

CASE(status_comes_back) {
  ik_diag d = {0};
  CHECK_EQ(ik_error(&d, IK_E010, IK_NOSPAN, "x"), IK_ERR_SOURCE);
  CHECK_EQ(ik_fail(&d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "y"), IK_ERR_RESOURCE);
  ik_warn(&d, IK_W001, IK_NOSPAN, "z");
  CHECK_EQ(d.nmsg, 3);
  CHECK_EQ(d.nerror, 2);
  ik_diag_free(&d);
  CHECK_EQ(d.nmsg, 0);
}

CASE(message_with_note_and_help) {
  ik_diag d = {0};
  ik_error(&d, IK_E010, at("v)"), "there is no '%s'", "v");
  d.msg[0].span.len = 1;
  ik_note_add(&d, at("grid"), "declared here");
  ik_note_add(&d, IK_NOSPAN, "a note");
  ik_help(&d, "say '%s'", "u");
  ik_help(&d, "a second help is left out");
  check_rendered(&d, "t.ik:2:10: error E010: there is no 'v'\n"
                     "   2 | u' = lap(v)\n"
                     "     |          ^\n"
                     "   1 | grid 4\n"
                     "     | ---- declared here\n"
                     "     = note: a note\n"
                     "     = help: say 'u'\n");
}

CASE(tabs_and_utf8_keep_the_caret_in_place) {
  ik_diag d = {0};
  ik_warn(&d, IK_W001, at("z\xc3\xa9ro"), "unused");
  check_rendered(&d, "t.ik:3:2: warning W001: unused\n"
                     "   3 |  z\xc3\xa9ro = 1\n"
                     "     |  ^~~~\n");
}

CASE(span_over_the_end_of_a_line) {
  ik_diag d = {0};
  ik_error(&d, IK_E003, (ik_span){&src, 5, 12}, "open");
  check_rendered(&d, "t.ik:1:6: error E003: open\n"
                     "   1 | grid 4\n"
                     "     |      ^\n");
  ik_error(&d, IK_E002, (ik_span){&src, (int)src.len, 0}, "more");
  check_rendered(&d, "t.ik:4:1: error E002: more\n"
                     "   4 | \n"
                     "     | ^\n");
}

/* Far into a long line only its neighbourhood is shown, cut between characters. */
CASE(long_lines_are_cut) {
  char line[1001];
  for (int i = 0; i < 1000; i += 2) memcpy(line + i, "\xc3\xa9", 2);
  line[1000] = 0, line[501] = '!', line[500] = 'x';
  ik_source s = {"long", line, 1000};
  ik_diag   d = {0};
  ik_error(&d, IK_E001, (ik_span){&s, 501, 1}, "odd");
  ik_buf b = {0};
  ik_diag_render(&d, false, &b);
  const char *shown = strstr(ik_buf_text(&b), "| ") + 2, *end = strchr(shown, '\n');
  CHECK(end - shown <= 160);
  CHECK(((unsigned char)shown[0] & 0xC0) != 0x80);
  CHECK((unsigned char)end[-1] != 0xC3);
  const char *below = strstr(end, "| ") + 2, *caret = strchr(below, '^');
  int         columns = 0;
  for (const char *p = shown; *p != '!'; p++) columns += ((unsigned char)*p & 0xC0) != 0x80;
  CHECK_EQ(caret - below, columns);
  ik_buf_free(&b), ik_diag_free(&d);
}

CASE(only_so_many_are_kept) {
  ik_diag d = {0};
  for (int i = 0; i < IK_DIAG_MAX + 3; i++) ik_error(&d, IK_E010, IK_NOSPAN, "n%d", i);
  ik_help(&d, "belongs to a message that was dropped");
  CHECK_EQ(d.nmsg, IK_DIAG_MAX);
  CHECK_EQ(d.nerror, IK_DIAG_MAX + 3);
  CHECK_EQ(d.msg[IK_DIAG_MAX - 1].help.len, 0);
  ik_buf b = {0};
  ik_diag_render(&d, false, &b);
  CHECK(strstr(ik_buf_text(&b), "3 more messages not shown"));
  ik_buf_free(&b), ik_diag_free(&d);
}

CASE(what_was_told_is_not_repeated) {
  ik_diag d = {0};
  for (int i = 0; i < 3; i++) {
    ik_error(&d, IK_E010, at("v)"), "there is no 'v'");
    ik_help(&d, "%s", i ? "again" : "once");
    ik_error(&d, IK_E010, at("lap"), "there is no 'lap'");
  }
  CHECK_EQ(d.nmsg, 2);
  CHECK_EQ(d.nerror, 6);
  CHECK_EQ(d.ndropped, 0);
  CHECK_STR(ik_buf_text(&d.msg[0].help), "once");
  CHECK_EQ(d.msg[1].help.len, 0);
  ik_diag_free(&d);
}

CASE(notes_beyond_the_limit_are_left_out) {
  ik_diag d = {0};
  ik_note_add(&d, IK_NOSPAN, "no message yet");
  ik_error(&d, IK_E010, IK_NOSPAN, "x");
  for (int i = 0; i < IK_DIAG_NOTES + 2; i++) ik_note_add(&d, IK_NOSPAN, "n");
  CHECK_EQ(d.msg[0].nnote, IK_DIAG_NOTES);
  ik_diag_free(&d);
}

CASE(as_json) {
  ik_diag d = {0};
  ik_error(&d, IK_E010, at("v)"), "no 'v'");
  ik_note_add(&d, at("grid"), "here");
  ik_help(&d, "say u");
  ik_warn(&d, IK_W001, IK_NOSPAN, "w");
  ik_buf b = {0};
  ik_diag_json(&d, &b);
  CHECK_STR(ik_buf_text(&b),
            "[{\"code\": \"E010\", \"severity\": \"error\", \"file\": \"t.ik\", \"line\": 2, "
            "\"column\": 10, \"length\": 2, \"message\": \"no 'v'\", \"help\": \"say u\", "
            "\"notes\": [{\"file\": \"t.ik\", \"line\": 1, \"column\": 1, \"length\": 4, "
            "\"message\": \"here\"}]}, "
            "{\"code\": \"W001\", \"severity\": \"warning\", \"message\": \"w\"}]");
  ik_buf_free(&b), ik_diag_free(&d);
}

CASE(spans_join) {
  ik_span a = {&src, 5, 3}, b = {&src, 2, 4}, j = ik_span_join(a, b);
  CHECK_EQ(j.off, 2);
  CHECK_EQ(j.len, 6);
  CHECK_EQ(ik_span_join(IK_NOSPAN, b).off, 2);
  CHECK_EQ(ik_span_join(a, IK_NOSPAN).off, 5);
  ik_source other = {"o", "", 0};
  CHECK_EQ(ik_span_join(a, (ik_span){&other, 0, 0}).len, 3);
}

CASE(codes_have_names_and_titles) {
  for (int i = 0; i < IK_NCODES; i++) {
    CHECK_EQ(ik_code_find(ik_code_name((ik_code)i)), i); /* also: no name twice */
    CHECK(*ik_code_title((ik_code)i));
  }
  CHECK_STR(ik_code_name(IK_E012), "E012");
  CHECK_EQ(ik_code_find("E999"), -1);
}

CASE(an_excerpt_is_one_line_without_comments) {
  static const char long_text[] = "u' = a  # the old one\n   + b\n";
  const ik_source   lines = {"t.ik", long_text, sizeof long_text - 1};
  const ik_span     all = {&lines, 0, (int)lines.len};
  char              out[44];
  ik_span_excerpt(all, 40, out);
  CHECK_STR(out, "u' = a + b");
  ik_span_excerpt(all, 6, out);
  CHECK_STR(out, "u' = a...");
}
