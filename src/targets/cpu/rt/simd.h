/* simd.h: the vector vocabulary of generated kernels.
 *
 * Comes after rt/kernel.h, in a file that has defined
 *   IK_VECTOR_BYTES  of a register: 64 AVX-512, 32 AVX2 with FMA, 16 NEON or SSE, 8 plain C
 *   IK_LANES         cells per vector: IK_VECTOR_BYTES/4, for f32 and i32; f64 is then done lane
 *                    by lane, and there is no f16 or bf16;
 *                    or IK_VECTOR_BYTES/8, and f32 and i32 are half a register;
 *                    or 1, and all types are C scalars
 *
 * Every operation has the bits of ik_apply() in ir/apply.c.  Not fixed are sign and payload of the
 * NaN that an operation makes in f32 and f64: machines differ there.  f16 and bf16 are held as f64:
 * operands are values of the type, results are rounded to it, and their only NaN is the quiet one
 * without a sign.  An ik_bool has all bits of a lane set, or none.
 *
 * This text is compiled anew with every program.  It includes nothing, as <immintrin.h> alone takes
 * a quarter of a second: the operators of GNU C on vectors do almost all, builtins of gcc and clang
 * the rest.  There are no vectors larger than a register: gcc 12 fails on some and is slow on all.
 * Little-endian machines only. */
#ifndef IK_RT_SIMD_H
#define IK_RT_SIMD_H

#define IK_FN          static inline __attribute__((always_inline))
#define IK_CAT(a, b)   IK_CAT_(a, b)
#define IK_CAT_(a, b)  a##b
#define IK_COUNT_1(k)  (k)
#define IK_COUNT_2(k)  (k), (k) + 1
#define IK_COUNT_4(k)  IK_COUNT_2(k), IK_COUNT_2((k) + 2)
#define IK_COUNT_8(k)  IK_COUNT_4(k), IK_COUNT_4((k) + 4)
#define IK_COUNT_16(k) IK_COUNT_8(k), IK_COUNT_8((k) + 8)
#define IK_COUNT(k)    IK_CAT(IK_COUNT_, IK_LANES)(k) /* k, k+1, ... */

#define IK_FLOATS(X) X(f32) X(f64)
#if IK_LANES == 1 || IK_LANES * 8 <= IK_VECTOR_BYTES
#define IK_HAS_F64    1
#define IK_NARROWS(X) X(f16) X(bf16)
#else
#define IK_HAS_F64 0 /* as vectors */
#define IK_NARROWS(X)
#endif
#define IK_TYPES(X) IK_FLOATS(X) IK_NARROWS(X) X(i32)

/* ---- types, and what they are made of ---- */

/* IK_VECTOR makes ik_##name, and ik_##name##_at as it lies in memory, aligned like one element.
 * IK_AS keeps the bits, IK_CONVERT the values. */
#if IK_LANES == 1
#define IK_VECTOR(name, element) typedef element ik_##name, ik_##name##_at;
#define IK_AT(v, i)              (v)
#define IK_AS(to, from, v)                                                                         \
  ((union {                                                                                        \
     from a;                                                                                       \
     to   b;                                                                                       \
   }){v}                                                                                           \
       .b)
#define IK_CONVERT(to, v) ((to)(v))
#else
#define IK_VECTOR(name, element)                                                                   \
  typedef element ik_##name __attribute__((vector_size(IK_LANES * sizeof(element))));              \
  typedef element ik_##name##_at                                                                   \
      __attribute__((vector_size(IK_LANES * sizeof(element)), aligned(sizeof(element))));
#define IK_AT(v, i)        ((v)[i])
#define IK_AS(to, from, v) ((to)(v))
#define IK_CONVERT(to, v)  __builtin_convertvector(v, to)
#endif

/* An expression of lane i_, for each: its body so many times, or a loop. */
#define IK_FILL(T, unroll, lane, expression)                                                       \
  __extension__({                                                                                  \
    ik_##T r_ = {0};                                                                               \
    unroll for (int i_ = 0; i_ < IK_LANES; i_++) lane = expression;                                \
    r_;                                                                                            \
  })
#define IK_UNROLL                  _Pragma("GCC unroll 16")
#define IK_BY_LANES(T, expression) IK_FILL(T, IK_UNROLL, IK_ELEMENT(T, r_, i_), expression)
#define IK_LOOP(T, expression)     IK_FILL(T, , IK_ELEMENT(T, r_, i_), expression)

/* Lanes, operators, comparisons, which make masks, and choices by these, for a type in registers;
 * f64 that does not fit one is an array of lanes. */
#define IK_ELEMENT(T, v, i)      IK_FORM_##T(IK_ELEMENT, v, i)
#define IK_BINARY(T, a, sign, b) IK_FORM_##T(IK_BINARY, T, a, sign, b)
#define IK_TEST(T, a, sign, b)   IK_FORM_##T(IK_TEST, T, a, sign, b)
#define IK_BLEND(T, m, yes, no)  IK_FORM_##T(IK_BLEND, T, m, yes, no)

