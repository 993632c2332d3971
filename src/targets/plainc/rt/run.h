/* run.h: what exported programs call, beside operations; a file has what it uses (base/pick.h). */

/* The cell that stands for the i-th, beyond a face of n cells. */
static long periodic(long i, long n) { return (i % n + n) % n; }

/* The face lies between cells: -1 is 0, -2 is 1. */
static long mirror(long i, long n) {
  long k = periodic(i, 2 * n);
  return k < n ? k : 2 * n - 1 - k;
}

static bool mirror_flips(long i, long n) { return periodic(i, 2 * n) >= n; }

/* The face lies on a cell: -1 is 1, -2 is 2. */
static long reflect(long i, long n) {
  long p = n > 1 ? 2 * n - 2 : 1, k = periodic(i, p);
  return k < n ? k : p - k;
}

static bool reflect_flips(long i, long n) {
  return n > 1 && (i < 0 ? (n - 2 - i) / (n - 1) : (i - 1) / (n - 1)) % 2;
}

/* Sums are formed in a fixed order, on every machine. */
typedef double combination(double a, double b);

static double sum_f64(double a, double b) { return a + b; }

static double sum_f32(double a, double b) { return (float)(a + b); }

static double sum_f16(double a, double b) { return ik_round_f16(a + b); }

static double sum_bf16(double a, double b) { return ik_round_bf16(a + b); }

static double sum_i32(double a, double b) { return add_i32((int32_t)a, (int32_t)b); }

/* In pairs: the left part is the largest power of two below n. */
static double tree(combination *f, const double *v, long n) {
  long left = 1;
  if (n == 1) return v[0];
  while (2 * left < n) left *= 2;
  return f(tree(f, v, left), tree(f, v + left, n - left));
}

/* A row: lane l takes the cells l, l + 16, ... in turn; then the lanes meet in pairs. */
static double reduce_row(combination *f, const double *v, long n) {
  double lane[16];
  for (long i = 0; i < n; i++) lane[i % 16] = i < 16 ? v[i] : f(lane[i % 16], v[i]);
  return tree(f, lane, n < 16 ? n : 16);
}

/* Memory, zero at first. */
static void *allocate(size_t n, size_t bytes) {
  void *p = calloc(n, bytes);
  if (p) return p;
  fputs("not enough memory\n", stderr);
  exit(1);
}

/* Of more than a million bytes: the hash of the hashes of each million. */
static uint64_t hash_array(const void *bytes, size_t size, size_t count) {
  const size_t million = 1000000, n = size * count;
  uint64_t     all = IK_HASH_INIT;
  if (n <= million) return ik_hash(all, bytes, n);
  for (size_t i = 0; i < n; i += million) {
    size_t   left = n - i < million ? n - i : million;
    uint64_t one = ik_hash(IK_HASH_INIT, (const char *)bytes + i, left);
    all = ik_hash(all, &one, sizeof one);
  }
  return all;
}
