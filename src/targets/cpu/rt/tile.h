/* tile.h: the words for a matrix unit with tile registers (Intel AMX), and what they mean.
 *
 * Eight registers of 16 rows of 64 bytes.  Every word takes a unit: NULL is the machine's own, any
 * other a model of it in plain C that computes the same bits, so that all but the instructions can
 * be tried on any machine.  The instructions are written as assembly, which needs no compiler flag;
 * use them only where ik_matrix_here() says yes, between ik_tile_begin() and ik_tile_end() on the
 * same thread.  Register numbers are written as digits.
 */
#ifndef IK_RT_TILE_H
#define IK_RT_TILE_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { IK_TILE_REGISTERS = 8, IK_TILE_ROWS = 16, IK_TILE_BYTES = 64, IK_TILE_PAIRS = 16 };

typedef struct ik_tile_unit { /* the model */
  union {
    float    f32[IK_TILE_ROWS][IK_TILE_BYTES / 4];
    uint16_t bf16[IK_TILE_ROWS][IK_TILE_BYTES / 2];
  } reg[IK_TILE_REGISTERS];
} ik_tile_unit;

#define IK_TILE_WORD static inline __attribute__((always_inline, unused))

/* ---- bf16 ---- */

IK_TILE_WORD float ik_tile_widen(uint16_t v) {
  uint32_t bits = (uint32_t)v << 16;
  float    f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* To nearest, ties to even; every NaN becomes the quiet one without a sign. */
IK_TILE_WORD uint16_t ik_tile_narrow(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  uint32_t near = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? 0x7fc0 : near);
}

/* ---- the model ---- */

/* Numbers below the normal ones count as zero, going in and coming out. */
IK_TILE_WORD float ik_tile_flush(float v) { return fabsf(v) < 0x1p-126f ? copysignf(0, v) : v; }

IK_TILE_WORD void ik_tile_model_row(const uint16_t a[2 * IK_TILE_PAIRS],
                                    const uint16_t b[IK_TILE_ROWS][IK_TILE_BYTES / 2],
                                    float          c[IK_TILE_BYTES / 4]) {
  enum { N = IK_TILE_BYTES / 4 };
  float even[N] = {0}, odd[N] = {0};
  for (int k = 0; k < IK_TILE_PAIRS; k++) {
    float a0 = ik_tile_flush(ik_tile_widen(a[2 * k]));
    float a1 = ik_tile_flush(ik_tile_widen(a[2 * k + 1]));
    for (int n = 0; n < N; n++) {
      float b0 = ik_tile_flush(ik_tile_widen(b[k][2 * n]));
      float b1 = ik_tile_flush(ik_tile_widen(b[k][2 * n + 1]));
      even[n] = ik_tile_flush(fmaf(a0, b0, even[n]));
      odd[n] = ik_tile_flush(fmaf(a1, b1, odd[n]));
    }
  }
  for (int n = 0; n < N; n++)
    c[n] = ik_tile_flush(ik_tile_flush(c[n]) + ik_tile_flush(even[n] + odd[n]));
}

/* TDPBF16PS as the Intel 64 and IA-32 Software Developer's Manual, volume 2, has it: the first and
 * the second members of all pairs are summed apart, from zero, each product added with one rounding
 * to nearest even; then their sum is added to the result. */
static inline __attribute__((unused)) void ik_tile_model_dot(ik_tile_unit *u, int c, int a, int b) {
  for (int m = 0; m < IK_TILE_ROWS; m++)
    ik_tile_model_row(u->reg[a].bf16[m], u->reg[b].bf16, u->reg[c].f32[m]);
}

static inline __attribute__((unused)) void ik_tile_model_load(ik_tile_unit *u, int r, const void *p,
                                                              size_t pitch) {
  for (int m = 0; m < IK_TILE_ROWS; m++)
    memcpy(u->reg[r].bf16[m], (const char *)p + (size_t)m * pitch, IK_TILE_BYTES);
}

static inline __attribute__((unused)) void ik_tile_model_store(const ik_tile_unit *u, int r,
                                                               void *p, size_t pitch) {
  for (int m = 0; m < IK_TILE_ROWS; m++)
    memcpy((char *)p + (size_t)m * pitch, u->reg[r].bf16[m], IK_TILE_BYTES);
}

/* VCVTNE2PS2BF16: to nearest, ties to even, whatever the mode; what is no number keeps its sign and
 * its upper bits, and is quiet. */
static inline __attribute__((unused)) void ik_tile_model_narrow_line(uint16_t *to, const float *v) {
  for (int i = 0; i < IK_TILE_BYTES / 2; i++) {
    uint32_t bits;
    memcpy(&bits, &v[i], sizeof bits);
    to[i] = isnan(v[i]) ? (uint16_t)(bits >> 16 | 0x40) : ik_tile_narrow(ik_tile_flush(v[i]));
  }
}

