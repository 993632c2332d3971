#include "plan/fit.h"
#include "check.h"
#include <math.h>
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
