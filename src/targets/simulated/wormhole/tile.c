#include "targets/simulated/wormhole/tile.h"
#include <string.h>

enum { COLUMNS = IK_WORMHOLE_COLUMNS, TILE = IK_WORMHOLE_TILE, FACE = IK_WORMHOLE_FACE };

const char *ik_wormhole_side_name(ik_wormhole_side s) {
  static const char *const name[] = {"north", "south", "west", "east"};
  return name[s];
}

void ik_wormhole_transpose(const float *in, float *out) {
  for (int f = 0; f < TILE; f += FACE)
    for (int i = 0; i < COLUMNS; i++)
      for (int j = 0; j < COLUMNS; j++) out[f + COLUMNS * j + i] = in[f + COLUMNS * i + j];
}

static int is_low(ik_wormhole_side s) { return s == IK_WORMHOLE_NORTH || s == IK_WORMHOLE_WEST; }

void ik_wormhole_shift(const float *in, ik_wormhole_side s, float *out) {
  static const float beyond[COLUMNS];
  size_t             rest = (TILE - COLUMNS) * sizeof *in;
  memcpy(out + (is_low(s) ? 0 : TILE - COLUMNS), beyond, sizeof beyond);
  memcpy(out + (is_low(s) ? COLUMNS : 0), in + (is_low(s) ? 0 : COLUMNS), rest);
}

/* The element at which the k-th row of a halo begins, at the low or the high end of the tile or
 * face. */
static int row_at(ik_wormhole_side s, int k, int low) {
  int length = ik_wormhole_is_across(s) ? FACE : TILE;
  return k * length + (low ? 0 : length - COLUMNS);
}

void ik_wormhole_halo(const float *tile, ik_wormhole_side s, float *rows) {
  for (int k = 0; k < ik_wormhole_halo_rows(s); k++)
    memcpy(rows + COLUMNS * k, tile + row_at(s, k, !is_low(s)), COLUMNS * sizeof *rows);
}

void ik_wormhole_patch(float *shifted, ik_wormhole_side s, const float *rows) {
  for (int k = 0; k < ik_wormhole_halo_rows(s); k++)
    memcpy(shifted + row_at(s, k, is_low(s)), rows + COLUMNS * k, COLUMNS * sizeof *rows);
}
