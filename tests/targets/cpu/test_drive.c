/* Passes are built by hand here, run tile by tile, and every cell is held against the interpreter.
 */
#include "targets/cpu/drive.h"
#include "interp/interp.h"
#include "lang/program.h"
#include "lower/passes.h"
#include "targets/cpu/combine.h"
#include "targets/cpu/passes.h"

enum { FAR = 1 << 30 };

/* ---- a step of one statement as a pass ---- */

typedef struct shape {
  int     steps, planes;
  int64_t tile[IK_NROLES];  /* 0: all */
  int     stream;           /* axis, in three dimensions; 0: the last */
  bool    wraps[IK_NROLES]; /* images of periodic axes are computed */
  bool    store;            /* the result goes through a ring */
  bool    direct;           /* what is read at the cell alone is read from memory */
  bool    power;            /* rings have a power of two of planes */
  bool    down, past_caches;
} shape;

typedef struct input { /* a field at a level that the statement reads */
  int field, level, reach[IK_NROLES];
  int first; /* buffer; the stepped field at level 0 has one more for each step */
} input;

typedef struct maker {
  const ik_ir   *ir;
  const ik_stmt *stmt;
  shape          s;
  ik_arena      *a;
  ik_pass       *p;
  input          in[8];
  int            nin;
  int            reach[IK_NROLES];
} maker;

static int most(int a, int b) { return a > b ? a : b; }

static void note_read(const ik_expr *e, void *ctx) {
  maker *m = ctx;
  int    i = 0;
  if (e->op != IK_OP_READ) return;
  while (i < m->nin && (m->in[i].field != e->id || m->in[i].level != e->level)) i++;
  if (i == m->nin) m->in[m->nin++] = (input){.field = e->id, .level = e->level};
  for (ik_role r = 0; r < IK_NROLES; r++) {
    int off = m->p->axis[r] < 0 ? 0 : abs(e->off[m->p->axis[r]]);
    m->in[i].reach[r] = most(m->in[i].reach[r], off);
    m->reach[r] = most(m->reach[r], off);
  }
}

static void set_roles(maker *m) {
  ik_pass *p = m->p;
  int      n = m->ir->ndim;
  p->axis[IK_LANE] = 0;
  p->axis[IK_STREAM] = n == 1 ? -1 : n == 2 ? 1 : m->s.stream ? m->s.stream : 2;
  p->axis[IK_ROW] = n < 3 ? -1 : 3 - p->axis[IK_STREAM];
  ik_expr_each(m->stmt->value, note_read, m);
  for (ik_role r = 0; r < IK_NROLES; r++) {
    int axis = p->axis[r], room = m->s.steps * m->reach[r];
    p->n[r] = axis < 0 ? 1 : m->ir->n[axis];
    p->lo[r] = axis < 0 ? 0 : m->stmt->box.lo[axis];
    p->hi[r] = axis < 0 ? 1 : m->stmt->box.hi[axis];
    p->tile[r] = m->s.tile[r] && axis >= 0 ? m->s.tile[r] : p->hi[r] - p->lo[r];
    p->before[r] = room;
  }
  p->pitch = p->tile[IK_LANE] + 2 * p->before[IK_LANE];
  p->ring_rows = p->tile[IK_ROW] + 2 * p->before[IK_ROW];
}

static bool is_stepped(const maker *m, const input *in) {
  return in->field == m->stmt->field && in->level == 0;
}

/* A whole periodic axis that is not virtual must be there before anything is read around it. */
static int stream_reach(const maker *m) {
  int  axis = m->p->axis[IK_STREAM];
  bool all = axis >= 0 && !m->s.wraps[IK_STREAM] && m->reach[IK_STREAM] &&
             m->ir->field[m->stmt->field].bc[axis][0].kind == IK_BC_PERIODIC;
  return all ? (int)m->p->n[IK_STREAM] : m->reach[IK_STREAM];
}

static bool in_memory(const maker *m, const input *in) {
  bool aside = in->reach[IK_LANE] || in->reach[IK_ROW];
  for (ik_role r = 0; r < IK_NROLES; r++) aside = aside || m->s.wraps[r];
  bool narrow = m->ir->ndim > 2 && m->s.tile[IK_LANE] && in->reach[IK_STREAM]; /* no spare planes */
  return m->s.direct && !aside && !narrow && (!is_stepped(m, in) || m->s.steps == 1);
}

static int power_of(int n) {
  int p = 1;
  while (p < n) p *= 2;
  return p;
}

static void place(maker *m, ik_pipe_buffer *b, int depth, int spare) {
  int64_t plane = m->p->pitch * m->p->ring_rows * ik_type_bytes(b->type);
  b->depth = !b->ring ? 0 : m->s.power ? power_of(depth) : depth;
  b->spare = spare;
  enum { GUARD = 1024 }; /* whole vectors reach beyond the first and the last row */
  b->offset = m->p->scratch_bytes ? (m->p->scratch_bytes - GUARD + 63) / 64 * 64 : GUARD;
  m->p->scratch_bytes = b->offset + plane * (b->depth + b->spare) + GUARD;
}

/* Versions up to that of the last step. */
static void add_buffer(maker *m, int field, int version, bool ring, int level, bool memory) {
  const ik_field *f = &m->ir->field[field];
  ik_pipe_buffer *b = &m->p->buffer[m->p->nbuffer++];
  int             reach = stream_reach(m), all = (m->s.steps + 1) * reach + m->s.planes;
  *b = (ik_pipe_buffer){.field = field, .version = version, .type = f->type, .ring = ring};
  b->memory = memory, b->level = level;
  for (ik_role r = 0; r < IK_NROLES; r++) {
    bool on = m->p->axis[r] >= 0 && f->on[m->p->axis[r]];
    b->edge[r] = !on ? IK_EDGE_NONE : m->s.wraps[r] ? IK_EDGE_VIRTUAL : IK_EDGE_MAP;
    b->halo[r][0] = b->halo[r][1] = on ? m->reach[r] : 0;
  }
  bool read = version < m->s.steps || ring;
  place(m, b, all, read && reach ? 2 * m->reach[IK_STREAM] + m->s.planes : 0);
}