#define IK_REGISTER(macro, ...)           macro##_REGISTER(__VA_ARGS__)
#define IK_ELEMENT_REGISTER(v, i)         IK_AT(v, i)
#define IK_BINARY_REGISTER(T, a, sign, b) ((a)sign(b))
#if IK_LANES == 1
#define IK_TEST_REGISTER(T, a, sign, b)  (-(ik_mask_##T)((a)sign(b)))
#define IK_BLEND_REGISTER(T, m, yes, no) ((m) ? (yes) : (no))
#else
#define IK_TEST_REGISTER(T, a, sign, b) ((ik_mask_##T)((a)sign(b)))
#define IK_BLEND_REGISTER(T, m, yes, no)                                                           \
  ((ik_##T)(((ik_mask_##T)(yes) & (m)) | ((ik_mask_##T)(no) & ~(m))))
#endif

#define IK_ARRAY(macro, ...)           macro##_ARRAY(__VA_ARGS__)
#define IK_ELEMENT_ARRAY(v, i)         ((v).at[i])
#define IK_BINARY_ARRAY(T, a, sign, b) IK_FILL(T, , r_.at[i_], (a).at[i_] sign(b).at[i_])
#define IK_TEST_ARRAY(T, a, sign, b)   IK_FILL(mask_f64, , r_[i_], -((a).at[i_] sign(b).at[i_]))
#define IK_BLEND_ARRAY(T, m, yes, no)                                                              \
  __extension__({                                                                                  \
    ik_mask_##T m_ = (m);                                                                          \
    IK_FILL(T, , r_.at[i_], m_[i_] ? (yes).at[i_] : (no).at[i_]);                                  \
  })

#define IK_FORM_f32  IK_REGISTER
#define IK_FORM_i32  IK_REGISTER
#define IK_FORM_f16  IK_REGISTER
#define IK_FORM_bf16 IK_REGISTER
#if IK_HAS_F64
#define IK_FORM_f64 IK_REGISTER
#else
#define IK_FORM_f64 IK_ARRAY
#endif

IK_VECTOR(f32, float)
IK_VECTOR(i32, int32_t)
IK_VECTOR(u32, uint32_t)
IK_VECTOR(u16, uint16_t)
IK_VECTOR(u8, uint8_t)
typedef ik_i32 ik_mask_f32, ik_mask_i32;
#if IK_HAS_F64
IK_VECTOR(f64, double)
IK_VECTOR(i64, long long) /* as builtins spell it */
IK_VECTOR(u64, unsigned long long)
typedef ik_f64 ik_f16, ik_bf16;
typedef ik_i64 ik_mask_f64, ik_mask_f16, ik_mask_bf16;
#else
typedef struct ik_f64 {
  double at[IK_LANES];
} ik_f64, ik_f64_at;
typedef ik_i32 ik_mask_f64;
#endif
#if IK_LANES * 8 == IK_VECTOR_BYTES
typedef ik_i64 ik_bool, ik_mask_bool;
#else
typedef ik_i32 ik_bool, ik_mask_bool;
#endif

#define IK_BITS(T)                                                                                 \
  IK_FN ik_mask_##T ik_bits_##T(ik_##T v) { return IK_AS(ik_mask_##T, ik_##T, v); }                \
  IK_FN ik_##T ik_of_bits_##T(ik_mask_##T v) { return IK_AS(ik_##T, ik_mask_##T, v); }
IK_BITS(f32)
#if IK_HAS_F64
IK_BITS(f64)
#endif

/* ---- instructions that C has no operator for ---- */

/* One family of them serves f32, one f64 (IK_HW_T), each with its own name for the type
 * (IK_MODE_T).  Where there is none, it is done lane by lane. */
#if IK_LANES == 1
#elif defined(__clang__)
#define IK_HW_f32 CLANG
#if IK_HAS_F64
#define IK_HW_f64 CLANG
#endif
#elif defined(__aarch64__)
#if IK_LANES == 4
#define IK_HW_f32   NEON
#define IK_MODE_f32 v4sf
#elif IK_LANES == 2
#define IK_HW_f32   NEON
#define IK_MODE_f32 v2sf
#if IK_HAS_F64
#define IK_HW_f64   NEON
#define IK_MODE_f64 v2df
#endif
#endif
#elif defined(__x86_64__)
#define IK_MODE_f32 ps
#define IK_MODE_f64 pd
#if IK_LANES == 16 && defined(__AVX512F__)
#define IK_HW_f32 AVX512
#elif IK_LANES == 8 && defined(__AVX2__)
#define IK_HW_f32 AVX
#elif IK_LANES == 4
#define IK_HW_f32 SSE
#endif
#if !IK_HAS_F64
#elif IK_LANES == 8 && defined(__AVX512F__)
#define IK_HW_f64 AVX512
#elif IK_LANES == 4 && defined(__AVX2__)
#define IK_HW_f64 AVX
#elif IK_LANES == 2
#define IK_HW_f64 SSE
#endif
#endif
#ifndef IK_HW_f32
#define IK_HW_f32 LANES
#endif
#ifndef IK_HW_f64
#define IK_HW_f64 LANES
#endif
/* IK_HW(SQRT, f64)(f64, IK_MODE_f64, a) */
#define IK_HW(op, T) IK_CAT(IK_##op##_, IK_HW_##T)

#define IK_CALLED_f32(name) name##f
#define IK_CALLED_f64(name) name
#define IK_FMA_LANES(T, s, a, b, c)                                                                \
  IK_BY_LANES(T, IK_CALLED_##T(__builtin_fma)(IK_ELEMENT(T, a, i_), IK_ELEMENT(T, b, i_),          \
                                              IK_ELEMENT(T, c, i_)))
#define IK_SQRT_LANES(T, s, a)   IK_BY_LANES(T, IK_CALLED_##T(__builtin_sqrt)(IK_ELEMENT(T, a, i_)))
#define IK_FLOOR_LANES(T, s, a)  IK_BY_LANES(T, IK_CALLED_##T(__builtin_floor)(IK_ELEMENT(T, a, i_)))
#define IK_MIN_LANES(T, s, a, b) IK_BLEND(T, IK_TEST(T, a, <, b), a, b)
#define IK_MAX_LANES(T, s, a, b) IK_BLEND(T, IK_TEST(T, a, >, b), a, b)
#define IK_NT_LANES(T, s, p, v)  (*(ik_##T *)(p) = (v))
#if IK_LANES == 1
#define IK_SHIFT_LANES(T, s, a, b, k) ((k) ? (b) : (a))
#elif defined(__clang__)
#define IK_SHIFT_LANES(T, s, a, b, k) __builtin_shufflevector(a, b, IK_COUNT(k))
#else
#define IK_SHIFT_LANES(T, s, a, b, k) __builtin_shuffle(a, b, (ik_mask_##T){IK_COUNT(k)})
#endif

/* clang puts lanes together by itself, and has names of its own for it from some version on. */
#ifdef __clang__
#if __has_builtin(__builtin_elementwise_fma)
#define IK_FMA_CLANG(T, s, a, b, c) __builtin_elementwise_fma(a, b, c)
#else
#define IK_FMA_CLANG IK_FMA_LANES
#endif
#if __has_builtin(__builtin_elementwise_sqrt)
#define IK_SQRT_CLANG(T, s, a) __builtin_elementwise_sqrt(a)
#else
#define IK_SQRT_CLANG IK_SQRT_LANES
#endif
#define IK_FLOOR_CLANG(T, s, a) __builtin_elementwise_floor(a)
#define IK_MIN_CLANG            IK_MIN_LANES
#define IK_MAX_CLANG            IK_MAX_LANES
#define IK_SHIFT_CLANG          IK_SHIFT_LANES
#ifdef __x86_64__
#define IK_NT_CLANG(T, s, p, v) __builtin_nontemporal_store(v, (ik_##T *)(p))
#else
#define IK_NT_CLANG IK_NT_LANES /* elsewhere it takes the vector apart first */
#endif
#endif

#define IK_FMA_NEON(T, s, a, b, c) IK_CAT(__builtin_aarch64_fma, s)(a, b, c)
#define IK_SQRT_NEON(T, s, a)      IK_CAT(__builtin_aarch64_sqrt, s)(a)
#define IK_FLOOR_NEON(T, s, a)     IK_CAT(__builtin_aarch64_floor, s)(a)
#define IK_MIN_NEON                IK_MIN_LANES
#define IK_MAX_NEON                IK_MAX_LANES
#define IK_NT_NEON                 IK_NT_LANES
#define IK_SHIFT_NEON              IK_SHIFT_LANES

/* minps and its like are a < b ? a : b, exactly.  Stores past the caches know only floats. */
#define IK_X86(name, s, bits) IK_CAT(IK_CAT(IK_CAT(__builtin_ia32_, name), s), bits)
#define IK_REAL_f32(v)        (v)
#define IK_REAL_f64(v)        (v)
#define IK_REAL_i32(v)        ((ik_f32)(v))
#ifdef __FMA__
#define IK_FMA_SSE(T, s, a, b, c) IK_X86(vfmadd, s, )(a, b, c)
#define IK_FMA_AVX(T, s, a, b, c) IK_X86(vfmadd, s, 256)(a, b, c)
#else
#define IK_FMA_SSE IK_FMA_LANES
#define IK_FMA_AVX IK_FMA_LANES
#endif
#ifdef __SSE4_1__
#define IK_FLOOR_SSE(T, s, a) IK_X86(round, s, )(a, 9)
#else
#define IK_FLOOR_SSE IK_FLOOR_LANES
#endif
#define IK_SQRT_SSE(T, s, a)         IK_X86(sqrt, s, )(a)
#define IK_MIN_SSE(T, s, a, b)       IK_X86(min, s, )(a, b)
#define IK_MAX_SSE(T, s, a, b)       IK_X86(max, s, )(a, b)
#define IK_NT_SSE(T, s, p, v)        IK_X86(movnt, s, )((void *)(p), IK_REAL_##T(v))
#define IK_SHIFT_SSE                 IK_SHIFT_LANES
#define IK_FLOOR_AVX(T, s, a)        IK_X86(round, s, 256)(a, 9)
#define IK_SQRT_AVX(T, s, a)         IK_X86(sqrt, s, 256)(a)
#define IK_MIN_AVX(T, s, a, b)       IK_X86(min, s, 256)(a, b)
#define IK_MAX_AVX(T, s, a, b)       IK_X86(max, s, 256)(a, b)
#define IK_NT_AVX(T, s, p, v)        IK_X86(movnt, s, 256)((void *)(p), IK_REAL_##T(v))
#define IK_SHIFT_AVX                 IK_SHIFT_LANES
#define IK_FMA_AVX512(T, s, a, b, c) IK_X86(vfmadd, s, 512_mask)(a, b, c, -1, 4)
#define IK_FLOOR_AVX512(T, s, a)     IK_X86(rndscale, s, _mask)(a, 9, a, -1, 4)
#define IK_SQRT_AVX512(T, s, a)      IK_X86(sqrt, s, 512_mask)(a, a, -1, 4)
#define IK_MIN_AVX512(T, s, a, b)    IK_X86(min, s, 512_mask)(a, b, a, -1, 4)
#define IK_MAX_AVX512(T, s, a, b)    IK_X86(max, s, 512_mask)(a, b, a, -1, 4)
#define IK_NT_AVX512(T, s, p, v)     IK_X86(movnt, s, 512)((void *)(p), IK_REAL_##T(v))
/* valign; gcc would load the numbers of the lanes into a register. */
#define IK_SHIFT_AVX512(T, s, a, b, k)                                                             \
  ((k) == IK_LANES ? (b)                                                                           \
                   : (ik_##T)IK_ALIGN_##T((ik_mask_##T)(b), (ik_mask_##T)(a), (k) % IK_LANES,      \
                                          (ik_mask_##T){0}, -1))
#define IK_ALIGN_f32 __builtin_ia32_alignd512_mask
#define IK_ALIGN_i32 __builtin_ia32_alignd512_mask
#define IK_ALIGN_f64 __builtin_ia32_alignq512_mask

/* ---- broadcasts and lane numbers ---- */

#define IK_SET(T, element)                                                                         \
  IK_FN ik_##T ik_set_##T(element c) { return c - (ik_##T){0}; }
IK_SET(f32, float)
IK_SET(i32, int32_t)
IK_FN ik_bool ik_set_bool(int c) { return (c ? -1 : 0) - (ik_bool){0}; }

IK_FN ik_i32 ik_index_i32(int64_t x) {
  return (ik_i32)((ik_u32)ik_set_i32((int32_t)(uint32_t)x) + (ik_u32){IK_COUNT(0)});
}

IK_FN ik_f32 ik_index_f32(int64_t x) {
  if (x > -(1 << 24) && x < (1 << 24) - IK_LANES) /* exact */
    return ik_set_f32((float)x) + (ik_f32){IK_COUNT(0)};
  return IK_LOOP(f32, (float)(x + i_));
}

#if IK_HAS_F64
IK_SET(f64, double)
IK_SET(f16, double) /* of a value of the type */
IK_SET(bf16, double)
IK_SET(i64, int64_t)
IK_FN ik_f64 ik_index_f64(int64_t x) { return ik_set_f64((double)x) + (ik_f64){IK_COUNT(0)}; }
#else
IK_FN ik_f64   ik_set_f64(double c) { return IK_BY_LANES(f64, c); }
IK_FN ik_f64   ik_index_f64(int64_t x) { return IK_BY_LANES(f64, (double)(x + i_)); }
#endif

/* ---- f32 and f64 ---- */

#define IK_ARITHMETIC(T)                                                                           \
  IK_FN ik_##T ik_add_##T(ik_##T a, ik_##T b) { return IK_BINARY(T, a, +, b); }                    \
  IK_FN ik_##T ik_sub_##T(ik_##T a, ik_##T b) { return IK_BINARY(T, a, -, b); }                    \
  IK_FN ik_##T ik_mul_##T(ik_##T a, ik_##T b) { return IK_BINARY(T, a, *, b); }                    \
  IK_FN ik_##T ik_div_##T(ik_##T a, ik_##T b) { return IK_BINARY(T, a, /, b); }                    \
  IK_FN ik_##T ik_fma_##T(ik_##T a, ik_##T b, ik_##T c) {                                          \
    return IK_HW(FMA, T)(T, IK_MODE_##T, a, b, c);                                                 \
  }                                                                                                \
  IK_FN ik_##T ik_min_##T(ik_##T a, ik_##T b) { return IK_HW(MIN, T)(T, IK_MODE_##T, a, b); }      \
  IK_FN ik_##T ik_max_##T(ik_##T a, ik_##T b) { return IK_HW(MAX, T)(T, IK_MODE_##T, a, b); }      \
  IK_FN ik_##T ik_floor_##T(ik_##T a) { return IK_HW(FLOOR, T)(T, IK_MODE_##T, a); }               \
  IK_FN ik_##T ik_sqrt_##T(ik_##T a) { return IK_HW(SQRT, T)(T, IK_MODE_##T, a); }
IK_FLOATS(IK_ARITHMETIC)

/* The bit is flipped.  Of scalars, and of vectors that it takes apart, gcc 12 makes the negative of
 * fma(a, b, c) into -(a*b) - c, which has another sign where the sum is zero. */
#define IK_SIGNS(T) /* of NaNs as well */                                                          \
  IK_FN ik_##T ik_neg_##T(ik_##T a) {                                                              \
    return ik_of_bits_##T(ik_bits_##T(a) ^ ik_bits_##T(ik_set_##T(-0.0f)));                        \
  }                                                                                                \
  IK_FN ik_##T ik_abs_##T(ik_##T a) {                                                              \
    return ik_of_bits_##T(ik_bits_##T(a) & ~ik_bits_##T(ik_set_##T(-0.0f)));                       \
  }
IK_SIGNS(f32)
#if IK_HAS_F64
IK_SIGNS(f64)
#else
IK_FN double   ik_negative(double a) { /* as above */
  union {
      double  v;
      int64_t bits;
  } u = {a};
  u.bits ^= INT64_MIN;
  return u.v;
}
IK_FN ik_f64  ik_neg_f64(ik_f64 a) { return IK_BY_LANES(f64, ik_negative(a.at[i_])); }
IK_FN ik_f64  ik_abs_f64(ik_f64 a) { return IK_BY_LANES(f64, __builtin_fabs(a.at[i_])); }
#endif

/* ---- 16-bit floats, as in base/num.c ---- */

#if IK_HAS_F64
#define IK_INF_BITS (INT64_C(0x7ff0) << 48)
#define IK_NAN_BITS (INT64_C(0x7ff8) << 48)

IK_FN ik_f64 ik_blend_f64(ik_i64 m, ik_f64 yes, ik_f64 no) { return IK_BLEND(f64, m, yes, no); }
IK_FN ik_f64 ik_special(int64_t bits) { return ik_of_bits_f64(ik_set_i64(bits)); }

/* A type of `mant` stored bits, with 2^emin the smallest normal number; top is what comes after the
 * largest one, in whose place stands infinity.  Adding a suitable large number to |v| makes the
 * machine round it to a multiple of its unit in the last place: 1.5 * 2^52 of these units.  The
 * sum's bits, above those of that number, count the units.  A carry out of the significand moves
 * into the exponent, and out of the largest number into the pattern of infinity, as it should. */
#define IK_NARROW(T, mant, emin, nan)                                                              \
  IK_FN ik_f64 ik_top_##T(void) { return ik_special((int64_t)(1023 + 2 - (emin)) << 52); }         \
  IK_FN ik_f64 ik_smallest_##T(void) { return ik_special((int64_t)(1023 + (emin)) << 52); }        \
  IK_FN ik_f64 ik_units_##T(ik_f64 magnitude) {                                                    \
    ik_i64 e = ik_bits_f64(ik_max_f64(magnitude, ik_smallest_##T())) & IK_INF_BITS;                \
    return ik_of_bits_f64(e + ((INT64_C(2) * (52 - (mant)) + 1) << 51));                           \
  }                                                                                                \
  IK_FN ik_f64 ik_nearest_##T(ik_f64 v) {                                                          \
    ik_i64 sign = ik_bits_f64(v) & INT64_MIN;                                                      \
    ik_f64 a = ik_min_f64(ik_abs_f64(v), ik_top_##T()), units = ik_units_##T(a);                   \
    ik_f64 r = (a + units) - units;                                                                \
    r = ik_blend_f64(IK_TEST(f64, r, <, ik_top_##T()), r, ik_special(IK_INF_BITS));                \
    r = ik_of_bits_f64(ik_bits_f64(r) | sign);                                                     \
    return ik_blend_f64(IK_TEST(f64, v, ==, v), r, ik_special(IK_NAN_BITS));                       \
  }                                                                                                \
  IK_FN ik_u16 ik_narrow_##T(ik_f64 v) {                                                           \
    ik_i64 sign = (ik_i64)((ik_u64)ik_bits_f64(v) >> 48) & 0x8000;                                 \
    ik_f64 a = ik_min_f64(ik_abs_f64(v), ik_top_##T()), units = ik_units_##T(a);                   \
    ik_i64 u = ik_bits_f64(units), q = ik_bits_f64(a + units) - u;                                 \
    q += ((u >> 52) - (1023 + 52 - (mant) + (emin))) << (mant);                                    \
    ik_i64 number = IK_TEST(f64, v, ==, v);                                                        \
    return IK_CONVERT(ik_u16, IK_CONVERT(ik_i32, ((q | sign) & number) | (~number & (nan))));      \
  }                                                                                                \
  IK_FN ik_f64 ik_widen_##T(ik_u16 bits) {                                                         \
    ik_i64 h = IK_CONVERT(ik_i64, IK_CONVERT(ik_i32, bits)),                                       \
           sign = (ik_i64)((ik_u64)(h & 0x8000) << 48);                                            \
    ik_i64 normal = ((h & 0x7fff) << (52 - (mant))) + ((int64_t)(1023 + (emin)-1) << 52);          \
    ik_f64 r = ik_of_bits_f64(normal), least = ik_smallest_##T(), top = ik_top_##T();              \
    ik_f64 below = ik_of_bits_f64(normal + (INT64_C(1) << 52)) - least;                            \
    ik_i64 finite = IK_TEST(f64, r, <, top), number = IK_TEST(f64, r, <=, top);                    \
    r = ik_blend_f64(IK_TEST(f64, r, <, least), below, r);                                         \
    r = ik_blend_f64(finite, r, ik_special(IK_INF_BITS));                                          \
    r = ik_of_bits_f64(ik_bits_f64(r) | sign);                                                     \
    return ik_blend_f64(number, r, ik_special(IK_NAN_BITS));                                       \
  }
IK_NARROW(f16, 10, -14, 0x7e00)
IK_NARROW(bf16, 7, -126, 0x7fc0)

/* a + b rounded to odd (see base/num.c). */
IK_FN ik_f64 ik_add_odd(ik_f64 a, ik_f64 b) {
  ik_f64 s = a + b, bb = s - a, err = (a - (s - bb)) + (b - bb), zero = ik_set_f64(0);
  ik_i64 u = ik_bits_f64(s), inexact = IK_TEST(f64, ik_abs_f64(err), >, zero);
  ik_i64 toward = IK_TEST(f64, err, >, zero) ^ IK_TEST(f64, s, >, zero);
  return ik_of_bits_f64(u + ((toward | 1) & inexact & ((u & 1) - 1)));
}

#define IK_ROUNDED(T, op)                                                                          \
  IK_FN ik_f64 ik_##op##_##T(ik_f64 a, ik_f64 b) { return ik_nearest_##T(ik_##op##_f64(a, b)); }
#define IK_NARROW_ARITHMETIC(T)                                                                    \
  IK_ROUNDED(T, add)                                                                               \
  IK_ROUNDED(T, sub)                                                                               \
  IK_ROUNDED(T, mul)                                                                               \
  IK_ROUNDED(T, div)                                                                               \
  IK_FN ik_f64 ik_neg_##T(ik_f64 a) {                                                              \
    return ik_blend_f64(IK_TEST(f64, a, ==, a), ik_neg_f64(a), a); /* a NaN has no sign */         \
  }                                                                                                \
  IK_FN ik_f64 ik_fma_##T(ik_f64 a, ik_f64 b, ik_f64 c) {                                          \
    return ik_nearest_##T(ik_add_odd(a * b, c));                                                   \
  }                                                                                                \
  IK_FN ik_f64 ik_min_##T(ik_f64 a, ik_f64 b) { return ik_min_f64(a, b); }                         \
  IK_FN ik_f64 ik_max_##T(ik_f64 a, ik_f64 b) { return ik_max_f64(a, b); }                         \
  IK_FN ik_f64 ik_abs_##T(ik_f64 a) { return ik_abs_f64(a); }                                      \
  IK_FN ik_f64 ik_floor_##T(ik_f64 a) { return ik_floor_f64(a); }                                  \
  IK_FN ik_f64 ik_sqrt_##T(ik_f64 a) { return ik_nearest_##T(ik_sqrt_f64(a)); }
IK_NARROWS(IK_NARROW_ARITHMETIC)
#endif

/* ---- i32: wraps ---- */

/* Toward zero, then modulo 2^32; what is not finite becomes 0. */
IK_FN int32_t ik_wrap(double v) {
  if (!(__builtin_fabs(v) < 0x1p63)) v = v - v == 0 ? __builtin_fmod(v, 0x1p32) : 0;
  return (int32_t)(uint32_t)(uint64_t)(int64_t)v;
}

#define IK_WRAPPED(op, sign)                                                                       \
  IK_FN ik_i32 ik_##op##_i32(ik_i32 a, ik_i32 b) { return (ik_i32)((ik_u32)a sign(ik_u32) b); }
IK_WRAPPED(add, +)
IK_WRAPPED(sub, -)
IK_WRAPPED(mul, *)
IK_FN ik_i32 ik_neg_i32(ik_i32 a) { return ik_sub_i32(ik_set_i32(0), a); }
IK_FN ik_i32 ik_fma_i32(ik_i32 a, ik_i32 b, ik_i32 c) { return ik_add_i32(ik_mul_i32(a, b), c); }
IK_FN ik_i32 ik_abs_i32(ik_i32 a) { return ik_sub_i32(a ^ (a >> 31), a >> 31); }
IK_FN ik_i32 ik_min_i32(ik_i32 a, ik_i32 b) { return IK_MIN_LANES(i32, , a, b); }
IK_FN ik_i32 ik_max_i32(ik_i32 a, ik_i32 b) { return IK_MAX_LANES(i32, , a, b); }
IK_FN ik_i32 ik_floor_i32(ik_i32 a) { return a; }
IK_FN ik_i32 ik_sqrt_i32(ik_i32 a) {
  return IK_BY_LANES(i32, ik_wrap(__builtin_sqrt(IK_AT(a, i_))));
}

/* What C can divide by: b, but 1 instead of 0 and of -1, whose quotient overflows. */
IK_FN ik_i32 ik_divisor(ik_i32 b) {
  ik_i32 odd = IK_TEST(i32, b, ==, 0) | IK_TEST(i32, b, ==, -1);
  return IK_BLEND(i32, odd, ik_set_i32(1), b);
}

IK_FN ik_i32 ik_div_i32(ik_i32 a, ik_i32 b) {
  ik_i32 q = a / ik_divisor(b);
  return IK_BLEND(i32, IK_TEST(i32, b, ==, -1), ik_neg_i32(a), q & IK_TEST(i32, b, !=, 0));
}

IK_FN ik_i32 ik_mod_i32(ik_i32 a, ik_i32 b) {
  ik_i32 m = a % ik_divisor(b);
  return m + (b & IK_TEST(i32, m, !=, 0) & IK_TEST(i32, m ^ b, <, 0));
}

/* ---- comparisons and choices ---- */

IK_FN ik_bool ik_not(ik_bool a) { return ~a; }
IK_FN ik_bool ik_and(ik_bool a, ik_bool b) { return a & b; }
IK_FN ik_bool ik_or(ik_bool a, ik_bool b) { return a | b; }

#define IK_COMPARE(T, op, sign)                                                                    \
  IK_FN ik_bool ik_##op##_##T(ik_##T a, ik_##T b) {                                                \
    return IK_CONVERT(ik_bool, IK_TEST(T, a, sign, b));                                            \
  }                                                                                                \
  IK_FN ik_##T ik_select_##op##_##T(ik_##T a, ik_##T b, ik_##T x, ik_##T y) {                      \
    return IK_BLEND(T, IK_TEST(T, a, sign, b), x, y);                                              \
  }
