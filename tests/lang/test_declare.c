#include "io/npy.h"
#include "io/scratch.h"
#include "lang/program.h"

#define STEP "step 1 { u' = u }\n"

/* ---- grid ---- */

CASE(a_grid_has_axes_extents_and_spacings) {
  program p;
  if (MUST_OPEN(&p, "param n = 3\ngrid x = 4*n, y = n + 2, spacing = (2.5 m, 1 km)\n"
                    "field u : f64\n" STEP)) {
    CHECK_EQ(p.ir->ndim, 2);
    CHECK_EQ(p.ir->n[0], 12);
    CHECK_EQ(p.ir->n[1], 5);
    CHECK_EQ(p.ir->n[2], 1);
    CHECK(p.ir->spacing[0] == 2.5 && p.ir->spacing[1] == 1000 && p.ir->spacing[2] == 1);
    CHECK(p.ir->has_spacing);
    CHECK_STR(p.ir->axis[1], "y");
  }
  program_close(&p);
}

CASE(an_axis_may_be_left_out) {
  for (int dim = 1; dim <= 3; dim++) {
    char    text[200];
    program p;
    snprintf(text, sizeof text,
             "param dim = %d\ngrid x = 4, y = 5 if dim >= 2, z = 6 if dim >= 3\n"
             "field u : f64\n" STEP,
             dim);
    if (MUST_OPEN(&p, text)) CHECK_EQ(p.ir->ndim, dim);
    program_close(&p);
  }
  FAILS("grid x = 4, y = 4 if 1\nfield u : f64\n" STEP, IK_E023, "condition");
}

CASE(wrong_grids_are_refused) {
  FAILS("field u : f64\n" STEP, IK_E020, "no grid");
  FAILS("grid x = 4\ngrid y = 4\nfield u : f64\n" STEP, IK_E020, "is already declared");
  FAILS("grid x = 0\nfield u : f64\n" STEP, IK_E022, "not 0");
  FAILS("grid x = 2.5\nfield u : f64\n" STEP, IK_E022, "grid x = 2");
  FAILS("grid x = 4, y = 4, z = 4, w = 4\nfield u : f64\n" STEP, IK_E021, "at most 3 axes");
  FAILS("grid x = 1000000, y = 1000000, z = 1000000\nfield u : f64\n" STEP, IK_E027, "1e15");
  FAILS("grid x = 4, x = 5\nfield u : f64\n" STEP, IK_E011, "'x' is already declared");
  FAILS("grid x = 4, spacing = 0\nfield u : f64\n" STEP, IK_E024, "positive");
  FAILS("grid x = 4, spacing = (1, 2)\nfield u : f64\n" STEP, IK_E030, "2 spacings for 1 axis");
}

/* ---- parameters ---- */

CASE(parameters_are_kept_in_si_units) {
  program p;
  if (MUST_OPEN(&p, "grid x = 4\nparam dt = 0.5 ms, c = 2 km/s, n = 3\nfield u : f64\n"
                    "step 1 { u' = c*n*u }\n")) {
    CHECK_EQ(p.ir->nparam, 3);
    CHECK(p.ir->dt == 0.5e-3 && p.ir->param[1].value == 2000);
    CHECK_STR(p.ir->param[0].unit, "ms");
    CHECK(p.ir->param[2].unit == NULL && !p.ir->param[2].overridden);
  }
  program_close(&p);
}

static double overridden(const char *declared, const char *given, const char **message) {
  static char buf[2000];
  char        text[200];
  ik_source   value = {"outside", given, strlen(given)};
  ik_override over = {.name = "dt", .text = &value};
  program     p;
  double      v = NAN;
  snprintf(text, sizeof text, "grid x = 4\nparam dt = %s\nfield u : f64\n" STEP, declared);
  if (program_open_with(&p, text, &over, 1, -1)) v = p.ir->dt;
  snprintf(buf, sizeof buf, "%s", program_messages(&p));
  *message = buf;
  program_close(&p);
  return v;
}

