/* fabric.h: a rectangle of elements with their routers, simulated cycle by cycle with real data.
 *
 * An element issues one word of one instruction a cycle (core.h).  A MAP that reads two vectors
 * from memory or more pays a part of a cycle more for each word, as the ports are busy; the end of
 * a send or a receive calls a task; both costs are figures of the machine (timing.h).
 */
#pragma once
#include "targets/simulated/wse2/core.h"

typedef struct ik_wse2_patch ik_wse2_patch;

/* nx by ny elements, x first.  radius: of each direction, 0 for one that is not used; a line must
 * have more elements than that.  programs: [ny*nx], borrowed.  Memories are zeroed.  E072. */
ik_status ik_wse2_patch_create(const ik_wse2_timing *t, int nx, int ny,
                               const int                     radius[IK_WSE2_DIRECTIONS],
                               const ik_wse2_program *const *programs, ik_diag *d,
                               ik_wse2_patch **out);
/* The same program for all of them. */
ik_status ik_wse2_patch_create_alike(const ik_wse2_timing *t, int nx, int ny,
                                     const int              radius[IK_WSE2_DIRECTIONS],
                                     const ik_wse2_program *program, ik_diag *d,
                                     ik_wse2_patch **out);
void      ik_wse2_patch_destroy(ik_wse2_patch **p);

/* The memory of an element, as many words as its program needs. */
float *ik_wse2_patch_memory(ik_wse2_patch *p, int x, int y);

/* Runs every element's program once, from its beginning.  `timeline` may be NULL; otherwise its
 * fields but `most` and `title` are set, and spans are added.  What comes out does not depend on
 * `threads`; with a timeline one is used. */
ik_mesh_end ik_wse2_patch_run(ik_wse2_patch *p, int threads, ik_timeline *timeline);

/* What an element did in the last run. */
const ik_wse2_counts *ik_wse2_patch_counts(const ik_wse2_patch *p, int x, int y);
/* The sum of that over all elements; `cycles`: of the slowest. */
ik_wse2_counts ik_wse2_patch_total(const ik_wse2_patch *p);
/* Words over the links between routers, in all runs so far, commands included. */
int64_t ik_wse2_patch_hops(const ik_wse2_patch *p);
