/* Linux tells through files; a figure whose file is missing is left out, so that nothing here
 * fails. x86 has the model by name; ARM has two numbers, for which people know names. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/system.h"
#include "base/text.h"
#include "machine/machine.h"
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct builder {
  const char *root;
  ik_arena   *arena;
  ik_figure  *figure;
  int         n, cap;
} builder;

/* ---- files ---- */

/* The beginning of a file, at most 16 KiB: enough for the first processor of /proc/cpuinfo. */
static const char *read_text(const builder *b, const char *path) {
  char text[16384];
  if (!ik_system_read(ik_arena_printf(b->arena, "%s%s", b->root, path), text, sizeof text))
    return NULL;
  return ik_arena_dup(b->arena, text, strlen(text));
}

/* The value of "key : value" in a text of such lines. */
static const char *value_of(const builder *b, const char *text, const char *key) {
  size_t len = strlen(key);
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, key, len)) continue;
    const char *colon = line + len + strspn(line + len, " \t");
    if (*colon != ':') continue;
    const char *v = colon + 1 + strspn(colon + 1, " \t");
    return ik_arena_dup(b->arena, v, strcspn(v, "\n"));
  }
  return NULL;
}

/* ---- figures ---- */

static void add(builder *b, ik_figure f, const char *path) {
  f.label = 'M', f.source = path;
  if (!f.unit) f.unit = "";
  IK_PUSH(b->arena, b->figure, b->n, b->cap, f);
}

static void add_text(builder *b, const char *key, const char *text, const char *path) {
  if (text && text[0]) add(b, (ik_figure){.key = key, .value = text}, path);
}

static void add_number(builder *b, const char *key, double v, const char *unit, const char *path,
                       const char *comment) {
  add(b,
      (ik_figure){.key = key,
                  .value = ik_arena_printf(b->arena, "%.10g", round(v * 10) / 10),
                  .numeric = true,
                  .number = v,
                  .unit = unit,
                  .comment = comment},
      path);
}

/* ---- the processor ---- */

static const char *arm_name(const builder *b, const char *implementer, const char *part) {
  static const struct {
    unsigned    implementer, part;
    const char *name;
  } known[] = {{0x41, 0xd08, "ARM Cortex-A72"},  {0x41, 0xd0b, "ARM Cortex-A76"},
               {0x41, 0xd0c, "ARM Neoverse N1"}, {0x41, 0xd40, "ARM Neoverse V1"},
               {0x41, 0xd49, "ARM Neoverse N2"}, {0x41, 0xd4f, "ARM Neoverse V2"},
               {0x41, 0xd84, "ARM Neoverse V3"}, {0x41, 0xd8e, "ARM Neoverse N3"}};
  unsigned long i = strtoul(implementer, NULL, 16), p = strtoul(part, NULL, 16);
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (known[k].implementer == i && known[k].part == p) return known[k].name;
  return ik_arena_printf(b->arena, "ARM processor, implementer %s, part %s", implementer, part);
}

static const char *model(const builder *b, const char *cpuinfo) {
  const char *name = value_of(b, cpuinfo, "model name");
  if (!name) name = value_of(b, cpuinfo, "cpu"); /* POWER */
  const char *implementer = value_of(b, cpuinfo, "CPU implementer");
  const char *part = value_of(b, cpuinfo, "CPU part");
  return !name && implementer && part ? arm_name(b, implementer, part) : name;
}

static bool has_word(const char *words, const char *word) {
  size_t len = strlen(word);
  for (const char *p = words; (p = strstr(p, word)); p += len)
    if ((p == words || p[-1] == ' ') && (p[len] == ' ' || !p[len])) return true;
  return false;
}

/* The instruction sets that matter to stencils, in their usual spelling. */
static const char *simd(const builder *b, const char *cpuinfo) {
  static const char *const names[][2] = {{"sse2", "SSE2"},
                                         {"avx", "AVX"},
                                         {"avx2", "AVX2"},
                                         {"fma", "FMA"},
                                         {"f16c", "F16C"},
                                         {"avx512f", "AVX-512"},
                                         {"avx512_bf16", "AVX-512-BF16"},
                                         {"avx512_fp16", "AVX-512-FP16"},
                                         {"amx_tile", "AMX"},
                                         {"amx_bf16", "AMX-BF16"},
                                         {"asimd", "NEON"},
                                         {"asimdhp", "NEON-FP16"},
                                         {"bf16", "BF16"},
                                         {"sve", "SVE"},
                                         {"sve2", "SVE2"},
                                         {"sme", "SME"}};
  const char              *flags = value_of(b, cpuinfo, "flags"), *list = "";
  if (!flags) flags = value_of(b, cpuinfo, "Features");
  if (!flags) return NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (has_word(flags, names[i][0]))
      list = ik_arena_printf(b->arena, "%s%s%s", list, list[0] ? " " : "", names[i][1]);
  return list;
}

