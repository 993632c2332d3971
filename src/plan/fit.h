/* fit.h: what the model of the CPU (model/pipeline.h) is told about a machine.
 *
 * Its constants were fitted on some machines, whose descriptions have them as model.*: one with
 * wide vectors (generic-cpu, 64 bytes), one with narrow ones (neoverse-v1, 16 bytes), and those of
 * some processors.  Another machine has those of the one whose vectors are more like its own, until
 * `ikat bench model --fit` finds its own.
 */
#pragma once
#include "machine/machine.h"
#include "model/pipeline.h"
#include <stddef.h>

typedef struct ik_fit_constant {
  const char *key, *unit;  /* of the figure */
  size_t      at;          /* in an ik_pipeline_machine */
  double      least, most; /* that a fit may give it; both 0: it is no constant of a fit */
} ik_fit_constant;

const ik_fit_constant *ik_fit_constants(int *n); /* static */
double                *ik_fit_value(ik_pipeline_machine *m, const ik_fit_constant *c);

/* The constants for vectors of that width on that processor ("ARM Neoverse N1"; NULL or another
 * one: on any), without the sizes of caches; static.  Read once. */
const ik_pipeline_machine *ik_fit_kind(int vector_bytes, const char *cpu, ik_arena *a);

/* Those that `m` has of its own; else the same as above, as far as `m` tells nothing better.  What
 * `ikat machine probe` measures is what these constants stand for, but not their size: a fitted one
 * also holds what the model leaves out.  So each is multiplied by how much slower or faster the
 * figure is here than on the machine of the fit, if both have it. */
ik_pipeline_machine ik_fit_cpu(const ik_machine *m, int vector_bytes, ik_arena *a);

/* Puts them into the file of this machine's figures, in place of those that it has (keep.c).  E062,
 * E064, E072. */
ik_status ik_fit_keep(const char *path, const ik_pipeline_machine *m, int vector_bytes, ik_diag *d);
