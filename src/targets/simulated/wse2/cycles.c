#include "targets/simulated/wse2/cycles.h"
#include "base/least.h"

/* Elements in a rectangle, each at a place of the grid. */
typedef struct rectangle {
  const ik_wse2_layout *l;
  int                   nx, ny;
  int64_t              *place[2]; /* [nx], [ny] */
  ik_arena              arena;
  ik_wse2_patch        *patch;
} rectangle;

static int low_part(int n) { return (n + 2) / 3; }
static int high_part(int n) { return n / 3; }

/* A third from the low border, a third from the middle, a third from the high one; all, if there
 * are no more. */
static int64_t *places(const ik_wse2_mapping *m, int axis, int n, ik_arena *a) {
  int64_t *place = IK_NEW_N(a, int64_t, n), size = m->size[axis];
  int      low = low_part(n), high = high_part(n);
  for (int i = 0; i < n; i++)
    place[i] = m->first[axis] + (i < low        ? i
                                 : i < n - high ? size / 2 - (n - low - high) / 2 + i - low
                                                : size - n + i);
  for (int i = 0; n == size && i < n; i++) place[i] = m->first[axis] + i;
  return place;
}

static ik_status no_memory(ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for simulated elements");
}

static ik_status make_programs(rectangle *r, const ik_wse2_timing *t, ik_wse2_list list,
                               ik_diag *d) {
  if (setjmp(r->arena.oom)) return no_memory(d);
  const ik_wse2_mapping  *m = r->l->map;
  const ik_wse2_program **program = IK_NEW_N(&r->arena, const ik_wse2_program *, r->nx * r->ny);
  r->place[0] = places(m, 0, r->nx, &r->arena);
  r->place[1] = places(m, 1, r->ny, &r->arena);
  for (int y = 0; y < r->ny; y++)
    for (int x = 0; x < r->nx; x++) {
      int64_t at[2] = {r->place[0][x], r->place[1][y]};
      program[y * r->nx + x] =
          ik_wse2_program_of(r->l, list.first, list.end, at, list.step, &r->arena);
    }
  return ik_wse2_patch_create(t, r->nx, r->ny, m->radius, program, d, &r->patch);
}

/* The part of a line that its borders do not reach: it stands for the middle of the grid. */
static bool is_inner(const ik_wse2_mapping *m, int axis, int i, int n) {
  int radius = ik_max_int(m->radius[2 * axis], m->radius[2 * axis + 1]);
  return i >= ik_max_int(radius, low_part(n)) && i < n - ik_max_int(radius, high_part(n));
}

/* How many elements of the fabric's lines one of the patch stands for. */
static double weight(const ik_wse2_mapping *m, int axis, int i, int n) {
  int inner = 0;
  for (int k = 0; k < n; k++) inner += is_inner(m, axis, k, n);
  return is_inner(m, axis, i, n) ? (double)(m->size[axis] - n + inner) / inner : 1;
}

static void count_fabric(const rectangle *r, ik_wse2_time *out) {
  for (int y = 0; y < r->ny; y++)
    for (int x = 0; x < r->nx; x++) {
      const ik_wse2_counts *c = ik_wse2_patch_counts(r->patch, x, y);
      double                many = weight(r->l->map, 0, x, r->nx) * weight(r->l->map, 1, y, r->ny);
      out->flops += many * (double)c->flops, out->needless += many * (double)c->needless;
      out->words += many * (double)c->fabric_received;
    }
}

static ik_status run(rectangle *r, ik_timeline *timeline, ik_diag *d, ik_wse2_time *out) {
  if (ik_wse2_patch_run(r->patch, 1, timeline) != IK_MESH_ENDED)
    return ik_fail(d, IK_ERR_NUMERIC, IK_E074, IK_NOSPAN,
                   "deadlock: the simulated wafer stopped before the end of the program");
  *out = (ik_wse2_time){.nx = r->nx,
                        .ny = r->ny,
                        .cycles = ik_wse2_patch_total(r->patch).cycles,
                        .middle = *ik_wse2_patch_counts(r->patch, r->nx / 2, r->ny / 2)};
  count_fabric(r, out);
  return IK_OK;
}

