/* A run that follows another one half-way ends as if it had come all the way: whatever computes,
 * however many steps at a time, and wherever cells lie. */
#include "api/api.h"
#include "base/hash.h"
#include "base/mem.h"
#include "check.h"
#include "io/scratch.h"
#include "own.h"

/* How a run is run; padding between its slices. */
typedef struct way {
  const char *target, *strategy, *plan;
  int         threads;
  int64_t     gap;
} way;

static const way reference = {.target = "ref"};
static const way ways[] = {
    {.target = "ref", .threads = 1},
    {.target = "cpu", .strategy = "sweep", .threads = 2, .gap = 3},
    {.target = "cpu", .strategy = "fuse", .plan = "steps=3", .threads = 2},
    {.target = "cpu", .strategy = "fuse", .plan = "steps=4", .threads = 3, .gap = 16},
    {.target = "own"},
    {.target = "own-plain", .strategy = "compiled"},
};
enum { WAYS = sizeof ways / sizeof *ways };

static ik_run *make_run(ik_program *p, const way *w, ik_log *log) {
  scratch(""); /* makes the folder */
  ik_run_options o = {.target = w->target,
                      .strategy = w->strategy,
                      .plan = w->plan,
                      .threads = w->threads,
                      .cache = scratch_dir,
                      .quiet_files = true};
  ik_run        *r = NULL;
  ik_layout_padding_always = w->gap;
  CHECK_EQ(ik_run_create(p, &o, log, &r), IK_OK);
  ik_layout_padding_always = 0;
  return r;
}

/* Where a run stands, and all that it has: fields with their history, scalars, what receivers
 * heard, as it is written, what loops counted and what the watch saw. */
typedef struct standing {
  int64_t  t, done, total, points;
  uint64_t bits;
  bool     over;
} standing;

static uint64_t hash_levels(ik_run *r, uint64_t h) {
  const ik_ir *ir = r->program->ir;
  ik_diag      d = {0};
  CHECK_EQ(ik_engine_fetch_all(r->engine, &d), IK_OK);
  for (int f = 0; f < ir->nfield; f++) {
    size_t bytes =
        (size_t)r->state->slot[f].layout->cells * (size_t)ik_type_bytes(ir->field[f].type);
    if (ir->field[f].kind != IK_FIELD_USER) continue;
    for (int k = 0; k < ir->field[f].history; k++) {
      char *cells = ik_calloc(1, bytes);
      ik_state_copy_out(r->state, f, -k, cells);
      h = ik_hash(h, cells, bytes);
      ik_free(cells);
    }
  }
  ik_diag_free(&d);
  return h;
}

static uint64_t hash_traces(const ik_run *r, uint64_t h) {
  ik_diag d = {0};
  for (int i = 0; i < r->program->ir->nrecord; i++) {
    ik_buf      text = {0};
    const char *path = scratch("trace.npy");
    CHECK_EQ(ik_recorder_write(&r->loop.recorder, i, path, &d), IK_OK);
    CHECK_EQ(ik_file_read(path, IK_FILE_MOST, IK_NOSPAN, &text, &d), IK_OK);
    h = ik_hash(h, text.data, text.len);
    ik_buf_free(&text);
  }
  ik_diag_free(&d);
  return h;
}

static standing stand(ik_run *r) {
  const ik_ir *ir = r->program->ir;
  standing     s = {r->state->t, r->loop.done, r->loop.total, r->loop.points, .over = !r->loop.at};
  uint64_t     h = hash_traces(r, hash_levels(r, IK_HASH_INIT));
  h = ik_hash(h, r->state->scalar, (size_t)ir->nscalar * sizeof(double));
  h = ik_hash(h, &r->state->injected, sizeof(double));
  for (int i = 0; i < r->loop.nrepeat; i++) {
    const ik_repeat *k = &r->loop.repeat[i];
    const int64_t    rounds[] = {k->rounds, k->converged, k->over};
    h = ik_hash(h, rounds, sizeof rounds);
  }
  s.bits = h;
  return s;
}

static bool stands(const standing *a, const standing *b) {
  return a->t == b->t && a->done == b->done && a->total == b->total && a->points == b->points &&
         a->bits == b->bits && a->over == b->over;
}

static void to_the_end(ik_run *r, ik_log *log) { CHECK_EQ(ik_run_advance(r, -1, log), IK_OK); }