#define IK_CHOICES(T)                                                                              \
  IK_COMPARE(T, lt, <)                                                                             \
  IK_COMPARE(T, le, <=)                                                                            \
  IK_COMPARE(T, eq, ==)                                                                            \
  IK_COMPARE(T, ne, !=)                                                                            \
  IK_FN ik_##T ik_select_##T(ik_bool m, ik_##T a, ik_##T b) {                                      \
    return IK_BLEND(T, IK_CONVERT(ik_mask_##T, m), a, b);                                          \
  }
IK_TYPES(IK_CHOICES)
IK_FN ik_bool ik_select_bool(ik_bool m, ik_bool a, ik_bool b) { return (m & a) | (~m & b); }

/* ---- casts: to T from S ---- */

#define IK_CAST(T, S, expression)                                                                  \
  IK_FN ik_##T ik_cast_##T##_##S(ik_##S a) { return expression; }
#define IK_CAST_BOOL(S) IK_CAST(bool, S, ik_ne_##S(a, ik_set_##S(0)))

/* Floats to i32 go toward zero; what is too large becomes the largest; NaN becomes 0. */
IK_FN ik_i32 ik_cast_i32_f32(ik_f32 a) {
  ik_f32 limit = ik_set_f32(0x1p31f), low = ik_max_f32(a, -limit);
  ik_i32 r = IK_CONVERT(ik_i32, IK_BLEND(f32, IK_TEST(f32, a, <, limit), low, (ik_f32){0}));
  return IK_BLEND(i32, IK_TEST(f32, a, >=, limit), ik_set_i32(INT32_MAX), r);
}
IK_CAST(i32, i32, a)
IK_CAST(i32, bool, IK_CONVERT(ik_i32, a) & 1)
IK_CAST(f32, f32, a)
IK_CAST(f32, i32, IK_CONVERT(ik_f32, a))
IK_CAST(f32, bool, ik_cast_f32_i32(ik_cast_i32_bool(a)))
IK_TYPES(IK_CAST_BOOL)
IK_CAST(bool, bool, a)

#if IK_HAS_F64
IK_FN ik_i32 ik_cast_i32_f64(ik_f64 a) {
  ik_f64 r = ik_max_f64(ik_min_f64(a, ik_set_f64(INT32_MAX)), ik_set_f64(INT32_MIN));
  return IK_CONVERT(ik_i32, ik_blend_f64(IK_TEST(f64, a, ==, a), r, ik_set_f64(0)));
}
IK_CAST(f64, f32, IK_CONVERT(ik_f64, a))
IK_CAST(f64, i32, IK_CONVERT(ik_f64, a))
IK_CAST(f64, bool, ik_of_bits_f64(IK_CONVERT(ik_i64, a) & ik_bits_f64(ik_set_f64(1))))
IK_CAST(f32, f64, IK_CONVERT(ik_f32, a))
#define IK_CAST_NARROW(T)                                                                          \
  IK_CAST(T, f64, ik_nearest_##T(a))                                                               \
  IK_CAST(T, f32, ik_nearest_##T(ik_cast_f64_f32(a)))                                              \
  IK_CAST(T, i32, ik_nearest_##T(ik_cast_f64_i32(a)))                                              \
  IK_CAST(T, bool, ik_cast_f64_bool(a))                                                            \
  IK_CAST(f64, T, a)                                                                               \
  IK_CAST(f32, T, ik_cast_f32_f64(a))                                                              \
  IK_CAST(i32, T, ik_cast_i32_f64(a))                                                              \
  IK_CAST(T, T, a)
IK_NARROWS(IK_CAST_NARROW)
IK_CAST(f16, bf16, ik_nearest_f16(a))
IK_CAST(bf16, f16, ik_nearest_bf16(a))
#else
IK_FN int32_t ik_clamp(double v) {
  v = v < INT32_MAX ? v : v != v ? 0 : INT32_MAX;
  return (int32_t)(v > INT32_MIN ? v : INT32_MIN);
}
IK_CAST(i32, f64, IK_BY_LANES(i32, ik_clamp(a.at[i_])))
IK_CAST(f64, f32, IK_BY_LANES(f64, a[i_]))
IK_CAST(f64, i32, IK_BY_LANES(f64, a[i_]))
IK_CAST(f64, bool, IK_BY_LANES(f64, a[i_] ? 1 : 0))
IK_CAST(f32, f64, IK_BY_LANES(f32, (float)a.at[i_]))
#endif
IK_CAST(f64, f64, a)

/* ---- lane by lane, in double ---- */

IK_FN double ik_modulo(double a, double b) {
  double m = b == 0 ? 0 : __builtin_fmod(a, b);
  return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}

/* Each lane is rounded to its type, the 16-bit floats all at once. */
#define IK_IN_DOUBLE(T, expression) IK_IN_##T(T, expression)
#define IK_IN_f32(T, e)             IK_LOOP(T, (float)(e))
#define IK_IN_f64(T, e)             IK_LOOP(T, e)
#define IK_IN_i32(T, e)             IK_LOOP(T, ik_wrap(e))
#define IK_IN_f16(T, e)             ik_nearest_f16(IK_LOOP(T, e))
#define IK_IN_bf16(T, e)            ik_nearest_bf16(IK_LOOP(T, e))

#define IK_MODULO(T)                                                                               \
  IK_FN ik_##T ik_mod_##T(ik_##T a, ik_##T b) {                                                    \
    return IK_IN_DOUBLE(T, ik_modulo(IK_ELEMENT(T, a, i_), IK_ELEMENT(T, b, i_)));                 \
  }
IK_FLOATS(IK_MODULO)
IK_NARROWS(IK_MODULO)

#define IK_CALL(T, name)                                                                           \
  IK_FN ik_##T ik_##name##_##T(const ik_rt *rt, ik_##T a) {                                        \
    return IK_IN_DOUBLE(T, rt->name(IK_ELEMENT(T, a, i_)));                                        \
  }
#define IK_CALLS(T)                                                                                \
  IK_CALL(T, exp)                                                                                  \
  IK_CALL(T, log)                                                                                  \
  IK_CALL(T, sin)                                                                                  \
  IK_CALL(T, cos)                                                                                  \
  IK_CALL(T, tan)                                                                                  \
  IK_CALL(T, tanh)                                                                                 \
  IK_CALL(T, atan)                                                                                 \
  IK_FN ik_##T ik_pow_##T(const ik_rt *rt, ik_##T a, ik_##T b) {                                   \
    return IK_IN_DOUBLE(T, rt->pow(IK_ELEMENT(T, a, i_), IK_ELEMENT(T, b, i_)));                   \
  }                                                                                                \
  IK_FN ik_##T ik_table_##T(const ik_rt *rt, int id, ik_##T a) {                                   \
    return IK_IN_DOUBLE(T, rt->table(rt->program, id, IK_ELEMENT(T, a, i_)));                      \
  }                                                                                                \
  IK_FN ik_##T ik_noise_##T(const ik_rt *rt, double seed, int64_t x, int64_t y, int64_t z) {       \
    return IK_IN_DOUBLE(T, rt->noise(seed, x + i_, y, z));                                         \
  }
