#include "sanitized.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif

#ifdef SANITIZED
bool is_sanitized(void) { return true; }

/* Both runtimes cannot live in one process: the compiler is the one that built the test. */
#ifdef __clang__
#define COMPILER "clang"
#else
#define COMPILER "gcc"
#endif

static char folder[] = "/tmp/ikat-cc.XXXXXX", wrapper[sizeof folder + 3];

static void forget(void) {
  unlink(wrapper);
  rmdir(folder);
}

static int write_wrapper(void) {
  snprintf(wrapper, sizeof wrapper, "%s/cc", folder);
  FILE *f = fopen(wrapper, "w");
  if (!f) return -1;
  fputs("#!/bin/sh\nexec " COMPILER " -fsanitize=address -fno-omit-frame-pointer \"$@\" -O0 -g1\n",
        f);
  return fclose(f) || chmod(wrapper, 0700);
}

void sanitize_generated_code(void) {
  const char *path = getenv("PATH");
  char        longer[8192];
  if (wrapper[0]) return;
  if (!path || !mkdtemp(folder) || write_wrapper()) abort();
  if (snprintf(longer, sizeof longer, "%s:%s", folder, path) >= (int)sizeof longer) abort();
  setenv("PATH", longer, 1);
  atexit(forget);
}
#else
bool is_sanitized(void) { return false; }
void sanitize_generated_code(void) {}
#endif
