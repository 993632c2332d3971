/* fftw.h: the few calls of FFTW 3 that a spectral run needs.  The library is looked for when it is
 * first asked for, and never linked: one binary serves those who have it and those who do not. */
#pragma once
#include "base/buf.h"
#include "base/diag.h"
#include "ir/ir.h"

extern const char *const ik_fftw_missing; /* what is missing and how to install it; one sentence */

/* Is it there, for f64 and f32?  `why`, if not NULL, gets ik_fftw_missing otherwise. */
bool ik_fftw_here(ik_buf *why);

/* Real transforms in place, of arrays of one shape.
 *
 * A row of n[0] values has room for 2*(n[0]/2 + 1); transformed it holds the complex amplitudes of
 * the waves 0 ... n[0]/2 along axis 0.  The amplitude of wave k is the sum of u[x] exp(-2 pi i k
 * x/n); back and forth multiplies by the number of cells. */
typedef struct ik_fft ik_fft;

/* `data` is an array like those to come, and aligned like them; its values stay.  f64, or f32 if
 * `single`. IK_ERR_RESOURCE if FFTW does not want to, for lack of memory. */
ik_status ik_fft_create(bool single, int ndim, const int64_t n[IK_MAX_DIM], int threads, void *data,
                        ik_diag *d, ik_fft **out);
void      ik_fft_forward(const ik_fft *f, void *data);
void      ik_fft_backward(const ik_fft *f, void *data);
void      ik_fft_destroy(ik_fft **f);
