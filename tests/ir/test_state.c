#include "../check.h"
#include "base/hash.h"
#include "base/mem.h"
#include "ir/state.h"

/* u: f64 4x3 with u' and two levels; t: a TEMP that starts below 0; p: f32 along y alone. */
static ik_field fields[3];
static ik_ir    ir;

static void make_ir(void) {
  fields[0] = (ik_field){.name = "u",
                         .type = IK_F64,
                         .on = {true, true},
                         .history = 2,
                         .has_new = true,
                         .box = {{0, 0, 0}, {4, 3, 1}}};
  fields[1] = (ik_field){.name = "t",
                         .kind = IK_FIELD_TEMP,
                         .type = IK_BF16,
                         .on = {true, true},
                         .history = 1,
                         .box = {{-1, 0, 0}, {5, 3, 1}}};
  fields[2] = (ik_field){.name = "p",
                         .type = IK_F32,
                         .on = {false, true},
                         .history = 1,
                         .box = {{0, 0, 0}, {1, 3, 1}}};
  ir = (ik_ir){
      .name = "test", .ndim = 2, .n = {4, 3, 1}, .nfield = 3, .field = fields, .nscalar = 2};
}

static ik_state *make(void) {
  ik_diag   d = {0};
  ik_state *s = NULL;
  make_ir();
  CHECK_EQ(ik_state_create(&ir, &d, &s), IK_OK);
  ik_diag_free(&d);
  return s;
}

static int64_t *cell(int64_t x, int64_t y) {
  static int64_t at[IK_MAX_DIM];
  at[0] = x, at[1] = y;
  return at;
}

CASE(plans_its_size) {
  make_ir();
  CHECK_EQ(ik_state_field_bytes(&ir, 0), 3 * 12 * 8);
  CHECK_EQ(ik_state_field_bytes(&ir, 1), 18 * 2);
  CHECK_EQ(ik_state_field_bytes(&ir, 2), 3 * 4);
  long fixed = 40 + 3 * 672 + 2 * (long)sizeof(double);
  CHECK_EQ(ik_state_bytes(&ir), 288 + 12 + fixed); /* the temporary is an engine's business */
}

CASE(notices_sizes_that_overflow) {
  ik_diag   d = {0};
  ik_state *s = NULL;
  make_ir();
  for (int k = 0; k < 2; k++) fields[0].box.hi[k] = INT64_C(1) << 31;
  CHECK_EQ(ik_state_field_bytes(&ir, 0), -1);
  fields[0].type = IK_BOOL; /* 2^62 for a level, too much for three */
  CHECK_EQ(ik_state_field_bytes(&ir, 0), -1);
  fields[0].has_new = false, fields[0].history = 1;
  CHECK_EQ(ik_state_field_bytes(&ir, 0), INT64_C(1) << 62);
  fields[2] = fields[0];
  CHECK_EQ(ik_state_bytes(&ir), -1);
  CHECK_EQ(ik_state_create(&ir, &d, &s), IK_ERR_RESOURCE);
  CHECK(!s && d.nmsg == 1 && d.msg[0].code == IK_E072);
  fields[0].box.lo[0] = -INT64_MAX;
  CHECK_EQ(ik_state_field_bytes(&ir, 0), -1);
  fields[0].box.hi[0] = fields[0].box.lo[0];
  CHECK_EQ(ik_state_field_bytes(&ir, 0), 0);
  ik_diag_free(&d);
}

CASE(gives_back_everything_when_memory_runs_out) {
  make_ir();
  for (int n = 0; n < 8; n++) {
    ik_diag   d = {0};
    ik_state *s = NULL;
    ik_mem_fail_after(n);
    ik_status bad = ik_state_create(&ir, &d, &s);
    ik_mem_fail_after(-1);
    CHECK_EQ(bad, IK_ERR_RESOURCE);
    CHECK(!s && d.nmsg == 1 && d.msg[0].code == IK_E072);
    ik_diag_free(&d);
  }
}

CASE(starts_with_zeros) {
  ik_state *s = make();
  for (int level = -1; level <= 1; level++)
    for (int i = 0; i < 12; i++) CHECK(ik_state_get(s, 0, level, cell(i % 4, i / 4)) == 0);
  CHECK(s->scalar[1] == 0 && s->t == 0);
  CHECK_EQ(s->slot[0].first, 0);
  CHECK_EQ(s->slot[0].nlevel, 3);
  CHECK_EQ(s->slot[1].nlevel, 0);
  ik_state_destroy(&s);
  CHECK(!s);
  ik_state_destroy(&s);
}

