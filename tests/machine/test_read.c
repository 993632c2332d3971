#include "base/mem.h"
#include "text.h"

CASE(a_figure_has_all_its_parts) {
  reading r;
  CHECK_EQ(
      read_text(&r, "# heading\n\n  memory.bandwidth=1.935 TB/s  source P \"a paper\" # note\n"),
      IK_OK);
  CHECK_EQ(r.machine->n, 1);
  const ik_figure *f = &r.machine->figure[0];
  CHECK_STR(f->key, "memory.bandwidth");
  CHECK_STR(f->value, "1.935");
  CHECK(f->numeric);
  CHECK_NEAR(f->number, 1.935, 0);
  CHECK_STR(f->unit, "TB/s");
  CHECK_EQ(f->label, 'P');
  CHECK_STR(f->source, "a paper");
  CHECK_STR(f->comment, "note");
  CHECK_EQ(f->span.off, 13);
  CHECK_EQ(f->span.len, 16);
  end_reading(&r);
}

CASE(parts_may_be_missing) {
  reading r;
  CHECK_EQ(read_text(&r, "a = 1\nb = \"two words\"\nc = 3 source \"x\"\nd = -4.5e-3 s # e"), IK_OK);
  CHECK_EQ(r.machine->n, 4);
  const ik_figure *f = r.machine->figure;
  CHECK_STR(f[0].unit, "");
  CHECK(!f[0].source && !f[0].comment && !f[0].label);
  CHECK(!f[1].numeric);
  CHECK_STR(f[1].value, "two words");
  CHECK_STR(f[2].source, "x");
  CHECK_EQ(f[2].label, 0);
  CHECK_STR(f[2].unit, "");
  CHECK_NEAR(f[3].number, -4.5e-3, 0);
  CHECK_STR(f[3].comment, "e");
  end_reading(&r);
}

CASE(an_empty_file_is_a_machine_without_figures) {
  reading r;
  CHECK_EQ(read_text(&r, ""), IK_OK);
  CHECK_EQ(r.machine->n, 0);
  CHECK_STR(r.machine->name, "test");
  end_reading(&r);
}

CASE(lines_may_end_as_in_dos) {
  reading r;
  CHECK_EQ(read_text(&r, "a = 1 s # note\r\nb = 2\r\n"), IK_OK);
  CHECK_EQ(r.machine->n, 2);
  CHECK_STR(r.machine->figure[0].comment, "note");
  CHECK_STR(r.machine->figure[1].unit, "");
  end_reading(&r);
}

/* The first message about a text, and where it points. */
static void wrong(const char *text, ik_code code, int line, int column, const char *message) {
  reading r;
  CHECK_EQ(read_text(&r, text), IK_ERR_SOURCE);
  CHECK(!r.machine);
  CHECK_EQ(r.diag.nerror, 1);
  if (r.diag.nmsg) {
    int l, c;
    CHECK_STR(ik_code_name(r.diag.msg[0].code), ik_code_name(code));
    CHECK_STR(ik_buf_text(&r.diag.msg[0].text), message);
    ik_source_position(&r.source, r.diag.msg[0].span.off, &l, &c);
    CHECK_EQ(l, line);
    CHECK_EQ(c, column);
  }
  end_reading(&r);
}

CASE(mistakes_are_found_where_they_are) {
  wrong("a = 1\n= 2", IK_E002, 2, 1, "the name of a figure is expected here");
  wrong("clock 1 GHz", IK_E002, 1, 7, "'=' is expected here");
  wrong("clock =", IK_E002, 1, 8, "a number or a text in quotes is expected here");
  wrong("clock = fast", IK_E002, 1, 9, "a number or a text in quotes is expected here");
  wrong("a = 1 GHz yes", IK_E002, 1, 11, "'source' or the end of the line is expected here");
  wrong("a = \"b\" GHz", IK_E002, 1, 9, "a unit, 'source' or the end of the line is expected here");
  wrong("a = 1 s source P", IK_E002, 1, 17, "the source, a text in quotes, is expected here");
  wrong("a = 1 s source \"b\" c", IK_E002, 1, 20, "the end of the line is expected here");
  wrong("a = 1 s source Q \"b\"", IK_E013, 1, 16,
        "'Q' is not a kind of source; they are P S D C A M");
  wrong("a = \"b\nc = 1", IK_E003, 1, 5, "a string that does not end on its line");
  wrong("a = 1 source \"b", IK_E003, 1, 14, "a string that does not end on its line");
}

