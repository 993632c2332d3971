/* Any bytes as numbers in a text; what can be read is a table of finite numbers, and a signal of it
 * has an interval that is none or above zero.
 * Coverage: io/columns io/signal */
#include "fuzz.h"
#include "io/array.h"
#include "io/columns.h"
#include "io/signal.h"
#include <math.h>

static char name[64];

static void remove_name(void) { unlink(name); }

/* A name with the extension that says what it is. */
static const char *text_file(const uint8_t *data, size_t size) {
  const char *file = fuzz_file(data, size);
  if (*name) return name;
  snprintf(name, sizeof name, "/tmp/ikat-fuzz-%d.txt", (int)getpid());
  remove_name();
  MUST(symlink(file, name) == 0 && atexit(remove_name) == 0);
  return name;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz f;
  ik_array    a;
  ik_signal   s;
  fuzz_open(&f, data, size);
  const char *path = text_file(data, size);
  if (ik_columns_read(path, IK_NOSPAN, &a, &f.diag) == IK_OK) {
    MUST(a.ndim >= 1 && a.ndim <= 2 && (size_t)ik_array_count(&a) <= size);
    for (int64_t i = 0; i < ik_array_count(&a); i++) MUST(isfinite(ik_array_get(&a, i)));
  }
  ik_array_free(&a);
  if (ik_signal_read(path, IK_NOSPAN, &s, &f.diag) == IK_OK)
    MUST(s.n > 0 && s.value && s.dt_s >= 0 && isfinite(s.dt_s) && isfinite(s.from_s));
  ik_free(s.value);
  fuzz_close(&f);
  return 0;
}
