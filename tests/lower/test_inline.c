#include "lower/inline.h"
#include "lang/program.h"
#include "lower/pipe.h"
#include "targets/cpu/shape/shape.h"

static int length(const ik_stmt *list) {
  int n = 0;
  for (; list; list = list->next) n++;
  return n;
}

/* Statements of the main block that are left. */
static int left_of(const char *text) {
  program p;
  int     n = -1;
  if (MUST_OPEN(&p, text)) n = length(ik_inline_temps(p.ir, p.ir->body, &p.arena));
  program_close(&p);
  return n;
}

#define HEAD                                                                                       \
  "grid x = 9, y = 8\nfield u : f32 = noise(1)\nfield v, w : f32 = noise(2)\n"                     \
  "boundary u, v, w = 0\n"

CASE(a_short_temporary_is_computed_again) {
  CHECK_EQ(left_of(HEAD "a = u[1,0] - u\nv = a - a[-1,0]\n"), 1);
}

CASE(what_stays_in_a_register_is_left_alone) {
  CHECK_EQ(left_of(HEAD "a = u[1,0] - u\nv = a*a\n"), 2);
}

CASE(many_offsets_are_not_worth_it) {
  CHECK_EQ(left_of(HEAD "a = u[1,0] - u\nv = a - a[-1,0] + a[0,1]\n"), 2);
}

/* Operations are counted, not what they are done with. */
CASE(eight_operations_are_short_and_nine_are_not) {
#define SEVEN "u[1,0] + u + u[0,1] + u[0,-1] + u[-1,0] + v + v[1,0] + v[0,1]"
  CHECK_EQ(left_of(HEAD "a = " SEVEN " + v[0,-1]\nw = a - a[-1,0]\n"), 1);
  CHECK_EQ(left_of(HEAD "a = " SEVEN " + v[0,-1] + v[-1,0]\nw = a - a[-1,0]\n"), 2);
}

CASE(dear_operations_are_done_once) { CHECK_EQ(left_of(HEAD "a = exp(u)\nv = a - a[-1,0]\n"), 2); }

/* Along an axis that it is not on, a field has no other cells: wherever it stands. */
CASE(what_reads_a_field_on_some_axes_is_not_moved) {
#define ON_Y HEAD "field r : f32, on y = noise(3)\n"
  CHECK_EQ(left_of(ON_Y "a = r - u\nv = a - a[-1,0]\n"), 2);
  CHECK_EQ(left_of(ON_Y "a = u - r\nv = a - a[-1,0]\n"), 2);
  CHECK_EQ(left_of(ON_Y "a = u - w\nv = a - a[-1,0]\n"), 1);
}

/* The temporary is the value before the assignment. */
CASE(nothing_moves_behind_what_it_reads) {
  CHECK_EQ(left_of(HEAD "a = u[1,0] - u\nu = 2*u\nv = a - a[-1,0]\n"), 3);
  CHECK_EQ(left_of(HEAD "a = u[1,0] - u\nu = a - a[-1,0]\n"), 2);
}

CASE(a_list_with_nothing_to_do_is_itself) {
  program p;
  if (MUST_OPEN(&p, HEAD "v = u\nw = v\n"))
    CHECK(ik_inline_temps(p.ir, p.ir->body, &p.arena) == p.ir->body);
  program_close(&p);
}

/* Initial values of older levels are results, too. */
CASE(older_levels_are_stored) {
  program p;
  ik_pipe pipe;
  ik_plan plan = {
      .strategy = "sweep", .steps = 1, .cpu.rows = 1, .cpu.vectors = 1, .cpu.vector_bytes = 16};
  if (MUST_OPEN(&p, "grid x = 9, y = 8\nfield u : f32, history 2 = noise(1)\nboundary u = 0\n"
                    "step 2 { u' = u[t-1] }\n")) {
    bool stored = false;
    ik_shape_passes(p.ir, p.ir->init, 0, &plan, &p.arena, &pipe);
    for (int i = 0; i < pipe.n; i++)
      for (int b = 0; pipe.work[i].pass && b < pipe.work[i].pass->nbuffer; b++) {
        const ik_pipe_buffer *q = &pipe.work[i].pass->buffer[b];
        stored = stored || (q->version == -1 && q->memory && q->level == -1);
      }
    CHECK(stored);
  }
  program_close(&p);
}
