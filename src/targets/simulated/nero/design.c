#include "targets/simulated/nero/design.h"
#include "base/least.h"
#include <math.h>
#include <string.h>

enum {
  SHARED_WINDOWS = 128, /* of an element, where elements wait for each other ... */
  SHARED_WORDS = 65536  /* ... but no more words than this */
};

void ik_nero_work_of(const ik_nero_program *p, ik_arena *a, ik_nero_work *out) {
  *out = (ik_nero_work){.n = p->n, .cells = 1};
  out->shape = IK_NEW_N(a, ik_nero_shape, p->n);
  out->extent = ik_arena_alloc_n(a, (size_t)p->n, sizeof *out->extent);
  out->whole = ik_arena_alloc_n(a, (size_t)p->n, sizeof *out->whole);
  for (int d = 0; d < IK_MAX_DIM; d++) out->cells *= (double)p->ir->n[d];
  for (int i = 0; i < p->n; i++) {
    ik_nero_window w;
    ik_nero_window_init(&w, p->ir, &p->kernel[i], a);
    ik_nero_shape_of(&w, a, &out->shape[i]);
    memcpy(out->whole[i], p->kernel[i].whole, sizeof out->whole[i]);
    for (int d = 0; d < IK_MAX_DIM; d++)
      out->extent[i][d] = p->kernel[i].cover.hi[d] - p->kernel[i].cover.lo[d];
  }
}

void ik_nero_design_window(const ik_nero_work *w, int kernel, const int64_t size[IK_MAX_DIM],
                           int64_t out[IK_MAX_DIM]) {
  for (int d = 0; d < IK_MAX_DIM; d++) {
    int64_t all = w->extent[kernel][d];
    out[d] = w->whole[kernel][d] || size[d] <= 0 ? all : ik_min(all, size[d]);
  }
}

int64_t ik_nero_design_windows(const ik_nero_work *w, int kernel, const int64_t size[IK_MAX_DIM]) {
  int64_t one[IK_MAX_DIM], n = 1;
  ik_nero_design_window(w, kernel, size, one);
  for (int d = 0; d < IK_MAX_DIM; d++)
    n *= one[d] ? (w->extent[kernel][d] + one[d] - 1) / one[d] : 0;
  return n;
}

void ik_nero_design_of(const ik_nero_work *w, const ik_nero_board *b,
                       const int64_t size[IK_MAX_DIM], ik_nero_design *out) {
  *out = (ik_nero_design){.size = {size[0], size[1], size[2]}};
  for (int i = 0; i < w->n; i++) {
    int64_t one[IK_MAX_DIM];
    ik_nero_design_window(w, i, size, one);
    ik_nero_area a = ik_nero_area_of(&w->shape[i], b, one);
    ik_nero_area_add(&out->area, &a);
    out->least +=
        (double)ik_nero_design_windows(w, i, size) * ik_nero_least_cycles(&w->shape[i], b, one);
  }
  out->share = ik_nero_share(&out->area, b, &out->scarce);
  out->elements = ik_nero_fit(&out->area, b);
}

int ik_nero_design_busy(const ik_nero_work *w, const ik_nero_design *x) {
  int64_t windows = 1;
  for (int i = 0; i < w->n; i++) windows = ik_max(windows, ik_nero_design_windows(w, i, x->size));
  return (int)ik_min(x->elements, windows);
}

int64_t ik_nero_design_rounds(const ik_nero_work *w, int kernel, int elements,
                              const int64_t size[IK_MAX_DIM]) {
  return (ik_nero_design_windows(w, kernel, size) + elements - 1) / elements;
}

/* Cycles that the words of all windows take on the channel that elements share. */
static double channel_cycles(const ik_nero_work *w, const ik_nero_board *b, int kernel,
                             const int64_t size[IK_MAX_DIM]) {
  int64_t one[IK_MAX_DIM], levels;
  if (b->channel <= 0) return 0;
  ik_nero_design_window(w, kernel, size, one);
  double words = (double)ik_nero_words_of(&w->shape[kernel], one, &levels) * w->shape[kernel].in;
  return (double)ik_nero_design_windows(w, kernel, size) * words * IK_NERO_WORD * b->clock /
         ik_nero_channel(&w->shape[kernel], b);
}

double ik_nero_design_board(const ik_nero_work *w, const ik_nero_board *b, int kernel, int elements,
                            const int64_t size[IK_MAX_DIM], double period) {
  double rounds = (double)ik_nero_design_rounds(w, kernel, elements, size);
  return fmax(rounds * period, channel_cycles(w, b, kernel, size));
}

double ik_nero_design_bound(const ik_nero_work *w, const ik_nero_board *b, int elements,
                            const ik_nero_design *x) {
  double sum = 0;
  for (int i = 0; i < w->n; i++) {
    int64_t one[IK_MAX_DIM];
    ik_nero_design_window(w, i, x->size, one);
    sum += ik_nero_design_board(w, b, i, elements, x->size,
                                ik_nero_least_cycles(&w->shape[i], b, one));
  }
  return sum;
}

/* Elements with channels of their own do the same in every window: one tells all. */
static ik_nero_job job_of(const ik_nero_work *w, const ik_nero_board *b, int kernel, int elements,
                          const int64_t size[IK_MAX_DIM]) {
  ik_nero_job job = {.board = b, .shape = &w->shape[kernel], .elements = 1, .windows = 1};
  int64_t     levels, words;
  ik_nero_design_window(w, kernel, size, job.size);
  if (b->channel <= 0) return job;
  words = ik_nero_words_of(job.shape, job.size, &levels) * ik_max_int(1, job.shape->in);
  int64_t windows = ik_nero_design_windows(w, kernel, size) / elements;
  windows = ik_min(ik_min(windows, SHARED_WINDOWS), SHARED_WORDS / words);
  job.elements = elements, job.windows = (int)ik_max(1, windows);
  return job;
}

bool ik_nero_design_stream(const ik_nero_work *w, const ik_nero_board *b, int kernel, int elements,
                           const int64_t size[IK_MAX_DIM], ik_nero_cycles *out) {
  *out = (ik_nero_cycles){0};
  if (ik_nero_design_windows(w, kernel, size) == 0) return true;
  ik_nero_job job = job_of(w, b, kernel, elements, size);
  return ik_nero_stream(&job, out);
}

bool ik_nero_design_measure(const ik_nero_work *w, const ik_nero_board *b, int elements,
                            ik_nero_design *x, ik_nero_cycles *each) {
  x->cycles = x->board = 0, x->used = elements;
  for (int i = 0; i < w->n; i++) {
    ik_nero_cycles c;
    if (!ik_nero_design_stream(w, b, i, elements, x->size, &c)) return false;
    x->cycles += (double)ik_nero_design_windows(w, i, x->size) * c.period;
    x->board += ik_nero_design_board(w, b, i, elements, x->size, c.period);
    if (each) each[i] = c;
  }
  return true;
}

bool ik_nero_design_simulate(const ik_nero_work *w, const ik_nero_board *b, int elements,
                             ik_nero_design *x) {
  return ik_nero_design_measure(w, b, elements, x, NULL);
}

double ik_nero_design_rate(const ik_nero_work *w, const ik_nero_board *b, const ik_nero_design *x) {
  return x->cycles > 0 ? w->cells * b->clock / x->cycles : 0;
}
