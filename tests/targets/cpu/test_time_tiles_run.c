/* What slabs ask for: kernels that compute nothing write down what they are told. */
#include "targets/cpu/time_tiles_run.h"
#include "base/least.h"
#include "lang/program.h"
#include "targets/cpu/layout.h"
#include "targets/cpu/shape/shape.h"
#include <stdatomic.h>
#include <time.h>

enum { NX = 128, ROWS = 16, MOST = 1000 };

#define WAVE(more)                                                                                 \
  "grid x = 128, y = 48, z = 24\nfield u : f32, history 2\nfield v : f32\nfield a : f32\n"         \
  "field b : f32\nboundary u = 0\nstep 4 { u' = 2*u - u[t-1] + v*laplacian(u, order = 8)" more     \
  " }\n"

typedef struct call {
  int64_t     t, y0, y1, z;
  const char *prefetch[IK_PIPE_PREFETCHED];
} call;

static call made[MOST];
static int  ncall, asked_for;

static void note(const ik_kernel_call *c) {
  call *m = &made[ncall < MOST ? ncall++ : 0];
  *m = (call){.t = c->t, .y0 = c->y0, .y1 = c->y1, .z = c->z};
  for (int i = 0; i < asked_for; i++) m->prefetch[i] = c->prefetch[i];
}

/* ---- a slab of the wave ---- */

typedef struct slabs {
  program               p;
  ik_plan               plan;
  ik_pipe               pipe;
  const ik_pipe_kernel *k; /* that reads arrays */
  ik_layout            *layout;
  ik_state             *s;
  int                   corners;  /* rows beside the tile that are read a plane further on */
  const char           *array[3]; /* u, u[t-1] and v as the first step sees them */
} slabs;

static void lower(slabs *x, int steps) {
  x->plan = (ik_plan){.strategy = "skew",
                      .steps = steps,
                      .tile = {0, ROWS, 0},
                      .cpu.rows = 1,
                      .cpu.vectors = 8,
                      .cpu.vector_bytes = 64,
                      .cpu.shift = true,
                      .cpu.in_place = true,
                      .threads = 1};
  x->plan.layout = x->layout;
  ik_plan passes = ik_time_tiles_passes(x->p.ir, &x->plan);
  ik_shape_passes(x->p.ir, x->p.ir->body->body, 1, &passes, &x->p.arena, &x->pipe);
  const ik_pass *p = x->pipe.work[0].pass;
  for (int i = 0; i < p->phase[0].nstage; i++) {
    const ik_pipe_stage *s = &p->phase[0].stage[i];
    if (s->kind == IK_STAGE_KERNEL) x->k = &p->kernel[s->inside];
  }
}

static bool open_slabs(slabs *x, const char *text, int steps) {
  ik_diag d = {0};
  *x = (slabs){0};
  ik_layout_padding_always = 4 * NX;
  if (!MUST_OPEN(&x->p, text)) return false;
  x->layout = ik_cpu_layout_of(x->p.ir, &x->p.arena);
  lower(x, steps);
  ik_layout_fold(x->layout, 0), ik_layout_fill(x->layout, 0, 0);
  CHECK_EQ(ik_state_create_in(x->p.ir, x->layout, &d, &x->s), IK_OK);
  return ik_time_tiles_slabs(x->p.ir, &x->pipe, &x->plan) == steps;
}

static void close_slabs(slabs *x) {
  ik_layout_padding_always = 0;
  ik_state_destroy(&x->s);
  program_close(&x->p);
}

