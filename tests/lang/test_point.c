#include "io/npy.h"
#include "io/scratch.h"
#include "lang/program.h"

#define HEAD "grid x = 21, y = 17, spacing = 10 m\nfield u : f64\nstep 4 { u' = u }\n"

static bool source_at(program *p, const char *position) {
  char text[400];
  snprintf(text, sizeof text, HEAD "source 1 at %s into u\n", position);
  return MUST_OPEN(p, text);
}

static double sum_of(const ik_tap *tap, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += tap[i].weight;
  return sum;
}

/* ---- weights ---- */

CASE(a_point_on_a_cell_is_that_cell) {
  static const char *const with[] = {"", " with linear", " with sinc"};
  for (int k = 0; k < 3; k++) {
    char    at[60];
    program p;
    snprintf(at, sizeof at, "(5, 7)%s", with[k]);
    if (source_at(&p, at)) {
      const ik_inject *j = &p.ir->inject[0];
      CHECK_EQ(j->ntap, 1);
      CHECK(j->tap[0].at[0] == 5 && j->tap[0].at[1] == 7 && j->tap[0].weight == 1);
    }
    program_close(&p);
  }
}

CASE(linear_weights_are_the_distances_to_the_other_cell) {
  program p;
  if (source_at(&p, "(5.25, 7.5)")) {
    const ik_inject *j = &p.ir->inject[0];
    CHECK_EQ(j->ntap, 4);
    CHECK(j->tap[0].at[0] == 5 && j->tap[0].at[1] == 7 && j->tap[0].weight == 0.75 * 0.5);
    CHECK(j->tap[1].at[0] == 6 && j->tap[1].at[1] == 7 && j->tap[1].weight == 0.25 * 0.5);
    CHECK(j->tap[3].at[0] == 6 && j->tap[3].at[1] == 8 && j->tap[3].weight == 0.25 * 0.5);
  }
  program_close(&p);
}

CASE(weights_add_up_to_one) {
  for (int i = 0; i <= 40; i++) {
    char    at[100];
    double  x = 5 + i / 40.0, y = 7 + (i * 7 % 40) / 40.0;
    program p;
    snprintf(at, sizeof at, "(%.17g, %.17g)", x, y);
    if (source_at(&p, at)) CHECK_NEAR(sum_of(p.ir->inject[0].tap, p.ir->inject[0].ntap), 1, 1e-15);
    program_close(&p);
    snprintf(at, sizeof at, "(%.17g, %.17g) with sinc", x, y);
    if (source_at(&p, at)) {
      CHECK_NEAR(sum_of(p.ir->inject[0].tap, p.ir->inject[0].ntap), 1, 1e-3);
      CHECK(p.ir->inject[0].ntap <= 64);
    }
    program_close(&p);
  }
}

CASE(points_near_an_edge_stay_inside) {
  program p;
  if (source_at(&p, "(20, 0.5)")) {
    CHECK_EQ(p.ir->inject[0].ntap, 2);
    CHECK_NEAR(sum_of(p.ir->inject[0].tap, 2), 1, 1e-15);
  }
  program_close(&p);
  if (source_at(&p, "(19.5, 0.5) with sinc")) {
    const ik_inject *j = &p.ir->inject[0];
    CHECK_EQ(j->ntap, 25); /* 5 of 8 cells along each axis */
    for (int i = 0; i < j->ntap; i++)
      CHECK(j->tap[i].at[0] >= 16 && j->tap[i].at[0] <= 20 && j->tap[i].at[1] >= 0 &&
            j->tap[i].at[1] <= 4);
  }
  program_close(&p);
}

CASE(sinc_reconstructs_a_smooth_wave) {
  program p;
  double  sum = 0, k = 2 * M_PI / 8; /* eight cells per wavelength */
  if (source_at(&p, "(10.3, 8) with sinc")) {
    const ik_inject *j = &p.ir->inject[0];
    for (int i = 0; i < j->ntap; i++) sum += j->tap[i].weight * cos(k * (double)j->tap[i].at[0]);
  }
  CHECK_NEAR(sum, cos(k * 10.3), 1e-3);
  program_close(&p);
}

