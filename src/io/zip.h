/* zip.h: members of a zip archive in memory (PKWARE's APPNOTE 6.3), stored or deflated.
 *
 * Made for bytes of strangers: every offset and size is checked against the archive before it is
 * used, and a size that its compressed bytes cannot reach is refused before memory is taken. */
#pragma once
#include "base/buf.h"
#include <stdint.h>

typedef struct ik_zip_member {
  const char *name; /* not NUL-terminated */
  size_t      name_len;
  uint64_t    packed, size; /* bytes in the archive, and of the member */
  uint64_t    header;       /* where its local header begins */
  uint32_t    crc;
  unsigned    method, flags;
} ik_zip_member;

typedef struct ik_zip {
  const uint8_t *data;
  size_t         len;
  uint64_t       at, end; /* the rest of the directory */
} ik_zip;

/* NULL, or what is wrong. */
const char *ik_zip_open(ik_zip *z, const void *bytes, size_t len);

/* The next member.  False: there is no more, or (`wrong` is set) the directory is broken. */
bool ik_zip_next(ik_zip *z, ik_zip_member *m, const char **wrong);

/* The bytes of a member, appended to `out`, which is empty; NULL, or what is wrong.  Out of memory:
 * NULL, and out->failed is set. */
const char *ik_zip_read(const ik_zip *z, const ik_zip_member *m, ik_buf *out);
