/* published.h: a published table beside our own figures: what, published, ours, difference, remark.
 *
 *   ik_published t = ik_published_open(text, json, "Table C.2", "areas in mm2");
 *   ik_published_row(&t, "Jacobi2D", "438", 438.921, "cut, not rounded");
 *   ik_published_close(&t);
 *
 * `published` is the number as printed, after "<" where the source gives a bound; NULL: the source
 * has none.  `ours` is NaN where there is nothing to compute it from.  The difference is 0 when
 * ours has the printed digits once it is rounded, "0 cut" when it has them once the rest is cut
 * off, for a bound whether it holds, otherwise relative to what is published.
 */
#pragma once
#include "base/json.h"
#include "study/table.h"

typedef struct ik_published {
  ik_buf  *text;
  ik_json *json;
  ik_table table;
} ik_published;

/* In JSON each table is an object in the array that is open: title, note, rows. */
ik_published ik_published_open(ik_buf *text, ik_json *json, const char *title, const char *note);
/* `remark` may be NULL. */
void ik_published_row(ik_published *t, const char *what, const char *published, double ours,
                      const char *remark);
void ik_published_close(ik_published *t);
