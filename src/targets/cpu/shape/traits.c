#include "targets/cpu/shape/traits.h"
#include "machine/machine.h"
#include <pthread.h>
#include <stddef.h>

typedef struct figure {
  const char *key, *unit;
  size_t      at;
} figure;

static const figure figures[] = {
    {"shape.line", "B", offsetof(ik_traits, line)},
    {"shape.registers", "", offsetof(ik_traits, registers)},
    {"shape.constants", "", offsetof(ik_traits, constants)},
    {"shape.copied.planes", "", offsetof(ik_traits, copied_planes)},
    {"shape.turn", "B", offsetof(ik_traits, turn)},
    {"shape.flight", "B", offsetof(ik_traits, flight)},
    {"shape.streamed.row", "B", offsetof(ik_traits, streamed_row)},
    {"shape.kept.tile", "B", offsetof(ik_traits, kept_tile)},
    {"shape.short.row", "B", offsetof(ik_traits, short_row)},
    {"shape.near.row", "", offsetof(ik_traits, near_row)},
    {"shape.near.level", "B", offsetof(ik_traits, near_level)},
    {"shape.near.rows", "", offsetof(ik_traits, near_rows)},
};

typedef struct kind {
  const char *machine;
  bool        loaded;
  ik_traits   traits;
} kind;

/* The widest first. */
static kind kinds[] = {{.machine = "generic-cpu", .traits.vector = 64},
                       {.machine = "generic-avx2", .traits.vector = 32},
                       {.machine = "neoverse-v1", .traits.vector = 16},
                       {.machine = "neoverse-v1", .traits.vector = 8}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_loaded(const kind *k) {
  pthread_mutex_lock(&lock);
  bool loaded = k->loaded;
  pthread_mutex_unlock(&lock);
  return loaded;
}

static double number(const ik_machine *m, const char *key, const char *unit) {
  double v = 0;
  IK_ASSERT(ik_machine_number(m, key, unit, &v));
  return v;
}

/* Whoever runs out of memory here leaves without the lock; two that come at once read the same. */
static void load(kind *k, ik_arena *a) {
  ik_diag     quiet = {0};
  ik_machine *m;
  ik_traits   t = {.vector = k->traits.vector};
  IK_ASSERT(ik_machine_find(k->machine, a, &quiet, &m) == IK_OK);
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    *(int *)((char *)&t + figures[i].at) = (int)number(m, figures[i].key, figures[i].unit);
  t.bypass = number(m, "shape.bypass", "") != 0;
  t.by_planes = number(m, "shape.by.planes", "") != 0;
  pthread_mutex_lock(&lock);
  k->traits = t, k->loaded = true;
  pthread_mutex_unlock(&lock);
}

const ik_traits *ik_traits_for(int vector_bytes, ik_arena *a) {
  kind *k = kinds;
  while (k < kinds + KINDS - 1 && k->traits.vector > vector_bytes) k++;
  if (!is_loaded(k)) load(k, a);
  return &k->traits;
}
