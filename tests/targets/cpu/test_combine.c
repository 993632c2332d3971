#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "targets/cpu/combine.h"
#include "check.h"
#include "interp/interp.h"
#include "ir/state.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LONGEST = 70, ROWS = 5 };

/* The language: lane l has the elements l, l + 16, ... in order; then neighbouring lanes. */
static double by_the_language(ik_reduce r, ik_type t, const void *row, int64_t n) {
  double lane[16], pair[2];
  for (int64_t i = 0; i < n; i++) {
    ik_state_load_row(t, row, i, 1, &pair[1]);
    pair[0] = lane[i % 16];
    lane[i % 16] = i < 16 ? pair[1] : ik_interp_tree(r, t, pair, 2);
  }
  return ik_interp_tree(r, t, lane, n < 16 ? n : 16);
}

static void check_rows(ik_reduce r, ik_type t, int64_t n) {
  static char memory[ROWS * LONGEST * 8];
  double      out[2 * ROWS];
  int64_t     pitch = n * ik_type_bytes(t);
  for (int64_t i = 0; i < ROWS * n; i++) {
    double v = ik_type_round(t, (double)((i * 7919 + 13) % 101 - 50) / (t == IK_I32 ? 1 : 7));
    ik_state_store_row(t, memory, i, 1, &v);
  }
  ik_combine(r, t, &(ik_combine_rows){memory, n, ROWS, pitch, 2}, out);
  for (int k = 0; k < ROWS; k++) {
    double want = by_the_language(r, t, memory + k * pitch, n);
    if (memcmp(&out[2 * k], &want, sizeof want))
      check_fail(__FILE__, __LINE__, "%s, %d elements: %.17g, not %.17g", ik_type_name(t), (int)n,
                 out[2 * k], want);
  }
}

CASE(rows_of_any_length_and_type) {
  static const ik_type type[] = {IK_F64, IK_F32, IK_I32, IK_F16, IK_BF16};
  for (int i = 0; i < 5; i++)
    for (int64_t n = 1; n <= LONGEST; n++) {
      check_rows(IK_SUM, type[i], n);
      check_rows(IK_MINIMUM, type[i], n);
      check_rows(IK_MAXIMUM, type[i], n);
    }
}

/* Where the memory behind the last part is nobody's. */
CASE(parts_are_read_and_no_more) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char  *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (two == MAP_FAILED || mprotect(two + page, page, PROT_NONE)) abort();
  for (int64_t n = 1; n <= 33; n++) {
    double *part = (double *)(void *)(two + page) - n, copy[33];
    for (int type = 0; type < 2; type++) {
      ik_type t = type ? IK_F32 : IK_F64;
      for (int64_t i = 0; i < n; i++) copy[i] = part[i] = ik_type_round(t, 1.0 / (double)(i + 3));
      double want = ik_interp_tree(IK_SUM, t, copy, n);
      CHECK(ik_combine_parts(IK_SUM, t, part, n) == want);
    }
  }
  munmap(two, 2 * page);
}
