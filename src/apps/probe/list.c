#include "apps/probe/probe.h"
#include <math.h>
#include <stdio.h>

enum { BLOCK = 4096, SMALLEST = 16, EIGHTH_FIRST = 3, EIGHTH_LAST = 8 }; /* SMALLEST: blocks */

static const int64_t ARRAY_LEAST = (int64_t)128 << 20, ARRAY_MOST = (int64_t)1 << 30;

/* What the kinds have in common wherever they are measured. */
static const struct {
  const char *unit;
  double      scale;
  bool        rate;
  const char *what;
} kinds[] = {
    [IK_PROBE_CLOCK] = {"GHz", 1e9, true, "dependent additions, one per cycle"},
    [IK_PROBE_PEAK_F32] = {"GFLOP/s", 1e9, true, "independent fma"},
    [IK_PROBE_PEAK_F64] = {"GFLOP/s", 1e9, true, "independent fma"},
    [IK_PROBE_CHAIN_F32] = {"ns", 1e-9, false, "a chain of dependent fma"},
    [IK_PROBE_CHAIN_F64] = {"ns", 1e-9, false, "a chain of dependent fma"},
    [IK_PROBE_READ] = {"GB/s", 1e9, true, "reads"},
    [IK_PROBE_COPY] = {"GB/s", 1e9, true, "copies, reads and writes counted"},
    [IK_PROBE_STREAM] = {"GB/s", 1e9, true,
                         "copies with streaming stores, reads and writes counted"},
    [IK_PROBE_CHASE] = {"ns", 1e-9, false, "dependent loads (pointer chasing)"},
    [IK_PROBE_SLOWEST] = {"", 1, false,
                          "independent fma: time of the slowest thread over their mean"},
    [IK_PROBE_BARRIER] = {"us", 1e-6, false,
                          "an empty parallel region: fork and join of all threads"},
    [IK_PROBE_CALL] = {"ns", 1e-9, false, "a call of an empty kernel"},
    [IK_PROBE_JACOBI] = {"ns", 1e-9, false, "one cell of a plain five-point loop in f32"},
};

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* ---- working sets ---- */

static int64_t whole_blocks(int64_t bytes) { return most(bytes / BLOCK, 1) * BLOCK; }

/* Somewhat less than `bytes`.  Reads go along eight streams at once; if these were apart by a power
 * of two they would compete for the same few lines of a cache. */
static int64_t uneven(int64_t bytes) {
  enum { STREAMS = 8, APART = 512 + 64, EVEN = STREAMS * BLOCK };
  return bytes > EVEN ? (bytes - STREAMS * APART) / EVEN * EVEN + STREAMS * APART : bytes;
}

static int64_t between(int64_t inner, int64_t outer) {
  return whole_blocks((int64_t)sqrt((double)inner * (double)outer));
}

static bool has_l3(const ik_probe_place *p) { return p->l3 >= 2 * p->l2; }

static int64_t set_of(const ik_probe_place *p, ik_probe_level level) {
  switch (level) {
  case IK_PROBE_L1: return whole_blocks(p->l1 / 2);
  case IK_PROBE_L2: return between(p->l1, p->l2);
  case IK_PROBE_L3: return between(p->l2, p->l3);
  default: return 0;
  }
}

/* The caches hold little of an array, and the system has room for three of them. */
static int64_t array_bytes(const ik_probe_place *p) {
  int64_t sets = most(p->l2, has_l3(p) ? set_of(p, IK_PROBE_L3) : 0);
  int64_t want = most(ARRAY_LEAST, least(4 * p->l3_all, ARRAY_MOST));
  int64_t bytes = least(most(want, p->threads * sets), p->memory / 6);
  return whole_blocks(most(bytes, most(p->threads, SMALLEST) * BLOCK));
}

/* A chain has a power of two of links, one a line. */
static int64_t chain_bytes(int64_t most_bytes) {
  int64_t bytes = BLOCK;
  while (2 * bytes <= most_bytes) bytes *= 2;
  return bytes;
}

/* ---- items ---- */

static ik_probe_item *add(ik_probe_list *l, ik_probe_kind kind, const char *key, int threads) {
  IK_ASSERT(l->n < IK_PROBE_ITEMS);
  ik_probe_item *it = &l->item[l->n++];
  *it = (ik_probe_item){.unit = kinds[kind].unit,
                        .scale = kinds[kind].scale,
                        .rate = kinds[kind].rate,
                        .kind = kind,
                        .threads = threads,
                        .what = kinds[kind].what};
  snprintf(it->key, sizeof it->key, "%s", key);
  return it;
}

