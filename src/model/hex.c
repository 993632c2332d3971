#include "model/hex.h"
#include <math.h>

static bool counts(int64_t v) { return v >= 1 && v <= IK_HEX_LIMIT; }
static bool lasts(double s) { return s >= 0 && s < INFINITY; }

static bool problem_ok(const ik_hex_problem *p) {
  if (p->dims < 1 || p->dims > 3 || !counts(p->steps) || !lasts(p->iter_s)) return false;
  if (!counts(ik_hex_words(p))) return false;
  for (int i = 0; i < p->dims; i++)
    if (!counts(p->s[i])) return false;
  return true;
}

static bool machine_ok(const ik_hex_machine *m) {
  return counts(m->sms) && counts(m->vector_units) && counts(m->shared_words) &&
         counts(m->block_words) && counts(m->max_blocks) && lasts(m->word_s) && lasts(m->sync_s) &&
         lasts(m->launch_s);
}

/* And fits into a threadblock, after which no product of its sides is large. */
static bool tile_ok(const ik_hex_problem *p, const ik_hex_tile *t, const ik_hex_machine *m) {
  if (!counts(t->t) || t->t % 2) return false;
  for (int i = 0; i < p->dims; i++)
    if (!counts(t->s[i])) return false;
  double words = ik_hex_footprint(p->dims, t) * ik_hex_words(p);
  return words <= (double)m->block_words && words <= (double)m->shared_words;
}

/* ---- parts ---- */

double ik_hex_footprint(int dims, const ik_hex_tile *t) {
  if (dims == 1) return 2 * ((double)t->s[0] + t->t);
  double words = 2;
  for (int i = 0; i < dims; i++) words *= (double)t->s[i] + t->t + 1;
  return words;
}

int64_t ik_hex_pitch_of(const ik_hex_tile *t, ik_hex_pitch r) {
  int64_t s = t->s[0];
  switch (r) {
  case IK_HEX_PITCH_A6: return 2 * s + t->t;
  case IK_HEX_PITCH_A23: return s + t->t;
  default: return 2 * s + t->t - 2;
  }
}

int64_t ik_hex_waves_of(int64_t steps, int t, ik_hex_waves r) {
  int64_t rest = steps % t;
  bool    last = rest == 0 || rest > t / 2; /* the lower half of a row of tiles has steps, too */
  return 2 * ik_hex_ceil(steps, t) + (r == IK_HEX_WAVES_EXACT && last);
}

int64_t ik_hex_row(int dims, const ik_hex_tile *t, int64_t x) {
  for (int i = 1; i < dims; i++) x *= t->s[i];
  return x;
}

int64_t ik_hex_moved(int dims, const ik_hex_tile *t) {
  return 2 * ik_hex_row(dims, t, t->s[0] + 2 * (int64_t)t->t);
}

/* (A.24): the ceiling of the product, not the product of the ceilings. */
int64_t ik_hex_slabs(const ik_hex_problem *p, const ik_hex_tile *t) {
  int64_t points = 1, of_slab = 1;
  for (int i = 1; i < p->dims; i++) points *= p->s[i] + t->t, of_slab *= t->s[i];
  return ik_hex_ceil(points, of_slab);
}

int64_t ik_hex_row_sum(int dims, const ik_hex_tile *t, int vector_units) {
  int64_t sum = 0;
  for (int i = 0; i < t->t; i += 2)
    sum += ik_hex_ceil(ik_hex_row(dims, t, t->s[0] + (int64_t)i), vector_units);
  return sum;
}

double ik_hex_link_s(const ik_hex_machine *m, ik_hex_link r) {
  return r == IK_HEX_LINK_DEVICE ? m->word_s : m->word_s * m->sms;
}

/* ---- the whole ---- */

double ik_hex_ideal(const ik_hex_problem *p, const ik_hex_machine *m) {
  if (!problem_ok(p) || !machine_ok(m)) return INFINITY;
  double points = 1;
  for (int i = 0; i < p->dims; i++) points *= (double)p->s[i];
  return points * (double)p->steps * p->iter_s / ((double)m->sms * m->vector_units);
}

