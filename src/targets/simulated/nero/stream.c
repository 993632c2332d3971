#include "targets/simulated/nero/stream.h"
#include "base/least.h"
#include "base/mem.h"
#include "sim/fifo.h"
#include "sim/server.h"
#include <math.h>
#include <stddef.h>

enum {
  BURST = 8,       /* words of 512 bits that are asked for at once */
  ASKED = 2,       /* bursts that may be on their way to an element */
  QUEUE = 512,     /* words of a queue: blocks of RAM are so deep */
  PARTS = 1000000, /* of which rates, which are whole numbers, are made */
  STREAM_BITS = 8 * IK_NERO_WORD
};

typedef struct reader {
  ik_task task;
  int64_t left, next;               /* words of this window to ask for; the next to arrive */
  int64_t arrives[ASKED], n[ASKED]; /* bursts on their way, oldest first */
  int     asked;
} reader;

typedef struct splitter {
  ik_task       task;
  int64_t       next; /* word of the window's stream */
  bool          has;  /* it holds that word, which found no room */
  unsigned char word[IK_NERO_WORD];
} splitter;

typedef struct pipeline {
  ik_task task;
  int     phase;
  int64_t row;         /* of this phase: a word of each field */
  int64_t level_began; /* cycle of the level's first row */
  bool    taken;       /* the row is in, its results found no room */
} pipeline;

typedef struct writer {
  ik_task task;
  int64_t next; /* word of the window's results */
} writer;

typedef struct machine machine;

typedef struct element {
  machine  *m;
  int       index;
  reader    reader;
  splitter  splitter;
  pipeline  pipeline;
  writer    writer;
  ik_server port, write;
  ik_fifo   beats, *field, results;
  int       windows;     /* done */
  int64_t   began, last; /* cycles at which it began, and at which the last was done */
  ik_meter  busy;        /* of the pipeline */
} element;

struct machine {
  const ik_nero_job   *job;
  const ik_nero_shape *shape;
  ik_events            events;
  ik_server            channel;
  bool                 shared;
  int64_t              rows, rows_per_level; /* words of a field in a window, in a level */
  int64_t              row_cycles;           /* of the first phase */
  int64_t              lag;                  /* rows that results come behind: the halo */
  int64_t              beats;                /* of a word */
  element             *element;
};

#define ELEMENT_OF(t, part) ((element *)((char *)(t)-offsetof(element, part.task)))

const char *const ik_nero_tracks[IK_NERO_TRACKS] = {"read", "split", "write", "compute"};

static void show(element *x, ik_timeline_kind kind, int64_t begin, int64_t end, const char *what) {
  ik_timeline *t = x->m->job->timeline;
  if (!t || end <= begin) return;
  ik_timeline_add(t, (ik_timeline_span){x->index, kind, begin, end, what, x->windows});
}

/* ---- from memory ---- */

static void begin_window(element *x, int64_t at) {
  int64_t start = x->m->shape->sweeps ? 0 : (int64_t)x->m->job->board->start;
  x->reader.left = x->m->rows * x->m->shape->in;
  x->reader.next = x->splitter.next = 0;
  x->pipeline.phase = 0, x->pipeline.row = 0, x->pipeline.level_began = 0;
  show(x, IK_TIMELINE_WAIT, at, at + start, "start of a window");
  ik_events_wake(&x->m->events, &x->reader.task, at + start);
  ik_events_wake(&x->m->events, &x->pipeline.task, at + start);
}

static void ask(element *x, int64_t now) {
  reader *r = &x->reader;
  for (; r->asked < ASKED && r->left; r->asked++) {
    int64_t n = ik_min(BURST, r->left), before = r->asked ? r->arrives[r->asked - 1] : now;
    int64_t at = ik_server_ask(&x->port, now, n * x->m->beats);
    if (x->m->shared) at = ik_max(at, ik_server_ask(&x->m->channel, now, n * x->m->beats));
    show(x, IK_TIMELINE_RECEIVE, before, at, "read");
    r->arrives[r->asked] = at, r->n[r->asked] = n;
    r->left -= n;
  }
}

static void fetch_burst(const element *x, unsigned char *to, int64_t n) {
  const ik_nero_words *w = &x->m->job->words;
  int64_t              in = x->m->shape->in;
  for (int64_t i = x->reader.next; w->ctx && i < x->reader.next + n; i++, to += IK_NERO_WORD)
    w->fetch(w->ctx, (int)(i % in), i / in, to);
}

