/* design.h: which GPU a workload deserves, by trying all of them.
 *
 * The codesign problem of appendix C of "Analytical Cost Metrics: Days of Future Past", (C.8) to
 * (C.19): for every hardware point and every problem the best tile by the time model of
 * model/hex.h, or by that and the joules of power.h.  Nothing is left out and nothing approximated;
 * what makes it quick is what the models do not mix:
 *
 *   - the number of steps is a factor (ik_hex_wave), so problems that differ only in it share the
 *     best tile of each height t;
 *   - shared memory only says how many tiles fit, so one walk serves all sizes of it, each tile
 *     counting from the smallest that holds it;
 *   - multiprocessors enter the rounds, vector units the row sums, and nothing else;
 *   - what a step takes beyond static power depends on the tile alone, so that of each height only
 *     tiles count that are faster than all which take less: a few of thousands.
 *
 * For time and for energy every problem is on its own, and weights come afterwards.  The product of
 * both sums is not a sum: there the tiles of all problems are chosen together (pick.h).
 */
#pragma once
#include "apps/design/power.h"
#include "ikat/status.h"
#include "model/area.h"
#include "model/hextile.h"
#include <signal.h>

/* Section C.3.2: multiprocessors 2, 4, ... 32; vector units of each 32, 64, ... 2048; shared memory
 * of each 12, 24, 36, 48, 96, ... 480 kB. */
enum {
  IK_DESIGN_SMS = 16,
  IK_DESIGN_UNITS = 64,
  IK_DESIGN_SHARED = 13,
  IK_DESIGN_POINTS = IK_DESIGN_SMS * IK_DESIGN_UNITS * IK_DESIGN_SHARED,
};

/* Point 0 <= i < IK_DESIGN_POINTS: 2 kB of registers for each vector unit and no caches. */
ik_area_design ik_design_at(int i);
double         ik_design_area(int i); /* mm2 */
/* The point that has these; -1 if there is none. */
int ik_design_find(int sms, int vector_units, int shared_kb);

typedef enum ik_design_goal {
  IK_DESIGN_TIME,
  IK_DESIGN_ENERGY,
  IK_DESIGN_EDP, /* weighted time of all problems x weighted energy of all */
} ik_design_goal;

typedef struct ik_design_search {
  const ik_hex_problem *problem; /* [n] */
  int                   n;
  /* Of the machine at hand, for all points; sms, vector_units and shared_words do not count.  A
   * threadblock has no more than block_words, nor than there is. */
  ik_hex_machine         machine;
  ik_hex_reading         reading; /* k is always the best one */
  int                    threads;
  volatile sig_atomic_t *stop; /* may be NULL */
  /* May be NULL; called by the thread that called ik_design_solve(). */
  void (*progress)(int done, int total, void *user);
  void          *user;
  ik_design_goal goal;
  ik_power_model power; /* does not count for time without a limit */
  /* W, in any problem; 0: no limit.  A plan that would draw more waits until it does not, drawing
   * static power; where that alone is too much there is no plan. */
  double        max_power;
  const double *weight; /* [n]; for the product alone */
  const int    *part;   /* [n] 0, 1, ...: problems that are looked at by themselves, too; or NULL */
} ik_design_search;

typedef struct ik_design_plan {
  double  time_s; /* with waiting; infinite: no tile fits */
  int32_t tile;   /* of the list for the problem's dimensions; -1: none */
  int32_t k;
} ik_design_plan;

typedef struct ik_design_result {
  int             n;       /* problems */
  ik_design_plan *plan;    /* [IK_DESIGN_POINTS][n] */
  ik_design_plan *alone;   /* the same where each part is all there is; may be `plan` */
  ik_hextile_list list[4]; /* by dimensions */
} ik_design_result;

/* IK_ERR_INTERRUPTED, IK_ERR_RESOURCE: no memory; nothing is then to be freed.  A problem without
 * meaning (see ik_hex_time) has no tile that fits. */
ik_status ik_design_solve(const ik_design_search *s, ik_design_result *out);
void      ik_design_result_free(ik_design_result *r);

/* The machine of a point. */
ik_hex_machine ik_design_machine(const ik_design_search *s, int point);
