#include "runtime/record.h"
#include "io/npy.h"
#include "io/scratch.h"
#include "io/segy.h"
#include "io/file.h"
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

CASE(rounds_of_a_repeat_are_no_samples) {
  program p;
  if (MUST_OPEN(&p, HEAD "repeat until max(u) > 1e9 max 500 { u = 2*u + 1 }\n"
                         "receiver u at 1 into \"a.npy\"\n"))
    CHECK_EQ(ik_recorder_bytes(p.ir), 8 * 10);
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

/* ---- headers of SEG-Y, read back byte by byte ---- */

enum { FIRST = 3600, HEADER = 240 };

/* A big-endian signed field; `byte` counts from 1 as the standard does. */
static int64_t header(const char *p, int byte, int len) {
  uint64_t v = 0;
  for (int i = 0; i < len; i++) v = v << 8 | (unsigned char)p[byte - 1 + i];
  return (int64_t)(v << (64 - 8 * len)) >> (64 - 8 * len);
}

#define STEPS                                                                                      \
  "param dt = 2 ms\nfield u : f64\nstep 6 { u' = u }\n"                                            \
  "receiver u at " /* and where, and `every 3 into "h.segy"` */

typedef struct geometry {
  const char *grid, *receiver, *source; /* two receivers; NULL: no source */
  int64_t     gx[2], gy[2], gelev[2], sx, sy, sdepth, offset[2], scalco, scalel;
} geometry;

static void check_trace(const char *t, const geometry *g, int i) {
  const struct {
    int     byte, len;
    int64_t want;
  } fields[] = {{37, 4, g->offset[i]}, {41, 4, g->gelev[i]}, {49, 4, g->sdepth}, {69, 2, g->scalel},
                {71, 2, g->scalco},    {73, 4, g->sx},       {77, 4, g->sy},     {81, 4, g->gx[i]},
                {85, 4, g->gy[i]},     {115, 2, 2},          {117, 2, 6000},     {1, 4, i + 1}};
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
    int64_t got = header(t, fields[k].byte, fields[k].len);
    if (got == fields[k].want) continue;
    check_fail(__FILE__, __LINE__, "%s: trace %d, byte %d: %lld, expected %lld", g->grid, i,
               fields[k].byte, (long long)got, (long long)fields[k].want);
  }
}

static void check_geometry(const geometry *g) {
  run    r;
  char   text[512];
  ik_buf b = {0};
  snprintf(text, sizeof text, "grid %s\n" STEPS "%s every 3 into \"h.segy\"\n%s%s%s", g->grid,
           g->receiver, g->source ? "source 0 at " : "", g->source ? g->source : "",
           g->source ? " into u\n" : "");
  if (run_program(&r, text)) {
    CHECK_EQ(ik_recorder_check(r.p.ir, &r.p.diag), IK_OK);
    CHECK_EQ(ik_recorder_write(&r.loop.recorder, 0, scratch("h.segy"), &r.p.diag), IK_OK);
    CHECK_EQ(ik_file_read(scratch("h.segy"), 1 << 20, IK_NOSPAN, &b, &r.p.diag), IK_OK);
    CHECK_EQ(b.len, FIRST + 2 * (HEADER + 2 * 4));
    for (int i = 0; i < 2; i++) check_trace(b.data + FIRST + i * (HEADER + 8), g, i);
  }
  ik_buf_free(&b);
  run_close(&r);
}

