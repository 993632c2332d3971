/* paper.c: the kernel of the paper, instruction by instruction. */
#include "targets/simulated/wse2/paper.h"
#include "targets/simulated/wse2/map.h"

ik_wse2_wave ik_wse2_wave_of(int nz, double courant2) {
  static const double weight[] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  ik_wse2_wave        w = {.nz = nz, .radius = 4, .centre = (float)(2 + 3 * courant2 * weight[0])};
  for (int k = 1; k <= w.radius; k++) w.lateral[k] = w.along_z[k] = (float)(courant2 * weight[k]);
  ik_wse2_wave_layout(&w);
  return w;
}

void ik_wse2_wave_layout(ik_wse2_wave *w) {
  w->chunks = ik_wse2_chunks(w->nz);
  w->b = (w->nz + w->chunks - 1) / w->chunks;
  int column = w->chunks * w->b + 2 * w->radius;
  w->u = 0;
  w->v = w->u + column;
  w->buffer = w->v + column;
  w->sum = w->buffer + IK_WSE2_DIRECTIONS * (w->radius + 1) * w->b;
  w->words = w->sum + w->chunks * w->b;
}

typedef struct maker {
  const ik_wse2_wave *w;
  ik_arena           *a;
  ik_wse2_instr      *instr;
  int                 n, room;
} maker;

static void put(maker *m, ik_wse2_instr i) { IK_PUSH(m->a, m->instr, m->n, m->room, i); }

static void put_map(maker *m, const char *what, ik_op op, int dst, ik_wse2_operand a,
                    ik_wse2_operand b, ik_wse2_operand c) {
  ik_wse2_map map = {op, m->w->b, IK_WSE2_AT(dst), {a, b, c}};
  put(m, (ik_wse2_instr){.kind = IK_WSE2_MAP, .what = what, .map = map});
}

/* Of the buffer, where the words of a sender go. */
static int row_of(const ik_wse2_wave *w, int d, int distance) {
  return w->buffer + (d * (w->radius + 1) + distance) * w->b;
}

/* An element hears itself in every direction: the first takes the centre, the others take nothing
 * and multiply by zero. */
static float coefficient(const ik_wse2_wave *w, int d, int distance) {
  if (distance) return w->lateral[distance];
  return d == IK_WSE2_EAST ? w->centre : 0;
}

static void put_broadcast(maker *m, int chunk) {
  const ik_wse2_wave *w = m->w;
  ik_wse2_broadcast  *b = IK_NEW(m->a, ik_wse2_broadcast);
  b->at = w->u + w->radius + chunk * w->b;
  b->n = w->b;
  for (int d = 0; d < IK_WSE2_DIRECTIONS; d++) {
    b->on[d] = true;
    for (int k = 0; k <= w->radius; k++) {
      ik_wse2_take *t = IK_NEW(m->a, ik_wse2_take);
      *t = (ik_wse2_take){IK_WSE2_SCALE, w->b, row_of(w, d, k), coefficient(w, d, k)};
      b->from[d][k] = (ik_wse2_takes){1, t};
    }
  }
  put(m, (ik_wse2_instr){.kind = IK_WSE2_BROADCAST, .what = "broadcast", .broadcast = b});
}

static void put_sum(maker *m, int sum) {
  ik_wse2_operand so_far = IK_WSE2_CONST(0);
  for (int d = 0; d < IK_WSE2_DIRECTIONS; d++)
    for (int k = 0; k <= m->w->radius; k++) {
      put_map(m, "add received", IK_OP_ADD, sum, so_far, IK_WSE2_AT(row_of(m->w, d, k)),
              IK_WSE2_CONST(0));
      so_far = IK_WSE2_AT(sum);
    }
}

static void put_column(maker *m, int sum, int u) {
  for (int k = -m->w->radius; k <= m->w->radius; k++)
    if (k)
      put_map(m, "fma z", IK_OP_FMA, sum, IK_WSE2_AT(u + k),
              IK_WSE2_CONST(m->w->along_z[k < 0 ? -k : k]), IK_WSE2_AT(sum));
}

/* The buffer is free as soon as it is added up, so the next chunk may come while the part along z
 * is computed. */
static void put_chunk(maker *m, int c) {
  const ik_wse2_wave *w = m->w;
  int                 at = w->radius + c * w->b, sum = w->sum + c * w->b;
  put(m, (ik_wse2_instr){.kind = IK_WSE2_AWAIT, .what = "await"});
  put_sum(m, sum);
  if (c + 1 < w->chunks) put_broadcast(m, c + 1);
  put_column(m, sum, w->u + at);
  put_map(m, "subtract level before", IK_OP_SUB, w->v + at, IK_WSE2_AT(sum), IK_WSE2_AT(w->v + at),
          IK_WSE2_CONST(0));
}

const ik_wse2_program *ik_wse2_wave_program(const ik_wse2_wave *w, ik_arena *a) {
  maker m = {.w = w, .a = a};
  put(&m, (ik_wse2_instr){.kind = IK_WSE2_STEP, .what = "begin step"});
  put_broadcast(&m, 0);
  for (int c = 0; c < w->chunks; c++) put_chunk(&m, c);
  ik_wse2_program *p = IK_NEW(a, ik_wse2_program);
  *p = (ik_wse2_program){m.n, m.instr, w->words};
  return p;
}

ik_status ik_wse2_wave_patch_of(const ik_wse2_wave *w, const ik_wse2_program *p,
                                const ik_wse2_timing *t, int nx, int ny, ik_diag *d,
                                ik_wse2_patch **out) {
  int radius[IK_WSE2_DIRECTIONS] = {w->radius, w->radius, w->radius, w->radius};
  return ik_wse2_patch_create_alike(t, nx, ny, radius, p, d, out);
}

ik_status ik_wse2_wave_patch(const ik_wse2_wave *w, const ik_wse2_timing *t, int nx, int ny,
                             ik_arena *a, ik_diag *d, ik_wse2_patch **out) {
  return ik_wse2_wave_patch_of(w, ik_wse2_wave_program(w, a), t, nx, ny, d, out);
}
