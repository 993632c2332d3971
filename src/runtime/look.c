#include "runtime/look.h"
#include <math.h>
#include <string.h>

typedef int32_t __attribute__((may_alias)) bits32;
typedef int64_t __attribute__((may_alias)) bits64;

typedef struct look {
  const ik_state *state;
  int             field;
  double          most[256]; /* per thread; NaN: there is a value that is not finite */
} look;

/* Without its sign, a number that is larger has larger bits; those of infinity and NaN are largest
 * of all. */
static double most_f32(const bits32 *bits, int64_t n) {
  int32_t most = 0;
  float   v;
  for (int64_t i = 0; i < n; i++) {
    int32_t b = bits[i] & INT32_MAX;
    most = b > most ? b : most;
  }
  memcpy(&v, &most, sizeof v);
  return most < 0x7f800000 ? (double)v : NAN;
}

static double most_f64(const bits64 *bits, int64_t n) {
  int64_t most = 0;
  double  v;
  for (int64_t i = 0; i < n; i++) {
    int64_t b = bits[i] & INT64_MAX;
    most = b > most ? b : most;
  }
  memcpy(&v, &most, sizeof v);
  return most < 0x7ff0000000000000 ? v : NAN;
}

/* Of types that are held in fewer bits than any here. */
static double most_of_row(ik_type t, const void *data, int64_t at, int64_t n) {
  enum { PIECE = 256 };
  double row[PIECE], most = 0;
  for (int64_t m; n > 0; at += m, n -= m) {
    m = n < PIECE ? n : PIECE;
    ik_state_load_row(t, data, at, m, row);
    double v = most_f64((const bits64 *)row, m);
    if (isnan(v)) return NAN;
    most = fmax(most, v);
  }
  return most;
}

static double most_of(const ik_state *s, int field, int64_t from, int64_t to) {
  const void *data = ik_state_data(s, field, 0);
  ik_type     type = s->ir->field[field].type;
  double      most = 0;
  for (int64_t n; from < to && !isnan(most); from += n) {
    n = to - from;
    int64_t at = ik_state_cell(s, field, from, &n);
    double  v = type == IK_F32   ? most_f32((const bits32 *)data + at, n)
                : type == IK_F64 ? most_f64((const bits64 *)data + at, n)
                                 : most_of_row(type, data, at, n);
    most = v <= most ? most : v;
  }
  return most;
}

static void look_at(void *ctx, int thread, int threads) {
  look *l = ctx;
  if (thread >= 256) return;
  if (threads > 256) threads = 256;
  int64_t cells = l->state->slot[l->field].layout->cells;
  l->most[thread] =
      most_of(l->state, l->field, cells * thread / threads, cells * (thread + 1) / threads);
}

double ik_look_at(ik_engine *x, int field) {
  look   l = {x->state, field, {0}};
  double most = 0;
  ik_engine_share(x, look_at, &l);
  for (int i = 0; i < 256; i++) {
    if (isnan(l.most[i])) return NAN;
    most = fmax(most, l.most[i]);
  }
  return most;
}
