#include "runtime/cache.h"
#include "base/mem.h"
#include "io/temp.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct seal {
  char     magic[8], key[IK_CACHE_KEY];
  uint64_t bytes; /* of what lies before it, and their digest */
  uint8_t  digest[IK_BLAKE2B];
} seal;

static const char magic[8] = "ikat\r\n\x1a\2";

/* ----------------------------------------------------------------------------- folders */

static bool writable_by_others(const struct stat *st) {
  return st->st_uid != geteuid() || (st->st_mode & (S_IWGRP | S_IWOTH));
}

/* Does `test` hold for each folder on the way, "/a", "/a/b" and "/a/b/c"? */
static bool each_folder(const char *dir, bool (*test)(const char *path)) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s", dir) >= (int)sizeof path) return false;
  for (char *p = path; (p = strchr(p + 1, '/'));) {
    *p = 0;
    if (!test(path)) return false;
    *p = '/';
  }
  return test(path);
}

static bool make_folder(const char *path) { return mkdir(path, 0700) == 0 || errno == EEXIST; }

/* A link that somebody else made may lead to another place tomorrow. */
static bool is_no_foreign_link(const char *path) {
  struct stat st;
  if (lstat(path, &st)) return false;
  return !S_ISLNK(st.st_mode) || st.st_uid == geteuid() || st.st_uid == 0;
}

bool ik_cache_usable(const char *dir) {
  struct stat st;
  if (!dir[0]) return false;
  if (stat(dir, &st) && errno == ENOENT) each_folder(dir, make_folder);
  return each_folder(dir, is_no_foreign_link) && stat(dir, &st) == 0 && S_ISDIR(st.st_mode) &&
         !writable_by_others(&st);
}

/* ----------------------------------------------------------------------------- reading */

static ssize_t read_some(int fd, void *to, size_t len) {
  ssize_t n;
  do n = read(fd, to, len);
  while (n < 0 && errno == EINTR);
  return n;
}

static bool write_all(int fd, const void *from, size_t len) {
  for (const char *p = from; len;) {
    ssize_t n = write(fd, p, len);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    p += n, len -= (size_t)n;
  }
  return true;
}

/* The next `bytes` bytes of a file; copied to `to` as well, unless that is -1. */
static bool digest_bytes(int fd, uint64_t bytes, int to, uint8_t digest[IK_BLAKE2B]) {
  char       buf[16384];
  ik_blake2b all;
  ik_blake2b_init(&all);
  while (bytes) {
    ssize_t n = read_some(fd, buf, bytes < sizeof buf ? (size_t)bytes : sizeof buf);
    if (n <= 0) return false;
    if (to >= 0 && !write_all(to, buf, (size_t)n)) return false;
    ik_blake2b_add(&all, buf, (size_t)n);
    bytes -= (uint64_t)n;
  }
  ik_blake2b_end(&all, digest);
  return true;
}

static bool is_sealed(int fd, uint64_t size, const char *key) {
  seal    s;
  uint8_t digest[IK_BLAKE2B];
  if (size <= sizeof s || !digest_bytes(fd, size - sizeof s, -1, digest)) return false;
  if (read_some(fd, &s, sizeof s) != sizeof s || memcmp(s.magic, magic, sizeof magic)) return false;
  return !memcmp(s.key, key, IK_CACHE_KEY) && s.bytes == size - sizeof s &&
         !memcmp(s.digest, digest, sizeof digest);
}

static bool is_text(int fd, uint64_t size, const char *text) {
  char buf[16384];
  if (size != strlen(text)) return false;
  for (ssize_t n; (n = read_some(fd, buf, sizeof buf)) > 0; text += n, size -= (uint64_t)n)
    if ((uint64_t)n > size || memcmp(buf, text, (size_t)n)) return false;
  return size == 0;
}

/* A file of ours, and nobody else's, that passes the test. */
static bool passes(const char *path, bool (*test)(int fd, uint64_t size, const char *what),
                   const char *what) {
  struct stat st;
  int         fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  bool ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && !writable_by_others(&st) &&
            test(fd, (uint64_t)st.st_size, what);
  close(fd);
  return ok;
}

static bool path_of(const char *dir, const char *key, const char *suffix, char path[PATH_MAX]) {
  return snprintf(path, PATH_MAX, "%s/%s%s", dir, key, suffix) < PATH_MAX;
}

static void mark_used(const char *path) { utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW); }

