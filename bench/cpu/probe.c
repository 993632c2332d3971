/* probe.c: what `ikat machine probe` times besides the kernels of limits.c, behind whose text it is
 * compiled, without OpenMP: each call is the work of one thread.  A double that is returned is how
 * much was done. */

int probe_streams(void) {
#if defined(__x86_64__)
  return 1;
#else
  return 0;
#endif
}

/* ---- arithmetic ---- */

#define TWICE(x) x x
#define EIGHT(x) TWICE(TWICE(TWICE(x)))

/* The sum of one is an operand of the next, as in the sum over the points of a stencil. */
#define CHAIN(name, type, vector, fma)                                                             \
  double name(long rounds) {                                                                       \
    volatile type sink;                                                                            \
    const vector  zero = {0}, x = zero + (type)0.5, y = zero + (type)0.25;                         \
    vector        a = zero;                                                                        \
    for (long i = 0; i < rounds; i++) {                                                            \
      EIGHT(fma(a, x, y);)                                                                         \
    }                                                                                              \
    sink = a[0];                                                                                   \
    (void)sink;                                                                                    \
    return 8.0 * (double)rounds;                                                                   \
  }

CHAIN(probe_chain_f32, float, vf32, FMA_F32)
CHAIN(probe_chain_f64, double, vf64, FMA_F64)

/* Registers on both sides: some processors add constants for nothing.  0 where the instruction is
 * not known. */
double probe_clock(long rounds) {
#if defined(__x86_64__)
#define ADD_ONE __asm__ volatile("add %1, %0" : "+r"(sum) : "r"(one));
#elif defined(__aarch64__)
#define ADD_ONE __asm__ volatile("add %0, %0, %1" : "+r"(sum) : "r"(one));
#endif
#ifdef ADD_ONE
  uint64_t sum = 0, one = 1;
  for (long i = 0; i < rounds; i++) {
    EIGHT(TWICE(ADD_ONE))
  }
  return (double)sum;
#else
  (void)rounds;
  return 0;
#endif
}

/* ---- memory ---- */

/* Eight steps a round; returns where it is then. */
void *const *probe_chase(void *const *from, long rounds) {
  for (long i = 0; i < rounds; i++) {
    EIGHT(from = *from;)
  }
  return from;
}

/* ---- kernels ---- */

void probe_nothing(const void *call) { (void)call; }

/* Both grids fit into a cache of 32 KiB. */
enum { CELLS = 256, ROWS = 8, PITCH = CELLS + 32 };

static void sweep(float *restrict to, const float *restrict from) {
  for (int y = 1; y <= ROWS; y++)
    for (int x = 1; x <= CELLS; x++) {
      const float *c = from + y * PITCH + x;
      to[y * PITCH + x] = 0.2f * (c[0] + c[-1] + c[1] + c[-PITCH] + c[PITCH]);
    }
}

double probe_jacobi2d(float *a, float *b, long rounds) {
  for (long i = 0; i < rounds; i++) {
    sweep(b, a);
    sweep(a, b);
  }
  return 2.0 * ROWS * CELLS * (double)rounds;
}
