/* Wormhole's cores, cycle by cycle: what they compute, and how long it takes. */
#include "targets/simulated/wormhole/cycles.h"
#include "run.h"

typedef struct bench { /* a program on a chip, without an engine */
  program           p;
  ik_wormhole_map   map;
  ik_state         *state;
  ik_interp        *host;
  ik_wormhole_chip *chip;
} bench;

static bool bench_open(bench *b, const char *text, const char *override) {
  *b = (bench){0};
  if (!MUST_OPEN(&b->p, text)) return false;
  if (setjmp(b->p.arena.oom)) abort();
  if (ik_wormhole_map_of(b->p.ir, NULL, override, &b->p.arena, &b->p.diag, &b->map) ||
      ik_state_create(b->p.ir, &b->p.diag, &b->state) ||
      ik_interp_create(b->state, &b->p.diag, &b->host) ||
      ik_wormhole_chip_create(&b->map, b->host, &b->p.diag, &b->chip)) {
    check_fail(__FILE__, __LINE__, "%s", program_messages(&b->p));
    return false;
  }
  ik_interp_run(b->host, b->p.ir->init, NULL);
  return true;
}

static void bench_close(bench *b) {
  ik_wormhole_chip_destroy(&b->chip);
  ik_interp_destroy(&b->host);
  ik_state_destroy(&b->state);
  program_close(&b->p);
}

/* All statements of the body, which has no loops, cycle by cycle and with their values. */
static ik_wormhole_count bench_run(bench *b) {
  ik_wormhole_count n = {0};
  ik_wormhole_upload(b->chip, b->state, b->p.ir->body, NULL);
  CHECK(!ik_wormhole_cycles(&b->map, b->p.ir->body, NULL, b->chip, b->state, NULL, &b->p.diag, &n));
  ik_wormhole_download(b->chip, b->state, b->p.ir->body, NULL);
  return n;
}

/* ---- values ---- */

static const char *round_of(const char *type) {
  static char text[1000];
  snprintf(text, sizeof text,
           "grid x = 150, y = 37, z = 3\n"
           "field sol, r, p, q : %s\nfield b : %s = noise(7)\nboundary p, sol = 0\n"
           "def A(u) = 6*u - u[0,0,-1] - u[0,0,1] - u[-1,0,0] - u[1,0,0] - u[0,-1,0] - u[0,1,0]\n"
           "r = b; p = r/6\nscalar rz = sum(r*(r/6))\n"
           "q = A(p); alpha = rz/sum(p*q)\nsol = sol + alpha*p; r = r - alpha*q\n"
           "rz_new = sum(r*(r/6)); beta = rz_new/rz; rz = rz_new\np = r/6 + beta*p\n"
           "p = p[1,0,0] - p[0,-1,0]\nresidual = norm(b - A(sol)); most = max(sol)\n",
           type, type);
  return text;
}

static void check_values(const char *text, const char *override) {
  chip_run r;
  bench    b;
  if (bench_open(&b, text, override) && chip_open(&r, text, "wormhole", override)) {
    bench_run(&b), chip_advance(&r, -1);
    size_t n = (size_t)b.p.ir->nscalar * sizeof(double);
    if (ik_state_hash(b.state) != ik_state_hash(r.state) ||
        memcmp(b.state->scalar, r.state->scalar, n))
      check_fail(__FILE__, __LINE__, "other values with '%s'", override ? override : "");
    chip_close(&r);
  }
  bench_close(&b);
}

CASE(what_moves_over_the_network_gives_the_same_values) {
  check_values(round_of("f32"), NULL);
  check_values(round_of("bf16"), NULL);
  check_values(round_of("bf16"), "method=2 route=centre");
  check_values(round_of("f32"), "method=2");
}

/* ---- cycles ---- */

static ik_wormhole_count time_of(const char *text, const char *override) {
  ik_wormhole_count n = {0};
  program           p;
  ik_wormhole_map   map;
  if (!MUST_OPEN(&p, text)) return n;
  if (setjmp(p.arena.oom)) abort();
  if (ik_wormhole_map_of(p.ir, NULL, override, &p.arena, &p.diag, &map) ||
      ik_wormhole_cycles(&map, p.ir->body, NULL, NULL, NULL, NULL, &p.diag, &n))
    check_fail(__FILE__, __LINE__, "%s", program_messages(&p));
  program_close(&p);
  return n;
}

