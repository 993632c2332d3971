/* map.h: where everything goes: a program on the fabric of the wafer.
 *
 * The first two axes of the grid lie on the fabric, the third in the memories of the elements: the
 * element (x, y) holds the cells (x, y, 0), (x, y, 1), ... of every field.  Elements stand beside
 * the grid where temporaries are needed there, or to make lines as long as a broadcast needs.
 * Columns are worked on in pieces of `chunk` cells, which is as much as is sent at a time.
 *
 * The host makes initial values, values that depend on places alone, and numbers of sources; it
 * also does statements outside of loops for which elements have no arithmetic (f64).
 */
#pragma once
#include "targets/simulated/wse2/code.h"
#include "targets/simulated/wse2/element.h"
#include "targets/simulated/wse2/timing.h"

/* Columns of a field that a statement gets from other elements. */
typedef struct ik_wse2_exchange {
  int  field, level;
  int  reach[IK_WSE2_DIRECTIONS]; /* how far words travel; 0: not at all */
  bool box;    /* from diagonals as well: words go along x, and then all that came along y */
  int  dz[2];  /* cells beyond the ends of a piece that are read, low and high; 0 or more */
  bool scaled; /* all that comes is multiplied on arrival and nothing else */
} ik_wse2_exchange;

typedef struct ik_wse2_job {
  const ik_stmt          *stmt; /* as the program has it */
  const ik_wse2_code     *code; /* under the wafer's rule; NULL: the host does it */
  int                     nexchange;
  const ik_wse2_exchange *exchange;
  bool                    swept; /* stands in a sweep along z: a level at a time */
  bool                    must;  /* the host must not do it: it stands in a loop or a sweep */
  /* How many jobs, this one and the next, get their words by the same broadcasts: they read the
   * same fields, and none what another makes.  0: one before it stands for it. */
  int together;
} ik_wse2_job;

typedef struct ik_wse2_bytes { /* of an element's memory */
  int fields, temporaries, received, registers, total;
} ik_wse2_bytes;

typedef struct ik_wse2_mapping {
  const ik_ir *ir, *rule;                  /* the program; the same under the wafer's rule */
  int64_t      first[IK_MAX_DIM];          /* the lowest place of an element, and of a cell in it */
  int64_t      size[2];                    /* elements along x and y */
  int64_t      fabric[2];                  /* that there are */
  int          radius[IK_WSE2_DIRECTIONS]; /* of the broadcasts, 0 where none goes */
  int64_t      column;                     /* cells of the longest */
  int          chunks, chunk;              /* pieces of a column; cells of one */
  bool         scratch; /* some received columns are multiplied after they arrived */
  bool         formula; /* some boundary along the fabric is no constant: programs of elements,
                           which take it for zero, give times but no values */
  ik_wse2_bytes      bytes;
  int                njob;
  const ik_wse2_job *job;
} ik_wse2_mapping;

/* E082 (unsupported), with the reason, for a program that does not suit the machine. */
ik_status ik_wse2_map_of(const ik_ir *ir, const ik_wse2_timing *t, ik_arena *a, ik_diag *d,
                         ik_wse2_mapping *out);

/* The job of a statement, or NULL. */
const ik_wse2_job *ik_wse2_job_of(const ik_wse2_mapping *m, const ik_stmt *s);

/* Which element an element at `at` gets a column from, if not from beyond a face: `from` is its
 * place, *negated whether its values change sign.  False: a boundary value stands there. */
bool ik_wse2_sender(const ik_ir *ir, const ik_expr *read, const int64_t at[2], int64_t from[2],
                    bool *negated);

/* Does a value of a job come over the fabric, for some element at least?  What lies at the same
 * place does where a statement goes beyond the faces of the field. */
bool ik_wse2_arrives(const ik_ir *ir, const ik_wse2_job *j, const ik_wse2_value *v);

/* Nothing travels: all that a small grid's elements look at lies beyond faces. */
static inline bool ik_wse2_is_silent(const ik_wse2_exchange *x) {
  return !x->reach[0] && !x->reach[1] && !x->reach[2] && !x->reach[3];
}

/* Pieces of a column of that many cells: the rule that gives the seven sizes of Table III of arXiv
 * 2204.03775, n = 1 + floor(cells/401). */
int ik_wse2_chunks(int64_t cells);
