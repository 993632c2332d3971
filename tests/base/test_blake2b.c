/* Against digests from b2sum -l 256 and hashlib, which are tested with the published vectors. */
#include "base/blake2b.h"
#include "check.h"

static const char *digest(const void *bytes, size_t len, size_t piece) {
  static char hex[IK_BLAKE2B_HEX + 1];
  uint8_t     out[IK_BLAKE2B];
  ik_blake2b  b;
  ik_blake2b_init(&b);
  for (size_t i = 0; i < len; i += piece)
    ik_blake2b_add(&b, (const char *)bytes + i, len - i < piece ? len - i : piece);
  ik_blake2b_end(&b, out);
  ik_blake2b_hex(out, hex);
  return hex;
}

/* As in the self-test of RFC 7693, appendix E: a sequence that everybody can make. */
static void fill(uint8_t *out, size_t len, uint32_t seed) {
  uint32_t a = 0xDEAD4BAD * seed, b = 1;
  for (size_t i = 0; i < len; i++) {
    uint32_t t = a + b;
    a = b, b = t;
    out[i] = t >> 24;
  }
}

CASE(texts) {
  CHECK_STR(digest("", 0, 1), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  CHECK_STR(digest("abc", 3, 3),
            "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  CHECK_STR(digest("The quick brown fox jumps over the lazy dog", 43, 7),
            "01718cec35cd3d796dd00020e0bfecb473ad23457d063b75eff29c0ffa2e58a9");
}

CASE(lengths_around_a_block_in_any_pieces) {
  static const struct {
    size_t      len;
    const char *hex;
  } rows[] = {
      {1, "be492f1d5267c38c859e0778607aebe4c9695240fa032f7f692e494b6c0ac94f"},
      {3, "c6fcb3c3542e65f2db9a75aca089bfe3ff63e5b3889f65bf1d2da61964710782"},
      {127, "2217d63a408e479e8daa6f4a675120a7f0f51b7b32b063e355c111891672326a"},
      {128, "9f51dad780c3c7f1915262e80ccbd443a91e5c5c97e8127f9c9f8536aec85960"},
      {129, "5a9585ea35499d7d883d3a22eed1d3ebc46c1b1937d479b8be92b358c3eed78e"},
      {255, "517f6f8c5afea55f1c27cb8cdb4ff015c9602a550ba3080e5ac32796931711d3"},
      {256, "7924db0acf00cb944fab589f1a618abc9954833d26861365cba9715e996de733"},
      {257, "4d396945f07b15730b0d6545189ae9542b13a617a724583a69582872e898685d"},
      {1024, "a001b41dd6bfcb13c73bf83a1fe5c881d49476163e472906c200375d8482b004"},
  };
  uint8_t bytes[1024];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (size_t piece = 1; piece < 300; piece += 37) {
      fill(bytes, rows[i].len, (uint32_t)rows[i].len);
      CHECK_STR(digest(bytes, rows[i].len, piece), rows[i].hex);
    }
}