IK_TYPES(IK_CALLS)

/* ---- memory ---- */

/* `vector` is how the type lies in memory; in registers it is decode() of that. */
#define IK_WHOLE(T, element, vector, decode, encode)                                               \
  IK_FN ik_##T ik_ld_##T(const element *p) { return decode(*(const vector##_at *)p); }             \
  IK_FN void   ik_st_##T(element *p, ik_##T v) { *(vector##_at *)p = encode(v); }
#if IK_LANES == 1 /* where gcc 12 would drop the zero from before a copy of nothing */
#define IK_PART(T, element, vector, decode, encode)                                                \
  IK_FN ik_##T ik_ldn_##T(const element *p, int n) { return n ? ik_ld_##T(p) : 0; }                \
  IK_FN void   ik_stn_##T(element *p, ik_##T v, int n) {                                           \
      if (n) ik_st_##T(p, v);                                                                      \
  }                                                                                                \
  IK_FN void ik_stm_##T(element *p, ik_##T v, int skip, int n) {                                   \
    if (n > skip) ik_st_##T(p, v);                                                                 \
  }
#else
/* A function for few bytes of any number takes longer than what they are for. */
#define IK_SOME(to, from, skip, n)                                                                 \
  do {                                                                                             \
    _Pragma("GCC unroll 64") for (int i_ = 0; i_ < IK_LANES; i_++) {                               \
      if (i_ >= (skip) && i_ < (n)) (to)[i_] = (from)[i_];                                         \
    }                                                                                              \
  } while (0)