bool ik_cache_find(const char *dir, const char *key, const char *text, char path[PATH_MAX]) {
  if (!path_of(dir, key, ".c", path) || !passes(path, is_text, text)) return false;
  mark_used(path);
  if (!path_of(dir, key, ".so", path) || !passes(path, is_sealed, key)) return false;
  mark_used(path);
  return true;
}

void ik_cache_drop(const char *dir, const char *key) {
  char path[PATH_MAX];
  if (path_of(dir, key, ".so", path)) unlink(path);
}

/* ----------------------------------------------------------------------------- writing */

static bool copy(int from, int to, const char *key, bool sealed) {
  struct stat st;
  seal        s = {0};
  if (fstat(from, &st)) return false;
  s.bytes = (uint64_t)st.st_size;
  memcpy(s.magic, magic, sizeof magic);
  memcpy(s.key, key, IK_CACHE_KEY);
  return digest_bytes(from, s.bytes, to, s.digest) && (!sealed || write_all(to, &s, sizeof s));
}

typedef struct entry {
  char    name[IK_CACHE_KEY + 24];
  int64_t used_ns, bytes;
} entry;

static int by_last_use(const void *a, const void *b) {
  const entry *x = a, *y = b;
  return x->used_ns != y->used_ns ? (x->used_ns < y->used_ns ? -1 : 1) : strcmp(x->name, y->name);
}

/* Only what looks like ours, in case somebody names a folder that has other things in it. */
static bool read_entry(int dir, const char *name, entry *e) {
  struct stat st;
  if (strspn(name, "0123456789abcdef") != IK_CACHE_KEY || name[IK_CACHE_KEY] != '.') return false;
  if (snprintf(e->name, sizeof e->name, "%s", name) >= (int)sizeof e->name) return false;
  if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) || S_ISDIR(st.st_mode)) return false;
  e->used_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
  e->bytes = st.st_size;
  return true;
}

static entry *list_entries(DIR *dir, int *n) {
  entry *list = NULL, e;
  int    cap = *n = 0;
  for (struct dirent *f; (f = readdir(dir));) {
    if (!read_entry(dirfd(dir), f->d_name, &e)) continue;
    if (*n == cap) {
      entry *more = ik_realloc(list, (size_t)(cap = cap ? 2 * cap : 64) * sizeof *list);
      if (!more) break;
      list = more;
    }
    list[(*n)++] = e;
  }
  return list;
}

static void trim(const char *path) {
  DIR *dir = opendir(path);
  if (!dir) return;
  int     n, left;
  int64_t bytes = 0;
  entry  *list = list_entries(dir, &n);
  for (int i = 0; i < n; i++) bytes += list[i].bytes;
  if (n) qsort(list, (size_t)n, sizeof *list, by_last_use);
  left = n;
  for (int i = 0; i < n && (left > IK_CACHE_FILES || bytes > IK_CACHE_BYTES); i++, left--) {
    unlinkat(dirfd(dir), list[i].name, 0);
    bytes -= list[i].bytes;
  }
  ik_free(list);
  ik_temp_sweep(dirfd(dir));
  closedir(dir);
}

static bool put_in(int folder, const char *key, const char *from, const char *name, bool sealed) {
  char temp[NAME_MAX + 1];
  int  in = open(from, O_RDONLY | O_CLOEXEC);
  int  out = in < 0 ? -1 : ik_temp_create(folder, name, 0600, temp);
  bool ok = out >= 0 && copy(in, out, key, sealed) && !renameat(folder, temp, folder, name);
  if (!ok && out >= 0) unlinkat(folder, temp, 0);
  if (out >= 0) close(out);
  if (in >= 0) close(in);
  return ok;
}

/* A full disk that shows only when the file is closed is found out by the seal. */
static bool put(const char *dir, const char *key, const char *from, const char *path, bool sealed) {
  int  folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool ok = folder >= 0 && put_in(folder, key, from, strrchr(path, '/') + 1, sealed);
  if (folder >= 0) close(folder);
  if (ok) trim(dir);
  return ok;
}

bool ik_cache_put_source(const char *dir, const char *key, const char *from, char path[PATH_MAX]) {
  return path_of(dir, key, ".c", path) && put(dir, key, from, path, false);
}

bool ik_cache_put_object(const char *dir, const char *key, const char *from, char path[PATH_MAX]) {
  return path_of(dir, key, ".so", path) && put(dir, key, from, path, true);
}