static void add_pair(ik_probe_list *l, const ik_probe_place *p, ik_probe_kind kind,
                     const char *key) {
  char one[40];
  snprintf(one, sizeof one, "%s.one", key);
  add(l, kind, key, p->threads);
  add(l, kind, one, 1);
}

/* What threads share, fewer of them have more of: 2, 4, ... as well. */
static void add_some(ik_probe_list *l, const ik_probe_place *p, ik_probe_kind kind,
                     const char *key) {
  char some[40];
  for (int n = 2; n < p->threads && n <= IK_PROBE_SOME; n *= 2) {
    snprintf(some, sizeof some, "%s.%d", key, n);
    add(l, kind, some, n);
  }
}

int64_t ik_probe_part(const ik_probe_list *l, int threads) {
  return whole_blocks(l->array / threads);
}

static int64_t bytes_of(const ik_probe_list *l, const ik_probe_item *it, int64_t set) {
  if (it->level != IK_PROBE_MEMORY) return uneven(least(set, l->part));
  return uneven(ik_probe_part(l, it->threads));
}

static void add_moves(ik_probe_list *l, const ik_probe_place *p, ik_probe_kind kind,
                      ik_probe_level level, const char *key) {
  int first = l->n;
  add_pair(l, p, kind, key);
  if (level >= IK_PROBE_L3) add_some(l, p, kind, key);
  for (ik_probe_item *it = &l->item[first]; it < &l->item[l->n]; it++) {
    it->level = level;
    it->bytes = bytes_of(l, it, set_of(p, level));
  }
}

static void add_chain(ik_probe_list *l, const ik_probe_place *p, ik_probe_level level,
                      const char *key) {
  ik_probe_item *it = add(l, IK_PROBE_CHASE, key, 1);
  it->level = level;
  it->bytes = chain_bytes(level == IK_PROBE_MEMORY ? l->array : set_of(p, level));
  it->at = l->chains;
  l->chains += it->bytes;
}

static void add_level(ik_probe_list *l, const ik_probe_place *p, ik_probe_level level,
                      const char *name) {
  char key[40];
  bool memory = level == IK_PROBE_MEMORY;
  snprintf(key, sizeof key, "%s.%s", name, memory ? "read" : "bandwidth");
  add_moves(l, p, IK_PROBE_READ, level, key);
  snprintf(key, sizeof key, "%s.copy", name);
  add_moves(l, p, IK_PROBE_COPY, level, key);
  if (memory && p->streams) add_moves(l, p, IK_PROBE_STREAM, level, "memory.copy.streaming");
  snprintf(key, sizeof key, "%s.latency", name);
  add_chain(l, p, level, key);
}

/* Up to where the second level keeps what it holds. */
static void add_edge(ik_probe_list *l, const ik_probe_place *p) {
  for (int k = EIGHTH_FIRST; k <= EIGHTH_LAST; k++) {
    ik_probe_item *it = add(l, IK_PROBE_READ, "", p->threads);
    it->level = IK_PROBE_EDGE;
    it->bytes = uneven(least(whole_blocks(p->l2 * k / 8), l->part));
  }
}

void ik_probe_list_make(const ik_probe_place *p, ik_probe_list *out) {
  *out = (ik_probe_list){.array = array_bytes(p)};
  out->part = ik_probe_part(out, p->threads);
  add(out, IK_PROBE_CLOCK, "clock", 1);
  add_pair(out, p, IK_PROBE_PEAK_F32, "peak.f32");
  add_pair(out, p, IK_PROBE_PEAK_F64, "peak.f64");
  add(out, IK_PROBE_CHAIN_F32, "time.fma.f32", 1);
  add(out, IK_PROBE_CHAIN_F64, "time.fma.f64", 1);
  add_level(out, p, IK_PROBE_L1, "l1");
  add_level(out, p, IK_PROBE_L2, "l2");
  if (has_l3(p)) add_level(out, p, IK_PROBE_L3, "l3");
  add_level(out, p, IK_PROBE_MEMORY, "memory");
  add_edge(out, p);
  add(out, IK_PROBE_SLOWEST, "time.slowest", p->threads);
  add(out, IK_PROBE_BARRIER, "time.barrier", p->threads);
  add(out, IK_PROBE_CALL, "time.call", 1);
  add(out, IK_PROBE_JACOBI, "c_iter.jacobi2d", 1);
}
