/* Lines name=value, as they are given to a program on a command line: it compiles with them, or the
 * log says why not.
 * Coverage: lang/declare lang/express lang/unit */
#include "fuzz.h"
#include <ikat/ikat.h>

static const char program[] = "grid x = 8, y = 6\n"
                              "param a = 0.1\nparam n = 2\nparam c = 1500 m/s\n"
                              "field u : f64 = x + n*y\nboundary u = 0\n"
                              "step 3 { u' = u + a*laplacian(u) }\n";

static void set_line(ik_program *p, char *line, ik_log *log) {
  char *value = strchr(line, '=');
  if (!value) return;
  *value = 0;
  MUST(ik_program_set(p, line, value + 1, log) == IK_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz f;
  ik_program *p;
  fuzz_open(&f, data, size);
  ik_log *log = ik_log_create();
  MUST(log && ik_program_from_text("fuzz.ik", program, log, &p) == IK_OK);
  char *rest = ik_arena_dup(&f.arena, (const char *)data, size);
  for (char *line; (line = strsep(&rest, "\n"));) set_line(p, line, log);
  ik_status st = ik_program_compile(p, log);
  MUST((st == IK_OK) == (ik_log_errors(log) == 0));
  MUST(ik_log_text(log, false) && ik_log_json(log));
  ik_program_destroy(&p);
  ik_log_destroy(&log);
  fuzz_close(&f);
  return 0;
}