static void add_buffers(maker *m) {
  m->p->buffer = IK_NEW_N(m->a, ik_pipe_buffer, m->nin + m->s.steps + 1);
  for (int i = 0; i < m->nin; i++) {
    input *in = &m->in[i];
    in->first = m->p->nbuffer;
    add_buffer(m, in->field, in->level, !in_memory(m, in), in->level, true);
    for (int s = 1; s < m->s.steps && is_stepped(m, in); s++)
      add_buffer(m, in->field, s, true, 0, false);
  }
  add_buffer(m, m->stmt->field, m->s.steps, m->s.store, 1, true);
}

static ik_pipe_value value_of(const maker *m, const ik_pipe_buffer *b, int level) {
  ik_pipe_value   v = {.field = b->field, .level = level, .type = b->type, .pitch = m->p->pitch};
  const ik_field *f = &m->ir->field[b->field];
  int64_t         stride = 1;
  for (int d = 0; d < m->p->axis[IK_ROW]; d++) stride *= f->box.hi[d] - f->box.lo[d];
  for (ik_role r = 0; r < IK_NROLES; r++) v.on[r] = m->p->axis[r] >= 0 && f->on[m->p->axis[r]];
  if (!b->ring) v.pitch = stride;
  if (!v.on[IK_ROW]) v.pitch = 0;
  return v;
}

static void add_kernel(maker *m, const ik_pipe_buffer *out, bool first) {
  ik_pipe_kernel *k = &m->p->kernel[m->p->nkernel++];
  ik_pipe_value  *in = IK_NEW_N(m->a, ik_pipe_value, m->nin), *v = IK_NEW(m->a, ik_pipe_value);
  ik_pipe_port   *port = IK_NEW_N(m->a, ik_pipe_port, IK_PIPE_PORTS);
  *k = (ik_pipe_kernel){.nstmt = 1, .ninput = m->nin, .noutput = 1, .planes = m->s.planes};
  k->stmt = IK_NEW(m->a, const ik_stmt *), k->store = IK_NEW(m->a, int);
  ik_kernel_shape *how = IK_NEW(m->a, ik_kernel_shape);
  how->input = IK_NEW_N(m->a, ik_value_shape, m->nin);
  how->output = IK_NEW(m->a, ik_value_shape);
  how->streaming = how->output->streaming = m->s.past_caches && !out->ring;
  k->stmt[0] = m->stmt, k->shape = how;
  *v = value_of(m, out, 1);
  for (int i = 0; i < m->nin; i++) {
    int later = is_stepped(m, &m->in[i]) && !first;
    in[i] = value_of(m, &m->p->buffer[m->in[i].first + later], m->in[i].level);
    for (int dz = -m->in[i].reach[IK_STREAM]; dz < m->in[i].reach[IK_STREAM] + k->planes; dz++)
      port[k->nport++] = (ik_pipe_port){i, dz};
  }
  k->input = in, k->output = v, k->port = port;
}

static ik_pipe_stage *add_stage(maker *m, ik_stage_kind kind, int step, int lag, int ext) {
  ik_pipe_stage *s = &m->p->phase->stage[m->p->phase->nstage++];
  *s = (ik_pipe_stage){.kind = kind, .inside = -1, .step = step, .lag = lag};
  for (ik_role r = 0; r < IK_NROLES; r++) {
    s->lo[r] = m->s.wraps[r] ? -FAR : m->p->lo[r];
    s->hi[r] = m->s.wraps[r] ? FAR : m->p->hi[r];
    s->ext[r][0] = s->ext[r][1] = ext * m->reach[r];
  }
  return s;
}

static void add_fetches(maker *m) {
  for (int i = 0; i < m->nin; i++) {
    if (!m->p->buffer[m->in[i].first].ring) continue;
    const ik_field *f = &m->ir->field[m->in[i].field];
    ik_pipe_stage  *s = add_stage(m, IK_STAGE_FETCH, 0, 0, m->s.steps);
    s->out[0] = s->done[0] = m->in[i].first, s->ndone = 1;
    for (ik_role r = 0; r < IK_NROLES; r++)
      if (!m->s.wraps[r] && m->p->axis[r] >= 0)
        s->lo[r] = f->box.lo[m->p->axis[r]], s->hi[r] = f->box.hi[m->p->axis[r]];
  }
}

static void add_step(maker *m, int step) {
  int            T = m->s.steps, lag = (step + 1) * stream_reach(m), last = m->p->nbuffer - 1;
  ik_pipe_stage *s = add_stage(m, IK_STAGE_KERNEL, step, lag, T - 1 - step);
  int            out = last;
  for (int i = 0; i < m->nin; i++) {
    bool stepped = is_stepped(m, &m->in[i]);
    s->in[i] = m->in[i].first + (stepped ? step : 0);
    if (stepped && step < T - 1) out = m->in[i].first + step + 1;
  }
  s->out[0] = out;
  s->kernel = step == T - 1 ? m->p->nkernel - 1 : step > 0;
  bool sources = m->ir->ninject > 0;
  if (sources) s = add_stage(m, IK_STAGE_SPOTS, step, lag, T - 1 - step), s->in[0] = out;
  s->ndone = 1, s->done[0] = out;
  if (step < T - 1 || !m->s.store) return;
  s = add_stage(m, IK_STAGE_STORE, step, lag, 0);
  s->in[0] = s->out[0] = last;
  for (ik_role r = 0; r < IK_NROLES; r++) s->lo[r] = m->p->lo[r], s->hi[r] = m->p->hi[r];
}

