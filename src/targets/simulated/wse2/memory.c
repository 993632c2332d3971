#include "targets/simulated/wse2/memory.h"
#include "base/least.h"
#include <stdlib.h>

enum { MOST_CUTS = 64 }; /* more pieces than that save nothing */

/* ---- levels ---- */

static bool makes_new(const ik_wse2_job *j, int field) {
  return j->stmt->kind == IK_ASSIGN && j->stmt->field == field && j->stmt->level == 1;
}

/* Does it read the oldest level only where it puts a new value in its place? */
static bool leaves_oldest(const ik_wse2_job *j, int field, int oldest) {
  for (int i = 0; j->code && i < j->code->nvalue; i++) {
    const ik_expr *e = j->code->value[i].leaf;
    if (!ik_wse2_is_column(&j->code->value[i]) || e->id != field || e->level != oldest) continue;
    if (!makes_new(j, field) || e->off[0] || e->off[1] || e->off[2]) return false;
  }
  return true;
}

static bool meet(const ik_box *a, const ik_box *b) {
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (a->hi[d] <= b->lo[d] || b->hi[d] <= a->lo[d]) return false;
  return true;
}

/* A cell that two statements give a value loses its oldest one to the first. */
static bool makes_twice(const ik_wse2_mapping *m, int field) {
  for (int i = 0; i < m->njob; i++)
    for (int k = i + 1; k < m->njob; k++)
      if (makes_new(&m->job[i], field) && makes_new(&m->job[k], field) &&
          meet(&m->job[i].stmt->box, &m->job[k].stmt->box))
        return true;
  return false;
}

static int levels_of(const ik_wse2_mapping *m, int field) {
  const ik_field *f = &m->ir->field[field];
  bool            in_place = f->has_new && !makes_twice(m, field);
  for (int i = 0; in_place && i < m->njob; i++)
    in_place = leaves_oldest(&m->job[i], field, 1 - f->history);
  return f->history + f->has_new - in_place;
}

/* ---- columns ---- */

/* Cells beyond the low (0) and high (1) end that some statement reads. */
static int pad_of(const ik_wse2_mapping *m, int field, int side) {
  const ik_field *f = &m->ir->field[field];
  int64_t         most = 0;
  for (int j = 0; f->on[2] && j < m->njob; j++)
    for (int i = 0; m->job[j].code && i < m->job[j].code->nvalue; i++) {
      const ik_expr *e = m->job[j].code->value[i].leaf;
      const ik_box  *b = &m->job[j].stmt->box;
      if (!ik_wse2_is_column(&m->job[j].code->value[i]) || e->id != field) continue;
      most = ik_max(most, side ? b->hi[2] + e->off[2] - f->box.hi[2]
                               : f->box.lo[2] - b->lo[2] - e->off[2]);
    }
  return (int)most;
}

/* As long as whole pieces. */
static ik_wse2_array array_of(const ik_wse2_mapping *m, int field) {
  const ik_field *f = &m->ir->field[field];
  ik_wse2_array   x = {.length = 1, .levels = levels_of(m, field)};
  if (!f->on[2]) return x;
  int64_t cells = ik_max(f->box.hi[2] - f->box.lo[2], (int64_t)m->chunks * m->chunk);
  x.pad = pad_of(m, field, 0);
  x.length = x.pad + (int)cells + pad_of(m, field, 1);
  return x;
}

int ik_wse2_word(const ik_wse2_layout *l, int field, int level, int64_t z) {
  const ik_field      *f = &l->map->ir->field[field];
  const ik_wse2_array *x = &l->field[field];
  int                  slot = f->has_new ? 1 - level : -level;
  int64_t              cell = f->on[2] ? z - f->box.lo[2] : 0;
  return x->at + slot % x->levels * x->length + x->pad + (int)cell;
}

/* ---- what the host provides ---- */

int ik_wse2_given_at(const ik_wse2_givens *g, const ik_expr *leaf) {
  for (int i = 0; i < g->n; i++)
    if (g->given[i].leaf == leaf) return g->given[i].at;
  return -1;
}

static void place_given(ik_wse2_layout *l, ik_arena *a, ik_wse2_source source, int size,
                        ik_wse2_givens *out) {
  const ik_wse2_mapping *m = l->map;
  for (int j = 0; j < m->njob; j++)
    for (int i = 0; m->job[j].code && i < m->job[j].code->nvalue; i++) {
      const ik_wse2_value *v = &m->job[j].code->value[i];
      if (v->source != source || v->leaf->op == IK_OP_CONST) continue;
      if (ik_wse2_given_at(out, v->leaf) >= 0) continue;
      IK_PUSH(a, out->given, out->n, out->cap, ((ik_wse2_given){v->leaf, l->words}));
      l->words += size;
    }
}

/* ---- what arrives ---- */

int ik_wse2_slots(const ik_wse2_exchange *x) {
  int slots = 0, row = 1 + x->reach[IK_WSE2_EAST] + x->reach[IK_WSE2_WEST];
  if (x->box) return row * (1 + x->reach[IK_WSE2_SOUTH] + x->reach[IK_WSE2_NORTH]);
  for (int d = 0; d < IK_WSE2_DIRECTIONS; d++) slots += x->reach[d] ? x->reach[d] + 1 : 0;
  return slots;
}

static int direction_of(int dx, int dy) {
  if (dx) return dx < 0 ? IK_WSE2_EAST : IK_WSE2_WEST;
  return dy < 0 ? IK_WSE2_SOUTH : IK_WSE2_NORTH;
}

