/* Any bytes as a SEG-Y file; what can be read has as many samples as it says.
 * Coverage: io/segy */
#include "fuzz.h"
#include "io/segy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz f;
  ik_array    a;
  double      dt, sum = 0;
  fuzz_open(&f, data, size);
  if (ik_segy_read(fuzz_file(data, size), IK_NOSPAN, &a, &dt, &f.diag) == IK_OK)
    for (int64_t i = 0; i < ik_array_count(&a); i++) sum += ik_array_get(&a, i);
  MUST(f.diag.nerror || a.data);
  MUST(sum == sum || a.data);
  ik_array_free(&a);
  fuzz_close(&f);
  return 0;
}
