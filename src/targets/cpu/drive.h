/* drive.h: runs a pass tile by tile: it moves planes between memory and rings, calls the kernels,
 * and makes up what lies beyond faces.  Everything that does not depend on the program's arithmetic
 * is here; the kernels are generated.
 *
 * Tiles are independent: any thread may run any tile in any order, each with an ik_drive_thread of
 * its own.  The results are those of the interpreter, bit by bit, if the kernels' are.
 */
#pragma once
#include "runtime/spots.h"
#include "emit/shape.h"
#include "targets/cpu/rt/kernel.h"

typedef struct ik_drive {
  const ik_ir         *ir;
  ik_state            *state; /* levels as they are when the pass begins; not rotated meanwhile */
  const ik_pass       *pass;
  ik_kernel_fn *const *kernel; /* [2 * nkernel]: of all planes, of one plane */
  const ik_rt         *rt;
  int64_t              t;         /* number of the pass's first step */
  double *const       *partial;   /* [nreduce][rows of the stmt's box, in order of memory] */
  char *const         *remainder; /* [nbuffer] see remainder.h; NULL: nothing is */
  const ik_spots      *spots;     /* a row for each step but the last */
  bool                 stream;    /* results go past the caches where they can */
  /* Slabs: the thread's tile of the first step, whose planes are prefetched; NULL: it is this. */
  const struct ik_drive_thread *first;
  int64_t                       first_planes; /* from here to there */
  int                           part;         /* of what is prefetched, that of this step */
  bool exact; /* along lanes, nothing is read that is not needed: others may be writing it */
} ik_drive;

typedef struct ik_drive_thread { /* zero at first */
  void           *scratch;       /* the caller's: 64-byte aligned, the pass's scratch_bytes */
  struct ik_rows *rows;          /* values of boundaries that depend on the place */
  struct ik_tile *tile;          /* tables of the tile in work */
} ik_drive_thread;

/* Makes room for the tables of a pass, besides those it was called for before.  false: there is no
 * memory. */
bool ik_drive_thread_fit(ik_drive_thread *th, const ik_state *s, const ik_pass *p);
void ik_drive_thread_free(ik_drive_thread *th); /* not the scratch memory */

/* Tiles are numbered with lanes fastest, then rows, then the stream. */
int64_t ik_drive_tiles(const ik_pass *p);
void    ik_drive_tile(const ik_pass *p, int64_t tile, int64_t lo[IK_NROLES], int64_t hi[IK_NROLES]);
/* Those from `first` up to `end`. */
void ik_drive_some(const ik_drive *d, int64_t first, int64_t end, ik_drive_thread *th);
/* After the last of a thread's tiles: others can see them. */
void ik_drive_finish(const ik_drive *d);
/* All results from lo to hi, and no others, in tiles of the pass's size; within what the pass
 * covers.  Two boxes at the same time only if they do not meet. */
void ik_drive_box(const ik_drive *d, const int64_t lo[IK_NROLES], const int64_t hi[IK_NROLES],
                  ik_drive_thread *th);

/* A tile of a pass that walks along the stream once, upwards, a few planes now and a few later: it
 * has the thread's tables and scratch memory until it is done.  Of memory it reads no more than the
 * planes asked for need, and as many further on as its last stage lags behind. */
void ik_drive_open(const ik_drive *d, const int64_t lo[IK_NROLES], const int64_t hi[IK_NROLES],
                   ik_drive_thread *th);
/* All results below plane z. */
void ik_drive_on(const ik_drive_thread *th, int64_t z);
