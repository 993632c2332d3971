#include "interp/interp.h"
#include "base/mem.h"
#include "lang/program.h"

static uint32_t next(uint32_t *s) { return (*s = *s * 1664525u + 1013904223u) >> 8; }

/* ---- reductions ---- */

static double combine(ik_reduce r, ik_type t, double a, double b) {
  if (r == IK_MINIMUM) return a < b ? a : b;
  if (r == IK_MAXIMUM) return a > b ? a : b;
  return t == IK_F32 ? (float)((float)a + (float)b) : a + b;
}

/* The definition: the left part takes the largest power of two below n. */
static double tree(ik_reduce r, ik_type t, const double *v, int64_t n) {
  int64_t left = 1;
  if (n == 1) return v[0];
  for (int64_t p = 1; p < n; p *= 2) left = p;
  return combine(r, t, tree(r, t, v, left), tree(r, t, v + left, n - left));
}

static double row(ik_reduce r, ik_type t, const double *v, int64_t n) {
  double lane[16];
  for (int64_t i = 0; i < n; i++) lane[i % 16] = i < 16 ? v[i] : combine(r, t, lane[i % 16], v[i]);
  return tree(r, t, lane, n < 16 ? n : 16);
}

CASE(the_tree_is_its_definition) {
  enum { MOST = 1000 };
  static double    v[MOST];
  static const int extra[] = {255, 256, 257, 258, 259, 260, 512, 1000};
  uint32_t         seed = 3;
  for (int i = 0; i < MOST; i++) v[i] = ldexp((double)next(&seed) - 0x1p23, -20);
  for (int k = 1; k <= 70 + 8; k++) {
    int64_t n = k <= 70 ? k : extra[k - 71];
    for (ik_reduce r = IK_SUM; r <= IK_MAXIMUM; r++)
      for (ik_type t = IK_F64; t <= IK_F32; t++)
        CHECK(ik_interp_tree(r, t, v, n) == tree(r, t, v, n));
  }
}

/* sum, min and max of a field of nx by ny by nz cells, against the definition. */
static void check_reduction(const char *type, int nx, int ny, int nz) {
  static double v[4096], partial[512];
  char          text[500];
  run           r;
  snprintf(text, sizeof text,
           "grid x = %d, y = %d, z = %d\nfield u : %s = 2*noise(1) - 1\n"
           "s = sum(u); a = min(u); b = max(u)\n",
           nx, ny, nz, type);
  if (run_program(&r, text)) {
    ik_type t = r.p.ir->field[0].type;
    for (int i = 0; i < nx * ny * nz; i++) v[i] = run_at(&r, "u", i % nx, i / nx % ny, i / nx / ny);
    for (ik_reduce k = IK_SUM; k <= IK_MAXIMUM; k++) {
      for (int j = 0; j < ny * nz; j++) partial[j] = row(k, t, v + j * nx, nx);
      const char *name = k == IK_SUM ? "s" : k == IK_MINIMUM ? "a" : "b";
      double      want = tree(k, t, partial, ny * nz), got = run_scalar(&r, name);
      if (got != want)
        check_fail(__FILE__, __LINE__, "%s of %dx%dx%d %s: %.17g, not %.17g", name, nx, ny, nz,
                   type, got, want);
    }
  }
  run_close(&r);
}

CASE(a_reduction_goes_by_lanes_rows_and_the_tree) {
  static const int length[] = {1, 2, 15, 16, 17, 31, 33, 255, 256, 257, 260, 512, 513, 1000};
  for (size_t i = 0; i < sizeof length / sizeof *length; i++) {
    check_reduction("f64", length[i], 1, 1), check_reduction("f32", length[i], 1, 1);
    check_reduction("f32", length[i], 3, 1);
  }
  for (int n = 1; n <= 20; n++) check_reduction("f32", 7, n, 5);
}

CASE(integers_are_summed_with_wrapping) {
  run r;
  if (run_program(&r, "grid x = 40\nfield u : i32 = 1000000000\ns = sum(u)\n"))
    CHECK(run_scalar(&r, "s") == (int32_t)(uint32_t)40000000000u);
  run_close(&r);
}

/* ---- assignments ---- */

