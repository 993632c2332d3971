#define _GNU_SOURCE /* sched_setaffinity */
#include "targets/cpu/isa.h"
#include "check.h"
#include "runtime/build.h"
#include "targets/cpu/cpus.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

CASE(widths_come_widest_first_and_end_with_plain_c) {
  int width[IK_ISA_WIDTHS], n = ik_isa_widths(width);
  CHECK(n >= 1 && n <= IK_ISA_WIDTHS);
  for (int i = 1; i < n; i++) CHECK(width[i] < width[i - 1]);
  CHECK_EQ(width[n - 1], 8);
  CHECK_EQ(ik_isa_local().vector_bytes, width[0]);
}

CASE(this_machine_makes_sense) {
  ik_isa isa = ik_isa_local();
  CHECK(isa.name && isa.name[0]);
  CHECK(isa.cores >= 1 && isa.cpus >= isa.cores);
  CHECK(isa.l1 >= 4 << 10 && isa.l1 <= 4 << 20);
  CHECK(isa.l2 >= isa.l1);
  CHECK(isa.l3 >= 0);
#if defined __aarch64__
  CHECK_EQ(isa.vector_bytes, 16);
  CHECK_STR(isa.name, "neon");
  CHECK(!isa.amx);
#endif
}

/* A line of /sys about the processor's index-th cache, "" if there is none. */
static const char *cache_item(int index, const char *item) {
  static char text[256];
  char        path[96];
  *text = 0;
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, item);
  FILE *f = fopen(path, "r");
  if (f && !fgets(text, sizeof text, f)) *text = 0;
  if (f) fclose(f);
  return text;
}

/* What several cores share counts for each of them in part. */
CASE(a_core_has_its_share_of_the_last_cache) {
  char own[256] = "";
  for (int i = 0; *cache_item(i, "level"); i++) {
    int level = atoi(cache_item(i, "level"));
    if (level == 1) snprintf(own, sizeof own, "%s", cache_item(i, "shared_cpu_list"));
    bool shared = *own && strcmp(own, cache_item(i, "shared_cpu_list")) != 0;
    if (level == 3 && shared) CHECK(ik_isa_local().l3 <= atoll(cache_item(i, "size")) * 1024 / 2);
  }
}

/* No file of the system can be read. */
CASE(caches_that_nothing_is_said_of_are_usual_ones) {
  struct rlimit before;
  CHECK_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  CHECK_EQ(setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, before.rlim_max}), 0);
  ik_isa isa = ik_isa_local();
  CHECK_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  CHECK_EQ(isa.l1, 32 << 10);
  CHECK_EQ(isa.l2, 1 << 20);
  CHECK_EQ(isa.l3, 0);
}

CASE(unknown_widths_are_plain_c) {
  CHECK(ik_isa_flags(8)[0] == NULL);
  CHECK(ik_isa_flags(12)[0] == NULL);
  CHECK(ik_isa_flags(0)[0] == NULL);
}

/* The compiler takes the flags, and what it makes with them runs here. */
CASE(code_of_every_width_runs) {
  static const char text[] =
      "void twice(double *x, int n) { for (int i = 0; i < n; i++) x[i] *= 2; }";
  int width[IK_ISA_WIDTHS], n = ik_isa_widths(width);
  for (int i = 0; i < n; i++) {
    const char        *flags[16] = {"-O3"};
    int                nflags = 1;
    const char *const *more = ik_isa_flags(width[i]);
    while (*more) flags[nflags++] = *more++;
    ik_diag          d = {0};
    ik_build        *b;
    ik_build_options o = {.flags = flags};
    CHECK_EQ(ik_build_open(text, &o, &d, &b), IK_OK);
    double x[19];
    for (int k = 0; k < 19; k++) x[k] = k;
    if (b) ((void (*)(double *, int))ik_build_symbol(b, "twice"))(x, 19);
    for (int k = 0; k < 19; k++) CHECK_EQ(x[k], 2 * k);
    ik_build_close(&b);
    ik_diag_free(&d);
  }
}

/* Of one core both processors, of the others the first: the one that is left is listed as well. */
CASE(a_lone_sibling_is_listed) {
  ik_cpus   all, some;
  cpu_set_t before, mask;
  ik_cpus_order(&all);
  if (!all.known || all.cores == all.n || sched_getaffinity(0, sizeof before, &before)) return;
  CPU_ZERO(&mask);
  for (int i = 0; i <= all.cores; i++) CPU_SET(all.cpu[i], &mask);
  CHECK_EQ(sched_setaffinity(0, sizeof mask, &mask), 0);
  ik_cpus_count(&some);
  CHECK_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  CHECK_EQ(some.n, all.cores + 1);
  CHECK_EQ(some.cores, all.cores);
}

CASE(processors_are_listed_once) {
  ik_cpus by_number, by_place;
  ik_cpus_count(&by_number);
  ik_cpus_order(&by_place);
  CHECK_EQ(by_number.n, by_place.n);
  CHECK_EQ(by_number.cores, by_place.cores);
  CHECK(by_number.cores >= 1 && by_number.cores <= by_number.n);
  bool seen[IK_CPUS_MOST] = {0};
  for (int i = 0; by_number.known && i < by_number.n; i++) seen[by_number.cpu[i]] = true;
  for (int i = 0; by_place.known && i < by_place.n; i++) {
    CHECK(seen[by_place.cpu[i]]);
    seen[by_place.cpu[i]] = false;
  }
}
