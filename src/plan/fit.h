/* fit.h: what the model of the CPU (model/pipeline.h) is told about a machine.
 *
 * Its constants were fitted on two machines, whose descriptions have them as model.*: one with wide
 * vectors (generic-cpu, 64 bytes), one with narrow ones (neoverse-v1, 16 bytes).  Another machine
 * has those of the one whose vectors are more like its own.
 */
#pragma once
#include "machine/machine.h"
#include "model/pipeline.h"

/* The constants for vectors of that width, without the sizes of caches; static.  Read once. */
const ik_pipeline_machine *ik_fit_kind(int vector_bytes, ik_arena *a);

/* The same, as far as `m` tells nothing better.  What `ikat machine probe` measures is what these
 * constants stand for, but not their size: a fitted one also holds what the model leaves out.  So
 * each is multiplied by how much slower or faster the figure is here than on the machine of the
 * fit, if both have it. */
ik_pipeline_machine ik_fit_cpu(const ik_machine *m, int vector_bytes, ik_arena *a);
