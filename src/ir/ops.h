/* ops.h: the operations of an expression, one line each.
 * IK_OP(NAME, text form, number of operands, floating-point operations it counts for).
 * No include guard: IK_OP is defined by whoever includes it. */

/* leaves */
IK_OP(CONST, "const", 0, 0)   /* value, already rounded to type */
IK_OP(READ, "read", 0, 0)     /* field id at level and offset */
IK_OP(SCALAR, "scalar", 0, 0) /* scalar id */
IK_OP(COORD, "coord", 0, 0)   /* index of the cell along axis id */
IK_OP(TIME, "time", 0, 0)     /* number of the step: the t of the level that is read or left */
IK_OP(NOISE, "noise", 0, 0)   /* uniform in [0,1) from a hash of value and the cell */
/* arithmetic: operands and result have the same type; rounded once, to nearest even */
IK_OP(NEG, "neg", 1, 0)
IK_OP(ADD, "add", 2, 1)
IK_OP(SUB, "sub", 2, 1)
IK_OP(MUL, "mul", 2, 1)
IK_OP(DIV, "div", 2, 1)
IK_OP(FMA, "fma", 3, 2) /* a*b + c, rounded once */
IK_OP(MIN, "min", 2, 1) /* a < b ? a : b */
IK_OP(MAX, "max", 2, 1) /* a > b ? a : b */
IK_OP(MOD, "mod", 2, 1) /* integers: remainder with the sign of the divisor */
IK_OP(ABS, "abs", 1, 0)
IK_OP(FLOOR, "floor", 1, 1)
IK_OP(SQRT, "sqrt", 1, 1)
/* elementary functions: evaluated in f64 by base/elementary.h, then rounded to type */
IK_OP(EXP, "exp", 1, 1)
IK_OP(LOG, "log", 1, 1)
IK_OP(SIN, "sin", 1, 1)
IK_OP(COS, "cos", 1, 1)
IK_OP(TAN, "tan", 1, 1)
IK_OP(TANH, "tanh", 1, 1)
IK_OP(ATAN, "atan", 1, 1)
IK_OP(POW, "pow", 2, 1)
IK_OP(TABLE, "table", 1, 0) /* table id at a position between entries; 0 beyond its ends */
/* comparisons: operands of one type, result bool */
IK_OP(LT, "lt", 2, 0)
IK_OP(LE, "le", 2, 0)
IK_OP(EQ, "eq", 2, 0)
IK_OP(NE, "ne", 2, 0)
/* bool */
IK_OP(NOT, "not", 1, 0)
IK_OP(AND, "and", 2, 0)
IK_OP(OR, "or", 2, 0)
/* others */
IK_OP(SELECT, "select", 3, 0) /* bool ? a : b; both sides have values, neither has effects */
IK_OP(CAST, "cast", 1, 0)     /* to type, rounded to nearest even; to i32: toward zero */