static void end(rectangle *r) {
  ik_wse2_patch_destroy(&r->patch);
  ik_arena_free(&r->arena);
}

/* Steps after which broadcasts along an axis, in both directions, are where they began. */
static int period(const ik_wse2_mapping *m, int axis) {
  int a = m->radius[2 * axis] + 1, b = m->radius[2 * axis + 1] + 1, n = a;
  while (n % b) n += a;
  return n;
}

static int line_of(const ik_wse2_mapping *m, int axis, int more) {
  enum { LEAST = 9 };
  int     radius = ik_max_int(m->radius[2 * axis], m->radius[2 * axis + 1]), p = period(m, axis);
  int64_t n = ik_max_int(LEAST, 2 * radius + 1);
  while (n % p != m->size[axis] % p) n++;
  return (int)ik_min(m->size[axis], n + more * p);
}

ik_status ik_wse2_time_of(const ik_wse2_layout *l, const ik_wse2_timing *t, ik_wse2_list list,
                          int more, ik_timeline *timeline, ik_diag *d, ik_wse2_time *out) {
  rectangle r = {.l = l, .nx = line_of(l->map, 0, more), .ny = line_of(l->map, 1, more)};
  ik_arena_init(&r.arena);
  ik_status st = make_programs(&r, t, list, d);
  if (!st) st = run(&r, timeline, d, out);
  end(&r);
  return st;
}

static bool reduces(const ik_wse2_list *list) {
  for (const ik_stmt *s = list->first; s != list->end; s = s->next)
    if (s->kind == IK_REDUCE) return true;
  return false;
}

ik_status ik_wse2_longer_way(const ik_wse2_layout *l, const ik_wse2_timing *t, ik_wse2_list list,
                             const ik_wse2_time *patch, ik_diag *d, double *out) {
  const ik_wse2_mapping *m = l->map;
  int64_t                way = m->size[0] + m->size[1] - patch->nx - patch->ny;
  ik_wse2_time           larger = {0};
  *out = 0;
  if (way == 0 || !reduces(&list)) return IK_OK;
  IK_TRY(ik_wse2_time_of(l, t, list, 1, NULL, d, &larger));
  int more = larger.nx + larger.ny - patch->nx - patch->ny;
  *out = (double)(larger.cycles - patch->cycles) / more * (double)way;
  return IK_OK;
}

/* ---- values ---- */

typedef struct mover {
  const ik_wse2_layout *l;
  const ik_stmt        *since; /* done before, up to the first of the list */
  ik_wse2_list          list;
  ik_state             *s;
  ik_interp            *in;
  ik_rows              *rows;
  int64_t               at[IK_MAX_DIM];
  float                *memory;
} mover;

static bool holds(const ik_field *f, int axis, int64_t i) {
  return !f->on[axis] || (i >= f->box.lo[axis] && i < f->box.hi[axis]);
}

static bool has_value(const ik_field *f, int64_t z) {
  if (holds(f, 2, z)) return true;
  return f->bc[2][z >= f->box.hi[2]].kind != IK_BC_NONE;
}

static void load_level(mover *m, int field, int level) {
  const ik_field      *f = &m->s->ir->field[field];
  const ik_wse2_array *x = &m->l->field[field];
  int64_t              lo = f->box.lo[2] - x->pad;
  for (int64_t z = lo; z < lo + x->length; z++) {
    int64_t at[IK_MAX_DIM] = {m->at[0], m->at[1], z};
    if (has_value(f, z))
      m->memory[ik_wse2_word(m->l, field, level, z)] =
          (float)ik_interp_read(m->in, field, level, at);
  }
}

static bool is_made_here(const mover *m, const ik_stmt *s) {
  for (int d = 0; d < 2; d++)
    if (m->at[d] < s->box.lo[d] || m->at[d] >= s->box.hi[d]) return false;
  return s->kind == IK_ASSIGN;
}

