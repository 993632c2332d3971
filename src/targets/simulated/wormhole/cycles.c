#include "targets/simulated/wormhole/cycles.h"
#include "base/mem.h"
#include "sim/fifo.h"
#include "sim/server.h"
#include "targets/simulated/wormhole/schedule.h"
#include <string.h>

enum {
  TILE = IK_WORMHOLE_TILE,
  COLUMNS = IK_WORMHOLE_COLUMNS,
  SIDES = IK_WORMHOLE_SIDES,
  DEPTH = 2, /* halos of levels for which a circular buffer has room */
  CHILDREN = IK_WORMHOLE_CHILDREN,
};

typedef struct sim sim;

typedef struct core {
  ik_task   task;
  sim      *x;
  int       id, at;                /* action */
  bool      busy;                  /* with it, until it is called again */
  int64_t   since;                 /* when it began to wait; -1: it does not */
  float    *reg, *partial, *heard; /* NULL: only timed */
  ik_fifo   halo[SIDES], inbox[CHILDREN];
  int       child[CHILDREN], nchild, parent; /* -1 for the root */
  int64_t   results, arrival;                /* numbers heard; when the newest comes */
  ik_server link;
} core;

typedef struct mover { /* of halos, or of partial results to the parent */
  ik_task task;
  core   *c;
  int     at;                    /* send */
  bool    flying, sent, waiting; /* on the way; arrived, but there is no room yet; for the core */
} mover;

struct sim {
  const ik_wormhole_map *map;
  ik_wormhole_chip      *chip;
  ik_state              *state;
  ik_timeline           *timeline;
  ik_events              events;
  ik_wormhole_count      count;
  ik_wormhole_schedule   todo;
  int                    set_done; /* actions up to here have set their scalars */
  core                  *core;     /* [cores] */
  mover                 *halos, *tells;
  int                    arrived; /* at the SYNC */
  int64_t                synced, results;
};

/* ---- time ---- */

/* In pictures x goes along axis 0, as in those of fields: core (i, j) is element (i, j). */
static void show(sim *x, int id, ik_timeline_kind kind, int64_t begin, int64_t end,
                 const char *what) {
  const int *cores = x->map->cores;
  int        element = id % cores[1] * cores[0] + id / cores[1];
  if (x->timeline && begin < end)
    ik_timeline_add(x->timeline, (ik_timeline_span){element, kind, begin, end, what, -1});
}

/* What a core does from now on, piece by piece. */
static void show_cost(core *c, int64_t now, ik_wormhole_cost n) {
  int64_t ready = now + n.unpack, done = ready + n.unit;
  show(c->x, c->id, IK_TIMELINE_MEMORY, now, ready, "unpack");
  show(c->x, c->id, IK_TIMELINE_COMPUTE, ready, done,
       ik_wormhole_action_name(&c->x->todo.action[c->at]));
  show(c->x, c->id, IK_TIMELINE_MEMORY, done, done + n.pack, "pack");
}

/* True when the core has done so much for its action. */
static bool spend(core *c, ik_events *e, ik_wormhole_cost n) {
  int64_t cycles = ik_wormhole_cycles_of(n);
  if (c->busy || !cycles) return c->busy = false, true;
  c->busy = true;
  c->x->count.busy += cycles;
  show_cost(c, e->now, n);
  ik_events_wake(e, &c->task, e->now + cycles);
  return false;
}

/* False: somebody will wake it. */
static bool wait(core *c, ik_events *e) {
  if (c->since < 0) c->since = e->now;
  return false;
}

static void stop_waiting(core *c, ik_events *e, const ik_wormhole_action *v) {
  if (c->since < 0) return;
  c->x->count.waits += e->now - c->since;
  show(c->x, c->id, IK_TIMELINE_WAIT, c->since, e->now, ik_wormhole_action_name(v));
  c->since = -1;
}

