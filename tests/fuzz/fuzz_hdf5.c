/* Any bytes as an HDF5 file.  The library of the machine reads them; where it is missing, nothing
 * can be tested: status 77, which scripts/fuzz counts as skipped.
 * Coverage: io/hdf5 */
#include "fuzz.h"
#include "io/hdf5.h"

static char name[64];
static int  fd = -1;

static void remove_name(void) { unlink(name); }

/* A file with a name: the library opens it by that, and what fuzz_file() makes has none. */
static const char *named_file(const uint8_t *data, size_t size) {
  if (fd < 0) {
    snprintf(name, sizeof name, "%s/ikat-fuzz-XXXXXX", fuzz_folder());
    MUST((fd = mkstemp(name)) >= 0 && atexit(remove_name) == 0);
  }
  MUST(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
  return name;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz              f;
  static const char *const sets[] = {NULL,   "be",  "big8", "five", "i8",
                                     "none", "run", "text", "u1",   "/run/none"};
  if (!ik_hdf5_available(NULL)) puts("skipped: there is no libhdf5"), exit(77);
  fuzz_open(&f, data, size);
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    ik_array  a = {0};
    int       errors = f.diag.nerror;
    ik_status st = ik_hdf5_read(named_file(data, size), sets[i], IK_NOSPAN, &a, &f.diag);
    MUST((st == IK_OK) == (f.diag.nerror == errors));
    MUST(st || a.data);
    ik_array_free(&a);
  }
  fuzz_close(&f);
  return 0;
}
