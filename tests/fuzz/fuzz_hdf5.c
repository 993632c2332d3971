/* Any bytes as an HDF5 file.  The library of the machine reads them; where it is missing, nothing
 * can be tested: status 77, which scripts/fuzz counts as skipped. */
#include "fuzz.h"
#include "io/hdf5.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz f;
  ik_array    a = {0};
  if (!ik_hdf5_available(NULL)) puts("skipped: there is no libhdf5"), exit(77);
  fuzz_open(&f, data, size);
  ik_status st = ik_hdf5_read(fuzz_file(data, size), NULL, IK_NOSPAN, &a, &f.diag);
  MUST((st == IK_OK) == (f.diag.nerror == 0));
  MUST(st || a.data);
  ik_array_free(&a);
  fuzz_close(&f);
  return 0;
}
