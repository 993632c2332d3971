#include "io/deflate.h"
#include "base/mem.h"
#include <stdbool.h>
#include <string.h>

enum {
  WINDOW = 1 << 15,
  HASH_BITS = 15,
  LONGEST = 258,
  SHORTEST = 3,
  CHAIN = 64, /* candidates looked at per position; more gains little on pictures */
};

typedef struct bit_writer {
  ik_buf  *out;
  uint64_t bits;
  int      count;
} bit_writer;

static void put_bits(bit_writer *w, unsigned value, int count) {
  w->bits |= (uint64_t)value << w->count;
  for (w->count += count; w->count >= 8; w->count -= 8, w->bits >>= 8)
    ik_buf_putc(w->out, (char)(w->bits & 255));
}

/* Huffman codes go out from their highest bit, everything else from the lowest. */
static void put_code(bit_writer *w, unsigned code, int count) {
  unsigned reversed = 0;
  for (int i = 0; i < count; i++) reversed |= (code >> i & 1) << (count - 1 - i);
  put_bits(w, reversed, count);
}

/* The fixed code of RFC 1951, 3.2.6. */
static void put_symbol(bit_writer *w, unsigned s) {
  if (s < 144)
    put_code(w, 0x30 + s, 8);
  else if (s < 256)
    put_code(w, 0x190 + s - 144, 9);
  else if (s < 280)
    put_code(w, s - 256, 7);
  else
    put_code(w, 0xc0 + s - 280, 8);
}

/* Lengths and distances fall into classes that double in width every `group` classes
 * (RFC 1951, 3.2.5): `value` counts from 0; returns the class, sets its extra bits. */
static unsigned class_of(unsigned value, unsigned group_bits, int *extra, unsigned *rest) {
  unsigned group = 1u << group_bits;
  *extra = 0;
  while (value >> *extra >= 2 * group) ++*extra;
  *rest = value & ((1u << *extra) - 1);
  return (value >> *extra) + group * (unsigned)*extra;
}

static void put_match(bit_writer *w, int length, int distance) {
  int      extra;
  unsigned rest;
  if (length == LONGEST) { /* a class of its own */
    put_symbol(w, 285);
  } else {
    put_symbol(w, 257 + class_of((unsigned)(length - SHORTEST), 2, &extra, &rest));
    put_bits(w, rest, extra);
  }
  put_code(w, class_of((unsigned)(distance - 1), 1, &extra, &rest), 5);
  put_bits(w, rest, extra);
}

typedef struct matcher {
  const uint8_t *in;
  size_t         len;
  int64_t        head[1 << HASH_BITS]; /* newest position with this hash, -1 none */
  int64_t        before[WINDOW];       /* the one before, by position modulo WINDOW */
} matcher;

static unsigned hash_at(const uint8_t *p) {
  uint32_t v = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
  return v * 2654435761u >> (32 - HASH_BITS);
}

static void enter(matcher *m, size_t at) {
  if (at + SHORTEST > m->len) return;
  unsigned h = hash_at(m->in + at);
  m->before[at % WINDOW] = m->head[h];
  m->head[h] = (int64_t)at;
}

static int common(const uint8_t *a, const uint8_t *b, int most) {
  int n = 0;
  while (n < most && a[n] == b[n]) n++;
  return n;
}

/* The longest earlier copy of what stands at `at`; 0 if none is worth it. */
static int longest_match(const matcher *m, size_t at, int *distance) {
  int best = SHORTEST - 1, most = m->len - at < LONGEST ? (int)(m->len - at) : LONGEST;
  if (most < SHORTEST) return 0;
  int64_t p = m->head[hash_at(m->in + at)], oldest = (int64_t)at - WINDOW;
  for (int tries = CHAIN; tries && p >= 0 && p >= oldest && best < most; tries--) {
    int n = common(m->in + p, m->in + at, most);
    if (n > best) best = n, *distance = (int)((int64_t)at - p);
    p = m->before[p % WINDOW];
  }
  return best < SHORTEST ? 0 : best;
}

static void put_block(bit_writer *w, matcher *m) {
  put_bits(w, 1, 1); /* the last block */
  put_bits(w, 1, 2); /* fixed codes */
  for (size_t at = 0; at < m->len;) {
    int distance, n = longest_match(m, at, &distance);
    if (n)
      put_match(w, n, distance);
    else
      put_symbol(w, m->in[at]);
    for (size_t end = at + (size_t)(n ? n : 1); at < end; at++) enter(m, at);
  }
  put_symbol(w, 256);
  put_bits(w, 0, 7); /* fill the last byte */
}

static uint32_t adler32(const uint8_t *p, size_t len) {
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < len; i++) a = (a + p[i]) % 65521, b = (b + a) % 65521;
  return b << 16 | a;
}

void ik_deflate(const uint8_t *in, size_t len, ik_buf *out) {
  matcher *m = ik_malloc(sizeof *m);
  if (!m) {
    out->failed = true;
    return;
  }
  m->in = in, m->len = len;
  memset(m->head, -1, sizeof m->head);
  bit_writer w = {.out = out};
  uint32_t   sum = adler32(in, len);
  ik_buf_write(out, "\x78\x9c", 2); /* window of 32 KiB, default effort */
  put_block(&w, m);
  ik_buf_write(out, (char[]){(char)(sum >> 24), (char)(sum >> 16), (char)(sum >> 8), (char)sum}, 4);
  ik_free(m);
}
