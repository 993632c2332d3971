#include "targets/cpu/matrix.h"
#include "base/least.h"
#include "base/mem.h"
#include "base/num.h"
#include "facts/linear.h"
#include "ir/bound.h"
#include "targets/cpu/isa.h"
#include "targets/cpu/rt/tile.h"
#include <math.h>
#include <string.h>
#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

enum {
  LANES = 16,             /* results of a row of a strip */
  DEPTH = 32,             /* inputs of a row of a strip: one line of 64 bytes */
  REACH = 8,              /* inputs before the first result, and after the last */
  STRIPS = 8,             /* of a tile */
  WIDTH = STRIPS * LANES, /* results of a row of a tile */
  LINE = WIDTH + 2 * REACH,
  ROWS = 2 * IK_TILE_ROWS, /* results of a column that are computed together */
  FAR = 16,                /* how far a pattern may reach along axes 1 and 2 */
  ALIGN = 64,
};

/* From here on the results of a step do not stay in any cache that is worth it. */
static const int64_t stream_from = 16 << 20;

/* ---- is it legal? ---- */

typedef struct form { /* what a step is: to' = sum of weights times `from` */
  int             from, to;
  const ik_coefs *coefs;
  ik_hull         hull; /* of all offsets and the centre */
} form;

static const char *refuse_statement(const ik_ir *ir, const ik_work *w, int *assigned) {
  const ik_stmt *s = w->stmt;
  if (s->kind != IK_ASSIGN || w->sweep) return "a step does more than assign fields";
  if (memcmp(&s->box, &ir->field[s->field].box, sizeof s->box) || !w->main)
    return "an assignment leaves out part of the grid";
  if (assigned[s->field]++) return "a step assigns a field twice";
  if (ik_is_stored(ir, s->field) && s->level != 1) return "a step assigns a field in place";
  return NULL;
}

static const char *refuse_statements(const ik_ir *ir, const ik_subject *s, ik_arena *a, form *f) {
  int *assigned = IK_NEW_N(a, int, ir->nfield), stored = 0;
  for (int i = 0; i < s->n; i++) {
    const char *why = refuse_statement(ir, &s->work[i], assigned);
    if (why) return why;
    if (ik_is_stored(ir, s->work[i].stmt->field)) stored++, f->to = s->work[i].stmt->field;
  }
  return stored == 1 ? NULL : "a step updates more than one field";
}

static const char *refuse_weights(const ik_linear *l, const ik_coefs *c, form *f) {
  if (!l->linear) return "the step is not linear";
  if (!l->constant) return "its weights are not constant";
  if (!l->homogeneous) return "it adds something that is not a multiple of the field";
  if (!c->n) return "it reads no field";
  f->coefs = c, f->from = c->c[0].at.field;
  for (int i = 0; i < c->n; i++) {
    if (c->c[i].at.field != f->from) return "it reads more than one field";
    if (c->c[i].at.level != 0) return "it reads older values of the field";
    if (!(fabs(c->c[i].weight) < 0x1p127)) return "a weight is out of range";
  }
  ik_coefs_extend(&f->hull, c);
  if (f->hull.lo[0] < -REACH || f->hull.hi[0] > REACH)
    return "its pattern reaches further than 8 cells along the first axis";
  for (int d = 1; d < IK_MAX_DIM; d++)
    if (f->hull.lo[d] < -FAR || f->hull.hi[d] > FAR)
      return "its pattern reaches further than 16 cells";
  return NULL;
}

static bool fits_unit(ik_type t) { return t == IK_F32 || t == IK_F16 || t == IK_BF16; }

static const char *refuse_fields(const ik_field *from, const ik_field *to) {
  if (!fits_unit(from->type) || !fits_unit(to->type))
    return "the unit computes f32, f16 and bf16 alone";
  if (memcmp(&from->box, &to->box, sizeof from->box)) return "its fields differ in extent";
  for (int d = 0; d < IK_MAX_DIM; d++)
    for (int side = 0; side < 2; side++) {
      const ik_bc *b = &from->bc[d][side];
      if (b->kind == IK_BC_VALUE && b->value->op != IK_OP_CONST)
        return "a boundary value is not constant";
    }
  return NULL;
}

/* The facts are about the program whose only loop is this one. */
static const char *analyse(const ik_ir *ir, const ik_stmt *steps, ik_arena *a, form *f) {
  *f = (form){0};
  if (steps->kind != IK_STEPS) return "it is not a step loop";
  if (ir->ninject) return "sources are added after each step";
  const ik_linear_loop *s = ik_linear_loop_of(ir, steps, NULL, NULL, a);
  const char           *why = refuse_statements(ir, &s->subject, a, f);
  if (why) return why;
  why = refuse_weights(&s->linear, ik_linear_after(&s->ir, &s->subject, &s->linear, a)[f->to], f);
  return why ? why : refuse_fields(&ir->field[f->from], &ir->field[f->to]);
}

