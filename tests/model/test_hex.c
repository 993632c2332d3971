/* Worked examples of appendix A, computed by hand from its equations, and what must always hold. */
#include "check.h"
#include "model/hex.h"

static const ik_hex_machine gtx980 = {.sms = 16,
                                      .vector_units = 128,
                                      .shared_words = 24576,
                                      .block_words = 12288,
                                      .max_blocks = 32,
                                      .word_s = 7.36e-3 * 4e-9,
                                      .sync_s = 7.96e-10,
                                      .launch_s = 9.24e-7};

static const ik_hex_reading literal = {.pitch = IK_HEX_PITCH_A6, .link = IK_HEX_LINK_DEVICE};
static const ik_hex_reading exact = {0};

#define CHECK_REL(a, b) CHECK_NEAR(a, b, 1e-12 * fabs(b))

static void check_parts(const ik_hex_time *t, int64_t waves, int64_t width, int64_t moved,
                        int64_t row_sum, int64_t words, int64_t slabs) {
  CHECK_EQ(t->waves, waves);
  CHECK_EQ(t->width, width);
  CHECK_EQ(t->moved_words, moved);
  CHECK_EQ(t->row_sum, row_sum);
  CHECK_EQ(t->tile_words, words);
  CHECK_EQ(t->slabs, slabs);
}

CASE(wavefronts) {
  CHECK_EQ(ik_hex_waves_of(100, 16, IK_HEX_WAVES_EXACT), 14);
  CHECK_EQ(ik_hex_waves_of(104, 16, IK_HEX_WAVES_EXACT), 14);
  CHECK_EQ(ik_hex_waves_of(105, 16, IK_HEX_WAVES_EXACT), 15);
  CHECK_EQ(ik_hex_waves_of(96, 16, IK_HEX_WAVES_EXACT), 13);
  CHECK_EQ(ik_hex_waves_of(105, 16, IK_HEX_WAVES_USED), 14);
  CHECK_EQ(ik_hex_waves_of(96, 16, IK_HEX_WAVES_USED), 12);
}

CASE(pitches_cover_what_they_cover) {
  const ik_hex_tile small = {.s = {1}, .t = 2}, large = {.s = {8}, .t = 16};
  const struct {
    ik_hex_pitch r;
    double       small, large;
  } row[] = {
      {IK_HEX_PITCH_A6, 0.5, 0.9375}, {IK_HEX_PITCH_A23, 2. / 3, 1.25}, {IK_HEX_PITCH_EXACT, 1, 1}};
  for (int i = 0; i < 3; i++) {
    CHECK_REL(2. / (double)ik_hex_pitch_of(&small, row[i].r), row[i].small);
    CHECK_REL(16. * 15 / (8. * (double)ik_hex_pitch_of(&large, row[i].r)), row[i].large);
  }
}

CASE(one_dimension) {
  const ik_hex_problem p = {.dims = 1, .s = {65536}, .steps = 1024, .iter_s = 3.39e-8};
  const ik_hex_tile    tile = {.s = {64}, .t = 16};
  ik_hex_time          t = ik_hex_time_of(&p, &gtx980, &tile, &literal, 1);
  check_parts(&t, 128, 456, 192, 8, 160, 1);
  CHECK_REL(t.transfer_s, 7.24448e-9);
  CHECK_REL(t.compute_s, 5.55136e-7);
  CHECK_EQ(t.max_k, 32);
  CHECK_REL(t.batch_s, 5.6238048e-7);
  CHECK_EQ(t.rounds, 29);
  CHECK_REL(t.time_s, 2.20582834176e-3);
  t = ik_hex_time_of(&p, &gtx980, &tile, &literal, 4);
  CHECK_REL(t.batch_s, 2.22778848e-6);
  CHECK_EQ(t.rounds, 8);
  CHECK_REL(t.time_s, 2.39952740352e-3);
}

