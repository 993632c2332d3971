/* The threads are those that the engine has, so that its barrier and its placement are measured.
 * Arrays are written first by the thread that works on them: they lie near it. */
#include "base/embed.h"
#include "base/mem.h"
#include "base/pages.h"
#include "apps/probe/probe.h"
#include "runtime/build.h"
#include "runtime/loop.h"
#include "targets/cpu/isa.h"
#include "targets/cpu/team.h"
#include <math.h>
#include <string.h>

/* Of bench/cpu/limits.c, where `n` counts vectors, and bench/cpu/probe.c. */
typedef struct kernels {
  int (*vector_bytes)(void), (*streams)(void);
  double (*read)(const void *from, long n);
  void (*copy)(void *to, const void *from, long n);
  void (*stream)(void *to, const void *from, long n);
  double (*peak_f32)(long rounds), (*peak_f64)(long rounds);
  double (*chain_f32)(long rounds), (*chain_f64)(long rounds), (*clock)(long rounds);
  void *const *(*chase)(void *const *from, long rounds); /* eight steps each */
  double (*jacobi)(void *a, void *b, long rounds);
  void (*nothing)(const void *call);
} kernels;

struct ik_probe_room {
  ik_build     *code;
  ik_team      *team;
  kernels       k;
  char         *from, *to, *chains;
  double       *spent;                     /* [threads] seconds of the last timing */
  void *const  *link[IK_PROBE_MEMORY + 1]; /* [level] where the last timing left its chain */
  ik_probe_list list;
};

enum { LINE = 64, CALLS = 64, PEAK_ROUNDS = 64, STEPS = 512 };

/* ---- one thread's part of the work ---- */

typedef struct task {
  ik_probe_room       *room;
  const ik_probe_item *it;
  long                 repeats;
  double               work; /* of one thread */
} task;

static double copy(const task *t, void (*how)(void *, const void *, long), int64_t at) {
  int64_t half = t->it->bytes / 2;
  for (long i = 0; i < t->repeats; i++)
    how(t->room->to + at, t->room->from + at, half / t->room->k.vector_bytes());
  return 2.0 * (double)half * (double)t->repeats;
}

static double read_all(const task *t, int64_t at) {
  for (long i = 0; i < t->repeats; i++)
    t->room->k.read(t->room->from + at, t->it->bytes / t->room->k.vector_bytes());
  return (double)t->it->bytes * (double)t->repeats;
}

static double call(const task *t) {
  for (long i = 0; i < t->repeats * CALLS; i++) t->room->k.nothing(t);
  return (double)t->repeats * CALLS;
}

/* Goes on where the last timing ended: the first links of a long chain would soon be in a cache. */
static double chase(const task *t) {
  void *const **at = &t->room->link[t->it->level];
  *at = t->room->k.chase(*at, t->repeats * (STEPS / 8));
  return (double)t->repeats * STEPS;
}

static double work_of(const task *t, int thread) {
  const kernels *k = &t->room->k;
  int64_t        at = ik_probe_part(&t->room->list, t->it->threads) * thread;
  switch (t->it->kind) {
  case IK_PROBE_CLOCK: return k->clock(t->repeats * STEPS);
  case IK_PROBE_SLOWEST:
  case IK_PROBE_PEAK_F32: return k->peak_f32(t->repeats * PEAK_ROUNDS);
  case IK_PROBE_PEAK_F64: return k->peak_f64(t->repeats * PEAK_ROUNDS);
  case IK_PROBE_CHAIN_F32: return k->chain_f32(t->repeats * STEPS);
  case IK_PROBE_CHAIN_F64: return k->chain_f64(t->repeats * STEPS);
  case IK_PROBE_READ: return read_all(t, at);
  case IK_PROBE_COPY: return copy(t, k->copy, at);
  case IK_PROBE_STREAM: return copy(t, k->stream, at);
  case IK_PROBE_CHASE: return chase(t);
  case IK_PROBE_CALL: return call(t);
  case IK_PROBE_JACOBI: return k->jacobi(t->room->to, t->room->from, t->repeats);
  case IK_PROBE_BARRIER: break;
  }
  return 0;
}

static void work(void *ctx, int thread, int nthreads) {
  (void)nthreads;
  task *t = ctx;
  if (thread >= t->it->threads) return;
  double start = ik_loop_clock(), done = work_of(t, thread);
  t->room->spent[thread] = ik_loop_clock() - start;
  if (thread == 0) t->work = done;
}

