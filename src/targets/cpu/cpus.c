/* No header of hwloc is needed to build this: the functions and the beginning of an object in use
 * have had this form in all versions 2.x. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "targets/cpu/cpus.h"
#include "base/system.h"
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

typedef struct list {
  cpu_set_t     allowed;
  ik_cpus_place at[IK_CPUS_MOST];
  int           n;
} list;

static void add(list *l, int cpu, int core) {
  if (core < 0 || core >= IK_CPUS_MOST) core = cpu;
  l->at[l->n++] = (ik_cpus_place){.cpu = cpu, .core = core};
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

/* ------------------------------------------------------------------------------- nodes */

/* "0-3,8": calls `f` for each number. */
static void each_number(const char *text, void (*f)(void *ctx, int number), void *ctx) {
  for (int lo, hi, used; sscanf(text, "%d%n", &lo, &used) == 1;) {
    text += used, hi = lo;
    if (sscanf(text, "-%d%n", &hi, &used) == 1) text += used;
    for (int i = lo < 0 ? 0 : lo; i <= hi && i < IK_CPUS_MOST; i++) f(ctx, i);
    if (*text == ',') text++;
  }
}

typedef struct node_list {
  int node;             /* that is read */
  int of[IK_CPUS_MOST]; /* [processor] */
  int n;                /* processors of nodes */
} node_list;

static void put_node(void *ctx, int cpu) {
  node_list *x = ctx;
  x->of[cpu] = x->node, x->n++;
}

static void read_node(void *ctx, int node) {
  node_list *x = ctx;
  char       path[64], text[8192];
  snprintf(path, sizeof path, "/sys/devices/system/node/node%d/cpulist", node);
  x->node = node;
  if (ik_system_read(path, text, sizeof text)) each_number(text, put_node, x);
}

static int package_of(int cpu) {
  char path[96], text[32];
  int  package;
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
  return ik_system_read(path, text, sizeof text) && sscanf(text, "%d", &package) == 1 ? package : 0;
}

/* Where the system knows of no nodes, a package is one. */
static void find_nodes(list *l) {
  node_list x = {0};
  char      text[8192];
  if (ik_system_read("/sys/devices/system/node/has_cpu", text, sizeof text))
    each_number(text, read_node, &x);
  for (int i = 0; i < l->n; i++)
    l->at[i].node = x.n ? x.of[l->at[i].cpu] : package_of(l->at[i].cpu);
}

/* ------------------------------------------------------------------------------- order */

/* Ranks: how many of the same core come before a processor. */
static int find_ranks(const ik_cpus_place *p, int n, uint16_t rank[]) {
  uint16_t used[IK_CPUS_MOST] = {0};
  int      most = 0;
  for (int i = 0; i < n; i++) {
    rank[i] = used[p[i].core]++;
    most = rank[i] > most ? rank[i] : most;
  }
  return most;
}

/* Nodes are numbered as they come. */
static int number_nodes(const ik_cpus_place *p, int n, uint16_t node[]) {
  int nodes = 0;
  for (int i = 0; i < n; i++) {
    int k = 0;
    while (k < i && p[k].node != p[i].node) k++;
    node[i] = (uint16_t)(k < i ? node[k] : nodes++);
  }
  return nodes;
}

void ik_cpus_arrange(const ik_cpus_place *p, int n, ik_cpus *out) {
  uint16_t rank[IK_CPUS_MOST], node[IK_CPUS_MOST];
  int      ranks = find_ranks(p, n, rank), nodes = number_nodes(p, n, node);
  *out = (ik_cpus){.nodes = nodes, .known = true};
  for (int r = 0; r <= ranks; r++) {
    for (int k = 0; k < nodes; k++)
      for (int i = 0; i < n; i++)
        if (rank[i] == r && node[i] == k)
          out->node[out->n] = (uint16_t)k, out->cpu[out->n++] = (uint16_t)p[i].cpu;
    if (r == 0) out->cores = out->n;
  }
}

/* Adds to `count` where n threads go, with `room` for so many on each node: thread i to node
 * i*nodes/n, or where there is room. */
static void spread(const int room[], int nodes, int n, int count[]) {
  int here[IK_CPUS_MOST] = {0}, over = 0;
  for (int i = 0; i < n; i++) here[i * nodes / n]++;
  for (int k = 0; k < nodes; k++)
    if (here[k] > room[k]) over += here[k] - room[k], here[k] = room[k];
  for (int k = 0; k < nodes; k++) {
    int more = room[k] - here[k] < over ? room[k] - here[k] : over;
    count[k] += here[k] + more, over -= more;
  }
}

void ik_cpus_spread(ik_cpus *c, int threads) {
  int     cores[IK_CPUS_MOST] = {0}, siblings[IK_CPUS_MOST] = {0}, count[IK_CPUS_MOST] = {0};
  ik_cpus was = *c;
  int     first = threads < c->cores ? threads : c->cores, at = 0;
  for (int i = 0; i < c->n; i++) ++(i < c->cores ? cores : siblings)[c->node[i]];
  spread(cores, c->nodes, first, count);
  spread(siblings, c->nodes, threads - first, count);
  for (int k = 0; k < c->nodes; k++)
    for (int i = 0; i < was.n && count[k]; i++)
      if (was.node[i] == k) c->cpu[at] = was.cpu[i], c->node[at++] = (uint16_t)k, count[k]--;
}

/* ----------------------------------------------------------------------------- results */

static void find(ik_cpus *out, void (*how)(list *)) {
  list l = {0};
  *out = (ik_cpus){.n = 1, .cores = 1, .nodes = 1};
  if (sched_getaffinity(0, sizeof l.allowed, &l.allowed)) { /* more processors than a set holds */
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (online > 1) out->n = out->cores = (int)online;
    return;
  }
  how(&l);
  if (l.n < CPU_COUNT(&l.allowed)) { /* hwloc is missing, or does not know all of them */
    l.n = 0;
    list_by_number(&l);
  }
  find_nodes(&l);
  ik_cpus_arrange(l.at, l.n, out);
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
