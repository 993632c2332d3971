/* fmt.c: `ikat fmt`, the canonical layout.
 *
 * A file is replaced by renaming a complete new one over it: whatever happens there is the old text
 * or the new one, never a part.
 */
#include "tool.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_text(int fd, const char *text) {
  FILE *f = fdopen(fd, "wb");
  if (!f) return close(fd), false;
  bool ok = fputs(text, f) >= 0 && !fflush(f) && !fsync(fd);
  int  err = errno;
  if (fclose(f)) return false;
  errno = err;
  return ok;
}

/* Links are followed and the mode is kept: it is the same file with another text. */
static bool replace(const char *path, const char *text) {
  char        target[PATH_MAX], temp[PATH_MAX + 16];
  struct stat old;
  if (!realpath(path, target) || stat(target, &old) || access(target, W_OK)) return false;
  snprintf(temp, sizeof temp, "%s.XXXXXX", target);
  int fd = mkstemp(temp);
  if (fd < 0) return false;
  fchmod(fd, old.st_mode & 07777);
  if (write_text(fd, text) && !rename(temp, target)) return true;
  int err = errno;
  unlink(temp);
  errno = err;
  return false;
}

/* The text is laid out; now to where it belongs. */
static int deliver(call *c, const char *path, const char *text, bool changed) {
  if (c->set.to_stdout || !strcmp(path, "-")) {
    if (!c->set.check) say(c, "%s", text);
    json_string(&c->object, "text", text);
  } else if (changed && !c->set.check && !replace(path, text)) {
    return complain(c, EXIT_WRONG, "the file is as it was", "cannot write '%s': %s", path,
                    strerror(errno));
  } else if (changed && !c->set.check) {
    say(c, "formatted %s\n", path);
  }
  if (!changed || !c->set.check) return EXIT_FINE;
  return complain(c, EXIT_WRONG, "ikat fmt does it", "'%s' is not laid out in the canonical way",
                  path);
}

/* Source and result live in the same object: the first is copied to compare them. */
static int format_program(call *c, const char *path, ik_program *p) {
  const char *source = ik_program_show(p, "source", NULL, c->log);
  char       *before = source ? strdup(source) : NULL;
  const char *after = before ? ik_program_show(p, "format", NULL, c->log) : NULL;
  int         code = after ? EXIT_FINE : fail(c, IK_ERR_SOURCE);
  if (after) {
    bool changed = strcmp(before, after) != 0;
    json_bool(&c->object, "changed", changed);
    code = deliver(c, path, after, changed);
  }
  free(before);
  return code;
}

static int format_file(call *c, const char *path) {
  ik_program *p = NULL;
  json_open(&c->object, NULL, '{');
  json_string(&c->object, "file", path);
  ik_status s = program_open(c, path, &p);
  int       code = s ? fail(c, s) : format_program(c, path, p);
  ik_program_destroy(&p);
  json_close(&c->object, '}');
  return code;
}

int command_fmt(call *c) {
  int code = EXIT_FINE;
  if (!c->set.plain.n)
    return complain(c, EXIT_USAGE, "ikat fmt FILE.ik...; '-' is standard input", "which program?");
  json_open(&c->object, "files", '[');
  for (int i = 0; i < c->set.plain.n; i++) {
    int bad = format_file(c, c->set.plain.word[i]);
    if (bad) code = bad;
  }
  json_close(&c->object, ']');
  return code;
}
