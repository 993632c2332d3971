/* Events, queues and servers. */
#include "sim/event.h"
#include "base/mem.h"
#include "check.h"
#include "sim/fifo.h"
#include "sim/server.h"

typedef struct clerk { /* writes its name down when it is called */
  ik_task task;
  char    name, *book;
  int64_t again; /* cycles until it wants to be called once more; 0: not */
} clerk;

static void write_down(ik_task *t, ik_events *e) {
  clerk *c = (clerk *)t;
  size_t n = strlen(c->book);
  c->book[n] = c->name;
  c->book[n + 1] = 0;
  if (c->again) ik_events_wake(e, t, e->now + c->again);
  c->again = 0;
}

CASE(by_cycle_then_by_age) {
  char      book[32] = "";
  ik_events e = {0};
  clerk     a = {{write_down, false}, 'a', book, 0}, b = a, c = a;
  b.name = 'b';
  c.name = 'c';
  c.again = 4;
  ik_events_wake(&e, &a.task, 7);
  ik_events_wake(&e, &c.task, 3);
  ik_events_wake(&e, &b.task, 7);
  ik_events_wake(&e, &b.task, 1); /* it waits for a call already */
  CHECK(ik_events_run(&e, -1));
  CHECK_STR(book, "cabc");
  CHECK_EQ(e.now, 7);
  CHECK_EQ(e.called, 4);
  ik_events_free(&e);
}

CASE(until_a_cycle) {
  char      book[32] = "";
  ik_events e = {0};
  clerk     a = {{write_down, false}, 'a', book, 10};
  ik_events_wake(&e, &a.task, 5);
  CHECK(ik_events_run(&e, 14));
  CHECK_STR(book, "a");
  CHECK(ik_events_run(&e, 15));
  CHECK_STR(book, "aa");
  ik_events_free(&e);
}

CASE(nobody_is_called_in_the_past) {
  char      book[32] = "";
  ik_events e = {0};
  clerk     a = {{write_down, false}, 'a', book, -3};
  ik_events_wake(&e, &a.task, 5);
  CHECK(ik_events_run(&e, -1));
  CHECK_STR(book, "aa");
  CHECK_EQ(e.now, 5);
  ik_events_free(&e);
}

CASE(many_in_order) {
  enum { N = 500 };
  char      book[N + 1] = "";
  ik_events e = {0};
  clerk     c[N];
  for (int i = 0; i < N; i++) {
    int at = i * 37 % N;
    c[i] = (clerk){{write_down, false}, (char)('a' + at * 26 / N), book, 0};
    ik_events_wake(&e, &c[i].task, at);
  }
  CHECK(ik_events_run(&e, -1));
  CHECK_EQ(strlen(book), N);
  for (int i = 1; i < N; i++) CHECK(book[i - 1] <= book[i]);
  ik_events_free(&e);
}

CASE(without_memory) {
  char      book[8] = "";
  ik_events e = {0};
  clerk     a = {{write_down, false}, 'a', book, 0};
  ik_mem_fail_after(0);
  ik_events_wake(&e, &a.task, 1);
  ik_mem_fail_after(-1);
  CHECK(e.failed && !ik_events_run(&e, -1));
  ik_events_free(&e);
}

/* ----------------------------------------------------------------------------- queues */

enum { WORDS = 20 };

typedef struct party { /* puts or takes a word every `pace` cycles */
  ik_task  task;
  ik_fifo *fifo;
  int      pace, n;
  int      seen[WORDS];
  int64_t  end;
} party;

static void produce(ik_task *t, ik_events *e) {
  party *p = (party *)t;
  if (!ik_fifo_put(p->fifo, e, t, &p->n, 1)) return;
  p->end = e->now;
  if (++p->n < WORDS) ik_events_wake(e, t, e->now + p->pace);
}

static void consume(ik_task *t, ik_events *e) {
  party *p = (party *)t;
  if (!ik_fifo_take(p->fifo, e, t, &p->seen[p->n], 1)) return;
  p->end = e->now;
  if (++p->n < WORDS) ik_events_wake(e, t, e->now + p->pace);
}

static void trade(int in, int out, int depth, int64_t end, int64_t most) {
  ik_events e = {0};
  ik_fifo   f;
  CHECK(ik_fifo_init(&f, depth, sizeof(int)));
  party a = {.task = {produce, false}, .fifo = &f, .pace = in};
  party b = {.task = {consume, false}, .fifo = &f, .pace = out};
  ik_events_wake(&e, &a.task, 0);
  ik_events_wake(&e, &b.task, 0);
  CHECK(ik_events_run(&e, -1));
  CHECK_EQ(b.n, WORDS);
  for (int i = 0; i < WORDS; i++) CHECK_EQ(b.seen[i], i);
  CHECK_EQ(b.end, end);
  CHECK_EQ(f.most, most);
  CHECK_EQ(f.meter.words, WORDS);
  CHECK_EQ(f.meter.stalls, a.end + b.end - (WORDS - 1) * (in + out)); /* what each side lost */
  ik_fifo_free(&f);
  ik_events_free(&e);
}

CASE(the_slower_side_sets_the_pace) {
  trade(1, 3, 4, 3 * (WORDS - 1), 4); /* the queue fills up */
  trade(3, 1, 4, 3 * (WORDS - 1), 1); /* it never holds more than one */
}

CASE(words_stay_and_wrap) {
  ik_events e = {0};
  ik_fifo   f;
  int       in[] = {1, 2, 3}, out[3];
  CHECK(ik_fifo_init(&f, 4, sizeof(int)));
  for (int round = 0; round < 5; round++) {
    CHECK(ik_fifo_put(&f, &e, NULL, in, 3));
    CHECK(ik_fifo_await(&f, &e, NULL, 3));
    CHECK_EQ(*(int *)ik_fifo_at(&f, 2), 3);
    CHECK(ik_fifo_take(&f, &e, NULL, out, 3));
    CHECK(!memcmp(in, out, sizeof in));
  }
  ik_fifo_free(&f);
}

/* ----------------------------------------------------------------------------- servers */

CASE(rates_are_exact) {
  ik_server s = {.words = 28, .cycles = 1, .latency = 9, .joules = 1e-12};
  CHECK_EQ(ik_server_ask(&s, 0, 14), 1 + 9);
  CHECK_EQ(ik_server_ask(&s, 0, 14), 1 + 9); /* the other half of the same cycle */
  CHECK_EQ(ik_server_ask(&s, 0, 28 * 10 + 1), 12 + 9);
  CHECK_EQ(ik_server_free(&s), 12);
  CHECK_EQ(ik_server_ask(&s, 100, 1), 101 + 9);
  CHECK_EQ(s.meter.words, 310);
  CHECK_EQ(s.meter.busy, 12 + 1);
  CHECK_NEAR(s.meter.joules, 310e-12, 1e-20);
  ik_server slow = {.words = 1, .cycles = 3};
  CHECK_EQ(ik_server_ask(&slow, 5, 4), 17);
  CHECK_EQ(ik_server_ask(&slow, 6, 1), 20);
  CHECK_EQ(slow.meter.stalls, 11);
  CHECK_EQ(slow.meter.busy, 15);
}
