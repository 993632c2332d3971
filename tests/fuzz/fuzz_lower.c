/* A program that can be lowered has sound IR, whose text form reads back the same; and it runs.
 * Seeds: examples tests/must-fail
 * Coverage: lang */
#define _GNU_SOURCE /* memmem */
#include "lang/prove.h"
#include "program.h"

/* Names in a text that lead to files of this machine. */
static bool reads_files(const uint8_t *data, size_t size) {
  return memmem(data, size, "file", 4) || memmem(data, size, "sparse", 6) ||
         memmem(data, size, "wavelet", 7);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz      f;
  ik_program_ast   program;
  ik_lower_options options = {.steps = -1, .name = "fuzz"};
  ik_ir           *ir;
  if (reads_files(data, size)) return 0;
  fuzz_open(&f, data, size);
  if (ik_lang_parse(&f.src, &f.arena, &f.diag, &program) == IK_OK &&
      ik_lang_lower(&program, &options, &f.arena, &f.diag, &ir) == IK_OK) {
    MUST(ik_ir_verify(ir, &f.diag) == IK_OK);
    if (is_tiny(ir)) {
      check_round_trip(ir, &f.arena);
      run_tiny(ir, &f.diag);
    }
  } else {
    MUST(ik_lang_prove(&f.src, &options, &f.diag) == IK_OK);
  }
  fuzz_close(&f);
  return 0;
}
