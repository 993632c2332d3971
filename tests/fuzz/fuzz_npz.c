/* Any bytes as a .npz file; what can be read has as many numbers as it says.
 * Coverage: io/npz io/zip io/inflate */
#include "fuzz.h"
#include "io/npz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz              f;
  static const char *const names[] = {NULL, "u", "w"};
  fuzz_open(&f, data, size);
  for (int k = 0; k < 3; k++) {
    ik_array a;
    double   sum = 0;
    int      errors = f.diag.nerror;
    if (ik_npz_read(fuzz_file(data, size), names[k], IK_NOSPAN, &a, &f.diag) == IK_OK)
      for (int64_t i = 0; i < ik_array_count(&a); i++) sum += ik_array_get(&a, i);
    MUST(f.diag.nerror > errors || a.data);
    MUST(sum == sum || a.data);
    ik_array_free(&a);
  }
  fuzz_close(&f);
  return 0;
}
