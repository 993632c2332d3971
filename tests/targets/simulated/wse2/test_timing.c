/* The tables of arXiv 2204.03775 as the cycle simulation gives them. */
#include "check.h"
#include "targets/simulated/wse2/published.h"
#include "targets/simulated/wse2/timing.h"

static ik_arena arena;
static ik_diag  diag;

static const ik_machine *wafer(void) {
  ik_machine *m = NULL;
  ik_arena_init(&arena);
  CHECK(ik_machine_find("wse2", &arena, &diag, &m) == IK_OK);
  return m;
}

static void finish(void) {
  ik_diag_free(&diag);
  ik_arena_free(&arena);
}

CASE(within_the_bars) {
  const ik_published_row *row;
  int                     n, barred = 0;
  CHECK(ik_wse2_published(wafer(), 2, &arena, &diag, &row, &n) == IK_OK);
  for (int i = 0; i < n; i++) {
    double off = fabs(row[i].simulated / row[i].published - 1);
    barred += row[i].bar > 0;
    if (row[i].bar > 0 && off > row[i].bar)
      check_fail(__FILE__, __LINE__, "%s, %s: %g %s published, %g simulated", row[i].table,
                 row[i].row, row[i].published, row[i].unit, row[i].simulated);
  }
  CHECK_EQ(n, 7 + 7 + 8 + 6 + 6 + 2 + 4 + 1);
  CHECK_EQ(barred, n - 2);
  finish();
}

CASE(the_same_with_any_number_of_threads) {
  const ik_machine *m = wafer();
  int64_t           one = 0, three = 0;
  CHECK(ik_wse2_workload(m, 9, 12, 50, 1, &arena, &diag, &one) == IK_OK);
  CHECK(ik_wse2_workload(m, 9, 12, 50, 3, &arena, &diag, &three) == IK_OK);
  CHECK(one > 0 && one == three);
  finish();
}

CASE(queues_that_cannot_be_simulated) {
  const ik_machine *m = wafer();
  ik_machine       *other;
  ik_wse2_timing    t;
  CHECK(ik_wse2_timing_of(m, &diag, &t) == IK_OK);
  CHECK_EQ(t.depth, 4);
  CHECK(ik_machine_vary(m, "sim.queue=x4", &arena, &diag, &other) == IK_OK);
  CHECK_EQ(ik_wse2_timing_of(other, &diag, &t), IK_ERR_UNSUPPORTED);
  finish();
  diag = (ik_diag){0};
}

CASE(figures_that_are_missing) {
  ik_source      src = {"small.ikm", "title = \"a\"\n", 12};
  ik_machine    *m = NULL;
  ik_wse2_timing t;
  ik_arena_init(&arena);
  CHECK(ik_machine_read("small", &src, &arena, &diag, &m) == IK_OK);
  CHECK_EQ(ik_wse2_timing_of(m, &diag, &t), IK_ERR_UNSUPPORTED);
  CHECK(diag.nmsg == 1 && diag.msg[0].code == IK_E082);
  finish();
  diag = (ik_diag){0};
}
