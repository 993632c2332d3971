/* What strategies and transformations refuse: for every reason a program that has it, and would
 * have other values if it were run that way.  Each is refused for that reason and no other (its
 * twin, which differs in nothing else, is not), and gives the interpreter's bits in the way that is
 * left. */
#include "check.h"
#include "random/trial.h"
#include <stdlib.h>

static ik_plan plan_of(const char *words) {
  ik_plan p = {.target = "cpu", .strategy = "sweep", .steps = 1, .cpu.rows = 1, .cpu.vectors = 1};
  p.cpu.vector_bytes = 16, p.threads = 2, p.cpu.planes = 1, p.cpu.stream = true;
  CHECK(ik_plan_read(words, &p));
  return p;
}

static bool is_same(const char *text, const char *words) {
  static trial a, b;
  ik_plan      plan = plan_of(words);
  bool         ok = trial_open(&a, "legal", text) && trial_play(&a, "cpu", &plan) &&
            trial_is_compiled(&a) && trial_open(&b, "legal", text) && trial_play(&b, "ref", NULL) &&
            trial_same(&a, &b);
  trial_close(&a), trial_close(&b);
  return ok;
}

/* ---- strategies ---- */

#define GRID     "grid x = 24, y = 40\n"
#define FIELDS   GRID "field u, v : f64 = noise(1)\nboundary u, v = 0\n"
#define STEP(s)  "step 6 {\n" s "}\n"
#define STENCIL  "0.2*u + 0.2*u[1, 0] + 0.2*u[0, 1] + 0.1*u[0, -1]"
#define PERIODIC GRID "field u : f64 = noise(1)\nboundary u = periodic\n"
#define SOURCE(value)                                                                              \
  "param dt = 0.1\n" FIELDS "source " value " at (5, 20) into u\n" STEP("  u' = " STENCIL "\n")

#define LARGER(boundary)                                                                           \
  GRID                                                                                             \
      "field u : f64 = noise(1)\nfield e : f64, on (x, y+1) = noise(2)\nboundary u, e = " boundary \
      "\n" STEP("  u' = 0.3*e[0, 1] + 0.2*u[0, -1]\n  e' = 0.5*e + 0.2*e[0, 2]\n")

