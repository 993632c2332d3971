#include "check.h"
#include "model/hextile.h"
#include <math.h>
#include <stdlib.h>

static const ik_hex_machine gtx980 = {.sms = 16,
                                      .vector_units = 128,
                                      .shared_words = 24576,
                                      .block_words = 12288,
                                      .max_blocks = 32,
                                      .word_s = 7.36e-3 * 4e-9,
                                      .sync_s = 7.96e-10,
                                      .launch_s = 9.24e-7};
static const ik_hex_problem gradient = {
    .dims = 2, .s = {8192, 8192}, .steps = 8192, .iter_s = 6.09e-8};

static bool fits(int dims, int a, int b, int c, int t) {
  int64_t v = 2 * (int64_t)(a + t + 1) * (b + t + 1) * (dims == 3 ? c + t + 1 : 1);
  return v <= 12288;
}

/* Compares the list with four plain loops; one-axis sizes go far beyond what fits. */
static void check_all(int dims, int expected) {
  ik_hextile_list l;
  int             n = 0, wrong = 0, most = dims == 3 ? 512 : 1;
  CHECK(ik_hextile_all(dims, 12288, &l));
  for (int a = 1; a <= 512; a++)
    for (int b = dims == 3 ? 1 : 32; b <= 2048; b += dims == 3 ? 1 : 32)
      for (int c = dims == 3 ? 32 : 1; c <= most; c += 32)
        for (int t = 2; t <= 128 && fits(dims, a, b, c, t); t += 2, n++)
          wrong += n >= l.n || l.tile[n].s[0] != a || l.tile[n].s[1] != b || l.tile[n].t != t ||
                   (dims == 3 && l.tile[n].s[2] != c);
  CHECK_EQ(wrong, 0);
  CHECK_EQ(n, l.n);
  CHECK_EQ(n, expected);
  ik_hextile_list_free(&l);
}

CASE(all_tiles_of_two_dimensions) { check_all(2, 5373); }
CASE(all_tiles_of_three_dimensions) { check_all(3, 805); }

CASE(row_sums_in_one_go) {
  for (int dims = 1; dims <= 3; dims++) {
    ik_hextile_list l;
    CHECK(ik_hextile_all(dims, dims == 1 ? 600 : 6000, &l));
    int64_t sum[4096];
    CHECK(l.n > 100 && l.n <= 4096);
    if (l.n <= 4096) ik_hextile_row_sums(dims, &l, 96, sum);
    for (int i = 0; i < l.n && i < 4096; i++)
      CHECK_EQ(sum[i], ik_hex_row_sum(dims, &l.tile[i], 96));
    ik_hextile_list_free(&l);
  }
}

/* The thesis measures 16.5 s for its chosen tile of this problem. */
CASE(gradient_has_its_minimum) {
  ik_hextile_set       s;
  const ik_hex_reading exact = {0};
  CHECK(ik_hextile_search(&gradient, &gtx980, &exact, 0.1, &s));
  CHECK_EQ(s.tried, 5373);
  CHECK(s.n >= 446 && s.n <= 1887);
  CHECK_NEAR(s.near[0].time_s, 16.50313346, 5e-9);
  CHECK_EQ(s.near[0].tile.s[0], 16);
  CHECK_EQ(s.near[0].tile.s[1], 64);
  CHECK_EQ(s.near[0].tile.t, 34);
  CHECK_EQ(s.near[0].k, 2);
  for (int i = 1; i < s.n; i++) CHECK(s.near[i - 1].time_s <= s.near[i].time_s);
  CHECK(s.near[s.n - 1].time_s <= 1.1 * s.near[0].time_s);
  ik_hextile_set_free(&s);
}

CASE(device_link) {
  ik_hextile_set       s;
  const ik_hex_reading r = {.link = IK_HEX_LINK_DEVICE};
  CHECK(ik_hextile_search(&gradient, &gtx980, &r, 0.1, &s));
  CHECK_NEAR(s.near[0].time_s, 16.428, 5e-4);
  CHECK(s.n >= 957 && s.n <= 2815);
  ik_hextile_set_free(&s);
}

/* As printed the model leaves half of the work out for the thinnest tiles, and so prefers them. */
CASE(the_literal_reading_degenerates) {
  ik_hextile_set       s;
  const ik_hex_reading r = {.pitch = IK_HEX_PITCH_A6, .link = IK_HEX_LINK_DEVICE};
  CHECK(ik_hextile_search(&gradient, &gtx980, &r, 0.1, &s));
  CHECK_NEAR(s.near[0].time_s, 8.381, 5e-4);
  CHECK_EQ(s.near[0].tile.s[0], 1);
  CHECK_EQ(s.near[0].tile.s[1], 640);
  CHECK_EQ(s.near[0].tile.t, 2);
  CHECK(s.n >= 12 && s.n <= 16);
  ik_hextile_set_free(&s);
}

/* All 80 experiments of two dimensions: 4 stencils, 10 sizes, two GPUs; ranges of how many tiles
 * are within 10 %. */
typedef struct range {
  int low, high, n;
} range;

static const double c_iter[2][4] = {{3.39e-8, 3.68e-8, 3.11e-8, 6.09e-8},
                                    {3.83e-8, 4.23e-8, 3.81e-8, 7.60e-8}};

