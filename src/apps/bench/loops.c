#include "apps/bench/loops.h"
#include "base/embed.h"
#include "base/mem.h"
#include "base/pages.h"
#include "base/pick.h"
#include "apps/bench/stats.h"
#include <math.h>
#include <string.h>

typedef struct plain { /* as in bench/cpu/plain/nest.h */
  void  **a;
  double *scalar;
  long    t;
  int     threads;
} plain;

typedef void (*begin_fn)(const plain *p);
typedef long (*run_fn)(plain *p, long rounds);
typedef void (*clear_fn)(void *from, long bytes, int threads);

struct ik_loops {
  ik_arena  arena; /* of the nest, and of the lists below */
  ik_nest   nest;
  ik_build *code[IK_PLAINS];
  void    **owned; /* [narray] */
  plain     p;
};

/* ---- code ---- */

/* What the nests call stands before them. */
static void write_text(ik_loops *l, ik_buf *out) {
  static const char *const sources[] = {"src/ir/operations.h", "src/ir/apply.c"};
  ik_buf                   code = {0};
  ik_nest_write(&l->nest, &l->arena, &code);
  ik_buf_puts(out, ik_embed_find("bench/cpu/plain/nest.h")->data);
  for (int i = 0; i < 2; i++)
    ik_buf_puts(out, ik_pick(ik_embed_find(sources[i])->data, ik_buf_text(&code), &l->arena));
  ik_buf_puts(out, ik_buf_text(&code));
  out->failed |= code.failed;
  ik_buf_free(&code);
}

static ik_status build(ik_loops *l, const char *cache, ik_diag *d) {
  ik_buf    text = {0};
  ik_status st = IK_OK;
  write_text(l, &text);
  if (text.failed)
    st = ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the plain loop");
  for (int way = 0; !st && way < IK_PLAINS; way++)
    st = ik_plain_compile(ik_buf_text(&text), way, cache, d, &l->code[way]);
  for (int way = 0; !st && way < IK_PLAINS; way++) st = ik_build_finish(l->code[way], d);
  ik_buf_free(&text);
  return st;
}

/* ---- arrays ---- */

static ik_status allocate(ik_loops *l, int threads, ik_diag *d) {
  const ik_ir *ir = l->nest.ir;
  clear_fn     clear = (clear_fn)ik_build_symbol(l->code[0], "plain_clear");
  l->p.threads = threads;
  for (int f = 0; f < ir->nfield; f++) {
    const ik_nest_field *x = &l->nest.field[f];
    size_t               element = (size_t)ik_type_bytes(ir->field[f].type);
    for (int k = x->first; k < x->first + x->n; k++) {
      l->owned[k] = ik_pages_alloc((size_t)x->elements * element);
      if (!l->owned[k])
        return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN,
                       "no memory for the arrays of the plain loop");
      clear(l->owned[k], x->elements * (long)element, threads);
      l->p.a[k] = (char *)l->owned[k] + x->origin * (long)element;
    }
  }
  return IK_OK;
}

static const char *missing(const ik_ir *ir, ik_arena *a) {
  ik_nest n;
  if (setjmp(a->oom)) return "there is no memory for it";
  return ik_nest_of(ir, a, &n);
}

const char *ik_loops_missing(const ik_ir *ir) {
  ik_arena a;
  ik_arena_init(&a);
  const char *why = missing(ir, &a);
  ik_arena_free(&a);
  return why;
}

static ik_status open_all(ik_loops *l, const ik_ir *ir, int threads, const char *cache,
                          ik_diag *d) {
  if (setjmp(l->arena.oom))
    return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the plain loop");
  const char *why = ik_nest_of(ir, &l->arena, &l->nest);
  if (why)
    return ik_fail(d, IK_ERR_UNSUPPORTED, IK_E082, IK_NOSPAN, "no plain loop is written: %s", why);
  l->owned = IK_NEW_N(&l->arena, void *, l->nest.narray + 1);
  l->p.a = IK_NEW_N(&l->arena, void *, l->nest.narray + 1);
  l->p.scalar = IK_NEW_N(&l->arena, double, ir->nscalar + 1);
  IK_TRY(build(l, cache, d));
  return allocate(l, threads, d);
}

