#include "targets/simulated/wormhole/chip.h"
#include "base/mem.h"
#include "facts/subject.h"
#include "targets/simulated/wormhole/numeric.h"
#include <string.h>

enum { TILE = IK_WORMHOLE_TILE, COLUMNS = IK_WORMHOLE_COLUMNS, ROWS = IK_WORMHOLE_ROWS };

/* ---- memory ---- */

static size_t tile_bytes(const ik_wormhole_map *m, int field) {
  return (size_t)TILE * (size_t)ik_type_bytes(m->ir->field[field].type);
}

static size_t vector_bytes(const ik_wormhole_map *m, int field) {
  return (size_t)ik_wormhole_cores(m) * (size_t)m->levels * tile_bytes(m, field);
}

int ik_wormhole_most_ops(const ik_wormhole_map *m) {
  int n = 1;
  for (int i = 0; i < m->ncode; i++)
    if (m->code[i].n > n) n = m->code[i].n;
  return n;
}

static bool has_level(const ik_field *f, int level) {
  return level <= f->has_new && level > -f->history;
}

int64_t ik_wormhole_chip_bytes(const ik_wormhole_map *m) {
  int64_t n = (int64_t)(ik_wormhole_most_ops(m) + ik_wormhole_cores(m)) * TILE *
              (int64_t)sizeof(float),
          most = 0;
  for (int f = 0; f < m->ir->nfield; f++) {
    int64_t one = (int64_t)vector_bytes(m, f);
    n += one * (m->ir->field[f].history + m->ir->field[f].has_new);
    if (one > most) most = one;
  }
  return n + most;
}

static bool make_vectors(ik_wormhole_chip *c) {
  const ik_ir *ir = c->map->ir;
  size_t       most = 0;
  for (int f = 0; f < ir->nfield; f++) {
    size_t n = vector_bytes(c->map, f);
    for (int level = 1; level > -IK_MAX_HISTORY; level--) {
      if (!has_level(&ir->field[f], level)) continue;
      unsigned char *v = c->vector[ik_value_of(f, level)] = ik_calloc(1, n);
      if (!v) return false;
    }
    if (n > most) most = n;
  }
  return (c->spare = ik_calloc(1, most)) != NULL;
}

ik_status ik_wormhole_chip_create(const ik_wormhole_map *m, ik_interp *host, ik_diag *d,
                                  ik_wormhole_chip **out) {
  ik_wormhole_chip *c = ik_calloc(1, sizeof *c);
  *out = c;
  if (c) {
    c->map = m, c->host = host;
    c->vector = ik_calloc((size_t)ik_values_of(m->ir), sizeof *c->vector);
    c->reg = ik_calloc((size_t)ik_wormhole_most_ops(m) * TILE, sizeof *c->reg);
    c->partial = ik_calloc((size_t)ik_wormhole_cores(m) * TILE, sizeof *c->partial);
    c->used = ik_calloc((size_t)ik_values_of(m->ir), sizeof *c->used);
    c->hop = ik_calloc((size_t)ik_wormhole_cores(m), sizeof *c->hop);
    if (c->hop) ik_wormhole_route(m, c->hop);
    if (c->vector && c->reg && c->partial && c->used && c->hop && make_vectors(c)) return IK_OK;
  }
  ik_wormhole_chip_destroy(out);
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the cores of wormhole");
}

void ik_wormhole_chip_destroy(ik_wormhole_chip **chip) {
  ik_wormhole_chip *c = *chip;
  if (!c) return;
  for (int i = 0; c->vector && i < ik_values_of(c->map->ir); i++) ik_free(c->vector[i]);
  ik_free(c->vector), ik_free(c->spare), ik_free(c->reg), ik_free(c->partial);
  ik_free(c->used), ik_free(c->hop);
  ik_free(c);
  *chip = NULL;
}

static unsigned char *tile_in(const ik_wormhole_chip *c, unsigned char *vector, int field, int core,
                              int64_t k) {
  return vector + (size_t)(core * c->map->levels + k) * tile_bytes(c->map, field);
}

