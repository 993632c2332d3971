/* server.h: something that serves words in order of request, at a rate and with a latency: a link,
 * a port of a memory, a channel of a DRAM, a pipeline with an initiation interval, the one unit of
 * a processor.
 *
 * The rate is `words` in `cycles`, whole numbers, so that nothing is ever rounded: 28 bytes a
 * cycle, one word in 3 cycles.  A request that comes while another is served waits for it.
 */
#pragma once
#include "sim/meter.h"

typedef struct ik_server {
  int64_t  words, cycles; /* the rate */
  int64_t  latency;       /* cycles from a word's service to its arrival */
  double   joules;        /* for each word */
  int64_t  busy;          /* until then, in parts of a cycle: 1/words of it */
  ik_meter meter;         /* words served; busy and stalls (waits of requests), in cycles */
} ik_server;

static inline int64_t ik_server_ceil(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* From that cycle on the next request will not wait. */
static inline int64_t ik_server_free(const ik_server *s) {
  return ik_server_ceil(s->busy, s->words);
}

/* Asks at cycle `now` for n words: the cycle at which the last of them has arrived. */
static inline int64_t ik_server_ask(ik_server *s, int64_t now, int64_t n) {
  int64_t begin = now * s->words > s->busy ? now * s->words : s->busy;
  int64_t counted = ik_server_free(s) > now ? ik_server_free(s) : now; /* busy until then anyway */
  s->busy = begin + n * s->cycles;
  s->meter.words += n;
  s->meter.joules += (double)n * s->joules;
  s->meter.stalls += begin / s->words - now;
  s->meter.busy += ik_server_free(s) - counted;
  return ik_server_free(s) + s->latency;
}
