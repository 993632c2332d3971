#include "runtime/write.h"
#include "base/mem.h"
#include "io/file.h"
#include "io/hdf5.h"
#include "io/io.h"
#include "io/scratch.h"
#include "lang/program.h"
#include <sys/stat.h>

static const char text[] = "grid x = 5, y = 4, spacing = 2 m\nparam dt = 3 ms\n"
                           "field a : f64 = noise(1)\nfield b : f32 = noise(2)\n"
                           "field c : f16 = noise(3)\nfield d : bf16 = noise(4)\n"
                           "field e : i32 = x - 7*y\nfield s : f64, on (x+1, y) = x\n"
                           "step 2 { a' = a }\n";

static void same_values(const run *r, int field, const ik_array *a) {
  int64_t n = r->state->slot[field].layout->cells;
  CHECK_EQ(ik_array_count(a), n);
  for (int64_t i = 0; i < n && i < ik_array_count(a); i++) {
    double x;
    ik_state_load_row(r->p.ir->field[field].type, ik_state_data(r->state, field, 0), i, 1, &x);
    CHECK(ik_array_get(a, i) == x);
  }
}

CASE(one_field_goes_to_npy_and_raw_and_back) {
  run r;
  if (run_program(&r, text))
    for (int f = 0; f < 6; f++) {
      ik_array a = {0};
      CHECK_EQ(
          ik_write_fields(r.state, &(ik_fields){&f, 1, 0}, scratch("f.npy"), IK_NOSPAN, &r.p.diag),
          IK_OK);
      CHECK_EQ(ik_io_read_array(scratch("f.npy"), NULL, NULL, IK_NOSPAN, &a, &r.p.diag), IK_OK);
      CHECK(a.ndim == 2 && a.n[0] == (f == 5 ? 6 : 5) && a.n[1] == 4);
      same_values(&r, f, &a);
      ik_array_free(&a);
      ik_raw_form form = {.ndim = 2, .n = {f == 5 ? 6 : 5, 4, 1, 1}};
      form.dtype =
          (ik_dtype[]){IK_DT_F64, IK_DT_F32, IK_DT_F16, IK_DT_BF16, IK_DT_I32, IK_DT_F64}[f];
      CHECK_EQ(
          ik_write_fields(r.state, &(ik_fields){&f, 1, 0}, scratch("f.raw"), IK_NOSPAN, &r.p.diag),
          IK_OK);
      CHECK_EQ(ik_io_read_array(scratch("f.raw"), NULL, &form, IK_NOSPAN, &a, &r.p.diag), IK_OK);
      same_values(&r, f, &a);
      ik_array_free(&a);
    }
  run_close(&r);
}

CASE(many_fields_go_to_hdf5_with_a_description_beside) {
  static const int all[] = {0, 1, 2, 3, 4, 5};
  run              r;
  if (!ik_hdf5_available(NULL)) return;
  if (run_program(&r, text)) {
    ik_fields w = {all, 6, 0};
    ik_buf    name = {0};
    CHECK_EQ(ik_write_fields(r.state, &w, scratch("f.h5"), IK_NOSPAN, &r.p.diag), IK_OK);
    CHECK_EQ(ik_write_xdmf(r.state, &w, scratch("f.h5"), NULL, &name, &r.p.diag), IK_OK);
    CHECK_STR(ik_buf_text(&name), scratch("f.xmf"));
    ik_buf_free(&name);
    for (int f = 0; f < 6; f++) {
      ik_array a = {0};
      CHECK_EQ(ik_hdf5_read(scratch("f.h5"), r.p.ir->field[f].name, IK_NOSPAN, &a, &r.p.diag),
               IK_OK);
      same_values(&r, f, &a);
      ik_array_free(&a);
    }
    char   xmf[4000] = "";
    FILE  *in = fopen(scratch("f.xmf"), "rb");
    size_t n = in ? fread(xmf, 1, sizeof xmf - 1, in) : 0;
    CHECK(in && n > 0);
    if (in) fclose(in);
    CHECK(strstr(xmf, "f.h5:/a") && strstr(xmf, "f.h5:/e"));
    CHECK(!strstr(xmf, "f.h5:/s")); /* it has one cell more than the grid */
    CHECK(strstr(xmf, "0.006"));    /* two steps of 3 ms */
  }
  run_close(&r);
}