void *ik_wormhole_tile(const ik_wormhole_chip *c, int field, int level, int core, int64_t k) {
  return tile_in(c, c->vector[ik_value_of(field, level)], field, core, k);
}

/* ---- from and to the host ---- */

/* Cells of a row along axis 0 from x on, to or from elements of one column of tiles. */
static inline __attribute__((always_inline)) void
move_row(unsigned char *element, unsigned char *cell, size_t bytes, int64_t n, bool up) {
  for (int64_t i = 0; i < n; i++, element += bytes * COLUMNS, cell += bytes)
    memcpy(up ? element : cell, up ? cell : element, bytes);
}

/* All cells of a field, to the cores or back. */
static void move(const ik_wormhole_chip *c, const ik_state *s, int f, int level, bool up) {
  const ik_field *q = &c->map->ir->field[f];
  unsigned char  *data = ik_state_data(s, f, level);
  size_t          bytes = (size_t)ik_type_bytes(q->type);
  int64_t         at[IK_MAX_DIM], end;
  for (at[2] = q->box.lo[2]; at[2] < q->box.hi[2]; at[2]++)
    for (at[1] = q->box.lo[1]; at[1] < q->box.hi[1]; at[1]++)
      for (at[0] = q->box.lo[0]; at[0] < q->box.hi[0]; at[0] = end) {
        int            core = (int)(at[0] / ROWS * c->map->cores[1] + at[1] / COLUMNS);
        size_t         e = (size_t)(at[0] % ROWS * COLUMNS + at[1] % COLUMNS);
        unsigned char *element = ik_wormhole_tile(c, f, level, core, at[2]);
        unsigned char *cell = data + (size_t)ik_state_index(s, f, at) * bytes;
        end = (at[0] / ROWS + 1) * ROWS;
        if (end > q->box.hi[0]) end = q->box.hi[0];
        if (bytes == 4)
          move_row(element + e * 4, cell, 4, end - at[0], up);
        else
          move_row(element + e * 2, cell, 2, end - at[0], up);
      }
}

static void mark(const ik_wormhole_chip *c, const ik_stmt *s, bool *used) {
  if (s->kind != IK_ASSIGN && s->kind != IK_REDUCE) return;
  const ik_wormhole_code *code = ik_wormhole_code_of(c->map, s);
  if (s->kind == IK_ASSIGN) used[ik_value_of(s->field, s->level)] = true;
  for (int i = 0; i < code->n; i++)
    if (code->op[i].kind == IK_WORMHOLE_READ)
      used[ik_value_of(code->op[i].field, code->op[i].level)] = true;
}

void ik_wormhole_upload(ik_wormhole_chip *c, const ik_state *s, const ik_stmt *first,
                        const ik_stmt *end) {
  const ik_ir *ir = c->map->ir;
  memset(c->used, 0, (size_t)ik_values_of(ir) * sizeof *c->used);
  for (const ik_stmt *t = first; t != end; t = t->next) mark(c, t, c->used);
  for (int f = 0; f < ir->nfield; f++)
    for (int level = 1; level > -IK_MAX_HISTORY; level--)
      if (c->used[ik_value_of(f, level)]) move(c, s, f, level, true);
}

void ik_wormhole_download(const ik_wormhole_chip *c, ik_state *s, const ik_stmt *first,
                          const ik_stmt *end) {
  for (const ik_stmt *t = first; t != end; t = t->next)
    if (t->kind == IK_ASSIGN) move(c, s, t->field, t->level, false);
}

/* ---- operations ---- */

int ik_wormhole_neighbour(const ik_wormhole_map *m, int core, ik_wormhole_side s) {
  static const int di[] = {-1, 1, 0, 0}, dj[] = {0, 0, -1, 1};
  int              i = core / m->cores[1] + di[s], j = core % m->cores[1] + dj[s];
  bool             inside = i >= 0 && i < m->cores[0] && j >= 0 && j < m->cores[1];
  return inside ? i * m->cores[1] + j : -1;
}

