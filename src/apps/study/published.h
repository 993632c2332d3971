/* published.h: a published table beside our own figures: what, published, ours, difference, remark.
 *
 *   ik_published_book b = {.text = text, .json = json};
 *   ik_published t = ik_published_open(&b, "Table C.2", "areas in mm2");
 *   ik_published_add(&t, "Jacobi2D", "438", 438.921, "cut, not rounded");
 *   ik_published_close(&t);
 *
 * `published` is the number as printed, after "<" where the source gives a bound; NULL: the source
 * has none.  `ours` is NaN where there is nothing to compute it from.  The difference is 0 when
 * ours has the printed digits once it is rounded, "0 cut" when it has them once the rest is cut
 * off, for a bound whether it holds, otherwise relative to what is published.
 */
#pragma once
#include "base/json.h"
#include "apps/study/table.h"
#include "apps/study/tally.h"

/* Where tables go, and how nearly their figures come out.  Figures with the printed digits have no
 * error; neither has a bound that holds. */
typedef struct ik_published_book {
  ik_buf  *text;
  ik_json *json;
  ik_tally tally[IK_TALLIES];
  int      absent; /* published, but nothing to compute ours from */
} ik_published_book;

typedef struct ik_published {
  ik_published_book *book;
  ik_buf            *text;
  ik_json           *json;
  ik_table           table;
  bool               calibrated; /* something of ours was chosen so that this table comes out */
} ik_published;

/* In JSON each table is an object in the array that is open: title, note, rows. */
ik_published ik_published_open(ik_published_book *b, const char *title, const char *note);
/* `remark` may be NULL. */
void ik_published_add(ik_published *t, const char *what, const char *published, double ours,
                      const char *remark);
void ik_published_close(ik_published *t);
