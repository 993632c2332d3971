#include "apps/bench/growth.h"
#include "check.h"
#include <string.h>

CASE(a_larger_grid_has_eight_times_the_cells) {
  for (int ndim = 1; ndim <= 3; ndim++) {
    ik_bench_case c = {.ndim = ndim};
    ik_bench_size s = {{12, ndim > 1 ? 10 : 1, ndim > 2 ? 6 : 1}, 1, 4};
    ik_bench_size n = ik_growth_larger(&c, &s);
    CHECK_EQ(n.n[0] * n.n[1] * n.n[2], 8 * s.n[0] * s.n[1] * s.n[2]);
    for (int d = ndim; d < 3; d++) CHECK_EQ(n.n[d], 1);
    CHECK_EQ(n.steps, 4);
  }
}

CASE(even_is_within_a_tenth) {
  CHECK(ik_growth_is_even(1));
  CHECK(ik_growth_is_even(0.91));
  CHECK(ik_growth_is_even(1.09));
  CHECK(!ik_growth_is_even(0.89));
  CHECK(!ik_growth_is_even(1.11));
}

CASE(a_table_says_which_cases_grow_evenly) {
  const ik_growth_case c = {.name = "some", .program = {.ndim = 2}};
  ik_growth_row        row[3] = {{.c = &c}, {.c = &c}, {.c = &c}};
  ik_bench_options     o = {.threads = 2, .rounds = 5};
  ik_buf               out = {0};
  for (int i = 0; i < 3; i++) {
    row[i].strategy = "fuse";
    row[i].size[0] = (ik_bench_size){{8, 8, 1}, 1, 4};
    row[i].size[1] = ik_growth_larger(&c.program, &row[i].size[0]);
    row[i].by_size = 0.97, row[i].by_steps = 1.02;
  }
  strcpy(row[0].plan[0], "fuse: 2 steps"), strcpy(row[0].plan[1], "sweep: 1 step");
  row[1].by_steps = 1.3;
  strcpy(row[2].failure, "no memory");
  ik_growth_text(&o, row, 3, &out);
  CHECK(strstr(ik_buf_text(&out), "16 x 32") != NULL);
  CHECK(strstr(ik_buf_text(&out), " lesser: fuse: 2 steps\n") != NULL);
  CHECK(strstr(ik_buf_text(&out), " greater: sweep: 1 step\n") != NULL);
  CHECK(strstr(ik_buf_text(&out), "lesser: \n") == NULL); /* no choice, no plan */
  CHECK(strstr(ik_buf_text(&out), "failed: no memory\n") != NULL);
  CHECK(strstr(ik_buf_text(&out), "\n1 of 2 cases grow evenly, within 10 %\n") != NULL);
  ik_buf_free(&out);
}
