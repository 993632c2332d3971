/* tile.h: a tile of a pass in work: where its planes are, and what each stage does to it.
 * Shared by drive.c, call.c, move.c and halo.c; nobody else looks inside. */
#pragma once
#include "targets/cpu/drive.h"

enum { IK_TILE_OUTS = 256 }; /* planes that a kernel may write at a time */

typedef struct ik_face_value { /* VALUE beyond a face */
  const ik_expr *expr;         /* NULL: something else stands there */
  bool           uniform;
  double         value; /* if uniform, at the time of the buffer */
} ik_face_value;

/* A buffer as the tile sees it.  Where not said otherwise, pointers are to cell (0, 0) of a plane,
 * or to where it would be, and strides are in bytes. */
typedef struct ik_view {
  const ik_pipe_buffer *b;
  const ik_field       *field; /* NULL: values of a reduction */
  int                   bytes; /* of an element */
  bool                  on[IK_NROLES];
  int64_t               lo[IK_NROLES], hi[IK_NROLES];     /* the field's cells */
  int64_t               first[IK_NROLES], end[IK_NROLES]; /* that the ring's planes, or spare ones,
                                                             have and that mean anything */
  /* What kernels read and write: the ring, or memory if there is none. */
  char    *base;        /* of slot 0 */
  int64_t  plane, row;  /* from slot to slot, from row to row */
  int64_t  mask, depth; /* slot of plane z: z & mask; depth > 0: z mod depth instead */
  int64_t  step;        /* from plane to plane; 0: there is one */
  char    *wrap;        /* beyond the last slot of a ring */
  int64_t  bias;        /* a multiple of depth, so large that z + bias is not negative */
  uint64_t per_depth;   /* 2^64/depth, rounded up: a product is faster than a division */
  char    *spare;
  char *
      blank[2]; /* what stands for all planes beyond a face of the stream; NULL: each has its own */
  int64_t spare_plane;
  char   *memory; /* the array, cell (0, 0, 0) */
  int64_t stride[IK_NROLES];
  int64_t t; /* what boundaries see as the time */

  ik_face_value face[IK_NROLES][2];
} ik_view;

typedef struct ik_halo_cell {   /* a cell beyond a lane face, in every row */
  int64_t              x, from; /* what stands for it: cell `from` of the row, ... */
  double               sign;    /* ... times this, ... */
  const ik_face_value *value;   /* ... or, unless NULL, this */
} ik_halo_cell;

typedef struct ik_halo { /* of a buffer, due when its planes are complete */
  const ik_view *v;
  int64_t        lo[IK_NROLES], hi[IK_NROLES]; /* cells that have a value by then */
  ik_halo_cell  *cell;
  int            ncell;
  bool           face[2]; /* are rows beyond the low and high face due? */
} ik_halo;

typedef struct ik_tile_code {
  const ik_pipe_kernel *k;
  ik_kernel_fn         *all, *one;
  int64_t prefetch_ahead[IK_PIPE_PREFETCHED]; /* planes from the first result to those */
  int64_t prefetch_at[IK_PIPE_PREFETCHED];    /* bytes from the plane's cell (0, 0) */
} ik_tile_code;

typedef struct ik_tile_stage { /* what is looked at in each turn first */
  const ik_pipe_stage  *s;
  const ik_pipe_kernel *k;                  /* NULL: it is not a kernel */
  int64_t               begin, end;         /* planes it is called for, see drive.c */
  int64_t               inner_lo, inner_hi; /* results all of whose ports exist */
  int                   lag, nhalo;         /* lag, kind: as of the pass */
  ik_stage_kind         kind;
  bool                  idle;     /* it has no cells here; halos may be due */
  bool                  stream;   /* all outputs are in memory, rows aligned alike */
  bool                  in_place; /* some input is read so */
  int64_t               lo[IK_NROLES], hi[IK_NROLES]; /* what it computes in this tile */
  int64_t               split;     /* lane from which on it works on whole cache lines */
  int64_t               w0, w1;    /* lanes of whole vectors, for kernels that want them */
  bool                  remainder; /* it writes what the pass does of each row, no less */
  ik_halo              *halo;
  ik_tile_code          code[2]; /* near faces; where all that can be is read in place */
} ik_tile_stage;

typedef struct ik_call_run { /* planes of one value, one after the other */
  int     n;
  int64_t shift;     /* bytes to the planes of the next call */
  char   *base;      /* NULL: no ring */
  int64_t ring_size; /* bytes */
} ik_call_run;

typedef struct ik_call_prefetch { /* of planes: beyond the last it comes again */
  int64_t     shift;
  const char *last;
} ik_call_prefetch;

/* A kernel, and all that it is told.  Stages take turns while rows of theirs go through the first
 * cache: what is looked at in each turn is kept close together. */
typedef struct ik_tile_call {
  ik_kernel_fn     *fn;
  ik_kernel_call    c;
  int               stream; /* of c: it holds for one call */
  int               planes, dir;
  bool              steady; /* all planes exist: those of the next call follow them */
  ik_call_run      *input, *output;
  ik_call_prefetch *prefetch_run;
  const void      **in, **prefetch, **remainder;
  void            **out;
} ik_tile_call;