/* The solver's operator on cores i x j with nz tiles of bf16 each. */
static ik_wormhole_count operator_on(int i, int j, int nz) {
  char text[400];
  snprintf(text, sizeof text,
           "grid x = %d, y = %d, z = %d\nfield p, q : bf16\nboundary p = 0\n"
           "q = 6*p - p[0,0,-1] - p[0,0,1] - p[-1,0,0] - p[1,0,0] - p[0,-1,0] - p[0,1,0]\n",
           64 * i, 16 * j, nz);
  return time_of(text, NULL);
}

/* 7 moves of one operand, a negation, 5 subtractions, a multiply-add; at the edge of a single core
 * 10 rows of 8 words, 5 cycles each. */
CASE(an_operator_has_the_operations_of_the_paper) {
  ik_wormhole_count one = operator_on(1, 1, 64);
  CHECK_EQ(one.ops, 64 * 14);
  CHECK_EQ(one.busy, 64 * (8 * 320 + 5 * 352 + 384 + 400));
  CHECK_EQ(one.cycles, one.busy);
  CHECK_EQ(one.filled, 64 * 10 * 8);
  CHECK_EQ(one.writes, 0);
}

/* In the middle: ten rows in and out for each tile, 640 writes. */
CASE(a_core_in_the_middle_sends_640_rows) {
  ik_wormhole_count nine = operator_on(3, 3, 64), edges = operator_on(3, 3, 1);
  CHECK_EQ(edges.writes, 2 * 6 * 1 + 2 * 6 * 4);
  CHECK_EQ(edges.bytes, edges.writes * (32 + 32)); /* each with its header */
  CHECK_EQ(nine.writes, 64 * edges.writes);
  CHECK_EQ(nine.filled, 64 * (6 * 1 + 6 * 4) * 8);
}

CASE(weak_scaling_is_flat) {
  double small = (double)operator_on(2, 2, 64).cycles, large = (double)operator_on(8, 7, 64).cycles;
  CHECK_NEAR(large / small, 1, 0.01);
  CHECK(operator_on(1, 1, 64).cycles > large); /* zeros at four edges, not at two */
}

/* Statements on two fields and more that need no halos, on x * y cells and nz levels. */
static int64_t plain_on(int x, int y, int nz, const char *type, const char *statements) {
  char text[400];
  snprintf(text, sizeof text,
           "grid x = %d, y = %d, z = %d\nfield u, v, b : %s\nboundary v = 0\n%s\n", x, y, nz, type,
           statements);
  return time_of(text, NULL).cycles;
}

/* A copy has one operand, a product two; tiles that are not whole take a choice among three. */
CASE(copies_and_choices_take_their_time) {
  CHECK_EQ(plain_on(64, 16, 4, "f32", "u = v"), 4 * 576);
  CHECK_EQ(plain_on(64, 16, 4, "bf16", "u = v"), 4 * 320);
  CHECK_EQ(plain_on(64, 16, 4, "f32", "u = 0.5*v"), 4 * 736);
  CHECK_EQ(plain_on(63, 16, 4, "f32", "u = 0.5*v"), 4 * (736 + 896));
  CHECK_EQ(plain_on(64, 16, 4, "f32", "u = 0.5*v on z = 0 .. 2"), 3 * 736);
}

/* What the loop does not use is not in the cores of a fused kernel, and goes to and from DRAM. */
CASE(what_is_not_resident_is_streamed) {
  const char *loop = "repeat until max(u) < 0 max 1 { u = 0.5*v }\n";
  char        text[200];
  snprintf(text, sizeof text, "u = b\n%s", loop);
  CHECK_EQ(plain_on(64, 16, 4, "bf16", text), 4 * (320 + 94)); /* 2048 bytes, 22 a cycle */
  snprintf(text, sizeof text, "b = u\n%s", loop);
  CHECK_EQ(plain_on(64, 16, 4, "bf16", text), 4 * (320 + 98)); /* 21 a cycle */
  snprintf(text, sizeof text, "u = b\n%s", loop);
  CHECK_EQ(plain_on(64, 16, 4, "f32", text), 4 * 576);
}

/* The first core is late with one statement, the last with the other. */
CASE(split_kernels_wait_for_all_and_fused_ones_do_not) {
  const char *first = "u = v[-1,0,0]", *second = "b = v[1,0,0]",
             *both = "u = v[-1,0,0]; b = v[1,0,0]";
  CHECK_EQ(plain_on(192, 16, 1, "f32", both),
           plain_on(192, 16, 1, "f32", first) + plain_on(192, 16, 1, "f32", second));
  CHECK(plain_on(192, 16, 1, "bf16", both) <
        plain_on(192, 16, 1, "bf16", first) + plain_on(192, 16, 1, "bf16", second));
}

