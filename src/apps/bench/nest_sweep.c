/* nest_sweep.c: a sweep as ordered loops, with threads along the axes that it leaves free. */
#include "base/least.h"
#include "apps/bench/nest_writer.h"

typedef struct columns { /* along which axes are the columns of a sweep independent? */
  const ik_stmt *sweep;
  bool           free[IK_MAX_DIM];
  bool           ordered; /* some read is not behind along all swept axes: their order counts */
} columns;

static bool writes(const ik_stmt *list, const ik_expr *read) {
  for (const ik_stmt *s = list; s; s = s->next)
    if (s->field == read->id && s->level == read->level) return true;
  return false;
}

static void look_across(const ik_expr *e, void *ctx) {
  columns *c = ctx;
  if (e->op != IK_OP_READ || !writes(c->sweep->body, e)) return;
  for (int d = 0; d < IK_MAX_DIM; d++)
    if (e->off[d]) c->free[d] = false;
  for (int k = 0; k < c->sweep->naxes; k++)
    if (e->off[c->sweep->axis[k]] * c->sweep->dir[k] > 0) c->ordered = true;
}

static columns columns_of(const ik_ir *ir, const ik_stmt *sweep) {
  columns c = {.sweep = sweep};
  for (int d = 0; d < ir->ndim; d++) c.free[d] = !ik_nest_is_swept(sweep, d);
  for (const ik_stmt *s = sweep->body; s; s = s->next) ik_expr_each(s->value, look_across, &c);
  return c;
}

/* Memory is contiguous along x, so x goes innermost where the order of the axes is free. */
static void order_axes(const columns *c, int order[IK_MAX_DIM]) {
  const ik_stmt *s = c->sweep;
  for (int k = 0; k < s->naxes; k++) order[k] = k;
  for (int i = 0; i < s->naxes && !c->ordered; i++)
    for (int k = 0; k + 1 < s->naxes; k++)
      if (s->axis[order[k]] < s->axis[order[k + 1]]) {
        int swap = order[k];
        order[k] = order[k + 1], order[k + 1] = swap;
      }
}

static ik_box hull_of(const ik_stmt *list) {
  ik_box b = list->box;
  for (const ik_stmt *s = list; s; s = s->next)
    for (int d = 0; d < IK_MAX_DIM; d++) {
      b.lo[d] = ik_min(b.lo[d], s->box.lo[d]);
      b.hi[d] = ik_max(b.hi[d], s->box.hi[d]);
    }
  return b;
}

static void open_swept(ik_nest_writer *w, const ik_stmt *s, int k) {
  char      c = ik_nest_axes[s->axis[k]];
  long long lo = s->box.lo[s->axis[k]], hi = s->box.hi[s->axis[k]];
  if (s->dir[k] > 0)
    LINE("for (long %c = %lld; %c < %lld; %c++) {", c, lo, c, hi, c);
  else
    LINE("for (long %c = %lld; %c >= %lld; %c--) {", c, hi - 1, c, lo, c);
  w->indent++;
}

/* Is the cell of the loops around one of the nest's? */
static bool put_guard(ik_nest_writer *w, const ik_stmt *sweep, const ik_box *hull,
                      const bool outer[], const ik_box *b) {
  bool some = false;
  for (int d = 0; d < w->ir->ndim; d++) {
    const ik_box *range = ik_nest_is_swept(sweep, d) ? &sweep->box : outer[d] ? hull : NULL;
    if (!range) continue;
    const char *join = some ? " && " : "if (";
    if (range->lo[d] < b->lo[d] && range->hi[d] > b->hi[d]) {
      if (!some) ik_nest_begin_line(w);
      PUT("%s%c >= %lld && %c < %lld", join, ik_nest_axes[d], (long long)b->lo[d], ik_nest_axes[d],
          (long long)b->hi[d]);
    } else if (range->lo[d] < b->lo[d] || range->hi[d] > b->hi[d]) {
      if (!some) ik_nest_begin_line(w);
      PUT("%s%c %s %lld", join, ik_nest_axes[d], range->lo[d] < b->lo[d] ? ">=" : "<",
          (long long)(range->lo[d] < b->lo[d] ? b->lo[d] : b->hi[d]));
    } else {
      continue;
    }
    some = true;
  }
  if (some) PUT(") {\n"), w->indent++;
  return some;
}

