/* hex.h: how long hexagonal tiles take on a GPU, in one, two and three dimensions.
 *
 * The time model of appendix A of "Analytical Cost Metrics: Days of Future Past"; numbers in
 * brackets are its equations.  Time and the first axis are cut into hexagons, two wavefronts of
 * them for every t steps; the other axes are cut into skewed slabs, which one threadblock walks one
 * after the other.  A wavefront has w tiles; k of them share a multiprocessor, so that the
 * transfers of one hide behind the computation of the others.
 *
 * Where the source contradicts itself there is a reading for each way to understand it, and the
 * first one is the one that holds together.  Words have 4 bytes.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* The distance of two tiles in a wavefront.  Only 2s+t-2 conserves iterations: tiles x volume =
 * points x steps; by the others tiles overlap or leave gaps. */
typedef enum ik_hex_pitch {
  IK_HEX_PITCH_EXACT, /* 2s+t-2, as in (B.5) */
  IK_HEX_PITCH_A6,    /* 2s+t, printed for 1D and 2D */
  IK_HEX_PITCH_A23,   /* s+t, printed for 3D */
} ik_hex_pitch;

/* L is the bandwidth of the whole device, by its value, and of one multiprocessor, by its use. */
typedef enum ik_hex_link {
  IK_HEX_LINK_SHARED, /* every multiprocessor has its share */
  IK_HEX_LINK_DEVICE, /* every multiprocessor has all of it, as printed */
} ik_hex_link;

/* More tiles on a multiprocessor are not always better: two ceilings are between. */
typedef enum ik_hex_policy { IK_HEX_K_BEST, IK_HEX_K_MAX } ik_hex_policy;

/* (A.3): 2 ceil(T/t) is used there; the exact number is one more for some T. */
typedef enum ik_hex_waves { IK_HEX_WAVES_USED, IK_HEX_WAVES_EXACT } ik_hex_waves;

typedef struct ik_hex_reading {
  ik_hex_pitch  pitch;
  ik_hex_link   link;
  ik_hex_policy k;
  ik_hex_waves  waves;
} ik_hex_reading;

typedef struct ik_hex_machine {
  int     sms, vector_units; /* vector_units: of a multiprocessor */
  int64_t shared_words;      /* of a multiprocessor (M_SM) */
  int64_t block_words;       /* of these, for one threadblock at most (M_tb) */
  int     max_blocks;        /* of a multiprocessor (MTB) */
  double  word_s;            /* to move a word from or to global memory, whole device (L) */
  double  sync_s;            /* to synchronise a threadblock (tau) */
  double  launch_s;          /* to synchronise the device (T_sync) */
} ik_hex_machine;

typedef struct ik_hex_problem {
  int     dims;   /* 1, 2, 3 */
  int64_t s[3];   /* points of each axis; those beyond `dims` do not count */
  int64_t steps;  /* T */
  double  iter_s; /* of one iteration on one vector unit (C_iter) */
  int     words;  /* of a point, each in two copies; 0 counts as 1, which is all the source has */
} ik_hex_problem;

typedef struct ik_hex_tile {
  int s[3]; /* the first is the short side of the hexagon; those beyond `dims` do not count */
  int t;    /* even */
} ik_hex_tile;

/* T_alg and everything it is made of.  What does not fit or has no meaning (a side, size or number
 * below one or above IK_HEX_LIMIT, an odd t, a time below zero or not a number) has k = 0 and an
 * infinite time; the other members are then zero. */
typedef struct ik_hex_time {
  double  time_s;
  int64_t waves, width; /* wavefronts (Nw), tiles in one (w) */
  int64_t tile_words;   /* shared memory of a tile (M_tile) */
  int64_t moved_words;  /* to and from global memory, of a slab (mi + mo) */
  int64_t volume;       /* iterations of a slab (A.27) */
  int64_t row_sum;      /* passes of all vector units over half a slab (RS) */
  double  transfer_s;   /* of a slab (m') */
  double  compute_s;    /* of a slab (c) */
  int64_t slabs;        /* that a threadblock walks (n) */
  int     k, max_k;     /* tiles at a time on a multiprocessor */
  double  batch_s;      /* of k tiles (T_tile, T_prism, T_slab) */
  int64_t rounds;       /* of batches in a wavefront */
} ik_hex_time;