static range near_sets(const ik_hex_reading *r) {
  ik_hex_machine titanx = gtx980;
  titanx.sms = 24, titanx.word_s = 5.42e-3 * 4e-9;
  titanx.sync_s = 6.74e-10, titanx.launch_s = 9e-7;
  const ik_hex_machine *m[] = {&gtx980, &titanx};
  range                 out = {1 << 30, 0, 0};
  for (int i = 0; i < 80; i++) {
    int            gpu = i % 2, stencil = i / 2 % 4, size = i / 8;
    int64_t        side = size < 5 ? 4096 : 8192;
    ik_hex_problem p = {.dims = 2, .s = {side, side}, .steps = 1024 << size % 5};
    ik_hextile_set s;
    p.iter_s = c_iter[gpu][stencil];
    CHECK(ik_hextile_search(&p, m[gpu], r, 0.1, &s));
    out.low = s.n < out.low ? s.n : out.low, out.high = s.n > out.high ? s.n : out.high;
    out.n++;
    ik_hextile_set_free(&s);
  }
  return out;
}

CASE(eighty_experiments) {
  const struct {
    ik_hex_reading r;
    int            low, high;
  } row[] = {
      {{IK_HEX_PITCH_A6, IK_HEX_LINK_DEVICE, IK_HEX_K_BEST, 0}, 12, 16},
      {{IK_HEX_PITCH_EXACT, IK_HEX_LINK_DEVICE, IK_HEX_K_BEST, 0}, 957, 2815},
      {{IK_HEX_PITCH_A6, IK_HEX_LINK_SHARED, IK_HEX_K_BEST, 0}, 44, 742},
      {{IK_HEX_PITCH_EXACT, IK_HEX_LINK_SHARED, IK_HEX_K_BEST, 0}, 446, 1887},
      {{IK_HEX_PITCH_A6, IK_HEX_LINK_DEVICE, IK_HEX_K_MAX, 0}, 12, 26},
      {{IK_HEX_PITCH_EXACT, IK_HEX_LINK_DEVICE, IK_HEX_K_MAX, 0}, 416, 1625},
      {{IK_HEX_PITCH_A6, IK_HEX_LINK_SHARED, IK_HEX_K_MAX, 0}, 51, 728},
      {{IK_HEX_PITCH_EXACT, IK_HEX_LINK_SHARED, IK_HEX_K_MAX, 0}, 250, 1345},
  };
  for (int i = 0; i < 8; i++) {
    range got = near_sets(&row[i].r);
    CHECK_EQ(got.low, row[i].low);
    CHECK_EQ(got.high, row[i].high);
  }
}

CASE(one_dimension) {
  const ik_hex_problem p = {.dims = 1, .s = {1 << 20}, .steps = 4096, .iter_s = 3.39e-8};
  const ik_hex_reading r = {0};
  ik_hextile_set       s;
  CHECK(ik_hextile_search(&p, &gtx980, &r, 0.1, &s));
  CHECK(s.n > 0 && s.near[0].time_s >= ik_hex_ideal(&p, &gtx980));
  ik_hex_time again = ik_hex_time_of(&p, &gtx980, &s.near[0].tile, &r, 0);
  CHECK(again.time_s == s.near[0].time_s && again.k == s.near[0].k);
  ik_hextile_set_free(&s);
}

/* What is not tried is not missed: the same as by trying all, where steps are few and where they
 * are many, and for every reading of the width. */
static void check_search(const ik_hex_problem *p, const ik_hex_reading *r) {
  ik_hextile_list l;
  ik_hextile_set  s;
  double          least = INFINITY;
  int             n = 0, fit = 0;
  CHECK(ik_hextile_all(p->dims, gtx980.block_words, &l));
  CHECK(ik_hextile_search(p, &gtx980, r, 0.1, &s));
  double *time = malloc(sizeof *time * (size_t)l.n);
  for (int i = 0; i < l.n; i++) {
    time[i] = ik_hex_time_of(p, &gtx980, &l.tile[i], r, 0).time_s;
    least = time[i] < least ? time[i] : least, fit += isfinite(time[i]);
  }
  for (int i = 0; i < l.n; i++) n += time[i] <= least * 1.1;
  CHECK(s.tried <= fit && s.n == n && s.near[0].time_s == least);
  free(time);
  ik_hextile_list_free(&l);
  ik_hextile_set_free(&s);
}

CASE(a_bound_saves_trials_and_misses_nothing) {
  for (int dims = 2; dims <= 3; dims++)
    for (int64_t side = 16; side <= 4096; side *= 16)
      for (int64_t steps = 1; steps <= 4096; steps *= 8) {
        ik_hex_problem p = {.dims = dims, .s = {side, side, side}, .steps = steps, .iter_s = 3e-8};
        for (int pitch = 0; pitch < 3; pitch++)
          check_search(&p, &(ik_hex_reading){.pitch = (ik_hex_pitch)pitch});
      }
  ik_hex_problem line = {.dims = 1, .s = {100000}, .steps = 200, .iter_s = 1e-8};
  ik_hextile_set s;
  check_search(&line, &(ik_hex_reading){0});
  CHECK(ik_hextile_search(&line, &gtx980, &(ik_hex_reading){0}, 0.1, &s));
  CHECK(s.tried < 60000); /* of 295000 */
  ik_hextile_set_free(&s);
}

CASE(nothing_fits) {
  const ik_hex_reading r = {0};
  ik_hex_machine       tiny = gtx980;
  ik_hextile_set       s;
  tiny.block_words = 100;
  CHECK(ik_hextile_search(&gradient, &tiny, &r, 0.1, &s));
  CHECK_EQ(s.n, 0);
  ik_hextile_set_free(&s);
  tiny.block_words = -1, tiny.vector_units = 0;
  CHECK(ik_hextile_search(&gradient, &tiny, &r, 0.1, &s));
  CHECK_EQ(s.n, 0);
  ik_hextile_set_free(&s);
  ik_hex_problem four = gradient;
  four.dims = 4;
  CHECK(ik_hextile_search(&four, &gtx980, &r, 0.1, &s));
  CHECK_EQ(s.n, 0);
  ik_hextile_set_free(&s);
}