CASE(gives_temporaries_memory_when_asked) {
  ik_diag   d = {0};
  ik_state *s = make();
  CHECK_EQ(ik_state_add(s, 1, &d), IK_OK);
  CHECK_EQ(s->slot[1].first, 1);
  CHECK_EQ(s->slot[1].nlevel, 1);
  CHECK_EQ(s->slot[1].layout->cells, 18);
  for (int i = 0; i < 18; i++) CHECK(ik_state_get(s, 1, 0, cell(i % 6 - 1, i / 6)) == 0);
  ik_state_put(s, 1, 0, cell(-1, 2), 3);
  CHECK_EQ(ik_state_add(s, 1, &d), IK_OK); /* it has some: nothing changes */
  CHECK_EQ(ik_state_add(s, 0, &d), IK_OK); /* as fields that are no temporaries always have */
  CHECK(ik_state_get(s, 1, 0, cell(-1, 2)) == 3);
  CHECK_EQ(s->slot[0].nlevel, 3);
  CHECK_EQ(d.nmsg, 0);
  ik_state_destroy(&s);
}

CASE(leaves_a_temporary_without_memory_as_it_was) {
  ik_diag   d = {0};
  ik_state *s = make();
  ik_mem_fail_after(0);
  ik_status bad = ik_state_add(s, 1, &d);
  ik_mem_fail_after(-1);
  CHECK_EQ(bad, IK_ERR_RESOURCE);
  CHECK(d.nmsg == 1 && d.msg[0].code == IK_E072);
  CHECK_EQ(s->slot[1].nlevel, 0);
  CHECK_EQ(ik_state_add(s, 1, &d), IK_OK);
  CHECK(ik_state_get(s, 1, 0, cell(4, 2)) == 0);
  ik_diag_free(&d);
  ik_state_destroy(&s);
}

CASE(finds_cells) {
  ik_state *s = make();
  CHECK_EQ(ik_state_index(s, 0, cell(2, 1)), 6);
  CHECK_EQ(ik_state_index(s, 1, cell(-1, 0)), 0);
  CHECK_EQ(ik_state_index(s, 1, cell(4, 2)), 17);
  CHECK_EQ(ik_state_index(s, 2, cell(3, 2)), 2); /* x does not matter */
  s->layout[0].stride[1] = 9;
  CHECK_EQ(ik_state_index(s, 0, cell(2, 1)), 11);
  CHECK_EQ(ik_state_stride(s, 0, 0), 1);
  CHECK_EQ(ik_state_stride(s, 0, 1), 9);
  ik_state_destroy(&s);
}

/* ---- layouts ---- */

static ik_layout_field lies[3];

/* As `make`, but laid out: slices are padded with so many elements, `fold` and `beyond` (NULL:
 * nothing) are of u. */
static ik_layout lay_out(int64_t padding, bool fold, const double *beyond) {
  static const ik_layout_machine cache = {64, 4096, 65536, 4, IK_LAYOUT_HOST};
  ik_layout                      l;
  ik_layout_padding_always = padding;
  ik_layout_of(&ir, padding ? &cache : NULL, lies, &l);
  ik_layout_padding_always = 0;
  if (fold) ik_layout_fold(&l, 0);
  if (beyond) ik_layout_fill(&l, 0, *beyond);
  return l;
}

static ik_state *make_in(int64_t padding, bool fold, const double *beyond) {
  ik_diag   d = {0};
  ik_state *s = NULL;
  make_ir();
  ik_layout l = lay_out(padding, fold, beyond);
  CHECK_EQ(ik_state_create_in(&ir, &l, &d, &s), IK_OK);
  ik_diag_free(&d);
  return s;
}

static void fill(ik_state *s) {
  for (int i = 0; i < 12; i++)
    for (int l = 0; l > -2; l--) ik_state_put(s, 0, l, cell(i % 4, i / 4), i - 100 * l);
}

