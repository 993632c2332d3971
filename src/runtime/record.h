/* record.h: what receivers hear.  Memory for all samples is planned and taken before the run. */
#pragma once
#include "ir/state.h"

typedef struct ik_trace { /* of one receiver line of the program */
  int64_t nsample, capacity;
  double *data; /* [capacity][npoint] */
} ik_trace;

typedef struct ik_recorder {
  const ik_ir *ir;
  ik_trace    *trace; /* [nrecord] */
} ik_recorder;

int64_t   ik_recorder_bytes(const ik_ir *ir);
ik_status ik_recorder_create(ik_recorder *r, const ik_ir *ir, ik_diag *d);
void      ik_recorder_free(ik_recorder *r);
/* Has heard what another one of the same program has. */
void ik_recorder_follow(ik_recorder *r, const ik_recorder *other);

/* Called after every step. */
void ik_recorder_sample(ik_recorder *r, const ik_state *s);
/* Does a receiver line listen at step t?  How many of at most n steps from there on are left until
 * one does? */
bool    ik_recorder_listens(const ik_recorder *r, int record, int64_t t);
int64_t ik_recorder_until(const ik_recorder *r, int64_t t, int64_t n);
/* The next sample of a receiver line, by the values at the taps of its points, all of a point one
 * after the other: that of tap k is at place[k], or, if there are no places, the k-th. */
void ik_recorder_hear(ik_recorder *r, int record, const double *value, const int64_t *place);

/* Complains about what a file format cannot hold, before anything runs. */
ik_status ik_recorder_check(const ik_ir *ir, ik_diag *d);
/* Writes one record to `path` (.npy: [sample][point]; .segy). */
ik_status ik_recorder_write(const ik_recorder *r, int record, const char *path, ik_diag *d);
