/* bits.h: a double as its 64 bits, a float as its 32, and back. */
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

static inline uint32_t ik_word_of(float v) {
  uint32_t w;
  memcpy(&w, &v, sizeof w);
  return w;
}

static inline float ik_from_word(uint32_t w) {
  float v;
  memcpy(&v, &w, sizeof v);
  return v;
}
