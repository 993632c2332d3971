#include "runtime/record.h"
#include "base/mem.h"
#include "io/io.h"
#include "io/npy.h"
#include "io/segy.h"
#include "ir/space.h"
#include <string.h>

static void add_steps(const ik_stmt *s, void *ctx) {
  if (s->kind == IK_STEPS) *(int64_t *)ctx += s->count;
}

static int64_t samples_of(const ik_ir *ir, const ik_record *r) {
  int64_t steps = 0;
  ik_ir_each_stmt(ir, add_steps, &steps);
  return steps / r->every;
}

int64_t ik_recorder_bytes(const ik_ir *ir) {
  int64_t sum = 0, n;
  for (int i = 0; i < ir->nrecord; i++) {
    const ik_record *r = &ir->record[i];
    if (__builtin_mul_overflow(samples_of(ir, r), r->npoint * (int64_t)sizeof(double), &n) ||
        __builtin_add_overflow(sum, n, &sum))
      return INT64_MAX;
  }
  return sum;
}

ik_status ik_recorder_create(ik_recorder *rec, const ik_ir *ir, ik_diag *d) {
  *rec = (ik_recorder){.ir = ir};
  rec->trace = ik_calloc((size_t)ir->nrecord, sizeof *rec->trace);
  bool ok = rec->trace != NULL;
  for (int i = 0; ok && i < ir->nrecord; i++) {
    ik_trace *t = &rec->trace[i];
    t->capacity = samples_of(ir, &ir->record[i]);
    t->data = ik_calloc((size_t)t->capacity * (size_t)ir->record[i].npoint, sizeof *t->data);
    ok = t->data != NULL;
  }
  if (ok) return IK_OK;
  ik_recorder_free(rec);
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN,
                 "not enough memory for the receiver traces");
}

void ik_recorder_free(ik_recorder *rec) {
  for (int i = 0; rec->trace && i < rec->ir->nrecord; i++) ik_free(rec->trace[i].data);
  ik_free(rec->trace);
  rec->trace = NULL;
}

void ik_recorder_follow(ik_recorder *rec, const ik_recorder *other) {
  for (int i = 0; i < rec->ir->nrecord; i++) {
    const ik_trace *from = &other->trace[i];
    size_t          values = (size_t)from->nsample * (size_t)rec->ir->record[i].npoint;
    if (values) memcpy(rec->trace[i].data, from->data, values * sizeof *from->data);
    rec->trace[i].nsample = from->nsample;
  }
}

bool ik_recorder_listens(const ik_recorder *rec, int record, int64_t t) {
  return t % rec->ir->record[record].every == 0;
}

int64_t ik_recorder_until(const ik_recorder *rec, int64_t t, int64_t n) {
  for (int i = 0; i < rec->ir->nrecord; i++) {
    int64_t left = rec->ir->record[i].every - t % rec->ir->record[i].every;
    n = left < n ? left : n;
  }
  return n;
}

typedef struct heard {   /* at taps */
  const double   *value; /* NULL: in the state */
  const int64_t  *place; /* or NULL */
  const ik_state *s;
} heard;

static double value_at(const ik_record *r, size_t k, const heard *h) {
  if (!h->value) return ik_state_get(h->s, r->field, 0, r->tap[k].at);
  return h->value[h->place ? (size_t)h->place[k] : k];
}

/* The taps of a point are summed in order. */
static double hear(const ik_record *r, int point, const heard *h) {
  size_t first = (size_t)point * (size_t)r->ntap;
  double sum = 0;
  for (size_t k = first; k < first + (size_t)r->ntap; k++)
    if (r->tap[k].weight != 0) sum += r->tap[k].weight * value_at(r, k, h);
  return sum;
}

static void take(ik_recorder *rec, int record, const heard *h) {
  const ik_record *r = &rec->ir->record[record];
  ik_trace        *t = &rec->trace[record];
  IK_ASSERT(t->nsample < t->capacity);
  double *out = t->data + t->nsample++ * r->npoint;
  for (int p = 0; p < r->npoint; p++) out[p] = hear(r, p, h);
}

