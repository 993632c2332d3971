#include "targets/simulated/wormhole/map.h"
#include "base/text.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static ik_status refuse(ik_diag *d, ik_span at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static ik_status refuse(ik_diag *d, ik_span at, const char *fmt, ...) {
  char    why[300];
  va_list ap;
  va_start(ap, fmt);
  ik_vformat(why, sizeof why, fmt, ap);
  va_end(ap);
  return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, at, "wormhole cannot run this: %s", why);
}

/* ---- overrides ---- */

typedef struct overrides { /* 0: none, the numbers of others as in `known` below */
  int sum, unit, ties, phases, method, route;
} overrides;

enum { SUM_F32 = 1, SUM_BF16, FPU = 1, SFPU, AWAY = 1, ONE_PHASE = 1, WHOLE_TILES = 1, CENTRE = 1 };

static ik_status no_plan(ik_diag *d, const char *word, const char *why) {
  ik_error(d, IK_E081, IK_NOSPAN, "'%s' is not a plan for %s", word, why);
  return IK_ERR_SOURCE;
}

/* Of words that contradict each other the last one counts. */
static ik_status read_overrides(const char *text, ik_diag *d, overrides *w) {
  const struct {
    const char *word;
    int        *override, value;
  } known[] = {{"accumulate=f32", &w->sum, SUM_F32}, {"accumulate=bf16", &w->sum, SUM_BF16},
               {"unit=fpu", &w->unit, FPU},          {"unit=sfpu", &w->unit, SFPU},
               {"ties=even", &w->ties, 0},           {"ties=away", &w->ties, AWAY},
               {"phases=4", &w->phases, 0},          {"phases=1", &w->phases, ONE_PHASE},
               {"method=1", &w->method, 0},          {"method=2", &w->method, WHOLE_TILES},
               {"route=naive", &w->route, 0},        {"route=centre", &w->route, CENTRE}};
  char word[64];
  for (int n; text && sscanf(text, " %63s%n", word, &n) == 1; text += n) {
    size_t i = 0, all = sizeof known / sizeof *known;
    while (i < all && strcmp(known[i].word, word)) i++;
    if (i == all) {
      no_plan(d, word, "wormhole");
      ik_help(d, "it has accumulate=f32|bf16, unit=fpu|sfpu, phases=4|1, ties=even|away, "
                 "method=1|2 and route=naive|centre");
      return IK_ERR_SOURCE;
    }
    *known[i].override = known[i].value;
  }
  return IK_OK;
}

/* ---- what it can hold ---- */

static ik_status check_field(const ik_ir *ir, const ik_field *f, ik_diag *d) {
  if (f->type != IK_F32 && f->type != IK_BF16)
    return refuse(d, f->span, "'%s' is %s, and its units compute in f32 and bf16", f->name,
                  ik_type_name(f->type));
  for (int x = 0; x < ir->ndim; x++) {
    if (!f->on[x])
      return refuse(d, f->span, "'%s' is not on axis %s, and tiles are on all axes", f->name,
                    ir->axis[x]);
    if (f->box.lo[x] < 0 || f->box.hi[x] > ir->n[x])
      return refuse(d, f->span, "'%s' has cells beyond the grid along %s, where no core is",
                    f->name, ir->axis[x]);
  }
  return IK_OK;
}

static ik_status check_fields(const ik_ir *ir, ik_diag *d) {
  for (int f = 0; f < ir->nfield; f++) IK_TRY(check_field(ir, &ir->field[f], d));
  return IK_OK;
}

static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

static ik_status place(ik_wormhole_map *m, ik_diag *d) {
  static const int side[2] = {IK_WORMHOLE_ROWS, IK_WORMHOLE_COLUMNS};
  m->levels = m->ir->n[2];
  for (int x = 0; x < 2; x++) {
    int64_t n = ceil_div(m->ir->n[x], side[x]);
    if (n > m->figures.cores[x])
      return refuse(d, IK_NOSPAN,
                    "%" PRId64 " cells along %s are %" PRId64 " tiles of %d, and it has %d cores "
                    "in that direction",
                    m->ir->n[x], m->ir->axis[x], n, side[x], m->figures.cores[x]);
    m->cores[x] = (int)n;
  }
  return IK_OK;
}

/* ---- how it computes ---- */

