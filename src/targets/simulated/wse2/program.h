/* program.h: statements as the instructions of an element (element.h).
 *
 * A column is worked on in pieces.  For each the element broadcasts its own cells and receives
 * those of its neighbours, multiplied on arrival where the code says so; computes; and sends the
 * next piece as soon as nothing that arrived is needed any more.  As in the paper, an element
 * that hears itself adds that up in every direction, with coefficient zero in all but the first.
 * Words that a box needs from diagonals come over two broadcasts, along x and then along y.
 *
 * Elements at borders differ: what would come from beyond a face is the boundary's constant, or
 * another column that arrived (mirror, copy).
 */
#pragma once
#include "targets/simulated/wse2/memory.h"

/* For the element at a place of the grid, for statements from `first` up to `end` that are jobs;
 * others (numbers) take no time.  `step`: they are those of a time step. */
const ik_wse2_program *ik_wse2_program_of(const ik_wse2_layout *l, const ik_stmt *first,
                                          const ik_stmt *end, const int64_t at[2], bool step,
                                          ik_arena *a);
