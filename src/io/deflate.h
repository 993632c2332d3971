/* deflate.h: the zlib format (RFC 1950, 1951): LZ77 over hash chains, one block of fixed codes. */
#pragma once
#include "base/buf.h"
#include <stdint.h>

/* Appends the compressed form of `in`; running out of memory sets out->failed. */
void ik_deflate(const uint8_t *in, size_t len, ik_buf *out);
