/* compare.h: published figures of simulated machines beside what their simulations give: tables,
 * JSON, a chart of the differences, and whether each is within its bar. */
#pragma once
#include "base/json.h"
#include "runtime/simulated.h"

typedef struct ik_compared { /* one machine */
  const char             *machine;
  const ik_published_row *row; /* [n]; tables stand in the order of their first rows */
  int                     n;
} ik_compared;

/* Relative: 0.01 is one percent more than published; of what is published as zero, the figure
 * itself. */
double ik_compared_difference(const ik_published_row *r);
/* Within its bar; one that has none holds. */
bool ik_compared_holds(const ik_published_row *r);

/* Returns how many bars are missed.  In JSON the members `rows`, `bars` and `missed` of the object
 * that is open; `page` gets a chart. */
int ik_compared_write(const ik_compared *c, int n, ik_buf *text, ik_json *json, ik_buf *page);
