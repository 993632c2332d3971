#include "lower/shaper.h"
#include "lower/sweep.h"

static const char *const role_name[] = {"lane", "row", "stream"};
static const char *const stage_name[] = {"fetch", "kernel", "store", "spots"};

static void print_buffer(const ik_ir *ir, const ik_pipe_buffer *b, int i, ik_buf *out) {
  ik_buf_printf(out, "    buffer %d: %s@%d %s", i,
                b->field < 0 ? "(sum)" : ir->field[b->field].name, b->version,
                ik_type_name(b->type));
  if (b->ring) ik_buf_printf(out, ", ring of %d planes", b->depth);
  if (b->rows) ik_buf_printf(out, " of %d rows", b->rows);
  if (b->in_place.on)
    ik_buf_puts(out, b->in_place.ends.known ? " near faces, rows whole" : " near faces");
  if (b->in_place.padded) ik_buf_printf(out, ", or %g beyond them", b->in_place.padding);
  if (b->spare) ik_buf_printf(out, " and %d spare", b->spare);
  if (b->shared) ik_buf_puts(out, ", in a place that others had");
  if (b->memory) ik_buf_printf(out, ", memory level %d", b->level);
  for (int r = 0; r < IK_NROLES; r++)
    if (b->edge[r] == IK_EDGE_VIRTUAL) ik_buf_printf(out, ", %s wraps", role_name[r]);
  ik_buf_putc(out, '\n');
}

static void print_kernel(const ik_ir *ir, const ik_pipe_kernel *k, int i, const ik_shaper *shaper,
                         ik_buf *out) {
  ik_buf_printf(out, "    kernel %d: %d statements", i, k->nstmt);
  for (int s = 0; s < k->nstmt; s++)
    ik_buf_printf(out, "%s%s%s", s ? ", " : ": ",
                  k->stmt[s]->kind == IK_REDUCE ? "reduce" : ir->field[k->stmt[s]->field].name,
                  k->store[s] < 0 ? " (register)" : "");
  if (k->nahead) ik_buf_printf(out, ", the first %d %d rows ahead", k->nahead, k->rows_ahead);
  if (shaper) shaper->print(k, out);
  ik_buf_putc(out, '\n');
}

static void print_stage(const ik_pipe_stage *s, ik_buf *out) {
  ik_buf_printf(out, "      %s", stage_name[s->kind]);
  if (s->kind == IK_STAGE_KERNEL) ik_buf_printf(out, " %d", s->kernel);
  if (s->kind == IK_STAGE_KERNEL && s->inside >= 0) ik_buf_printf(out, ", inside %d,", s->inside);
  ik_buf_printf(out, " step %d lag %d", s->step, s->lag);
  for (int r = 0; r < IK_NROLES; r++)
    if (s->ext[r][0] || s->ext[r][1])
      ik_buf_printf(out, ", %s -%d +%d", role_name[r], s->ext[r][0], s->ext[r][1]);
  if (s->first_rows) ik_buf_puts(out, ", first rows");
  for (int i = 0; i < s->ndone; i++) ik_buf_printf(out, ", done %d", s->done[i]);
  ik_buf_putc(out, '\n');
}

static void print_pass(const ik_ir *ir, const ik_pass *p, const ik_shaper *shaper, ik_buf *out) {
  for (int r = 0; r < IK_NROLES; r++)
    if (p->axis[r] >= 0)
      ik_buf_printf(out, "    %s %s: %lld:%lld in tiles of %lld\n", role_name[r],
                    ir->axis[p->axis[r]], (long long)p->lo[r], (long long)p->hi[r],
                    (long long)p->tile[r]);
  for (int i = 0; i < p->nbuffer; i++) print_buffer(ir, &p->buffer[i], i, out);
  for (int i = 0; i < p->nkernel; i++) print_kernel(ir, &p->kernel[i], i, shaper, out);
  for (int i = 0; i < p->nphase; i++) {
    ik_buf_printf(out, "    phase %d: %s, %d planes at a time\n", i,
                  p->phase[i].dir > 0 ? "up" : "down", p->phase[i].planes);
    for (int s = 0; s < p->phase[i].nstage; s++) print_stage(&p->phase[i].stage[s], out);
  }
  ik_buf_printf(out, "    scratch %lld bytes, rows of %lld\n", (long long)p->scratch_bytes,
                (long long)p->pitch);
}

void ik_pipe_print(const ik_ir *ir, const ik_pipe *p, const ik_shaper *shaper, ik_buf *out) {
  for (int i = 0; i < p->n; i++) {
    const ik_pipe_work *w = &p->work[i];
    if (w->kind == IK_WORK_SET) ik_buf_printf(out, "  set %s\n", ir->scalar[w->stmt->scalar].name);
    if (w->kind == IK_WORK_SWEEP) {
      ik_buf_printf(out, "  sweep: %s\n    ", w->why);
      ik_sweep_print(ir, w->sweep, out);
    }
    if (w->kind == IK_WORK_INTERP) ik_buf_printf(out, "  interpreter: %s\n", w->why);
    if (w->kind != IK_WORK_PASS) continue;
    ik_buf_printf(out, "  pass %d: %d step%s\n", i, w->pass->steps, w->pass->steps == 1 ? "" : "s");
    print_pass(ir, w->pass, shaper, out);
  }
}
