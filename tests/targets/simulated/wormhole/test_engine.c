/* Programs on Wormhole: golden values, the interpreter under its rule, capacity, refusals. */
#include "base/mem.h"
#include "targets/simulated/wormhole/cycles.h"
#include "golden.h"
#include "run.h"

/* ---- golden values ---- */

static void check_mode(const golden_mode *m) {
  chip_run r;
  bool     wide = strcmp(m->type, "bf16") == 0 && m->sum == IK_F32;
  int      done = 0;
  if (!chip_open(&r, golden_program(m), "wormhole", wide ? "accumulate=f32" : NULL))
    check_fail(__FILE__, __LINE__, "%s: %s", m->name, program_messages(&r.p));
  chip_advance(&r, 0);
  golden_check_start(r.state, m);
  for (int k = 0; k < GOLDEN_ROUNDS; k++) {
    chip_advance(&r, m->at[k].round - done);
    done = m->at[k].round;
    golden_check_round(r.state, m, &m->at[k]);
  }
  chip_close(&r);
}

CASE(golden_values_of_all_modes) {
  for (int k = 0; k < GOLDEN_MODES; k++) check_mode(&golden_modes[k]);
}

/* ---- against the rule ---- */

static void check_same(const char *text, const char *override) {
  chip_run a, b;
  bool     ok = chip_open(&a, text, "wormhole", override);
  if (!ok) check_fail(__FILE__, __LINE__, "%s\n%s", text, program_messages(&a.p));
  if (chip_open(&b, text, "wormhole/rule", override) && ok) {
    chip_advance(&a, -1), chip_advance(&b, -1);
    if (!chip_same(&a, &b))
      check_fail(__FILE__, __LINE__, "not the same bits with '%s':\n%s", override ? override : "",
                 text);
  }
  chip_close(&a), chip_close(&b);
}

/* Three by three cores, the last ones with parts of tiles. */
static const char *solver(const char *type) {
  static char text[2000];
  snprintf(text, sizeof text,
           "grid x = 150, y = 37, z = 3\n"
           "field sol, r, p, q : %s\nfield b : %s = noise(7)\nboundary p, sol = 0\n"
           "def A(u) = 6*u - u[0,0,-1] - u[0,0,1] - u[-1,0,0] - u[1,0,0] - u[0,-1,0] - u[0,1,0]\n"
           "r = b; p = r/6\nscalar rz = sum(r*(r/6))\n"
           "repeat until norm(r) <= 0 max 5 {\n"
           "  q = A(p); alpha = rz/sum(p*q)\n"
           "  sol = sol + alpha*p; r = r - alpha*q\n"
           "  rz_new = sum(r*(r/6)); beta = rz_new/rz; rz = rz_new\n"
           "  p = r/6 + beta*p\n}\n"
           "true_residual = norm(b - A(sol))\nleast = min(sol); most = max(sol)\n",
           type, type);
  return text;
}

CASE(solvers_have_the_bits_of_the_rule) {
  static const char *const overrides[] = {NULL,        "route=centre",          "method=2",
                                          "ties=away", "method=2 route=centre", "accumulate=f32"};
  for (size_t i = 0; i < sizeof overrides / sizeof *overrides; i++)
    check_same(solver("bf16"), overrides[i]);
  for (size_t i = 0; i < 3; i++) check_same(solver("f32"), overrides[i]);
  check_same(solver("f32"), "unit=fpu");
  check_same(solver("bf16"), "unit=sfpu");
  check_same(solver("bf16"), "phases=1");
}

CASE(steps_regions_and_stages) {
  check_same("grid x = 70, y = 20, z = 4\nfield u : f32, history 2 = noise(1)\n"
             "field v : f32 = noise(2)\nboundary u, v = 0\n"
             "step 5 {\n  a = v - 0.25*u[0,1,0]\n  u' = 0.5*u + 0.1*(u[1,0,0] + u[t-1]) - 0.2*v\n"
             "  v = if v > u' then 0.5*v else min(v, a)\n"
             "  u' = sqrt(abs(u'))/3 on interior(2, 3, 1)\n}\n",
             NULL);
  check_same("grid x = 130, y = 33\nfield u : f32 = noise(1)\nboundary u = 0\n"
             "u = 0.25*(u[1,0] + u[-1,0] + u[0,1] + u[0,-1])\nu = u[1,0] - u\ns = sum(u)\n",
             NULL);
  check_same("grid x = 90\nfield u : bf16 = noise(1)\nfield v : f32\nboundary u = 0\n"
             "step 4 { v = u[1] - u; u' = u + 0.3*v }\n",
             NULL);
}

/* Tiny values are zero before they can grow; what is no number is packed as infinity. */
CASE(values_at_the_ends_of_the_range) {
  static const char *const types[] = {"f32", "bf16"};
  for (int k = 0; k < 2; k++) {
    char text[600];
    snprintf(text, sizeof text,
             "grid x = 70, y = 3\nfield u : %s = 2^-130*noise(1)\nfield v, w : %s\n"
             "field z : bf16\nv = 2^60*u\nw = v - sqrt(u - 1)\nz = 2 - sqrt(u - 1)\n"
             "most = max(v); least = min(w); s = sum(w)\n"
             "w = if w > 0 then 1 else if z > 3e38 then 2 else 3\n"
             "z = if z > 3e38 then 1 else 2\n",
             types[k], types[k]);
    check_same(text, NULL);
  }
}