static void nothing(void *ctx, int thread, int nthreads) {
  (void)ctx, (void)thread, (void)nthreads;
}

/* ---- timings ---- */

static double time_barrier(const ik_probe_room *room, long repeats, double *done) {
  double start = ik_loop_clock();
  for (long i = 0; i < repeats; i++) ik_team_run(room->team, nothing, NULL);
  *done = (double)repeats;
  return ik_loop_clock() - start;
}

static void touch(const char *from, int64_t bytes) {
  const volatile char *p = from;
  for (int64_t i = 0; i < bytes; i += LINE) (void)p[i];
}

/* What is to be in place when the clock starts: threads that are awake, and in the caches what
 * belongs there.  A timing does not come by all links of a chain in the third level: they are
 * brought there at once, before others that share it need the room, and then driven out of the
 * second level. */
static void prepare(ik_probe_room *room, const ik_probe_item *it) {
  task once = {room, it, 1, 0};
  ik_team_run(room->team, it->level == IK_PROBE_MEMORY ? nothing : work, &once);
  if (it->kind != IK_PROBE_CHASE || it->level != IK_PROBE_L3) return;
  touch(room->chains + it->at, it->bytes);
  touch(room->from, it->bytes);
}

/* By their speeds: what threads that take from each other would need. */
static double mean_spent(const ik_probe_room *room, int threads) {
  double speed = 0;
  for (int i = 0; i < threads; i++) speed += 1 / fmax(room->spent[i], 1e-9);
  return threads / speed;
}

static double time_item(void *self, const ik_probe_item *it, long repeats, double *done) {
  ik_probe_room *room = self;
  task           t = {room, it, repeats, 0};
  prepare(room, it);
  if (it->kind == IK_PROBE_BARRIER) return time_barrier(room, repeats, done);
  double start = ik_loop_clock();
  ik_team_run(room->team, work, &t);
  double seconds = ik_loop_clock() - start;
  bool   slowest = it->kind == IK_PROBE_SLOWEST;
  *done = slowest ? mean_spent(room, it->threads) : t.work * it->threads;
  return seconds;
}

static double clock_of(void *self) {
  (void)self;
  return ik_loop_clock();
}

ik_probe_rig ik_probe_room_rig(ik_probe_room *room) {
  return (ik_probe_rig){time_item, clock_of, room};
}

ik_probe_list *ik_probe_room_list(ik_probe_room *room) { return &room->list; }

int ik_probe_room_threads(const ik_probe_room *room) { return ik_team_threads(room->team); }

static ik_status no_memory(ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory to measure the machine with");
}

/* ---- kernels ---- */

static bool find_kernels(const ik_build *code, kernels *k) {
  const struct {
    const char *name;
    void       *to;
  } all[] = {
      {"limits_vector_bytes", &k->vector_bytes},
      {"probe_streams", &k->streams},
      {"limits_read", &k->read},
      {"limits_copy", &k->copy},
      {"limits_copy_streaming", &k->stream},
      {"limits_peak_f32", &k->peak_f32},
      {"limits_peak_f64", &k->peak_f64},
      {"probe_chain_f32", &k->chain_f32},
      {"probe_chain_f64", &k->chain_f64},
      {"probe_clock", &k->clock},
      {"probe_chase", &k->chase},
      {"probe_jacobi2d", &k->jacobi},
      {"probe_nothing", &k->nothing},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    void *symbol = ik_build_symbol(code, all[i].name);
    if (!symbol) return false;
    memcpy(all[i].to, &symbol, sizeof symbol);
  }
  return true;
}

/* -fno-builtin: a copy must not become memcpy(), which chooses by itself how to store. */
static ik_status build(ik_probe_room *room, ik_diag *d) {
#if defined      __x86_64__
#define NATIVE "-march=native"
#else
#define NATIVE "-mcpu=native"
#endif
  static const char *const flags[] = {"-std=gnu11", "-O3", NATIVE, "-fno-builtin", NULL};
  ik_build_options         o = {.flags = flags};
  ik_buf                   text = {0};
  ik_buf_puts(&text, ik_embed_find("bench/cpu/limits.c")->data);
  ik_buf_puts(&text, ik_embed_find("bench/cpu/probe.c")->data);
  ik_status st = text.failed ? no_memory(d) : ik_build_open(ik_buf_text(&text), &o, d, &room->code);
  ik_buf_free(&text);
  IK_TRY(st);
  IK_ASSERT(find_kernels(room->code, &room->k));
  return IK_OK;
}

