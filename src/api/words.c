/* What a run says: the plan before it, the summary after it, and both as JSON. */
#include "api/api.h"
#include "base/fp.h"
#include "base/mem.h"
#include "machine/machine.h"
#include "runtime/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void ik_put_lines(const char *name, int column, const char *lines, ik_buf *b) {
  bool first = true;
  while (lines && *lines) {
    size_t len = strcspn(lines, "\n");
    ik_buf_printf(b, "  %-*s%.*s\n", column - 2, first ? name : "", (int)len, lines);
    lines += len + (lines[len] == '\n');
    first = false;
  }
}

const char *ik_run_help(const ik_run *r) {
  if (r->small) return "reference interpreter: the grid is too small to compile for";
  return r->engine->help ? r->engine->help : r->target->help;
}

static void put_prediction(const ik_run *r, ik_buf *b) {
  ik_outcome o = ik_outcome_before(&r->loop);
  ik_buf     words = {0};
  ik_outcome_prediction(&o, &words);
  ik_put_lines("predict", 10, ik_buf_text(&words), b);
  b->failed |= words.failed;
  ik_buf_free(&words);
}

/* The values that hashes are of. */
static bool has_fields(const ik_run *r) {
  const ik_ir *ir = r->program->ir;
  bool         ok = true;
  for (int f = 0; ok && f < ir->nfield; f++)
    ok = ir->field[f].kind != IK_FIELD_USER || ik_engine_has(r->engine, f);
  return ok;
}

static const char *answer(const ik_run *r, long before) {
  return r->cut ? NULL : ik_answer(&r->text, before);
}

static void put_device(const ik_device *x, ik_buf *b) {
  if (!x->bytes) return;
  ik_buf_puts(b, "  device  ");
  ik_memory_text(x->bytes, b);
  ik_buf_puts(b, " of ");
  ik_memory_text(x->free, b);
  ik_buf_printf(b, " free, of %s\n", x->name);
}

const char *ik_run_plan(ik_run *r) {
  IK_OWN_ARITHMETIC;
  const ik_ir *ir = r->program->ir;
  long         before = ik_mem_refused();
  ik_buf_free(&r->text);
  ik_buf *b = &r->text;
  ik_buf_puts(b, "  memory  ");
  ik_memory_text(ik_memory_need(ir, r->engine->layout, r->engine->bytes), b);
  ik_buf_puts(b, " of ");
  ik_memory_text(ik_memory_free(), b);
  ik_buf_puts(b, " free\n");
  put_device(&r->engine->device, b);
  ik_buf_printf(b, "  target  %s (%s%s)\n", r->target->name,
                r->target->simulated ? "SIMULATED: " : "", ik_run_help(r));
  if (r->tuned && r->engine->plan)
    ik_buf_printf(b, "  plan    %s (tuned)\n", r->engine->plan);
  else
    ik_put_lines("plan", 10, r->engine->plan, b);
  put_prediction(r, b);
  return answer(r, before);
}

/* "  name   words", a line of the summary. */
static void put_row(void *out, const char *name, const char *words) {
  ik_put_lines(name, 10, words, out);
}

static void put_repeats(const ik_run *r, ik_buf *b) {
  for (int i = 0; i < r->loop.nrepeat; i++) {
    const ik_repeat *x = &r->loop.repeat[i];
    const char      *end = x->converged ? "condition reached"
                           : x->over    ? "condition not reached"
                                        : "ended early";
    ik_buf_printf(b, "  repeat  %s after %lld round%s\n", end, (long long)x->rounds,
                  x->rounds == 1 ? "" : "s");
  }
}

static bool is_shown(const ik_run *r, int scalar) { return !r->program->ir->scalar[scalar].hidden; }

static bool is_computed(const ik_run *r, int scalar) {
  return r->loop.started && ik_units_has_set(&r->loop.units, r->program->ir, scalar);
}

static void put_scalars(const ik_run *r, ik_buf *b) {
  const ik_ir *ir = r->program->ir;
  for (int i = 0; i < ir->nscalar; i++) {
    if (!is_shown(r, i)) continue;
    if (is_computed(r, i))
      ik_buf_printf(b, "  %s = %.*g\n", ir->scalar[i].name, ir->scalar[i].type == IK_I32 ? 10 : 9,
                    r->state->scalar[i]);
    else
      ik_buf_printf(b, "  %s was not computed\n", ir->scalar[i].name);
  }
}

static void put_stability(const ik_run *r, ik_buf *b) {
  if (!r->stability.known) return;
  if (r->stability.stable)
    ik_buf_printf(b, "  stable  yes: max |G| = %.4g", r->stability.max_g);
  else /* else the run was refused */
    ik_buf_printf(b, "  growth  max |G| = %.4g, a constant state's as well: not an instability",
                  r->stability.max_g);
  if (r->of_limit > 0) ik_buf_printf(b, ", dt is %.0f %% of its limit", 100 * r->of_limit);
  ik_buf_putc(b, '\n');
}

ik_outcome ik_run_outcome(const ik_run *r) {
  return ik_outcome_of(&r->loop, r->metered ? &r->energy : NULL);
}

