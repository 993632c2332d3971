/* new.c: `ikat new`, programs to start from. */
#include "tool.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int list_kinds(call *c) {
  const char *name, *title, *text;
  size_t      len;
  json       *j = &c->object;
  json_open(j, "kinds", '[');
  for (int i = 0; ik_template(i, &name, &title, &text, &len); i++) {
    say(c, "  %-18s %s\n", name, title);
    json_open(j, NULL, '{');
    json_string(j, "name", name);
    json_string(j, "title", title);
    json_close(j, '}');
  }
  json_close(j, ']');
  say(c, "\nTo start from one: ikat new wave2d\n");
  return EXIT_FINE;
}

static bool find_kind(const char *kind, const char **text, size_t *len) {
  const char *name, *title;
  for (int i = 0; ik_template(i, &name, &title, text, len); i++)
    if (!strcmp(name, kind)) return true;
  return false;
}

static int unknown_kind(call *c, const char *kind) {
  enum { MOST = 256 };
  const char *names[MOST], *title, *text;
  size_t      len;
  int         n = 0;
  while (n < MOST && ik_template(n, &names[n], &title, &text, &len)) n++;
  return complain(c, EXIT_USAGE, did_you_mean(kind, names, n, "'ikat new' lists the kinds"),
                  "unknown kind '%s'", kind);
}

/* O_EXCL: an existing file stays what it is, also when two write at the same time. */
static int write_new(call *c, const char *path, const char *text, size_t len) {
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST)
    return complain(c, EXIT_WRONG, "give another name: ikat new KIND FILE.ik",
                    "'%s' already exists and was not overwritten", path);
  if (fd < 0) return complain(c, EXIT_WRONG, "", "cannot write '%s': %s", path, strerror(errno));
  bool ok = strbuf_save(fd, text, len);
  int  err = errno;
  if (close(fd) && ok) ok = false, err = errno;
  if (ok) return EXIT_FINE;
  unlink(path);
  return complain(c, EXIT_WRONG, "", "cannot write '%s': %s", path, strerror(err));
}

static int print_kind(call *c, const char *text) {
  say(c, "%s", text);
  json_string(&c->object, "text", text);
  return EXIT_FINE;
}

int command_new(call *c) {
  const words *w = &c->set.plain;
  const char  *text;
  size_t       len;
  char         path[256];
  if (!w->n) return list_kinds(c);
  if (!find_kind(w->word[0], &text, &len)) return unknown_kind(c, w->word[0]);
  if (w->n > 1 && !strcmp(w->word[1], "-")) return print_kind(c, text);
  snprintf(path, sizeof path, "%s.ik", w->word[0]);
  const char *to = w->n > 1 ? w->word[1] : path;
  int         code = write_new(c, to, text, len);
  if (code) return code;
  say(c, "wrote %s\nnext:  ikat run %s --picture %s.png\n", to, to, w->word[0]);
  json_string(&c->object, "file", to);
  return EXIT_FINE;
}
