/* gain.h: receiver traces scaled so that late and weak arrivals show beside the direct wave. */
#pragma once
#include <stdbool.h>

/* Automatic gain control: each sample of [ntrace][nt] is divided by the root mean square of its
 * trace within `window` samples around it, plus a thousandth of the largest sample, so that silence
 * stays silent.  False, and nothing is changed, without room for it. */
bool ik_gain_agc(double *v, int ntrace, int nt, int window);

/* The window that suits: three periods of what is usual in the traces, so that a wavelet keeps its
 * shape and what comes some periods later has a scale of its own; 3 at least, nt at most. */
int ik_gain_window(const double *v, int ntrace, int nt);

/* Do weak arrivals need it?  That is so where less than a twentieth of the samples that are not
 * silent reach a fifth of the largest. */
bool ik_gain_is_needed(const double *v, int ntrace, int nt);
