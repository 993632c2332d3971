#include "io/inflate.h"
#include <string.h>

enum { LONGEST_CODE = 15, LITERALS = 288, DISTANCES = 32, LENGTH_CODES = 19, END = 256 };

typedef struct stream {
  const uint8_t *in;
  size_t         len, at; /* of `in` */
  uint64_t       bits;    /* the next ones, lowest first */
  int            count;   /* of them */
  uint8_t       *out;
  size_t         size, done;
  bool           short_of; /* more bits were asked for than there are */
} stream;

static unsigned take(stream *s, int n) {
  while (s->count < n && s->at < s->len)
    s->bits |= (uint64_t)s->in[s->at++] << s->count, s->count += 8;
  if (s->count < n) return s->short_of = true, 0;
  unsigned v = (unsigned)(s->bits & ((UINT64_C(1) << n) - 1));
  s->bits >>= n, s->count -= n;
  return v;
}

/* ------------------------------------------------------------------------------- Huffman codes */

typedef struct code { /* canonical: symbols in the order of their codes, and how many of each length
                       */
  uint16_t count[LONGEST_CODE + 1], symbol[LITERALS];
} code;

/* From the length of each symbol's code, 0: none.  False: more codes than there can be, or fewer,
 * but for a single one. */
static bool make_code(code *c, const uint8_t *length, int n) {
  uint16_t first[LONGEST_CODE + 2] = {0};
  int      left = 1, used = 0;
  memset(c, 0, sizeof *c);
  for (int i = 0; i < n; i++) c->count[length[i]]++;
  c->count[0] = 0;
  for (int l = 1; l <= LONGEST_CODE; l++) {
    left = 2 * left - c->count[l];
    if (left < 0) return false;
    used += c->count[l];
    first[l + 1] = (uint16_t)(first[l] + c->count[l]);
  }
  for (int i = 0; i < n; i++)
    if (length[i]) c->symbol[first[length[i]]++] = (uint16_t)i;
  return left == 0 || used <= 1;
}

/* A symbol, bit by bit: codes of one length are consecutive numbers.  -1: no such code. */
static int decode(stream *s, const code *c) {
  int value = 0, first = 0, index = 0;
  for (int l = 1; l <= LONGEST_CODE; l++) {
    value |= (int)take(s, 1);
    if (s->short_of) return -1;
    if (value - first < c->count[l]) return c->symbol[index + value - first];
    index += c->count[l];
    first = (first + c->count[l]) << 1, value <<= 1;
  }
  return -1;
}

/* --------------------------------------------------------------------------------------- blocks */

static bool stored(stream *s) {
  s->bits = 0, s->at -= (size_t)s->count / 8, s->count = 0; /* to the next byte */
  if (s->len - s->at < 4) return false;
  const uint8_t *p = s->in + s->at;
  size_t         n = p[0] | (size_t)p[1] << 8;
  if ((p[2] | (size_t)p[3] << 8) != (~n & 0xffff)) return false;
  s->at += 4;
  if (n > s->len - s->at || n > s->size - s->done) return false;
  memcpy(s->out + s->done, s->in + s->at, n);
  s->at += n, s->done += n;
  return true;
}

/* Lengths and distances fall into classes that double in width every 2^group_bits classes
 * (RFC 1951, 3.2.5); counted from 0. */
static unsigned value_of(stream *s, unsigned class, int group_bits) {
  unsigned group = 1u << group_bits;
  if (class < 2 * group) return class;
  int extra = (int)(class >> group_bits) - 1;
  return (group + (class & (group - 1))) << extra | take(s, extra);
}

static bool copy(stream *s, size_t length, size_t distance) {
  if (distance > s->done || length > s->size - s->done) return false;
  for (size_t i = 0; i < length; i++, s->done++) s->out[s->done] = s->out[s->done - distance];
  return true;
}

static bool match(stream *s, int symbol, const code *distances) {
  enum { MOST_LENGTH = 285, MOST_DISTANCE = 29, LONGEST = 258 };
  if (symbol > MOST_LENGTH) return false;
  size_t length = symbol == MOST_LENGTH ? LONGEST : 3 + value_of(s, (unsigned)symbol - 257, 2);
  int class = decode(s, distances);
  if (class < 0 || class > MOST_DISTANCE) return false;
  size_t distance = 1 + value_of(s, (unsigned)class, 1);
  return !s->short_of && copy(s, length, distance);
}

static bool compressed(stream *s, const code *literals, const code *distances) {
  for (;;) {
    int symbol = decode(s, literals);
    if (symbol < 0) return false;
    if (symbol == END) return true;
    if (symbol > END) {
      if (!match(s, symbol, distances)) return false;
    } else {
      if (s->done == s->size) return false;
      s->out[s->done++] = (uint8_t)symbol;
    }
  }
}

static bool fixed(stream *s) {
  uint8_t length[LITERALS], five[DISTANCES];
  code    literals, distances;
  for (int i = 0; i < LITERALS; i++) length[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  memset(five, 5, sizeof five);
  return make_code(&literals, length, LITERALS) && make_code(&distances, five, DISTANCES) &&
         compressed(s, &literals, &distances);
}

/* The lengths of both codes, themselves coded: 16 repeats the last one, 17 and 18 are zeros. */
static bool read_lengths(stream *s, const code *c, uint8_t *length, int n) {
  for (int i = 0; i < n;) {
    int symbol = decode(s, c);
    if (symbol < 0) return false;
    if (symbol < 16) {
      length[i++] = (uint8_t)symbol;
      continue;
    }
    if (symbol == 16 && i == 0) return false;
    uint8_t v = symbol == 16 ? length[i - 1] : 0;
    int     times = symbol == 16   ? 3 + (int)take(s, 2)
                    : symbol == 17 ? 3 + (int)take(s, 3)
                                   : 11 + (int)take(s, 7);
    if (times > n - i) return false;
    while (times--) length[i++] = v;
  }
  return !s->short_of;
}

static bool dynamic(stream *s) {
  static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                              11, 4,  12, 3, 13, 2, 14, 1, 15};
  uint8_t              length[LITERALS + DISTANCES] = {0}, of_length[LENGTH_CODES] = {0};
  code                 lengths, literals, distances;
  int nliteral = 257 + (int)take(s, 5), ndistance = 1 + (int)take(s, 5), n = 4 + (int)take(s, 4);
  if (nliteral > LITERALS) return false;
  for (int i = 0; i < n; i++) of_length[order[i]] = (uint8_t)take(s, 3);
  return make_code(&lengths, of_length, LENGTH_CODES) &&
         read_lengths(s, &lengths, length, nliteral + ndistance) && length[END] &&
         make_code(&literals, length, nliteral) &&
         make_code(&distances, length + nliteral, ndistance) &&
         compressed(s, &literals, &distances);
}

bool ik_inflate(const uint8_t *in, size_t len, uint8_t *out, size_t size) {
  static bool (*const kinds[])(stream *) = {stored, fixed, dynamic};
  stream s = {.in = in, .len = len, .out = out, .size = size};
  for (bool last = false; !last;) {
    last = take(&s, 1);
    unsigned kind = take(&s, 2);
    if (s.short_of || kind > 2 || !kinds[kind](&s)) return false;
  }
  return s.done == size;
}