static void forget_oldest(reader *r) {
  r->next += r->n[0];
  r->asked--;
  for (int i = 0; i < r->asked; i++) r->arrives[i] = r->arrives[i + 1], r->n[i] = r->n[i + 1];
}

static void run_reader(ik_task *t, ik_events *e) {
  element      *x = ELEMENT_OF(t, reader);
  reader       *r = &x->reader;
  unsigned char words[BURST * IK_NERO_WORD];
  ask(x, e->now);
  if (r->asked && r->arrives[0] <= e->now) {
    fetch_burst(x, words, r->n[0]);
    if (!ik_fifo_put(&x->beats, e, t, words, r->n[0] * x->m->beats)) return;
    forget_oldest(r);
    ask(x, e->now);
  }
  if (r->asked) ik_events_wake(e, t, r->arrives[0]);
}

/* ---- to the fields ---- */

static void run_splitter(ik_task *t, ik_events *e) {
  element  *x = ELEMENT_OF(t, splitter);
  splitter *s = &x->splitter;
  int64_t   moved = 0;
  for (; moved < BURST; moved++) {
    if (!s->has && !ik_fifo_take(&x->beats, e, t, s->word, x->m->beats)) break;
    s->has = true;
    if (!ik_fifo_put(&x->field[s->next % x->m->shape->in], e, t, s->word, 1)) break;
    s->has = false;
    s->next++;
  }
  show(x, IK_TIMELINE_MEMORY, e->now, e->now + moved, "split");
  if (moved == BURST) ik_events_wake(e, t, e->now + moved);
}

/* ---- through the pipeline ---- */

static bool take_row(element *x, ik_events *e) {
  const ik_nero_words *w = &x->m->job->words;
  unsigned char        word[IK_NERO_WORD];
  for (int f = 0; f < x->m->shape->in; f++)
    if (!ik_fifo_await(&x->field[f], e, &x->pipeline.task, 1)) return false;
  for (int f = 0; f < x->m->shape->in; f++) {
    ik_fifo_take(&x->field[f], e, NULL, word, 1);
    if (w->ctx) w->arrive(w->ctx, f, x->pipeline.row, word);
  }
  return true;
}

static bool emit_row(element *x, ik_events *e, int64_t row) {
  const ik_nero_words *w = &x->m->job->words;
  unsigned char        words[IK_NERO_WIDE * IK_NERO_WORD];
  for (int f = 0; w->ctx && f < x->m->shape->out; f++)
    w->result(w->ctx, f, row, words + f * IK_NERO_WORD);
  return ik_fifo_put(&x->results, e, &x->pipeline.task, words, x->m->shape->out);
}

static void finish_window(element *x, int64_t now) {
  x->windows++;
  x->last = now;
  if (x->windows < x->m->job->windows) begin_window(x, now);
}

/* A level of a sweep follows the one before when its first results are out. */
static int64_t next_row_at(element *x, int64_t now) {
  pipeline *p = &x->pipeline;
  int64_t   at = now + x->m->row_cycles;
  if (!x->m->shape->sweeps || p->row % x->m->rows_per_level) return at;
  at = ik_max(at, p->level_began + (int64_t)x->m->job->board->sweep_latency);
  p->level_began = at;
  return at;
}

/* Rows go in; where there is one phase, results come out behind them.  False: it has to wait. */
static bool run_first_phase(element *x, ik_events *e) {
  pipeline *p = &x->pipeline;
  if (p->row == 0 && !p->taken) p->level_began = e->now;
  if (!p->taken && p->row < x->m->rows && !take_row(x, e)) return false;
  p->taken = true;
  bool emits = x->m->shape->phases == 1 && p->row >= x->m->lag;
  if (emits && !emit_row(x, e, p->row - x->m->lag)) return false;
  p->taken = false;
  p->row++;
  int64_t at = next_row_at(x, e->now);
  show(x, IK_TIMELINE_COMPUTE, e->now, e->now + x->m->row_cycles, "compute");
  x->busy.busy += x->m->row_cycles, x->busy.words++;
  x->busy.stalls += at - e->now - x->m->row_cycles;
  ik_events_wake(e, &p->task, at);
  return true;
}

static void run_later_phase(element *x, ik_events *e) {
  pipeline *p = &x->pipeline;
  bool      last = p->phase + 1 == x->m->shape->phases;
  if (last && !emit_row(x, e, p->row)) return;
  p->row++;
  show(x, IK_TIMELINE_COMPUTE, e->now, e->now + 1, "next phase");
  x->busy.busy++;
  ik_events_wake(e, &p->task, e->now + 1);
}

