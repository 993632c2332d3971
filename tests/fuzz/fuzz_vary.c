/* Any bytes as changes of a machine ("bandwidth=x2,shared=x0.5"): what can be read gives a machine
 * that can be printed.
 * Coverage: machine/vary */
#include "fuzz.h"
#include "machine/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz f;
  ik_machine *m, *other;
  ik_buf      text = {0};
  fuzz_open(&f, data, size);
  const char *changes = ik_arena_dup(&f.arena, (const char *)data, size);
  MUST(ik_machine_find("h200", &f.arena, &f.diag, &m) == IK_OK);
  m = ik_machine_watch(m, &f.arena);
  ik_status st = ik_machine_vary(m, changes, &f.arena, &f.diag, &other);
  MUST((st == IK_OK) == (f.diag.nerror == 0));
  if (!st) ik_machine_print(other, &text);
  if (!st) ik_machine_check_read(m, changes, &f.arena, &f.diag);
  ik_buf_free(&text);
  fuzz_close(&f);
  return 0;
}