#define IK_PART(T, element, vector, decode, encode)                                                \
  IK_FN ik_##T ik_ldn_##T(const element *p, int n) {                                               \
    vector some = {0};                                                                             \
    IK_SOME((element *)&some, p, 0, n);                                                            \
    return decode(some);                                                                           \
  }                                                                                                \
  IK_FN void ik_stn_##T(element *p, ik_##T v, int n) {                                             \
    vector some = encode(v);                                                                       \
    if (n == IK_LANES)                                                                             \
      *(vector##_at *)p = some;                                                                    \
    else                                                                                           \
      IK_SOME(p, (element *)&some, 0, n);                                                          \
  }                                                                                                \
  IK_FN void ik_stm_##T(element *p, ik_##T v, int skip, int n) {                                   \
    vector some = encode(v);                                                                       \
    IK_SOME(p, (element *)&some, skip, n);                                                         \
  }
#endif
/* mix: the lanes from skip to n of v, the others of what lies in memory; ldif: what lies at p, or v
 * in all lanes, and then nothing is loaded. */
#define IK_MIX(T, element)                                                                         \
  IK_FN ik_##T ik_ldif_##T(int yes, const element *p, element v) {                                 \
    return yes ? ik_ld_##T(p) : ik_set_##T(v);                                                     \
  }                                                                                                \
  IK_FN ik_##T ik_mix_##T(ik_##T v, const element *rest, int skip, int n) {                        \
    ik_##T some = ik_ld_##T(rest);                                                                 \
    __builtin_memcpy((element *)&some + skip, (element *)&v + skip,                                \
                     (unsigned)(n - skip) * sizeof *rest);                                         \
    return some;                                                                                   \
  }
