/* table.h: rows of cells, which are lined up when all are there.
 *
 *   ik_table t = {0};
 *   ik_table_row(&t, "%s\t%d\t%.3g", name, n, seconds);   cells are separated by tabs
 *   ik_table_write(&t, out);
 *
 * Columns in which every cell of the body begins with a digit, a sign or a dash stand to the right,
 * others to the left.  The first row is the head.  Cells hold UTF-8; a character is one column
 * wide.
 */
#pragma once
#include "base/buf.h"

typedef struct ik_table {
  ik_buf text; /* rows as they came */
} ik_table;

void ik_table_row(ik_table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A paragraph in lines of at most 100 columns: the first behind `indent` spaces, the others behind
 * `hang`. */
void ik_table_wrap(const char *text, int indent, int hang, ik_buf *out);

/* Writes the table behind `indent` spaces, and empties it. */
void ik_table_write(ik_table *t, int indent, ik_buf *out);