/* Batches and rounds for one k. */
static void take(const ik_hex_problem *p, const ik_hex_machine *m, int k, ik_hex_time *out) {
  out->k = k;
  out->batch_s = ik_hex_batch(p->dims, out->transfer_s, out->compute_s, out->slabs, k);
  out->rounds = ik_hex_ceil(ik_hex_ceil(out->width, k), m->sms);
  out->time_s = (double)out->waves * ik_hex_wave(m->launch_s, out->batch_s, out->rounds);
}

static ik_hex_time best_k(const ik_hex_problem *p, const ik_hex_machine *m, ik_hex_time part) {
  ik_hex_time best = {.time_s = INFINITY};
  for (int k = 1; k <= part.max_k; k++) {
    take(p, m, k, &part);
    if (k == 1 || part.time_s < best.time_s) best = part;
    if (part.rounds == 1) break; /* more tiles at a time than there are take longer */
  }
  return best;
}

static int max_k(const ik_hex_machine *m, int64_t tile_words) {
  int64_t fit = m->shared_words / tile_words;
  return fit < m->max_blocks ? (int)fit : m->max_blocks;
}

/* Everything that does not depend on k. */
static ik_hex_time parts(const ik_hex_problem *p, const ik_hex_machine *m, const ik_hex_tile *t,
                         const ik_hex_reading *r, int64_t row_sum) {
  ik_hex_time out = {.row_sum = row_sum};
  out.tile_words = (int64_t)ik_hex_footprint(p->dims, t) * ik_hex_words(p);
  out.max_k = max_k(m, out.tile_words);
  out.waves = ik_hex_waves_of(p->steps, t->t, r->waves);
  out.width = ik_hex_ceil(p->s[0], ik_hex_pitch_of(t, r->pitch));
  out.moved_words = ik_hex_moved(p->dims, t) * ik_hex_words(p);
  out.volume = ik_hex_row(p->dims, t, (int64_t)t->t / 2 * (2 * (int64_t)t->s[0] + t->t - 2));
  out.transfer_s = ik_hex_transfer(out.moved_words, ik_hex_link_s(m, r->link), m->sync_s);
  out.compute_s = ik_hex_compute(row_sum, p->iter_s, t->t, m->sync_s);
  out.slabs = ik_hex_slabs(p, t);
  return out;
}

static bool fits(const ik_hex_problem *p, const ik_hex_machine *m, const ik_hex_tile *t) {
  return problem_ok(p) && machine_ok(m) && tile_ok(p, t, m);
}

static const ik_hex_time none = {.time_s = INFINITY};

ik_hex_time ik_hex_time_with(const ik_hex_problem *p, const ik_hex_machine *m, const ik_hex_tile *t,
                             const ik_hex_reading *r, int64_t row_sum) {
  if (!fits(p, m, t)) return none;
  ik_hex_time out = parts(p, m, t, r, row_sum);
  if (r->k == IK_HEX_K_BEST) return best_k(p, m, out);
  take(p, m, out.max_k, &out);
  return out;
}

ik_hex_time ik_hex_time_of(const ik_hex_problem *p, const ik_hex_machine *m, const ik_hex_tile *t,
                           const ik_hex_reading *r, int k) {
  if (!fits(p, m, t)) return none;
  int64_t row_sum = ik_hex_row_sum(p->dims, t, m->vector_units);
  if (k <= 0) return ik_hex_time_with(p, m, t, r, row_sum);
  ik_hex_time out = parts(p, m, t, r, row_sum);
  if (k > out.max_k) return none;
  take(p, m, k, &out);
  return out;
}

ik_hex_use ik_hex_use_of(const ik_hex_problem *p, const ik_hex_machine *m,
                         const ik_hex_time *time) {
  double longer = fmax(time->transfer_s, time->compute_s);
  double slots = 2 * (double)time->row_sum * m->vector_units;
  double places = (double)time->rounds * time->k * m->sms;
  return (ik_hex_use){.compute = time->compute_s / longer,
                      .transfer = time->transfer_s / longer,
                      .shared = (double)(time->k * time->tile_words) / (double)m->shared_words,
                      .blocks = (double)time->k / m->max_blocks,
                      .lanes = (double)time->volume / slots,
                      .places = (double)time->width / places,
                      .ideal = ik_hex_ideal(p, m) / time->time_s};
}
