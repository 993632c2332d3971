#define _GNU_SOURCE /* mkostemp */
#include "runtime/cache.h"
#include "base/hash.h"
#include "base/mem.h"
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
  uint64_t bytes, hash; /* of what lies before it */
} seal;

static const char magic[8] = "ikat\r\n\x1a\1";

/* ----------------------------------------------------------------------------- folders */

static bool writable_by_others(const struct stat *st) {
  return st->st_uid != geteuid() || (st->st_mode & (S_IWGRP | S_IWOTH));
}

static void make_folders(const char *dir) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s", dir) >= (int)sizeof path) return;
  for (char *p = path; (p = strchr(p + 1, '/'));) {
    *p = 0;
    mkdir(path, 0700);
    *p = '/';
  }
  mkdir(path, 0700);
}

bool ik_cache_usable(const char *dir) {
  struct stat st;
  if (!dir[0]) return false;
  if (stat(dir, &st) && errno == ENOENT) make_folders(dir);
  return stat(dir, &st) == 0 && S_ISDIR(st.st_mode) && !writable_by_others(&st);
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
static bool hash_bytes(int fd, uint64_t bytes, int to, uint64_t *hash) {
  char buf[16384];
  *hash = IK_HASH_INIT;
  while (bytes) {
    ssize_t n = read_some(fd, buf, bytes < sizeof buf ? (size_t)bytes : sizeof buf);
    if (n <= 0) return false;
    if (to >= 0 && !write_all(to, buf, (size_t)n)) return false;
    *hash = ik_hash(*hash, buf, (size_t)n);
    bytes -= (uint64_t)n;
  }
  return true;
}

static bool is_sealed(int fd, uint64_t size, const char *key) {
  seal     s;
  uint64_t hash;
  if (size <= sizeof s || !hash_bytes(fd, size - sizeof s, -1, &hash)) return false;
  if (read_some(fd, &s, sizeof s) != sizeof s || memcmp(s.magic, magic, sizeof magic)) return false;
  return !memcmp(s.key, key, IK_CACHE_KEY) && s.bytes == size - sizeof s && s.hash == hash;
}

static bool is_unharmed(const char *path, const char *key) {
  struct stat st;
  int         fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  bool ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && !writable_by_others(&st) &&
            is_sealed(fd, (uint64_t)st.st_size, key);
  close(fd);
  return ok;
}

static bool path_of(const char *dir, const char *key, const char *suffix, char path[PATH_MAX]) {
  return snprintf(path, PATH_MAX, "%s/%s%s", dir, key, suffix) < PATH_MAX;
}

static void mark_used(const char *path) { utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW); }

bool ik_cache_find(const char *dir, const char *key, char path[PATH_MAX]) {
  if (path_of(dir, key, ".c", path)) mark_used(path);
  if (!path_of(dir, key, ".so", path) || !is_unharmed(path, key)) return false;
  mark_used(path);
  return true;
}

/* ----------------------------------------------------------------------------- writing */

static bool copy(int from, int to, const char *key, bool sealed) {
  struct stat st;
  seal        s = {0};
  if (fstat(from, &st)) return false;
  s.bytes = (uint64_t)st.st_size;
  memcpy(s.magic, magic, sizeof magic);
  memcpy(s.key, key, IK_CACHE_KEY);
  return hash_bytes(from, s.bytes, to, &s.hash) && (!sealed || write_all(to, &s, sizeof s));
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
  closedir(dir);
}

static bool put(const char *dir, const char *key, const char *from, const char *path, bool sealed) {
  char temp[PATH_MAX];
  if (snprintf(temp, sizeof temp, "%s.XXXXXX", path) >= (int)sizeof temp) return false;
  int  in = open(from, O_RDONLY | O_CLOEXEC), out = in < 0 ? -1 : mkostemp(temp, O_CLOEXEC);
  bool ok = out >= 0 && copy(in, out, key, sealed);
  if (out >= 0 && close(out)) ok = false; /* a full disk may show only here */
  if (in >= 0) close(in);
  if (ok && rename(temp, path)) ok = false;
  if (!ok && out >= 0) unlink(temp);
  if (ok) trim(dir);
  return ok;
}

bool ik_cache_put_source(const char *dir, const char *key, const char *from, char path[PATH_MAX]) {
  return path_of(dir, key, ".c", path) && put(dir, key, from, path, false);
}

bool ik_cache_put_object(const char *dir, const char *key, const char *from, char path[PATH_MAX]) {
  return path_of(dir, key, ".so", path) && put(dir, key, from, path, true);
}
