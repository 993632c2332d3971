#define _GNU_SOURCE /* O_PATH */
#include "io/access.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ----------------------------------------------------------------------- on whose behalf */

static _Thread_local const ik_access *now;

const ik_access *ik_access_enter(const ik_access *a) {
  const ik_access *before = now;
  now = a;
  return before;
}

void             ik_access_leave(const ik_access *const *before) { now = *before; }
const ik_access *ik_access_now(void) { return now; }

/* ------------------------------------------------------------------------------- folders */

/* Adds the parts of `path` to `out`; "." and ".." are dealt with by their letters alone. */
static bool add_parts(const char *path, char out[PATH_MAX]) {
  size_t len = strlen(out);
  for (size_t n; *path; path += n) {
    path += strspn(path, "/");
    n = strcspn(path, "/");
    if (n == 0 || (n == 1 && path[0] == '.')) continue;
    if (n == 2 && path[0] == '.' && path[1] == '.') {
      while (len && out[len - 1] != '/') len--;
      if (len) len--;
    } else {
      if (len + 1 + n >= PATH_MAX) return errno = ENAMETOOLONG, false;
      out[len++] = '/';
      memcpy(out + len, path, n);
      len += n;
    }
    out[len] = 0;
  }
  return true;
}

/* "/a/b" for "b" in the folder /a; "" is the root. */
static bool make_absolute(const char *path, char out[PATH_MAX]) {
  char here[PATH_MAX];
  out[0] = 0;
  if (path[0] != '/' && (!getcwd(here, sizeof here) || !add_parts(here, out))) return false;
  return add_parts(path, out);
}

bool ik_folder_open(ik_folder *f, const char *path) {
  if (!path) path = ".";
  f->fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (f->fd >= 0 && make_absolute(path, f->given) && realpath(path, f->real)) {
    if (!strcmp(f->real, "/")) f->real[0] = 0;
    return true;
  }
  int err = errno;
  ik_folder_close(f);
  errno = err;
  return false;
}

void ik_folder_close(ik_folder *f) {
  if (f->fd >= 0) close(f->fd);
  f->fd = -1;
}

/* ------------------------------------------------------------------------------- walking */

enum { DEEPEST = 64, MOST_LINKS = 40 };

typedef struct walk {
  int  fd[DEEPEST]; /* the folders from the top to where we are; the first is borrowed */
  int  depth, links;
  char todo[PATH_MAX]; /* what is still to be walked */
} walk;

static void go_up(walk *w) { close(w->fd[w->depth--]); }

static void end_walk(walk *w) {
  while (w->depth) go_up(w);
}

/* A link in the way: its text goes before what is left. */
static int follow(walk *w, const char *name) {
  char    text[PATH_MAX], rest[PATH_MAX];
  ssize_t n = readlinkat(w->fd[w->depth], name, text, sizeof text - 1);
  if (n < 0) return errno;
  text[n] = 0;
  if (text[0] == '/') return IK_OUTSIDE_BY_LINK;
  if (++w->links > MOST_LINKS) return ELOOP;
  strcpy(rest, w->todo);
  int len = snprintf(w->todo, sizeof w->todo, "%s%s", text, rest); /* which begins with "/" */
  return len < (int)sizeof w->todo ? 0 : ENAMETOOLONG;
}

static int go_down(walk *w, const char *name) {
  if (w->depth + 1 == DEEPEST) return ENAMETOOLONG;
  int fd = openat(w->fd[w->depth], name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0) return w->fd[++w->depth] = fd, 0;
  int err = errno;
  if (err != ENOTDIR && err != ELOOP) return err;
  int linked = follow(w, name);
  return linked == EINVAL ? err : linked; /* EINVAL: no link */
}

/* The next part of the path, into `name`; false: there is none. */
static bool next_part(walk *w, char name[NAME_MAX + 1], bool *last) {
  char  *at = w->todo + strspn(w->todo, "/");
  size_t n = strcspn(at, "/");
  if (!n || n > NAME_MAX) return false;
  memcpy(name, at, n), name[n] = 0;
  at += n;
  *last = !*at;
  memmove(w->todo, at, strlen(at) + 1);
  return true;
}

/* One part; 0 and `done`: it is the last, and no link. */
static int advance(walk *w, char name[NAME_MAX + 1], bool *done) {
  bool last;
  *done = false;
  if (!next_part(w, name, &last))
    return strspn(w->todo, "/") == strlen(w->todo) ? EISDIR : ENAMETOOLONG;
  if (!strcmp(name, ".")) return 0;
  if (!strcmp(name, ".."))
    return w->depth ? (go_up(w), 0) : w->links ? IK_OUTSIDE_BY_LINK : IK_OUTSIDE;
  if (!last) return go_down(w, name);
  int err = follow(w, name);
  *done = err == EINVAL || err == ENOENT;
  return *done ? 0 : err;
}

static int walk_to(int root, const char *path, ik_spot *out) {
  walk w = {.fd = {root}};
  bool done = false;
  int  err = 0;
  snprintf(w.todo, sizeof w.todo, "%s", path);
  while (!err && !done) err = advance(&w, out->name, &done);
  if (!err && (out->folder = fcntl(w.fd[w.depth], F_DUPFD_CLOEXEC, 0)) < 0) err = errno;
  end_walk(&w);
  return err;
}

/* What is left of `path` below `top`; NULL: it is not below. */
static const char *below(const char *path, const char *top) {
  size_t n = strlen(top);
  return !strncmp(path, top, n) && path[n] == '/' ? path + n + 1 : NULL;
}

int ik_spot_below(const ik_folder *f, const char *path, ik_spot *out) {
  char whole[PATH_MAX];
  *out = (ik_spot){.folder = -1};
  if (!path[0]) return ENOENT;
  if (path[strlen(path) - 1] == '/') return EISDIR;
  if (!make_absolute(path, whole)) return errno;
  const char *rest = below(whole, f->given);
  if (!rest) rest = below(whole, f->real);
  return rest ? walk_to(f->fd, rest, out) : IK_OUTSIDE;
}

int ik_spot_anywhere(const char *path, ik_spot *out) {
  char resolved[PATH_MAX], folder[PATH_MAX];
  *out = (ik_spot){.folder = -1};
  if (!path[0]) return ENOENT;
  if (path[strlen(path) - 1] == '/') return EISDIR;
  if (realpath(path, resolved)) path = resolved;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  if (!*name) return EISDIR;
  if (strlen(name) > NAME_MAX || strlen(path) >= sizeof folder) return ENAMETOOLONG;
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(name - path) : 1, slash ? path : ".");
  strcpy(out->name, name);
  out->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  return out->folder < 0 ? errno : 0;
}

void ik_spot_leave(ik_spot *s) {
  if (s->folder >= 0) close(s->folder);
  s->folder = -1;
}