/* The pass that makes `s.steps` steps of `stmt`. */
static ik_pass *make_pass(const ik_ir *ir, const ik_stmt *stmt, shape s, ik_arena *a) {
  maker m = {.ir = ir, .stmt = stmt, .s = s, .a = a, .p = IK_NEW(a, ik_pass)};
  m.p->steps = s.steps;
  set_roles(&m);
  add_buffers(&m);
  m.p->kernel = IK_NEW_N(a, ik_pipe_kernel, 3);
  const ik_pipe_buffer *result = &m.p->buffer[m.p->nbuffer - 1], *between = result;
  for (int i = 0; i < m.nin; i++)
    if (is_stepped(&m, &m.in[i]) && s.steps > 1) between = &m.p->buffer[m.in[i].first + 1];
  if (s.steps > 1) add_kernel(&m, between, true);
  if (s.steps > 2) add_kernel(&m, between, false);
  add_kernel(&m, result, s.steps == 1);
  m.p->nphase = 1;
  m.p->phase = IK_NEW(a, ik_pipe_phase);
  *m.p->phase = (ik_pipe_phase){.dir = s.down ? -1 : 1, .planes = s.planes};
  m.p->phase->stage = IK_NEW_N(a, ik_pipe_stage, m.nin + 3 * s.steps);
  add_fetches(&m);
  for (int i = 0; i < s.steps; i++) add_step(&m, i);
  return m.p;
}

/* ---- both ways ---- */

typedef struct pair {
  program    p;
  ik_state  *want, *got;
  ik_interp *in, *out;
} pair;

static bool pair_open(pair *x, const char *text) {
  *x = (pair){0};
  if (!MUST_OPEN(&x->p, text)) return false;
  CHECK_EQ(ik_state_create(x->p.ir, &x->p.diag, &x->want), IK_OK);
  CHECK_EQ(ik_state_create(x->p.ir, &x->p.diag, &x->got), IK_OK);
  CHECK_EQ(ik_interp_create(x->want, &x->p.diag, &x->in), IK_OK);
  CHECK_EQ(ik_interp_create(x->got, &x->p.diag, &x->out), IK_OK);
  ik_interp_run(x->in, x->p.ir->init, NULL);
  ik_interp_run(x->out, x->p.ir->init, NULL);
  return true;
}

static void pair_close(pair *x) {
  ik_interp_destroy(&x->in), ik_interp_destroy(&x->out);
  ik_state_destroy(&x->want), ik_state_destroy(&x->got);
  program_close(&x->p);
}

static int pair_wrong(const pair *x) {
  int wrong = 0;
  for (int f = 0; f < x->p.ir->nfield; f++) {
    if (x->p.ir->field[f].kind == IK_FIELD_TEMP) continue;
    const char *a = ik_state_data(x->want, f, 0), *b = ik_state_data(x->got, f, 0);
    int         w = ik_type_bytes(x->p.ir->field[f].type);
    for (int64_t i = 0; i < x->want->slot[f].layout->cells; i++)
      wrong += memcmp(a + i * w, b + i * w, (size_t)w) != 0;
  }
  return wrong;
}

/* What the sources add in the steps to come; their values do not depend on the place. */
static ik_spots amounts(pair *x, int steps) {
  const ik_ir *ir = x->p.ir;
  int64_t      t = x->got->t, n = 0;
  ik_spots     all;
  CHECK(ik_spots_init(&all, ir, steps));
  for (x->got->t = t; x->got->t < t + steps; x->got->t++)
    for (int j = 0; j < ir->ninject; j++)
      for (int k = 0; k < ir->inject[j].ntap; k++)
        all.value[n++] = ik_type_round(ir->field[ir->inject[j].field].type,
                                       ik_interp_scalar(x->out, ir->inject[j].value) *
                                           ir->inject[j].tap[k].weight);
  x->got->t = t;
  return all;
}

/* Steps of a program `... step N { u' = ... }` in passes of this shape; cells that are wrong. */
static int wrong_cells(const char *text, shape s) {
  pair x;
  int  wrong = -1;
  if (pair_open(&x, text)) {
    const ik_stmt *steps = x.p.ir->body;
    ik_pass       *p = make_pass(x.p.ir, steps->body, s, &x.p.arena);
    for (int64_t i = 0; i < steps->count; i += s.steps) {
      ik_spots add = amounts(&x, s.steps);
      CHECK(passes_run(x.p.ir, x.got, p, x.got->t,
                       &(passes_options){.spots = &add, .stream = s.past_caches}));
      ik_state_rotate(x.got);
      x.got->t += s.steps - 1;
      ik_spots_free(&add);
    }
    for (int64_t i = 0; i < steps->count; i++) ik_interp_step(x.in, steps);
    wrong = pair_wrong(&x);
  }
  pair_close(&x);
  return wrong;
}

static void same_as(const char *file, int line, const char *text, shape s) {
  int wrong = wrong_cells(text, s);
  if (wrong)
    check_fail(file, line,
               "%s\n%d steps, %d planes, tile %d %d %d, stream %d, wraps %d%d%d, %s%s%s%s%d wrong",
               text, s.steps, s.planes, (int)s.tile[0], (int)s.tile[1], (int)s.tile[2], s.stream,
               s.wraps[0], s.wraps[1], s.wraps[2], s.store ? "store, " : "",
               s.direct ? "direct, " : "", s.power ? "power, " : "", s.down ? "down, " : "", wrong);
}
#define SAME(text, ...) same_as(__FILE__, __LINE__, text, (shape){__VA_ARGS__})

