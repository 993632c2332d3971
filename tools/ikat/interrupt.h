/* interrupt.h: signals.
 *
 * SIGINT and SIGTERM end ikat within a second, whatever it does: with 130, and without a trace of
 * what was being written.  A command that has something to keep asks for more: the first signal
 * then asks it to end after its step, and it exits with 5.  If that takes longer than a second, or
 * if a second signal comes, it ends with 130 all the same.  SIGUSR1 asks for a line of progress.
 */
#pragma once
#include <signal.h>
#include <stdbool.h>

void interrupt_catch(void); /* once, at the beginning: a signal ends the process at once */
void interrupt_ask(void);   /* from now on the first one sets the flag */
void interrupt_keep(void);  /* it has ended early; writing what is kept may take its time */
bool interrupt_came(void);

volatile sig_atomic_t *interrupt_flag(void);         /* for ik_run_options.stop */
bool                   interrupt_wants_status(void); /* true once for each SIGUSR1 */