/* ---- positions ---- */

CASE(positions_are_cells_or_lengths) {
  static const struct {
    const char *given;
    double      x, y;
  } at[] = {{"(3, 4)", 3, 4},
            {"(30 m, 40 m)", 3, 4},
            {"(0.035 km, 2)", 3.5, 2},
            {"(nx/2 - 0.5, ny - 1)", 10, 16},
            {"(200 m, 160 m)", 20, 16}};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    program p;
    if (source_at(&p, at[i].given)) {
      CHECK_NEAR(p.ir->inject[0].position[0], at[i].x, 1e-12);
      CHECK_NEAR(p.ir->inject[0].position[1], at[i].y, 1e-12);
    }
    program_close(&p);
  }
}

CASE(a_length_that_is_a_whole_number_of_cells_is_one) {
  for (int n = 1; n < 100; n++) {
    char    text[300];
    program p;
    snprintf(text, sizeof text,
             "grid x = %d, spacing = 0.1 m\nfield u : f64\nsource 1 at %d.%d m into u\n"
             "step 1 { u' = u }\n",
             n + 1, n / 10, n % 10);
    if (MUST_OPEN(&p, text)) {
      CHECK_EQ(p.ir->inject[0].ntap, 1);
      CHECK_EQ(p.ir->inject[0].tap[0].at[0], n);
    }
    program_close(&p);
  }
}

CASE(wrong_positions_are_refused) {
#define AT(position) HEAD "source 1 at " position " into u\n"
  FAILS(AT("(21, 3)"), IK_E060, "x = 21, cells are 0 .. 20");
  FAILS(AT("(-0.5, 3)"), IK_E060, "outside the grid");
  FAILS(AT("(3, 1 km)"), IK_E060, "y = 100");
  FAILS(AT("3"), IK_E060, "1 coordinate in a grid of 2 axes");
  FAILS(AT("(1, 2, 3)"), IK_E060, "3 coordinates");
  FAILS(AT("(1 s, 2)"), IK_E025, "a number of cells, or a length");
  FAILS(AT("(1, 2) with cubic"), IK_E013, "linear and sinc");
  FAILS(AT("(x, 2)"), IK_E023, "compile-time constant");
}

/* ---- sources ---- */

CASE(a_source_adds_to_the_new_value_with_its_weights) {
  run r;
  if (run_program(&r, "grid x = 4\nfield u : f64 = 100\nstep 3 { u' = u }\n"
                      "source 8*(t + 1) at 1.25 into u\n")) {
    CHECK(run_at(&r, "u", 0, 0, 0) == 100 && run_at(&r, "u", 3, 0, 0) == 100);
    CHECK(run_at(&r, "u", 1, 0, 0) == 100 + 0.75 * 8 * (1 + 2 + 3));
    CHECK(run_at(&r, "u", 2, 0, 0) == 100 + 0.25 * 8 * (1 + 2 + 3));
  }
  run_close(&r);
}

CASE(a_source_may_read_fields_where_it_acts) {
  run r;
  if (run_program(&r, "grid x = 4\nfield u : f64\nfield c : f64 = 10*x\nstep 2 { u' = u }\n"
                      "source c*c at 3 into u\n"))
    CHECK(run_at(&r, "u", 3, 0, 0) == 1800);
  run_close(&r);
}

CASE(a_source_needs_a_field_that_moves) {
  FAILS("grid x = 4\nfield u, v : f64\nstep 1 { u' = u }\nsource 1 at 1 into v\n", IK_E050,
        "v' = v");
  FAILS("grid x = 4\nfield u : f64\nu = 2*u\nsource 1 at 1 into u\n", IK_E050, "no step");
  FAILS("grid x = 4, y = 4\nfield u : f64, on x\nstep 1 { u' = u }\nsource 1 at (1, 1) into u\n",
        IK_E012, "not on every axis");
  FAILS("grid x = 4\nfield u : f64\nstep 1 { u' = u }\nsource 1 at 1 into q\n", IK_E010, "'q'");
}

