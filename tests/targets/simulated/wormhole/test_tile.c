/* Wormhole's tiles: shifts, transposes and halos against a plain array, and its arithmetic. */
#include "check.h"
#include "base/num.h"
#include "targets/simulated/wormhole/numeric.h"
#include "targets/simulated/wormhole/tile.h"

enum { NX = 3 * 64, NY = 3 * 16, TILE = IK_WORMHOLE_TILE };

static float cell(int x, int y) {
  bool inside = x >= 0 && x < NX && y >= 0 && y < NY;
  return inside ? (float)(1 + x * NY + y) : 0;
}

static void load(int cx, int cy, float *tile) {
  for (int e = 0; e < TILE; e++) tile[e] = cell(64 * cx + e / 16, 16 * cy + e % 16);
}

/* The tile of the neighbours on side s of those of core (cx, cy), as the machine makes it. */
static void neighbours(int cx, int cy, ik_wormhole_side s, float *out) {
  static const int dx[] = {-1, 1, 0, 0}, dy[] = {0, 0, -1, 1};
  float            own[TILE], theirs[TILE], turned[TILE], rows[IK_WORMHOLE_HALO];
  load(cx, cy, own), load(cx + dx[s], cy + dy[s], theirs);
  if (ik_wormhole_is_across(s)) {
    ik_wormhole_transpose(own, turned), memcpy(own, turned, sizeof own);
    ik_wormhole_transpose(theirs, turned), memcpy(theirs, turned, sizeof own);
  }
  ik_wormhole_halo(theirs, s, rows);
  ik_wormhole_shift(own, s, out);
  ik_wormhole_patch(out, s, rows);
  if (ik_wormhole_is_across(s)) ik_wormhole_transpose(out, turned), memcpy(out, turned, sizeof own);
}

CASE(shift_and_halo_are_a_shift_of_the_whole_array) {
  static const int dx[] = {-1, 1, 0, 0}, dy[] = {0, 0, -1, 1};
  float            got[TILE];
  for (ik_wormhole_side s = 0; s < IK_WORMHOLE_SIDES; s++)
    for (int core = 0; core < 9; core++) {
      int wrong = 0;
      neighbours(core / 3, core % 3, s, got);
      for (int e = 0; e < TILE; e++)
        wrong += got[e] != cell(64 * (core / 3) + e / 16 + dx[s], 16 * (core % 3) + e % 16 + dy[s]);
      if (wrong) check_fail(__FILE__, __LINE__, "%s: %d", ik_wormhole_side_name(s), wrong);
    }
}

CASE(transposing_twice_changes_nothing) {
  float tile[TILE], once[TILE], twice[TILE];
  load(1, 1, tile);
  ik_wormhole_transpose(tile, once), ik_wormhole_transpose(once, twice);
  CHECK(memcmp(tile, twice, sizeof tile) == 0);
  CHECK(once[256 + 16 * 3 + 5] == tile[256 + 16 * 5 + 3]);
}

/* ---- arithmetic, against the rule in f64 ---- */

static float any(uint32_t *state, bool narrow) {
  uint32_t u = 0;
  float    v;
  for (int k = 0; k < 2; k++) u = u << 16 | (*state = *state * 1664525u + 1013904223u) >> 16;
  if (*state & 0x100)
    u = (u & 0x807fffffu) | (100 + u % 57) << 23; /* of a size that meets others */
  if (narrow) u &= 0xffff0000u;
  memcpy(&v, &u, sizeof v);
  return v != v || fabsf(v) < 0x1p-126f ? 0 : v;
}

static void compare(const ik_rule *r, ik_op op, ik_type t, bool narrow, uint32_t *state) {
  enum { N = 4000 };
  static float v[3][N], out[N];
  int          wrong = 0;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++) v[k][i] = any(state, narrow);
  ik_wormhole_math(r, op, t, (const float *[]){v[0], v[1], v[2]}, out, N);
  for (int i = 0; i < N; i++) {
    double want = ik_rule_apply(r, op, t, v[0][i], v[1][i], v[2][i]);
    if (isnan(want) ? !isnan(out[i]) : out[i] != want || !signbit(out[i]) != !signbit(want))
      wrong++;
  }
  if (wrong)
    check_fail(__FILE__, __LINE__, "%s.%s, ties away %d, tf32 %d: %d of %d", ik_op_name(op),
               ik_type_name(t), r->ties_away, r->tf32, wrong, N);
}

