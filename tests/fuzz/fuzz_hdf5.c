/* Any bytes as an HDF5 file.  The library of the machine reads them; where it is missing, we say so
 * and nothing else happens. */
#include "fuzz.h"
#include "io/hdf5.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz f;
  ik_array    a = {0};
  fuzz_open(&f, data, size);
  ik_status st = ik_hdf5_read(fuzz_file(data, size), NULL, IK_NOSPAN, &a, &f.diag);
  MUST((st == IK_OK) == (f.diag.nerror == 0));
  MUST(st || a.data);
  ik_array_free(&a);
  fuzz_close(&f);
  return 0;
}