void ik_wormhole_numbers(const ik_wormhole_chip *c, const ik_wormhole_code *code, float *reg) {
  for (int i = 0; i < code->n; i++) {
    const ik_expr *e = code->op[i].number;
    if (!e) continue;
    double v = ik_interp_scalar(c->host, e);
    float  f = (float)(e->type == IK_BOOL ? v : ik_rule_enter(&c->map->rule, v));
    for (int k = 0; k < TILE; k++) reg[(size_t)i * TILE + (size_t)k] = f;
  }
}

static void read_tile(const ik_wormhole_chip *c, const ik_wormhole_op *op, int core, int64_t k,
                      float *out) {
  int64_t at = k + op->dz;
  if (at < 0 || at >= c->map->levels)
    memset(out, 0, TILE * sizeof *out);
  else
    ik_wormhole_unpack(op->type, ik_wormhole_tile(c, op->field, op->level, core, at), out, TILE);
}

void ik_wormhole_execute(const ik_wormhole_chip *c, const ik_wormhole_code *code, int i, int core,
                         int64_t k, const float *rows, float *reg) {
  const ik_wormhole_op *op = &code->op[i];
  float                *out = reg + (size_t)i * TILE;
  const float          *arg[3];
  for (int n = 0; n < 3; n++) arg[n] = op->arg[n] < 0 ? NULL : reg + (size_t)op->arg[n] * TILE;
  switch (op->kind) {
  case IK_WORMHOLE_READ: read_tile(c, op, core, k, out); break;
  case IK_WORMHOLE_NUMBER: break; /* there already */
  case IK_WORMHOLE_TRANSPOSE: ik_wormhole_transpose(arg[0], out); break;
  case IK_WORMHOLE_SHIFT:
    ik_wormhole_shift(arg[0], op->side, out);
    ik_wormhole_patch(out, op->side, rows);
    break;
  case IK_WORMHOLE_MATH: ik_wormhole_math(&c->map->rule, op->op, op->type, arg, out, TILE); break;
  }
}

void ik_wormhole_collect(const ik_wormhole_chip *c, const ik_wormhole_code *code, int op, int core,
                         int64_t k, float *rows) {
  const ik_wormhole_op *shift = &code->op[op], *from = &code->op[shift->arg[0]];
  int                   other = ik_wormhole_neighbour(c->map, core, shift->side);
  float                 tile[TILE], turned[TILE];
  memset(rows, 0, IK_WORMHOLE_HALO * sizeof *rows);
  if (other < 0) return;
  bool across = from->kind == IK_WORMHOLE_TRANSPOSE;
  read_tile(c, across ? &code->op[from->arg[0]] : from, other, k, tile);
  if (across) ik_wormhole_transpose(tile, turned);
  ik_wormhole_halo(across ? turned : tile, shift->side, rows);
}

/* ---- results ---- */

/* Which elements of a core's tiles the statement is for. */
static bool in_box(const ik_wormhole_map *m, const ik_box *b, int core, int e) {
  int64_t x = (int64_t)(core / m->cores[1]) * ROWS + e / COLUMNS;
  int64_t y = (int64_t)(core % m->cores[1]) * COLUMNS + e % COLUMNS;
  return x >= b->lo[0] && x < b->hi[0] && y >= b->lo[1] && y < b->hi[1];
}

static void store(const ik_wormhole_chip *c, const ik_wormhole_code *code, const bool *mask,
                  int core, int64_t k, const float *v) {
  const ik_stmt *s = code->stmt;
  ik_type        t = c->map->ir->field[s->field].type;
  float          packed[TILE];
  unsigned char *home = code->spare ? tile_in(c, c->spare, s->field, core, k)
                                    : ik_wormhole_tile(c, s->field, s->level, core, k);
  if (!mask) {
    ik_wormhole_pack(t, v, home, TILE);
    return;
  }
  size_t bytes = (size_t)ik_type_bytes(t);
  ik_wormhole_pack(t, v, packed, TILE);
  for (size_t e = 0; e < TILE; e++)
    if (mask[e]) memcpy(home + e * bytes, (unsigned char *)packed + e * bytes, bytes);
}

