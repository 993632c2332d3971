#include "io/inflate.h"
#include "check.h"
#include "io/deflate.h"
#include <string.h>

static void expect(const char *packed, size_t len, const char *want) {
  uint8_t out[600];
  size_t  n = strlen(want);
  CHECK(ik_inflate((const uint8_t *)packed, len, out, n));
  CHECK(memcmp(out, want, n) == 0);
  CHECK(!ik_inflate((const uint8_t *)packed, len, out, n + 1)); /* exactly as many */
  if (n) CHECK(!ik_inflate((const uint8_t *)packed, len, out, n - 1));
  for (size_t cut = 0; cut + 1 < len; cut++) /* a stream that ends early is never complete */
    CHECK(!ik_inflate((const uint8_t *)packed, cut, out, n));
}

CASE(blocks_of_each_kind) {
  expect("\x01\x03\x00\xfc\xff"
         "abc",
         8, "abc"); /* stored */
  expect("\x00\x01\x00\xfe\xff"
         "a\x01\x02\x00\xfd\xff"
         "bc",
         13, "abc");                        /* two of them */
  expect("\x4b\x4c\x4a\x06\x00", 5, "abc"); /* fixed codes */
}

CASE(what_our_own_encoder_packs) {
  static uint8_t in[70000], out[70000];
  for (size_t n = 0; n <= sizeof in; n = n < 300 ? n + 1 : 3 * n + 1) {
    for (size_t i = 0; i < n; i++) in[i] = (uint8_t)(i * i / 7 % 251 * (i / 1000 % 2));
    ik_buf b = {0};
    ik_deflate(in, n, &b);
    CHECK(ik_inflate((const uint8_t *)b.data + 2, b.len - 6, out, n)); /* zlib's frame around it */
    CHECK(memcmp(in, out, n) == 0);
    ik_buf_free(&b);
  }
}

CASE(streams_that_are_none) {
  static const struct {
    const char *bytes;
    size_t      len;
  } bad[] = {
      {"", 0},
      {"\x07", 1}, /* a kind that does not exist */
      {"\x01\x03\x00\xfc\xfe"
       "abc",
       8}, /* lengths that do not match */
      {"\x01\xff\x00\x00\xff"
       "abc",
       8},             /* longer than the stream */
      {"\x03\x02", 2}, /* a distance before the first byte */
      {"\x4b\x04\x62\x00", 4},
      {"\xfd\xff\xff\xff\xff\xff", 6}, /* more literals than there are */
      {"\x05\x00\x00\x00\x00\x00", 6}, /* codes of no length */
  };
  uint8_t out[64];
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK(!ik_inflate((const uint8_t *)bad[i].bytes, bad[i].len, out, 3));
}
