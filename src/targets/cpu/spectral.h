/* spectral.h: any number of time steps in one pair of Fourier transforms.
 *
 * For a step that is linear, with constant weights, on a periodic grid: u(t+n) = F^-1 G^n F u, with
 * the symbol G of amplification.h.  Time grows with the logarithm of n alone.
 *
 * The result is not that of the interpreter to the last bit: both differ by rounding from what the
 * program means, relative to the largest value by about 1e-16 n in f64.  Seen on noise of 61 x 48
 * cells, after 100 and 10000 steps: 1e-14 and 1e-12 for diffusion, 4e-15 and 4e-13 for advection,
 * 2e-12 after 10000 for a wave equation of order 8.  In f32 the rounding of every step of the
 * interpreter shows: 1e-6 and 1e-4, for the wave 3e-6 and 2e-3.
 */
#pragma once
#include "ir/state.h"
#include "targets/cpu/team.h"

typedef struct ik_spectral ik_spectral;

/* NULL if it applies, else one sentence why not: of the program, or that FFTW is missing. */
const char *ik_spectral_illegal(const ik_ir *ir, const ik_stmt *steps);
/* Bytes that ik_spectral_create will take, besides FFTW's plans.  Where it applies; -1 if that
 * overflows, or there is no memory to find out. */
int64_t ik_spectral_bytes(const ik_ir *ir, const ik_stmt *steps, int threads);

/* Works on `s` with `team`, both of which it borrows.  IK_ERR_UNSUPPORTED where it does not apply;
 * E072. */
ik_status ik_spectral_create(ik_state *s, const ik_stmt *steps, ik_team *team, ik_diag *d,
                             ik_spectral **out);
/* The next n steps: every level from 0 on is what it is after them, and t has grown by n.  Scalars
 * count as they are now. */
ik_status ik_spectral_advance(ik_spectral *x, int64_t n, ik_diag *d);
void      ik_spectral_destroy(ik_spectral **x);
