#include "io/gif.h"
#include "scratch.h"

/* ---- a reader of what the encoder writes, by the standard ---- */

typedef struct reader {
  const unsigned char *p, *end;
  int                  w, h, frames;
  uint8_t              rgb[8][64 * 64 * 3];
  int                  delay[8];
} reader;

static int byte(reader *r) { return r->p < r->end ? *r->p++ : -1; }
static int word(reader *r) {
  int lo = byte(r);
  return lo | byte(r) << 8;
}

/* The bytes of all sub-blocks in one row. */
static size_t blocks(reader *r, unsigned char *out) {
  size_t n = 0;
  for (int len; (len = byte(r)) > 0;)
    while (len--) out[n++] = (unsigned char)byte(r);
  return n;
}

typedef struct entry {
  int before, last, length;
} entry;

static int unpack(const unsigned char *in, size_t len, unsigned char *out, int most) {
  static entry table[4096];
  int          width = 9, next = 258, before = -1, n = 0;
  unsigned     bits = 0;
  int          have = 0;
  for (size_t at = 0;;) {
    while (have < width && at < len) bits |= (unsigned)in[at++] << have, have += 8;
    if (have < width) return -1; /* no end */
    int code = (int)(bits & ((1u << width) - 1));
    bits >>= width, have -= width;
    if (code == 257) return at == len && have < 8 ? n : -2;
    if (code == 256) {
      width = 9, next = 258, before = -1;
      for (int i = 0; i < 256; i++) table[i] = (entry){-1, i, 1};
      continue;
    }
    if (code > next || (code == next && before < 0)) return -3;
    int known = code < next ? code : before, first = known;
    while (table[first].before >= 0) first = table[first].before;
    if (before >= 0 && next < 4096)
      table[next++] = (entry){before, table[first].last, table[before].length + 1};
    if (next == 1 << width && width < 12) width++;
    int length = table[code].length;
    if (n + length > most) return -4;
    for (int k = code, i = length; k >= 0; k = table[k].before)
      out[n + --i] = (unsigned char)table[k].last;
    n += length, before = code;
  }
}

static bool read_frame(reader *r) {
  static unsigned char packed[100000], index[64 * 64];
  CHECK_EQ(byte(r), 0xf9);
  CHECK_EQ(byte(r), 4);
  byte(r);
  r->delay[r->frames] = word(r);
  byte(r);
  CHECK_EQ(byte(r), 0);
  CHECK_EQ(byte(r), 0x2c);
  CHECK(word(r) == 0 && word(r) == 0 && word(r) == r->w && word(r) == r->h);
  CHECK_EQ(byte(r), 0x87);
  const unsigned char *palette = r->p;
  r->p += 768;
  CHECK_EQ(byte(r), 8);
  size_t len = blocks(r, packed);
  CHECK_EQ(unpack(packed, len, index, r->w * r->h), r->w * r->h);
  for (int i = 0; i < r->w * r->h; i++)
    memcpy(&r->rgb[r->frames][3 * i], palette + 3 * index[i], 3);
  r->frames++;
  return true;
}

static reader *read_gif(const char *path) {
  static reader r;
  static ik_buf b;
  ik_diag       d = {0};
  memset(&r, 0, sizeof r);
  ik_buf_free(&b);
  CHECK_EQ(ik_file_read(path, 1 << 24, IK_NOSPAN, &b, &d), IK_OK);
  r.p = (const unsigned char *)b.data, r.end = r.p + b.len;
  CHECK(b.len > 30 && memcmp(b.data, "GIF89a", 6) == 0);
  r.p += 6;
  r.w = word(&r), r.h = word(&r);
  r.p += 3;
  CHECK(byte(&r) == 0x21 && byte(&r) == 0xff && memcmp(r.p + 1, "NETSCAPE2.0\3\1\0\0", 15) == 0);
  r.p += 17;
  while (byte(&r) == 0x21 && r.frames < 8 && read_frame(&r)) {
  }
  CHECK(r.p == r.end && r.p[-1] == ';');
  ik_buf_free(&b);
  return &r;
}

static uint8_t picture[64 * 64 * 3];

static void write_gif(int w, int h, int frames) {
  ik_diag d = {0};
  ik_gif  g;
  CHECK_EQ(ik_gif_open(&g, scratch("g.gif"), w, h, &d), IK_OK);
  for (int i = 0; i < frames; i++) CHECK_EQ(ik_gif_add(&g, w, h, picture, 8 + i, &d), IK_OK);
  CHECK_EQ(ik_gif_commit(&g, &d), IK_OK);
  ik_gif_abandon(&g);
  ik_diag_free(&d);
}

/* ---- cases ---- */

