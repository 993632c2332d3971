#include "model/link.h"
#include <math.h>

static double above_zero(double v) { return v > 0 ? v : 0; }

static double copying(const ik_link *l, double bytes) {
  if (!(bytes > 0)) return 0;
  return l->bandwidth > 0 ? above_zero(l->latency) + bytes / l->bandwidth : INFINITY;
}

/* Nothing, as often as you like, is nothing. */
static double times(double n, double seconds) { return n > 0 && seconds > 0 ? n * seconds : 0; }

/* How long the device waits for one launch in a row of them. */
static double gap(const ik_link *l, const ik_link_work *w) {
  double launch = above_zero(l->launch);
  return w->reading == IK_LINK_WAITED ? launch : above_zero(launch - above_zero(w->kernel));
}

ik_link_time ik_link_of(const ik_link *l, const ik_link_work *w) {
  ik_link_time t = {.in = copying(l, w->bytes_in), .out = copying(l, w->bytes_out)};
  double       n = floor(above_zero(w->launches));
  if (n >= 1) { /* nothing runs before the first launch, behind which the first could hide */
    t.launching = above_zero(l->launch) + times(n - 1, gap(l, w));
    t.kernels = times(n, w->kernel);
  }
  t.total = t.in + t.out + t.launching + t.kernels;
  if (isinf(t.total))
    t.overhead = isinf(t.kernels) ? 0 : 1;
  else
    t.overhead = t.total > 0 ? 1 - t.kernels / t.total : 0;
  return t;
}

double ik_link_break_even(const ik_link *l, const ik_link_work *w, double host) {
  double copies = copying(l, w->bytes_in) + copying(l, w->bytes_out);
  double each = gap(l, w) + above_zero(w->kernel);
  double first = copies + above_zero(l->launch) - gap(l, w); /* what comes on top, once */
  if (!(first > 0)) return 0;
  return host > each ? ceil(first / (host - each)) : INFINITY;
}
