#include "io/zip.h"
#include "base/mem.h"
#include "io/crc.h"
#include "io/inflate.h"
#include <string.h>

enum {
  LOCAL = 30,   /* bytes of a local header before its name */
  CENTRAL = 46, /* of an entry of the directory before its name */
  TAIL = 22,    /* of the end of the directory, before its comment */
  TAIL64 = 56,
  LOCATOR64 = 20,
  MOST_COMMENT = 65535,
};
#define LOCAL_SIGN     UINT32_C(0x04034b50)
#define CENTRAL_SIGN   UINT32_C(0x02014b50)
#define TAIL_SIGN      UINT32_C(0x06054b50)
#define TAIL64_SIGN    UINT32_C(0x06064b50)
#define LOCATOR64_SIGN UINT32_C(0x07064b50)

static uint64_t get(const uint8_t *p, int bytes) {
  uint64_t v = 0;
  for (int b = 0; b < bytes; b++) v |= (uint64_t)p[b] << 8 * b;
  return v;
}

/* `n` bytes from `at` on, or NULL where the archive does not have them. */
static const uint8_t *part(const ik_zip *z, uint64_t at, uint64_t n) {
  return at <= z->len && n <= z->len - at ? z->data + at : NULL;
}

static const uint8_t *signed_part(const ik_zip *z, uint64_t at, uint64_t n, uint32_t sign) {
  const uint8_t *p = part(z, at, n);
  return p && get(p, 4) == sign ? p : NULL;
}

/* The end of the directory stands at the end of the archive, before a comment. */
static const uint8_t *find_tail(const ik_zip *z) {
  uint64_t least = z->len > TAIL + MOST_COMMENT ? z->len - TAIL - MOST_COMMENT : 0;
  for (uint64_t at = z->len < TAIL ? 0 : z->len - TAIL + 1; at-- > least;)
    if (signed_part(z, at, TAIL, TAIL_SIGN)) return z->data + at;
  return NULL;
}

/* In archives of more than 4 GiB the numbers are in a second tail, and what finds that stands right
 * before the first. */
static const uint8_t *find_tail64(const ik_zip *z, const uint8_t *tail) {
  uint64_t at = (uint64_t)(tail - z->data);
  if (at < LOCATOR64) return NULL;
  const uint8_t *locator = signed_part(z, at - LOCATOR64, LOCATOR64, LOCATOR64_SIGN);
  return locator ? signed_part(z, get(locator + 8, 8), TAIL64, TAIL64_SIGN) : NULL;
}

const char *ik_zip_open(ik_zip *z, const void *bytes, size_t len) {
  *z = (ik_zip){.data = bytes, .len = len};
  const uint8_t *tail = find_tail(z);
  if (!tail) return "it has no directory, as a zip archive has";
  uint64_t size = get(tail + 12, 4);
  z->at = get(tail + 16, 4);
  if (z->at == UINT32_MAX || size == UINT32_MAX) {
    const uint8_t *tail64 = find_tail64(z, tail);
    if (!tail64) return "the end of its directory is broken";
    size = get(tail64 + 40, 8), z->at = get(tail64 + 48, 8);
  }
  if (!part(z, z->at, size)) return "its directory lies outside of it";
  z->end = z->at + size;
  return NULL;
}

/* Numbers of 64 bits, in this order, for those that do not fit into 32. */
static bool read_extra(ik_zip_member *m, const uint8_t *p, size_t len) {
  uint64_t *wide[] = {&m->size, &m->packed, &m->header};
  while (len >= 4) {
    size_t id = get(p, 2), n = get(p + 2, 2);
    p += 4, len -= 4;
    if (n > len) return false;
    for (size_t k = 0, at = 0; id == 1 && k < 3; k++) {
      if (*wide[k] != UINT32_MAX) continue;
      if (n - at < 8) return false;
      *wide[k] = get(p + at, 8), at += 8;
    }
    p += n, len -= n;
  }
  return true;
}

bool ik_zip_next(ik_zip *z, ik_zip_member *m, const char **wrong) {
  *wrong = NULL;
  if (z->at == z->end) return false;
  *wrong = "its directory is broken";
  const uint8_t *p = signed_part(z, z->at, CENTRAL, CENTRAL_SIGN);
  if (!p) return false;
  uint64_t name = get(p + 28, 2), extra = get(p + 30, 2), comment = get(p + 32, 2);
  uint64_t all = CENTRAL + name + extra + comment;
  if (all > z->end - z->at) return false;
  *m = (ik_zip_member){.name = (const char *)p + CENTRAL,
                       .name_len = name,
                       .packed = get(p + 20, 4),
                       .size = get(p + 24, 4),
                       .header = get(p + 42, 4),
                       .crc = (uint32_t)get(p + 16, 4),
                       .method = (unsigned)get(p + 10, 2),
                       .flags = (unsigned)get(p + 8, 2)};
  if (!read_extra(m, p + CENTRAL + name, extra)) return false;
  z->at += all;
  *wrong = NULL;
  return true;
}

/* Whether the sizes can be true, before memory is taken for them. */
static const char *check_sizes(const ik_zip_member *m) {
  enum { STORED = 0, DEFLATED = 8, ENCRYPTED = 1 };
  if (m->flags & ENCRYPTED) return "the array is encrypted";
  if (m->method != STORED && m->method != DEFLATED)
    return "the array is compressed in a way that is not known";
  bool fits = m->method == STORED ? m->size == m->packed
                                  : m->size / IK_INFLATE_MOST <= m->packed && m->size < SIZE_MAX;
  return fits ? NULL : "the array claims a size that it cannot have";
}

const char *ik_zip_read(const ik_zip *z, const ik_zip_member *m, ik_buf *out) {
  const uint8_t *local = signed_part(z, m->header, LOCAL, LOCAL_SIGN);
  if (!local) return "the array lies outside of it";
  uint64_t       start = m->header + LOCAL + get(local + 26, 2) + get(local + 28, 2);
  const uint8_t *packed = part(z, start, m->packed);
  if (!packed) return "it ends inside the array";
  const char *wrong = check_sizes(m);
  if (wrong) return wrong;
  size_t size = (size_t)m->size;
  char  *data = ik_malloc(size + 1);
  if (!data) return out->failed = true, NULL;
  *out = (ik_buf){.data = data, .len = size, .cap = size + 1};
  data[size] = 0;
  if (!m->method)
    memcpy(data, packed, size);
  else if (!ik_inflate(packed, (size_t)m->packed, (uint8_t *)data, size))
    return "the array is not compressed as it says";
  return ik_crc32(data, size) == m->crc ? NULL : "the checksum of the array does not match";
}