static int64_t latency(const sim *x, int hops) {
  return 2 * x->map->figures.enter + x->map->figures.hop * hops;
}

/* ---- actions ---- */

static int64_t fill_words(const sim *x, ik_wormhole_side s) {
  return (int64_t)ik_wormhole_halo_rows(s) * COLUMNS * ik_wormhole_bytes(x->map) / 4;
}

static bool patch(core *c, ik_events *e, const ik_wormhole_action *v) {
  sim             *x = c->x;
  ik_wormhole_side side = v->code->op[v->op].side;
  float            rows[IK_WORMHOLE_HALO] = {0};
  if (ik_wormhole_neighbour(x->map, c->id, side) >= 0) {
    if (!ik_fifo_take(&c->halo[side], e, &c->task, rows, ik_wormhole_halo_rows(side)))
      return wait(c, e);
  } else {
    int64_t cycles = fill_words(x, side) * x->map->figures.store;
    if (!spend(c, e, (ik_wormhole_cost){.unit = cycles})) return false;
    x->count.filled += fill_words(x, side);
  }
  if (c->reg) ik_wormhole_execute(x->chip, v->code, v->op, c->id, v->k, rows, c->reg);
  return true;
}

static bool operate(core *c, ik_events *e, const ik_wormhole_action *v) {
  sim                  *x = c->x;
  const ik_wormhole_op *op = &v->code->op[v->op];
  if (!spend(c, e, v->cost)) return false;
  x->count.ops += ik_wormhole_operands(op) > 0;
  if (c->reg && op->kind != IK_WORMHOLE_SHIFT) /* that is done when its rows are there */
    ik_wormhole_execute(x->chip, v->code, v->op, c->id, v->k, NULL, c->reg);
  return true;
}

static bool finish(core *c, ik_events *e, const ik_wormhole_action *v) {
  if (!spend(c, e, v->cost)) return false;
  c->x->count.ops += ik_wormhole_cycles_of(v->cost) > 0;
  if (c->reg) ik_wormhole_finish(c->x->chip, v->code, c->id, v->k, c->reg, c->partial);
  return true;
}

static bool begin(core *c, const ik_wormhole_action *v) {
  if (!c->reg) return true;
  ik_wormhole_prepare(c->x->chip, v->code, c->id);
  ik_wormhole_numbers(c->x->chip, v->code, c->reg);
  ik_wormhole_clear(v->code->stmt->reduce, c->partial);
  return true;
}

static bool set_scalar(sim *x, int at) {
  const ik_stmt *s = x->todo.action[at].set;
  if (at < x->set_done) return true;
  x->set_done = at + 1;
  if (x->chip) ik_interp_run(x->chip->host, s, s->next);
  return true;
}

static bool join(core *c, ik_events *e, const ik_wormhole_action *v) {
  return c->x->halos[c->id].at >= v->sends || wait(c, e);
}

static bool synchronise(core *c, ik_events *e, const ik_wormhole_action *v) {
  sim *x = c->x;
  int  n = ik_wormhole_cores(x->map);
  if (c->busy) { /* has been counted */
    if (x->synced <= c->at) return wait(c, e);
    return c->busy = false, true;
  }
  if (++x->arrived < n) return c->busy = true, wait(c, e);
  x->arrived = 0, x->synced = c->at + 1;
  if (x->chip) ik_wormhole_settle(x->chip, v->code);
  for (int i = 0; i < n; i++) ik_events_wake(e, &x->core[i].task, e->now);
  return true;
}

/* ---- reductions ---- */

static bool fold(core *c, ik_events *e, const ik_wormhole_action *v) {
  if (v->root && c->parent >= 0) return true;
  if (!spend(c, e, v->cost)) return false;
  c->x->count.ops += c->x->map->figures.fold;
  if (c->reg) ik_wormhole_fold(&c->x->map->rule, v->code->stmt->reduce, c->partial);
  return true;
}

