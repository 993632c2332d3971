#include "plan/fit.h"
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct room {
  ik_arena  arena;
  ik_diag   diag;
  ik_source src;
} room;

static void open_room(room *r) {
  *r = (room){0};
  ik_arena_init(&r->arena);
}

static void close_room(room *r) {
  ik_diag_free(&r->diag);
  ik_arena_free(&r->arena);
}

static const ik_machine *machine(room *r, const char *text) {
  ik_machine *m = NULL;
  r->src = (ik_source){"test.ikm", text, strlen(text)};
  CHECK_EQ(ik_machine_read("test", &r->src, &r->arena, &r->diag, &m), IK_OK);
  return m;
}

static const ik_machine *find(room *r, const char *name) {
  ik_machine *m = NULL;
  CHECK_EQ(ik_machine_find(name, &r->arena, &r->diag, &m), IK_OK);
  return m;
}

static bool same(const ik_pipeline_machine *a, const ik_pipeline_machine *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

CASE(width_of_vectors_tells_the_kind) {
  room r;
  open_room(&r);
  const ik_pipeline_machine *narrow = ik_fit_kind(16, NULL, &r.arena),
                            *wide = ik_fit_kind(64, NULL, &r.arena);
  CHECK_NEAR(narrow->hertz, 2.6e9, 0);
  CHECK_NEAR(narrow->byte, 0.049, 0);
  CHECK_NEAR(narrow->cut_row, 36, 0);
  CHECK_NEAR(wide->hertz, 2.65e9, 0);
  CHECK_NEAR(wide->line, 0.1, 0);
  CHECK_NEAR(wide->chain, 0.45, 0);
  CHECK(ik_fit_kind(8, NULL, &r.arena) == narrow && ik_fit_kind(32, NULL, &r.arena) == wide);
  CHECK(narrow->l1 == 0 && wide->l2 == 0);
  const ik_pipeline_machine *n1 = ik_fit_kind(16, "ARM Neoverse N1", &r.arena);
  CHECK(n1 != narrow && ik_fit_kind(64, "ARM Neoverse N1", &r.arena) == wide);
  CHECK(ik_fit_kind(16, "ARM Neoverse N2", &r.arena) == narrow &&
        ik_fit_kind(16, "", &r.arena) == narrow);
  ik_pipeline_machine m = ik_fit_cpu(find(&r, "neoverse-n1"), 16, &r.arena);
  CHECK(same(&m, n1));
  close_room(&r);
}

/* What was not measured changes nothing, and neither does what was measured on the machine of the
 * fit. */
CASE(the_machine_of_the_fit_has_its_constants) {
  room r;
  open_room(&r);
  static const char *const name[] = {"neoverse-v1", "generic-cpu"};
  for (int i = 0; i < 2; i++) {
    int                 bytes = i ? 64 : 16;
    ik_pipeline_machine m = ik_fit_cpu(find(&r, name[i]), bytes, &r.arena);
    CHECK(same(&m, ik_fit_kind(bytes, NULL, &r.arena)));
    m = ik_fit_cpu(machine(&r, "title = \"unknown\"\n"), bytes, &r.arena);
    CHECK(same(&m, ik_fit_kind(bytes, NULL, &r.arena)));
  }
  close_room(&r);
}

/* Twice the clock, and everything else as fast in seconds: twice the cycles. */
CASE(measured_figures_move_the_constants) {
  room r;
  open_room(&r);
  const ik_pipeline_machine *k = ik_fit_kind(16, NULL, &r.arena);
  ik_pipeline_machine        m = ik_fit_cpu(machine(&r, "clock = 5.2 GHz\nprobe.threads = 2\n"
                                                               "memory.bandwidth = 93.99 GB/s\n"
                                                               "memory.bandwidth.one = 93.99 GB/s\n"
                                                               "l2.bandwidth = 300.2 GB/s\n"
                                                               "time.barrier = 0.624 us\n"
                                                               "peak.f32 = 665.2 GFLOP/s\n"),
                                            16, &r.arena);
  CHECK_NEAR(m.hertz, 5.2e9, 0);
  CHECK_NEAR(m.byte, 2 * k->byte, 1e-15);
  CHECK_NEAR(m.alone, k->alone * 50.74 / 93.99, 1e-12);
  CHECK_NEAR(m.line, k->line, 1e-12);
  CHECK_NEAR(m.pass, 4 * k->pass, 1e-9);
  CHECK_NEAR(m.units, 2 * k->units, 1e-12);
  CHECK_NEAR(m.far, 2 * k->far * 109.2 / 93.99, 1e-12); /* memory is all that is behind L2 */
  CHECK(m.near == k->near && m.chain == k->chain && m.tile == k->tile && m.call == k->call);
  close_room(&r);
}

/* Eight cores with the memory of two: a byte costs each of them four times as much. */
CASE(cores_that_share_a_memory) {
  room r;
  open_room(&r);
  const ik_pipeline_machine *k = ik_fit_kind(16, NULL, &r.arena);
  ik_pipeline_machine        m =
      ik_fit_cpu(machine(&r, "clock = 2.6 GHz\nprobe.threads = 8\nmemory.bandwidth = 93.99 GB/s\n"),
                 16, &r.arena);
  CHECK_NEAR(m.byte, 4 * k->byte, 1e-15);
  CHECK_NEAR(m.cores, 8, 0);
  close_room(&r);
}

/* Constants count vectors: half as wide ones, twice as many of them for the same bytes. */
CASE(vectors_of_another_width) {
  room r;
  open_room(&r);
  const ik_pipeline_machine *k = ik_fit_kind(64, NULL, &r.arena);
  ik_pipeline_machine        m = ik_fit_cpu(
             machine(&r, "clock = 2.65 GHz\nprobe.threads = 2\nl1.bandwidth = 300 GB/s\n"), 32, &r.arena);
  CHECK_NEAR(m.loads, 2 * k->loads, 1e-12);
  CHECK_NEAR(m.near, k->near, 1e-15);
  close_room(&r);
}

/* A file that somebody has edited. */
CASE(odd_figures_are_left_aside) {
  room r;
  open_room(&r);
  ik_pipeline_machine m =
      ik_fit_cpu(machine(&r, "clock = -1 GHz\nprobe.threads = 0\nmemory.bandwidth = 0 GB/s\n"
                             "l2.bandwidth = \"fast\"\ntime.barrier = 3 apples\ncache.l2 = 1 KiB\n"
                             "cache.l2.plan = 64 MiB\n"),
                 16, &r.arena);
  const ik_pipeline_machine *k = ik_fit_kind(16, NULL, &r.arena);
  CHECK(m.hertz == k->hertz && m.byte == k->byte && m.line == k->line && m.pass == k->pass);
  CHECK(m.usable < m.full && m.cores == k->cores);
  close_room(&r);
}

/* Fitted here, with vectors of that width; what somebody has spoilt is left aside. */
CASE(a_machine_may_have_constants_of_its_own) {
  room r;
  open_room(&r);
  static const char text[] =
      "clock = 2.5 GHz\nprobe.threads = 2\nmemory.bandwidth = 60 GB/s\nmodel.vector = 16 B\n"
      "model.byte = 0.123 cycles\nmodel.compute = 1.5\nmodel.row = -3 cycles\nmodel.line = 2\n"
      "model.usable = 3\nmodel.full = 2\nmodel.call = 1e308 cycles\nmodel.copy = 1e-300 cycles\n";
  const ik_pipeline_machine *k = ik_fit_kind(16, NULL, &r.arena),
                            *w = ik_fit_kind(64, NULL, &r.arena);
  ik_pipeline_machine m = ik_fit_cpu(machine(&r, text), 16, &r.arena);
  CHECK_NEAR(m.byte, 0.123, 0);
  CHECK_NEAR(m.compute, 1.5, 0);
  CHECK_NEAR(m.hertz, 2.5e9, 0);
  CHECK(m.row == k->row && m.line == k->line && m.call == k->call && m.copy == k->copy);
  CHECK(m.full == 2 && m.usable < m.full);
  m = ik_fit_cpu(machine(&r, text), 64, &r.arena);
  CHECK(m.compute == w->compute);
  close_room(&r);
}

/* ---- what cores share ---- */

#define FOUR "clock = 2.5 GHz\nprobe.threads = 4\nmemory.bandwidth = 60 GB/s\n"

static ik_pipeline_machine fit(room *r, const char *text) {
  return ik_fit_cpu(machine(r, text), 64, &r->arena);
}

static void check_sharing(int line, const ik_sharing *s, const double (*want)[2], int n) {
  bool same_points = s->n == n;
  for (int i = 0; i < n && same_points; i++)
    same_points = s->cores[i] == want[i][0] && fabs(s->cost[i] / want[i][1] - 1) < 1e-12;
  if (same_points) return;
  check_fail(__FILE__, line, "%d points, not %d, or others:", s->n, n);
  for (int i = 0; i < s->n; i++) printf("  %g cores: %g\n", s->cores[i], s->cost[i]);
}
#define CHECK_SHARING(s, ...)                                                                      \
  check_sharing(__LINE__, s, (const double[][2]){__VA_ARGS__},                                     \
                sizeof((const double[][2]){__VA_ARGS__}) / sizeof(double[2]))

/* A core of four has 15 GB/s, one of two 20, one alone 24: what a byte costs it is the reverse. */
CASE(bytes_and_lines_cost_what_was_measured_by_threads) {
  room r;
  open_room(&r);
  ik_pipeline_machine m = fit(&r, FOUR "memory.bandwidth.one = 24 GB/s\n"
                                       "memory.bandwidth.2 = 40 GB/s\n"
                                       "l3.bandwidth = 160 GB/s\nl3.bandwidth.one = 50 GB/s\n"
                                       "l3.bandwidth.2 = 100 GB/s\n");
  CHECK_SHARING(&m.bytes, {1, 15 / 24.}, {2, 15 / 20.}, {4, 1});
  CHECK_SHARING(&m.lines, {1, 40 / 50.}, {2, 40 / 50.}, {4, 1});
  const ik_pipeline_machine *k = ik_fit_kind(64, NULL, &r.arena);
  CHECK_NEAR(ik_pipeline_byte_share(&m, 4), 1, 0);
  CHECK_NEAR(m.byte, k->byte * (2.5 * 4 / 60) / (2.65 * 2 / 37), 1e-12); /* that of all */
  close_room(&r);
}

/* Those of the machine of the fit, with more threads than the two that its constants are for. */
CASE(the_kind_of_machine_has_its_own) {
  room r;
  open_room(&r);
  const ik_pipeline_machine *k = ik_fit_kind(64, NULL, &r.arena);
  CHECK_SHARING(&k->bytes, {1, 18.5 / 19.6}, {2, 1}, {4, 4 * 18.5 / 66.6}, {8, 8 * 18.5 / 112},
                {16, 16 * 18.5 / 152});
  CHECK_SHARING(&k->lines, {1, 26.1 / 26.3}, {2, 1}, {4, 4 * 26.1 / 103}, {8, 8 * 26.1 / 178},
                {16, 16 * 26.1 / 207});
  CHECK(k->bytes.cost[4] > 1.9); /* sixteen do not have eight times as much as two */
  ik_pipeline_machine m = fit(&r, "clock = 2.5 GHz\n"); /* no bandwidth: as ever */
  CHECK_SHARING(&m.bytes, {1, 18.5 / 19.6}, {2, 1}, {4, 4 * 18.5 / 66.6}, {8, 8 * 18.5 / 112},
                {16, 16 * 18.5 / 152});
  close_room(&r);
}

/* Two points are no more than ALONE says: the law that was there before. */
CASE(few_figures_leave_the_law_for_one_and_all) {
  room r;
  open_room(&r);
  ik_pipeline_machine m = fit(&r, FOUR "memory.bandwidth.one = 24 GB/s\nl3.bandwidth = 9 GB/s\n");
  CHECK(m.bytes.n == 0 && m.lines.n == 0 && m.cores == 4 && m.alone < 1);
  CHECK_NEAR(ik_pipeline_byte_share(&m, 1), m.alone, 0);
  CHECK_NEAR(ik_pipeline_byte_share(&m, 4), 1, 0);
  m = fit(&r, FOUR "memory.bandwidth.2 = 40 GB/s\n"); /* two again: none of one thread */
  CHECK_EQ(m.bytes.n, 0);
  m = fit(&r, "clock = 2.5 GHz\nprobe.threads = 2\nmemory.bandwidth = 40 GB/s\n"
              "memory.bandwidth.one = 24 GB/s\nmemory.bandwidth.2 = 40 GB/s\n");
  CHECK_EQ(m.bytes.n, 0);
  m = fit(&r, "clock = 2.5 GHz\nprobe.threads = 4\n" /* relative to nothing */
              "memory.bandwidth.one = 24 GB/s\nmemory.bandwidth.2 = 40 GB/s\n");
  CHECK(!memcmp(&m.bytes, &ik_fit_kind(64, NULL, &r.arena)->bytes, sizeof m.bytes));
  close_room(&r);
}

/* All of twelve threads are a point between eight and sixteen, whether sixteen were measured or
 * not; what is missing, or is no bandwidth, is no point. */
CASE(odd_numbers_of_threads_and_odd_figures) {
  room r;
  open_room(&r);
#define TWELVE                                                                                     \
  "clock = 2.5 GHz\nprobe.threads = 12\nmemory.bandwidth = 120 GB/s\n"                             \
  "memory.bandwidth.one = 20 GB/s\nmemory.bandwidth.8 = 100 GB/s\n"
  ik_pipeline_machine m = fit(&r, TWELVE "memory.bandwidth.2 = 40 GB/s\n");
  CHECK_SHARING(&m.bytes, {1, 0.5}, {2, 0.5}, {8, 0.8}, {12, 1});
  m = fit(&r, TWELVE "memory.bandwidth.16 = 128 GB/s\n");
  CHECK_SHARING(&m.bytes, {1, 0.5}, {8, 0.8}, {12, 1}, {16, 1.25});
  m = fit(&r, TWELVE "memory.bandwidth.2 = 0 GB/s\nmemory.bandwidth.4 = -40 GB/s\n");
  CHECK_SHARING(&m.bytes, {1, 0.5}, {8, 0.8}, {12, 1});
  m = fit(&r, TWELVE "memory.bandwidth.2 = \"fast\"\nmemory.bandwidth.4 = 3 apples\n"
                     "memory.bandwidth.3 = 40 GB/s\nmemory.bandwidth.64 = 40 GB/s\n");
  CHECK_SHARING(&m.bytes, {1, 0.5}, {8, 0.8}, {12, 1});
  for (int i = 1; i <= 40; i++) CHECK(ik_pipeline_byte_share(&m, i) >= 0.5);
  close_room(&r);
}

/* As many points as there is room for, and no more. */
CASE(many_threads) {
  room r;
  char text[800];
  int  at = snprintf(text, sizeof text,
                     "clock = 2.5 GHz\nmemory.bandwidth = 300 GB/s\n"
                      "memory.bandwidth.one = 10 GB/s\n");
  for (int n = 2; n <= 1024; n *= 2)
    at += snprintf(text + at, sizeof text - (size_t)at, "memory.bandwidth.%d = %d GB/s\n", n,
                   n < 30 ? 10 * n : 300);
  open_room(&r);
  static const char *const threads[] = {"96", "128", "192"};
  for (int i = 0; i < 3; i++) {
    snprintf(text + at, sizeof text - (size_t)at, "probe.threads = %s\n", threads[i]);
    ik_sharing s = fit(&r, text).bytes;
    CHECK(s.n > 7 && s.n <= IK_SHARING_POINTS);
    for (int k = 1; k < s.n; k++) CHECK(s.cores[k] > s.cores[k - 1] && s.cost[k] >= s.cost[k - 1]);
    CHECK(ik_sharing_at(&s, atoi(threads[i])) == 1);
  }
  close_room(&r);
}

/* Somebody has edited the file: what follows is nobody's machine, but it is read. */
CASE(a_number_of_threads_that_no_machine_has) {
  room r;
  open_room(&r);
  static const char *const threads[] = {"3e9", "1e300"};
  for (int i = 0; i < 2; i++) {
    char text[300];
    snprintf(text, sizeof text,
             "clock = 2.5 GHz\nmemory.bandwidth = 300 GB/s\nmemory.bandwidth.one = 10 GB/s\n"
             "memory.bandwidth.2 = 20 GB/s\nprobe.threads = %s\n",
             threads[i]);
    ik_pipeline_machine m = fit(&r, text);
    CHECK(m.bytes.n <= IK_SHARING_POINTS && ik_pipeline_byte_share(&m, 4) > 0);
  }
  close_room(&r);
}

/* 1.3 times as long as all on average: the rest is what others wait for. */
CASE(the_slowest_core_is_what_others_wait_for) {
  room r;
  open_room(&r);
  const ik_pipeline_machine *k = ik_fit_kind(64, NULL, &r.arena);
  CHECK_NEAR(fit(&r, FOUR "time.slowest = 1.3\n").spread, 0.3, 1e-15);
  CHECK_NEAR(fit(&r, FOUR "time.slowest = 1\n").spread, 0, 0);
  static const char *const odd[] = {"0.9", "0", "-2", "1.3 s", "\"slow\""};
  for (int i = 0; i < 5; i++) {
    char text[200];
    snprintf(text, sizeof text, FOUR "time.slowest = %s\n", odd[i]);
    CHECK_NEAR(fit(&r, text).spread, k->spread, 0);
  }
  CHECK_NEAR(fit(&r, FOUR).spread, k->spread, 0);
  close_room(&r);
}
