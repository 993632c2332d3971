#include "base/hash.h"
#include <string.h>

#define PRIME UINT64_C(1099511628211)

enum { PIECE = 1000000, TOGETHER = 8 };

/* Where the bytes of a piece are read; `left` of them until the next gap. */
typedef struct cursor {
  const unsigned char *at;
  size_t               left;
} cursor;

typedef struct slices {
  const unsigned char *first;
  size_t               slice, gap;
} slices;

static cursor cursor_at(const slices *s, size_t byte) {
  return (cursor){s->first + byte + byte / s->slice * s->gap, s->slice - byte % s->slice};
}

static void move_on(const slices *s, cursor *c, size_t n) {
  c->at += n, c->left -= n;
  if (c->left == 0) c->at += s->gap, c->left = s->slice;
}

/* A hash waits for each of its products: several side by side do not. */
static void add_words(uint64_t h[TOGETHER], const cursor c[TOGETHER], size_t i) {
  uint64_t word[TOGETHER];
  for (int k = 0; k < TOGETHER; k++) memcpy(&word[k], c[k].at + i, sizeof *word);
#pragma GCC unroll 8
  for (int shift = 0; shift < 64; shift += 8)
#pragma GCC unroll 8
    for (int k = 0; k < TOGETHER; k++) h[k] = (h[k] ^ (word[k] >> shift & 255)) * PRIME;
}

/* `n` bytes of each, none of which meets a gap. */
static void add_runs(uint64_t h[TOGETHER], const cursor c[TOGETHER], size_t n) {
  size_t i = 0;
  for (; i + 8 <= n; i += 8) add_words(h, c, i);
  for (int k = 0; k < TOGETHER; k++) h[k] = ik_hash(h[k], c[k].at + i, n - i);
}

static void hash_together(const slices *s, size_t first, uint64_t h[TOGETHER]) {
  cursor c[TOGETHER];
  for (int k = 0; k < TOGETHER; k++)
    c[k] = cursor_at(s, first + (size_t)k * PIECE), h[k] = IK_HASH_INIT;
  for (size_t i = 0, n; i < PIECE; i += n) {
    n = PIECE - i;
    for (int k = 0; k < TOGETHER; k++) n = c[k].left < n ? c[k].left : n;
    add_runs(h, c, n);
    for (int k = 0; k < TOGETHER; k++) move_on(s, &c[k], n);
  }
}

static uint64_t hash_one(const slices *s, size_t first, size_t len) {
  cursor   c = cursor_at(s, first);
  uint64_t h = IK_HASH_INIT;
  for (size_t n; len > 0; len -= n, move_on(s, &c, n)) {
    n = c.left < len ? c.left : len;
    h = ik_hash(h, c.at, n);
  }
  return h;
}

uint64_t ik_hash_slices(const void *bytes, size_t slice, size_t gap, size_t len) {
  const slices s = {bytes, slice ? slice : 1, gap};
  uint64_t     all = IK_HASH_INIT, h[TOGETHER];
  size_t       at = 0;
  if (len <= PIECE) return hash_one(&s, 0, len);
  for (; len - at >= (size_t)TOGETHER * PIECE; at += (size_t)TOGETHER * PIECE) {
    hash_together(&s, at, h);
    all = ik_hash(all, h, sizeof h);
  }
  for (size_t n; at < len; at += n) {
    n = len - at < PIECE ? len - at : PIECE;
    h[0] = hash_one(&s, at, n);
    all = ik_hash(all, h, sizeof *h);
  }
  return all;
}

uint64_t ik_hash_array(const void *bytes, size_t len) { return ik_hash_slices(bytes, len, 0, len); }
