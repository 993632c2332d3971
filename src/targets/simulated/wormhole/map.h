/* map.h: where a program goes on a Wormhole die, and whether it can go there.
 *
 * Core (i, j) has rows 64 i ... of axis 0 and columns 16 j ... of axis 1 of every level along axis
 * 2, one tile for each field and level.  Cells of tiles beyond the grid are never written; they
 * stay zero, which is what a boundary has.
 *
 * Fields of bf16 are computed in bf16 by the FPU in one fused kernel; with a field of f32 the SFPU
 * computes all in f32, one kernel for each statement.  An override (words between blanks) changes
 * that: accumulate=f32   sums of bf16 in f32 unit=sfpu        f32 arithmetic for fields of bf16
 *   unit=fpu         f32 fields on the FPU, whose operands lose 13 bits
 *   phases=1         products of bf16 by the first of four phases alone; takes no less time, as
 *                    the unit is faster than what feeds it even with four
 *   ties=away        to bf16, ties go away from zero
 *   method=2         a core's partial result of a reduction travels as a tile (1: as a number)
 *   route=centre     partial results meet in the middle (naive: at core (0, 0))
 */
#pragma once
#include "targets/simulated/wormhole/code.h"
#include "targets/simulated/wormhole/figures.h"

/* What each core keeps in its memory.  With split kernels that are all fields; one fused kernel
 * keeps those that its loops work on, and streams the others from DRAM. */
typedef struct ik_wormhole_memory {
  int64_t tile;    /* bytes of all resident tiles of one level */
  int     vectors; /* resident: of all fields and their levels in time, and a spare one */
  int64_t staging; /* bytes of circular buffers */
  int64_t bytes;   /* of all levels, with what is reserved */
  int64_t levels;  /* that would fit */
} ik_wormhole_memory;

typedef struct ik_wormhole_map {
  const ik_ir            *ir;
  ik_wormhole_figures     figures;
  ik_rule                 rule;
  bool                    fused;
  int                     cores[2]; /* along axes 0 and 1 */
  int64_t                 levels;   /* along axis 2 */
  int                     ncode;
  const ik_wormhole_code *code;     /* [ncode] of all ASSIGN and REDUCE outside of init */
  const bool             *resident; /* [nfield] */
  ik_wormhole_memory      memory;
} ik_wormhole_map;

/* IK_ERR_UNSUPPORTED, with the reason, if the die cannot run it. */
ik_status ik_wormhole_map_of(const ik_ir *ir, const ik_machine *m, const char *override,
                             ik_arena *a, ik_diag *d, ik_wormhole_map *out);

/* The code of a statement that has one. */
const ik_wormhole_code *ik_wormhole_code_of(const ik_wormhole_map *m, const ik_stmt *s);

/* The first loop of a program, what it spends its time with; NULL: it has none. */
const ik_stmt *ik_wormhole_loop_of(const ik_ir *ir);

static inline int ik_wormhole_cores(const ik_wormhole_map *m) { return m->cores[0] * m->cores[1]; }
/* Bytes of one element in registers and circular buffers. */
static inline int ik_wormhole_bytes(const ik_wormhole_map *m) {
  return m->rule.type == IK_BF16 ? 2 : 4;
}
/* One line: what goes where. */
void ik_wormhole_map_print(const ik_wormhole_map *m, ik_buf *out);
