#include "base/mem.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static atomic_long live;
static atomic_long countdown = -1;

static _Thread_local long refused;

static int must_fail(void) {
  if (atomic_load(&countdown) < 0) return 0;
  return atomic_fetch_sub(&countdown, 1) == 0;
}

/* No object may be larger; some allocators abort when asked for one. */
static int too_large(size_t count, size_t bytes) { return bytes && count > PTRDIFF_MAX / bytes; }

static void *count_new(void *p) {
  if (p)
    atomic_fetch_add(&live, 1);
  else
    refused++;
  return p;
}

void *ik_malloc(size_t bytes) {
  return count_new(must_fail() || too_large(1, bytes) ? NULL : malloc(bytes ? bytes : 1));
}

void *ik_calloc(size_t count, size_t bytes) {
  bool can = !must_fail() && !too_large(count, bytes);
  return count_new(can ? calloc(count ? count : 1, bytes ? bytes : 1) : NULL);
}

void *ik_realloc(void *p, size_t bytes) {
  if (!p) return ik_malloc(bytes);
  void *q = must_fail() || too_large(1, bytes) ? NULL : realloc(p, bytes ? bytes : 1);
  if (!q) refused++;
  return q;
}

void ik_free(void *p) {
  if (!p) return;
  atomic_fetch_sub(&live, 1);
  free(p);
}

long ik_mem_refused(void) { return refused; }
void ik_mem_refuse(void) { refused++; }

long ik_mem_live(void) { return atomic_load(&live); }
void ik_mem_fail_after(long n) { atomic_store(&countdown, n); }
