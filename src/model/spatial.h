/* spatial.h: closed forms for three spatial machines: what a step takes on a wafer of elements, on
 * a chip of tiles, in an FPGA beside memory.  Nothing is simulated here: these are formulas, fitted
 * to what was published, that hold for sizes at which nobody could run a simulation.
 *
 *   wafer   t = step + (cell - chunked if the column is cut) * slots/53 * nz: model E of
 *           "Massively scalable stencil algorithm" (arXiv 2204.03775), Table III; a program with
 *           another stencil takes as long as its issue slots say, the paper's kernel having 53, and
 *           some time more for every further broadcast; reductions cross the fabric hop by hop.
 *   tiles   t = host * (tiles * operations * cycles of a tile operation + reductions), after
 *           arXiv 2603.23343: a reduction goes a hop at a time over the cores of a row and a
 * column. fpga    t = windows / elements * (bytes read / port * (1 + excess) + start), after NERO
 *           (arXiv 2009.08241).
 *
 * The constants are figures of the machine (model.*), calibrated as its file says.
 */
#pragma once
#include "facts/facts.h"
#include "machine/machine.h"

/* ---- what a program asks for ---- */

typedef struct ik_spatial_work { /* of a step, a round, or all of a program without either */
  double  n[IK_MAX_DIM];         /* cells along x, y, z */
  double  elements;              /* to share them; 0: as many as the machine would take */
  ik_type type;
  bool    steps;              /* it is a time step */
  int     radius[IK_MAX_DIM]; /* of the furthest neighbour along each axis */
  int     arrays;             /* that lie in memory: fields and their levels */
  double  flops;              /* of a cell */
  /* Wafer: words of instructions of a cell, for a broadcast of radius r 2 (r + 1) + 1 in each
   * direction; broadcasts in all four directions, parts of them included. */
  double slots, broadcasts;
  /* Tiles: operations on each tile: arithmetic, rows copied, tiles transposed. */
  double tile_ops;
  int    reductions;
  /* FPGA: arrays that stream in; a sweep goes twice through its window. */
  int  reads;
  bool sweeps;
} ik_spatial_work;

void ik_spatial_work_of(const ik_ir *ir, const ik_facts *f, ik_spatial_work *out);

/* ---- machines ---- */

typedef enum ik_spatial_kind {
  IK_SPATIAL_NONE,
  IK_SPATIAL_WAFER,
  IK_SPATIAL_TILES,
  IK_SPATIAL_FPGA
} ik_spatial_kind;

/* By its figure `kind`: "wafer", "tiles", "fpga". */
ik_spatial_kind ik_spatial_kind_of(const ik_machine *m);
/* What its elements are called: "elements", "cores". */
const char *ik_spatial_elements_name(ik_spatial_kind k);

typedef struct ik_spatial_time {
  bool        fits;
  char        why[160]; /* it does not: for a person */
  double      seconds;  /* of a step */
  double      joules;   /* NaN: the machine file lacks figures */
  double      elements; /* that work */
  const char *bound;    /* what most of the time goes into */
  const char *kind;     /* of that: "compute", "memory" or, of what does no work, "overhead" */
  double      fixed;    /* s of a step whatever its size */
} ik_spatial_time;

/* False: no such machine, or one that lacks a figure the model needs. */
bool ik_spatial_of(const ik_machine *m, const ik_spatial_work *w, ik_spatial_time *out);
/* What a machine file needs for the energy of a step, in words; static. */
const char *ik_spatial_energy_figures(const ik_machine *m, const ik_spatial_work *w);

/* The window that was found best on an FPGA for work of this kind, "16x64x8"; NULL: none is known.
 */
const char *ik_spatial_window(const ik_machine *m, const ik_spatial_work *w);

/* Elements that a machine has for such work, and how they lie: x by y on a wafer and a chip. */
double ik_spatial_elements(const ik_machine *m, const ik_spatial_work *w);

/* The same work on another number of elements.  Weak: each has as much as before.  Strong: the
 * cells stay as many; on a wafer, whose elements hold whole columns, these get shorter. */
ik_spatial_work ik_spatial_weak(const ik_machine *m, const ik_spatial_work *w, double elements);
ik_spatial_work ik_spatial_strong(const ik_machine *m, const ik_spatial_work *w, double elements);
