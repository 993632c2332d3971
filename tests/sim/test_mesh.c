/* Routers, links, colours, commands. */
#include "sim/mesh.h"
#include "base/mem.h"
#include "check.h"

enum { MOST = 64 };
#define TO(port) (uint8_t)(1 << (port))

/* Elements that send a list of words and write down what comes, and when. */
typedef struct peer {
  int      nsend, colour[MOST];
  uint32_t send[MOST];
  bool     command[MOST];
  int      sent, ngot, wants;
  uint32_t got[MOST];
  int      got_colour[MOST];
  int64_t  at[MOST];
} peer;

typedef struct scene {
  ik_mesh *mesh;
  int      colours;
  peer     peer[16];
} scene;

static void say(peer *p, int colour, uint32_t word, bool command) {
  int k = p->nsend++;
  p->colour[k] = colour;
  p->send[k] = word;
  p->command[k] = command;
}

static bool listen(scene *s, int e, int64_t cycle) {
  peer *p = &s->peer[e];
  bool  any = false;
  for (int c = 0; c < s->colours; c++)
    if (ik_mesh_has(s->mesh, e, c)) {
      p->got[p->ngot] = ik_mesh_take(s->mesh, e, c);
      p->got_colour[p->ngot] = c;
      p->at[p->ngot++] = cycle;
      any = true;
    }
  return any;
}

static bool talk(scene *s, int e, int64_t cycle) {
  peer *p = &s->peer[e];
  int   k = p->sent;
  if (k == p->nsend || !ik_mesh_may_send(s->mesh, e, p->colour[k], cycle)) return false;
  (p->command[k] ? ik_mesh_command : ik_mesh_send)(s->mesh, e, p->colour[k], cycle, p->send[k]);
  CHECK(!ik_mesh_may_send(s->mesh, e, p->colour[k], cycle)); /* one word a cycle */
  p->sent++;
  return true;
}

static ik_mesh_state step(void *ctx, int e, int64_t cycle) {
  scene *s = ctx;
  peer  *p = &s->peer[e];
  bool   heard = listen(s, e, cycle), said = talk(s, e, cycle);
  if (heard || said) return IK_MESH_BUSY;
  return p->sent == p->nsend && p->ngot == p->wants ? IK_MESH_DONE : IK_MESH_WAITING;
}

static scene open_scene(int nx, int ny, int colours) {
  scene s = {.mesh = ik_mesh_create(nx, ny, colours, 4), .colours = colours};
  CHECK(s.mesh);
  return s;
}

static void fixed(scene *s, int e, int colour, int from, uint8_t to) {
  ik_mesh_ring r = {.n = 1, .position = {{(uint8_t)from, to}}};
  ik_mesh_set_ring(s->mesh, e, colour, &r);
}

/* 0 -> 1 -> 2, and 1 hears it too. */
CASE(a_word_goes_to_several_ports) {
  scene s = open_scene(3, 1, 1);
  fixed(&s, 0, 0, IK_MESH_RAMP, TO(IK_MESH_EAST));
  fixed(&s, 1, 0, IK_MESH_WEST, TO(IK_MESH_EAST) | TO(IK_MESH_RAMP));
  fixed(&s, 2, 0, IK_MESH_WEST, TO(IK_MESH_RAMP));
  for (uint32_t k = 0; k < 20; k++) say(&s.peer[0], 0, 100 + k, false);
  s.peer[1].wants = s.peer[2].wants = 20;
  CHECK_EQ(ik_mesh_run(s.mesh, step, &s, 1, 1000), IK_MESH_ENDED);
  for (int k = 0; k < 20; k++) {
    CHECK_EQ(s.peer[1].got[k], 100 + k);
    CHECK_EQ(s.peer[2].got[k], 100 + k);
    CHECK_EQ(s.peer[2].at[k] - s.peer[1].at[k], 1); /* a cycle for each link */
    CHECK_EQ(s.peer[1].at[k] - s.peer[1].at[0], k); /* a word each cycle */
  }
  CHECK_EQ(ik_mesh_words(s.mesh, 0, IK_MESH_EAST), 20);
  CHECK_EQ(ik_mesh_words(s.mesh, 1, IK_MESH_RAMP), 20);
  ik_mesh_destroy(&s.mesh);
}

/* Two colours cross one link, which carries one word a cycle. */
CASE(colours_share_a_link) {
  scene s = open_scene(3, 1, 2);
  for (int c = 0; c < 2; c++) {
    fixed(&s, c, c, IK_MESH_RAMP, TO(IK_MESH_EAST));
    fixed(&s, 2, c, IK_MESH_WEST, TO(IK_MESH_RAMP));
  }
  fixed(&s, 1, 0, IK_MESH_WEST, TO(IK_MESH_EAST)); /* passes colour 0 on, sends colour 1 */
  for (uint32_t k = 0; k < 30; k++)
    for (int c = 0; c < 2; c++) say(&s.peer[c], c, k, false);
  s.peer[2].wants = 60;
  CHECK_EQ(ik_mesh_run(s.mesh, step, &s, 1, 1000), IK_MESH_ENDED);
  uint32_t next[2] = {0, 0};
  for (int k = 0; k < 60; k++) {
    CHECK_EQ(s.peer[2].got[k], next[s.peer[2].got_colour[k]]++); /* in order */
    if (k) CHECK(s.peer[2].at[k] > s.peer[2].at[k - 1]);         /* one word a cycle */
  }
  CHECK_EQ(next[0], 30);
  CHECK_EQ(next[1], 30);
  ik_mesh_destroy(&s.mesh);
}

