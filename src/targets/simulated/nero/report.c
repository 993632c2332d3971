#include "targets/simulated/nero/report.h"
#include "base/least.h"
#include "targets/simulated/nero/published.h"
#include "targets/simulated/nero/refuse.h"

enum { SHOWN_ELEMENTS = 4, SHOWN_WINDOWS = 2, SHOWN_SPANS = 20000, SHOWN_FRONT = 6 };

typedef enum tally {
  CYCLES,
  WINDOWS,
  STREAMED,
  CELLS,
  READ,
  WRITTEN,
  LINK,
  ONE_BUFFER,
  TWO_BUFFERS
} tally;

static const char *const tallies[IK_NERO_COUNTS] = {
    "cycles of the board",
    "windows",
    "of these as words through the simulated streams",
    "cells computed",
    "words of 512 bits read from memory",
    "words of 512 bits written to memory",
    "s on the link to the host, if all fields came and went once",
    "s if each window came from the host and went back, one buffer for an element",
    "s the same with two buffers: the next window comes meanwhile",
};

/* ---- lines ---- */

static const char *text_of(ik_buf *b, ik_arena *a) {
  const char *text = b->failed ? "" : ik_arena_dup(a, ik_buf_text(b), b->len);
  ik_buf_free(b);
  return text;
}

static void put_size(const int64_t size[IK_MAX_DIM], ik_buf *b) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    ik_buf_printf(b, "%s%lld", d ? " x " : "", (long long)size[d]);
}

/* How much of the time the parts of an element did something. */
static void put_busy(const ik_nero_setup *s, const ik_nero_cycles *c, ik_buf *b) {
  double all = (double)c->cycles, shared = s->board.channel > 0 ? s->design.used : 1;
  if (all > 0)
    ik_buf_printf(b, ", port busy %.0f %%, pipeline %.0f %%",
                  100 * (double)c->port.busy / all / shared,
                  100 * (double)c->pipeline.busy / all / shared);
  if (all > 0 && s->board.channel > 0)
    ik_buf_printf(b, ", channel %.0f %%", 100 * (double)c->channel.busy / all);
  ik_buf_putc(b, '\n');
}

static void put_kernel(const ik_nero_setup *s, int i, ik_buf *b) {
  const ik_nero_shape *k = &s->work.shape[i];
  ik_buf_printf(b, "kernel %d: %d stream%s in, %d out, %d cell%s a cycle", i + 1, k->in,
                k->in == 1 ? "" : "s", k->out, ik_nero_lanes(k, &s->board),
                ik_nero_lanes(k, &s->board) == 1 ? "" : "s");
  if (k->phases > 1)
    ik_buf_printf(b, ", %d phases with %d values held between them", k->phases, k->hold);
  int64_t windows = ik_nero_design_windows(&s->work, i, s->design.size);
  ik_buf_printf(b, "; %lld window%s of %.1f cycles", (long long)windows, windows == 1 ? "" : "s",
                s->cycles[i].period);
  put_busy(s, &s->cycles[i], b);
}

/* Some of the front, from the smallest to the fastest. */
static void put_front(const ik_nero_setup *s, const ik_nero_windows *w, ik_buf *b) {
  int step = ik_max_int(1, (w->nfront + SHOWN_FRONT - 2) / (SHOWN_FRONT - 1));
  ik_buf_printf(
      b,
      "Pareto front of a single element, rate over resources: %d of %d windows (%d simulated)%s\n",
      w->nfront, w->n, w->evaluations, step > 1 ? ", among them" : "");
  for (int i = (w->nfront - 1) % step; i < w->nfront; i += step) {
    const ik_nero_design *x = &w->design[w->front[i]];
    ik_buf_puts(b, "  ");
    put_size(x->size, b);
    ik_buf_printf(b, ": %.2f %% of the %s, %.4g million cells/s an element\n", 100 * x->share,
                  ik_nero_resource_name(x->scarce),
                  ik_nero_design_rate(&s->work, &s->board, x) / 1e6);
  }
}

/* How this window stands to those that are worth having. */
static ik_status put_windows(const ik_nero_setup *s, ik_arena *a, ik_diag *d, ik_buf *b) {
  ik_nero_windows w;
  ik_nero_design  one = s->design;
  if (!ik_nero_search(&s->work, &s->board, IK_NERO_BUDGET, a, &w) ||
      !ik_nero_design_simulate(&s->work, &s->board, 1, &one))
    return ik_nero_no_memory(d);
  if (!w.nfront) return IK_OK;
  put_front(s, &w, b);
  double behind = ik_nero_behind(&w, &one);
  if (behind >= 0.0005)
    ik_buf_printf(
        b,
        "  a single element with no more of them is up to %.3f times as fast as with this window\n",
        1 + behind);
  return IK_OK;
}

static void put_choice(const ik_nero_setup *s, ik_buf *b) {
  ik_buf_puts(b, "window ");
  put_size(s->design.size, b);
  if (s->tried)
    ik_buf_printf(b, ", the fastest board of %d windows (%d simulated)", s->possible, s->tried);
  ik_buf_printf(b, "\n%d element%s of %d that fit, each with %.2f %% of the %s that is free\n",
                s->design.used, s->design.used == 1 ? "" : "s", s->design.elements,
                100 * s->design.share, ik_nero_resource_name(s->design.scarce));
}