static bool hear(core *c, ik_events *e, const ik_wormhole_action *v) {
  if (v->op >= c->nchild) return true;
  return ik_fifo_take(&c->inbox[v->op], e, &c->task, c->heard, 1) || wait(c, e);
}

static bool merge(core *c, ik_events *e, const ik_wormhole_action *v) {
  if (v->op >= c->nchild) return true;
  if (!spend(c, e, v->cost)) return false;
  c->x->count.ops++, c->x->count.hops++;
  if (c->reg) ik_wormhole_merge(&c->x->map->rule, v->code->stmt->reduce, c->partial, c->heard);
  return true;
}

static int distance(const ik_wormhole_map *m, int a, int b) {
  int di = a / m->cores[1] - b / m->cores[1], dj = a % m->cores[1] - b % m->cores[1];
  return (di < 0 ? -di : di) + (dj < 0 ? -dj : dj);
}

/* With split kernels the number also goes to DRAM, for the host. */
static bool result(core *c, ik_events *e, const ik_wormhole_action *v) {
  sim                       *x = c->x;
  const ik_wormhole_figures *f = &x->map->figures;
  ik_wormhole_cost           n = v->cost;
  if (c->parent >= 0) return true;
  if (!x->map->fused) n.pack += ik_server_ceil(f->flit, f->dram_write) + latency(x, 1);
  if (!spend(c, e, n)) return false;
  if (c->reg) x->state->scalar[v->code->stmt->scalar] = c->partial[0];
  x->results++;
  for (int i = 0; i < ik_wormhole_cores(x->map); i++) {
    core *o = &x->core[i];
    o->arrival =
        e->now + latency(x, distance(x->map, c->id, i)) + ik_server_ceil(2 * f->flit, f->multicast);
    ik_events_wake(e, &o->task, o->arrival);
  }
  return true;
}

static bool await(core *c, ik_events *e) {
  sim *x = c->x;
  if (c->results == x->results) return wait(c, e);
  if (e->now < c->arrival) { /* woken too early, by its mover */
    ik_events_wake(e, &c->task, c->arrival);
    return wait(c, e);
  }
  c->results++;
  return true;
}

static bool tell(core *c, ik_events *e) {
  if (c->parent >= 0) ik_events_wake(e, &c->x->tells[c->id].task, e->now);
  return true;
}

static bool perform(core *c, ik_events *e, const ik_wormhole_action *v) {
  switch (v->kind) {
  case IK_WORMHOLE_DO_SET: return set_scalar(c->x, c->at);
  case IK_WORMHOLE_DO_BEGIN: return begin(c, v);
  case IK_WORMHOLE_DO_OP: return operate(c, e, v);
  case IK_WORMHOLE_DO_PATCH: return patch(c, e, v);
  case IK_WORMHOLE_DO_FINISH: return finish(c, e, v);
  case IK_WORMHOLE_DO_JOIN: return join(c, e, v);
  case IK_WORMHOLE_DO_SYNC: return synchronise(c, e, v);
  case IK_WORMHOLE_DO_FOLD: return fold(c, e, v);
  case IK_WORMHOLE_DO_HEAR: return hear(c, e, v);
  case IK_WORMHOLE_DO_MERGE: return merge(c, e, v);
  case IK_WORMHOLE_DO_TELL: return tell(c, e);
  case IK_WORMHOLE_DO_RESULT: return result(c, e, v);
  default: return await(c, e);
  }
}

static void run_core(ik_task *t, ik_events *e) {
  core *c = (core *)t;
  sim  *x = c->x;
  while (c->at < x->todo.n && perform(c, e, &x->todo.action[c->at])) {
    stop_waiting(c, e, &x->todo.action[c->at]);
    c->at++;
    if (x->halos[c->id].waiting) ik_events_wake(e, &x->halos[c->id].task, e->now);
  }
  if (c->at == x->todo.n && e->now > x->count.cycles) x->count.cycles = e->now;
}

