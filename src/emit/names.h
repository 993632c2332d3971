/* names.h: names for generated code: those of the user's program as far as C has them, each once.
 */
#pragma once
#include "base/arena.h"

typedef struct ik_names {
  ik_arena    *a;
  int          n, nslot;
  const char **slot; /* hash table; NULL is free */
} ik_names;

/* Words of C, of its headers and `reserved` (NULL-terminated) are taken. */
void ik_names_init(ik_names *s, ik_arena *a, const char *const *reserved);
/* `wanted`, changed as little as it takes to be a name of C that has not been given yet. */
const char *ik_names_add(ik_names *s, const char *wanted);
