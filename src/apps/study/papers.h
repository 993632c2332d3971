/* papers.h: the published tables of the papers that the models come from, beside what the models
 * give: published, ours, difference; and where a paper contradicts itself, why.
 *
 * Each writes tables for a person, and adds one member to the object that is open in the JSON:
 * "paper000" or "paper003".
 */
#pragma once
#include "base/json.h"
#include "apps/study/published.h"
#include "apps/study/units.h"

/* "Do We Need Tensor Cores for Stencil Computations?": Tables 2 to 4, figure 10. */
void ik_paper000_write(ik_published_book *b);
/* Its cases as points under the roofs of the machine `m`, which is the paper's; how many. */
enum { IK_PAPER000_POINTS = 13 };
int ik_paper000_points(const ik_machine *m, ik_units_point out[IK_PAPER000_POINTS]);

/* "Analytical Cost Metrics". */
void ik_paper003_write(ik_published_book *b);
