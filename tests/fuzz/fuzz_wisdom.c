/* Any bytes as the file of wisdom: what is found under a key is a whole plan, and what is kept
 * under it is found again, whatever was there before. Coverage: plan/wisdom plan/plan */
#include "fuzz.h"
#include "plan/wisdom.h"
#include <math.h>

static char folder[64], path[96];

static void remove_all(void) { unlink(path), rmdir(folder); }

/* Keeping puts another file in its place, so this one has a name, in a folder of its own. */
static const char *wisdom_file(const uint8_t *data, size_t size) {
  if (!*path) {
    snprintf(folder, sizeof folder, "%s/ikat-fuzz-XXXXXX", fuzz_folder());
    MUST(mkdtemp(folder) && atexit(remove_all) == 0);
    snprintf(path, sizeof path, "%s/wisdom", folder);
  }
  FILE *file = fopen(path, "wb");
  MUST(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
  return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz         f;
  const ik_wisdom_key key = {"1.0", 0x1, 0x2, 2, "cpu"};
  ik_plan             plan = {0}, same = {0};
  double              gpts = 0;
  fuzz_open(&f, data, size);
  const char *file = wisdom_file(data, size);
  bool        found = ik_wisdom_find(file, &key, &plan, &f.diag);
  MUST(found == ik_wisdom_measured(file, &key, &same, &gpts));
  MUST(isfinite(gpts) && gpts >= 0);
  if (found && plan.strategy) MUST(ik_plan_is_whole(&plan) && plan.threads == 2);
  MUST(ik_wisdom_keep(file, &key, found && plan.strategy ? &plan : NULL, 1.5, &f.diag) == IK_OK);
  MUST(ik_wisdom_measured(file, &key, &same, &gpts) && gpts == 1.5);
  MUST(!plan.strategy == !same.strategy);
  fuzz_close(&f);
  return 0;
}