static const struct refusal {
  const char *why, *plan, *program, *twin;
} refusals[] = {
    {"a sweep needs all cells along its axis before the next step", "skew steps=3 tile=0,8",
     FIELDS STEP("  sweep y up { u = 0.5*u + 0.3*u[0, -1] }\n"),
     FIELDS STEP("  u' = 0.5*u + 0.3*u[0, -1]\n")},
    {"a sweep needs all cells along its axis before the next step", "hex steps=3 tile=0,8",
     FIELDS STEP("  u' = " STENCIL "\n  sweep y up { v = 0.5*u' + 0.3*v[0, -1] }\n"),
     FIELDS STEP("  u' = " STENCIL "\n  v' = 0.5*u + 0.3*v[0, -1]\n")},
    {"a reduction needs all cells before the next step", "hex steps=3 tile=0,8",
     FIELDS STEP("  u' = " STENCIL "\n  s = max(u')\n"), FIELDS STEP("  u' = " STENCIL "\n")},
    {"a scalar is computed within the step", "skew steps=3 tile=0,8",
     "scalar s = 0.5\n" FIELDS STEP("  u' = s*(" STENCIL ")\n  s = 0.9*s + 0.2\n"),
     "scalar s = 0.5\n" FIELDS STEP("  u' = s*(" STENCIL ")\n")},
    {"the field is not on all axes", "hex steps=3 tile=0,8",
     FIELDS "field k : f64, on y = 1\nboundary k = 0\n" STEP("  k' = 0.5*k[1]\n  u' = k*u[0, 1]\n"),
     FIELDS "field k : f64, on y = 1\nboundary k = 0\n" STEP("  u' = k*u[0, 1]\n")},
    {"the field is not on all axes", "hex steps=3 tile=0,8", /* which is done last */
     FIELDS "field k : f64, on y = 1\nboundary k = 0\n" STEP("  u' = k*u[0, 1]\n  k' = 0.5*k[1]\n"),
     FIELDS "field k : f64, on y = 1\nboundary k = 0\n" STEP("  u' = k*u[0, 1]\n")},
    {"a source depends on a field", "skew steps=3 tile=0,8", SOURCE("0.1*v[20, 3]"),
     SOURCE("ricker(1)")},
    {"a source depends on a field", "hex steps=3 tile=0,8", SOURCE("0.1*u[20, 39]"),
     SOURCE("0.1*t")},
    {"the outermost axis is periodic", "skew steps=3 tile=0,8",
     PERIODIC STEP("  u' = " STENCIL "\n"), FIELDS STEP("  u' = " STENCIL "\n")},
    {"a field is larger than the periodic axis that is cut", "hex steps=3 tile=0,12",
     PERIODIC "field e : f64, on (x, y+1) = noise(2)\nboundary e = periodic\n" STEP(
         "  u' = 0.3*e[0, 1] + 0.2*e + 0.2*u[0, -1]\n  e' = 0.5*e + 0.2*e[0, 2]\n"),
     PERIODIC "field e : f64 = noise(2)\nboundary e = periodic\n" STEP(
         "  u' = 0.3*e[0, 1] + 0.2*e + 0.2*u[0, -1]\n  e' = 0.5*e + 0.2*e[0, 2]\n")},
    {"a field is larger than the periodic axis that is cut", "hex steps=3 tile=0,12",
     LARGER("periodic"), LARGER("0.5")}, /* or the axis is not periodic */
    {"there is no step loop", "hex steps=3 tile=0,8", FIELDS "v = " STENCIL "\n",
     FIELDS STEP("  v' = " STENCIL "\n")},
    {"there is no step loop", "skew steps=3 tile=0,8", FIELDS "v = " STENCIL "\n",
     FIELDS "sweep y up { u = 0.5*u + 0.3*u[-1, -1] }\n"}, /* which has wavefronts of its own */
    {"there is no step loop", "hex steps=3 tile=0,8",
     FIELDS "sweep y up { u = 0.5*u + 0.3*u[-1, -1] }\n", FIELDS STEP("  v' = " STENCIL "\n")},
    {"there is no step loop", "spectral", PERIODIC "u = 0.5*u\n", PERIODIC STEP("  u' = 0.5*u\n")},
    {"a source adds to a field in each step", "spectral",
     "param dt = 0.1\n" PERIODIC "source ricker(1) at (5, 20) into u\n" STEP("  u' = 0.5*u\n"),
     "param dt = 0.1\n" PERIODIC STEP("  u' = 0.5*u\n")},
    {"the step contains a sweep", "spectral",
     PERIODIC STEP("  sweep y up { u = 0.5*u + 0.3*u[0, -1] }\n"),
     PERIODIC STEP("  u' = 0.5*u + 0.3*u[0, -1]\n")},
    {"a scalar is computed within the step", "spectral",
     PERIODIC STEP("  s = sum(u)\n  u' = 0.5*u + 0.01*s*u[0, 1]\n"),
     PERIODIC STEP("  u' = 0.5*u + 0.01*u[0, 1]\n")},
    {"the step is not the same in every cell", "spectral",
     PERIODIC STEP("  u' = 0.5*u[0, 1] on x = 3 .. 20\n"), PERIODIC STEP("  u' = 0.5*u[0, 1]\n")},
    {"a field with a history is updated in place", "spectral",
     GRID "field u : f64, history 2 = noise(1)\nboundary u = periodic\n" STEP(
         "  u = 0.5*u[1, 0] - 0.1*u[t-1]\n"),
     GRID "field u : f64, history 2 = noise(1)\nboundary u = periodic\n" STEP(
         "  u' = 0.5*u[1, 0] - 0.1*u[t-1]\n")},
};

