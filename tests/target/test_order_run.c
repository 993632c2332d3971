#include "target/cpu/order_run.h"
#include "lang/program.h"

/* Of the first statement, for so many threads. */
static int64_t room_of(const char *value, int threads) {
  char    text[300];
  int64_t bytes = 0;
  program p;
  snprintf(text, sizeof text,
           "grid x = 64, y = 64\nfield u : f64 = noise(1)\nboundary u = 0\nsweep x up { u = %s }\n",
           value);
  if (MUST_OPEN(&p, text)) {
    const ik_order *o = ik_order_of(p.ir, p.ir->body, &p.arena);
    if (o) bytes = ik_order_room_bytes(p.ir, &o, 1, threads);
  }
  program_close(&p);
  return bytes;
}

/* Where it is, whether it is the same for a row, and its value where no array has it: eight bytes
 * each, for every thread. */
CASE(room_for_one_more_read) {
  int64_t two = room_of("u[-1,0] + u[1,0]", 3), three = room_of("u[-1,0] + u[1,0] + u[2,0]", 3);
  CHECK_EQ(three - two, 3 * 3 * 8);
}