static void run_pipeline(ik_task *t, ik_events *e) {
  element             *x = ELEMENT_OF(t, pipeline);
  pipeline            *p = &x->pipeline;
  const ik_nero_words *w = &x->m->job->words;
  bool                 one = x->m->shape->phases == 1;
  if (x->windows == x->m->job->windows) return;
  if (p->phase == 0 && p->row < x->m->rows + (one ? x->m->lag : 0)) {
    run_first_phase(x, e);
    return;
  }
  if (p->phase == 0 && !one && w->ctx) w->compute(w->ctx);
  if (p->phase == 0 || p->row == x->m->rows) p->phase++, p->row = 0;
  if (p->phase < x->m->shape->phases)
    run_later_phase(x, e);
  else
    finish_window(x, e->now);
}

/* ---- to memory ---- */

static void run_writer(ik_task *t, ik_events *e) {
  element             *x = ELEMENT_OF(t, writer);
  const ik_nero_words *w = &x->m->job->words;
  unsigned char        word[IK_NERO_WORD];
  int64_t              n = 0, out = x->m->shape->out;
  while (n < BURST && ik_fifo_take(&x->results, e, t, word, 1)) {
    int64_t i = x->writer.next++ % (x->m->rows * out);
    if (w->ctx) w->put(w->ctx, (int)(i % out), i / out, word);
    n++;
  }
  if (!n) return;
  int64_t at = ik_server_ask(&x->write, e->now, n * x->m->beats);
  show(x, IK_TIMELINE_SEND, e->now, at, "write");
  ik_events_wake(e, t, at);
}

/* ---- the whole ---- */

int64_t ik_nero_words_of(const ik_nero_shape *s, const int64_t size[IK_MAX_DIM], int64_t *levels) {
  int64_t cells = 1;
  *levels = 1;
  for (int d = 0; d < IK_MAX_DIM; d++) *(s->swept[d] ? levels : &cells) *= size[d];
  return *levels * ik_server_ceil(cells * s->bits, STREAM_BITS);
}

int64_t ik_nero_lag(const ik_nero_shape *s, const int64_t size[IK_MAX_DIM]) {
  int64_t lag = 0;
  for (int i = 0; i < s->nwide; i++) {
    const int64_t *hi = s->wide[i].hi;
    int64_t        cells = hi[0] + size[0] * (hi[1] + size[1] * hi[2]);
    lag = ik_max(lag, ik_server_ceil(ik_max(0, cells) * s->bits, STREAM_BITS));
  }
  return lag;
}

static int64_t row_cycles(const ik_nero_shape *s, const ik_nero_board *b) {
  return ik_server_ceil(STREAM_BITS / s->bits, ik_nero_lanes(s, b));
}

static ik_server port_of(const machine *m) {
  const ik_nero_board *b = m->job->board;
  double cells = b->port_bits / m->shape->bits / ik_max_int(1, m->shape->in); /* of a beat */
  double stall = m->shape->sweeps ? b->sweep_stall * cells : 0;
  return (ik_server){.words = PARTS, .cycles = llround(PARTS * (1 + stall))};
}

double ik_nero_channel(const ik_nero_shape *s, const ik_nero_board *b) {
  return s->sweeps && b->sweep_channel > 0 ? b->sweep_channel : b->channel;
}

static ik_server channel_of(const machine *m) {
  const ik_nero_board *b = m->job->board;
  double               rate = ik_nero_channel(m->shape, b);
  return (ik_server){.words = llround(PARTS * rate / b->clock / (b->port_bits / 8)),
                     .cycles = PARTS};
}

static bool init_queues(element *x) {
  size_t  bytes = x->m->job->words.ctx ? IK_NERO_WORD : 0;
  int64_t results = x->m->rows * x->m->shape->out; /* a later phase has a window's room for them */
  bool    ok = ik_fifo_init(&x->beats, QUEUE * x->m->beats, bytes / (size_t)x->m->beats);
  ok = ik_fifo_init(&x->results, x->m->shape->phases > 1 ? ik_max(QUEUE, results) : QUEUE, bytes) &&
       ok;
  x->field = ik_calloc((size_t)ik_max_int(1, x->m->shape->in), sizeof *x->field);
  for (int f = 0; x->field && f < x->m->shape->in; f++)
    ok = ik_fifo_init(&x->field[f], QUEUE, bytes) && ok;
  return ok && x->field;
}