/* Does an engine refuse it with these words? */
static bool is_refused_for(const char *text, const ik_plan *plan, const char *why, ik_buf *said) {
  static trial t;
  bool         found = false, opened = trial_open(&t, "legal", text);
  bool         refused = opened && !trial_engine(&t, "cpu", plan);
  for (int i = 0; i < t.diag.nmsg; i++)
    found |= t.diag.msg[i].code == IK_E082 && strstr(ik_buf_text(&t.diag.msg[i].text), why);
  ik_diag_render(&t.diag, false, said);
  trial_close(&t);
  return refused && found;
}

/* Not for what the program is, but for what is not on this machine. */
static bool is_missing(const char *said) { return strstr(said, "is not installed") != NULL; }

static void check_refusal(const struct refusal *r) {
  ik_plan plan = plan_of(r->plan);
  ik_buf  said = {0};
  bool    ok = is_refused_for(r->program, &plan, r->why, &said);
  if (!ok)
    check_fail(__FILE__, __LINE__, "%s is not refused since %s:\n%s%s", r->plan, r->why, r->program,
               ik_buf_text(&said));
  ik_buf_free(&said);
  if (is_refused_for(r->twin, &plan, "", &said) && !is_missing(ik_buf_text(&said)))
    check_fail(__FILE__, __LINE__, "%s is refused:\n%s%s", r->plan, r->twin, ik_buf_text(&said));
  ik_buf_free(&said);
  if (!is_same(r->program, "sweep tile=0,8"))
    check_fail(__FILE__, __LINE__, "the next strategy gives other values:\n%s", r->program);
}

CASE(strategies_refuse_with_the_reason) {
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) check_refusal(&refusals[i]);
}

/* A pass for each of so many statements, since each reads around what the one before overwrote;
 * what the source is for joins the first. */
static void write_passes(int n, bool source, ik_buf *out) {
  ik_buf_puts(out, "param dt = 0.1\n" FIELDS "field w : f64 = 0\n");
  if (source) ik_buf_puts(out, "source 0.1*t at (5, 20) into w\n");
  ik_buf_puts(out, "step 2 {\n  w' = 0.5*w\n");
  for (int i = 0; i < n; i++)
    ik_buf_puts(out, i % 2 ? "  u = 0.5*v[0, 1]\n" : "  v = 0.5*u[0, 1]\n");
  ik_buf_puts(out, "}\n");
}

CASE(passes_of_a_step_are_counted_with_its_sources) {
  static const struct {
    int  passes;
    bool source, refused;
  } each[] = {{64, false, false}, {65, false, true}, {63, true, false}, {64, true, true}};
  for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
    ik_buf  text = {0}, said = {0};
    ik_plan plan = plan_of("hex steps=2 tile=0,8");
    write_passes(each[i].passes, each[i].source, &text);
    CHECK_EQ(is_refused_for(ik_buf_text(&text), &plan, "the step has too many passes", &said),
             each[i].refused);
    CHECK(each[i].refused || !strstr(ik_buf_text(&said), "error"));
    ik_buf_free(&text), ik_buf_free(&said);
  }
}

/* ---- several steps in one pass ---- */

#define TILES "fuse steps=3 tile=8,8"

