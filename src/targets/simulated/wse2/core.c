/* core.c: threads of an element and how they share its one issue a cycle. */
#include "targets/simulated/wse2/core.h"
#include "base/bits.h"
#include "targets/simulated/wse2/protocol.h"
#include <string.h>

enum { MAIN = 2 * IK_WSE2_DIRECTIONS, MILLION = 1000000, SHORT_WAIT = 8 };

const char *const ik_wse2_threads[IK_WSE2_THREADS] = {
    "receive east", "receive west", "receive south", "receive north", "send east",
    "send west",    "send south",   "send north",    "main",
};

typedef enum outcome { BLOCKED, ISSUED, NEXT } outcome; /* NEXT: done without taking a cycle */

static void note(ik_wse2_core *c, ik_timeline_kind kind, int64_t begin, int64_t end,
                 const char *what, int step) {
  if (c->timeline && begin < end)
    ik_timeline_add(c->timeline, (ik_timeline_span){c->site.element, kind, begin, end, what, step});
}

static int place_on_line(const ik_wse2_core *c, int d) {
  const ik_wse2_site *s = &c->site;
  int                 length;
  return ik_wse2_place(d, s->x, s->y, s->nx, s->ny, &length);
}

static void call_task(ik_wse2_core *c, int transfer) {
  c->transfer[transfer].stage = IK_WSE2_CALL;
  c->called |= 1u << transfer;
}

/* ----------------------------------------------------------------------------- receiving */

static void count_take(ik_wse2_counts *n, const ik_wse2_take *t) {
  bool scaled = t->kind == IK_WSE2_SCALE, used = scaled ? t->coefficient != 0 : t->kind;
  n->fabric_received += used;
  n->fabric_dropped += !used;
  n->flops += scaled;
  n->needless += scaled && !used ? 2 : 0;
  n->loads += scaled;
  n->stores += t->kind != IK_WSE2_DROP;
}

static void end_sender(ik_wse2_core *c, int d, int64_t cycle) {
  ik_wse2_transfer *t = &c->transfer[d];
  note(c, IK_TIMELINE_RECEIVE, t->since, cycle + 1, ik_wse2_threads[d], t->slot);
  t->word = 0;
  if (++t->slot == ik_wse2_senders(place_on_line(c, d), c->site.radius[d])) call_task(c, d);
}

static bool receive(ik_wse2_core *c, int d, int64_t cycle) {
  ik_wse2_transfer *t = &c->transfer[d];
  if (t->stage != IK_WSE2_WORDS || !ik_mesh_has(c->mesh, c->site.element, d)) return false;
  int distance = ik_wse2_distance(place_on_line(c, d), t->slot, c->site.radius[d]);
  if (!t->word) t->since = cycle;
  float word = ik_from_word(ik_mesh_take(c->mesh, c->site.element, d));
  count_take(&c->counts,
             ik_wse2_take_one(&c->current->from[d][distance], c->memory, t->word, word));
  c->counts.issued++;
  if (++t->word == c->current->n) end_sender(c, d, cycle);
  return true;
}

/* ----------------------------------------------------------------------------- sending */

static void send_command(ik_wse2_core *c, int d, ik_wse2_transfer *t, int64_t cycle) {
  int radius = c->site.radius[d];
  ik_mesh_command(c->mesh, c->site.element, d, cycle, ik_wse2_command(t->word, radius));
  c->counts.overhead++;
  if (++t->word < 2) return;
  t->stage = IK_WSE2_OFF;
  note(c, IK_TIMELINE_SEND, t->since, cycle + 1, ik_wse2_threads[IK_WSE2_DIRECTIONS + d],
       place_on_line(c, d) % (radius + 1));
}

static void send_word(ik_wse2_core *c, int d, ik_wse2_transfer *t, int64_t cycle) {
  float word = c->memory[c->current->at + t->word];
  ik_mesh_send(c->mesh, c->site.element, d, cycle, ik_word_of(word));
  /* The first ones fill the router's queue; only then does it show when they really go. */
  if (!t->word || t->word == c->timing->depth) t->since = cycle;
  c->counts.fabric_sent++;
  c->counts.issued++;
  if (++t->word == c->current->n) call_task(c, IK_WSE2_DIRECTIONS + d);
}