CASE(parameters_may_call_functions_of_the_program) {
  program p;
  if (MUST_OPEN(&p, "def most(c) = 0.5*dx/c\nparam c = 2\ngrid x = 4, spacing = 3\n"
                    "param dt = most(2*c)\nfield u : f64\n"
                    "step 1 { u' = dt*u }\n"))
    CHECK(strstr(program_body(&p), "0.375") != NULL);
  program_close(&p);
  FAILS("param k = f(2)\ngrid x = 4\nfield u : f64\ndef f(a) = 2*a\n" STEP, IK_E013,
        "unknown function 'f'");
  FAILS("grid x = 4\ndef f(a) = 2*u\nparam k = f(2)\nfield u : f64\n" STEP, IK_E010, "'u'");
}

CASE(values_from_outside_take_the_declared_unit) {
  const char *m;
  CHECK(overridden("0.8 ms", "0.9", &m) == 0.9 * 1e-3);
  CHECK(overridden("0.8 ms", "2 s", &m) == 2);
  CHECK(overridden("0.8", "0.9", &m) == 0.9);
  CHECK(overridden("2*(1 ms)", "0.5", &m) == 0.5);
  CHECK(isnan(overridden("0.8 ms", "2 m", &m)));
  CHECK(strstr(m, "'dt' is declared in s, and this is in m"));
  CHECK(isnan(overridden("0.8 ms", "2 +", &m)));
}

/* ---- fields ---- */

CASE(fields_live_on_axes_with_levels) {
  program p;
  if (MUST_OPEN(&p, "grid x = 4, y = 5, z = 6\nfield u, v : f32, history 3\n"
                    "field c : f16, on (x+1, z)\nfield k : i32, on y\nstep 1 { u' = v*c*k }\n")) {
    const ik_field *f = p.ir->field;
    CHECK_EQ(p.ir->nfield, 4);
    CHECK(f[1].history == 3 && f[1].type == IK_F32 && f[0].has_new && !f[1].has_new);
    CHECK(f[2].on[0] && !f[2].on[1] && f[2].on[2]);
    CHECK(f[2].box.hi[0] == 5 && f[2].box.hi[1] == 1 && f[2].box.hi[2] == 6);
    CHECK(!f[3].on[0] && f[3].on[1] && f[3].type == IK_I32);
  }
  program_close(&p);
}

CASE(wrong_fields_are_refused) {
  FAILS("grid x = 4\nfield u : double\n" STEP, IK_E026, "field u : f64");
  FAILS("grid x = 4\nfield u : complex\n" STEP, IK_E026, "the types are");
  FAILS("grid x = 4\nfield u : f64\nfield u : f32\n" STEP, IK_E011, "declared here");
  FAILS("grid x = 4\nfield u : f64, history 17\n" STEP, IK_E024, "1 to 16");
  FAILS("grid x = 4\nfield u : f64, on q\n" STEP, IK_E012, "axis");
  FAILS("grid x = 4, y = 4\nfield u : f64, on (y, x)\n" STEP, IK_E030, "order of the grid");
  FAILS("grid x = 4\nfield u : f64\ndef sin(a) = a\n" STEP, IK_E011, "my_sin");
  FAILS("language 2\ngrid x = 4\nfield u : f64\n" STEP, IK_E006, "language 1");
  FAILS("arithmetic chain i32\ngrid x = 4\nfield u : f64\n" STEP, IK_E026, "floating-point");
}

/* ---- boundaries ---- */

CASE(faces_have_kinds) {
  program p;
  if (MUST_OPEN(&p, "grid x = 4, y = 4\nparam a = 2\nfield u, v : f64\n"
                    "boundary u { -x = mirror; +x = a*y + t; y = periodic }\n"
                    "boundary v { x = reflect; -y = antimirror; +y = copy }\n" STEP)) {
    const ik_field *u = &p.ir->field[0], *v = &p.ir->field[1];
    CHECK(u->bc[0][0].kind == IK_BC_MIRROR && u->bc[0][1].kind == IK_BC_VALUE);
    CHECK(u->bc[1][0].kind == IK_BC_PERIODIC && u->bc[1][1].kind == IK_BC_PERIODIC);
    CHECK(v->bc[0][0].kind == IK_BC_REFLECT && v->bc[0][1].kind == IK_BC_REFLECT);
    CHECK(v->bc[1][0].kind == IK_BC_ANTIMIRROR && v->bc[1][1].kind == IK_BC_COPY);
    CHECK_STR(program_expr(&p, u->bc[0][1].value),
              "(add.f64 (mul.f64 (f64 2) (coord.f64 y)) (time.f64))");
  }
  program_close(&p);
}