static void follow(ik_run *r, const ik_run *other, const standing *want, int from, int to,
                   ik_log *log) {
  CHECK_EQ(ik_run_follow(r, other, log), IK_OK);
  standing s = stand(r);
  if (!stands(&s, want))
    check_fail(__FILE__, __LINE__, "way %d after %d: at another place", to, from);
  for (int i = 0; i < r->loop.units.n; i++)
    CHECK_EQ(r->loop.units.unit[i].times, other->loop.units.unit[i].times);
}

/* From every way to every other one, after 0 steps, `half` and twice as many.  Who follows has been
 * nowhere the first time, and then at the end. */
static void follow_everywhere(const char *text, int64_t half) {
  ik_log     *log = ik_log_create();
  ik_program *p;
  CHECK_EQ(ik_program_from_text("follow", text, log, &p), IK_OK);
  CHECK_EQ(ik_program_compile(p, log), IK_OK);
  ik_run *whole = make_run(p, &reference, log), *first[WAYS], *other[WAYS];
  to_the_end(whole, log);
  standing end = stand(whole);
  for (int i = 0; i < WAYS; i++)
    first[i] = make_run(p, &ways[i], log), other[i] = make_run(p, &ways[i], log);
  for (int k = 0; k < 3; k++)
    for (int a = 0; a < WAYS; a++) {
      CHECK_EQ(ik_run_advance(first[a], k ? half : 0, log), IK_OK);
      standing here = stand(first[a]);
      CHECK(!here.over && here.bits != end.bits && (k > 0) == (here.done > 0));
      for (int b = 0; b < WAYS; b++) {
        follow(other[b], first[a], &here, a, b, log);
        to_the_end(other[b], log);
        standing s = stand(other[b]);
        if (!stands(&s, &end)) check_fail(__FILE__, __LINE__, "way %d after %d: another end", b, a);
      }
      standing s = stand(first[a]); /* nobody has moved it */
      CHECK(stands(&s, &here));
    }
  for (int i = 0; i < WAYS; i++) {
    to_the_end(first[i], log);
    standing s = stand(first[i]);
    CHECK(stands(&s, &end));
    ik_run_destroy(&first[i]), ik_run_destroy(&other[i]);
  }
  ik_run_destroy(&whole);
  ik_program_destroy(&p);
  ik_log_destroy(&log);
  scratch_scan(true);
}

/* A wave with two levels, driven and heard; one field that no step assigns, one that is not on all
 * axes, and cells near a face that keep what they had. */
#define WAVE                                                                                       \
  "grid x = 21, y = 17\nparam dt = 0.5\nfield u : f32, history 2 = noise(1)\nfield v : f64 = 0.1 " \
  "+ 0.01*x\n"                                                                                     \
  "field w : bf16, on (y) = noise(2)\nfield k : i32 = x - 3*y\nboundary u = 0.25\n"                \
  "source ricker(f = 0.05) at (9, 8) into u\n"                                                     \
  "receiver u at line (2, 3) .. (18, 3) into \"a.npy\"\n"                                          \
  "receiver u at (9.5, 8) every 3 into \"b.npy\"\n"

CASE(a_wave_with_sources_and_receivers) {
  follow_everywhere(WAVE "step 19 { u' = 2*u - u[t-1] + v*laplacian(u) }\n", 7);
}

CASE(fields_of_three_levels_and_parts_of_fields) {
  follow_everywhere("grid x = 20, y = 9, z = 8\nfield u : f64, history 3 = noise(1)\n"
                    "field c : f32 = noise(2)\nboundary u = periodic\nboundary c = copy\n"
                    "step 11 { u' = 0.4*u + 0.3*u[t-2] + 0.1*u[1,0,0] + 0.1*u[0,0,-1] - 0.01*c\n"
                    "c' = c + 0.1*c[0,1,0] on interior(1) }\n",
                    4);
}

/* Between loops and within them, with scalars that loops add to and rounds that end early. */
CASE(rounds_and_scalars) {
  static const char text[] =
      "grid x = 40\nfield u : f64 = noise(1)\nfield v : f64 = 1\nboundary u = periodic\n"
      "scalar s : f64 = 0\nsource 0.1*t at 4 into u\nreceiver u at 7 into \"a.npy\"\n"
      "step 7 { u' = 0.5*u + 0.25*u[-1] + 0.25*u[1]; s = s + sum(u) }\nv = u*u\n"
      "repeat until sum(v) < 1 max 50 { v = 0.5*v }\n"
      "step 5 { u' = u - 0.1*v; v' = v + t }\nrepeat until s < 0 max 3 { s = s + 1 }\nv = 2*v\n";
  follow_everywhere(text, 3), follow_everywhere(text, 8);
}

