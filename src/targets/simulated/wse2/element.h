/* element.h: what an element of the wafer can do: the instructions of its program.
 *
 * An element has a memory of 32-bit words, all of them f32 here (a bool is 1 or 0).  Its program is
 * a list of instructions over vectors in that memory, addressed by word:
 *
 *   STEP       a time step begins; costs what one costs in any case
 *   MAP        dst[i] = op(arg...) for i = 0 .. n-1, one after the other
 *   BROADCAST  starts sending a vector along the lines of the fabric, and receiving those of the
 *              neighbours: the localized broadcast of arXiv 2204.03775, see protocol.h
 *   AWAIT      until the last BROADCAST is over: all sent, all received
 *   REDUCE     one word of each element, combined over the fabric; all get the result
 *
 * All elements have the same sequence of STEP, BROADCAST, AWAIT and REDUCE with the same lengths;
 * MAPs and what is done with received words may differ (at borders).  There is one broadcast at a
 * time: BROADCAST, some MAPs that touch nothing it reads or writes, AWAIT.
 *
 * A stencil that is a box in the plane takes two broadcasts: the first along x, whose words are
 * stored beside the element's own as 2r+1 vectors in a row; the second sends all of these along y,
 * so corners arrive over two hops.
 */
#pragma once
#include "ir/ir.h"

enum { IK_WSE2_RADIUS = 8 }; /* the widest broadcast that was proven */

/* Where words travel to, in the order in which the paper's kernel adds them up. */
typedef enum ik_wse2_direction {
  IK_WSE2_EAST, /* received from x - 1, x - 2, ... */
  IK_WSE2_WEST,
  IK_WSE2_SOUTH, /* received from y - 1, y - 2, ... */
  IK_WSE2_NORTH,
  IK_WSE2_DIRECTIONS
} ik_wse2_direction;

/* The words at, at + stride, ...; stride 0: the same word again and again, which makes a sum of a
 * MAP with dst and arg[0] alike.  at < 0: the constant `value`, part of the instruction. */
typedef struct ik_wse2_operand {
  int   at, stride;
  float value;
} ik_wse2_operand;

#define IK_WSE2_AT(word)     ((ik_wse2_operand){.at = (word), .stride = 1})
#define IK_WSE2_SCALAR(word) ((ik_wse2_operand){.at = (word), .stride = 0})
#define IK_WSE2_CONST(v)     ((ik_wse2_operand){.at = -1, .value = (v)})

typedef struct ik_wse2_map {
  ik_op           op; /* as ik_apply() in IK_F32 has it; CAST: a copy.  No leaves, no TABLE */
  int             n;
  ik_wse2_operand dst, arg[3];
} ik_wse2_map;

/* What is done with the next n words of a sender. */
typedef enum ik_wse2_take_kind {
  IK_WSE2_DROP,
  IK_WSE2_STORE, /* at, at + 1, ... */
  IK_WSE2_SCALE, /* the same, times the coefficient, rounded */
} ik_wse2_take_kind;

typedef struct ik_wse2_take {
  ik_wse2_take_kind kind;
  int               n, at;
  float             coefficient;
} ik_wse2_take;

typedef struct ik_wse2_takes {
  int                 n;
  const ik_wse2_take *take; /* [n] their lengths add up to that of the broadcast */
} ik_wse2_takes;

/* Every direction that is on reaches as far as the fabric is set up for, the same for all
 * broadcasts of a program (ik_wse2_patch); words that are not wanted are dropped.  Elements whose
 * neighbour is missing receive nothing for it: the words in memory stay as they are. */
typedef struct ik_wse2_broadcast {
  int           at, n; /* the words to be sent */
  bool          on[IK_WSE2_DIRECTIONS];
  ik_wse2_takes from[IK_WSE2_DIRECTIONS][IK_WSE2_RADIUS + 1]; /* by distance; 0: from itself */
} ik_wse2_broadcast;

/* Along each row from its high end to x = 0, then along x = 0 to y = 0: there combine(own, what
 * came).  The result then travels to all. */
typedef struct ik_wse2_reduce {
  ik_reduce reduce;
  int       at; /* the word, and where the result goes */
} ik_wse2_reduce;

typedef enum ik_wse2_kind {
  IK_WSE2_STEP,
  IK_WSE2_MAP,
  IK_WSE2_BROADCAST,
  IK_WSE2_AWAIT,
  IK_WSE2_REDUCE,
} ik_wse2_kind;

typedef struct ik_wse2_instr {
  ik_wse2_kind kind;
  const char  *what; /* a name for timelines: "fma z-4"; outlives the program */
  union {
    ik_wse2_map              map;
    const ik_wse2_broadcast *broadcast;
    ik_wse2_reduce           reduce;
  };
} ik_wse2_instr;

typedef struct ik_wse2_program {
  int                  n;
  const ik_wse2_instr *instr;
  int                  words; /* of memory that it needs */
} ik_wse2_program;

/* ---- the meaning of an instruction on its own, without cycles ---- */

/* The i-th element of a MAP. */
void ik_wse2_map_one(const ik_wse2_map *m, float *memory, int i);
/* All of them. */
void ik_wse2_map_run(const ik_wse2_map *m, float *memory);
/* Does what an element does with the i-th word of a sender; returns the part it belongs to. */
const ik_wse2_take *ik_wse2_take_one(const ik_wse2_takes *t, float *memory, int i, float word);
/* A step of a REDUCE. */
float ik_wse2_combine(ik_reduce r, float own, float came);
/* Vectors that a MAP reads from memory. */
int ik_wse2_map_vectors(const ik_wse2_map *m);
