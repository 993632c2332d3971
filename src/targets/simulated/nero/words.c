#include "targets/simulated/nero/words.h"
#include "base/mem.h"
#include "targets/simulated/nero/refuse.h"
#include <string.h>

typedef struct carrier {
  ik_nero_window       *w;
  const ik_nero_memory *m;
  const ik_nero_shape  *shape;
  int                   in[IK_NERO_WIDE], out[IK_NERO_WIDE];
  int64_t               per_word, per_level, words_per_level; /* cells, cells, words */
  ik_nero_window        row; /* computes the cells of one word, from the buffers of `w` */
  ik_nero_memory        buffers;
  int64_t               row_at; /* the word that it holds; -1: none */
  ik_diag              *d;
  ik_status             status;
} carrier;

/* ---- which cell is where ---- */

/* Cell `i` of word `w`; false: the word is not full.  Swept axes are the slowest. */
static bool find_cell(const carrier *c, int64_t w, int64_t i, int64_t at[IK_MAX_DIM]) {
  const ik_box *b = &c->w->box;
  int64_t       level = w / c->words_per_level, rank = w % c->words_per_level * c->per_word + i;
  if (rank >= c->per_level) return false;
  for (int d = 0; d < IK_MAX_DIM; d++) {
    int64_t *rest = c->shape->swept[d] ? &level : &rank, n = b->hi[d] - b->lo[d];
    at[d] = b->lo[d] + *rest % n;
    *rest /= n;
  }
  return true;
}

static bool is_in(const ik_box *b, const int64_t at[IK_MAX_DIM]) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (at[d] < b->lo[d] || at[d] >= b->hi[d]) return false;
  return true;
}

/* Between the cells of a word that lie in `box` and an array of a field. */
typedef struct place {
  const ik_state *state;
  int             field;
  char           *data;
  ik_box          box;
} place;

static void copy_word(const carrier *c, const place *p, int64_t w, unsigned char *word, bool out) {
  ik_type type = p->state->ir->field[p->field].type;
  size_t  bytes = (size_t)ik_type_bytes(type), slot = (size_t)c->shape->bits / 8;
  int64_t at[IK_MAX_DIM];
  for (int64_t i = 0; i < c->per_word; i++, word += slot) {
    if (!find_cell(c, w, i, at) || !is_in(&p->box, at)) continue;
    char *cell = p->data + (size_t)ik_state_index(p->state, p->field, at) * bytes;
    memcpy(out ? (void *)word : (void *)cell, out ? (void *)cell : (void *)word, bytes);
  }
}

static place in_state(const ik_state *s, int v, ik_box box) {
  int f = ik_nero_field(v);
  return (place){s, f, ik_state_data(s, f, ik_nero_level(v)), box};
}

/* Cells that the field has, that the window needs and that are its own. */
static ik_box entering(const carrier *c, int v) {
  ik_box mine = ik_nero_meet(c->w->need[v], &c->w->box);
  return ik_nero_meet(mine, &c->m->state->ir->field[ik_nero_field(v)].box);
}

/* ---- what the streams ask for ---- */

static void fetch(void *ctx, int stream, int64_t w, unsigned char *word) {
  carrier *c = ctx;
  place    p = in_state(c->m->state, c->in[stream], entering(c, c->in[stream]));
  memset(word, 0, IK_NERO_WORD);
  copy_word(c, &p, w, word, true);
}

static void arrive(void *ctx, int stream, int64_t w, const unsigned char *word) {
  carrier      *c = ctx;
  place         p = in_state(&c->w->state, c->in[stream], entering(c, c->in[stream]));
  unsigned char copy[IK_NERO_WORD];
  memcpy(copy, word, sizeof copy);
  copy_word(c, &p, w, copy, false);
}

static void compute(void *ctx) {
  carrier *c = ctx;
  if (!c->status) c->status = ik_nero_window_compute(c->w, c->m, c->d);
}

