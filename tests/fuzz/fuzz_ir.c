/* Any bytes as IR: what can be read and passes the verifier is printed the same again, and runs.
 * Coverage: ir/read ir/print ir/verify */
#include "program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz f;
  ik_ir      *ir;
  fuzz_open(&f, data, size);
  if (ik_ir_read(&f.src, &f.arena, &f.diag, &ir) == IK_OK && ik_ir_verify(ir, &f.diag) == IK_OK) {
    check_round_trip(ir, &f.arena);
    if (is_tiny(ir)) run_tiny(ir, &f.diag);
  }
  fuzz_close(&f);
  return 0;
}
