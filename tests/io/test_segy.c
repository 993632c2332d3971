#include "io/segy.h"
#include "scratch.h"

enum { FIRST = 3600, HEADER = 240 };

/* A big-endian signed field; `byte` counts from 1 as the standard does. */
static int64_t field(const char *p, int byte, int len) {
  uint64_t v = 0;
  for (int i = 0; i < len; i++) v = v << 8 | (unsigned char)p[byte - 1 + i];
  return (int64_t)(v << (64 - 8 * len)) >> (64 - 8 * len);
}

static float               samples[] = {1, -2, 3.5f, 1e-30f, -1e30f, 0, 7, 8, 9, 10, 11, 12};
static const ik_segy_point receivers[] = {{10, 20, 30}, {1010.25, 20, 30}, {-10, 20, 0}};
static const ik_segy_point sources[] = {{10, 20, 5}, {10, 20, 5}, {10, 20, 5}};

static ik_segy_gather three_traces(void) {
  return (ik_segy_gather){.ntrace = 3,
                          .nsample = 4,
                          .dt_s = 0.0008,
                          .data = samples,
                          .receiver = receivers,
                          .source = sources,
                          .shot = 7};
}

static ik_buf write_and_load(const ik_segy_gather *g) {
  ik_diag d = {0};
  ik_buf  b = {0};
  CHECK_EQ(ik_segy_write(scratch("s.segy"), g, IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(ik_file_read(scratch("s.segy"), 1 << 28, IK_NOSPAN, &b, &d), IK_OK);
  ik_diag_free(&d);
  return b;
}

CASE(headers_of_rev1) {
  ik_segy_gather g = three_traces();
  ik_buf         b = write_and_load(&g);
  CHECK_EQ(b.len, FIRST + 3 * (HEADER + 16));
  CHECK_EQ(b.data[0] & 255, 0xc3);  /* EBCDIC C */
  CHECK_EQ(b.data[80] & 255, 0xc3); /* each card starts with it */
  CHECK_EQ(b.data[79] & 255, 0x40); /* and ends with a blank */
  CHECK_EQ(field(b.data, 3213, 2), 3);
  CHECK_EQ(field(b.data, 3217, 2), 800);
  CHECK_EQ(field(b.data, 3221, 2), 4);
  CHECK_EQ(field(b.data, 3225, 2), 5);
  CHECK_EQ(field(b.data, 3255, 2), 1);
  CHECK_EQ(field(b.data, 3501, 2), 0x0100);
  CHECK_EQ(field(b.data, 3503, 2), 1);
  CHECK_EQ(field(b.data, 3505, 2), 0);
  ik_buf_free(&b);
}

CASE(headers_of_a_trace) {
  ik_segy_gather g = three_traces();
  ik_buf         b = write_and_load(&g);
  const char    *t = b.data + FIRST + HEADER + 16; /* the second */
  CHECK_EQ(field(t, 1, 4), 2);
  CHECK_EQ(field(t, 5, 4), 2);
  CHECK_EQ(field(t, 9, 4), 7);
  CHECK_EQ(field(t, 13, 4), 2);
  CHECK_EQ(field(t, 29, 2), 1);
  CHECK_EQ(field(t, 37, 4), 1000);
  CHECK_EQ(field(t, 41, 4), -3000);
  CHECK_EQ(field(t, 49, 4), 500);
  CHECK_EQ(field(t, 69, 2), -100);
  CHECK_EQ(field(t, 71, 2), -100);
  CHECK_EQ(field(t, 73, 4), 1000);
  CHECK_EQ(field(t, 77, 4), 2000);
  CHECK_EQ(field(t, 81, 4), 101025);
  CHECK_EQ(field(t, 85, 4), 2000);
  CHECK_EQ(field(t, 115, 2), 4);
  CHECK_EQ(field(t, 117, 2), 800);
  CHECK_NEAR((double)field(t, 181, 4), 51012.5, 0.6);
  CHECK_EQ(field(t, 185, 4), 2000);
  CHECK_EQ(field(t, 189, 4), 7);
  CHECK_EQ(field(t, 193, 4), 2);
  CHECK_EQ(field(t + 2 * (HEADER + 16) - (HEADER + 16), 81, 4), -1000);
  CHECK_EQ(field(t, HEADER + 1, 4), INT64_C(-246811958)); /* the bits of -1e30f */
  ik_buf_free(&b);
  scratch_scan(true);
}

CASE(round_trip) {
  ik_diag        d = {0};
  ik_array       a;
  double         dt_s;
  ik_segy_gather g = three_traces();
  CHECK_EQ(ik_segy_write(scratch("s.segy"), &g, IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(ik_segy_read(scratch("s.segy"), IK_NOSPAN, &a, &dt_s, &d), IK_OK);
  CHECK(a.dtype == IK_DT_F32 && a.ndim == 2 && a.n[0] == 4 && a.n[1] == 3);
  CHECK(memcmp(a.data, samples, sizeof samples) == 0);
  CHECK_NEAR(dt_s, 0.0008, 1e-12);
  ik_array_free(&a);
  CHECK_EQ(scratch_scan(true), 1);
}

CASE(scales_follow_the_positions) {
  ik_segy_gather g = three_traces();
  ik_segy_point  r[3] = {{0.0005, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  g.receiver = r;
  ik_buf b = write_and_load(&g);
  CHECK_EQ(field(b.data + FIRST, 71, 2), -10000); /* half a millimetre */
  CHECK_EQ(field(b.data + FIRST, 69, 2), -100);
  CHECK_EQ(field(b.data + FIRST, 81, 4), 5);
  ik_buf_free(&b);
  r[0].x = 1e9;
  b = write_and_load(&g);
  CHECK_EQ(field(b.data + FIRST, 71, 2), 1); /* a million kilometres */
  CHECK_EQ(field(b.data + FIRST, 81, 4), 1000000000);
  ik_buf_free(&b);
  r[0].x = -1e12;
  b = write_and_load(&g);
  CHECK_EQ(field(b.data + FIRST, 71, 2), 1000);
  CHECK_EQ(field(b.data + FIRST, 81, 4), -1000000000);
  ik_buf_free(&b);
  scratch_scan(true);
}

CASE(limits_are_refused_with_a_remedy) {
  ik_diag        d = {0};
  ik_segy_gather g = three_traces();
  g.nsample = 70000;
  CHECK_EQ(ik_segy_check("s.segy", &g, IK_NOSPAN, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E066, "record every 2 steps");
  g = three_traces(), g.dt_s = 1e-7;
  CHECK_EQ(ik_segy_check("s.segy", &g, IK_NOSPAN, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E066, "0.1 us");
  g.dt_s = 0.1;
  CHECK_EQ(ik_segy_check("s.segy", &g, IK_NOSPAN, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E066, "allow SEG-Y rev 2");
  g.dt_s = 104.4e-6;
  CHECK_EQ(ik_segy_check("s.segy", &g, IK_NOSPAN, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E066, "every 104 us");
  double wrong[] = {0, -1, NAN, INFINITY};
  for (int i = 0; i < 4; i++) {
    g.dt_s = wrong[i], g.allow_rev2 = true;
    CHECK_EQ(ik_segy_check("s.segy", &g, IK_NOSPAN, &d), IK_ERR_SOURCE);
    EXPECT_ERROR(&d, IK_E066, "positive");
  }
  g = three_traces(), g.ntrace = 0;
  CHECK_EQ(ik_segy_write(scratch("s.segy"), &g, IK_NOSPAN, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E066, "0 traces");
  g.ntrace = INT64_C(1) << 31;
  CHECK_EQ(ik_segy_check("s.segy", &g, IK_NOSPAN, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E066, "2147483648 traces");
  double far[] = {1e15, NAN, -INFINITY};
  for (int i = 0; i < 3; i++) {
    ik_segy_point r[3] = {{0, 0, 0}, {0, far[i], 0}, {0, 0, 0}};
    g = three_traces(), g.receiver = r;
    CHECK_EQ(ik_segy_check("s.segy", &g, IK_NOSPAN, &d), IK_ERR_SOURCE);
    EXPECT_ERROR(&d, IK_E066, "positions");
  }
  CHECK_EQ(scratch_scan(false), 0);
}

CASE(rev2_holds_what_rev1_cannot) {
  ik_diag        d = {0};
  ik_array       a;
  double         dt_s;
  ik_segy_gather g = three_traces();
  float         *data = calloc(3 * 70000, sizeof *data);
  for (int i = 0; i < 3 * 70000; i++) data[i] = (float)i;
  g.nsample = 70000, g.data = data, g.dt_s = 1e-7, g.allow_rev2 = true;
  ik_buf b = write_and_load(&g);
  CHECK_EQ(field(b.data, 3501, 1), 2);
  CHECK_EQ(field(b.data, 3221, 2), 0);
  CHECK_EQ(field(b.data, 3217, 2), 0);
  CHECK_EQ(field(b.data, 3269, 4), 70000);
  CHECK_EQ(field(b.data, 3297, 4), 16909060);
  CHECK_EQ(field(b.data, 3513, 8), 3);
  CHECK_EQ(ik_segy_read(scratch("s.segy"), IK_NOSPAN, &a, &dt_s, &d), IK_OK);
  CHECK(a.n[0] == 70000 && a.n[1] == 3 && memcmp(a.data, data, 3 * 70000 * sizeof *data) == 0);
  CHECK_NEAR(dt_s, 1e-7, 1e-20);
  ik_array_free(&a), ik_buf_free(&b);
  g.nsample = 4, g.dt_s = 104.4e-6; /* only the interval needs rev 2; old readers get it rounded */
  b = write_and_load(&g);
  CHECK_EQ(field(b.data, 3501, 1), 2);
  CHECK_EQ(field(b.data, 3217, 2), 104);
  CHECK_EQ(ik_segy_read(scratch("s.segy"), IK_NOSPAN, &a, &dt_s, &d), IK_OK);
  CHECK_NEAR(dt_s, 104.4e-6, 1e-18);
  ik_array_free(&a), ik_buf_free(&b);
  g.dt_s = 0.0008; /* fits: rev 1 although rev 2 is allowed */
  b = write_and_load(&g);
  CHECK_EQ(field(b.data, 3501, 1), 1);
  ik_buf_free(&b);
  free(data);
  scratch_scan(true);
}

CASE(more_than_100000_traces) {
  enum { N = 100001 };
  ik_diag        d = {0};
  ik_array       a;
  double         dt_s;
  ik_segy_point *at = calloc(N, sizeof *at);
  float         *data = calloc(N, sizeof *data);
  for (int i = 0; i < N; i++) data[i] = (float)i;
  ik_segy_gather g = {
      .ntrace = N, .nsample = 1, .dt_s = 0.001, .data = data, .receiver = at, .source = at};
  CHECK_EQ(ik_segy_write(scratch("s.segy"), &g, IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(ik_segy_read(scratch("s.segy"), IK_NOSPAN, &a, &dt_s, &d), IK_OK);
  CHECK(a.n[1] == N && ik_array_get(&a, N - 1) == N - 1);
  ik_array_free(&a);
  free(at), free(data);
  scratch_scan(true);
}

/* Writes the sample file with some bytes replaced and reads it. */
static ik_status read_changed(const ik_buf *b, int byte, const char *bytes, size_t n, size_t len,
                              ik_array *a, double *dt_s, ik_diag *d) {
  char *copy = calloc(1, len > b->len ? len : b->len);
  memcpy(copy, b->data, b->len);
  memcpy(copy + byte - 1, bytes, n);
  const char *path = scratch_put("c.segy", copy, len);
  free(copy);
  return ik_segy_read(path, IK_NOSPAN, a, dt_s, d);
}

CASE(files_that_are_wrong) {
  static const struct {
    int         byte;
    const char *bytes;
    size_t      n, len; /* len 0: whole */
    const char *part;
  } wrong[] = {
      {3225, "\0\x03", 2, 0, "neither IBM"},
      {3225, "\xff\xff", 2, 0, "neither IBM"},
      {3505, "\xff\xff", 2, 0, "how many text headers"},
      {3505, "\x7f\xff", 2, 0, "before its first trace"},
      {3501, "\x02", 1, 100, "shorter than its headers"},
      {3501, "\x01", 1, 3839, "shorter than its headers"},
      {3501, "\x01", 1, 4000, "whole number of traces"},
      {3221, "\xff\xff", 2, 0, "whole number of traces"},
      {FIRST + 115, "\0\x05", 2, 0, "differ in length"},
  };
  ik_segy_gather g = three_traces();
  ik_buf         b = write_and_load(&g);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    ik_diag  d = {0};
    ik_array a;
    double   dt_s;
    CHECK_EQ(read_changed(&b, wrong[i].byte, wrong[i].bytes, wrong[i].n,
                          wrong[i].len ? wrong[i].len : b.len, &a, &dt_s, &d),
             IK_ERR_SOURCE);
    CHECK(!a.data);
    EXPECT_ERROR(&d, IK_E063, wrong[i].part);
  }
  ik_buf_free(&b);
  scratch_scan(true);
}

CASE(rev2_variants_that_are_not_read) {
  ik_diag        d = {0};
  ik_array       a;
  double         dt_s;
  ik_segy_gather g = three_traces();
  g.dt_s = 1e-7, g.allow_rev2 = true;
  ik_buf b = write_and_load(&g);
  CHECK_EQ(read_changed(&b, 3297, "\4\3\2\1", 4, b.len, &a, &dt_s, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "little-endian");
  CHECK_EQ(read_changed(&b, 3507, "\0\0\0\1", 4, b.len, &a, &dt_s, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "further headers");
  ik_buf_free(&b);
  scratch_scan(true);
}

CASE(sizes_from_the_first_trace) {
  ik_diag        d = {0};
  ik_array       a;
  double         dt_s;
  ik_segy_gather g = three_traces();
  ik_buf         b = write_and_load(&g);
  CHECK_EQ(read_changed(&b, 3217, "\0\0\0\0\0\0", 6, b.len, &a, &dt_s, &d), IK_OK);
  CHECK(a.n[0] == 4 && a.n[1] == 3);
  CHECK_NEAR(dt_s, 0.0008, 1e-12);
  ik_array_free(&a);
  b.data[FIRST + 115] = 0;
  CHECK_EQ(read_changed(&b, 3217, "\0\0\0\0\0\0", 6, b.len, &a, &dt_s, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E063, "number of samples");
  ik_buf_free(&b);
  scratch_scan(true);
}

/* 118.625 is the textbook example of IBM's hexadecimal floats: 0xC276A000 is -118.625. */
CASE(ibm_floats) {
  static const char bits[] = "\xc2\x76\xa0\0\x41\x10\0\0\0\0\0\0\x7f\xff\xff\xff";
  ik_diag           d = {0};
  ik_array          a;
  double            dt_s;
  ik_segy_gather    g = three_traces();
  ik_buf            b = write_and_load(&g);
  memcpy(b.data + FIRST + HEADER, bits, 16);
  CHECK_EQ(read_changed(&b, 3225, "\0\1", 2, b.len, &a, &dt_s, &d), IK_OK);
  CHECK(ik_array_get(&a, 0) == -118.625);
  CHECK(ik_array_get(&a, 1) == 1.0);
  CHECK(ik_array_get(&a, 2) == 0.0);
  CHECK(ik_array_get(&a, 3) == INFINITY); /* 7e75 is beyond f32 */
  ik_array_free(&a), ik_buf_free(&b);
  scratch_scan(true);
}

/* Written by segyio 1.9: format 1, 2 traces of 3 samples, dt 4 ms, samples 0.5 i - 1. */
CASE(a_file_by_segyio) {
  ik_diag  d = {0};
  ik_array a;
  double   dt_s;
  CHECK_EQ(ik_segy_read(check_data("tests/io/data/ibm.segy"), IK_NOSPAN, &a, &dt_s, &d), IK_OK);
  CHECK(a.n[0] == 3 && a.n[1] == 2);
  CHECK_NEAR(dt_s, 0.004, 1e-12);
  for (int i = 0; i < 6; i++) CHECK(ik_array_get(&a, i) == 0.5 * i - 1);
  ik_array_free(&a), ik_diag_free(&d);
}

CASE(random_changes_do_not_crash) {
  ik_segy_gather g = three_traces();
  ik_buf         b = write_and_load(&g);
  unsigned char *bad = calloc(1, b.len + 8);
  uint32_t       seed = 5;
  int            fine = 0;
  for (int i = 0; i < 3000; i++) {
    ik_diag  d = {0};
    ik_array a;
    double   dt_s;
    memset(bad, 0, b.len + 8), memcpy(bad, b.data, b.len);
    /* what matters lies in the binary header and after: leave the text out of it */
    size_t    n = 3200 + mutate(&seed, bad + 3200, b.len - 3200, 640);
    ik_status s = ik_segy_read(scratch_put("m.segy", bad, n), IK_NOSPAN, &a, &dt_s, &d);
    CHECK(s ? d.nmsg == 1 && !a.data : d.nmsg == 0 && a.data);
    fine += !s;
    ik_array_free(&a), ik_diag_free(&d);
  }
  CHECK(fine > 100 && fine < 2900);
  free(bad);
  ik_buf_free(&b);
  scratch_scan(true);
}

CASE(places_and_memory_that_fail) {
  ik_diag        d = {0};
  ik_array       a;
  double         dt_s;
  ik_segy_gather g = three_traces();
  CHECK_EQ(ik_segy_write("/dev/full", &g, IK_NOSPAN, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "No space");
  CHECK_EQ(ik_segy_read(scratch("none"), IK_NOSPAN, &a, &dt_s, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E062, "No such file");
  CHECK_EQ(ik_segy_read("/tmp", IK_NOSPAN, &a, &dt_s, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E062, "directory");
  int n = 0;
  for (;; n++) {
    ik_mem_fail_after(n);
    ik_status s = ik_segy_write(scratch("s.segy"), &g, IK_NOSPAN, &d);
    ik_mem_fail_after(-1);
    if (!s) break;
    EXPECT_ERROR(&d, IK_E072, "memory");
    CHECK_EQ(scratch_scan(false), 0);
  }
  CHECK(n >= 2);
  for (n = 0;; n++) {
    ik_mem_fail_after(n);
    ik_status s = ik_segy_read(scratch("s.segy"), IK_NOSPAN, &a, &dt_s, &d);
    ik_mem_fail_after(-1);
    if (!s) break;
    EXPECT_ERROR(&d, IK_E072, "memory");
  }
  CHECK_EQ(n, 2);
  ik_array_free(&a);
  scratch_scan(true);
}
