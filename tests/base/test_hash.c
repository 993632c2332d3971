#include "base/hash.h"
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
