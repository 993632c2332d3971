/* The first bytes choose type and shape, the others are a raw file of it.
 * Coverage: io/raw io/decode */
#include "fuzz.h"
#include "io/raw.h"

enum { FORM = 2 + IK_ARRAY_DIMS * 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz f;
  ik_array    a;
  if (size < FORM) return 0;
  ik_raw_form form = {.dtype = (ik_dtype)(data[0] % (IK_DT_I32 + 1)),
                      .ndim = 1 + data[1] % IK_ARRAY_DIMS};
  memcpy(form.n, data + 2, sizeof form.n);
  fuzz_open(&f, data, size);
  if (ik_raw_read(fuzz_file(data + FORM, size - FORM), &form, IK_NOSPAN, &a, &f.diag) == IK_OK)
    MUST((size_t)ik_array_count(&a) * ik_dtype_bytes(a.dtype) == size - FORM);
  MUST(f.diag.nerror || a.data);
  ik_array_free(&a);
  fuzz_close(&f);
  return 0;
}