CASE(jacobi_in_two_dimensions) {
  const ik_hex_problem p = {.dims = 2, .s = {4096, 4096}, .steps = 1024, .iter_s = 3.39e-8};
  const ik_hex_tile    tile = {.s = {8, 64}, .t = 16};
  ik_hex_time          t = ik_hex_time_of(&p, &gtx980, &tile, &literal, 6);
  check_parts(&t, 128, 128, 5120, 60, 4050, 65);
  CHECK_EQ(t.volume, 15360);
  CHECK_REL(t.transfer_s, 1.523248e-7);
  CHECK_REL(t.compute_s, 4.080736e-6);
  CHECK_EQ(t.max_k, 6);
  CHECK_REL(t.batch_s, 1.5916393648e-3);
  CHECK_EQ(t.rounds, 2);
  CHECK_REL(t.time_s, 0.4075779493888);
  t = ik_hex_time_of(&p, &gtx980, &tile, &literal, 1);
  CHECK_REL(t.batch_s, 2.75148952e-4);
  CHECK_EQ(t.rounds, 8);
  CHECK_REL(t.time_s, 0.281870798848);
  t = ik_hex_time_of(&p, &gtx980, &tile, &exact, 6);
  CHECK_EQ(t.width, 137);
  CHECK_REL(t.transfer_s, 2.4133168e-6);
  CHECK_REL(t.time_s, 0.4081567633408);
  CHECK_EQ(ik_hex_time_of(&p, &gtx980, &tile, &literal, 7).k, 0); /* there is no room for 7 */
}

CASE(gradient_in_two_dimensions) {
  const ik_hex_problem p = {.dims = 2, .s = {8192, 8192}, .steps = 8192, .iter_s = 6.09e-8};
  const ik_hex_tile    tile = {.s = {16, 64}, .t = 34};
  ik_hex_time          t = ik_hex_time_of(&p, &gtx980, &tile, &exact, 0);
  check_parts(&t, 482, 128, 10752, 272, 10098, 129);
  CHECK_EQ(t.k, 2);
  CHECK_REL(t.transfer_s, 5.06621408e-6);
  CHECK_REL(t.compute_s, 3.3156664e-5);
  CHECK_REL(t.batch_s, 8.55948552608e-3);
  CHECK_EQ(t.rounds, 4);
  CHECK_NEAR(t.time_s, 16.50313346, 5e-9);
}

CASE(heat_in_three_dimensions) {
  const ik_hex_problem p = {.dims = 3, .s = {384, 384, 384}, .steps = 128, .iter_s = 1.55e-7};
  const ik_hex_tile    tile = {.s = {4, 8, 32}, .t = 4};
  ik_hex_reading       r = literal;
  r.k = IK_HEX_K_MAX;
  ik_hex_time t = ik_hex_time_of(&p, &gtx980, &tile, &r, 0);
  check_parts(&t, 64, 32, 6144, 20, 8658, 589);
  CHECK_EQ(t.k, 2);
  CHECK_REL(t.transfer_s, 1.8247136e-7);
  CHECK_REL(t.compute_s, 6.203184e-6);
  CHECK_REL(t.batch_s, 7.3075332233599995e-3);
  CHECK_REL(t.time_s, 0.46774126229504);
  const struct {
    ik_hex_pitch pitch;
    int          width;
  } other[] = {{IK_HEX_PITCH_EXACT, 39}, {IK_HEX_PITCH_A23, 48}};
  for (int i = 0; i < 2; i++) {
    r.pitch = other[i].pitch;
    t = ik_hex_time_of(&p, &gtx980, &tile, &r, 0);
    CHECK_EQ(t.width, other[i].width);
    CHECK_EQ(t.rounds, 2);
    CHECK_NEAR(t.time_s, 0.93542338859, 5e-12);
  }
}

CASE(ideal_times) {
  ik_hex_problem p = {.dims = 2, .s = {4096, 4096}, .steps = 4096, .iter_s = 3.39e-8};
  CHECK_REL(ik_hex_ideal(&p, &gtx980), 1.1374952448);
  p.steps = 1024;
  CHECK_REL(ik_hex_ideal(&p, &gtx980), 0.2843738112);
  p = (ik_hex_problem){.dims = 2, .s = {8192, 8192}, .steps = 8192, .iter_s = 6.09e-8};
  CHECK_REL(ik_hex_ideal(&p, &gtx980), 16.3477192704);
}

/* ---- what must always hold ---- */

static uint64_t seed = 88172645463325252u;

static int draw(int lo, int hi) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return lo + (int)(seed % (uint64_t)(hi - lo + 1));
}

