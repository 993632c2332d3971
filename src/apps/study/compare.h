/* compare.h: published figures of simulated machines beside what their simulations give: tables,
 * JSON, a chart of the errors, and how many are near; those that were fitted counted apart. */
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
/* Within its bar; one that has none holds.  Where they are published does not matter. */
bool ik_compared_holds(const ik_published_row *r);

/* Returns how many are outside their bar, which says that the simulation has changed.  In JSON the
 * members `rows`, `predicted`, `calibrated` and `changed` of the object that is open; `page` gets a
 * chart. */
int ik_compared_write(const ik_compared *c, int n, ik_buf *text, ik_json *json, ik_buf *page);
