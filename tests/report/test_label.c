#include "check.h"
#include "report/label.h"
#include "base/mem.h"

static const ik_label_spot spots[] = {{10, 50, "start"}, {-10, 50, "end"}, {0, 30, "middle"}};
static const ik_label_box  wide = {-500, -500, 500, 500};

CASE(the_first_spot_where_nothing_is) {
  ik_labels     l = {.inside = wide};
  ik_label_spot s = ik_label_place(&l, "name", spots, 3);
  CHECK_NEAR(s.x, 10, 0);
  s = ik_label_place(&l, "name", spots, 3); /* the same again: the first is taken now */
  CHECK_NEAR(s.x, -10, 0);
  s = ik_label_place(&l, "name", spots, 3);
  CHECK_STR(s.anchor, "middle");
  ik_labels_free(&l);
}

CASE(what_is_taken_is_left_free) {
  ik_labels l = {.inside = wide};
  ik_label_take(&l, (ik_label_box){20, 45, 25, 50});
  CHECK_STR(ik_label_place(&l, "name", spots, 2).anchor, "end");
  ik_labels_free(&l);
  l = (ik_labels){.inside = wide};
  ik_label_take_line(&l, 20, 0, 20, 100);
  CHECK_STR(ik_label_place(&l, "name", spots, 2).anchor, "end");
  ik_labels_free(&l);
  l = (ik_labels){.inside = wide};
  ik_label_take_line(&l, 20, 60, 20, 60); /* a point, below */
  CHECK_STR(ik_label_place(&l, "name", spots, 2).anchor, "start");
  ik_labels_free(&l);
}

CASE(inside_rather_than_free) {
  ik_labels l = {.inside = {-500, -500, 12, 500}};
  ik_label_take(&l, (ik_label_box){-20, 45, -15, 50});
  CHECK_STR(ik_label_place(&l, "name", spots, 2).anchor, "end");
  ik_labels_free(&l);
}

CASE(without_memory_names_cover_things) {
  ik_labels l = {.inside = wide};
  ik_mem_fail_after(0);
  ik_label_take(&l, (ik_label_box){20, 45, 25, 50});
  ik_mem_fail_after(-1);
  CHECK_STR(ik_label_place(&l, "name", spots, 2).anchor, "start");
  ik_labels_free(&l);
}