static void run_all(slabs *x, int64_t steps) {
  const ik_pass  *p = x->pipe.work[0].pass;
  ik_kernel_fn   *kernel[16];
  ik_drive_thread th[4] = {{0}};
  ik_diag         d = {0};
  ik_time_tiles   w = {
        .ir = x->p.ir, .plan = &x->plan, .pipe = &x->pipe, .state = x->s, .thread = th};
  for (int i = 0; i < 16; i++) kernel[i] = note;
  for (int i = 0; i < x->plan.steps; i++) {
    th[i].scratch = aligned_alloc(64, (size_t)p->scratch_bytes / 64 * 64 + 64);
    CHECK(ik_drive_thread_fit(&th[i], x->s, p));
  }
  for (int a = 0; a < 3; a++) x->array[a] = ik_state_data(x->s, a == 2, a == 1 ? -1 : 0);
  w.kernel[0] = kernel;
  ncall = 0, asked_for = x->k->shape->prefetch.n;
  CHECK_EQ(ik_team_create(1, &d, &w.team), IK_OK);
  CHECK_EQ(ik_time_tiles_advance(&w, steps, &d), IK_OK);
  CHECK(ncall < MOST);
  ik_team_destroy(&w.team);
  for (int i = 0; i < x->plan.steps; i++) {
    free(th[i].scratch);
    ik_drive_thread_free(&th[i]);
  }
}

/* ---- what was asked for ---- */

enum { ARRAYS = 3, PLANES = 24, HEIGHT = 48 + 4, LINES = NX * 4 / 64 }; /* rows with their gap */

typedef struct rows { /* lines of the cache that are in a set, a bit for each */
  unsigned lines[ARRAYS * PLANES * HEIGHT];
  int64_t  n; /* with those that are in it twice, and those beyond the arrays */
} rows;

static void add_line(const slabs *x, const char *at, rows *to) {
  to->n++;
  for (int a = 0; a < ARRAYS; a++) {
    int64_t line = (at - x->array[a]) / 64, row = line / LINES;
    if (at >= x->array[a] && row < PLANES * HEIGHT)
      to->lines[a * PLANES * HEIGHT + row] |= 1U << line % LINES;
  }
}

static void add_asked(const slabs *x, const call *c, rows *to) {
  for (int i = 0; i < x->k->shape->prefetch.n; i++) {
    int64_t pitch = x->k->shape->prefetch.of[i].pitch * 4;
    for (int64_t at = c->y0 * pitch; at < c->y1 * pitch; at += 64)
      add_line(x, c->prefetch[i] + at, to);
  }
}

static void add_rows(const slabs *x, int array, int64_t z, int64_t y0, int64_t y1, rows *to) {
  for (int64_t at = y0 * NX * 4; at < y1 * NX * 4; at += 64)
    add_line(x, x->array[array] + z * HEIGHT * NX * 4 + at, to);
}

static void add_read(const slabs *x, const call *c, rows *to) {
  int u = c->t % 2; /* levels take turns */
  for (int64_t dz = -4; dz <= 4; dz++) {
    int64_t beside = !dz ? 4 : dz * dz == 1 ? x->corners : 0;
    add_rows(x, u, c->z + dz, c->y0 - beside, c->y1 + beside, to);
  }
  add_rows(x, !u, c->z, c->y0, c->y1, to);
  add_rows(x, 2, c->z, c->y0, c->y1, to);
}

/* All steps at a place of the slab that begins with row y. */
static void add_place(const slabs *x, int64_t y, int64_t place, int steps,
                      void (*add)(const slabs *x, const call *c, rows *to), rows *to) {
  for (int i = 0; i < ncall; i++) {
    const call *c = &made[i];
    if (c->t < steps && c->y0 == y - 4 * c->t && c->z == place - 4 * c->t) add(x, c, to);
  }
}

/* What the next place reads and the slab has not read yet: asked for at this one, or not earlier
 * than `since` places before it, and hardly anything else. */
static void check_place(const slabs *x, int64_t y, int64_t place, int steps, int since) {
  static rows before, next, asked;
  int64_t     fresh = 0, missing = 0;
  memset(&before, 0, sizeof before), memset(&next, 0, sizeof next);
  memset(&asked, 0, sizeof asked);
  for (int64_t p = 0; p <= place; p++) add_place(x, y, p, steps, add_read, &before);
  add_place(x, y, place + 1, steps, add_read, &next);
  for (int64_t p = place - since; p <= place; p++) add_place(x, y, p, steps, add_asked, &asked);
  for (int i = 0; i < ARRAYS * PLANES * HEIGHT; i++) {
    bool is_fresh = next.lines[i] && !before.lines[i];
    if (is_fresh) fresh += LINES;
    if (is_fresh && asked.lines[i] != (1U << LINES) - 1) missing++;
  }
  CHECK_EQ(missing, 0);
  CHECK(fresh >= 3 * ROWS * LINES);
  CHECK((double)asked.n < 1.2 * (double)fresh * (since + 1));
}

