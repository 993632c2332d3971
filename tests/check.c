#include "check.h"
#include "base/mem.h"
#include <stdarg.h>
#include <stdlib.h>

enum { MOST = 512 };
static struct {
  const char *name;
  void (*run)(void);
} cases[MOST];
static int ncases, failures;

void check_register(const char *name, void (*run)(void)) {
  if (ncases == MOST) abort();
  cases[ncases].name = name, cases[ncases++].run = run;
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

static bool selected(const char *name, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], name) == 0) return true;
  return argc == 1;
}

int main(int argc, char **argv) {
  int passed = 0, failed = 0;
  for (int i = 0; i < ncases && !(failed && check_only_asks()); i++) {
    if (!selected(cases[i].name, argc, argv)) continue;
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
  return failed || !passed;
}