CASE(nobody_sees_padding) {
  for (int folded = 0; folded < 2; folded++) {
    double    out[12];
    ik_state *s = make_in(3, folded, NULL), *plain = make();
    fill(plain), fill(s);
    CHECK_EQ(s->slot[0].layout->bytes, (12 + 9) * 8);
    CHECK(!folded || s->slot[0].level[0] == s->slot[0].level[2]);
    CHECK(((double *)ik_state_data(s, 0, 0))[7] == 4);
    CHECK(ik_state_row(s, 0, 0, 2, 0) == (double *)ik_state_data(s, 0, 0) + 14);
    for (int64_t i = 0, n = 9; i < 12; i++, n = 9) {
      CHECK_EQ(ik_state_cell(s, 0, i, &n), i + i / 4 * 3);
      CHECK_EQ(n, 4 - i % 4);
      n = 9;
      CHECK(ik_state_cell(plain, 0, i, &n) == i && n == 9);
    }
    CHECK(ik_state_hash(s) == ik_state_hash(plain));
    for (int l = 0; l > -2; l--) {
      ik_state_copy_out(s, 0, l, out);
      CHECK(memcmp(out, ik_state_data(plain, 0, l), sizeof out) == 0);
    }
    for (int i = 0; i < 12; i++) out[i] = 7 * i;
    ik_state_copy_in(s, 0, 0, out), ik_state_copy_in(plain, 0, 0, out);
    CHECK(ik_state_hash(s) == ik_state_hash(plain) && ik_state_get(s, 0, 0, cell(1, 2)) == 63);
    CHECK(((double *)ik_state_data(s, 0, 0))[4] == 0); /* between rows */
    ik_state_destroy(&s), ik_state_destroy(&plain);
  }
}

/* Rows of four cells, and of four with five elements between them, or the other way round: cells 3
 * to 9 and no others, and nothing of what stands between rows. */
CASE(copies_cells_from_another_layout) {
  const double beyond = -2.5;
  for (int there = 0; there < 2; there++) {
    ik_state *plain = make(), *gaps = make_in(5, false, &beyond);
    ik_state *from = there ? gaps : plain, *to = there ? plain : gaps;
    for (int level = 1; level >= -1; level--)
      for (int i = 0; i < 12; i++) {
        ik_state_put(from, 0, level, cell(i % 4, i / 4), 100 * level + i);
        ik_state_put(to, 0, level, cell(i % 4, i / 4), -7);
      }
    ik_state_copy(from, to, 0, -1, 3, 10);
    for (int level = 1; level >= -1; level--)
      for (int i = 0; i < 12; i++) {
        bool copied = level == -1 && i >= 3 && i < 10;
        CHECK(ik_state_get(to, 0, level, cell(i % 4, i / 4)) == (copied ? i - 100 : -7));
        CHECK(ik_state_get(from, 0, level, cell(i % 4, i / 4)) == 100 * level + i);
      }
    ik_state_copy(from, to, 0, 0, 5, 5); /* none */
    CHECK(ik_state_get(to, 0, 0, cell(1, 1)) == -7);
    for (int piece = 0; piece < 5; piece++)
      ik_state_copy(from, to, 0, 0, 12 * piece / 5, 12 * (piece + 1) / 5);
    CHECK(ik_state_hash_field(to, 0) == ik_state_hash_field(from, 0));
    for (int level = 1; level >= -1; level--)
      for (int k = 4; k < 9; k++) CHECK(((double *)ik_state_data(gaps, 0, level))[k] == beyond);
    ik_state_destroy(&plain), ik_state_destroy(&gaps);
  }
}

/* ... though the same level is in another array there. */
CASE(copies_levels_of_states_that_have_turned) {
  ik_state *from = make(), *to = make_in(3, true, NULL);
  ik_state_rotate(from);
  for (int level = 0; level >= -1; level--)
    for (int i = 0; i < 12; i++) ik_state_put(from, 0, level, cell(i % 4, i / 4), 20 * level + i);
  for (int i = 0; i < 3; i++) ik_state_put(from, 2, 0, cell(0, i), i + 0.5);
  for (int level = 0; level >= -1; level--) ik_state_copy(from, to, 0, level, 0, 12);
  ik_state_copy(from, to, 2, 0, 0, 3);
  CHECK(ik_state_hash(to) == ik_state_hash(from));
  for (int level = 0; level >= -1; level--)
    for (int i = 0; i < 12; i++)
      CHECK(ik_state_get(to, 0, level, cell(i % 4, i / 4)) == 20 * level + i);
  ik_state_destroy(&from), ik_state_destroy(&to);
}

