#include "base/hash.h"
#include "base/mem.h"
#include "check.h"

/* FNV-1a after the definition (Fowler, Noll, Vo): exclusive or, then multiply by 2^40 + 435. */
static uint64_t by_definition(uint64_t h, const char *s) {
  for (; *s; s++) {
    h ^= (unsigned char)*s;
    h = (h << 40) + h * 435;
  }
  return h;
}

CASE(nothing_is_the_start) { CHECK(ik_hash(IK_HASH_INIT, "", 0) == UINT64_C(1469598103934665603)); }

CASE(follows_the_definition) {
  const char *words[] = {"a", "b", "foobar", "\xff\x80\x01", "the quick brown fox"};
  for (int i = 0; i < 5; i++)
    CHECK(ik_hash(IK_HASH_INIT, words[i], strlen(words[i])) ==
          by_definition(IK_HASH_INIT, words[i]));
}

/* With the usual start value: published test vector of FNV-1a, 64 bits. */
CASE(published_vector) {
  CHECK(ik_hash(UINT64_C(0xcbf29ce484222325), "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

CASE(pieces_are_the_same_as_the_whole) {
  uint64_t h = ik_hash(ik_hash(IK_HASH_INIT, "ab\0", 3), "cd", 2);
  CHECK(h == ik_hash(IK_HASH_INIT, "ab\0cd", 5));
  CHECK(h != ik_hash(IK_HASH_INIT, "abcd", 4));
}

/* ---- arrays ---- */

enum { MILLION = 1000000 };

static unsigned char *bytes_of(size_t n) {
  unsigned char *p = ik_malloc(n);
  uint32_t       x = 1;
  for (size_t i = 0; i < n; i++) p[i] = (unsigned char)((x = x * 1664525 + 1013904223) >> 24);
  return p;
}

CASE(short_arrays_are_plain) {
  CHECK(ik_hash_array("a", 1) == ik_hash(IK_HASH_INIT, "a", 1));
  CHECK(ik_hash_array("", 0) == IK_HASH_INIT);
}

/* Pieces as the header says, one after the other. */
static uint64_t slowly(const unsigned char *p, size_t n) {
  if (n <= MILLION) return ik_hash(IK_HASH_INIT, p, n);
  uint64_t all = IK_HASH_INIT;
  for (size_t i = 0; i < n; i += MILLION) {
    uint64_t one = ik_hash(IK_HASH_INIT, p + i, n - i < MILLION ? n - i : MILLION);
    all = ik_hash(all, &one, sizeof one);
  }
  return all;
}

CASE(gaps_are_passed_over) {
  static const size_t slices[] = {1, 7, 4096, 65521, 999999, 3 * MILLION};
  const size_t        n = 9 * MILLION + 5;
  unsigned char      *p = bytes_of(n);
  for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
    size_t         slice = slices[i], gap = i % 2 ? 13 : 64, len = i ? n : 1000;
    unsigned char *q = ik_malloc(n + (n / slice + 1) * gap), *to = q;
    for (size_t k = 0; k < len; k += slice, to += slice + gap)
      memcpy(to, p + k, len - k < slice ? len - k : slice);
    CHECK(ik_hash_slices(q, slice, gap, len) == slowly(p, len));
    ik_free(q);
  }
  ik_free(p);
}

CASE(long_arrays_by_pieces) {
  static const size_t sizes[] = {MILLION - 1,     MILLION,         MILLION + 1,     3 * MILLION,
                                 8 * MILLION - 1, 8 * MILLION + 3, 17 * MILLION + 5};
  unsigned char      *p = bytes_of(17 * MILLION + 5);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    CHECK(ik_hash_array(p, sizes[i]) == slowly(p, sizes[i]));
  uint64_t before = ik_hash_array(p, 17 * MILLION);
  p[9 * MILLION + 7] ^= 1;
  CHECK(ik_hash_array(p, 17 * MILLION) != before);
  ik_free(p);
}
