/* Any bytes as a workload: what can be read has a weight above zero, and whole sizes.
 * Coverage: apps/study/workload */
#define _GNU_SOURCE /* memmem */
#include "fuzz.h"
#include "apps/study/codesign.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz          f;
  ik_machine          *gpu;
  ik_codesign_workload w;
  double               sum = 0;
  if (memmem(data, size, ".ik", 3)) return 0; /* programs of this machine */
  fuzz_open(&f, data, size);
  MUST(ik_machine_find("gtx980", &f.arena, &f.diag, &gpu) == IK_OK);
  ik_status st = ik_codesign_read(fuzz_file(data, size), gpu, &f.arena, &f.diag, &w);
  MUST((st == IK_OK) == (f.diag.nerror == 0));
  for (int i = 0; !st && i < w.n; i++) {
    MUST(w.entry[i].problem.steps >= 1 && w.entry[i].problem.s[0] >= 1);
    MUST(w.entry[i].stencil >= 0 && w.entry[i].stencil < w.nstencil);
    sum += w.entry[i].weight;
  }
  MUST(st || sum > 0);
  ik_buf_free(&w.text);
  fuzz_close(&f);
  return 0;
}
