/* matrix_bench.c: how fast the strategy `matrix-band` is on this machine: a box of radius R, f32,
 * on N x N cells, for 1, 2 and 3 terms and 1, 2, 4 ... THREADS threads, conversion included.
 *
 *   make && gcc -std=gnu11 -O2 -Isrc -Iinclude bench/cpu/matrix_bench.c build/libikat.a \
 *     -ldl -lm -lpthread -o /tmp/matrix_bench && /tmp/matrix_bench [N [R [THREADS [MODEL]]]]
 *
 * Best and median of ROUNDS rounds, rounds of all settings taken in turn, because such machines
 * have fast and slow minutes.  `error` is the largest distance of 4096 results of one step from
 * sums in double, `bound` what was promised.  Without a unit it says so and ends; with a fourth
 * argument it computes with the model, which shows that it works and nothing about speed.
 */
#include "targets/cpu/matrix.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 9, STEPS = 4, MOST_THREADS = 64, SAMPLES = 4096 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the program ---- */

typedef struct problem {
  ik_arena  arena;
  ik_ir     ir;
  ik_field  field;
  ik_stmt   steps, assign;
  ik_state *state;
  int       r;
  double   *weight;
} problem;

static ik_expr *node(problem *p, ik_op op) {
  ik_expr *e = IK_NEW(&p->arena, ik_expr);
  e->op = op, e->type = IK_F32;
  return e;
}

static ik_expr *box_sum(problem *p) {
  ik_expr *sum = NULL;
  int      i = 0;
  for (int y = -p->r; y <= p->r; y++)
    for (int x = -p->r; x <= p->r; x++, i++) {
      ik_expr *w = node(p, IK_OP_CONST), *u = node(p, IK_OP_READ);
      ik_expr *term = node(p, sum ? IK_OP_FMA : IK_OP_MUL);
      w->value = p->weight[i], u->off[0] = x, u->off[1] = y;
      term->arg[0] = w, term->arg[1] = u, term->arg[2] = sum;
      sum = term;
    }
  return sum;
}

static void describe(problem *p, int64_t n, int r) {
  int side = 2 * r + 1;
  ik_arena_init(&p->arena);
  if (setjmp(p->arena.oom)) abort();
  p->r = r;
  p->weight = IK_NEW_N(&p->arena, double, side *side);
  for (int i = 0; i < side * side; i++)
    p->weight[i] = (double)(float)((1 + 0.3 * sin(i)) / (side * side));
  p->field = (ik_field){.name = "u", .type = IK_F32, .on = {true, true}, .history = 1};
  p->field.has_new = true;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    p->field.box.hi[d] = d < 2 ? n : 1;
    for (int s = 0; s < 2 && d < 2; s++) p->field.bc[d][s].kind = IK_BC_PERIODIC;
  }
  p->assign = (ik_stmt){.kind = IK_ASSIGN, .level = 1, .box = p->field.box, .value = box_sum(p)};
  p->steps = (ik_stmt){.kind = IK_STEPS, .count = 1, .body = &p->assign};
  p->ir = (ik_ir){.name = "box", .ndim = 2, .n = {n, n, 1}, .nfield = 1, .field = &p->field};
  p->ir.body = &p->steps;
}

static void start(problem *p) {
  int64_t n = p->ir.n[0];
  float  *u = ik_state_data(p->state, 0, 0);
  for (int64_t i = 0; i < n * n; i++) u[i] = (float)((uint32_t)i * 2654435761u) * 0x1p-32f;
  memset(ik_state_data(p->state, 0, 1), 0, (size_t)(n * n) * sizeof *u);
}

/* ---- threads ---- */

typedef struct crew {
  ik_matrix        *m;
  int               threads;
  int64_t           steps;
  pthread_barrier_t meet;
} crew;

typedef struct member {
  crew     *crew;
  int       number;
  pthread_t id;
} member;

static void *work(void *arg) {
  member *me = arg;
  crew   *c = me->crew;
  int64_t n = ik_matrix_tiles(c->m);
  void   *scratch = ik_matrix_scratch(c->m, me->number);
  for (int64_t s = 0; s < c->steps; s++) {
    for (int64_t i = n * me->number / c->threads; i < n * (me->number + 1) / c->threads; i++)
      ik_matrix_tile(c->m, i, scratch);
    pthread_barrier_wait(&c->meet);
    if (me->number == 0) ik_matrix_finish(c->m);
    pthread_barrier_wait(&c->meet);
  }
  return NULL;
}

