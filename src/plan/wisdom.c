#define _GNU_SOURCE /* flock */
#include "plan/wisdom.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "io/file.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HEADER "ikat wisdom 1 "
/* More entries than MOST_LINES, and the oldest go. */
enum { MOST_BYTES = 1 << 20, MOST_LINES = 1000, LINE = 512 };

/* ---- the signature of a program ---- */

/* A plan that is good for a hundred steps is good for a thousand. */
static uint64_t hash_without_counts(const ik_ir *ir, ik_stmt *copies) {
  ik_ir    plain = *ir;
  ik_buf   text = {0};
  ik_stmt *at = copies;
  plain.name = "program", plain.body = ir->body ? copies : NULL;
  for (const ik_stmt *s = ir->body; s; s = s->next, at++) {
    *at = *s;
    if (s->kind == IK_STEPS || s->kind == IK_REPEAT) at->count = 1;
    at->next = s->next ? at + 1 : NULL;
  }
  ik_ir_print(&plain, &text);
  uint64_t h = text.failed ? 0 : ik_hash(IK_HASH_INIT, text.data, text.len);
  ik_buf_free(&text);
  return h;
}

uint64_t ik_wisdom_program(const ik_ir *ir) {
  size_t n = 1;
  for (const ik_stmt *s = ir->body; s; s = s->next) n++;
  ik_stmt *copies = ik_calloc(n, sizeof *copies);
  uint64_t h = copies ? hash_without_counts(ir, copies) : 0;
  ik_free(copies);
  return h;
}

/* ---- lines ---- */

typedef struct entry {
  uint64_t program, machine;
  int      threads;
  char     target[32];
  ik_plan  plan; /* no strategy: untuned */
  double   gpts;
} entry;

/* The words of a plan must be all there: nothing stands behind them that they could change. */
static bool read_plan(const char *text, const char *target, ik_plan *p) {
  *p = (ik_plan){.target = target};
  if (strcmp(text, "untuned") == 0) return true;
  return ik_plan_read(text, p) && ik_plan_is_whole(p);
}

static bool read_rate(const char *text, double *out) {
  char *end;
  *out = ik_strtod(text, &end);
  return end != text && isfinite(*out) && *out >= 0 && strcmp(end, " GPts/s") == 0;
}

static bool read_words(char *line, entry *e) {
  int   at = 0;
  char *rate = strstr(line, " = ");
  if (!rate) return false;
  *rate = 0;
  if (sscanf(line, "%16" SCNx64 " %16" SCNx64 " %7d %31s %n", &e->program, &e->machine, &e->threads,
             e->target, &at) != 4)
    return false;
  return at && e->threads > 0 && read_plan(line + at, e->target, &e->plan) &&
         read_rate(rate + 3, &e->gpts);
}

static bool read_line(const char *text, size_t len, entry *e) {
  char line[LINE];
  if (len >= sizeof line || memchr(text, 0, len)) return false;
  memcpy(line, text, len), line[len] = 0;
  return read_words(line, e);
}

static bool same_run(const entry *e, const ik_wisdom_key *k) {
  return e->program == k->program && e->threads == k->threads && strcmp(e->target, k->target) == 0;
}

/* The next line of a text, without its end; false when there is none. */
static bool next_line(const char **at, const char *end, const char **line, size_t *len) {
  if (*at >= end) return false;
  const char *stop = memchr(*at, '\n', (size_t)(end - *at));
  *line = *at, *len = (size_t)((stop ? stop : end) - *at);
  *at = stop ? stop + 1 : end;
  return true;
}

/* ---- files ---- */

typedef enum state { FINE, ABSENT, UNREADABLE, STRANGE, STALE } state;

/* "0.1.0" of the first line; what could disturb a terminal is cut off. */
static void version_of(const char *line, size_t len, char out[24]) {
  size_t n = 0;
  while (n < len && n < 23 && line[n] > ' ' && line[n] < 127) n++;
  memcpy(out, line, n), out[n] = 0;
}

/* The lines after the first in [*at, *end). */
static state read_file(const char *path, const char *version, ik_buf *text, const char **at,
                       const char **end, char found[24]) {
  struct stat info;
  ik_diag     why = {0};
  const char *line;
  size_t      len, head = strlen(HEADER);
  if (stat(path, &info)) return errno == ENOENT || errno == ENOTDIR ? ABSENT : UNREADABLE;
  if (!S_ISREG(info.st_mode)) return STRANGE; /* a pipe would never end */
  ik_status st = ik_file_read(path, MOST_BYTES, IK_NOSPAN, text, &why);
  bool      other = st && why.nmsg && why.msg[0].code == IK_E063;
  ik_diag_free(&why);
  if (st) return other ? STRANGE : UNREADABLE;
  *at = ik_buf_text(text), *end = *at + text->len;
  if (!next_line(at, *end, &line, &len) || len <= head || memcmp(line, HEADER, head))
    return STRANGE;
  version_of(line + head, len - head, found);
  return len - head == strlen(found) && strcmp(found, version) == 0 ? FINE : STALE;
}

/* ---- finding ---- */

