#include "base/arena.h"
#include "base/mem.h"
#include "check.h"
#include <stdint.h>
#include <stdlib.h>

/* An arena whose user does not expect to run out. */
#define ARENA(a)                                                                                   \
  ik_arena a;                                                                                      \
  ik_arena_init(&a);                                                                               \
  if (setjmp(a.oom)) abort()

CASE(memory_is_zeroed_aligned_and_separate) {
  ARENA(a);
  unsigned char *p[200];
  for (int i = 0; i < 200; i++) {
    p[i] = ik_arena_alloc(&a, (size_t)i);
    CHECK_EQ((uintptr_t)p[i] % 16, 0);
    for (int j = 0; j < i; j++) CHECK_EQ(p[i][j], 0);
    memset(p[i], i, (size_t)i);
  }
  for (int i = 0; i < 200; i++)
    for (int j = 0; j < i; j++) CHECK_EQ(p[i][j], i);
  ik_arena_free(&a);
}

CASE(pieces_larger_than_any_block) {
  ARENA(a);
  char *small = ik_arena_dup(&a, "small", 5);
  char *big = ik_arena_alloc(&a, 9u << 20);
  memset(big, 1, 9u << 20);
  char *after = ik_arena_dup(&a, "after", 5);
  CHECK_STR(small, "small");
  CHECK_STR(after, "after");
  ik_arena_free(&a);
  CHECK(!a.block);
}

CASE(small_pieces_share_blocks) {
  ARENA(a);
  long before = ik_mem_live();
  for (int i = 0; i < 1000; i++) ik_arena_alloc(&a, 16);
  CHECK_EQ(ik_mem_live(), before + 1);
  ik_arena_free(&a);
}

CASE(going_back_gives_the_same_memory_again) {
  ARENA(a);
  char         *kept = ik_arena_dup(&a, "kept", 4);
  ik_arena_mark here = ik_arena_here(&a);
  char         *first = ik_arena_alloc(&a, 100);
  memset(first, 1, 100);
  ik_arena_back(&a, here);
  char *again = ik_arena_alloc(&a, 100);
  CHECK(again == first);
  for (int i = 0; i < 100; i++) CHECK_EQ(again[i], 0);
  CHECK_STR(kept, "kept");
  ik_arena_free(&a);
}

CASE(going_back_and_forth_asks_for_memory_once) {
  ARENA(a);
  long          before = ik_mem_live();
  ik_arena_mark here = ik_arena_here(&a); /* before the first block */
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < 50; i++) memset(ik_arena_alloc(&a, 10000), 1, 10000);
    ik_arena_back(&a, here);
    CHECK_EQ(ik_mem_live(), before + 1); /* the largest block waits */
    CHECK(!a.block);
  }
  ik_arena_free(&a);
  CHECK_EQ(ik_mem_live(), before);
}

CASE(dup_takes_part_of_a_text) {
  ARENA(a);
  CHECK_STR(ik_arena_dup(&a, "stencil", 4), "sten");
  CHECK_STR(ik_arena_dup(&a, "x", 0), "");
  ik_arena_free(&a);
}

CASE(printf_of_any_length) {
  ARENA(a);
  CHECK_STR(ik_arena_printf(&a, "%s %d", "a", 7), "a 7");
  CHECK_EQ(strlen(ik_arena_printf(&a, "%50000d", 1)), 50000);
  ik_arena_free(&a);
}

CASE(push_grows_and_keeps) {
  ARENA(a);
  int *v = NULL, n = 0, cap = 0;
  for (int i = 0; i < 1000; i++) IK_PUSH(&a, v, n, cap, i * i);
  CHECK_EQ(n, 1000);
  CHECK(cap >= n);
  for (int i = 0; i < n; i++) CHECK_EQ(v[i], i * i);
  ik_arena_free(&a);
}

static bool runs_out(size_t bytes) {
  ik_arena a;
  ik_arena_init(&a);
  volatile bool out = false;
  if (setjmp(a.oom))
    out = true;
  else
    ik_arena_alloc(&a, bytes);
  ik_arena_free(&a);
  return out;
}

CASE(running_out_jumps) {
  CHECK(!runs_out(10));
  CHECK(runs_out(SIZE_MAX)); /* would wrap round when aligned */
  CHECK(runs_out(SIZE_MAX / 4 + 1));
  ik_mem_fail_after(0);
  CHECK(runs_out(10));
}

CASE(counts_that_cannot_be_jump) {
  ik_arena a;
  ik_arena_init(&a);
  volatile int    jumps = 0;
  volatile size_t most = SIZE_MAX / sizeof(long) + 2; /* times the size: wraps round to 8 bytes */
  if (setjmp(a.oom))
    jumps++;
  else
    IK_NEW_N(&a, long, most);
  CHECK_EQ(jumps, 1);
  ik_arena_free(&a);
}
