/* Steps tiled in time, with kernels that walk expressions, against the interpreter. */
#include "interp/interp.h"
#include "lang/program.h"
#include "targets/cpu/time_tiles_run.h"
#include "targets/cpu/passes.h"
#include "targets/cpu/shape/shape.h"

enum { STEPS = 7 };

typedef struct pair {
  program    p;
  ik_state  *want, *got;
  ik_interp *in, *out;
} pair;

static bool open_pair(pair *x, const char *text) {
  *x = (pair){0};
  if (!MUST_OPEN(&x->p, text)) return false;
  CHECK_EQ(ik_state_create(x->p.ir, &x->p.diag, &x->want), IK_OK);
  CHECK_EQ(ik_state_create(x->p.ir, &x->p.diag, &x->got), IK_OK);
  CHECK_EQ(ik_interp_create(x->want, &x->p.diag, &x->in), IK_OK);
  CHECK_EQ(ik_interp_create(x->got, &x->p.diag, &x->out), IK_OK);
  ik_interp_run(x->in, x->p.ir->init, NULL);
  ik_interp_run(x->out, x->p.ir->init, NULL);
  return true;
}

static void close_pair(pair *x) {
  ik_interp_destroy(&x->in), ik_interp_destroy(&x->out);
  ik_state_destroy(&x->want), ik_state_destroy(&x->got);
  program_close(&x->p);
}

/* One thread, but as many slabs in work as it may have. */
static void run_waves(pair *x, const ik_plan *plan, const ik_spots *spots) {
  const ik_ir    *ir = x->p.ir;
  ik_plan         passes = ik_time_tiles_passes(ir, plan);
  ik_pipe         pipe;
  ik_team_part    part;
  ik_drive_thread th[16] = {{0}};
  ik_time_tiles   w = {
        .ir = ir, .plan = plan, .pipe = &pipe, .state = x->got, .thread = th, .part = &part};
  ik_shape_passes(ir, ir->body->body, 1, &passes, &x->p.arena, &pipe);
  CHECK(pipe.n == 1 && !ik_time_tiles_illegal(ir, ir->body->body, &pipe, plan));
  const ik_pass *p = pipe.work[0].pass;
  for (int i = 0; i < 16; i++) {
    th[i].scratch = aligned_alloc(64, (size_t)p->scratch_bytes / 64 * 64 + 64);
    CHECK(ik_drive_thread_fit(&th[i], x->got, p));
  }
  passes_now.ir = ir, passes_now.pass = p;
  w.kernel[0] = passes_kernels, w.spots = spots;
  CHECK_EQ(ik_team_create(1, &x->p.diag, &w.team), IK_OK);
  CHECK_EQ(ik_time_tiles_advance(&w, STEPS, &x->p.diag), IK_OK);
  ik_team_destroy(&w.team);
  for (int i = 0; i < 16; i++) {
    free(th[i].scratch);
    ik_drive_thread_free(&th[i]);
  }
}

static void check_waves(int line, const char *text, const char *words) {
  pair    x;
  ik_plan plan = {
      .cpu.planes = 1, .cpu.rows = 1, .cpu.vectors = 1, .cpu.vector_bytes = 16, .threads = 1};
  CHECK(ik_plan_read(words, &plan));
  if (open_pair(&x, text)) {
    ik_spots spots;
    CHECK(ik_spots_init(&spots, x.p.ir, STEPS));
    for (int i = 0; i < STEPS * (int)spots.added; i++)
      spots.value[i] = 2.5 + i; /* what SOURCE says */
    run_waves(&x, &plan, &spots);
    ik_spots_free(&spots);
    for (int i = 0; i < STEPS; i++) ik_interp_step(x.in, x.p.ir->body);
    size_t bytes = (size_t)x.want->slot[0].layout->cells * 4;
    if (memcmp(ik_state_data(x.want, 0, 0), ik_state_data(x.got, 0, 0), bytes))
      check_fail(__FILE__, line, "%s\n%s differs", text, words);
  }
  close_pair(&x);
}
#define CHECK_WAVES(text, words) check_waves(__LINE__, text, words)

#define HEAT(more)                                                                                 \
  "grid x = 9, y = 30, z = 28\nfield u : f32 = noise(1)\nfield v : f32 = noise(2)\n"               \
  "boundary u = mirror\n" more "step 7 { u' = 0.5*u + 0.1*v*(u[1,0,0] + u[0,-1,0] + u[0,0,1]) }\n"
#define SOURCE "source 2.5 + t at (3, 17, 9) into u\n"

CASE(every_tile_of_a_front_is_run) {
  CHECK_WAVES(HEAT(""), "hex steps=2 tile=0,8,8");
  CHECK_WAVES(HEAT(""), "hex steps=3 tile=0,0,9");
  CHECK_WAVES(HEAT(""), "skew steps=2 tile=0,8,8");
}

CASE(lines_are_walked_to_their_ends) { CHECK_WAVES(HEAT(""), "skew steps=2 tile=0,8,0"); }

CASE(sources_add_to_what_the_step_has_made) {
  CHECK_WAVES(HEAT(SOURCE), "hex steps=2 tile=0,8,8");
  CHECK_WAVES(HEAT(SOURCE), "skew steps=2 tile=0,8,8");
  CHECK_WAVES(HEAT(SOURCE), "skew steps=2 tile=0,8,0");
}
