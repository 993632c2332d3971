#include "runtime/load.h"
#include "io/hdf5.h"
#include "io/npy.h"
#include "io/scratch.h"
#include "lang/program.h"

static void put_npy(const char *name, ik_dtype t, int ndim, const int64_t n[4], const void *data) {
  ik_array a = {.dtype = t, .ndim = ndim, .n = {n[0], n[1], n[2], 1}, .data = (void *)data};
  ik_diag  d = {0};
  CHECK_EQ(ik_npy_write(scratch(name), &a, IK_NOSPAN, &d), IK_OK);
}

static const char *program_with(const char *grid, const char *type, const char *file) {
  static char text[700];
  snprintf(text, sizeof text, "grid %s\nfield u : %s = %s\nu = u\n", grid, type, file);
  return text;
}

static const char *file_of(const char *name, const char *more) {
  static char text[500];
  snprintf(text, sizeof text, "file(\"%s\"%s)", scratch(name), more);
  return text;
}

CASE(the_last_axis_of_a_file_is_the_first_of_the_grid) {
  static const double v[2][3] = {{1, 2, 3}, {4, 5, 6}};
  run                 r;
  put_npy("a.npy", IK_DT_F64, 2, (int64_t[]){3, 2, 1, 1}, v);
  if (run_program(&r, program_with("x = 3, y = 2", "f64", file_of("a.npy", ""))))
    for (int y = 0; y < 2; y++)
      for (int x = 0; x < 3; x++) CHECK(run_at(&r, "u", x, y, 0) == v[y][x]);
  run_close(&r);
}

CASE(numbers_are_rounded_to_the_field) {
  static const double      v[] = {0.1, -3.75, 1e6, 3};
  static const char *const type[] = {"f64", "f32", "f16", "bf16", "i32"};
  put_npy("b.npy", IK_DT_F64, 1, (int64_t[]){4, 1, 1, 1}, v);
  for (ik_type t = IK_F64; t <= IK_BF16; t++) {
    run r;
    if (run_prepare(&r, program_with("x = 4", type[t], file_of("b.npy", "")), 0, NULL)) {
      ik_loop_start(&r.loop, &r.p.diag); /* 1e6 is beyond f16 */
      for (int x = 0; x < 4; x++) CHECK(run_at(&r, "u", x, 0, 0) == ik_type_round(t, v[x]));
    }
    run_close(&r);
  }
}

CASE(raw_files_need_their_type) {
  static const float v[] = {1.5, 2.5, -3.5};
  run                r;
  scratch_put("c.raw", v, sizeof v);
  if (run_program(&r, program_with("x = 3", "f64", file_of("c.raw", ", f32"))))
    for (int x = 0; x < 3; x++) CHECK(run_at(&r, "u", x, 0, 0) == (double)v[x]);
  run_close(&r);
  if (run_prepare(&r, program_with("x = 3", "f64", file_of("c.raw", "")), 0, NULL)) {
    CHECK(ik_loop_start(&r.loop, &r.p.diag) != IK_OK);
    EXPECT_ERROR(&r.p.diag, IK_E065, "raw");
  }
  run_close(&r);
  if (run_prepare(&r, program_with("x = 4", "f64", file_of("c.raw", ", f32")), 0, NULL)) {
    CHECK(ik_loop_start(&r.loop, &r.p.diag) != IK_OK);
    EXPECT_ERROR(&r.p.diag, IK_E063, "16");
  }
  run_close(&r);
}

CASE(shapes_must_be_those_of_the_field) {
  static const double v[6] = {0};
  static const struct {
    const char *grid, *type, *part;
  } bad[] = {{"x = 2, y = 3", "f64", "'u' has shape 3x2, and"},
             {"x = 2, y = 3", "f64", "holds 2x3"},
             {"x = 6", "f64", "'u' has shape 6, and"},
             {"x = 3, y = 2, z = 1", "f64", "'u' has shape 1x2x3, and"},
             {"x = 3, y = 2", "f64, on (x+1, y)", "'u' has shape 2x4, and"}};
  put_npy("d.npy", IK_DT_F64, 2, (int64_t[]){3, 2, 1, 1}, v);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    run r;
    if (run_prepare(&r, program_with(bad[i].grid, bad[i].type, file_of("d.npy", "")), 0, NULL)) {
      CHECK_EQ(ik_loop_start(&r.loop, &r.p.diag), IK_ERR_SOURCE);
      EXPECT_ERROR(&r.p.diag, IK_E063, bad[i].part);
    }
    run_close(&r);
  }
}

CASE(a_file_that_is_not_there_is_told) {
  run r;
  if (run_prepare(&r, program_with("x = 3", "f64", "file(\"/nowhere/u.npy\")"), 0, NULL)) {
    CHECK(ik_loop_start(&r.loop, &r.p.diag) != IK_OK);
    EXPECT_ERROR(&r.p.diag, IK_E062, "/nowhere/u.npy");
  }
  run_close(&r);
}

CASE(one_level_can_be_loaded_alone) {
  static const double v[] = {7, 8};
  char                text[600];
  run                 r;
  put_npy("e.npy", IK_DT_F64, 1, (int64_t[]){2, 1, 1, 1}, v);
  snprintf(text, sizeof text,
           "grid x = 2\nfield u : f64, history 2 = 1\ninit u[t-1] = %s\nstep 0 { u' = u }\n",
           file_of("e.npy", ""));
  if (run_program(&r, text))
    CHECK(run_level(&r, "u", 0, 1, 0, 0) == 1 && run_level(&r, "u", -1, 1, 0, 0) == 8);
  run_close(&r);
}

CASE(datasets_of_hdf5_files_are_found_by_name) {
  static float v[] = {1, 2, 3}, w[] = {4, 5, 6};
  ik_array     a = {.dtype = IK_DT_F32, .ndim = 1, .n = {3, 1, 1, 1}, .data = v}, b = a;
  ik_hdf5_item item[] = {{"a", &a}, {"b", &b}};
  run          r;
  b.data = w;
  if (!ik_hdf5_available(NULL)) return;
  run_prepare(&r, program_with("x = 3", "f64", file_of("f.h5", ", \"b\"")), 0, NULL);
  CHECK_EQ(ik_hdf5_write(scratch("f.h5"), item, 2, NULL, 0, IK_NOSPAN, &r.p.diag), IK_OK);
  CHECK_EQ(ik_loop_start(&r.loop, &r.p.diag), IK_OK);
  CHECK(run_at(&r, "u", 2, 0, 0) == 6);
  run_close(&r);
}

CASE(a_view_has_the_axes_the_field_is_on) {
  run r;
  if (run_program(&r, "grid x = 3, y = 4, z = 5\nfield u : f16\nfield c : i32, on (x+1, z)\n"
                      "u = c\n")) {
    ik_array u = ik_load_view(r.state, 0), c = ik_load_view(r.state, 1);
    CHECK(u.ndim == 3 && u.n[0] == 3 && u.n[1] == 4 && u.n[2] == 5 && u.dtype == IK_DT_F16);
    CHECK(c.ndim == 2 && c.n[0] == 4 && c.n[1] == 5 && c.n[2] == 1 && c.dtype == IK_DT_I32);
    CHECK(c.data == ik_state_data(r.state, 1, 0));
  }
  run_close(&r);
}
