/* interrupt.h: signals while a run is under way.
 *
 * SIGINT and SIGTERM ask the run to end after its step, so that what has been computed can be
 * written; a second one ends the process at once.  SIGUSR1 asks for a line of progress.
 */
#pragma once
#include <signal.h>
#include <stdbool.h>

void                   interrupt_catch(void);
volatile sig_atomic_t *interrupt_flag(void);         /* for ik_run_options.stop */
bool                   interrupt_wants_status(void); /* true once for each SIGUSR1 */
