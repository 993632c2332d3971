/* protocol.h: the localized broadcast of arXiv 2204.03775, Section IV-C, for any radius.
 *
 * Each direction is a colour and a set of lines.  An element's place i on its line counts along the
 * flow; L is the line's length.  In step s of the r + 1 steps of a round, the elements with
 * i mod (r+1) = s are roots: each sends its words to itself and the next r elements, then two
 * commands that move the pattern on by one: the first advances the routers at hop 0, 1 and r, the
 * second that at hop 0.  After r + 1 steps the routers are as they were.
 *
 * An element sends its words and the commands, and receives min(r, i) + 1 times as many; it keeps
 * no books of steps.  Words come ordered by sender mod (r+1).
 */
#pragma once
#include "sim/mesh.h"
#include "targets/simulated/wse2/element.h"

/* The routes of the element at place i of a line of L >= r+1, in that direction. */
ik_mesh_ring ik_wse2_ring(ik_wse2_direction d, int i, int length, int radius);

/* The two commands. */
static inline uint32_t ik_wse2_command(int which, int radius) {
  return which ? 1u : 1u | 2u | 1u << radius;
}

/* How many senders an element hears in a round, itself included. */
static inline int ik_wse2_senders(int i, int radius) { return i < radius ? i + 1 : radius + 1; }
/* How far upstream the slot-th of them is. */
int ik_wse2_distance(int i, int slot, int radius);

/* The place on its line of the element (x, y) of nx by ny, and the line's length. */
int ik_wse2_place(ik_wse2_direction d, int x, int y, int nx, int ny, int *length);

/* ---- the proof ---- */

/* A line of elements that broadcast `words` words each, `rounds` times. */
typedef struct ik_wse2_trial {
  ik_wse2_direction direction;
  int               radius, length, rounds, words; /* at most 127 rounds, 255 elements */
  int               depth;                         /* of the routers' queues */
  uint32_t          seed; /* 0: elements work whenever they can; else they are held up at random */
} ik_wse2_trial;

/* What they did, all of it checked against what they should do. */
typedef struct ik_wse2_proof {
  ik_mesh_end end;      /* STUCK: a deadlock */
  int64_t     wrong;    /* words that came from another sender than they should, or out of order */
  int64_t     received; /* words in all */
  bool        restored; /* after all, every router is where it began */
  int64_t     cycles;
} ik_wse2_proof;

/* False without memory. */
bool ik_wse2_prove(const ik_wse2_trial *k, ik_wse2_proof *out);
/* Nobody got stuck, every word came when it should, and the routers are ready for the next round.
 */
bool ik_wse2_proof_holds(const ik_wse2_trial *k, const ik_wse2_proof *p);
/* Lines of every radius up to IK_WSE2_RADIUS, every length up to `longest` and every direction: how
 * many were tried, and for how many it does not hold.  False without memory. */
bool ik_wse2_prove_all(int longest, int *tried, int *failed);