static const char path_cpuinfo[] = "/proc/cpuinfo";

static char           processor[96]; /* "": not known */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_processor(void) {
  ik_arena a;
  ik_arena_init(&a);
  if (!setjmp(a.oom)) {
    builder     b = {.root = "", .arena = &a};
    const char *text = read_text(&b, path_cpuinfo), *name = text ? model(&b, text) : NULL;
    snprintf(processor, sizeof processor, "%s", name ? name : "");
  }
  ik_arena_free(&a);
}

const char *ik_machine_processor(void) {
  pthread_once(&once, find_processor);
  return processor;
}

static void add_cpuinfo(builder *b) {
  const char *path = path_cpuinfo, *text = read_text(b, path);
  const char *name = text ? model(b, text) : NULL;
  add_text(b, "title", name ? name : "this machine", path);
  add_text(b, "kind", "cpu", path);
  if (text) add_text(b, "cpu.simd", simd(b, text), path);
}

/* Is `cpu` the first of those that share `what` with it? */
static bool is_first(const builder *b, long cpu, const char *what) {
  char path[96];
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/topology/%s", cpu, what);
  const char *list = read_text(b, path);
  return list && strtol(list, NULL, 10) == cpu;
}

static void add_topology(builder *b) {
  static const char path[] = "/sys/devices/system/cpu/online";
  const char       *p = read_text(b, path);
  int               threads = 0, cores = 0, sockets = 0;
  for (char *end; p && *p; p = *end == ',' ? end + 1 : "") { /* "0-3,6" */
    long lo = strtol(p, &end, 10), hi = lo;
    if (end == p) break;
    if (*end == '-') hi = strtol(end + 1, &end, 10);
    for (long cpu = lo; cpu <= hi && cpu - lo < 65536; cpu++) {
      threads++;
      cores += is_first(b, cpu, "thread_siblings_list");
      sockets += is_first(b, cpu, "core_siblings_list");
    }
  }
  static const char topology[] = "/sys/devices/system/cpu/cpu*/topology";
  if (sockets) add_number(b, "cpu.sockets", sockets, NULL, topology, NULL);
  if (cores) add_number(b, "cpu.cores", cores, NULL, topology, "of all sockets together");
  if (threads) add_number(b, "cpu.threads", threads, NULL, path, NULL);
  cpu_set_t mine;
  if (!b->root[0] && sched_getaffinity(0, sizeof mine, &mine) == 0)
    add_number(b, "cpu.usable", CPU_COUNT(&mine), NULL, "sched_getaffinity",
               "threads that this process may run on");
}

/* ---- memory ---- */

/* "1024K\n" */
static double cache_kib(const char *size) {
  char  *end;
  double v = ik_strtod(size, &end);
  return *end == 'M' ? v * 1024 : *end == 'K' ? v : v / 1024;
}

static bool add_cache(builder *b, int index) {
  const char *dir = ik_arena_printf(b->arena, "/sys/devices/system/cpu/cpu0/cache/index%d", index);
#define ITEM(name) read_text(b, ik_arena_printf(b->arena, "%s/" name, dir))
  const char *level = ITEM("level"), *type = ITEM("type"), *size = ITEM("size");
  const char *shared = ITEM("shared_cpu_list");
#undef ITEM
  if (!level || !type || !size) return false;
  const char *suffix = type[0] == 'D' ? "d" : type[0] == 'I' ? "i" : "";
  const char *comment = shared ? ik_arena_printf(b->arena, "shared by threads %.*s",
                                                 (int)strcspn(shared, "\n"), shared)
                               : NULL;
  add_number(b,
             ik_arena_printf(b->arena, "cache.l%.*s%s", (int)strcspn(level, "\n"), level, suffix),
             cache_kib(size), "KiB", dir, comment);
  return true;
}

static void add_memory(builder *b) {
  static const char path[] = "/proc/meminfo";
  const char       *text = read_text(b, path);
  if (!text) return;
  const char *total = value_of(b, text, "MemTotal"), *free = value_of(b, text, "MemAvailable");
  /* kB there are KiB. */
  if (total) add_number(b, "memory.size", ik_strtod(total, NULL) / (1 << 20), "GiB", path, NULL);
  if (free)
    add_number(b, "memory.available", ik_strtod(free, NULL) / (1 << 20), "GiB", path, "just now");
}

ik_machine *ik_machine_local(const char *root, ik_arena *a) {
  builder b = {.root = root, .arena = a};
  add_cpuinfo(&b);
  add_topology(&b);
  for (int i = 0; i < 16 && add_cache(&b, i); i++) continue;
  add_memory(&b);
  ik_machine *m = IK_NEW(a, ik_machine);
  *m = (ik_machine){.name = "local", .figure = b.figure, .n = b.n};
  return m;
}
