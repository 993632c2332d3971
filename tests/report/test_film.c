#include "report/film.h"
#include "io/scratch.h"
#include "lang/program.h"

typedef struct shown {
  run           r;
  ik_page_input in;
} shown;

static bool show(shown *s, const char *text) {
  if (!run_prepare(&s->r, text, 0, NULL)) return false;
  s->in = (ik_page_input){.ir = s->r.p.ir, .loop = &s->r.loop};
  return true;
}

/* Takes a frame before each step and one at the end. */
static ik_status shoot(shown *s, ik_film *f, int steps, double lo, double hi) {
  ik_page_slice x = ik_page_default_slice(&s->in);
  x.lo = lo, x.hi = hi;
  for (int i = 0; i <= steps; i++) {
    CHECK_EQ(ik_loop_advance(&s->r.loop, i > 0, &s->r.p.diag), IK_OK);
    IK_TRY(ik_film_take(f, &s->in, &x, &s->r.p.diag));
  }
  return ik_film_finish(f, &s->in, &s->r.p.diag);
}

/* A PNG file; the caller frees it. */
static ik_buf frame(int i) {
  char    name[40];
  ik_buf  b = {0};
  ik_diag d = {0};
  snprintf(name, sizeof name, "frame_%04d.png", i);
  CHECK_EQ(ik_file_read(scratch(name), 1 << 24, IK_NOSPAN, &b, &d), IK_OK);
  ik_diag_free(&d);
  return b;
}

static int width(const ik_buf *png) {
  return png->len > 20 ? (unsigned char)png->data[18] << 8 | (unsigned char)png->data[19] : 0;
}

#define GROWS "grid x = 6, y = 5\nfield u : f64 = x - 2\nstep 3 { u' = 10*u }\n"

CASE(all_frames_have_one_range) {
  shown   s;
  ik_film f;
  if (show(&s, GROWS)) {
    CHECK_EQ(ik_film_open(&f, scratch(""), scratch("m.gif"), 4, &s.r.p.diag), IK_OK);
    CHECK_EQ(shoot(&s, &f, 3, 0, 0), IK_OK);
    CHECK(f.taken == 4 && f.drawn == 4 && f.range.kind == IK_COLOUR_DIVERGING);
    CHECK(f.range.hi == 3000 && f.range.lo == -3000);
    for (int i = 0; i < 4; i++) {
      ik_buf png = frame(i);
      CHECK_EQ(width(&png), f.size.w);
      ik_buf_free(&png);
    }
    CHECK_EQ(scratch_scan(false), 5);
    ik_film_close(&f);
  }
  run_close(&s.r);
  scratch_scan(true);
}

CASE(a_given_range_is_drawn_at_once) {
  shown   s;
  ik_film f;
  if (show(&s, GROWS)) {
    CHECK_EQ(ik_film_open(&f, scratch(""), NULL, 4, &s.r.p.diag), IK_OK);
    ik_page_slice x = ik_page_default_slice(&s.in);
    x.lo = -1, x.hi = 1;
    CHECK_EQ(ik_loop_advance(&s.r.loop, 0, &s.r.p.diag), IK_OK);
    CHECK_EQ(ik_film_take(&f, &s.in, &x, &s.r.p.diag), IK_OK);
    CHECK(f.drawn == 1 && f.taken == 0 && scratch_scan(false) == 1);
    CHECK(f.range.lo == -1 && f.range.hi == 1 && f.range.kind == IK_COLOUR_DIVERGING);
    CHECK(!f.range.cut_below && !f.range.cut_above);
    CHECK_EQ(ik_film_finish(&f, &s.in, &s.r.p.diag), IK_OK);
    ik_film_close(&f);
  }
  run_close(&s.r);
  scratch_scan(true);
}

/* The colours of a picture do not depend on what else happens, but those of a film do. */
CASE(frames_are_coloured_by_the_whole_film) {
  ik_buf png[2];
  for (int k = 0; k < 2; k++) {
    shown   s;
    ik_film f;
    if (show(&s, k ? "grid x = 6, y = 5\nfield u : f64 = x - 2\nstep 1 { u' = 10*u }\n"
                   : "grid x = 6, y = 5\nfield u : f64 = x - 2\nstep 1 { u' = u }\n")) {
      CHECK_EQ(ik_film_open(&f, scratch(""), NULL, 2, &s.r.p.diag), IK_OK);
      CHECK_EQ(shoot(&s, &f, 1, 0, 0), IK_OK);
      ik_film_close(&f);
    }
    run_close(&s.r);
    png[k] = frame(0);
  }
  CHECK(png[0].len != png[1].len || memcmp(png[0].data, png[1].data, png[0].len));
  ik_buf_free(&png[0]), ik_buf_free(&png[1]);
  scratch_scan(true);
}

