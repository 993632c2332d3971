/* The interpreter under the rule of a machine of tiles. */
#include "interp/rule.h"
#include "base/num.h"
#include "interp/interp.h"
#include "lang/program.h"
#include "targets/simulated/wormhole/golden.h"

static const ik_rule f32 = {.type = IK_F32, .sum = IK_F32, .tile = {64, 16}};
static const ik_rule bf16 = {.type = IK_BF16, .sum = IK_BF16, .tile = {64, 16}};

/* ---- one operation ---- */

CASE(tiny_values_and_minus_zero_are_zero) {
  CHECK(ik_rule_flush(0x1p-126) == 0x1p-126);
  CHECK(ik_rule_flush(-0x1p-126) == -0x1p-126);
  CHECK(ik_rule_flush(0x1.fffffep-127) == 0);
  CHECK(!signbit(ik_rule_flush(-0x1p-140)));
  CHECK(!signbit(ik_rule_flush(-0.0)));
  CHECK(isnan(ik_rule_flush(-NAN)) && !signbit(ik_rule_flush(-NAN))); /* x86 makes such */
  CHECK(ik_rule_apply(&f32, IK_OP_MUL, IK_F32, 0x1p-100, 0x1p-100, 0) == 0);
  CHECK(!signbit(ik_rule_apply(&f32, IK_OP_NEG, IK_F32, 0, 0, 0)));
}

CASE(operations_of_f32_are_done_in_the_type_of_the_rule) {
  double a = 1 + 0x1p-7, b = 0x1p-8;
  CHECK(ik_rule_apply(&f32, IK_OP_ADD, IK_F32, a, b, 0) == a + b);
  CHECK(ik_rule_apply(&bf16, IK_OP_ADD, IK_F32, a, b, 0) == 1 + 0x1p-6); /* a tie, to even */
  CHECK(ik_rule_apply(&bf16, IK_OP_ADD, IK_F32, 1, b, 0) == 1);
  CHECK(ik_rule_apply(&bf16, IK_OP_LT, IK_BOOL, 1, 2, 0) == 1);
}

CASE(ties_go_where_the_rule_says) {
  ik_rule away = bf16;
  away.ties_away = true;
  CHECK(ik_rule_apply(&away, IK_OP_ADD, IK_BF16, 1, 0x1p-8, 0) == 1 + 0x1p-7);
  CHECK(ik_rule_apply(&away, IK_OP_ADD, IK_BF16, -1, -0x1p-8, 0) == -1 - 0x1p-7);
  CHECK(ik_rule_apply(&away, IK_OP_ADD, IK_BF16, 0x1.fep127, 0x1p119, 0) == INFINITY);
  /* Just below a tie: what a sum rounded to double would no longer show. */
  CHECK(ik_rule_apply(&away, IK_OP_FMA, IK_BF16, 1, 1 + 0x1p-7, 0) == 1 + 0x1p-7);
  CHECK(ik_rule_apply(&away, IK_OP_FMA, IK_BF16, 1.0078125, 1.5, -0x1p-80) == 1.5078125);
  CHECK(ik_rule_apply(&away, IK_OP_FMA, IK_BF16, 1.0078125, 1.5, 0) == 1.515625);
}

CASE(what_is_packed_goes_away_from_ties_and_has_no_nan) {
  CHECK(ik_rule_apply(&f32, IK_OP_CAST, IK_BF16, 1 + 0x1p-8, 0, 0) == 1 + 0x1p-7);
  CHECK(ik_rule_apply(&f32, IK_OP_CAST, IK_BF16, NAN, 0, 0) == INFINITY);
  CHECK(ik_rule_apply(&f32, IK_OP_CAST, IK_F32, 1 + 0x1p-7, 0, 0) == 1 + 0x1p-7);
}

CASE(operands_may_lose_thirteen_bits) {
  ik_rule tf32 = f32;
  tf32.tf32 = true;
  CHECK(ik_rule_apply(&tf32, IK_OP_MUL, IK_F32, 1 + 0x1p-10, 1 + 0x1p-11, 0) == 1 + 0x1p-10);
  CHECK(ik_rule_apply(&tf32, IK_OP_DIV, IK_F32, 1 + 0x1p-11, 1, 0) == 1 + 0x1p-11);
}

CASE(a_single_phase_sees_few_bits) {
  ik_rule coarse = bf16;
  coarse.coarse = true;
  double a = 1 + 0x1p-4 + 0x1p-5, b = 1 + 0x1p-6 + 0x1p-7;
  CHECK(ik_rule_apply(&coarse, IK_OP_MUL, IK_BF16, a, 1, 0) == 1 + 0x1p-4);
  CHECK(ik_rule_apply(&coarse, IK_OP_FMA, IK_BF16, 1, b, 0) == 1 + 0x1p-6);
  CHECK(ik_rule_apply(&coarse, IK_OP_ADD, IK_BF16, a, 0, 0) == a);
}

