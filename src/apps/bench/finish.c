#include "apps/bench/bench.h"
#include "apps/bench/stats.h"
#include <math.h>
#include <string.h>

/* Over all strategies: each has timings of the plain loop beside its own. */
static double plain_seconds(const ik_bench_row *row, int way) {
  double all[IK_BENCH_LINES * IK_BENCH_ROUNDS];
  int    n = 0;
  for (const ik_bench_line *l = row->line; l < row->line + row->nline; l++)
    for (int i = 0; i < l->n; i++) all[n++] = l->plain[way][i];
  return ik_stats_median(all, n);
}

static void finish_line(ik_bench_row *row, ik_bench_line *l) {
  double own[IK_BENCH_ROUNDS];
  if (!l->n) return;
  memcpy(own, l->seconds, sizeof own);
  l->rate = row->points / ik_stats_median(own, l->n) / 1e9;
  l->ratio = ik_stats_ratio(l->plain[row->plain], l->seconds, l->n);
}

void ik_bench_finish(const ik_limits *l, ik_bench_row *row) {
  double memory = row->bytes > 0 ? l->bandwidth / row->bytes : INFINITY;
  double compute = row->flops > 0 ? l->gflops[row->c->f64] / row->flops : INFINITY;
  row->memory_bound = memory < compute;
  row->limit = fmin(memory, compute);
  double s[IK_PLAINS];
  for (int way = 0; way < IK_PLAINS; way++) {
    s[way] = plain_seconds(row, way);
    if (s[way] < s[row->plain]) row->plain = way;
  }
  row->plain_rate = s[row->plain] > 0 ? row->points / s[row->plain] / 1e9 : 0;
  for (int i = 0; i < row->nline; i++) finish_line(row, &row->line[i]);
}

/* ---- which is best ---- */

static const ik_bench_line *best_but(const ik_bench_row *row, bool approximate, const char *name) {
  const ik_bench_line *best = NULL;
  for (const ik_bench_line *l = row->line; l < row->line + row->nline; l++) {
    if (!l->n || l->wrong || (l->approximate && !approximate)) continue;
    if (name && strcmp(l->strategy, name) == 0) continue;
    if (!best || l->ratio > best->ratio) best = l;
  }
  return best;
}

const ik_bench_line *ik_bench_best(const ik_bench_row *row, bool approximate) {
  return best_but(row, approximate, NULL);
}

double ik_bench_compared(const ik_bench_row *row, const ik_bench_line *line) {
  const ik_bench_case *c = row->c;
  if (!line->n) return 0;
  if (!c->against_best || !c->special || strcmp(line->strategy, c->special)) return line->ratio;
  const ik_bench_line *other = best_but(row, true, c->special);
  return other ? line->ratio / other->ratio : 0;
}
