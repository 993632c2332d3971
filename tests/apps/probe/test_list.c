#include "check.h"
#include "apps/probe/probe.h"

static const ik_probe_place server = {.threads = 4,
                                      .l1 = 48 << 10,
                                      .l2 = 2 << 20,
                                      .l3 = 32 << 20,
                                      .l3_all = 128 << 20,
                                      .memory = (int64_t)64 << 30,
                                      .streams = true};

static ik_probe_list list;

static const ik_probe_item *find(const char *key) {
  static const ik_probe_item none;
  for (int i = 0; i < list.n; i++)
    if (strcmp(list.item[i].key, key) == 0) return &list.item[i];
  return &none;
}

CASE(every_level_is_measured_with_one_thread_and_with_all) {
  static const char *const pairs[] = {
      "peak.f32",     "peak.f64", "l1.bandwidth", "l1.copy",     "l2.bandwidth",         "l2.copy",
      "l3.bandwidth", "l3.copy",  "memory.read",  "memory.copy", "memory.copy.streaming"};
  static const char *const singles[] = {"clock",          "time.fma.f32", "time.fma.f64",
                                        "l1.latency",     "l2.latency",   "l3.latency",
                                        "memory.latency", "time.call",    "c_iter.jacobi2d"};
  char                     one[64];
  ik_probe_list_make(&server, &list);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    snprintf(one, sizeof one, "%s.one", pairs[i]);
    CHECK_EQ(find(pairs[i])->threads, 4);
    CHECK_EQ(find(one)->threads, 1);
  }
  for (size_t i = 0; i < sizeof singles / sizeof *singles; i++)
    CHECK_EQ(find(singles[i])->threads, 1);
  CHECK_EQ(find("time.barrier")->threads, 4);
  CHECK_EQ(find("time.slowest")->threads, 4);
}

/* Doubled as long as there are more, and IK_PROBE_SOME at most; what a core has to itself is
 * measured with one and with all. */
CASE(what_cores_share_is_measured_with_some_of_them) {
  static const char *const shared[] = {"l3.bandwidth", "l3.copy", "memory.read", "memory.copy",
                                       "memory.copy.streaming"};
  static const int         threads[] = {1, 2, 3, 4, 12, 128, 200, 600};
  for (int i = 0; i < 8; i++) {
    ik_probe_place p = server;
    p.threads = threads[i];
    ik_probe_list_make(&p, &list);
    for (int k = 0; k < 5; k++) {
      int some = 0;
      for (int n = 2; n <= 1024; n++) {
        char key[64];
        snprintf(key, sizeof key, "%s.%d", shared[k], n);
        const ik_probe_item *it = find(key), *all = find(shared[k]);
        bool                 want = (n & (n - 1)) == 0 && n < p.threads && n <= IK_PROBE_SOME;
        CHECK_EQ(it->unit != NULL, want);
        if (!want) continue;
        some++;
        CHECK(it->threads == n && it->kind == all->kind && it->level == all->level);
        CHECK(it->level == IK_PROBE_MEMORY ? it->bytes >= all->bytes : it->bytes == all->bytes);
      }
      CHECK(p.threads < 3 || some > 0);
    }
    CHECK(!find("l2.bandwidth.2")->unit && !find("l1.copy.2")->unit && !find("peak.f32.2")->unit);
    CHECK(!find("time.barrier.2")->unit && !find("time.slowest.2")->unit);
  }
}

/* The caches of all hold as little of an array, whoever works on it. */
CASE(fewer_threads_have_all_of_the_memory_as_well) {
  ik_probe_place p = server;
  p.threads = 16;
  ik_probe_list_make(&p, &list);
  for (int n = 2; n < 16; n *= 2) {
    char key[64];
    snprintf(key, sizeof key, "memory.read.%d", n);
    CHECK(n * find(key)->bytes >= 3 * server.l3_all && n * find(key)->bytes <= list.array);
  }
}

CASE(keys_are_unique_and_in_the_units_of_machine_files) {
  ik_probe_list_make(&server, &list);
  for (int i = 0; i < list.n; i++) {
    const ik_probe_item *it = &list.item[i];
    if (it->key[0]) CHECK(find(it->key) == it);
    CHECK(it->unit && it->scale > 0 && it->what[0]);
    CHECK(it->unit[0] || it->kind == IK_PROBE_SLOWEST); /* a ratio */
  }
  CHECK_STR(find("l2.bandwidth")->unit, "GB/s");
  CHECK_STR(find("peak.f64")->unit, "GFLOP/s");
  CHECK_STR(find("time.barrier")->unit, "us");
  CHECK(find("l2.bandwidth")->rate && !find("time.barrier")->rate);
}

