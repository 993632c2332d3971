/* evaluate.h: an operation on numbers, where NaN stands for a number that is not known. */
#pragma once
#include "ir/ir.h"

/* Of the operation of `e`, which is no leaf, on its operands `v`; rounded to its type. */
double ik_evaluate(const ik_ir *ir, const ik_expr *e, const double v[3]);
