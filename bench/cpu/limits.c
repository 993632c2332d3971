/* limits.c: what the machine can do at most, for `ikat bench cpu` and `ikat machine probe`: bytes
 * moved and fused multiply-adds.  Each call does its work once, on the thread that calls; `n`
 * counts vectors.  Who calls has all threads do so at the same time, and times it. */
#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
enum { BYTES = 64 };
#elif defined(__AVX__)
enum { BYTES = 32 };
#else
enum { BYTES = 16 };
#endif

typedef float  vf32 __attribute__((vector_size(BYTES)));
typedef double vf64 __attribute__((vector_size(BYTES)));

const char *limits_compiler(void) {
#ifdef __clang__
  return __VERSION__;
#else
  return "gcc " __VERSION__;
#endif
}

int limits_vector_bytes(void) { return BYTES; }

/* ---- memory ---- */

/* A store that does not bring the line into the cache first, where the machine has one. */
static inline void stream(vf64 *to, vf64 v) {
#if defined(__AVX512F__)
  __asm__ volatile("vmovntpd %1, %0" : "=m"(*to) : "v"(v));
#elif defined(__AVX__)
  __asm__ volatile("vmovntpd %1, %0" : "=m"(*to) : "x"(v));
#elif defined(__x86_64__)
  __asm__ volatile("movntpd %1, %0" : "=m"(*to) : "x"(v));
#else
  *to = v;
#endif
}

static inline void drain(void) {
#if defined(__x86_64__)
  __asm__ volatile("sfence" ::: "memory");
#endif
}

/* Eight streams: that is what it takes to keep the memory busy with reads.  They are an odd number
 * of vectors apart, or they would all want the same few lines of a cache. */
double limits_read(const vf64 *from, long n) {
  const long  part = (n / 8 - 1) | 1;
  const vf64 *p = from, *q = p + 4 * part;
  vf64        a = {0}, b = {0}, c = {0}, d = {0};
  for (long i = 0; i < part; i++) {
    a += p[i] + q[i];
    b += p[i + part] + q[i + part];
    c += p[i + 2 * part] + q[i + 2 * part];
    d += p[i + 3 * part] + q[i + 3 * part];
  }
  a += b + c + d;
  return a[0];
}

void limits_copy(vf64 *restrict to, const vf64 *restrict from, long n) {
  for (long i = 0; i < n; i++) to[i] = from[i];
}

void limits_copy_streaming(vf64 *restrict to, const vf64 *restrict from, long n) {
  for (long i = 0; i < n; i++) stream(to + i, from[i]);
  drain();
}

void limits_update(vf64 *a, long n) {
  for (long i = 0; i < n; i++) a[i] += 1.0;
}

/* ---- arithmetic ---- */

/* a += x*y.  Spelled as the instruction where we know it: a compiler that sees through the loop
 * would find less to do. */
#if defined(__AVX512F__) || (defined(__AVX__) && defined(__FMA__))
#define FMA_F32(a, x, y) __asm__("vfmadd231ps %1, %2, %0" : "+v"(a) : "v"(x), "v"(y))
#define FMA_F64(a, x, y) __asm__("vfmadd231pd %1, %2, %0" : "+v"(a) : "v"(x), "v"(y))
#elif defined(__aarch64__)
#define FMA_F32(a, x, y) __asm__("fmla %0.4s, %1.4s, %2.4s" : "+w"(a) : "w"(x), "w"(y))
#define FMA_F64(a, x, y) __asm__("fmla %0.2d, %1.2d, %2.2d" : "+w"(a) : "w"(x), "w"(y))
#else
#define FMA_F32(a, x, y) ((a) = (a) * (x) + (y))
#define FMA_F64(a, x, y) ((a) = (a) * (x) + (y))
#endif

/* Independent chains, enough of them to hide how long one instruction takes, and few enough for the
 * registers.  Each has a name: an array would stay in memory. */
#define EACH12(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11)
#if defined(__AVX512F__) || defined(__aarch64__)
#define EACH(f) EACH12(f) f(12) f(13) f(14) f(15)
enum { CHAINS = 16 };
#else
#define EACH(f) EACH12(f)
enum { CHAINS = 12 };
#endif

#define BEGIN(k)    vec a##k = zero + k;
#define STEP_F32(k) FMA_F32(a##k, x, y);
#define STEP_F64(k) FMA_F64(a##k, x, y);
#define ADD(k)      sum += a##k;

/* Returns the operations done, a fused multiply-add counted as two.  Operands are loaded: of those
 * that were made in a register a Neoverse V1 does two a cycle, of loaded ones four. */
#define PEAK(name, type, vector, step)                                                             \
  double name(long rounds) {                                                                       \
    typedef vector vec;                                                                            \
    volatile type  sink;                                                                           \
    const vec      zero = {0}, from[2] = {zero + (type)0.5, zero + (type)0.25};                    \
    __asm__ volatile("" : : "r"(from) : "memory");                                                 \
    const vec x = from[0], y = from[1];                                                            \
    vec       sum = zero;                                                                          \
    EACH(BEGIN)                                                                                    \
    for (long i = 0; i < rounds; i++) {                                                            \
      EACH(step)                                                                                   \
    }                                                                                              \
    EACH(ADD)                                                                                      \
    sink = sum[0];                                                                                 \
    (void)sink;                                                                                    \
    return 2.0 * CHAINS * (double)(BYTES / sizeof(type)) * (double)rounds;                         \
  }

PEAK(limits_peak_f32, float, vf32, STEP_F32)
PEAK(limits_peak_f64, double, vf64, STEP_F64)
