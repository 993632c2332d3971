#include "apps/bench/limits.h"
#include "base/embed.h"
#include "base/pages.h"
#include "apps/bench/plain.h"
#include "runtime/loop.h"
#include "runtime/build.h"
#include <math.h>
#include <stdio.h>

/* Of bench/cpu/limits.c.  `n` counts vectors. */
typedef double (*read_fn)(const void *from, long n, int threads);
typedef void (*copy_fn)(void *to, const void *from, long n, int threads);
typedef void (*update_fn)(void *a, long n, int threads);
typedef double (*peak_fn)(long rounds, int threads);

enum { REPEATS = 5 };

typedef struct probe {
  const ik_build *code;
  void           *a, *b;
  long            n;
  double          bytes; /* of one of them */
  int             threads;
} probe;

static double gb_per_s(double bytes, double since) {
  return bytes / (ik_loop_clock() - since) / 1e9;
}

/* What disturbs can only slow down: the best of some. */
static double best_read(const probe *p) {
  read_fn read = (read_fn)ik_build_symbol(p->code, "limits_read");
  double  best = 0;
  for (int i = 0; i < REPEATS; i++) {
    double t = ik_loop_clock();
    read(p->a, p->n, p->threads);
    best = fmax(best, gb_per_s(p->bytes, t));
  }
  return best;
}

static double best_copy(const probe *p, const char *name) {
  copy_fn copy = (copy_fn)ik_build_symbol(p->code, name);
  double  best = 0;
  for (int i = 0; i < REPEATS; i++) {
    double t = ik_loop_clock();
    copy(p->b, p->a, p->n, p->threads);
    best = fmax(best, gb_per_s(2 * p->bytes, t));
  }
  return best;
}

static double best_update(const probe *p) {
  update_fn update = (update_fn)ik_build_symbol(p->code, "limits_update");
  double    best = 0;
  for (int i = 0; i < REPEATS; i++) {
    double t = ik_loop_clock();
    update(p->a, p->n, p->threads);
    best = fmax(best, gb_per_s(2 * p->bytes, t));
  }
  return best;
}

static double best_peak(const probe *p, const char *name) {
  enum { ROUNDS = 200000, MANY = 50 }; /* short enough to go undisturbed once in a while */
  peak_fn peak = (peak_fn)ik_build_symbol(p->code, name);
  double  best = 0;
  for (int i = 0; i < MANY; i++) {
    double t = ik_loop_clock(), flops = peak(ROUNDS, p->threads);
    best = fmax(best, flops / (ik_loop_clock() - t) / 1e9);
  }
  return best;
}

static void measure(const probe *p, ik_limits *out) {
  out->update = best_update(p); /* first: pages that nobody has written are all the same one */
  out->copy = best_copy(p, "limits_copy");
  out->copy_streaming = best_copy(p, "limits_copy_streaming");
  out->read = best_read(p);
  out->bandwidth = fmax(fmax(out->copy, out->copy_streaming), fmax(out->read, out->update));
  out->gflops[0] = best_peak(p, "limits_peak_f32");
  out->gflops[1] = best_peak(p, "limits_peak_f64");
}

ik_status ik_limits_measure(int threads, int64_t bytes, ik_diag *d, ik_limits *out) {
  /* no-builtin: a loop that copies shall not become a function that knows better.
   * nodelete: the threads of the OpenMP runtime that comes with it outlive the code. */
  static const char *const flags[] = {
      "-std=gnu11", "-O3", "-march=native", "-fopenmp", "-fno-builtin", "-Wl,-z,nodelete", NULL};
  ik_build_options o = {.flags = flags};
  ik_build        *code;
  ik_plain_sleep();
  IK_TRY(ik_build_open(ik_embed_find("bench/cpu/limits.c")->data, &o, d, &code));
  *out = (ik_limits){0};
  snprintf(out->compiler, sizeof out->compiler, "%s",
           ((const char *(*)(void))ik_build_symbol(code, "limits_compiler"))());
  out->vector_bytes = ((int (*)(void))ik_build_symbol(code, "limits_vector_bytes"))();
  void *a = ik_pages_alloc((size_t)bytes / 2), *b = ik_pages_alloc((size_t)bytes / 2);
  bool  room = a && b;
  if (room) {
    probe p = {code, a, b, (long)(bytes / 2 / out->vector_bytes), 0, threads};
    p.bytes = (double)p.n * out->vector_bytes;
    measure(&p, out);
  }
  ik_pages_free(a), ik_pages_free(b);
  ik_build_close(&code);
  return room ? IK_OK
              : ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN,
                        "no memory to measure the machine with");
}
