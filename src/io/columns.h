/* columns.h: numbers in a text, a row a line, as many in each: wavelets, positions, small tables.
 *
 * Blanks, tabs, commas and semicolons stand between numbers; a line that is empty or begins with #
 * or % is passed over.  What is no finite decimal number is an error with its line. */
#pragma once
#include "base/diag.h"
#include "io/array.h"

/* f64: n[0] numbers in a row, n[1] rows; with one number in each row, n[0] rows and one axis. E062,
 * E063, E072. */
ik_status ik_columns_read(const char *path, ik_span at, ik_array *out, ik_diag *d);
