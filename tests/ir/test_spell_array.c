/* Fields as arrays of C: names, declarators, cells; and reads beyond faces. */
#include "check.h"
#include "ir/spell_face.h"
#include <stdlib.h>

static bool is_taken(const char *name) { return strcmp(name, "row") == 0; }

static const char *no_name(void *user, const ik_expr *e) {
  (void)user, (void)e;
  return NULL;
}

/* u on a grid of 20 by 9 by 6, a temporary on its planes and a row beyond, "row" along x. */
static ik_spell_arrays arrays_of(ik_arena *a) {
  static ik_field field[] = {
      {.name = "u", .type = IK_F32, .on = {true, true, true}, .box = {.hi = {20, 9, 6}}},
      {.name = "lap", .type = IK_F64, .on = {true, true, true}, .box = {{1, -1, 0}, {19, 9, 6}}},
      {.name = "row", .type = IK_F64, .on = {true}, .box = {.hi = {20, 1, 1}}}};
  static ik_ir ir = {.ndim = 3, .axis = {"x", "y", "z"}, .n = {20, 9, 6}, .nfield = 3};
  ir.field = field;
  field[0].kind = field[2].kind = IK_FIELD_USER, field[1].kind = IK_FIELD_TEMP;
  for (int f = 0; f < 3; f++) field[f].history = 1;
  field[0].has_new = true;
  for (int i = 0; i < 6; i++) field[0].bc[i / 2][i % 2].kind = IK_BC_MIRROR;
  ik_spell_arrays x = {.ir = &ir, .a = a, .is_taken = is_taken};
  ik_spell_name_arrays(&x);
  return x;
}

CASE(arrays) {
  static const int off[] = {1, 0, -1};
  ik_arena         a;
  ik_arena_init(&a);
  if (setjmp(a.oom)) abort();
  ik_spell_arrays x = arrays_of(&a);
  CHECK_STR(x.field[0].level[0], "u_new");
  CHECK_STR(x.field[2].level[1], "row_");
  CHECK_STR(ik_spell_declarator(&x, 0, "u"), "(*u)[NY][NX]");
  CHECK_STR(ik_spell_outer_extent(&x, 0), "NZ");
  CHECK_STR(ik_spell_declarator(&x, 2, "row_"), "*row_");
  CHECK_STR(ik_spell_cell(&x, 0, "u", off), "u[z - 1][y][x + 1]");
  CHECK_STR(ik_spell_cell(&x, 1, "lap", off), "lap[z - 1][y + 1][x + 1]");
  x.field[1].axis = 2, x.field[1].planes = 3;
  CHECK_STR(ik_spell_cell(&x, 1, "lap", off), "lap[(z - 1) % 3][y + 1][x + 1]");
  CHECK_STR(ik_spell_outer_extent(&x, 1), "3");
  ik_arena_free(&a);
}

CASE(faces) {
  ik_arena a;
  ik_buf   out = {0}, scratch = {0};
  ik_arena_init(&a);
  if (setjmp(a.oom)) abort();
  ik_spell_arrays   x = arrays_of(&a);
  const ik_spelling s = {true, no_name, NULL, {"x", "y", "z"}, "table_", &a, &scratch};
  ik_spell_face(&s, &x, 0, "u_at", &out);
  CHECK_STR(ik_buf_text(&out), "/* u, also beyond its faces. */\n"
                               "static float u_at(float (*u)[NY][NX], long z, long y, long x) {\n"
                               "  if (x < 0 || x >= NX) x = mirror(x, NX);\n"
                               "  if (y < 0 || y >= NY) y = mirror(y, NY);\n"
                               "  if (z < 0 || z >= NZ) z = mirror(z, NZ);\n"
                               "  return u[z][y][x];\n"
                               "}\n\n");
  ik_buf_free(&out), ik_buf_free(&scratch);
  ik_arena_free(&a);
}
