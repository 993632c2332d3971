#include "base/arena.h"
#include "base/mem.h"
#include "base/text.h"
#include <limits.h>
#include <stdint.h>
#include <string.h>

struct ik_arena_block {
  struct ik_arena_block *next;
  size_t                 used, size;
  _Alignas(16) unsigned char data[];
};

enum { FIRST_BLOCK = 16 * 1024 };

void ik_arena_init(ik_arena *a) { a->block = a->spare = NULL; }

void ik_arena_free(ik_arena *a) {
  ik_arena_back(a, (ik_arena_mark){0});
  ik_free(a->spare);
  a->spare = NULL;
}

ik_arena_mark ik_arena_here(const ik_arena *a) {
  return (ik_arena_mark){a->block, a->block ? a->block->used : 0};
}

/* Nobody may look at what is forgotten.  Where errors are looked for, he finds no sense in it. */
static void forget(struct ik_arena_block *b, size_t from) {
#ifdef __SANITIZE_ADDRESS__
  memset(b->data + from, 0xdb, b->used - from);
#endif
  b->used = from;
}

/* The largest block is kept: who goes back and forth asks for memory once. */
void ik_arena_back(ik_arena *a, ik_arena_mark to) {
  while (a->block != to.block) {
    struct ik_arena_block *b = a->block, *less = b;
    a->block = b->next;
    forget(b, 0);
    if (!a->spare || a->spare->size < b->size) less = a->spare, a->spare = b;
    ik_free(less);
  }
  if (a->block) forget(a->block, to.used);
}

static struct ik_arena_block *new_block(ik_arena *a, size_t size) {
  struct ik_arena_block *b = a->spare;
  if (b && b->size >= size) {
    a->spare = NULL;
  } else {
    b = ik_malloc(sizeof *b + size);
    if (!b) longjmp(a->oom, 1);
    b->size = size;
  }
  b->next = a->block, b->used = 0;
  return a->block = b;
}

void *ik_arena_alloc(ik_arena *a, size_t bytes) {
  if (bytes > SIZE_MAX / 4) longjmp(a->oom, 1);
  bytes = (bytes + 15) & ~(size_t)15;
  struct ik_arena_block *b = a->block;
  if (!b || b->size - b->used < bytes) {
    size_t size = b ? b->size * 2 : FIRST_BLOCK;
    if (size > 4u << 20) size = 4u << 20;
    b = new_block(a, size < bytes ? bytes : size);
  }
  void *p = b->data + b->used;
  b->used += bytes;
  return memset(p, 0, bytes);
}

/* A count so large, or negative before it became a size_t, that the product wraps round counts as
 * running out of memory. */
void *ik_arena_alloc_n(ik_arena *a, size_t count, size_t elem) {
  if (elem && count > SIZE_MAX / elem) longjmp(a->oom, 1);
  return ik_arena_alloc(a, count * elem);
}

char *ik_arena_dup(ik_arena *a, const char *s, size_t len) {
  char *p = ik_arena_alloc(a, len + 1);
  return memcpy(p, s, len);
}

char *ik_arena_vprintf(ik_arena *a, const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  int n = ik_vformat(NULL, 0, fmt, again);
  va_end(again);
  char *p = ik_arena_alloc(a, (size_t)n + 1);
  ik_vformat(p, (size_t)n + 1, fmt, ap);
  return p;
}

char *ik_arena_printf(ik_arena *a, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  char *p = ik_arena_vprintf(a, fmt, ap);
  va_end(ap);
  return p;
}

void *ik_arena_grow(ik_arena *a, void *v, int n, int *cap, size_t elem) {
  if (n < *cap) return v;
  if (*cap > INT_MAX / 2) longjmp(a->oom, 1);
  int   want = *cap ? 2 * *cap : 8;
  void *w = ik_arena_alloc_n(a, (size_t)want, elem);
  if (n) memcpy(w, v, (size_t)n * elem);
  *cap = want;
  return w;
}
