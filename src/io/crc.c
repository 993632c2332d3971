#include "io/crc.h"

/* The checksum of one byte, by its bits. */
static uint32_t of_byte(uint32_t c) {
  for (int k = 0; k < 8; k++) c = c & 1 ? UINT32_C(0xedb88320) ^ c >> 1 : c >> 1;
  return c;
}

uint32_t ik_crc32(const void *bytes, size_t len) {
  const uint8_t *p = bytes;
  uint32_t       table[256], c = UINT32_MAX;
  for (uint32_t i = 0; i < 256; i++) table[i] = of_byte(i);
  for (size_t i = 0; i < len; i++) c = table[(c ^ p[i]) & 255] ^ c >> 8;
  return ~c;
}
