/* What lines ask for: kernels that compute nothing write down what they are told. */
#include "target/cpu/wave.h"
#include "base/least.h"
#include "lang/program.h"

enum { NX = 128, ROWS = 16, MOST = 1000 };

#define WAVE(more)                                                                                 \
  "grid x = 128, y = 48, z = 24\nfield u : f32, history 2\nfield v : f32\nfield a : f32\n"         \
  "field b : f32\nboundary u = 0\nstep 4 { u' = 2*u - u[t-1] + v*laplacian(u, order = 8)" more     \
  " }\n"

typedef struct call {
  int64_t     t, y0, y1, z;
  const char *soon[IK_PIPE_SOON];
} call;

static call made[MOST];
static int  ncall, asked_for;

static void note(const ik_kernel_call *c) {
  call *m = &made[ncall < MOST ? ncall++ : 0];
  *m = (call){.t = c->t, .y0 = c->y0, .y1 = c->y1, .z = c->z};
  for (int i = 0; i < asked_for; i++) m->soon[i] = c->soon[i];
}

/* ---- a line of the wave ---- */

typedef struct lines {
  program               p;
  ik_plan               plan;
  ik_pipe               pipe;
  const ik_pipe_kernel *k; /* that reads arrays */
  const int            *buffer;
  ik_state             *s;
  const char           *array[IK_PIPE_SOON]; /* of what is asked for, as the first step sees it */
} lines;

static void lower(lines *x, int steps) {
  x->plan = (ik_plan){.strategy = "skew",
                      .steps = steps,
                      .tile = {0, ROWS, 0},
                      .rows = 1,
                      .vectors = 8,
                      .vector_bytes = 64,
                      .shift = true,
                      .place = true,
                      .threads = 1};
  ik_plan passes = ik_wave_passes(x->p.ir, &x->plan);
  ik_pipe_of(x->p.ir, x->p.ir->body->body, 1, &passes, &x->p.arena, &x->pipe);
  const ik_pass *p = x->pipe.work[0].pass;
  for (int i = 0; i < p->phase[0].nstage; i++) {
    const ik_pipe_stage *s = &p->phase[0].stage[i];
    if (s->kind == IK_STAGE_KERNEL) x->k = &p->kernel[s->inside], x->buffer = s->soon;
  }
}

static bool open_lines(lines *x, const char *text, int steps) {
  ik_diag d = {0};
  double  zero = 0;
  *x = (lines){0};
  ik_state_gap_always = 4 * NX;
  if (!MUST_OPEN(&x->p, text)) return false;
  lower(x, steps);
  CHECK_EQ(ik_state_create(x->p.ir, &d, &x->s), IK_OK);
  ik_state_fold(x->s, 0);
  for (int f = 0; f < 4; f++) CHECK_EQ(ik_state_spread(x->s, f, f ? NULL : &zero, &d), IK_OK);
  return ik_wave_lines(x->p.ir, &x->pipe, &x->plan) == steps;
}

static void close_lines(lines *x) {
  ik_state_gap_always = 0;
  ik_state_destroy(&x->s);
  program_close(&x->p);
}

static void run_all(lines *x, int64_t steps) {
  const ik_pass  *p = x->pipe.work[0].pass;
  ik_kernel_fn   *kernel[16];
  ik_drive_thread th[4] = {{0}};
  ik_diag         d = {0};
  ik_wave w = {.ir = x->p.ir, .plan = &x->plan, .pipe = &x->pipe, .state = x->s, .thread = th};
  for (int i = 0; i < 16; i++) kernel[i] = note;
  for (int i = 0; i < x->plan.steps; i++) {
    th[i].scratch = aligned_alloc(64, (size_t)p->scratch_bytes / 64 * 64 + 64);
    CHECK(ik_drive_thread_fit(&th[i], x->s, p));
  }
  for (int i = 0; i < x->k->nsoon; i++) {
    const ik_pipe_buffer *b = &p->buffer[x->buffer[i]];
    x->array[i] = ik_state_data(x->s, b->field, b->level);
  }
  w.kernel[0] = kernel;
  ncall = 0, asked_for = x->k->nsoon;
  CHECK_EQ(ik_team_create(1, &d, &w.team), IK_OK);
  CHECK_EQ(ik_wave_advance(&w, steps, &d), IK_OK);
  CHECK(ncall < MOST);
  ik_team_destroy(&w.team);
  for (int i = 0; i < x->plan.steps; i++) {
    free(th[i].scratch);
    ik_drive_thread_free(&th[i]);
  }
}