const char *ik_matrix_illegal(const ik_ir *ir, const ik_stmt *steps) {
  ik_arena a;
  form     f;
  const char *volatile why = "there is not enough memory to find out";
  ik_arena_init(&a);
  if (!setjmp(a.oom)) why = analyse(ir, steps, &a, &f);
  ik_arena_free(&a);
  return why;
}

/* ---- the plan of the work ---- */

/* A tile of inputs is every other row from here on.  It is multiplied by the band of its row, for
 * the even rows of results, and by that of the row before, for the odd ones. */
typedef struct turn {
  const uint16_t *band;  /* [16][32] as ik_tile_dot wants it; NULL where no more rows follow */
  size_t          at;    /* of term and row, in a plane of inputs */
  int             plane; /* from the lowest that is read */
} turn;

typedef struct shape { /* where things lie; sizes in elements */
  int     from, to;
  ik_hull hull;
  int64_t n[IK_MAX_DIM];      /* cells along the axes */
  bool    line;               /* one row of cells, cut into rows of WIDTH */
  int64_t rows;               /* n[1], or those pieces */
  int     terms, inputs;      /* inputs: terms of them that are not zero */
  int     planes, window;     /* held: planes, and rows of each */
  size_t  strip, term, plane; /* from one to the next, in inputs; a plane has them all */
  int64_t tile_rows, tile_planes, tiles[IK_MAX_DIM];
} shape;

typedef struct workspace {
  float     line[LINE], rest[LINE];
  float     out[ROWS][WIDTH];
  uint16_t *inputs; /* [planes][inputs][STRIPS][window][DEPTH] */
} workspace;

struct ik_matrix {
  ik_state *state;
  shape     shape;
  bool      model, stream;
  int       nproduct, nturn; /* of a result; of two rows of them */
  turn     *turn;
  uint16_t *band;
  char     *scratch;
  size_t    scratch_pitch;
  void     *owned[3];                      /* what turn, band and scratch lie in */
  double    loss, floor_fixed, floor_most; /* see ik_matrix_bound */
};

static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* Of a value of this type: what further terms would hold is zero. */
static int terms_of(ik_type t) { return t == IK_BF16 ? 1 : t == IK_F16 ? 2 : 3; }

static int64_t tile_count(const shape *s) { return s->tiles[0] * s->tiles[1] * s->tiles[2]; }

static void count_tiles(shape *s) {
  s->tiles[0] = s->line ? 1 : ceil_div(s->n[0], WIDTH);
  s->tiles[1] = ceil_div(s->rows, s->tile_rows);
  s->tiles[2] = ceil_div(s->n[2], s->tile_planes);
}

/* Tiles are long in the direction of the walk, down rows or through planes, because each begins
 * with a halo; but there should be enough of them for all threads. */
static void cut_tiles(shape *s, int threads) {
  bool     planes = s->n[2] > 1;
  int64_t *length = planes ? &s->tile_planes : &s->tile_rows, least = planes ? 8 : 2 * ROWS;
  s->tile_rows = planes ? ROWS : 512;
  s->tile_planes = planes ? 64 : 1;
  for (count_tiles(s); *length > least && tile_count(s) < 4 * (int64_t)threads; count_tiles(s))
    *length /= 2;
}

static shape shape_of(const ik_ir *ir, const form *f, int threads, int terms) {
  const ik_box *b = &ir->field[f->to].box;
  shape         s = {.from = f->from, .to = f->to, .hull = f->hull, .terms = terms};
  const int    *lo = f->hull.lo, *hi = f->hull.hi;
  for (int d = 0; d < IK_MAX_DIM; d++) s.n[d] = b->hi[d] - b->lo[d];
  s.line = s.n[1] == 1 && s.n[2] == 1 && lo[1] == hi[1] && lo[2] == hi[2];
  s.rows = s.line ? ceil_div(s.n[0], WIDTH) : s.n[1];
  s.inputs = ik_min_int(terms, terms_of(ir->field[f->from].type));
  s.planes = 1 + hi[2] - lo[2];
  s.window = ROWS + hi[1] - lo[1];
  s.strip = (size_t)s.window * DEPTH;
  s.term = s.strip * STRIPS;
  s.plane = s.term * (size_t)s.inputs;
  cut_tiles(&s, threads);
  return s;
}

