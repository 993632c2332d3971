#include "build.h"

static const char *text_of(int64_t written, ik_buf *out) {
  ik_facts f;
  ik_diag  d = {0};
  CHECK_EQ(ik_facts_of(built, written, &arena, &d, &f), IK_OK);
  ik_facts_print(built, &f, out);
  ik_diag_free(&d);
  return ik_buf_text(out);
}

static const char *json_of(int64_t written, ik_buf *out) {
  ik_facts f;
  ik_diag  d = {0};
  ik_json  j = {.out = out};
  CHECK_EQ(ik_facts_of(built, written, &arena, &d, &f), IK_OK);
  ik_json_open(&j, NULL, '{');
  ik_facts_json(built, &f, &j);
  ik_json_close(&j, '}');
  ik_diag_free(&d);
  return ik_buf_text(out);
}

CASE(heat_for_people) {
  ik_buf b = {0};
  heat(2, 0.1);
  const char *text = text_of(10, &b);
  const char *memory = strstr(text, "memory");
  CHECK(memory && strstr(memory, "u 64.0 KiB"));
  b.data[memory - text] = 0; /* the total holds the size of our own structures */
  CHECK_STR(text,
            "pattern     star2d r=1, 5 points of u\n"
            "flops       9 per cell (as lowered; 10 as written)\n"
            "bytes       16 per cell: read u, write u\n"
            "intensity   0.56 FLOP/byte\n"
            "linear      yes, constant coefficients\n"
            "fused       points of 2 to 8 steps as one stencil: 13 25 41 61 85 113 145\n"
            "redundancy  points over those of separate steps: 1.30 1.67 2.05 2.44 2.83 3.23 3.62\n"
            "time tiling legal, slope 1 per step\n"
            "stability   max |G| = 1.000 (stable)\n");
  ik_buf_free(&b);
  done();
}

CASE(wave_for_people) {
  ik_buf b = {0};
  wave(0.1);
  const char *text = text_of(-1, &b);
  CHECK(strstr(text, "star3d r=4, 26 points of u (25 at the current level)\n"));
  CHECK(strstr(text, "51 per cell (as lowered)\n"));
  CHECK(strstr(text, "24 per cell: read u u[t-1], write u\n"));
  CHECK(strstr(text, "max |G| = 1.000 (stable; the time step is 0.698 of its limit)\n"));
  ik_buf_free(&b);
  done();
}

CASE(a_solver_for_people) {
  ik_buf b = {0};
  program(2, 8, 8, 1);
  int x = field("x", IK_F64, 1), r = scalar("r");
  open_body(IK_REPEAT, 5);
  assign(x, 0, mul(at(x, 1, 0, 0), at(x, 0, 0, 0)));
  reduce(r, at(x, 0, 0, 0));
  const char *text = text_of(-1, &b);
  CHECK(strstr(text, "linear      no\n"));
  CHECK(strstr(text, "time tiling no: there is no time-step loop\n"));
  CHECK(strstr(text, "stability   not known: there is no time-step loop\n"));
  CHECK(!strstr(text, "fused"));
  ik_buf_free(&b);
  done();
}

CASE(an_empty_program) {
  ik_buf b = {0};
  program(1, 8, 1, 1);
  CHECK(strstr(text_of(-1, &b), "pattern     none"));
  ik_buf_free(&b);
  done();
}

CASE(temporaries_in_memory) {
  ik_buf b = {0};
  program(1, 8, 1, 1);
  int u = field("u", IK_F64, 1), t = temp("t", IK_F32), v = temp("v", IK_F32);
  assign(t, 0, at(u, 0, 0, 0));
  assign(v, 0, at(t, 0, 0, 0));
  assign(u, 0, at(v, 0, 0, 0));
  CHECK(strstr(text_of(-1, &b), ": u 64 bytes, temporaries 64 bytes\n"));
  ik_buf_free(&b);
  done();
}

CASE(slopes_per_axis) {
  ik_buf b = {0};
  program(2, 8, 8, 1);
  int u = field("u", IK_F64, 1);
  steps(2);
  assign(u, 1, add(at(u, 3, 0, 0), at(u, 0, -1, 0)));
  CHECK(strstr(text_of(-1, &b), "legal, slope 3,1 per step\n"));
  ik_buf_free(&b);
  done();
}

CASE(heat_for_programs) {
  ik_buf b = {0};
  heat(1, 0.25);
  char want[512];
  snprintf(want, sizeof want,
           "{\"pattern\": \"star1d\", \"radius\": 1, \"points\": 3, \"points_of\": \"u\", "
           "\"flops\": 5, \"flops_written\": 6, \"bytes\": 16, \"intensity\": 0.3125, "
           "\"linear\": true, \"constant_coefficients\": true, "
           "\"fused_points\": [3, 5, 7, 9, 11, 13, 15, 17], \"time_tiling\": true, "
           "\"stability_max_g\": 1, \"memory_bytes\": %lld}",
           (long long)facts().memory.total);
  CHECK_STR(json_of(6, &b), want);
  ik_buf_free(&b);
  done();
}

CASE(what_is_not_known_is_null) {
  ik_buf b = {0};
  program(1, 8, 1, 1);
  int u = field("u", IK_F64, 1);
  steps(1);
  assign(u, 1, mul(at(u, 0, 0, 0), at(u, 0, 0, 0)));
  const char *text = json_of(-1, &b);
  CHECK(strstr(text, "\"flops_written\": null"));
  CHECK(strstr(text, "\"stability_max_g\": null"));
  CHECK(strstr(text, "\"fused_points\": []"));
  CHECK(strstr(text, "\"pattern\": \"point\""));
  ik_buf_free(&b);
  done();
}

CASE(without_reads_there_is_no_pattern) {
  ik_buf b = {0};
  program(1, 8, 1, 1);
  assign(field("u", IK_F64, 1), 0, number(1));
  const char *text = json_of(-1, &b);
  CHECK(strstr(text, "\"pattern\": null, \"radius\": 0, \"points\": 0, \"points_of\": null"));
  ik_buf_free(&b);
  done();
}

CASE(known_values) {
  program(1, 8, 1, 1);
  int c = field("c", IK_F64, 1), k = scalar("k"), part = field("p", IK_F64, 1);
  into = &built->init;
  assign(c, 0, number(2500));
  set(k, number(3));
  narrow(assign(part, 0, number(1)), 0, 0, 4);
  CHECK_NEAR(ik_facts_known(built, at(c, 1, 0, 0)), 2500, 0);
  CHECK_NEAR(ik_facts_known(built, leaf(IK_OP_SCALAR, k)), 3, 0);
  CHECK(isnan(ik_facts_known(built, at(part, 0, 0, 0))));
  CHECK(isnan(ik_facts_known(built, leaf(IK_OP_COORD, 0))));
  reduce(k, at(c, 0, 0, 0));
  CHECK(isnan(ik_facts_known(built, leaf(IK_OP_SCALAR, k))));
  done();
}