CASE(a_series_has_one_description) {
  static const int all[] = {5, 0}, staggered = 5;
  run              r;
  if (run_program(&r, text)) {
    ik_buf xmf = {0}, name = {0};
    CHECK_EQ(ik_write_xdmf(r.state, &(ik_fields){all, 2, 0}, scratch("u.h5"), &(ik_series){5, 3},
                           &name, &r.p.diag),
             IK_OK);
    CHECK_EQ(ik_file_read(scratch("u.xmf"), 1 << 20, IK_NOSPAN, &xmf, &r.p.diag), IK_OK);
    for (int k = 1; k <= 3; k++) {
      char part[2][60];
      snprintf(part[0], sizeof part[0], "<Time Value=\"0.0%s\"/>",
               (char *[]){"15", "3", "45"}[k - 1]);
      snprintf(part[1], sizeof part[1], ">u_%06d.h5:/a<", 5 * k);
      CHECK(strstr(ik_buf_text(&xmf), part[0]) && strstr(ik_buf_text(&xmf), part[1]));
    }
    CHECK(!strstr(ik_buf_text(&xmf), ":/s<") && !strstr(ik_buf_text(&xmf), "000020"));
    ik_buf_free(&xmf), ik_buf_free(&name);
    CHECK_EQ(ik_write_xdmf(r.state, &(ik_fields){&staggered, 1, 0}, scratch("s.h5"), NULL, &name,
                           &r.p.diag),
             IK_OK);
    CHECK(name.len == 0 && access(scratch("s.xmf"), F_OK) != 0);
  }
  run_close(&r);
}

CASE(earlier_levels_are_written) {
  run r;
  int f = 0;
  if (run_program(&r, "grid x = 5\nfield u : f64, history 3 = x\n"
                      "step 4 { u' = 2*u + 1 + 0*u[t-2] }\n"))
    for (int level = 0; level > -3; level--) {
      ik_array a = {0};
      CHECK_EQ(ik_write_fields(r.state, &(ik_fields){&f, 1, level}, scratch("f.npy"), IK_NOSPAN,
                               &r.p.diag),
               IK_OK);
      CHECK_EQ(ik_io_read_array(scratch("f.npy"), NULL, NULL, IK_NOSPAN, &a, &r.p.diag), IK_OK);
      for (int64_t x = 0; a.data && x < 5; x++)
        CHECK(ik_array_get(&a, x) == ik_state_get(r.state, 0, level, (int64_t[]){x, 0, 0}));
      CHECK_EQ(a.data ? ik_array_get(&a, 0) : -1, (16 >> -level) - 1); /* 15, 7, 3 */
      ik_array_free(&a);
    }
  run_close(&r);
}

CASE(formats_and_folders_that_are_not_there_are_told) {
  run r;
  int f = 0;
  if (run_program(&r, text)) {
    ik_diag_free(&r.p.diag); /* warnings of names that are not used */
    CHECK(ik_write_fields(r.state, &(ik_fields){&f, 1, 0}, scratch("f.txt"), IK_NOSPAN,
                          &r.p.diag) != IK_OK);
    EXPECT_ERROR(&r.p.diag, IK_E065, "f.txt");
    CHECK(ik_write_fields(r.state, &(ik_fields){&f, 1, 0}, "/nowhere/f.npy", IK_NOSPAN,
                          &r.p.diag) != IK_OK);
    EXPECT_ERROR(&r.p.diag, IK_E064, "/nowhere/f.npy");
  }
  run_close(&r);
}