static double seconds_of(ik_matrix *m, int threads, int64_t steps) {
  crew   c = {.m = m, .threads = threads, .steps = steps};
  member all[MOST_THREADS];
  pthread_barrier_init(&c.meet, NULL, (unsigned)threads);
  double t = now();
  for (int i = 0; i < threads; i++) {
    all[i] = (member){.crew = &c, .number = i};
    if (pthread_create(&all[i].id, NULL, work, &all[i])) abort();
  }
  for (int i = 0; i < threads; i++) pthread_join(all[i].id, NULL);
  t = now() - t;
  pthread_barrier_destroy(&c.meet);
  return t;
}

/* ---- is it right? ---- */

static double exact(const problem *p, const float *u, int64_t x, int64_t y) {
  int64_t       n = p->ir.n[0];
  const double *w = p->weight;
  double        sum = 0;
  for (int dy = -p->r; dy <= p->r; dy++)
    for (int dx = -p->r; dx <= p->r; dx++)
      sum += *w++ * (double)u[(y + dy + n) % n * n + (x + dx + n) % n];
  return sum;
}

/* Of one step; level 0 before it lies where level 1 will be after. */
static double error_of(problem *p, ik_matrix *m, int threads) {
  int64_t n = p->ir.n[0];
  double  most = 0;
  start(p);
  seconds_of(m, threads, 1);
  const float *before = ik_state_data(p->state, 0, 1), *after = ik_state_data(p->state, 0, 0);
  for (int64_t i = 0; i < SAMPLES; i++) {
    int64_t at = (int64_t)((double)(n * n - 1) / (SAMPLES - 1) * (double)i);
    double  e = fabs((double)after[at] - exact(p, before, at % n, at / n));
    most = e <= most ? most : e;
  }
  return most;
}

/* ---- all settings ---- */

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct setting {
  int        threads, terms;
  ik_matrix *m;
  double     error, seconds[ROUNDS];
} setting;

static int prepare(problem *p, setting *all, int threads, bool model) {
  int n = 0;
  for (int t = 1; t <= threads; t *= 2)
    for (int terms = 1; terms <= IK_MATRIX_MAX_TERMS; terms++) {
      setting *s = &all[n++];
      ik_diag  d = {0};
      *s = (setting){.threads = t, .terms = terms};
      if (ik_matrix_create(p->state, &p->steps, t, terms, &d, &s->m)) abort();
      if (model) ik_matrix_use_model(s->m);
      s->error = error_of(p, s->m, t);
    }
  return n;
}

static void show(const problem *p, setting *s) {
  double points = (double)p->ir.n[0] * (double)p->ir.n[1] * STEPS;
  qsort(s->seconds, ROUNDS, sizeof *s->seconds, ascending);
  printf("%7d %5d %12.3f %12.3f %12.2e %12.2e%s\n", s->threads, s->terms,
         1e-9 * points / s->seconds[0], 1e-9 * points / s->seconds[ROUNDS / 2], s->error,
         ik_matrix_bound(s->m, 1), s->error <= ik_matrix_bound(s->m, 1) ? "" : "  WRONG");
}

static void measure(problem *p, int threads, bool model) {
  setting all[IK_MATRIX_MAX_TERMS * 8];
  int     n = prepare(p, all, threads, model);
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < n; i++) all[i].seconds[round] = seconds_of(all[i].m, all[i].threads, STEPS);
  printf("threads terms  GPt/s best       median        error        bound\n");
  for (int i = 0; i < n; i++) show(p, &all[i]), ik_matrix_destroy(&all[i].m);
}

int main(int argc, char **argv) {
  int     n = argc > 1 ? atoi(argv[1]) : 4096, r = argc > 2 ? atoi(argv[2]) : 7;
  int     threads = argc > 3 ? atoi(argv[3]) : 2;
  bool    model = argc > 4;
  ik_buf  why = {0};
  ik_diag d = {0};
  problem p = {.r = 0};
  if (!model && !ik_matrix_here(&why)) return printf("%s\n", ik_buf_text(&why)), 1;
  if (n < 1 || r < 0 || r > n || threads < 1 || threads > MOST_THREADS) return 2;
  describe(&p, n, r);
  const char *illegal = ik_matrix_illegal(&p.ir, &p.steps);
  if (illegal) return printf("%s\n", illegal), 1;
  if (ik_state_create(&p.ir, &d, &p.state)) return printf("no memory\n"), 1;
  measure(&p, threads, model);
  ik_state_destroy(&p.state);
  ik_arena_free(&p.arena);
  ik_buf_free(&why);
  return 0;
}