CASE(wrong_boundaries_are_refused) {
#define G "grid x = 4, y = 4\nfield u : f64\n"
  FAILS(G "boundary u = 0\nboundary u { -x = 1 }\n" STEP, IK_E041, "face -x of 'u'");
  FAILS(G "boundary u { -x = periodic }\n" STEP, IK_E041, "one end only");
  FAILS(G "boundary u { -x = periodic; +x = 0 }\n" STEP, IK_E041, "one end only");
  FAILS(G "boundary u = perodic\n" STEP, IK_E013, "boundary u = periodic");
  FAILS(G "boundary u = wall\n" STEP, IK_E013, "unknown boundary condition");
  FAILS(G "boundary u { z = 0 }\n" STEP, IK_E010, "axis 'z'");
  FAILS(G "boundary w = 0\n" STEP, IK_E010, "field 'w'");
  FAILS(G "boundary u = 1 > 0\n" STEP, IK_E032, "number");
}

/* ---- initial values ---- */

CASE(all_levels_start_alike_unless_told) {
  run r;
  if (run_program(&r, "grid x = 4\nfield u : f64, history 3 = 10*x\ninit u[t-2] = 7\n"
                      "step 0 { u' = u }\n"))
    for (int x = 0; x < 4; x++) {
      CHECK(run_level(&r, "u", 0, x, 0, 0) == 10 * x);
      CHECK(run_level(&r, "u", -1, x, 0, 0) == 10 * x);
      CHECK(run_level(&r, "u", -2, x, 0, 0) == 7);
    }
  run_close(&r);
}

CASE(initial_values_are_computed_in_f64_and_rounded_once) {
  run r;
  if (run_program(&r, "grid x = 64\nfield u : f16 = 0.1*x*x\nfield k : i32 = x/2\n"
                      "step 0 { u' = u }\n"))
    for (int x = 0; x < 64; x++) {
      CHECK(run_at(&r, "u", x, 0, 0) == ik_type_round(IK_F16, 0.1 * x * x));
      CHECK(run_at(&r, "k", x, 0, 0) == x / 2);
    }
  run_close(&r);
}

CASE(an_initial_value_may_use_other_fields) {
  run r;
  if (run_program(&r, "grid x = 5\nfield u : f64 = x\nfield v : f64 = u[1] + sum(u)\n"
                      "boundary u = 100\nstep 0 { u' = u }\n")) {
    CHECK(run_at(&r, "v", 0, 0, 0) == 11);
    CHECK(run_at(&r, "v", 4, 0, 0) == 110);
  }
  run_close(&r);
}

CASE(initial_values_come_from_files) {
  double   v[] = {5, 6, 7};
  ik_array a = {.dtype = IK_DT_F64, .ndim = 1, .n = {3, 1, 1, 1}, .data = v};
  ik_diag  d = {0};
  char     text[600];
  run      r;
  CHECK_EQ(ik_npy_write(scratch("v.npy"), &a, IK_NOSPAN, &d), IK_OK);
  snprintf(text, sizeof text,
           "grid x = 3\nfield u : f32, history 2 = file(\"%s\")\nstep 0 { u' = u }\n",
           scratch("v.npy"));
  if (run_program(&r, text))
    for (int level = -1; level <= 0; level++) CHECK(run_level(&r, "u", level, 2, 0, 0) == 7);
  run_close(&r);
}

CASE(wrong_initial_values_are_refused) {
  FAILS("grid x = 4\nfield u : f64 = file()\n" STEP, IK_E014, "file(\"c.npy\")");
  FAILS("grid x = 4\nfield u : f64 = file(\"a.raw\", q)\n" STEP, IK_E026, "f32");
  FAILS("grid x = 4\nfield u : f64\ninit u[1] = 0\n" STEP, IK_E012, "without offsets");
  FAILS("grid x = 4\nfield u : f64\ninit u[t-1] = 0\n" STEP, IK_E031, "history 2");
  FAILS("grid x = 4\nfield u : f64\ninit w = 0\n" STEP, IK_E010, "'w'");
  FAILS("grid x = 4\nfield u : f64 = u'\n" STEP, IK_E033, "only inside a step");
}
