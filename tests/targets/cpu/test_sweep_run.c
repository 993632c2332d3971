#include "targets/cpu/sweep_run.h"
#include "lang/program.h"
#include <stdatomic.h>

/* Of the first statement, for so many threads. */
static int64_t room_of(const char *value, int threads) {
  char    text[300];
  int64_t bytes = 0;
  program p;
  snprintf(text, sizeof text,
           "grid x = 64, y = 64\nfield u : f64 = noise(1)\nboundary u = 0\nsweep x up { u = %s }\n",
           value);
  if (MUST_OPEN(&p, text)) {
    const ik_sweep *o = ik_sweep_of(p.ir, p.ir->body, 1, &p.arena);
    if (o) bytes = ik_sweep_room_bytes(p.ir, &o, 1, threads);
  }
  program_close(&p);
  return bytes;
}

/* Where it is, whether it is the same for a row, and its value where no array has it: eight bytes
 * each, for every thread. */
CASE(room_for_one_more_read) {
  int64_t two = room_of("u[-1,0] + u[1,0]", 3), three = room_of("u[-1,0] + u[1,0] + u[2,0]", 3);
  CHECK_EQ(three - two, 3 * 3 * 8);
}

/* ---- who does what ---- */

static _Atomic int64_t longest[IK_MAX_DIM]; /* box that was done at once, along each axis */

static void note(const ik_sweep_call *c) {
  for (int d = 0; d < IK_MAX_DIM; d++) {
    int64_t n = c->hi[d] - c->lo[d], most = longest[d];
    while (n > most && !atomic_compare_exchange_weak(&longest[d], &most, n)) continue;
  }
}

/* The first statement, by so many threads, with functions that compute nothing. */
static void run_noting(const program *p, const ik_sweep *o, int threads) {
  ik_sweep_fn        *fn[] = {note, note};
  const ik_sweep_code code = {.set = fn, .cell = fn};
  ik_diag             d = {0};
  ik_state           *s;
  ik_team            *team;
  CHECK(o->nset <= 2 && o->nstmt <= 2);
  CHECK_EQ(ik_state_create(p->ir, &d, &s), IK_OK);
  CHECK_EQ(ik_team_create(threads, &d, &team), IK_OK);
  CHECK_EQ(ik_team_threads(team), threads);
  ik_sweep_room *room = ik_sweep_room_create(s, &o, 1, threads);
  for (int i = 0; i < IK_MAX_DIM; i++) longest[i] = 0;
  ik_sweep_run(o, &code, s, NULL, team, room);
  ik_sweep_room_destroy(&room), ik_team_destroy(&team), ik_state_destroy(&s);
  ik_diag_free(&d);
}

static void check_longest(int line, const char *text, int threads, int64_t x, int64_t y,
                          int64_t z) {
  program p;
  if (MUST_OPEN(&p, text)) {
    const ik_sweep *o = ik_sweep_of(p.ir, p.ir->body, 1, &p.arena);
    CHECK(o);
    if (o) run_noting(&p, o, threads);
    if (longest[0] != x || longest[1] != y || longest[2] != z)
      check_fail(__FILE__, line, "%d threads: up to %d x %d x %d cells at once\n%s", threads,
                 (int)longest[0], (int)longest[1], (int)longest[2], text);
  }
  program_close(&p);
}
#define CHECK_LONGEST(text, threads, x, y, z) check_longest(__LINE__, text, threads, x, y, z)

/* Two planes of three rows each are not enough for four threads: they share the rows. */
CASE(the_longest_of_short_axes_is_shared) {
  CHECK_LONGEST("grid x = 1002, y = 5, z = 4\nfield u : f64 = noise(1)\n"
                "sweep x up { u = 0.5*u[-1,0,0] on interior(1) }\n",
                4, 1000, 1, 2);
}

/* Two threads that shared x would write to the same lines of the cache. */
CASE(wavefronts_rather_than_parts_of_rows) {
  CHECK_LONGEST("grid x = 32, y = 16, z = 16\nfield u : f64 = noise(1)\nboundary u = 0\n"
                "sweep y up, z up { u = 0.5*u[0,-1,0] + 0.5*u[0,0,-1] }\n",
                2, 32, 4, 4);
}

#define LAYERS(x, y)                                                                               \
  "grid x = " x ", y = " y ", z = 3\nfield u : f32 = noise(1)\nboundary u = 0\n"                   \
  "sweep z up { u = 0.5*u[0,-1,-1] + 0.5*u[0,1,-1] + 0.1*u[1,0,-1] }\n"

/* Starting threads takes as long as some thousand cells. */
CASE(planes_are_shared_from_16384_cells_on) {
  CHECK_LONGEST(LAYERS("128", "128"), 2, 127, 16, 1);
  CHECK_LONGEST(LAYERS("127", "129"), 2, 126, 127, 1);
}

/* ---- more pieces than threads ---- */

#define ROWS(y)                                                                                    \
  "grid x = 512, y = " y "\nfield u : f64 = noise(1)\nboundary u = 0\n"                            \
  "sweep x up { u = 0.5*u[-1,0] + 0.25*u }\n"

/* Four for each thread, if they have the rows that are computed in turn: four of them here. */
CASE(threads_take_pieces_from_each_other) {
  CHECK_LONGEST(ROWS("128"), 2, 511, 16, 1);
  CHECK_LONGEST(ROWS("152"), 2, 511, 16, 1);
  CHECK_LONGEST(ROWS("31"), 2, 511, 16, 1);
  CHECK_LONGEST(ROWS("32"), 2, 511, 4, 1);
  CHECK_LONGEST(ROWS("40"), 8, 511, 5, 1);
}

#define COLUMNS(x)                                                                                 \
  "grid x = " x ", y = 64\nfield u : f64 = noise(1)\nboundary u = 0\n"                             \
  "sweep y up { u = 0.5*u[0,-1] + 0.25*u }\n"

CASE(pieces_of_rows_are_long) {
  CHECK_LONGEST(COLUMNS("2048"), 2, 256, 63, 1);
  CHECK_LONGEST(COLUMNS("2040"), 2, 1020, 63, 1);
  CHECK_LONGEST(COLUMNS("100"), 64, 2, 63, 1);
}