/* ---- movers ---- */

static ik_wormhole_side opposite(ik_wormhole_side s) { return s ^ 1; }

/* Bytes go out through the core's link; true when they have arrived. */
static bool fly(mover *m, ik_events *e, int64_t bytes, const char *what) {
  sim    *x = m->c->x;
  int64_t now = e->now;
  if (m->flying) return m->flying = false, true;
  m->flying = true;
  x->count.bytes += bytes;
  int64_t arrival = ik_server_ask(&m->c->link, now, bytes);
  show(x, m->c->id, IK_TIMELINE_SEND, now, arrival, what);
  ik_events_wake(e, &m->task, arrival);
  return false;
}

/* Each row is a write of its own, with a header. */
static bool send_rows(mover *m, ik_events *e, const ik_wormhole_send *s) {
  sim             *x = m->c->x;
  ik_wormhole_side side = s->code->op[s->op].side;
  int              to = ik_wormhole_neighbour(x->map, m->c->id, opposite(side));
  int              n = ik_wormhole_halo_rows(side);
  float            rows[IK_WORMHOLE_HALO];
  int64_t bytes = (int64_t)n * (x->map->figures.flit + COLUMNS * ik_wormhole_bytes(x->map));
  if (to < 0) return true;
  if (!m->sent && !fly(m, e, bytes, ik_wormhole_side_name(side))) return false;
  m->sent = true;
  if (x->chip) ik_wormhole_collect(x->chip, s->code, s->op, to, s->k, rows);
  if (!ik_fifo_put(&x->core[to].halo[side], e, &m->task, rows, n)) return false;
  m->sent = false;
  x->count.writes += n;
  return true;
}

static void run_halos(ik_task *t, ik_events *e) {
  mover *m = (mover *)t;
  sim   *x = m->c->x;
  for (; m->at < x->todo.nsend; m->at++) {
    const ik_wormhole_send *s = &x->todo.send[m->at];
    m->waiting = m->c->at < s->after;
    if (m->waiting || !send_rows(m, e, s)) return;
    if (m->c->since >= 0) ik_events_wake(e, &m->c->task, e->now); /* it may be in a JOIN */
  }
}

static void run_tell(ik_task *t, ik_events *e) {
  mover                 *m = (mover *)t;
  const ik_wormhole_map *map = m->c->x->map;
  core                  *parent = &m->c->x->core[m->c->parent];
  int                    flit = map->figures.flit, j = 0;
  int bytes = flit + (map->rule.whole_tiles ? TILE * ik_wormhole_bytes(map) : flit);
  if (!fly(m, e, bytes, "partial result")) return;
  while (parent->child[j] != m->c->id) j++;
  bool room = ik_fifo_put(&parent->inbox[j], e, NULL, m->c->partial, 1);
  IK_ASSERT(room); /* the one before was taken before its sum was known */
}

/* ---- all of it ---- */

static void link_cores(sim *x, ik_arena *a) {
  int              n = ik_wormhole_cores(x->map);
  ik_wormhole_hop *hop = IK_NEW_N(a, ik_wormhole_hop, n);
  ik_wormhole_route(x->map, hop);
  for (int i = 0; i < n; i++) x->core[i].parent = -1;
  for (int i = 0; i < n - 1; i++) {
    core *to = &x->core[hop[i].to];
    to->child[to->nchild++] = hop[i].from;
    x->core[hop[i].from].parent = hop[i].to;
  }
}

/* Values are carried only where there are some. */
static bool make_buffers(core *c) {
  bool   values = c->x->chip != NULL, ok = true;
  size_t message = c->x->map->rule.whole_tiles ? TILE : 1;
  for (int s = 0; s < SIDES; s++)
    ok = ok && ik_fifo_init(&c->halo[s], DEPTH * ik_wormhole_halo_rows((ik_wormhole_side)s),
                            values ? COLUMNS * sizeof(float) : 0);
  for (int j = 0; j < CHILDREN; j++)
    ok = ok && ik_fifo_init(&c->inbox[j], 1, values ? message * sizeof(float) : 0);
  return ok;
}

