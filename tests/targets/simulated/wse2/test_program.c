#include "targets/simulated/wse2/program.h"
#include "check.h"
#include "targets/simulated/wse2/print.h"
#include "targets/simulated/wse2/open.h"

/* The instructions of the element at (x, y) for the first loop. */
static void check_program(const char *text, int64_t x, int64_t y, const char *expected) {
  opened         o;
  ik_wse2_layout l;
  ik_buf         got = {0};
  int64_t        at[2] = {x, y};
  open_text(&o, text);
  if (!o.mapped) {
    ik_diag_render(&o.diag, false, &got);
    check_fail(__FILE__, __LINE__, "%s", ik_buf_text(&got));
  } else {
    ik_wse2_layout_of(&o.map, &o.arena, &l);
    ik_wse2_program_print(ik_wse2_program_of(&l, o.ir->body->body, NULL, at, true, &o.arena), &got);
    CHECK_STR(ik_buf_text(&got), expected);
  }
  ik_buf_free(&got);
  close_text(&o);
}

#define HEAD "grid x = 4, y = 4, z = 6\nfield u, v : f32\n"

/* u lies at 0, u' at 8 (one cell more at each end), v at 16. */
CASE(words_are_multiplied_on_arrival_and_an_element_hears_itself_in_every_direction) {
  check_program(HEAD "boundary u = 0\n"
                     "step 1 { u' = 2*u + 3*u[-1,0,0] + 4*u[0,1,0] + 5*u[0,0,1] }\n",
                1, 1,
                "step\n"
                "broadcast [7..12]\n"
                "  east, 0 away: to [20..25] times 2\n"
                "  east, 1 away: to [26..31] times 3\n"
                "  north, 0 away: to [32..37] times 0\n"
                "  north, 1 away: to [38..43] times 4\n"
                "await\n"
                "[44..49] = add 0 [20..25]\n"
                "[44..49] = add [44..49] [26..31]\n"
                "[44..49] = add [44..49] [32..37]\n"
                "[44..49] = add [44..49] [38..43]\n"
                "[0..5] = fma 5 [8..13] [44..49]\n");
}

CASE(beyond_a_face_stands_the_boundary) {
  check_program(HEAD "boundary u = 7\nstep 1 { v = u[1,0,0]*u }\n", 3, 0,
                "step\n"
                "broadcast [0..5]\n"
                "await\n"
                "[6..11] = mul 7 [0..5]\n");
}

/* Beyond the last element stand itself and the one before it. */
CASE(images_are_taken_from_where_they_are) {
  const char *text = HEAD "boundary u = mirror\nstep 1 { v = 2*u[2,0,0] + u[1,0,0] }\n";
  check_program(text, 2, 0,
                "step\n"
                "broadcast [0..5]\n"
                "  west, 1 away: to [30..35]\n"
                "await\n"
                "[54..59] = mul [30..35] 1\n"
                "[42..47] = add 0 [54..59]\n"
                "[54..59] = mul [30..35] 2\n"
                "[6..11] = add [42..47] [54..59]\n");
  check_program(text, 3, 0,
                "step\n"
                "broadcast [0..5]\n"
                "  east, 1 away: to [18..23]\n"
                "await\n"
                "[54..59] = mul [0..5] 1\n"
                "[42..47] = add 0 [54..59]\n"
                "[54..59] = mul [18..23] 2\n"
                "[6..11] = add [42..47] [54..59]\n");
}

CASE(diagonals_come_along_x_and_then_along_y) {
  check_program(HEAD "boundary u = 0\nstep 1 { v = max(u[1,1,0], u[-1,0,0]) }\n", 1, 1,
                "step\n"
                "[18..23] = copy [0..5]\n"
                "broadcast [0..5]\n"
                "  east, 1 away: to [12..17]\n"
                "  west, 1 away: to [24..29]\n"
                "await\n"
                "broadcast [12..29]\n"
                "  north, 1 away: dropped dropped to [42..47]\n"
                "await\n"
                "[6..11] = max [42..47] [12..17]\n");
}

/* Each is on half of the column, and wants the words for itself. */
CASE(statements_that_read_the_same_share_a_broadcast) {
  check_program(HEAD "boundary u = 0\nstep 1 {\n  v = 2*u[1,0,0]*u on z = 0 .. 2\n"
                     "  v = max(u[1,0,0], 3) on z = 3 .. 5\n}\n",
                1, 1,
                "step\n"
                "broadcast [0..5]\n"
                "  west, 1 away: to [18..23]\n"
                "await\n"
                "[30..32] = mul [18..20] 2\n"
                "[6..8] = mul [30..32] [0..2]\n"
                "[9..11] = max [21..23] 3\n");
}

CASE(a_reduction_combines_the_column_and_then_the_fabric) {
  check_program(HEAD "step 1 { s = sum(u)\n v = s*u }\n", 0, 0,
                "step\n"
                "[14..19] = copy [0..5]\n"
                "[13] = copy [14]\n"
                "[13] = add [13] [15..19]\n"
                "reduce [13] over the fabric\n"
                "[6..11] = mul [12] [0..5]\n");
}
