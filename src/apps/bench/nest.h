/* nest.h: the loop of any program as plain C: what a good programmer writes by hand who does not
 * think about machines.
 *
 * Statements over the same cells, of which none reads a neighbour that another writes, share a nest
 * of loops, OpenMP over the outermost axis, `simd` on the innermost.  Arrays have cells around them
 * for what is read beyond faces: values that stay are put there once, others before the nest that
 * reads them.  Temporaries are arrays, or variables where they are read in their own nest alone.
 * Levels change places by their pointers.  A sweep goes in its order, threads share the axes along
 * which its columns are independent.  Sources are added; receivers are left out.
 *
 * Nothing here is tiled, and sums may be formed in another order: it agrees with the interpreter to
 * rounding, and is what the engine is held against.
 */
#pragma once
#include "base/buf.h"
#include "ir/ir.h"

typedef struct ik_nest_field { /* the arrays of a field */
  int  first, n;               /* u' (if there is one), u, u[t-1], ..., and perhaps a spare one */
  bool assigned;               /* in the loop */
  bool local;                  /* a temporary that is a variable: no array */
  bool spare;                  /* the last array is for new values that neighbours are read for */
  int  halo[IK_MAX_DIM][2];    /* cells beyond the faces that are read */
  long stride[IK_MAX_DIM];     /* elements; 0 along axes that the field is not on */
  long origin, elements;       /* elements before cell (0, 0, 0), of an array */
} ik_nest_field;

typedef struct ik_nest {
  const ik_ir   *ir;
  const ik_stmt *loop;  /* the first STEPS or REPEAT */
  ik_nest_field *field; /* [ir->nfield] */
  int            narray;
} ik_nest;

/* What stands in the loop, and the arrays it needs.  Returns why it cannot be written, in words, or
 * NULL. */
const char *ik_nest_of(const ik_ir *ir, ik_arena *a, ik_nest *out);

/* Index of the array of a level. */
static inline int ik_nest_array(const ik_nest *n, int field, int level) {
  return n->field[field].first + n->ir->field[field].has_new - level;
}

/* The cell that a source adds to, as a box. */
static inline ik_box ik_nest_cell_of(const ik_tap *t) {
  ik_box b;
  for (int d = 0; d < IK_MAX_DIM; d++) b.lo[d] = t->at[d], b.hi[d] = t->at[d] + 1;
  return b;
}

/* Where the nest that begins with an assignment ends.  `sweep` is the one around it, or NULL. */
const ik_stmt *ik_nest_end(const ik_stmt *first, const ik_stmt *sweep);
/* Does it read neighbours of the cells it writes (in a sweep: at the same index)? */
bool ik_nest_reads_itself(const ik_stmt *s, const ik_stmt *sweep);
bool ik_nest_is_swept(const ik_stmt *sweep, int axis);

/* Appends the text, for a compiler that has seen bench/cpu/plain/nest.h before it. */
void ik_nest_write(const ik_nest *n, ik_arena *a, ik_buf *out);

/* nest_expr.c */
/* The names of an array, of a variable for a scalar, of the index of a field's cells. */
const char *ik_nest_array_name(const ik_nest *n, int field, int level, ik_arena *a);
const char *ik_nest_scalar_name(const ik_nest *n, int scalar, ik_arena *a);
const char *ik_nest_index_name(const ik_nest *n, int field, ik_arena *a);
/* The value at cell (x, y, z) after t steps. */
void ik_nest_write_expr(const ik_nest *n, const ik_expr *e, ik_arena *a, ik_buf *out);