static void make_core(sim *x, ik_arena *a, int i) {
  core *c = &x->core[i];
  c->task.run = run_core, c->x = x, c->id = i, c->since = -1;
  c->link = (ik_server){.words = x->map->figures.write, .cycles = 1, .latency = latency(x, 1)};
  x->halos[i] = (mover){.task = {.run = run_halos}, .c = c};
  x->tells[i] = (mover){.task = {.run = run_tell}, .c = c};
  if (!x->chip) return;
  c->reg = IK_NEW_N(a, float, (int64_t)ik_wormhole_most_ops(x->map) * TILE);
  c->partial = IK_NEW_N(a, float, TILE);
  c->heard = IK_NEW_N(a, float, TILE);
}

static bool make_cores(sim *x, ik_arena *a) {
  int  n = ik_wormhole_cores(x->map);
  bool ok = true;
  x->core = IK_NEW_N(a, core, n);
  x->halos = IK_NEW_N(a, mover, n), x->tells = IK_NEW_N(a, mover, n);
  for (int i = 0; i < n; i++) make_core(x, a, i);
  link_cores(x, a);
  for (int i = 0; i < n; i++) ok = make_buffers(&x->core[i]) && ok;
  return ok;
}

static void free_buffers(sim *x) {
  for (int i = 0; x->core && i < ik_wormhole_cores(x->map); i++) {
    for (int s = 0; s < SIDES; s++) ik_fifo_free(&x->core[i].halo[s]);
    for (int j = 0; j < CHILDREN; j++) ik_fifo_free(&x->core[i].inbox[j]);
  }
  ik_events_free(&x->events);
}

static bool simulate(sim *x, ik_arena *a) {
  if (!make_cores(x, a)) return false;
  for (int i = 0; i < ik_wormhole_cores(x->map); i++) {
    ik_events_wake(&x->events, &x->core[i].task, 0);
    ik_events_wake(&x->events, &x->halos[i].task, 0);
  }
  if (!ik_events_run(&x->events, -1)) return false;
  for (int i = 0; i < ik_wormhole_cores(x->map); i++) IK_ASSERT(x->core[i].at == x->todo.n);
  return true;
}

static bool make_and_run(sim *x, const ik_stmt *first, const ik_stmt *end, ik_arena *a) {
  if (setjmp(a->oom)) return false;
  ik_wormhole_schedule_of(x->map, first, end, a, &x->todo);
  return simulate(x, a);
}

ik_status ik_wormhole_cycles(const ik_wormhole_map *m, const ik_stmt *first, const ik_stmt *end,
                             ik_wormhole_chip *chip, ik_state *s, ik_timeline *t, ik_diag *d,
                             ik_wormhole_count *out) {
  sim      x = {.map = m, .chip = chip, .state = s, .timeline = t};
  ik_arena a;
  ik_arena_init(&a);
  bool ok = make_and_run(&x, first, end, &a);
  free_buffers(&x);
  ik_arena_free(&a);
  *out = x.count;
  if (ok) return IK_OK;
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory to simulate wormhole");
}

ik_status ik_wormhole_round(const ik_wormhole_map *m, ik_diag *d, int64_t *cycles) {
  const ik_stmt    *loop = ik_wormhole_loop_of(m->ir);
  const ik_stmt    *body = loop ? loop->body : m->ir->body;
  ik_wormhole_count test = {0}, n;
  if (loop) IK_TRY(ik_wormhole_cycles(m, loop->pre, NULL, NULL, NULL, NULL, d, &test));
  IK_TRY(ik_wormhole_cycles(m, body, NULL, NULL, NULL, NULL, d, &n));
  *cycles = test.cycles + n.cycles;
  return IK_OK;
}
