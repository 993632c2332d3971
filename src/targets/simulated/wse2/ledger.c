#include "targets/simulated/wse2/ledger.h"
#include "base/mem.h"
#include "targets/simulated/wse2/published.h"
#include <stdio.h>
#include <string.h>

enum {
  MOST_SPANS = 200000, /* of the timeline */
  COUNTS = 8,
};

typedef struct entry {
  const ik_stmt *first;
  bool           step;
  bool           replayed; /* values came from the simulated elements */
  ik_wse2_time   time;
  double         longer; /* cycles that reductions take more on the whole fabric */
} entry;

struct ik_wse2_ledger {
  const ik_wse2_layout     *layout;
  ik_wse2_timing            timing;
  entry                    *entry;
  int                       n, room;
  entry                     shown; /* whose timeline and counts are told */
  double                    flops, required, words;
  ik_timeline               timeline, fresh; /* of `shown`; of what runs for the first time */
  ik_buf                    origin, constants, validation;
  char                      part[128];
  struct ik_simulated_count count[COUNTS];
  ik_simulated              simulated;
};

/* Texts move when they grow. */
static void refresh(ik_wse2_ledger *g) {
  g->simulated.origin = ik_buf_text(&g->origin);
  g->simulated.constants = ik_buf_text(&g->constants);
  g->simulated.validation = ik_buf_text(&g->validation);
  g->simulated.timeline = g->timeline.nspan ? &g->timeline : NULL;
}

/* ---- what is known beforehand ---- */

static void say_constants(const ik_machine *m, ik_buf *out) {
  for (int i = 0; i < m->n; i++) {
    const ik_figure *f = &m->figure[i];
    bool             used = strncmp(f->key, "sim.", 4) == 0 || strcmp(f->key, "energy.flop") == 0;
    if (used && (f->label == 'C' || f->label == 'A'))
      ik_buf_printf(out, "%s = %s %s, %s: %s\n", f->key, f->value, f->unit,
                    f->label == 'C' ? "calibrated" : "assumed", f->source ? f->source : "");
  }
}

/* One row of the published table is simulated again for every run; all of them take longer. */
static ik_status say_validation(ik_wse2_ledger *g, const ik_machine *m, ik_diag *d) {
  enum { NX = 10, NY = 9, NZ = 100 };
  double   published = ik_wse2_published_seconds(NZ);
  ik_arena a;
  int64_t  cycles = 0;
  ik_arena_init(&a);
  ik_status st = setjmp(a.oom) ? ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory")
                               : ik_wse2_workload(m, NX, NY, NZ, 1, &a, d, &cycles);
  ik_arena_free(&a);
  double seconds = (double)cycles / (NX * NY) / g->timing.clock;
  ik_buf_printf(&g->validation,
                "Table III of arXiv 2204.03775, nz = %d: %.4g us a step published, %.4g simulated "
                "(%+.2f %%)\n`ikat bench spatial` simulates all rows\n",
                NZ, published * 1e6, seconds * 1e6, 100 * (seconds / published - 1));
  return st;
}

static void fill_in(ik_wse2_ledger *g, const ik_machine *m) {
  static const char *const names[COUNTS] = {
      "cycles of a step",    "of these waiting",     "of these for memory ports",
      "flops of an element", "of these required",    "words received",
      "flops in all",        "words received in all"};
  const char *title = ik_machine_text(m, "title");
  for (int i = 0; i < COUNTS; i++) g->count[i].name = names[i];
  g->simulated = (ik_simulated){.machine = title ? title : m->name,
                                .clock = g->timing.clock,
                                .count = g->count,
                                .ncount = COUNTS};
}

ik_status ik_wse2_ledger_create(const ik_wse2_layout *l, const ik_wse2_timing *t,
                                const ik_machine *m, ik_diag *d, ik_wse2_ledger **out) {
  ik_wse2_ledger *g = *out = ik_calloc(1, sizeof *g);
  if (!g) return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the wafer's clock");
  g->layout = l, g->timing = *t;
  fill_in(g, m);
  say_constants(m, &g->constants);
  ik_status st = say_validation(g, m, d);
  refresh(g);
  if (st) ik_wse2_ledger_destroy(out);
  return st;
}

void ik_wse2_ledger_destroy(ik_wse2_ledger **g) {
  if (!*g) return;
  ik_timeline_free(&(*g)->timeline), ik_timeline_free(&(*g)->fresh);
  ik_buf_free(&(*g)->origin), ik_buf_free(&(*g)->constants), ik_buf_free(&(*g)->validation);
  ik_free((*g)->entry);
  ik_free(*g);
  *g = NULL;
}

/* ---- what comes out ---- */

static bool is_whole(const ik_wse2_ledger *g, const entry *e) {
  const ik_wse2_mapping *m = g->layout->map;
  return e->time.nx == m->size[0] && e->time.ny == m->size[1];
}

static void say_first(ik_wse2_ledger *g, const entry *e) {
  const ik_wse2_mapping *m = g->layout->map;
  ik_buf_printf(&g->origin,
                "%lld x %lld elements hold columns of %lld cell%s in %d bytes each, sent in pieces "
                "of %d\n",
                (long long)m->size[0], (long long)m->size[1], (long long)m->column,
                m->column == 1 ? "" : "s", m->bytes.total, m->chunk);
  ik_buf_puts(&g->origin,
              e->replayed
                  ? "values: from the memories of the simulated elements\n"
                  : "values: of all cells, by the operations of the same element program\n");
  if (!is_whole(g, e))
    ik_buf_puts(&g->origin, "in all: each element that was simulated stands for those like it\n");
  ik_buf_puts(&g->origin, "seconds: cycles / clock, and sim.run once\n");
  ik_buf_puts(&g->origin, "energy: power.idle all the time, energy.flop for each required flop\n");
}