CASE(headers_tell_where_sources_and_receivers_are) {
  /* centimetres, unless something lies between them */
  static const geometry all[] = {
      /* one axis: a line along the ground, and a well */
      {"x = 9, spacing = 10 m",
       "line 1 .. 4 count 2",
       "2",
       {1000, 4000},
       {0},
       {0},
       2000,
       0,
       0,
       {10, 20},
       -100,
       -100},
      {"z = 9, spacing = 10 m",
       "line 1 .. 4 count 2",
       "2",
       {0},
       {0},
       {-1000, -4000},
       0,
       0,
       2000,
       {0},
       -100,
       -100},
      /* two axes in both orders: x and depth stay what they are */
      {"x = 9, z = 7, spacing = (10 m, 5 m)",
       "line (1, 2) .. (6, 3) count 2",
       "(4, 6)",
       {1000, 6000},
       {0},
       {-1000, -1500},
       4000,
       0,
       3000,
       {30, 20},
       -100,
       -100},
      {"z = 7, x = 9, spacing = (5 m, 10 m)",
       "line (2, 1) .. (3, 6) count 2",
       "(6, 4)",
       {1000, 6000},
       {0},
       {-1000, -1500},
       4000,
       0,
       3000,
       {30, 20},
       -100,
       -100},
      {"depth = 7, x = 9, spacing = (5 m, 10 m)",
       "line (2, 1) .. (3, 6) count 2",
       "(6, 4)",
       {1000, 6000},
       {0},
       {-1000, -1500},
       4000,
       0,
       3000,
       {30, 20},
       -100,
       -100},
      /* a map, without depth */
      {"x = 9, y = 7, spacing = (10 m, 5 m)",
       "line (1, 2) .. (6, 3) count 2",
       "(4, 6)",
       {1000, 6000},
       {1000, 1500},
       {0},
       4000,
       3000,
       0,
       {36, 25},
       -100,
       -100},
      {"y = 7, x = 9, spacing = (5 m, 10 m)",
       "line (2, 1) .. (3, 6) count 2",
       "(6, 4)",
       {1000, 6000},
       {1000, 1500},
       {0},
       4000,
       3000,
       0,
       {36, 25},
       -100,
       -100},
      {"y = 7, z = 9, spacing = (5 m, 10 m)",
       "line (2, 1) .. (3, 6) count 2",
       "(6, 4)",
       {0},
       {1000, 1500},
       {-1000, -6000},
       0,
       3000,
       4000,
       {20, 15},
       -100,
       -100},
      /* the program says it */
      {"x = 9, y = 7, spacing = (10 m, 5 m), down = y",
       "line (1, 2) .. (6, 3) count 2",
       "(4, 6)",
       {1000, 6000},
       {0},
       {-1000, -1500},
       4000,
       0,
       3000,
       {30, 20},
       -100,
       -100},
      {"x = 9, z = 7, spacing = (10 m, 5 m), up = z",
       "line (1, 2) .. (6, 3) count 2",
       "(4, 6)",
       {1000, 6000},
       {0},
       {1000, 1500},
       4000,
       0,
       -3000,
       {30, 20},
       -100,
       -100},
      {"a = 9, b = 7, spacing = (10 m, 5 m)",
       "line (1, 2) .. (6, 3) count 2",
       "(4, 6)",
       {1000, 6000},
       {1000, 1500},
       {0},
       4000,
       3000,
       0,
       {36, 25},
       -100,
       -100},
      {"z = 9, x = 7, spacing = (10 m, 5 m), down = x",
       "line (1, 2) .. (6, 3) count 2",
       "(4, 6)",
       {1000, 6000},
       {0},
       {-1000, -1500},
       4000,
       0,
       3000,
       {30, 20},
       -100,
       -100},
      /* three axes, all orders: x 1 to 6, y 2 to 3, z 4 to 0; source 5, 6, 1 */
      {"x = 9, y = 8, z = 7, spacing = 2 m",
       "line (1, 2, 4) .. (6, 3, 0) count 2",
       "(5, 6, 1)",
       {200, 1200},
       {400, 600},
       {-800, 0},
       1000,
       1200,
       200,
       {11, 6},
       -100,
       -100},
      {"x = 9, z = 7, y = 8, spacing = 2 m",
       "line (1, 4, 2) .. (6, 0, 3) count 2",
       "(5, 1, 6)",
       {200, 1200},
       {400, 600},
       {-800, 0},
       1000,
       1200,
       200,
       {11, 6},
       -100,
       -100},
      {"y = 8, x = 9, z = 7, spacing = 2 m",
       "line (2, 1, 4) .. (3, 6, 0) count 2",
       "(6, 5, 1)",
       {200, 1200},
       {400, 600},
       {-800, 0},
       1000,
       1200,
       200,
       {11, 6},
       -100,
       -100},
      {"y = 8, z = 7, x = 9, spacing = 2 m",
       "line (2, 4, 1) .. (3, 0, 6) count 2",
       "(6, 1, 5)",
       {200, 1200},
       {400, 600},
       {-800, 0},
       1000,
       1200,
       200,
       {11, 6},
       -100,
       -100},
      {"z = 7, x = 9, y = 8, spacing = 2 m",
       "line (4, 1, 2) .. (0, 6, 3) count 2",
       "(1, 5, 6)",
       {200, 1200},
       {400, 600},
       {-800, 0},
       1000,
       1200,
       200,
       {11, 6},
       -100,
       -100},
      {"z = 7, y = 8, x = 9, spacing = 2 m",
       "line (4, 2, 1) .. (0, 3, 6) count 2",
       "(1, 6, 5)",
       {200, 1200},
       {400, 600},
       {-800, 0},
       1000,
       1200,
       200,
       {11, 6},
       -100,
       -100},
      /* an axis of another name takes the direction that is left */
      {"z = 7, x = 9, w = 8, spacing = 2 m",
       "line (4, 1, 2) .. (0, 6, 3) count 2",
       "(1, 5, 6)",
       {200, 1200},
       {400, 600},
       {-800, 0},
       1000,
       1200,
       200,
       {11, 6},
       -100,
       -100},
      {"y = 8, w = 9, z = 7, spacing = 2 m",
       "line (2, 1, 4) .. (3, 6, 0) count 2",
       "(6, 5, 1)",
       {200, 1200},
       {400, 600},
       {-800, 0},
       1000,
       1200,
       200,
       {11, 6},
       -100,
       -100},
      /* between cells: tenths of a millimetre across, centimetres down, and the other way round */
      {"x = 9, z = 7, spacing = (1 m, 5 m)",
       "line (1.2503, 2) .. (6.5, 3) count 2",
       "(4, 1.5)",
       {12503, 65000},
       {0},
       {-1000, -1500},
       40000,
       0,
       750,
       {3, 2},
       -10000,
       -100},
      {"x = 9, z = 7, spacing = (5 m, 1 m)",
       "line (1, 2) .. (6.5, 3) count 2",
       "(4, 1.5003)",
       {500, 3250},
       {0},
       {-20000, -30000},
       2000,
       0,
       15003,
       {15, 12},
       -100,
       -10000},
      /* without spacing a cell is a metre; without a source it is at the origin */
      {"x = 9, z = 7",
       "line (1, 2) .. (6, 3) count 2",
       NULL,
       {100, 600},
       {0},
       {-200, -300},
       0,
       0,
       0,
       {1, 6},
       -100,
       -100},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) check_geometry(&all[i]);
}