/* ---- memory ---- */

/* A cycle through all lines of a chain, by a generator of random numbers whose period is all of
 * them (a multiple of four and one, and an odd number): nothing that a prefetcher could see. */
static void link_chain(char *chain, int64_t links, int64_t lo, int64_t hi) {
  const uint64_t times = 4 * UINT64_C(0x2545f4914f6cdd1) + 1, plus = UINT64_C(0x9e3779b97f4a7c15);
  for (int64_t i = lo; i < hi; i++) {
    uint64_t next = ((uint64_t)i * times + plus) & (uint64_t)(links - 1);
    void    *to = chain + next * LINE;
    memcpy(chain + i * LINE, &to, sizeof to);
  }
}

static void fill(void *ctx, int thread, int nthreads) {
  ik_probe_room       *room = ctx;
  const ik_probe_list *l = &room->list;
  int64_t              lo, hi;
  memset(room->from + l->part * thread, 0, (size_t)l->part);
  memset(room->to + l->part * thread, 0, (size_t)l->part);
  for (int i = 0; i < l->n; i++) {
    const ik_probe_item *it = &l->item[i];
    if (it->kind != IK_PROBE_CHASE) continue;
    ik_team_share(it->bytes / LINE, thread, nthreads, &lo, &hi);
    link_chain(room->chains + it->at, it->bytes / LINE, lo, hi);
  }
}

static bool alloc(ik_probe_room *room) {
  const ik_probe_list *l = &room->list;
  room->from = ik_pages_alloc((size_t)l->array);
  room->to = ik_pages_alloc((size_t)l->array);
  room->chains = ik_pages_alloc((size_t)l->chains);
  return room->from && room->to && room->chains;
}

/* ---- life ---- */

static ik_probe_place place_of(const ik_probe_room *room, const ik_isa *isa, const ik_machine *m) {
  double l3 = 0, sockets = 1, memory = 0;
  ik_machine_number(m, "cache.l3", "B", &l3);
  ik_machine_number(m, "cpu.sockets", "", &sockets);
  if (!ik_machine_number(m, "memory.available", "B", &memory)) memory = 1 << 30;
  return (ik_probe_place){.threads = ik_team_threads(room->team),
                          .l1 = isa->l1,
                          .l2 = isa->l2,
                          .l3 = isa->l3,
                          .l3_all = (int64_t)(l3 * sockets),
                          .memory = (int64_t)memory,
                          .streams = room->k.streams()};
}

/* The processor is asked before there are threads: they inherit what it grants. */
static ik_status furnish(ik_probe_room *room, int threads, const ik_machine *m, ik_diag *d) {
  ik_isa isa = ik_isa_local();
  IK_TRY(build(room, d));
  IK_TRY(ik_team_create(threads, d, &room->team));
  room->spent = ik_calloc((size_t)ik_team_threads(room->team), sizeof *room->spent);
  if (!room->spent) return no_memory(d);
  ik_probe_place p = place_of(room, &isa, m);
  ik_probe_list_make(&p, &room->list);
  if (!alloc(room)) return no_memory(d);
  ik_team_run(room->team, fill, room);
  for (int i = 0; i < room->list.n; i++)
    if (room->list.item[i].kind == IK_PROBE_CHASE)
      room->link[room->list.item[i].level] = (void *const *)(room->chains + room->list.item[i].at);
  return IK_OK;
}

ik_status ik_probe_room_create(int threads, const ik_machine *m, ik_diag *d, ik_probe_room **out) {
  ik_probe_room *room = *out = ik_calloc(1, sizeof *room);
  ik_status      st = room ? furnish(room, threads, m, d) : no_memory(d);
  if (st) ik_probe_room_destroy(out);
  return st;
}

void ik_probe_room_destroy(ik_probe_room **at) {
  ik_probe_room *room = *at;
  if (!room) return;
  ik_team_destroy(&room->team);
  ik_pages_free(room->from), ik_pages_free(room->to), ik_pages_free(room->chains);
  ik_build_close(&room->code);
  ik_free(room->spent);
  ik_free(room);
  *at = NULL;
}