const char *ik_run_summary(ik_run *r) {
  IK_OWN_ARITHMETIC;
  long       before = ik_mem_refused();
  ik_outcome o = ik_run_outcome(r);
  if (!has_fields(r)) return NULL;
  ik_buf_free(&r->text);
  ik_buf *b = &r->text;
  ik_outcome_headline(&o, b);
  if (r->loop.watch.field)
    ik_buf_printf(b, "   max|%s| = %.6g", r->loop.watch.field, r->loop.watch.max_abs);
  ik_buf_putc(b, '\n');
  ik_outcome_each(&o, put_row, b);
  if (r->engine->simulated) ik_simulated_text(r, b);
  put_repeats(r, b);
  put_scalars(r, b);
  put_stability(r, b);
  ik_buf_printf(b, "  hash    %016llx\n", (unsigned long long)ik_state_hash(r->state));
  return answer(r, before);
}

const char *ik_run_files(ik_run *r) { return ik_answer(&r->files, ik_mem_refused()); }

static void json_hash(ik_json *j, uint64_t h) {
  char text[20];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)h);
  ik_json_str(j, "hash", text);
}

static void json_fields(const ik_run *r, ik_json *j) {
  const ik_ir *ir = r->program->ir;
  ik_json_open(j, "fields", '[');
  for (int f = 0; f < ir->nfield; f++) {
    if (ir->field[f].kind != IK_FIELD_USER) continue;
    ik_json_open(j, NULL, '{');
    ik_json_str(j, "name", ir->field[f].name);
    ik_json_str(j, "type", ik_type_name(ir->field[f].type));
    json_hash(j, ik_state_hash_field(r->state, f));
    ik_json_close(j, '}');
  }
  ik_json_close(j, ']');
}

static void json_scalars(const ik_run *r, ik_json *j) {
  const ik_ir *ir = r->program->ir;
  ik_json_open(j, "scalars", '{');
  for (int i = 0; i < ir->nscalar; i++)
    if (is_shown(r, i))
      ik_json_num(j, ir->scalar[i].name, is_computed(r, i) ? r->state->scalar[i] : NAN);
  ik_json_close(j, '}');
}

static void json_files(const ik_run *r, ik_json *j) {
  const char *p = ik_buf_text(&r->files);
  ik_json_open(j, "files", '[');
  while (*p) {
    const char *end = strchr(p, '\n');
    ik_buf      name = {0};
    ik_buf_write(&name, p, (size_t)(end - p));
    ik_json_str(j, NULL, ik_buf_text(&name));
    ik_buf_free(&name);
    p = end + 1;
  }
  ik_json_close(j, ']');
}

/* Of all repeats together, and of each. */
static void json_repeats(const ik_run *r, ik_json *j) {
  int64_t rounds = 0;
  bool    converged = true;
  if (!r->loop.nrepeat) return;
  ik_json_open(j, "repeats", '[');
  for (int i = 0; i < r->loop.nrepeat; i++) {
    const ik_repeat *x = &r->loop.repeat[i];
    rounds += x->rounds, converged &= x->converged;
    ik_json_open(j, NULL, '{');
    ik_json_int(j, "rounds", x->rounds);
    ik_json_bool(j, "converged", x->converged);
    ik_json_close(j, '}');
  }
  ik_json_close(j, ']');
  ik_json_int(j, "rounds", rounds);
  ik_json_bool(j, "converged", converged);
}

static void json_setting(const ik_run *r, ik_json *j) {
  const ik_ir *ir = r->program->ir;
  ik_json_open(j, "parameters", '{');
  for (int i = 0; i < ir->nparam; i++) ik_json_num(j, ir->param[i].name, ir->param[i].value);
  ik_json_close(j, '}');
  ik_json_num(j, "dt", ir->dt > 0 ? ir->dt : NAN);
  ik_json_int(j, "threads", r->engine->threads);
  ik_json_str(j, "plan", r->engine->plan);
  ik_json_str(j, "machine_name",
              r->engine->simulated ? r->engine->simulated->machine : ik_machine_processor());
  ik_json_str(j, "version", IK_VERSION);
}

const char *ik_run_json(ik_run *r) {
  IK_OWN_ARITHMETIC;
  long before = ik_mem_refused();
  if (!has_fields(r)) return NULL;
  ik_buf_free(&r->text);
  ik_json    j = {.out = &r->text};
  ik_outcome o = ik_run_outcome(r);
  ik_json_open(&j, NULL, '{');
  ik_json_str(&j, "program", r->program->ir->name);
  ik_json_str(&j, "target", r->target->name);
  ik_json_str(&j, "strategy", r->engine->strategy ? r->engine->strategy : r->strategy);
  ik_json_bool(&j, "tuned", r->tuned);
  ik_json_bool(&j, "simulated", r->target->simulated);
  ik_json_bool(&j, "done", ik_run_done(r));
  ik_json_int(&j, "steps", r->loop.done);
  ik_outcome_json(&o, &j);
  json_setting(r, &j);
  if (r->engine->simulated) ik_simulated_json(r, &j);
  ik_json_int(&j, "peak_bytes",
              ik_memory_need(r->program->ir, r->engine->layout, r->engine->bytes));
  if (r->engine->device.bytes) ik_json_int(&j, "device_bytes", r->engine->device.bytes);
  json_repeats(r, &j);
  json_hash(&j, ik_state_hash(r->state));
  json_fields(r, &j);
  json_scalars(r, &j);
  json_files(r, &j);
  ik_json_close(&j, '}');
  r->text.failed |= r->files.failed;
  return answer(r, before);
}