static size_t round_up(size_t bytes) { return (bytes + ALIGN - 1) / ALIGN * ALIGN; }

static size_t scratch_bytes(const shape *s) {
  return round_up(sizeof(workspace)) + round_up((size_t)s->planes * s->plane * sizeof(uint16_t));
}

/* ---- bands ---- */

/* The end of the row of points that begins at `i`. */
static int row_end(const ik_coefs *c, int i) {
  const int *off = c->c[i].at.off;
  int        k = i;
  while (k < c->n && c->c[k].at.off[1] == off[1] && c->c[k].at.off[2] == off[2]) k++;
  return k;
}

static int row_count(const ik_coefs *c) {
  int n = 0;
  for (int i = 0; i < c->n; i = row_end(c, i)) n++;
  return n;
}

static uint16_t weight_term(double w, int term) {
  for (int j = 0; j < term; j++) w -= ik_round_bf16(w);
  return ik_bf16_from_f64(w);
}

/* Result n takes input n + REACH + offset.  Inputs come in pairs along the rows of the band. */
static bool fill_band(const ik_coef *c, int n, int term, uint16_t *band) {
  bool any = false;
  memset(band, 0, sizeof(uint16_t) * IK_TILE_ROWS * DEPTH);
  for (int i = 0; i < n; i++) {
    uint16_t w = weight_term(c[i].weight, term);
    any |= (w & 0x7fff) != 0;
    for (int lane = 0; lane < LANES; lane++) {
      int k = lane + REACH + c[i].at.off[0];
      band[k / 2 * DEPTH + 2 * lane + k % 2] = w;
    }
  }
  return any;
}

enum { BAND = IK_TILE_ROWS * DEPTH };

/* [term][row]; NULL where all weights are zero. */
static void fill_bands(const ik_coefs *c, int terms, uint16_t *band, const uint16_t **of) {
  for (int term = 0; term < terms; term++)
    for (int i = 0; i < c->n; i = row_end(c, i), band += BAND)
      *of++ = fill_band(&c->c[i], row_end(c, i) - i, term, band) ? band : NULL;
}

/* The last turn goes on with the row below, or ends. */
static turn *next_turn(ik_matrix *m, size_t at, int plane) {
  turn *last = m->nturn ? &m->turn[m->nturn - 1] : NULL;
  if (last && !last->band && last->at == at && last->plane == plane) return last;
  m->turn[m->nturn] = (turn){NULL, at, plane};
  return &m->turn[m->nturn++];
}

static void push_product(ik_matrix *m, const uint16_t *band, size_t at, int plane) {
  next_turn(m, at, plane)->band = band;
  m->turn[m->nturn++] = (turn){NULL, at + DEPTH, plane};
  m->nproduct++;
}

static void push_row_products(ik_matrix *m, const ik_coefs *c, const uint16_t *const *band,
                              int input) {
  const shape *s = &m->shape;
  for (int i = 0; i < c->n; i = row_end(c, i), band++) {
    const int *off = c->c[i].at.off;
    size_t     row = (size_t)(off[1] - s->hull.lo[1]);
    if (*band)
      push_product(m, *band, (size_t)input * s->term + row * DEPTH, off[2] - s->hull.lo[2]);
  }
}

/* Terms i and j of input and weight matter up to i + j < terms; the smallest come first. */
static void push_products(ik_matrix *m, const ik_coefs *c, const uint16_t *const *band) {
  int rows = row_count(c);
  for (int sum = m->shape.terms - 1; sum >= 0; sum--)
    for (int input = 0; input <= sum && input < m->shape.inputs; input++)
      push_row_products(m, c, band + (sum - input) * rows, input);
}

/* ---- what is lost ---- */

static int longest_row(const ik_coefs *c) {
  int most = 0;
  for (int i = 0; i < c->n; i = row_end(c, i))
    if (row_end(c, i) - i > most) most = row_end(c, i) - i;
  return most;
}

static double weight_sum(const ik_coefs *c) {
  double sum = 0;
  for (int i = 0; i < c->n; i++) sum += fabs(c->c[i].weight);
  return sum;
}

/* A bf16 is off by at most 2^-8 of the number, a second one by 2^-8 of what is left.  Products that
 * are left out: 2^-8 of both x and w with one term; mid * mid and what is left of x and w with two;
 * mid * lo twice and what is left with three.  A term of the sum is then rounded in f32 once for
 * each weight of its row and each product after; numbers below 2^-126 count as zero.  1.02 takes in
 * the squares of all these. */
