/* Cells one after the other on the CPU: every bit is the interpreter's, with any number of threads,
 * on grids of many blocks. */
#include "check.h"
#include <ikat/ikat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct runs { /* of one program */
  ik_log     *log;
  ik_program *p;
  ik_run     *expected;
} runs;

static ik_run *start(runs *x, const ik_run_options *o) {
  ik_run *r = NULL;
  if (ik_run_create(x->p, o, x->log, &r) || ik_run_advance(r, -1, x->log) || ik_log_count(x->log))
    check_fail(__FILE__, __LINE__, "%s", ik_log_text(x->log, false));
  return r;
}

static bool same_fields(const runs *x, const ik_run *r) {
  for (int i = 0; i < ik_program_field_count(x->p); i++) {
    ik_field_info f;
    ik_program_field(x->p, i, &f);
    const void *a = ik_run_data(r, f.name, NULL), *b = ik_run_data(x->expected, f.name, NULL);
    if (!a || !b || memcmp(a, b, f.bytes)) return false;
  }
  return true;
}

/* Nothing is interpreted, and the loops say `word`. */
static void check_loops(runs *x, const ik_run_options *o, const char *word) {
  const char *loops = ik_program_show(x->p, "loops", o, x->log);
  if (!loops || !strstr(loops, word) || strstr(loops, "interpreter:"))
    check_fail(__FILE__, __LINE__, "no '%s' in\n%s", word, loops ? loops : "(nothing)");
}

static void check_program(runs *x, int most_threads, const char *word) {
  ik_run_options o;
  ik_run_options_init(&o);
  o.target = "ref";
  x->expected = start(x, &o);
  o.target = "cpu";
  for (o.threads = 1; o.threads <= most_threads; o.threads++) {
    ik_run *r = start(x, &o);
    if (!same_fields(x, r))
      check_fail(__FILE__, __LINE__, "%d threads: other bits\n%s", o.threads,
                 ik_program_show(x->p, "source", NULL, x->log));
    ik_run_destroy(&r);
  }
  check_loops(x, &o, word);
  ik_run_destroy(&x->expected);
}

static void check_threads(const char *text, int most_threads, const char *word) {
  runs x = {.log = ik_log_create()};
  if (ik_program_from_text("order", text, x.log, &x.p) || ik_program_compile(x.p, x.log))
    check_fail(__FILE__, __LINE__, "%s\n%s", text, ik_log_text(x.log, false));
  else
    check_program(&x, most_threads, word);
  ik_program_destroy(&x.p);
  ik_log_destroy(&x.log);
}

static void check_same(const char *text, const char *word) { check_threads(text, 4, word); }

/* ---- wavefronts ---- */

LONG_CASE(align) {
  const char *root = getenv("IKAT_ROOT");
  char        path[512];
  runs        x = {.log = ik_log_create()};
  snprintf(path, sizeof path, "%s/examples/align.ik", root ? root : ".");
  if (ik_program_open(path, x.log, &x.p) || ik_program_set(x.p, "x", "3000", x.log) ||
      ik_program_set(x.p, "y", "2000", x.log) || ik_program_compile(x.p, x.log))
    check_fail(__FILE__, __LINE__, "%s", ik_log_text(x.log, false));
  else
    check_program(&x, 4, "x up, y up in wavefronts");
  ik_program_destroy(&x.p);
  ik_log_destroy(&x.log);
}

CASE(wavefronts_can_be_asked_for) {
  ik_run_options o;
  runs           x = {.log = ik_log_create()};
  ik_run_options_init(&o);
  o.target = "cpu", o.strategy = "skew";
  CHECK_EQ(ik_program_from_text("order",
                                "grid x = 9, y = 8\nfield u : f64\nboundary u = 1\n"
                                "sweep x up, y up { u = 0.5*u[-1,0] + 0.5*u[0,-1] }\n",
                                x.log, &x.p),
           IK_OK);
  CHECK_EQ(ik_program_compile(x.p, x.log), IK_OK);
  ik_run *r = start(&x, &o);
  CHECK(strstr(ik_run_plan(r), "skew: x up, y up in wavefronts"));
  CHECK(strstr(ik_run_json(r), "\"strategy\": \"skew\""));
  ik_run_destroy(&r), ik_program_destroy(&x.p), ik_log_destroy(&x.log);
}