/* Shapes that say something different each; `dims` of the program. */
static void same_in_all_shapes(const char *file, int line, const char *text, int dims) {
  for (int steps = 1; steps <= 3; steps++)
    for (int planes = 1; planes <= (dims > 1 ? 3 : 1); planes += 2)
      for (int tiled = 0; tiled < 4; tiled++) {
        shape s = {.steps = steps, .planes = planes, .direct = true, .power = planes == 1};
        s.store = tiled & 1, s.down = tiled == 2, s.past_caches = tiled == 3;
        if (tiled & 1) s.tile[IK_LANE] = 3;
        if (tiled & 2 && dims > 1) s.tile[IK_STREAM] = 2, s.tile[IK_ROW] = dims > 2 ? 2 : 0;
        same_as(file, line, text, s);
        s.stream = 1;
        if (dims > 2) same_as(file, line, text, s);
      }
}
#define SAME_IN_ALL_SHAPES(text, dims) same_in_all_shapes(__FILE__, __LINE__, text, dims)

/* ---- a kernel as it will be generated ---- */

/* The chain goes through the points in order of memory. */
static void heat_row(const float *below, const float *here, const float *above, float *out,
                     const ik_kernel_call *c) {
  for (int64_t x = c->x0; x < c->x1; x++) {
    float v = fmaf(0.125f, here[x - 1], 0.125f * below[x]);
    v = fmaf(0.125f, here[x + 1], fmaf(0.5f, here[x], v));
    out[x] = fmaf(0.125f, above[x], v);
  }
}

static void heat_all(const ik_kernel_call *c) {
  for (int k = 0; k < 4; k++) heat_row(c->in[k], c->in[k + 1], c->in[k + 2], c->out[k], c);
}
static void heat_one(const ik_kernel_call *c) {
  heat_row(c->in[0], c->in[1], c->in[2], c->out[0], c);
}

CASE(heat_with_a_kernel_written_by_hand) {
  pair x;
  if (pair_open(&x, "grid x = 37, y = 23\nfield u : f32 = noise(1)\n"
                    "boundary u { x = 0; -y = mirror; +y = 1 }\n"
                    "step 6 { u' = 0.5*u + 0.125*u[-1,0] + 0.125*u[1,0] + 0.125*u[0,-1]"
                    " + 0.125*u[0,1] }\n")) {
    ik_kernel_fn   *kernel[] = {heat_all, heat_one, heat_all, heat_one};
    const ik_stmt  *steps = x.p.ir->body;
    shape           s = {.steps = 2, .planes = 4, .tile = {16}, .power = true};
    ik_pass        *p = make_pass(x.p.ir, steps->body, s, &x.p.arena);
    ik_drive        d = {.ir = x.p.ir, .state = x.got, .pass = p, .kernel = kernel};
    ik_drive_thread th = {.scratch = aligned_alloc(64, (size_t)p->scratch_bytes / 64 * 64 + 64)};
    CHECK(ik_drive_thread_fit(&th, x.got, p));
    CHECK_EQ(ik_drive_tiles(p), 3);
    for (int i = 0; i < 3; i++) {
      d.t = x.got->t;
      for (int k = 2; k >= 0; k--) ik_drive_some(&d, k, k + 1, &th);
      ik_state_rotate(x.got);
      x.got->t++;
    }
    for (int i = 0; i < 6; i++) ik_interp_step(x.in, steps);
    CHECK_EQ(pair_wrong(&x), 0);
    free(th.scratch);
    ik_drive_thread_free(&th);
  }
  pair_close(&x);
}

/* ---- boundaries ---- */

static const char *const kinds[] = {
    "7", "sin(0.3*x + 0.2*y + t)", "mirror", "antimirror", "reflect", "antireflect", "copy", "t"};
enum { NKINDS = sizeof kinds / sizeof *kinds };

CASE(every_kind_at_the_ends_of_a_line) {
  char text[500];
  for (int lo = 0; lo < NKINDS; lo++)
    for (int hi = 0; hi < NKINDS; hi++) {
      const char *low = lo == 1 ? "sin(0.3*x + t)" : kinds[lo];
      const char *high = hi == 1 ? "cos(x) + t" : kinds[hi];
      snprintf(text, sizeof text,
               "grid x = 7\nfield u : f64 = noise(1)\nboundary u { -x = %s; +x = %s }\n"
               "step 6 { u' = 0.5*u[-2] + 0.25*u + 0.3*u[3] }\n",
               low, high);
      SAME_IN_ALL_SHAPES(text, 1);
    }
  SAME("grid x = 7\nfield u : f64 = noise(1)\nboundary u = periodic\n"
       "step 6 { u' = 0.5*u[-2] + 0.25*u + 0.3*u[3] }\n",
       .steps = 2, .planes = 1);
}

CASE(kinds_meet_in_the_corners_of_a_plane) {
  char text[500];
  for (int x = 0; x < NKINDS; x++)
    for (int y = 0; y < NKINDS; y++) {
      snprintf(text, sizeof text,
               "grid x = 7, y = 6\nfield u : f32 = noise(1)\n"
               "boundary u { -x = %s; +x = %s; -y = %s; +y = %s }\n"
               "step 6 { u' = 0.5*u[-1,-2] + 0.25*u[2,1] + 0.125*u[1,-1] + 0.125*u[-2,2] }\n",
               kinds[x], kinds[(x + y + 1) % NKINDS], kinds[y], kinds[(2 * x + y) % NKINDS]);
      SAME_IN_ALL_SHAPES(text, 2);
    }
}

CASE(kinds_meet_in_the_corners_of_a_box) {
  char text[500];
  for (int i = 0; i < NKINDS * NKINDS; i += 3) {
    const char *k[6];
    for (int j = 0; j < 6; j++) k[j] = kinds[(i / (j % 3 + 1) + 3 * j + i / NKINDS * j) % NKINDS];
    snprintf(text, sizeof text,
             "grid x = 5, y = 4, z = 4\nfield u : f64 = noise(1)\n"
             "boundary u { -x = %s; +x = %s; -y = %s; +y = %s; -z = %s; +z = %s }\n"
             "step 6 { u' = 0.4*u[-1,-1,-1] + 0.3*u[1,1,1] + 0.2*u[2,-1,1] + 0.1*u[0,1,-2] }\n",
             k[0], k[1], k[2], k[3], k[4], k[5]);
    SAME_IN_ALL_SHAPES(text, 3);
  }
}