CASE(one_bright_start_does_not_make_the_rest_pale) {
  shown   s;
  ik_film f;
  if (show(&s, "grid x = 60, y = 50\nfield u : f64\nstep 9 { u' = (if x == 3 and y == 3 and t < 2 "
               "then 1000 else 0) + sin(x + y + t) }\n")) {
    CHECK_EQ(ik_film_open(&f, NULL, scratch("m.gif"), 10, &s.r.p.diag), IK_OK);
    CHECK_EQ(shoot(&s, &f, 9, 0, 0), IK_OK);
    CHECK(f.range.greatest > 999 && f.range.hi < 1.01 && f.range.hi > 0.9 && f.range.cut_above);
    ik_film_close(&f);
  }
  run_close(&s.r);
  scratch_scan(true);
}

CASE(large_planes_are_kept_coarser) {
  shown   s;
  ik_film f;
  if (show(&s, "grid x = 2000, y = 1500\nfield u : f64 = x + 10000*y\nstep 0 { u' = u }\n")) {
    CHECK_EQ(ik_film_open(&f, scratch(""), NULL, 1, &s.r.p.diag), IK_OK);
    ik_page_slice x = ik_page_default_slice(&s.in);
    CHECK_EQ(ik_loop_advance(&s.r.loop, 0, &s.r.p.diag), IK_OK);
    CHECK_EQ(ik_film_take(&f, &s.in, &x, &s.r.p.diag), IK_OK);
    const ik_picture_spec *p = &f.kept[0].spec;
    CHECK(p->grid.nx == 1000 && p->grid.ny == 750 && p->x.cells == 2000 && p->y.cells == 1500);
    CHECK(f.kept[0].v[0] == 0.5 + 5000 && f.kept[0].v[1000 * 749 + 3] == 6.5 + 10000 * 1498.5);
    CHECK_EQ(ik_film_finish(&f, &s.in, &s.r.p.diag), IK_OK);
    ik_film_close(&f);
  }
  run_close(&s.r);
  scratch_scan(true);
}

CASE(a_film_that_ends_early_has_its_frames) {
  shown   s;
  ik_film f;
  if (show(&s, GROWS)) {
    CHECK_EQ(ik_film_open(&f, scratch(""), scratch("m.gif"), 4, &s.r.p.diag), IK_OK);
    CHECK_EQ(shoot(&s, &f, 1, 0, 0), IK_OK);
    ik_film_close(&f);
    CHECK_EQ(scratch_scan(true), 3);
    CHECK_EQ(ik_film_open(&f, NULL, scratch("m.gif"), 4, &s.r.p.diag), IK_OK); /* none at all */
    CHECK_EQ(ik_film_finish(&f, &s.in, &s.r.p.diag), IK_OK);
    ik_film_close(&f);
    CHECK_EQ(scratch_scan(true), 0);
  }
  run_close(&s.r);
}

/* ---- simulated machines ---- */

static ik_timeline two_elements(void) {
  ik_timeline t = {.most = 9, .nelement = 2, .nx = 2, .ny = 1, .clock = 1e9, .title = "two"};
  ik_timeline_add(&t, (ik_timeline_span){0, IK_TIMELINE_SEND, 0, 25, "send east", 0});
  ik_timeline_add(&t, (ik_timeline_span){0, IK_TIMELINE_SEND, 25, 50, "send east", 1});
  ik_timeline_add(&t, (ik_timeline_span){1, IK_TIMELINE_COMPUTE, 50, 100, "fma", -1});
  return t;
}

CASE(a_frame_shows_the_field_and_the_elements_beside_it) {
  shown       s;
  ik_timeline t = two_elements();
  int         alone = 0;
  for (int simulated = 0; simulated < 2; simulated++) {
    ik_simulated m = {.timeline = &t};
    ik_film      f;
    if (show(&s, GROWS)) {
      if (simulated) s.in.simulated = &m;
      CHECK_EQ(ik_film_open(&f, scratch(""), NULL, 2, &s.r.p.diag), IK_OK);
      CHECK_EQ(shoot(&s, &f, 1, 0, 0), IK_OK);
      ik_buf first = frame(0), second = frame(1);
      CHECK(width(&first) == width(&second) && f.size.w % 2 == 0 && f.size.h % 2 == 0);
      if (simulated) CHECK(width(&first) > alone + 300);
      alone = width(&first);
      ik_buf_free(&first), ik_buf_free(&second);
      ik_film_close(&f);
    }
    run_close(&s.r);
  }
  ik_timeline_free(&t);
  scratch_scan(true);
}

CASE(memory_that_runs_out) {
  for (long n = 0;; n++) {
    shown   s;
    ik_film f = {0};
    bool    ok = false;
    if (show(&s, GROWS)) {
      ik_page_slice x = ik_page_default_slice(&s.in);
      CHECK_EQ(ik_loop_advance(&s.r.loop, 0, &s.r.p.diag), IK_OK);
      ik_mem_fail_after(n);
      ik_status st = ik_film_open(&f, scratch(""), scratch("m.gif"), 2, &s.r.p.diag);
      if (!st) st = ik_film_take(&f, &s.in, &x, &s.r.p.diag);
      if (!st) st = ik_film_finish(&f, &s.in, &s.r.p.diag);
      ik_mem_fail_after(-1);
      ik_film_close(&f);
      ok = !st;
    }
    run_close(&s.r);
    if (ok) break;
    CHECK(n < 2000);
    if (n >= 2000) break;
  }
  scratch_scan(true);
}
