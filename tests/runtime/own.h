/* own.h: engines with memory of their own, made of engines that work on the arrays of a state: they
 * have a state beside that of the run, in whose arrays there is nonsense unless a level was fetched
 * or said to be dirty.  Whoever forgets to ask, or to say so, gets or leaves other values.
 *
 * Two simulated targets give their places to them:
 *   own        the interpreter; rounds, looks and samples are its own
 *   own-plain  the interpreter or, with the strategy `compiled`, the CPU's; all it can do is fetch;
 *              with `halves`, the host does half of the statements, sums and sources
 */
#pragma once
#include <stdint.h>

extern int64_t own_free;    /* bytes that their memory has */
extern int     own_fetches; /* levels copied to the run's state so far */
extern int     own_fails;   /* that many fetches from now on, one cannot be made; 0: all can */
