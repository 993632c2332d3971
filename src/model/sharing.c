#include "model/sharing.h"
#include <math.h>

static double beyond(const ik_sharing *s, double cores) {
  int    last = s->n - 1;
  double power = 0;
  if (last > 0)
    power = log(s->cost[last] / s->cost[last - 1]) / log(s->cores[last] / s->cores[last - 1]);
  return s->cost[last] * pow(cores / s->cores[last], fmin(1, fmax(0, power)));
}

double ik_sharing_at(const ik_sharing *s, double cores) {
  if (!s->n) return 1;
  if (!(cores > s->cores[0])) return s->cost[0];
  for (int i = 1; i < s->n; i++) {
    if (cores > s->cores[i]) continue;
    double part = (cores - s->cores[i - 1]) / (s->cores[i] - s->cores[i - 1]);
    return s->cost[i - 1] + part * (s->cost[i] - s->cost[i - 1]);
  }
  return beyond(s, cores);
}