CASE(a_stencil_that_is_larger_than_the_grid) {
  char text[500];
  for (int i = 0; i < NKINDS; i++) {
    snprintf(text, sizeof text,
             "grid x = 3, y = 2\nfield u : f64 = noise(1)\n"
             "boundary u { -x = %s; +x = %s; -y = %s; +y = %s }\n"
             "step 6 { u' = 0.5*u[-8,-5] + 0.25*u[7,6] + 0.25*u[0,-4] }\n",
             kinds[i], kinds[(i + 3) % NKINDS], kinds[(i + 5) % NKINDS], kinds[(i + 1) % NKINDS]);
    SAME_IN_ALL_SHAPES(text, 2);
  }
}

CASE(values_of_every_type) {
  static const char *const type[] = {"f64", "f32", "f16", "bf16", "i32"};
  char                     text[500];
  for (int t = 0; t < 5; t++)
    for (int i = 0; i < NKINDS; i++) {
      bool whole = t == 4;
      if (whole && i == 1) continue; /* no sine of integers */
      snprintf(text, sizeof text,
               "grid x = 6, y = 5\nfield u : %s = %s\nboundary u { x = %s; y = %s }\n"
               "step 6 { u' = %s }\n",
               type[t], whole ? "int(1000*noise(1)) - 500" : "noise(1) - 0.5", kinds[i],
               kinds[whole && i == 6 ? 2 : (i + 3) % NKINDS],
               whole ? "3*u[-1,0] - u[1,1] + 7*u[0,-2]"
                     : "0.5*u[-1,0] - 0.25*u[1,1] + 0.3*u[0,-2]");
      SAME_IN_ALL_SHAPES(text, 2);
    }
}

/* Rows of a narrow type pass through numbers a piece at a time, and no cell further. */
CASE(rows_of_narrow_types_of_any_length) {
  static const char *const type[] = {"f16", "bf16", "i32"};
  static const int         cells[] = {253, 254, 255, 520};
  char                     text[400];
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < 4; i++) {
      snprintf(text, sizeof text,
               "grid x = %d, y = 3, z = 2\nfield u : %s = %s\n"
               "boundary u { x = copy; y = antimirror; z = antireflect }\n"
               "step 2 { u' = u[-1,0,0] - u[1,0,0] + u[0,-1,0] - u[0,0,1] }\n",
               cells[i], type[t], t == 2 ? "int(1000*noise(1))" : "noise(1)");
      SAME(text, .steps = 1, .planes = 1);
    }
}

/* ---- periodic axes ---- */

static void same_wrapped(const char *text, int dims, shape s) {
  for (int steps = 1; steps <= 3; steps++)
    for (int tiled = 0; tiled < 2; tiled++) {
      s.steps = steps, s.planes = dims > 1 && tiled ? 2 : 1, s.store = tiled, s.direct = true;
      for (ik_role r = 0; r < IK_NROLES; r++) s.tile[r] = tiled && s.wraps[r] ? 3 : 0;
      same_as(__FILE__, __LINE__, text, s);
      s.down = true, s.tile[IK_LANE] = 0;
      same_as(__FILE__, __LINE__, text, s);
      s.down = false;
    }
}

CASE(images_of_periodic_axes) {
  static const char flat[] =
      "grid x = 7, y = 5\nfield u : f32 = noise(1)\nfield c : f32 = noise(2)\n"
      "boundary u = periodic\n"
      "step 6 { u' = c*u[-1,-2] + 0.25*u[2,1] + 0.125*u[1,-1] }\n";
  static const char box[] = "grid x = 5, y = 4, z = 6\nfield u : f32 = noise(1)\n"
                            "boundary u = periodic\n"
                            "step 6 { u' = 0.5*u[-1,-2,1] + 0.25*u[2,1,-1] + 0.1*u[0,0,1] }\n";
  for (int w = 0; w < 8; w++) {
    shape s = {.wraps = {w & 1, w & 2, w & 4}};
    if (!s.wraps[IK_ROW]) same_wrapped(flat, 2, s);
    same_wrapped(box, 3, s);
    s.stream = 1;
    same_wrapped(box, 3, s);
  }
}

CASE(a_value_beside_a_periodic_axis_is_that_of_the_cell_itself) {
  for (int w = 0; w < 2; w++) {
    same_wrapped("grid x = 7, y = 5\nfield u : f32 = noise(1)\n"
                 "boundary u { x = periodic; -y = 0.1*x; +y = antimirror }\n"
                 "step 6 { u' = 0.5*u[-1,-2] + 0.25*u[2,1] + 0.125*u[1,-1] }\n",
                 2, (shape){.wraps = {w}});
    same_wrapped("grid x = 7, y = 5\nfield u : f32 = noise(1)\n"
                 "boundary u { y = periodic; -x = 0.1*y; +x = antimirror }\n"
                 "step 6 { u' = 0.5*u[-1,-2] + 0.25*u[2,1] + 0.125*u[1,-1] }\n",
                 2, (shape){.wraps = {0, 0, w}});
  }
}

/* ---- several fields ---- */

CASE(fields_on_part_of_the_axes) {
  SAME_IN_ALL_SHAPES(
      "grid x = 6, y = 5\nfield u : f64 = noise(1)\nfield a : f32, on (x) = noise(2)\n"
      "field b : f64, on (y) = noise(3)\nboundary u = 0.5\n"
      "boundary a { -x = mirror; +x = x }\nboundary b = copy\n"
      "step 6 { u' = a[-1]*u[-1,1] + a[1]*u + 0.1*b[0]*b[1] + 0.1*b[-1] }\n",
      2);
  SAME_IN_ALL_SHAPES("grid x = 5, y = 4, z = 6\nfield u : f64 = noise(1)\nboundary u = mirror\n"
                     "field a : f32, on (x, z) = noise(2)\nfield b : f64, on (y) = noise(3)\n"
                     "boundary a { x = reflect; z = 2 }\nboundary b = antimirror\n"
                     "step 6 { u' = a[-1,1]*u[-1,1,1] + a*u + 0.1*b[0]*b[1] + 0.1*b[-1] }\n",
                     3);
}

