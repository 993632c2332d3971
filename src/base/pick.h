/* pick.h: the parts of a C source that another text needs.
 *
 * A part is what stands between two blank lines, and holds whole definitions.  Generated code that
 * shall stand alone takes what it calls from the sources of the library itself, so that it computes
 * the same bits.
 */
#pragma once
#include "base/arena.h"
#include <stdbool.h>

/* Does a word stand in C code, outside of comments? */
bool ik_pick_has(const char *code, const char *word);

/* Does a source define it, for all that follows? */
bool ik_pick_defines(const char *source, const char *word);

/* The parts of `source` that define what stands in `code`, and what those parts need, in the order
 * of the source; functions become static. */
const char *ik_pick(const char *source, const char *code, ik_arena *a);
/* The same of several files that the library carries (base/embed.h): each gives what those behind
 * it need, too. */
const char *ik_pick_files(const char *const *name, int n, const char *code, ik_arena *a);
