/* layout.h: where the cells of every field and level lie in memory: extents, strides, padding,
 * alignment and the memory that holds them.
 *
 * A target says what its memory is like, and the layout follows from that and the program, before
 * anything is lowered.  Lowering finds out the rest: which temporaries outlive their pass, which
 * levels share an array, what stands beyond the faces.  The engine adds that to the layout, before
 * anything is allocated; then the state is made from it (state.h) and it does not change any more.
 *
 * Axis 0 is contiguous.  Cells lie one after the other, but between slices across the last axis of
 * the grid, so rows in 2D and planes in 3D, there may be padding.
 */
#pragma once
#include "ir/ir.h"

typedef enum ik_layout_space { IK_LAYOUT_HOST, IK_LAYOUT_DEVICE } ik_layout_space;

/* What a memory is like: figures of a machine. */
typedef struct ik_layout_machine {
  int64_t line_bytes;   /* of a cache */
  int64_t l1_way_bytes; /* addresses so far apart fall on the same set of the first cache, ... */
  int64_t l2_way_bytes; /* ... and of the second */
  int     halo_rows;    /* padding between planes should have room for so many rows, in which
                           kernels read what stands beyond a face */
  ik_layout_space space;
} ik_layout_machine;

typedef struct ik_layout_field {
  int64_t         n[IK_MAX_DIM];      /* cells along each axis */
  int64_t         stride[IK_MAX_DIM]; /* elements from a cell to the next along an axis */
  int64_t         cells;              /* of a level; 0: it has none, or too many */
  int64_t         slice, padding;     /* cells of a slice, elements behind each; all cells, and 0 */
  int64_t         bytes;          /* of a level, padding included; -1: more than can be addressed */
  int             element, align; /* bytes of a value; arrays begin at a multiple of so many */
  ik_layout_space space;
  int             first;  /* the newest level that exists is 1 - first: 0 with u', else 1 */
  int             levels; /* that exist */
  bool            stored; /* has memory: all but the temporaries that live within a pass */
  bool            folded; /* level 1 is in the array of the oldest level */
  int             ahead;  /* levels beyond 1 that have an array */
  int64_t         room;   /* bytes of a slice before the first one, padding on either side, where
                             that is cheap; else 0 */
  bool filled;            /* the padding holds `beyond`, and so do those bytes: what stands beyond
                             the faces of the last two axes, as far as the padding reaches */
  double beyond;
} ik_layout_field;

typedef struct ik_layout {
  const ik_ir     *ir;
  ik_layout_field *field; /* [nfield] */
} ik_layout;

/* Fills in `field`, which has room for all.  `m` NULL: cells lie one after the other. */
void ik_layout_of(const ik_ir *ir, const ik_layout_machine *m, ik_layout_field *field,
                  ik_layout *out);
/* That of a field; `l` NULL: cells lie one after the other. */
ik_layout_field ik_layout_at(const ik_ir *ir, const ik_layout *l, int field);

/* What lowering has found out, before anything is allocated. */
void ik_layout_store(ik_layout *l, int field); /* a temporary has memory */
void ik_layout_unpad(ik_layout *l);            /* somebody wants cells one after the other */
/* u' is written where the oldest level is read for the last time (lower/fold.h). */
void ik_layout_fold(ik_layout *l, int field);
/* Several steps in one pass make levels 1 to 1 + `ahead`, and overwrite none that they read. */
void ik_layout_ahead(ik_layout *l, int field, int ahead);
/* The padding holds a number, if there is any. */
void ik_layout_fill(ik_layout *l, int field, double beyond);
/* Can it, and does it reach so many elements beyond each face? */
bool ik_layout_can_fill(const ik_layout_field *f, int64_t elements);

/* Bytes before the first cell of an array. */
int64_t ik_layout_before(const ik_layout_field *f);
/* Bytes of all arrays of a field, stored or not; -1 if that overflows. */
int64_t ik_layout_field_bytes(const ik_layout_field *f);
/* Bytes that they have beside cells, at most: when the padding is filled. */
int64_t ik_layout_padding_bytes(const ik_layout_field *f);
/* Bytes of a state with that layout (NULL as above); -1 if that overflows. */
int64_t ik_layout_bytes(const ik_ir *ir, const ik_layout *l);

/* Text for --dump layout: a line for each level. */
void ik_layout_print(const ik_ir *ir, const ik_layout *l, ik_buf *out);

/* For tests: all fields that can be padded are, with so many elements, unless it is 0. */
extern int64_t ik_layout_padding_always;
