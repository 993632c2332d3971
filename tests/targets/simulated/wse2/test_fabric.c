/* Elements and routers of the wafer: what they compute, and in which cycles. */
#include "base/mem.h"
#include "check.h"
#include "targets/simulated/wse2/golden.h"
#include "targets/simulated/wse2/paper.h"
#include "targets/simulated/wse2/protocol.h"
#include <stdlib.h>

static const ik_wse2_timing timing = {
    .clock = 1e9, .memory_stall = 0.316, .callback = 20, .step = 100, .divide = 30, .depth = 4};

static ik_arena arena;
static ik_diag  diag;

/* Values with all their bits in use. */
static float value(int x, int y, int i) {
  uint32_t h = (uint32_t)x * 0x85ebca77u + (uint32_t)y * 0xc2b2ae3du + (uint32_t)i * 0x27d4eb2fu;
  h = (h ^ h >> 15) * 0x2c1b3c6du;
  return (float)(h >> 8) / (1 << 24) - 0.5f;
}

/* ----------------------------------------------------------------------------- the paper's kernel
 */

static ik_wse2_wave wave(int nz, int radius) {
  ik_wse2_wave w = {.nz = nz, .radius = radius, .centre = -1.3f};
  for (int k = 1; k <= radius; k++) {
    w.lateral[k] = 0.37f / (float)k;
    w.along_z[k] = -0.21f / (float)k;
  }
  ik_wse2_wave_layout(&w);
  return w;
}

static ik_wse2_patch *filled(const ik_wse2_wave *w, int nx, int ny) {
  ik_wse2_patch *p = NULL;
  CHECK(ik_wse2_wave_patch(w, &timing, nx, ny, &arena, &diag, &p) == IK_OK);
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++) {
      float *m = ik_wse2_patch_memory(p, x, y);
      for (int z = 0; z < w->nz; z++) {
        m[w->u + w->radius + z] = value(x, y, z);
        m[w->v + w->radius + z] = value(x, y, -z);
      }
    }
  return p;
}

static float u_at(const ik_wse2_wave *w, int nx, int ny, int x, int y, int z) {
  return x < 0 || x >= nx || y < 0 || y >= ny || z < 0 || z >= w->nz ? 0 : value(x, y, z);
}

/* East, west, south, north, each by distance; then along z; then the level before. */
static float direct(const ik_wse2_wave *w, int nx, int ny, int x, int y, int z) {
  static const int sx[] = {-1, 1, 0, 0}, sy[] = {0, 0, -1, 1};
  float            sum = 0;
  for (int d = 0; d < IK_WSE2_DIRECTIONS; d++)
    for (int k = 0; k <= w->radius; k++) {
      float c = k ? w->lateral[k] : d ? 0 : w->centre;
      float product = u_at(w, nx, ny, x + k * sx[d], y + k * sy[d], z) * c;
      sum = sum + product;
    }
  for (int k = -w->radius; k <= w->radius; k++)
    if (k) sum = fmaf(u_at(w, nx, ny, x, y, z + k), w->along_z[abs(k)], sum);
  return sum - value(x, y, -z);
}

static int64_t wrong_cells(ik_wse2_patch *p, const ik_wse2_wave *w, int nx, int ny) {
  int64_t wrong = 0;
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++)
      for (int z = 0; z < w->nz; z++) {
        float is = ik_wse2_patch_memory(p, x, y)[w->v + w->radius + z];
        float should = direct(w, nx, ny, x, y, z);
        wrong += memcmp(&is, &should, sizeof is) != 0;
      }
  return wrong;
}

static void check_wave(int nz, int radius, int nx, int ny, int threads) {
  ik_arena_init(&arena);
  ik_wse2_wave   w = wave(nz, radius);
  ik_wse2_patch *p = filled(&w, nx, ny);
  CHECK_EQ(ik_wse2_patch_run(p, threads, NULL), IK_MESH_ENDED);
  CHECK_EQ(wrong_cells(p, &w, nx, ny), 0);
  ik_wse2_patch_destroy(&p);
  ik_arena_free(&arena);
}

CASE(kernel_bit_for_bit) {
  check_wave(30, 4, 10, 9, 1);
  check_wave(30, 1, 2, 3, 1);
  check_wave(17, 8, 9, 12, 1);
  check_wave(402, 2, 6, 5, 1); /* two chunks, one after the other */
}