static void check_slab(const char *text, int steps, int corners) {
  slabs x;
  if (open_slabs(&x, text, steps)) {
    x.corners = corners;
    for (int i = 0; i < x.k->ninput; i++) CHECK_EQ(x.k->shape->input[i].prefetch, 0);
    run_all(&x, steps);
    for (int64_t place = 12; place < 16; place++)
      check_place(&x, ROWS, place, steps, corners ? 4 : 0);
  } else {
    CHECK(!"slabs");
  }
  close_slabs(&x);
}

CASE(a_place_asks_for_what_the_next_reads_first) {
  check_slab(WAVE(""), 2, 0);
  check_slab(WAVE(""), 3, 0);
}

CASE(rows_beside_the_tile_that_are_read_early_are_asked_for_early) {
  check_slab(WAVE(" + v*(u[0,1,1] + u[0,-1,-1])"), 2, 1);
  check_slab(WAVE(" + v*(u[0,1,1] + u[0,-1,-1])"), 3, 1);
}

/* What a step asks for of its first value at a place of the slab that begins with row y. */
static void check_plane(const slabs *x, int step, int64_t y, int64_t place) {
  int64_t row[3] = {0, y - 4 * step, place - 4 * step + 4 + 1}, found = 0;
  for (int i = 0; i < ncall; i++) {
    const call *c = &made[i];
    if (c->t != step || c->y0 != y - 4 * step || c->z != place - 4 * step) continue;
    CHECK_EQ(c->prefetch[0] + c->y0 * x->k->shape->prefetch.of[0].pitch * 4 - x->array[step],
             ik_state_index(x->s, 0, row) * 4);
    found++;
  }
  CHECK_EQ(found, 1);
}

/* Those that are too many: rows further on, and of u the next plane; each step for itself. */
CASE(each_step_asks_for_itself_where_values_are_many) {
  slabs x;
  if (open_slabs(&x, WAVE(" + a*b"), 2)) {
    CHECK(!x.k->shape->prefetch.in_turns && x.k->shape->prefetch.n == 1);
    for (int i = 0; i < x.k->ninput; i++)
      CHECK((x.k->shape->input[i].prefetch > 0) !=
            (x.k->input[i].field == 0 && x.k->input[i].level == 0));
    run_all(&x, 2);
    check_plane(&x, 0, ROWS, 12);
    check_plane(&x, 1, ROWS, 12);
  } else {
    CHECK(!"slabs");
  }
  close_slabs(&x);
}

/* ---- who waits for whom ---- */

/* With delays: each kernel checks, before it takes its time, that all places that its own has to
 * wait for are done. */
enum { MOST_SLABS = 64, MOST_PLACES = 64, THREADS = 4 };

static struct {
  ik_schedule s;
  int64_t     slabs, places;
  atomic_int  left[MOST_SLABS][MOST_PLACES]; /* planes that are not done */
  atomic_int  early, strange, waited;
} watch;

static bool next_box(int64_t slab, int64_t sub, int64_t place, ik_schedule_box *b) {
  int64_t begin, end;
  ik_schedule_subs(&watch.s, slab, &begin, &end);
  return begin + sub < end && ik_schedule_box_at(&watch.s, slab, begin + sub, place, b);
}

