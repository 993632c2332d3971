#include "check.h"
#include "machine/machine.h"
#include <string.h>

typedef struct world {
  ik_arena    a;
  ik_diag     d;
  ik_machine *m, *v;
  ik_status   st;
} world;

static void open_world(world *w, const char *changes) {
  *w = (world){0};
  ik_arena_init(&w->a);
  CHECK_EQ(ik_machine_find("gtx980", &w->a, &w->d, &w->m), IK_OK);
  w->st = ik_machine_vary(w->m, changes, &w->a, &w->d, &w->v);
}

static void close_world(world *w) { ik_diag_free(&w->d), ik_arena_free(&w->a); }

static double figure(const ik_machine *m, const char *key) {
  const ik_figure *f = ik_machine_get(m, key);
  return f ? f->number : -1;
}

CASE(figures_are_multiplied_and_the_machine_itself_stays) {
  world w;
  open_world(&w, "gpu.sms=x2,shared=x0.5");
  CHECK_EQ(w.st, IK_OK);
  CHECK_NEAR(figure(w.v, "gpu.sms"), 32, 0);
  CHECK_NEAR(figure(w.v, "gpu.shared"), 48, 0);
  CHECK_NEAR(figure(w.v, "gpu.shared.block"), 48, 0);
  CHECK_NEAR(figure(w.m, "gpu.sms"), 16, 0);
  CHECK_STR(ik_machine_get(w.v, "gpu.sms")->value, "32");
  close_world(&w);
}

CASE(a_short_name_means_all_that_end_with_it) {
  world w;
  open_world(&w, "jacobi2d=x3");
  CHECK_EQ(w.st, IK_OK);
  CHECK_NEAR(figure(w.v, "c_iter.jacobi2d") / figure(w.m, "c_iter.jacobi2d"), 3, 1e-15);
  close_world(&w);
}

CASE(nothing_is_changed_by_nothing) {
  world w;
  open_world(&w, "");
  CHECK_EQ(w.st, IK_OK);
  close_world(&w);
}

CASE(what_cannot_be_read_or_found_is_refused) {
  static const char *const bad[] = {"sms",      "=x2",      "sms=2",   "sms=x",     "sms=x0",
                                    "sms=x-1",  "sms=xnan", "sms=x2;", "sms=x1e99", "smss=x2",
                                    "title=x2", "ms=x2",    ","};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    world w;
    open_world(&w, bad[i]);
    CHECK_EQ(w.st, IK_ERR_SOURCE);
    close_world(&w);
  }
}

/* A machine that is watched knows which figures somebody looked up. */
CASE(changes_of_what_nobody_reads) {
  ik_arena    a;
  ik_diag     d = {0};
  ik_machine *m = NULL;
  double      v;
  ik_arena_init(&a);
  CHECK_EQ(ik_machine_find("wse2", &a, &d, &m), IK_OK);
  ik_machine *w = ik_machine_watch(m, &a);
  CHECK(ik_machine_number(w, "clock", "Hz", &v) && ik_machine_text(w, "kind"));
  CHECK(!m->read); /* the machine itself is as it was */
  CHECK_EQ(ik_machine_check_read(w, "clock=x2", &a, &d), IK_OK);
  CHECK_EQ(d.nmsg, 0);
  CHECK_EQ(ik_machine_check_read(w, "clock=x2,link.width=x2", &a, &d), IK_ERR_SOURCE);
  CHECK_EQ(d.nmsg, 1);
  CHECK(d.nmsg && strstr(ik_buf_text(&d.msg[0].text), "reads the figure 'link.width'"));
  ik_diag_free(&d);
  ik_arena_free(&a);
}
