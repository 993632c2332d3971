/* Hexagonal tiles on a GPU: the time model of "Analytical Cost Metrics", with its best tile. */
#include "plan/hexagons.h"
#include "model/hextile.h"
#include "plan/candidate.h"
#include <math.h>

static bool machine_of(const ik_machine *m, ik_hex_machine *h) {
  double sms, units, shared, block, blocks, l, sync, launch;
  if (!ik_machine_number(m, "gpu.sms", "", &sms) ||
      !ik_machine_number(m, "gpu.vector_units", "", &units) ||
      !ik_machine_number(m, "gpu.shared", "B", &shared) ||
      !ik_machine_number(m, "gpu.shared.block", "B", &block) ||
      !ik_machine_number(m, "gpu.blocks", "", &blocks) ||
      !ik_machine_number(m, "time.l", "s/GB", &l) ||
      !ik_machine_number(m, "time.sync", "s", &sync) ||
      !ik_machine_number(m, "time.launch", "s", &launch))
    return false;
  *h = (ik_hex_machine){.sms = (int)sms,
                        .vector_units = (int)units,
                        .shared_words = (int64_t)(shared / 4),
                        .block_words = (int64_t)(block / 4),
                        .max_blocks = (int)blocks,
                        .word_s = l * 4e-9,
                        .sync_s = sync,
                        .launch_s = launch};
  return true;
}

/* ---- the question ---- */

int ik_hexagons_reach(const ik_facts *f) {
  int reach = 0;
  for (int d = 0; d < IK_MAX_DIM; d++)
    for (int side = 0; side < 2; side++) {
      int slope = f->depend.tiling.slope[d][side];
      if (slope > reach) reach = slope;
    }
  return reach;
}

const char *ik_hexagons_refuse(const ik_facts *f) {
  if (!f->depend.tiling.legal) return f->depend.tiling.why;
  if (ik_hexagons_reach(f) > 1) return "the time model has stencils of radius 1 only";
  return NULL;
}

bool ik_hexagons_problem(const ik_ir *ir, const ik_facts *f, double steps, const ik_machine *m,
                         ik_hex_problem *out) {
  bool   flat = ir->ndim < 3;
  double body = flat ? 9 : 13, flops = (double)f->flops.cell;
  *out = (ik_hex_problem){.dims = ir->ndim, .steps = (int64_t)steps};
  for (int d = 0; d < ir->ndim; d++) out->s[d] = ir->n[ir->ndim - 1 - d]; /* outermost first */
  if (!ik_machine_number(m, flat ? "c_iter.jacobi2d" : "c_iter.heat3d", "s", &out->iter_s))
    return false;
  out->iter_s *= fmax(flops, 1) / body;
  out->words = (int)fmin(fmax(ceil(f->bytes.cell / 8), 1), IK_HEX_LIMIT);
  return true;
}

/* ---- the answer ---- */

/* The best tile, and how many are nearly as good; none if no tile fits. */
static int choose_tile(const ik_hex_problem *p, const ik_hex_machine *h, ik_hex_tile *tile) {
  ik_hextile_set set;
  if (!ik_hextile_search(p, h, &(ik_hex_reading){0}, 0.1, &set)) return 0;
  int n = set.n;
  if (n) *tile = set.near[0].tile;
  ik_hextile_set_free(&set);
  return n;
}

static void add(const ik_question *q, const ik_machine *m, const ik_hex_problem *p,
                const ik_hex_machine *h, const ik_hex_tile *tile, const char *note, ik_arena *a,
                ik_candidates *out) {
  ik_hex_time  time = ik_hex_time_of(p, h, tile, &(ik_hex_reading){0}, 0);
  ik_hex_use   use = ik_hex_use_of(p, h, &time);
  ik_candidate c = {
      .machine = m->name, .target = ik_machine_text(m, "kind"), .strategy = "hex", .unit = "f32"};
  double power;
  if (!time.k) return;
  c.steps = tile->t, c.alpha = c.sparsity = 1, c.hex = *tile, c.note = note;
  c.flops = (double)q->facts->flops.cell * c.steps;
  c.bytes = (double)time.moved_words * 4 / ((double)time.volume / c.steps);
  c.intensity = c.flops / c.bytes, c.ridge = NAN;
  c.model = IK_MODEL_HEXAGONS;
  c.memory_bound = use.transfer > use.compute;
  c.use_memory = use.transfer, c.use_unit = use.compute;
  c.seconds = time.time_s, c.gstencils = q->cells * q->steps / time.time_s / 1e9;
  c.joules = ik_machine_number(m, "power.tdp", "W", &power) ? power * c.seconds : NAN;
  IK_PUSH(a, out->at, out->n, out->cap, c);
}

void ik_candidates_hexagons(const ik_question *q, const ik_machine *m, ik_arena *a,
                            ik_candidates *out) {
  ik_hex_machine h;
  ik_hex_problem p;
  ik_hex_tile    tile = q->hex;
  /* its times of an iteration were measured in single precision */
  if (ik_question_type(q) != IK_F32 || ik_hexagons_refuse(q->facts) || !machine_of(m, &h)) return;
  if (!ik_hexagons_problem(q->ir, q->facts, q->steps, m, &p)) return;
  int n = tile.t ? 1 : choose_tile(&p, &h, &tile);
  if (!n) return;
  const char *note = ik_arena_printf(a, "tile %d x %d x %d; %d within 10 %%", tile.s[0],
                                     p.dims > 1 ? tile.s[1] : 1, p.dims > 2 ? tile.s[2] : 1, n);
  add(q, m, &p, &h, &tile, note, a, out);
}