/* Two colours come to one element from both sides: the ramp takes them in turn. */
CASE(colours_take_turns_on_a_ramp) {
  scene s = open_scene(3, 1, 2);
  for (int c = 0; c < 2; c++) {
    fixed(&s, 2 * c, c, IK_MESH_RAMP, TO(c ? IK_MESH_WEST : IK_MESH_EAST));
    fixed(&s, 1, c, c ? IK_MESH_EAST : IK_MESH_WEST, TO(IK_MESH_RAMP));
    for (uint32_t k = 0; k < 20; k++) say(&s.peer[2 * c], c, k, false);
  }
  s.peer[1].wants = 40;
  CHECK_EQ(ik_mesh_run(s.mesh, step, &s, 1, 1000), IK_MESH_ENDED);
  for (int k = 0; k < 40; k++) CHECK_EQ(s.peer[1].got_colour[k], k % 2);
  ik_mesh_destroy(&s.mesh);
}

/* The router at hop 1 turns from passing words on to keeping them. */
CASE(commands_switch_routes) {
  scene        s = open_scene(3, 1, 1);
  ik_mesh_ring turn = {
      .n = 2, .position = {{IK_MESH_WEST, TO(IK_MESH_EAST)}, {IK_MESH_WEST, TO(IK_MESH_RAMP)}}};
  fixed(&s, 0, 0, IK_MESH_RAMP, TO(IK_MESH_EAST));
  ik_mesh_set_ring(s.mesh, 1, 0, &turn);
  fixed(&s, 2, 0, IK_MESH_WEST, TO(IK_MESH_RAMP));
  say(&s.peer[0], 0, 1, false);
  say(&s.peer[0], 0, 2, true); /* advance at hop 1 */
  say(&s.peer[0], 0, 3, false);
  s.peer[1].wants = s.peer[2].wants = 1;
  CHECK_EQ(ik_mesh_run(s.mesh, step, &s, 1, 1000), IK_MESH_ENDED);
  CHECK_EQ(s.peer[2].got[0], 1);
  CHECK_EQ(s.peer[1].got[0], 3);
  CHECK_EQ(ik_mesh_position_of(s.mesh, 1, 0), 1);
  ik_mesh_destroy(&s.mesh);
}

/* Words that nobody takes: the run ends and says so. */
CASE(deadlocks_are_seen) {
  scene s = open_scene(2, 1, 1);
  fixed(&s, 0, 0, IK_MESH_RAMP, TO(IK_MESH_EAST));
  fixed(&s, 1, 0, IK_MESH_RAMP, TO(IK_MESH_WEST)); /* faces the other way */
  for (uint32_t k = 0; k < 20; k++) say(&s.peer[0], 0, k, false);
  CHECK_EQ(ik_mesh_run(s.mesh, step, &s, 1, 1000), IK_MESH_STUCK);
  CHECK_EQ(s.peer[0].sent, 4 + 4); /* as many as fit into two queues */
  ik_mesh_destroy(&s.mesh);
}

/* Every element sends to its southern neighbour, round the corner to the east. */
static void run_field(scene *s, int threads) {
  *s = open_scene(4, 4, 2);
  for (int e = 0; e < 12; e++) {
    int c = e / 4 % 2;
    fixed(s, e, c, IK_MESH_RAMP, TO(IK_MESH_SOUTH));
    fixed(s, e + 4, c, IK_MESH_NORTH, TO(IK_MESH_RAMP));
    for (uint32_t k = 0; k < 25; k++) say(&s->peer[e], c, (uint32_t)e * 100 + k, false);
    s->peer[e + 4].wants = 25;
  }
  CHECK_EQ(ik_mesh_run(s->mesh, step, s, threads, 1000), IK_MESH_ENDED);
}

CASE(threads_change_nothing) {
  static scene one, many;
  run_field(&one, 1);
  for (int threads = 2; threads <= 4; threads++) {
    run_field(&many, threads);
    CHECK_EQ(ik_mesh_cycle(one.mesh), ik_mesh_cycle(many.mesh));
    CHECK(!memcmp(one.peer, many.peer, sizeof one.peer));
    ik_mesh_destroy(&many.mesh);
  }
  ik_mesh_destroy(&one.mesh);
}

CASE(a_limit_of_cycles) {
  scene s = open_scene(2, 1, 1);
  fixed(&s, 0, 0, IK_MESH_RAMP, TO(IK_MESH_EAST));
  fixed(&s, 1, 0, IK_MESH_WEST, TO(IK_MESH_RAMP));
  for (uint32_t k = 0; k < 20; k++) say(&s.peer[0], 0, k, false);
  s.peer[1].wants = 20;
  CHECK_EQ(ik_mesh_run(s.mesh, step, &s, 1, 10), IK_MESH_LATE);
  CHECK_EQ(ik_mesh_cycle(s.mesh), 10);
  CHECK_EQ(ik_mesh_run(s.mesh, step, &s, 1, 1000), IK_MESH_ENDED);
  CHECK_EQ(s.peer[1].ngot, 20);
  ik_mesh_destroy(&s.mesh);
}

CASE(without_memory) {
  for (int k = 0; k < 3; k++) {
    ik_mem_fail_after(k);
    ik_mesh *m = ik_mesh_create(2, 2, 1, 4);
    ik_mem_fail_after(-1);
    CHECK(!m);
    ik_mesh_destroy(&m);
  }
}
