#include "check.h"
#include "apps/probe/probe.h"

static ik_probe_list   list;
static ik_probe_result result;

static ik_probe_item *add(const char *key, double scale, const double *v, int n) {
  ik_probe_item *it = &list.item[list.n++];
  *it =
      (ik_probe_item){.unit = "GB/s", .scale = scale, .rate = true, .what = "reads", .threads = 1};
  snprintf(it->key, sizeof it->key, "%s", key);
  for (int i = 0; i < n; i++) it->sample[it->n++] = v[i];
  return it;
}

static ik_probe_item *add_one(const char *key, double v) { return add(key, 1e9, &v, 1); }

static const ik_probe_figure *find(const char *key) {
  static const ik_probe_figure none = {.value = NAN};
  for (int i = 0; i < result.n; i++)
    if (strcmp(result.figure[i].key, key) == 0) return &result.figure[i];
  return &none;
}

CASE(quantiles) {
  const double v[] = {1, 2, 3, 4, 10};
  CHECK_NEAR(ik_probe_quantile(v, 5, 0.5), 3, 0);
  CHECK_NEAR(ik_probe_quantile(v, 5, 0.25), 2, 0);
  CHECK_NEAR(ik_probe_quantile(v, 5, 0.75), 4, 0);
  CHECK_NEAR(ik_probe_quantile(v, 4, 0.5), 2.5, 1e-15);
  CHECK_NEAR(ik_probe_quantile(v, 5, 0), 1, 0);
  CHECK_NEAR(ik_probe_quantile(v, 5, 1), 10, 0);
  CHECK_NEAR(ik_probe_quantile(v, 1, 0.75), 1, 0);
  CHECK(isnan(ik_probe_quantile(v, 0, 0.5)));
}

CASE(a_figure_is_the_median_with_the_middle_half) {
  const double v[] = {9e9, 1e9, 5e9, 3e9, 7e9};
  list = (ik_probe_list){0};
  add("l1.bandwidth", 1e9, v, 5)->bytes = 32 << 10;
  ik_probe_figures(&list, &result);
  const ik_probe_figure *f = find("l1.bandwidth");
  CHECK_NEAR(f->value, 5, 1e-12);
  CHECK_NEAR(f->low, 3, 1e-12);
  CHECK_NEAR(f->high, 7, 1e-12);
  CHECK_EQ(f->n, 5);
  CHECK_STR(f->unit, "GB/s");
  CHECK_STR(f->what, "reads, one thread, 32 KiB");
  CHECK_NEAR(list.item[0].sample[0], 9e9, 0); /* left in order */
}

CASE(what_has_no_samples_or_no_name_is_left_out) {
  list = (ik_probe_list){0};
  add("clock", 1e9, NULL, 0);
  add_one("", 1e9);
  ik_probe_figures(&list, &result);
  CHECK_EQ(result.n, 0);
}

CASE(descriptions_name_threads_and_sizes) {
  list = (ik_probe_list){0};
  ik_probe_item *it = add_one("memory.read", 1e9);
  it->threads = 16, it->bytes = (int64_t)64 << 20;
  add_one("time.call", 1e9);
  ik_probe_figures(&list, &result);
  CHECK_STR(find("memory.read")->what, "reads, 16 threads, 64 MiB each");
  CHECK_STR(find("time.call")->what, "reads, one thread");
}

CASE(the_bandwidth_of_memory_is_the_greatest) {
  list = (ik_probe_list){0};
  add_one("memory.read", 30e9), add_one("memory.copy", 20e9);
  add_one("memory.copy.streaming", 37e9);
  add_one("memory.read.one", 15e9), add_one("memory.copy.one", 14e9);
  ik_probe_figures(&list, &result);
  CHECK_NEAR(find("memory.bandwidth")->value, 37, 1e-12);
  CHECK_STR(find("memory.bandwidth")->what, "that of memory.copy.streaming, the greatest");
  CHECK_NEAR(find("memory.bandwidth.one")->value, 15, 1e-12);
  list = (ik_probe_list){0};
  ik_probe_figures(&list, &result);
  CHECK(isnan(find("memory.bandwidth")->value));
}

/* ... with any number of threads, each by itself. */
CASE(so_is_the_bandwidth_of_some_threads) {
  list = (ik_probe_list){0};
  add_one("memory.read", 30e9), add_one("memory.copy", 20e9);
  add_one("memory.read.2", 15e9), add_one("memory.copy.2", 16e9);
  add_one("memory.copy.streaming.2", 14e9), add_one("memory.read.128", 21e9);
  add_one("memory.read.256", 22e9), add_one("l3.bandwidth.4", 99e9);
  ik_probe_figures(&list, &result);
  CHECK_NEAR(find("memory.bandwidth")->value, 30, 1e-12);
  CHECK_NEAR(find("memory.bandwidth.2")->value, 16, 1e-12);
  CHECK_STR(find("memory.bandwidth.2")->what, "that of memory.copy.2, the greatest");
  CHECK_NEAR(find("memory.bandwidth.128")->value, 21, 1e-12);
  CHECK(isnan(find("memory.bandwidth.one")->value) && isnan(find("memory.bandwidth.4")->value));
  CHECK(isnan(find("memory.bandwidth.256")->value)); /* of which there is no item */
  CHECK_NEAR(find("l3.bandwidth.4")->value, 99, 1e-12);
}

/* Items and figures for as many threads as are measured, each with its own name. */
CASE(there_is_room_for_all_figures) {
  const ik_probe_place most = {.threads = 1024,
                               .l1 = 48 << 10,
                               .l2 = 2 << 20,
                               .l3 = 32 << 20,
                               .l3_all = 1 << 30,
                               .memory = (int64_t)1 << 40,
                               .streams = true};
  ik_probe_list_make(&most, &list);
  for (int i = 0; i < list.n; i++) list.item[i].sample[0] = list.item[i].scale, list.item[i].n = 1;
  ik_probe_figures(&list, &result);
  CHECK(!isnan(find("memory.bandwidth.128")->value) && !isnan(find("cache.l2.plan")->value));
  CHECK_NEAR(find("time.slowest")->value, 1, 0);
  for (int i = 0; i < result.n; i++) CHECK(find(result.figure[i].key) == &result.figure[i]);
}

static double plan_of(const double *rates, int n) {
  list = (ik_probe_list){0};
  add_one("l2.bandwidth", 200e9);
  for (int i = 0; i < n; i++) {
    ik_probe_item *it = add_one("", rates[i] * 1e9);
    it->level = IK_PROBE_EDGE, it->bytes = (i + 1) * (256 << 10);
  }
  ik_probe_figures(&list, &result);
  return find("cache.l2.plan")->value;
}

/* The rates of an Emerald Rapids core: 190 to 205 up to 1.25 MB, 138 at 1.5 MB, 84 at 2 MB. */
CASE(the_second_level_is_used_as_far_as_it_keeps_its_speed) {
  const double server[] = {205, 203, 200, 198, 195, 138, 110, 84};
  CHECK_NEAR(plan_of(server, 8), 1280, 0);
  const double flat[] = {200, 200, 200};
  CHECK_NEAR(plan_of(flat, 3), 768, 0);
  const double dip[] = {200, 100, 200}; /* what lies behind does not count */
  CHECK_NEAR(plan_of(dip, 3), 256, 0);
  const double slow[] = {100, 100};
  CHECK(isnan(plan_of(slow, 2)));
  CHECK(isnan(plan_of(NULL, 0)));
}
