#include "targets/simulated/wormhole/account.h"
#include "targets/simulated/wormhole/published.h"

enum { SPANS = 100000 }; /* of the timeline */

/* What a core does at the same time, as threads of a viewer. */
static const char *const tracks[] = {"unpack", "pack", "send", "math"};

typedef enum count_name {
  CYCLES,
  OPS,
  BUSY,
  WAITS,
  WRITES,
  BYTES,
  FILLED,
  HOPS,
  COUNTS
} count_name;

typedef struct timed {
  const ik_stmt    *first;
  ik_wormhole_count count;
} timed;

struct ik_wormhole_account {
  const ik_wormhole_map    *map;
  ik_arena                 *a;
  ik_simulated              show;
  struct ik_simulated_count count[COUNTS];
  timed                    *list; /* [nlist] */
  int                       nlist;
  ik_timeline               timeline;
  ik_buf                    constants, validation;
};

/* ---- texts ---- */

static const char *origin(const ik_wormhole_map *m, ik_arena *a) {
  return ik_arena_printf(
      a,
      "values: computed by the operations of %d cores on tiles, %s\n"
      "cycles: simulated on all cores and tiles, each list of statements once\n"
      "time: cycles at %.4g GHz, times %.4g for the host, which is not simulated\n",
      ik_wormhole_cores(m), m->rule.type == IK_BF16 ? "in bf16" : "in f32", m->figures.clock / 1e9,
      m->figures.host);
}

/* What was fitted or assumed, as the machine's file has it. */
static void put_constants(const ik_wormhole_map *m, ik_buf *b) {
  static const char *const keys[] = {"simulation.host", "model.sync",      "core.reserve",
                                     "model.hop",       "simulation.fold", "simulation.result"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const ik_figure *f = ik_machine_get(m->figures.machine, keys[i]);
    ik_buf_printf(b, "%s = %s%s%s, %s: %s\n", f->key, f->value, *f->unit ? " " : "", f->unit,
                  f->label == 'C' ? "calibrated" : "assumed", f->source);
  }
  ik_buf_printf(b, "SFPU: %d lanes: tt-isa-documentation; Section 4 of arXiv 2603.23343 has 16\n",
                IK_WORMHOLE_LANES);
  ik_buf_puts(b, "circular buffers have room for the halos of two levels, assumed\n"
                 "to bf16, ties to even unless overridden, assumed: not documented\n"
                 "multiply-add, division, roots and functions rounded once, assumed\n");
}

static void put_validation(const ik_published_row *rows, int n, ik_buf *b) {
  for (int i = 0; i < n; i++) {
    const ik_published_row *r = &rows[i];
    if (!(r->bar > 0)) continue;
    ik_buf_printf(b, "%s, %s: published %.4g%s%s, simulated %.4g (%+.1f %%)\n", r->table, r->row,
                  r->published, *r->unit ? " " : "", r->unit, r->simulated,
                  100 * (r->simulated / r->published - 1));
  }
}

/* ---- making ---- */

static void count_stmt(const ik_stmt *s, void *ctx) {
  (void)s;
  ++*(int *)ctx;
}

ik_wormhole_account *ik_wormhole_account_of(const ik_wormhole_map *m, ik_arena *a) {
  static const char *const names[COUNTS] = {"cycles",
                                            "operations on tiles",
                                            "core-cycles of units",
                                            "core-cycles waiting for others",
                                            "halo rows sent",
                                            "bytes over the network",
                                            "words set to zero",
                                            "hops of partial results"};
  ik_wormhole_account     *x = IK_NEW(a, ik_wormhole_account);
  int                      most = 0;
  ik_ir_each_stmt(m->ir, count_stmt, &most);
  x->map = m, x->a = a;
  x->list = IK_NEW_N(a, timed, most);
  for (int i = 0; i < COUNTS; i++) x->count[i].name = names[i];
  x->timeline = (ik_timeline){.most = SPANS,
                              .nelement = ik_wormhole_cores(m),
                              .nx = m->cores[0],
                              .ny = m->cores[1],
                              .clock = m->figures.clock,
                              .track = tracks,
                              .ntrack = sizeof tracks / sizeof *tracks};
  x->timeline.title = ik_arena_printf(a, "Wormhole, %d x %d cores", m->cores[0], m->cores[1]);
  x->show = (ik_simulated){.machine = ik_machine_text(m->figures.machine, "title"),
                           .clock = m->figures.clock,
                           .part = "all cores and tiles, each list of statements once",
                           .origin = origin(m, a),
                           .count = x->count,
                           .ncount = COUNTS};
  put_constants(m, &x->constants);
  x->show.constants = ik_buf_text(&x->constants);
  return x;
}

void ik_wormhole_account_free(ik_wormhole_account *x) {
  if (!x) return;
  ik_timeline_free(&x->timeline);
  ik_buf_free(&x->constants), ik_buf_free(&x->validation);
}

/* ---- counting ---- */

/* The picture is that of the first list of a loop's body, or of the first of all. */
static bool is_worth_a_picture(const ik_wormhole_account *x, const ik_stmt *first) {
  const ik_stmt *loop = ik_wormhole_loop_of(x->map->ir);
  return loop ? loop->body == first : x->timeline.nspan == 0;
}

static ik_status time_list(ik_wormhole_account *x, const ik_stmt *first, const ik_stmt *end,
                           ik_diag *d, const ik_wormhole_count **out) {
  timed *t = x->list;
  for (; t < x->list + x->nlist; t++)
    if (t->first == first) return *out = &t->count, IK_OK;
  ik_timeline *picture = is_worth_a_picture(x, first) ? &x->timeline : NULL;
  IK_TRY(ik_wormhole_cycles(x->map, first, end, NULL, NULL, picture, d, &t->count));
  if (picture) x->show.timeline = picture;
  t->first = first;
  x->nlist++;
  return *out = &t->count, IK_OK;
}

ik_status ik_wormhole_account_add(ik_wormhole_account *x, const ik_stmt *first, const ik_stmt *end,
                                  ik_diag *d) {
  const ik_wormhole_count *n;
  IK_TRY(time_list(x, first, end, d, &n));
  const int64_t value[COUNTS] = {n->cycles, n->ops,   n->busy,   n->waits,
                                 n->writes, n->bytes, n->filled, n->hops};
  for (int i = 0; i < COUNTS; i++) x->count[i].value += (double)value[i];
  x->show.seconds = x->count[CYCLES].value / x->show.clock * x->map->figures.host;
  return IK_OK;
}

static ik_status compare(ik_wormhole_account *x, ik_diag *d) {
  const ik_published_row *rows;
  int                     n;
  if (setjmp(x->a->oom)) return IK_ERR_RESOURCE;
  IK_TRY(ik_wormhole_published(x->map->figures.machine, x->a, d, &rows, &n));
  put_validation(rows, n, &x->validation);
  x->show.validation = ik_buf_text(&x->validation);
  return IK_OK;
}

void ik_wormhole_account_validate(ik_wormhole_account *x) {
  ik_diag d = {0};
  if (!x->show.validation) (void)compare(x, &d);
  ik_diag_free(&d);
}

const ik_simulated *ik_wormhole_account_show(const ik_wormhole_account *x) { return &x->show; }