void ik_wormhole_finish(const ik_wormhole_chip *c, const ik_wormhole_code *code, int core,
                        int64_t k, const float *reg, float *partial) {
  const ik_stmt *s = code->stmt;
  const float   *v = reg + (size_t)code->result * TILE;
  bool           mask[TILE];
  if (k < s->box.lo[2] || k >= s->box.hi[2]) return;
  for (int e = 0; code->partial && e < TILE; e++) mask[e] = in_box(c->map, &s->box, core, e);
  const bool *only = code->partial ? mask : NULL;
  if (s->kind == IK_ASSIGN)
    store(c, code, only, core, k, v);
  else
    ik_wormhole_accumulate(&c->map->rule, s->reduce, partial, v, only, TILE);
}

void ik_wormhole_prepare(const ik_wormhole_chip *c, const ik_wormhole_code *code, int core) {
  const ik_stmt *s = code->stmt;
  if (code->spare)
    memcpy(tile_in(c, c->spare, s->field, core, 0),
           ik_wormhole_tile(c, s->field, s->level, core, 0),
           (size_t)c->map->levels * tile_bytes(c->map, s->field));
}

void ik_wormhole_settle(const ik_wormhole_chip *c, const ik_wormhole_code *code) {
  const ik_stmt *s = code->stmt;
  if (code->spare)
    memcpy(c->vector[ik_value_of(s->field, s->level)], c->spare, vector_bytes(c->map, s->field));
}

/* ---- reductions ---- */

void ik_wormhole_clear(ik_reduce how, float *partial) {
  for (int e = 0; e < TILE; e++) partial[e] = (float)ik_rule_neutral(how);
}

void ik_wormhole_merge(const ik_rule *r, ik_reduce how, float *partial, const float *other) {
  ik_wormhole_accumulate(r, how, partial, other, NULL, r->whole_tiles ? TILE : 1);
}

void ik_wormhole_fold(const ik_rule *r, ik_reduce how, float *partial) {
  for (int e = 1; e < TILE; e++) ik_wormhole_accumulate(r, how, partial, partial + e, NULL, 1);
}

static double reduce(const ik_wormhole_chip *c, ik_reduce how) {
  const ik_wormhole_map *m = c->map;
  int                    cores = ik_wormhole_cores(m);
  for (int i = 0; i < cores && !m->rule.whole_tiles; i++)
    ik_wormhole_fold(&m->rule, how, c->partial + (size_t)i * TILE);
  for (int i = 0; i < cores - 1; i++)
    ik_wormhole_merge(&m->rule, how, c->partial + (size_t)c->hop[i].to * TILE,
                      c->partial + (size_t)c->hop[i].from * TILE);
  float *root = c->partial + (size_t)ik_wormhole_root(m) * TILE;
  if (m->rule.whole_tiles) ik_wormhole_fold(&m->rule, how, root);
  return root[0];
}

double ik_wormhole_compute(ik_wormhole_chip *c, const ik_wormhole_code *code) {
  const ik_stmt *s = code->stmt;
  float          rows[IK_WORMHOLE_HALO];
  ik_wormhole_numbers(c, code, c->reg);
  for (int core = 0; core < ik_wormhole_cores(c->map); core++) {
    float *partial = c->partial + (size_t)core * TILE;
    ik_wormhole_prepare(c, code, core);
    ik_wormhole_clear(s->reduce, partial);
    for (int64_t k = 0; k < c->map->levels; k++) {
      for (int i = 0; i < code->n; i++) {
        if (code->op[i].kind == IK_WORMHOLE_SHIFT) ik_wormhole_collect(c, code, i, core, k, rows);
        ik_wormhole_execute(c, code, i, core, k, rows, c->reg);
      }
      ik_wormhole_finish(c, code, core, k, c->reg, partial);
    }
  }
  ik_wormhole_settle(c, code);
  return s->kind == IK_REDUCE ? reduce(c, s->reduce) : 0;
}
