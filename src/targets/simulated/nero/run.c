#include "targets/simulated/nero/run.h"
#include "base/mem.h"
#include "targets/simulated/nero/refuse.h"
#include <string.h>

void ik_nero_run_init(ik_nero_run *r, const ik_nero_program *p, const int64_t size[IK_MAX_DIM],
                      ik_arena *a) {
  *r = (ik_nero_run){.program = p, .values = ik_values_of(p->ir)};
  memcpy(r->size, size, sizeof r->size);
  r->window = IK_NEW_N(a, ik_nero_window, p->n);
  for (int i = 0; i < p->n; i++) ik_nero_window_init(&r->window[i], p->ir, &p->kernel[i], a);
  r->memory.result = IK_NEW_N(a, void *, r->values);
  r->cycles = IK_NEW_N(a, ik_nero_cycles, p->n);
}

void ik_nero_run_free(ik_nero_run *r) {
  for (int i = 0; r->window && i < r->program->n; i++) ik_nero_window_free(&r->window[i]);
  for (int v = 0; r->memory.result && v < r->values; v++) ik_free(r->memory.result[v]);
  *r = (ik_nero_run){0};
}

static bool ever_goes_aside(const ik_nero_run *r, int value) {
  for (int i = 0; i < r->program->n; i++)
    if (ik_nero_goes_aside(&r->program->kernel[i], value)) return true;
  return false;
}

int64_t ik_nero_run_bytes(ik_nero_run *r) {
  const ik_ir *ir = r->program->ir;
  int64_t      sum = ik_interp_bytes(ir);
  for (int v = 0; v < r->values; v++) {
    const ik_field *f = &ir->field[ik_nero_field(v)];
    if (ever_goes_aside(r, v)) sum += ik_box_cells(&f->box) * ik_type_bytes(f->type);
  }
  for (int i = 0; i < r->program->n; i++) {
    ik_box  b;
    int64_t n = ik_nero_window_count(&r->program->kernel[i], r->size);
    if (!ik_nero_window_box(&r->program->kernel[i], r->size, n / 2, &b)) continue;
    ik_nero_window_place(&r->window[i], &b);
    sum += ik_nero_window_bytes(&r->window[i]);
  }
  return sum;
}

ik_status ik_nero_run_attach(ik_nero_run *r, ik_state *s, ik_interp *host, ik_diag *d) {
  r->memory.state = s, r->memory.interp = host;
  for (int v = 0; v < r->values; v++) {
    if (!ever_goes_aside(r, v)) continue;
    r->memory.result[v] = ik_malloc((size_t)s->slot[ik_nero_field(v)].layout->bytes);
    if (!r->memory.result[v]) return ik_nero_no_memory(d);
  }
  return IK_OK;
}

/* Between the field and the place for its results: there before the windows, back after them. */
static void move_results(ik_nero_run *r, const ik_nero_kernel *k, bool back) {
  for (int v = 0; v < r->values; v++) {
    if (!ik_nero_goes_aside(k, v)) continue;
    int   f = ik_nero_field(v);
    void *field = ik_state_data(r->memory.state, f, ik_nero_level(v));
    void *aside = r->memory.result[v];
    memcpy(back ? field : aside, back ? aside : field,
           (size_t)r->memory.state->slot[f].layout->bytes);
  }
}

static ik_status run_window(ik_nero_run *r, int kernel, ik_diag *d) {
  ik_nero_window *w = &r->window[kernel];
  if (r->board && (r->all || r->cycles[kernel].cycles == 0)) {
    r->streamed++;
    return ik_nero_stream_window(w, &r->memory, r->program->ir, r->board, &r->shape[kernel], d,
                                 &r->cycles[kernel]);
  }
  IK_TRY(ik_nero_window_load(w, &r->memory, d));
  IK_TRY(ik_nero_window_compute(w, &r->memory, d));
  ik_nero_window_store(w, &r->memory);
  return IK_OK;
}

ik_status ik_nero_run_kernel(ik_nero_run *r, const ik_nero_kernel *k, ik_diag *d) {
  int    kernel = (int)(k - r->program->kernel);
  ik_box b;
  move_results(r, k, false);
  for (int64_t i = 0; ik_nero_window_box(k, r->size, i, &b); i++) {
    ik_nero_window_place(&r->window[kernel], &b);
    IK_TRY(run_window(r, kernel, d));
  }
  move_results(r, k, true);
  return IK_OK;
}
