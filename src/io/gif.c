#include "io/gif.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_COLOURS = 256, MOST_SIDE = 65535 };

/* ------------------------------------------------------------------------------ counted colours */

typedef struct shade { /* a colour, how many pixels have it, and its place in the palette */
  uint32_t rgb, count;
  int      index;
} shade;

typedef struct shades {
  shade *all; /* open addressing while pixels are counted; count 0: empty */
  size_t n, cap;
} shades;

static size_t slot_of(const shades *s, uint32_t rgb) {
  size_t i = (size_t)(rgb * 2654435761u) & (s->cap - 1);
  while (s->all[i].count && s->all[i].rgb != rgb) i = (i + 1) & (s->cap - 1);
  return i;
}

/* Twice as large; false: out of memory. */
static bool grow(shades *s) {
  shades more = {.cap = s->cap ? 2 * s->cap : 1024};
  more.all = ik_calloc(more.cap, sizeof *more.all);
  if (!more.all) return false;
  for (size_t i = 0; i < s->cap; i++)
    if (s->all[i].count) more.all[slot_of(&more, s->all[i].rgb)] = s->all[i], more.n++;
  ik_free(s->all);
  *s = more;
  return true;
}

static bool count_pixel(shades *s, uint32_t rgb) {
  if (2 * s->n >= s->cap && !grow(s)) return false;
  shade *c = &s->all[slot_of(s, rgb)];
  if (!c->count) s->n++;
  c->rgb = rgb, c->count++;
  return true;
}

/* ----------------------------------------------------------------------------------- median cut */

static int channel(uint32_t rgb, int k) { return (int)(rgb >> 8 * (2 - k) & 255); }

static int by_red(const void *a, const void *b) {
  return channel(((const shade *)a)->rgb, 0) - channel(((const shade *)b)->rgb, 0);
}
static int by_green(const void *a, const void *b) {
  return channel(((const shade *)a)->rgb, 1) - channel(((const shade *)b)->rgb, 1);
}
static int by_blue(const void *a, const void *b) {
  return channel(((const shade *)a)->rgb, 2) - channel(((const shade *)b)->rgb, 2);
}

typedef struct box { /* some shades, and the channel in which they differ most */
  shade *first;
  size_t n;
  int    axis, width;
} box;

static void measure(box *b) {
  b->width = -1;
  for (int k = 0; k < 3; k++) {
    int lo = 255, hi = 0;
    for (size_t i = 0; i < b->n; i++) {
      int v = channel(b->first[i].rgb, k);
      lo = v < lo ? v : lo, hi = v > hi ? v : hi;
    }
    if (hi - lo > b->width) b->width = hi - lo, b->axis = k;
  }
}

/* Cuts a box where half of its colours are on each side. */
static box split(box *b) {
  static int (*const orders[])(const void *, const void *) = {by_red, by_green, by_blue};
  qsort(b->first, b->n, sizeof *b->first, orders[b->axis]);
  box upper = {.first = b->first + b->n / 2, .n = b->n - b->n / 2};
  b->n /= 2;
  measure(b), measure(&upper);
  return upper;
}

static int widest(const box *b, int n) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (b[i].width > b[best].width) best = i;
  return best;
}

/* The colour that half of the pixels have, so that paper stays white; else the mean of all. */
static uint32_t colour_of(const box *b) {
  uint64_t sum[3] = {0}, all = 0;
  for (size_t i = 0; i < b->n; i++) {
    all += b->first[i].count;
    for (int k = 0; k < 3; k++) sum[k] += (uint64_t)channel(b->first[i].rgb, k) * b->first[i].count;
  }
  IK_ASSERT(all > 0); /* a shade is one that some pixel has */
  for (size_t i = 0; i < b->n; i++)
    if (2 * (uint64_t)b->first[i].count >= all) return b->first[i].rgb;
  for (int k = 0; k < 3; k++) sum[k] = (sum[k] + all / 2) / all;
  return (uint32_t)(sum[0] << 16 | sum[1] << 8 | sum[2]);
}

