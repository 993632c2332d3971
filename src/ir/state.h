/* state.h: the values of a program at a moment: every level of every field, the scalars, the step.
 *
 * Arrays that lie as a layout says (layout.h), axis 0 fastest; f16 and bf16 are held as their 16
 * bits.  Made once its size has been planned; the memory is zero at first, and where it lies is
 * never changed.  Who looks at cells in any order but that of rows asks where they lie.
 * Temporaries have no memory unless the layout says so, or an engine asks for it later.
 */
#pragma once
#include "ir/layout.h"

enum { IK_STATE_ARRAYS = 2 * IK_MAX_HISTORY }; /* of a field, at most */

typedef struct ik_slot {
  const ik_layout_field *layout; /* where its cells are */
  void *level[IK_STATE_ARRAYS];  /* [0]: new (level 1), [1]: level 0, [2]: level -1, ...; behind the
                                    oldest, those ahead of level 1, the furthest first */
  int   nlevel;                  /* how many exist: level[first], ...; 0: it has no memory */
  short first;                   /* index of the first level that exists: 0 with u', else 1 */
  void *owned[IK_STATE_ARRAYS];  /* what ik_state_destroy frees */
  void *bound;                   /* the user's array, or NULL */
} ik_slot;

typedef struct ik_state {
  const ik_ir     *ir;
  ik_layout_field *layout;   /* [nfield] */
  ik_slot         *slot;     /* [nfield] */
  double          *scalar;   /* [nscalar] */
  int64_t          t;        /* steps done */
  double           injected; /* sum of |what sources added|: the scale of what was put in */
} ik_state;

/* Bytes of a state whose cells lie one after the other; of the levels of one field; -1 if that
 * overflows. */
int64_t ik_state_bytes(const ik_ir *ir);
int64_t ik_state_field_bytes(const ik_ir *ir, int field);

/* Allocates what a layout says, which is copied; E072 if there is not enough memory. */
ik_status ik_state_create_in(const ik_ir *ir, const ik_layout *l, ik_diag *d, ik_state **out);
/* Cells lie one after the other. */
ik_status ik_state_create(const ik_ir *ir, ik_diag *d, ik_state **out);
void      ik_state_destroy(ik_state **s);
/* Its arrays are those that a layout of the same program asks for.  It may serve another run then:
 * as at first, but for what is in the arrays. */
bool ik_state_suits(const ik_state *s, const ik_layout *l);
void ik_state_restart(ik_state *s);
/* Gives a temporary its memory, if it has none yet. */
ik_status ik_state_add(ik_state *s, int field, ik_diag *d);

/* The levels of a field with u' as they will be after so many steps: its arrays take turns. */
void ik_state_turn(const ik_slot *from, int64_t steps, ik_slot *to);
/* Makes cells zero, and nothing between them. */
void ik_state_clear(const ik_state *s, int field, int level, int64_t from, int64_t to);
/* The cells of a level, to an array where they lie one after the other, and from there. */
void ik_state_copy_out(const ik_state *s, int field, int level, void *array);
void ik_state_copy_in(ik_state *s, int field, int level, const void *array);
/* Some cells of a level, from another state of the same program, whose layout may be another. */
void ik_state_copy(const ik_state *from, const ik_state *to, int field, int level, int64_t first,
                   int64_t end);

/* The caller's array stands for level 0 of a field; it must hold box cells of the field's type, one
 * after the other, stay until the state is destroyed or another is bound, and its values become
 * those of level 0.  If the field lies so itself, the array takes part; else its values are
 * copied. */
void ik_state_bind(ik_state *s, int field, void *array);
/* Level 0 of bound fields has what the caller has put into their arrays. */
void ik_state_take_bound(ik_state *s);
/* The arrays of bound fields have level 0; no value changes. */
void ik_state_settle(ik_state *s);

void *ik_state_data(const ik_state *s, int field, int level);
void  ik_state_rotate(ik_state *s); /* u' becomes u, u becomes u[t-1], ...; t grows by one */
/* So many steps were made without a turn, and wrote of each field the levels that it keeps, the
 * newest furthest ahead: that is level 1 now; t grows by as many. */
void ik_state_skip(ik_state *s, int64_t steps);
/* The element in which a cell lies, and how many there are to the next cell along an axis. */
int64_t ik_state_index(const ik_state *s, int field, const int64_t at[IK_MAX_DIM]);
int64_t ik_state_stride(const ik_state *s, int field, int axis);
/* That of the i-th cell, counted as if there were no gaps; *n is lowered to how many lie one after
 * the other from there on. */
int64_t ik_state_cell(const ik_state *s, int field, int64_t i, int64_t *n);

/* The first cell of a row along axis 0. */
void *ik_state_row(const ik_state *s, int field, int level, int64_t y, int64_t z);

/* One value, exactly; for tests, sources, receivers and pictures. */
double ik_state_get(const ik_state *s, int field, int level, const int64_t at[IK_MAX_DIM]);
void   ik_state_put(ik_state *s, int field, int level, const int64_t at[IK_MAX_DIM], double v);

/* Rows of `n` values between storage and double, from element `first`. */
void ik_state_load_row(ik_type t, const void *data, int64_t first, int64_t n, double *out);
void ik_state_store_row(ik_type t, void *data, int64_t first, int64_t n, const double *in);

uint64_t ik_state_hash_field(const ik_state *s, int field); /* level 0 */
/* Of the hashes of all USER fields, level 0, in order of declaration; of a single one, its own. */
uint64_t ik_state_hash(const ik_state *s);
