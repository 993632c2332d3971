/* simd_body.h: the words of rt/simd.h against ik_apply(), for the IK_LANES and IK_VECTOR_BYTES that
 * the including file has defined. */
#pragma once
#include "base/elementary.h"
#include "check.h"
#include "ir/apply.h"
#include "ir/state.h"
#include "targets/cpu/rt/kernel.h"
#include "targets/cpu/rt/simd.h"
#include <float.h>
#include <sys/mman.h>
#include <unistd.h>
#undef bool /* is a type of the language here, and its names are made by pasting */

enum { L = IK_LANES, ROUNDS = 4000, WIDEST = 16 * 8 };

/* Operands and result of one call, as they lie in memory; the rows start off a vector's boundary.
 */
typedef struct row {
  _Alignas(64) unsigned char pad[8];
  unsigned char byte[WIDEST];
} row;

typedef void call_fn(const row in[4], row *out);

typedef struct op {
  const char *name;
  int         op; /* an ik_op, or CHOICE + one */
  call_fn    *call;
} op;

enum { CHOICE = 1000 }; /* select_lt and its like */

/* ---- the runtime ---- */

static double some_noise(double seed, int64_t x, int64_t y, int64_t z) {
  return seed + 0.1 * (double)x - 3 * (double)y + 7e4 * (double)z;
}

static double some_table(const void *program, int id, double at) {
  return *(const double *)program + id * at;
}

static const double scale = 1.0 / 3;
static const ik_rt  rt = {.exp = ik_exp,
                          .log = ik_log,
                          .sin = ik_sin,
                          .cos = ik_cos,
                          .tan = ik_tan,
                          .tanh = ik_tanh,
                          .atan = ik_atan,
                          .pow = ik_pow,
                          .noise = some_noise,
                          .table = some_table,
                          .program = &scale};

/* ---- numbers ---- */

static uint64_t next(uint64_t *s) {
  *s = *s * 6364136223846793005u + 1442695040888963407u;
  return *s >> 11 ^ *s << 21;
}

static double special(uint64_t *s) {
  static const double list[] = {
      0,          1,          2,          0.5,        1.5,         2.5,     3,        1e300,
      DBL_MIN,    0x1p-1074,  FLT_MIN,    0x1p-149,   0x1p-150,    FLT_MAX, DBL_MAX,  0x1p128,
      65504,      65519,      65520,      65536,      0x1p-14,     0x1p-24, 0x1p-25,  0x1.8p-25,
      0x1p-126,   0x1p-133,   0x1p-134,   0x1.fdp127, 0x1.ffp127,  0x1p31,  0x1p32,   0x1p33,
      2147483647, 2147483646, 2147483520, 0x1p24,     16777217.0,  46341,   INFINITY, NAN,
      0x1.001p0,  0x1.003p0,  0x1.01p0,   0x1.03p0,   0x1p63 + 24, 0x1p80,  1e9,      7};
  double v = list[next(s) % (sizeof list / sizeof *list)];
  return next(s) % 2 ? -v : v;
}

/* Ties, and what lies beside them, in every type. */
static double near_tie(uint64_t *s) {
  double m = (double)(next(s) % 8192) + 0.5 * (double)(next(s) % 3);
  double v = ldexp(m, (int)(next(s) % 300) - 170);
  return next(s) % 3 ? v : nextafter(v, next(s) % 2 ? INFINITY : 0);
}

static double plain(uint64_t *s) {
  return ((double)(next(s) % 2000001) - 1e6) / (double)(1 + next(s) % 10000);
}

static double any_bits(uint64_t *s) {
  uint64_t bits = next(s) ^ next(s) << 32;
  double   v;
  memcpy(&v, &bits, sizeof v);
  return v != v ? NAN : v; /* quiet ones only: converting makes the others quiet */
}

static double number(uint64_t *s) {
  switch (next(s) % 5) {
  case 0: return special(s);
  case 1: return near_tie(s);
  case 2: return any_bits(s);
  case 3: return (double)(int32_t)next(s);
  default: return plain(s);
  }
}

