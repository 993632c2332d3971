/* blake2b.h: BLAKE2b (RFC 7693) with 256 bits: nobody can make two texts with the same digest.  For
 * names and seals of what is kept on disk; the hash of results is base/hash.h. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { IK_BLAKE2B = 32, IK_BLAKE2B_HEX = 2 * IK_BLAKE2B }; /* bytes, hexadecimal digits */

typedef struct ik_blake2b {
  uint64_t h[8], bytes;
  uint8_t  block[128];
  size_t   used;
} ik_blake2b;

void ik_blake2b_init(ik_blake2b *b);
void ik_blake2b_add(ik_blake2b *b, const void *bytes, size_t len);
void ik_blake2b_end(ik_blake2b *b, uint8_t out[IK_BLAKE2B]);

void ik_blake2b_hex(const uint8_t digest[IK_BLAKE2B], char out[IK_BLAKE2B_HEX + 1]);
