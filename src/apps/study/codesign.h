/* codesign.h: the question and the answer of ik_study_design(), for those who show it. */
#pragma once
#include "base/arena.h"
#include "base/diag.h"
#include "apps/design/front.h"
#include "apps/design/power.h"
#include "machine/machine.h"
#include "apps/study/study.h"

typedef enum ik_codesign_objective { /* as the goals of design.h */
                                     IK_CODESIGN_TIME = IK_DESIGN_TIME,
                                     IK_CODESIGN_ENERGY = IK_DESIGN_ENERGY,
                                     IK_CODESIGN_EDP = IK_DESIGN_EDP,
                                     IK_CODESIGN_OBJECTIVES
} ik_codesign_objective;

enum { IK_CODESIGN_BENCHMARKS = 6, IK_CODESIGN_GPUS = 2 };

/* Table A.4: the stencils whose C_iter is published; Table C.2: the designs published for them. */
typedef struct ik_codesign_benchmark {
  const char *name;
  int         dims;
  int         sms, vector_units, shared_kb; /* published design */
  double      area_mm2, gflops;             /* published */
} ik_codesign_benchmark;

extern const ik_codesign_benchmark ik_codesign_benchmarks[IK_CODESIGN_BENCHMARKS];

/* The design, for ik_design_at(); -1 for a benchmark below 0. */
int ik_codesign_published(int benchmark);

/* ---- workload.c ---- */

typedef struct ik_codesign_stencil { /* of the workload; in one or more sizes */
  const char *name;                  /* of a benchmark or a file */
  int         benchmark;             /* of ik_codesign_benchmarks; -1: a program */
} ik_codesign_stencil;

typedef struct ik_codesign_figures { /* of a program's cell and step; zero for a benchmark */
  double flops, bytes;
  int    arrays, radius;
} ik_codesign_figures;

typedef struct ik_codesign_entry { /* one size of one stencil */
  int                 stencil;     /* of the workload's */
  double              weight;
  ik_hex_problem      problem;
  ik_codesign_figures figures;
} ik_codesign_entry;

typedef struct ik_codesign_workload {
  ik_buf               text; /* of the file; to be freed in any case */
  int                  n;
  ik_codesign_entry   *entry;   /* [n] */
  ik_codesign_stencil *stencil; /* [nstencil] */
  int                  nstencil;
  int                  dims;      /* of all; 0: mixed */
  bool                 published; /* it is that of the source, and so are its gains */
} ik_codesign_workload;

/* "2d", "3d", or a file, where # begins a comment and a line is one of
 *   NAME [SIZE STEPS] [WEIGHT]         a benchmark; without a size, every size of the source
 *   FILE.ik [WEIGHT] [name=value]...   a program, from the folder of the workload; steps=N, too
 * C_iter is that of `gpu`, or follows from it (plan/hexagons.h). */
ik_status ik_codesign_read(const char *workload, const ik_machine *gpu, ik_arena *a, ik_diag *d,
                           ik_codesign_workload *out);

/* ---- design_program.c ---- */

typedef struct ik_codesign_line { /* of a workload, with a program */
  const char *file;               /* the workload */
  int         line;
  const char *path;
  char      **setting; /* [nsetting] name=value */
  int         nsetting;
} ik_codesign_line;

/* Fills problem and figures.  What is wrong with the program is told with the line. */
ik_status ik_codesign_program(const ik_codesign_line *l, const ik_machine *gpu, ik_diag *d,
                              ik_codesign_entry *out);

/* ---- design.c ---- */

typedef struct ik_codesign_gpu { /* a chip that exists, and where it would be among the designs */
  const char *name;
  double      area_mm2; /* of the die, with caches */
  int         at;       /* design with the same figures, without caches */
} ik_codesign_gpu;

typedef struct ik_codesign_totals { /* [IK_DESIGN_POINTS] */
  double *time_s, *energy_j;        /* of the workload, weighted */
  double *power_w;                  /* highest of its problems */
  double *value;                    /* what is to be small */
} ik_codesign_totals;

typedef struct ik_codesign_part { /* one stencil of the workload */
  int                stencil;
  ik_codesign_totals total;
  ik_front           near; /* of designs in the range */
  ik_front band; /* all from 425 to 450 mm2, where Table C.2 has its designs, best first */
} ik_codesign_part;

typedef struct ik_codesign {
  const ik_design_options *o;
  ik_arena                 arena;
  ik_codesign_objective    objective;
  bool                     literal;
  double                   low, high; /* mm2 */
  ik_codesign_workload     work;
  ik_power_model           power;
  const double            *weight; /* [work.n] */
  ik_design_search         search;
  ik_design_result         result;
  double                  *area; /* [IK_DESIGN_POINTS] mm2 */
  ik_codesign_totals       total;
  ik_front                 all, near, pareto; /* near: within 1 % of the best */
  ik_codesign_gpu          gpu[IK_CODESIGN_GPUS];
  ik_codesign_part        *part;
  int                      nparts;
} ik_codesign;

extern const char *const ik_codesign_objective_names[IK_CODESIGN_OBJECTIVES];
extern const char *const ik_codesign_units[IK_CODESIGN_OBJECTIVES];

/* The plan for the longest problem of a stencil, on one design. */
typedef struct ik_codesign_plan {
  const ik_hex_problem *p;
  ik_hex_tile           tile;
  ik_hex_time           time;
  ik_hex_use            use;
} ik_codesign_plan;

ik_codesign_plan ik_codesign_longest(const ik_codesign *c, const ik_codesign_part *part, int at);

/* Of the band: where the published design stands, 1 is best; and the best's value over its own.  0
 * and 0 if there is none or it cannot keep the power limit. */
int    ik_codesign_rank(const ik_codesign *c, const ik_codesign_part *part);
double ik_codesign_reaches(const ik_codesign *c, const ik_codesign_part *part);
/* The published design of a part; -1: there is none. */
int ik_codesign_published_of(const ik_codesign *c, const ik_codesign_part *part);

/* Section C.4.1: the best design of a chip's area against the chip, with its caches and without. */
typedef struct ik_codesign_gain {
  const ik_codesign_gpu *gpu;
  bool                   cacheless;
  double                 area_mm2;
  double                 published; /* percent; 0: none for this workload or objective */
  const ik_front_point  *best;      /* NULL: outside the range */
  double                 percent;
} ik_codesign_gain;

ik_codesign_gain ik_codesign_gain_of(const ik_codesign *c, int gpu, bool cacheless);

/* ---- showing ---- */

void ik_codesign_text(const ik_codesign *c, ik_buf *out); /* design_text.c */
void ik_codesign_json(const ik_codesign *c, ik_buf *out); /* design_json.c */
void ik_codesign_page(ik_codesign *c, ik_buf *out);       /* design_page.c */