static const struct fusion {
  const char *what, *program, *twin;
} fusions[] = {
    {"a number is needed after each step", FIELDS STEP("  u' = " STENCIL "\n  s = max(u')\n"),
     FIELDS STEP("  u' = " STENCIL "\n")},
    {"a field is overwritten in place",
     FIELDS STEP("  v = 0.5*v + u[1, 0]\n  u' = 0.3*v + 0.2*u\n"),
     FIELDS STEP("  v' = 0.5*v + u[1, 0]\n  u' = 0.3*v' + 0.2*u\n")},
    {"a constant field has a boundary that is not",
     FIELDS
     "field k : f64 = noise(3)\nboundary k = 0.1*t\n" STEP("  u' = 0.3*u[1, 0] + 0.4*k[1, 0]\n"),
     FIELDS
     "field k : f64 = noise(3)\nboundary k = 0.1\n" STEP("  u' = 0.3*u[1, 0] + 0.4*k[1, 0]\n")},
    {"what a source adds is not in what is read within the step",
     "param dt = 0.1\n" FIELDS
     "source 1 + t at (5, 20) into u\n" STEP("  u' = " STENCIL "\n  v' = 0.5*u'[1, 0]\n"),
     "param dt = 0.1\n" FIELDS
     "source 1 + t at (5, 20) into u\n" STEP("  u' = " STENCIL "\n  v' = 0.5*u[1, 0]\n")},
    {"a source adds what a field has then", SOURCE("0.5*u[20, 3]"), SOURCE("0.5 + 0.1*t")},
    {"a sweep goes through all cells", FIELDS STEP("  sweep y up { u = 0.5*u + 0.3*u[0, -1] }\n"),
     FIELDS STEP("  u' = 0.5*u + 0.3*u[0, -1]\n")},
    {"a field overwritten cell by cell, which tiles would do twice",
     FIELDS STEP("  v = 0.5*v + 0.1*u\n  u' = 0.3*v + " STENCIL "\n"),
     FIELDS STEP("  v' = 0.5*v + 0.1*u\n  u' = 0.3*v + " STENCIL "\n")},
    {"a field is not on all axes",
     FIELDS "field k : f64, on y = 1\nboundary k = 0\n" STEP("  k' = 0.5*k[1]\n  u' = k*u[0, 1]\n"),
     FIELDS "field k : f64, on y = 1\nboundary k = 0\n" STEP("  u' = k*u[0, 1]\n")},
    {"the constant field with a boundary that is not comes first",
     GRID "field k, u : f64 = noise(1)\nboundary k = 0.1*t\nboundary u = 0\n" STEP(
         "  u' = 0.3*u[1, 0] + 0.4*k[1, 0]\n"),
     GRID "field k, u : f64 = noise(1)\nboundary k = 0\nboundary u = 0.1*t\n" STEP(
         "  u' = 0.3*u[1, 0] + 0.4*k[1, 0]\n")},
    {"what a source adds to is read alone, and not another's new value",
     "param dt = 0.1\n" FIELDS
     "source 1 + t at (5, 20) into u\n" STEP("  u' = " STENCIL "\n  v' = u'[1, 0]\n"),
     "param dt = 0.1\n" FIELDS "source 1 + t at (5, 20) into u\nfield w : f64 = 0\n" STEP(
         "  u' = " STENCIL "\n  v' = u[1, 0]\n  w' = v'[0, 1]\n")},
    {"a source adds what a field has, and nothing else", SOURCE("u[20, 3]"), SOURCE("t")},
};

static const char *strategy_of(const char *text, const char *words) {
  static trial t;
  ik_plan      plan = plan_of(words);
  const char  *name =
      trial_open(&t, "legal", text) && trial_engine(&t, "cpu", &plan) ? t.engine->strategy : "none";
  name = strcmp(name, "fuse") == 0 ? "fuse" : strcmp(name, "sweep") == 0 ? "sweep" : "another";
  trial_close(&t);
  return name;
}

static void check_fusion(const struct fusion *f, const char *words) {
  const char *has = strategy_of(f->program, words), *twin = strategy_of(f->twin, words);
  if (strcmp(has, "sweep") || strcmp(twin, "fuse"))
    check_fail(__FILE__, __LINE__, "%s: %s, without it %s", f->what, has, twin);
  if (!is_same(f->program, words) || !is_same(f->twin, words))
    check_fail(__FILE__, __LINE__, "%s: other values", f->what);
}

