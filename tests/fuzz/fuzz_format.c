/* A program that can be parsed can be laid out, and laying it out again changes nothing.
 * Seeds: examples tests/must-fail
 * Coverage: lang/format lang/lex lang/parse lang/parse_item */
#include "fuzz.h"
#include "lang/ast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz f;
  ik_buf      once = {0}, twice = {0};
  fuzz_open(&f, data, size);
  if (ik_lang_format(&f.src, &f.arena, &f.diag, &once) == IK_OK) {
    ik_source text = {"fuzz.ik", ik_buf_text(&once), once.len};
    MUST(ik_lang_format(&text, &f.arena, &f.diag, &twice) == IK_OK);
    MUST(once.len == twice.len && memcmp(ik_buf_text(&once), ik_buf_text(&twice), once.len) == 0);
  }
  ik_diag_free(&f.diag); /* its places are in `once` */
  memset(&f.diag, 0, sizeof f.diag);
  ik_buf_free(&once), ik_buf_free(&twice);
  fuzz_close(&f);
  return 0;
}
