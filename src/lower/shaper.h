/* shaper.h: where a target has its say while a pass is made.
 *
 * Lowering finds what a pass computes: stages, how far behind the stream and beyond the tile each
 * works, rings.  What suits a machine is for the target: how many results at a time, which rings
 * can be spared, what is prefetched.  It is asked at fixed points, in the order of the members
 * here, and writes what it decides into the draft; no bit of a result depends on it.  Without a
 * shaper a pass has tiles as planned and computes one result at a time.
 */
#pragma once
#include "lower/draft.h"

struct ik_shaper {
  /* Cells of a tile along a role, instead of so many that the plan asks for; 0: all. */
  int64_t (*tile)(const ik_draft *x, ik_role r, int64_t asked);
  /* Tiles are known: others, perhaps. */
  void (*tiles)(ik_draft *x);
  /* Planes of results that the stages of a phase make at a time. */
  int (*planes)(const ik_draft *x, int phase);
  /* Rings are known: how their rows lie, which of them are not needed, or not all of them. */
  void (*rings)(ik_draft *x);
  /* What a kernel reads and makes is known: how much of it at a time, and how.  `inside`: it reads
   * in arrays what is read in place. */
  void (*kernel)(ik_draft *x, const draft_unit *u, draft_kernel *k);
  /* The kernels of a stage are known, `inside` may be NULL. */
  void (*stage)(ik_draft *x, const draft_kernel *k, const draft_kernel *inside, int phase,
                ik_pipe_stage *s);
  /* All stages are known. */
  void (*phases)(ik_draft *x);
  /* Are kernels that compute the same shaped alike? */
  bool (*same)(const ik_pipe_kernel *a, const ik_pipe_kernel *b);
  /* Appends to its line what there is to say of a shape: ", 4 rows at a time". */
  void (*print)(const ik_pipe_kernel *k, ik_buf *out);
};
