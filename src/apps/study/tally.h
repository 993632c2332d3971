/* tally.h: how many published figures come out how nearly: every one of them counts.
 *
 * Figures that constants were fitted to are counted apart: they tell how well a fit holds, the
 * others how well a model predicts.
 */
#pragma once
#include "base/json.h"

typedef struct ik_tally {
  int rows;
  int within[3]; /* 5, 10 and 20 % of what is published, each with those before */
} ik_tally;

enum { IK_TALLY_PREDICTED, IK_TALLY_CALIBRATED, IK_TALLIES };

/* The error is relative; NaN counts as missed. */
void ik_tally_add(ik_tally *t, double error);
/* "5 %", "10 %", "20 %" or "MISSED": where an error belongs. */
const char *ik_tally_class(double error);

/* A line for each kind; nothing of one without rows. */
void ik_tally_text(const ik_tally t[IK_TALLIES], ik_buf *out);
/* Members `predicted` and `calibrated` of the object that is open. */
void ik_tally_json(const ik_tally t[IK_TALLIES], ik_json *j);
