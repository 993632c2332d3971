/* A timing: all threads begin together and work until the time is over, in pieces so small that
 * none goes on for long when others have ended.  A thread's speed is what it has done over the time
 * from the common beginning to its own end, so that one that had to wait for a processor is a slow
 * one. */
#include "apps/bench/limits.h"
#include "base/embed.h"
#include "base/mem.h"
#include "base/pages.h"
#include "runtime/build.h"
#include "runtime/loop.h"
#include "targets/cpu/cpus.h"
#include "targets/cpu/team.h"
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

/* Of bench/cpu/limits.c. */
typedef double read_fn(const void *from, long n);
typedef void   copy_fn(void *to, const void *from, long n);
typedef void   update_fn(void *a, long n);
typedef double peak_fn(long rounds);

enum {
  PIECE = 1 << 20,    /* bytes of an array: about 100 us */
  PEAK_ROUNDS = 4000, /* of a piece: about 10 us */
  MEMORY_TIMINGS = 5, /* the best of which counts, as what disturbs can only slow down */
  PEAK_TIMINGS = 40,  /* short enough to go undisturbed once in a while */
  LOOK_TIMINGS = 8,
  LOOKS_BEFORE_YIELD = 10000,
};
static const double PEAK_SECONDS = 0.001;

typedef struct part { /* of a thread */
  char *a, *b;
  long  n, at; /* vectors of each array; where its walk is: the next timing goes on there */
} part;

struct ik_limits_rig {
  ik_build *code;
  ik_team  *team;
  int       threads;
  bool      alike; /* none shares a core with another of ours, unless all may */
  long      vector_bytes;
  part     *part;        /* [threads] */
  double   *rate, *best; /* [threads] in the last timing; the greatest of several */
};

/* ---- pieces of work: each returns how much was done, in bytes or operations ---- */

typedef struct timing timing;
typedef double        piece_fn(const timing *t, part *p);

struct timing {
  ik_limits_rig   *rig;
  piece_fn        *piece;
  void            *code;           /* the kernel */
  double           seconds, start; /* of all */
  ik_team_progress here, go;       /* threads that have come; 1: they may begin */
};

/* The next vectors of the thread's part, and how many they are. */
static long walk(const timing *t, part *p, long *n) {
  *n = PIECE / t->rig->vector_bytes;
  if (*n > p->n) *n = p->n;
  if (p->at + *n > p->n) p->at = 0;
  long from = p->at;
  p->at += *n;
  return from * t->rig->vector_bytes;
}

static double bytes_of(const timing *t, long n) { return (double)n * (double)t->rig->vector_bytes; }

static double read_piece(const timing *t, part *p) {
  long n, at = walk(t, p, &n);
  ((read_fn *)t->code)(p->a + at, n);
  return bytes_of(t, n);
}

static double copy_piece(const timing *t, part *p) {
  long n, at = walk(t, p, &n);
  ((copy_fn *)t->code)(p->b + at, p->a + at, n);
  return 2 * bytes_of(t, n);
}

static double update_piece(const timing *t, part *p) {
  long n, at = walk(t, p, &n);
  ((update_fn *)t->code)(p->a + at, n);
  return 2 * bytes_of(t, n);
}

static double peak_piece(const timing *t, part *p) {
  (void)p;
  return ((peak_fn *)t->code)(PEAK_ROUNDS);
}

/* ---- timings ---- */

/* The last one to come says when they begin. */
static void begin_together(timing *t, int threads) {
  if (atomic_fetch_add(&t->here.done, 1) == threads - 1) {
    t->start = ik_loop_clock();
    ik_team_say(&t->go, 1);
  }
  ik_team_await(&t->go, 1, LOOKS_BEFORE_YIELD);
}

static void work(void *ctx, int thread, int threads) {
  timing *t = ctx;
  part   *p = &t->rig->part[thread];
  double  done = 0, now;
  begin_together(t, threads);
  do {
    done += t->piece(t, p);
    now = ik_loop_clock();
  } while (now - t->start < t->seconds);
  t->rig->rate[thread] = done / (now - t->start);
}

/* The greatest sum over the threads; each thread's own best is kept beside it. */
static double best_of(timing *kind, int timings) {
  ik_limits_rig *rig = kind->rig;
  double         best = 0;
  for (int i = 0; i < rig->threads; i++) rig->best[i] = 0;
  for (int k = 0; k < timings; k++) {
    timing t = *kind;
    ik_team_run(rig->team, work, &t);
    best = fmax(best, ik_cores_sum(rig->rate, rig->threads));
    for (int i = 0; i < rig->threads; i++) rig->best[i] = fmax(rig->best[i], rig->rate[i]);
  }
  ik_team_rest(rig->team); /* others start threads */
  return best;
}

static double best_peak(ik_limits_rig *rig, const char *name, int timings) {
  timing t = {.rig = rig, .piece = peak_piece, .seconds = PEAK_SECONDS};
  t.code = ik_build_symbol(rig->code, name);
  return best_of(&t, timings) / 1e9;
}

