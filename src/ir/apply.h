/* apply.h: the meaning of one operation on numbers.  Every value of every type fits a double. */
#pragma once
#include "ir/ir.h"

/* The result of an operation that is no leaf and no TABLE, rounded to its type `t`.  Unused
 * operands are ignored.  What ops.h says of each operation is said here exactly: i32     + - * and
 * casts of whole numbers wrap; / truncates, and x/0 is 0; mod takes the sign of the divisor, and
 * mod(x, 0) is 0 min max b wherever the comparison does not hold, so also where a or b is NaN cast
 * to i32 truncates, saturates, and NaN becomes 0 */
double ik_apply(ik_op op, ik_type t, double a, double b, double c);

/* Between the entries of a table, linear; beyond its ends, zero. */
double ik_apply_table(const ik_samples *t, double x);
/* NOISE at a cell: uniform in [0,1). */
double ik_apply_noise(double seed, int64_t x, int64_t y, int64_t z);