CASE(hdf5_without_memory_is_refused) {
  run r;
  int f = 0;
  if (run_program(&r, text))
    for (long n = 0; n < 3; n++) {
      ik_diag d = {0};
      ik_mem_fail_after(n);
      CHECK_EQ(ik_write_fields(r.state, &(ik_fields){&f, 1, 0}, scratch("none.h5"), IK_NOSPAN, &d),
               IK_ERR_RESOURCE);
      ik_mem_fail_after(-1);
      CHECK(access(scratch("none.h5"), F_OK) != 0);
      ik_diag_free(&d);
    }
  run_close(&r);
}

/* ---- before the run ---- */

static ik_status check_lines(const char *lines, ik_diag *d) {
  program   p;
  char      all[400];
  ik_status st = IK_ERR_SOURCE;
  snprintf(all, sizeof all, "grid x = 5\nfield u : f64\n%sstep 4 { u' = u }\n", lines);
  if (MUST_OPEN(&p, all)) st = ik_write_check(p.ir, scratch_dir, d);
  program_close(&p);
  return st;
}

CASE(a_file_is_written_by_one_line) {
  static const char *const twice[] = {
      "output u into \"a.npy\"\noutput u into \"a.npy\"\n",
      "output u into \"a.npy\"\noutput u into \"b.npy\"\noutput u into \"a.npy\"\n",
      "receiver u at 2 into \"a.npy\"\noutput u into \"a.npy\"\n",
      "output u every 2 into \"a.npy\"\noutput u every 3 into \"a.npy\"\n"};
  scratch("");
  for (int i = 0; i < 4; i++) {
    ik_diag d = {0};
    CHECK_EQ(check_lines(twice[i], &d), IK_ERR_SOURCE);
    EXPECT_ERROR(&d, IK_E064, "'a.npy' would be written twice");
    ik_diag_free(&d);
  }
  ik_diag d = {0}; /* a series has numbers in its names */
  CHECK_EQ(check_lines("output u every 2 into \"a.npy\"\noutput u into \"a.npy\"\n", &d), IK_OK);
  ik_diag_free(&d);
}

/* Beside HDF5, and beside nothing else, there is a text for ParaView. */
CASE(the_description_beside_hdf5_must_be_possible_too) {
  ik_diag d = {0};
  CHECK_EQ(mkdir(scratch("w.xmf"), 0700), 0);
  CHECK_EQ(ik_write_possible(scratch("w.npy"), IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(ik_write_possible(scratch("w.raw"), IK_NOSPAN, &d), IK_OK);
  if (ik_hdf5_available(NULL)) {
    CHECK_EQ(ik_write_possible(scratch("v.h5"), IK_NOSPAN, &d), IK_OK);
    CHECK(ik_write_possible(scratch("w.h5"), IK_NOSPAN, &d) != IK_OK);
    EXPECT_ERROR(&d, IK_E064, "w.xmf");
  }
  CHECK_EQ(rmdir(scratch("w.xmf")), 0);
}

/* ---- names ---- */

static const char *numbered(const char *path, int64_t step) {
  static char out[100];
  ik_buf      b = {0};
  ik_write_numbered(path, step, &b);
  snprintf(out, sizeof out, "%s", ik_buf_text(&b));
  ik_buf_free(&b);
  return out;
}

CASE(names_get_the_number_of_the_step) {
  CHECK_STR(numbered("u.npy", 100), "u_000100.npy");
  CHECK_STR(numbered("a.b/u", 7), "a.b/u_000007");
  CHECK_STR(numbered("a.b/u.v.h5", 0), "a.b/u.v_000000.h5");
  CHECK_STR(numbered("u.npy", 12345678), "u_12345678.npy");
}

CASE(relative_names_start_in_the_folder) {
  static const char *const want[][3] = {
      {"out", "u.npy", "out/u.npy"}, {NULL, "u.npy", "u.npy"}, {"out", "/tmp/u.npy", "/tmp/u.npy"}};
  for (int i = 0; i < 3; i++) {
    ik_buf b = {0};
    ik_write_in(want[i][0], want[i][1], &b);
    CHECK_STR(ik_buf_text(&b), want[i][2]);
    ik_buf_free(&b);
  }
}