CASE(steps_that_cannot_share_a_pass_do_not) {
  for (size_t i = 0; i < sizeof fusions / sizeof *fusions; i++) check_fusion(&fusions[i], TILES);
}

/* A constant field's boundary changes at one face, whichever. */
static void write_face(int face, const char *value, ik_buf *out) {
  static const char *const names[] = {"-x", "+x", "-y", "+y", "-z", "+z"};
  ik_buf_puts(out, "grid x = 12, y = 12, z = 12\nfield u, k : f64 = noise(1)\nboundary u = 0\n"
                   "boundary k {");
  for (int i = 0; i < 6; i++)
    ik_buf_printf(out, "%s %s = %s", i ? ";" : "", names[i], i == face ? value : "0.5");
  ik_buf_puts(out, " }\nstep 6 {\n  u' = 0.3*u[1, 0, 0] + 0.1*k[1, 1, 1] + 0.1*k[-1, -1, -1]\n}\n");
}

CASE(each_face_counts) {
  for (int face = 0; face < 6; face++) {
    ik_buf with = {0}, without = {0};
    write_face(face, "t", &with), write_face(face, "2", &without);
    check_fusion(&(struct fusion){"a face", ik_buf_text(&with), ik_buf_text(&without)},
                 "fuse steps=2 tile=0,4,0");
    ik_buf_free(&with), ik_buf_free(&without);
  }
}

/* ---- statements in another order, values computed again, levels that share their memory ---- */

#define OLDER                                                                                      \
  GRID "field u : f64, history 2 = noise(1)\nfield v : f64 = noise(2)\nboundary u, v = 0\n"
#define NUMBERS                                                                                    \
  "grid x = 24, y = 40\nfield w, v, p, q, m, r : f64 = noise(1)\nboundary p, w = 0\nscalar c = "   \
  "0.5\n"

