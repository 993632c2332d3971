#include "apps/study/compare.h"
#include "base/mem.h"
#include "check.h"
#include <stdlib.h>

static const ik_published_row rows[] = {
    {"Table III", "nz = 100", "us", 8.637, 8.665, 0.01, NULL, IK_CALIBRATED},
    {"Table III", "nz = 200", "us", 16.133, 16.3, 0.01, "noise of the measurement", IK_CALIBRATED},
    {"Table II", "200 x 200", "Gcell/s", 533.64, 480, 0, "no bar", IK_PREDICTED},
    {"Table II", "wrong words", "", 0, 0, 1e-300, NULL, IK_PREDICTED},
    {"Table II", "not printed", "s", NAN, 3, 0, NULL, IK_PREDICTED},
    {"Table II", "far away", "s", 2, 3, 0, NULL, IK_PREDICTED},
    {"Table II", "negligible", "%", 0, 2, 0, NULL, IK_PREDICTED},
    {"Table II", "lines", "", 10, 10, 0, NULL, IK_PROVED},
};
static const ik_compared one = {"wse2", rows, 8};

CASE(differences_and_bars) {
  CHECK_NEAR(ik_compared_difference(&rows[0]), 8.665 / 8.637 - 1, 1e-15);
  CHECK(ik_compared_holds(&rows[0]) && !ik_compared_holds(&rows[1]));
  CHECK(ik_compared_holds(&rows[2]) && ik_compared_holds(&rows[3]));
  ik_published_row at_the_bar = {.published = 100, .simulated = 101, .bar = 0.01};
  CHECK(ik_compared_holds(&at_the_bar));
  at_the_bar.simulated = NAN;
  CHECK(!ik_compared_holds(&at_the_bar));
}

CASE(every_row_is_shown_with_its_verdict) {
  ik_buf  text = {0}, json = {0}, page = {0};
  ik_json j = {.out = &json};
  ik_json_open(&j, NULL, '{');
  CHECK_EQ(ik_compared_write(&one, 1, &text, &j, &page), 1);
  ik_json_close(&j, '}');
  CHECK(strstr(text.data, "wse2: Table III") && strstr(text.data, "wse2: Table II\n"));
  CHECK(strstr(text.data, "+0.32 %") && strstr(text.data, "5 %  calibrated"));
  CHECK(strstr(text.data, "[1] noise of the measurement\n") && !strstr(text.data, "nan"));
  CHECK(strstr(text.data, "MISSED  predicted"));
  /* rows without a bar count as well, and what was fitted apart */
  CHECK(strstr(text.data,
               "predicted     4 figures: 1 within 5 %, 1 within 10 %, 2 within 20 %, 2 missed\n"));
  CHECK(strstr(text.data,
               "calibrated    2 figures: 2 within 5 %, 2 within 10 %, 2 within 20 %, 0 missed\n"));
  CHECK(strstr(json.data, "\"missed\": 2") && strstr(json.data, "\"holds\": false"));
  CHECK(strstr(json.data, "\"changed\": 1"));
  CHECK(strstr(page.data, "<svg") && strstr(page.data, "<title>nz = 200</title>"));
  CHECK(!text.failed && !json.failed && !page.failed);
  ik_buf_free(&text), ik_buf_free(&json), ik_buf_free(&page);
}

CASE(without_memory_it_says_so) {
  bool failed = true;
  int  n = 0;
  for (; failed; n++) {
    ik_buf  text = {0}, json = {0}, page = {0};
    ik_json j = {.out = &json};
    ik_mem_fail_after(n);
    ik_compared_write(&one, 1, &text, &j, &page);
    failed = text.failed || json.failed || page.failed;
    ik_buf_free(&text), ik_buf_free(&json), ik_buf_free(&page);
  }
  ik_mem_fail_after(-1);
  CHECK(n > 5);
}
