#include "targets/simulated/wormhole/route.h"

/* The hops of a line of n cores, `stride` apart from `first` on, to the one with index `root`. */
static ik_wormhole_hop *line(ik_wormhole_hop *out, int first, int n, int stride, int root) {
  for (int i = n - 1; i > root; i--)
    *out++ = (ik_wormhole_hop){first + i * stride, first + (i - 1) * stride};
  for (int i = 0; i < root; i++)
    *out++ = (ik_wormhole_hop){first + i * stride, first + (i + 1) * stride};
  return out;
}

void ik_wormhole_route(const ik_wormhole_map *m, ik_wormhole_hop *out) {
  int rows = m->cores[0], columns = m->cores[1];
  for (int i = 0; i < rows; i++) out = line(out, i * columns, columns, 1, m->rule.root[1]);
  line(out, m->rule.root[1], rows, columns, m->rule.root[0]);
}

int ik_wormhole_root(const ik_wormhole_map *m) {
  return m->rule.root[0] * m->cores[1] + m->rule.root[1];
}