/* ----------------------------------------------------------------------------- golden values */

/* The vendor's example: its own range of values after 2 and 10 steps. */
CASE(golden_values_of_the_vendor) {
  ik_wse2_golden is[IK_WSE2_GOLDEN];
  ik_arena_init(&arena);
  CHECK(ik_wse2_golden_run(&timing, &arena, &diag, is) == IK_OK);
  CHECK_EQ(is[0].steps, 2);
  CHECK_NEAR(is[0].low, -0.0939295, 1e-6);
  CHECK_NEAR(is[0].high, 57.403816, 1e-4);
  CHECK_EQ(is[1].steps, 10);
  CHECK_NEAR(is[1].low, -1.3100899, 1e-5);
  CHECK_NEAR(is[1].high, 1200.9414062, 1e-3);
  ik_arena_free(&arena);
}

/* ----------------------------------------------------------------------------- threads and cycles
 */

/* Two runs that differ in threads alone. */
CASE(threads_change_nothing) {
  ik_arena_init(&arena);
  ik_wse2_wave   w = wave(41, 3);
  ik_wse2_patch *one = filled(&w, 7, 11), *many = filled(&w, 7, 11);
  CHECK_EQ(ik_wse2_patch_run(one, 1, NULL), IK_MESH_ENDED);
  CHECK_EQ(ik_wse2_patch_run(many, 4, NULL), IK_MESH_ENDED);
  for (int y = 0; y < 11; y++)
    for (int x = 0; x < 7; x++) {
      CHECK(!memcmp(ik_wse2_patch_counts(one, x, y), ik_wse2_patch_counts(many, x, y),
                    sizeof(ik_wse2_counts)));
      CHECK(!memcmp(ik_wse2_patch_memory(one, x, y), ik_wse2_patch_memory(many, x, y),
                    (size_t)w.words * sizeof(float)));
    }
  CHECK_EQ(ik_wse2_patch_hops(one), ik_wse2_patch_hops(many));
  ik_wse2_patch_destroy(&one);
  ik_wse2_patch_destroy(&many);
  ik_arena_free(&arena);
}

/* Every cycle is one of these. */
static int64_t accounted(const ik_wse2_counts *n) {
  return n->issued + n->slow + n->overhead + n->memory_stalls + n->waits;
}

CASE(cycles_add_up) {
  ik_arena_init(&arena);
  ik_wse2_wave   w = wave(60, 4);
  ik_wse2_patch *p = filled(&w, 10, 9);
  CHECK_EQ(ik_wse2_patch_run(p, 1, NULL), IK_MESH_ENDED);
  for (int x = 0; x < 10; x++) {
    const ik_wse2_counts *n = ik_wse2_patch_counts(p, x, 4);
    CHECK_EQ(n->cycles, accounted(n));
  }
  ik_wse2_patch_destroy(&p);
  ik_arena_free(&arena);
}

/* ----------------------------------------------------------------------------- small programs */

static ik_wse2_patch *patch_of(int nx, int ny, const int radius[4], const ik_wse2_program *p) {
  ik_wse2_patch *out = NULL;
  CHECK(ik_wse2_patch_create_alike(&timing, nx, ny, radius, p, &diag, &out) == IK_OK);
  return out;
}

static const int nowhere[IK_WSE2_DIRECTIONS];

static void check_reduce(ik_reduce r, int nx, int ny) {
  ik_wse2_instr   i[] = {{.kind = IK_WSE2_REDUCE, .what = "sum", .reduce = {r, 1}}};
  ik_wse2_program program = {1, i, 2};
  ik_wse2_patch  *p = patch_of(nx, ny, nowhere, &program);
  float           all = 0;
  for (int y = ny - 1; y >= 0; y--) {
    float row = value(nx - 1, y, 0);
    for (int x = nx - 2; x >= 0; x--) row = ik_wse2_combine(r, value(x, y, 0), row);
    all = y == ny - 1 ? row : ik_wse2_combine(r, row, all);
  }
  for (int e = 0; e < nx * ny; e++)
    ik_wse2_patch_memory(p, e % nx, e / nx)[1] = value(e % nx, e / nx, 0);
  CHECK_EQ(ik_wse2_patch_run(p, 1, NULL), IK_MESH_ENDED);
  for (int e = 0; e < nx * ny; e++) CHECK(ik_wse2_patch_memory(p, e % nx, e / nx)[1] == all);
  ik_wse2_patch_destroy(&p);
}

