/* inflate.h: what ik_deflate() and zip archives compress (RFC 1951), undone.
 *
 * Made for bytes of strangers: reads nothing beyond `in`, writes nothing beyond `out`, and ends for
 * every input after at most as many steps as it has bits and `out` has bytes. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No stream of n bytes becomes more than this many times n: 258 bytes from two bits. */
enum { IK_INFLATE_MOST = 1032 };

/* A raw stream (without the header of zlib) that must give exactly `size` bytes.  False: it is not
 * one; `out` then holds anything. */
bool ik_inflate(const uint8_t *in, size_t len, uint8_t *out, size_t size);