CASE(up_to_256_colours_are_exact) {
  static const int sides[][2] = {{1, 1}, {2, 3}, {17, 5}, {64, 64}};
  for (int colours = 1; colours <= 256; colours = colours * 3 + 1)
    for (int s = 0; s < 4; s++) {
      int w = sides[s][0], h = sides[s][1];
      for (int i = 0; i < w * h; i++) {
        int c = (i * i * 7 + i / 5) % colours;
        picture[3 * i] = (uint8_t)(c * 37), picture[3 * i + 1] = (uint8_t)(255 - c);
        picture[3 * i + 2] = (uint8_t)(c * c);
      }
      write_gif(w, h, 1);
      reader *r = read_gif(scratch("g.gif"));
      CHECK(r->frames == 1 && r->w == w && r->h == h && r->delay[0] == 8);
      CHECK(memcmp(r->rgb[0], picture, (size_t)(3 * w * h)) == 0);
    }
}

/* Every length that ends at another place of the code widths, and tables that are full. */
CASE(codes_widen_when_the_reader_expects_it) {
  uint32_t seed = 1;
  for (int n = 1; n <= 64; n++) {
    for (int i = 0; i < n * 64; i++) {
      seed = seed * 1664525 + 1013904223;
      uint8_t v = n % 3 == 0 ? (uint8_t)(seed >> 24) : n % 3 == 1 ? (uint8_t)(i % 7 == 0) : 0;
      memset(&picture[3 * i], v, 3);
    }
    write_gif(64, n, 1);
    CHECK(memcmp(read_gif(scratch("g.gif"))->rgb[0], picture, (size_t)(3 * 64 * n)) == 0);
  }
}

CASE(more_colours_become_near_ones_and_the_usual_one_stays) {
  for (int i = 0; i < 64 * 64; i++) {
    picture[3 * i] = (uint8_t)(4 * (i % 64)), picture[3 * i + 1] = (uint8_t)(4 * (i / 64));
    picture[3 * i + 2] = 128;
    if (i % 3 == 0) memset(&picture[3 * i], 255, 3); /* paper */
  }
  write_gif(64, 64, 1);
  const uint8_t *got = read_gif(scratch("g.gif"))->rgb[0];
  for (int i = 0; i < 64 * 64; i++)
    for (int k = 0; k < 3; k++)
      if (abs(got[3 * i + k] - picture[3 * i + k]) > (i % 3 ? 24 : 0))
        check_fail(__FILE__, __LINE__, "pixel %d: %d, not %d", i, got[3 * i + k],
                   picture[3 * i + k]);
}

CASE(frames_of_another_size_are_cut_or_filled) {
  ik_diag d = {0};
  ik_gif  g;
  memset(picture, 7, sizeof picture);
  CHECK_EQ(ik_gif_open(&g, scratch("g.gif"), 10, 10, &d), IK_OK);
  CHECK_EQ(ik_gif_add(&g, 12, 8, picture, 5, &d), IK_OK);
  CHECK_EQ(ik_gif_add(&g, 8, 12, picture, 6, &d), IK_OK);
  CHECK_EQ(ik_gif_commit(&g, &d), IK_OK);
  const reader *r = read_gif(scratch("g.gif"));
  CHECK(r->frames == 2 && r->delay[0] == 5 && r->delay[1] == 6);
  for (int i = 0; i < 100; i++) {
    CHECK_EQ(r->rgb[0][3 * i], i / 10 < 8 ? 7 : 255);
    CHECK_EQ(r->rgb[1][3 * i], i % 10 < 8 ? 7 : 255);
  }
}

CASE(sizes_and_places_that_fail) {
  static const int bad[][2] = {{0, 1}, {1, 0}, {65536, 1}, {1, 65536}, {-1, 1}};
  ik_diag          d = {0};
  ik_gif           g;
  for (int i = 0; i < 5; i++) {
    CHECK(ik_gif_open(&g, scratch("b.gif"), bad[i][0], bad[i][1], &d) != IK_OK);
    EXPECT_ERROR(&d, IK_E066, "pixels");
    ik_gif_abandon(&g);
  }
  CHECK(ik_gif_open(&g, "/nowhere/b.gif", 4, 4, &d) != IK_OK);
  EXPECT_ERROR(&d, IK_E064, "/nowhere/b.gif");
  ik_gif_abandon(&g);
  scratch_scan(true);
  CHECK_EQ(ik_gif_open(&g, scratch("b.gif"), 4, 4, &d), IK_OK);
  ik_gif_abandon(&g);
  CHECK_EQ(scratch_scan(false), 0); /* nothing is left */
}

CASE(without_memory) {
  long live = ik_mem_live();
  for (long n = 0;; n++) {
    ik_diag d = {0};
    ik_gif  g;
    CHECK_EQ(ik_gif_open(&g, scratch("m.gif"), 16, 16, &d), IK_OK);
    ik_mem_fail_after(n);
    ik_status st = ik_gif_add(&g, 16, 16, picture, 1, &d);
    ik_mem_fail_after(-1);
    ik_gif_abandon(&g);
    ik_diag_free(&d);
    if (!st) break;
    CHECK_EQ(st, IK_ERR_RESOURCE);
    CHECK(n < 100);
  }
  CHECK_EQ(ik_mem_live(), live);
}
