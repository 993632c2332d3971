/* A thread with a stack of 256 KiB compiles, shows and runs the deepest programs of every kind that
 * are accepted.  One that needs more ends the test by a signal. */
#include "base/buf.h"
#include "base/stack.h"
#include "check.h"
#include "ikat/ikat.h"
#include <pthread.h>
#include <string.h>

enum { SMALL = 256 << 10, TOO_DEEP = 4000 };

/* `before` n times, `middle`, `behind` n times: the value of u'. */
typedef struct kind {
  const char *name, *before, *middle, *behind;
} kind;

static const kind kinds[] = {
    {"brackets", "(", "u", ")"},
    {"signs", "-", "u", ""},
    {"calls", "sqrt(", "u", ")"},
    {"choices in choices", "if u < 0.5 then (", "u", ") else 0.5*u"},
    {"a ladder of choices", "if u < 0.5 then u else ", "0.5*u", ""},
    {"powers", "1.01^", "u", ""},
    {"extremes", "max(", "u", ", u[1])"},
    {"offsets", "", "0.5*u", "[1]"},
    {"a sum", "0.0001*sin(u) + ", "u", ""},
    {"a product", "u*", "u", ""},
    {"quotients", "", "u", "/(1 + u)"},
    {"quotients in quotients", "0.1/(2 + ", "u", ")"},
    {"sums in products", "0.001*u*(u[1] + ", "u", ")"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void put_program(const kind *k, int n, ik_buf *out) {
  ik_buf_puts(out, "grid x = 16\nfield u : f64 = noise(1)\nboundary u = 0\nstep 2 { u' = ");
  for (int i = 0; i < n; i++) ik_buf_puts(out, k->before);
  ik_buf_puts(out, k->middle);
  for (int i = 0; i < n; i++) ik_buf_puts(out, k->behind);
  ik_buf_puts(out, " }\n");
}

/* Functions that call each other. */
static void put_functions(int n, ik_buf *out) {
  ik_buf_puts(out, "grid x = 16\nfield u : f64 = noise(1)\ndef g0(a) = a\n");
  for (int i = 1; i <= n; i++) ik_buf_printf(out, "def g%d(a) = sin(g%d(a))\n", i, i - 1);
  ik_buf_printf(out, "step 2 { u' = g%d(u) }\n", n);
}

/* Conditions have no value that a field could hold. */
static void put_conditions(int n, const char *before, ik_buf *out) {
  ik_buf_puts(out, "grid x = 16\nfield u : f64 = noise(1)\nstep 2 { u' = if ");
  for (int i = 0; i < n; i++) ik_buf_puts(out, before);
  ik_buf_puts(out, "u < 0.5 then u else 0.5*u }\n");
}

static void put(int which, int n, ik_buf *out) {
  if (which < KINDS)
    put_program(&kinds[which], n, out);
  else if (which == KINDS)
    put_functions(n, out);
  else
    put_conditions(n, which == KINDS + 1 ? "not " : "u > 2 or ", out);
}

typedef struct job {
  const char *text, *target;
  ik_status   status;
  uint64_t    cells[16];
} job;

/* All that can be done with a program. */
static void *work(void *ctx) {
  static const char *const views[] = {"format", "ast", "ir", "facts", "loops", "code"};
  job                     *j = ctx;
  ik_log                  *log = ik_log_create();
  ik_program              *p = NULL;
  ik_run                  *r = NULL;
  ik_run_options           o;
  ik_run_options_init(&o);
  o.target = j->target, o.threads = 1, o.allow_unstable = true;
  j->status = ik_program_from_text("deep", j->text, log, &p);
  if (!j->status) j->status = ik_program_compile(p, log);
  for (size_t i = 0; !j->status && j->target && i < sizeof views / sizeof *views; i++)
    if (!ik_program_show(p, views[i], &o, log)) j->status = IK_ERR_SOURCE;
  if (!j->status && j->target) ik_program_check(p, log);
  if (!j->status && j->target) j->status = ik_run_create(p, &o, log, &r);
  if (!j->status && j->target) j->status = ik_run_advance(r, -1, log);
  if (r && !j->status) memcpy(j->cells, ik_run_data(r, "u", NULL), sizeof j->cells);
  ik_study *plans = NULL;
  if (!j->status && j->target) ik_study_plan(p, NULL, log, &plans);
  ik_study_destroy(&plans);
  ik_run_destroy(&r);
  ik_program_destroy(&p);
  ik_log_destroy(&log);
  return NULL;
}

static ik_status on_a_small_stack(job *j) {
  pthread_attr_t attr;
  pthread_t      thread;
  pthread_attr_init(&attr);
  CHECK_EQ(pthread_attr_setstacksize(&attr, SMALL), 0);
  CHECK_EQ(pthread_create(&thread, &attr, work, j), 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attr);
  return j->status;
}

static bool is_accepted(int which, int n) {
  ik_buf text = {0};
  put(which, n, &text);
  job j = {.text = ik_buf_text(&text)};
  on_a_small_stack(&j);
  ik_buf_free(&text);
  return j.status == IK_OK;
}

static int deepest(int which) {
  int good = 1, bad = TOO_DEEP;
  while (bad - good > 1) {
    int middle = (good + bad) / 2;
    if (is_accepted(which, middle))
      good = middle;
    else
      bad = middle;
  }
  return good;
}

/* Each is refused somewhere (E005), not by a signal; right below that it runs, and to the values
 * that it has where there is room. */
CASE(the_deepest_programs_need_no_large_stack) {
  for (int k = 0; k < KINDS + 3; k++) {
    ik_buf text = {0};
    int    n = deepest(k);
    CHECK(!is_accepted(k, TOO_DEEP));
    CHECK(n >= 90);
    put(k, n, &text);
    job small = {.text = ik_buf_text(&text), .target = "ref"}, large = small;
    on_a_small_stack(&small);
    work(&large);
    CHECK(small.status == large.status && (!small.status || small.status == IK_ERR_NUMERIC));
    CHECK(memcmp(small.cells, large.cells, sizeof small.cells) == 0);
    ik_buf_free(&text);
  }
}

/* With a compiler of C, where there is one; the others have the same way up to there. */
LONG_CASE(the_deepest_sum_is_compiled) {
  ik_buf text = {0};
  put(8, deepest(8), &text);
  job small = {.text = ik_buf_text(&text), .target = "cpu"}, ref = {small.text, "ref", 0, {0}};
  CHECK_EQ(on_a_small_stack(&small), IK_OK);
  work(&ref);
  CHECK(memcmp(small.cells, ref.cells, sizeof ref.cells) == 0);
  ik_buf_free(&text);
}

/* ---- base/stack.h ---- */

typedef struct visit {
  pthread_t thread;
  int       times;
} visit;

static void come(void *ctx) {
  visit *v = ctx;
  v->thread = pthread_self();
  v->times++;
}

static void *come_here(void *ctx) {
  visit *v = ctx;
  v[0].thread = pthread_self();
  ik_stack_call(come, &v[1]);
  return NULL;
}

CASE(who_has_room_stays_on_his_thread) {
  visit          v[2] = {{0}};
  pthread_attr_t attr;
  pthread_t      thread;
  for (int small = 0; small < 2; small++) {
    pthread_attr_init(&attr);
    CHECK_EQ(pthread_attr_setstacksize(&attr, small ? SMALL : 8 << 20), 0);
    CHECK_EQ(pthread_create(&thread, &attr, come_here, v), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    CHECK_EQ(v[1].times, small + 1);
    CHECK_EQ(pthread_equal(v[0].thread, v[1].thread) != 0, !small);
  }
}
