/* state.h: the values of a program at a moment: every level of every field, the scalars, the step.
 *
 * Plain arrays, axis 0 fastest; f16 and bf16 are held as their 16 bits.  Cells lie one after the
 * other, unless an engine wants its slices apart: those across the last axis of the grid, so rows
 * in 2D and planes in 3D, may have a gap between them.  Who looks at cells in any order but that of
 * rows asks where they lie.
 * Made once its size has been planned; the memory is zero at first.  Temporaries have no memory
 * unless an engine asks for it: where they live is the engine's business.
 */
#pragma once
#include "ir/ir.h"

typedef struct ik_slot {
  void   *level[IK_MAX_HISTORY + 1]; /* [0]: new (level 1), [1]: level 0, [2]: level -1, ... */
  int     nlevel;                    /* how many exist: level[first], ... */
  short   first;                     /* index of the first level that exists: 0 with u', else 1 */
  bool    folded;                    /* level[0] is the same array as the oldest level */
  bool    framed;                    /* gaps have what stands beyond the faces: see below */
  int64_t cells;
  int64_t slice, gap;                /* cells of a slice; elements between two that are no cells */
  size_t  bytes;                     /* of one level, gaps included */
  size_t  lead;                      /* bytes of owned[] before the level */
  void   *owned[IK_MAX_HISTORY + 1]; /* what ik_state_destroy frees */
  void   *bound;                     /* the user's array, or NULL */
} ik_slot;

typedef struct ik_state {
  const ik_ir *ir;
  ik_slot     *slot;     /* [nfield] */
  double      *scalar;   /* [nscalar] */
  int64_t      t;        /* steps done */
  double       injected; /* sum of |what sources added|: the scale of what was put in */
} ik_state;

/* Bytes that ik_state_create will allocate; those of the levels of one field; -1 if that
 * overflows. */
int64_t ik_state_bytes(const ik_ir *ir);
int64_t ik_state_field_bytes(const ik_ir *ir, int field);

/* Allocates; E072 if there is not enough. */
ik_status ik_state_create(const ik_ir *ir, ik_diag *d, ik_state **out);
void      ik_state_destroy(ik_state **s);
/* Gives a temporary its memory, if it has none yet. */
ik_status ik_state_add(ik_state *s, int field, ik_diag *d);

/* The next level of a field takes the place of its oldest one from now on, and its own memory is
 * given back; for those who have read a cell of the oldest level, for the last time, when they
 * write that of the next (lower/fold.h).  Before the first step. */
void ik_state_fold(ik_state *s, int field);
/* The levels of a field with u' as they will be after so many steps: its arrays take turns. */
void ik_state_turn(const ik_slot *from, int64_t steps, ik_slot *to);

/* Elements between slices, so that they do not fall on the same few sets of a cache; 0 where they
 * would not, or where gaps would take more than a part in 64. */
int64_t ik_state_gap(const ik_ir *ir, int field);
/* Bytes that all levels of a field have more with gaps. */
int64_t ik_state_gap_bytes(const ik_ir *ir, int field);
/* For tests: all fields that can have gaps get such ones, unless it is 0. */
extern int64_t ik_state_gap_always;

/* Leaves gaps between the slices of a field from now on.  Before it has values.
 * `frame`, if it is not NULL, is what stands in all gaps, and in a slice and a gap more before the
 * first one: there it is found beyond the faces of the last two axes, as far as a gap reaches. */
ik_status ik_state_spread(ik_state *s, int field, const double *frame, ik_diag *d);
/* Are gaps so wide, of elements, and so cheap is a slice more? */
bool    ik_state_can_frame(const ik_ir *ir, int field, int64_t elements);
int64_t ik_state_frame_bytes(const ik_ir *ir, int field); /* of all levels */
/* Makes cells zero, and nothing between them. */
void ik_state_clear(const ik_state *s, int field, int level, int64_t from, int64_t to);
/* Closes the gaps, for good: then there is no frame. */
void ik_state_pack(ik_state *s, int field);

/* Uses the caller's array as level 0 of a field; it must hold box cells of the field's type, one
 * after the other, stay until the state is destroyed or another is bound, and its values become
 * those of level 0.  Closes gaps. */
void ik_state_bind(ik_state *s, int field, void *array);
/* If level 0 of a bound field lies elsewhere after some steps, moves it home; no value changes. */
void ik_state_settle(ik_state *s);

void *ik_state_data(const ik_state *s, int field, int level);
void  ik_state_rotate(ik_state *s); /* u' becomes u, u becomes u[t-1], ...; t grows by one */
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
