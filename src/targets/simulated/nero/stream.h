/* stream.h: the cycles of windows: elements that read, split, compute and write, simulated.
 *
 * Each element has a port to memory, a converter to words of 512 bits, a splitter (word w of the
 * stream is word w / fields of field w % fields), a queue for each field, the pipeline, a queue for
 * results and a port to write them.  Ports may share a channel.  An element asks for the next
 * window when it has finished the last; halos stay on the chip, so every cell comes once.
 */
#pragma once
#include "sim/meter.h"
#include "sim/timeline.h"
#include "targets/simulated/nero/shape.h"

enum { IK_NERO_WORD = 64 }; /* bytes */

/* What an element does at the same time, as the threads of a timeline: spans are named so, or else
 * belong to the last. */
enum { IK_NERO_TRACKS = 4 };
extern const char *const ik_nero_tracks[IK_NERO_TRACKS];

/* The words themselves, where they are more than counted: word `w` of a stream of one window.
 * Without them (ctx NULL) nothing but time passes. */
typedef struct ik_nero_words {
  void *ctx;
  void (*fetch)(void *ctx, int stream, int64_t w, unsigned char *word);        /* memory: read */
  void (*arrive)(void *ctx, int stream, int64_t w, const unsigned char *word); /* window: in */
  void (*compute)(void *ctx);                                                  /* all are in */
  void (*result)(void *ctx, int stream, int64_t w, unsigned char *word);       /* window: out */
  void (*put)(void *ctx, int stream, int64_t w, const unsigned char *word);    /* memory: write */
} ik_nero_words;

typedef struct ik_nero_job {
  const ik_nero_board *board;
  const ik_nero_shape *shape;
  int64_t              size[IK_MAX_DIM]; /* of a window */
  int                  elements;
  int                  windows;  /* that each computes */
  ik_nero_words        words;    /* with one element and one window */
  ik_timeline         *timeline; /* NULL: nobody looks */
} ik_nero_job;

typedef struct ik_nero_cycles {
  double   period;         /* from window to window of an element, in the mean */
  int64_t  cycles;         /* of it all */
  int64_t  words;          /* of 512 bits, of one field of a window */
  ik_meter port, pipeline; /* sums over elements */
  ik_meter channel;
} ik_nero_cycles;

/* Words of 512 bits that a field of a window is: each level of a sweep begins a new one. */
int64_t ik_nero_words_of(const ik_nero_shape *s, const int64_t size[IK_MAX_DIM], int64_t *levels);

/* Words between a cell and the last one that its result reads. */
int64_t ik_nero_lag(const ik_nero_shape *s, const int64_t size[IK_MAX_DIM]);

/* B/s that elements with such a kernel share; 0: they share nothing. */
double ik_nero_channel(const ik_nero_shape *s, const ik_nero_board *b);

/* False without memory. */
bool ik_nero_stream(const ik_nero_job *job, ik_nero_cycles *out);

/* No window can be faster: the port, the pipeline and the later phases without any waiting. */
double ik_nero_least_cycles(const ik_nero_shape *s, const ik_nero_board *b,
                            const int64_t size[IK_MAX_DIM]);