CASE(a_field_that_reads_its_neighbours_sees_old_values) {
  enum { NX = 600, NY = 3 }; /* rows longer than the interpreter's */
  run    r;
  double old[NY][NX];
  if (run_program(&r, "grid x = 600, y = 3\nfield u : f64 = noise(2)\nfield v : f64 = noise(2)\n"
                      "boundary u = periodic\nu = u[-1,0] + 2*u[1,0] - u[0,1]\n")) {
    for (int y = 0; y < NY; y++)
      for (int x = 0; x < NX; x++) old[y][x] = run_at(&r, "v", x, y, 0);
    for (int y = 0; y < NY; y++)
      for (int x = 0; x < NX; x++) {
        double want = old[y][(x + NX - 1) % NX];
        want = fma(2, old[y][(x + 1) % NX], want) - old[(y + 1) % NY][x];
        CHECK(run_at(&r, "u", x, y, 0) == want);
      }
  }
  run_close(&r);
}

CASE(rows_longer_than_the_interpreters_are_like_short_ones) {
  enum { N = 700 };
  run    r;
  double u[N], next_u[N];
  if (run_program(&r, "grid x = 700\nfield u : f64 = noise(5)\nboundary u { -x = 3; +x = mirror }\n"
                      "step 4 { u' = 0.5*u[-2] + 0.25*u + 0.25*u[3] }\n")) {
    run start;
    CHECK(run_program(&start, "grid x = 700\nfield u : f64 = noise(5)\nu = u\n"));
    for (int x = 0; x < N; x++) u[x] = run_at(&start, "u", x, 0, 0);
    run_close(&start);
    for (int step = 0; step < 4; step++) {
      for (int x = 0; x < N; x++) {
        double left = x < 2 ? 3 : u[x - 2], right = x + 3 < N ? u[x + 3] : u[2 * N - 1 - x - 3];
        next_u[x] = fma(0.25, right, fma(0.25, u[x], 0.5 * left));
      }
      memcpy(u, next_u, sizeof u);
    }
    for (int x = 0; x < N; x++) CHECK(run_at(&r, "u", x, 0, 0) == u[x]);
  }
  run_close(&r);
}

CASE(storage_is_rounded_to_nearest_even) {
  static const char *const type[] = {"f64", "f32", "f16", "bf16"};
  for (ik_type t = IK_F64; t <= IK_BF16; t++) {
    char text[200];
    run  r;
    snprintf(text, sizeof text, "grid x = 300\nfield u : %s\nfield v : f64 = noise(1)\nu = v\n",
             type[t]);
    if (run_program(&r, text))
      for (int x = 0; x < 300; x++)
        CHECK(run_at(&r, "u", x, 0, 0) == ik_type_round(t, run_at(&r, "v", x, 0, 0)));
    run_close(&r);
  }
}

CASE(fields_on_fewer_axes_are_read_alike_along_the_others) {
  run r;
  if (run_program(&r, "grid x = 5, y = 4, z = 3\nfield u : f64\nfield a : f64, on y = 10*y\n"
                      "field b : f64, on (x, z) = 100*x + 1000*z\nboundary a = -7\n"
                      "u = a[1] + b\n"))
    for (int z = 0; z < 3; z++)
      for (int y = 0; y < 4; y++)
        for (int x = 0; x < 5; x++)
          CHECK(run_at(&r, "u", x, y, z) == (y < 3 ? 10 * (y + 1) : -7) + 100 * x + 1000 * z);
  run_close(&r);
}

/* ---- sweeps ---- */

CASE(gauss_seidel_goes_cell_by_cell_in_order) {
  enum { NX = 6, NY = 5 };
  for (int order = 0; order < 2; order++)
    for (int down = 0; down < 4; down++) {
      char    text[400];
      int32_t u[NY + 2][NX + 2] = {{0}};
      run     r;
      snprintf(text, sizeof text,
               "grid x = 6, y = 5\nfield u : i32 = x*y + 1\nboundary u = 0\n"
               "sweep %s %s, %s %s { u = u[-1,0] + 2*u[1,0] + 3*u[0,-1] + 5*u[0,1] - u }\n",
               order ? "y" : "x", (order ? down & 2 : down & 1) ? "down" : "up", order ? "x" : "y",
               (order ? down & 1 : down & 2) ? "down" : "up");
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) u[y + 1][x + 1] = x * y + 1;
      for (int k = 0; k < NX * NY; k++) { /* the first axis named is the outer loop */
        int i = order ? k % NX : k / NY, j = order ? k / NX : k % NY;
        int x = 1 + (down & 1 ? NX - 1 - i : i), y = 1 + (down & 2 ? NY - 1 - j : j);
        u[y][x] = u[y][x - 1] + 2 * u[y][x + 1] + 3 * u[y - 1][x] + 5 * u[y + 1][x] - u[y][x];
      }
      if (run_program(&r, text))
        for (int y = 0; y < NY; y++)
          for (int x = 0; x < NX; x++) CHECK(run_at(&r, "u", x, y, 0) == u[y + 1][x + 1]);
      run_close(&r);
    }
}

