#include "apps/probe/probe.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of l2.bandwidth, which reads must keep in the part of the second level that can be planned with:
 * between what still fits and what does not, measured figures fall to a half and less. */
#define KEPT 0.8

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double ik_probe_quantile(const double *v, int n, double q) {
  if (n < 1) return NAN;
  double at = q * (n - 1);
  int    i = (int)at;
  return i + 1 < n ? v[i] + (at - i) * (v[i + 1] - v[i]) : v[n - 1];
}

static void sort_samples(const ik_probe_item *it, double v[IK_PROBE_ROUNDS]) {
  memcpy(v, it->sample, sizeof it->sample);
  qsort(v, (size_t)it->n, sizeof *v, compare);
}

static ik_probe_figure *add(ik_probe_result *r, const char *key, const char *unit, double value) {
  IK_ASSERT(r->n < IK_PROBE_FIGURES);
  ik_probe_figure *f = &r->figure[r->n++];
  *f = (ik_probe_figure){.unit = unit, .value = value, .low = value, .high = value};
  snprintf(f->key, sizeof f->key, "%s", key);
  return f;
}

static const ik_probe_figure *find(const ik_probe_result *r, const char *key) {
  for (int i = 0; i < r->n; i++)
    if (strcmp(r->figure[i].key, key) == 0) return &r->figure[i];
  return NULL;
}

/* ---- single items ---- */

/* "reads, 2 threads, 32 KiB each" */
static void describe(const ik_probe_item *it, char *out, size_t cap) {
  int     at = snprintf(out, cap, "%s, %s", it->what, it->threads == 1 ? "one thread" : "");
  int64_t kib = it->bytes >> 10;
  if (it->threads > 1) at += snprintf(out + at, cap - (size_t)at, "%d threads", it->threads);
  if (kib > 0)
    snprintf(out + at, cap - (size_t)at, ", %lld %s%s", (long long)(kib < 8192 ? kib : kib >> 10),
             kib < 8192 ? "KiB" : "MiB", it->threads > 1 ? " each" : "");
}

static void add_item(ik_probe_result *r, const ik_probe_item *it) {
  double v[IK_PROBE_ROUNDS];
  if (!it->key[0] || !it->n) return;
  sort_samples(it, v);
  ik_probe_figure *f = add(r, it->key, it->unit, ik_probe_quantile(v, it->n, 0.5) / it->scale);
  f->low = ik_probe_quantile(v, it->n, 0.25) / it->scale;
  f->high = ik_probe_quantile(v, it->n, 0.75) / it->scale;
  f->n = it->n;
  describe(it, f->what, sizeof f->what);
}

/* ---- what follows from several ---- */

/* The greatest of reads and copies, with its own spread. */
static void add_bandwidth(ik_probe_result *r, const char *suffix) {
  static const char *const ways[] = {"read", "copy", "copy.streaming"};
  const ik_probe_figure   *best = NULL;
  char                     key[40];
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    snprintf(key, sizeof key, "memory.%s%s", ways[i], suffix);
    const ik_probe_figure *f = find(r, key);
    if (f && (!best || f->value > best->value)) best = f;
  }
  if (!best) return;
  ik_probe_figure copy = *best;
  snprintf(copy.key, sizeof copy.key, "memory.bandwidth%s", suffix);
  snprintf(copy.what, sizeof copy.what, "that of %s, the greatest", best->key);
  *add(r, "", copy.unit, 0) = copy;
}

/* The items are in order of their size. */
static void add_plan(ik_probe_result *r, const ik_probe_list *l) {
  const ik_probe_figure *full = find(r, "l2.bandwidth");
  int64_t                bytes = 0;
  double                 v[IK_PROBE_ROUNDS];
  for (int i = 0; i < l->n && full; i++) {
    const ik_probe_item *it = &l->item[i];
    if (it->level != IK_PROBE_EDGE || !it->n) continue;
    sort_samples(it, v);
    if (ik_probe_quantile(v, it->n, 0.5) < KEPT * full->value * it->scale) break;
    bytes = it->bytes;
  }
  if (!bytes) return;
  ik_probe_figure *f = add(r, "cache.l2.plan", "KiB", (double)(bytes >> 10));
  snprintf(f->what, sizeof f->what, "of a core, as far as reads keep %.0f %% of l2.bandwidth",
           100 * KEPT);
}

void ik_probe_figures(const ik_probe_list *l, ik_probe_result *out) {
  *out = (ik_probe_result){0};
  for (int i = 0; i < l->n; i++) add_item(out, &l->item[i]);
  add_bandwidth(out, "");
  add_bandwidth(out, ".one");
  for (int n = 2; n <= IK_PROBE_SOME; n *= 2) {
    char suffix[16];
    snprintf(suffix, sizeof suffix, ".%d", n);
    add_bandwidth(out, suffix);
  }
  add_plan(out, l);
}
