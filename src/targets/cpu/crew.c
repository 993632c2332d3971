#include "targets/cpu/crew.h"
#include "base/least.h"
#include "base/mem.h"
#include "base/pages.h"

/* A thread runs tiles of one pass after the other, or has several tiles of waves in work at a time;
 * both lie in the same memory. */
typedef struct scratch {
  int     sets;        /* tiles in work, at most */
  int64_t tile, bytes; /* of one of these; of a thread */
} scratch;

/* Lines that a thread loads beyond the ends of its memory are not those that the next writes. */
enum { APART = 2 * IK_PAGES_BEYOND };

static scratch scratch_of(const ik_compile *parts) {
  scratch s = {.sets = 1};
  for (int i = 0; i < parts->n; i++) {
    const ik_compile_part *p = &parts->part[i];
    if (!p->hands) continue;
    int64_t bytes = ik_pipe_scratch(&p->pipe[0]);
    s.sets = ik_max_int(s.sets, p->hands);
    s.tile = ik_max(s.tile, bytes - bytes % IK_PAGES_ALIGN + IK_PAGES_ALIGN);
  }
  s.bytes = ik_max(s.tile * s.sets, parts->scratch_bytes) + APART;
  s.bytes += -s.bytes & (IK_PAGES_ALIGN - 1);
  return s;
}

int64_t ik_cpu_crew_bytes(const ik_compile *parts, int threads) {
  int64_t n = threads * scratch_of(parts).bytes;
  if (parts->nsweep) n += ik_sweep_room_bytes(parts->ir, parts->sweep, parts->nsweep, threads);
  return n;
}

/* Huge pages of its own for each thread would take more than all rings where threads are many. */
static bool make_hands(ik_cpu_crew *w, const ik_compile *parts, const ik_state *s) {
  scratch need = scratch_of(parts);
  int     n = w->threads * need.sets;
  w->sets = need.sets;
  w->scratch = ik_pages_alloc_busy((size_t)(w->threads * need.bytes));
  w->hand = w->scratch ? ik_calloc((size_t)n, sizeof *w->hand) : NULL;
  w->nhand = w->hand ? n : 0;
  for (int i = 0; i < w->nhand; i++) {
    char *first = (char *)w->scratch + i / need.sets * need.bytes;
    w->hand[i].scratch = first + i % need.sets * need.tile;
    for (int p = 0; p < parts->npass; p++)
      if (!ik_drive_thread_fit(&w->hand[i], s, parts->pass[p])) return false;
  }
  return w->hand != NULL;
}

static bool make_room(ik_cpu_crew *w, const ik_compile *parts, const ik_state *s) {
  w->part = ik_calloc((size_t)w->threads, sizeof *w->part);
  if (parts->nsweep) w->room = ik_sweep_room_create(s, parts->sweep, parts->nsweep, w->threads);
  return w->part && (w->room || !parts->nsweep) && make_hands(w, parts, s);
}

ik_status ik_cpu_crew_create(ik_cpu_crew *w, const ik_compile *parts, const ik_state *s,
                             int threads, ik_diag *d) {
  IK_TRY(ik_team_create(threads, d, &w->team));
  w->threads = ik_team_threads(w->team);
  if (make_room(w, parts, s)) return IK_OK;
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the threads of the CPU");
}

void ik_cpu_crew_free(ik_cpu_crew *w) {
  for (int i = 0; i < w->nhand; i++) ik_drive_thread_free(&w->hand[i]);
  ik_pages_free(w->scratch);
  ik_sweep_room_destroy(&w->room);
  ik_team_destroy(&w->team);
  ik_free(w->hand), ik_free(w->part);
}

/* ---- passes ---- */

typedef struct pass_run {
  const ik_cpu_crew *crew;
  const ik_drive    *drive;
} pass_run;

static void run_tiles(void *ctx, int thread, int nthreads) {
  const pass_run *r = ctx;
  int64_t         lo, hi;
  while (ik_team_take(r->crew->part, thread, nthreads, &lo, &hi))
    ik_drive_some(r->drive, lo, hi, &r->crew->hand[thread * r->crew->sets]);
  ik_drive_finish(r->drive);
}

void ik_cpu_crew_drive(const ik_cpu_crew *w, const ik_drive *drive) {
  ik_team_deal(ik_drive_tiles(drive->pass), w->threads, w->part);
  ik_team_run(w->team, run_tiles, &(pass_run){w, drive});
}