static void warn_of_file(state s, const char *path, const char *found, ik_diag *d) {
  if (s == UNREADABLE)
    ik_warn(d, IK_W006, IK_NOSPAN, "the wisdom in '%s' is not used: it cannot be read", path);
  if (s == STRANGE)
    ik_warn(d, IK_W006, IK_NOSPAN, "the wisdom in '%s' is not used: it is not a wisdom file", path);
  if (s == STALE)
    ik_warn(d, IK_W006, IK_NOSPAN, "the wisdom in '%s' is not used: it is of version '%s'", path,
            found);
}

static bool find_in(const char *at, const char *end, const ik_wisdom_key *k, const char *path,
                    entry *out, ik_diag *d) {
  const char *line;
  size_t      len;
  int         bad = 0, foreign = 0, found = 0;
  for (entry e; next_line(&at, end, &line, &len);) {
    bool fine = read_line(line, len, &e);
    bad += !fine && len > 0;
    if (!fine || !same_run(&e, k)) continue;
    if (e.machine != k->machine) {
      foreign++;
      continue;
    }
    found++;
    *out = e;
    out->plan.target = k->target, out->plan.threads = k->threads;
  }
  if (!found && foreign)
    ik_warn(d, IK_W006, IK_NOSPAN,
            "the wisdom about this program is not used: it was measured on another machine");
  else if (!found && bad)
    ik_warn(d, IK_W006, IK_NOSPAN, "lines of '%s' are not used: %d cannot be read", path, bad);
  return found > 0;
}

static bool look_up(const char *path, const ik_wisdom_key *k, entry *out, ik_diag *d) {
  ik_buf      text = {0};
  const char *at, *end;
  char        found[24] = "";
  state       s = read_file(path, k->version, &text, &at, &end, found);
  warn_of_file(s, path, found, d);
  bool ok = s == FINE && k->program && find_in(at, end, k, path, out, d);
  ik_buf_free(&text);
  return ok;
}

bool ik_wisdom_find(const char *path, const ik_wisdom_key *k, ik_plan *out, ik_diag *d) {
  entry e;
  bool  ok = look_up(path, k, &e, d);
  if (ok) *out = e.plan;
  return ok;
}

bool ik_wisdom_measured(const char *path, const ik_wisdom_key *k, ik_plan *out, double *gpts) {
  entry   e;
  ik_diag quiet = {0};
  bool    ok = look_up(path, k, &e, &quiet);
  ik_diag_free(&quiet);
  if (ok) *out = e.plan, *gpts = e.gpts;
  return ok;
}

/* ---- keeping ---- */

static int count_lines(const char *at, const char *end) {
  int n = 0;
  for (; at < end; at++) n += *at == '\n';
  return n;
}

/* What is there under other keys; nothing of it if another version wrote it. */
static void keep_others(const char *path, const ik_wisdom_key *k, ik_buf *out) {
  ik_buf      text = {0};
  const char *at, *end, *line;
  char        found[24];
  size_t      len;
  if (read_file(path, k->version, &text, &at, &end, found) == FINE) {
    int spare = count_lines(at, end) - MOST_LINES + 1;
    for (entry e; next_line(&at, end, &line, &len);) {
      if (spare-- > 0 || !read_line(line, len, &e)) continue;
      if (same_run(&e, k) && e.machine == k->machine) continue;
      ik_buf_write(out, line, len);
      ik_buf_putc(out, '\n');
    }
  }
  ik_buf_free(&text);
}

static void put_entry(const ik_wisdom_key *k, const ik_plan *p, double gpts, ik_buf *out) {
  ik_buf_printf(out, "%016" PRIx64 " %016" PRIx64 " %d %s ", k->program, k->machine, k->threads,
                k->target);
  if (p)
    ik_plan_write(p, out);
  else
    ik_buf_puts(out, "untuned");
  ik_buf_puts(out, " = ");
  ik_buf_double(out, gpts > 0 ? round(gpts * 1e4) / 1e4 : 0);
  ik_buf_puts(out, " GPts/s\n");
}

/* Writers take turns.  One that never ends its own, or a file system without locks, is not waited
 * for: then somebody's entry may be lost, and that is all. */
static int lock(const char *folder) {
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int i = 0; fd >= 0 && i < 500 && flock(fd, LOCK_EX | LOCK_NB); i++) {
    if (errno != EWOULDBLOCK && errno != EINTR) break;
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  }
  return fd;
}

ik_status ik_wisdom_keep(const char *path, const ik_wisdom_key *k, const ik_plan *p, double gpts,
                         ik_diag *d) {
  ik_buf      folder = {0}, out = {0};
  const char *slash = strrchr(path, '/');
  ik_buf_write(&folder, slash ? path : ".", slash ? (size_t)(slash - path) + (slash == path) : 1);
  ik_status st = ik_file_make_folder(ik_buf_text(&folder), 0700, d);
  int       held = st ? -1 : lock(ik_buf_text(&folder));
  if (!st) {
    ik_buf_printf(&out, HEADER "%s\n", k->version);
    keep_others(path, k, &out);
    put_entry(k, p, gpts, &out);
    st = out.failed || !k->program ? ik_file_oom(path, IK_NOSPAN, d)
                                   : ik_file_write(path, out.data, out.len, d);
  }
  if (held >= 0) close(held);
  ik_buf_free(&folder), ik_buf_free(&out);
  return st;
}
