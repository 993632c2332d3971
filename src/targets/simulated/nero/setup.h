/* setup.h: every decision about a program on a board, made before it runs. */
#pragma once
#include "targets/simulated/nero/search.h"
#include "targets/simulated/nero/override.h"

enum { IK_NERO_BUDGET = 200 }; /* windows to simulate for a program: some tens are usual */

typedef struct ik_nero_setup {
  ik_nero_board   board;
  ik_nero_program program;
  ik_nero_work    work;
  ik_nero_design  design;    /* simulated with its elements */
  ik_nero_cycles *cycles;    /* [kernels] */
  int             tried;     /* windows that were simulated to find this one; 0: it was asked for */
  int             possible;  /* of so many */
  bool            all_words; /* as in ik_nero_override */
} ik_nero_setup;

/* The board is a machine, which must outlive the setup.  IK_ERR_UNSUPPORTED where the program, or
 * the window asked for, does not fit; E072. */
ik_status ik_nero_setup_of(const ik_machine *board, const ik_ir *ir,
                           const ik_nero_override *override, ik_arena *a, ik_diag *d,
                           ik_nero_setup *out);

/* Seconds in which all fields go to the board and come back. */
double ik_nero_link_seconds(const ik_nero_setup *s);
/* Seconds and joules (0: not known) of a kernel, all windows once. */
double ik_nero_kernel_seconds(const ik_nero_setup *s, int kernel);
double ik_nero_kernel_joules(const ik_nero_setup *s, int kernel);
