#include "lower/passes.h"

static int count_shared(const ik_pass *p) {
  int n = 0;
  for (int i = 0; i < p->nbuffer; i++) n += p->buffer[i].shared;
  return n;
}

static int64_t end_of(const ik_pass *p, const ik_pipe_buffer *b) {
  return b->offset + p->pitch * ik_pipe_rows(p, b) * ik_type_bytes(b->type) * b->depth;
}

static bool do_meet(const ik_pass *p, int a, int b) {
  const ik_pipe_buffer *x = &p->buffer[a], *y = &p->buffer[b];
  return x->ring && y->ring && x->offset < end_of(p, y) && y->offset < end_of(p, x);
}

static int outputs(const ik_pass *p, const ik_pipe_stage *s) {
  return s->kind == IK_STAGE_KERNEL ? p->kernel[s->kernel].noutput : 1;
}

static bool makes(const ik_pass *p, const ik_pipe_stage *s, int buffer) {
  for (int i = 0; i < outputs(p, s); i++)
    if (s->out[i] == buffer) return true;
  return false;
}

/* What a stage writes is nowhere where something lies that a later one reads, unless that is made
 * in between. */
static void check_stage(const ik_pass *p, const ik_pipe_phase *ph, int stage, int out) {
  for (int i = stage; i < ph->nstage; i++) {
    const ik_pipe_stage *later = &ph->stage[i];
    if (later->kind != IK_STAGE_KERNEL) continue;
    for (int k = 0; k < p->kernel[later->kernel].ninput; k++) {
      bool made = false;
      for (int between = stage; between < i; between++)
        made = made || makes(p, &ph->stage[between], later->in[k]);
      CHECK(made || !do_meet(p, out, later->in[k]));
    }
  }
}

static void check_places(const ik_pass *p) {
  for (int i = 0; i < p->nbuffer; i++)
    CHECK(!p->buffer[i].ring || end_of(p, &p->buffer[i]) <= p->scratch_bytes);
  for (int i = 0; i < p->phase[0].nstage; i++)
    for (int k = 0; k < outputs(p, &p->phase[0].stage[i]); k++)
      check_stage(p, &p->phase[0], i, p->phase[0].stage[i].out[k]);
}

/* Levels of eight steps in two places: the one before, and the one that is made of it. */
CASE(in_1d_rings_that_are_done_with_make_room) {
  program p;
  if (MUST_OPEN(&p, "grid x = 200\nfield u : f32 = noise(1)\nboundary u = 0\n"
                    "step 8 {\n  u' = u[-1] + u[1]\n}\n")) {
    const ik_pass *pass = pass_of(&p, "fuse steps=8 tile=32");
    CHECK_EQ(count_shared(pass), 6);
    CHECK(pass->scratch_bytes < 2 * 1024 + 3 * pass->pitch * 4);
    check_places(pass);
  }
  program_close(&p);
}

/* The second field's rings are longer, and have places of their own. */
CASE(what_is_read_again_keeps_its_place) {
  program p;
  if (MUST_OPEN(&p, "grid x = 200\nfield u : f32 = noise(1)\nfield v : f64 = noise(2)\n"
                    "boundary u, v = copy\nstep 8 {\n  a = sqrt(abs(u[1] - u[-1]))\n"
                    "  b = sqrt(a[1] + a[-1])\n  v' = 0.5*v[1] + 0.1*v[-2]*b[1]\n"
                    "  u' = 0.2*a[1] - 0.1*v + 0.3*a[-1] - 0.2*u\n}\n")) {
    const ik_pass *pass = pass_of(&p, "fuse steps=4 tile=32");
    CHECK(count_shared(pass) >= 6);
    check_places(pass);
  }
  program_close(&p);
}

CASE(along_a_stream_all_rings_are_in_use) {
  program p;
  if (MUST_OPEN(&p, "grid x = 64, y = 50\nfield u : f32 = noise(1)\nboundary u = 0\n"
                    "step 8 {\n  u' = u[-1, 0] + u[1, 1]\n}\n")) {
    const ik_pass *pass = pass_of(&p, "fuse steps=4 tile=32");
    CHECK_EQ(count_shared(pass), 0);
    check_places(pass);
  }
  program_close(&p);
}
