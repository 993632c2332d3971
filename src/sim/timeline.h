/* timeline.h: who did what, when, in a simulation: spans of cycles, for viewers and pictures.
 *
 * A plain list in the order of its making, at most `most` spans; what comes later is counted and
 * left out, so that a long run keeps its beginning.
 */
#pragma once
#include "base/buf.h"
#include <stdint.h>

typedef enum ik_timeline_kind {
  IK_TIMELINE_COMPUTE,
  IK_TIMELINE_SEND,
  IK_TIMELINE_RECEIVE,
  IK_TIMELINE_MEMORY, /* waits for, or moves words of, its own memory */
  IK_TIMELINE_WAIT,
  IK_NTIMELINE
} ik_timeline_kind;

typedef struct ik_timeline_span {
  int              element; /* index of who did it, see `name` of ik_timeline */
  ik_timeline_kind kind;
  int64_t          begin, end; /* cycles, begin < end */
  const char      *what;       /* a static or longer-lived name: "receive east", "fma z" */
  int              step;       /* of a protocol, the slot of a window; -1 without */
} ik_timeline_span;

typedef struct ik_timeline {
  ik_timeline_span *span;
  int64_t           nspan, room, most, left_out;
  int               nelement;
  int               nx, ny; /* elements as a grid, index y*nx + x; ny 1: a row */
  double            clock;  /* Hz */
  const char       *title;  /* "WSE-2, 10 x 9 elements, one step" */
  /* Where elements do several things at a time: the names of their threads, [ntrack], borrowed.  A
   * span is shown in the first that is called like it or like its kind, or else in the last.
   * ntrack 0: they do not. */
  const char *const *track;
  int                ntrack;
} ik_timeline;

/* Adds a span; without memory, or beyond `most`, it is left out. */
void        ik_timeline_add(ik_timeline *t, ik_timeline_span s);
void        ik_timeline_free(ik_timeline *t);
const char *ik_timeline_kind_name(ik_timeline_kind k);
/* The JSON that Perfetto and chrome://tracing open: a process for each row of elements, a thread
 * for each element (for each track of it), times in microseconds of the simulated clock. */
void ik_timeline_json(const ik_timeline *t, ik_buf *out);
