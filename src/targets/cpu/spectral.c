/* Each unknown has a padded array, transformed in place.  All of a wave is then done at once: its
 * matrix, the power of it, the product. */
#include "targets/cpu/spectral.h"
#include "base/mem.h"
#include "base/pages.h"
#include "facts/amplification.h"
#include "targets/cpu/fftw.h"
#include <limits.h>

enum {
  PIECE = 1024,               /* cells converted at a time */
  CELLS_PER_THREAD = 1 << 14, /* fewer are not worth one */
};

struct ik_spectral {
  ik_state      *state;
  const ik_stmt *steps;
  ik_team       *team;
  int            threads; /* of it, that are worth it */
  bool           single;  /* transforms in f32 */
  int            nvar;
  int64_t        nrow, nwave; /* rows across axis 0; waves along it */
  int64_t        nscratch;    /* doubles for each thread */
  int64_t        array_bytes; /* of one array */
  char          *array;       /* [nvar][nrow][nwave] complex, or [nrow][2*nwave] real */
  double        *scratch;     /* [threads][nscratch] */
  ik_fft        *fft;
};

/* ---- sizes ---- */

typedef struct size {
  bool    single;
  int     threads;
  int64_t nrow, nwave, nscratch;
  int64_t array, bytes; /* of one array, of all; -1 if that is too much */
} size;

/* f64 only where it shows: f64 fields, and histories, of which a small difference of two levels is
 * what matters after many steps. */
static bool is_single(const ik_ir *ir, const ik_amplification *s) {
  for (int v = 0; v < s->nvar; v++)
    if (s->var[v].back || ir->field[s->var[v].field].type == IK_F64) return false;
  return true;
}

static int threads_for(const ik_ir *ir, int threads) {
  int64_t most = 1 + ir->n[0] * ir->n[1] * ir->n[2] / CELLS_PER_THREAD;
  return threads < 1 ? 1 : threads < most ? threads : (int)most;
}

/* Arrays start at multiples of IK_PAGES_ALIGN. */
static size size_of(const ik_ir *ir, const ik_amplification *s, int threads) {
  size z = {.single = is_single(ir, s), .threads = threads_for(ir, threads)};
  z.nwave = ir->n[0] / 2 + 1;
  z.nrow = ir->n[1] * ir->n[2];
  z.nscratch = ik_amplification_scratch(s) + 2 * s->nvar * IK_SYMBOL_WAVES;
  bool over = __builtin_mul_overflow(z.nwave * (z.single ? 8 : 16), z.nrow, &z.array) ||
              __builtin_add_overflow(z.array, IK_PAGES_ALIGN - 1, &z.array);
  z.array -= z.array % IK_PAGES_ALIGN;
  over =
      over || __builtin_mul_overflow(z.array, (int64_t)s->nvar, &z.bytes) ||
      __builtin_add_overflow(z.bytes, z.threads * z.nscratch * (int64_t)sizeof(double), &z.bytes);
  if (over) z.bytes = -1;
  return z;
}

/* False: no memory. */
static bool measure(const ik_ir *ir, const ik_stmt *steps, int threads, ik_arena *a, size *out,
                    int *nvar) {
  ik_amplification s;
  if (setjmp(a->oom)) return false;
  double *any = IK_NEW_N(a, double, ir->nscalar); /* how much there is does not depend on them */
  ik_amplification_of(ir, steps, any, a, &s);
  *out = size_of(ir, &s, threads);
  *nvar = s.nvar;
  return true;
}

int64_t ik_spectral_bytes(const ik_ir *ir, const ik_stmt *steps, int threads) {
  ik_arena a;
  size     z = {.bytes = -1};
  int      nvar;
  ik_arena_init(&a);
  bool known = measure(ir, steps, threads, &a, &z, &nvar);
  ik_arena_free(&a);
  return known ? z.bytes : -1;
}

/* ---- life ---- */

const char *ik_spectral_illegal(const ik_ir *ir, const ik_stmt *steps) {
  const char *why = ik_amplification_illegal(ir, steps);
  if (why) return why;
  for (int d = 0; d < ir->ndim; d++)
    if (ir->n[d] > INT_MAX) return "an axis is longer than FFTW can transform";
  return ik_fftw_here(NULL) ? NULL : ik_fftw_missing;
}

static ik_status no_memory(ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the spectral strategy");
}