int ik_wse2_slot(const ik_wse2_exchange *x, int dx, int dy) {
  int row = 1 + x->reach[IK_WSE2_EAST] + x->reach[IK_WSE2_WEST], slot = 0;
  if (x->box) return (dy + x->reach[IK_WSE2_SOUTH]) * row + dx + x->reach[IK_WSE2_EAST];
  int d = direction_of(dx, dy);
  if (!dx && !dy) /* itself, in the first direction that there is */
    for (d = 0; !x->reach[d];) d++;
  for (int i = 0; i < d; i++) slot += x->reach[i] ? x->reach[i] + 1 : 0;
  return slot + abs(dx + dy);
}

int ik_wse2_slot_words(const ik_wse2_mapping *m, const ik_wse2_exchange *x) {
  return m->ir->field[x->field].on[2] ? m->chunk + x->dz[0] + x->dz[1] : 1;
}

int ik_wse2_slot_at(const ik_wse2_layout *l, const ik_wse2_job *j, int exchange, int slot) {
  int at = l->buffer;
  for (int i = 0; i < exchange; i++)
    at += ik_wse2_slots(&j->exchange[i]) * ik_wse2_slot_words(l->map, &j->exchange[i]);
  return at + slot * ik_wse2_slot_words(l->map, &j->exchange[exchange]);
}

static int buffer_words(const ik_wse2_mapping *m) {
  int most = 0;
  for (int j = 0; j < m->njob; j++) {
    int words = 0;
    for (int i = 0; i < m->job[j].nexchange; i++)
      words +=
          ik_wse2_slots(&m->job[j].exchange[i]) * ik_wse2_slot_words(m, &m->job[j].exchange[i]);
    most = ik_max_int(most, words);
  }
  return most;
}

/* ---- registers ---- */

static int register_words(const ik_wse2_mapping *m) {
  int most = 1;
  for (int j = 0; j < m->njob; j++)
    if (m->job[j].code) most = ik_max_int(most, m->job[j].code->nreg);
  return (m->chunks + most - 1) * m->chunk;
}

int ik_wse2_register_at(const ik_wse2_layout *l, int reg, int64_t z, int64_t base) {
  const ik_wse2_mapping *m = l->map;
  if (reg == 0) return l->reg + (int)(z - m->first[2]);
  return l->reg + (m->chunks + reg - 1) * m->chunk + (int)(z - base);
}

static bool reduces(const ik_wse2_mapping *m) {
  for (int j = 0; j < m->njob; j++)
    if (m->job[j].code && m->job[j].stmt->kind == IK_REDUCE) return true;
  return false;
}

/* ---- all together ---- */

void ik_wse2_layout_of(const ik_wse2_mapping *m, ik_arena *a, ik_wse2_layout *out) {
  *out = (ik_wse2_layout){.map = m, .field = IK_NEW_N(a, ik_wse2_array, m->ir->nfield)};
  for (int f = 0; f < m->ir->nfield; f++) {
    out->field[f] = array_of(m, f);
    out->field[f].at = out->words;
    out->words += out->field[f].length * out->field[f].levels;
  }
  place_given(out, a, IK_WSE2_MADE, m->chunks * m->chunk, &out->made);
  place_given(out, a, IK_WSE2_NUMBER, 1, &out->number);
  out->partial = out->words, out->words += reduces(m);
  out->buffer = out->words, out->words += buffer_words(m);
  out->reg = out->words, out->words += register_words(m);
  out->scratch = out->words, out->words += m->scratch ? IK_WSE2_SCRATCH * m->chunk : 0;
}

static void count_bytes(ik_wse2_mapping *m, ik_arena *a) {
  ik_wse2_layout l;
  ik_wse2_layout_of(m, a, &l);
  m->bytes.received = 4 * (l.reg - l.buffer);
  m->bytes.registers = 4 * (l.words - l.reg);
  m->bytes.total = 4 * l.words;
  m->bytes.fields = m->bytes.temporaries = 0;
  for (int f = 0; f < m->ir->nfield; f++)
    *(m->ir->field[f].kind == IK_FIELD_TEMP ? &m->bytes.temporaries : &m->bytes.fields) +=
        4 * l.field[f].length * l.field[f].levels;
}

static void cut(ik_wse2_mapping *m, int chunks, ik_arena *a) {
  m->chunks = chunks;
  m->chunk = (int)((m->column + chunks - 1) / chunks);
  count_bytes(m, a);
}

static ik_status does_not_fit(const ik_wse2_mapping *m, const ik_wse2_timing *t, ik_diag *d) {
  const ik_wse2_bytes *b = &m->bytes;
  ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
          "wse2: a column of %lld cells needs %d bytes of the %d that an element has, of which %d "
          "are for its code",
          (long long)m->column, b->total, t->sram, t->code);
  ik_help(d, "fields %d, temporaries %d, words that arrive %d, registers %d, the rest %d bytes",
          b->fields, b->temporaries, b->received, b->registers,
          b->total - b->fields - b->temporaries - b->received - b->registers);
  return IK_ERR_UNSUPPORTED;
}

ik_status ik_wse2_memory_plan(ik_wse2_mapping *m, const ik_wse2_timing *t, ik_arena *a,
                              ik_diag *d) {
  if (4 * m->column > t->sram)
    return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN,
                   "wse2: a column of %lld cells alone needs %lld bytes of the %d that an element "
                   "has",
                   (long long)m->column, 4 * (long long)m->column, t->sram);
  int first = ik_wse2_chunks(m->column);
  for (int n = first; n <= m->column && n <= first + MOST_CUTS; n++) {
    cut(m, n, a);
    if (m->bytes.total <= t->sram - t->code) return IK_OK;
  }
  cut(m, first, a);
  return does_not_fit(m, t, d);
}
