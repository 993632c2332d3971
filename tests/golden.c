#include "golden.h"
#include "check.h"
#include <stdlib.h>

bool golden_read(const char *path, ik_buf *text) {
  FILE *f = fopen(path, "r");
  for (int c; f && (c = getc(f)) != EOF;) ik_buf_putc(text, (char)c);
  if (f) fclose(f);
  return f != NULL;
}

static void write_file(const char *path, const char *text) {
  ik_buf old = {0};
  bool   same = golden_read(path, &old) && strcmp(ik_buf_text(&old), text) == 0;
  FILE  *f = same ? NULL : fopen(path, "w");
  CHECK(same || (f && fputs(text, f) >= 0));
  if (f) CHECK(fclose(f) == 0);
  if (f) printf("wrote %s\n", path);
  ik_buf_free(&old);
}

static int length_of(const char *line) { return (int)strcspn(line, "\n"); }

static const char *or_end(const char *text) { return *text ? text : "(the end)"; }

static void show_difference(const char *path, const char *want, const char *have) {
  int line = 1;
  for (;; line++) {
    int n = length_of(want), m = length_of(have);
    if (n != m || memcmp(want, have, (size_t)n) || !want[n] || !have[n]) break;
    want += n + 1, have += n + 1;
  }
  want = or_end(want), have = or_end(have);
  check_fail(path, line, "is now\n%.*s\nand was\n%.*s\nif the change is meant: make golden",
             length_of(have), have, length_of(want), want);
}

void golden_keep(const char *path, const char *text) {
  ik_buf kept = {0};
  if (getenv("IKAT_GOLDEN")) {
    write_file(path, text);
    return;
  }
  if (!golden_read(path, &kept))
    check_fail(path, 1, "is missing: make golden");
  else if (strcmp(ik_buf_text(&kept), text))
    show_difference(path, ik_buf_text(&kept), text);
  ik_buf_free(&kept);
}