CASE(blocks_wait_for_those_behind_them) {
  check_same("grid x = 301, y = 157\nfield u : f64 = noise(1)\nboundary u = 0.25\n"
             "sweep x up, y up { u = 0.3*u[-1,0] + 0.3*u[0,-1] + 0.2*u[-1,-1] + 0.1*u[1,0] }\n",
             "in wavefronts");
  check_same("grid x = 301, y = 157\nfield u : f32 = noise(1)\nboundary u = mirror\n"
             "sweep y down, x up { u = 0.4*u[-1,0] + 0.4*u[0,1] + 0.1*u[0,-1] }\n",
             "in wavefronts");
}

CASE(three_axes_have_wavefronts_along_two) {
  check_same("grid x = 37, y = 29, z = 31\nfield u : f32 = noise(1)\n"
             "boundary u { x = periodic; y = 0.5; z = antireflect }\n"
             "sweep z up, x down, y up { u = 0.3*u[1,0,0] + 0.3*u[0,-1,0] + 0.3*u[0,0,-1] }\n",
             "in wavefronts");
}

/* ---- other orders ---- */

CASE(threads_share_what_is_free) {
  check_same("grid x = 93, y = 41, z = 17\nfield u : f64 = noise(1)\nboundary u = reflect\n"
             "sweep x up { u = 0.5*u[-1,0,0] + 0.3*u[-1,1,0] + 0.2*u[-1,-1,0] }\n",
             "statement after statement");
  check_same("grid x = 93, y = 41, z = 17\nfield u : f64 = noise(1)\nboundary u = copy\n"
             "sweep x down, y up { u = 0.5*u[1,-1,0] + 0.3*u[1,1,0] }\n",
             "statement after statement");
  check_same("grid x = 93, y = 141\nfield u : f64 = noise(1)\nboundary u = copy\n"
             "sweep x down { u = 0.5*u[1,0] + 0.3*u[-1,0] }\n",
             "free");
}

CASE(the_order_of_a_sweep_is_kept) {
  check_same("grid x = 93, y = 141\nfield u, v : f64 = noise(1)\n"
             "boundary u, v { x = periodic; -y = sin(0.1*x + t); +y = antimirror }\n"
             "sweep x up, y up { u = 0.5*u[-1,1] + 0.3*u[1,-1]\n v = 0.3*u[0,1] + 0.4*v[-1,0] }\n",
             "in lines");
}

CASE(all_is_read_before_any_is_written) {
  check_same("grid x = 93, y = 141\nfield u : f64 = noise(1)\nboundary u = mirror\n"
             "u = 0.25*u[-1,0] + 0.25*u[1,0] + 0.25*u[0,1] + 0.25*u[0,-1]\n",
             "statement after statement");
  check_same("grid x = 5093\nfield u : f32 = noise(1)\nboundary u = periodic\nu = u[-1] - u[2]\n"
             "sweep x up { u = 0.5*u[-1] + 0.25*u[1] }\n",
             "statement after statement");
}

CASE(threads_share_large_planes) {
  check_same("grid x = 173, y = 131, z = 7\nfield u, v : f32 = noise(1)\nboundary u, v = mirror\n"
             "sweep z down {\n  u = 0.4*u[1,0,1] + 0.4*u[-1,1,1] + 0.1*v[0,-1,0]\n"
             "  v = 0.5*u[1,0,0] + 0.5*u[-1,0,0]\n}\n",
             "statement after statement");
  check_same("grid x = 173, y = 131\nfield u : f64 = noise(1)\nboundary u = periodic\n"
             "u = 0.25*u[-1,0] + 0.25*u[1,0] + 0.25*u[0,1] + 0.25*u[0,-1]\n",
             "statement after statement");
}

/* Their own plane, the ones before and the ones behind, in whatever order they are named. */
CASE(planes_are_read_on_both_sides) {
  check_same("grid x = 45, y = 23, z = 17\nfield u : f64 = noise(1)\n"
             "field v, w : f32 = noise(2)\nboundary u, v, w = mirror\n"
             "sweep x up { u = 0.2*u[-1,0,-1] + 0.2*u[-1,0,0] + 0.2*u[-1,0,2] + 0.1*u[-1,0,-2] }\n"
             "sweep y up { v = max(v[0,-1,-1], min(v[0,-1,0], v[0,-1,1]))\n"
             "  w = 0.5*v[0,-1,2] - w[0,-1,0] }\n",
             "  sweep: ");
}

