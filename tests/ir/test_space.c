#include "ir/space.h"
#include "check.h"
#include <string.h>

static ik_ir grid(const char *a, const char *b, const char *c) {
  ik_ir ir = {.ndim = 1 + (b != NULL) + (c != NULL), .axis = {a, b, c}, .spacing = {2, 3, 5}};
  ir.vertical = ik_space_named(&ir);
  return ir;
}

CASE(an_axis_called_z_or_depth_is_depth_wherever_it_stands) {
  ik_ir none[] = {grid("x", NULL, NULL), grid("x", "y", NULL), grid("zz", "Z", "deep")};
  for (int i = 0; i < 3; i++) CHECK(!none[i].vertical.known);
  static const char *const names[] = {"z", "depth"};
  for (int k = 0; k < 2; k++) {
    ik_ir at[] = {grid(names[k], "x", "y"), grid("x", names[k], "y"), grid("x", "y", names[k])};
    for (int i = 0; i < 3; i++)
      CHECK(at[i].vertical.known && at[i].vertical.axis == i && !at[i].vertical.up);
  }
}

CASE(axes_that_no_name_places_take_what_is_free) {
  static const struct {
    const char *axis[3];
    int         direction[3];
  } table[] = {{{"a", "b", "c"}, {IK_EAST, IK_NORTH, IK_VERTICAL}},
               {{"y", "x", "c"}, {IK_NORTH, IK_EAST, IK_VERTICAL}},
               {{"a", "x", "z"}, {IK_NORTH, IK_EAST, IK_VERTICAL}},
               {{"z", "y", "a"}, {IK_VERTICAL, IK_NORTH, IK_EAST}},
               {{"depth", "a", "b"}, {IK_VERTICAL, IK_EAST, IK_NORTH}},
               {{"y", NULL, NULL}, {IK_NORTH, -1, -1}}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    ik_ir ir = grid(table[i].axis[0], table[i].axis[1], table[i].axis[2]);
    int   got[3];
    ik_space_directions(&ir, got);
    CHECK(memcmp(got, table[i].direction, sizeof got) == 0);
  }
}

CASE(metres_have_the_spacing_of_their_axis) {
  ik_ir  ir = grid("z", "y", "x");
  double m[3];
  ik_space_metres(&ir, (double[]){1, 1.5, 7}, m);
  CHECK(m[IK_EAST] == 35 && m[IK_NORTH] == 4.5 && m[IK_VERTICAL] == 2);
  ir.vertical.up = true;
  ik_space_metres(&ir, (double[]){1, 1.5, 7}, m);
  CHECK(m[IK_EAST] == 35 && m[IK_NORTH] == 4.5 && m[IK_VERTICAL] == -2);
}
