/* spell_array.h: the fields of a program as arrays of C, with an index for each axis, the
 * contiguous one last: u[z][y][x - 1].
 *
 * An array begins with cell 0, or before it where a temporary has cells beyond the grid.  Extents
 * are called NX, NY and NZ, and what is near them NX - 1.
 */
#pragma once
#include "ir/spell.h"

typedef struct ik_spell_field {
  const char
      *level[IK_MAX_HISTORY + 1]; /* what u', u, u[t-1], ... are called; NULL: there is none */
  int  axis, planes; /* only so many planes along it exist, z as number z % planes; 0: all */
} ik_spell_field;

typedef struct ik_spell_arrays {
  const ik_ir *ir;
  ik_arena    *a;
  bool (*is_taken)(const char *name); /* does it mean something else in the text? */
  const char     *axis[IK_MAX_DIM];   /* the index along each, "0" beyond the grid's */
  ik_spell_field *field;              /* [nfield] */
  const char    **name;               /* [nname] that have been given to something */
  int             nname, cap;
} ik_spell_arrays;

/* Names for axes and arrays.  All but `ir`, `a` and `is_taken` is made. */
void ik_spell_name_arrays(ik_spell_arrays *x);
/* One that nothing else has: as wanted, or with something behind it. */
const char *ik_spell_name(ik_spell_arrays *x, const char *wanted);

const char *ik_spell_in_parentheses(const char *text, ik_arena *a); /* unless it is a word */
/* A number of cells along an axis: "NX - 1" */
const char *ik_spell_cells(const ik_spell_arrays *x, int axis, int64_t n);
/* "for (long x = 0; x < NX; x++)"; from the last one down where `dir` is -1. */
const char *ik_spell_loop(const ik_spell_arrays *x, int axis, int64_t lo, int64_t hi, int dir);
/* " && x >= 2": what tells cells of a box from others, if indices go from lo to hi; "": nothing. */
const char *ik_spell_within(const ik_spell_arrays *x, const ik_box *b, int axis, int64_t lo,
                            int64_t hi);
/* The number of a row among those of a box: "z*NY + y". */
const char *ik_spell_row(const ik_spell_arrays *x, const ik_box *b);
/* The cell that an array begins with. */
int64_t ik_spell_first_cell(const ik_field *f, int axis);
/* "(*u)[NY][NX]": by a pointer to the cells across its last axis; and how many there are. */
const char *ik_spell_declarator(const ik_spell_arrays *x, int field, const char *name);
const char *ik_spell_outer_extent(const ik_spell_arrays *x, int field);
/* At an offset from the indices (NULL: there) "[y][x - 1]" or, for a function, ", y, x - 1"; and
 * the cell of an array. */
const char *ik_spell_indices(const ik_spell_arrays *x, int field, const int *off,
                             const char *before, const char *after);
const char *ik_spell_cell(const ik_spell_arrays *x, int field, const char *array, const int *off);
