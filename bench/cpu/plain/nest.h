/* nest.h: what stands before the plain loops that are written from a program
 * (src/apps/bench/nest.h).
 *
 * An array is a level of a field, with as many cells around it as are read beyond its faces.
 * a[i] points at cell (0, 0, 0).  Buffers change places from step to step.
 */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct plain {
  void  **a;
  double *scalar;
  long    t; /* steps done */
  int     threads;
} plain;

/* What does not change is put around the arrays. */
void plain_begin(const plain *p);
/* Steps, or rounds of a repeat until its test holds; returns how many. */
long plain_run(plain *p, long rounds);

/* The pages of an array come to the threads that will use them. */
void plain_clear(char *from, long bytes, int threads) {
  long part = (bytes + threads - 1) / threads;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int t = 0; t < threads; t++) {
    long left = bytes - t * part;
    if (left > 0) memset(from + t * part, 0, (size_t)(left < part ? left : part));
  }
}

/* u' becomes u, u becomes u[t-1], ... */
static inline void rotate(void **level, int n) {
  void *oldest = level[n - 1];
  memmove(level + 1, level, (size_t)(n - 1) * sizeof *level);
  level[0] = oldest;
}

/* ---- arithmetic that C has no sign for ---- */

#define PAIR(type, name)                                                                           \
  static inline type min_##name(type a, type b) { return a < b ? a : b; }                          \
  static inline type max_##name(type a, type b) { return a > b ? a : b; }
PAIR(double, f64)
PAIR(float, f32)
PAIR(int, i32)

/* Whole numbers wrap; what is divided by zero is zero. */
static inline int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
static inline int sub_i32(int a, int b) { return (int)((unsigned)a - (unsigned)b); }
static inline int mul_i32(int a, int b) { return (int)((unsigned)a * (unsigned)b); }
static inline int neg_i32(int a) { return (int)(0u - (unsigned)a); }
static inline int abs_i32(int a) { return a < 0 ? neg_i32(a) : a; }
static inline int div_i32(int a, int b) { return b == 0 ? 0 : (int)((long)a / b); }
static inline int mod_i32(int a, int b) {
  long m = b == 0 ? 0 : (long)a % b;
  return (int)(m != 0 && (m < 0) != (b < 0) ? m + b : m);
}
static inline int to_i32(double v) {
  if (!(v > INT_MIN)) return v <= INT_MIN ? INT_MIN : 0;
  return v >= INT_MAX ? INT_MAX : (int)v;
}

/* The remainder has the sign of the divisor. */
static inline double mod_f64(double a, double b) {
  double m = b == 0 ? 0 : fmod(a, b);
  return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}
static inline float mod_f32(float a, float b) { return (float)mod_f64(a, b); }

/* Between the entries of a table, linear; beyond its ends, zero. */
static inline double table_at(const double *v, int n, double x) {
  if (!(x >= 0) || x > n - 1) return 0;
  int i = (int)x;
  return x == i ? v[i] : v[i] + (x - i) * (v[i + 1] - v[i]);
}

/* Noise of a cell, in [0, 1). */
static inline double noise(double seed, long x, long y, long z) {
  uint32_t h = (uint32_t)(int64_t)seed * 0x9E3779B1u + (uint32_t)x * 0x85EBCA77u +
               (uint32_t)y * 0xC2B2AE3Du + (uint32_t)z * 0x27D4EB2Fu;
  h ^= h >> 15, h *= 0x2C1B3C6Du;
  h ^= h >> 12, h *= 0x297A2D39u;
  h ^= h >> 15;
  return (double)(h >> 8) / 16777216.0;
}