static const struct rewrite {
  const char *what, *program;
} rewrites[] = {
    {"delayed: its number changes", NUMBERS "w = w + c*p*q*m\nc = 2\nb = 3\nr = p*q*m + b\n"},
    {"delayed: a reduction changes its number",
     NUMBERS "w = w + c*p*q*m\nc = sum(r)\nb = 3\nr = p*q*m + b\n"},
    {"delayed: its input is assigned", NUMBERS "w = w + p*q*m\np = 2*v\nb = 3\nr = p*q*m + b\n"},
    {"delayed: its result is assigned", NUMBERS "w = p*q*m\nw = 2*r\nb = 3\nr = p*q*m + b\n"},
    {"delayed: its result is read", NUMBERS "w = p*q*m\nv = v + w\nb = 3\nr = p*q*m + b\n"},
    {"delayed: its result is summed up",
     NUMBERS "w = p*q*m\nb = sum(w)\nb = b + 1\nr = p*q*m + b\n"},
    {"computed again: what it reads is assigned",
     FIELDS "a = u[1, 0] - u\nu = 2*u\nv = a - a[-1, 0]\n"},
    {"computed again: what it reads is assigned by its reader",
     FIELDS "a = u[1, 0] - u\nu = a - a[-1, 0]\n"},
    {"computed again: another list needs it",
     FIELDS "a = u[1, 0] - u\nv = a - a[-1, 0]\nstep 2 { u' = 0.5*a + 0.1*u }\n"},
    {"computed again: it depends on the place", FIELDS "a = x*u\nv = a - a[-1, 0]\n"},
    {"computed again: so does noise", FIELDS "a = noise(7)*u\nv = a - a[-1, 0]\n"},
    {"computed again: a field has one of the axes",
     FIELDS "field k : f64, on y = noise(5)\nboundary k = 0.5\na = k*u\nv = a[0, 1] - a[0, -1]\n"},
    {"oldest level: a neighbour reads it", OLDER STEP("  u' = 0.5*u - 0.3*u[t-1, 0, 1]\n")},
    {"oldest level: another statement reads it",
     OLDER STEP("  u' = 0.5*u - 0.3*u[t-1]\n  v' = u[t-1]\n")},
    {"oldest level: a sum reads it", OLDER STEP("  u' = 0.5*u - 0.3*u[t-1]\n  s = sum(u[t-1])\n")},
    {"oldest level: a neighbour reads the next",
     OLDER STEP("  u' = 0.5*u - 0.3*u[t-1]\n  v' = u'[0, 1] - u'[1, 0]\n")},
    {"oldest level: cells are left as they are",
     OLDER STEP("  u' = 0.5*u[1, 0] - 0.3*u[t-1] on interior(1)\n")},
    {"oldest level: as many cells, but not the same ones",
     OLDER STEP(
         "  u' = 0.5*u - 0.3*u[t-1] on x = 0 .. 15\n  u' = 0.4*u - 0.1*u[t-1] on x = 8 .. 15\n")},
    {"oldest level: given twice",
     OLDER STEP("  u' = 0.5*u - 0.3*u[t-1]\n  u' = 0.4*u' - 0.2*u[t-1]\n")},
    {"oldest level: given in parts", OLDER STEP("  u' = 0.5*u - 0.3*u[t-1] on x = 0 .. 11\n"
                                                "  u' = 0.4*u - 0.2*u[t-1] on x = 12 .. 23\n")},
    {"oldest level: a sweep gives the next",
     OLDER STEP("  sweep y up { u' = 0.5*u[0, 1] + 0.3*u'[0, -1] - 0.3*u[t-1] }\n")},
    {"oldest level: a source reads it",
     "param dt = 0.1\n" OLDER "source 0.5*u[t-1, 3, 4] at (5, 20) into v\n" STEP(
         "  u' = 0.5*u - 0.3*u[t-1]\n  v' = 0.5*v\n")},
    {"one pass: what a sweep made is read beyond a periodic end",
     PERIODIC "field v : f64 = 0\n" STEP(
         "  sweep y up { u = 0.5*u + 0.3*u[0, -1] }\n  v' = 0.3*u[0, -1]\n")},
    {"one pass: what a sweep made anew is read beyond a periodic end",
     PERIODIC "field v : f64 = 0\n" STEP(
         "  sweep y down { u' = 0.5*u + 0.3*u'[0, 1] }\n  v' = 0.3*u'[0, 1]\n")},
    {"one pass: what a sweep made is in a temporary that is read beyond a periodic end",
     PERIODIC "field v : f64 = 0\n" STEP(
         "  sweep y up { u = 0.5*u + 0.3*u[0, -1] }\n  a = 0.4*u + 1\n  v' = exp(a)*a[0, 1]\n")},
    {"one pass: a field is read around a cell and overwritten in place",
     FIELDS STEP("  v = 0.3*u[0, 1] + 0.1*u[0, -1]\n  u = 0.5*v\n")},
    {"one pass: overwritten in place and read around a cell",
     FIELDS STEP("  u = 0.5*u\n  v = 0.3*u[0, 1] + 0.1*u[1, 0]\n")},
    {"one pass: a number is made of all cells before it is read",
     FIELDS STEP("  s = max(u)\n  u' = s*0.5*u[0, 1]\n")},
};

CASE(what_a_transformation_would_change_stays) {
  static const char *const how[] = {"sweep tile=8,8", "fuse steps=3 tile=8,4", "sweep"};
  for (size_t i = 0; i < sizeof rewrites / sizeof *rewrites; i++)
    for (size_t k = 0; k < sizeof how / sizeof *how; k++)
      if (check_is_due(i + k) && !is_same(rewrites[i].program, how[k]))
        check_fail(__FILE__, __LINE__, "%s, with %s:\n%s", rewrites[i].what, how[k],
                   rewrites[i].program);
}
