#include "check.h"
#include "base/mem.h"
#include <stdarg.h>
#include <stdlib.h>

enum { MOST = 512 };
static struct {
  const char *name;
  void (*run)(void);
  bool is_long;
} cases[MOST];
static int ncases, failures;

void check_register(const char *name, void (*run)(void), bool is_long) {
  if (ncases == MOST) abort();
  cases[ncases].name = name, cases[ncases].run = run, cases[ncases++].is_long = is_long;
}

void check_fail(const char *file, int line, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  fprintf(stderr, "%s:%d: ", file, line);
  vfprintf(stderr, fmt, ap);
  fputc('\n', stderr);
  va_end(ap);
  failures++;
}

const char *check_data(const char *path) {
  static char buf[4][1024];
  static int  turn;
  const char *root = getenv("IKAT_ROOT");
  char       *p = buf[turn++ % 4];
  snprintf(p, sizeof buf[0], "%s/%s", root ? root : ".", path);
  return p;
}

bool check_only_asks(void) { return getenv("IKAT_FIRST_FAILURE") != NULL; }

/* ---- how much ---- */

enum { PARTS = 8 }; /* the quick run does one of so many, as scripts/due */

static uint64_t from_environment(const char *name, uint64_t otherwise) {
  const char *v = getenv(name);
  return v && *v ? strtoull(v, NULL, 10) : otherwise;
}

static uint64_t parts(void) { return from_environment("IKAT_QUICK", 0) ? PARTS : 1; }

uint64_t check_seed(void) { return from_environment("IKAT_SEED", 1); }

uint64_t check_count(uint64_t full) {
  return from_environment("IKAT_COUNT", (full + parts() - 1) / parts());
}

bool check_is_due(uint64_t i) { return (i + check_seed()) % parts() == 0; }

/* ---- running ---- */

static bool selected(int k, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], cases[k].name) == 0) return true;
  return argc == 1 && (!cases[k].is_long || check_is_due((uint64_t)k));
}

int main(int argc, char **argv) {
  int passed = 0, failed = 0;
  for (int i = 0; i < ncases && !(failed && check_only_asks()); i++) {
    if (!selected(i, argc, argv)) continue;
    int  before = failures;
    long live = ik_mem_live();
    cases[i].run();
    if (ik_mem_live() != live)
      check_fail(argv[0], 0, "%s leaves %ld blocks allocated", cases[i].name, ik_mem_live() - live);
    if (failures == before) {
      passed++;
      continue;
    }
    failed++;
    fprintf(stderr, "  rerun: %s %s\n", argv[0], cases[i].name);
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed || !(passed || argc == 1);
}