static double relative_loss(const ik_coefs *c, ik_type type, int terms, int nproduct) {
  static const double left_out[] = {2 * 0x1p-8, 3 * 0x1p-16, 4 * 0x1p-24};
  double              depth = longest_row(c) + 1 + nproduct;
  double              store = type == IK_BF16 ? 0x1p-8 : type == IK_F16 ? 0x1p-11 : 0;
  return 1.02 * weight_sum(c) * (left_out[terms - 1] + depth * 0x1p-24 + store);
}

static void find_losses(ik_matrix *m, const ik_coefs *c, ik_type type) {
  double sum = weight_sum(c), pairs = 6.0 * c->n;
  m->loss = relative_loss(c, type, m->shape.terms, m->nproduct);
  m->floor_fixed = 0x1p-126 * (3 * sum + pairs + 3.0 * m->nproduct);
  if (type == IK_F16) m->floor_fixed += 0x1p-25;
  m->floor_most = 0x1p-126 * 3 * c->n;
}

double ik_matrix_bound(const ik_matrix *m, double most) {
  return (m->loss + m->floor_most) * most + m->floor_fixed;
}

/* ---- life ---- */

static void *take(ik_matrix *m, int i, size_t bytes) {
  char *p = m->owned[i] = ik_malloc(bytes + ALIGN);
  return p ? p + (ALIGN - (uintptr_t)p % ALIGN) : NULL;
}

static size_t product_count(const ik_coefs *c, int terms) {
  return (size_t)row_count(c) * (size_t)terms * (size_t)(terms + 1) / 2;
}

/* At most: two for each row that has no row below it. */
static size_t turn_bytes(const ik_coefs *c, int terms) {
  return 2 * product_count(c, terms) * sizeof(turn);
}

static size_t band_bytes(const ik_coefs *c, int terms) {
  return (size_t)row_count(c) * (size_t)terms * BAND * sizeof(uint16_t);
}

static int64_t total_bytes(const shape *s, const ik_coefs *c, int threads) {
  return (int64_t)(sizeof(ik_matrix) + 3 * ALIGN + turn_bytes(c, s->terms) +
                   band_bytes(c, s->terms) + (size_t)threads * scratch_bytes(s));
}

int64_t ik_matrix_bytes(const ik_ir *ir, const ik_stmt *steps, int threads, int terms) {
  ik_arena         a;
  form             f;
  volatile int64_t bytes = -1;
  ik_arena_init(&a);
  if (!setjmp(a.oom) && !analyse(ir, steps, &a, &f)) {
    shape s = shape_of(ir, &f, threads, terms);
    bytes = total_bytes(&s, f.coefs, threads);
  }
  ik_arena_free(&a);
  return bytes;
}

double ik_matrix_loss(const ik_ir *ir, const ik_stmt *steps, int terms) {
  ik_arena        a;
  form            f;
  volatile double loss = INFINITY;
  ik_arena_init(&a);
  if (!setjmp(a.oom) && !analyse(ir, steps, &a, &f))
    loss = relative_loss(f.coefs, ir->field[f.to].type, terms, (int)product_count(f.coefs, terms));
  ik_arena_free(&a);
  return loss;
}

static bool allocate(ik_matrix *m, const ik_coefs *c, int threads) {
  const shape *s = &m->shape;
  m->scratch_pitch = scratch_bytes(s);
  m->turn = take(m, 0, turn_bytes(c, s->terms));
  m->band = take(m, 1, band_bytes(c, s->terms));
  m->scratch = take(m, 2, (size_t)threads * m->scratch_pitch);
  if (!m->turn || !m->band || !m->scratch) return false;
  for (int t = 0; t < threads; t++) {
    workspace *x = ik_matrix_scratch(m, t);
    x->inputs = (uint16_t *)((char *)x + round_up(sizeof *x));
  }
  return true;
}

static bool set_up(ik_matrix *m, const ik_stmt *steps, int threads, int terms, ik_arena *a) {
  const ik_ir *ir = m->state->ir;
  form         f;
  const char  *why = analyse(ir, steps, a, &f);
  IK_ASSERT(!why && terms >= 1 && terms <= IK_MATRIX_MAX_TERMS && threads >= 1);
  m->shape = shape_of(ir, &f, threads, terms);
  m->model = !ik_matrix_here(NULL);
  m->stream = (int64_t)m->state->slot[f.to].layout->bytes >= stream_from;
  if (!allocate(m, f.coefs, threads)) return false;
  const uint16_t **band = IK_NEW_N(a, const uint16_t *, row_count(f.coefs) * terms);
  fill_bands(f.coefs, terms, m->band, band);
  push_products(m, f.coefs, band);
  find_losses(m, f.coefs, ir->field[f.to].type);
  return true;
}