static bool send(ik_wse2_core *c, int d, int64_t cycle) {
  ik_wse2_transfer *t = &c->transfer[IK_WSE2_DIRECTIONS + d];
  bool              words = t->stage == IK_WSE2_WORDS;
  if (!words && t->stage != IK_WSE2_COMMANDS) return false;
  if (!ik_mesh_may_send(c->mesh, c->site.element, d, cycle)) return false;
  if (words)
    send_word(c, d, t, cycle);
  else
    send_command(c, d, t, cycle);
  return true;
}

/* ----------------------------------------------------------------------------- broadcasts */

static outcome begin_broadcast(ik_wse2_core *c, const ik_wse2_broadcast *b) {
  c->current = b;
  for (int t = 0; t < MAIN; t++)
    if (b->on[t % IK_WSE2_DIRECTIONS]) c->transfer[t] = (ik_wse2_transfer){.stage = IK_WSE2_WORDS};
  c->counts.overhead++;
  c->pc++;
  return ISSUED;
}

static bool is_transferring(const ik_wse2_core *c) {
  for (int t = 0; t < MAIN; t++)
    if (c->transfer[t].stage != IK_WSE2_OFF) return true;
  return false;
}

static outcome await(ik_wse2_core *c) {
  if (is_transferring(c)) return BLOCKED;
  c->current = NULL;
  c->pc++;
  return NEXT;
}

/* Tasks of sends first: others wait for their commands. */
static void run_task(ik_wse2_core *c) {
  if (c->task < 0) {
    unsigned sends = c->called >> IK_WSE2_DIRECTIONS;
    c->task = sends ? IK_WSE2_DIRECTIONS + __builtin_ctz(sends) : __builtin_ctz(c->called);
    c->task_left = c->timing->callback;
    c->called &= ~(1u << c->task);
  }
  c->counts.overhead++;
  if (--c->task_left > 0) return;
  bool sent = c->task >= IK_WSE2_DIRECTIONS;
  c->transfer[c->task].stage = sent ? IK_WSE2_COMMANDS : IK_WSE2_OFF;
  c->transfer[c->task].word = 0;
  c->task = -1;
}

/* ----------------------------------------------------------------------------- vectors */

static bool is_slow(ik_op op) {
  return op == IK_OP_DIV || op == IK_OP_SQRT || (op >= IK_OP_EXP && op <= IK_OP_POW);
}

static int64_t stall_of(const ik_wse2_core *c, const ik_wse2_map *m) {
  return ik_wse2_map_vectors(m) < 2 ? 0 : (int64_t)(c->timing->memory_stall * MILLION + 0.5);
}

/* Cycles of a word after the first. */
static int more_cycles(const ik_wse2_core *c, ik_op op) {
  return is_slow(op) ? c->timing->divide - 1 : 0;
}

/* What `n` words of a vector cost the memory: whole cycles now, the rest is owed. */
static int64_t pay_memory(ik_wse2_core *c, const ik_wse2_map *m, int n) {
  c->debt += n * stall_of(c, m);
  int64_t cycles = c->debt / MILLION;
  c->debt %= MILLION;
  return cycles;
}

static void count_map(ik_wse2_core *c, const ik_wse2_map *m) {
  ik_wse2_counts *n = &c->counts;
  n->issued += m->n;
  n->slow += (int64_t)m->n * more_cycles(c, m->op);
  n->flops += (int64_t)m->n * ik_op_flops(m->op);
  n->loads += (int64_t)m->n * ik_wse2_map_vectors(m);
  n->stores += m->dst.stride ? m->n : 1;
}

/* The stalls of a vector are spread over it; a timeline shows them together at its end. */
static void end_map(ik_wse2_core *c, const ik_wse2_instr *i, int64_t end, int64_t stalls) {
  note(c, IK_TIMELINE_COMPUTE, c->began, end - stalls, i->what, -1);
  note(c, IK_TIMELINE_MEMORY, end - stalls, end, "memory", -1);
  count_map(c, &i->map);
  c->word = 0;
  c->pc++;
}

