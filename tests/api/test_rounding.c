/* Whoever calls may round as he likes, keep no subnormal numbers or want signals: ikat does not. */
#define _GNU_SOURCE /* feenableexcept */
#include "check.h"
#include "ikat/ikat.h"
#include <fenv.h>
#include <stdio.h>
#include <string.h>

/* Thirds and tenths are rounded, far numbers are subnormal, and w overflows on its way. */
static const char text[] =
    "grid x = 2048, y = 600\nparam third = 1/3\n"
    "field u : f32 = 1e-30/(1 + (x/8)^8)\nboundary u = 0\nfield w : f32 = 1e38\n"
    "step 4 { u' = u + 0.1*third*laplacian(u)\n  w' = min(1e2*w, 1e38) }\nall = sum(u)\n";

/* What libraries do as they are loaded if they were linked with -ffast-math. */
static void flush_subnormals(void) {
#if defined __x86_64__
  unsigned state = 0;
  __asm__ volatile("stmxcsr %0" : "=m"(state));
  state |= 0x8040;
  __asm__ volatile("ldmxcsr %0" : : "m"(state));
#elif defined __aarch64__
  uint64_t state = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(state));
  __asm__ volatile("msr fpcr, %0" : : "r"(state | 1 << 24));
#endif
}

/* A subnormal number, by its bits: comparing flushes as well. */
static uint32_t small_number(void) {
  volatile float x = 1e-38f, q = 0.25f;
  float          small = x * q;
  uint32_t       bits = 0;
  memcpy(&bits, &small, sizeof bits);
  return bits;
}

static void hash_of_run(const char *target, char hash[17]) {
  ik_log     *log = ik_log_create();
  ik_program *p = NULL;
  ik_run     *r = NULL;
  CHECK_EQ(ik_program_from_text("test", text, log, &p), IK_OK);
  CHECK_EQ(ik_program_compile(p, log), IK_OK);
  CHECK_EQ(ik_run_create(p, &(ik_run_options){.target = target, .threads = 2}, log, &r), IK_OK);
  CHECK_EQ(ik_run_advance(r, 2, log), IK_OK);
  CHECK_EQ(ik_run_advance(r, -1, log), IK_OK);
  const char *at = r ? strstr(ik_run_json(r), "\"hash\": \"") : NULL;
  snprintf(hash, 17, "%s", at ? at + strlen("\"hash\": \"") : "");
  ik_run_destroy(&r);
  ik_program_destroy(&p);
  ik_log_destroy(&log);
}

/* In an environment of its own; the caller's is as it was afterwards. */
static void check_environment(void (*set)(void), int rounding) {
  static const char *const targets[] = {"ref", "cpu"};
  char                     usual[17], now[17];
  fenv_t                   before;
  for (int i = 0; i < 2; i++) {
    hash_of_run(targets[i], usual);
    fegetenv(&before);
    set();
    uint32_t small = small_number();
    hash_of_run(targets[i], now);
    CHECK_EQ(fegetround(), rounding);
    CHECK_EQ(small_number(), small);
    fesetenv(&before);
    CHECK_STR(now, usual);
  }
}

static void round_up(void) { fesetround(FE_UPWARD); }

LONG_CASE(results_do_not_depend_on_how_the_caller_rounds) {
  check_environment(round_up, FE_UPWARD);
}

LONG_CASE(subnormal_numbers_are_kept_where_the_caller_does_not) {
  check_environment(flush_subnormals, FE_TONEAREST);
}

static void want_signals(void) { feenableexcept(FE_DIVBYZERO | FE_OVERFLOW | FE_INVALID); }

/* Where the processor has any: those of Arm as a rule have not. */
LONG_CASE(nothing_is_a_signal) { check_environment(want_signals, FE_TONEAREST); }

/* It loads loops that are compiled with -ffast-math. */
CASE(a_bench_leaves_arithmetic_alone) {
  ik_log          *log = ik_log_create();
  ik_bench        *b = NULL;
  ik_bench_options o;
  ik_bench_options_init(&o);
  o.only = "star2d-r1-f32", o.target = "ref", o.small = true, o.rounds = 1;
  uint32_t small = small_number();
  CHECK(small != 0);
  CHECK_EQ(ik_bench_run(&o, log, &b), IK_OK);
  CHECK_EQ(small_number(), small);
  ik_bench_destroy(&b);
  ik_log_destroy(&log);
}
