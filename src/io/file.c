#include "io/file.h"
#include "base/mem.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ik_status ik_file_oom(const char *path, ik_span at, ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, at, "not enough memory for '%s'", path);
}

/* ------------------------------------------------------------------------------------ reading */

static ik_status cannot_read(const char *path, int err, ik_span at, ik_diag *d) {
  ik_fail(d, IK_ERR_RESOURCE, IK_E062, at, "cannot read '%s': %s", path, strerror(err));
  if (err == ENOENT) ik_help(d, "paths are relative to the folder in which ikat was started");
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
    if (ferror(f)) return cannot_read(path, errno, at, d);
    if (end) return IK_OK;
    if (out->len >= limit) return too_long(path, limit, at, d);
    size_t more = out->len + CHUNK;
    if (!reserve(out, more < limit - out->len ? out->len + more : limit))
      return ik_file_oom(path, at, d);
  }
}

static ik_status open_to_read(const char *path, ik_span at, FILE **f, struct stat *info,
                              ik_diag *d) {
  *f = fopen(path, "rb");
  if (!*f) return cannot_read(path, errno, at, d);
  int err = fstat(fileno(*f), info) ? errno : S_ISDIR(info->st_mode) ? EISDIR : 0;
  if (!err) return IK_OK;
  fclose(*f);
  return cannot_read(path, err, at, d);
}

ik_status ik_file_readable(const char *path, ik_span at, ik_diag *d) {
  FILE       *f;
  struct stat info;
  IK_TRY(open_to_read(path, at, &f, &info, d));
  fclose(f);
  return IK_OK;
}

ik_status ik_file_read(const char *path, size_t limit, ik_span at, ik_buf *out, ik_diag *d) {
  FILE       *f;
  struct stat info;
  ik_buf_free(out);
  IK_TRY(open_to_read(path, at, &f, &info, d));
  ik_status s = read_all(f, path, limit, (size_t)info.st_size, at, out, d);
  if (s) ik_buf_free(out);
  fclose(f);
  return s;
}

/* ------------------------------------------------------------------------------------ writing */

static ik_status cannot_write(const char *path, int err, ik_span at, ik_diag *d) {
  const char *slash = strrchr(path, '/');
  int         len = slash ? (int)(slash - path) : 1;
  const char *folder = slash ? path : ".";
  ik_fail(d, IK_ERR_RESOURCE, IK_E064, at, "cannot write '%s': %s", path, strerror(err));
  if (err == ENOSPC || err == EDQUOT || err == EFBIG)
    ik_help(d, "make room, or write to another folder; nothing was left behind");
  else if (err == ENOENT)
    ik_help(d, "make the folder first: mkdir -p '%.*s'", len, folder);
  else if (err == EACCES || err == EROFS || err == EPERM)
    ik_help(d, "choose a folder that you may write to");
  return IK_ERR_RESOURCE;
}

/* The error that writing would end in; 0: none that can be known before. */
static int obstacle(const char *path) {
  char        resolved[PATH_MAX], folder[PATH_MAX];
  struct stat old;
  if (realpath(path, resolved)) path = resolved;
  if (!stat(path, &old)) {
    if (S_ISDIR(old.st_mode)) return EISDIR;
    if (access(path, W_OK)) return errno;
    if (!S_ISREG(old.st_mode)) return 0; /* written directly: its folder does not matter */
  }
  const char *slash = strrchr(path, '/');
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
  return access(folder, W_OK | X_OK) ? errno : 0;
}

ik_status ik_file_writable(const char *path, ik_span at, ik_diag *d) {
  int err = obstacle(path);
  return err ? cannot_write(path, err, at, d) : IK_OK;
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
  int err = folder_obstacle(path);
  return err ? cannot_write(path, err, at, d) : IK_OK;
}

ik_status ik_file_make_folder(const char *path, unsigned mode, ik_diag *d) {
  ik_buf part = {0};
  bool   ok = true;
  for (const char *p = path; ok && *p; p++) {
    ik_buf_putc(&part, *p);
    if (p[1] == '/' || p[1] == 0) ok = mkdir(ik_buf_text(&part), mode) == 0 || errno == EEXIST;
  }
  int err = errno;
  ik_buf_free(&part);
  if (ok) return IK_OK;
  return ik_fail(d, IK_ERR_RESOURCE, IK_E064, IK_NOSPAN, "cannot make the folder %s: %s", path,
                 strerror(err));
}

