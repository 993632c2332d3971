/* hash.h: FNV-1a with 64 bits, the fingerprint of fields and programs.  The start value is the one
 * with which the published golden hashes of the weather stencils were computed. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define IK_HASH_INIT UINT64_C(1469598103934665603)

static inline uint64_t ik_hash(uint64_t h, const void *bytes, size_t len) {
  const unsigned char *p = bytes;
  for (size_t i = 0; i < len; i++) h = (h ^ p[i]) * UINT64_C(1099511628211);
  return h;
}

/* Of up to a million bytes, the same; of more, that of the hashes of all their pieces of a million,
 * which takes a fraction of the time.  Little-endian words, as everywhere. */
uint64_t ik_hash_array(const void *bytes, size_t len);
/* The same of `len` bytes after each `slice` of which `gap` bytes are passed over. */
uint64_t ik_hash_slices(const void *bytes, size_t slice, size_t gap, size_t len);