/* No other thread has anything to do, nor will have until the vector is done: all of it is done at
 * once, and the element sleeps for as long as it takes. */
static outcome map_alone(ik_wse2_core *c, const ik_wse2_instr *i, int64_t cycle) {
  const ik_wse2_map *m = &i->map;
  int64_t            stalls = pay_memory(c, m, m->n);
  c->began = cycle;
  c->asleep_until = cycle + (int64_t)m->n * (1 + more_cycles(c, m->op)) + stalls;
  c->counts.memory_stalls += stalls;
  ik_wse2_map_run(m, c->memory);
  end_map(c, i, c->asleep_until, stalls);
  return ISSUED;
}

static outcome map_word(ik_wse2_core *c, const ik_wse2_instr *i, int64_t cycle) {
  const ik_wse2_map *m = &i->map;
  if (c->word == 0) {
    c->began = cycle;
    c->stalled = c->counts.memory_stalls;
  }
  ik_wse2_map_one(m, c->memory, c->word);
  c->stall = (int)pay_memory(c, m, 1);
  c->hold = more_cycles(c, m->op);
  if (++c->word == m->n)
    end_map(c, i, cycle + 1 + c->hold + c->stall, c->counts.memory_stalls + c->stall - c->stalled);
  return ISSUED;
}

static outcome map(ik_wse2_core *c, const ik_wse2_instr *i, int64_t cycle) {
  if (i->map.n > 0) return c->word || c->current ? map_word(c, i, cycle) : map_alone(c, i, cycle);
  c->pc++;
  return NEXT;
}

static outcome begin_step(ik_wse2_core *c, int64_t cycle) {
  int cycles = c->timing->step;
  note(c, IK_TIMELINE_WAIT, cycle, cycle + cycles, "overhead of a step", -1);
  c->counts.overhead += cycles;
  c->pc++;
  if (c->current)
    c->hold = cycles - 1;
  else
    c->asleep_until = cycle + cycles;
  return cycles > 0 ? ISSUED : NEXT;
}

/* ----------------------------------------------------------------------------- reductions */

/* What happens at an element, in order; each is skipped where it does not apply. */
enum { FROM_EAST, TO_WEST, FROM_SOUTH, TO_NORTH, RESULT_OUT, RESULT_IN, NREDUCE };

static bool applies(const ik_wse2_site *p, int what) {
  switch (what) {
  case FROM_EAST: return p->x < p->nx - 1;
  case TO_WEST: return p->x > 0;
  case FROM_SOUTH: return p->x == 0 && p->y < p->ny - 1;
  case TO_NORTH: return p->x == 0 && p->y > 0;
  case RESULT_OUT: return p->x == 0 && p->y == 0;
  default: return true;
  }
}

static int colour_of(const ik_wse2_site *p, int what) {
  switch (what) {
  case FROM_EAST: return IK_WSE2_COLOUR_ROW + (p->x + 1) % 2;
  case TO_WEST: return IK_WSE2_COLOUR_ROW + p->x % 2;
  case FROM_SOUTH: return IK_WSE2_COLOUR_COLUMN + (p->y + 1) % 2;
  case TO_NORTH: return IK_WSE2_COLOUR_COLUMN + p->y % 2;
  default: return IK_WSE2_COLOUR_RESULT;
  }
}

static bool is_sending(int what) {
  return what == TO_WEST || what == TO_NORTH || what == RESULT_OUT;
}

static bool pass_on(ik_wse2_core *c, int colour, int64_t cycle) {
  if (!ik_mesh_may_send(c->mesh, c->site.element, colour, cycle)) return false;
  ik_mesh_send(c->mesh, c->site.element, colour, cycle, ik_word_of(c->reduced));
  c->counts.fabric_sent++;
  return true;
}

static bool take_in(ik_wse2_core *c, const ik_wse2_reduce *r, int colour, bool result) {
  if (!ik_mesh_has(c->mesh, c->site.element, colour)) return false;
  float came = ik_from_word(ik_mesh_take(c->mesh, c->site.element, colour));
  c->reduced = result ? came : ik_wse2_combine(r->reduce, c->reduced, came);
  c->counts.fabric_received++;
  c->counts.flops += !result;
  return true;
}

