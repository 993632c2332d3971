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
}

CASE(keys_are_unique_and_in_the_units_of_machine_files) {
  ik_probe_list_make(&server, &list);
  for (int i = 0; i < list.n; i++) {
    const ik_probe_item *it = &list.item[i];
    if (it->key[0]) CHECK(find(it->key) == it);
    CHECK(it->unit[0] && it->scale > 0 && it->what[0]);
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
  CHECK(list.part * p->threads <= list.array);
  for (int i = 0; i < list.n; i++) {
    const ik_probe_item *it = &list.item[i];
    bool                 read = it->kind == IK_PROBE_READ;
    bool                 copy = it->kind == IK_PROBE_COPY || it->kind == IK_PROBE_STREAM;
    if (it->kind == IK_PROBE_CHASE) CHECK(it->at + it->bytes <= list.chains);
    if (read || copy) {
      int64_t room = it->threads == 1 ? list.array : list.part;
      CHECK(it->bytes > 0 && it->bytes % 64 == 0 && it->bytes <= room);
    }
  }
}

CASE(nobody_works_outside_of_the_arrays) {
  ik_probe_place p = server;
  for (p.threads = 1; p.threads <= 1024; p.threads *= 4)
    for (p.memory = 1 << 20; p.memory <= (int64_t)1 << 40; p.memory *= 32) check_bounds(&p);
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
