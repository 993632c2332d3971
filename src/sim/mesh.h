/* mesh.h: a rectangle of routers, each with an element on its ramp, stepped cycle by cycle.
 *
 * A router has five ports, four to its neighbours and the ramp.  Every link moves one word of 32
 * bits a cycle in each direction and takes one cycle.  A word has a colour.  For each colour a
 * router holds a ring of positions, and the one it is at says from which port words are taken and
 * to which ports, several at once, they are sent on.  Colours have queues of their own, so none
 * holds another up; within one colour words stay in order.  A word moves on only if every port it
 * goes to is free and has room behind it.
 *
 * A command is a word whose bit h says whether the router at hop h, the sender's own being hop 0,
 * goes to its next position of that colour: after it has sent the command on.  No element sees
 * commands.
 *
 * Routers and elements of a cycle see only what was so at the end of the cycle before, so rows may
 * be shared out to any number of threads without changing anything.
 */
#pragma once
#include "sim/meter.h"
#include <stdbool.h>
#include <stdint.h>

enum { IK_MESH_COLOURS = 12, IK_MESH_POSITIONS = 4, IK_MESH_DEPTH = 8 };

typedef enum ik_mesh_port {
  IK_MESH_NORTH, /* to y - 1 */
  IK_MESH_SOUTH,
  IK_MESH_EAST, /* to x + 1 */
  IK_MESH_WEST,
  IK_MESH_RAMP,
  IK_MESH_PORTS
} ik_mesh_port;

typedef struct ik_mesh_position {
  uint8_t from; /* a port */
  uint8_t to;   /* 1 << port, or several */
} ik_mesh_position;

typedef struct ik_mesh_ring {
  int              n, at; /* positions, the one to begin with */
  ik_mesh_position position[IK_MESH_POSITIONS];
} ik_mesh_ring;

typedef enum ik_mesh_state { IK_MESH_BUSY, IK_MESH_WAITING, IK_MESH_DONE } ik_mesh_state;

typedef struct ik_mesh ik_mesh;

/* One cycle of an element, index y*nx + x: takes and sends words and says whether it did something,
 * waits for words (or for room), or has nothing left to do.  Called on any thread, for one element
 * at a time; touches nothing of other elements. */
typedef ik_mesh_state ik_mesh_step(void *ctx, int element, int64_t cycle);

/* Queues of `depth` words, 2 to IK_MESH_DEPTH.  NULL without memory. */
ik_mesh *ik_mesh_create(int nx, int ny, int colours, int depth);
void     ik_mesh_destroy(ik_mesh **m);

/* The ring of a colour at an element.  Colours without a ring take and send nothing. */
void ik_mesh_set_ring(ik_mesh *m, int element, int colour, const ik_mesh_ring *r);
/* The number of the position at which a router is. */
int ik_mesh_position_of(const ik_mesh *m, int element, int colour);

/* ---- for elements, in their step ---- */

/* Is there a word of that colour on the ramp? */
bool ik_mesh_has(const ik_mesh *m, int element, int colour);
/* The word, which there is. */
uint32_t ik_mesh_take(ik_mesh *m, int element, int colour);
/* May a word of that colour be sent now?  The ramp takes one word a cycle. */
bool ik_mesh_may_send(const ik_mesh *m, int element, int colour, int64_t cycle);
void ik_mesh_send(ik_mesh *m, int element, int colour, int64_t cycle, uint32_t word);
void ik_mesh_command(ik_mesh *m, int element, int colour, int64_t cycle, uint32_t advance);

/* ---- running ---- */

typedef enum ik_mesh_end {
  IK_MESH_ENDED, /* all elements are done */
  IK_MESH_STUCK, /* nothing moved and nothing will: a deadlock */
  IK_MESH_LATE,  /* `most` cycles have gone */
} ik_mesh_end;

/* Steps the mesh on `threads` threads (1 and up; what the system does not give is done without),
 * for at most `most` cycles.  May be called again, and goes on at the cycle where it stopped. */
ik_mesh_end ik_mesh_run(ik_mesh *m, ik_mesh_step *step, void *ctx, int threads, int64_t most);
int64_t     ik_mesh_cycle(const ik_mesh *m);
/* Words that a router sent through a port so far, commands included for all but the ramp. */
int64_t ik_mesh_words(const ik_mesh *m, int element, ik_mesh_port port);
