#include "base/system.h"
#include "base/mem.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

bool ik_system_read(const char *path, char *text, size_t cap) {
  int     fd = open(path, O_RDONLY | O_CLOEXEC);
  size_t  len = 0;
  ssize_t n = 0;
  if (fd < 0) return false;
  do {
    n = read(fd, text + len, cap - 1 - len);
    if (n > 0) len += (size_t)n;
  } while ((n > 0 && len < cap - 1) || (n < 0 && errno == EINTR));
  close(fd);
  text[len] = 0;
  return n >= 0;
}

int64_t ik_system_memory_limit(void) {
  struct rlimit r;
  if (getrlimit(RLIMIT_AS, &r) || r.rlim_cur == RLIM_INFINITY || r.rlim_cur > INT64_MAX)
    return INT64_MAX;
  return (int64_t)r.rlim_cur;
}

static _Thread_local char reason[256];
static _Thread_local bool lacked;

void *ik_system_load(const char *library, int flags) {
  errno = 0;
  void *lib = dlopen(library, flags);
  if (lib) return lib;
  int         err = errno;
  const char *why = dlerror();
  snprintf(reason, sizeof reason, "%s", why ? why : "no reason given");
  lacked = err == ENOMEM || strstr(reason, "memory") || strstr(reason, "failed to map segment");
  if (lacked) ik_mem_refuse();
  return NULL;
}

bool        ik_system_load_lacked_memory(void) { return lacked; }
const char *ik_system_load_error(void) { return reason; }