static void open_watch(const slabs *x, int64_t steps) {
  ik_schedule_box b;
  watch.s = ik_time_tiles_schedule(x->p.ir, &x->pipe, &x->plan);
  watch.s.steps = steps;
  ik_schedule_init(&watch.s);
  watch.slabs = ik_schedule_slabs(&watch.s), watch.places = ik_schedule_places(&watch.s);
  watch.early = watch.strange = watch.waited = 0;
  CHECK(watch.slabs <= MOST_SLABS && watch.places <= MOST_PLACES);
  for (int64_t l = 0; l < watch.slabs; l++)
    for (int64_t p = 0; p < watch.places; p++) {
      watch.left[l][p] = 0;
      for (int64_t sub = 0; sub < x->plan.steps; sub++)
        if (next_box(l, sub, p, &b)) watch.left[l][p] += (int)(b.hi[2] - b.lo[2]);
    }
}

/* The place that a plane of results belongs to. */
static bool find_place(const ik_kernel_call *c, int64_t *slab, int64_t *place) {
  ik_schedule_box b;
  for (*slab = 0; *slab < watch.slabs; ++*slab)
    for (*place = 0; *place < watch.places; ++*place)
      for (int64_t sub = 0; sub < watch.s.band; sub++)
        if (next_box(*slab, sub, *place, &b) && b.step == c->t && b.lo[1] == c->y0 &&
            b.lo[2] <= c->z && c->z < b.hi[2])
          return true;
  return false;
}

static bool are_done(const ik_schedule_wait *w) {
  for (int64_t p = 0; p < w->places; p++)
    if (atomic_load(&watch.left[w->slab][p])) return false;
  return true;
}

static void look_and_wait(const ik_kernel_call *c) {
  ik_schedule_wait wait[2];
  int64_t          slab, place;
  if (!find_place(c, &slab, &place)) {
    watch.strange++;
    return;
  }
  int n = ik_schedule_waits(&watch.s, slab, place, wait);
  for (int i = 0; i < n; i++) watch.early += !are_done(&wait[i]);
  watch.waited += n;
  if (slab % 3 != 2) nanosleep(&(struct timespec){.tv_nsec = 100000 * (1 + slab % 2)}, NULL);
  atomic_fetch_sub(&watch.left[slab][place], 1);
}

static void run_watched(slabs *x, int64_t steps) {
  const ik_pass  *p = x->pipe.work[0].pass;
  ik_kernel_fn   *kernel[16];
  ik_drive_thread th[THREADS * 3] = {{0}};
  ik_diag         d = {0};
  ik_time_tiles   w = {
        .ir = x->p.ir, .plan = &x->plan, .pipe = &x->pipe, .state = x->s, .thread = th};
  for (int i = 0; i < 16; i++) kernel[i] = look_and_wait;
  for (int i = 0; i < THREADS * x->plan.steps; i++) {
    th[i].scratch = aligned_alloc(64, (size_t)p->scratch_bytes / 64 * 64 + 64);
    CHECK(ik_drive_thread_fit(&th[i], x->s, p));
  }
  w.kernel[0] = kernel;
  open_watch(x, steps);
  CHECK_EQ(ik_team_create(THREADS, &d, &w.team), IK_OK);
  CHECK_EQ(ik_time_tiles_advance(&w, steps, &d), IK_OK);
  ik_team_destroy(&w.team);
  for (int i = 0; i < THREADS * x->plan.steps; i++) {
    free(th[i].scratch);
    ik_drive_thread_free(&th[i]);
  }
}

CASE(no_place_begins_before_those_that_it_waits_for) {
  slabs x;
  for (int steps = 2; steps <= 3; steps++) {
    if (open_slabs(&x, WAVE(" + v*(u[0,1,1] + u[0,-1,-1])"), steps)) {
      run_watched(&x, 3 * steps);
      CHECK_EQ(watch.strange, 0);
      CHECK_EQ(watch.early, 0);
      CHECK(watch.waited > 100);
      for (int64_t l = 0; l < watch.slabs; l++)
        for (int64_t p = 0; p < watch.places; p++) CHECK_EQ(watch.left[l][p], 0);
    } else {
      CHECK(!"slabs");
    }
    close_slabs(&x);
  }
}
