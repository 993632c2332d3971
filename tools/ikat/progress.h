/* progress.h: how far a run is, on standard error.
 *
 * On a terminal one line that is drawn again and again; elsewhere a line a minute.  A line of its
 * own for SIGUSR1 in both.
 */
#pragma once
#include <ikat/ikat.h>

typedef struct progress_bar {
  bool   hidden; /* lines only when asked for */
  bool   drawn;  /* a line stands on the terminal */
  double last_s; /* when the last whole line was written */
} progress_bar;

void progress_show(const ik_progress *p, void *bar); /* for ik_run_options.progress */
void progress_end(progress_bar *bar);                /* leaves a clean line */