static ik_status choose_rule(ik_wormhole_map *m, const overrides *w, ik_diag *d) {
  bool wide = w->unit == SFPU;
  for (int f = 0; f < m->ir->nfield; f++) wide = wide || m->ir->field[f].type == IK_F32;
  if (wide && w->sum == SUM_BF16) return no_plan(d, "accumulate=bf16", "arithmetic in f32");
  if (wide && w->phases == ONE_PHASE) return no_plan(d, "phases=1", "arithmetic in f32");
  m->fused = !wide;
  m->rule = (ik_rule){.type = wide ? IK_F32 : IK_BF16,
                      .sum = wide || w->sum == SUM_F32 ? IK_F32 : IK_BF16,
                      .ties_away = w->ties == AWAY,
                      .tf32 = wide && w->unit == FPU,
                      .coarse = w->phases == ONE_PHASE,
                      .tile = {IK_WORMHOLE_ROWS, IK_WORMHOLE_COLUMNS},
                      .whole_tiles = w->method == WHOLE_TILES};
  for (int x = 0; x < 2; x++) m->rule.root[x] = w->route == CENTRE ? (m->cores[x] - 1) / 2 : 0;
  return IK_OK;
}

typedef struct compiling {
  ik_wormhole_map  *m;
  ik_arena         *a;
  ik_diag          *d;
  ik_wormhole_code *code;
  int               n, room;
  ik_status         status;
} compiling;

static void compile(const ik_stmt *s, void *ctx) {
  compiling       *c = ctx;
  ik_wormhole_code code;
  if (c->status || !ik_rule_holds(c->m->ir, s)) return;
  if (s->kind == IK_SWEEP)
    c->status = refuse(c->d, s->span, "in a sweep each cell waits for the one before");
  if (s->kind != IK_ASSIGN && s->kind != IK_REDUCE) return;
  c->status = ik_wormhole_compile(c->m->ir, &c->m->rule, s, c->a, c->d, &code);
  if (!c->status) IK_PUSH(c->a, c->code, c->n, c->room, code);
}

static ik_status compile_all(ik_wormhole_map *m, ik_arena *a, ik_diag *d) {
  compiling c = {.m = m, .a = a, .d = d};
  ik_ir_each_stmt(m->ir, compile, &c);
  m->code = c.code, m->ncode = c.n;
  return c.status;
}

const ik_wormhole_code *ik_wormhole_code_of(const ik_wormhole_map *m, const ik_stmt *s) {
  const ik_wormhole_code *c = m->code;
  while (c->stmt != s) c++;
  return c;
}

const ik_stmt *ik_wormhole_loop_of(const ik_ir *ir) {
  const ik_stmt *s = ir->body;
  while (s && !ik_stmt_is_loop(s)) s = s->next;
  return s;
}

/* ---- memory ---- */

static void mark(const ik_wormhole_code *c, bool *resident) {
  if (c->stmt->kind == IK_ASSIGN) resident[c->stmt->field] = true;
  for (int i = 0; i < c->n; i++)
    if (c->op[i].kind == IK_WORMHOLE_READ) resident[c->op[i].field] = true;
}

/* Statements of a list and of what is inside it. */
static void mark_list(const ik_wormhole_map *m, const ik_stmt *list, bool *resident) {
  for (const ik_stmt *s = list; s; s = s->next) {
    if (s->kind == IK_ASSIGN || s->kind == IK_REDUCE) mark(ik_wormhole_code_of(m, s), resident);
    mark_list(m, s->pre, resident), mark_list(m, s->body, resident);
  }
}

static bool mark_loops(const ik_wormhole_map *m, bool *resident) {
  bool any = false;
  for (const ik_stmt *s = m->ir->body; s; s = s->next) {
    if (!ik_stmt_is_loop(s)) continue;
    mark_list(m, s->pre, resident), mark_list(m, s->body, resident);
    any = true;
  }
  return any;
}

static void choose_resident(ik_wormhole_map *m, ik_arena *a) {
  bool *resident = IK_NEW_N(a, bool, m->ir->nfield);
  if (!m->fused || !mark_loops(m, resident)) mark_list(m, m->ir->body, resident);
  m->resident = resident;
}

static void add_vectors(ik_wormhole_memory *mem, const ik_field *f, int n) {
  mem->vectors += n;
  mem->tile += (int64_t)n * ik_type_bytes(f->type) * IK_WORMHOLE_TILE;
}