CASE(reductions_over_the_fabric) {
  for (ik_reduce r = IK_SUM; r <= IK_MAXIMUM; r++) {
    check_reduce(r, 5, 4);
    check_reduce(r, 1, 1);
    check_reduce(r, 6, 1);
    check_reduce(r, 1, 3);
  }
}

/* A box of 3 x 3 columns: the first broadcast brings those left and right, the second all three of
 * the rows above and below. */
enum { N = 6, OWN = 0, ROWS = 3 * N, PLANE = 9 * N };

static ik_wse2_takes stored(ik_wse2_take *t, int n, int at) {
  *t = (ik_wse2_take){IK_WSE2_STORE, n, at, 0};
  return (ik_wse2_takes){1, t};
}

CASE(box_in_two_broadcasts) {
  static ik_wse2_broadcast along_x = {.at = N, .n = N, .on = {true, true}};
  static ik_wse2_broadcast along_y = {.at = 0, .n = 3 * N, .on = {false, false, true, true}};
  ik_wse2_take             drop[2] = {{.n = N}, {.n = 3 * N}}, keep[4];
  /* A row of three columns: west of it, own, east of it; then the same from above and below. */
  along_x.from[IK_WSE2_EAST][1] = stored(&keep[0], N, OWN);
  along_x.from[IK_WSE2_WEST][1] = stored(&keep[1], N, OWN + 2 * N);
  along_y.from[IK_WSE2_SOUTH][1] = stored(&keep[2], 3 * N, ROWS);
  along_y.from[IK_WSE2_NORTH][1] = stored(&keep[3], 3 * N, ROWS + 3 * N);
  for (int d = 0; d < 2; d++) {
    along_x.from[d][0] = (ik_wse2_takes){1, &drop[0]};
    along_y.from[2 + d][0] = (ik_wse2_takes){1, &drop[1]};
  }
  ik_wse2_instr   i[] = {{.kind = IK_WSE2_BROADCAST, .broadcast = &along_x},
                         {.kind = IK_WSE2_AWAIT},
                         {.kind = IK_WSE2_BROADCAST, .broadcast = &along_y},
                         {.kind = IK_WSE2_AWAIT}};
  ik_wse2_program program = {4, i, PLANE};
  ik_wse2_patch  *p = patch_of(5, 4, (int[]){1, 1, 1, 1}, &program);
  for (int e = 0; e < 20; e++)
    for (int z = 0; z < N; z++)
      ik_wse2_patch_memory(p, e % 5, e / 5)[N + z] = value(e % 5, e / 5, z);
  CHECK_EQ(ik_wse2_patch_run(p, 2, NULL), IK_MESH_ENDED);
  const float *m = ik_wse2_patch_memory(p, 2, 1);
  for (int dy = 0; dy < 3; dy++)
    for (int dx = -1; dx <= 1; dx++)
      for (int z = 0; z < N; z++) {
        static const int row[] = {0, -1, 1}; /* own, above, below */
        CHECK(m[dy * 3 * N + (1 + dx) * N + z] == value(2 + dx, 1 + row[dy], z));
      }
  ik_wse2_patch_destroy(&p);
}

/* Words of one sender may go to several places. */
CASE(words_are_taken_in_parts) {
  ik_wse2_take part[] = {
      {IK_WSE2_STORE, 2, 4, 0}, {IK_WSE2_DROP, 1, 0, 0}, {IK_WSE2_SCALE, 2, 8, 3}};
  ik_wse2_takes t = {3, part};
  float         m[10] = {0}, w[] = {1, 2, 3, 4, 5}, want[10] = {[4] = 1, 2, [8] = 12, 15};
  for (int i = 0; i < 5; i++) ik_wse2_take_one(&t, m, i, w[i]);
  CHECK(!memcmp(m, want, sizeof m));
}