ik_status ik_matrix_create(ik_state *s, const ik_stmt *steps, int threads, int terms, ik_diag *d,
                           ik_matrix **out) {
  ik_arena   a;
  ik_matrix *m = *out = ik_calloc(1, sizeof *m);
  ik_arena_init(&a);
  if (m) m->state = s;
  bool done = m && !setjmp(a.oom) && set_up(m, steps, threads, terms, &a);
  ik_arena_free(&a);
  if (done) return IK_OK;
  ik_matrix_destroy(out);
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the bands of a product");
}

void ik_matrix_destroy(ik_matrix **m) {
  if (!*m) return;
  for (int i = 0; i < 3; i++) ik_free((*m)->owned[i]);
  ik_free(*m);
  *m = NULL;
}

void ik_matrix_use_model(ik_matrix *m) { m->model = true; }

int64_t ik_matrix_tiles(const ik_matrix *m) { return tile_count(&m->shape); }

void *ik_matrix_scratch(const ik_matrix *m, int thread) {
  return m->scratch + (size_t)thread * m->scratch_pitch;
}

/* ---- rows of cells, as they are read ----
 * What follows is compiled twice: for the model, and with the vectors of machines with a unit. */

#define BOTH static inline __attribute__((always_inline))

typedef struct row { /* of a tile: its first cell */
  int64_t x, y, z;
} row;

/* Row y of the tiles of column x; a line goes on from row to row. */
BOTH row row_at(const shape *s, int64_t x, int64_t y, int64_t z) {
  return s->line ? (row){y * WIDTH, 0, z} : (row){x, y, z};
}

static int64_t clamp(int64_t v, int64_t lo, int64_t hi) { return v < lo ? lo : v > hi ? hi : v; }

static void load_cells(ik_type t, const void *data, int64_t first, int64_t n, float *out) {
  const uint16_t *half = (const uint16_t *)data + first;
  switch (t) {
  case IK_F32: memcpy(out, (const float *)data + first, (size_t)n * sizeof *out); break;
  case IK_BF16:
    for (int64_t i = 0; i < n; i++) out[i] = ik_tile_widen(half[i]);
    break;
  default: /* f16 */
    for (int64_t i = 0; i < n; i++) out[i] = (float)ik_f16_to_f64(half[i]);
  }
}

typedef struct beyond { /* what a row that lies beyond a face along axes 1 and 2 holds */
  int64_t      first;   /* the cell 0 of the row that stands for it, if there is no value */
  double       sign;
  const ik_bc *value; /* or this */
} beyond;

static bool is_read(const shape *s, int axis, int64_t i) {
  return i >= s->hull.lo[axis] && i < s->n[axis] + s->hull.hi[axis];
}

static beyond find_row(const ik_matrix *m, row r) {
  const ik_field *f = &m->state->ir->field[m->shape.from];
  int64_t         at[IK_MAX_DIM] = {0, r.y, r.z};
  beyond          b = {.sign = 1};
  for (int d = 1; d < IK_MAX_DIM; d++) {
    int side = ik_bound_fold(f, d, &at[d], &b.sign);
    if (side >= 0 && !b.value) b.value = &f->bc[d][side];
  }
  b.first = ik_state_index(m->state, m->shape.from, at);
  return b;
}

static float constant(const ik_field *f, const ik_bc *b) {
  return (float)ik_type_round(f->type, b->value->value);
}

/* A cell beyond a face along axis 0. */
static float end_cell(const ik_matrix *m, const void *data, const beyond *b, int64_t x) {
  const ik_field *f = &m->state->ir->field[m->shape.from];
  double          sign = b->sign;
  int             side = ik_bound_fold(f, 0, &x, &sign);
  float           v;
  if (side >= 0)
    v = constant(f, &f->bc[0][side]);
  else if (b->value)
    v = constant(f, b->value);
  else
    load_cells(f->type, data, b->first + x, 1, &v);
  return sign < 0 ? -v : v;
}

static void inner_cells(const ik_matrix *m, const void *data, const beyond *b, int64_t x, int64_t n,
                        float *out) {
  const ik_field *f = &m->state->ir->field[m->shape.from];
  if (!b->value) load_cells(f->type, data, b->first + x, n, out);
  for (int64_t i = 0; b->value && i < n; i++) out[i] = constant(f, b->value);
  for (int64_t i = 0; b->sign < 0 && i < n; i++) out[i] = -out[i];
}

