/* memory.h: what lies where in the memory of an element, and does it fit?
 *
 * In this order: columns of fields, level by level, with the cells beyond their ends that are read;
 * columns and numbers that the host provides; words that arrive; registers.
 */
#pragma once
#include "targets/simulated/wse2/map.h"

typedef struct ik_wse2_given { /* a column or a number from the host */
  const ik_expr *leaf;
  int            at;
} ik_wse2_given;

typedef struct ik_wse2_givens {
  ik_wse2_given *given;
  int            n, cap;
} ik_wse2_givens;

typedef struct ik_wse2_array { /* a field's columns */
  int at, length;              /* first word; words of one level */
  int pad;                     /* words before its first cell */
  int levels; /* with memory of their own: new values may take the place of the oldest */
} ik_wse2_array;

typedef struct ik_wse2_layout {
  const ik_wse2_mapping *map;
  ik_wse2_array         *field; /* [nfield] */
  ik_wse2_givens         made, number;
  int                    partial; /* the word that reductions combine */
  int                    buffer, reg, scratch;
  int                    words;
} ik_wse2_layout;

enum { IK_WSE2_SCRATCH = 3 }; /* vectors, for images of cells at borders: the operands of one MAP */

void ik_wse2_layout_of(const ik_wse2_mapping *m, ik_arena *a, ik_wse2_layout *out);

/* Chooses the pieces: as ik_wse2_chunks() says, or more of them until it fits.  E082 with the
 * figures if it never does. */
ik_status ik_wse2_memory_plan(ik_wse2_mapping *m, const ik_wse2_timing *t, ik_arena *a, ik_diag *d);

/* The word of a cell; z may be one of the cells beyond the ends that are read. */
int ik_wse2_word(const ik_wse2_layout *l, int field, int level, int64_t z);
/* Of what the host provides; -1: nothing. */
int ik_wse2_given_at(const ik_wse2_givens *g, const ik_expr *leaf);
/* Of cell z in a register: the first has room for a column, since results may have to wait until
 * all pieces are done; others for a piece that begins at `base`. */
int ik_wse2_register_at(const ik_wse2_layout *l, int reg, int64_t z, int64_t base);
/* Of a vector that arrives; slots are numbered by direction and distance from 0 on, or (box) by dy
 * and dx, axis x fastest. */
int ik_wse2_slot_at(const ik_wse2_layout *l, const ik_wse2_job *j, int exchange, int slot);
int ik_wse2_slot(const ik_wse2_exchange *x, int dx, int dy); /* of that sender */
int ik_wse2_slots(const ik_wse2_exchange *x);                /* how many there are */
int ik_wse2_slot_words(const ik_wse2_mapping *m, const ik_wse2_exchange *x);
