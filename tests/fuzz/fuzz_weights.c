/* The first byte chooses between file() and sparse(), the others are the .npy file of a pattern: a
 * program with it can be lowered and its IR is sound, or it is told what is wrong.
 * Coverage: lang/weights */
#include "fuzz.h"
#include "lang/ast.h"
#include "lang/lang.h"

static char path[64];

static void remove_path(void) { unlink(path); }

/* A name with the extension that says what it is. */
static const char *npy_file(const uint8_t *data, size_t size) {
  const char *file = fuzz_file(data, size);
  if (*path) return path;
  snprintf(path, sizeof path, "/tmp/ikat-fuzz-%d.npy", (int)getpid());
  remove_path();
  MUST(symlink(file, path) == 0 && atexit(remove_path) == 0);
  return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz      f;
  ik_program_ast   program;
  ik_lower_options options = {.steps = -1, .name = "fuzz"};
  ik_ir           *ir;
  if (!size) return 0;
  fuzz_open(&f, data, size);
  const char *text = ik_arena_printf(
      &f.arena,
      "grid x = 8, y = 6\nweights w = %s(\"%s\")\nfield u : f64 = x\nboundary u = periodic\n"
      "step 1 { u' = stencil(u, w) }\n",
      data[0] & 1 ? "sparse" : "file", npy_file(data + 1, size - 1));
  f.src = (ik_source){"fuzz.ik", text, strlen(text)};
  MUST(ik_lang_parse(&f.src, &f.arena, &f.diag, &program) == IK_OK);
  ik_status st = ik_lang_lower(&program, &options, &f.arena, &f.diag, &ir);
  MUST((st == IK_OK) == (f.diag.nerror == 0));
  if (!st) MUST(ik_ir_verify(ir, &f.diag) == IK_OK);
  fuzz_close(&f);
  return 0;
}