/* Its values are copied; padding and what stands there stay. */
CASE(an_array_of_the_caller_is_copied_where_rows_are_padded) {
  const double beyond = -2.5;
  double       own[12], other[12];
  ik_state    *s = make_in(5, false, &beyond);
  for (int i = 0; i < 12; i++) own[i] = i, other[i] = -i;
  ik_state_put(s, 0, -1, cell(1, 2), 7);
  ik_state_bind(s, 0, own);
  CHECK(ik_state_get(s, 0, 0, cell(1, 2)) == 9 && ik_state_get(s, 0, -1, cell(1, 2)) == 7);
  own[9] = 11;
  ik_state_take_bound(s);
  CHECK(ik_state_get(s, 0, 0, cell(1, 2)) == 11);
  ik_state_put(s, 0, 1, cell(1, 2), 5);
  ik_state_rotate(s);
  CHECK(own[9] == 11);
  ik_state_settle(s);
  CHECK(own[9] == 5 && ik_state_get(s, 0, -1, cell(1, 2)) == 11);
  ik_state_bind(s, 0, other);
  CHECK(own[9] == 5 && ik_state_get(s, 0, 0, cell(1, 2)) == -9);
  for (int level = 1; level >= -1; level--)
    CHECK(((double *)ik_state_data(s, 0, level))[4] == beyond);
  ik_state_destroy(&s);
}

/* 4x3 cells of f64 in rows that are 5 elements apart: what stands beyond is found before the first
 * row, behind the last and between them; a row more, and its ends, come before. */
CASE(padding_has_what_stands_beyond_the_faces) {
  const double beyond = -2.5;
  ik_state    *s = make_in(5, true, &beyond);
  for (int level = 1; level >= -1; level--) {
    double *a = ik_state_data(s, 0, level);
    CHECK_EQ((intptr_t)a % 64, 0);
    for (int k = -1; k <= 3; k++)
      for (int i = 1; i <= 5; i++) CHECK(a[k * 9 - i] == beyond);
    for (int i = 0; i < 4; i++) CHECK(a[i - 9] == beyond && a[i] == 0 && a[9 + i] == 0);
  }
  ik_state_destroy(&s);
}

/* Levels after some steps, without making them. */
CASE(levels_take_turns) {
  for (int folded = 0; folded < 2; folded++)
    for (int steps = 0; steps < 5; steps++) {
      ik_state *s = make_in(0, folded, NULL);
      ik_slot   before = s->slot[0], turned = before;
      for (int i = 0; i < steps; i++) ik_state_rotate(s);
      ik_state_turn(&before, steps, &turned);
      for (int i = 0; i < 3; i++) CHECK(turned.level[i] == s->slot[0].level[i]);
      ik_state_destroy(&s);
    }
}

/* Levels 1 to `history`, and then steps one at a time, without a value getting lost. */
CASE(several_steps_turn_as_many_levels_as_are_kept) {
  ik_diag   d = {0};
  ik_state *s = NULL;
  make_ir();
  ik_layout layout = lay_out(0, false, NULL);
  ik_layout_ahead(&layout, 0, 1);
  CHECK_EQ(ik_state_create_in(&ir, &layout, &d, &s), IK_OK);
  int64_t *at = cell(1, 1);
  for (int level = -1; level <= 2; level++) ik_state_put(s, 0, level, at, 10 + level);
  ik_state_put(s, 2, 0, at, 9);
  ik_state_skip(s, 4); /* of five */
  CHECK(ik_state_get(s, 0, 1, at) == 12 && ik_state_get(s, 0, 0, at) == 11);
  ik_state_rotate(s);
  CHECK(ik_state_get(s, 0, 0, at) == 12 && ik_state_get(s, 0, -1, at) == 11);
  CHECK(ik_state_get(s, 0, 2, at) == 10 && ik_state_get(s, 0, 1, at) == 9);
  ik_state_skip(s, 0);
  ik_state_rotate(s);
  CHECK(ik_state_get(s, 0, 0, at) == 9 && ik_state_get(s, 0, -1, at) == 12);
  CHECK(ik_state_get(s, 2, 0, at) == 9);
  CHECK_EQ(s->t, 6);
  ik_state_destroy(&s);
}

CASE(rotates_levels) {
  ik_state *s = make();
  int64_t  *at = cell(1, 1);
  ik_state_put(s, 0, 1, at, 3), ik_state_put(s, 0, 0, at, 2), ik_state_put(s, 0, -1, at, 1);
  ik_state_put(s, 2, 0, at, 9);
  void *oldest = ik_state_data(s, 0, -1);
  ik_state_rotate(s);
  CHECK(ik_state_get(s, 0, 0, at) == 3 && ik_state_get(s, 0, -1, at) == 2);
  CHECK(ik_state_data(s, 0, 1) == oldest);
  CHECK(ik_state_get(s, 2, 0, at) == 9);
  CHECK_EQ(s->t, 1);
  ik_state_destroy(&s);
}

