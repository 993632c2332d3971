#define _GNU_SOURCE /* fstatfs, O_NOFOLLOW with links */
#include "io/file.h"
#include "base/mem.h"
#include "base/undo.h"
#include "io/temp.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

ik_status ik_file_oom(const char *path, ik_span at, ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, at, "not enough memory for '%s'", path);
}

/* -------------------------------------------------------------------------------------- kinds */

/* Why a file cannot be used: an error number or IK_OUTSIDE..., or the kind of thing it is. */
typedef struct trouble {
  int         err;
  const char *kind;
} trouble;

static trouble is_trouble(int err) { return (trouble){.err = err}; }
static bool    none(const trouble *t) { return !t->err && !t->kind; }

/* Pipes without a name are handed to a process by whoever starts it; they live in a file system of
 * their own. */
static bool is_nameless_pipe(int fd) {
  enum { PIPE_FILES = 0x50495045 };
  struct statfs fs;
  return fstatfs(fd, &fs) == 0 && fs.f_type == PIPE_FILES;
}

/* /dev/null and its like, which never wait, and terminals. */
static bool is_harmless_device(int fd, const struct stat *st) {
  enum { MEMORY_DEVICES = 1 };
  return major(st->st_rdev) == MEMORY_DEVICES || isatty(fd);
}

static const char *kind_of(const struct stat *st) {
  return S_ISFIFO(st->st_mode)   ? "a named pipe"
         : S_ISSOCK(st->st_mode) ? "a socket"
         : S_ISBLK(st->st_mode)  ? "a disk"
                                 : "a device";
}

/* Of a file that is open; `plainly`: nothing but a file will do. */
static trouble judge(int fd, bool plainly, struct stat *st) {
  if (fstat(fd, st)) return is_trouble(errno);
  if (S_ISREG(st->st_mode)) return is_trouble(0);
  if (S_ISDIR(st->st_mode)) return is_trouble(EISDIR);
  bool fine = S_ISFIFO(st->st_mode) ? is_nameless_pipe(fd)
                                    : S_ISCHR(st->st_mode) && is_harmless_device(fd, st);
  if (fine && !plainly) return is_trouble(0);
  return (trouble){.kind = kind_of(st)};
}

/* It was opened without waiting; from here on, reading and writing may. */
static void let_wait(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK); }

/* ------------------------------------------------------------------------------------ reading */

enum { READING = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };

static ik_status outside_reads(const char *path, int err, ik_span at, ik_diag *d) {
  ik_fail(d, IK_ERR_SOURCE, IK_E069, at, "the program may not read '%s': %s", path,
          err == IK_OUTSIDE ? "it lies outside its own folder and the current one"
                            : "a symbolic link leads out of the folder");
  ik_help(d, "copy the file here, or drop --confine if you trust the program");
  return IK_ERR_SOURCE;
}

static ik_status cannot_read(const char *path, trouble t, ik_span at, ik_diag *d) {
  if (t.err == ENOMEM) return ik_file_oom(path, at, d);
  if (t.err < 0) return outside_reads(path, t.err, at, d);
  if (t.kind) {
    ik_fail(d, IK_ERR_RESOURCE, IK_E062, at, "cannot read '%s': it is %s, not a file", path,
            t.kind);
    ik_help(d, "give the name of a file");
    return IK_ERR_RESOURCE;
  }
  ik_fail(d, IK_ERR_RESOURCE, IK_E062, at, "cannot read '%s': %s", path, strerror(t.err));
  if (t.err == ENOENT) ik_help(d, "paths are relative to the folder in which ikat was started");
  return IK_ERR_RESOURCE;
}

static ik_status too_long(const char *path, size_t limit, ik_span at, ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E063, at, "'%s' is larger than the limit of %zu bytes",
                 path, limit);
}

/* Grows `out` to at least `cap` bytes beside the final NUL. */
static bool reserve(ik_buf *out, size_t cap) {
  if (out->cap > cap) return true;
  char *p = ik_realloc(out->data, cap + 1);
  if (!p) return false;
  out->data = p, out->cap = cap + 1;
  return true;
}

enum { CHUNK = 1 << 16 };

/* Asks for one byte more before growing: a file of the stated size needs no second buffer. */
static bool at_end(FILE *f) {
  int c = fgetc(f);
  if (c != EOF) ungetc(c, f);
  return c == EOF;
}

