#include "runtime/spots.h"
#include "lang/program.h"
#include <string.h>

static void note(void *ctx, const ik_spot *q) {
  ik_buf_printf(ctx, "%c%d%d%d", q->every ? 'h' : 's', (int)q->at[0], (int)q->at[1], (int)q->at[2]);
}

static void check_box(const ik_spots *s, const int64_t lo[3], const int64_t hi[3],
                      const char *want) {
  ik_buf found = {0};
  ik_spots_each(s, lo, hi, note, &found);
  CHECK_STR(ik_buf_text(&found), want);
  ik_buf_free(&found);
}

static const char room[] =
    "grid x = 4, y = 5, z = 6\nparam dt = 1\nfield u, v : f32\n"
    "source 1 at (1, 2, 5) into u\nsource 2 at (1, 2, 5) into u\n"
    "receiver u at line (0, 2, 5) .. (3, 2, 5) into \"a.npy\"\n"
    "receiver v at (1, 2, 5) into \"b.npy\"\n"
    "receiver u at (1, 2, 5) every 2 into \"c.npy\"\n"
    "receiver u at (2.5, 2, 5) into \"d.npy\"\n"
    "receiver u at (0, 0, 0) into \"e.npy\"\nstep 4 {\n  u' = u\n  v' = v\n}\n";

CASE(spots_are_found_by_their_box) {
  program  p;
  ik_spots s = {0};
  if (MUST_OPEN(&p, room) && ik_spots_init(&s, p.ir, 2)) {
    check_box(&s, (int64_t[]){0, 0, 0}, (int64_t[]){4, 5, 6},
              "h000h025s125s125h125h125h125h225h325");
    check_box(&s, (int64_t[]){-1, 2, 5}, (int64_t[]){2, 3, 9}, "h025s125s125h125h125h125");
    check_box(&s, (int64_t[]){2, 0, -2}, (int64_t[]){3, 5, 6}, "h225");
    check_box(&s, (int64_t[]){0, 0, 1}, (int64_t[]){4, 5, 5}, "");
    check_box(&s, (int64_t[]){0, 3, 0}, (int64_t[]){4, 5, 6}, "");
  }
  ik_spots_free(&s), program_close(&p);
}

/* What the fourth line hears of (2, 2, 5) and (3, 2, 5), the first hears as well. */
CASE(what_several_receivers_hear_has_one_place) {
  program  p;
  ik_spots s = {0};
  if (MUST_OPEN(&p, room) && ik_spots_init(&s, p.ir, 2)) {
    CHECK_EQ(s.added, 2);
    CHECK_EQ(s.width - s.added, 7);
  }
  ik_spots_free(&s), program_close(&p);
}

CASE(samples_are_heard_in_the_order_of_the_program) {
  program     p;
  ik_spots    s = {0};
  ik_recorder r = {0};
  if (MUST_OPEN(&p, "grid x = 9\nfield u : f64\nreceiver u at line 6 .. 4 into \"a.npy\"\n"
                    "receiver u at 4.5 every 2 into \"b.npy\"\nstep 4 { u' = u }\n") &&
      ik_spots_init(&s, p.ir, 2) && !ik_recorder_create(&r, p.ir, &p.diag)) {
    for (int64_t t = 1; t <= 2; t++) {
      for (int64_t i = 0; i < s.n; i++)
        if (ik_spot_is_heard(&s.spot[i], t))
          s.value[s.spot[i].place] = (double)(s.spot[i].at[0] + 10 * t);
      ik_spots_hear(&s, s.value, t, &r);
    }
    CHECK(r.trace[0].nsample == 2 && r.trace[1].nsample == 1);
    CHECK(memcmp(r.trace[0].data, (double[]){16, 15, 14, 26, 25, 24}, 6 * sizeof(double)) == 0);
    CHECK_EQ(r.trace[1].data[0], 24.5);
  }
  ik_recorder_free(&r), ik_spots_free(&s), program_close(&p);
}

/* One step at a time: receivers hear what is in memory. */
CASE(receivers_are_left_out_where_nothing_is_made_in_one_go) {
  program  p;
  ik_spots s = {0};
  for (int64_t rows = 0; rows < 2; rows++) {
    if (MUST_OPEN(&p, room) && ik_spots_init(&s, p.ir, rows)) CHECK_EQ(s.width, rows ? s.added : 0);
    ik_spots_free(&s), program_close(&p);
  }
}

CASE(many_spots_have_rows_for_fewer_steps) {
  program  p;
  ik_spots s = {0};
  if (MUST_OPEN(&p,
                "grid x = 200000\nfield u : f32\nreceiver u at line 0 .. 199999 into \"a.npy\"\n"
                "step 1 { u' = u }\n") &&
      ik_spots_init(&s, p.ir, 1000))
    CHECK(s.width == 200000 && s.rows == 64);
  ik_spots_free(&s), program_close(&p);
}