/* Lanes of a type, in memory and as the doubles they are. */
static void fill(ik_type t, uint64_t *s, row *r, double v[16]) {
  double raw[16];
  for (int i = 0; i < L; i++) raw[i] = ik_type_round(t, number(s));
  memset(r, 0xa5, sizeof *r);
  ik_state_store_row(t, r->byte, 0, L, raw);
  ik_state_load_row(t, r->byte, 0, L, v);
}

/* The same bits in memory.  The sign of a NaN counts where no arithmetic made it. */
static int same(ik_type t, const row *got, int lane, double want, int arithmetic) {
  row    w;
  double v;
  int    bytes = ik_type_bytes(t);
  ik_state_store_row(t, w.byte, lane, 1, &want);
  if (memcmp(got->byte + bytes * lane, w.byte + bytes * lane, (size_t)bytes) == 0) return 1;
  ik_state_load_row(t, got->byte, lane, 1, &v);
  return arithmetic && (t == IK_F32 || t == IK_F64) && v != v && want != want;
}

static int keeps_nan(int o) {
  return o == IK_OP_NEG || o == IK_OP_ABS || o == IK_OP_MIN || o == IK_OP_MAX || o >= CHOICE;
}

static double expected(int o, ik_type t, const double v[4]) {
  if (o < CHOICE) return ik_apply((ik_op)o, t, v[0], v[1], v[2]);
  return ik_apply((ik_op)(o - CHOICE), IK_BOOL, v[0], v[1], 0) != 0 ? v[2] : v[3];
}

static void complain(const char *what, ik_type t, const double v[4], double want, double got) {
  check_fail(__FILE__, __LINE__, "%s_%s(%a, %a, %a, %a) is %a, not %a", what, ik_type_name(t), v[0],
             v[1], v[2], v[3], got, want);
}

/* `t` of the operands, `r` of the result. */
static void try_op(const op *o, ik_type t, ik_type r, int rounds) {
  uint64_t s = (uint64_t)o->op * 31 + t;
  for (int k = 0; k < rounds; k++) {
    row    in[4], out = {{0}, {0}};
    double v[4][16], got[16];
    for (int i = 0; i < 4; i++) fill(t, &s, &in[i], v[i]);
    o->call(in, &out);
    ik_state_load_row(r, out.byte, 0, L, got);
    for (int i = 0; i < L; i++) {
      double lane[4] = {v[0][i], v[1][i], v[2][i], v[3][i]}, want = expected(o->op, r, lane);
      if (same(r, &out, i, want, !keeps_nan(o->op))) continue;
      complain(o->name, t, lane, want, got[i]);
      return;
    }
  }
}

/* ---- operations ---- */

#define ELEMENT_f32  float
#define ELEMENT_f64  double
#define ELEMENT_i32  int32_t
#define ELEMENT_f16  uint16_t
#define ELEMENT_bf16 uint16_t
#define ELEMENT_bool uint8_t
#define TYPE_f32     IK_F32
#define TYPE_f64     IK_F64
#define TYPE_i32     IK_I32
#define TYPE_f16     IK_F16
#define TYPE_bf16    IK_BF16
#define TYPE_bool    IK_BOOL

#define IN(T, i) ik_ld_##T((const ELEMENT_##T *)in[i].byte)
/* A function that stores `expression`, of type R. */
#define CALL(name, R, expression)                                                                  \
  static void name(const row in[4], row *out) {                                                    \
    (void)in;                                                                                      \
    ik_st_##R((ELEMENT_##R *)out->byte, expression);                                               \
  }
