/* protocol.c: the switch positions of the localized broadcast, and a line of elements that uses
 * them. */
#include "targets/simulated/wse2/protocol.h"
#include "base/mem.h"

enum { RAMP = 1 << IK_MESH_RAMP };

typedef enum place { MIDDLE, ROOT, BETWEEN, LAST } place;

static const struct {
  ik_mesh_port down, up;
} port_of[IK_WSE2_DIRECTIONS] = {
    [IK_WSE2_EAST] = {IK_MESH_EAST, IK_MESH_WEST},
    [IK_WSE2_WEST] = {IK_MESH_WEST, IK_MESH_EAST},
    [IK_WSE2_SOUTH] = {IK_MESH_SOUTH, IK_MESH_NORTH},
    [IK_WSE2_NORTH] = {IK_MESH_NORTH, IK_MESH_SOUTH},
};

static ik_mesh_position position(ik_wse2_direction d, place p, bool end) {
  uint8_t up = (uint8_t)port_of[d].up, down = (uint8_t)(end ? 0 : 1 << port_of[d].down);
  switch (p) {
  case MIDDLE: return (ik_mesh_position){up, down | RAMP};
  case ROOT: return (ik_mesh_position){IK_MESH_RAMP, down | RAMP};
  case BETWEEN: return (ik_mesh_position){IK_MESH_RAMP, RAMP};
  default: return (ik_mesh_position){up, RAMP};
  }
}

/* The first element has nobody upstream; the next ones, up to r, are never the last of a group.
 * With radius 1 nobody is in the middle: a group is a root and a last one. */
static bool can_be(place p, int i, int radius) {
  if (p == MIDDLE) return i > 0 && radius > 1;
  return p != LAST || i >= radius;
}

static place begins_as(int i, int radius) {
  int k = i % (radius + 1);
  return k == 0 ? ROOT : k == radius ? LAST : MIDDLE;
}

ik_mesh_ring ik_wse2_ring(ik_wse2_direction d, int i, int length, int radius) {
  ik_mesh_ring r = {0};
  for (place p = MIDDLE; p <= LAST; p++) {
    if (!can_be(p, i, radius)) continue;
    if (p == begins_as(i, radius)) r.at = r.n;
    r.position[r.n++] = position(d, p, i == length - 1);
  }
  return r;
}

int ik_wse2_distance(int i, int slot, int radius) {
  int p = radius + 1;
  return (i % p - slot + p) % p;
}

int ik_wse2_place(ik_wse2_direction d, int x, int y, int nx, int ny, int *length) {
  *length = d == IK_WSE2_EAST || d == IK_WSE2_WEST ? nx : ny;
  switch (d) {
  case IK_WSE2_EAST: return x;
  case IK_WSE2_WEST: return nx - 1 - x;
  case IK_WSE2_SOUTH: return y;
  default: return ny - 1 - y;
  }
}

/* ----------------------------------------------------------------------------- the proof */

typedef struct talker { /* an element that does nothing but broadcast */
  int sent, sent_rounds;
  int slot, heard, heard_rounds;
} talker;

typedef struct line {
  const ik_wse2_trial *trial;
  ik_mesh             *mesh;
  talker              *talker; /* [length] by place */
  ik_wse2_proof       *proof;
} line;

static int place_of(const line *l, int element) {
  bool back = l->trial->direction == IK_WSE2_WEST || l->trial->direction == IK_WSE2_NORTH;
  return back ? l->trial->length - 1 - element : element;
}

static uint32_t word_of(int round, int i, int k) {
  return (uint32_t)round << 24 | (uint32_t)i << 16 | (uint32_t)k;
}

/* Words, then the two commands. */
static bool talk(line *l, talker *t, int element, int64_t cycle) {
  const ik_wse2_trial *k = l->trial;
  if (t->sent_rounds == k->rounds || !ik_mesh_may_send(l->mesh, element, 0, cycle)) return false;
  int i = place_of(l, element), n = t->sent++;
  if (n < k->words)
    ik_mesh_send(l->mesh, element, 0, cycle, word_of(t->sent_rounds, i, n));
  else
    ik_mesh_command(l->mesh, element, 0, cycle, ik_wse2_command(n - k->words, k->radius));
  if (t->sent == k->words + 2) {
    t->sent = 0;
    t->sent_rounds++;
  }
  return true;
}

