/* Any bytes as a plan ("fuse steps=8 rows=4"): what can be read is written, read and written the
 * same; what cannot leaves the plan as it was.
 * Coverage: plan/plan */
#include "fuzz.h"
#include "plan/plan.h"

static void check_kept(const char *text, const char *target) {
  ik_plan before = {.target = target,
                    .strategy = "sweep",
                    .steps = 1,
                    .cpu = {.rows = 1, .vectors = 1, .vector_bytes = 8},
                    .gpu = {.columns = 1, .rows = 1, .levels = 1, .warps = 1}};
  ik_plan plan = before, again = before;
  ik_buf  once = {0}, twice = {0};
  if (ik_plan_read(text, &plan)) {
    ik_plan_write(&plan, &once);
    MUST(ik_plan_read(ik_buf_text(&once), &again));
    ik_plan_write(&again, &twice);
    MUST(strcmp(ik_buf_text(&once), ik_buf_text(&twice)) == 0);
  } else {
    MUST(memcmp(&plan, &before, sizeof plan) == 0);
  }
  ik_buf_free(&once), ik_buf_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz f;
  fuzz_open(&f, data, size);
  const char *text = ik_arena_dup(&f.arena, (const char *)data, size);
  check_kept(text, "cpu"), check_kept(text, "cuda");
  fuzz_close(&f);
  return 0;
}
