/* spell_face.h: what stands beyond the faces of a field, as C. */
#pragma once
#include "ir/spell_array.h"

/* A function that returns any cell of an array of a field, also beyond its faces.  It has the
 * array, t if what stands there depends on the step (ik_bound_changes), and the indices, as
 * ik_spell_indices() has them; these become those of the cell that stands for it, unless a value
 * does.  What it calls is of ir/bound.c. */
void ik_spell_face(const ik_spelling *s, const ik_spell_arrays *x, int field, const char *name,
                   ik_buf *out);
