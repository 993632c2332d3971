/* `ikat chain` on the example of "Analytical Cost Metrics" (paper 003), section D.7. */
#include "ikat/ikat.h"
#include "base/mem.h"
#include "check.h"

static const int64_t example[] = {936, 1008, 552, 368, 1016, 616, 544};

static bool has(const char *text, const char *part) {
  bool found = strstr(text, part) != NULL;
  if (!found) check_fail(__FILE__, __LINE__, "no '%s' in\n%s", part, text);
  return found;
}

CASE(example_text) {
  ik_log          *log = ik_log_create();
  ik_study        *s = NULL;
  ik_chain_options o = {.size = example, .n = 7};
  CHECK_EQ(ik_study_chain(&o, log, &s), IK_OK);
  const char *text = ik_study_text(s);
  CHECK(has(text, "((A1 (A2 A3)) ((A4 A5) A6))"));
  CHECK(has(text, "1 092 977 664"));
  CHECK(has(text, "10 190 344"));
  CHECK(has(text, "9 323 278"));
  CHECK(has(text, "8.51 %"));
  CHECK(has(text, "8 392 059"));
  CHECK(has(text, "17.65 %"));
  CHECK(has(text, "312 x 210"));
  CHECK(has(text, "220 x 296"));
  CHECK(has(text, "1 998 848"));
  CHECK(!strstr(text, "does not hold"));
  CHECK(has(text, "The printed form is inconsistent"));
  CHECK(has(text, "(D.11) give 10 147 008 words"));
  /* the root takes T3 into fast memory, and T4 takes T2 */
  CHECK(has(text, "  T5  936 x 544\n"
                  "  ╠═ T3  936 x 368  stays in fast memory\n"
                  "  │  ├─ A1  936 x 1008\n"
                  "  │  └─ T1  1008 x 368\n"
                  "  │     ├─ A2  1008 x 552\n"
                  "  │     └─ A3  552 x 368\n"
                  "  └─ T4  368 x 544\n"
                  "     ╠═ T2  368 x 616  stays in fast memory\n"
                  "     │  ├─ A4  368 x 1016\n"
                  "     │  └─ A5  1016 x 616\n"
                  "     └─ A6  616 x 544\n"));
  ik_study_destroy(&s);
  ik_log_destroy(&log);
}

CASE(example_json) {
  ik_log          *log = ik_log_create();
  ik_study        *s = NULL;
  ik_chain_options o = {.size = example, .n = 7, .fast = 65536};
  CHECK_EQ(ik_study_chain(&o, log, &s), IK_OK);
  const char *json = ik_study_json(s);
  CHECK(has(json, "\"multiply_adds\": 1092977664"));
  CHECK(has(json, "\"separate_words\": 10190344"));
  CHECK(has(json, "\"tile\": [312, 210]"));
  CHECK(has(json, "\"order\": \"((A1 (A2 A3)) ((A4 A5) A6))\""));
  ik_study_destroy(&s);
  ik_log_destroy(&log);
}

/* Nothing below what must move, nothing above 100 % saved, in any of the three outputs. */
CASE(closed_forms_only_where_they_hold) {
  ik_log          *log = ik_log_create();
  ik_study        *s = NULL;
  ik_chain_options o = {.size = (int64_t[]){30, 35, 15, 5, 10, 20, 25}, .n = 7};
  CHECK_EQ(ik_study_chain(&o, log, &s), IK_OK);
  CHECK(has(ik_study_text(s), "3 150"));
  CHECK(has(ik_study_text(s),
            "the best pairs fused                                     3 650  14.12 %"));
  CHECK(!strstr(ik_study_text(s), "- 651") && !strstr(ik_study_text(s), "145"));
  CHECK(
      has(ik_study_text(s), "fused, corrected                                      does not hold"));
  CHECK(has(ik_study_json(s), "\"separate_words\": null"));
  CHECK(has(ik_study_json(s), "\"fused_words\": 3650"));
  ik_study_destroy(&s);
  ik_log_destroy(&log);
}

CASE(small_matrices_are_told) {
  ik_log          *log = ik_log_create();
  ik_study        *s = NULL;
  ik_chain_options o = {.size = (int64_t[]){10, 20, 30, 40}, .n = 4};
  CHECK_EQ(ik_study_chain(&o, log, &s), IK_OK);
  CHECK(has(ik_study_text(s), "up to 362 along one side (fused).  That of T1 does not."));
  /* everything fits, so each product moves its three matrices once */
  CHECK(has(ik_study_text(s), "every product by itself                                  3 000"));
  ik_study_destroy(&s);
  ik_log_destroy(&log);
}

static void refused(ik_chain_options o, const char *message) {
  ik_log   *log = ik_log_create();
  ik_study *s = NULL;
  CHECK_EQ(ik_study_chain(&o, log, &s), IK_ERR_SOURCE);
  CHECK(s == NULL);
  CHECK(has(ik_log_text(log, false), message));
  CHECK(has(ik_log_text(log, false), "E081"));
  ik_log_destroy(&log);
}

CASE(wrong_input) {
  refused((ik_chain_options){.size = example, .n = 2}, "from 3 sizes, which are two matrices");
  refused((ik_chain_options){.size = example, .n = 7000}, "to 501, not 7000");
  refused((ik_chain_options){.size = (int64_t[]){5, -3, 5}, .n = 3}, "size 2 of the chain is -3");
  refused((ik_chain_options){.size = (int64_t[]){5, 3, INT64_MAX}, .n = 3}, "size 3 of the chain");
  refused((ik_chain_options){.size = example, .n = 7, .fast = 3}, "fast memory of 3 words");
  refused((ik_chain_options){.size = example, .n = 7, .fast = NAN}, "fast memory of");
}

/* Whichever allocation fails, nothing leaks and the log says so. */
CASE(out_of_memory) {
  ik_log          *log = ik_log_create();
  ik_study        *s = NULL;
  ik_chain_options o = {.size = example, .n = 7};
  ik_status        st = IK_ERR_RESOURCE;
  for (int k = 0; st && k < 5000; k++) {
    ik_mem_fail_after(k);
    st = ik_study_chain(&o, log, &s);
    ik_mem_fail_after(-1);
    CHECK(st == IK_OK || (st == IK_ERR_RESOURCE && s == NULL));
  }
  CHECK_EQ(st, IK_OK);
  ik_study_destroy(&s);
  ik_log_destroy(&log);
}
