/* maker.h: an element's program in the making; for talk.c, operand.c and program.c alone. */
#pragma once
#include "targets/simulated/wse2/memory.h"

/* What an element wants of an exchange: the same for all pieces. */
typedef struct ik_wse2_wants {
  ik_wse2_take *take;  /* [slots] kind, place and coefficient */
  bool          heard; /* it adds up what it hears of itself */
} ik_wse2_wants;

typedef struct ik_wse2_maker {
  const ik_wse2_layout *l;
  const int64_t        *at; /* the element's place */
  ik_arena             *a;
  ik_wse2_instr        *instr;
  int                   n, cap;
  /* the jobs at hand, which have the same exchanges */
  const ik_wse2_job *job;
  int                njob;
  bool               inside; /* the element is one of some statement's */
  ik_wse2_wants     *wants;  /* [nexchange] */
} ik_wse2_maker;

typedef struct ik_wse2_piece { /* cells z .. z + n - 1 of columns */
  const ik_wse2_job *job;
  int64_t            z, base; /* base: the first cell that was sent with it, dz aside */
  int                n;
  unsigned           heard; /* directions whose own words have been added, 1 << direction */
} ik_wse2_piece;

typedef struct ik_wse2_from { /* who an element gets a column from */
  bool there;                 /* otherwise a boundary value stands in its place */
  bool negated;               /* an image that changes sign */
  bool direct;                /* no image */
  int  dx, dy;
} ik_wse2_from;

static inline const ik_ir *ik_wse2_ir_of(const ik_wse2_maker *m) { return m->l->map->ir; }

static inline ik_wse2_operand ik_wse2_vector(int at, bool column) {
  return column ? IK_WSE2_AT(at) : IK_WSE2_SCALAR(at);
}

/* ---- instructions (talk.c) ---- */

void ik_wse2_put(ik_wse2_maker *m, ik_wse2_instr i);
void ik_wse2_put_map(ik_wse2_maker *m, const char *what, ik_op op, int n, ik_wse2_operand dst,
                     const ik_wse2_operand *arg);
void ik_wse2_put_copy(ik_wse2_maker *m, const char *what, int n, ik_wse2_operand dst,
                      ik_wse2_operand from);
void ik_wse2_put_await(ik_wse2_maker *m);

/* ---- exchanges (talk.c) ---- */

/* Is the element one of a statement's? */
bool         ik_wse2_is_inside(const ik_wse2_maker *m, const ik_stmt *s);
ik_wse2_from ik_wse2_from_of(const ik_wse2_maker *m, const ik_expr *e);
/* The exchange that brings a column of a field, which there is. */
int ik_wse2_exchange_of(const ik_wse2_job *j, const ik_expr *e);
/* The slot of what an element hears of itself in a direction; those of neighbours follow. */
int ik_wse2_first_slot(const ik_wse2_exchange *x, int d);

/* Fills in `inside` and `wants`. */
void ik_wse2_make_wants(ik_wse2_maker *m);
bool ik_wse2_is_scaled(const ik_wse2_maker *m, const ik_wse2_job *j, const ik_wse2_value *v,
                       ik_wse2_from s);
/* All broadcasts of a piece but the wait for the last; false if there is none. */
bool ik_wse2_send_all(ik_wse2_maker *m, const ik_wse2_piece *p);

/* ---- operands (operand.c) ---- */

/* Fills in the cells above and below columns that show others, for cells z .. z + n - 1. */
void ik_wse2_show_images(ik_wse2_maker *m, const ik_wse2_job *j, int64_t z, int64_t n);
/* Where a value is; it may have to be made, in a scratch vector for the k-th operand. */
ik_wse2_operand ik_wse2_operand_of(ik_wse2_maker *m, const ik_wse2_piece *p, int value, int k);