CASE(units_do_what_the_rule_says) {
  static const ik_op ops[] = {IK_OP_NEG, IK_OP_ADD, IK_OP_SUB,  IK_OP_MUL, IK_OP_DIV,   IK_OP_FMA,
                              IK_OP_MIN, IK_OP_MAX, IK_OP_SQRT, IK_OP_ABS, IK_OP_FLOOR, IK_OP_CAST};
  uint32_t           state = 1;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    for (int how = 0; how < 4; how++) {
      ik_rule narrow = {.type = IK_BF16, .ties_away = how & 1, .coarse = how == 3};
      ik_rule wide = {.type = IK_F32, .tf32 = how & 2};
      compare(&narrow, ops[i], how & 2 ? IK_F32 : IK_BF16, true, &state);
      compare(&wide, ops[i], IK_F32, false, &state);
      compare(&wide, ops[i], IK_BF16, ops[i] != IK_OP_CAST, &state);
    }
}

CASE(units_of_comparisons_and_choices) {
  ik_rule  r = {.type = IK_F32};
  uint32_t state = 2;
  compare(&r, IK_OP_LT, IK_BOOL, true, &state);
  compare(&r, IK_OP_SELECT, IK_F32, true, &state);
}

CASE(memory_of_bf16_has_its_upper_half) {
  float    in[4] = {1, -2.5f, 0x1p-126f, 0x1.fep127f}, back[4];
  uint16_t half[4], tiny[2] = {0x0001, 0x8000};
  ik_wormhole_pack(IK_BF16, in, half, 4);
  CHECK_EQ(half[0], 0x3f80);
  ik_wormhole_unpack(IK_BF16, half, back, 4);
  CHECK(memcmp(in, back, sizeof in) == 0);
  ik_wormhole_unpack(IK_BF16, tiny, back, 2);
  CHECK(back[0] == 0 && back[1] == 0 && !signbit(back[1]));
}

static uint32_t bits_of(float v) {
  uint32_t u;
  memcpy(&u, &v, sizeof u);
  return u;
}

/* Computers give other NaNs than each other; the die has one. */
CASE(there_is_one_nan) {
  static const ik_op ops[] = {IK_OP_ADD, IK_OP_SUB, IK_OP_MUL, IK_OP_FMA, IK_OP_SQRT};
  uint32_t           odd[2] = {0xffc00123u, 0x7fc00001u};
  uint16_t           half[2] = {0xffc1, 0x7fff};
  float              nan[2], out[2];
  memcpy(nan, odd, sizeof nan);
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    for (int narrow = 0; narrow < 2; narrow++) {
      ik_rule r = {.type = narrow ? IK_BF16 : IK_F32};
      ik_wormhole_math(&r, ops[i], IK_F32, (const float *[]){nan, nan, nan}, out, 2);
      CHECK(bits_of(out[0]) == 0x7fc00000u && bits_of(out[1]) == 0x7fc00000u);
    }
  ik_wormhole_unpack(IK_F32, odd, out, 2);
  CHECK(bits_of(out[0]) == 0x7fc00000u && bits_of(out[1]) == 0x7fc00000u);
  ik_wormhole_unpack(IK_BF16, half, out, 2);
  CHECK(bits_of(out[0]) == 0x7fc00000u && bits_of(out[1]) == 0x7fc00000u);
  ik_rule r = {.type = IK_F32};
  ik_wormhole_math(&r, IK_OP_CAST, IK_BF16, (const float *[]){nan, NULL, NULL}, out, 2);
  CHECK(out[0] == INFINITY && out[1] == INFINITY); /* packed */
}
