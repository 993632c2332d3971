#include "check.h"
#include "base/mem.h"
#include "report/picture.h"
#include <stdlib.h>

static uint32_t big_endian(const unsigned char *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t crc_of(const unsigned char *p, size_t n) {
  uint32_t c = ~0u;
  for (size_t i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
  }
  return ~c;
}

/* Signature, sums of all chunks, size in the header, and an end. */
static void check_png(const ik_buf *b, int w, int h) {
  const unsigned char *p = (const unsigned char *)b->data;
  size_t               at = 8;
  bool                 end = false;
  CHECK(b->len > 57 && !memcmp(p, "\x89PNG\r\n\x1a\n", 8));
  CHECK_EQ(big_endian(p + 16), w);
  CHECK_EQ(big_endian(p + 20), h);
  while (at + 12 <= b->len) {
    size_t n = big_endian(p + at);
    CHECK(at + 12 + n <= b->len);
    if (at + 12 + n > b->len) return;
    CHECK_EQ(big_endian(p + at + 8 + n), crc_of(p + at + 4, n + 4));
    end = !memcmp(p + at + 4, "IEND", 4);
    at += 12 + n;
  }
  CHECK(end && at == b->len);
}

typedef struct drawn {
  ik_canvas c;
  ik_box2   in;
} drawn;

static drawn draw(const ik_picture_spec *s) {
  drawn   p = {0};
  ik_diag d = {0};
  ik_buf  png = {0};
  CHECK_EQ(ik_picture_pixels(s, &p.c, &p.in, &d), IK_OK);
  CHECK_EQ(ik_picture_draw(s, &png, &d), IK_OK);
  check_png(&png, p.c.w, p.c.h);
  ik_buf_free(&png);
  ik_diag_free(&d);
  return p;
}

static ik_rgb at(const drawn *p, double fx,
                 double fy) { /* fractions of the data area, from the top */
  int x = p->in.x0 + (int)(fx * (p->in.x1 - p->in.x0)),
      y = p->in.y0 + (int)(fy * (p->in.y1 - p->in.y0));
  return p->c.pixel[y * p->c.w + x];
}

static bool         same(ik_rgb a, ik_rgb b) { return a.r == b.r && a.g == b.g && a.b == b.b; }
static double       light(ik_rgb c) { return ik_colour_to_oklab(c).L; }
static const ik_rgb magenta = {255, 0, 255};

static int count(const drawn *p, ik_rgb c) {
  int n = 0;
  for (int y = p->in.y0; y < p->in.y1; y++)
    for (int x = p->in.x0; x < p->in.x1; x++) n += same(p->c.pixel[y * p->c.w + x], c);
  return n;
}

CASE(y_goes_up_or_down) {
  double          v[] = {0, 0.5, 1, 1.5}; /* y = 0: dark, y = 1: light */
  ik_picture_spec s = {.grid = {v, 2, 2, 0, 0}};
  drawn           p = draw(&s);
  CHECK(light(at(&p, 0.2, 0.8)) < light(at(&p, 0.2, 0.2)));
  CHECK(light(at(&p, 0.2, 0.8)) < light(at(&p, 0.8, 0.8)));
  ik_canvas_free(&p.c);
  s.y_down = true;
  p = draw(&s);
  CHECK(light(at(&p, 0.2, 0.8)) > light(at(&p, 0.2, 0.2)));
  ik_canvas_free(&p.c);
}

CASE(cells_are_whole_blocks) {
  double v[15];
  for (int i = 0; i < 15; i++) v[i] = i * 0.3;
  drawn p = draw(&(ik_picture_spec){.grid = {v, 5, 3, 0, 0}});
  int   w = p.in.x1 - p.in.x0, h = p.in.y1 - p.in.y0;
  CHECK(w % 5 == 0 && h % 3 == 0 && w / 5 == h / 3);
  CHECK(w >= 640 && w <= 1000);
  CHECK_EQ(count(&p, at(&p, 0.5, 0.5)), w / 5 * (h / 3));
  ik_canvas_free(&p.c);
}

CASE(a_cell_not_finite_shows_however_small) {
  enum { NX = 3000, NY = 400 };
  double *v = malloc(sizeof *v * NX * NY);
  for (int i = 0; i < NX * NY; i++) v[i] = i % 1000 * 0.01;
  v[200 * NX + 1500] = NAN;
  v[3] = INFINITY;
  drawn p = draw(&(ik_picture_spec){.grid = {v, NX, NY, 0, 0}});
  int   n = count(&p, magenta);
  CHECK(n >= 2 && n <= 8);
  CHECK(p.in.x1 - p.in.x0 <= 1000);
  CHECK_NEAR((double)(p.in.x1 - p.in.x0) / (p.in.y1 - p.in.y0), 4, 0.05); /* 7.5:1 is stretched */
  ik_canvas_free(&p.c);
  free(v);
}

CASE(large_grids_are_averaged) {
  enum { N = 1600 };
  double *v = malloc(sizeof *v * N * N);
  for (int i = 0; i < N * N; i++)
    v[i] = (i / N + i % N) % 2 ? 1.25 : -1.25; /* mean 0: the middle */
  drawn  p = draw(&(ik_picture_spec){.grid = {v, N, N, 0, 0}});
  ik_rgb table[IK_COLOUR_STEPS];
  ik_colour_table(IK_COLOUR_DIVERGING, table);
  CHECK(light(at(&p, 0.3, 0.7)) > 0.93);
  CHECK_NEAR(light(at(&p, 0.3, 0.7)), light(table[IK_COLOUR_STEPS / 2]), 0.03);
  ik_canvas_free(&p.c);
  free(v);
}

CASE(ratio_of_lengths_is_kept) {
  static double   v[40 * 20];
  ik_picture_spec s = {.grid = {v, 40, 20, 0, 0},
                       .x = {.unit = "m", .spacing = 1},
                       .y = {.unit = "m", .spacing = 4}};
  for (int i = 0; i < 800; i++) v[i] = i * 0.1;
  drawn p = draw(&s);
  CHECK_NEAR((double)(p.in.x1 - p.in.x0) / (p.in.y1 - p.in.y0), 0.5, 0.05);
  ik_canvas_free(&p.c);
  s.y.unit = "s"; /* no common scale */
  p = draw(&s);
  CHECK_NEAR((double)(p.in.x1 - p.in.x0) / (p.in.y1 - p.in.y0), 4.0 / 3, 0.15);
  ik_canvas_free(&p.c);
}

CASE(rows_and_columns_are_lines) {
  double v[200];
  for (int i = 0; i < 200; i++) v[i] = sin(i * 0.1);
  drawn  row = draw(&(ik_picture_spec){.grid = {v, 200, 1, 0, 0}});
  drawn  column = draw(&(ik_picture_spec){.grid = {v, 1, 200, 0, 0}});
  ik_rgb ink = ik_colour_line(0, false);
  CHECK(count(&row, ink) > 400);
  CHECK_EQ(count(&row, ink), count(&column, ink));
  ik_canvas_free(&row.c);
  ik_canvas_free(&column.c);
}

CASE(a_long_line_shows_its_spikes) {
  enum { N = 1000000 };
  double *v = calloc(N, sizeof *v);
  v[654321] = 1;
  drawn  p = draw(&(ik_picture_spec){.grid = {v, N, 1, 0, 0}});
  ik_rgb ink = ik_colour_line(0, false);
  int    high = 0;
  for (int x = p.in.x0; x < p.in.x1; x++) {
    ik_rgb c = p.c.pixel[(p.in.y0 + p.in.y1) / 2 * p.c.w + x];
    high += light(c) < 0.5 * (1 + light(ink)) && c.b > c.r;
  }
  CHECK(high >= 1 && high <= 3);
  ik_canvas_free(&p.c);
  free(v);
}

LONG_CASE(degenerate_fields) {
  const double  odd[] = {0, 3.5, NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e-300, 5e-324, 1.7e308};
  const int     shape[][2] = {{1, 1}, {1, 7}, {7, 1}, {2, 2}, {1, 5000}, {2, 1500}};
  static double v[5000];
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
      int n = shape[k][0] * shape[k][1];
      for (int j = 0; j < n; j++) v[j] = odd[i];
      drawn p = draw(&(ik_picture_spec){.grid = {v, shape[k][0], shape[k][1], 0, 0}});
      bool  line = (shape[k][0] == 1) != (shape[k][1] == 1);
      int   area = (p.in.x1 - p.in.x0) * (p.in.y1 - p.in.y0);
      if (!line) CHECK_EQ(count(&p, magenta), isfinite(odd[i]) ? 0 : area);
      ik_canvas_free(&p.c);
    }
}