static int64_t cycles_of_map(ik_wse2_map map) {
  ik_wse2_instr   i[] = {{.kind = IK_WSE2_MAP, .what = "map", .map = map}};
  ik_wse2_program program = {1, i, 400};
  ik_wse2_patch  *p = patch_of(1, 1, nowhere, &program);
  CHECK_EQ(ik_wse2_patch_run(p, 1, NULL), IK_MESH_ENDED);
  ik_wse2_counts n = ik_wse2_patch_total(p);
  CHECK_EQ(n.cycles, accounted(&n));
  ik_wse2_patch_destroy(&p);
  return n.cycles;
}

CASE(what_vectors_cost) {
  ik_wse2_operand a = IK_WSE2_AT(100), b = IK_WSE2_AT(200), c = IK_WSE2_CONST(2);
  CHECK_EQ(cycles_of_map((ik_wse2_map){IK_OP_MUL, 100, IK_WSE2_AT(0), {a, c}}), 100);
  CHECK_EQ(cycles_of_map((ik_wse2_map){IK_OP_ADD, 100, IK_WSE2_AT(0), {a, b}}), 131);
  CHECK_EQ(cycles_of_map((ik_wse2_map){IK_OP_FMA, 100, IK_WSE2_AT(0), {a, c, b}}), 131);
  CHECK_EQ(cycles_of_map((ik_wse2_map){IK_OP_SQRT, 10, IK_WSE2_AT(0), {a}}), 300);
  CHECK_EQ(cycles_of_map((ik_wse2_map){IK_OP_ADD, 100, IK_WSE2_SCALAR(0), {IK_WSE2_SCALAR(0), a}}),
           100);
}

/* ----------------------------------------------------------------------------- the timeline */

enum { LINE = 10, CELLS = 50 };

static const ik_timeline_span *find_span(const ik_timeline *t, int element, ik_timeline_kind k,
                                         int step) {
  for (int64_t i = 0; i < t->nspan; i++)
    if (t->span[i].element == element && t->span[i].kind == k && t->span[i].step == step)
      return &t->span[i];
  return NULL;
}

/* Eastwards, radius 4: one after the other, the five roots of a group send, and all of its elements
 * receive in the same order, each step over before the next begins. */
CASE(steps_are_visible) {
  static ik_wse2_broadcast b = {.at = 0, .n = CELLS, .on = {true}};
  static ik_wse2_take      t = {.n = CELLS};
  for (int k = 0; k <= 4; k++) b.from[IK_WSE2_EAST][k] = (ik_wse2_takes){1, &t};
  ik_wse2_instr   i[] = {{.kind = IK_WSE2_BROADCAST, .broadcast = &b}, {.kind = IK_WSE2_AWAIT}};
  ik_wse2_program program = {2, i, CELLS};
  ik_wse2_patch  *p = patch_of(LINE, 1, (int[]){4, 0, 0, 0}, &program);
  ik_timeline     line = {.most = 1000};
  CHECK_EQ(ik_wse2_patch_run(p, 1, &line), IK_MESH_ENDED);
  for (int x = 1; x < LINE; x++) {
    const ik_timeline_span *s = find_span(&line, x, IK_TIMELINE_SEND, x % 5);
    CHECK(s && s->end - s->begin > CELLS / 2);
    for (int k = 1; k < 5 && k <= x; k++) {
      const ik_timeline_span *before = find_span(&line, x, IK_TIMELINE_RECEIVE, k - 1);
      const ik_timeline_span *now = find_span(&line, x, IK_TIMELINE_RECEIVE, k);
      CHECK(before && now && before->end <= now->begin && now->end - now->begin >= CELLS);
    }
    const ik_timeline_span *left = find_span(&line, x - 1, IK_TIMELINE_SEND, (x - 1) % 5);
    if (x % 5) CHECK(left && s && left->begin < s->begin && left->end - 2 * 20 < s->begin);
  }
  ik_timeline_free(&line);
  ik_wse2_patch_destroy(&p);
}

CASE(without_memory) {
  ik_wse2_program program = {0, NULL, 8};
  for (int k = 0; k < 6; k++) {
    ik_wse2_patch *p = NULL;
    ik_mem_fail_after(k);
    ik_status st = ik_wse2_patch_create_alike(&timing, 2, 1, nowhere, &program, &diag, &p);
    ik_mem_fail_after(-1);
    CHECK(st == IK_ERR_RESOURCE && !p);
  }
  ik_diag_free(&diag);
  diag = (ik_diag){0};
}
