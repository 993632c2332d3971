/* No header of hwloc is needed to build this: the functions and the beginning of an object in use
 * have had this form in all versions 2.x. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "targets/cpu/cpus.h"
#include "base/system.h"
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct thread { /* a processor as the system counts them */
  int cpu, core, rank;  /* rank: how many of the same core come before it */
} thread;

typedef struct list {
  cpu_set_t allowed;
  thread    at[IK_CPUS_MOST];
  int       n;
  uint16_t  used[IK_CPUS_MOST]; /* [core] */
} list;

static void add(list *l, int cpu, int core) {
  if (core < 0 || core >= IK_CPUS_MOST) core = cpu;
  l->at[l->n++] = (thread){cpu, core, l->used[core]++};
}

/* A core is named by the smallest number among its processors. */
static int core_of(int cpu) {
  char path[96], text[256];
  int  core;
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
  return ik_system_read(path, text, sizeof text) && sscanf(text, "%d", &core) == 1 ? core : cpu;
}

static void list_by_number(list *l) {
  for (int cpu = 0; cpu < IK_CPUS_MOST; cpu++)
    if (CPU_ISSET(cpu, &l->allowed)) add(l, cpu, core_of(cpu));
}

/* ------------------------------------------------------------------------------- hwloc */

typedef struct object { /* the beginning of struct hwloc_obj */
  int             type;
  char           *subtype;
  unsigned        os_index;
  char           *name;
  uint64_t        total_memory;
  void           *attr;
  int             depth;
  unsigned        logical_index;
  struct object  *next_cousin, *prev_cousin, *parent;
  unsigned        sibling_rank;
  struct object  *next_sibling, *prev_sibling;
  unsigned        arity;
  struct object **children;
} object;

enum { CORE = 2, PROCESSOR = 3, KEEP_NONE = 1, NTYPES = 20, VERSION = 2 };

#define FUNCTIONS(X)                                                                               \
  X(unsigned, hwloc_get_api_version, (void))                                                       \
  X(int, hwloc_topology_init, (void **))                                                           \
  X(int, hwloc_topology_set_type_filter, (void *, int, int))                                       \
  X(int, hwloc_topology_load, (void *))                                                            \
  X(int, hwloc_get_type_depth, (void *, int))                                                      \
  X(object *, hwloc_get_obj_by_depth, (void *, int, unsigned))                                     \
  X(void, hwloc_topology_destroy, (void *))

typedef struct library {
#define X(type, name, args) type(*name) args;
  FUNCTIONS(X)
#undef X
} library;

static bool find_symbols(void *lib, library *h) {
#define X(type, name, args)                                                                        \
  if (!(h->name = (type(*) args)dlsym(lib, #name))) return false;
  FUNCTIONS(X)
#undef X
  return h->hwloc_get_api_version() >> 16 == VERSION;
}

static void list_cores(const library *h, void *topology, list *l) {
  int depth = h->hwloc_get_type_depth(topology, CORE);
  if (depth < 0) return;
  const object *core;
  for (unsigned c = 0; (core = h->hwloc_get_obj_by_depth(topology, depth, c)); c++)
    for (unsigned k = 0; k < core->arity; k++) {
      const object *o = core->children[k];
      if (o->type != PROCESSOR || o->os_index >= IK_CPUS_MOST) continue;
      if (CPU_ISSET(o->os_index, &l->allowed)) add(l, (int)o->os_index, (int)c);
    }
}

static void list_with(const library *h, list *l) {
  void *topology;
  if (h->hwloc_topology_init(&topology)) return;
  for (int type = 0; type < NTYPES; type++) /* caches, groups, devices: not needed */
    if (type != CORE) h->hwloc_topology_set_type_filter(topology, type, KEEP_NONE);
  if (h->hwloc_topology_load(topology) == 0) list_cores(h, topology, l);
  h->hwloc_topology_destroy(topology);
}

static void list_by_hwloc(list *l) {
  library h;
  void   *lib = ik_system_load("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
  if (!lib) return;
  if (find_symbols(lib, &h)) list_with(&h, l);
  dlclose(lib);
}

/* ----------------------------------------------------------------------------- results */

static void first_of_each_core_first(const list *l, ik_cpus *out) {
  out->n = out->cores = 0;
  for (int rank = 0; out->n < l->n; rank++) {
    for (int i = 0; i < l->n; i++)
      if (l->at[i].rank == rank) out->cpu[out->n++] = (uint16_t)l->at[i].cpu;
    if (rank == 0) out->cores = out->n;
  }
}

static void find(ik_cpus *out, void (*how)(list *)) {
  list l = {0};
  *out = (ik_cpus){.n = 1, .cores = 1};
  if (sched_getaffinity(0, sizeof l.allowed, &l.allowed)) { /* more processors than a set holds */
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (online > 1) out->n = out->cores = (int)online;
    return;
  }
  how(&l);
  if (l.n < CPU_COUNT(&l.allowed)) { /* hwloc is missing, or does not know all of them */
    l.n = 0;
    memset(l.used, 0, sizeof l.used);
    list_by_number(&l);
  }
  first_of_each_core_first(&l, out);
  out->known = true;
}

void ik_cpus_count(ik_cpus *out) { find(out, list_by_number); }

/* Machines do not change while we look: the last answer is good as long as the mask is the same. */
void ik_cpus_order(ik_cpus *out) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static cpu_set_t       mask;
  static ik_cpus         answer;
  cpu_set_t              allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed)) CPU_ZERO(&allowed);
  pthread_mutex_lock(&lock);
  if (!answer.known || !CPU_EQUAL(&allowed, &mask)) find(&answer, list_by_hwloc);
  mask = allowed;
  *out = answer;
  pthread_mutex_unlock(&lock);
}
