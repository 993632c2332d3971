/* `ikat bench spatial`: the published tables of machines that are simulated. */
#include "api/api.h"
#include "base/fp.h"
#include "base/text.h"
#include "machine/machine.h"
#include "report/html.h"
#include "report/spacetime.h"
#include "apps/study/compare.h"
#include "apps/study/study.h"
#include "apps/study/windows.h"
#include "targets/simulated/nero/published.h"
#include "targets/simulated/wormhole/published.h"
#include "targets/simulated/wse2/paper.h"
#include "targets/simulated/wse2/published.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- what there is to compare ---- */

typedef ik_status rows_fn(const ik_machine *m, int threads, ik_arena *a, ik_diag *d,
                          const ik_published_row **rows, int *n);

static ik_status wormhole_rows(const ik_machine *m, int threads, ik_arena *a, ik_diag *d,
                               const ik_published_row **rows, int *n) {
  (void)threads;
  return ik_wormhole_published(m, a, d, rows, n);
}

/* Its own boards are all that the paper knows. */
static ik_status nero_rows(const ik_machine *m, int threads, ik_arena *a, ik_diag *d,
                           const ik_published_row **rows, int *n) {
  ik_published_row *own;
  (void)m, (void)threads;
  IK_TRY(ik_nero_published(a, d, &own, n));
  *rows = own;
  return IK_OK;
}

static const struct source {
  const char *name, *machine; /* the machine's figures are those of its file */
  rows_fn    *rows;
} sources[] = {
    {"wse2", "wse2", ik_wse2_published},
    {"wormhole", "wormhole-n150d", wormhole_rows},
    {"nero", "nero-hbm", nero_rows},
};
enum { NSOURCES = sizeof sources / sizeof *sources };

typedef struct bench {
  ik_log     *log;
  ik_study   *s;
  ik_json     json;
  ik_arena    a;
  int         threads;
  const char *only;
  int         missed;
} bench;

static bool wants(const bench *b, const char *name) { return !b->only || !strcmp(b->only, name); }

static ik_status check_name(const bench *b) {
  const char *names[NSOURCES];
  bool        known = false;
  for (int i = 0; i < NSOURCES; i++) names[i] = sources[i].name, known |= wants(b, names[i]);
  if (known) return IK_OK;
  const char *near = ik_nearest(b->only, names, NSOURCES);
  ik_error(&b->log->d, IK_E082, IK_NOSPAN, "there are no published tables of '%s'", b->only);
  if (near)
    ik_help(&b->log->d, "did you mean '%s'?", near);
  else
    ik_help(&b->log->d, "there are those of wse2, wormhole and nero");
  return IK_ERR_SOURCE;
}

static ik_status compare(bench *b) {
  ik_compared c[NSOURCES];
  int         n = 0;
  for (int i = 0; i < NSOURCES; i++) {
    ik_machine *m;
    if (!wants(b, sources[i].name)) continue;
    IK_TRY(ik_machine_find(sources[i].machine, &b->a, &b->log->d, &m));
    c[n] = (ik_compared){.machine = sources[i].name};
    IK_TRY(sources[i].rows(m, b->threads, &b->a, &b->log->d, &c[n].row, &c[n].n));
    n++;
  }
  ik_html_section(&b->s->page, "Published, and SIMULATED");
  b->missed = ik_compared_write(c, n, &b->s->text, &b->json, &b->s->page);
  return IK_OK;
}

/* ---- how fast the simulation is ---- */

enum { PATCH = 24, COLUMN = 100, TRIES = 3 };

/* Of this computer, not of the wafer.  Others may use it too: the best try counts. */
static ik_status measure(bench *b) {
  ik_machine *m;
  int64_t     cycles;
  double      rate = 0;
  if (!wants(b, "wse2")) return IK_OK;
  IK_TRY(ik_machine_find("wse2", &b->a, &b->log->d, &m));
  for (int i = 0; i < TRIES; i++) {
    double began = ik_loop_clock();
    IK_TRY(ik_wse2_workload(m, PATCH, PATCH, COLUMN, b->threads, &b->a, &b->log->d, &cycles));
    rate = fmax(rate, (double)cycles / (ik_loop_clock() - began));
  }
  ik_buf_printf(&b->s->text,
                "this computer simulates %.3g million cycles of the wafer's elements a second on "
                "%d thread%s\n",
                rate / 1e6, b->threads, b->threads == 1 ? "" : "s");
  ik_json_num(&b->json, "element_cycles_per_s", rate);
  ik_json_int(&b->json, "threads", b->threads);
  return IK_OK;
}

/* ---- the broadcast, to be seen ---- */

/* A step of the paper's kernel on a patch, with columns short enough for a picture. */
static ik_status draw_patch(bench *b, const ik_machine *m, ik_timeline *t) {
  ik_wse2_timing timing;
  ik_wse2_patch *patch;
  ik_wse2_wave   wave = ik_wse2_wave_of(20, 0.1);
  IK_TRY(ik_wse2_timing_of(m, &b->log->d, &timing));
  IK_TRY(ik_wse2_wave_patch(&wave, &timing, 10, 9, &b->a, &b->log->d, &patch));
  ik_wse2_patch_run(patch, 1, t);
  ik_wse2_patch_destroy(&patch);
  t->title = "WSE-2: a step of the 25-point kernel, columns of 20 cells, the middle row of 10 x 9";
  ik_html_section(&b->s->page, "The wafer at work (SIMULATED)");
  ik_spacetime_page(t, &b->s->page);
  return IK_OK;
}

static ik_status draw_wafer(bench *b) {
  ik_machine *m;
  ik_timeline t = {.most = 1000000};
  if (!wants(b, "wse2")) return IK_OK;
  IK_TRY(ik_machine_find("wse2", &b->a, &b->log->d, &m));
  ik_status st = draw_patch(b, m, &t);
  ik_timeline_free(&t);
  return st;
}

static ik_status draw_boards(bench *b) {
  ik_machine *m;
  if (!wants(b, "nero")) return IK_OK;
  IK_TRY(ik_machine_find("nero-hbm", &b->a, &b->log->d, &m));
  ik_html_section(&b->s->page, "Windows of NERO (SIMULATED)");
  return ik_windows_draw(m, &b->a, &b->log->d, &b->s->page);
}

/* ---- the whole ---- */

static ik_status run(bench *b) {
  IK_TRY(check_name(b));
  ik_json_open(&b->json, NULL, '{');
  IK_TRY(compare(b));
  IK_TRY(measure(b));
  IK_TRY(draw_wafer(b));
  IK_TRY(draw_boards(b));
  ik_json_close(&b->json, '}');
  return IK_OK;
}

ik_status ik_study_spatial(const char *only, int threads, ik_log *log, ik_study **out) {
  IK_OWN_ARITHMETIC;
  bench b = {.log = log, .only = only, .threads = threads};
  *out = NULL;
  if (!b.threads) b.threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
  b.s = ik_study_create("Spatial machines, published and simulated", log);
  if (!b.s) return IK_ERR_RESOURCE;
  b.json.out = &b.s->json;
  ik_arena_init(&b.a);
  ik_status st = setjmp(b.a.oom) ? ik_log_no_memory(log) : run(&b);
  ik_arena_free(&b.a);
  st = ik_study_finish(b.s, st, log, out);
  if (!st && b.missed)
    st = ik_fail(&log->d, IK_ERR_NUMERIC, IK_E074, IK_NOSPAN,
                 "%d figure%s further from what is published than when it was last looked at: "
                 "the simulation has changed",
                 b.missed, b.missed == 1 ? " is" : "s are");
  return st;
}