/* ---- receivers ---- */

static bool receiver(program *p, const char *what) {
  char text[400];
  snprintf(text, sizeof text, HEAD "receiver u at %s into \"r.npy\"\n", what);
  return MUST_OPEN(p, text);
}

CASE(a_line_of_receivers_has_a_point_for_each_cell) {
  program p;
  if (receiver(&p, "line (2, 3) .. (12, 3)")) {
    const ik_record *r = &p.ir->record[0];
    CHECK_EQ(r->npoint, 11);
    for (int i = 0; i < 11; i++) CHECK(r->position[3 * i] == 2 + i && r->position[3 * i + 1] == 3);
    CHECK(r->ntap == 1 && r->every == 1);
  }
  program_close(&p);
  if (receiver(&p, "line (0, 0) .. (20, 10) count 5")) {
    const ik_record *r = &p.ir->record[0];
    CHECK_EQ(r->npoint, 5);
    CHECK(r->position[3 * 1] == 5 && r->position[3 * 1 + 1] == 2.5);
    CHECK_EQ(r->ntap, 2);
    for (int i = 0; i < 5; i++) CHECK_NEAR(sum_of(r->tap + 2 * i, 2), 1, 1e-15);
  }
  program_close(&p);
  if (receiver(&p, "(3.5, 4) every 2")) CHECK_EQ(p.ir->record[0].every, 2);
  program_close(&p);
}

CASE(receivers_come_from_files) {
  double   v[] = {1, 2, 3.5, 4, 20, 16};
  ik_array a = {.dtype = IK_DT_F64, .ndim = 2, .n = {2, 3, 1, 1}, .data = v};
  ik_diag  d = {0};
  char     text[900];
  program  p;
  CHECK_EQ(ik_npy_write(scratch("p.npy"), &a, IK_NOSPAN, &d), IK_OK);
  snprintf(text, sizeof text, HEAD "receiver u at file(\"%s\") into \"r.npy\"\n", scratch("p.npy"));
  if (MUST_OPEN(&p, text)) {
    CHECK_EQ(p.ir->record[0].npoint, 3);
    CHECK(p.ir->record[0].position[3 * 2 + 1] == 16);
  }
  program_close(&p);
  v[4] = 21;
  CHECK_EQ(ik_npy_write(scratch("p.npy"), &a, IK_NOSPAN, &d), IK_OK);
  FAILS(text, IK_E060, "row 3: the receiver lies outside the grid: x = 21, cells are 0 .. 20");
  a.n[0] = 3, a.n[1] = 2;
  CHECK_EQ(ik_npy_write(scratch("p.npy"), &a, IK_NOSPAN, &d), IK_OK);
  FAILS(text, IK_E063, "shape (receivers, 2)");
}

static const char *put_text(const char *name, const char *content) {
  ik_diag d = {0};
  CHECK_EQ(ik_file_write(scratch(name), content, strlen(content), &d), IK_OK);
  return scratch(name);
}

CASE(sources_come_from_files_as_receivers_do) {
  char    text[900];
  program p;
  snprintf(text, sizeof text, HEAD "source 2*x at file(\"%s\") with sinc into u\n",
           put_text("p.txt", "# x y\n1 2\n3.5, 4\n20 16\n"));
  if (MUST_OPEN(&p, text)) {
    static const double at[3][2] = {{1, 2}, {3.5, 4}, {20, 16}};
    CHECK_EQ(p.ir->ninject, 3);
    for (int i = 0; i < 3; i++) {
      const ik_inject *j = &p.ir->inject[i];
      CHECK(j->position[0] == at[i][0] && j->position[1] == at[i][1] && j->position[2] == 0);
      CHECK(j->value == p.ir->inject[0].value && j->field == 0);
      CHECK_EQ(j->ntap, i == 1 ? 8 : 1);
    }
  }
  program_close(&p);
  snprintf(text, sizeof text, HEAD "source 1 at file(\"%s\") into u\n",
           put_text("p.txt", "1 2\n3 17\n"));
  FAILS(text, IK_E060, "row 2: the source lies outside the grid: y = 17, cells are 0 .. 16");
  snprintf(text, sizeof text, HEAD "source 1 at file(\"%s\") into u\n",
           put_text("p.txt", "1 2 3\n"));
  FAILS(text, IK_E063, "with 2 in each line");
}

