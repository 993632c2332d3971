/* The whole of `ikat design`, by the public functions; the figures are checked in tests/design. */
#include "check.h"
#include "base/mem.h"
#include <ikat/ikat.h>
#include <stdlib.h>
#include <unistd.h>

static bool has(const char *text, const char *part) { return strstr(text, part) != NULL; }

CASE(three_dimensions_as_printed) {
  ik_log           *log = ik_log_create();
  ik_study         *s;
  ik_design_options o = {.workload = "3d", .reading = "literal", .threads = 2};
  CHECK_EQ(ik_study_design(&o, log, &s), IK_OK);
  /* The published design for Laplacian3D is the best of its area by this reading. */
  CHECK(has(ik_study_text(s), "laplacian3d  (8, 896, 96)    446     1427"));
  CHECK(has(ik_study_json(s), "\"reaches\": 1, \"rank\": 1, \"of\": 225"));
  CHECK(has(ik_study_text(s), "+123"));
  CHECK(has(ik_study_text(s), "cannot be reproduced"));
  ik_study_destroy(&s);
  ik_log_destroy(&log);
}

static void write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  CHECK(f != NULL);
  if (f) fputs(text, f), fclose(f);
}

static ik_status study_of(const char *text, ik_log *log, ik_study **s) {
  char path[] = "/tmp/ikat-design-XXXXXX";
  int  fd = mkstemp(path);
  CHECK(fd >= 0);
  close(fd);
  write_file(path, text);
  ik_design_options o = {.workload = path, .threads = 1};
  ik_status         st = ik_study_design(&o, log, s);
  unlink(path);
  return st;
}

CASE(a_workload_from_a_file) {
  ik_log   *log = ik_log_create();
  ik_study *s;
  CHECK_EQ(study_of("# two of them\nheat3d 20 8 2.5\n\n laplacian3d 30 4 # small\n", log, &s), 0);
  CHECK(has(ik_study_json(s), "\"problems\": 2"));
  ik_study_destroy(&s);
  CHECK_EQ(study_of("heat3d 3\n", log, &s), IK_OK);
  CHECK(has(ik_study_json(s), "\"problems\": 12"));
  ik_study_destroy(&s);
  ik_log_destroy(&log);
}

CASE(mistakes_in_a_workload) {
  static const char *const text[] = {"heat3e\n",       "heat3d x\n",     "heat3d -1\n",
                                     "heat3d 0 5 1\n", "heat3d 1.5 2 1", "heat3d 1 2 3 4 5\n",
                                     "# nothing\n",    "heat3d nan\n",   "heat3d 9e99 2\n"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    ik_log   *log = ik_log_create();
    ik_study *s;
    CHECK_EQ(study_of(text[i], log, &s), IK_ERR_SOURCE);
    CHECK(s == NULL && ik_log_errors(log) == 1);
    if (i == 0) CHECK(has(ik_log_text(log, false), "did you mean 'heat3d'?"));
    ik_log_destroy(&log);
  }
}

CASE(mistakes_in_options) {
  const ik_design_options bad[] = {{.objective = "beauty"},
                                   {.reading = "fine"},
                                   {.min_area = 500, .max_area = 400},
                                   {.min_area = 1e6, .max_area = 2e6, .workload = "3d"},
                                   {.max_power = -1},
                                   {.max_power = 1e-3, .workload = "3d"},
                                   {.workload = "/nowhere/at/all"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ik_log   *log = ik_log_create();
    ik_study *s;
    CHECK(ik_study_design(&bad[i], log, &s) != IK_OK);
    CHECK(s == NULL && ik_log_errors(log) == 1);
    ik_log_destroy(&log);
  }
}

static volatile sig_atomic_t halt;

static void stop_at_once(const char *what, int done, int total, void *user) {
  (void)what, (void)done, (void)total, (void)user;
  halt = 1;
}

CASE(it_can_be_stopped) {
  ik_log           *log = ik_log_create();
  ik_study         *s;
  ik_design_options o = {.workload = "3d", .stop = &halt, .progress = stop_at_once};
  halt = 0;
  CHECK_EQ(ik_study_design(&o, log, &s), IK_ERR_INTERRUPTED);
  ik_log_destroy(&log);
}

CASE(no_memory) {
  ik_design_options o = {.workload = "3d", .threads = 1};
  ik_status         st = IK_ERR_RESOURCE;
  for (int i = 0; st && i < 2000; i += i < 60 ? 1 : 37) {
    ik_log   *log = ik_log_create();
    ik_study *s;
    ik_mem_fail_after(i);
    st = ik_study_design(&o, log, &s);
    ik_mem_fail_after(-1);
    CHECK(st == IK_OK || (st == IK_ERR_RESOURCE && s == NULL));
    if (!st) ik_study_destroy(&s);
    ik_log_destroy(&log);
  }
  CHECK_EQ(st, IK_OK);
}