/* `expect` is the size that the file system states; a pipe or /proc states none. */
static ik_status read_all(FILE *f, const char *path, size_t limit, size_t expect, ik_span at,
                          ik_buf *out, ik_diag *d) {
  if (expect > limit) return too_long(path, limit, at, d);
  if (!reserve(out, expect)) return ik_file_oom(path, at, d);
  for (;;) {
    out->len += fread(out->data + out->len, 1, out->cap - 1 - out->len, f);
    out->data[out->len] = 0;
    bool end = at_end(f);
    if (ferror(f)) return cannot_read(path, is_trouble(errno), at, d);
    if (end) return IK_OK;
    if (out->len >= limit) return too_long(path, limit, at, d);
    size_t more = out->len + CHUNK;
    if (!reserve(out, more < limit - out->len ? out->len + more : limit))
      return ik_file_oom(path, at, d);
  }
}

/* Below the first of the folders that it is below; the error of the last, if it is below none. */
static int open_below(const ik_access *a, const char *path, int *fd) {
  ik_spot spot;
  int     err = IK_OUTSIDE;
  for (int i = 0; i < a->nread && err < 0; i++) err = ik_spot_below(a->read[i], path, &spot);
  if (err) return err;
  *fd = openat(spot.folder, spot.name, READING | O_NOFOLLOW);
  err = *fd < 0 ? errno : 0;
  ik_spot_leave(&spot);
  return err;
}

static trouble open_input(const char *path, int *fd, struct stat *st) {
  const ik_access *a = ik_access_now();
  bool             confined = a && a->nread;
  int              err = 0;
  *fd = -1;
  if (confined)
    err = open_below(a, path, fd);
  else if ((*fd = open(path, READING)) < 0)
    err = errno;
  if (err == ENXIO) return (trouble){.kind = "a socket"};
  if (err) return is_trouble(err);
  trouble t = judge(*fd, confined, st);
  if (none(&t))
    let_wait(*fd);
  else
    close(*fd), *fd = -1;
  return t;
}

ik_status ik_file_open(const char *path, ik_span at, int *fd, char name[PATH_MAX], ik_diag *d) {
  struct stat      st;
  const ik_access *a = ik_access_now();
  trouble          t = open_input(path, fd, &st);
  if (!none(&t)) return cannot_read(path, t, at, d);
  if (a && a->nread)
    snprintf(name, PATH_MAX, "/proc/self/fd/%d", *fd);
  else
    snprintf(name, PATH_MAX, "%s", path);
  return IK_OK;
}

ik_status ik_file_readable(const char *path, ik_span at, ik_diag *d) {
  struct stat st;
  int         fd;
  trouble     t = open_input(path, &fd, &st);
  if (!none(&t)) return cannot_read(path, t, at, d);
  close(fd);
  return IK_OK;
}

ik_status ik_file_read(const char *path, size_t limit, ik_span at, ik_buf *out, ik_diag *d) {
  struct stat st;
  int         fd;
  ik_buf_free(out);
  trouble t = open_input(path, &fd, &st);
  if (!none(&t)) return cannot_read(path, t, at, d);
  FILE *f = fdopen(fd, "rb");
  if (!f) return close(fd), ik_file_oom(path, at, d);
  ik_status s = read_all(f, path, limit, (size_t)st.st_size, at, out, d);
  if (s) ik_buf_free(out);
  fclose(f);
  return s;
}

/* ------------------------------------------------------------------------------------ writing */

enum { WRITING = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };

static ik_status outside_writes(const char *path, int err, ik_span at, ik_diag *d) {
  ik_fail(d, IK_ERR_SOURCE, IK_E069, at, "the program may not write '%s': %s", path,
          err == IK_OUTSIDE ? "it lies outside the folder for its files"
                            : "a symbolic link leads out of the folder for its files");
  ik_help(d, "--dir DIR names another folder; --allow-paths lets the program write anywhere");
  return IK_ERR_SOURCE;
}