/* `list` is [n] shades in any order: each gets its index.  Returns how many colours there are. */
static int make_palette(shade *list, size_t n, uint32_t palette[MOST_COLOURS]) {
  box b[MOST_COLOURS] = {{.first = list, .n = n}};
  int count = 1;
  measure(&b[0]);
  while (count < MOST_COLOURS) {
    int i = widest(b, count);
    if (b[i].width <= 0) break; /* one colour each */
    b[count] = split(&b[i]), count++;
  }
  for (int i = 0; i < count; i++) {
    palette[i] = colour_of(&b[i]);
    for (size_t k = 0; k < b[i].n; k++) b[i].first[k].index = i;
  }
  return count;
}

/* -------------------------------------------------------------------------------------- indices */

typedef struct sheet { /* a picture as it is shown */
  int            w, h;
  const uint8_t *rgb;
} sheet;

static uint32_t pixel(const sheet *s, int x, int y) {
  if (x >= s->w || y >= s->h) return 0xffffff;
  const uint8_t *p = s->rgb + 3 * ((size_t)y * (size_t)s->w + (size_t)x);
  return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static bool count_shades(const ik_gif *g, const sheet *s, shades *out) {
  for (int y = 0; y < g->h; y++)
    for (int x = 0; x < g->w; x++)
      if (!count_pixel(out, pixel(s, x, y))) return false;
  return true;
}

/* Colours in a row, numbered, then back to where they are found; false: out of memory. */
static bool number_shades(shades *s, uint32_t palette[MOST_COLOURS], int *count) {
  shade *list = ik_calloc(s->n, sizeof *list);
  size_t n = 0;
  if (!list) return false;
  for (size_t i = 0; i < s->cap; i++)
    if (s->all[i].count) list[n++] = s->all[i];
  *count = make_palette(list, n, palette);
  for (size_t i = 0; i < n; i++) s->all[slot_of(s, list[i].rgb)].index = list[i].index;
  ik_free(list);
  return true;
}

/* Of every pixel, [h][w]; NULL: out of memory. */
static uint8_t *indices_of(const ik_gif *g, const sheet *s, uint32_t palette[MOST_COLOURS],
                           int *count) {
  shades   c = {0};
  uint8_t *out = ik_malloc((size_t)g->w * (size_t)g->h), *p = out;
  bool     ok = out && count_shades(g, s, &c) && number_shades(&c, palette, count);
  for (int y = 0; ok && y < g->h; y++)
    for (int x = 0; x < g->w; x++) *p++ = (uint8_t)c.all[slot_of(&c, pixel(s, x, y))].index;
  ik_free(c.all);
  if (!ok) ik_free(out);
  return ok ? out : NULL;
}

/* ------------------------------------------------------------------------------------------ LZW */

enum { CLEAR = 256, END = 257, FIRST = 258, CODES = 4096, SLOTS = 8192 };

typedef struct packer {
  ik_buf  *out;
  uint8_t  block[255]; /* bytes that wait for their block to be full */
  int      nblock, nbits, width, next;
  uint32_t bits;
  int32_t  key[SLOTS]; /* a known string and the byte behind it; -1: empty */
  int16_t  code[SLOTS];
} packer;

static void put_block(packer *p) {
  if (!p->nblock) return;
  ik_buf_putc(p->out, (char)p->nblock);
  ik_buf_write(p->out, p->block, (size_t)p->nblock);
  p->nblock = 0;
}

static void put_byte(packer *p, unsigned v) {
  p->block[p->nblock++] = (uint8_t)v;
  if (p->nblock == (int)sizeof p->block) put_block(p);
}

static void put_code(packer *p, int code) {
  p->bits |= (uint32_t)code << p->nbits;
  for (p->nbits += p->width; p->nbits >= 8; p->nbits -= 8, p->bits >>= 8)
    put_byte(p, p->bits & 255);
}

static void forget(packer *p) {
  memset(p->key, -1, sizeof p->key);
  p->width = 9, p->next = FIRST;
}

static unsigned find(const packer *p, int32_t key) {
  unsigned i = (uint32_t)key * 2654435761u >> 19;
  while (p->key[i] >= 0 && p->key[i] != key) i = (i + 1) % SLOTS;
  return i;
}

/* A string that is new: the reader knows it one code later, and both widen their codes in time. */
static void learn(packer *p, unsigned slot, int32_t key) {
  p->key[slot] = key, p->code[slot] = (int16_t)p->next;
  if (p->next == 1 << p->width) p->width++;
  if (++p->next < CODES) return;
  put_code(p, CLEAR);
  forget(p);
}

static bool pack(const uint8_t *in, size_t n, ik_buf *out) {
  packer *p = ik_calloc(1, sizeof *p);
  if (!p) return false;
  p->out = out;
  forget(p);
  ik_buf_putc(out, 8); /* bits of an index */
  put_code(p, CLEAR);
  int before = in[0];
  for (size_t i = 1; i < n; i++) {
    int32_t  key = before << 8 | in[i];
    unsigned slot = find(p, key);
    if (p->key[slot] == key) {
      before = p->code[slot];
      continue;
    }
    put_code(p, before);
    learn(p, slot, key);
    before = in[i];
  }
  put_code(p, before);
  if (p->next == 1 << p->width && p->width < 12) p->width++; /* the reader learns once more */
  put_code(p, END);
  if (p->nbits) put_byte(p, p->bits & 255);
  put_block(p);
  ik_buf_putc(out, 0);
  ik_free(p);
  return !out->failed;
}

/* ------------------------------------------------------------------------------------- the file */

static void put16(ik_buf *b, int v) {
  ik_buf_putc(b, (char)(v & 255));
  ik_buf_putc(b, (char)(v >> 8));
}

static void put_palette(ik_buf *b, const uint32_t *palette, int count) {
  for (int i = 0; i < MOST_COLOURS; i++)
    for (int k = 0; k < 3; k++) ik_buf_putc(b, i < count ? (char)channel(palette[i], k) : 0);
}

static void put_frame_head(const ik_gif *g, int delay, ik_buf *b) {
  ik_buf_write(b, "\x21\xf9\x04\x04", 4); /* graphic control: each frame replaces the last */
  put16(b, delay);
  ik_buf_write(b, "\0\0\x2c", 3);
  put16(b, 0), put16(b, 0), put16(b, g->w), put16(b, g->h);
  ik_buf_putc(b, (char)0x87); /* a palette of 256 of its own */
}

ik_status ik_gif_open(ik_gif *g, const char *path, int w, int h, ik_diag *d) {
  ik_buf head = {0};
  *g = (ik_gif){.path = path, .w = w, .h = h};
  if (w < 1 || h < 1 || w > MOST_SIDE || h > MOST_SIDE)
    return ik_fail(d, IK_ERR_SOURCE, IK_E066, IK_NOSPAN, "'%s' would have %d × %d pixels", path, w,
                   h);
  ik_buf_puts(&head, "GIF89a");
  put16(&head, w), put16(&head, h);
  ik_buf_write(&head, "\x70\0\0", 3); /* 8 bits a channel, no palette for all */
  ik_buf_write(&head, "\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19); /* for ever */
  ik_status st =
      head.failed ? ik_file_oom(path, IK_NOSPAN, d) : ik_outfile_open(&g->out, path, IK_NOSPAN, d);
  if (!st) ik_outfile_write(&g->out, head.data, head.len);
  g->open = !st;
  ik_buf_free(&head);
  return st;
}

ik_status ik_gif_add(ik_gif *g, int w, int h, const uint8_t *rgb, int delay, ik_diag *d) {
  uint32_t palette[MOST_COLOURS];
  ik_buf   b = {0};
  int      count = 0;
  uint8_t *indices = indices_of(g, &(sheet){w, h, rgb}, palette, &count);
  put_frame_head(g, delay, &b);
  put_palette(&b, palette, count);
  bool ok = indices && pack(indices, (size_t)g->w * (size_t)g->h, &b);
  if (ok) ik_outfile_write(&g->out, b.data, b.len);
  ik_free(indices);
  ik_buf_free(&b);
  return ok ? IK_OK : ik_file_oom(g->path, IK_NOSPAN, d);
}

ik_status ik_gif_commit(ik_gif *g, ik_diag *d) {
  ik_outfile_write(&g->out, ";", 1);
  g->open = false;
  return ik_outfile_commit(&g->out, d);
}

void ik_gif_abandon(ik_gif *g) {
  if (g->open) ik_outfile_abandon(&g->out);
  g->open = false;
}
