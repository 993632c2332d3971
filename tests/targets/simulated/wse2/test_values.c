#include "targets/simulated/wse2/values.h"
#include "check.h"
#include "interp/interp.h"
#include "targets/simulated/wse2/open.h"

typedef struct bench {
  opened          o;
  ik_state       *state;
  ik_interp      *host;
  ik_wse2_values *values;
} bench;

static bool begin(bench *b, const char *text) {
  const ik_wse2_code *code[8];
  int                 n = 0;
  *b = (bench){0};
  open_text(&b->o, text);
  CHECK(b->o.mapped);
  if (!b->o.mapped) return false;
  for (int i = 0; i < b->o.map.njob; i++) code[n++] = b->o.map.job[i].code;
  CHECK_EQ(ik_state_create(b->o.ir, &b->o.diag, &b->state), IK_OK);
  CHECK_EQ(ik_interp_create(b->state, &b->o.diag, &b->host), IK_OK);
  CHECK_EQ(ik_wse2_values_create(b->state, code, n, 2, &b->o.diag, &b->values), IK_OK);
  ik_interp_run(b->host, b->o.ir->init, NULL);
  return b->values;
}

static void end(bench *b) {
  ik_wse2_values_destroy(&b->values);
  ik_interp_destroy(&b->host);
  ik_state_destroy(&b->state);
  close_text(&b->o);
}

static double at(const bench *b, int field, int64_t x, int64_t y, int64_t z) {
  return ik_state_get(b->state, field, 0, (int64_t[]){x, y, z});
}

static const ik_wse2_code *code(const bench *b, int job) { return b->o.map.job[job].code; }

/* 1 + e, e = 2^-12: its square loses its last bit when it is rounded before it is added. */
CASE(products_from_the_fabric_are_rounded_before_they_are_added) {
  bench b;
  if (!begin(&b, "grid x = 3, y = 3, z = 1\nfield u : f32 = 1 + 2^(-12)\nfield v : f32\n"
                 "boundary u = 0\nv = (1 + 2^(-12))*u[1,0,0] - u[0,0,0]\n"))
    return;
  ik_wse2_values_assign(b.values, code(&b, 0), &b.o.map.job[0].stmt->box);
  float u = 1 + 0x1p-12f, product = u * u, heard = -u;
  CHECK_EQ(at(&b, 1, 0, 1, 0) == (double)(heard + product), 1);
  CHECK(at(&b, 1, 0, 1, 0) != (double)fmaf(u, u, -u));
  CHECK_EQ(at(&b, 1, 2, 1, 0) == (double)heard, 1); /* nothing comes from beyond the face */
  end(&b);
}

CASE(along_the_column_they_are_fused) {
  bench b;
  if (!begin(&b, "grid x = 3, y = 3, z = 3\nfield u : f32 = 1 + 2^(-12)\nfield v : f32\n"
                 "boundary u = 0\nv = (1 + 2^(-12))*u[0,0,1] - u + u[1,0,0]\n"))
    return;
  ik_wse2_values_assign(b.values, code(&b, 0), &b.o.map.job[0].stmt->box);
  float u = 1 + 0x1p-12f;
  CHECK_EQ(at(&b, 1, 0, 0, 0) == (double)fmaf(u, u, -u + u), 1);
  end(&b);
}

CASE(a_statement_reads_all_its_neighbours_before_it_writes) {
  bench b;
  if (!begin(&b, "grid x = 300, y = 2\nfield u : f32 = x\nboundary u { x = copy; y = 0 }\n"
                 "u = u[-1,0]\n"))
    return;
  ik_wse2_values_assign(b.values, code(&b, 0), &b.o.map.job[0].stmt->box);
  for (int x = 0; x < 300; x++) CHECK_EQ(at(&b, 0, x, 1, 0), x ? x - 1 : 0);
  end(&b);
}

/* (1 + small) + small in one order, 1 + (small + small) in the other. */
CASE(reductions_go_down_columns_then_along_rows_from_the_high_end) {
  bench b;
  if (!begin(&b, "grid x = 3, y = 1, z = 2\n"
                 "field u : f32 = if x == 0 then 1 - z else if z == 0 then 2^(-24) else 0\n"
                 "scalar s : f32 = sum(u)\n"))
    return;
  ik_wse2_values_reduce(b.values, code(&b, 0));
  CHECK_EQ(b.state->scalar[code(&b, 0)->stmt->scalar] == 1 + 0x1p-23, 1);
  end(&b);
}

CASE(combining_over_the_fabric_adds_what_comes_to_the_own) {
  float part[] = {1, 0x1p-24f, 0x1p-24f, 0, 0, 0};
  CHECK_EQ(ik_wse2_over_fabric(IK_SUM, part, 3, 2) == 1 + 0x1p-23f, 1);
  float least[] = {3, 2, 7, 5};
  CHECK_EQ(ik_wse2_over_fabric(IK_MINIMUM, least, 2, 2), 2);
}
