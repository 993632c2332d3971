#include "base/mem.h"
#include "check.h"

CASE(counts_live_blocks) {
  long  before = ik_mem_live();
  void *p = ik_malloc(10), *q = ik_calloc(3, 5), *r = ik_realloc(NULL, 7);
  CHECK_EQ(ik_mem_live(), before + 3);
  r = ik_realloc(r, 7000);
  CHECK_EQ(ik_mem_live(), before + 3);
  ik_free(p), ik_free(q), ik_free(r), ik_free(NULL);
  CHECK_EQ(ik_mem_live(), before);
}

CASE(calloc_zeroes) {
  unsigned char *p = ik_calloc(100, 3);
  for (int i = 0; i < 300; i++) CHECK_EQ(p[i], 0);
  ik_free(p);
}

CASE(nothing_is_still_a_block) {
  void *p = ik_malloc(0), *q = ik_calloc(0, 8);
  CHECK(p && q);
  p = ik_realloc(p, 0);
  CHECK(p);
  ik_free(p), ik_free(q);
}

CASE(too_much_is_null) {
  volatile size_t huge = (size_t)PTRDIFF_MAX + 1; /* volatile: compilers warn of it otherwise */
  CHECK(!ik_malloc(huge));
  CHECK(!ik_calloc(huge / 4, 4));
  CHECK(!ik_calloc(huge, 4)); /* the product wraps round to 0 */
  char *p = ik_malloc(1);
  CHECK(!ik_realloc(p, huge));
  ik_free(p);
}

CASE(the_nth_allocation_fails_once) {
  ik_mem_fail_after(2);
  void *p[4];
  for (int i = 0; i < 4; i++) p[i] = ik_malloc(1);
  CHECK(p[0] && p[1] && !p[2] && p[3]);
  for (int i = 0; i < 4; i++) ik_free(p[i]);
}

CASE(failed_realloc_keeps_the_block) {
  char *p = ik_malloc(4);
  memcpy(p, "abc", 4);
  long live = ik_mem_live();
  ik_mem_fail_after(0);
  CHECK(!ik_realloc(p, 4000));
  CHECK_STR(p, "abc");
  CHECK_EQ(ik_mem_live(), live);
  ik_mem_fail_after(0);
  CHECK(!ik_realloc(NULL, 4));
  ik_free(p);
}

CASE(countdown_can_be_called_off) {
  ik_mem_fail_after(0);
  ik_mem_fail_after(-1);
  void *p = ik_malloc(1);
  CHECK(p);
  ik_free(p);
}