/* bf16 in the units although memory has f32, and the other way round. */
CASE(arithmetic_of_another_type) {
  static const char *const heads[] = {"arithmetic chain bf16\n", "arithmetic plain bf16\n",
                                      "arithmetic plain f32\n"};
  for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
    for (int wide = 0; wide < 2; wide++) {
      char text[600];
      snprintf(text, sizeof text,
               "%sgrid x = 70, y = 3\nfield u : %s = noise(1)\nfield v, w : bf16 = noise(2)\n"
               "boundary u = 0\nstep 3 { v = 0.3*u[1,0] - w*v; w = v/3 + u*u; u' = u - 0.1*w }\n"
               "s = sum(u*w)\n",
               heads[k], wide ? "f32" : "bf16");
      check_same(text, NULL);
      check_same(text, "ties=away method=2");
    }
}

CASE(sources_and_tiny_values) {
  check_same("grid x = 66, y = 3\nparam dt = 1\nfield u : f32 = 2^-120*noise(1)\nboundary u = 0\n"
             "source ricker(f = 0.1) at (65, 1) into u\n"
             "step 6 { u' = 0.01*(u[1,0] + u[-1,0]) - u*2^-20 }\n",
             NULL);
}

/* ---- what fits ---- */

static bool fits(const char *type, int levels, const char *part) {
  char     text[2000];
  chip_run r;
  snprintf(text, sizeof text, "grid x = 8, y = 8, z = %d\n%s", levels,
           strchr(solver(type), '\n') + 1);
  bool ok = chip_open(&r, text, "wormhole", NULL);
  if (!ok && !strstr(program_messages(&r.p), part))
    check_fail(__FILE__, __LINE__, "'%s' is not in %s", part, program_messages(&r.p));
  chip_close(&r);
  return ok;
}

/* arXiv 2603.23343, Section 7.2. */
CASE(capacity_is_64_tiles_of_f32_and_164_of_bf16) {
  CHECK(fits("f32", 64, ""));
  CHECK(!fits("f32", 65, "65 levels of 5 tiles need 1507328 bytes of the 1499136"));
  CHECK(fits("bf16", 164, ""));
  CHECK(!fits("bf16", 165, "164 levels would fit"));
}

static void check_refused(const char *text, const char *part) {
  chip_run r;
  bool     ok = chip_open(&r, text, "wormhole", NULL);
  if (ok || !strstr(program_messages(&r.p), part))
    check_fail(__FILE__, __LINE__, "'%s' is not said of\n%s\nbut %s", part, text,
               program_messages(&r.p));
  chip_close(&r);
}

CASE(what_it_cannot_do_it_says) {
  check_refused("grid x = 8\nfield u : f64\nstep 1 { u' = u }\n", "'u' is f64");
  check_refused("grid x = 8\nfield u : f32\nboundary u = 0\nstep 1 { u' = u[2] }\n", "radius 1");
  check_refused("grid x = 8, y = 8\nfield u : f32\nboundary u = 0\nstep 1 { u' = u[1,1] }\n",
                "one axis at a time");
  check_refused("grid x = 8\nfield u : f32\nboundary u = periodic\nstep 1 { u' = u[1] }\n",
                "only put zero");
  check_refused("grid x = 8\nfield u : f32\nboundary u = 0.5\nstep 1 { u' = u[1] }\n",
                "only put zero");
  check_refused("grid x = 600\nfield u : f32\nstep 1 { u' = u }\n",
                "600 cells along x are 10 tiles of 64, and it has 8 cores");
  check_refused("grid x = 8, y = 8\nfield u : f32\nfield c : f32, on x\nstep 1 { u' = u*c }\n",
                "not on axis y");
  check_refused("grid x = 8\nfield u : f32\nstep 1 { u' = u*sin(x) }\n", "must be a field");
  check_refused("grid x = 8\nfield u : f32\nu = f32(mod(int(u), 3))\n", "it is i32");
  check_refused("grid x = 8\nfield u : f32\nscalar s : f64 = sum(u)\nu = u*s\n", "it is f64");
  check_refused("grid x = 8\nfield u : f32\nsweep x up { within { u = u[-1] } }\n", "sweep");
}

/* ---- what it says of the run ---- */

static double count_of(const ik_simulated *s, const char *name) {
  for (int i = 0; i < s->ncount; i++)
    if (strcmp(s->count[i].name, name) == 0) return s->count[i].value;
  check_fail(__FILE__, __LINE__, "no count '%s'", name);
  return 0;
}

static bool has_span(const ik_timeline *t, const char *what) {
  for (int64_t i = 0; t && i < t->nspan; i++)
    if (strcmp(t->span[i].what, what) == 0) return true;
  return false;
}