static ik_wormhole_count count_dot(int i, int j, int nz, const char *type, const char *override) {
  char text[300];
  snprintf(text, sizeof text, "grid x = %d, y = %d, z = %d\nfield p, q : %s\nscalar s = sum(p*q)\n",
           64 * i, 16 * j, nz, type);
  return time_of(text, override);
}

static int64_t dot_on(int i, int j, int nz, const char *type, const char *override) {
  return count_dot(i, j, nz, type, override).cycles;
}

/* Product and addition of each tile, five operations to one number, and the root's software.  In
 * f32 the number also goes to DRAM: 32 bytes at 21 a cycle and a hop.  Then it goes to all: 64
 * bytes at 15 a cycle, 10 cycles into the network and out of it and 9 for each hop. */
CASE(dots_are_products_folds_and_hops) {
  int64_t own = 64 * 2 * 736 + 5 * 736, dram = 2 + 19;
  CHECK_EQ(dot_on(1, 1, 64, "f32", NULL), own + 500 + dram + 10 + 5);
  CHECK_EQ(dot_on(1, 1, 64, "bf16", NULL), 64 * 2 * 352 + 5 * 352 + 500 + 10 + 5);
  /* A hop: 64 bytes at 29 a cycle, the network, software and an addition. */
  int64_t hop = 3 + 19 + 200 + 736;
  CHECK_EQ(dot_on(1, 2, 64, "f32", NULL), own + hop + 500 + dram + 10 + 9 + 5);
  CHECK_EQ(dot_on(8, 7, 64, "f32", NULL), own + 13 * hop + 500 + dram + 10 + 13 * 9 + 5);
}

/* The root waits for the other's number, then for its own to come back, then for the other. */
CASE(waits_and_hops_are_counted) {
  ik_wormhole_count n = count_dot(1, 2, 64, "f32", NULL);
  int64_t           root = 22 + 15 + 9, other = 22 + 936 + 500 + 21 + 24;
  CHECK_EQ(n.waits, root + other);
  CHECK_EQ(n.hops, 1);
  CHECK_EQ(n.bytes, 32 + 32);
  CHECK_EQ(n.ops, 2 * (64 * 2 + 5) + 1);
  CHECK_EQ(count_dot(8, 7, 1, "f32", "method=2").ops, 56 * 2 + 55 + 5);
}

/* With its header a tile takes 143 cycles at 29 bytes a cycle, a number 3; 13 hops. */
CASE(methods_and_routes_have_their_order) {
  int64_t first = dot_on(8, 7, 64, "f32", NULL), second = dot_on(8, 7, 64, "f32", "method=2");
  CHECK_EQ(second - first, 13 * (143 - 3));
  CHECK(dot_on(8, 7, 64, "f32", "route=centre") < first);
  CHECK_EQ(dot_on(1, 1, 8, "f32", "method=2"), dot_on(1, 1, 8, "f32", NULL));
}

/* ---- what is shown ---- */

/* Only the cores of the first column put zeros west of them: on 2 x 3, elements (0, 0) and (1, 0).
 */
CASE(core_i_j_is_element_i_j) {
  ik_timeline       t = {.most = 1000, .nelement = 6, .nx = 2, .ny = 3};
  ik_wormhole_count n;
  ik_wormhole_map   map;
  program           p;
  bool              filled[6] = {0};
  if (!MUST_OPEN(&p, "grid x = 128, y = 48\nfield u, v : f32\nboundary v = 0\nu = v[0,-1]\n"))
    return;
  if (setjmp(p.arena.oom)) abort();
  CHECK(!ik_wormhole_map_of(p.ir, NULL, NULL, &p.arena, &p.diag, &map) &&
        !ik_wormhole_cycles(&map, p.ir->body, NULL, NULL, NULL, &t, &p.diag, &n));
  for (int64_t i = 0; i < t.nspan; i++)
    if (t.span[i].kind == IK_TIMELINE_COMPUTE && !strcmp(t.span[i].what, "patch"))
      filled[t.span[i].element] = true;
  for (int e = 0; e < 6; e++) CHECK_EQ(filled[e], e < 2);
  ik_timeline_free(&t);
  program_close(&p);
}
