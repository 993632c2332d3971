#include "io/deflate.h"
#include "io/png.h"
#include "scratch.h"

/* A reader of just what the encoder writes, so that pictures can be compared pixel by pixel. */

static uint32_t be32(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

typedef struct bits {
  const uint8_t *p, *end;
  int            at;
} bits;

static unsigned bit(bits *b) {
  if (b->p >= b->end) return 0;
  unsigned v = *b->p >> b->at & 1;
  if (++b->at == 8) b->at = 0, b->p++;
  return v;
}

static unsigned number(bits *b, int count) {
  unsigned v = 0;
  for (int i = 0; i < count; i++) v |= bit(b) << i;
  return v;
}

/* RFC 1951, 3.2.6 */
static unsigned symbol(bits *b) {
  unsigned v = 0;
  for (int i = 0; i < 7; i++) v = v << 1 | bit(b);
  if (v <= 23) return v + 256;
  v = v << 1 | bit(b);
  if (v >= 0x30 && v <= 0xbf) return v - 0x30;
  if (v >= 0xc0 && v <= 0xc7) return v - 0xc0 + 280;
  return (v << 1 | bit(b)) - 0x190 + 144;
}

static unsigned distance(bits *b) {
  static const unsigned base[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                  33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                  1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  unsigned              code = 0;
  for (int i = 0; i < 5; i++) code = code << 1 | bit(b);
  return base[code] + number(b, code < 4 ? 0 : (int)code / 2 - 1);
}

static unsigned length(bits *b, unsigned s) {
  static const unsigned base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                  31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  int                   extra = s < 265 || s == 285 ? 0 : (int)(s - 261) / 4;
  return base[s - 257] + number(b, extra);
}

/* Returns the bytes in `out`, or 0 when the stream is not as it should be. */
static size_t inflate(const uint8_t *in, size_t len, uint8_t *out, size_t cap) {
  bits   b = {in + 2, in + len - 4, 0};
  size_t n = 0;
  if ((in[0] * 256 + in[1]) % 31 || number(&b, 3) != 3) return 0;
  for (unsigned s; (s = symbol(&b)) != 256;) {
    unsigned count = s < 256 ? 1 : length(&b, s), back = s < 256 ? 0 : distance(&b);
    if (n + count > cap || back > n || b.p >= b.end) return 0;
    for (; count; count--, n++) out[n] = s < 256 ? (uint8_t)s : out[n - back];
  }
  uint32_t lo = 1, hi = 0;
  for (size_t i = 0; i < n; i++) lo = (lo + out[i]) % 65521, hi = (hi + lo) % 65521;
  return be32(in + len - 4) == (hi << 16 | lo) && b.p + (b.at > 0) == b.end ? n : 0;
}

static uint32_t crc(const uint8_t *p, size_t len) {
  uint32_t c = ~0u;
  for (size_t i = 0; i < len; i++)
    for (int k = 0; k < 8; k++) {
      unsigned low = (c ^ p[i] >> k) & 1;
      c = c >> 1 ^ (low ? 0xedb88320u : 0);
    }
  return ~c;
}

typedef struct chunk {
  const uint8_t *body;
  uint32_t       len;
} chunk;

static chunk find_chunk(const ik_buf *png, const char *type) {
  const uint8_t *p = (const uint8_t *)png->data + 8, *end = (const uint8_t *)png->data + png->len;
  for (uint32_t len; p + 12 <= end; p += 12 + len) {
    len = be32(p);
    CHECK(p + 12 + len <= end && crc(p + 4, 4 + len) == be32(p + 8 + len));
    if (memcmp(p + 4, type, 4) == 0) return (chunk){p + 8, len};
  }
  return (chunk){0};
}

/* Undoes filters 0 to 2 in place; `rows` is [h][1 + len]. */
static bool unfilter(uint8_t *rows, int h, size_t len, size_t bpp) {
  for (int y = 0; y < h; y++) {
    uint8_t *row = rows + (size_t)y * (len + 1), f = row[0];
    if (f > 2) return false;
    for (size_t i = 1; i <= len; i++) {
      if (f == 1 && i > bpp) row[i] = (uint8_t)(row[i] + row[i - bpp]);
      if (f == 2 && y) row[i] = (uint8_t)(row[i] + (row - len - 1)[i]);
    }
  }
  return true;
}

static void check_picture(int w, int h, const uint8_t *rgb, bool indexed) {
  ik_buf png = {0};
  CHECK(ik_png_encode(w, h, rgb, &png));
  CHECK(memcmp(png.data, "\x89PNG\r\n\x1a\n", 8) == 0);
  chunk head = find_chunk(&png, "IHDR"), data = find_chunk(&png, "IDAT"),
        colours = find_chunk(&png, "PLTE");
  CHECK(head.len == 13 && (int)be32(head.body) == w && (int)be32(head.body + 4) == h);
  CHECK(head.body[8] == 8 && head.body[9] == (indexed ? 3 : 2));
  CHECK(find_chunk(&png, "IEND").body && !colours.body == !indexed);
  size_t   bpp = indexed ? 1 : 3, len = bpp * (size_t)w, bytes = (size_t)h * (len + 1);
  uint8_t *rows = malloc(bytes);
  CHECK_EQ(inflate(data.body, data.len, rows, bytes), bytes);
  CHECK(unfilter(rows, h, len, bpp));
  int wrong = 0;
  for (size_t i = 0; i < (size_t)w * (size_t)h; i++) {
    const uint8_t *p = rows + i / (size_t)w * (len + 1) + 1 + i % (size_t)w * bpp;
    if (indexed) p = colours.body + 3 * *p;
    wrong += memcmp(p, rgb + 3 * i, 3) != 0;
  }
  CHECK_EQ(wrong, 0);
  free(rows);
  ik_buf_free(&png);
}

CASE(pictures_come_back) {
  static uint8_t rgb[3 * 200 * 150];
  uint32_t       seed = 7;
  check_picture(1, 1, rgb, true);
  check_picture(200, 150, rgb, true); /* one colour */
  for (size_t i = 0; i < sizeof rgb; i++) rgb[i] = (uint8_t)(random_next(&seed) % 6 * 40);
  check_picture(200, 150, rgb, true); /* 216 colours */
  for (size_t i = 0; i < sizeof rgb; i++) rgb[i] = (uint8_t)random_next(&seed);
  check_picture(200, 150, rgb, false); /* noise */
  check_picture(1, 150, rgb, true);
  check_picture(171, 3, rgb, false);
  for (int i = 0; i < 200 * 150; i++)
    rgb[3 * i] = (uint8_t)(i % 200), rgb[3 * i + 1] = (uint8_t)(i / 200), rgb[3 * i + 2] = 3;
  check_picture(200, 150, rgb, false); /* smooth */
}

CASE(exactly_256_and_257_colours) {
  uint8_t rgb[3 * 257] = {0};
  for (int i = 0; i < 257; i++) rgb[3 * i] = (uint8_t)i, rgb[3 * i + 1] = (uint8_t)(i >> 8);
  check_picture(256, 1, rgb, true);
  check_picture(257, 1, rgb, false);
}

CASE(smooth_pictures_become_small) {
  static uint8_t rgb[3 * 256 * 256];
  ik_buf         png = {0};
  for (int i = 0; i < 256 * 256; i++)
    rgb[3 * i] = (uint8_t)(i % 256), rgb[3 * i + 1] = (uint8_t)(i / 256), rgb[3 * i + 2] = 0;
  CHECK(ik_png_encode(256, 256, rgb, &png));
  CHECK(png.len < sizeof rgb / 50);
  ik_buf_free(&png);
}

/* Distances up to the window, lengths across all classes. */
CASE(deflate_of_repeats_at_all_distances) {
  enum { N = 100000 };
  uint8_t *in = malloc(N), *out = malloc(N);
  uint32_t seed = 3;
  for (size_t n = 0; n < N;) {
    size_t len = 1 + random_next(&seed) % 300, back = 1 + random_next(&seed) % 40000;
    bool   copy = back <= n && random_next(&seed) % 4;
    for (; len && n < N; len--, n++) in[n] = copy ? in[n - back] : (uint8_t)random_next(&seed);
  }
  size_t sizes[] = {0, 1, 2, 3, 4, 257, 258, 259, 32768, 32769, N};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    ik_buf b = {0};
    ik_deflate(in, sizes[i], &b);
    CHECK_EQ(inflate((uint8_t *)b.data, b.len, out, N), sizes[i]);
    CHECK(memcmp(in, out, sizes[i]) == 0);
    ik_buf_free(&b);
  }
  free(in), free(out);
}

CASE(pictures_that_cannot_be) {
  ik_diag d = {0};
  ik_buf  b = {0};
  uint8_t rgb[3] = {1, 2, 3};
  CHECK_EQ(ik_png_write(scratch("p.png"), 0, 5, rgb, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E066, "0 x 5");
  CHECK_EQ(ik_png_write(scratch("p.png"), 1 << 30, 1 << 30, rgb, &d), IK_ERR_SOURCE);
  EXPECT_ERROR(&d, IK_E066, "cannot be written");
  CHECK(!ik_png_encode(-1, 1, rgb, &b) && b.failed);
  CHECK_EQ(ik_png_write("/dev/full", 1, 1, rgb, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "No space");
  CHECK_EQ(ik_png_write("/nowhere/p.png", 1, 1, rgb, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "mkdir");
}

CASE(out_of_memory) {
  ik_diag d = {0};
  uint8_t rgb[12] = {1, 2, 3};
  int     n = 0;
  for (;; n++) {
    ik_mem_fail_after(n);
    ik_status s = ik_png_write(scratch("o.png"), 2, 2, rgb, &d);
    ik_mem_fail_after(-1);
    if (!s) break;
    EXPECT_ERROR(&d, IK_E072, "memory");
    CHECK_EQ(scratch_scan(false), 0);
  }
  CHECK(n >= 8);
  scratch_scan(true);
}
