/* A program of a workload: compiled, and told in the terms of hexagonal tiles. */
#include "api/api.h"
#include "plan/candidate.h"
#include "plan/hexagons.h"
#include "apps/study/codesign.h"
#include <stdlib.h>
#include <string.h>

/* The program does not outlive this, so its messages cannot point into it: the first one is told
 * with its place as words. */
static ik_status retell(const ik_codesign_line *l, const ik_log *log, ik_status st, ik_diag *d) {
  const ik_message *m = NULL;
  int               row, column;
  for (int i = log->d.nmsg - 1; i >= 0; i--)
    if (!log->d.msg[i].warning) m = &log->d.msg[i];
  if (!m) return st;
  ik_fail(d, st, m->code, IK_NOSPAN, "%s, line %d: %s", l->file, l->line, ik_buf_text(&m->text));
  if (m->span.src) {
    ik_source_position(m->span.src, m->span.off, &row, &column);
    ik_note_add(d, IK_NOSPAN, "at %s:%d:%d", m->span.src->name, row, column);
  }
  if (m->help.len) ik_help(d, "%s", ik_buf_text(&m->help));
  return st;
}

static ik_status wrong_steps(const char *text, ik_log *log) {
  return ik_fail(&log->d, IK_ERR_SOURCE, IK_E024, IK_NOSPAN,
                 "'steps=%s': steps must be a whole number from 1 to %lld", text,
                 (long long)IK_HEX_LIMIT);
}

static ik_status set(ik_program *p, const char *setting, ik_log *log) {
  const char *value = strchr(setting, '=') + 1;
  char        name[64], *end;
  size_t      len = (size_t)(value - setting) - 1;
  if (len >= sizeof name)
    return ik_fail(&log->d, IK_ERR_SOURCE, IK_E080, IK_NOSPAN, "there is no parameter '%s'",
                   setting);
  memcpy(name, setting, len), name[len] = 0;
  if (strcmp(name, "steps")) return ik_program_set(p, name, value, log);
  long long steps = strtoll(value, &end, 10);
  if (*end || end == value || steps < 1 || steps > IK_HEX_LIMIT) return wrong_steps(value, log);
  ik_program_set_steps(p, steps);
  return IK_OK;
}

static ik_status compile(ik_program *p, const ik_codesign_line *l, ik_log *log) {
  for (int i = 0; i < l->nsetting; i++) IK_TRY(set(p, l->setting[i], log));
  return ik_program_compile(p, log);
}

static int arrays_of(const ik_bytes *b) {
  int n = 0;
  for (int i = 0; i < b->n; i++) {
    bool known = false;
    for (int k = 0; k < i; k++) known |= b->item[k].field == b->item[i].field;
    n += !known;
  }
  return n;
}

static bool is_counted(const ik_hex_problem *p) {
  bool ok = p->steps <= IK_HEX_LIMIT;
  for (int i = 0; i < p->dims; i++) ok &= p->s[i] <= IK_HEX_LIMIT;
  return ok;
}

static ik_status describe(const ik_program *p, const ik_machine *gpu, ik_log *log,
                          ik_codesign_entry *out) {
  const ik_facts *f = &p->facts;
  const char     *why = ik_hexagons_refuse(f), *name = p->text->source.name;
  if (why)
    return ik_fail(&log->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "hexagonal tiles cannot run %s: %s",
                   name, why);
  if (!ik_hexagons_problem(p->ir, f, ik_question_of(p->ir, f).steps, gpu, &out->problem))
    return ik_fail(&log->d, IK_ERR_SOURCE, IK_E081, IK_NOSPAN, "machine %s has no C_iter",
                   gpu->name);
  if (!is_counted(&out->problem))
    return ik_fail(&log->d, IK_ERR_SOURCE, IK_E024, IK_NOSPAN,
                   "the time model does not count as many points or steps as %s has", name);
  out->figures = (ik_codesign_figures){.flops = (double)f->flops.cell,
                                       .bytes = f->bytes.cell,
                                       .arrays = arrays_of(&f->bytes),
                                       .radius = ik_hexagons_reach(f)};
  return IK_OK;
}

ik_status ik_codesign_program(const ik_codesign_line *l, const ik_machine *gpu, ik_diag *d,
                              ik_codesign_entry *out) {
  ik_program *p = NULL;
  ik_log     *log = ik_log_create();
  if (!log) return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "not enough memory");
  ik_status st = ik_program_open(l->path, log, &p);
  if (!st) st = compile(p, l, log);
  if (!st) st = describe(p, gpu, log, out);
  if (st) st = retell(l, log, st, d);
  ik_program_destroy(&p);
  ik_log_destroy(&log);
  return st;
}
