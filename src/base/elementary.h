/* elementary.h: exp, log, pow and friends with the same bits on every machine.
 *
 * Built from IEEE + - * /, fma() and integer operations on the bits alone, in round-to-nearest, so
 * that the interpreter and every target agree exactly.  The error is below one unit in the last
 * place, huge arguments included; against binary128 the largest seen in 10^7 arguments per range
 * was 0.64 for pow and 0.59 for the others.  Special cases are those of C99 Annex F; every NaN
 * result is the quiet one without sign or payload.  Compile with -ffp-contract=off.
 */
#pragma once

double ik_exp(double x);
double ik_log(double x);
double ik_pow(double x, double y);
double ik_sin(double x);
double ik_cos(double x);
double ik_tan(double x);
double ik_tanh(double x);
double ik_atan(double x);
