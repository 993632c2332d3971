#include "targets/cpu/isa.h"
#include "base/system.h"
#include "machine/machine.h"
#include "targets/cpu/cpus.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------------------------------------ widths */

enum { MOST_FLAGS = 8 };

typedef struct level {
  int         bytes;
  const char *name;
  bool (*usable)(void);
  const char *flags[MOST_FLAGS];
} level;

static bool always(void) { return true; }

#if defined __x86_64__
/* These ask the system as well: registers that it does not save cannot be used. */
static bool has_fma(void) { return __builtin_cpu_supports("avx") && __builtin_cpu_supports("fma"); }
static bool has_avx2(void) { return has_fma() && __builtin_cpu_supports("avx2"); }
static bool has_avx512(void) {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}
#endif

static const level levels[] = {
#if defined        __x86_64__
    {64,
     "avx512",
     has_avx512,
     {"-mavx512f", "-mavx512dq", "-mavx512bw", "-mavx512vl", "-mfma", "-mprfchw",
             "-mprefer-vector-width=512"}},
    {32, "avx2", has_avx2, {"-mavx2", "-mfma", "-mprfchw"}},
    {16, "fma", has_fma, {"-mavx", "-mfma"}},
#elif defined __aarch64__
    {16, "neon", always, {NULL}},
#endif
    {8, "plain", always, {NULL}},
};
enum { NLEVELS = sizeof levels / sizeof *levels };
_Static_assert((int)NLEVELS <= (int)IK_ISA_WIDTHS, "no room for all widths");

static const level *widest(void) {
  const level *l = levels;
  while (!l->usable()) l++;
  return l;
}

int ik_isa_widths(int width[IK_ISA_WIDTHS]) {
  int n = 0;
  for (const level *l = widest(); l < levels + NLEVELS; l++) width[n++] = l->bytes;
  return n;
}

const char *const *ik_isa_flags(int vector_bytes) {
  const level *l = levels;
  while (l < levels + NLEVELS - 1 && l->bytes != vector_bytes) l++;
  return l->flags;
}

/* ------------------------------------------------------------------------------ caches */

static bool read_item(int index, const char *item, char *text, int cap) {
  char path[96];
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, item);
  return ik_system_read(path, text, (size_t)cap) && *text;
}

/* "1024K\n" */
static int64_t parse_size(const char *text) {
  char   *end;
  int64_t v = strtoll(text, &end, 10);
  return *end == 'M' ? v << 20 : *end == 'K' ? v << 10 : v;
}

/* How many numbers "0-3,8-11" stands for. */
static int64_t count_list(const char *p) {
  int64_t n = 0;
  for (char *end; *p; p = *end == ',' ? end + 1 : "") {
    long lo = strtol(p, &end, 10), hi = lo;
    if (end == p) break;
    if (*end == '-') hi = strtol(end + 1, &end, 10);
    n += hi - lo + 1;
  }
  return n > 0 ? n : 1;
}

/* Siblings share the first level, so whoever uses it is one core. */
static void read_caches(ik_isa *isa) {
  int64_t size[4] = {0}, users[4] = {1, 1, 1, 1};
  char    text[4096];
  for (int i = 0; i < 16 && read_item(i, "level", text, sizeof text); i++) {
    int k = atoi(text);
    if (k < 1 || k > 3) continue;
    if (!read_item(i, "type", text, sizeof text) || text[0] == 'I') continue;
    if (read_item(i, "size", text, sizeof text)) size[k] = parse_size(text);
    if (read_item(i, "shared_cpu_list", text, sizeof text)) users[k] = count_list(text);
  }
  for (int k = 2; k < 4; k++)
    if (users[k] > users[1]) size[k] = size[k] * users[1] / users[k];
  isa->l1 = size[1] > 0 ? size[1] : 32 << 10;
  isa->l2 = size[2] > 0 ? size[2] : 1 << 20;
  isa->l3 = size[3] > 0 ? size[3] : 0;
}

ik_isa ik_isa_local(void) {
  const level *l = widest();
  ik_isa       isa = {.name = l->name, .vector_bytes = l->bytes};
  ik_cpus      cpus;
  ik_cpus_count(&cpus);
  isa.cores = cpus.cores, isa.cpus = cpus.n;
  isa.cpu = ik_machine_processor();
  read_caches(&isa);
  return isa;
}