/* At the first row a mirror leads back to that row, beside the cell that is written. */
CASE(a_boundary_leads_back_to_the_row_in_work) {
  check_same("grid x = 55, y = 31\nfield u : f64 = noise(1)\nfield q : f64, on x = noise(2)\n"
             "boundary u = mirror\n"
             "sweep y up { q = 0.5*q\n u = 0.4*u[1,-1] + 0.4*u[-1,-1] + 0.2*q }\n",
             "statement after statement");
}

/* The cell before has left a new value; the old one beside it is another. */
CASE(new_and_old_neighbours_are_two_values) {
  check_same("grid x = 61, y = 23\nfield u : f64 = noise(1)\nboundary u = 0.5\n"
             "step 3 { sweep x up { u' = 0.5*u[-1,0] + 0.25*u'[-1,0] + 0.1*u } }\n",
             "  sweep: ");
}

/* Two cells at the low face find what they read beyond it in reverse. */
CASE(mirrors_turn_what_several_cells_read) {
  check_same("grid x = 61, y = 23\nfield u : f64 = noise(1)\nboundary u = mirror\n"
             "sweep y up { u = 0.5*u[-2,-1] + 0.25*u[2,-1] + 0.1*u[0,-2] }\n"
             "sweep x down, y up { u = 0.5*u[3,0] + 0.25*u[0,-1] + 0.1*u[-3,0] }\n",
             "  sweep: ");
}

/* What stands beyond a face of a field has index 0 along the axes that the field is not on. */
CASE(a_boundary_sees_cell_0_of_other_axes) {
  check_same("grid x = 23, y = 19, z = 5\nfield u : f64 = noise(1)\nboundary u = 0\n"
             "field a : f64, on (x) = noise(2)\nboundary a { -x = 1 + 2*y + 4*z; +x = copy }\n"
             "field b : f64, on (y, z) = noise(3)\nboundary b { y = 1 + x; z = 2 + x }\n"
             "sweep y up { u = 0.5*u[0,-1,0] + a[-1] + b[1,1] }\n",
             "  sweep: ");
}

/* ---- every type, every face ---- */

static void check_type(const char *type, const char *value, const char *faces) {
  char text[1024];
  snprintf(text, sizeof text,
           "grid x = 23, y = 19\nfield u : %s = %s\nfield p : %s, on x = %s\n"
           "field q : %s, on y\nboundary p, q = 1\nboundary u { %s }\n"
           "sweep x up { p = p[-1]/2 - p[2]/2 }\n"
           "sweep y down { q = (if y == ny - 1 then 0 else 1) + q[1]/2 }\n"
           "step 3 {\n  sweep y down, x up { u = max(u[-1,2], u[2,-1])/2 - u[-1,1]/4 + p/8 + q }\n"
           "  sweep x down { at first { u = p } within { u = u[1,0]/2 - u[1,1]/3 } }\n}\n",
           type, value, type, value, type, faces);
  check_threads(text, 1, "  sweep: ");
}

CASE(types_and_faces) {
  static const char *const faces[] = {
      "-x = antimirror; +x = antireflect; y = periodic",
      "x = periodic; -y = copy; +y = mirror",
      "-x = reflect; +x = 1; -y = t; +y = antimirror",
      "-x = t + 1; +x = copy; -y = antireflect; +y = reflect",
  };
  static const char *const types[] = {"f64", "f32", "f16", "bf16", "i32"};
  enum { NTYPE = sizeof types / sizeof *types, NFACE = sizeof faces / sizeof *faces };
  for (int i = 0; i < NTYPE * NFACE; i++) {
    const char *type = types[i % NTYPE];
    const char *value = strcmp(type, "i32") == 0 ? "int(1000*noise(1))" : "noise(1)";
    if (check_is_due((uint64_t)i)) check_type(type, value, faces[i / NTYPE]);
  }
}
