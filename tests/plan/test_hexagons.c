/* Programs in the terms of hexagonal tiles. */
#include "check.h"
#include "api/api.h"
#include "plan/hexagons.h"

typedef struct world {
  ik_log     *log;
  ik_program *p;
  ik_arena    arena;
  ik_machine *gpu;
} world;

static bool open_world(world *w, const char *text) {
  w->log = ik_log_create();
  ik_arena_init(&w->arena);
  bool ok = !ik_program_from_text("test", text, w->log, &w->p) &&
            !ik_program_compile(w->p, w->log) &&
            !ik_machine_find("gtx980", &w->arena, &w->log->d, &w->gpu);
  CHECK(ok);
  return ok;
}

static void close_world(world *w) {
  ik_arena_free(&w->arena);
  ik_program_destroy(&w->p);
  ik_log_destroy(&w->log);
}

/* Jacobi's nine operations: the published C_iter itself. */
CASE(a_published_body) {
  world          w = {0};
  ik_hex_problem p;
  if (open_world(&w, "grid x = 300, y = 200\nfield u : f32 = 1\nboundary u = 0\n"
                     "step 7 { u' = (u + u[1,0] + u[-1,0] + u[0,1] + u[0,-1])/5 }\n")) {
    const ik_facts *f = &w.p->facts;
    CHECK(ik_hexagons_refuse(f) == NULL);
    CHECK_EQ(ik_hexagons_reach(f), 1);
    CHECK(ik_hexagons_problem(w.p->ir, f, 7, w.gpu, &p));
    CHECK_EQ(p.dims, 2);
    CHECK_EQ(p.s[0], 200);
    CHECK_EQ(p.s[1], 300);
    CHECK_EQ(p.steps, 7);
    CHECK_EQ(p.words, 1);
    CHECK_NEAR(p.iter_s, 3.39e-8 * (double)f->flops.cell / 9, 1e-20);
  }
  close_world(&w);
}

/* Reads of all fields count, not only of the one with the most points; f64 has two words. */
CASE(several_fields) {
  world          w = {0};
  ik_hex_problem p;
  if (open_world(&w, "grid x = 64, y = 64, z = 64\nfield u, v : f64 = 1\nboundary u, v = 0\n"
                     "step 3 {\n  u' = u + v[1,0,0]\n  v' = v - u\n}\n")) {
    CHECK_EQ(ik_hexagons_reach(&w.p->facts), 1);
    CHECK(ik_hexagons_problem(w.p->ir, &w.p->facts, 3, w.gpu, &p));
    CHECK_EQ(p.dims, 3);
    CHECK_EQ(p.words, 4);
  }
  close_world(&w);
}

CASE(what_cannot_be_tiled) {
  static const char *const text[] = {
      "grid x = 64\nfield u : f32 = 1\nboundary u = 0\nstep 3 { u' = u[2] + u[-2] }\n",
      "grid x = 64\nfield u, v : f32 = 1\nv = 2*u\n"};
  for (int i = 0; i < 2; i++) {
    world w = {0};
    if (open_world(&w, text[i])) CHECK(ik_hexagons_refuse(&w.p->facts) != NULL);
    close_world(&w);
  }
}
