/* plainc.h: a whole program as one file of plain C99, for people: the passes of the lowering, each
 * over the whole grid; no vectors, no threads, nothing of ikat to link with.
 *
 * Run, it prints the hash of the result, and that is the interpreter's to the bit: operations stand
 * as the IR has them, and what C or a library leaves open (elementary functions, 16 bits, the order
 * of reductions) is taken from the sources of the interpreter.
 */
#pragma once
#include "base/diag.h"
#include "ir/ir.h"

/* Appends the file.  `text` is what the program was made of, shown in comments; NULL: nothing.
 * E084 if the program reads files, E072 without memory. */
ik_status ik_plainc_print(const ik_ir *ir, const ik_source *text, ik_diag *d, ik_buf *out);
