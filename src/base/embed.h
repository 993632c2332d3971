/* embed.h: files of the source tree that the library carries inside itself: examples/, docs/codes/,
 * machines/, what `ikat bench` needs and sources that generated C takes parts of.  The table is
 * written by scripts/embed when the library is built. */
#pragma once
#include <stddef.h>

typedef struct ik_embedded {
  const char *name; /* path in the source tree: "examples/heat.ik" */
  const char *data; /* `size` bytes, then a zero byte */
  size_t      size;
} ik_embedded;

extern const ik_embedded ik_embedded_files[]; /* sorted by name; ends with a NULL name */

const ik_embedded *ik_embed_find(const char *name); /* NULL if there is none */