CASE(numbers_that_are_none) {
  const char *bad[] = {"1.2.3", "0x1F", "1e", "1e+", "12GHz", "-", ".", "1_000", "+e5"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[32];
    snprintf(text, sizeof text, "a = %s", bad[i]);
    wrong(text, IK_E004, 1, 5, "this is not a number");
  }
  wrong("a = 1e999 s", IK_E004, 1, 5, "this number is too large");
}

CASE(a_name_given_twice_points_at_both) {
  reading r;
  CHECK_EQ(read_text(&r, "a = 1\nb = 2\na = 3\n"), IK_ERR_SOURCE);
  CHECK_EQ(r.diag.nmsg, 1);
  CHECK_EQ(r.diag.msg[0].code, IK_E011);
  CHECK_EQ(r.diag.msg[0].span.off, 12);
  CHECK_EQ(r.diag.msg[0].nnote, 1);
  CHECK_EQ(r.diag.msg[0].note[0].span.off, 0);
  end_reading(&r);
}

CASE(all_mistakes_of_a_file_are_reported) {
  reading r;
  CHECK_EQ(read_text(&r, "a\nb = 1\nc = ?\nd = 1.2.3\n"), IK_ERR_SOURCE);
  CHECK_EQ(r.diag.nerror, 3);
  end_reading(&r);
}

CASE(a_file_that_is_too_large_is_refused) {
  size_t  len = (1 << 20) + 1;
  char   *text = ik_malloc(len);
  reading r;
  memset(text, '\n', len);
  CHECK_EQ(read_bytes(&r, text, len), IK_ERR_SOURCE);
  CHECK_EQ(r.diag.msg[0].code, IK_E005);
  end_reading(&r);
  CHECK_EQ(read_bytes(&r, text, len - 1), IK_OK);
  end_reading(&r);
  ik_free(text);
}

/* Whatever the bytes are, the reader ends with a machine or with messages inside the text. */
CASE(garbage_does_no_harm) {
  static const char start[] = "title = \"x\"\na.b = 1.5e3 GB/s source P \"y\" # z\nc = 2\n";
  unsigned          seed = 1;
  for (int round = 0; round < 20000; round++) {
    char   text[sizeof start];
    size_t len = sizeof start - 1;
    memcpy(text, start, sizeof start);
    for (int k = 0; k < 1 + round % 5; k++) {
      seed = seed * 1664525u + 1013904223u;
      text[(seed >> 8) % len] = "\"#=\n. e\0P\xff"[(seed >> 24) % 10];
    }
    if (round % 7 == 0) len = (seed >> 4) % len;
    reading   r;
    ik_status s = read_bytes(&r, text, len);
    CHECK_EQ(s == IK_OK, r.diag.nerror == 0);
    for (int i = 0; i < r.diag.nmsg; i++) {
      ik_span at = r.diag.msg[i].span;
      CHECK(at.off >= 0 && at.len >= 0 && (size_t)(at.off + at.len) <= len);
    }
    end_reading(&r);
  }
}

CASE(running_out_of_memory_leaves_nothing) {
  for (int n = 0; n < 3; n++) {
    reading r;
    ik_mem_fail_after(n);
    ik_status s = read_text(&r, "a = 1 s source P \"b\"\n");
    ik_mem_fail_after(-1);
    CHECK(n > 0 || s == IK_ERR_RESOURCE);
    end_reading(&r);
  }
}