CASE(makes_the_next_level_in_place_of_the_oldest) {
  ik_state *s = make_in(0, true, NULL);
  int64_t  *at = cell(1, 1);
  ik_state_put(s, 0, 0, at, 2), ik_state_put(s, 0, -1, at, 1);
  void *arrays[] = {ik_state_data(s, 0, 0), ik_state_data(s, 0, -1)};
  for (int i = 0; i < 5; i++) {
    CHECK(ik_state_data(s, 0, 1) == ik_state_data(s, 0, -1));
    ik_state_put(s, 0, 1, at, 3 + i);
    ik_state_rotate(s);
    CHECK(ik_state_get(s, 0, 0, at) == 3 + i && ik_state_get(s, 0, -1, at) == 2 + i);
    CHECK(ik_state_data(s, 0, 0) == arrays[(i + 1) % 2]);
  }
  ik_state_destroy(&s);
}

/* After each number of steps, some of them made together, settling must change no value and bring
 * level 0 home. */
static void settle_after(int steps, int history, bool fold, int ahead) {
  double    mine[12] = {0};
  ik_diag   d = {0};
  ik_state *s = NULL;
  make_ir();
  fields[0].history = history;
  ik_layout layout = lay_out(0, fold, NULL);
  if (ahead) ik_layout_ahead(&layout, 0, ahead);
  CHECK_EQ(ik_state_create_in(&ir, &layout, &d, &s), IK_OK);
  mine[5] = 7;
  ik_state_bind(s, 0, mine);
  CHECK(ik_state_get(s, 0, 0, cell(1, 1)) == 7);
  for (int i = 0, n = 1; i < steps; i += n, n = i + ahead < steps ? 1 + ahead : 1) {
    for (int k = 0; k < n; k++) ik_state_put(s, 0, 1 + k, cell(1, 1), 10 + i + k);
    ik_state_skip(s, n - 1);
    ik_state_rotate(s);
  }
  CHECK_EQ(s->t, steps);
  ik_state_settle(s);
  CHECK(ik_state_data(s, 0, 0) == mine);
  for (int l = 0; l < history; l++) {
    double want = steps > l ? 9 + steps - l : steps == l ? 7 : 0;
    CHECK(ik_state_get(s, 0, -l, cell(1, 1)) == want);
  }
  ik_state_put(s, 0, 1, cell(1, 1), 99); /* u' is somewhere else */
  CHECK(mine[5] == (steps ? 9 + steps : 7));
  ik_state_destroy(&s);
}

CASE(brings_bound_arrays_home) {
  for (int history = 1; history <= 3; history++)
    for (int steps = 0; steps < 9; steps++) {
      for (int ahead = 0; ahead < history; ahead++) settle_after(steps, history, false, ahead);
      if (history > 1) settle_after(steps, history, true, 0);
    }
}

CASE(binds_another_array) {
  double    a[12] = {0}, b[12] = {0};
  ik_state *s = make();
  a[0] = 1, b[0] = 2;
  ik_state_bind(s, 0, a);
  ik_state_rotate(s); /* `a` is an older level now */
  ik_state_bind(s, 0, b);
  for (int i = 0; i < 4; i++) {
    for (int level = -1; level <= 1; level++) CHECK(ik_state_data(s, 0, level) != (void *)a);
    ik_state_rotate(s);
  }
  ik_state_settle(s);
  CHECK(ik_state_data(s, 0, 0) == b);
  ik_state_destroy(&s);
}

CASE(swaps_large_arrays_whole) {
  enum { N = 3001 };
  static double mine[N];
  ik_diag       d = {0};
  ik_state     *s = NULL;
  make_ir();
  fields[0] = (ik_field){.name = "u",
                         .type = IK_F64,
                         .on = {true},
                         .history = 2,
                         .has_new = true,
                         .box = {{0, 0, 0}, {N, 1, 1}}};
  CHECK_EQ(ik_state_create(&ir, &d, &s), IK_OK);
  ik_state_bind(s, 0, mine);
  for (int i = 0; i < N; i++) mine[i] = i, ik_state_put(s, 0, 1, cell(i, 0), -i);
  ik_state_rotate(s);
  ik_state_settle(s);
  for (int i = 0; i < N; i++) CHECK(mine[i] == -i && ik_state_get(s, 0, -1, cell(i, 0)) == i);
  ik_state_destroy(&s);
}

