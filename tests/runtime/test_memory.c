#include "runtime/memory.h"
#include "ir/state.h"
#include "lang/program.h"
#include <unistd.h>

static const char *text_of(int64_t bytes) {
  static char text[40];
  ik_buf      b = {0};
  ik_memory_text(bytes, &b);
  snprintf(text, sizeof text, "%s", ik_buf_text(&b));
  ik_buf_free(&b);
  return text;
}

CASE(sizes_are_written_for_people) {
  CHECK_STR(text_of(0), "0 B");
  CHECK_STR(text_of(1023), "1023 B");
  CHECK_STR(text_of(1024), "1 KiB");
  CHECK_STR(text_of(1536), "1.5 KiB");
  CHECK_STR(text_of(1000 * 1024), "1000 KiB");
  CHECK_STR(text_of(1023 * 1024), "1023 KiB");
  CHECK_STR(text_of(INT64_C(12345678)), "11.8 MiB");
  CHECK_STR(text_of(INT64_C(3) << 30), "3 GiB");
  CHECK_STR(text_of(INT64_MAX), "8 EiB");
}

CASE(this_machine_has_memory_and_no_more_than_that_is_free) {
  int64_t all = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
  CHECK(ik_memory_free() > 1 << 20 && ik_memory_free() < all);
}

CASE(a_control_group_has_what_it_has_left) {
  CHECK_EQ(ik_memory_within(1000, 700, 300), 400);
  CHECK_EQ(ik_memory_within(1000, 1700, 300), 1000);
  CHECK_EQ(ik_memory_within(1000, 300, 300), 0);
  CHECK_EQ(ik_memory_within(1000, -1, 300), 1000); /* it may have all: the file says "max" */
  CHECK_EQ(ik_memory_within(1000, 700, -1), 1000);
}

CASE(a_run_that_fits_is_allowed) {
  program p;
  if (MUST_OPEN(&p, "grid x = 1000\nfield u : f64\nstep 1 { u' = u }\n")) {
    int64_t need = ik_state_bytes(p.ir);
    CHECK_EQ(ik_memory_plan(p.ir, NULL, 0, need, &p.diag), IK_OK);
    CHECK_EQ(ik_memory_plan(p.ir, NULL, 0, 0, &p.diag), IK_OK);
    CHECK_EQ(ik_memory_plan(p.ir, NULL, 0, need - 1, &p.diag), IK_ERR_RESOURCE);
  }
  program_close(&p);
}

CASE(a_run_that_does_not_fit_is_explained) {
  program p;
  if (MUST_OPEN(&p, "grid x = 1000, y = 500\nfield u : f64, history 2\nfield c : f32\n"
                    "step 1 { u' = c*u }\n")) {
    CHECK_EQ(ik_memory_plan(p.ir, NULL, 0, 1 << 20, &p.diag), IK_ERR_RESOURCE);
    const char *all = program_messages(&p);
    CHECK(strstr(all, "E072") && strstr(all, "needs 13.4 MiB, and 1 MiB are allowed"));
    CHECK(strstr(all, "u 11.4 MiB, c 1.91 MiB"));
    CHECK(strstr(all, "the largest grid of this shape that fits:  x=273 y=136"));
  }
  program_close(&p);
}

/* What is proposed can be run. */
CASE(the_grid_that_is_proposed_fits) {
  for (int ndim = 1; ndim <= 3; ndim++)
    for (int64_t limit = 3000; limit < 4000000; limit = limit * 7 / 3) {
      static const char *const grid[] = {"x = 900000", "x = 900, y = 1100",
                                         "x = 90, y = 80, z = 70"};
      char                     text[400];
      program                  p;
      long                     n[3] = {1, 1, 1};
      snprintf(text, sizeof text,
               "grid %s\nfield u : f64, history 2\nboundary u = 0\nstep 1 { u' = u }\n",
               grid[ndim - 1]);
      if (MUST_OPEN(&p, text) && ik_memory_plan(p.ir, NULL, 0, limit, &p.diag)) {
        const char *help = strstr(program_messages(&p), "that fits:");
        CHECK(help && sscanf(help, "that fits:  x=%ld y=%ld z=%ld", &n[0], &n[1], &n[2]) == ndim);
        for (int d = 0; d < ndim; d++) p.ir->n[d] = p.ir->field[0].box.hi[d] = n[d];
        CHECK(ik_state_bytes(p.ir) <= limit);
        CHECK(ik_state_bytes(p.ir) > limit / 2);
      }
      program_close(&p);
    }
}

CASE(receivers_count) {
  program p;
  if (MUST_OPEN(&p, "grid x = 10\nfield u : f64\nstep 1000000 { u' = u }\n"
                    "receiver u at 3 into \"r.npy\"\n")) {
    CHECK_EQ(ik_memory_plan(p.ir, NULL, 0, 9000000, &p.diag), IK_OK);
    CHECK_EQ(ik_memory_plan(p.ir, NULL, 0, 7900000, &p.diag), IK_ERR_RESOURCE);
    CHECK(!strstr(program_messages(&p), "that fits")); /* no grid would */
  }
  program_close(&p);
}

CASE(sizes_beyond_all_numbers_are_refused) {
  program p;
  if (MUST_OPEN(&p, "grid x = 1000000, y = 1000000, z = 1000\nfield u : f64, history 16\n"
                    "field v : f64, history 16\nstep 1 { u' = v }\n")) {
    p.ir->field[0].box.hi[0] = INT64_C(1) << 40;
    CHECK_EQ(ik_memory_plan(p.ir, NULL, 0, 0, &p.diag), IK_ERR_RESOURCE);
    CHECK(strstr(program_messages(&p), "E072"));
  }
  program_close(&p);
}

CASE(the_memory_of_a_device_is_planned_by_itself) {
  program   p;
  ik_device none = {0}, enough = {"the GPU", 8000, 8000}, short_of = {"the GPU", 8000, 7000};
  if (MUST_OPEN(&p, "grid x = 1000\nfield u : f64 = 1\nu = 2*u\n")) {
    CHECK_EQ(ik_memory_plan_device(p.ir, NULL, &none, &p.diag), IK_OK);
    CHECK_EQ(ik_memory_plan_device(p.ir, NULL, &enough, &p.diag), IK_OK);
    CHECK_EQ(ik_memory_plan_device(p.ir, NULL, &short_of, &p.diag), IK_ERR_RESOURCE);
    const char *text = program_messages(&p);
    CHECK(strstr(text, "needs 7.81 KiB of the memory of the GPU, and 6.84 KiB are free"));
    CHECK(strstr(text, "the largest grid of this shape that fits:  x=8"));
  }
  program_close(&p);
}
