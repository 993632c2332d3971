/* memory.h: what the state of a program will occupy, before anything is allocated. */
#pragma once
#include "facts/subject.h"

typedef struct ik_memory {
  int64_t        total; /* bytes that ik_state_create allocates; -1: more than can be addressed */
  const int64_t *field; /* [nfield] all levels of it; -1 likewise */
} ik_memory;

void ik_memory_of(const ik_ir *ir, ik_arena *a, ik_memory *out);
