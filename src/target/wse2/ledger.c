#include "target/wse2/ledger.h"
#include "base/mem.h"
#include "target/wse2/published.h"
#include <string.h>

enum {
  MOST_SPANS = 200000, /* of the timeline */
  COUNTS = 7,
};

typedef struct entry {
  const ik_stmt *first;
  ik_wse2_time   time;
  double         longer; /* cycles that reductions take more on the whole fabric */
} entry;

struct ik_wse2_ledger {
  const ik_wse2_layout     *layout;
  ik_wse2_timing            timing;
  entry                    *entry;
  int                       n, room;
  double                    flops, words;
  ik_timeline               timeline;
  ik_buf                    origin, constants, validation;
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
  const double published = 8.637e-6; /* Table III of arXiv 2204.03775: 0.8637 s, 100000 steps */
  ik_arena     a;
  int64_t      cycles = 0;
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
      "cycles of a step", "of these waiting", "of these for memory ports", "flops of an element",
      "words received",   "flops in all",     "words received in all"};
  const char *title = ik_machine_text(m, "title");
  for (int i = 0; i < COUNTS; i++) g->count[i].name = names[i];
  g->timeline = (ik_timeline){.most = MOST_SPANS, .title = "WSE-2, a patch with borders, one step"};
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
  ik_timeline_free(&(*g)->timeline);
  ik_buf_free(&(*g)->origin), ik_buf_free(&(*g)->constants), ik_buf_free(&(*g)->validation);
  ik_free((*g)->entry);
  ik_free(*g);
  *g = NULL;
}

/* ---- what comes out ---- */

static void say_origin(ik_wse2_ledger *g, ik_wse2_list list, const entry *e) {
  const ik_wse2_mapping *m = g->layout->map;
  const ik_wse2_time    *t = &e->time;
  bool                   all = t->nx == m->size[0] && t->ny == m->size[1];
  if (g->n == 0)
    ik_buf_printf(&g->origin,
                  "%lld x %lld elements hold columns of %lld cells in %d bytes each, sent in "
                  "pieces of %d\n",
                  (long long)m->size[0], (long long)m->size[1], (long long)m->column,
                  m->bytes.total, m->chunk);
  ik_buf_printf(&g->origin, "%s: %lld cycles, simulated on %s%d x %d elements\n",
                list.step ? "a step" : "statements", (long long)t->cycles,
                all ? "all " : "a patch with borders of ", t->nx, t->ny);
  if (e->longer > 0)
    ik_buf_printf(&g->origin, "  and %.0f for the longer way of reductions, from two patches\n",
                  e->longer);
  if (g->n == 0)
    ik_buf_puts(&g->origin, "values: of all cells, by the operations of the same element program\n"
                            "seconds: cycles / clock, and sim.run once\n");
}

static void keep(ik_wse2_ledger *g, ik_wse2_list list, const entry *e) {
  say_origin(g, list, e);
  if (g->n == g->room) {
    int    room = g->room ? 2 * g->room : 8;
    entry *grown = ik_realloc(g->entry, (size_t)room * sizeof *grown);
    if (!grown) return; /* simulated again next time */
    g->entry = grown, g->room = room;
  }
  g->entry[g->n++] = *e;
}

static void count(ik_wse2_ledger *g, const entry *e, bool step) {
  const ik_wse2_mapping *m = g->layout->map;
  const ik_wse2_time    *t = &e->time;
  double                 share = (double)(m->size[0] * m->size[1]) / (t->nx * t->ny);
  if (g->simulated.seconds == 0) g->simulated.seconds = g->timing.run_seconds;
  g->simulated.seconds += ((double)t->cycles + e->longer) / g->timing.clock;
  g->flops += (double)t->total.flops * share;
  g->words += (double)t->total.fabric_received * share;
  g->simulated.joules = ik_wse2_joules(&g->timing, g->simulated.seconds, g->flops);
  if (step) {
    const ik_wse2_counts *c = &t->middle;
    double                value[] = {(double)t->cycles, (double)c->waits, (double)c->memory_stalls,
                                     (double)c->flops, (double)c->fabric_received};
    for (int i = 0; i < 5; i++) g->count[i].value = value[i];
  }
  g->count[5].value = g->flops, g->count[6].value = g->words;
  refresh(g);
}

static const entry *find(const ik_wse2_ledger *g, const ik_stmt *first) {
  for (int i = 0; i < g->n; i++)
    if (g->entry[i].first == first) return &g->entry[i];
  return NULL;
}

static bool reduces(const ik_wse2_list *list) {
  for (const ik_stmt *s = list->first; s != list->end; s = s->next)
    if (s->kind == IK_REDUCE) return true;
  return false;
}

/* What reductions take grows with the way of their words, rows and columns of the whole fabric; a
 * larger patch tells how fast. */
static ik_status measure_way(const ik_wse2_ledger *g, ik_wse2_list list, entry *e, ik_diag *d) {
  const ik_wse2_mapping *m = g->layout->map;
  int64_t                way = m->size[0] + m->size[1] - e->time.nx - e->time.ny;
  ik_wse2_time           t;
  if (way == 0 || !reduces(&list)) return IK_OK;
  IK_TRY(ik_wse2_time_of(g->layout, &g->timing, list, 1, NULL, d, &t));
  int more = t.nx + t.ny - e->time.nx - e->time.ny;
  e->longer = (double)(t.cycles - e->time.cycles) / more * (double)way;
  return IK_OK;
}

/* The first step is the one whose timeline is kept. */
ik_status ik_wse2_ledger_add(ik_wse2_ledger *g, ik_wse2_list list, ik_diag *d) {
  const entry *known = find(g, list.first);
  entry        e = {.first = list.first};
  if (!known) {
    bool         show = list.step && g->timeline.nspan == 0;
    ik_timeline *timeline = show ? &g->timeline : NULL;
    IK_TRY(ik_wse2_time_of(g->layout, &g->timing, list, 0, timeline, d, &e.time));
    IK_TRY(measure_way(g, list, &e, d));
    keep(g, list, &e);
  }
  count(g, known ? known : &e, list.step);
  return IK_OK;
}

void ik_wse2_ledger_note(ik_wse2_ledger *g, ik_wse2_list list, const ik_wse2_time *t) {
  entry e = {list.first, *t, 0};
  if (!find(g, list.first)) keep(g, list, &e);
  count(g, &e, list.step);
}

const ik_simulated *ik_wse2_ledger_simulated(const ik_wse2_ledger *g) { return &g->simulated; }
