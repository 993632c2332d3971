/* core.h: the processor of an element, one cycle at a time.
 *
 * Nine threads share one issue a cycle in turn: one receives and one sends in each direction, and
 * the main one runs the tasks that the ends of transfers call and, when there are none, the
 * program.
 */
#pragma once
#include "sim/mesh.h"
#include "sim/timeline.h"
#include "targets/simulated/wse2/element.h"
#include "targets/simulated/wse2/timing.h"

/* What an element did. */
typedef struct ik_wse2_counts {
  int64_t cycles;          /* from the beginning to its end */
  int64_t issued;          /* words of instructions, those of sends and receives included */
  int64_t slow;            /* cycles that divisions and the like take after the first */
  int64_t overhead;        /* cycles in tasks, commands and the fixed part of steps */
  int64_t memory_stalls;   /* cycles */
  int64_t waits;           /* cycles in which no thread could go on */
  int64_t fabric_received; /* words from the fabric that it used */
  int64_t fabric_dropped;  /* that it had to take, but not to use (coefficient 0 included) */
  int64_t fabric_sent;     /* commands not included */
  int64_t flops;           /* a fused multiply and add is two */
  int64_t needless;        /* of these: products with coefficient 0, and where they are added */
  int64_t loads, stores;   /* words of memory; sends not included, a coefficient each time */
} ik_wse2_counts;

/* The colours of the fabric. */
enum {
  IK_WSE2_COLOUR_ROW = IK_WSE2_DIRECTIONS, /* and the next: reductions along a row, from ... */
  IK_WSE2_COLOUR_COLUMN = IK_WSE2_COLOUR_ROW + 2, /* ... even elements and from odd ones */
  IK_WSE2_COLOUR_RESULT = IK_WSE2_COLOUR_COLUMN + 2,
  IK_WSE2_COLOURS
};

typedef struct ik_wse2_site { /* where an element is */
  int        element, x, y, nx, ny;
  const int *radius; /* [IK_WSE2_DIRECTIONS] */
} ik_wse2_site;

typedef struct ik_wse2_transfer { /* what a receiving or a sending thread has done */
  enum { IK_WSE2_OFF, IK_WSE2_WORDS, IK_WSE2_CALL, IK_WSE2_COMMANDS } stage;
  int     slot, word; /* sender, word of it; command */
  int64_t since;
} ik_wse2_transfer;

enum { IK_WSE2_THREADS = 2 * IK_WSE2_DIRECTIONS + 1 };

typedef struct ik_wse2_core {
  const ik_wse2_timing  *timing;
  const ik_wse2_program *program;
  ik_wse2_site           site;
  float                 *memory;
  ik_mesh               *mesh;
  ik_timeline           *timeline; /* NULL: none */
  ik_wse2_counts         counts;

  int                      pc, word; /* instruction, how much of it is done */
  int                      hold;     /* cycles for which an issue still occupies the main thread */
  int                      stall;    /* cycles for which memory still occupies the element */
  int64_t                  debt;     /* parts of a cycle of that, in millionths */
  uint8_t                  turn;     /* the thread that may go first */
  const ik_wse2_broadcast *current;  /* NULL: none */
  ik_wse2_transfer         transfer[2 * IK_WSE2_DIRECTIONS]; /* receives, then sends */
  unsigned                 called;                           /* tasks that wait, 1 << transfer */
  int                      task, task_left;                  /* the one that runs; -1: none */
  float                    reduced;
  int64_t                  start;          /* cycles: of the program, ... */
  int64_t                  began, stalled; /* of the instruction; memory stalls before that */
  int64_t                  asleep_until, waits_since;
} ik_wse2_core;

/* Begins the program at `cycle`. */
void ik_wse2_core_begin(ik_wse2_core *c, int64_t cycle);
/* One cycle. */
ik_mesh_state ik_wse2_core_step(ik_wse2_core *c, int64_t cycle);

/* Threads as a timeline shows them. */
extern const char *const ik_wse2_threads[IK_WSE2_THREADS];