/* ---- the words ---- */

#ifdef __x86_64__
#define IK_TILE_ASM(text, ...) __asm__ volatile(text : : __VA_ARGS__ : "memory")
/* Machines with this unit have AVX-512, with bf16. */
#define IK_TILE_STREAM(to, from)                                                                   \
  __asm__ volatile("vmovups (%1), %%zmm0\n\tvmovntps %%zmm0, (%0)"                                 \
                   :                                                                               \
                   : "r"(to), "r"(from)                                                            \
                   : "memory", "xmm0")
#define IK_TILE_NARROW(to, from)                                                                   \
  __asm__ volatile("vmovups 64(%1), %%zmm0\n\tvcvtne2ps2bf16 (%1), %%zmm0, %%zmm0\n\t"             \
                   "vmovups %%zmm0, (%0)"                                                          \
                   :                                                                               \
                   : "r"(to), "r"(from)                                                            \
                   : "memory", "xmm0")
#else
#define IK_TILE_STREAM(to, from) __builtin_trap()
#define IK_TILE_NARROW(to, from) __builtin_trap()
#define IK_TILE_ASM(text, ...)   __builtin_trap() /* ik_matrix_here() has said no */
#endif

typedef struct ik_tile_config { /* what LDTILECFG reads: 64 bytes */
  uint8_t  palette, start, reserved[14];
  uint16_t bytes[16]; /* of a row */
  uint8_t  rows[16];
} ik_tile_config;

/* Makes all registers ready, in full size.  The whole configuration is an operand, so that no
 * compiler can leave it unwritten. */
IK_TILE_WORD void ik_tile_begin(const ik_tile_unit *u) {
  ik_tile_config c = {.palette = 1};
  for (int r = 0; r < IK_TILE_REGISTERS; r++) c.bytes[r] = IK_TILE_BYTES, c.rows[r] = IK_TILE_ROWS;
  (void)c; /* where there is no such instruction */
  if (!u) IK_TILE_ASM("ldtilecfg %0", "m"(c));
}

/* Done on this thread; what was streamed is then visible before anything stored later. */
IK_TILE_WORD void ik_tile_end(const ik_tile_unit *u) {
  if (!u) IK_TILE_ASM("sfence\n\ttilerelease", );
}

#define ik_tile_zero(u, r)                                                                         \
  do {                                                                                             \
    if (u)                                                                                         \
      memset(&(u)->reg[r], 0, sizeof(u)->reg[r]);                                                  \
    else                                                                                           \
      IK_TILE_ASM("tilezero %%tmm" #r, );                                                          \
  } while (0)

/* Rows lie `pitch` bytes apart: fast on lines of 64 bytes, several times slower across them. */
#define ik_tile_load(u, r, p, pitch)                                                               \
  do {                                                                                             \
    if (u)                                                                                         \
      ik_tile_model_load(u, r, p, pitch);                                                          \
    else                                                                                           \
      IK_TILE_ASM("tileloadd (%0,%1,1), %%tmm" #r, "r"(p), "r"((size_t)(pitch)));                  \
  } while (0)

#define ik_tile_store(u, r, p, pitch)                                                              \
  do {                                                                                             \
    if (u)                                                                                         \
      ik_tile_model_store(u, r, p, pitch);                                                         \
    else                                                                                           \
      IK_TILE_ASM("tilestored %%tmm" #r ", (%0,%1,1)", "r"(p), "r"((size_t)(pitch)));              \
  } while (0)

/* c += a * b: a holds 16 rows of 32 bf16, row k of b the pairs 2k, 2k+1 of each of 16 columns, c
 * 16 rows of 16 f32. */
#define ik_tile_dot(u, c, a, b)                                                                    \
  do {                                                                                             \
    if (u)                                                                                         \
      ik_tile_model_dot(u, c, a, b);                                                               \
    else                                                                                           \
      IK_TILE_ASM("tdpbf16ps %%tmm" #b ", %%tmm" #a ", %%tmm" #c, );                               \
  } while (0)

/* 32 numbers to a line of bf16; those below the normal ones count as zero. */
IK_TILE_WORD void ik_tile_narrow_line(const ik_tile_unit *u, uint16_t *to, const float *from) {
  if (!u)
    IK_TILE_NARROW(to, from);
  else
    ik_tile_model_narrow_line(to, from);
}

/* A line of 64 bytes past the caches; `to` is aligned.  Others may read it after ik_tile_end(). */
IK_TILE_WORD void ik_tile_stream(const ik_tile_unit *u, void *to, const void *from) {
  if (!u)
    IK_TILE_STREAM(to, from);
  else if ((uintptr_t)to % IK_TILE_BYTES)
    __builtin_trap(); /* as the machine does */
  else
    memcpy(to, from, IK_TILE_BYTES);
}
#endif