/* LINE cells from REACH before the row; those that no result needs are zero, lest the unit meets
 * something that is no number. */
static void gather(const ik_matrix *m, const void *data, row r, float *out) {
  const shape *s = &m->shape;
  int64_t      x = r.x - REACH, n = s->n[0];
  memset(out, 0, LINE * sizeof *out);
  if (!is_read(s, 1, r.y) || !is_read(s, 2, r.z)) return;
  beyond  b = find_row(m, r);
  int64_t first = clamp(s->hull.lo[0] - x, 0, LINE), begin = clamp(-x, 0, LINE);
  int64_t end = clamp(n - x, begin, LINE), last = clamp(n + s->hull.hi[0] - x, end, LINE);
  for (int64_t i = first; i < begin; i++) out[i] = end_cell(m, data, &b, x + i);
  if (end > begin) inner_cells(m, data, &b, x + begin, end - begin, out + begin);
  for (int64_t i = end; i < last; i++) out[i] = end_cell(m, data, &b, x + i);
}

/* The common case needs no copy. */
BOTH const float *line_of(const ik_matrix *m, const void *data, row r, float *copy) {
  const shape    *s = &m->shape;
  const ik_field *f = &m->state->ir->field[s->from];
  bool inside = r.x >= REACH && r.x - REACH + LINE <= s->n[0] && r.y >= 0 && r.y < s->n[1] &&
                r.z >= 0 && r.z < s->n[2];
  if (inside && f->type == IK_F32)
    return (const float *)data + (r.z * s->n[1] + r.y) * s->n[0] + r.x - REACH;
  gather(m, data, r, copy);
  return copy;
}

/* ---- inputs ---- */

/* What the next terms are of; the difference is exact. */
BOTH void take_off(const float *in, float *rest) {
  for (int i = 0; i < LINE; i++) rest[i] = in[i] - ik_tile_widen(ik_tile_narrow(in[i]));
}

/* A row into its place in each term and strip. */
BOTH void pack_row(const ik_matrix *m, const ik_tile_unit *u, workspace *w, const void *data, row r,
                   uint16_t *to) {
  const shape *s = &m->shape;
  const float *in = line_of(m, data, r, w->line);
  for (int t = 0; t < s->inputs; t++, to += s->term, in = w->rest) {
    for (int k = 0; k < STRIPS; k++)
      ik_tile_narrow_line(u, to + (size_t)k * s->strip, in + k * LANES);
    if (t + 1 < s->inputs) take_off(in, w->rest);
  }
}

typedef struct place { /* of a step of the walk: ROWS rows of results from here on */
  int64_t x, y, z;
} place;

BOTH uint16_t *plane_of(const shape *s, workspace *w, int64_t z) {
  return w->inputs + (size_t)((z - s->hull.lo[2]) % s->planes) * s->plane;
}

/* The rows of plane z that results in the rows from p.y on need, but for the first `have`. */
BOTH void pack_plane(const ik_matrix *m, const ik_tile_unit *u, workspace *w, const void *data,
                     place p, int64_t z, int have) {
  const shape *s = &m->shape;
  uint16_t    *to = plane_of(s, w, z);
  for (int j = have; j < s->window; j++)
    pack_row(m, u, w, data, row_at(s, p.x, p.y + s->hull.lo[1] + j, z), to + (size_t)j * DEPTH);
}

/* Moves the last rows of the only plane to its front. */
BOTH void keep_halo(const shape *s, workspace *w) {
  size_t halo = (size_t)(s->window - ROWS) * DEPTH;
  for (size_t at = 0; at < s->plane; at += s->strip)
    memmove(w->inputs + at, w->inputs + at + ROWS * DEPTH, halo * sizeof *w->inputs);
}

/* ---- what the next step will read ---- */

typedef struct ahead { /* lines of memory to ask for, a few at a time */
  uintptr_t at, pitch;
  int64_t   rows;
  int       line, lines, each;
} ahead;

/* Down the rows in 2D, through the planes in 3D. */
BOTH ahead look_ahead(const ik_matrix *m, const void *data, place p, int bytes) {
  const shape *s = &m->shape;
  bool         planes = s->n[2] > 1;
  int64_t      z = planes ? p.z + s->hull.hi[2] + 1 : 0;
  int64_t      lo = clamp(p.y + (planes ? s->hull.lo[1] : ROWS + s->hull.hi[1]), 0, s->rows);
  int64_t      hi = clamp(p.y + s->hull.hi[1] + (planes ? ROWS : 2 * ROWS), lo, s->rows);
  row          r = row_at(s, p.x, lo, z);
  if (z >= s->n[2] || lo == hi) return (ahead){0};
  ahead a = {.rows = hi - lo, .lines = WIDTH * bytes / ALIGN + 1};
  a.at = (uintptr_t)data + (uintptr_t)((r.z * s->n[1] + r.y) * s->n[0] + r.x) * (uintptr_t)bytes;
  a.pitch = (uintptr_t)(s->line ? WIDTH : s->n[0]) * (uintptr_t)bytes;
  a.each = 1 + (int)(a.rows * a.lines / (STRIPS / 2 * m->nturn + 1));
  return a;
}

