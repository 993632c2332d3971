#include "target/nero/report.h"
#include "base/least.h"
#include "target/nero/published.h"

enum { SHOWN_ELEMENTS = 4, SHOWN_WINDOWS = 2, SHOWN_SPANS = 20000 };

typedef enum tally { CYCLES, WINDOWS, CELLS, READ, WRITTEN, LINK } tally;

static const char *const tallies[IK_NERO_COUNTS] = {
    "cycles of the board",
    "windows",
    "cells computed",
    "words of 512 bits read from memory",
    "words of 512 bits written to memory",
    "s on the link to the host, if all fields came and went once",
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
  ik_buf_printf(b, "; %lld windows of %.1f cycles",
                (long long)ik_nero_design_windows(&s->work, i, s->design.size),
                s->cycles[i].period);
  put_busy(s, &s->cycles[i], b);
}

static const char *plan_of(const ik_nero_setup *s, ik_arena *a) {
  ik_buf b = {0};
  ik_buf_puts(&b, "window ");
  put_size(s->design.size, &b);
  if (s->tried)
    ik_buf_printf(&b, ", the fastest board of %d windows (%d simulated)", s->possible, s->tried);
  ik_buf_printf(&b, "\n%d element%s of %d that fit, each with %.2f %% of the %s that is free\n",
                s->design.used, s->design.used == 1 ? "" : "s", s->design.elements,
                100 * s->design.share, ik_nero_resource_name(s->design.scarce));
  for (int i = 0; i < s->work.n; i++) put_kernel(s, i, &b);
  return text_of(&b, a);
}

static const char *origin_of(const ik_nero_setup *s, ik_arena *a) {
  ik_buf b = {0};
  ik_buf_printf(&b, "values: computed window by window in buffers with halos; the first window of "
                    "each kernel as words through the simulated streams\n");
  if (s->board.channel > 0)
    ik_buf_printf(&b,
                  "cycles: windows of %d elements that share one channel, simulated; the others "
                  "take as long in the mean\n",
                  s->design.used);
  else
    ik_buf_printf(&b,
                  "cycles: one window of each kernel, simulated; each other one takes as long, "
                  "and %d elements share them evenly\n",
                  s->design.used);
  ik_buf_puts(&b, "link to the host: not in the time, as in the paper's rates; it works while the "
                  "elements do\n");
  ik_buf_puts(&b, "resources: a model, calibrated on the paper's Table 2\n");
  if (s->board.power > 0)
    ik_buf_puts(&b,
                "energy: time, elements, and the power of one that the paper's efficiency gives\n");
  return text_of(&b, a);
}

static ik_status describe(const ik_nero_setup *s, ik_arena *a, ik_diag *d, ik_nero_report *out) {
  ik_buf constants = {0}, validation = {0};
  ik_nero_board_constants(&s->board, &constants);
  ik_status st = ik_nero_validate(&s->board, a, d, &validation);
  out->simulated.constants = text_of(&constants, a);
  out->simulated.validation = text_of(&validation, a);
  out->simulated.origin = origin_of(s, a);
  out->plan = plan_of(s, a);
  return st;
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
  t->nx = IK_NERO_UNITS, t->ny = job.elements, t->nelement = t->nx * t->ny;
  out->simulated.timeline = t;
  return ik_nero_stream(&job, &c);
}

/* ---- the whole ---- */

static double link_seconds(const ik_nero_setup *s) {
  const ik_ir *ir = s->program.ir;
  double       bytes = 0;
  for (int f = 0; f < ir->nfield; f++)
    if (ir->field[f].kind == IK_FIELD_USER) bytes += (double)ik_state_field_bytes(ir, f);
  return 2 * bytes / s->board.link;
}

ik_status ik_nero_report_of(const ik_nero_setup *s, ik_arena *a, ik_diag *d, ik_nero_report *out) {
  *out = (ik_nero_report){.simulated = {.machine = s->board.title, .clock = s->board.clock}};
  for (int i = 0; i < IK_NERO_COUNTS; i++) out->count[i].name = tallies[i];
  out->count[LINK].value = link_seconds(s);
  out->simulated.count = out->count, out->simulated.ncount = IK_NERO_COUNTS;
  IK_TRY(describe(s, a, d, out));
  if (draw(s, out)) return IK_OK;
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory to simulate NERO");
}

void ik_nero_report_free(ik_nero_report *r) { ik_timeline_free(&r->timeline); }

void ik_nero_report_add(ik_nero_report *r, const ik_nero_setup *s, int kernel) {
  double windows = (double)ik_nero_design_windows(&s->work, kernel, s->design.size), cells = 1;
  double words = windows * (double)s->cycles[kernel].words;
  double seconds = ik_nero_kernel_seconds(s, kernel);
  for (int d = 0; d < IK_MAX_DIM; d++) cells *= (double)s->work.extent[kernel][d];
  r->simulated.seconds += seconds;
  r->simulated.joules += ik_nero_kernel_joules(s, kernel);
  r->count[CYCLES].value += seconds * s->board.clock;
  r->count[WINDOWS].value += windows;
  r->count[CELLS].value += cells;
  r->count[READ].value += words * s->work.shape[kernel].in;
  r->count[WRITTEN].value += words * s->work.shape[kernel].out;
}