CASE(mixed_sizes) {
  double v[] = {1e300, -1e300, 1e-300, NAN, 0, INFINITY, 1, -1, 5e-324};
  drawn  p = draw(&(ik_picture_spec){
       .grid = {v, 3, 3, 0, 0}, .x = {"x", "m", 1e300, 1e-300, 0}, .y = {"y", NULL, NAN, -1, 0}});
  CHECK_NEAR(count(&p, magenta), (p.in.x1 - p.in.x0) * (p.in.y1 - p.in.y0) * 2 / 9, 4);
  ik_canvas_free(&p.c);
}

CASE(limits_cut) {
  double v[] = {0.1, 0.2, 0.3, 50};
  drawn  free_range = draw(&(ik_picture_spec){.grid = {v, 2, 2, 0, 0}});
  drawn  cut =
      draw(&(ik_picture_spec){.grid = {v, 2, 2, 0, 0}, .limited = true, .lo = 0.1, .hi = 0.3});
  CHECK(light(at(&cut, 0.2, 0.2)) > 0.9);        /* 0.3 is at the top of the range */
  CHECK(light(at(&free_range, 0.2, 0.2)) < 0.3); /* and nothing beside 50 */
  CHECK(same(at(&cut, 0.2, 0.2), at(&cut, 0.8, 0.2)));
  ik_canvas_free(&cut.c);
  ik_canvas_free(&free_range.c);
}

