#include "interrupt.h"
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t stop, status;
static volatile time_t       since; /* first asked to stop */

static void on_stop(int sig) {
  static const char text[] = "\nikat: stopping after this step; once more ends it at once\n";
  /* timeout(1) says it twice: to us, and to the group that we are in. */
  if (stop && sig == SIGTERM && time(NULL) - since < 2) return;
  if (stop) _exit(130);
  stop = 1, since = time(NULL);
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) return; /* nobody there to read it */
}

static void on_status(int sig) { (void)sig, status = 1; }

void interrupt_catch(void) {
  struct sigaction a = {.sa_handler = on_stop, .sa_flags = SA_RESTART};
  sigemptyset(&a.sa_mask);
  sigaction(SIGINT, &a, NULL);
  sigaction(SIGTERM, &a, NULL);
  a.sa_handler = on_status;
  sigaction(SIGUSR1, &a, NULL);
  a.sa_handler = SIG_IGN; /* a file beyond the limit is then an error of its own */
  sigaction(SIGXFSZ, &a, NULL);
}

volatile sig_atomic_t *interrupt_flag(void) { return &stop; }

bool interrupt_wants_status(void) {
  bool asked = status;
  status = 0;
  return asked;
}
