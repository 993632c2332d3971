/* The localized broadcast: no deadlock, everybody hears whom it should, in order. */
#include "check.h"
#include "sim/mesh.h"
#include "targets/simulated/wse2/protocol.h"
#include <stdlib.h>

/* Words that all elements of a line hear in a round. */
static int64_t expected(const ik_wse2_trial *k) {
  int64_t n = 0;
  for (int i = 0; i < k->length; i++) n += ik_wse2_senders(i, k->radius);
  return n * k->words * k->rounds;
}

static void try(const ik_wse2_trial *k) {
  ik_wse2_proof p;
  CHECK(ik_wse2_prove(k, &p));
  if (!ik_wse2_proof_holds(k, &p) || p.received != expected(k))
    check_fail(__FILE__, __LINE__,
               "radius %d, length %d, direction %d, depth %d, seed %u: end %d, %lld wrong, %lld "
               "of %lld received",
               k->radius, k->length, k->direction, k->depth, k->seed, p.end, (long long)p.wrong,
               (long long)p.received, (long long)expected(k));
}

/* Every radius from 1 to 8, every length from radius + 1 to 64, every direction. */
CASE(every_radius_and_length) {
  int tried, failed;
  CHECK(ik_wse2_prove_all(64, &tried, &failed));
  CHECK_EQ(tried, 4 * (63 + 62 + 61 + 60 + 59 + 58 + 57 + 56));
  CHECK_EQ(failed, 0);
}

/* The proof sees what is wrong. */
CASE(failures_are_seen) {
  ik_wse2_trial k = {IK_WSE2_EAST, 4, 13, 2, 3, 4, 0};
  ik_wse2_proof p;
  CHECK(ik_wse2_prove(&k, &p) && ik_wse2_proof_holds(&k, &p));
  ik_wse2_proof bad[] = {p, p, p, p};
  bad[0].end = IK_MESH_STUCK;
  bad[1].wrong = 1;
  bad[2].received--;
  bad[3].restored = false;
  for (int i = 0; i < 4; i++) CHECK(!ik_wse2_proof_holds(&k, &bad[i]));
}

/* The same with elements that are held up at random, and queues from 2 to 8 words. */
CASE(whatever_the_pace) {
  uint32_t seed = 1;
  for (int r = 1; r <= IK_WSE2_RADIUS; r++)
    for (int length = r + 1; length <= 64; length++, seed++)
      try(&(ik_wse2_trial){seed % 4, r, length, 4, 1 + (int)(seed % 7), 2 + (int)(seed % 7), seed});
}

CASE(slots_are_distances) {
  CHECK_EQ(ik_wse2_distance(7, 0, 4), 2); /* from 5, which is 0 mod 5 */
  CHECK_EQ(ik_wse2_distance(7, 2, 4), 0); /* from itself */
  CHECK_EQ(ik_wse2_distance(7, 3, 4), 4); /* from 3 */
  CHECK_EQ(ik_wse2_senders(2, 4), 3);
  CHECK_EQ(ik_wse2_senders(9, 4), 5);
}

/* ----------------------------------------------------------------------------- step by step */

enum { LENGTH = 13, R = 4 };

typedef struct gated { /* a line in which only the roots of one step talk */
  ik_mesh *mesh;
  int      step, sent[LENGTH];
} gated;

static ik_mesh_state step_gated(void *ctx, int e, int64_t cycle) {
  gated *g = ctx;
  bool   heard = ik_mesh_has(g->mesh, e, 0);
  if (heard) ik_mesh_take(g->mesh, e, 0);
  if (e % (R + 1) == g->step && g->sent[e] < 3 && ik_mesh_may_send(g->mesh, e, 0, cycle)) {
    if (g->sent[e] == 0)
      ik_mesh_send(g->mesh, e, 0, cycle, 1);
    else
      ik_mesh_command(g->mesh, e, 0, cycle, ik_wse2_command(g->sent[e] - 1, R));
    g->sent[e]++;
    return IK_MESH_BUSY;
  }
  return heard ? IK_MESH_BUSY : IK_MESH_WAITING;
}

/* What a position does, in the words of the paper. */
static const char *config(int e, int at) {
  ik_mesh_ring     r = ik_wse2_ring(IK_WSE2_EAST, e, LENGTH, R);
  ik_mesh_position p = r.position[at];
  if (p.from == IK_MESH_RAMP) return "ROOT(0)";
  return p.to & 1 << IK_MESH_EAST ? "MID(1)" : "LAST(2)";
}

static void check_line(gated *g, FILE *f, int step) {
  char line[128], want[128];
  for (int e = 0; e < LENGTH; e++) {
    int at = ik_mesh_position_of(g->mesh, e, 0);
    snprintf(want, sizeof want, "0,%d,%d,%d,%s,%s", step + 1, e, at, config(e, at),
             e % (R + 1) == step ? "send" : "");
    CHECK(fgets(line, sizeof line, f));
    line[strcspn(line, "\r\n")] = 0;
    CHECK_STR(line, want);
  }
}

/* wse_broadcast_trace.csv: positions at the beginning of each of the five steps. */
CASE(trace_of_the_paper) {
  char  line[128];
  FILE *f = fopen(check_data("tests/targets/simulated/wse2/broadcast_trace.csv"), "r");
  gated g = {.mesh = ik_mesh_create(LENGTH, 1, 1, 4)};
  CHECK(f && g.mesh && fgets(line, sizeof line, f));
  for (int e = 0; e < LENGTH; e++) {
    ik_mesh_ring r = ik_wse2_ring(IK_WSE2_EAST, e, LENGTH, R);
    ik_mesh_set_ring(g.mesh, e, 0, &r);
  }
  for (g.step = 0; g.step <= R; g.step++) {
    check_line(&g, f, g.step);
    CHECK_EQ(ik_mesh_run(g.mesh, step_gated, &g, 1, 1000), IK_MESH_STUCK); /* nobody is done */
  }
  if (f) fclose(f);
  ik_mesh_destroy(&g.mesh);
}
