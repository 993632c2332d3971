/* scratch.h: a folder of its own for each test program, removed at exit, and checks of messages. */
#pragma once
#include "base/diag.h"
#include "base/mem.h"
#include "check.h"
#include "io/file.h"
#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static char scratch_dir[64];

/* Names in the folder; removes them when told to. */
static inline int scratch_scan(bool clear) {
  int  count = 0;
  DIR *dir = opendir(scratch_dir);
  if (!dir) return -1;
  for (struct dirent *e; (e = readdir(dir));) {
    char path[400];
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    count++;
    snprintf(path, sizeof path, "%s/%s", scratch_dir, e->d_name);
    if (clear) remove(path);
  }
  closedir(dir);
  return count;
}

static inline void scratch_remove(void) {
  scratch_scan(true);
  rmdir(scratch_dir);
}

static inline const char *scratch(const char *name) {
  static char path[4][400];
  static int  turn;
  if (!scratch_dir[0]) {
    strcpy(scratch_dir, "/tmp/ikat-io-XXXXXX");
    if (!mkdtemp(scratch_dir)) abort();
    atexit(scratch_remove);
  }
  char *p = path[turn++ % 4];
  snprintf(p, sizeof path[0], "%s/%s", scratch_dir, name);
  return p;
}

/* Puts bytes into a file of the folder without the code under test. */
static inline const char *scratch_put(const char *name, const void *bytes, size_t len) {
  const char *path = scratch(name);
  FILE       *f = fopen(path, "wb");
  if (!f || fwrite(bytes, 1, len, f) != len || fclose(f)) abort();
  return path;
}

/* `d` holds one error with this code, whose text or help contains `part`; then it is emptied.
 * One whose words were lost for lack of memory is shown by the title of its code. */
static __attribute__((noinline, unused)) void
expect_error_at(int line, const char *file, ik_diag *d, ik_code code, const char *part) {
  const ik_message *m = &d->msg[0];
  const char       *title = d->nmsg && m->text.failed ? ik_code_title(m->code) : NULL;
  const char       *text = title ? title : d->nmsg ? ik_buf_text(&m->text) : "";
  if (d->nmsg != 1)
    check_fail(file, line, "%d messages, not 1", d->nmsg);
  else if (m->code != code)
    check_fail(file, line, "%s, not %s: %s", ik_code_name(m->code), ik_code_name(code), text);
  else if (!strstr(text, part) && !strstr(ik_buf_text(&m->help), part))
    check_fail(file, line, "'%s' is not in: %s (%s)", part, text, ik_buf_text(&m->help));
  ik_diag_free(d);
}
#define EXPECT_ERROR(d, code, part) expect_error_at(__LINE__, __FILE__, d, code, part)

static inline uint32_t random_next(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* Changes, cuts or lengthens `bytes` [len + 8] in a few places; returns the new length. */
static inline size_t mutate(uint32_t *seed, unsigned char *bytes, size_t len, size_t front) {
  static const unsigned char telling[] = {0, 1, 127, 128, 255, '9', '(', '\''};
  for (int n = (int)(random_next(seed) % 4); n >= 0; n--) {
    size_t area = random_next(seed) % 4 ? front : len;
    bytes[random_next(seed) % area] = random_next(seed) % 2
                                          ? telling[random_next(seed) % sizeof telling]
                                          : (unsigned char)random_next(seed);
  }
  uint32_t cut = random_next(seed) % 8;
  return cut == 0 ? random_next(seed) % (len + 1) : cut == 1 ? len + random_next(seed) % 9 : len;
}
