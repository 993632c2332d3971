#include "io/signal.h"
#include "io/npy.h"
#include "io/segy.h"
#include "scratch.h"

static ik_signal read_text(const char *text) {
  ik_diag   d = {0};
  ik_signal s;
  CHECK_EQ(ik_file_write(scratch("w.txt"), text, strlen(text), &d), IK_OK);
  CHECK_EQ(ik_signal_read(scratch("w.txt"), IK_NOSPAN, &s, &d), IK_OK);
  ik_diag_free(&d);
  return s;
}

CASE(values_have_no_times) {
  ik_signal s = read_text("3\n4\n-5\n");
  CHECK(s.n == 3 && s.dt_s == 0 && s.from_s == 0);
  CHECK(s.value[0] == 3 && s.value[1] == 4 && s.value[2] == -5);
  ik_free(s.value);
}

CASE(pairs_tell_interval_and_start) {
  ik_signal s = read_text("0.1 7\n0.102 8\n0.104 9\n0.106 10\n");
  CHECK(s.n == 4 && s.from_s == 0.1);
  CHECK_NEAR(s.dt_s, 0.002, 1e-12);
  for (int i = 0; i < 4; i++) CHECK(s.value[i] == 7 + i);
  ik_free(s.value);
}

CASE(times_must_be_even_and_rise) {
  static const char *const bad[] = {"0 1\n1 2\n3 4\n", "2 1\n1 2\n", "1 1\n1 2\n", "1 1\n",
                                    "-1e308 1\n1e308 2\n"};
  for (int i = 0; i < 5; i++) {
    ik_diag   d = {0};
    ik_signal s;
    CHECK_EQ(ik_file_write(scratch("w.txt"), bad[i], strlen(bad[i]), &d), IK_OK);
    CHECK_EQ(ik_signal_read(scratch("w.txt"), IK_NOSPAN, &s, &d), IK_ERR_SOURCE);
    EXPECT_ERROR(&d, IK_E063, "equal steps");
    CHECK(!s.value);
  }
  ik_diag   d = {0};
  ik_signal s;
  CHECK_EQ(ik_file_write(scratch("w.txt"), "1 2 3\n", 6, &d), IK_OK);
  CHECK_EQ(ik_signal_read(scratch("w.txt"), IK_NOSPAN, &s, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "3 numbers in a line");
}

CASE(segy_gives_its_first_trace) {
  ik_diag        d = {0};
  float          v[] = {1, 2.5f, 3, 7, 8, 9};
  ik_segy_point  p[2] = {{0}};
  ik_segy_gather g = {
      .ntrace = 2, .nsample = 3, .dt_s = 4e-3, .data = v, .receiver = p, .source = p};
  ik_signal s;
  CHECK_EQ(ik_segy_write(scratch("w.segy"), &g, IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(ik_signal_read(scratch("w.segy"), IK_NOSPAN, &s, &d), IK_OK);
  CHECK(s.n == 3 && s.dt_s == 4e-3 && s.from_s == 0 && s.value[1] == 2.5 && s.value[2] == 3);
  ik_free(s.value);
  ik_diag_free(&d);
}

CASE(an_array_gives_all_its_numbers) {
  ik_diag   d = {0};
  double    v[] = {1, 2, 3, 4};
  ik_array  a = {IK_DT_F64, 2, {2, 2, 1, 1}, .data = v};
  ik_signal s;
  CHECK_EQ(ik_npy_write(scratch("w.npy"), &a, IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(ik_signal_read(scratch("w.npy"), IK_NOSPAN, &s, &d), IK_OK);
  CHECK(s.n == 4 && s.dt_s == 0 && s.value[3] == 4);
  ik_free(s.value);
  ik_diag_free(&d);
  scratch_scan(true);
}
