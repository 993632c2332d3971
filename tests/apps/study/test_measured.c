/* Figures that `ikat tune` kept, as a chart of roofs wants them. */
#include "check.h"
#include "apps/study/measured.h"
#include <stdlib.h>
#include <unistd.h>

static const char text[] = "grid x = 64, y = 64\nfield u : f32 = 1\nboundary u = 0\n"
                           "step 4 { u' = 0.2*(u + u[1,0] + u[-1,0] + u[0,1] + u[0,-1]) }\n";

static const ik_target *tunable(void) {
  const ik_target *const *t = ik_targets;
  while (*t && !(*t)->place) t++;
  return *t;
}

static void keep(const ik_program *p, const char *path, const ik_plan *plan, double gpts) {
  ik_problem    problem = {.ir = p->ir, .facts = &p->facts, .threads = 1};
  ik_wisdom_key key;
  ik_diag       d = {0};
  CHECK_EQ(ik_wisdom_key_of(tunable(), &problem, &d, &key), IK_OK);
  CHECK_EQ(ik_wisdom_keep(path, &key, plan, gpts, &d), IK_OK);
  ik_diag_free(&d);
}

CASE(what_was_kept_is_found) {
  char        path[] = "/tmp/ikat-measured-XXXXXX";
  ik_log     *log = ik_log_create();
  ik_program *p;
  ik_measured it = {0};
  ik_plan     plan;
  int         fd = mkstemp(path);
  CHECK(fd >= 0 && !close(fd) && !unlink(path));
  CHECK_EQ(ik_program_from_text("five", text, log, &p), IK_OK);
  CHECK_EQ(ik_program_compile(p, log), IK_OK);
  CHECK(!ik_measured_find(p, NULL, 1, &it));
  CHECK(!ik_measured_find(p, path, 1, &it));
  keep(p, path, NULL, 1.25);
  CHECK(ik_measured_find(p, path, 1, &it));
  CHECK(it.strategy == NULL);
  CHECK_NEAR(it.gstencils, 1.25, 1e-9);
  CHECK_STR(it.target, tunable()->name);
  CHECK(ik_plan_read("fuse steps=8 tile=0,0,0 rows=4 vectors=2 bytes=16 stream=0 shift=0",
                     (plan = (ik_plan){0}, &plan)));
  keep(p, path, &plan, 3.5);
  CHECK(ik_measured_find(p, path, 1, &it));
  CHECK_STR(it.strategy, "fuse");
  CHECK_EQ(it.steps, 8);
  CHECK_NEAR(it.gstencils, 3.5, 1e-9);
  unlink(path);
  ik_program_destroy(&p);
  ik_log_destroy(&log);
}
