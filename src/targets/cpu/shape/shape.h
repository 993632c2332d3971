/* shape.h: passes as a CPU likes them: which of the hooks of lower/shaper.h does what, in the order
 * in which they are called. */
#pragma once
#include "emit/shape.h"
#include "lower/shaper.h"
#include "targets/cpu/shape/traits.h"

/* The statements of a list as passes of this processor's own; see ik_pipe_of(). */
void ik_shape_passes(const ik_ir *ir, const ik_stmt *list, int steps, const ik_plan *plan,
                     ik_arena *a, ik_pipe *out);

/* Are kernels that compute the same shaped alike, all steps and passes over? */
bool ik_shape_same(const ik_pipe_kernel *a, const ik_pipe_kernel *b);

/* Of a kernel that is not one of a pass, with so many values at most. */
const ik_kernel_shape *ik_shape_one_result(int lanes, int nvalue, ik_arena *a);

/* Passes with their shapes, as text. */
void ik_shape_print(const ik_ir *ir, const ik_pipe *p, ik_buf *out);

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

/* rows_ahead.c: what is computed a row ahead of its reader. */
void ik_shape_rows_ahead(ik_draft *x);
/* Are vectors lines of the cache, and rows those of rings? */
bool ik_shape_has_line_vectors(const ik_draft *x);

/* in_place.c: what is read where it lies. */
void ik_shape_in_place(ik_draft *x);

/* kernel.c */
void ik_shape_kernel(ik_draft *x, const draft_unit *u, draft_kernel *k);
void ik_shape_print_kernel(const ik_pipe_kernel *k, ik_buf *out);

/* stores.c: streaming stores; what nobody writes at the ends of rows. */
void ik_shape_streaming(const ik_draft *x, const draft_unit *u, draft_kernel *k);
void ik_shape_store_in_caches(draft_kernel *k);
void ik_shape_remainders(const ik_draft *x, const draft_unit *u, draft_kernel *k);

/* block.c: results at a time. */
void ik_shape_block(const ik_draft *x, const draft_unit *u, draft_kernel *k);
/* Is it a small part of what the pass computes, like the layer at a face? */
bool ik_shape_is_minor(const ik_draft *x, const draft_unit *u);

/* prefetch.c: what a kernel prefetches while it computes, and of whom a stage prefetches it. */
void ik_shape_prefetch(const ik_draft *x, const draft_unit *u, draft_kernel *k);
void ik_shape_stage(ik_draft *x, const draft_kernel *k, const draft_kernel *inside, int phase,
                    ik_pipe_stage *s);