BOTH void ask(ahead *a) {
  for (int i = 0; i < a->each && a->rows; i++) {
    __builtin_prefetch((const void *)(a->at + (uintptr_t)(a->line * ALIGN)), 0, 2);
    if (++a->line < a->lines) continue;
    a->line = 0, a->rows--;
    a->at += a->pitch;
  }
}

/* ---- results ---- */

/* Tiles 0 and 1 have the even and the odd rows of a strip, 2 and 3 those of the next; `old` has the
 * band of the turn before. */
#define TURN(u, t, before, a, right, old, new)                                                     \
  do {                                                                                             \
    ik_tile_load(u, 6, a, 2 * PITCH);                                                              \
    ik_tile_load(u, 7, (a) + (right), 2 * PITCH);                                                  \
    if (before) {                                                                                  \
      ik_tile_dot(u, 1, 6, old);                                                                   \
      ik_tile_dot(u, 3, 7, old);                                                                   \
    }                                                                                              \
    if ((t)->band) {                                                                               \
      ik_tile_load(u, new, (t)->band, PITCH);                                                      \
      ik_tile_dot(u, 0, 6, new);                                                                   \
      ik_tile_dot(u, 2, 7, new);                                                                   \
    }                                                                                              \
  } while (0)

/* ROWS x 2 strips of results: four tiles.  A band serves four products and a tile of inputs two: a
 * load takes 9.6 ns and a product 16.5 where others share the core, one after the other (else 2.8
 * and 7.0, side by side). */
BOTH void multiply(const ik_matrix *m, ik_tile_unit *u, const uint16_t *const *plane, size_t at,
                   float *out, ahead *next) {
  enum { PITCH = DEPTH * sizeof(uint16_t), OUT = 2 * WIDTH * sizeof *out };
  const size_t right = m->shape.strip;
  bool         before = false; /* had a band */
  ik_tile_zero(u, 0);
  ik_tile_zero(u, 1);
  ik_tile_zero(u, 2);
  ik_tile_zero(u, 3);
  for (int i = 0; i < m->nturn; i++) {
    const turn     *t = &m->turn[i];
    const uint16_t *a = plane[t->plane] + t->at + at;
    if (i % 2)
      TURN(u, t, before, a, right, 4, 5);
    else
      TURN(u, t, before, a, right, 5, 4);
    before = t->band != NULL;
    ask(next);
  }
  ik_tile_store(u, 0, out, OUT);
  ik_tile_store(u, 1, out + WIDTH, OUT);
  ik_tile_store(u, 2, out + LANES, OUT);
  ik_tile_store(u, 3, out + WIDTH + LANES, OUT);
}

BOTH void put_f32(const ik_tile_unit *u, float *to, const float *from, int64_t n, bool stream) {
  int64_t i = stream ? (int64_t)(-((uintptr_t)to / sizeof *to) % LANES) : n;
  i = i < n ? i : n;
  memcpy(to, from, (size_t)i * sizeof *to);
  for (; i + LANES <= n; i += LANES) ik_tile_stream(u, to + i, from + i);
  memcpy(to + i, from + i, (size_t)(n - i) * sizeof *to);
}

BOTH void put_row(const ik_matrix *m, const ik_tile_unit *u, void *data, row r, const float *from) {
  const shape *s = &m->shape;
  int64_t      first = (r.z * s->n[1] + r.y) * s->n[0] + r.x, n = clamp(s->n[0] - r.x, 0, WIDTH);
  uint16_t    *half = (uint16_t *)data + first;
  switch (m->state->ir->field[s->to].type) {
  case IK_F32: put_f32(u, (float *)data + first, from, n, m->stream); break;
  case IK_BF16:
    for (int64_t i = 0; i < n; i++) half[i] = ik_tile_narrow(from[i]);
    break;
  default: /* f16 */
    for (int64_t i = 0; i < n; i++) half[i] = ik_f16_from_f64((double)from[i]);
  }
}

/* ---- tiles ---- */

