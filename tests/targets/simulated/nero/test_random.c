/* Random programs on NERO, in windows of random size: every bit is the interpreter's.
 *
 * Fields are of f32 and f16, since the board has no others.  IKAT_SEED is the first seed,
 * IKAT_COUNT how many there are. */
#include "trial.h"
#include "random/generate.h"
#include "sanitized.h"
#include <inttypes.h>

static void random_override(uint64_t seed, char *override, size_t bytes) {
  static const int sizes[] = {0, 1, 2, 3, 5, 8, 17};
  uint64_t         s = seed * 6364136223846793005u + 1442695040888963407u;
  snprintf(override, bytes, "window=%dx%dx%d%s", sizes[(s >> 33) % 7], sizes[(s >> 40) % 7],
           sizes[(s >> 47) % 7], seed % 3 ? "" : " words=all");
}

static void random_text(uint64_t seed, ik_buf *text) {
  ik_random_options o = IK_RANDOM_DEFAULTS;
  o.features &= ~(unsigned)(IK_RANDOM_REPEAT | IK_RANDOM_BF16);
  if (seed % 4) o.features &= ~(unsigned)IK_RANDOM_REDUCTIONS; /* mostly in loops: refused */
  ik_buf wide = {0};
  ik_random_program(seed, &o, &wide);
  nero_replace(ik_buf_text(&wide), "f64", "f32", text);
  ik_buf_free(&wide);
}

typedef enum outcome { SAME, OTHER, REFUSED } outcome;

static outcome compare(const char *text, const char *board, const char *override) {
  static trial a, b;
  outcome      o = OTHER;
  memset(&b, 0, sizeof b);
  if (!trial_open(&a, "random", text) || !nero_open(&a, board, override))
    o = REFUSED;
  else if (trial_go(&a) && trial_open(&b, "random", text) && trial_play(&b, "ref", NULL) &&
           trial_same(&a, &b))
    o = SAME;
  trial_close(&a);
  if (o != REFUSED) trial_close(&b);
  return o;
}

CASE(every_bit_is_the_interpreters) {
  uint64_t seed = check_seed();
  uint64_t count = check_count(is_sanitized() ? 60 : 300);
  int      ran[3] = {0};
  printf("seeds %" PRIu64 " to %" PRIu64 "\n", seed, seed + count - 1);
  for (uint64_t i = seed; i < seed + count && ran[OTHER] < 3; i++) {
    ik_buf text = {0};
    char   override[64];
    random_override(i, override, sizeof override);
    random_text(i, &text);
    outcome o = compare(ik_buf_text(&text), i % 8 ? "nero-hbm" : "nero-ddr4", override);
    ran[o]++;
    if (o == OTHER) printf("seed %" PRIu64 ", %s\n%s\n", i, override, ik_buf_text(&text));
    ik_buf_free(&text);
  }
  printf("same %d, refused %d\n", ran[SAME], ran[REFUSED]);
  CHECK_EQ(ran[OTHER], 0);
  CHECK(count < 60 || ran[SAME] > (int)count / 4);
}
