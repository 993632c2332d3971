/* extents.h: how far temporaries reach beyond what is written, and what each statement reads. */
#pragma once
#include "facts/pattern.h"

typedef struct ik_extent { /* cells beyond ik_subject.written; 0 where it ends within */
  int64_t lo[IK_MAX_DIM], hi[IK_MAX_DIM];
} ik_extent;

typedef struct ik_extents {
  const ik_extent *temp; /* [nfield] of temporaries; zero for stored fields */
  const ik_hull   *hull; /* [subject.n] of everything the statement reads, whatever the field */
  const ik_box    *read; /* [subject.n] cells it reads, beyond faces as well: its box and hull */
} ik_extents;

void ik_extents_of(const ik_ir *ir, const ik_subject *s, const ik_patterns *p, ik_arena *a,
                   ik_extents *out);