CASE(positions_in_files_may_have_a_unit) {
  char    text[900];
  program p;
  snprintf(text, sizeof text, HEAD "receiver u at file(\"%s\", 1 m) into \"r.npy\"\n",
           put_text("p.txt", "0 160\n15 40\n"));
  if (MUST_OPEN(&p, text)) {
    const double *at = p.ir->record[0].position;
    CHECK(at[0] == 0 && at[1] == 16 && at[3] == 1.5 && at[4] == 4);
  }
  program_close(&p);
  snprintf(text, sizeof text, HEAD "source 1 at file(\"%s\", 0.1 km) into u\n",
           put_text("p.txt", "2 1.5\n"));
  if (MUST_OPEN(&p, text))
    CHECK(p.ir->inject[0].position[0] == 20 && p.ir->inject[0].position[1] == 15);
  program_close(&p);
  FAILS(HEAD "source 1 at file(\"p.txt\", 3) into u\n", IK_E025, "unit of the positions");
  FAILS(HEAD "source 1 at file(\"p.txt\", 3 s) into u\n", IK_E025, "unit of the positions");
  FAILS(HEAD "source 1 at file(\"p.txt\", 1 m, 2) into u\n", IK_E014, "positions.txt");
  FAILS(HEAD "source 1 at file(3) into u\n", IK_E014, "in quotes");
}

CASE(positions_along_one_axis_are_a_column) {
  char    text[900];
  program p;
  snprintf(text, sizeof text,
           "grid x = 9\nfield u : f64\nstep 4 { u' = u }\nreceiver u at file(\"%s\") into "
           "\"r.npy\"\n",
           put_text("p.txt", "1\n2.5\n8\n"));
  if (MUST_OPEN(&p, text)) {
    CHECK_EQ(p.ir->record[0].npoint, 3);
    CHECK(p.ir->record[0].position[3] == 2.5 && p.ir->record[0].position[6] == 8);
  }
  program_close(&p);
}

CASE(wrong_receivers_and_outputs_are_refused) {
  FAILS(HEAD "receiver u at (1, 1) into \"r.h5\"\n", IK_E065, "r.npy");
  FAILS(HEAD "receiver u at line (1, 1) .. (30, 1) into \"r.npy\"\n", IK_E060, "x = 30");
  FAILS(HEAD "receiver u at line (1, 1) .. (3, 1) count 0 into \"r.npy\"\n", IK_E024, "a count");
  FAILS(HEAD "receiver u at (1, 1) every 0 into \"r.npy\"\n", IK_E024, "number of steps");
  FAILS("grid x = 4\nfield u : f64\nu = 2*u\nreceiver u at 1 into \"r.npy\"\n", IK_E050, "no step");
  FAILS(HEAD "output u into \"u.png\"\n", IK_E065, "u.npy");
  FAILS(HEAD "field v : f64\noutput u, v into \"u.npy\"\n", IK_E065, "u.h5");
  FAILS("grid x = 4\nfield u : f64\nu = 2*u\noutput u every 3 into \"u.npy\"\n", IK_E050, "step");
}

CASE(outputs_are_kept_as_asked) {
  program p;
  if (MUST_OPEN(&p, HEAD "field v : f64\noutput u, v every 3 into \"all.h5\"\n"
                         "output v into \"v.raw\"\n")) {
    CHECK_EQ(p.ir->noutput, 2);
    CHECK(p.ir->output[0].every == 3 && p.ir->output[0].nfield == 2 &&
          p.ir->output[0].field[1] == 1);
    CHECK(p.ir->output[1].every == 0 && p.ir->output[1].field[0] == 1);
  }
  program_close(&p);
}