CASE(fields_in_memory_are_read_along_the_stream) {
  SAME_IN_ALL_SHAPES("grid x = 6, y = 5\nfield u : f64 = noise(1)\nfield c : f64 = noise(2)\n"
                     "boundary u = 0\nboundary c { x = 0; -y = 0.1*x; +y = antireflect }\n"
                     "step 6 { u' = 0.5*u[1,0] + c[0,-2]*c[0,1] + 0.1*c }\n",
                     2);
  SAME("grid x = 5, y = 4, z = 5\nfield u : f64 = noise(1)\nfield c : f64 = noise(2)\n"
       "boundary u = 0\nboundary c { x = 0; y = 0; -z = 0.1*x*y; +z = antimirror }\n"
       "step 4 { u' = 0.5*u[1,0,0] + c[0,0,-2]*c[0,0,1] + 0.1*c }\n",
       .steps = 1, .planes = 1, .direct = true);
}

CASE(the_level_before) {
  for (int tile = 0; tile < 2; tile++)
    SAME("grid x = 6, y = 5\nfield u : f64, history 2 = noise(1)\nboundary u = t\n"
         "step 6 { u' = 0.5*u[1,0] + 0.25*u[t-1,0,-1] - 0.125*u[t-1,-1,0] }\n",
         .steps = 1, .planes = 3, .tile = {tile * 4, 0, tile * 3});
}

CASE(nothing_is_read_beyond_faces_without_a_boundary) {
  for (int steps = 0; steps < 3; steps++)
    SAME("grid x = 7, y = 6\nfield u : f64 = noise(1)\nboundary u { -x = 1; +x = mirror }\n"
         "step 6 { u' = 0.5*u[1,0] + 0.25*u[-1,0] + 0.2*u }\n",
         .steps = steps + 1, .planes = 2, .tile = {3, 0, 2});
}

/* ---- sources ---- */

CASE(sources_are_added_in_every_step) {
  static const char text[] = "grid x = 9, y = 7\nfield u : f32 = noise(1)\nboundary u = %s\n"
                             "source sin(t) at (3.25, 2.5) into u\nsource 0.5 at (0, 6) into u\n"
                             "source cos(t) at (3, 2) into u\n"
                             "step 6 { u' = 0.5*u[1,-1] + 0.25*u[-1,0] + 0.2*u[0,1] }\n";
  char              full[500];
  snprintf(full, sizeof full, text, "antimirror");
  SAME_IN_ALL_SHAPES(full, 2);
  snprintf(full, sizeof full, text, "periodic");
  same_wrapped(full, 2, (shape){.wraps = {true, false, true}});
}

/* ---- past the caches ---- */

/* The part of the calls that may stream, 0 to 1, when the result lies `shift` bytes beside a line.
 */
static double streamed(int nx, shape s, size_t shift) {
  char text[300], *array = aligned_alloc(64, 64 * 1024);
  pair x;
  snprintf(text, sizeof text,
           "grid x = %d, y = 6, z = 4\nfield u : f32 = noise(1)\nboundary u = 0\n"
           "step 2 { u' = 0.5*u[1,0,0] + 0.25*u[0,0,-1] }\n",
           nx);
  s.steps = s.planes = 1, s.past_caches = true;
  if (pair_open(&x, text)) {
    const ik_stmt *steps = x.p.ir->body;
    ik_pass       *p = make_pass(x.p.ir, steps->body, s, &x.p.arena);
    memcpy(array + shift, ik_state_data(x.got, 0, 0), x.got->slot[0].layout->bytes);
    ik_state_bind(x.got, 0, array + shift);
    for (int i = 0; i < 2; i++) { /* the second one writes to it */
      passes_now.calls = passes_now.streamed = 0;
      passes_run(x.p.ir, x.got, p, i, &(passes_options){.stream = true});
      ik_state_rotate(x.got);
      ik_interp_step(x.in, steps);
    }
    CHECK_EQ(pair_wrong(&x), 0);
  }
  pair_close(&x);
  free(array);
  return (double)passes_now.streamed / passes_now.calls;
}

CASE(kernels_are_told_when_rows_of_results_are_aligned) {
  CHECK(streamed(64, (shape){.tile = {0}}, 0) == 1);
  CHECK(streamed(64, (shape){.tile = {16}}, 0) == 1);
  CHECK(streamed(64, (shape){.tile = {0}}, 4) == 0);
  CHECK(streamed(64, (shape){.tile = {40}}, 0) == 0.5); /* 40 * 4 bytes are no lines */
  CHECK(streamed(68, (shape){.tile = {0}}, 0) == 0);
  CHECK(streamed(68, (shape){.tile = {0, 1, 0}}, 0) > 0); /* single rows, some aligned */
  CHECK(streamed(64, (shape){.store = true}, 0) == 0);
}

/* ---- reductions ---- */

static double tree_of(ik_reduce r, ik_type t, const void *row, int64_t n) {
  double lane[16], pair_[2];
  for (int64_t i = 0; i < n; i++) {
    ik_state_load_row(t, row, i, 1, &pair_[1]);
    pair_[0] = lane[i % 16];
    lane[i % 16] = i < 16 ? pair_[1] : ik_interp_tree(r, t, pair_, 2);
  }
  return ik_interp_tree(r, t, lane, n < 16 ? n : 16);
}