/* After a peak.  A thread that was disturbed for a moment is not slow: its best timing counts. */
static ik_cores compare_threads(const ik_limits_rig *rig) {
  return rig->alike ? ik_cores_of(rig->best, rig->threads) : (ik_cores){.threads = rig->threads};
}

ik_cores ik_limits_look(ik_limits_rig *rig) {
  best_peak(rig, "limits_peak_f32", LOOK_TIMINGS);
  return compare_threads(rig);
}

/* ---- memory ---- */

/* Each thread writes its parts first: they lie near it, and pages that nobody has written would all
 * be the same one. */
static void touch(void *ctx, int thread, int threads) {
  ik_limits_rig *rig = ctx;
  part          *p = &rig->part[thread];
  update_fn     *update = (update_fn *)ik_build_symbol(rig->code, "limits_update");
  (void)threads;
  update(p->a, p->n), update(p->b, p->n);
}

static double best_memory(ik_limits_rig *rig, const char *name, piece_fn *piece, double seconds) {
  timing t = {.rig = rig, .piece = piece, .seconds = seconds};
  t.code = ik_build_symbol(rig->code, name);
  return best_of(&t, MEMORY_TIMINGS) / 1e9;
}

static void measure_memory(ik_limits_rig *rig, char *a, char *b, int64_t bytes, double seconds,
                           ik_limits *out) {
  for (int i = 0; i < rig->threads; i++) {
    int64_t lo, hi;
    ik_team_share(bytes / rig->vector_bytes, i, rig->threads, &lo, &hi);
    rig->part[i] = (part){.a = a + lo * rig->vector_bytes, .b = b + lo * rig->vector_bytes};
    rig->part[i].n = (long)(hi - lo);
  }
  ik_team_run(rig->team, touch, rig);
  out->update = best_memory(rig, "limits_update", update_piece, seconds);
  out->copy = best_memory(rig, "limits_copy", copy_piece, seconds);
  out->copy_streaming = best_memory(rig, "limits_copy_streaming", copy_piece, seconds);
  out->read = best_memory(rig, "limits_read", read_piece, seconds);
  out->bandwidth = fmax(fmax(out->copy, out->copy_streaming), fmax(out->read, out->update));
}

static ik_status no_memory(ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory to measure the machine with");
}

ik_status ik_limits_measure(ik_limits_rig *rig, int64_t bytes, double seconds, ik_diag *d,
                            ik_limits *out) {
  *out = (ik_limits){.vector_bytes = (int)rig->vector_bytes};
  snprintf(out->compiler, sizeof out->compiler, "%s",
           ((const char *(*)(void))ik_build_symbol(rig->code, "limits_compiler"))());
  char *a = ik_pages_alloc((size_t)bytes / 2), *b = ik_pages_alloc((size_t)bytes / 2);
  bool  room = a && b;
  if (room) measure_memory(rig, a, b, bytes / 2, seconds, out);
  ik_pages_free(a), ik_pages_free(b);
  if (!room) return no_memory(d);
  out->gflops[1] = best_peak(rig, "limits_peak_f64", PEAK_TIMINGS);
  out->gflops[0] = best_peak(rig, "limits_peak_f32", PEAK_TIMINGS);
  out->cores = compare_threads(rig);
  return IK_OK;
}

/* ---- life ---- */

/* no-builtin: a loop that copies shall not become a function that knows better. */
static ik_status build(ik_limits_rig *rig, ik_diag *d) {
  static const char *const flags[] = {"-std=gnu11", "-O3", "-march=native", "-fno-builtin", NULL};
  ik_build_options         o = {.flags = flags};
  IK_TRY(ik_build_open(ik_embed_find("bench/cpu/limits.c")->data, &o, d, &rig->code));
  rig->vector_bytes = ((int (*)(void))ik_build_symbol(rig->code, "limits_vector_bytes"))();
  return IK_OK;
}

static ik_status furnish(ik_limits_rig *rig, int threads, ik_diag *d) {
  ik_cpus cpus;
  IK_TRY(build(rig, d));
  IK_TRY(ik_team_create(threads, d, &rig->team));
  ik_cpus_count(&cpus);
  rig->threads = ik_team_threads(rig->team);
  rig->alike = cpus.known && (rig->threads <= cpus.cores || rig->threads == cpus.n);
  rig->part = ik_calloc((size_t)rig->threads, sizeof *rig->part);
  rig->rate = ik_calloc(2 * (size_t)rig->threads, sizeof *rig->rate);
  rig->best = rig->rate ? rig->rate + rig->threads : NULL;
  return rig->part && rig->rate ? IK_OK : no_memory(d);
}

ik_status ik_limits_open(int threads, ik_diag *d, ik_limits_rig **out) {
  ik_limits_rig *rig = *out = ik_calloc(1, sizeof *rig);
  ik_status      st = rig ? furnish(rig, threads, d) : no_memory(d);
  if (st) ik_limits_close(out);
  return st;
}

void ik_limits_close(ik_limits_rig **at) {
  ik_limits_rig *rig = *at;
  if (!rig) return;
  ik_team_destroy(&rig->team);
  ik_build_close(&rig->code);
  ik_free(rig->part), ik_free(rig->rate);
  ik_free(rig);
  *at = NULL;
}