/* In which shares of what there is a plan uses its resources; 1 is all. */
typedef struct ik_hex_use {
  double compute, transfer; /* the longer of the two is 1 */
  double shared, blocks;    /* shared memory and threadblocks of a multiprocessor */
  double lanes;             /* vector units that have an iteration to do, over all rows */
  double places;            /* tiles of a wavefront over the places of all rounds */
  double ideal;             /* of ik_hex_ideal() to time_s */
} ik_hex_use;

#define IK_HEX_LIMIT (1 << 30)

static inline int ik_hex_words(const ik_hex_problem *p) { return p->words ? p->words : 1; }

/* Points x steps x C_iter over all vector units (8.3). */
double ik_hex_ideal(const ik_hex_problem *p, const ik_hex_machine *m);

/* With the k of `r->k`, or with a given one if `k` > 0. */
ik_hex_time ik_hex_time_of(const ik_hex_problem *p, const ik_hex_machine *m, const ik_hex_tile *t,
                           const ik_hex_reading *r, int k);

/* The same, by `r->k`, where the row sum is known: it is all that takes long. */
ik_hex_time ik_hex_time_with(const ik_hex_problem *p, const ik_hex_machine *m, const ik_hex_tile *t,
                             const ik_hex_reading *r, int64_t row_sum);

/* Of a time with k > 0. */
ik_hex_use ik_hex_use_of(const ik_hex_problem *p, const ik_hex_machine *m, const ik_hex_time *time);

/* ---- its parts, for those who walk many tiles; arguments are not checked ---- */

static inline int64_t ik_hex_ceil(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* Points of a tile in two copies (A.20), that is words where a point has one; 3D is not printed,
 * the natural extension is taken.  Above 2^53: about. */
double  ik_hex_footprint(int dims, const ik_hex_tile *t);
int64_t ik_hex_pitch_of(const ik_hex_tile *t, ik_hex_pitch r);
int64_t ik_hex_waves_of(int64_t steps, int t, ik_hex_waves r);
int64_t ik_hex_moved(int dims, const ik_hex_tile *t); /* likewise (A.8), (A.14), (A.25) */
int64_t ik_hex_slabs(const ik_hex_problem *p, const ik_hex_tile *t);
/* Points of a slab in one row of the hexagon that is `x` wide. */
int64_t ik_hex_row(int dims, const ik_hex_tile *t, int64_t x);
int64_t ik_hex_row_sum(int dims, const ik_hex_tile *t, int vector_units);
double  ik_hex_link_s(const ik_hex_machine *m, ik_hex_link r); /* of a word, one multiprocessor */

/* (A.9), (A.15), (A.26) */
static inline double ik_hex_transfer(int64_t moved, double link_s, double sync_s) {
  return (double)moved * link_s + 2 * sync_s;
}

/* (A.10), (A.16), (A.28) */
static inline double ik_hex_compute(int64_t row_sum, double iter_s, int t, double sync_s) {
  return 2 * iter_s * (double)row_sum + t * sync_s;
}

/* k tiles on a multiprocessor: (A.13), and (A.17), (A.30), which drop one c that (A.13) has. */
static inline double ik_hex_batch(int dims, double transfer, double compute, int64_t slabs, int k) {
  double longer = transfer > compute ? transfer : compute;
  if (dims == 1) return transfer + compute + (k - 1) * longer;
  if (k == 1) return (transfer + compute) * (double)slabs;
  return transfer + k * longer * (double)slabs;
}

/* One wavefront: (A.7), (A.18), (A.31) without their factor Nw.  That it is a factor of both terms
 * is what lets a search find the best tile of each t for any number of steps at once. */
static inline double ik_hex_wave(double launch_s, double batch_s, int64_t rounds) {
  return launch_s + batch_s * (double)rounds;
}