CASE(rows_are_combined_in_sixteen_lanes) {
  enum { MOST = 100, ROWS = 7, PITCH = MOST * 8 + 16, APART = 3 };
  double   v[MOST], out[ROWS * APART];
  char     rows[ROWS * PITCH];
  uint32_t seed = 5;
  for (ik_type t = IK_F64; t <= IK_I32; t++)
    for (int n = 1; n < MOST; n++) {
      for (int k = 0; k < ROWS; k++) {
        for (int i = 0; i < n; i++) {
          seed = seed * 1664525u + 1013904223u;
          v[i] = ik_type_round(t, t == IK_I32 ? (int32_t)seed : (seed >> 8) * 0x1p-24 - 0.3);
          if (t != IK_I32 && seed >> 25 == 3) v[i] = NAN;
          if (t != IK_I32 && seed >> 27 == 4) v[i] = -0.0;
        }
        ik_state_store_row(t, rows + (size_t)k * PITCH, 0, n, v);
      }
      for (ik_reduce r = IK_SUM; r <= IK_MAXIMUM; r++) {
        ik_combine_rows x = {rows, n, 1 + n % ROWS, PITCH, APART};
        for (int k = 0; k < ROWS * APART; k++) out[k] = 12345;
        ik_combine(r, t, &x, out);
        for (int k = 0; k < ROWS * APART; k++) {
          bool   result = k % APART == 0 && k / APART < x.rows;
          double b = result ? tree_of(r, t, rows + (size_t)(k / APART) * PITCH, n) : 12345;
          CHECK((out[k] != out[k] && b != b) || (out[k] == b && signbit(out[k]) == signbit(b)));
        }
      }
    }
}

/* From the leaves, in place, as from the root. */
CASE(rows_are_combined_in_the_tree_of_the_language) {
  enum { MOST = 100 };
  double   v[MOST], used[MOST];
  uint32_t seed = 7;
  for (ik_type t = IK_F64; t <= IK_I32; t++)
    for (int n = 1; n < MOST; n++)
      for (ik_reduce r = IK_SUM; r <= IK_MAXIMUM; r++) {
        for (int i = 0; i < n; i++) {
          seed = seed * 1664525u + 1013904223u;
          v[i] = used[i] = ik_type_round(t, t == IK_I32 ? (int32_t)seed : (seed >> 8) * 0x1p-24);
          if (t != IK_I32 && seed >> 27 == 4) v[i] = used[i] = -0.0;
        }
        CHECK(ik_combine_parts(r, t, used, n) == ik_interp_tree(r, t, v, n));
      }
}

/* Reductions of u*c over a region, as a pass by hand; rows belong to one tile each. */
static void check_reduce(const char *text, shape s) {
  pair x;
  if (pair_open(&x, text)) {
    ik_stmt  stmt = *x.p.ir->body, like = stmt;
    ik_pass *p;
    like.field = 0, like.level = 1; /* the shape of a step that assigns u' */
    p = make_pass(x.p.ir, &like, s, &x.p.arena);
    ik_pipe_buffer *values = &p->buffer[p->nbuffer - 1];
    ik_pipe_reduce  reduce = {.stage = p->phase->nstage - 1, .stmt = &stmt};
    reduce.buffer = p->nbuffer - 1;
    values->field = -1, values->memory = false, values->type = stmt.value->type;
    for (ik_role r = 0; r < IK_NROLES; r++) values->edge[r] = IK_EDGE_NONE;
    p->phase->nstage--, reduce.stage = p->phase->nstage - 1; /* no store */
    p->phase->stage[reduce.stage].ndone = 0;
    p->nreduce = 1, p->reduce = &reduce;
    p->scratch_bytes += 8 * p->pitch * p->ring_rows * (values->depth + values->spare);
    ((ik_pipe_value *)p->kernel[p->nkernel - 1].output)->type = values->type;
    double *partial = ik_calloc(1000, sizeof *partial);
    CHECK(passes_run(x.p.ir, x.got, p, 0, &(passes_options){.partial = &partial}));
    ik_interp_run(x.in, x.p.ir->body, NULL);
    int64_t rows = (stmt.box.hi[1] - stmt.box.lo[1]) * (stmt.box.hi[2] - stmt.box.lo[2]);
    double  got = ik_interp_tree(stmt.reduce, stmt.value->type, partial, rows);
    if (got != x.want->scalar[stmt.scalar])
      check_fail(__FILE__, __LINE__, "%s is %.17g, not %.17g", text, got,
                 x.want->scalar[stmt.scalar]);
    ik_free(partial);
  }
  pair_close(&x);
}

CASE(reductions_by_rows_and_the_tree) {
  static const char *const of[] = {"sum", "min", "max"};
  char                     text[400];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      shape s = {.steps = 1, .planes = 1 + k, .store = true, .stream = 1 + k / 2};
      if (k & 1) s.tile[IK_ROW] = 2, s.tile[IK_STREAM] = 3;
      snprintf(text, sizeof text,
               "grid x = 37, y = 5, z = 7\nfield u : f32 = noise(1)\nfield c : f32 = noise(2)\n"
               "boundary u = mirror\ns = %s(u[-1,0,1]*c)\n",
               of[i]);
      check_reduce(text, s);
      snprintf(
          text, sizeof text,
          "grid x = 20, y = 6\nfield u : f64 = noise(1)\nboundary u = 1\ns = %s(u[1,-1] + u)\n",
          of[i]);
      s.stream = 0;
      check_reduce(text, s);
    }
}

/* ---- passes as they are lowered ---- */

static void same_as_lowered(const char *file, int line, const char *text, const char *words) {
  pair x;
  if (pair_open(&x, text)) {
    const ik_stmt *steps = x.p.ir->body;
    const ik_pipe *pipe = passes_of(&x.p, true, words);
    bool           one = pipe->n == 1 && pipe->work[0].kind == IK_WORK_PASS;
    CHECK(one);
    for (int64_t i = 0; one && i < steps->count; i++) {
      CHECK(passes_run(x.p.ir, x.got, pipe->work[0].pass, x.got->t, &(passes_options){0}));
      ik_state_rotate(x.got);
      ik_interp_step(x.in, steps);
    }
    int wrong = pair_wrong(&x);
    if (wrong) check_fail(file, line, "%s\n%s: %d wrong", text, words, wrong);
  }
  pair_close(&x);
}
#define SAME_LOWERED(text, words) same_as_lowered(__FILE__, __LINE__, text, words)

