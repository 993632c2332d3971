/* bits.h: a double as its 64 bits, and back. */
#pragma once
#include <stdint.h>
#include <string.h>

static inline uint64_t ik_bits_of(double v) {
  uint64_t b;
  memcpy(&b, &v, sizeof b);
  return b;
}

static inline double ik_from_bits(uint64_t b) {
  double v;
  memcpy(&v, &b, sizeof v);
  return v;
}