static outcome reduce(ik_wse2_core *c, const ik_wse2_instr *i, int64_t cycle) {
  if (c->word == 0) {
    c->reduced = c->memory[i->reduce.at];
    c->began = cycle;
  }
  while (!applies(&c->site, c->word)) c->word++;
  int  colour = colour_of(&c->site, c->word);
  bool went = is_sending(c->word) ? pass_on(c, colour, cycle)
                                  : take_in(c, &i->reduce, colour, c->word == RESULT_IN);
  if (!went) return BLOCKED;
  c->counts.issued++;
  if (++c->word < NREDUCE) return ISSUED;
  c->memory[i->reduce.at] = c->reduced;
  note(c, IK_TIMELINE_RECEIVE, c->began, cycle + 1, i->what, -1);
  c->word = 0;
  c->pc++;
  return ISSUED;
}

/* ----------------------------------------------------------------------------- the program */

static outcome run_instr(ik_wse2_core *c, int64_t cycle) {
  const ik_wse2_instr *i = &c->program->instr[c->pc];
  switch (i->kind) {
  case IK_WSE2_STEP: return begin_step(c, cycle);
  case IK_WSE2_MAP: return map(c, i, cycle);
  case IK_WSE2_BROADCAST: return begin_broadcast(c, i->broadcast);
  case IK_WSE2_AWAIT: return await(c);
  default: return reduce(c, i, cycle);
  }
}

static bool run_main(ik_wse2_core *c, int64_t cycle) {
  if (c->task >= 0 || c->called) {
    run_task(c);
    return true;
  }
  if (c->hold) {
    c->hold--;
    return true;
  }
  outcome o = NEXT;
  while (o == NEXT && c->pc < c->program->n) o = run_instr(c, cycle);
  return o == ISSUED;
}

static bool run_thread(ik_wse2_core *c, int thread, int64_t cycle) {
  if (thread == MAIN) return run_main(c, cycle);
  if (thread < IK_WSE2_DIRECTIONS) return receive(c, thread, cycle);
  return send(c, thread - IK_WSE2_DIRECTIONS, cycle);
}

static bool issue(ik_wse2_core *c, int64_t cycle) {
  for (int k = 0; k < IK_WSE2_THREADS; k++) {
    int thread = c->turn;
    c->turn = (uint8_t)(thread == MAIN ? 0 : thread + 1);
    if (run_thread(c, thread, cycle)) return true;
  }
  return false;
}

static void count_wait(ik_wse2_core *c, int64_t cycle, bool waits) {
  if (waits) {
    c->counts.waits++;
    if (c->waits_since < 0) c->waits_since = cycle;
    return;
  }
  if (c->waits_since >= 0 && cycle - c->waits_since >= SHORT_WAIT)
    note(c, IK_TIMELINE_WAIT, c->waits_since, cycle, "wait", -1);
  c->waits_since = -1;
}

static bool is_done(const ik_wse2_core *c) {
  return c->pc == c->program->n && !c->hold && !c->stall && !is_transferring(c);
}

void ik_wse2_core_begin(ik_wse2_core *c, int64_t cycle) {
  c->counts = (ik_wse2_counts){0};
  c->pc = c->word = c->hold = c->stall = 0;
  c->turn = 0;
  c->debt = 0;
  c->task = -1;
  c->waits_since = -1;
  c->current = NULL;
  c->start = c->asleep_until = cycle;
}

ik_mesh_state ik_wse2_core_step(ik_wse2_core *c, int64_t cycle) {
  if (cycle < c->asleep_until) return IK_MESH_BUSY;
  if (is_done(c)) return IK_MESH_DONE;
  if (c->stall) {
    c->stall--;
    c->counts.memory_stalls++;
    return IK_MESH_BUSY;
  }
  bool went = issue(c, cycle);
  count_wait(c, cycle, !went);
  c->counts.cycles = (c->asleep_until > cycle ? c->asleep_until : cycle + 1 + c->stall) - c->start;
  return went || is_done(c) ? IK_MESH_BUSY : IK_MESH_WAITING;
}