CASE(a_sweep_along_one_axis_does_whole_planes) {
  run r;
  if (run_program(&r, "grid x = 300, y = 6\nfield u : f64 = x\nboundary u = 0\n"
                      "sweep y up { u = u + u[-1,-1] + u[1,-1] }\n")) {
    static double u[6][302];
    for (int y = 0; y < 6; y++)
      for (int x = 0; x < 300; x++) u[y][x + 1] = y ? x + u[y - 1][x] + u[y - 1][x + 2] : x;
    for (int y = 0; y < 6; y++)
      for (int x = 0; x < 300; x++) CHECK(run_at(&r, "u", x, y, 0) == u[y][x + 1]);
  }
  run_close(&r);
}

/* ---- steps ---- */

CASE(levels_move_back_after_each_step) {
  run r;
  if (run_program(&r, "grid x = 2\nfield u : f64, history 3\nfield v : f64\n"
                      "step 5 { v' = 100*u + 10*u[t-1] + u[t-2]; u' = t + 1 }\n")) {
    CHECK(run_level(&r, "u", 0, 0, 0, 0) == 5 && run_level(&r, "u", -1, 0, 0, 0) == 4);
    CHECK(run_level(&r, "u", -2, 0, 0, 0) == 3);
    CHECK(run_at(&r, "v", 1, 0, 0) == 432);
  }
  run_close(&r);
}

CASE(all_statements_of_a_step_see_the_old_values) {
  run r;
  if (run_program(&r, "grid x = 1\nfield a, b : f64 = 1\nstep 10 { a' = a + b; b' = a }\n")) {
    CHECK(run_at(&r, "a", 0, 0, 0) == 144); /* Fibonacci */
    CHECK(run_at(&r, "b", 0, 0, 0) == 89);
  }
  run_close(&r);
}

CASE(scalars_follow_the_order_of_statements) {
  run r;
  if (run_program(&r, "grid x = 3\nfield u : f64 = 1\nscalar a : f32 = 0.1\n"
                      "s = sum(u); u = s*u; s = sum(u) + a\n"))
    CHECK(run_scalar(&r, "s") == 9 + (double)0.1f);
  run_close(&r);
}

CASE(a_cell_can_be_read_from_outside) {
  run        r;
  ik_interp *in;
  if (run_program(&r, "grid x = 4, y = 2\nfield u : f64 = 1 + x + 4*y\n"
                      "boundary u { x = antimirror; y = 50 }\nu = u\n")) {
    CHECK_EQ(ik_interp_create(r.state, &r.p.diag, &in), IK_OK);
    CHECK(ik_interp_read(in, 0, 0, (int64_t[]){2, 1, 0}) == 7);
    CHECK(ik_interp_read(in, 0, 0, (int64_t[]){-2, 1, 0}) == -6);
    CHECK(ik_interp_read(in, 0, 0, (int64_t[]){1, -3, 0}) == 50);
    CHECK(ik_interp_read(in, 0, 0, (int64_t[]){-1, 2, 0}) == -50);
    ik_interp_destroy(&in);
  }
  run_close(&r);
}

CASE(an_interpreter_without_memory_says_so) {
  run        r;
  ik_interp *in;
  if (run_prepare(&r, "grid x = 9\nfield u : f64\nboundary u = 0\nu = u[1] + sum(u)\n", 0, NULL))
    for (long n = 0;; n++) {
      ik_mem_fail_after(n);
      ik_status st = ik_interp_create(r.state, &r.p.diag, &in);
      ik_mem_fail_after(-1);
      if (st == IK_OK) {
        ik_interp_destroy(&in);
        CHECK(n >= 4);
        break;
      }
      CHECK_EQ(st, IK_ERR_RESOURCE);
      CHECK(in == NULL);
    }
  run_close(&r);
}
