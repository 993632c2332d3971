#include "io/npy.h"
#include "io/scratch.h"
#include "lang/program.h"

#define D1 "grid x = 9\nfield u : f64\nboundary u = 0\n"
#define D2 "grid x = 9, y = 9\nfield u : f64\nboundary u = 0\n"
#define D3 "grid x = 9, y = 9, z = 9\nfield u : f64\nboundary u = 0\n"

CASE(a_list_runs_from_the_slowest_axis_inwards) {
  LOWERS(D1 "weights w = [2, 0, 3]\n", "stencil(u, w)",
         "(fma.f64 (f64 3) u@0[1] (mul.f64 (f64 2) u@0[-1]))");
  LOWERS(D2 "weights w = [[0, 2, 0], [3, 0, 4], [0, 5, 0]]\n", "stencil(u, w)",
         "(fma.f64 (f64 5) u@0[0,1] (fma.f64 (f64 4) u@0[1,0] (fma.f64 (f64 3) u@0[-1,0] "
         "(mul.f64 (f64 2) u@0[0,-1]))))");
  LOWERS(D3 "weights w = [[[2]], [[3]], [[4]]]\n", "stencil(u, w)",
         "(fma.f64 (f64 4) u@0[0,0,1] (fma.f64 (f64 3) u@0 (mul.f64 (f64 2) u@0[0,0,-1])))");
}

CASE(weights_may_be_computed) {
  LOWERS(D1 "param a = 2\nweights w = [a, 1/a, -a]\n", "stencil(u, w)",
         "(fma.f64 (f64 -2) u@0[1] (fma.f64 (f64 0.5) u@0 (mul.f64 (f64 2) u@0[-1])))");
  LOWERS(D2 "weights w = star(1, 10*i + 100*j)\n", "stencil(u, w)",
         "(fma.f64 (f64 100) u@0[0,1] (fma.f64 (f64 10) u@0[1,0] (fma.f64 (f64 -10) u@0[-1,0] "
         "(mul.f64 (f64 -100) u@0[0,-1]))))");
  LOWERS(D2 "weights w = box(1, if distance == 2 then 2 + i else 0)\n", "stencil(u, w)",
         "(fma.f64 (f64 3) u@0[1,1] (add.f64 (fma.f64 (f64 3) u@0[1,-1] u@0[-1,-1]) u@0[-1,1]))");
  LOWERS(D2 "weights w = star(0, 7)\n", "stencil(u, w)", "(mul.f64 (f64 7) u@0)");
}

static int count_points(const char *head, const char *declaration) {
  char    text[400];
  program p;
  int     n = -1;
  snprintf(text, sizeof text, "%sweights w = %s\nstep 1 { u' = stencil(u, w) }\n", head,
           declaration);
  if (MUST_OPEN(&p, text)) {
    const char *s = program_expr(&p, program_assign(&p, "u", 1, 0)->value);
    for (n = 0; (s = strstr(s, "u@0")); s++) n++;
  }
  program_close(&p);
  return n;
}

CASE(stars_and_boxes_have_their_points) {
  CHECK_EQ(count_points(D1, "star(2, 3)"), 5);
  CHECK_EQ(count_points(D2, "star(2, 3)"), 9);
  CHECK_EQ(count_points(D3, "star(4, 3)"), 25);
  CHECK_EQ(count_points(D2, "box(1, 3)"), 9);
  CHECK_EQ(count_points(D3, "box(1, 3)"), 27);
  CHECK_EQ(count_points(D3, "box(1, k)"), 18);
}

CASE(a_pattern_applies_to_expressions) {
  LOWERS(D1 "weights w = [1, 0, -1]\n", "stencil(u*u, w)",
         "(fma.f64 (neg.f64 u@0[1]) u@0[1] (mul.f64 u@0[-1] u@0[-1]))");
}

CASE(an_empty_pattern_is_zero) { LOWERS(D1 "weights w = [0]\n", "u + stencil(u, w)", "u@0"); }

static void put(const char *name, int ndim, int64_t a, int64_t b, const double *v) {
  ik_array x = {.dtype = IK_DT_F64, .ndim = ndim, .n = {a, b, 1, 1}, .data = (void *)v};
  ik_diag  d = {0};
  CHECK_EQ(ik_npy_write(scratch(name), &x, IK_NOSPAN, &d), IK_OK);
}

CASE(patterns_come_from_files) {
  static const double dense[] = {0, 2, 0, 3, 0, 4, 0, 5, 0};
  static const double sparse[] = {-3, 1, 7, 2, 0, 9}; /* two rows: offsets along x, y; weight */
  char                head[900];
  put("dense.npy", 2, 3, 3, dense), put("sparse.npy", 2, 3, 2, sparse);
  snprintf(head, sizeof head, D2 "weights w = file(\"%s\")\n", scratch("dense.npy"));
  LOWERS(head, "stencil(u, w)",
         "(fma.f64 (f64 5) u@0[0,1] (fma.f64 (f64 4) u@0[1,0] (fma.f64 (f64 3) u@0[-1,0] "
         "(mul.f64 (f64 2) u@0[0,-1]))))");
  snprintf(head, sizeof head, D2 "weights w = sparse(\"%s\")\n", scratch("sparse.npy"));
  LOWERS(head, "stencil(u, w)", "(fma.f64 (f64 7) u@0[-3,1] (mul.f64 (f64 9) u@0[2,0]))");
}

CASE(wrong_files_are_refused) {
  static const double even[4] = {1, 2, 3, 4}, half[3] = {0.5, 0, 1};
  char                text[900];
  put("even.npy", 2, 2, 2, even), put("half.npy", 2, 3, 1, half), put("flat.npy", 1, 3, 1, half);
#define STEP "\nstep 1 { u' = stencil(u, w) }\n"
  snprintf(text, sizeof text, D2 "weights w = file(\"%s\")" STEP, scratch("even.npy"));
  FAILS(text, IK_E063, "odd number");
  snprintf(text, sizeof text, D2 "weights w = file(\"%s\")" STEP, scratch("flat.npy"));
  FAILS(text, IK_E063, "1 dimensions, the grid has 2");
  snprintf(text, sizeof text, D2 "weights w = sparse(\"%s\")" STEP, scratch("half.npy"));
  FAILS(text, IK_E063, "offset 0.5");
  snprintf(text, sizeof text, D2 "weights w = sparse(\"%s\")" STEP, scratch("even.npy"));
  FAILS(text, IK_E063, "rows of 2 offsets and a weight");
}

CASE(wrong_patterns_are_told_once) {
  FAILS(D2 "weights w = [1, 2, 1]" STEP, IK_E063, "along axis x");
  FAILS(D1 "weights w = [[1]]" STEP, IK_E063, "more brackets");
  FAILS(D1 "weights w = [1, 2]" STEP, IK_E063, "must be odd");
  FAILS(D1 "weights w = star(1)" STEP, IK_E014, "a radius and a weight");
  FAILS(D1 "weights w = star(65, 1)" STEP, IK_E024, "0 to 64");
  FAILS(D1 "weights w = 3" STEP, IK_E014, "star()");
  FAILS(D1 "weights w = [u, 1, 2]" STEP, IK_E010, "u");
  FAILS(D3 "weights w = box(64, 1)" STEP, IK_E005, "a pattern of more than");
  program p;
  CHECK(!program_open(&p, D1 "weights w = [1, 2]" STEP));
  CHECK_EQ(p.diag.nerror, 1);
  program_close(&p);
}
