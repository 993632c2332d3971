/* check.h: the whole of our unit-test framework.
 *
 *   CASE(adds) { CHECK_EQ(1 + 1, 2); }
 *
 * Cases register themselves; check.c runs them all, or those named on the command line, and fails a
 * case that leaves memory allocated. */
#pragma once
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void check_register(const char *name, void (*run)(void), bool is_long);
void check_fail(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
const char *check_data(const char *path); /* a path in the source tree, from its root */
/* IKAT_FIRST_FAILURE is set: that something fails is all that is asked, so the first failed case is
 * the last, and no example of it is made smaller. */
bool check_only_asks(void);

/* How much a test does.  In the quick run of ./test.sh, in which IKAT_QUICK is set, that is a share
 * of what it does in the full one, and another share every day: IKAT_SEED is of the day there. */
uint64_t check_seed(void);           /* the first seed of random cases: IKAT_SEED, or 1 */
uint64_t check_count(uint64_t full); /* how many there are: IKAT_COUNT, or full, or its share */
bool     check_is_due(uint64_t i);   /* is number i of something in the share? */

#define CASE(name) CHECK_CASE(name, false)
#define LONG_CASE(name)                                                                            \
  CHECK_CASE(name, true) /* seconds: the quick run has it once in eight days */

#define CHECK_CASE(name, is_long)                                                                  \
  static void                              case_##name(void);                                      \
  __attribute__((constructor)) static void reg_##name(void) {                                      \
    check_register(#name, case_##name, is_long);                                                   \
  }                                                                                                \
  static void case_##name(void)

#define CHECK(c)                                                                                   \
  do {                                                                                             \
    if (!(c)) check_fail(__FILE__, __LINE__, "%s", #c);                                            \
  } while (0)
#define CHECK_EQ(a, b)                                                                             \
  do {                                                                                             \
    long long a_ = (long long)(a), b_ = (long long)(b);                                            \
    if (a_ != b_) check_fail(__FILE__, __LINE__, "%s is %lld, not %lld", #a, a_, b_);              \
  } while (0)
#define CHECK_STR(a, b)                                                                            \
  do {                                                                                             \
    const char *a_ = (a), *b_ = (b);                                                               \
    if (strcmp(a_, b_)) check_fail(__FILE__, __LINE__, "%s is\n%s\nnot\n%s", #a, a_, b_);          \
  } while (0)
#define CHECK_NEAR(a, b, tol)                                                                      \
  do {                                                                                             \
    double a_ = (a), b_ = (b);                                                                     \
    if (!(fabs(a_ - b_) <= (tol)))                                                                 \
      check_fail(__FILE__, __LINE__, "%s is %.17g, not %.17g", #a, a_, b_);                        \
  } while (0)
