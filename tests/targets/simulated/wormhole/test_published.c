/* The published figures of the Wormhole paper against the simulation. */
#include "targets/simulated/wormhole/published.h"
#include "lang/program.h"
#include "targets/simulated/wormhole/cycles.h"
#include "targets/simulated/wormhole/paper.h"
#include "targets/simulated/wormhole/stream.h"

static const ik_published_row *find(const ik_published_row *rows, int n, const char *part) {
  for (int i = 0; i < n; i++)
    if (strstr(rows[i].row, part)) return &rows[i];
  check_fail(__FILE__, __LINE__, "no row '%s'", part);
  return rows;
}

CASE(figures_are_within_their_bars) {
  ik_arena                a;
  ik_diag                 d = {0};
  const ik_published_row *rows;
  int                     n;
  ik_arena_init(&a);
  if (setjmp(a.oom)) abort();
  if (ik_wormhole_published(NULL, &a, &d, &rows, &n)) check_fail(__FILE__, __LINE__, "no rows");
  for (int i = 0; i < n; i++) {
    const ik_published_row *r = &rows[i];
    printf("%-32s %-45s %8.4g %8.4g %s\n", r->table, r->row, r->published, r->simulated, r->unit);
    if (r->bar > 0 && fabs(r->simulated - r->published) > r->bar * fabs(r->published))
      check_fail(__FILE__, __LINE__, "%s, %s: %g, not %g", r->table, r->row, r->simulated,
                 r->published);
  }
  double one = find(rows, n, "naive, 1 tile")->simulated;
  double four = find(rows, n, "naive, 4 tiles")->simulated;
  double most = find(rows, n, "naive, 64 tiles")->simulated;
  double all = find(rows, n, "naive, 128 tiles")->simulated;
  CHECK(one > four && four > most && most > all && all < 3);
  ik_arena_free(&a), ik_diag_free(&d);
}

/* ---- the paper's solver is examples/poisson.ik ---- */

static int64_t round_of(const ik_wormhole_map *m, ik_diag *d) {
  int64_t cycles = 0;
  CHECK(!ik_wormhole_round(m, d, &cycles));
  return cycles;
}

static void same_round(ik_type t) {
  ik_wormhole_case c = {IK_WORMHOLE_SOLVER, t, {1, 4}, 64};
  char             text[4000] = "", line[300];
  FILE            *f = fopen(check_data("examples/poisson.ik"), "r");
  const ik_ir     *ir;
  ik_wormhole_map  ours, theirs;
  program          p;
  while (f && fgets(line, sizeof line, f)) {
    char *type = strstr(line, ": f32");
    if (type && t == IK_BF16) {
      char rest[300];
      snprintf(rest, sizeof rest, "%s", type + 5);
      snprintf(type, sizeof line - (size_t)(type - line), ": bf16%s", rest);
    }
    strcat(text, line);
  }
  if (f) fclose(f);
  if (!program_open(&p, text)) check_fail(__FILE__, __LINE__, "%s", text);
  if (setjmp(p.arena.oom)) abort();
  CHECK(!ik_wormhole_paper(&c, &p.arena, &p.diag, &ir));
  CHECK(!ik_wormhole_map_of(ir, NULL, NULL, &p.arena, &p.diag, &theirs));
  CHECK(!ik_wormhole_map_of(p.ir, NULL, NULL, &p.arena, &p.diag, &ours));
  CHECK(round_of(&ours, &p.diag) > 0);
  CHECK_EQ(round_of(&ours, &p.diag), round_of(&theirs, &p.diag));
  CHECK_EQ(ours.memory.vectors, theirs.memory.vectors);
  program_close(&p);
}

CASE(the_solver_is_that_of_the_examples) {
  same_round(IK_F32);
  same_round(IK_BF16);
}

/* ---- other machines ---- */

static ik_status with(const char *changes, ik_wormhole_figures *f) {
  ik_arena    a;
  ik_diag     d = {0};
  ik_machine *file, *other;
  ik_arena_init(&a);
  if (setjmp(a.oom)) abort();
  ik_status st = ik_machine_find("wormhole-n150d", &a, &d, &file);
  if (!st) st = ik_machine_vary(file, changes, &a, &d, &other);
  if (!st) st = ik_wormhole_figures_of(other, &a, &d, f);
  ik_arena_free(&a), ik_diag_free(&d);
  return st;
}

/* Nothing is ever divided by zero. */
CASE(figures_of_other_machines_are_used_or_refused) {
  ik_wormhole_figures f;
  CHECK(!with("noc.write=x0.5", &f) && f.write == 15); /* 14.5 */
  CHECK(with("core.copy=x0.01", &f) == IK_ERR_UNSUPPORTED);
  CHECK(with("noc.hop=x1e9", &f) == IK_ERR_UNSUPPORTED);
  CHECK(!with("model.sync=x0.001", &f) && f.sync == 0);
}

CASE(slower_units_take_longer) {
  ik_arena         a;
  ik_diag          d = {0};
  ik_wormhole_case c = {IK_WORMHOLE_OPERATOR, IK_F32, {1, 1}, 4};
  ik_machine      *file, *slow;
  const ik_ir     *ir;
  ik_wormhole_map  map;
  int64_t          usual, longer;
  ik_arena_init(&a);
  if (setjmp(a.oom)) abort();
  CHECK(!ik_machine_find("wormhole-n150d", &a, &d, &file) &&
        !ik_machine_vary(file, "core.copy=x0.5,core.store=x2,core.sram=x0.5", &a, &d, &slow) &&
        !ik_wormhole_paper(&c, &a, &d, &ir));
  CHECK(!ik_wormhole_map_of(ir, NULL, NULL, &a, &d, &map) && !ik_wormhole_round(&map, &d, &usual));
  int64_t levels = map.memory.levels;
  CHECK(!ik_wormhole_map_of(ir, slow, NULL, &a, &d, &map) && !ik_wormhole_round(&map, &d, &longer));
  /* 21 operands are unpacked at half the rate, 160 words of zero stored in twice the time. */
  CHECK_EQ(longer - usual, 4 * (21 * 128 + 160 * 5));
  CHECK(map.memory.levels < levels / 2);
  ik_arena_free(&a), ik_diag_free(&d);
}