#define CALL1(T, name)   CALL(name##_##T, T, ik_##name##_##T(IN(T, 0)))
#define CALL2(T, name)   CALL(name##_##T, T, ik_##name##_##T(IN(T, 0), IN(T, 1)))
#define CALL_RT(T, name) CALL(name##_##T, T, ik_##name##_##T(&rt, IN(T, 0)))
#define COMPARE(T, name)                                                                           \
  CALL(name##_##T, bool, ik_##name##_##T(IN(T, 0), IN(T, 1)))                                      \
  CALL(choose_##name##_##T, T, ik_select_##name##_##T(IN(T, 0), IN(T, 1), IN(T, 2), IN(T, 3)))     \
  CALL(select_##name##_##T, T,                                                                     \
       ik_select_##T(ik_##name##_##T(IN(T, 0), IN(T, 1)), IN(T, 2), IN(T, 3)))

#define OPERATIONS(T)                                                                              \
  CALL1(T, neg)                                                                                    \
  CALL1(T, abs)                                                                                    \
  CALL1(T, floor)                                                                                  \
  CALL1(T, sqrt)                                                                                   \
  CALL2(T, add)                                                                                    \
  CALL2(T, sub)                                                                                    \
  CALL2(T, mul)                                                                                    \
  CALL2(T, div)                                                                                    \
  CALL2(T, min)                                                                                    \
  CALL2(T, max)                                                                                    \
  CALL2(T, mod)                                                                                    \
  CALL(fma_##T, T, ik_fma_##T(IN(T, 0), IN(T, 1), IN(T, 2)))                                       \
  CALL_RT(T, exp)                                                                                  \
  CALL_RT(T, log)                                                                                  \
  CALL_RT(T, sin)                                                                                  \
  CALL_RT(T, cos)                                                                                  \
  CALL_RT(T, tan)                                                                                  \
  CALL_RT(T, tanh)                                                                                 \
  CALL_RT(T, atan)                                                                                 \
  CALL(pow_##T, T, ik_pow_##T(&rt, IN(T, 0), IN(T, 1)))                                            \
  COMPARE(T, lt)                                                                                   \
  COMPARE(T, le)                                                                                   \
  COMPARE(T, eq)                                                                                   \
  COMPARE(T, ne)                                                                                   \
  CASE(arithmetic_##T) {                                                                           \
    static const op list[] = {{"neg", IK_OP_NEG, neg_##T},       {"abs", IK_OP_ABS, abs_##T},      \
                              {"floor", IK_OP_FLOOR, floor_##T}, {"sqrt", IK_OP_SQRT, sqrt_##T},   \
                              {"add", IK_OP_ADD, add_##T},       {"sub", IK_OP_SUB, sub_##T},      \
                              {"mul", IK_OP_MUL, mul_##T},       {"div", IK_OP_DIV, div_##T},      \
                              {"min", IK_OP_MIN, min_##T},       {"max", IK_OP_MAX, max_##T},      \
                              {"mod", IK_OP_MOD, mod_##T},       {"fma", IK_OP_FMA, fma_##T}};     \
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)                                        \
      try_op(&list[i], TYPE_##T, TYPE_##T, ROUNDS);                                                \
  }                                                                                                \
  CASE(functions_##T) {                                                                            \
    static const op list[] = {{"exp", IK_OP_EXP, exp_##T},    {"log", IK_OP_LOG, log_##T},         \
                              {"sin", IK_OP_SIN, sin_##T},    {"cos", IK_OP_COS, cos_##T},         \
                              {"tan", IK_OP_TAN, tan_##T},    {"tanh", IK_OP_TANH, tanh_##T},      \
                              {"atan", IK_OP_ATAN, atan_##T}, {"pow", IK_OP_POW, pow_##T}};        \
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)                                        \
      try_op(&list[i], TYPE_##T, TYPE_##T, 200);                                                   \
  }                                                                                                \
  CASE(comparisons_##T) {                                                                          \
    static const op list[] = {{"lt", IK_OP_LT, lt_##T},                                            \
                              {"le", IK_OP_LE, le_##T},                                            \
                              {"eq", IK_OP_EQ, eq_##T},                                            \
                              {"ne", IK_OP_NE, ne_##T}};                                           \
    static const op choose[] = {{"select_lt", CHOICE + IK_OP_LT, choose_lt_##T},                   \
                                {"select_le", CHOICE + IK_OP_LE, choose_le_##T},                   \
                                {"select_eq", CHOICE + IK_OP_EQ, choose_eq_##T},                   \
                                {"select_ne", CHOICE + IK_OP_NE, choose_ne_##T},                   \
                                {"lt, select", CHOICE + IK_OP_LT, select_lt_##T},                  \
                                {"le, select", CHOICE + IK_OP_LE, select_le_##T},                  \
                                {"eq, select", CHOICE + IK_OP_EQ, select_eq_##T},                  \
                                {"ne, select", CHOICE + IK_OP_NE, select_ne_##T}};                 \
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)                                        \
      try_op(&list[i], TYPE_##T, IK_BOOL, ROUNDS);                                                 \
    for (size_t i = 0; i < sizeof choose / sizeof *choose; i++)                                    \
      try_op(&choose[i], TYPE_##T, TYPE_##T, ROUNDS);                                              \
  }
IK_TYPES(OPERATIONS)

/* ---- casts ---- */

#define CAST(T, S) CALL(cast_##T##_##S, T, ik_cast_##T##_##S(IN(S, 0)))
#define CASTS(T)                                                                                   \
  CAST(T, f32)                                                                                     \
  CAST(T, f64)                                                                                     \
  CAST(T, i32)                                                                                     \
  CAST(T, bool)
#define TRY_CAST(T, S)                                                                             \
  try_op(&(op){"cast_" #T, IK_OP_CAST, cast_##T##_##S}, TYPE_##S, TYPE_##T, 4 * ROUNDS);
#define TRY_CASTS(T) TRY_CAST(T, f32) TRY_CAST(T, f64) TRY_CAST(T, i32) TRY_CAST(T, bool)
#define CASE_CASTS(T)                                                                              \
  CASTS(T)                                                                                         \
  CASE(casts_to_##T) { TRY_CASTS(T) }
IK_TYPES(CASE_CASTS)
CASE_CASTS(bool)

#if IK_HAS_F64
#define CASTS_FROM(S)                                                                              \
  CAST(f32, S)                                                                                     \
  CAST(f64, S)                                                                                     \
  CAST(i32, S)                                                                                     \
  CAST(f16, S)                                                                                     \
  CAST(bf16, S)                                                                                    \
  CAST(bool, S)                                                                                    \
  CASE(casts_from_##S) {                                                                           \
    TRY_CAST(f32, S)                                                                               \
    TRY_CAST(f64, S)                                                                               \
    TRY_CAST(i32, S)                                                                               \
    TRY_CAST(f16, S)                                                                               \
    TRY_CAST(bf16, S)                                                                              \
    TRY_CAST(bool, S)                                                                              \
  }
IK_NARROWS(CASTS_FROM)
#endif

/* ---- conditions ---- */

CALL(logic_not, bool, ik_not(IN(bool, 0)))
CALL(logic_and, bool, ik_and(IN(bool, 0), IN(bool, 1)))
CALL(logic_or, bool, ik_or(IN(bool, 0), IN(bool, 1)))
CALL(logic_select, bool, ik_select_bool(IN(bool, 0), IN(bool, 1), IN(bool, 2)))

CASE(logic) {
  static const op list[] = {{"not", IK_OP_NOT, logic_not},
                            {"and", IK_OP_AND, logic_and},
                            {"or", IK_OP_OR, logic_or},
                            {"select", IK_OP_SELECT, logic_select}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    try_op(&list[i], IK_BOOL, IK_BOOL, ROUNDS);
}

CASE(any_byte_but_0_is_true) {
  uint8_t in[16], out[16];
  for (int b = 0; b < 256; b++) {
    memset(in, b, sizeof in);
    ik_st_bool(out, ik_ld_bool(in));
    for (int i = 0; i < L; i++) CHECK_EQ(out[i], b != 0);
  }
}

/* ---- what is not computed from lanes ---- */

#define LEAVES(T)                                                                                  \
  CASE(leaves_##T) {                                                                               \
    ELEMENT_##T set[16], noise[16], table[16], in[16];                                             \
    double      v[3][16], at[16];                                                                  \
    for (int i = 0; i < 16; i++) at[i] = ik_type_round(TYPE_##T, i * 1.5);                         \
    ik_state_store_row(TYPE_##T, in, 0, L, at);                                                    \
    ik_st_##T(set, ik_set_##T(-3));                                                                \
    ik_st_##T(noise, ik_noise_##T(&rt, 0.25, -2, 5, 1));                                           \
    ik_st_##T(table, ik_table_##T(&rt, 3, ik_ld_##T(in)));                                         \
    ik_state_load_row(TYPE_##T, set, 0, L, v[0]);                                                  \
    ik_state_load_row(TYPE_##T, noise, 0, L, v[1]);                                                \
    ik_state_load_row(TYPE_##T, table, 0, L, v[2]);                                                \
    for (int i = 0; i < L; i++) {                                                                  \
      CHECK(v[0][i] == -3);                                                                        \
      CHECK(v[1][i] == ik_type_round(TYPE_##T, some_noise(0.25, i - 2, 5, 1)));                    \
      CHECK(v[2][i] == ik_type_round(TYPE_##T, some_table(&scale, 3, at[i])));                     \
    }                                                                                              \
  }
IK_TYPES(LEAVES)

CASE(numbers_keep_the_sign_of_zero) {
  float  f[16];
  double d[16];
  ik_st_f32(f, ik_set_f32(-0.0f)), ik_st_f64(d, ik_set_f64(-0.0));
  for (int i = 0; i < L; i++) CHECK(signbit(f[i]) && signbit(d[i]));
}

CASE(lane_numbers) {
  static const int64_t first[] = {0,
                                  1,
                                  -5,
                                  (1 << 24) - 20,
                                  (1 << 24) - 3,
                                  -(1 << 24),
                                  INT32_MAX,
                                  -INT64_C(5000000000),
                                  INT64_C(1) << 40,
                                  (1 << 24) + 1};
  for (size_t k = 0; k < sizeof first / sizeof *first; k++) {
    float   f[16];
    double  d[16];
    int32_t n[16];
    ik_st_f32(f, ik_index_f32(first[k]));
    ik_st_f64(d, ik_index_f64(first[k]));
    ik_st_i32(n, ik_index_i32(first[k]));
    for (int i = 0; i < L; i++) {
      double x = (double)(first[k] + i);
      CHECK(d[i] == x && f[i] == (float)x && n[i] == ik_type_round(IK_I32, x));
    }
  }
}

/* ---- memory ---- */

/* Two pages, the second out of bounds: what ends at its start must not be passed. */
static unsigned char *open_edge(size_t *page) {
  *page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *p =
      mmap(NULL, 2 * *page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + *page, *page, PROT_NONE)) return NULL;
  return p + *page;
}

static void close_edge(unsigned char *edge, size_t page) { munmap(edge - page, 2 * page); }

typedef void part_fn(const void *from, void *to, void *whole, int n);

static void try_part(ik_type t, part_fn *f) {
  size_t         page, bytes = (size_t)ik_type_bytes(t);
  unsigned char *edge = open_edge(&page);
  uint64_t       s = t;
  CHECK(edge);
  for (int n = 0; edge && n <= L; n++) {
    row    in, whole;
    double v[16];
    fill(t, &s, &in, v);
    memcpy(edge - n * bytes, in.byte, n * bytes);
    f(edge - n * bytes, in.byte, whole.byte, n);
    for (int i = 0; i < L; i++)
      CHECK(i < n ? same(t, &whole, i, v[i], 0) : same(t, &whole, i, 0, 0));
    /* a store changes n elements and no more, nor does it go over the edge */
    row to;
    memset(&to, 0x5a, sizeof to);
    f(in.byte, to.byte, whole.byte, n);
    CHECK(memcmp(to.byte, in.byte, n * bytes) == 0);
    for (size_t i = n * bytes; i < sizeof to.byte; i++) CHECK_EQ(to.byte[i], 0x5a);
    f(in.byte, edge - n * bytes, whole.byte, n);
    CHECK(memcmp(edge - n * bytes, in.byte, n * bytes) == 0);
  }
  if (edge) close_edge(edge, page);
}

#define PARTS(T)                                                                                   \
  static void part_##T(const void *from, void *to, void *whole, int n) {                           \
    ik_##T v = ik_ldn_##T(from, n);                                                                \
    ik_st_##T(whole, v);                                                                           \
    ik_stn_##T(to, v, n);                                                                          \
  }                                                                                                \
  CASE(parts_##T) { try_part(TYPE_##T, part_##T); }                                                \
  CASE(past_the_caches_##T) {                                                                      \
    _Alignas(64) ELEMENT_##T to[16];                                                               \
    row                      in;                                                                   \
    double                   v[16];                                                                \
    uint64_t                 s = 5;                                                                \
    fill(TYPE_##T, &s, &in, v);                                                                    \
    ik_nt_##T(to, ik_ld_##T((const ELEMENT_##T *)in.byte));                                        \
    CHECK(memcmp(to, in.byte, L * sizeof *to) == 0);                                               \
  }
IK_TYPES(PARTS)
PARTS(bool)

/* Where the condition fails nothing is loaded: there need not be anything. */
#define LOAD_IF(T)                                                                                 \
  CASE(loaded_or_not_##T) {                                                                        \
    const ELEMENT_##T *nothing = NULL;                                                             \
    ELEMENT_##T        in[16], out[16];                                                            \
    for (int i = 0; i < 16; i++) in[i] = (ELEMENT_##T)(3 * i - 7);                                 \
    ik_st_##T(out, ik_ldif_##T(next(&(uint64_t){1}) > 0, in, 5));                                  \
    CHECK(memcmp(out, in, L * sizeof *out) == 0);                                                  \
    ik_st_##T(out, ik_ldif_##T(next(&(uint64_t){1}) == 0, nothing, -0.0));                         \
    for (int i = 0; i < L; i++) CHECK(out[i] == 0 && signbit(out[i]));                             \
  }
LOAD_IF(f32)
LOAD_IF(f64)

/* Lane k has index i + k, and something else if that lies below 0, or does not. */
#define ENDS(T)                                                                                    \
  CASE(beyond_ends_##T) {                                                                          \
    ELEMENT_##T in[16], low[16], high[16];                                                         \
    for (int i = 0; i < 16; i++) in[i] = (ELEMENT_##T)(3 * i + 7);                                 \
    for (int64_t i = -L - 2; i < L + 2; i++) {                                                     \
      ik_st_##T(low, ik_low_##T(ik_ld_##T(in), i, -0.0));                                          \
      ik_st_##T(high, ik_high_##T(ik_ld_##T(in), i, -0.0));                                        \
      for (int k = 0; k < L; k++) {                                                                \
        CHECK_EQ(low[k], i + k < 0 ? 0 : in[k]);                                                   \
        CHECK_EQ(high[k], i + k < 0 ? in[k] : 0);                                                  \
        CHECK_EQ(!signbit(low[k]), i + k >= 0);                                                    \
        CHECK_EQ(!signbit(high[k]), i + k < 0);                                                    \
      }                                                                                            \
    }                                                                                              \
  }
ENDS(f32)
ENDS(f64)

/* ---- shifts ---- */

#define SHIFT(T, k)                                                                                \
  do {                                                                                             \
    ELEMENT_##T out[16];                                                                           \
    ik_st_##T(out, ik_shift_##T(a, b, k));                                                         \
    CHECK(memcmp(out, in + k, L * sizeof *out) == 0);                                              \
  } while (0)
#if IK_LANES >= 4
#define SHIFT_4(T)                                                                                 \
  SHIFT(T, 2);                                                                                     \
  SHIFT(T, 3)
#else
#define SHIFT_4(T) (void)0
#endif
#define SHIFTS(T)                                                                                  \
  CASE(shifts_##T) {                                                                               \
    row         r[2];                                                                              \
    double      v[16];                                                                             \
    uint64_t    s = 9;                                                                             \
    ELEMENT_##T in[32];                                                                            \
    for (int i = 0; i < 2; i++) {                                                                  \
      fill(TYPE_##T, &s, &r[i], v);                                                                \
      memcpy(in + i * L, r[i].byte, L * sizeof *in);                                               \
    }                                                                                              \
    ik_##T a = ik_ld_##T(in), b = ik_ld_##T(in + L);                                               \
    SHIFT(T, 0);                                                                                   \
    SHIFT(T, 1);                                                                                   \
    SHIFT_4(T);                                                                                    \
    SHIFT(T, IK_LANES - 1);                                                                        \
    SHIFT(T, IK_LANES);                                                                            \
  }
SHIFTS(f32)
SHIFTS(i32)
SHIFTS(bool)
#if IK_HAS_F64
SHIFTS(f64)
IK_NARROWS(SHIFTS)
#endif

/* ---- signs ---- */

/* -(a*b + c), not -(a*b) - c, which is another zero. */
#define ZEROS(T)                                                                                   \
  __attribute__((noinline)) static void negate_sum_##T(const ELEMENT_##T *a, ELEMENT_##T *out) {   \
    ik_##T x = ik_ld_##T(a);                                                                       \
    ik_st_##T(out, ik_neg_##T(ik_fma_##T(x, x, ik_ld_##T(a + L))));                                \
  }                                                                                                \
  CASE(the_sign_of_a_negated_zero_##T) {                                                           \
    ELEMENT_##T a[2 * L], out[L];                                                                  \
    for (int i = 0; i < L; i++) a[i] = (ELEMENT_##T)(i + 1), a[L + i] = -a[i] * a[i];              \
    negate_sum_##T(a, out);                                                                        \
    for (int i = 0; i < L; i++) CHECK(out[i] == 0 && signbit(out[i]));                             \
  }
ZEROS(f32)
#if IK_HAS_F64
ZEROS(f64)
#endif

/* ---- 16-bit floats ---- */

#define NANS(T)                                                                                    \
  CASE(a_nan_in_##T##_has_no_sign) {                                                               \
    double       v[4][16];                                                                         \
    const double one = 1, inf = INFINITY;                                                          \
    ik_##T       n = ik_div_##T(ik_set_##T(0), ik_set_##T(0)), i = ik_set_##T(inf);                \
    ik_st_f64(v[0], ik_cast_f64_##T(ik_neg_##T(n)));                                               \
    ik_st_f64(v[1], ik_cast_f64_##T(ik_sqrt_##T(ik_set_##T(-one))));                               \
    ik_st_f64(v[2], ik_cast_f64_##T(ik_add_##T(i, ik_neg_##T(i))));                                \
    ik_st_f64(v[3], ik_cast_f64_##T(ik_fma_##T(i, n, i)));                                         \
    for (int k = 0; k < 4; k++)                                                                    \
      for (int l = 0; l < L; l++) CHECK(isnan(v[k][l]) && !signbit(v[k][l]));                      \
  }
IK_NARROWS(NANS)

#define PATTERNS(T)                                                                                \
  CASE(patterns_##T) {                                                                             \
    for (int b = 0; b < 65536; b += L) {                                                           \
      uint16_t in[16], out[16], back[16];                                                          \
      double   v[16], want[16];                                                                    \
      for (int i = 0; i < L; i++) in[i] = (uint16_t)(b + i);                                       \
      ik_st_f64(v, ik_cast_f64_##T(ik_ld_##T(in)));                                                \
      ik_st_##T(out, ik_ld_##T(in));                                                               \
      ik_state_load_row(TYPE_##T, in, 0, L, want);                                                 \
      ik_state_store_row(TYPE_##T, back, 0, L, want);                                              \
      CHECK(memcmp(v, want, L * sizeof *v) == 0 && memcmp(out, back, L * sizeof *out) == 0);       \
    }                                                                                              \
  }                                                                                                \
  CASE(rounding_##T) {                                                                             \
    uint64_t s = 77;                                                                               \
    for (int k = 0; k < 16 * ROUNDS; k++) {                                                        \
      double   v[16], r[16], want[16];                                                             \
      uint16_t out[16], back[16];                                                                  \
      for (int i = 0; i < L; i++) v[i] = number(&s), want[i] = ik_type_round(TYPE_##T, v[i]);      \
      ik_st_##T(out, ik_ld_f64(v));                                                                \
      ik_st_f64(r, ik_cast_##T##_f64(ik_ld_f64(v)));                                               \
      ik_state_store_row(TYPE_##T, back, 0, L, v);                                                 \
      CHECK(memcmp(r, want, L * sizeof *r) == 0 && memcmp(out, back, L * sizeof *out) == 0);       \
    }                                                                                              \
  }
IK_NARROWS(PATTERNS)
