#include "check.h"
#include "model/link.h"

static const ik_link pcie = {.bandwidth = 25e9, .latency = 10e-6, .launch = 5e-6};

CASE(copies_once_and_launches) {
  ik_link_work w = {.bytes_in = 50e9, .bytes_out = 25e9, .launches = 100, .kernel = 1e-3};
  ik_link_time t = ik_link_of(&pcie, &w);
  CHECK_NEAR(t.in, 2.00001, 1e-12);
  CHECK_NEAR(t.out, 1.00001, 1e-12);
  CHECK_NEAR(t.launching, 5e-6, 1e-18); /* the first; others hide behind kernels of 1 ms */
  CHECK_NEAR(t.kernels, 0.1, 1e-15);
  CHECK_NEAR(t.total, 2.00001 + 1.00001 + 5e-6 + 0.1, 1e-12);
  CHECK_NEAR(t.overhead, 1 - 0.1 / t.total, 1e-12);
}

CASE(short_kernels_wait_for_launches) {
  ik_link_work w = {.launches = 1000, .kernel = 2e-6};
  CHECK_NEAR(ik_link_of(&pcie, &w).total, 1000 * 5e-6 + 2e-6, 1e-15);
  w.reading = IK_LINK_WAITED;
  CHECK_NEAR(ik_link_of(&pcie, &w).total, 1000 * 7e-6, 1e-15);
}

CASE(waiting_is_never_faster_nor_is_a_slower_link) {
  for (double kernel = 1e-8; kernel < 1; kernel *= 3)
    for (double b = 1e6; b < 1e12; b *= 10) {
      ik_link      slow = {b, 1e-6, 5e-6}, fast = {2 * b, 1e-6, 5e-6};
      ik_link_work queued = {1e6, 1e6, 50, kernel, IK_LINK_QUEUED};
      ik_link_work waited = {1e6, 1e6, 50, kernel, IK_LINK_WAITED};
      CHECK(ik_link_of(&fast, &queued).total < ik_link_of(&slow, &queued).total);
      CHECK(ik_link_of(&slow, &queued).total < ik_link_of(&slow, &waited).total);
    }
}

CASE(break_even_is_the_first_launch_that_pays) {
  ik_link_work w = {.bytes_in = 1e9, .bytes_out = 1e9, .kernel = 1e-3};
  double       host = 5e-3, n = ik_link_break_even(&pcie, &w, host);
  CHECK(n > 1 && isfinite(n));
  w.launches = n;
  CHECK(ik_link_of(&pcie, &w).total <= n * host * (1 + 1e-12));
  w.launches = n - 1;
  CHECK(ik_link_of(&pcie, &w).total > (n - 1) * host);
  CHECK(isinf(ik_link_break_even(&pcie, &w, 1e-3)));
  CHECK(isinf(ik_link_break_even(&pcie, &w, NAN)));
  ik_link none = {0};
  w.bytes_in = w.bytes_out = 0;
  CHECK(ik_link_break_even(&none, &w, host) == 0);
}

CASE(odd_input) {
  ik_link      none = {0};
  ik_link_work nothing = {NAN, -1, NAN, NAN, IK_LINK_QUEUED};
  ik_link_time t = ik_link_of(&none, &nothing);
  CHECK(t.total == 0 && t.overhead == 0);
  ik_link_work some = {.bytes_in = 1, .launches = 3, .kernel = 1};
  t = ik_link_of(&none, &some);
  CHECK(isinf(t.total) && t.out == 0 && t.overhead == 1);
  ik_link_work endless = {.launches = INFINITY, .kernel = 1};
  t = ik_link_of(&pcie, &endless);
  CHECK(isinf(t.total) && t.overhead == 0 && !isnan(t.launching));
}