static ik_status cannot_write(const char *path, trouble t, ik_span at, ik_diag *d) {
  const char *slash = strrchr(path, '/');
  int         len = slash ? (int)(slash - path) : 1, err = t.err;
  const char *folder = slash ? path : ".";
  if (err == ENOMEM) return ik_file_oom(path, at, d);
  if (err < 0) return outside_writes(path, err, at, d);
  if (t.kind) {
    ik_fail(d, IK_ERR_RESOURCE, IK_E064, at, "cannot write '%s': it is %s, not a file", path,
            t.kind);
    ik_help(d, "give another name, or remove it: rm '%s'", path);
    return IK_ERR_RESOURCE;
  }
  ik_fail(d, IK_ERR_RESOURCE, IK_E064, at, "cannot write '%s': %s", path, strerror(err));
  if (err == ENOSPC || err == EDQUOT || err == EFBIG)
    ik_help(d, "free some space, or write to another folder; no partial file is left");
  else if (err == ENOENT)
    ik_help(d, "make the folder first: mkdir -p '%.*s'", len, folder);
  else if (err == EACCES || err == EROFS || err == EPERM)
    ik_help(d, "choose a folder that you may write to");
  return IK_ERR_RESOURCE;
}

static bool is_confined(void) { return ik_access_now() && ik_access_now()->write; }

static int locate(const char *path, ik_spot *spot) {
  return is_confined() ? ik_spot_below(ik_access_now()->write, path, spot)
                       : ik_spot_anywhere(path, spot);
}

/* What is no regular file is opened and looked at; a pipe that nobody reads does not open. */
static trouble open_other(const char *path, const struct stat *old, int *fd) {
  struct stat st;
  if (is_confined()) return (trouble){.kind = kind_of(old)};
  *fd = open(path, WRITING);
  if (*fd < 0) return errno == ENXIO ? (trouble){.kind = kind_of(old)} : is_trouble(errno);
  trouble t = judge(*fd, false, &st);
  if (none(&t))
    let_wait(*fd);
  else
    close(*fd), *fd = -1;
  return t;
}

/* What is there: `mode` 0 if nothing.  A link that the spot still has leads to a pipe, or nowhere.
 */
static int look(const char *path, const ik_spot *spot, struct stat *old) {
  *old = (struct stat){0};
  if (fstatat(spot->folder, spot->name, old, AT_SYMLINK_NOFOLLOW))
    return errno == ENOENT ? 0 : errno;
  if (S_ISLNK(old->st_mode) && (is_confined() || stat(path, old))) *old = (struct stat){0};
  return 0;
}

/* The error that writing would end in, as far as it can be known before.  A device is open then. */
static trouble approach(const char *path, ik_spot *spot, struct stat *old, int *fd) {
  int err = locate(path, spot);
  *fd = -1;
  if (!err) err = look(path, spot, old);
  if (err) return is_trouble(err);
  if (S_ISDIR(old->st_mode)) return is_trouble(EISDIR);
  if (old->st_mode && !S_ISREG(old->st_mode)) return open_other(path, old, fd);
  /* renaming would replace a file that is write-protected */
  if (old->st_mode && faccessat(spot->folder, spot->name, W_OK, 0)) return is_trouble(errno);
  return is_trouble(faccessat(spot->folder, ".", W_OK | X_OK, 0) ? errno : 0);
}

ik_status ik_file_writable(const char *path, ik_span at, ik_diag *d) {
  ik_spot     spot;
  struct stat old;
  int         fd;
  trouble     t = approach(path, &spot, &old, &fd);
  if (none(&t) && fd < 0) ik_temp_sweep(spot.folder);
  if (fd >= 0) close(fd);
  ik_spot_leave(&spot);
  return none(&t) ? IK_OK : cannot_write(path, t, at, d);
}

/* The folder, or the nearest above it that is there, must take new files. */
static int folder_obstacle(const char *path) {
  char        folder[PATH_MAX];
  struct stat info;
  snprintf(folder, sizeof folder, "%s", path);
  while (stat(folder, &info)) {
    if (errno != ENOENT) return errno;
    char *slash = strrchr(folder, '/');
    if (slash && slash > folder)
      *slash = 0;
    else
      strcpy(folder, slash ? "/" : ".");
  }
  if (!S_ISDIR(info.st_mode)) return ENOTDIR;
  return access(folder, W_OK | X_OK) ? errno : 0;
}

ik_status ik_file_folder_writable(const char *path, ik_span at, ik_diag *d) {
  int err = folder_obstacle(path), fd = err ? -1 : open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) ik_temp_sweep(fd), close(fd);
  return err ? cannot_write(path, is_trouble(err), at, d) : IK_OK;
}