typedef struct ik_tile {
  const ik_drive *d;
  const ik_pass  *p;
  struct ik_rows *rows;
  int64_t         lo[IK_NROLES], hi[IK_NROLES];
  int64_t         inside_lo[2], inside_hi[2]; /* lanes and rows of results that read nothing beyond
                                                 faces of what is read in place */
  bool     padded; /* all that is read in place has padding: nothing of it is in rings */
  int64_t  inner_lo, inner_hi; /* planes of results for which kernels of the phase read arrays */
  int64_t  results[2];         /* lanes of all their results */
  int      grain;              /* cells; of lanes, these begin and end at multiples of it */
  ik_view *view;               /* [nbuffer] */
  ik_tile_stage *stage;        /* of the phase in work */
  ik_halo       *halo;         /* of all its stages */
  ik_halo_cell  *cell;         /* of all its halos */
  ik_tile_call  *call;         /* of its stages, the last of each */
  int            nhalo, ncell;
  char          *table;   /* of all its calls */
  int64_t        at, end; /* position of the walk along the stream, where it ends: see drive.c */
  int            cap_view, cap_stage, cap_halo, cap_cell, cap_call, cap_table;
} ik_tile;

/* tile.c */
/* The tile whose planes of its i-th value a kernel prefetches: itself, or a line's first. */
const ik_tile *ik_tile_prefetched(const ik_tile *t, const ik_pipe_kernel *k, int i);
/* The tile of the results from lo to hi, no more of them than the pass's tiles have. */
void ik_tile_open(ik_tile *t, const ik_drive *d, const int64_t lo[IK_NROLES],
                  const int64_t hi[IK_NROLES], const ik_drive_thread *th);
void ik_tile_open_phase(ik_tile *t, const ik_pipe_phase *ph);

/* call.c */
size_t ik_call_bytes(const ik_pipe_kernel *k); /* of the tables of a call */
void   ik_call_open(const ik_tile *t, const ik_pipe_phase *ph);
void   ik_call(ik_tile_call *x);
/* The stage's call for all rows, of rings: what follows from its last one is not looked up again.
 */
ik_tile_call *ik_call_next(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes,
                           int dir);
/* Computes so many planes of results, the kernel's or one. */
void ik_call_planes(const ik_tile *t, const ik_tile_stage *s, int64_t z, int planes, int dir);

/* halo.c */
/* The plane that stands for plane z, which the field does not have; spare plane `spare` is filled
 * if none does. */
char *ik_halo_plane(const ik_tile *t, const ik_view *v, int64_t z, int spare);
/* Where the same value stands beyond all faces, it is put there once: nothing else is ever written
 * there.  Fills ik_view.blank, and rows beyond a row face in all planes of the ring; false if
 * values are not so simple. */
void ik_halo_blank(ik_view *v);
bool ik_halo_rows_once(const ik_view *v, int side);
/* Makes the halos of plane z. */
void ik_halo_fill(const ik_tile *t, const ik_halo *h, int64_t z);
/* Cells beyond a lane face that change from row to row, for ik_halo.cell; returns how many.  Those
 * that do not are put into all planes of the ring. */
int ik_halo_cells(const ik_tile *t, const ik_view *v, int side, ik_halo_cell *out);

/* move.c */
/* Where plane z is fetched from; of planes that do not exist, the last that does. */
const char *ik_move_source(const ik_view *v, int64_t z);
/* Plane z of a stage. */
void ik_move_fetch(const ik_tile *t, const ik_tile_stage *s, int64_t z);
void ik_move_store(const ik_tile *t, const ik_tile_stage *s, int64_t z);
void ik_move_spots(const ik_tile *t, const ik_tile_stage *s, int64_t z0, int64_t z1);
void ik_move_fence(void); /* after the last store of a thread */

static inline int64_t ik_tile_mod(int64_t a, int64_t n) {
  int64_t m = a % n;
  return m < 0 ? m + n : m;
}

/* Exact as long as planes are numbered from -2^31 to 2^32. */
static inline int64_t ik_view_slot(const ik_view *v, int64_t z) {
  if (!v->depth) return z & v->mask;
  uint64_t n = (uint64_t)(z + v->bias);
  return (int64_t)(n - (uint64_t)v->depth * (uint64_t)((unsigned __int128)n * v->per_depth >> 64));
}

static inline char *ik_view_plane(const ik_view *v, int64_t z) {
  return v->base + ik_view_slot(v, z) * v->plane;
}

/* The plane after the one at `at`, which the field has as well. */
static inline char *ik_view_next(const ik_view *v, char *at) {
  at += v->step;
  return at == v->wrap ? v->base : at;
}

/* The cell of the field that an index stands for along a virtual axis. */
static inline int64_t ik_view_wrap(const ik_view *v, ik_role r, int64_t i) {
  if (i >= v->lo[r] && i < v->hi[r]) return i;
  return v->lo[r] + ik_tile_mod(i - v->lo[r], v->hi[r] - v->lo[r]);
}