static ik_status put_plan(const ik_nero_setup *s, ik_arena *a, ik_diag *d, ik_buf *b) {
  put_choice(s, b);
  for (int i = 0; i < s->work.n; i++) put_kernel(s, i, b);
  return put_windows(s, a, d, b);
}

static void put_origin(const ik_nero_setup *s, ik_buf *b) {
  ik_buf_printf(b,
                "values: computed window by window in buffers with halos; %s as words through "
                "the simulated streams\n",
                s->all_words ? "every window" : "the first window of each kernel");
  if (s->board.channel > 0)
    ik_buf_puts(b, "cycles: windows of all elements, which share one channel, simulated; the "
                   "others take as long in the mean\n");
  else
    ik_buf_puts(b, "cycles: one window of each kernel, simulated; each other one takes as long\n");
  ik_buf_puts(b, "time: windows of the element that has most, one after the other\n");
  ik_buf_puts(b,
              "link to the host: not in the time, as in the paper's rates; simulated beside it\n");
  ik_buf_puts(b, "resources: a model, calibrated on the paper's Table 2\n");
  if (s->board.power > 0)
    ik_buf_puts(b,
                "energy: time, elements, and the power of one that the paper's efficiency gives\n");
}

static ik_status describe(const ik_nero_setup *s, ik_arena *a, ik_diag *d, ik_nero_report *out) {
  ik_buf *b = &out->scratch;
  ik_nero_board_constants(&s->board, b);
  out->simulated.constants = text_of(b, a);
  IK_TRY(ik_nero_validate(&s->board, a, d, b));
  out->simulated.validation = text_of(b, a);
  put_origin(s, b);
  out->simulated.origin = text_of(b, a);
  out->simulated.part = "a window on each kind of element, word by word, the others by the same "
                        "schedule";
  IK_TRY(put_plan(s, a, d, b));
  out->plan = text_of(b, a);
  return IK_OK;
}

/* ---- the picture ---- */

static bool draw(const ik_nero_setup *s, ik_nero_report *out) {
  ik_timeline   *t = &out->timeline;
  ik_nero_cycles c;
  ik_nero_job    job = {.board = &s->board, .shape = s->work.shape, .timeline = t};
  if (!s->work.n || !ik_nero_design_windows(&s->work, 0, s->design.size)) return true;
  ik_nero_design_window(&s->work, 0, s->design.size, job.size);
  job.elements = ik_min_int(SHOWN_ELEMENTS, s->design.used), job.windows = SHOWN_WINDOWS;
  t->most = SHOWN_SPANS, t->clock = s->board.clock, t->title = s->board.title;
  t->nx = t->nelement = job.elements, t->ny = 1;
  t->track = ik_nero_tracks, t->ntrack = IK_NERO_TRACKS;
  out->simulated.timeline = t;
  return ik_nero_stream(&job, &c);
}

/* ---- the link ---- */

static bool measure_trips(const ik_nero_setup *s, ik_arena *a, ik_nero_report *out) {
  out->trip = ik_arena_alloc_n(a, (size_t)s->work.n, sizeof *out->trip);
  for (int i = 0; i < s->work.n; i++)
    for (int n = 1; n <= IK_NERO_BUFFERS; n++) {
      ik_nero_trip t;
      if (!ik_nero_trip_of(&s->work, &s->board, i, &s->design, s->cycles[i].period, n, &t))
        return false;
      out->trip[i][n - 1] = t.period;
    }
  return true;
}

ik_status ik_nero_report_of(const ik_nero_setup *s, ik_arena *a, ik_diag *d, ik_nero_report *out) {
  *out = (ik_nero_report){.simulated = {.machine = s->board.title, .clock = s->board.clock}};
  for (int i = 0; i < IK_NERO_COUNTS; i++) out->count[i].name = tallies[i];
  out->count[LINK].value = ik_nero_link_seconds(s);
  out->simulated.count = out->count, out->simulated.ncount = IK_NERO_COUNTS;
  IK_TRY(describe(s, a, d, out));
  return measure_trips(s, a, out) && draw(s, out) ? IK_OK : ik_nero_no_memory(d);
}

void ik_nero_report_free(ik_nero_report *r) {
  ik_timeline_free(&r->timeline);
  ik_buf_free(&r->scratch);
}

/* ---- as it runs ---- */

void ik_nero_report_add(ik_nero_report *r, const ik_nero_setup *s, int kernel, int64_t streamed) {
  double windows = (double)ik_nero_design_windows(&s->work, kernel, s->design.size), cells = 1;
  double words = windows * (double)s->cycles[kernel].words;
  double seconds = ik_nero_kernel_seconds(s, kernel);
  for (int d = 0; d < IK_MAX_DIM; d++) cells *= (double)s->work.extent[kernel][d];
  r->simulated.seconds += seconds;
  r->simulated.joules += ik_nero_kernel_joules(s, kernel);
  r->count[CYCLES].value += seconds * s->board.clock;
  r->count[WINDOWS].value += windows;
  r->count[STREAMED].value = (double)streamed;
  r->count[CELLS].value += cells;
  r->count[READ].value += words * s->work.shape[kernel].in;
  r->count[WRITTEN].value += words * s->work.shape[kernel].out;
  r->count[ONE_BUFFER].value += windows * r->trip[kernel][0] / s->board.clock;
  r->count[TWO_BUFFERS].value += windows * r->trip[kernel][1] / s->board.clock;
}