static void say_origin(ik_wse2_ledger *g, const entry *e) {
  const ik_wse2_time *t = &e->time;
  if (g->n == 0) say_first(g, e);
  ik_buf_printf(&g->origin, "%s: %lld cycles, simulated on %s%d x %d elements\n",
                e->step ? "a step" : "statements", (long long)t->cycles,
                is_whole(g, e) ? "all " : "a patch with borders of ", t->nx, t->ny);
  if (e->longer > 0)
    ik_buf_printf(&g->origin, "  and %.0f for the longer way of reductions, from two patches\n",
                  e->longer);
}

/* Steps rather than other statements, and of these the longest. */
static bool is_worth_more(const ik_wse2_ledger *g, const entry *e) {
  if (e->step != g->shown.step) return e->step;
  return e->time.cycles > g->shown.time.cycles;
}

static void say_part(ik_wse2_ledger *g, const entry *e) {
  const ik_wse2_mapping *m = g->layout->map;
  bool                   all = is_whole(g, e);
  int n = snprintf(g->part, sizeof g->part, "%s%d x %d ", all ? "all " : "a patch of ", e->time.nx,
                   e->time.ny);
  if (all)
    snprintf(g->part + n, sizeof g->part - (size_t)n, "elements, cycle by cycle");
  else
    snprintf(g->part + n, sizeof g->part - (size_t)n,
             "of %lld x %lld elements, cycle by cycle, the rest by the same schedule",
             (long long)m->size[0], (long long)m->size[1]);
  g->simulated.part = g->part;
}

static void show(ik_wse2_ledger *g, const entry *e) {
  static const char *const titles[2][2] = {
      {"WSE-2, a patch with borders, the longest statements",
       "WSE-2, all elements, the longest statements"},
      {"WSE-2, a patch with borders, one step", "WSE-2, all elements, one step"}};
  const ik_wse2_counts *c = &e->time.middle;
  double                value[] = {(double)e->time.cycles,           (double)c->waits,
                                   (double)c->memory_stalls,         (double)c->flops,
                                   (double)(c->flops - c->needless), (double)c->fabric_received};
  for (int i = 0; i < 6; i++) g->count[i].value = value[i];
  g->count[0].name = e->step ? "cycles of a step" : "cycles of the longest statements";
  ik_timeline_free(&g->timeline);
  g->timeline = g->fresh, g->fresh = (ik_timeline){0};
  g->timeline.title = titles[e->step][is_whole(g, e)];
  g->shown = *e;
  say_part(g, e);
}

static bool has_room(ik_wse2_ledger *g) {
  if (g->n < g->room) return true;
  int    room = g->room ? 2 * g->room : 8;
  entry *grown = ik_realloc(g->entry, (size_t)room * sizeof *grown);
  if (grown) g->entry = grown, g->room = room;
  return grown;
}

static ik_status keep(ik_wse2_ledger *g, const entry *e, ik_diag *d) {
  if (!has_room(g))
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the wafer's clock");
  say_origin(g, e);
  if (is_worth_more(g, e)) show(g, e);
  ik_timeline_free(&g->fresh);
  g->entry[g->n++] = *e;
  return IK_OK;
}

static void count(ik_wse2_ledger *g, const entry *e) {
  const ik_wse2_time *t = &e->time;
  if (g->simulated.seconds == 0) g->simulated.seconds = g->timing.run_seconds;
  g->simulated.seconds += ((double)t->cycles + e->longer) / g->timing.clock;
  g->flops += t->flops, g->required += t->flops - t->needless, g->words += t->words;
  g->simulated.joules = ik_wse2_joules(&g->timing, g->simulated.seconds, g->required);
  g->count[6].value = g->flops, g->count[7].value = g->words;
  refresh(g);
}

static const entry *find(const ik_wse2_ledger *g, const ik_stmt *first) {
  for (int i = 0; i < g->n; i++)
    if (g->entry[i].first == first) return &g->entry[i];
  return NULL;
}

ik_timeline *ik_wse2_ledger_watch(ik_wse2_ledger *g, ik_wse2_list list) {
  if (find(g, list.first)) return NULL;
  g->fresh = (ik_timeline){.most = MOST_SPANS};
  return &g->fresh;
}

ik_status ik_wse2_ledger_add(ik_wse2_ledger *g, ik_wse2_list list, ik_diag *d) {
  const entry *known = find(g, list.first);
  entry        e = {.first = list.first, .step = list.step};
  if (!known) {
    ik_timeline *timeline = ik_wse2_ledger_watch(g, list);
    IK_TRY(ik_wse2_time_of(g->layout, &g->timing, list, 0, timeline, d, &e.time));
    IK_TRY(ik_wse2_longer_way(g->layout, &g->timing, list, &e.time, d, &e.longer));
    IK_TRY(keep(g, &e, d));
  }
  count(g, known ? known : &e);
  return IK_OK;
}

ik_status ik_wse2_ledger_note(ik_wse2_ledger *g, ik_wse2_list list, const ik_wse2_time *t,
                              ik_diag *d) {
  entry e = {.first = list.first, .step = list.step, .replayed = true, .time = *t};
  if (!find(g, list.first)) IK_TRY(keep(g, &e, d));
  count(g, &e);
  return IK_OK;
}

const ik_simulated *ik_wse2_ledger_simulated(const ik_wse2_ledger *g) { return &g->simulated; }
