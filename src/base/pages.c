#define _GNU_SOURCE /* MADV_HUGEPAGE */
#include "base/pages.h"
#include "base/mem.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20, MAP_FROM = 2 * HUGE_PAGE };

/* Lies right before the array. */
typedef struct head {
  void  *block; /* from ik_malloc(): holds the array, or merely stands for it in the accounts */
  char  *map;   /* NULL: the array lies in `block` */
  size_t mapped;
} head;

static char *round_up(char *p, size_t to) { return p + (-(uintptr_t)p & (to - 1)); }

static void *put_head(char *p, head h) {
  ((head *)p)[-1] = h;
  return p;
}

static void *alloc_block(size_t bytes) {
  enum { BEFORE = sizeof(head) > IK_PAGES_BEYOND ? sizeof(head) : IK_PAGES_BEYOND };
  char *block = ik_calloc(1, BEFORE + IK_PAGES_ALIGN + bytes + IK_PAGES_BEYOND);
  if (!block) return NULL;
  return put_head(round_up(block + BEFORE, IK_PAGES_ALIGN), (head){.block = block});
}

/* Where an array begins in its first huge page: never twice the same in a row.  Programs read many
 * arrays at the same place; if those were apart by a large power of two they would all compete for
 * the same few lines of a cache, and loads would wait for stores that only look like theirs. */
static size_t next_start(void) {
  enum { STARTS = 8, APART = (16 << 10) + 512 + 64 };
  static atomic_uint n;
  return atomic_fetch_add(&n, 1) % STARTS * APART;
}

/* What the alignment leaves over is given back: otherwise the head alone could take a huge page. */
static void *alloc_map(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), start = next_start();
  size_t len = start + bytes + IK_PAGES_BEYOND + HUGE_PAGE + page;
  void  *block = ik_malloc(1);
  char  *map = MAP_FAILED;
  if (block) map = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) return ik_free(block), NULL;
  char *huge = round_up(map + page, HUGE_PAGE), *array = huge + start, *first = huge - page;
  char *end = round_up(array + bytes + IK_PAGES_BEYOND, page), *map_end = round_up(map + len, page);
  if (first > map) munmap(map, (size_t)(first - map));
  if (map_end > end) munmap(end, (size_t)(map_end - end));
  madvise(huge, (size_t)(end - huge), MADV_HUGEPAGE); /* a hint */
  return put_head(array, (head){block, first, (size_t)(end - first)});
}

void *ik_pages_alloc(size_t bytes) {
  if (bytes > PTRDIFF_MAX / 2) return NULL;
  return bytes >= MAP_FROM ? alloc_map(bytes) : alloc_block(bytes);
}

void *ik_pages_alloc_busy(size_t bytes) {
  bool large = bytes >= HUGE_PAGE / 8 && bytes < MAP_FROM;
  return ik_pages_alloc(large ? MAP_FROM : bytes);
}

void ik_pages_free(void *p) {
  if (!p) return;
  head h = ((head *)p)[-1];
  if (h.map) munmap(h.map, h.mapped);
  ik_free(h.block);
}
