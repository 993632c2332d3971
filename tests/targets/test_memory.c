/* No way to make steps needs more than a tenth beyond the fields and their history, together with
 * what receivers record. */
#include "api/api.h"
#include "check.h"
#include "runtime/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct large {
  const char *example, *size[3]; /* "x=..." */
} larges[] = {
    {"heat", {"x=4096", "y=4096"}},           {"heat3d", {"x=256", "y=256", "z=256"}},
    {"gray-scott", {"x=4096", "y=4096"}},     {"shallow", {"x=4096", "y=4096"}},
    {"maxwell", {"x=256", "y=256", "z=256"}}, {"wave", {"x=256", "y=256", "z=256"}},
    {"wave2d", {"x=4096", "y=4096"}},         {"heat3d", {"x=1000", "y=140", "z=200"}},
    {"wave", {"x=1000", "y=140", "z=200"}},
};
enum { NLARGES = sizeof larges / sizeof *larges };

/* `steps`: 0, as many as it has. */
static ik_program *open_large(const struct large *l, int64_t steps, ik_log *log) {
  char        path[512], name[8];
  ik_program *p = NULL;
  const char *root = getenv("IKAT_ROOT");
  snprintf(path, sizeof path, "%s/examples/%s.ik", root ? root : ".", l->example);
  CHECK_EQ(ik_program_open(path, log, &p), IK_OK);
  for (int i = 0; p && i < 3 && l->size[i]; i++) {
    snprintf(name, sizeof name, "%c", l->size[i][0]);
    CHECK_EQ(ik_program_set(p, name, l->size[i] + 2, log), IK_OK);
  }
  if (p && steps) ik_program_set_steps(p, steps);
  if (p) CHECK_EQ(ik_program_compile(p, log), IK_OK);
  return p;
}

/* Returns whether the strategy can run it at all; with `least` to `most` times the fields. */
static bool check_need(const struct large *l, int64_t steps, const char *strategy, int threads,
                       double least, double most) {
  ik_log        *log = ik_log_create();
  ik_program    *p = open_large(l, steps, log);
  ik_run        *run = NULL;
  ik_run_options o;
  ik_run_options_init(&o);
  o.target = "cpu", o.strategy = strategy, o.threads = threads, o.quiet_files = true;
  bool ok = p && ik_run_create(p, &o, log, &run) == IK_OK;
  if (ok) {
    int64_t engine = run->engine->bytes;
    double  fields = (double)ik_state_bytes(p->ir);
    double  need = (double)ik_memory_need(p->ir, run->engine->layout, engine);
    if (!(need >= least * fields && need <= most * fields))
      check_fail(__FILE__, __LINE__, "%s, %s, %d threads: %.3g bytes for %.3g of fields",
                 l->example, strategy, threads, need, fields);
  }
  ik_run_destroy(&run);
  ik_program_destroy(&p);
  ik_log_destroy(&log);
  return ok;
}

CASE(steps_need_little_beyond_the_fields) {
  static const int threads[] = {1, 2, 16};
  for (int i = 0; i < NLARGES; i++)
    for (int k = 0; k < 3; k++) {
      CHECK(check_need(&larges[i], 0, "sweep", threads[k], 0, 1.1));
      check_need(&larges[i], 0, "fuse", threads[k], 0, 1.1);
      check_need(&larges[i], 0, "hex", threads[k], 0, 1.1);
      check_need(&larges[i], 0, "skew", threads[k], 0, 1.1);
    }
}

/* u' is made where u[t-1] was: of u' u u[t-1] and c an array less.  In ten steps receivers, which
 * else would have a twelfth of that, record next to nothing. */
CASE(waves_need_no_third_level) {
  static const struct large wave2d = {"wave2d", {"x=4096", "y=4096"}};
  CHECK(check_need(&wave2d, 10, "sweep", 2, 0.75, 0.83));
  CHECK(check_need(&wave2d, 10, "hex", 2, 0.75, 0.83));
}
