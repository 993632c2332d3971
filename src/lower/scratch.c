/* Where rings lie in the scratch memory of a thread. */
#include "lower/draft.h"

typedef struct life { /* of a ring, in stages of all phases: from its first value to its last use */
  int first, last;
} life;

static void use(life *l, int stage) {
  if (l->first < 0) l->first = stage;
  l->last = stage;
}

static void use_stage(const ik_pass *p, const ik_pipe_stage *s, int stage, life *l) {
  const ik_pipe_kernel *k = s->kind == IK_STAGE_KERNEL ? &p->kernel[s->kernel] : NULL;
  bool                  reads = s->kind != IK_STAGE_FETCH;
  bool                  writes = s->kind == IK_STAGE_FETCH;
  for (int i = 0; i < (k ? k->ninput : reads); i++) use(&l[s->in[i]], stage);
  for (int i = 0; i < (k ? k->noutput : writes); i++) use(&l[s->out[i]], stage);
}

static const life *lives_of(const ik_pass *p, ik_arena *a) {
  life *l = IK_NEW_N(a, life, p->nbuffer);
  int   stage = 0;
  for (int i = 0; i < p->nbuffer; i++) l[i].first = l[i].last = -1;
  for (int f = 0; f < p->nphase; f++)
    for (int i = 0; i < p->phase[f].nstage; i++, stage++)
      use_stage(p, &p->phase[f].stage[i], stage, l);
  return l;
}

static int64_t bytes_of(const ik_pass *p, const ik_pipe_buffer *b) {
  return p->pitch * ik_pipe_rows(p, b) * ik_type_bytes(b->type) * (b->depth + b->spare);
}

/* Are all rings at the place of ring `at` done with before ring i begins, or the other way round?
 */
static bool is_free(const ik_pass *p, const life *l, int at, int i) {
  for (int k = 0; k < i; k++) {
    const ik_pipe_buffer *b = &p->buffer[k];
    bool                  apart = l[k].last < l[i].first || l[i].last < l[k].first;
    if (b->ring && b->offset == p->buffer[at].offset && !apart) return false;
  }
  return true;
}

/* A ring before ring i whose place it can have; -1: none.  Where stages take turns along a stream
 * all rings are in use all the time. */
static int find_place(const ik_pass *p, const life *l, int i) {
  for (int at = 0; at < i && p->axis[IK_STREAM] < 0; at++) {
    const ik_pipe_buffer *b = &p->buffer[at];
    if (b->ring && bytes_of(p, b) == bytes_of(p, &p->buffer[i]) && is_free(p, l, at, i)) return at;
  }
  return -1;
}

/* Vectors may be loaded across the ends of the first and last row, and what they hold there is not
 * used: there is room on both sides. */
void ik_draft_scratch(ik_draft *x) {
  enum { GUARD = 1024 };
  ik_pass    *p = x->pass;
  const life *l = lives_of(p, x->a);
  int64_t     at = GUARD;
  for (int i = 0; i < p->nbuffer; i++) {
    ik_pipe_buffer *b = &p->buffer[i];
    int             old = b->ring ? find_place(p, l, i) : -1;
    if (!b->ring) continue;
    b->offset = old < 0 ? (at + 63) / 64 * 64 : p->buffer[old].offset;
    b->shared = old >= 0;
    if (old < 0) at = b->offset + bytes_of(p, b);
  }
  p->scratch_bytes = at + GUARD;
}