/* New values that are already there have taken the place of the oldest. */
static void load_new(mover *m) {
  for (const ik_stmt *s = m->since; s != m->list.first; s = s->next) {
    if (!is_made_here(m, s) || s->level != 1) continue;
    for (int64_t z = s->box.lo[2]; z < s->box.hi[2]; z++) {
      int64_t at[IK_MAX_DIM] = {m->at[0], m->at[1], z};
      m->memory[ik_wse2_word(m->l, s->field, 1, z)] = (float)ik_state_get(m->s, s->field, 1, at);
    }
  }
}

static void load_fields(mover *m) {
  for (int n = 0; n < m->s->ir->nfield; n++) {
    const ik_field *f = &m->s->ir->field[n];
    if (!holds(f, 0, m->at[0]) || !holds(f, 1, m->at[1])) continue;
    bool alone = m->l->field[n].levels == f->history + f->has_new;
    for (int level = f->has_new && alone ? 1 : 0; level > -f->history; level--)
      load_level(m, n, level);
  }
  load_new(m);
}

static void load_given(mover *m) {
  for (int i = 0; i < m->l->number.n; i++) {
    const ik_wse2_given *g = &m->l->number.given[i];
    m->memory[g->at] = (float)ik_interp_scalar(m->in, g->leaf);
  }
  for (int i = 0; i < m->l->made.n; i++)
    for (int64_t k = 0; k < m->l->map->column; k++) {
      double        out[IK_ROWS_CELLS];
      const int64_t at[IK_MAX_DIM] = {m->at[0], m->at[1], m->l->map->first[2] + k};
      m->memory[m->l->made.given[i].at + k] =
          (float)ik_rows_eval(m->rows, m->l->made.given[i].leaf, at, 1, m->s->t, out)[0];
    }
}

static void store_list(mover *m, const ik_stmt *first, const ik_stmt *last) {
  for (const ik_stmt *s = first; s != last; s = s->next) {
    if (s->kind == IK_SWEEP) store_list(m, s->body, NULL);
    const ik_wse2_job *j = ik_wse2_job_of(m->l->map, s);
    if (!j || !j->code) continue;
    if (s->kind == IK_REDUCE) m->s->scalar[s->scalar] = (double)m->memory[m->l->partial];
    if (!is_made_here(m, s)) continue;
    for (int64_t z = s->box.lo[2]; z < s->box.hi[2]; z++) {
      m->at[2] = z;
      ik_state_put(m->s, s->field, s->level, m->at,
                   (double)m->memory[ik_wse2_word(m->l, s->field, s->level, z)]);
    }
  }
}

static int rows_of(const ik_wse2_layout *l) {
  int most = 1;
  for (int i = 0; i < l->made.n; i++) most = ik_max_int(most, ik_rows_need(l->made.given[i].leaf));
  return most;
}

static void move(rectangle *r, mover *m, bool back) {
  for (int y = 0; y < r->ny; y++)
    for (int x = 0; x < r->nx; x++) {
      m->at[0] = r->place[0][x], m->at[1] = r->place[1][y];
      m->memory = ik_wse2_patch_memory(r->patch, x, y);
      if (back)
        store_list(m, m->list.first, m->list.end);
      else
        load_fields(m), load_given(m);
    }
}

ik_status ik_wse2_replay(const ik_wse2_layout *l, const ik_wse2_timing *t, const ik_stmt *since,
                         ik_wse2_list list, ik_state *s, ik_interp *in, ik_timeline *timeline,
                         ik_diag *d, ik_wse2_time *out) {
  rectangle r = {.l = l, .nx = (int)l->map->size[0], .ny = (int)l->map->size[1]};
  ik_rows   rows = {0};
  mover     m = {.l = l, .since = since, .list = list, .s = s, .in = in, .rows = &rows};
  ik_arena_init(&r.arena);
  ik_status st = ik_rows_init(&rows, s, rows_of(l)) ? IK_OK : no_memory(d);
  if (!st) st = make_programs(&r, t, list, d);
  if (!st) move(&r, &m, false);
  if (!st) st = run(&r, timeline, d, out);
  if (!st) move(&r, &m, true);
  ik_rows_free(&rows);
  end(&r);
  return st;
}
