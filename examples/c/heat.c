/* Heat in a plate, computed in the caller's own array: cc heat.c $(pkg-config --cflags --libs ikat)
 */
#include <ikat/ikat.h>
#include <stdio.h>

static const char text[] = "grid x = 64, y = 64\n"
                           "param rate = 0.1\n"
                           "field u : f64\n"
                           "boundary u = 0\n"
                           "step 100 { u' = u + rate*laplacian(u) }\n";

int main(void) {
  static double plate[64][64];
  ik_program   *program = NULL;
  ik_run       *run = NULL;
  ik_log       *log = ik_log_create();
  plate[32][32] = 1000;

  int failed = ik_program_from_text("heat", text, log, &program) ||
               ik_program_set(program, "rate", "0.2", log) || ik_program_compile(program, log) ||
               ik_run_create(program, NULL, log, &run) ||
               ik_run_bind(run, "u", plate, sizeof plate, log) || ik_run_advance(run, -1, log);
  if (failed)
    fputs(ik_log_text(log, false), stderr);
  else
    printf("the middle of the plate is at %.6f\n", plate[32][32]);

  ik_run_destroy(&run);
  ik_program_destroy(&program);
  ik_log_destroy(&log);
  return failed;
}
