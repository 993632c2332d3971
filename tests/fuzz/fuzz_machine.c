/* Any bytes as a machine file; what can be read can be printed.
 * Seeds: machines
 * Coverage: machine/read machine/print */
#include "fuzz.h"
#include "base/json.h"
#include "machine/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz f;
  ik_machine *m;
  ik_buf      text = {0};
  fuzz_open(&f, data, size);
  ik_status st = ik_machine_read("fuzz", &f.src, &f.arena, &f.diag, &m);
  MUST((st == IK_OK) == (f.diag.nerror == 0));
  ik_json j = {.out = &text};
  if (!st) {
    ik_machine_print(m, &text);
    ik_json_open(&j, NULL, '{'), ik_machine_json(m, &j), ik_json_close(&j, '}');
  }
  ik_buf_free(&text);
  fuzz_close(&f);
  return 0;
}
