/* shape.h: passes as a CPU likes them: which of the hooks of lower/shaper.h does what, in the order
 * in which they are called. */
#pragma once
#include "lower/shaper.h"
#include "targets/cpu/shape/traits.h"

/* The statements of a list as passes of this processor's own; see ik_pipe_of(). */
void ik_shape_passes(const ik_ir *ir, const ik_stmt *list, int steps, const ik_plan *plan,
                     ik_arena *a, ik_pipe *out);

/* ---- among the files of this folder ---- */

const ik_traits *ik_shape_traits(const ik_draft *x);

/* tiles.c */
int64_t ik_shape_tile(const ik_draft *x, ik_role r, int64_t asked);
void    ik_shape_tiles(ik_draft *x);
int     ik_shape_planes(const ik_draft *x, int phase);
void    ik_shape_ring_rows(ik_draft *x);
/* Rows of a value that each stage handles before the next one does. */
int64_t ik_shape_rows_in_turn(const ik_draft *x, const ik_pipe_value *v);
void    ik_shape_phases(ik_draft *x);
/* rows_ahead.c: what is computed a row ahead of its reader; what nobody writes at the ends of rows.
 */
void ik_shape_rows_ahead(ik_draft *x);
/* ik_pipe_value.kept of what an op stores in vectors of so many lanes. */
int ik_shape_remainder(const ik_draft *x, int op, int lanes);
/* in_place.c: what is read where it lies. */
void ik_shape_in_place(ik_draft *x);
/* block.c */
void ik_shape_value(const ik_draft *x, const draft_buffer *b, bool inside, ik_pipe_value *v);
void ik_shape_kernel(ik_draft *x, const draft_unit *u, draft_kernel *k);
bool ik_shape_same(const ik_pipe_kernel *a, const ik_pipe_kernel *b);
/* Is it a small part of what the pass computes, like the layer at a face? */
bool ik_shape_is_minor(const ik_draft *x, const draft_unit *u);
/* prefetch.c: what a kernel prefetches while it computes, and of whom a stage prefetches it. */
void ik_shape_prefetch(const ik_draft *x, const draft_unit *u, draft_kernel *k);
void ik_shape_stage(ik_draft *x, const draft_kernel *k, const draft_kernel *inside, int phase,
                    ik_pipe_stage *s);