/* What was heard after the place that was followed is forgotten. */
CASE(a_run_can_be_sent_back) {
  ik_log     *log = ik_log_create();
  ik_program *p;
  CHECK_EQ(ik_program_from_text("follow", WAVE "step 9 { u' = 2*u - u[t-1] + v*laplacian(u) }\n",
                                log, &p),
           IK_OK);
  CHECK_EQ(ik_program_compile(p, log), IK_OK);
  ik_run *origin = make_run(p, &ways[2], log), *r = make_run(p, &ways[2], log);
  CHECK_EQ(ik_run_advance(origin, 0, log), IK_OK);
  standing start = stand(origin), end = {0};
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(ik_run_follow(r, origin, log), IK_OK);
    standing s = stand(r);
    CHECK(stands(&s, &start) && !ik_run_done(r));
    CHECK_EQ(ik_run_advance(r, 4, log), IK_OK);
    if (i < 2) to_the_end(r, log);
    s = stand(r);
    if (!i) end = s;
    CHECK(ik_run_done(r) == (i < 2) && stands(&s, &end) == (i < 2));
  }
  CHECK_EQ(r->loop.recorder.trace[0].nsample, 4);
  ik_run_destroy(&origin), ik_run_destroy(&r);
  ik_program_destroy(&p);
  ik_log_destroy(&log);
  scratch_scan(true);
}

/* Whether values grow out of bounds is told by all that was seen so far: the second program is
 * stopped, at the same step. */
CASE(who_follows_has_seen_what_the_other_has) {
  static const char *const text[] = {
      "grid x = 9\nfield u : f64 = 1e-3\nstep 40 { u' = if t < 20 then u else 3*u }\n",
      "grid x = 9\nfield u : f64 = 1e-3\nstep 40 { u' = if t < 4 then u else 3*u }\n"};
  for (int k = 0; k < 2; k++) {
    ik_log        *log = ik_log_create();
    ik_program    *p;
    ik_run        *a, *b;
    ik_run_options o = {.target = "ref", .check_every = 1};
    CHECK_EQ(ik_program_from_text("follow", text[k], log, &p), IK_OK);
    CHECK_EQ(ik_program_compile(p, log), IK_OK);
    CHECK_EQ(ik_run_create(p, &o, log, &a), IK_OK);
    CHECK_EQ(ik_run_create(p, &o, log, &b), IK_OK);
    CHECK_EQ(ik_run_advance(a, 25, log), IK_OK);
    CHECK_EQ(ik_run_follow(b, a, log), IK_OK);
    CHECK(b->loop.watch.begun && b->loop.watch.scale == a->loop.watch.scale);
    CHECK(b->loop.watch.max_abs == a->loop.watch.max_abs);
    CHECK(b->loop.watch.before != a->loop.watch.before);
    CHECK_EQ(ik_run_advance(a, -1, log), ik_run_advance(b, -1, log));
    CHECK_EQ(b->loop.done, a->loop.done);
    ik_run_destroy(&a), ik_run_destroy(&b);
    ik_program_destroy(&p);
    ik_log_destroy(&log);
  }
}

/* ---- memory that nobody has met yet ---- */

static int touched, readied;

static void count_touch(ik_engine *x) {
  touched++;
  CHECK(!x->state->t && !readied);
}

static void count_ready(ik_engine *x, ik_diag *d) {
  (void)x, (void)d;
  readied++;
}

/* Whoever computes takes its memory before values are copied there, as before initial values: once,
 * since later there are values. */
CASE(memory_is_touched_before_the_first_values_come) {
  ik_log     *log = ik_log_create();
  ik_program *p;
  CHECK_EQ(ik_program_from_text("follow", WAVE "step 9 { u' = u[t-1] }\n", log, &p), IK_OK);
  CHECK_EQ(ik_program_compile(p, log), IK_OK);
  ik_run       *first = make_run(p, &reference, log), *other = make_run(p, &reference, log);
  ik_engine_ops counted = *other->engine->ops;
  counted.touch = count_touch, counted.ready = count_ready;
  other->engine->ops = &counted;
  touched = readied = 0;
  CHECK_EQ(ik_run_advance(first, 3, log), IK_OK);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(ik_run_follow(other, first, log), IK_OK);
    CHECK(touched == 1 && readied == 1);
  }
  ik_run_destroy(&first), ik_run_destroy(&other);
  ik_program_destroy(&p);
  ik_log_destroy(&log);
}