ik_status ik_file_make_folder(const char *path, unsigned mode, ik_diag *d) {
  ik_buf part = {0};
  bool   ok = true;
  for (const char *p = path; ok && *p; p++) {
    ik_buf_putc(&part, *p);
    if (part.failed)
      ok = false, errno = ENOMEM;
    else if (p[1] == '/' || p[1] == 0)
      ok = mkdir(ik_buf_text(&part), mode) == 0 || errno == EEXIST;
  }
  int err = errno;
  ik_buf_free(&part);
  if (ok) return IK_OK;
  if (err == ENOMEM) return ik_file_oom(path, IK_NOSPAN, d);
  return ik_fail(d, IK_ERR_RESOURCE, IK_E064, IK_NOSPAN, "cannot make the folder %s: %s", path,
                 strerror(err));
}

static char *copy_text(const char *s) {
  char *p = ik_malloc(strlen(s) + 1);
  return p ? strcpy(p, s) : NULL;
}

/* Opens the temporary file, or the target itself where that is a device. */
static trouble open_output(ik_outfile *o, int *fd) {
  struct stat old;
  trouble     t = approach(o->path, &o->spot, &old, fd);
  if (!none(&t) || *fd >= 0) return t;
  *fd = ik_temp_create(o->spot.folder, o->spot.name, old.st_mode ? 0600 : 0666, o->temp);
  if (*fd < 0) return o->temp[0] = 0, is_trouble(errno);
  if (old.st_mode) fchmod(*fd, old.st_mode & 07777); /* where the file system has modes at all */
  o->undo = ik_undo_file(o->spot.folder, o->temp);
  return t;
}

ik_status ik_outfile_open(ik_outfile *o, const char *path, ik_span at, ik_diag *d) {
  int fd = -1;
  *o = (ik_outfile){.at = at, .spot = {.folder = -1}, .undo = -1};
  o->path = copy_text(path);
  if (!o->path) return ik_file_oom(path, at, d);
  trouble t = open_output(o, &fd);
  if (none(&t) && !(o->f = fdopen(fd, "wb"))) t = is_trouble(errno), close(fd);
  if (none(&t)) return IK_OK;
  ik_outfile_abandon(o);
  return cannot_write(path, t, at, d);
}

void ik_outfile_write(ik_outfile *o, const void *bytes, size_t len) {
  if (!o->err && len && fwrite(bytes, 1, len, o->f) != len) o->err = errno ? errno : EIO;
}

/* To the disk, where the file system has one. */
static int synchronise(int fd) {
  if (!fsync(fd) || errno == EINVAL || errno == EROFS || errno == ENOTSUP) return 0;
  return errno;
}

/* The new name is on the disk when the folder is. */
static int synchronise_folder(int folder) {
  int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return 0; /* files may be made in it, but not listed */
  int err = synchronise(fd);
  close(fd);
  return err;
}

/* While the temporary file is still open, and so ours. */
static int rename_temp(ik_outfile *o) {
  int err = synchronise(fileno(o->f));
  if (err) return err;
  if (renameat(o->spot.folder, o->temp, o->spot.folder, o->spot.name)) return errno;
  ik_undo_forget(o->undo);
  o->undo = -1, o->temp[0] = 0; /* it has become the target */
  return synchronise_folder(o->spot.folder);
}

ik_status ik_outfile_commit(ik_outfile *o, ik_diag *d) {
  if (fflush(o->f) && !o->err) o->err = errno;
  if (!o->err && o->temp[0]) o->err = rename_temp(o);
  if (fclose(o->f) && !o->err) o->err = errno;
  o->f = NULL;
  ik_status s = o->err ? cannot_write(o->path, is_trouble(o->err), o->at, d) : IK_OK;
  ik_outfile_abandon(o);
  return s;
}

void ik_outfile_abandon(ik_outfile *o) {
  if (o->temp[0]) unlinkat(o->spot.folder, o->temp, 0);
  ik_undo_forget(o->undo);
  if (o->f) fclose(o->f);
  if (o->path) ik_spot_leave(&o->spot);
  ik_free(o->path);
  *o = (ik_outfile){.spot = {.folder = -1}, .undo = -1};
}

ik_status ik_file_write(const char *path, const void *bytes, size_t len, ik_diag *d) {
  ik_outfile o;
  IK_TRY(ik_outfile_open(&o, path, IK_NOSPAN, d));
  ik_outfile_write(&o, bytes, len);
  return ik_outfile_commit(&o, d);
}
