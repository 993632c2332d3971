/* run.h: what exported programs call, beside operations; a file has what it uses (base/pick.h). */

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

/* Memory, zero at first. */
static void *allocate(size_t n, size_t bytes) {
  void *p = calloc(n, bytes);
  if (p) return p;
  fputs("not enough memory\n", stderr);
  exit(1);
}

/* What rows of values come to, each by itself and then all of them. */
typedef struct reduction {
  combination *f;
  double      *row, lane[16];
  long         rows, length, n; /* n values of the row at hand have been taken */
} reduction;

static reduction rows_to_reduce(combination *f, long rows, long length) {
  reduction r = {.f = f, .rows = rows, .length = length};
  r.row = allocate(rows, sizeof *r.row);
  return r;
}

/* Lane l takes the values l, l + 16, ... of a row in turn; then the lanes meet in pairs. */
static void take(reduction *r, long row, double v) {
  double *lane = &r->lane[r->n % 16];
  *lane = r->n < 16 ? v : r->f(*lane, v);
  if (++r->n < r->length) return;
  r->row[row] = tree(r->f, r->lane, r->n < 16 ? r->n : 16);
  r->n = 0;
}

static double reduced(reduction *r) {
  double v = tree(r->f, r->row, r->rows);
  free(r->row);
  return v;
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