/* AVX-512 loads and stores lanes under a mask; what the mask leaves out is not touched. */
#define IK_MASKED(T, element, kind)                                                                \
  IK_FN ik_##T ik_ldn_##T(const element *p, int n) {                                               \
    return __builtin_ia32_load##kind##_mask((const void *)p, (ik_##T){0}, (1u << n) - 1);          \
  }                                                                                                \
  IK_FN void ik_stn_##T(element *p, ik_##T v, int n) {                                             \
    __builtin_ia32_store##kind##_mask((void *)p, v, (1u << n) - 1);                                \
  }                                                                                                \
  IK_FN void ik_stm_##T(element *p, ik_##T v, int skip, int n) {                                   \
    if (n > skip)                                                                                  \
      __builtin_ia32_store##kind##_mask((void *)p, v, ((1u << n) - 1) & ~((1u << skip) - 1));      \
  }                                                                                                \
  IK_FN ik_##T ik_ldif_##T(int yes, const element *p, element v) {                                 \
    return __builtin_ia32_load##kind##_mask((const void *)p, ik_set_##T(v), yes ? -1 : 0);         \
  }                                                                                                \
  IK_FN ik_##T ik_mix_##T(ik_##T v, const element *rest, int skip, int n) {                        \
    return __builtin_ia32_load##kind##_mask((const void *)rest, v,                                 \
                                            ~((1u << n) - 1) | ((1u << skip) - 1));                \
  }