static void draw_case(ik_hex_problem *p, ik_hex_machine *m, ik_hex_tile *t) {
  int d = draw(1, 3), size = d == 1 ? 100000 : d == 2 ? 5000 : 500;
  *p = (ik_hex_problem){.dims = d, .s = {draw(1, size), draw(1, size), draw(1, size)}};
  p->steps = draw(1, 2000), p->iter_s = 1e-9 * draw(1, 200);
  *m = gtx980;
  m->sms = draw(1, 40), m->vector_units = draw(1, 300);
  *t = (ik_hex_tile){.s = {draw(1, 20), draw(1, 40), draw(1, 20)}, .t = 2 * draw(1, 8)};
}

CASE(never_faster_than_ideal_by_the_default_reading) {
  int seen = 0;
  for (int i = 0; i < 20000; i++) {
    ik_hex_problem p;
    ik_hex_machine m;
    ik_hex_tile    tile;
    draw_case(&p, &m, &tile);
    ik_hex_time t = ik_hex_time_of(&p, &m, &tile, &exact, 0);
    if (!t.k) continue;
    seen++;
    CHECK(t.time_s >= ik_hex_ideal(&p, &m) * (1 - 1e-12));
  }
  CHECK(seen > 5000);
}

CASE(faster_parts_never_predict_slower) {
  for (int i = 0; i < 5000; i++) {
    ik_hex_problem p;
    ik_hex_machine m;
    ik_hex_tile    tile;
    draw_case(&p, &m, &tile);
    double before = ik_hex_time_of(&p, &m, &tile, &exact, 0).time_s;
    if (isinf(before)) continue;
    ik_hex_machine wide = m, large = m, quick = m;
    wide.word_s /= 2, large.shared_words *= 2, quick.sync_s /= 2, quick.launch_s /= 2;
    CHECK(ik_hex_time_of(&p, &wide, &tile, &exact, 0).time_s <= before);
    CHECK(ik_hex_time_of(&p, &large, &tile, &exact, 0).time_s <= before);
    CHECK(ik_hex_time_of(&p, &quick, &tile, &exact, 0).time_s <= before);
    wide = m, wide.vector_units *= 2;
    CHECK(ik_hex_time_of(&p, &wide, &tile, &exact, 0).time_s <= before);
  }
}

CASE(best_k_is_the_least_of_all) {
  ik_hex_reading most = exact;
  most.k = IK_HEX_K_MAX;
  for (int i = 0; i < 3000; i++) {
    ik_hex_problem p;
    ik_hex_machine m;
    ik_hex_tile    tile;
    draw_case(&p, &m, &tile);
    ik_hex_time best = ik_hex_time_of(&p, &m, &tile, &exact, 0);
    double      least = INFINITY;
    for (int k = 1; k <= best.max_k; k++)
      least = fmin(least, ik_hex_time_of(&p, &m, &tile, &exact, k).time_s);
    CHECK(best.time_s == least);
    CHECK(ik_hex_time_of(&p, &m, &tile, &most, 0).time_s >= least);
  }
}

/* Tiles x volume = points x steps where everything divides. */
CASE(the_exact_pitch_conserves_iterations) {
  const ik_hex_problem p = {.dims = 1, .s = {30 * 40}, .steps = 160, .iter_s = 1e-8};
  const ik_hex_tile    tile = {.s = {8}, .t = 16};
  ik_hex_time          t = ik_hex_time_of(&p, &gtx980, &tile, &exact, 1);
  CHECK_EQ(t.waves * t.width * t.volume, 1200 * 160);
}

CASE(use_of_resources) {
  const ik_hex_problem p = {.dims = 2, .s = {8192, 8192}, .steps = 8192, .iter_s = 6.09e-8};
  const ik_hex_tile    tile = {.s = {16, 64}, .t = 34};
  ik_hex_time          t = ik_hex_time_of(&p, &gtx980, &tile, &exact, 0);
  ik_hex_use           u = ik_hex_use_of(&p, &gtx980, &t);
  CHECK_NEAR(u.compute, 1, 0);
  CHECK_REL(u.transfer, 5.06621408e-6 / 3.3156664e-5);
  CHECK_REL(u.shared, 2 * 10098. / 24576);
  CHECK_REL(u.blocks, 2. / 32);
  CHECK_NEAR(u.lanes, 1, 0);
  CHECK_NEAR(u.places, 1, 0);
  CHECK_REL(u.ideal, 16.3477192704 / t.time_s);
}