BOTH void step(const ik_matrix *m, ik_tile_unit *u, workspace *w, const void *data, void *result,
               place p, int64_t last_row) {
  const shape    *s = &m->shape;
  const uint16_t *plane[2 * FAR + 1];
  for (int k = 0; k < s->planes; k++) plane[k] = plane_of(s, w, p.z + s->hull.lo[2] + k);
  int64_t columns = s->line ? WIDTH : clamp(s->n[0] - p.x, 0, WIDTH);
  ahead   next = look_ahead(m, data, p, ik_type_bytes(m->state->ir->field[s->from].type));
  for (int k = 0; k * LANES < columns; k += 2)
    multiply(m, u, plane, (size_t)k * s->strip, w->out[0] + k * LANES, &next);
  for (int j = 0; j < ROWS && p.y + j < last_row; j++)
    put_row(m, u, result, row_at(s, p.x, p.y + j, p.z), w->out[j]);
}

typedef struct part { /* cells of a tile: a column of rows and planes */
  int64_t x, y0, y1, z0, z1;
} part;

/* Neighbours along the walk are neighbours in number. */
static part part_of(const shape *s, int64_t tile) {
  int64_t z = tile % s->tiles[2], y = tile / s->tiles[2] % s->tiles[1];
  part p = {tile / s->tiles[2] / s->tiles[1] * WIDTH, y * s->tile_rows, 0, z * s->tile_planes, 0};
  p.y1 = clamp(p.y0 + s->tile_rows, 0, s->rows);
  p.z1 = clamp(p.z0 + s->tile_planes, 0, s->n[2]);
  return p;
}

/* In 2D the rows slide through the only plane; in 3D the planes follow each other in a ring. */
BOTH void run_tile(const ik_matrix *m, int64_t tile, workspace *w, ik_tile_unit *u) {
  const shape *s = &m->shape;
  const void  *data = ik_state_data(m->state, s->from, 0);
  void        *result = ik_state_data(m->state, s->to, 1);
  part         t = part_of(s, tile);
  ik_tile_begin(u);
  for (int64_t y = t.y0; y < t.y1; y += ROWS) {
    bool slide = y > t.y0 && s->planes == 1 && s->n[2] == 1;
    if (slide) keep_halo(s, w);
    for (int64_t z = t.z0; z < t.z1; z++) {
      place p = {t.x, y, z};
      for (int64_t k = z + (z == t.z0 ? s->hull.lo[2] : s->hull.hi[2]); k <= z + s->hull.hi[2]; k++)
        pack_plane(m, u, w, data, p, k, slide ? s->window - ROWS : 0);
      step(m, u, w, data, result, p, t.y1);
    }
  }
  ik_tile_end(u);
}

#ifdef __x86_64__
#ifdef __clang__
#define MACHINE __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#else
#define MACHINE                                                                                    \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,prefer-vector-width=512")))
#endif
#else
#define MACHINE
#endif

MACHINE static void run_on_machine(const ik_matrix *m, int64_t tile, workspace *w) {
  run_tile(m, tile, w, NULL);
}

static void run_on_model(const ik_matrix *m, int64_t tile, workspace *w) {
  ik_tile_unit u;
  run_tile(m, tile, w, &u);
}

void ik_matrix_tile(const ik_matrix *m, int64_t tile, void *scratch) {
  if (m->model)
    run_on_model(m, tile, scratch);
  else
    run_on_machine(m, tile, scratch);
}

void ik_matrix_finish(ik_matrix *m) { ik_state_rotate(m->state); }

/* ---- the machine ---- */

static const char *missing(void) {
#if defined(__x86_64__) && defined(__linux__)
  enum { AMX_BF16 = 1 << 22, AMX_TILE = 1 << 24, AVX512_BF16 = 1 << 5 };
  enum { REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
  unsigned a, b, c, d;
  int      width[IK_ISA_WIDTHS];
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d & AMX_BF16) || !(d & AMX_TILE))
    return "the processor has no matrix unit (AMX) for bf16";
  ik_isa_widths(width);
  if (width[0] < 64) return "the processor has no AVX-512";
  if (!__get_cpuid_count(7, 1, &a, &b, &c, &d) || !(a & AVX512_BF16))
    return "the processor has no AVX-512 for bf16";
  if (syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA))
    return "the system does not let programs use the matrix unit (AMX)";
  return NULL;
#else
  return "only x86-64 has the matrix unit (AMX) that this uses";
#endif
}

bool ik_matrix_here(ik_buf *why) {
  const char *w = missing();
  if (w && why) ik_buf_puts(why, w);
  return !w;
}