CASE(keeps_exact_values_of_every_type) {
  static const double values[][4] = {
      {0.1, -0.0, 1e300, 5e-324},           {0x1.99999ap-4, -0.0, 0x1.fffffep127, 0x1p-149},
      {0x1.998p-4, -0.0, 65504, 0x1p-24},   {0x1.9ap-4, -0.0, 0x1.fep127, 0x1p-133},
      {0, -2147483648.0, 2147483647.0, -1}, {0, 1, 1, 0}};
  for (int t = 0; t < IK_NTYPES; t++) {
    double data[8] = {0}, back[4];
    ik_state_store_row((ik_type)t, data, 1, 4, values[t]);
    ik_state_load_row((ik_type)t, data, 1, 4, back);
    for (int i = 0; i < 4; i++)
      CHECK(back[i] == values[t][i] && !signbit(back[i]) == !signbit(values[t][i]));
    ik_state_load_row((ik_type)t, data, 0, 1, back);
    CHECK(back[0] == 0);
  }
}

CASE(stores_what_does_not_fit_as_the_type_rounds_it) {
  int32_t i;
  ik_state_store_row(IK_I32, &i, 0, 1, (double[]){4294967295.0});
  CHECK_EQ(i, -1);
  unsigned char b;
  ik_state_store_row(IK_BOOL, &b, 0, 1, (double[]){256});
  CHECK_EQ(b, 1);
}

CASE(hashes_what_the_user_declared) {
  ik_diag   d = {0};
  ik_state *s = make();
  CHECK_EQ(ik_state_add(s, 1, &d), IK_OK);
  uint64_t before = ik_state_hash(s), u = ik_state_hash_field(s, 0);
  ik_state_put(s, 1, 0, cell(0, 0), 1); /* a TEMP */
  ik_state_put(s, 0, 1, cell(0, 0), 1); /* not level 0 */
  CHECK(ik_state_hash(s) == before && ik_state_hash_field(s, 0) == u);
  ik_state_put(s, 2, 0, cell(0, 0), 1);
  CHECK(ik_state_hash(s) != before && ik_state_hash_field(s, 0) == u);
  uint64_t h = ik_hash(IK_HASH_INIT, ik_state_data(s, 0, 0), 96);
  CHECK(u == h);
  uint64_t both[2] = {h, ik_hash(IK_HASH_INIT, ik_state_data(s, 2, 0), 12)};
  CHECK(ik_state_hash(s) == ik_hash(IK_HASH_INIT, both, sizeof both));
  ik_state_destroy(&s);
}

/* Arrays serve another run if it wants them to lie as they do, down to what is beyond the faces. */
CASE(suits_layouts_that_are_its_own) {
  const double one = 1, two = 2, zero = 0.0, minus = -0.0;
  const struct {
    int64_t       padding;
    bool          fold;
    const double *beyond;
  } ways[] = {{0, false, NULL}, {3, false, NULL},  {5, false, NULL},   {3, true, NULL},
              {3, false, &one}, {3, false, &zero}, {3, false, &minus}, {3, false, &two}};
  enum { WAYS = sizeof ways / sizeof *ways };
  for (int i = 0; i < WAYS; i++) {
    ik_state *s = make_in(ways[i].padding, ways[i].fold, ways[i].beyond);
    for (int k = 0; k < WAYS; k++) {
      ik_layout l = lay_out(ways[k].padding, ways[k].fold, ways[k].beyond);
      CHECK_EQ(ik_state_suits(s, &l), i == k);
    }
    double    mine[12] = {0};
    ik_layout same = lay_out(ways[i].padding, ways[i].fold, ways[i].beyond);
    ik_state_bind(s, 0, mine);
    CHECK(!ik_state_suits(s, &same)); /* the caller's */
    ik_state_destroy(&s);
  }
}

CASE(restarts_with_levels_where_they_were) {
  for (int folded = 0; folded < 2; folded++) {
    ik_state *s = make_in(3, folded, NULL);
    void     *level[3];
    for (int k = 0; k < 3; k++) level[k] = ik_state_data(s, 0, 1 - k);
    fill(s);
    ik_state_rotate(s);
    s->injected = 3;
    CHECK(s->t == 1 && ik_state_data(s, 0, 0) != level[1]);
    ik_state_restart(s);
    CHECK(s->t == 0 && s->injected == 0);
    for (int k = 0; k < 3; k++) CHECK(ik_state_data(s, 0, 1 - k) == level[k]);
    ik_state_destroy(&s);
  }
}
