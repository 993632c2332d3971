#include "apps/bench/cores.h"
#include "base/least.h"
#include <math.h>

/* A thread is slow below this part of the speed of the fastest one.  Two that share a physical core
 * run at about half speed each; clocks of cores that share nothing differ by less than this. */
static const double SLOW = 0.7;

double ik_cores_sum(const double *speed, int threads) {
  double sum = 0;
  for (int i = 0; i < threads; i++) sum += speed[i];
  return sum;
}

ik_cores ik_cores_of(const double *speed, int threads) {
  ik_cores c = {.threads = threads, .slowest = 1};
  double   fastest = 0;
  for (int i = 0; i < threads; i++) fastest = fmax(fastest, speed[i]);
  if (threads < 2 || !(fastest > 0)) return (ik_cores){.threads = threads};
  for (int i = 0; i < threads; i++) {
    double part = speed[i] / fastest;
    c.slowest = fmin(c.slowest, part);
    if (!(part < SLOW)) continue;
    c.most++;
    c.fastest_slow = fmax(c.fastest_slow, part);
  }
  c.looks = 1, c.slow_looks = c.most > 0, c.fewest = c.most;
  return c;
}

void ik_cores_add(ik_cores *all, const ik_cores *more) {
  if (!more->looks) return;
  if (!all->looks) {
    *all = *more;
    return;
  }
  if (more->slow_looks)
    all->fewest = all->slow_looks ? ik_min_int(all->fewest, more->fewest) : more->fewest;
  all->most = ik_max_int(all->most, more->most);
  all->slowest = fmin(all->slowest, more->slowest);
  all->fastest_slow = fmax(all->fastest_slow, more->fastest_slow);
  all->looks += more->looks, all->slow_looks += more->slow_looks;
}

void ik_cores_text(const ik_cores *c, ik_buf *out) {
  if (!c->slow_looks) return;
  ik_buf_puts(out, "cores      ");
  if (c->fewest < c->most) ik_buf_printf(out, "%d to ", c->fewest);
  ik_buf_printf(out, "%d of %d at ", c->most, c->threads);
  if (c->fastest_slow - c->slowest >= 0.01) ik_buf_printf(out, "%.2f to ", c->slowest);
  ik_buf_printf(out, "%.2f of the fastest, all busy, in %d of %d looks: ", c->fastest_slow,
                c->slow_looks, c->looks);
  ik_buf_puts(out, "they may share a physical core with others\n");
}

void ik_cores_json(const ik_cores *c, ik_json *j) {
  if (!c->looks) {
    ik_json_raw(j, "cores", "null");
    return;
  }
  ik_json_open(j, "cores", '{');
  ik_json_int(j, "threads", c->threads);
  ik_json_int(j, "looks", c->looks);
  ik_json_int(j, "looks_with_slow", c->slow_looks);
  ik_json_int(j, "fewest_slow", c->fewest);
  ik_json_int(j, "most_slow", c->most);
  ik_json_num(j, "slowest", c->slowest);
  ik_json_num(j, "fastest_slow", c->most ? c->fastest_slow : NAN);
  ik_json_close(j, '}');
}