static ik_status allocate(ik_spectral *x, ik_diag *d) {
  ik_arena a;
  size     z;
  ik_arena_init(&a);
  bool known = measure(x->state->ir, x->steps, ik_team_threads(x->team), &a, &z, &x->nvar);
  ik_arena_free(&a);
  x->array = known && z.bytes > 0 ? ik_pages_alloc((size_t)z.bytes) : NULL;
  if (!x->array) return no_memory(d);
  x->scratch = (double *)(void *)(x->array + x->nvar * z.array);
  x->array_bytes = z.array;
  x->single = z.single, x->threads = z.threads;
  x->nrow = z.nrow, x->nwave = z.nwave, x->nscratch = z.nscratch;
  return IK_OK;
}

ik_status ik_spectral_create(ik_state *s, const ik_stmt *steps, ik_team *team, ik_diag *d,
                             ik_spectral **out) {
  *out = NULL;
  const char *why = ik_spectral_illegal(s->ir, steps);
  if (why) return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, steps->span, "spectral: %s", why);
  ik_spectral *x = ik_calloc(1, sizeof *x);
  if (!x) return no_memory(d);
  x->state = s, x->steps = steps, x->team = team;
  ik_status st = allocate(x, d);
  if (!st) st = ik_fft_create(x->single, s->ir->ndim, s->ir->n, x->threads, x->array, d, &x->fft);
  if (st) ik_spectral_destroy(&x);
  *out = x;
  return st;
}

void ik_spectral_destroy(ik_spectral **spectral) {
  ik_spectral *x = *spectral;
  if (!x) return;
  ik_fft_destroy(&x->fft);
  ik_pages_free(x->array);
  ik_free(x);
  *spectral = NULL;
}

/* ---- threads ---- */

typedef struct job job;
typedef void       part_fn(const job *j, int64_t from, int64_t to, double *scratch);

struct job { /* items 0 ... n-1, in as many parts as there are threads at it */
  ik_spectral            *x;
  const ik_amplification *symbol;
  int64_t                 steps;
  part_fn                *part;
  int64_t                 n;
};

static void work(void *ctx, int thread, int threads) {
  const job *j = ctx;
  int64_t    from, to;
  (void)threads;
  if (thread >= j->x->threads) return;
  ik_team_share(j->n, thread, j->x->threads, &from, &to);
  j->part(j, from, to, j->x->scratch + thread * j->x->nscratch);
}

/* Transforms have threads of their own: the caller's may then be anywhere. */
static void run(job *j, part_fn *part, int64_t n) {
  j->part = part, j->n = n;
  ik_team_run(j->x->team, work, j);
  ik_team_rest(j->x->team);
}

/* ---- from the fields and back ---- */

/* Cells of a row of an array between f32 or f64 and f64. */
static void put(const ik_spectral *x, int var, int64_t row, int64_t at, int64_t n,
                const double *in) {
  char   *array = x->array + var * x->array_bytes;
  int64_t first = 2 * x->nwave * row + at;
  ik_state_store_row(x->single ? IK_F32 : IK_F64, array, first, n, in);
}

static void get(const ik_spectral *x, int var, int64_t row, int64_t at, int64_t n, double *out) {
  const char *array = x->array + var * x->array_bytes;
  int64_t     first = 2 * x->nwave * row + at;
  ik_state_load_row(x->single ? IK_F32 : IK_F64, array, first, n, out);
}

typedef struct piece { /* of a row of cells */
  int64_t row, at, n;
} piece;

static int64_t pieces_per_row(const ik_ir *ir) { return (ir->n[0] + PIECE - 1) / PIECE; }

static piece piece_of(const ik_ir *ir, int64_t i) {
  int64_t per = pieces_per_row(ir), at = i % per * PIECE, left = ir->n[0] - at;
  return (piece){i / per, at, left < PIECE ? left : PIECE};
}

static void load_piece(const job *j, int v, piece p) {
  const ik_state   *s = j->x->state;
  const ik_unknown *u = &j->symbol->var[v];
  ik_type           t = s->ir->field[u->field].type;
  int64_t           first = p.row * s->ir->n[0] + p.at;
  double            now[PIECE], before[PIECE];
  ik_state_load_row(t, ik_state_data(s, u->field, u->back ? 1 - u->back : 0), first, p.n, now);
  if (u->back) {
    ik_state_load_row(t, ik_state_data(s, u->field, -u->back), first, p.n, before);
    for (int64_t i = 0; i < p.n; i++) now[i] -= before[i];
  }
  put(j->x, v, p.row, p.at, p.n, now);
}

static void load(const job *j, int64_t from, int64_t to, double *scratch) {
  (void)scratch;
  for (int64_t i = from; i < to; i++)
    for (int v = 0; v < j->symbol->nvar; v++) load_piece(j, v, piece_of(j->x->state->ir, i));
}

