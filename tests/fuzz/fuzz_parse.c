/* Any bytes as a program, and as the value of a parameter: parsed, and what came out printed.
 * Seeds: examples tests/must-fail
 * Coverage: lang/lex lang/parse lang/parse_expr lang/parse_item lang/print */
#include "fuzz.h"
#include "lang/ast.h"

enum { SHORT = 2048 }; /* the lines of a deep tree are long */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz    f;
  ik_program_ast program;
  ik_ast        *value = NULL;
  ik_buf         text = {0};
  fuzz_open(&f, data, size);
  ik_lang_parse(&f.src, &f.arena, &f.diag, &program);
  if (size < SHORT) ik_lang_dump(&program, &text);
  if (ik_lang_parse_expr(&f.src, &f.arena, &f.diag, &value) == IK_OK && size < SHORT)
    ik_lang_print_expr(value, &text);
  ik_buf_free(&text);
  fuzz_close(&f);
  return 0;
}