/* What is predicted of a round without computing it. */
static int64_t round_of(program *p) {
  ik_wormhole_map map;
  int64_t         cycles = 0;
  if (setjmp(p->arena.oom)) abort();
  CHECK(!ik_wormhole_map_of(p->ir, NULL, NULL, &p->arena, &p->diag, &map));
  CHECK(!ik_wormhole_round(&map, &p->diag, &cycles));
  return cycles;
}

CASE(a_run_says_what_it_took_and_on_what_that_rests) {
  chip_run r;
  if (chip_open(&r, solver("f32"), "wormhole", NULL)) {
    const ik_simulated *s = r.engine->simulated;
    chip_advance(&r, 1);
    double once = s->seconds, cycles = count_of(s, "cycles");
    CHECK(once > 0 && cycles > 0);
    CHECK_NEAR(once, cycles / s->clock * 2.015, 1e-9 * once);
    CHECK(has_span(s->timeline, "transpose")); /* of a round, not of what comes before it */
    chip_advance(&r, 1);
    double round = count_of(s, "cycles") - cycles;
    CHECK(round > 0 && round < cycles);
    chip_advance(&r, 2); /* who goes on round by round makes the test once more each time */
    CHECK_EQ(count_of(s, "cycles"), cycles + 2 * round + (double)round_of(&r.p));
    CHECK(strstr(s->constants, "simulation.host = 2.015, calibrated: Table 3") != NULL);
    CHECK(strstr(s->validation, "Table 3") && strstr(s->validation, "published 1.2 ms"));
    CHECK(strstr(s->origin, "host, which is not simulated") != NULL);
  }
  chip_close(&r);
}

static void check_override_refused(const char *type, const char *override, const char *part) {
  chip_run r;
  CHECK(!chip_open(&r, solver(type), "wormhole", override));
  if (!strstr(program_messages(&r.p), part))
    check_fail(__FILE__, __LINE__, "'%s' is not in %s", part, program_messages(&r.p));
  chip_close(&r);
}

CASE(unknown_overrides_are_told) {
  check_override_refused("f32", "method=3", "'method=3'");
  check_override_refused("f32", "accumulate=bf16", "for arithmetic in f32");
  check_override_refused("bf16", "unit=sfpu phases=1", "for arithmetic in f32");
}

static void check_plan(const char *text, const char *override, const char *part) {
  chip_run r;
  bool     ok = chip_open(&r, text, "wormhole", override);
  if (!ok || !strstr(r.engine->plan, part))
    check_fail(__FILE__, __LINE__, "'%s' is not in %s", part,
               ok ? r.engine->plan : program_messages(&r.p));
  chip_close(&r);
}

CASE(the_last_of_contradicting_overrides_counts) {
  check_plan(solver("bf16"), "unit=sfpu unit=fpu", "bf16 on the FPU");
  check_plan(solver("bf16"), "unit=fpu unit=sfpu", "f32 on the SFPU");
  check_plan(solver("bf16"), "accumulate=f32 accumulate=bf16", "sums in bf16");
}

/* Where neighbours of what is written are read, results wait in a tile more for each level. */
CASE(spare_tiles_take_memory) {
  const char *text = "grid x = 8, y = 8, z = 4\nfield u : f32\nfield w : bf16\nboundary u, w = 0\n"
                     "u = u[1,0,0]\nw = w[1,0,0]\n";
  check_plan("grid x = 8\nfield u : f32\nu = 2*u\n", NULL, "; 1 tiles of a level resident");
  check_plan("grid x = 8\nfield u : f32\nboundary u = 0\nu = u[1]\n", NULL,
             "; 2 tiles of a level resident");
  /* The spare one is as large as the larger: two of 4096, one of 2048, four levels. */
  check_plan(text, NULL, "; 3 tiles of a level resident, 188416 of");
}

/* ---- without memory ---- */

/* Each allocation in turn is refused: that is said, and nothing stays behind. */
CASE(no_memory_is_told) {
  program p;
  long    fine = 0;
  if (!MUST_OPEN(&p, solver("bf16"))) return;
  for (long n = 0; fine < 10; n += n < 100 ? 1 : n / 5) {
    chip_run r = {.p = p};
    long     live = ik_mem_live();
    r.p.diag = (ik_diag){0};
    ik_mem_fail_after(n);
    ik_status st = chip_begin(&r, "wormhole", NULL);
    r.open = !st;
    if (!st) st = ik_loop_advance(&r.loop, 1, &r.p.diag);
    ik_mem_fail_after(-1);
    CHECK(st == IK_OK || st == IK_ERR_RESOURCE);
    fine = st ? 0 : fine + 1;
    if (r.open) ik_loop_free(&r.loop);
    if (r.engine) r.engine->ops->destroy(&r.engine);
    ik_state_destroy(&r.state), ik_diag_free(&r.p.diag);
    CHECK_EQ(ik_mem_live(), live);
  }
  program_close(&p);
}
