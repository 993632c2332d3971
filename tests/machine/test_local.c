#define _GNU_SOURCE /* nftw */
#include "text.h"
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A small /proc and /sys below a folder of its own. */
static char root[64];

static void begin(void) {
  snprintf(root, sizeof root, "/tmp/ikat-local-XXXXXX");
  CHECK(mkdtemp(root) != NULL);
}

static int forget(const char *path, const struct stat *s, int kind, struct FTW *at) {
  (void)s, (void)kind, (void)at;
  return remove(path);
}

static void end(void) { nftw(root, forget, 8, FTW_DEPTH | FTW_PHYS); }

static void put(const char *path, const char *text) {
  char full[256];
  snprintf(full, sizeof full, "%s%s", root, path);
  for (char *p = full + strlen(root) + 1; (p = strchr(p, '/')); *p++ = '/') {
    *p = 0;
    CHECK(mkdir(full, 0777) == 0 || errno == EEXIST);
  }
  FILE *f = fopen(full, "w");
  CHECK(f != NULL);
  if (!f) return;
  fputs(text, f);
  fclose(f);
}

static const ik_machine *look(reading *r) {
  *r = (reading){0};
  ik_arena_init(&r->arena);
  if (setjmp(r->arena.oom)) return NULL;
  return ik_machine_local(root, &r->arena);
}

static void put_cpu(int cpu, const char *threads, const char *socket) {
  char path[128];
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
  put(path, threads);
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/core_siblings_list", cpu);
  put(path, socket);
}

CASE(an_x86_with_two_sockets) {
  reading r;
  begin();
  put("/proc/cpuinfo", "processor\t: 0\ncpu family\t: 6\nmodel name\t: Xeon of a test\n"
                       "flags\t\t: fpu sse2 avx2 fma avx512f amx_tile notavx\n\nprocessor\t: 1\n");
  put("/proc/meminfo", "MemTotal:       2097152 kB\nMemFree: 1 kB\nMemAvailable:   1572864 kB\n");
  put("/sys/devices/system/cpu/online", "0-3,6,8-9\n");
  put_cpu(0, "0-1\n", "0-3\n"), put_cpu(1, "0-1\n", "0-3\n");
  put_cpu(2, "2,3\n", "0-3\n"), put_cpu(3, "2,3\n", "0-3\n");
  put_cpu(6, "6\n", "6,8-9\n"), put_cpu(8, "8-9\n", "6,8-9\n"), put_cpu(9, "8-9\n", "6,8-9\n");
  const ik_machine *m = look(&r);
  CHECK_STR(m->name, "local");
  CHECK_STR(ik_machine_text(m, "title"), "Xeon of a test");
  CHECK_STR(ik_machine_text(m, "cpu.simd"), "SSE2 AVX2 FMA AVX-512 AMX");
  CHECK_NEAR(number(m, "cpu.sockets", ""), 2, 0);
  CHECK_NEAR(number(m, "cpu.cores", ""), 4, 0);
  CHECK_NEAR(number(m, "cpu.threads", ""), 7, 0);
  CHECK_NEAR(number(m, "memory.size", "B"), 2147483648.0, 0);
  CHECK_NEAR(number(m, "memory.available", "GiB"), 1.5, 0);
  end_reading(&r);
  end();
}

static void put_cache(int index, const char *level, const char *type, const char *size) {
  char path[128];
#define ITEM(name)                                                                                 \
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/" name, index)
  ITEM("level"), put(path, level);
  ITEM("type"), put(path, type);
  ITEM("size"), put(path, size);
#undef ITEM
}

CASE(an_arm_with_caches) {
  reading r;
  begin();
  put("/proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd asimdhp sve\nCPU implementer\t: 0x41\n"
                       "CPU part\t: 0xd4f\n");
  put_cache(0, "1\n", "Data\n", "64K\n");
  put_cache(1, "1\n", "Instruction\n", "32K\n");
  put_cache(2, "2\n", "Unified\n", "2M\n");
  put("/sys/devices/system/cpu/cpu0/cache/index2/shared_cpu_list", "0-1\n");
  const ik_machine *m = look(&r);
  CHECK_STR(ik_machine_text(m, "title"), "ARM Neoverse V2");
  CHECK_STR(ik_machine_text(m, "cpu.simd"), "NEON NEON-FP16 SVE");
  CHECK_NEAR(number(m, "cache.l1d", "KiB"), 64, 0);
  CHECK_NEAR(number(m, "cache.l1i", "KiB"), 32, 0);
  CHECK_NEAR(number(m, "cache.l2", "MiB"), 2, 0);
  CHECK_STR(ik_machine_get(m, "cache.l2")->comment, "shared by threads 0-1");
  CHECK(!ik_machine_get(m, "memory.size"));
  end_reading(&r);
  end();
}

CASE(an_arm_that_nobody_knows_and_a_power) {
  reading r;
  begin();
  put("/proc/cpuinfo", "CPU implementer\t: 0x99\nCPU part\t: 0x001\n");
  CHECK_STR(ik_machine_text(look(&r), "title"), "ARM processor, implementer 0x99, part 0x001");
  end_reading(&r);
  put("/proc/cpuinfo", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n");
  CHECK_STR(ik_machine_text(look(&r), "title"), "POWER9, altivec supported");
  end_reading(&r);
  end();
}

CASE(what_cannot_be_read_is_left_out) {
  reading r;
  begin();
  const ik_machine *m = look(&r);
  CHECK_EQ(m->n, 2);
  CHECK_STR(ik_machine_text(m, "title"), "this machine");
  CHECK_STR(ik_machine_text(m, "kind"), "cpu");
  end_reading(&r);
  put("/proc/cpuinfo", "");
  put("/proc/meminfo", "MemTotal\n");
  put("/sys/devices/system/cpu/online", "none\n");
  m = look(&r);
  CHECK_EQ(m->n, 2);
  end_reading(&r);
  end();
}
