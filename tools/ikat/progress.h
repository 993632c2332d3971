/* progress.h: how far a run is, on standard error.
 *
 * On a terminal one line that is drawn again and again; elsewhere a line a minute.  A line of its
 * own for SIGUSR1 in both.
 */
#pragma once
#include <ikat/ikat.h>
#include <time.h>

typedef struct progress_bar {
  bool   hidden; /* lines only when asked for */
  bool   drawn;  /* a line stands on the terminal */
  double last_s; /* when the last whole line was written */
} progress_bar;

void progress_show(const ik_progress *p, void *bar); /* for ik_run_options.progress */
void progress_end(progress_bar *bar);                /* leaves a clean line */

typedef struct ticker { /* the same for measurements: what is being timed */
  bool   hidden, drawn;
  time_t last; /* when a whole line was written */
} ticker;

void ticker_show(const char *what, int done, int total, void *ticker);
void ticker_end(ticker *t);