/* ---- what was asked for ---- */

/* The i-th value, from its cell (0, y, z) on. */
static const char *row_of(const lines *x, int i, int64_t y, int64_t z) {
  int64_t at[3] = {0, y, z};
  return x->array[i] + ik_state_index(x->s, x->k->soon[i].field, at) * 4;
}

static const call *find(int64_t t, int64_t y0, int64_t z) {
  for (int i = 0; i < ncall; i++)
    if (made[i].t == t && made[i].y0 == y0 && made[i].z == z) return &made[i];
  return NULL;
}

/* Each step goes on where the one before has left off, and the last one comes to the end. */
static void check_value(const lines *x, int i, int64_t y, int64_t z, int steps) {
  const ik_pipe_buffer *b = &x->pipe.work[0].pass->buffer[x->buffer[i]];
  int64_t               below = ik_max(b->look[IK_ROW][0], 4 * (steps - 1)); /* of later steps */
  int64_t               plane = z + b->look[IK_STREAM][1] + 1, pitch = x->k->soon[i].pitch * 4;
  const char           *at = row_of(x, i, y - below, plane), *first = at;
  for (int s = 0; s < steps; s++) {
    const call *c = find(s, y - 4 * s, z - 4 * s);
    CHECK(c != NULL);
    if (!c) return;
    CHECK_EQ(c->soon[i] + c->y0 * pitch - first, at - first);
    at += (c->y1 - c->y0) * pitch;
  }
  int64_t needed = (ROWS + below + b->look[IK_ROW][1]) * NX * 4;
  CHECK(at - first >= needed && at - first < 1.2 * (double)needed);
}

static void check_line(int steps) {
  lines x;
  if (open_lines(&x, WAVE(""), steps)) {
    CHECK_EQ(x.k->nsoon, 3); /* u, u[t-1], v */
    for (int i = 0; i < x.k->ninput; i++) CHECK_EQ(x.k->input[i].ahead, 0);
    run_all(&x, steps);
    for (int i = 0; i < x.k->nsoon; i++) check_value(&x, i, ROWS, 12, steps);
  } else {
    CHECK(!"lines");
  }
  close_lines(&x);
}

CASE(all_steps_ask_for_what_the_first_reads_next) {
  check_line(2);
  check_line(3);
}

/* Those that are too many: rows further on, and of u the next plane; each step for itself. */
CASE(each_step_asks_for_itself_where_values_are_many) {
  lines x;
  if (open_lines(&x, WAVE(" + a*b"), 2)) {
    const char *later = ik_state_data(x.s, 0, -1); /* u of the second step */
    int64_t     row[3] = {0, ROWS - 4 - 4, 12 - 4 + 4 + 1};
    CHECK(!x.k->in_turns && x.k->nsoon == 1);
    for (int i = 0; i < x.k->ninput; i++)
      CHECK((x.k->input[i].ahead > 0) != (x.k->input[i].field == 0 && x.k->input[i].level == 0));
    run_all(&x, 2);
    check_value(&x, 0, ROWS, 12, 1);
    const call *c = find(1, ROWS - 4, 12 - 4);
    CHECK(c != NULL);
    if (c)
      CHECK_EQ(c->soon[0] + c->y0 * x.k->soon[0].pitch * 4 - later,
               ik_state_index(x.s, 0, row) * 4);
  } else {
    CHECK(!"lines");
  }
  close_lines(&x);
}