/* What stands beyond the ends of rows; they are near where lanes have other values at all. */
#define IK_ENDS(T, element)                                                                        \
  IK_FN ik_##T ik_low_##T(ik_##T v, int64_t i, element beyond) {                                   \
    if (i >= 0) return v;                                                                          \
    return ik_select_lt_##T(ik_index_##T(i), ik_set_##T(0), ik_set_##T(beyond), v);                \
  }                                                                                                \
  IK_FN ik_##T ik_high_##T(ik_##T v, int64_t i, element beyond) {                                  \
    if (i + IK_LANES <= 0) return v;                                                               \
    return ik_select_lt_##T(ik_index_##T(i), ik_set_##T(0), v, ik_set_##T(beyond));                \
  }
IK_ENDS(f32, float)
IK_ENDS(f64, double)
#define IK_SAME(v) (v)

/* gcc converts well to twice or half the width, and lane by lane otherwise. */
IK_FN ik_bool ik_decode_bool(ik_u8 b) {
  ik_i32 v = IK_CONVERT(ik_i32, IK_CONVERT(ik_u16, b));
  return IK_CONVERT(ik_bool, IK_TEST(i32, v, !=, 0));
}
IK_FN ik_u8 ik_encode_bool(ik_bool m) {
  return IK_CONVERT(ik_u8, IK_CONVERT(ik_u16, IK_CONVERT(ik_i32, m) & 1));
}
IK_WHOLE(bool, uint8_t, ik_u8, ik_decode_bool, ik_encode_bool)
IK_PART(bool, uint8_t, ik_u8, ik_decode_bool, ik_encode_bool)
IK_WHOLE(f32, float, ik_f32, IK_SAME, IK_SAME)
IK_WHOLE(i32, int32_t, ik_i32, IK_SAME, IK_SAME)
#if IK_LANES == 16 && defined(__AVX512VL__)
IK_MASKED(f32, float, ups512)
IK_MASKED(i32, int32_t, dqusi512)
#elif IK_LANES == 8 && defined(__AVX512VL__)
IK_MASKED(f32, float, ups256)
IK_MASKED(i32, int32_t, dqusi256)
#else
IK_PART(f32, float, ik_f32, IK_SAME, IK_SAME)
IK_PART(i32, int32_t, ik_i32, IK_SAME, IK_SAME)
IK_MIX(f32, float)
#endif