/* Well beyond the level before, well within this one. */
CASE(working_sets_lie_between_the_caches) {
  ik_probe_list_make(&server, &list);
  CHECK(find("l1.bandwidth")->bytes <= server.l1 * 3 / 4);
  CHECK(find("l2.bandwidth")->bytes >= 2 * server.l1);
  CHECK(find("l2.bandwidth")->bytes <= server.l2 / 2);
  CHECK(find("l3.bandwidth")->bytes >= 2 * server.l2);
  CHECK(find("l3.bandwidth")->bytes <= server.l3 / 2);
  CHECK(find("memory.read.one")->bytes >= 3 * server.l3_all);
  CHECK(4 * find("memory.read")->bytes >= 3 * server.l3_all);
  CHECK(find("memory.latency")->bytes >= 2 * server.l3_all);
}

static void check_bounds(const ik_probe_place *p) {
  ik_probe_list_make(p, &list);
  CHECK(list.part * p->threads <= list.array && list.part == ik_probe_part(&list, p->threads));
  for (int i = 0; i < list.n; i++) {
    const ik_probe_item *it = &list.item[i];
    bool                 read = it->kind == IK_PROBE_READ;
    bool                 copy = it->kind == IK_PROBE_COPY || it->kind == IK_PROBE_STREAM;
    if (it->kind == IK_PROBE_CHASE) CHECK(it->at + it->bytes <= list.chains);
    if (read || copy) {
      int64_t room = ik_probe_part(&list, it->threads);
      CHECK(it->threads >= 1 && it->threads <= p->threads && it->threads * room <= list.array);
      CHECK(it->bytes > 0 && it->bytes % 64 == 0 && it->bytes <= room);
    }
  }
}

CASE(nobody_works_outside_of_the_arrays) {
  ik_probe_place p = server;
  for (p.threads = 1; p.threads <= 1024; p.threads *= 4)
    for (p.memory = 1 << 20; p.memory <= (int64_t)1 << 40; p.memory *= 32) check_bounds(&p);
  for (p.threads = 1; p.threads <= 300; p.threads++)
    for (p.memory = 1 << 20; p.memory <= (int64_t)1 << 40; p.memory <<= 10) check_bounds(&p);
  p = (ik_probe_place){.threads = 1, .l1 = 1, .l2 = 1, .memory = 0};
  check_bounds(&p);
  p = (ik_probe_place){
      .threads = 3, .l1 = 8 << 20, .l2 = 1 << 20, .l3 = 1 << 30, .memory = 1 << 30};
  check_bounds(&p);
}

CASE(the_arrays_leave_most_of_the_memory_to_others) {
  ik_probe_place p = server;
  p.memory = 300 << 20;
  ik_probe_list_make(&p, &list);
  CHECK(2 * list.array + list.chains <= p.memory);
}

/* Eight streams that are apart by a power of two share the lines of a cache. */
CASE(the_streams_of_a_read_do_not_meet_in_a_cache) {
  ik_probe_list_make(&server, &list);
  for (int i = 0; i < list.n; i++)
    if (list.item[i].kind == IK_PROBE_READ && list.item[i].bytes > 64 << 10)
      CHECK(list.item[i].bytes / 8 % 4096 >= 256);
}

CASE(what_a_machine_lacks_is_left_out) {
  ik_probe_place p = server;
  p.streams = false, p.l3 = 0, p.l3_all = 0;
  ik_probe_list_make(&p, &list);
  CHECK(!find("memory.copy.streaming")->unit && !find("l3.bandwidth")->unit);
  CHECK(find("memory.read")->unit && find("l2.copy")->unit);
  p.l3 = p.l2 + p.l2 / 2; /* too little to be told from the second level */
  ik_probe_list_make(&p, &list);
  CHECK(!find("l3.latency")->unit);
}

CASE(one_thread_has_both_keys_too) {
  ik_probe_place p = server;
  p.threads = 1;
  ik_probe_list_make(&p, &list);
  CHECK_EQ(find("memory.copy")->threads, 1);
  CHECK_EQ(find("memory.copy.one")->threads, 1);
  CHECK_EQ(find("memory.copy")->bytes, find("memory.copy.one")->bytes);
}
