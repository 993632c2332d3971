/* Libraries that are looked for when they are needed: here others stand in for them, which say how
 * they were used.  Whoever is loaded already under a library's name is taken for it. */
#define _GNU_SOURCE
#include "check.h"
#include "runtime/build.h"
#include "targets/cpu/cpus.h"
#include "targets/cpu/fftw.h"
#include <sched.h>

static ik_build *library(const char *text, const char *name, const char *more) {
  char             soname[80];
  const char      *flags[] = {soname, more, NULL};
  ik_build        *b = NULL;
  ik_diag          d = {0};
  ik_build_options o = {.flags = flags};
  snprintf(soname, sizeof soname, "-Wl,-soname,%s", name);
  CHECK_EQ(ik_build_open(text, &o, &d, &b), IK_OK);
  ik_diag_free(&d);
  return b;
}

/* ---- FFTW ---- */

static const char fftw_text[] =
    "int plans, refused; /* that there are; 1: forward ones, 2: backward ones */\n"
    "static void *plan(int kind) { return refused == kind ? 0 : (plans++, &plans); }\n"
    "void *NAME(_plan_dft_r2c)(int r, const int *n, void *in, void *out, unsigned f) {\n"
    "  return plan(1);\n}\n"
    "void *NAME(_plan_dft_c2r)(int r, const int *n, void *in, void *out, unsigned f) {\n"
    "  return plan(2);\n}\n"
    "void NAME(_execute_dft_r2c)(void *plan, void *in, void *out) {}\n"
    "void NAME(_execute_dft_c2r)(void *plan, void *in, void *out) {}\n"
    "void NAME(_destroy_plan)(void *plan) { plans--; }\n";

static const char threads_text[] =
    "int now = 1, most;\n"
    "int fftw_init_threads(void) { return 1; }\n"
    "void fftw_plan_with_nthreads(int n) { now = n, most = n > most ? n : most; }\n";

static int *number(const ik_build *b, const char *name) { return ik_build_symbol(b, name); }

static void check_plans(int *plans, int *refused, const ik_build *threads) {
  const int64_t n[IK_MAX_DIM] = {8, 4, 1};
  double        data[10 * 4];
  ik_diag       d = {0};
  ik_fft       *f;
  CHECK_EQ(ik_fft_create(false, 2, n, 3, data, &d, &f), IK_OK);
  CHECK_EQ(*plans, 2);
  CHECK(*number(threads, "most") == 3 && *number(threads, "now") == 1);
  ik_fft_destroy(&f);
  CHECK(!f && *plans == 0);
  for (*refused = 1; *refused <= 2; ++*refused) {
    CHECK_EQ(ik_fft_create(false, 2, n, 1, data, &d, &f), IK_ERR_RESOURCE);
    CHECK(!f && *plans == 0);
  }
  ik_diag_free(&d);
}

CASE(plans_are_given_back) {
  ik_build *wide = library(fftw_text, "libfftw3.so.3", "-DNAME(x)=fftw##x");
  ik_build *narrow = library(fftw_text, "libfftw3f.so.3", "-DNAME(x)=fftwf##x");
  ik_build *threads = library(threads_text, "libfftw3_threads.so.3", NULL);
  CHECK(wide && narrow && threads && ik_fftw_here(NULL));
  if (wide && narrow && threads)
    check_plans(number(wide, "plans"), number(wide, "refused"), threads);
  ik_build_close(&wide), ik_build_close(&narrow), ik_build_close(&threads);
}

/* ---- hwloc ---- */

static const char hwloc_text[] =
    "typedef struct object {\n"
    "  int type; char *subtype; unsigned os_index; char *name; unsigned long memory; void *attr;\n"
    "  int depth; unsigned index; struct object *cousins[2], *parent; unsigned rank;\n"
    "  struct object *siblings[2]; unsigned arity; struct object **children;\n"
    "} object;\n"
    "enum { CORE = 1 << 22, PROCESSORS = 1024 };\n"
    "static object none, core, processor[PROCESSORS], *child[PROCESSORS];\n"
    "unsigned hwloc_get_api_version(void) { return 2 << 16; }\n"
    "int hwloc_topology_init(void **t) { *t = &core; return 0; }\n"
    "int hwloc_topology_set_type_filter(void *t, int type, int filter) { return 0; }\n"
    "int asked, refuses;\n"
    "int hwloc_topology_load(void *t) { return refuses; }\n"
    "int hwloc_get_type_depth(void *t, int type) { return 1; }\n"
    "void hwloc_topology_destroy(void *t) {}\n"
    "object *hwloc_get_obj_by_depth(void *t, int depth, unsigned i) {\n"
    "  asked++;\n"
    "  for (int k = 0; !core.arity && k < PROCESSORS; k++)\n"
    "    processor[k].type = 3, processor[k].os_index = k, child[k] = &processor[k];\n"
    "  core.arity = PROCESSORS, core.children = child;\n"
    "  return i < CORE ? &none : i == CORE ? &core : 0;\n"
    "}\n";

/* Of a number that no core has: each processor counts as one. */
CASE(cores_without_room_are_their_processors) {
  ik_build *b = library(hwloc_text, "libhwloc.so.15", NULL);
  ik_cpus   by_number, by_place;
  ik_cpus_count(&by_number);
  ik_cpus_order(&by_place);
  CHECK_EQ(by_place.n, by_number.n);
  CHECK_EQ(by_place.cores, by_place.known ? by_place.n : by_number.cores);
  CHECK(*number(b, "asked") > 0);
  ik_build_close(&b);
}

/* Nothing is asked of what could not be loaded.  With another mask, as the last answer is kept. */
CASE(without_a_topology_processors_are_counted) {
  ik_build *b = library(hwloc_text, "libhwloc.so.15", NULL);
  ik_cpus   all, one;
  cpu_set_t before, first;
  ik_cpus_order(&all);
  *number(b, "refuses") = -1, *number(b, "asked") = 0;
  CPU_ZERO(&first);
  CPU_SET(all.cpu[0], &first);
  CHECK(!sched_getaffinity(0, sizeof before, &before));
  CHECK(!sched_setaffinity(0, sizeof first, &first));
  ik_cpus_order(&one);
  CHECK(!sched_setaffinity(0, sizeof before, &before));
  CHECK(one.n == 1 && *number(b, "asked") == 0);
  ik_build_close(&b);
}