/* Past the caches, where the machine can do it; p is a multiple of the vector's size.  Some
 * machines insist on that; where errors are looked for, all do. */
#ifdef __SANITIZE_ADDRESS__
#define IK_NT_AT(p, v)                                                                             \
  if ((uintptr_t)(p) % sizeof(v)) __builtin_trap()
#else
#define IK_NT_AT(p, v) (void)0
#endif
IK_FN void ik_nt_bool(uint8_t *p, ik_bool v) { ik_st_bool(p, v); }
IK_FN void ik_nt_f32(float *p, ik_f32 v) {
  IK_NT_AT(p, v);
  IK_HW(NT, f32)(f32, IK_MODE_f32, p, v);
}
IK_FN void ik_nt_i32(int32_t *p, ik_i32 v) {
  IK_NT_AT(p, v);
  IK_HW(NT, f32)(i32, IK_MODE_f32, p, v);
}

IK_WHOLE(f64, double, ik_f64, IK_SAME, IK_SAME)
#if IK_HAS_F64 && IK_LANES == 8 && defined(__AVX512VL__)
IK_MASKED(f64, double, upd512)
#else
IK_PART(f64, double, ik_f64, IK_SAME, IK_SAME)
IK_MIX(f64, double)
#endif
IK_FN void ik_nt_f64(double *p, ik_f64 v) {
  IK_NT_AT(p, v);
  IK_HW(NT, f64)(f64, IK_MODE_f64, p, v);
}

#define IK_MEMORY_NARROW(T)                                                                        \
  IK_WHOLE(T, uint16_t, ik_u16, ik_widen_##T, ik_narrow_##T)                                       \
  IK_PART(T, uint16_t, ik_u16, ik_widen_##T, ik_narrow_##T)                                        \
  IK_FN void ik_nt_##T(uint16_t *p, ik_f64 v) { ik_st_##T(p, v); }
IK_NARROWS(IK_MEMORY_NARROW)

/* What is left of a row: n lanes, at least one.  Whole vectors go past the caches if so asked. */
#define IK_REST(T, element)                                                                        \
  IK_FN void ik_ntn_##T(element *p, ik_##T v, int n, int streaming) {                              \
    if (n < IK_LANES)                                                                              \
      ik_stn_##T(p, v, n);                                                                         \
    else if (streaming)                                                                            \
      ik_nt_##T(p, v);                                                                             \
    else                                                                                           \
      ik_st_##T(p, v);                                                                             \
  }
IK_REST(bool, uint8_t)
IK_REST(f32, float)
IK_REST(i32, int32_t)
IK_REST(f64, double)
#define IK_REST_NARROW(T) IK_REST(T, uint16_t)
IK_NARROWS(IK_REST_NARROW)

/* Of a whole vector, the lanes from skip to n, if there are any: past the caches together with
 * those that `remainder` has instead of the others, or if it is all of them. */
#define IK_REST_WHOLE(T, element)                                                                  \
  IK_FN void ik_ntm_##T(element *p, ik_##T v, int skip, int n, int streaming,                      \
                        const element *remainder) {                                                \
    if (remainder && n > skip)                                                                     \
      ik_nt_##T(p, ik_mix_##T(v, remainder, skip, n));                                             \
    else if (streaming && n - skip == IK_LANES)                                                    \
      ik_nt_##T(p, v);                                                                             \
    else                                                                                           \
      ik_stm_##T(p, v, skip, n);                                                                   \
  }
IK_REST_WHOLE(f32, float)
IK_REST_WHOLE(f64, double)

/* ---- shifts: lanes k .. k+IK_LANES-1 of a followed by b ---- */

/* k is a constant from 0 to IK_LANES. */

#define ik_shift_f32(a, b, k) IK_HW(SHIFT, f32)(f32, IK_MODE_f32, a, b, k)
#define ik_shift_i32(a, b, k) IK_HW(SHIFT, f32)(i32, IK_MODE_f32, a, b, k)
#if IK_HAS_F64
#define ik_shift_f64(a, b, k) IK_HW(SHIFT, f64)(f64, IK_MODE_f64, a, b, k)
#else
#define ik_shift_f64(a, b, k)                                                                      \
  IK_FILL(f64, , r_.at[i_], i_ + (k) < IK_LANES ? (a).at[i_ + (k)] : (b).at[i_ + (k)-IK_LANES])
#endif
#define ik_shift_f16(a, b, k)  ik_shift_f64(a, b, k)
#define ik_shift_bf16(a, b, k) ik_shift_f64(a, b, k)
#define ik_shift_bool(a, b, k) IK_SHIFT_LANES(bool, , a, b, k)

/* ---- others ---- */

/* They stand between operations, and are to stay there: compilers would put them together. */
#ifdef __x86_64__
#define IK_ASK(how, p)      __asm__ volatile(how " %0" ::"m"(*(const char *)(p)))
#define ik_prefetch(p)      IK_ASK("prefetcht1", p)
#define ik_prefetch_near(p) IK_ASK("prefetcht0", p)
#else
#define ik_prefetch(p)      __builtin_prefetch((p), 0, 2)
#define ik_prefetch_near(p) __builtin_prefetch((p), 0, 3)
#endif
#define ik_prefetch_store(p) __builtin_prefetch((p), 1, 2)

/* An array of constants, `weights`, of which the compiler does not know that it never changes: so
 * it reads each where it is used, and does not keep them all. */
#define IK_WEIGHTS(T, ...)                                                                         \
  static const T ik_weights[] = {__VA_ARGS__};                                                     \
  const T       *weights = ik_weights;                                                             \
  __asm__("" : "+r"(weights))

/* One of them.  With NEON compilers would try to make it part of each operation that uses it, which
 * they cannot (gcc 12, 225 weights in each of 16 results: 32 s; so 1.7 s). */
#define IK_WEIGHT(T, element, keep)                                                                \
  IK_FN ik_##T ik_weight_##T(element c) {                                                          \
    ik_##T v = ik_set_##T(c);                                                                      \
    keep(v);                                                                                       \
    return v;                                                                                      \
  }
#define IK_IN_REGISTER(v) __asm__("" : "+w"(v))
#define IK_AS_IT_IS(v)    (void)0
#if defined __aarch64__ && IK_LANES == 4
IK_WEIGHT(f32, float, IK_IN_REGISTER)
#else
IK_WEIGHT(f32, float, IK_AS_IT_IS)
#endif
#if defined __aarch64__ && IK_LANES == 2
IK_WEIGHT(f64, double, IK_IN_REGISTER)
#else
IK_WEIGHT(f64, double, IK_AS_IT_IS)
#endif
#endif