static bool hear(line *l, talker *t, int element) {
  const ik_wse2_trial *k = l->trial;
  if (!ik_mesh_has(l->mesh, element, 0)) return false;
  int      i = place_of(l, element), sender = i - ik_wse2_distance(i, t->slot, k->radius);
  uint32_t w = ik_mesh_take(l->mesh, element, 0);
  l->proof->wrong += w != word_of(t->heard_rounds, sender, t->heard);
  l->proof->received++;
  if (++t->heard < k->words) return true;
  t->heard = 0;
  if (++t->slot < ik_wse2_senders(i, k->radius)) return true;
  t->slot = 0;
  t->heard_rounds++;
  return true;
}

/* Elements are kept from working now and then, so that steps and rounds overlap in many ways. */
static bool is_held_up(const ik_wse2_trial *k, int element, int64_t cycle) {
  uint32_t h = (uint32_t)cycle * 0x9e3779b1u ^ (uint32_t)element * 0x85ebca77u ^ k->seed;
  h = (h ^ h >> 15) * 0x2c1b3c6du;
  return k->seed && (h >> 16) % 3 == 0;
}

static ik_mesh_state step_talker(void *ctx, int element, int64_t cycle) {
  line   *l = ctx;
  talker *t = &l->talker[place_of(l, element)];
  if (t->sent_rounds == l->trial->rounds && t->heard_rounds == l->trial->rounds)
    return IK_MESH_DONE;
  if (is_held_up(l->trial, element, cycle)) return IK_MESH_BUSY;
  bool heard = hear(l, t, element), talked = talk(l, t, element, cycle);
  return heard || talked ? IK_MESH_BUSY : IK_MESH_WAITING;
}

static void set_rings(const line *l) {
  const ik_wse2_trial *k = l->trial;
  for (int e = 0; e < k->length; e++) {
    ik_mesh_ring r = ik_wse2_ring(k->direction, place_of(l, e), k->length, k->radius);
    ik_mesh_set_ring(l->mesh, e, 0, &r);
  }
}

static bool is_restored(const line *l) {
  const ik_wse2_trial *k = l->trial;
  for (int e = 0; e < k->length; e++) {
    ik_mesh_ring r = ik_wse2_ring(k->direction, place_of(l, e), k->length, k->radius);
    if (ik_mesh_position_of(l->mesh, e, 0) != r.at) return false;
  }
  return true;
}

static bool is_along_x(ik_wse2_direction d) { return d == IK_WSE2_EAST || d == IK_WSE2_WEST; }

/* More cycles than a line can need: elements that are held up at random are never all waiting, and
 * those that are stuck would go on for ever. */
static int64_t patience(const ik_wse2_trial *k) {
  return INT64_C(64) * k->rounds * (k->words + 2) * (k->length + k->radius);
}

bool ik_wse2_prove(const ik_wse2_trial *k, ik_wse2_proof *out) {
  bool along_x = is_along_x(k->direction);
  line l = {.trial = k, .proof = out};
  *out = (ik_wse2_proof){0};
  l.mesh = ik_mesh_create(along_x ? k->length : 1, along_x ? 1 : k->length, 1, k->depth);
  l.talker = ik_calloc((size_t)k->length, sizeof *l.talker);
  bool made = l.mesh && l.talker;
  if (made) {
    set_rings(&l);
    out->end = ik_mesh_run(l.mesh, step_talker, &l, 1, patience(k));
    out->restored = is_restored(&l);
    out->cycles = ik_mesh_cycle(l.mesh);
  }
  ik_free(l.talker);
  ik_mesh_destroy(&l.mesh);
  return made;
}

bool ik_wse2_proof_holds(const ik_wse2_trial *k, const ik_wse2_proof *p) {
  int64_t expected = 0;
  for (int i = 0; i < k->length; i++) expected += ik_wse2_senders(i, k->radius);
  expected *= (int64_t)k->words * k->rounds;
  return p->end == IK_MESH_ENDED && !p->wrong && p->restored && p->received == expected;
}

bool ik_wse2_prove_all(int longest, int *tried, int *failed) {
  *tried = *failed = 0;
  for (int r = 1; r <= IK_WSE2_RADIUS; r++)
    for (int length = r + 1; length <= longest; length++)
      for (ik_wse2_direction d = 0; d < IK_WSE2_DIRECTIONS; d++) {
        ik_wse2_trial k = {d, r, length, .rounds = 3, .words = 3, .depth = 4, .seed = 0};
        ik_wse2_proof p;
        if (!ik_wse2_prove(&k, &p)) return false;
        ++*tried;
        *failed += !ik_wse2_proof_holds(&k, &p);
      }
  return true;
}