CASE(odd_input_has_no_time) {
  const ik_hex_problem p = {.dims = 2, .s = {100, 100}, .steps = 10, .iter_s = 1e-8};
  const ik_hex_tile    tile = {.s = {4, 32}, .t = 4};
  ik_hex_problem       bad[] = {p, p, p, p, p, p, p, p};
  bad[0].dims = 0, bad[1].dims = 4, bad[2].s[1] = 0, bad[3].steps = -1, bad[4].iter_s = NAN;
  bad[5].iter_s = -1, bad[6].s[0] = INT64_MAX, bad[7].steps = INT64_MIN;
  for (int i = 0; i < 8; i++) {
    CHECK_EQ(ik_hex_time_of(&bad[i], &gtx980, &tile, &exact, 0).k, 0);
    CHECK(isinf(ik_hex_time_of(&bad[i], &gtx980, &tile, &exact, 0).time_s));
    CHECK(isinf(ik_hex_ideal(&bad[i], &gtx980)));
  }
  const ik_hex_tile odd[] = {{.s = {4, 32}, .t = 3},
                             {.s = {0, 32}, .t = 4},
                             {.s = {4, 32}, .t = 0},
                             {.s = {4, -32}, .t = 4},
                             {.s = {INT32_MAX, INT32_MAX}, .t = INT32_MAX - 1},
                             {.s = {400, 320}, .t = 4}};
  for (int i = 0; i < 6; i++) CHECK_EQ(ik_hex_time_of(&p, &gtx980, &odd[i], &exact, 0).k, 0);
  ik_hex_machine none = gtx980, slow = gtx980;
  none.sms = 0, slow.word_s = INFINITY;
  CHECK_EQ(ik_hex_time_of(&p, &none, &tile, &exact, 0).k, 0);
  CHECK_EQ(ik_hex_time_of(&p, &slow, &tile, &exact, 0).k, 0);
}

CASE(the_smallest_problem) {
  const ik_hex_problem p = {.dims = 3, .s = {1, 1, 1}, .steps = 1, .iter_s = 1e-8};
  const ik_hex_tile    tile = {.s = {1, 1, 1}, .t = 2};
  ik_hex_time          t = ik_hex_time_of(&p, &gtx980, &tile, &exact, 0);
  CHECK_EQ(t.k, 1);
  CHECK_EQ(t.waves, 2);
  CHECK_EQ(t.width, 1);
  CHECK_EQ(t.slabs, 9);
  CHECK(t.time_s > 0 && t.time_s < 1e-3);
}

CASE(the_largest_problem) {
  const int64_t        n = IK_HEX_LIMIT;
  const ik_hex_problem p = {.dims = 3, .s = {n, n, n}, .steps = n, .iter_s = 1e-8};
  const ik_hex_tile    tile = {.s = {1, 1, 1}, .t = 2};
  ik_hex_time          t = ik_hex_time_of(&p, &gtx980, &tile, &exact, 0);
  CHECK(t.k > 0);
  CHECK_EQ(t.slabs, (n + 2) * (n + 2));
  CHECK(t.time_s >= ik_hex_ideal(&p, &gtx980) && isfinite(t.time_s));
}

/* Points of several words: more room, more to move, the same work. */
CASE(words_of_a_point) {
  ik_hex_problem p = {.dims = 2, .s = {4096, 4096}, .steps = 1024, .iter_s = 3.39e-8};
  ik_hex_tile    t = {.s = {8, 64}, .t = 16};
  ik_hex_time    none = ik_hex_time_of(&p, &gtx980, &t, &exact, 1);
  p.words = 1;
  ik_hex_time one = ik_hex_time_of(&p, &gtx980, &t, &exact, 1);
  p.words = 2;
  ik_hex_time two = ik_hex_time_of(&p, &gtx980, &t, &exact, 1);
  CHECK(one.k == 1 && one.time_s == none.time_s && two.time_s > one.time_s);
  CHECK_EQ(two.tile_words, 2 * one.tile_words);
  CHECK_EQ(two.moved_words, 2 * one.moved_words);
  CHECK(two.compute_s == one.compute_s);
  CHECK_EQ(two.max_k, one.max_k / 2);
  for (int i = 0; i < 2; i++) {
    p.words = i ? 1 << 20 : -1;
    CHECK(isinf(ik_hex_time_of(&p, &gtx980, &t, &exact, 0).time_s));
  }
}