/* Cells along x that belong to a part of the columns. */
static void open_part(ik_nest_writer *w, const ik_box *b) {
  long long lo = b->lo[0], hi = b->hi[0];
  LINE("for (long x = x0 > %lld ? x0 : %lld; x < (x1 < %lld ? x1 : %lld); x++) {", lo, lo, hi, hi);
  w->indent++;
}

/* The axes that are neither shared nor swept, for one nest of the body. */
static void put_level(ik_nest_writer *w, const ik_stmt *sweep, const ik_stmt *first,
                      const ik_stmt *end, const bool outer[], bool by_columns) {
  const ik_box *b = &first->box;
  int           opened = 0;
  bool          shared = by_columns;
  for (int d = 0; d < w->ir->ndim; d++) shared |= outer[d];
  for (int d = w->ir->ndim - 1; d >= 0; d--) {
    if (ik_nest_is_swept(sweep, d) || outer[d]) continue;
    if (d > 0 && !shared && ik_nest_extent(b, d) > 1) {
      ik_nest_put_parallel(w, b, d, false, "");
      shared = true;
    }
    if (d == 0 && ik_nest_extent(b, 0) > 1) ik_nest_put_simd(w, "");
    if (d == 0 && by_columns)
      open_part(w, b);
    else
      ik_nest_open_axis(w, b, d);
    opened++;
  }
  for (const ik_stmt *s = first; s != end; s = s->next) ik_nest_put_assign(w, first, s);
  ik_nest_close_axes(w, opened);
}

/* Columns in as many parts as there are threads. */
static void open_columns(ik_nest_writer *w, const ik_box *hull) {
  LINE("#pragma omp parallel for num_threads(p->threads) schedule(static)");
  LINE("for (long part = 0; part < p->threads; part++) {");
  w->indent++;
  LINE("const long x0 = %lld + part*%lld/p->threads;", (long long)hull->lo[0],
       (long long)ik_nest_extent(hull, 0));
  LINE("const long x1 = %lld + (part + 1)*%lld/p->threads;", (long long)hull->lo[0],
       (long long)ik_nest_extent(hull, 0));
}

static void put_sweep(ik_nest_writer *w, const ik_stmt *sweep) {
  columns c = columns_of(w->ir, sweep);
  ik_box  hull = hull_of(sweep->body);
  bool    outer[IK_MAX_DIM] = {false};
  int     order[IK_MAX_DIM] = {0}, opened = 0;
  order_axes(&c, order);
  for (int d = w->ir->ndim - 1; d > 0; d--) {
    if (!c.free[d] || ik_nest_extent(&hull, d) < 2) continue;
    if (!opened) LINE("#pragma omp parallel for num_threads(p->threads) schedule(static)");
    ik_nest_open_axis(w, &hull, d);
    outer[d] = true, opened++;
  }
  bool by_columns = !opened && c.free[0] && ik_nest_extent(&hull, 0) > 1;
  if (by_columns) open_columns(w, &hull), opened++;
  for (int k = 0; k < sweep->naxes; k++) open_swept(w, sweep, order[k]), opened++;
  for (const ik_stmt *s = sweep->body, *end; s; s = end) {
    end = ik_nest_end(s, sweep);
    if (ik_box_cells(&s->box) == 0) continue;
    bool guarded = put_guard(w, sweep, &hull, outer, &s->box);
    if (!guarded) LINE("{"), w->indent++;
    put_level(w, sweep, s, end, outer, by_columns);
    ik_nest_close_axes(w, 1);
  }
  ik_nest_close_axes(w, opened);
}

void ik_nest_write_sweep(ik_nest_writer *w, const ik_stmt *sweep) {
  ik_nest_forget_uses(w);
  for (const ik_stmt *s = sweep->body; s; s = s->next) ik_nest_use_statement(w, s);
  ik_nest_begin_function(w);
  ik_nest_declare_rest(w);
  put_sweep(w, sweep);
  ik_nest_end_function(w);
}