/* The smallest box around the cells of a word. */
static ik_box box_of_word(const carrier *c, int64_t w) {
  ik_box  b = {{0}, {0}};
  int64_t at[IK_MAX_DIM];
  for (int64_t i = 0; i < c->per_word && find_cell(c, w, i, at); i++)
    for (int d = 0; d < IK_MAX_DIM; d++) {
      if (i == 0 || at[d] < b.lo[d]) b.lo[d] = at[d];
      if (i == 0 || at[d] >= b.hi[d]) b.hi[d] = at[d] + 1;
    }
  return b;
}

/* Computes the cells of one word from what has arrived by now. */
static void compute_row(carrier *c, int64_t w) {
  ik_box b = box_of_word(c, w);
  if (c->row_at == w || c->status) return;
  ik_nero_window_place(&c->row, &b);
  c->status = ik_nero_window_load(&c->row, &c->buffers, c->d);
  if (!c->status) c->status = ik_nero_window_compute(&c->row, c->m, c->d);
  c->row_at = w;
}

static void result(void *ctx, int stream, int64_t w, unsigned char *word) {
  carrier *c = ctx;
  int      v = c->out[stream];
  bool     one = c->shape->phases == 1;
  memset(word, 0, IK_NERO_WORD);
  if (one) compute_row(c, w);
  if (c->status) return;
  place p = in_state(one ? &c->row.state : &c->w->state, v, ik_nero_window_out(c->w, v));
  if (one) p.box = ik_nero_window_out(&c->row, v);
  copy_word(c, &p, w, word, true);
}

static void put(void *ctx, int stream, int64_t w, const unsigned char *word) {
  carrier      *c = ctx;
  int           v = c->out[stream];
  place         p = {c->m->state, ik_nero_field(v), ik_nero_window_target(c->w, c->m, v),
                     ik_nero_window_out(c->w, v)};
  unsigned char copy[IK_NERO_WORD];
  memcpy(copy, word, sizeof copy);
  if (!c->status) copy_word(c, &p, w, copy, false);
}

/* ---- the window ---- */

/* What will enter as words is not there yet. */
static void empty_buffers(carrier *c) {
  unsigned char nothing[IK_NERO_WORD];
  memset(nothing, 0xff, sizeof nothing);
  IK_ASSERT(c->per_level > 0);
  for (int s = 0; s < c->shape->in; s++) {
    place p = in_state(&c->w->state, c->in[s], entering(c, c->in[s]));
    for (int64_t w = 0; w < c->words_per_level * (ik_box_cells(&c->w->box) / c->per_level); w++)
      copy_word(c, &p, w, nothing, false);
  }
}

static void measure(carrier *c, ik_nero_job *job) {
  int64_t levels, words;
  for (int d = 0; d < IK_MAX_DIM; d++) job->size[d] = c->w->box.hi[d] - c->w->box.lo[d];
  words = ik_nero_words_of(c->shape, job->size, &levels);
  c->per_word = 8 * IK_NERO_WORD / c->shape->bits;
  c->per_level = ik_box_cells(&c->w->box) / levels;
  c->words_per_level = words / levels;
}

ik_status ik_nero_stream_window(ik_nero_window *w, const ik_nero_memory *m, const ik_ir *ir,
                                const ik_nero_board *b, const ik_nero_shape *shape, ik_diag *d,
                                ik_nero_cycles *out) {
  ik_arena    a;
  carrier     c = {.w = w, .m = m, .shape = shape, .row_at = -1, .d = d};
  ik_nero_job job = {.board = b, .shape = shape, .elements = 1, .windows = 1};
  job.words = (ik_nero_words){&c, fetch, arrive, compute, result, put};
  ik_nero_streams_in(w, c.in), ik_nero_streams_out(w, c.out);
  IK_TRY(ik_nero_window_load(w, m, d));
  measure(&c, &job);
  empty_buffers(&c);
  ik_arena_init(&a);
  bool ok = !setjmp(a.oom);
  if (ok) {
    ik_nero_window_init(&c.row, ir, w->kernel, &a);
    c.buffers.state = &w->state;
    ok = ik_nero_stream(&job, out);
  }
  ik_nero_window_free(&c.row);
  ik_arena_free(&a);
  if (ok) return c.status;
  return ik_nero_no_memory(d);
}