CASE(the_interval_without_a_time_step_is_a_millisecond) {
  run    r;
  ik_buf b = {0};
  if (run_program(&r, "grid x = 5\nfield u : f64\nstep 6 { u' = u }\n"
                      "receiver u at 1 every 2 into \"a.segy\"\n")) {
    CHECK_EQ(ik_recorder_write(&r.loop.recorder, 0, scratch("a.segy"), &r.p.diag), IK_OK);
    CHECK_EQ(ik_file_read(scratch("a.segy"), 1 << 20, IK_NOSPAN, &b, &r.p.diag), IK_OK);
    CHECK_EQ(header(b.data + FIRST, 117, 2), 2000);
    CHECK_EQ(header(b.data + FIRST, 9, 4), 1); /* field record: the first shot */
  }
  ik_buf_free(&b);
  run_close(&r);
}

CASE(what_segy_cannot_hold_as_rev_1_becomes_rev_2) {
  run    r;
  ik_buf b = {0};
  if (run_program(&r, "grid x = 5\nparam dt = 0.1 us\nfield u : f64\nstep 6 { u' = u }\n"
                      "receiver u at 1 into \"a.segy\"\n")) {
    CHECK_EQ(ik_recorder_check(r.p.ir, &r.p.diag), IK_OK);
    CHECK_EQ(ik_recorder_write(&r.loop.recorder, 0, scratch("a.segy"), &r.p.diag), IK_OK);
    CHECK_EQ(ik_file_read(scratch("a.segy"), 1 << 20, IK_NOSPAN, &b, &r.p.diag), IK_OK);
    CHECK_EQ(header(b.data, 3501, 1), 2);
  }
  ik_buf_free(&b);
  run_close(&r);
}

CASE(what_segy_cannot_hold_is_known_before_the_run) {
  static const char far[] = "grid x = 5, spacing = 1e300 m\nfield u : f64\nstep 6 { u' = u }\n";
  static const struct {
    const char *receivers;
    bool        fine;
  } table[] = {{"receiver u at 1 into \"a.segy\"\n", false},
               {"receiver u at 1 into \"a.npy\"\n", true},
               {"receiver u at 0 into \"a.segy\"\nreceiver u at 1 into \"b.segy\"\n", false},
               {"receiver u at 0 into \"a.segy\"\nreceiver u at 1 into \"b.npy\"\n", true},
               {"receiver u at 1 into \"a.npy\"\nreceiver u at 0 into \"b.segy\"\n", true}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    char    text[400];
    program p;
    snprintf(text, sizeof text, "%s%s", far, table[i].receivers);
    if (MUST_OPEN(&p, text)) CHECK_EQ(ik_recorder_check(p.ir, &p.diag) == IK_OK, table[i].fine);
    program_close(&p);
  }
}

CASE(files_without_memory_are_refused) {
  run  r;
  long live = ik_mem_live();
  if (run_program(&r, HEAD "receiver u at line 1 .. 3 into \"a.segy\"\n")) {
    ik_diag_free(&r.p.diag); /* warnings have memory of their own */
    long before = ik_mem_live();
    int  refused = 0;
    for (long n = 0; n < 50; n++) {
      ik_mem_fail_after(n);
      ik_status st = ik_recorder_write(&r.loop.recorder, 0, scratch("a.segy"), &r.p.diag);
      ik_mem_fail_after(-1);
      ik_diag_free(&r.p.diag);
      CHECK_EQ(ik_mem_live(), before);
      if (!st) break;
      CHECK_EQ(st, IK_ERR_RESOURCE);
      refused++;
    }
    CHECK(refused >= 3);
    ik_mem_fail_after(0);
    CHECK_EQ(ik_recorder_check(r.p.ir, &r.p.diag), IK_ERR_RESOURCE);
    ik_mem_fail_after(-1);
  }
  run_close(&r);
  CHECK_EQ(ik_mem_live(), live);
}
