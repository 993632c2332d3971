/* arena.h: memory that lives as long as one compilation and is freed at once.
 *
 * Allocation never returns NULL.  When memory runs out the arena jumps to `oom`, which whoever
 * creates the arena sets with setjmp() before using it (api/ does, once per entry point).  So the
 * compiler proper has no out-of-memory paths.
 */
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

typedef struct ik_arena {
  struct ik_arena_block *block, *spare;
  jmp_buf                oom;
} ik_arena;

void ik_arena_init(ik_arena *a);
void ik_arena_free(ik_arena *a);

/* What is allocated between the two is forgotten, and its memory used again. */
typedef struct ik_arena_mark {
  struct ik_arena_block *block;
  size_t                 used;
} ik_arena_mark;

ik_arena_mark ik_arena_here(const ik_arena *a);
void          ik_arena_back(ik_arena *a, ik_arena_mark to);

void *ik_arena_alloc(ik_arena *a, size_t bytes); /* zeroed, aligned to 16 bytes */
void *ik_arena_alloc_n(ik_arena *a, size_t count, size_t elem);
char *ik_arena_dup(ik_arena *a, const char *s, size_t len);
char *ik_arena_printf(ik_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *ik_arena_vprintf(ik_arena *a, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

#define IK_NEW(a, T)      ((T *)ik_arena_alloc((a), sizeof(T)))
#define IK_NEW_N(a, T, n) ((T *)ik_arena_alloc_n((a), (size_t)(n), sizeof(T)))

/* A growing array in an arena: `T *v; int n, cap;` are the caller's own variables. */
void *ik_arena_grow(ik_arena *a, void *v, int n, int *cap, size_t elem);
#define IK_PUSH(a, v, n, cap, x)                                                                   \
  ((v) = ik_arena_grow((a), (v), (n), &(cap), sizeof *(v)), (v)[(n)++] = (x))
