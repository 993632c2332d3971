/* linear.h: is a step linear in the fields it updates, and with which weights?
 *
 * Linear: each new value is a sum of weights times values of updated fields, plus a rest that does
 * not depend on them.  Where no update depends on updated fields (out = f(in)), the field whose
 * pattern is shown takes their place.  Constant: all those weights are numbers.  A weight may also
 * depend on what the step does not update (another field, a scalar, coordinates, time): such
 * weights are known once these leaves are frozen at some value, which the caller supplies.
 */
#pragma once
#include "facts/pattern.h"

typedef struct ik_coef { /* weight of a value of an updated field, or of what depends on one */
  ik_point at;
  double   weight;
} ik_coef;

typedef struct ik_coefs {
  int            n;
  const ik_coef *c; /* [n] distinct points, in order of ik_point_compare */
} ik_coefs;

typedef struct ik_form { /* one statement; only that of an ASSIGN is filled in */
  bool     depends;      /* on updated fields at all */
  bool     linear;       /* the rest holds only if so */
  bool     constant;
  bool     homogeneous; /* no rest */
  double   rest;        /* with frozen leaves; NaN where one is not known */
  ik_coefs reads;       /* points as the statement reads them; NaN where a leaf is not known */
} ik_form;

typedef struct ik_linear {
  bool           linear, constant, homogeneous; /* of all statements */
  int            input;   /* the field that takes the place of updated ones; -1 without */
  const ik_stmt *breaker; /* the first that is not linear, or NULL */
  const ik_form *form;    /* [subject.n] */
} ik_linear;

/* The value at which a leaf that the step does not change is frozen: a READ of a field that it does
 * not update, SCALAR, COORD, TIME or NOISE.  NaN: not known. */
typedef double (*ik_frozen)(void *ctx, const ik_expr *leaf);

/* `frozen` may be NULL: then only weights that are constant are known. */
void ik_linear_of(const ik_ir *ir, const ik_subject *s, const ik_patterns *p, ik_frozen frozen,
                  void *ctx, ik_arena *a, ik_linear *out);

/* The weights of the new values of all updated fields in terms of the values before the step:
 * temporaries and earlier stages read through.  [nfield], NULL for others.  Main statements of a
 * linear step only; what a sweep makes is not read through. */
const ik_coefs *const *ik_linear_after(const ik_ir *ir, const ik_subject *s, const ik_linear *l,
                                       ik_arena *a);

/* Facts about a program as if one of its loops were the only one. */
typedef struct ik_linear_loop {
  ik_ir       ir; /* that program */
  ik_stmt     loop;
  ik_subject  subject;
  ik_patterns pattern;
  ik_linear   linear;
} ik_linear_loop;

const ik_linear_loop *ik_linear_loop_of(const ik_ir *ir, const ik_stmt *loop, ik_frozen frozen,
                                        void *ctx, ik_arena *a);

/* `reads` with every point that has an entry in `value` (by ik_value_of) replaced by it. */
ik_coefs *ik_coefs_through(const ik_coefs *reads, const ik_coefs *const *value, ik_arena *a);
/* Widens a hull, which holds the centre, to hold all points. */
void ik_coefs_extend(ik_hull *h, const ik_coefs *c);