CASE(long_texts_wrap) {
  char long_text[2000];
  memset(long_text, 'x', sizeof long_text - 1), long_text[sizeof long_text - 1] = 0;
  drawn plain = draw(&(ik_picture_spec){.grid = {(double[]){1.5, 2, 2.5, 3}, 2, 2, 0, 0}});
  drawn one_word = draw(
      &(ik_picture_spec){.grid = {(double[]){1.5, 2, 2.5, 3}, 2, 2, 0, 0}, .caption = long_text});
  for (int i = 9; i < 1999; i += 10) long_text[i] = ' ';
  drawn words = draw(&(ik_picture_spec){
      .grid = {(double[]){1.5, 2, 2.5, 3}, 2, 2, 0, 0}, .title = long_text, .caption = long_text});
  CHECK_EQ(words.c.w, plain.c.w);
  CHECK(words.c.h > plain.c.h + 500);
  CHECK(one_word.c.h > plain.c.h && one_word.c.h < words.c.h);
  ik_canvas_free(&plain.c);
  ik_canvas_free(&one_word.c);
  ik_canvas_free(&words.c);
}

CASE(nothing_to_draw) {
  ik_diag d = {0};
  ik_buf  png = {0};
  double  v = 0;
  CHECK_EQ(ik_picture_draw(&(ik_picture_spec){.grid = {&v, 0, 5, 0, 0}}, &png, &d), IK_ERR_SOURCE);
  CHECK_EQ(d.msg[0].code, IK_E022);
  CHECK_EQ(png.len, 0);
  ik_diag_free(&d);
}

CASE(a_file_that_cannot_be_written) {
  ik_diag d = {0};
  double  v[] = {1, 2, 3, 4};
  CHECK(ik_picture_write(&(ik_picture_spec){.grid = {v, 2, 2, 0, 0}}, "/nonexistent/p.png", &d) !=
        IK_OK);
  CHECK_EQ(d.msg[0].code, IK_E064);
  ik_diag_free(&d);
}

CASE(out_of_memory) {
  double          v[] = {-1, 2, 3, 4};
  ik_picture_spec s = {
      .grid = {v, 2, 2, 0, 0}, .x.name = "x", .y.name = "y", .name = "p", .caption = "step 3"};
  ik_status last = IK_ERR_RESOURCE;
  int       n = 0;
  for (; last && n < 200; n++) {
    ik_diag d = {0};
    ik_buf  png = {0};
    ik_mem_fail_after(n);
    last = ik_picture_draw(&s, &png, &d);
    ik_mem_fail_after(-1);
    if (last) CHECK_EQ(last, IK_ERR_RESOURCE);
    ik_buf_free(&png);
    ik_diag_free(&d);
  }
  CHECK(n > 5 && n < 200);
}
