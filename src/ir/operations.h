/* operations.h: what the C of spell.h calls for operations that C has no sign for.
 *
 * It is text that generated code takes parts of (base/pick.h), after stdint.h and math.h. */

static inline double min_f64(double a, double b) { return a < b ? a : b; }

static inline double max_f64(double a, double b) { return a > b ? a : b; }

static inline float min_f32(float a, float b) { return a < b ? a : b; }

static inline float max_f32(float a, float b) { return a > b ? a : b; }

static inline int32_t min_i32(int32_t a, int32_t b) { return a < b ? a : b; }

static inline int32_t max_i32(int32_t a, int32_t b) { return a > b ? a : b; }

/* Whole numbers wrap; what is divided by zero is zero. */
static inline int32_t add_i32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }

static inline int32_t sub_i32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a - (uint32_t)b); }

static inline int32_t mul_i32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a * (uint32_t)b); }

static inline int32_t neg_i32(int32_t a) { return (int32_t)(0u - (uint32_t)a); }

static inline int32_t abs_i32(int32_t a) { return a < 0 ? neg_i32(a) : a; }

static inline int32_t div_i32(int32_t a, int32_t b) {
  return b == 0 ? 0 : (int32_t)((int64_t)a / b);
}

/* The remainder has the sign of the divisor. */
static inline int32_t mod_i32(int32_t a, int32_t b) {
  int64_t m = b == 0 ? 0 : (int64_t)a % b;
  return (int32_t)(m != 0 && (m < 0) != (b < 0) ? m + b : m);
}

static inline double mod_f64(double a, double b) {
  double m = b == 0 ? 0 : fmod(a, b);
  return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}

static inline float mod_f32(float a, float b) { return (float)mod_f64(a, b); }

/* Toward zero; what is too large becomes the largest, and what is no number zero. */
static inline int32_t to_i32(double v) {
  if (!(v > INT32_MIN)) return v <= INT32_MIN ? INT32_MIN : 0;
  return v >= INT32_MAX ? INT32_MAX : (int32_t)v;
}

/* Between the entries of a table, linear; beyond its ends, zero. */
static inline double table_at(const double *v, int n, double x) {
  if (!(x >= 0) || x > n - 1) return 0;
  int i = (int)x;
  return x == i ? v[i] : v[i] + (x - i) * (v[i + 1] - v[i]);
}
