#define _GNU_SOURCE /* flock */
#include "io/temp.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool ik_temp_hold(int fd) { return flock(fd, LOCK_EX | LOCK_NB) == 0; }

/* Long names are cut so that this one stays legal. */
static void make_name(const char *name, char temp[NAME_MAX + 1]) {
  static atomic_uint serial; /* two threads may write the same target */
  snprintf(temp, NAME_MAX + 1, ".%.200s.tmp.%ld.%u", name, (long)getpid(),
           atomic_fetch_add(&serial, 1));
}

/* Somebody who sweeps may have had it between its making and the lock.  A file system without locks
 * is not swept either. */
static bool is_ours_now(int fd) {
  struct stat st;
  if (flock(fd, LOCK_EX) && errno == EINTR) return is_ours_now(fd);
  return fstat(fd, &st) == 0 && st.st_nlink > 0;
}

int ik_temp_create(int folder, const char *name, mode_t mode, char temp[NAME_MAX + 1]) {
  for (int attempt = 0; attempt < 100; attempt++) {
    make_name(name, temp);
    int fd = openat(folder, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0 && errno != EEXIST) return -1;
    if (fd >= 0 && is_ours_now(fd)) return fd;
    if (fd >= 0) close(fd);
  }
  return errno = EEXIST, -1;
}

/* ".NAME.tmp.DIGITS.DIGITS" */
static bool is_temp_name(const char *name) {
  static const char digits[] = "0123456789";
  const char       *last = NULL;
  if (name[0] != '.') return false;
  for (const char *p = name; (p = strstr(p, ".tmp.")); p++) last = p + 5;
  if (!last || last == name + 5) return false;
  size_t pid = strspn(last, digits), serial = last[pid] == '.' ? strspn(last + pid + 1, digits) : 0;
  return pid && serial && !last[pid + 1 + serial];
}

static void remove_if_left(int folder, const char *name) {
  struct stat st;
  int         fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return;
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && ik_temp_hold(fd))
    unlinkat(folder, name, 0);
  close(fd);
}

void ik_temp_sweep(int folder) {
  int  fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = fd < 0 ? NULL : fdopendir(fd);
  if (!dir && fd >= 0) close(fd);
  for (struct dirent *e; dir && (e = readdir(dir));)
    if (is_temp_name(e->d_name)) remove_if_left(folder, e->d_name);
  if (dir) closedir(dir);
}
