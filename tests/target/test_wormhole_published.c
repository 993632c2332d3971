/* The published figures of the Wormhole paper against the simulation. */
#include "target/wormhole/published.h"
#include "lang/program.h"
#include "target/wormhole/cycles.h"
#include "target/wormhole/paper.h"
#include "target/wormhole/stream.h"

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

static int64_t cycles_of(const ik_wormhole_map *m, const ik_stmt *list, ik_diag *d) {
  ik_wormhole_count n = {0};
  CHECK(!ik_wormhole_cycles(m, list, NULL, NULL, NULL, NULL, d, &n));
  return n.cycles;
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
  const ik_stmt *a = ik_wormhole_paper_loop(p.ir), *b = ik_wormhole_paper_loop(ir);
  CHECK_EQ(cycles_of(&ours, a->pre, &p.diag), cycles_of(&theirs, b->pre, &p.diag));
  CHECK_EQ(cycles_of(&ours, a->body, &p.diag), cycles_of(&theirs, b->body, &p.diag));
  CHECK_EQ(ours.memory.vectors, theirs.memory.vectors);
  program_close(&p);
}

CASE(the_solver_is_that_of_the_examples) {
  same_round(IK_F32);
  same_round(IK_BF16);
}