ik_status ik_loops_open(const ik_ir *ir, int threads, const char *cache, ik_diag *d,
                        ik_loops **out) {
  ik_loops *l = *out = ik_calloc(1, sizeof *l);
  if (!l) return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the plain loop");
  ik_arena_init(&l->arena);
  ik_status st = open_all(l, ir, threads, cache, d);
  if (st) ik_loops_close(out);
  return st;
}

void ik_loops_close(ik_loops **loops) {
  ik_loops *l = *loops;
  if (!l) return;
  for (int k = 0; l->owned && k < l->nest.narray; k++) ik_pages_free(l->owned[k]);
  for (int way = 0; way < IK_PLAINS; way++) ik_build_close(&l->code[way]);
  ik_arena_free(&l->arena);
  ik_free(l);
  *loops = NULL;
}

/* ---- values ---- */

static bool is_stored(const ik_field *f) { return f->kind != IK_FIELD_TEMP; }

/* The cells of a row in an array of the loop's. */
static char *row_of(const ik_loops *l, int f, int level, int64_t y, int64_t z) {
  const long *stride = l->nest.field[f].stride;
  long        element = ik_type_bytes(l->nest.ir->field[f].type);
  char       *a = l->p.a[ik_nest_array(&l->nest, f, level)];
  return a + (y * stride[1] + z * stride[2]) * element;
}

static void load_level(ik_loops *l, const ik_state *from, int f, int level) {
  const ik_box *b = &l->nest.ir->field[f].box;
  size_t        bytes = (size_t)(b->hi[0] * ik_type_bytes(l->nest.ir->field[f].type));
  for (int64_t z = 0; z < b->hi[2]; z++)
    for (int64_t y = 0; y < b->hi[1]; y++)
      memcpy(row_of(l, f, level, y, z), ik_state_row(from, f, level, y, z), bytes);
}

void ik_loops_load(ik_loops *l, const ik_state *from) {
  const ik_ir *ir = l->nest.ir;
  for (int f = 0; f < ir->nfield; f++)
    for (int level = 0; is_stored(&ir->field[f]) && level > -ir->field[f].history; level--)
      load_level(l, from, f, level);
  memcpy(l->p.scalar, from->scalar, (size_t)ir->nscalar * sizeof *l->p.scalar);
  l->p.t = (long)from->t;
  ((begin_fn)ik_build_symbol(l->code[0], "plain_begin"))(&l->p);
}

void ik_loops_run(ik_loops *l, int way, int64_t rounds) {
  ((run_fn)ik_build_symbol(l->code[way], "plain_run"))(&l->p, (long)rounds);
}

static ik_deviation deviation_of(const ik_loops *l, const ik_state *s, int f) {
  const ik_field *u = &l->nest.ir->field[f];
  ik_deviation    dev = {0};
  for (int64_t z = 0; z < u->box.hi[2]; z++)
    for (int64_t y = 0; y < u->box.hi[1]; y++)
      ik_deviation_add(&dev, u->type, row_of(l, f, 0, y, z), ik_state_row(s, f, 0, y, z),
                       u->box.hi[0]);
  return dev;
}

/* A field that is zero but for rounding is held against the others. */
double ik_loops_error(const ik_loops *l, const ik_state *s) {
  const double NOTHING = 1e-3; /* a field that should be zero has rounding errors of the others */
  const ik_ir *ir = l->nest.ir;
  ik_deviation all = {0};
  double       most = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int f = 0; f < ir->nfield; f++) {
      if (ir->field[f].kind != IK_FIELD_USER) continue;
      ik_deviation dev = deviation_of(l, s, f);
      all.scale = fmax(all.scale, dev.scale);
      dev.scale = fmax(dev.scale, NOTHING * all.scale);
      if (pass) most = fmax(most, ik_deviation_of(&dev));
    }
  return most;
}
