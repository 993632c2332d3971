/* propose.h: what `ikat tune` measures on the CPU, and where what it finds holds. */
#pragma once
#include "targets/target.h"

/* Plans for the part of the program that takes the time: what the model ranks first, of every
 * number of fused steps the best, and, in between, neighbours of the first in what the model knows
 * little about: rows, vectors, tiles, stores; and waves, of which it knows nothing. */
int ik_cpu_propose(const ik_problem *p, ik_arena *a, ik_diag *d, ik_proposal *out, int most);

/* The machine: model, instruction set, cores and caches. */
ik_status ik_cpu_place(const ik_problem *p, ik_diag *d, uint64_t *machine, int *threads);
