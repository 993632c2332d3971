#include "runtime/record.h"
#include "io/npy.h"
#include "io/scratch.h"
#include "io/segy.h"
#include "lang/program.h"

#define HEAD                                                                                       \
  "grid x = 5, spacing = 10 m\nparam dt = 2 ms\nfield u : f64 = x\nstep 7 { u' = u + 10 }\n"       \
  "step 3 { u' = u + 100 }\n"

CASE(receivers_hear_the_field_after_each_step) {
  run r;
  if (run_program(&r, HEAD "receiver u at line 1 .. 3 into \"a.npy\"\n"
                           "receiver u at 1.25 every 4 into \"b.npy\"\n")) {
    const ik_trace *a = &r.loop.recorder.trace[0], *b = &r.loop.recorder.trace[1];
    CHECK(a->nsample == 10 && a->capacity == 10 && b->nsample == 2 && b->capacity == 2);
    for (int k = 0; k < 10; k++)
      for (int p = 0; p < 3; p++)
        CHECK(a->data[3 * k + p] == 1 + p + (k < 7 ? 10 * (k + 1) : 70 + 100 * (k - 6)));
    CHECK(b->data[0] == 0.75 * 41 + 0.25 * 42 && b->data[1] == 0.75 * 171 + 0.25 * 172);
  }
  run_close(&r);
}

CASE(sampling_does_not_depend_on_the_split) {
  run r;
  if (run_prepare(&r, HEAD "receiver u at 2 every 3 into \"a.npy\"\n", 0, NULL)) {
    while (r.loop.at) CHECK_EQ(ik_loop_advance(&r.loop, 2, &r.p.diag), IK_OK);
    const ik_trace *a = &r.loop.recorder.trace[0];
    CHECK_EQ(a->nsample, 3);
    CHECK(a->data[0] == 32 && a->data[1] == 62 && a->data[2] == 272);
  }
  run_close(&r);
}

CASE(the_memory_of_receivers_is_planned) {
  program p;
  if (MUST_OPEN(&p, HEAD "receiver u at line 1 .. 3 into \"a.npy\"\n"
                         "receiver u at 1 every 4 into \"b.npy\"\n"))
    CHECK_EQ(ik_recorder_bytes(p.ir), 8 * (10 * 3 + 2));
  program_close(&p);
  if (MUST_OPEN(&p, "grid x = 5\nfield u : f64\nstep 1e12 { u' = u }\n"
                    "receiver u at line 0 .. 4 count 1000000 into \"a.npy\"\n"
                    "receiver u at line 0 .. 4 count 1000000 into \"b.npy\"\n"))
    CHECK_EQ(ik_recorder_bytes(p.ir), INT64_MAX); /* no overflow */
  program_close(&p);
}

CASE(samples_without_memory_are_refused) {
  program p;
  if (MUST_OPEN(&p, HEAD "receiver u at 1 into \"a.npy\"\nreceiver u at 2 into \"b.npy\"\n"))
    for (long n = 0; n < 3; n++) {
      ik_recorder r;
      ik_mem_fail_after(n);
      CHECK_EQ(ik_recorder_create(&r, p.ir, &p.diag), IK_ERR_RESOURCE);
      ik_mem_fail_after(-1);
    }
  program_close(&p);
}

CASE(traces_are_written_as_npy) {
  run      r;
  ik_array a = {0};
  if (run_program(&r, HEAD "receiver u at line 1 .. 3 into \"a.npy\"\n")) {
    CHECK_EQ(ik_recorder_write(&r.loop.recorder, 0, scratch("a.npy"), &r.p.diag), IK_OK);
    CHECK_EQ(ik_npy_read(scratch("a.npy"), IK_NOSPAN, &a, &r.p.diag), IK_OK);
    CHECK(a.ndim == 2 && a.n[0] == 3 && a.n[1] == 10);
    CHECK(memcmp(a.data, r.loop.recorder.trace[0].data, 240) == 0);
    ik_array_free(&a);
  }
  run_close(&r);
}

CASE(traces_are_written_as_segy) {
  run      r;
  ik_array a = {0};
  double   dt = 0;
  if (run_program(&r, HEAD "receiver u at line 1 .. 3 every 2 into \"a.segy\"\n"
                           "source 0 at 2 into u\n")) {
    CHECK_EQ(ik_recorder_check(r.p.ir, &r.p.diag), IK_OK);
    CHECK_EQ(ik_recorder_write(&r.loop.recorder, 0, scratch("a.segy"), &r.p.diag), IK_OK);
    CHECK_EQ(ik_segy_read(scratch("a.segy"), IK_NOSPAN, &a, &dt, &r.p.diag), IK_OK);
    CHECK(a.ndim == 2 && a.n[0] == 5 && a.n[1] == 3 && dt == 4e-3);
    for (int p = 0; p < 3; p++)
      for (int k = 0; k < 5; k++)
        CHECK(ik_array_get(&a, p * 5 + k) == r.loop.recorder.trace[0].data[k * 3 + p]);
    ik_array_free(&a);
  }
  run_close(&r);
}

CASE(a_run_cut_short_writes_what_it_heard) {
  run      r;
  ik_array a = {0};
  if (run_prepare(&r, HEAD "receiver u at 3 into \"c.npy\"\n", 0, NULL)) {
    CHECK_EQ(ik_loop_advance(&r.loop, 4, &r.p.diag), IK_OK);
    CHECK_EQ(ik_recorder_write(&r.loop.recorder, 0, scratch("c.npy"), &r.p.diag), IK_OK);
    CHECK_EQ(ik_npy_read(scratch("c.npy"), IK_NOSPAN, &a, &r.p.diag), IK_OK);
    CHECK(a.n[0] == 1 && a.n[1] == 4);
    ik_array_free(&a);
  }
  run_close(&r);
}

CASE(a_folder_that_is_not_there_is_told) {
  run r;
  if (run_program(&r, HEAD "receiver u at 3 into \"c.npy\"\n")) {
    CHECK_EQ(ik_recorder_write(&r.loop.recorder, 0, "/nowhere/c.npy", &r.p.diag) == IK_OK, 0);
    EXPECT_ERROR(&r.p.diag, IK_E064, "/nowhere/c.npy");
  }
  run_close(&r);
}
