#include "runtime/load.h"
#include "io/hdf5.h"
#include "io/npy.h"
#include "io/segy.h"
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
    ik_array u = ik_load_view(r.state, 0, 0), c = ik_load_view(r.state, 1, 0);
    CHECK(u.ndim == 3 && u.n[0] == 3 && u.n[1] == 4 && u.n[2] == 5 && u.dtype == IK_DT_F16);
    CHECK(c.ndim == 2 && c.n[0] == 4 && c.n[1] == 5 && c.n[2] == 1 && c.dtype == IK_DT_I32);
    CHECK(c.data == ik_state_data(r.state, 1, 0));
  }
  run_close(&r);
}

/* ---- velocity models ---- */

/* Traces of `ns` samples; sample k of trace i is 100*i + k. */
static const char *put_model(int ntrace, int ns) {
  static float         v[1000];
  static ik_segy_point p[100];
  ik_diag              d = {0};
  ik_segy_gather       g = {.ntrace = ntrace, .nsample = ns, .dt_s = 1e-3, .data = v};
  for (int i = 0; i < ntrace * ns; i++) v[i] = (float)(100 * (i / ns) + i % ns);
  g.receiver = g.source = p;
  CHECK_EQ(ik_segy_write(scratch("m.segy"), &g, IK_NOSPAN, &d), IK_OK);
  return file_of("m.segy", "");
}

CASE(traces_of_a_model_go_down) {
  static const struct {
    const char *grid, *want;
    int         ntrace, ns;
  } table[] = {
      {"x = 4, z = 3", "100*x + z", 4, 3},
      {"z = 3, x = 4", "100*x + z", 4, 3},
      {"x = 4, y = 3, down = y", "100*x + y", 4, 3},
      {"x = 4, z = 3, up = z", "100*x + 2 - z", 4, 3},
      {"z = 5", "z", 1, 5},
      {"x = 4, y = 2, z = 3", "100*(x + 4*y) + z", 8, 3},
      {"z = 3, y = 2, x = 4", "100*(x + 4*y) + z", 8, 3},
      {"y = 2, z = 3, x = 4", "100*(x + 4*y) + z", 8, 3},
      {"x = 3, y = 4", "x + 100*y", 4, 3}, /* no depth: as the file has it */
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    char text[900];
    run  r;
    snprintf(text, sizeof text,
             "grid %s\nfield u : f64 = %s\nfield w : f64 = %s\nu = u\nfar = max(abs(u - w))\n",
             table[i].grid, put_model(table[i].ntrace, table[i].ns), table[i].want);
    if (run_program(&r, text) && r.state->scalar[0] != 0)
      check_fail(__FILE__, __LINE__, "%s: off by %g", table[i].grid, r.state->scalar[0]);
    run_close(&r);
  }
}

CASE(models_of_another_shape_are_refused) {
  static const struct {
    const char *grid, *part;
  } bad[] = {{"x = 3, z = 4", "'u' needs 3 traces of 4 samples along z, and"},
             {"x = 3, z = 4", "holds 4 of 3"},
             {"x = 3, z = 4", "transpose?"},
             {"x = 4, z = 4", "'u' needs 4 traces of 4 samples"},
             {"x = 2, y = 4, z = 3", "'u' needs 8 traces of 3 samples"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    run r;
    if (run_prepare(&r, program_with(bad[i].grid, "f64", put_model(4, 3)), 0, NULL)) {
      CHECK(ik_loop_start(&r.loop, &r.p.diag) != IK_OK);
      EXPECT_ERROR(&r.p.diag, IK_E063, bad[i].part);
    }
    run_close(&r);
  }
}

CASE(extents_that_are_the_reverse_are_told) {
  static const double v[24] = {0};
  static const struct {
    const char *grid;
    int64_t     n[4];
    int         ndim;
    bool        told;
  } table[] = {{"x = 2, y = 3", {3, 2, 1, 1}, 2, true},
               {"x = 2, y = 3, z = 4", {4, 3, 2, 1}, 3, true},
               {"x = 2, y = 3, z = 4", {3, 2, 4, 1}, 3, false},
               {"x = 2, y = 4", {3, 2, 1, 1}, 2, false}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    run    r;
    ik_buf said = {0};
    put_npy("t.npy", IK_DT_F64, table[i].ndim, table[i].n, v);
    if (run_prepare(&r, program_with(table[i].grid, "f64", file_of("t.npy", "")), 0, NULL)) {
      CHECK(ik_loop_start(&r.loop, &r.p.diag) != IK_OK);
      ik_diag_render(&r.p.diag, false, &said);
      CHECK((strstr(ik_buf_text(&said), "transpose?") != NULL) == table[i].told);
    }
    ik_buf_free(&said);
    run_close(&r);
  }
}

CASE(an_array_of_an_npz_file_is_chosen_by_its_name) {
  run  r;
  char file[300];
  snprintf(file, sizeof file, "file(\"%s\", \"u\")", check_data("tests/io/data/deflated.npz"));
  if (run_program(&r, program_with("x = 4, y = 3", "f64", file)))
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 4; x++) CHECK(run_at(&r, "u", x, y, 0) == 4 * y + x);
  run_close(&r);
}
