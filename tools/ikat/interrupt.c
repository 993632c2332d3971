#include "interrupt.h"
#include <ikat/ikat.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_US = 750000, EXIT_AT_ONCE = 130 };

static volatile sig_atomic_t stop, asks, status;
static volatile time_t       since; /* first asked to stop */

static void tell(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* nobody there to read it */
}

static void end_at_once(void) {
  ik_remove_temporaries();
  _exit(EXIT_AT_ONCE);
}

static void set_timer(long us) {
  struct itimerval t = {.it_value = {.tv_usec = us}};
  setitimer(ITIMER_REAL, &t, NULL);
}

static void on_stop(int sig) {
  if (!asks) end_at_once();
  /* timeout(1) says it twice: to us, and to the group that we are in. */
  if (stop && sig == SIGTERM && time(NULL) - since < 2) return;
  if (stop) end_at_once();
  stop = 1, since = time(NULL);
  set_timer(PATIENCE_US);
  tell("\nikat: stopping after this step; a second signal quits at once\n");
}

static void on_late(int sig) {
  (void)sig;
  tell("ikat: this step takes too long; quitting without writing results\n");
  end_at_once();
}

static void on_status(int sig) { (void)sig, status = 1; }

static void handle(int sig, void (*handler)(int)) {
  struct sigaction a = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigemptyset(&a.sa_mask);
  sigaction(sig, &a, NULL);
}

void interrupt_catch(void) {
  handle(SIGINT, on_stop);
  handle(SIGTERM, on_stop);
  handle(SIGALRM, on_late);
  handle(SIGUSR1, on_status);
  handle(SIGXFSZ, SIG_IGN); /* a file beyond the limit is then an error of its own */
}

void interrupt_ask(void) { asks = 1; }
void interrupt_keep(void) { set_timer(0); }
bool interrupt_came(void) { return stop; }

volatile sig_atomic_t *interrupt_flag(void) { return &stop; }

bool interrupt_wants_status(void) {
  bool asked = status;
  status = 0;
  return asked;
}