/* Of one field, from its level 0 on; returns the next unknown. */
static int store_levels(const job *j, int v, piece p) {
  const ik_state *s = j->x->state;
  int             field = j->symbol->var[v].field;
  double          value[PIECE], change[PIECE];
  get(j->x, v, p.row, p.at, p.n, value);
  for (int back = 0;;) {
    ik_state_store_row(s->ir->field[field].type, ik_state_data(s, field, -back),
                       p.row * s->ir->n[0] + p.at, p.n, value);
    v++;
    if (++back == s->ir->field[field].history) return v;
    get(j->x, v, p.row, p.at, p.n, change);
    for (int64_t i = 0; i < p.n; i++) value[i] -= change[i];
  }
}

static void store(const job *j, int64_t from, int64_t to, double *scratch) {
  (void)scratch;
  for (int64_t i = from; i < to; i++)
    for (int v = 0; v < j->symbol->nvar;) v = store_levels(j, v, piece_of(j->x->state->ir, i));
}

/* ---- waves ---- */

typedef struct block { /* of waves along axis 0 */
  int64_t row, first, n;
} block;

static void take(const ik_spectral *x, block b, double *restrict amplitude) {
  double pair[2 * IK_SYMBOL_WAVES] = {0};
  double scale = 1 / (double)(x->state->ir->n[0] * x->nrow); /* both transforms together */
  for (int v = 0; v < x->nvar; v++, amplitude += 2 * IK_SYMBOL_WAVES) {
    get(x, v, b.row, 2 * b.first, 2 * b.n, pair);
    for (int w = 0; w < IK_SYMBOL_WAVES; w++) {
      amplitude[w] = scale * pair[2 * w];
      amplitude[IK_SYMBOL_WAVES + w] = scale * pair[2 * w + 1];
    }
  }
}

static void give(const ik_spectral *x, block b, const double *restrict amplitude) {
  double pair[2 * IK_SYMBOL_WAVES];
  for (int v = 0; v < x->nvar; v++, amplitude += 2 * IK_SYMBOL_WAVES) {
    for (int w = 0; w < IK_SYMBOL_WAVES; w++) {
      pair[2 * w] = amplitude[w];
      pair[2 * w + 1] = amplitude[IK_SYMBOL_WAVES + w];
    }
    put(x, v, b.row, 2 * b.first, 2 * b.n, pair);
  }
}

static int64_t blocks_per_row(const ik_spectral *x) {
  return (x->nwave + IK_SYMBOL_WAVES - 1) / IK_SYMBOL_WAVES;
}

/* Row after row with the same waves along axis 0: their turns are then made once. */
static void advance_waves(const job *j, int64_t from, int64_t to, double *scratch) {
  const ik_spectral *x = j->x;
  double            *amplitude = scratch + ik_amplification_scratch(j->symbol);
  for (int64_t i = from; i < to; i++) {
    block   b = {i % x->nrow, i / x->nrow * IK_SYMBOL_WAVES, IK_SYMBOL_WAVES};
    int64_t n1 = x->state->ir->n[1], k[IK_MAX_DIM] = {b.first, b.row % n1, b.row / n1};
    if (b.n > x->nwave - b.first) b.n = x->nwave - b.first;
    if (i == from || !b.row) ik_amplification_turn(j->symbol, b.first, scratch);
    take(x, b, amplitude);
    ik_amplification_power(j->symbol, k, j->steps, scratch, amplitude);
    give(x, b, amplitude);
  }
}

static ik_status advance(ik_spectral *x, int64_t n, ik_arena *a, ik_diag *d) {
  ik_amplification symbol;
  ik_state        *s = x->state;
  job              j = {.x = x, .symbol = &symbol, .steps = n};
  if (setjmp(a->oom)) return no_memory(d);
  ik_amplification_of(s->ir, x->steps, s->scalar, a, &symbol);
  run(&j, load, x->nrow * pieces_per_row(s->ir));
  for (int v = 0; v < x->nvar; v++) ik_fft_forward(x->fft, x->array + v * x->array_bytes);
  run(&j, advance_waves, x->nrow * blocks_per_row(x));
  for (int v = 0; v < x->nvar; v++) ik_fft_backward(x->fft, x->array + v * x->array_bytes);
  run(&j, store, x->nrow * pieces_per_row(s->ir));
  s->t += n;
  return IK_OK;
}

ik_status ik_spectral_advance(ik_spectral *x, int64_t n, ik_diag *d) {
  ik_arena a;
  if (n <= 0) return IK_OK;
  ik_arena_init(&a);
  ik_status st = advance(x, n, &a, d);
  ik_arena_free(&a);
  return st;
}