void ik_recorder_hear(ik_recorder *rec, int record, const double *value, const int64_t *place) {
  take(rec, record, &(heard){value, place, NULL});
}

void ik_recorder_sample(ik_recorder *rec, const ik_state *s) {
  for (int i = 0; i < rec->ir->nrecord; i++)
    if (ik_recorder_listens(rec, i, s->t)) take(rec, i, &(heard){.s = s});
}

/* ---- files ---- */

static ik_segy_point point_of(const ik_ir *ir, const double *cells) {
  double p[3];
  ik_space_metres(ir, cells, p);
  return (ik_segy_point){p[IK_EAST], p[IK_NORTH], p[IK_VERTICAL]};
}

static ik_segy_gather gather_of(const ik_ir *ir, const ik_record *r, int64_t nsample) {
  return (ik_segy_gather){.ntrace = r->npoint,
                          .nsample = nsample,
                          .dt_s = (ir->dt > 0 ? ir->dt : 1e-3) * (double)r->every,
                          .shot = 1,
                          .allow_rev2 = true};
}

/* Where the receivers are, then, as many times, where the source is; the caller frees it. */
static ik_status points_of(const ik_ir *ir, const ik_record *r, ik_diag *d, ik_segy_gather *g,
                           ik_segy_point **own) {
  size_t         np = (size_t)r->npoint;
  ik_segy_point *at = *own = ik_calloc(2 * np, sizeof *at);
  if (!at)
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, r->span, "not enough memory for %s", r->path);
  for (size_t p = 0; p < np; p++) {
    at[p] = point_of(ir, r->position + p * IK_MAX_DIM);
    at[np + p] = ir->ninject ? point_of(ir, ir->inject[0].position) : (ik_segy_point){0};
  }
  g->receiver = at, g->source = at + np;
  return IK_OK;
}

ik_status ik_recorder_check(const ik_ir *ir, ik_diag *d) {
  for (int i = 0; i < ir->nrecord; i++) {
    const ik_record *r = &ir->record[i];
    if (ik_io_format_of(r->path) != IK_IO_SEGY) continue;
    ik_segy_gather g = gather_of(ir, r, samples_of(ir, r));
    ik_segy_point *at;
    IK_TRY(points_of(ir, r, d, &g, &at));
    ik_status st = ik_segy_check(r->path, &g, r->span, d);
    ik_free(at);
    if (st) return st;
  }
  return IK_OK;
}

static ik_status write_segy(const ik_recorder *rec, int i, const char *path, ik_diag *d) {
  const ik_ir     *ir = rec->ir;
  const ik_record *r = &ir->record[i];
  const ik_trace  *t = &rec->trace[i];
  ik_segy_gather   g = gather_of(ir, r, t->nsample);
  size_t           np = (size_t)r->npoint, ns = (size_t)t->nsample;
  float           *data = ik_calloc(np * ns, sizeof *data);
  ik_segy_point   *at = NULL;
  ik_status        st = points_of(ir, r, d, &g, &at);
  for (size_t p = 0; data && p < np; p++)
    for (size_t k = 0; k < ns; k++) data[p * ns + k] = (float)t->data[k * np + p];
  g.data = data;
  if (!st && !data)
    st = ik_fail(d, IK_ERR_RESOURCE, IK_E072, r->span, "not enough memory for %s", path);
  if (!st) st = ik_segy_write(path, &g, r->span, d);
  ik_free(data), ik_free(at);
  return st;
}

ik_status ik_recorder_write(const ik_recorder *rec, int i, const char *path, ik_diag *d) {
  const ik_record *r = &rec->ir->record[i];
  if (ik_io_format_of(path) == IK_IO_SEGY) return write_segy(rec, i, path, d);
  ik_array a = {.dtype = IK_DT_F64, .ndim = 2, .n = {r->npoint, rec->trace[i].nsample, 1, 1}};
  a.data = rec->trace[i].data;
  return ik_npy_write(path, &a, r->span, d);
}
