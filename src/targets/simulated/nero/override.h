/* override.h: what the user asks of a board: "window=64x2x64 elements=4 words=all". */
#pragma once
#include "ir/ir.h"

typedef struct ik_nero_override {
  bool    has_window;
  int64_t window[IK_MAX_DIM]; /* 0, or left out: all cells of the axis */
  int     elements;           /* 0: as many as fit */
  bool    all_words; /* every window goes as words through the simulated streams, not the first */
} ik_nero_override;

/* NULL: nothing.  E081 if that cannot be read. */
ik_status ik_nero_override_read(const char *words, ik_diag *d, ik_nero_override *out);
