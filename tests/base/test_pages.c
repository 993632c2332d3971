#include "base/pages.h"
#include "base/mem.h"
#include "check.h"

static const size_t sizes[] = {0, 1, 63, 4096, 100000, 4194303, 4194304, 4194305, 9000001};
enum { NSIZES = sizeof sizes / sizeof *sizes };

CASE(arrays_are_zero_aligned_and_readable_beyond) {
  for (int i = 0; i < NSIZES; i++) {
    unsigned char *p = ik_pages_alloc(sizes[i]);
    unsigned       any = 0;
    CHECK(p);
    for (size_t k = 0; k < sizes[i] + IK_PAGES_BEYOND; k++) any |= p[k];
    CHECK_EQ(any, 0);
    CHECK_EQ((uintptr_t)p % IK_PAGES_ALIGN, 0);
    memset(p, 0xff, sizes[i]);
    ik_pages_free(p);
  }
}

/* A store to one of them and a load from another never look alike by their last 12 bits; and their
 * 16 KiB at the same place are in different sets of a cache of 128 KiB a way. */
CASE(big_arrays_begin_at_different_places) {
  enum { BIG = 4 << 20, N = 8, WAY = 128 << 10 };
  char *p[N];
  for (int i = 0; i < N; i++) p[i] = ik_pages_alloc(BIG);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < i; k++) {
      size_t apart = (size_t)((uintptr_t)p[i] - (uintptr_t)p[k]) % WAY;
      CHECK((uintptr_t)p[i] % 4096 != (uintptr_t)p[k] % 4096);
      CHECK(apart >= 8 << 10 && WAY - apart >= 8 << 10);
    }
  for (int i = 0; i < N; i++) ik_pages_free(p[i]);
}

CASE(arrays_lie_apart) {
  unsigned char *p[NSIZES];
  for (int i = 0; i < NSIZES; i++) {
    p[i] = ik_pages_alloc(sizes[i]);
    memset(p[i], i, sizes[i]);
  }
  for (int i = 0; i < NSIZES; i++) {
    for (size_t k = 0; k < sizes[i]; k++)
      if (p[i][k] != i) {
        CHECK_EQ(p[i][k], i);
        break;
      }
    ik_pages_free(p[i]);
  }
}

CASE(each_counts_as_one_block) {
  long before = ik_mem_live();
  for (int i = 0; i < NSIZES; i++) {
    void *p = ik_pages_alloc(sizes[i]);
    CHECK_EQ(ik_mem_live(), before + 1);
    ik_pages_free(p);
    CHECK_EQ(ik_mem_live(), before);
  }
  ik_pages_free(NULL);
}

CASE(each_can_be_made_to_fail) {
  for (int i = 0; i < NSIZES; i++) {
    ik_mem_fail_after(0);
    CHECK(!ik_pages_alloc(sizes[i]));
  }
}

CASE(too_much_is_null) {
  CHECK(!ik_pages_alloc(SIZE_MAX));
  CHECK(!ik_pages_alloc((size_t)PTRDIFF_MAX));
  CHECK(!ik_pages_alloc((size_t)1 << 61)); /* more than any machine can address */
}
