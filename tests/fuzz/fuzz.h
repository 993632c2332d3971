/* fuzz.h: what the fuzz targets share.  A target takes any bytes and must return: a crash, a report
 * of a sanitizer, a block that is never freed or a broken promise (MUST) ends the program. */
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/arena.h"
#include "base/diag.h"
#include "base/mem.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(c)                                                                                    \
  do {                                                                                             \
    if (!(c)) fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #c), abort();       \
  } while (0)

typedef struct fuzz { /* one input */
  long      live;     /* blocks before */
  ik_source src;
  ik_arena  arena;
  ik_diag   diag;
} fuzz;

static inline void fuzz_open(fuzz *f, const uint8_t *data, size_t size) {
  memset(f, 0, sizeof *f);
  f->live = ik_mem_live();
  f->src = (ik_source){"fuzz.ik", (const char *)data, size};
  ik_arena_init(&f->arena);
  if (setjmp(f->arena.oom)) MUST(!"memory for one input");
}

/* What is wrong with the input can be shown, and nothing stays allocated. */
static inline void fuzz_close(fuzz *f) {
  ik_buf text = {0};
  ik_diag_render(&f->diag, false, &text);
  ik_diag_json(&f->diag, &text);
  ik_buf_free(&text);
  ik_diag_free(&f->diag);
  ik_arena_free(&f->arena);
  MUST(ik_mem_live() == f->live);
}

/* A path under which the bytes can be read as a file; it stays the same file. */
static inline const char *fuzz_file(const uint8_t *data, size_t size) {
  static char path[64];
  static int  fd = -1;
  if (fd < 0) fd = memfd_create("fuzz", 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  MUST(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
  return path;
}

/* Where a file with a name lies: in memory if it can, for a disk is waited for at each input. */
static inline const char *fuzz_folder(void) {
  return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
}
