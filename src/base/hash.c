#include "base/hash.h"
#include <string.h>

#define PRIME UINT64_C(1099511628211)

enum { PIECE = 1000000, TOGETHER = 8 };

/* A hash waits for each of its products: several side by side do not. */
static void add_words(uint64_t h[TOGETHER], const unsigned char *p) {
  uint64_t word[TOGETHER];
  for (int k = 0; k < TOGETHER; k++) memcpy(&word[k], p + (size_t)k * PIECE, sizeof *word);
#pragma GCC unroll 8
  for (int shift = 0; shift < 64; shift += 8)
#pragma GCC unroll 8
    for (int k = 0; k < TOGETHER; k++) h[k] = (h[k] ^ (word[k] >> shift & 255)) * PRIME;
}

static void hash_together(const unsigned char *p, uint64_t out[TOGETHER]) {
  uint64_t h[TOGETHER];
  for (int k = 0; k < TOGETHER; k++) h[k] = IK_HASH_INIT;
  for (size_t i = 0; i < PIECE; i += 8) add_words(h, p + i);
  memcpy(out, h, sizeof h);
}

uint64_t ik_hash_array(const void *bytes, size_t len) {
  const unsigned char *p = bytes;
  uint64_t             all = IK_HASH_INIT, h[TOGETHER];
  if (len <= PIECE) return ik_hash(all, p, len);
  for (; len >= (size_t)TOGETHER * PIECE; p += sizeof h / sizeof *h * PIECE) {
    hash_together(p, h);
    all = ik_hash(all, h, sizeof h);
    len -= (size_t)TOGETHER * PIECE;
  }
  for (size_t n; len > 0; p += n, len -= n) {
    n = len < PIECE ? len : PIECE;
    h[0] = ik_hash(IK_HASH_INIT, p, n);
    all = ik_hash(all, h, sizeof *h);
  }
  return all;
}