/* Elements begin one after the other, a share of their first window apart. */
static void begin_element(machine *m, int index) {
  element *x = &m->element[index];
  int64_t  apart = m->rows * m->shape->in * m->beats / m->job->elements;
  x->port = port_of(m);
  x->write = (ik_server){.words = 1, .cycles = 1};
  x->reader.task.run = run_reader, x->splitter.task.run = run_splitter;
  x->pipeline.task.run = run_pipeline, x->writer.task.run = run_writer;
  if (m->shape->in) ik_events_wake(&m->events, &x->splitter.task, 0);
  ik_events_wake(&m->events, &x->writer.task, 0);
  x->began = m->shared ? index * apart : 0;
  begin_window(x, x->began);
}

static bool init_machine(machine *m, const ik_nero_job *job) {
  int64_t levels;
  *m = (machine){.job = job, .shape = job->shape, .shared = job->board->channel > 0};
  m->rows = ik_nero_words_of(job->shape, job->size, &levels);
  m->rows_per_level = m->rows / levels;
  m->row_cycles = row_cycles(job->shape, job->board);
  m->lag = ik_nero_lag(job->shape, job->size);
  m->beats = STREAM_BITS / (int64_t)job->board->port_bits;
  m->channel = m->shared ? channel_of(m) : (ik_server){0};
  m->element = ik_calloc((size_t)job->elements, sizeof *m->element);
  bool ok = m->element != NULL;
  for (int i = 0; ok && i < job->elements; i++) {
    m->element[i].m = m, m->element[i].index = i;
    ok = init_queues(&m->element[i]);
  }
  return ok;
}

static void free_machine(machine *m) {
  for (int i = 0; m->element && i < m->job->elements; i++) {
    element *x = &m->element[i];
    ik_fifo_free(&x->beats), ik_fifo_free(&x->results);
    for (int f = 0; x->field && f < m->shape->in; f++) ik_fifo_free(&x->field[f]);
    ik_free(x->field);
  }
  ik_free(m->element);
  ik_events_free(&m->events);
}

static void sum_up(const machine *m, ik_nero_cycles *out) {
  *out = (ik_nero_cycles){.cycles = m->events.now, .words = m->rows, .channel = m->channel.meter};
  double n = (double)m->job->elements * m->job->windows;
  for (int i = 0; i < m->job->elements; i++) {
    const element *x = &m->element[i];
    ik_meter_add(&out->port, &x->port.meter);
    ik_meter_add(&out->pipeline, &x->busy);
    out->period += (double)(x->last - x->began) / n;
  }
}

bool ik_nero_stream(const ik_nero_job *job, ik_nero_cycles *out) {
  machine m;
  bool    ok = init_machine(&m, job);
  for (int i = 0; ok && i < job->elements; i++) begin_element(&m, i);
  ok = ok && ik_events_run(&m.events, -1);
  if (ok) sum_up(&m, out);
  free_machine(&m);
  return ok;
}

/* The last row is done when the words from `from` on, of which the first burst is there when
 * `arrived` words are, have gone through the pipeline. */
static double done_after(const ik_nero_shape *s, const ik_nero_board *b, int64_t rows, int64_t from,
                         int64_t arrived) {
  ik_nero_job job = {.board = b, .shape = s};
  ik_server   port = port_of(&(machine){.job = &job, .shape = s});
  int64_t     in = ik_max_int(1, s->in), first = ik_server_ceil(ik_max(0, from - in + 1), in);
  double      beats = (double)arrived * STREAM_BITS / b->port_bits;
  return beats * (double)port.cycles / (double)port.words +
         (double)((rows - first) * row_cycles(s, b));
}

double ik_nero_least_cycles(const ik_nero_shape *s, const ik_nero_board *b,
                            const int64_t size[IK_MAX_DIM]) {
  int64_t levels, rows = ik_nero_words_of(s, size, &levels), words = rows * s->in;
  int64_t last = words - (words % BURST ? words % BURST : ik_min(BURST, words));
  double  done = done_after(s, b, rows, last, words);
  if (last > 0) done = fmax(done, done_after(s, b, rows, last - BURST, last));
  if (s->sweeps) done = fmax(done, (double)levels * b->sweep_latency);
  if (!s->sweeps) done += b->start;
  if (s->phases == 1) done += (double)(ik_nero_lag(s, size) * row_cycles(s, b));
  return done + (double)(rows * (s->phases - 1));
}
