#include "progress.h"
#include "interrupt.h"
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int terminal_columns(void) {
  struct winsize w;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) || !w.ws_col) return 80;
  return w.ws_col;
}

static void format_rate(double per_s, char *out, size_t cap) {
  static const char *const unit[] = {"", "k", "M", "G", "T"};
  int                      u = 0;
  while (per_s >= 1000 && u < 4) per_s /= 1000, u++;
  snprintf(out, cap, "  %.3g %sPts/s", per_s, unit[u]);
}

static void format_left(double s, char *out, size_t cap) {
  if (s < 0)
    *out = 0;
  else if (s < 120)
    snprintf(out, cap, "  left %.0f s", s);
  else if (s < 7200)
    snprintf(out, cap, "  left %.0f min", s / 60);
  else
    snprintf(out, cap, "  left %.1f h", s / 3600);
}

static double fraction(const ik_progress *p) {
  return p->steps > 0 ? (double)p->step / (double)p->steps : 1;
}

/* " 71 %  step 1420/2000  37.2 GPts/s  max|u| 3.1e-02  left 6 s" */
static void format_line(const ik_progress *p, char *out, size_t cap) {
  char rate[32] = "", left[32], largest[80] = "";
  if (p->points_per_s > 0) format_rate(p->points_per_s, rate, sizeof rate);
  format_left(p->seconds_left, left, sizeof left);
  if (p->field) snprintf(largest, sizeof largest, "  max|%s| %.2g", p->field, p->max_abs);
  snprintf(out, cap, "%3.0f %%  step %lld/%lld%s%s%s", 100 * fraction(p), (long long)p->step,
           (long long)p->steps, rate, largest, left);
}

/* The bar takes what the text leaves of the line, so that it never wraps. */
static void draw(const ik_progress *p, const char *text) {
  enum { MOST = 34 };
  char bar[MOST + 1];
  int  room = terminal_columns() - 1 - (int)strlen(text) - 4;
  int  width = room < MOST ? room : MOST;
  if (width < 5) {
    fprintf(stderr, "\r%.*s\033[K", terminal_columns() - 1, text);
    return;
  }
  int done = (int)(fraction(p) * width);
  memset(bar, '-', (size_t)width);
  memset(bar, '#', (size_t)(done < width ? done : width));
  fprintf(stderr, "\r[%.*s]  %s\033[K", width, bar, text);
}

void progress_end(progress_bar *bar) {
  if (bar->drawn) fputs("\r\033[K", stderr);
  bar->drawn = false;
}

void progress_show(const ik_progress *p, void *user) {
  progress_bar *bar = user;
  bool          terminal = isatty(STDERR_FILENO);
  bool          asked = interrupt_wants_status();
  char          text[256];
  format_line(p, text, sizeof text);
  if (asked || (!terminal && !bar->hidden && p->seconds - bar->last_s >= 60)) {
    progress_end(bar);
    fprintf(stderr, "%s\n", text);
    bar->last_s = p->seconds;
  }
  if (!terminal || bar->hidden) return;
  draw(p, text);
  bar->drawn = true;
}

void ticker_end(ticker *t) {
  if (t->drawn) fputs("\r\033[K", stderr);
  t->drawn = false;
}

void ticker_show(const char *what, int done, int total, void *user) {
  ticker *t = user;
  time_t  now = time(NULL);
  char    text[256];
  if (t->hidden) return;
  snprintf(text, sizeof text, "(%d of %d) %s", done, total, what);
  if (isatty(STDERR_FILENO)) {
    fprintf(stderr, "\r%.*s\033[K", terminal_columns() - 1, text);
    t->drawn = true;
  } else if (now - t->last >= 60) {
    if (t->last) fprintf(stderr, "%s\n", text);
    t->last = now;
  }
}