/* ---- whole programs ---- */

static ik_interp *follow(program *p, const ik_rule *r, ik_state **s) {
  ik_interp *in = NULL;
  CHECK(!ik_state_create(p->ir, &p->diag, s) && !ik_interp_create(*s, &p->diag, &in) &&
        !ik_interp_follow(in, r, &p->diag));
  ik_interp_run(in, p->ir->init, NULL);
  return in;
}

static void check_mode(const golden_mode *m) {
  program   p;
  ik_state *s = NULL;
  ik_rule   rule = strcmp(m->type, "f32") ? bf16 : f32;
  int       done = 0;
  if (!MUST_OPEN(&p, golden_program(m))) return;
  rule.sum = m->sum;
  ik_interp     *in = follow(&p, &rule, &s);
  const ik_stmt *loop = p.ir->body;
  while (loop->kind != IK_REPEAT) loop = loop->next;
  ik_interp_run(in, p.ir->body, loop);
  golden_check_start(s, m);
  for (int k = 0; k < GOLDEN_ROUNDS; k++) {
    for (; done < m->at[k].round; done++) ik_interp_run(in, loop->body, NULL);
    golden_check_round(s, m, &m->at[k]);
  }
  ik_interp_destroy(&in), ik_state_destroy(&s), program_close(&p);
}

CASE(golden_values_of_all_modes) {
  for (int k = 0; k < GOLDEN_MODES; k++) check_mode(&golden_modes[k]);
}

/* The sum of values among which are 1 and twice 2^-24, which is lost to 1 alone: only where the two
 * meet first are they kept. */
static double sum_of(const char *value, const ik_rule *r) {
  char      text[300];
  program   p;
  ik_state *s = NULL;
  snprintf(text, sizeof text,
           "grid x = 192, y = 48\nfield u : f32 = %s\nscalar s = sum(u)\n"
           "scalar least = min(u)\nscalar most = max(u)\n",
           value);
  if (!MUST_OPEN(&p, text)) return NAN;
  ik_interp *in = follow(&p, r, &s);
  ik_interp_run(in, p.ir->body, NULL);
  double sum = golden_scalar(s, "s");
  CHECK(golden_scalar(s, "most") == 1);
  CHECK(golden_scalar(s, "least") == 0);
  ik_interp_destroy(&in), ik_state_destroy(&s), program_close(&p);
  return sum;
}

/* 2^-24 in the first cell of two tiles (a, b), and 1 in that of a third. */
static double three(int ax, int ay, int bx, int by, int ox, int oy, const ik_rule *r) {
  char value[300];
  snprintf(value, sizeof value,
           "if x == %d and y == %d then 1 else if (x == %d and y == %d) or (x == %d and y == %d) "
           "then 2^-24 else 0",
           64 * ox, 16 * oy, 64 * ax, 16 * ay, 64 * bx, 16 * by);
  return sum_of(value, r);
}

CASE(tiles_are_added_from_the_far_end_to_the_root) {
  ik_rule centre = f32;
  double  kept = 1 + 0x1p-23;
  centre.root[0] = centre.root[1] = 1;
  CHECK(three(0, 2, 0, 1, 0, 0, &f32) == kept); /* the two meet first */
  CHECK(three(0, 1, 0, 0, 0, 2, &f32) == 1);    /* each is lost */
  CHECK(three(2, 0, 1, 0, 0, 0, &f32) == kept);
  CHECK(three(2, 0, 0, 2, 0, 0, &f32) == 1); /* a row comes before what is below */
  CHECK(three(2, 2, 2, 1, 1, 1, &centre) == kept);
  CHECK(three(1, 0, 1, 2, 1, 1, &centre) == 1);
}

/* 1 at element 0 of a tile and twice 2^-24 at element 1 of two tiles: whole tiles bring the two
 * together before they meet the 1. */
CASE(tiles_or_elements_come_first) {
  const char *value = "if x == 64 and y == 0 then 1 else if y == 1 and (x == 0 or x == 64) then "
                      "2^-24 else 0";
  ik_rule     whole = f32;
  whole.whole_tiles = true;
  CHECK(sum_of(value, &f32) == 1);
  CHECK(sum_of(value, &whole) == 1 + 0x1p-23);
}

CASE(initial_values_follow_the_language) {
  program   p;
  ik_state *s = NULL;
  if (!MUST_OPEN(&p, "grid x = 8\nfield u : f32 = 2^-130\nfield v : f32\nv = u\n")) return;
  ik_interp *in = follow(&p, &f32, &s);
  CHECK(golden_cell(s, "u", 3, 0, 0) == 0x1p-130);
  ik_interp_run(in, p.ir->body, NULL);
  CHECK(golden_cell(s, "v", 3, 0, 0) == 0);
  ik_interp_destroy(&in), ik_state_destroy(&s), program_close(&p);
}