static char *copy_text(const char *s) {
  char *p = ik_malloc(strlen(s) + 1);
  return p ? strcpy(p, s) : NULL;
}

/* "out/u.npy" gives "out/.u.npy.tmp.123.0"; long names are cut so that this one stays legal. */
static char *temp_name(const char *target) {
  static atomic_uint serial; /* two threads may write the same target */
  const char        *slash = strrchr(target, '/'), *name = slash ? slash + 1 : target;
  size_t             cap = strlen(target) + 64;
  char              *p = ik_malloc(cap);
  if (p)
    snprintf(p, cap, "%.*s.%.200s.tmp.%ld.%u", (int)(name - target), target, name, (long)getpid(),
             atomic_fetch_add(&serial, 1));
  return p;
}

/* A name left by a killed run with the same number is passed over.  On failure there is no `temp`:
 * a file of that name would not be ours to remove. */
static int create_temp(ik_outfile *o, mode_t mode) {
  for (int attempt = 0; attempt < 100; attempt++) {
    o->temp = temp_name(o->target);
    if (!o->temp) return errno = ENOMEM, -1;
    int fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0) return fd;
    int err = errno;
    ik_free(o->temp);
    o->temp = NULL;
    if ((errno = err) != EEXIST) break;
  }
  return -1;
}

/* Opens the temporary file, or the target itself where that is a device. */
static int open_target(ik_outfile *o) {
  struct stat old;
  size_t      len = strlen(o->target);
  if (stat(o->target, &old)) {
    if (errno != ENOENT) return -1;
    if (len == 0 || o->target[len - 1] == '/') return errno = len ? EISDIR : ENOENT, -1;
    return create_temp(o, 0666);
  }
  if (S_ISDIR(old.st_mode)) return errno = EISDIR, -1;
  if (!S_ISREG(old.st_mode)) return open(o->target, O_WRONLY | O_CLOEXEC);
  if (access(o->target, W_OK))
    return -1; /* renaming would replace a file that is write-protected */
  int fd = create_temp(o, 0600);
  if (fd >= 0) fchmod(fd, old.st_mode & 07777); /* where the file system has modes at all */
  return fd;
}

ik_status ik_outfile_open(ik_outfile *o, const char *path, ik_span at, ik_diag *d) {
  char resolved[PATH_MAX];
  *o = (ik_outfile){.at = at};
  o->target = copy_text(realpath(path, resolved) ? resolved : path);
  if (!o->target) return ik_file_oom(path, at, d);
  int fd = open_target(o);
  int err = errno;
  if (fd >= 0) o->f = fdopen(fd, "wb");
  if (o->f) return IK_OK;
  if (fd >= 0) err = errno, close(fd);
  ik_outfile_abandon(o);
  return err == ENOMEM ? ik_file_oom(path, at, d) : cannot_write(path, err, at, d);
}

void ik_outfile_write(ik_outfile *o, const void *bytes, size_t len) {
  if (!o->err && len && fwrite(bytes, 1, len, o->f) != len) o->err = errno ? errno : EIO;
}

ik_status ik_outfile_commit(ik_outfile *o, ik_diag *d) {
  if (fclose(o->f) && !o->err) o->err = errno;
  o->f = NULL;
  if (!o->err && o->temp && rename(o->temp, o->target)) o->err = errno;
  ik_status s = o->err ? cannot_write(o->target, o->err, o->at, d) : IK_OK;
  if (!s && o->temp) o->temp[0] = 0; /* it has become the target */
  ik_outfile_abandon(o);
  return s;
}

void ik_outfile_abandon(ik_outfile *o) {
  if (o->f) fclose(o->f);
  if (o->temp && o->temp[0]) unlink(o->temp);
  ik_free(o->temp), ik_free(o->target);
  *o = (ik_outfile){0};
}

ik_status ik_file_write(const char *path, const void *bytes, size_t len, ik_diag *d) {
  ik_outfile o;
  IK_TRY(ik_outfile_open(&o, path, IK_NOSPAN, d));
  ik_outfile_write(&o, bytes, len);
  return ik_outfile_commit(&o, d);
}
