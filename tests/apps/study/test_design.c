/* The whole of `ikat design`, by the public functions; the figures are checked in
 * tests/apps/design. */
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

/* ---- programs ---- */

static const char five[] = "grid x = 96, y = 64\nparam w = 0.2\nfield u : f32 = 1\n"
                           "boundary u = 0\nstep 40 {\n"
                           "  u' = w*(u + u[1,0] + u[-1,0] + u[0,1] + u[0,-1])\n}\n";

/* A folder with these programs and `workload` in it. */
static ik_status study_in_folder(const char *workload, const char *objective, ik_log *log,
                                 ik_study **s) {
  static const char *const file[][2] = {
      {"five.ik", five},
      {"two.ik", "grid x = 64, y = 64, z = 64\nfield u, v : f64 = 1\nboundary u, v = 0\n"
                 "step 8 {\n  u' = u + v[1,0,0]\n  v' = v - u[-1,0,0]\n}\n"},
      {"far.ik", "grid x = 64, y = 64\nfield u : f32 = 1\nboundary u = 0\n"
                 "step 4 {\n  u' = u[2,0] + u[-2,0]\n}\n"},
      {"still.ik", "grid x = 64\nfield u, v : f32 = 1\nv = 2*u\n"},
      {"wrong.ik", "grid x = 64\nfield u : f32 = 1\nstep 4 {\n  u' = uu\n}\n"}};
  enum { FILES = sizeof file / sizeof *file };
  char folder[] = "/tmp/ikat-work-XXXXXX", path[FILES + 1][64];
  CHECK(mkdtemp(folder) != NULL);
  for (int i = 0; i < FILES; i++) {
    snprintf(path[i], sizeof path[i], "%s/%s", folder, file[i][0]);
    write_file(path[i], file[i][1]);
  }
  snprintf(path[FILES], sizeof path[FILES], "%s/work", folder);
  write_file(path[FILES], workload);
  ik_design_options o = {.workload = path[FILES], .threads = 1, .objective = objective};
  ik_status         st = ik_study_design(&o, log, s);
  for (int i = 0; i <= FILES; i++) unlink(path[i]);
  rmdir(folder);
  return st;
}

CASE(programs_with_weights) {
  ik_log   *log = ik_log_create();
  ik_study *s;
  CHECK_EQ(study_in_folder("five.ik 2.5 x=128 w=0.1 steps=7\n", "time", log, &s), IK_OK);
  const char *json = ik_study_json(s);
  /* Nine operations: as Jacobi2D, whose C_iter is published.  The outermost axis comes first. */
  CHECK(has(json, "\"name\": \"five.ik\", \"weight\": 2.5, \"points\": [64, 128], \"steps\": 7, "
                  "\"flops\": "));
  CHECK(has(json, "\"bytes\": 8, \"arrays\": 1, \"radius\": 1, \"words\": 1, \"iter_s\": "));
  CHECK(has(json, "\"problems\": 1"));
  CHECK(!has(json, "\"published\": {") && !has(json, "published_percent"));
  CHECK(has(ik_study_text(s), "64x128"));
  ik_study_destroy(&s);
  ik_log_destroy(&log);
}

/* The same stencil by its name and as a program, in two and in three dimensions. */
CASE(programs_beside_benchmarks) {
  ik_log   *log = ik_log_create();
  ik_study *s;
  CHECK_EQ(study_in_folder("five.ik\ntwo.ik 0.5\n\njacobi2d 64 8 # small\n five.ik steps=3\n",
                           "edp", log, &s),
           IK_OK);
  const char *json = ik_study_json(s), *text = ik_study_text(s);
  CHECK(has(json, "\"problems\": 4"));
  CHECK(has(json, "\"arrays\": 2, \"radius\": 1, \"words\": 4"));
  CHECK(has(json, "\"name\": \"jacobi2d\""));
  CHECK(has(text, "of different dimensions"));
  CHECK(has(text, "Table C.2"));
  ik_study_destroy(&s);
  ik_log_destroy(&log);
}

LONG_CASE(the_example_can_be_read) {
  ik_log           *log = ik_log_create();
  ik_study         *s;
  char              path[512];
  ik_design_options o = {.workload = path, .threads = 2};
  snprintf(path, sizeof path, "%s/examples/design.workload", getenv("IKAT_ROOT"));
  CHECK_EQ(ik_study_design(&o, log, &s), IK_OK);
  CHECK(s && has(ik_study_json(s), "\"name\": \"gray-scott.ik\", \"weight\": 2"));
  ik_study_destroy(&s);
  ik_log_destroy(&log);
}

static void check_mistake(const char *text, const char *message) {
  ik_log   *log = ik_log_create();
  ik_study *s;
  CHECK(study_in_folder(text, NULL, log, &s) != IK_OK);
  CHECK(s == NULL);
  CHECK_EQ(ik_log_errors(log), 1);
  if (!has(ik_log_text(log, false), message)) CHECK_STR(ik_log_text(log, false), message);
  ik_log_destroy(&log);
}

CASE(mistakes_in_a_workload) {
  check_mistake("heat3e\n", "did you mean 'heat3d'?");
  check_mistake("beauty\n", "or a program, FILE.ik");
  check_mistake("heat3d x\n", "is not a number");
  check_mistake("\nheat3d -1\n", "work, line 2: a weight cannot be below zero");
  check_mistake("heat3d nan\n", "a weight cannot be below zero or without end");
  check_mistake("heat3d 0 5 1\n", "whole numbers");
  check_mistake("heat3d 1.5 2 1", "whole numbers");
  check_mistake("heat3d 9e99 2\n", "whole numbers");
  check_mistake("heat3d 1 2 3 4 5\n", "more than a name");
  check_mistake("# nothing\n", "there is no stencil");
  check_mistake("heat3d 64 8 0\nfive.ik 0\n", "all weights in");
}

CASE(mistakes_with_programs) {
  check_mistake("six.ik\n", "work, line 1: ");
  check_mistake("six.ik\n", "six.ik");
  check_mistake("five.ik heavy\n", "a weight is not a number");
  check_mistake("five.ik 1 2\n", "more than one weight");
  check_mistake("five.ik -2\n", "a weight cannot be below zero");
  check_mistake("five.ik steps=0\n", "'steps=0': steps must be");
  check_mistake("five.ik steps=2x\n", "'steps=2x': steps must be");
  check_mistake("five.ik speed=2\n", "speed");
  check_mistake("five.ik x=0\n", "work, line 1: ");
  check_mistake("far.ik\n", "hexagonal tiles cannot run");
  check_mistake("far.ik\n", "radius 1 only");
  check_mistake("still.ik\n", "there is no time-step loop");
  check_mistake("\n\nwrong.ik\n", "work, line 3: ");
  check_mistake("wrong.ik\n", "wrong.ik:4:8");
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

CASE(no_memory_for_a_program) {
  ik_status st = IK_ERR_RESOURCE;
  for (int i = 0; st && i < 1500; i += i < 60 ? 1 : 37) {
    ik_log   *log = ik_log_create();
    ik_study *s;
    ik_mem_fail_after(i);
    st = study_in_folder("two.ik 2\n", "energy", log, &s);
    ik_mem_fail_after(-1);
    CHECK(st == IK_OK || (st == IK_ERR_RESOURCE && s == NULL));
    if (!st) ik_study_destroy(&s);
    ik_log_destroy(&log);
  }
  CHECK_EQ(st, IK_OK);
}

LONG_CASE(no_memory) {
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