/* The first kernel is alone with what the second will read in the end, and from then on no plane
 * ahead of it, for want of a ring that long. */
CASE(stages_begin_one_after_the_other) {
#define TEMPORARY(n)                                                                               \
  "grid x = 9, y = 7, z = 20\nfield u, v : f32 = noise(1)\nstep 3 {\n  a = sqrt(abs(v))\n"         \
  "  u = a[0, 0, " n "] + a[0, 0, -" n "]*a on interior(0, 0, " n ")\n}\n"
  SAME_LOWERED(TEMPORARY("1"), "tile=0,0,0");
  SAME_LOWERED(TEMPORARY("2"), "tile=0,0,0");
  SAME_LOWERED(TEMPORARY("2"), "tile=0,3,7");
}

/* Cells near faces are read in rings, and all others where they lie. */
CASE(fields_are_read_where_they_lie_but_near_faces) {
#define AROUND(more)                                                                               \
  "grid x = 50, y = 20, z = 9\nfield u, v, w : f32 = noise(1)\nboundary u, v = mirror\nstep 3 {\n" \
  "  u' = u[-3, 0, 0] + u[2, 0, 0] - u[0, 2, 0] + u[0, 0, 1] - u[0, 0, -1]" more "\n}\n"
  SAME_LOWERED(AROUND(""), "tile=0,8 in_place=1");
  SAME_LOWERED(AROUND(" + v[1, 1, 0]"), "tile=0,8 in_place=1");
  SAME_LOWERED(AROUND("\n  w = 2*v[0, 1, 0] on interior(1, 0, 0)"), "tile=0,8 in_place=1");
  SAME_LOWERED(AROUND(""), "tile=16,8 in_place=1");
}

/* ---- tiles and threads ---- */

CASE(tiles_are_counted_with_lanes_fastest) {
  ik_pass p = {.lo = {0, 2, -1}, .hi = {10, 7, 8}, .tile = {4, 5, 2}};
  CHECK_EQ(ik_drive_tiles(&p), 3 * 1 * 5);
}

CASE(a_thread_without_memory_says_so) {
  pair x;
  if (pair_open(&x, "grid x = 6, y = 5\nfield u : f64 = noise(1)\nboundary u = 0\n"
                    "step 1 { u' = u[1,0] + u[0,-1] }\n")) {
    ik_pass *p =
        make_pass(x.p.ir, x.p.ir->body->body, (shape){.steps = 1, .planes = 1}, &x.p.arena);
    bool ok = false;
    for (int n = 0; !ok && n < 20; n++) {
      ik_drive_thread th = {0};
      ik_mem_fail_after(n);
      ok = ik_drive_thread_fit(&th, x.got, p);
      ik_mem_fail_after(-1);
      CHECK(ok == (n >= 9));
      ik_drive_thread_free(&th);
    }
  }
  pair_close(&x);
}

CASE(a_thread_that_fits_a_pass_needs_nothing_more_for_it) {
  pair x;
  if (pair_open(&x, "grid x = 6, y = 5\nfield u : f64 = noise(1)\nboundary u = 0\n"
                    "step 1 { u' = u[1,0] + u[0,-1] }\n")) {
    ik_drive_thread th = {0};
    ik_pass        *p =
        make_pass(x.p.ir, x.p.ir->body->body, (shape){.steps = 1, .planes = 1}, &x.p.arena);
    CHECK(ik_drive_thread_fit(&th, x.got, p));
    ik_mem_fail_after(0);
    CHECK(ik_drive_thread_fit(&th, x.got, p));
    ik_mem_fail_after(-1);
    ik_drive_thread_free(&th);
  }
  pair_close(&x);
}

static int64_t row_lo[2], row_hi[2]; /* of each step, the lanes that were computed */

static void note_row(const ik_kernel_call *c) {
  if (c->x0 < row_lo[c->t]) row_lo[c->t] = c->x0;
  if (c->x1 > row_hi[c->t]) row_hi[c->t] = c->x1;
}

/* What is not stored may be more than is read of it: whole lines, as far as there are cells. */
CASE(rows_between_steps_are_computed_in_whole_lines) {
  pair x;
  if (pair_open(&x, "grid x = 200, y = 9\nfield u : f32 = noise(1)\nboundary u = 0\n"
                    "step 2 { u' = 0.5*u[-1,0] + 0.5*u[0,1] + 0.1*u[1,0] }\n")) {
    ik_kernel_fn   *kernel[] = {note_row, note_row, note_row, note_row, note_row, note_row};
    const ik_pass  *p = pass_of(&x.p, "fuse steps=2 tile=64,0 bytes=64");
    ik_drive        d = {.ir = x.p.ir, .state = x.got, .pass = p, .kernel = kernel};
    ik_drive_thread th = {.scratch = aligned_alloc(64, (size_t)p->scratch_bytes / 64 * 64 + 64)};
    CHECK(p->nkernel <= 3 && p->steps == 2);
    CHECK(ik_drive_thread_fit(&th, x.got, p));
    for (int i = 0; i < 4; i++) {
      row_lo[0] = row_lo[1] = INT64_MAX, row_hi[0] = row_hi[1] = 0;
      ik_drive_some(&d, i, i + 1, &th);
      int64_t lo = 64 * i, hi = i < 3 ? lo + 64 : 200;
      CHECK(row_lo[0] == (i > 0 ? lo - 16 : 0) && row_hi[0] == (i < 2 ? hi + 16 : 200));
      CHECK(row_lo[1] == lo && row_hi[1] == hi);
    }
    free(th.scratch);
    ik_drive_thread_free(&th);
  }
  pair_close(&x);
}
