#include "io/png.h"
#include "base/mem.h"
#include "io/crc.h"
#include "io/deflate.h"
#include "io/file.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_COLOURS = 256, MOST_PIXELS = 1 << 28 };

/* --------------------------------------------------------------------------------- the palette */

typedef struct palette {
  int      count;
  uint32_t colour[MOST_COLOURS];
  int16_t  slot[1024]; /* open addressing; -1 empty */
} palette;

static uint32_t pixel(const uint8_t *rgb) {
  return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

/* The index of a colour, entered if it is new; -1 when the palette is full. */
static int index_of(palette *p, uint32_t colour) {
  unsigned s = colour * 2654435761u >> 22;
  while (p->slot[s] >= 0 && p->colour[p->slot[s]] != colour) s = (s + 1) % 1024;
  if (p->slot[s] >= 0) return p->slot[s];
  if (p->count == MOST_COLOURS) return -1;
  p->colour[p->count] = colour;
  return p->slot[s] = (int16_t)p->count++;
}

/* Fills `indices` [count]; false when there are too many colours. */
static bool try_palette(palette *p, const uint8_t *rgb, size_t count, uint8_t *indices) {
  p->count = 0;
  memset(p->slot, -1, sizeof p->slot);
  for (size_t i = 0; i < count; i++) {
    int k = index_of(p, pixel(rgb + 3 * i));
    if (k < 0) return false;
    indices[i] = (uint8_t)k;
  }
  return true;
}

/* ------------------------------------------------------------------------------------- filters */

enum { FILTERS = 3 }; /* 0 none, 1 minus the left neighbour, 2 minus the one above */

static uint8_t predicted(int filter, const uint8_t *row, const uint8_t *above, size_t i,
                         size_t bpp) {
  if (filter == 1) return i < bpp ? 0 : row[i - bpp];
  return filter == 2 && above ? above[i] : 0;
}

/* The sum of the filtered bytes as signed numbers: small ones compress well. */
static uint64_t weight(int filter, const uint8_t *row, const uint8_t *above, size_t len,
                       size_t bpp) {
  uint64_t sum = 0;
  for (size_t i = 0; i < len; i++)
    sum += (uint64_t)abs((int8_t)(row[i] - predicted(filter, row, above, i, bpp)));
  return sum;
}

static int best_filter(const uint8_t *row, const uint8_t *above, size_t len, size_t bpp) {
  int      best = 0;
  uint64_t least = UINT64_MAX;
  for (int f = 0; f < FILTERS; f++) {
    uint64_t w = weight(f, row, above, len, bpp);
    if (w < least) least = w, best = f;
  }
  return best;
}

/* Each row with its filter number before it, into `out` [h][1 + len].  Palette indices (bpp 1)
 * stay as they are: their differences mean nothing. */
static void filter_rows(const uint8_t *in, int h, size_t len, size_t bpp, uint8_t *out) {
  for (int y = 0; y < h; y++) {
    const uint8_t *row = in + (size_t)y * len, *above = y ? row - len : NULL;
    int            f = bpp == 1 ? 0 : best_filter(row, above, len, bpp);
    *out++ = (uint8_t)f;
    for (size_t i = 0; i < len; i++) *out++ = (uint8_t)(row[i] - predicted(f, row, above, i, bpp));
  }
}

/* -------------------------------------------------------------------------------------- chunks */

static void put32(ik_buf *out, uint32_t v) {
  ik_buf_write(out, (char[]){(char)(v >> 24), (char)(v >> 16), (char)(v >> 8), (char)v}, 4);
}

static void put_chunk(ik_buf *out, const char *type, const ik_buf *body) {
  put32(out, (uint32_t)body->len);
  size_t start = out->len;
  ik_buf_write(out, type, 4);
  ik_buf_write(out, body->data, body->len);
  out->failed |= body->failed;
  if (!out->failed) put32(out, ik_crc32(out->data + start, out->len - start));
}

static void put_header(ik_buf *out, int w, int h, bool indexed) {
  ik_buf body = {0};
  put32(&body, (uint32_t)w);
  put32(&body, (uint32_t)h);
  ik_buf_write(&body, (char[]){8, indexed ? 3 : 2, 0, 0, 0}, 5); /* bits, kind, not interlaced */
  put_chunk(out, "IHDR", &body);
  ik_buf_free(&body);
}

static void put_palette(ik_buf *out, const palette *p) {
  ik_buf body = {0};
  for (int i = 0; i < p->count; i++)
    for (int shift = 16; shift >= 0; shift -= 8) ik_buf_putc(&body, (char)(p->colour[i] >> shift));
  put_chunk(out, "PLTE", &body);
  ik_buf_free(&body);
}

static void put_pixels(ik_buf *out, const uint8_t *in, int h, size_t len, size_t bpp) {
  ik_buf   body = {0};
  size_t   bytes = (size_t)h * (len + 1);
  uint8_t *rows = ik_malloc(bytes);
  if (rows) {
    filter_rows(in, h, len, bpp, rows);
    ik_deflate(rows, bytes, &body);
  } else {
    body.failed = true;
  }
  put_chunk(out, "IDAT", &body);
  ik_buf_free(&body), ik_free(rows);
}

/* The limit keeps the length of the one IDAT chunk within its 31 bits. */
static bool is_picture(int w, int h) { return w >= 1 && h >= 1 && (int64_t)w * h <= MOST_PIXELS; }

bool ik_png_encode(int w, int h, const uint8_t *rgb, ik_buf *out) {
  palette  p;
  size_t   count = (size_t)w * (size_t)h;
  uint8_t *indices = is_picture(w, h) ? ik_malloc(count) : NULL;
  if (!indices) return out->failed = true, false;
  bool indexed = try_palette(&p, rgb, count, indices);
  ik_buf_write(out, "\x89PNG\r\n\x1a\n", 8);
  put_header(out, w, h, indexed);
  if (indexed) put_palette(out, &p);
  if (indexed)
    put_pixels(out, indices, h, (size_t)w, 1);
  else
    put_pixels(out, rgb, h, 3 * (size_t)w, 3);
  put_chunk(out, "IEND", &(ik_buf){0});
  ik_free(indices);
  return !out->failed;
}

ik_status ik_png_write(const char *path, int w, int h, const uint8_t *rgb, ik_diag *d) {
  if (!is_picture(w, h))
    return ik_fail(d, IK_ERR_SOURCE, IK_E066, IK_NOSPAN,
                   "'%s': a picture of %d x %d pixels cannot be written (at most %d in all)", path,
                   w, h, MOST_PIXELS);
  ik_buf    png = {0};
  ik_status s = ik_png_encode(w, h, rgb, &png) ? ik_file_write(path, png.data, png.len, d)
                                               : ik_file_oom(path, IK_NOSPAN, d);
  ik_buf_free(&png);
  return s;
}