/* The largest field that a statement writes where its results have to wait; NULL: none. */
static const ik_field *spare_of(const ik_wormhole_map *m) {
  const ik_field *most = NULL;
  for (int i = 0; i < m->ncode; i++) {
    const ik_field *f = &m->ir->field[m->code[i].stmt->field];
    if (m->code[i].spare && (!most || ik_type_bytes(f->type) > ik_type_bytes(most->type))) most = f;
  }
  return most;
}

static ik_wormhole_memory measure(const ik_wormhole_map *m) {
  ik_wormhole_memory mem = {0};
  int                most = 0;
  const ik_field    *spare = spare_of(m);
  for (int f = 0; f < m->ir->nfield; f++)
    if (m->resident[f])
      add_vectors(&mem, &m->ir->field[f], m->ir->field[f].history + m->ir->field[f].has_new);
  for (int i = 0; i < m->ncode; i++)
    if (m->code[i].staging > most) most = m->code[i].staging;
  if (spare) add_vectors(&mem, spare, 1);
  mem.staging = (int64_t)most * ik_wormhole_bytes(m) * IK_WORMHOLE_TILE;
  mem.bytes = mem.tile * m->levels + mem.staging + m->figures.reserve;
  int64_t room = m->figures.sram - m->figures.reserve - mem.staging;
  if (mem.tile && room > 0) mem.levels = room / mem.tile;
  return mem;
}

static ik_status check_memory(const ik_wormhole_map *m, ik_diag *d) {
  const ik_wormhole_memory *mem = &m->memory;
  if (mem->bytes <= m->figures.sram) return IK_OK;
  refuse(d, IK_NOSPAN,
         "%" PRId64 " level%s of %d tiles need %" PRId64 " bytes of the %" PRId64 " that a core "
         "has",
         m->levels, m->levels == 1 ? "" : "s", mem->vectors, mem->bytes, m->figures.sram);
  ik_help(d,
          "%" PRId64 " bytes are for circular buffers, %" PRId64 " for the program; %" PRId64
          " levels would fit",
          mem->staging, m->figures.reserve, mem->levels);
  return IK_ERR_UNSUPPORTED;
}

/* ---- all of it ---- */

ik_status ik_wormhole_map_of(const ik_ir *ir, const ik_machine *machine, const char *override,
                             ik_arena *a, ik_diag *d, ik_wormhole_map *out) {
  overrides w = {0};
  *out = (ik_wormhole_map){.ir = ir};
  IK_TRY(ik_wormhole_figures_of(machine, a, d, &out->figures));
  IK_TRY(read_overrides(override, d, &w));
  IK_TRY(check_fields(ir, d));
  IK_TRY(place(out, d));
  IK_TRY(choose_rule(out, &w, d));
  IK_TRY(compile_all(out, a, d));
  choose_resident(out, a);
  out->memory = measure(out);
  return check_memory(out, d);
}

void ik_wormhole_map_print(const ik_wormhole_map *m, ik_buf *out) {
  const ik_rule *r = &m->rule;
  int64_t        cells = m->ir->n[0] * m->ir->n[1];
  int64_t        room = (int64_t)ik_wormhole_cores(m) * IK_WORMHOLE_TILE;
  ik_buf_printf(out, "tiles: %d x %d cores with %" PRId64 " level%s of 64 x 16 cells each",
                m->cores[0], m->cores[1], m->levels, m->levels == 1 ? "" : "s");
  if (cells < room)
    ik_buf_printf(out, " (%.3g %% beyond the grid, zero)",
                  100 * (double)(room - cells) / (double)room);
  ik_buf_printf(out, "; %s on the %s, sums in %s; %s", r->tf32 ? "tf32" : ik_type_name(r->type),
                r->type == IK_BF16 || r->tf32 ? "FPU" : "SFPU", ik_type_name(r->sum),
                m->fused ? "one fused kernel" : "a kernel for each statement");
  ik_buf_printf(out, "; partial %s meet at core (%d, %d)", r->whole_tiles ? "tiles" : "numbers",
                r->root[0], r->root[1]);
  ik_buf_printf(out,
                "; %d tiles of a level resident, %" PRId64 " of %" PRId64
                " bytes of a core, %" PRId64 " levels would fit",
                m->memory.vectors, m->memory.bytes, m->figures.sram, m->memory.levels);
}
