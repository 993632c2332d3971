/* tile.h: tiles of 64 x 16 elements, and how they meet their neighbours (arXiv 2603.23343, 6.2 and
 * 6.3).
 *
 * A tile is four faces of 16 x 16 elements, one after the other; as 64 rows of 16 it is plain
 * memory.  Rows lie along axis 0, columns along axis 1.  What lies one row up or down is read with
 * a moved pointer.  For what lies left or right the faces are transposed first, and after: the
 * columns of a face are then rows.  The rows that the pointer brings in from beyond the tile, or
 * from the next face, are those that a neighbour has to send.
 */
#pragma once
#include <stdint.h>

enum {
  IK_WORMHOLE_ROWS = 64,
  IK_WORMHOLE_COLUMNS = 16,
  IK_WORMHOLE_FACES = 4,
  IK_WORMHOLE_FACE = 256,  /* elements */
  IK_WORMHOLE_TILE = 1024, /* elements */
  IK_WORMHOLE_HALO = 64,   /* elements, at most, that a neighbour sends */
  IK_WORMHOLE_LANES = 32,  /* of the SFPU: tt-isa-documentation; the paper's Section 4 has 16 */
};

typedef enum ik_wormhole_side {
  IK_WORMHOLE_NORTH, /* axis 0, -1 */
  IK_WORMHOLE_SOUTH,
  IK_WORMHOLE_WEST, /* axis 1, -1 */
  IK_WORMHOLE_EAST,
  IK_WORMHOLE_SIDES
} ik_wormhole_side;

const char *ik_wormhole_side_name(ik_wormhole_side s);
/* Does it take transposed tiles? */
static inline int ik_wormhole_is_across(ik_wormhole_side s) { return s >= IK_WORMHOLE_WEST; }
/* Rows of 16 elements that come from the neighbour on that side, each in a write of its own. */
static inline int ik_wormhole_halo_rows(ik_wormhole_side s) {
  return ik_wormhole_is_across(s) ? IK_WORMHOLE_FACES : 1;
}

/* Transposes each face. */
void ik_wormhole_transpose(const float *in, float *out);
/* The tile as a read pointer one row before (NORTH, WEST) or behind (SOUTH, EAST) finds it; the row
 * that lies beyond the tile is zero. */
void ik_wormhole_shift(const float *in, ik_wormhole_side s, float *out);
/* What a neighbour that has this tile sends to the one whose `s` neighbour it is: halo_rows(s) rows
 * of the tile, transposed if `s` is across. */
void ik_wormhole_halo(const float *tile, ik_wormhole_side s, float *rows);
/* Puts rows from a neighbour where the shift could not bring the right ones. */
void ik_wormhole_patch(float *shifted, ik_wormhole_side s, const float *rows);
