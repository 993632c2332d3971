#include "apps/study/tally.h"
#include <math.h>

static const double percent[] = {5, 10, 20};
enum { CLASSES = 3 };

/* A hair more than a limit is rounding. */
static bool is_within(double error, int k) {
  return fabs(error) <= percent[k] / 100 * (1 + 1e-9); /* not for NaN */
}

void ik_tally_add(ik_tally *t, double error) {
  t->rows++;
  for (int k = 0; k < CLASSES; k++) t->within[k] += is_within(error, k);
}

const char *ik_tally_class(double error) {
  static const char *const name[] = {"5 %", "10 %", "20 %", "MISSED"};
  int                      k = 0;
  while (k < CLASSES && !is_within(error, k)) k++;
  return name[k];
}

static const char *const kind[IK_TALLIES] = {"predicted", "calibrated"};

void ik_tally_text(const ik_tally t[IK_TALLIES], ik_buf *out) {
  for (int i = 0; i < IK_TALLIES; i++)
    if (t[i].rows)
      ik_buf_printf(
          out, "%-10s  %3d figures: %d within 5 %%, %d within 10 %%, %d within 20 %%, %d missed\n",
          kind[i], t[i].rows, t[i].within[0], t[i].within[1], t[i].within[2],
          t[i].rows - t[i].within[2]);
  if (t[IK_TALLY_CALIBRATED].rows)
    ik_buf_puts(out,
                "Calibrated: constants were fitted to these figures of the same publication, which "
                "tells of the\nfit, not of the prediction.\n");
}

void ik_tally_json(const ik_tally t[IK_TALLIES], ik_json *j) {
  for (int i = 0; i < IK_TALLIES; i++) {
    ik_json_open(j, kind[i], '{');
    ik_json_int(j, "rows", t[i].rows);
    ik_json_int(j, "within_5_percent", t[i].within[0]);
    ik_json_int(j, "within_10_percent", t[i].within[1]);
    ik_json_int(j, "within_20_percent", t[i].within[2]);
    ik_json_int(j, "missed", t[i].rows - t[i].within[2]);
    ik_json_close(j, '}');
  }
}
