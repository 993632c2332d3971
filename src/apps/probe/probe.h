/* probe.h: measures what this processor can do, and writes it down as a machine file.
 *
 *   list.c     what to measure on a machine with these caches
 *   rig.c      times one of them: kernels (bench/cpu/probe.c), threads, memory
 *   measure.c  all of them, in rounds, so that what disturbs for a while disturbs no figure alone
 *   figures.c  medians, spreads, and what follows from several of them
 *   file.c     the machine file, and keeping it
 *   probe.c    ik_probe()
 */
#pragma once
#include "base/buf.h"
#include "base/diag.h"
#include "machine/machine.h"
#include <signal.h>
#include <stdint.h>

enum {
  IK_PROBE_ITEMS = 128,
  IK_PROBE_FIGURES = 128,
  IK_PROBE_ROUNDS = 11, /* at most */
  IK_PROBE_LEAST = 3,   /* rounds, however long they take */
  IK_PROBE_TRIES = 8,   /* timings of an item in a round, at most */
  IK_PROBE_SOME = 128,  /* threads, at most, that are measured besides one and all */
};

/* Seconds: of one timing, about; of those of an item in a round; after which no round is begun. */
#define IK_PROBE_TIMING 0.001
#define IK_PROBE_TURN   0.03
#define IK_PROBE_LIMIT  14.0

/* ---- what to measure (list.c) ---- */

typedef enum ik_probe_kind {
  IK_PROBE_CLOCK,    /* dependent additions of integers, a cycle each */
  IK_PROBE_PEAK_F32, /* independent chains of fused multiply-adds */
  IK_PROBE_PEAK_F64,
  IK_PROBE_CHAIN_F32, /* one chain: how long an fma waits for the one before */
  IK_PROBE_CHAIN_F64,
  IK_PROBE_READ,
  IK_PROBE_COPY,
  IK_PROBE_STREAM,  /* a copy with stores past the caches */
  IK_PROBE_CHASE,   /* loads, each of which needs the one before */
  IK_PROBE_SLOWEST, /* independent fma, all threads as many: the last of them over all on average */
  IK_PROBE_BARRIER, /* a piece of work for all threads, without the work */
  IK_PROBE_CALL,    /* of a kernel that does nothing */
  IK_PROBE_JACOBI,  /* cells of a five-point stencil in f32, compiled like a plain loop */
} ik_probe_kind;

/* Where the working set of an item lies; IK_PROBE_EDGE: about where the second level ends. */
typedef enum ik_probe_level {
  IK_PROBE_CORE,
  IK_PROBE_L1,
  IK_PROBE_L2,
  IK_PROBE_L3,
  IK_PROBE_MEMORY,
  IK_PROBE_EDGE,
} ik_probe_level;

typedef struct ik_probe_item {
  char           key[40]; /* of the figure; "" if it only serves another */
  const char    *unit;    /* of the figure */
  double         scale;   /* in these base units: B/s, FLOP/s, Hz, s */
  bool           rate;    /* work over time; else time over work */
  ik_probe_kind  kind;
  ik_probe_level level;
  int            threads;
  int64_t        bytes;   /* that a thread works on; of a copy: to and from together */
  int64_t        at;      /* IK_PROBE_CHASE: where its chain begins in the array for those */
  const char    *what;    /* a few words for people; static */
  long           repeats; /* of one timing, found by measure.c */
  double         sample[IK_PROBE_ROUNDS]; /* in base units */
  int            n;
} ik_probe_item;

typedef struct ik_probe_place {
  int     threads;
  int64_t l1, l2, l3; /* bytes for one core; l3 may be 0 */
  int64_t l3_all;     /* of the whole machine */
  int64_t memory;     /* bytes that are free */
  bool    streams;    /* there are stores past the caches */
} ik_probe_place;

typedef struct ik_probe_list {
  int64_t       array;  /* bytes of each of the two arrays, from and to */
  int64_t       part;   /* bytes of an array that belong to one thread */
  int64_t       chains; /* bytes of the array for chasing pointers */
  int           n;
  ik_probe_item item[IK_PROBE_ITEMS];
} ik_probe_list;

/* Working sets lie well within a level and well beyond the one before.  A third level that is not
 * twice as large as the second is left out. */
void ik_probe_list_make(const ik_probe_place *p, ik_probe_list *out);

/* Bytes of an array that belong to one of so many threads that have it to themselves. */
int64_t ik_probe_part(const ik_probe_list *l, int threads);

/* ---- how long it takes (rig.c; tests have rigs of their own) ---- */

typedef struct ik_probe_rig {
  /* Seconds for so many repeats, and the work done in them: bytes, operations, steps.  No work: it
   * cannot be measured here. */
  double (*time)(void *self, const ik_probe_item *it, long repeats, double *work);
  double (*clock)(void *self); /* seconds */
  void *self;
} ik_probe_rig;

typedef struct ik_probe_room ik_probe_room; /* kernels, threads and memory */

/* What there is to measure with.  0 threads: one for each core.  IK_ERR_RESOURCE without a
 * compiler (E083) or memory (E072). */
ik_status ik_probe_room_create(int threads, const ik_machine *m, ik_diag *d, ik_probe_room **out);
void      ik_probe_room_destroy(ik_probe_room **room);
ik_probe_rig   ik_probe_room_rig(ik_probe_room *room);
ik_probe_list *ik_probe_room_list(ik_probe_room *room); /* what can be measured with it */
int            ik_probe_room_threads(const ik_probe_room *room);

/* ---- all of them (measure.c) ---- */

typedef struct ik_probe_hooks { /* each may be NULL */
  volatile sig_atomic_t *stop;
  void (*progress)(const char *what, int done, int total, void *user); /* before each timing */
  void *user;
} ik_probe_hooks;

/* Fills in the samples.  `began`: by the rig's clock, for IK_PROBE_LIMIT.  IK_ERR_INTERRUPTED when
 * told to stop; there is no message then. */
ik_status ik_probe_measure(ik_probe_list *l, const ik_probe_rig *rig, double began,
                           const ik_probe_hooks *h);

/* ---- what that says (figures.c) ---- */

typedef struct ik_probe_figure {
  char        key[40];
  const char *unit;
  double      value, low, high; /* median; the middle half of the samples lies between */
  int         n;                /* samples; 0: derived */
  char        what[96];
} ik_probe_figure;

typedef struct ik_probe_result {
  int             n;
  ik_probe_figure figure[IK_PROBE_FIGURES];
} ik_probe_result;

/* Items without a usable sample have no figure.  Of the item's own there follow
 *   memory.bandwidth, .one   the greatest of reads and copies
 *   cache.l2.plan            how much of the second level can be used: the largest working set up
 * to which reads keep 80 % of l2.bandwidth */
void ik_probe_figures(const ik_probe_list *l, ik_probe_result *out);

/* The value below which the share `q` of the samples lies, between two of them in proportion.  `v`
 * is sorted; NaN of none. */
double ik_probe_quantile(const double *v, int n, double q);

/* ---- the file (file.c) ---- */

/* A machine file, which begins with the signature of `m`, what the operating system tells:
 * processor and cores.  machine/find.c reads it back. */
void ik_probe_write(const ik_probe_result *r, const ik_machine *m, int threads, ik_buf *out);
/* Written complete or not at all; the folder is made if need be.  E064. */
ik_status ik_probe_keep(const char *path, ik_buf *text, ik_diag *d);
