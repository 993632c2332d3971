/* simulated.c: what a run on a simulated machine says, and its trace.
 *
 * The time such a run takes is that of the machine, by its own clock; how long this computer
 * simulated it is said apart, and never as the machine's. */
#include "api/api.h"
#include "io/file.h"
#include <string.h>

/* ---- for a person ---- */

enum { COLUMN = 14 };

static void put_counts(const ik_simulated *s, ik_buf *b) {
  for (int i = 0; i < s->ncount; i++)
    ik_buf_printf(b, "  %-*s%.6g %s\n", COLUMN - 2, i ? "" : "counts", s->count[i].value,
                  s->count[i].name);
}

void ik_simulated_text(const ik_run *r, ik_buf *b) {
  const ik_simulated *s = r->engine->simulated;
  ik_buf_printf(b, "  %-*s%s at %.4g GHz, SIMULATED%s%s\n", COLUMN - 2, "machine", s->machine,
                s->clock / 1e9, s->part ? ": " : "", s->part ? s->part : "");
  if (r->target->rule)
    ik_put_lines(
        "bits", COLUMN,
        "by the machine's own order and rounding, which need not give the language's bits;\n"
        "`ikat verify` compares them with the interpreter under that rule\n",
        b);
  ik_buf_printf(b, "  %-*s%.3g s of this computer's time went into the simulation\n", COLUMN - 2,
                "host", r->loop.seconds);
  put_counts(s, b);
  ik_put_lines("from", COLUMN, s->origin, b);
  ik_put_lines("constants", COLUMN, s->constants, b);
  ik_put_lines("validation", COLUMN, s->validation, b);
}

/* ---- for other programs ---- */

static void json_lines(ik_json *j, const char *key, const char *lines) {
  ik_json_open(j, key, '[');
  while (lines && *lines) {
    size_t len = strcspn(lines, "\n");
    ik_buf line = {0};
    ik_buf_write(&line, lines, len);
    ik_json_str(j, NULL, ik_buf_text(&line));
    j->out->failed |= line.failed;
    ik_buf_free(&line);
    lines += len + (lines[len] == '\n');
  }
  ik_json_close(j, ']');
}

void ik_simulated_json(const ik_run *r, ik_json *j) {
  const ik_simulated *s = r->engine->simulated;
  ik_json_str(j, "machine", s->machine);
  ik_json_num(j, "clock", s->clock);
  ik_json_str(j, "simulated_part", s->part);
  ik_json_bool(j, "own_arithmetic", r->target->rule != NULL);
  ik_json_num(j, "simulated_seconds", s->seconds);
  ik_json_num(j, "cycles", s->seconds * s->clock);
  ik_json_num(j, "host_seconds", r->loop.seconds);
  ik_json_open(j, "counts", '{');
  for (int i = 0; i < s->ncount; i++) ik_json_num(j, s->count[i].name, s->count[i].value);
  ik_json_close(j, '}');
  json_lines(j, "origin", s->origin);
  json_lines(j, "constants", s->constants);
  json_lines(j, "validation", s->validation);
}

/* ---- the trace ---- */

ik_status ik_run_can_trace(const ik_run *r, ik_log *log) {
  if (r->engine->simulated) return IK_OK;
  ik_error(&log->d, IK_E081, IK_NOSPAN,
           "only simulated machines have traces, and '%s' is not simulated", r->target->name);
  ik_help(&log->d, "name a target that `ikat doctor` calls SIMULATED: --target wse2");
  return IK_ERR_SOURCE;
}

ik_status ik_run_trace(ik_run *r, const char *path, ik_log *log) {
  ik_buf json = {0};
  IK_TRY(ik_run_can_trace(r, log));
  const ik_timeline *t = r->engine->simulated->timeline;
  if (!t)
    return ik_fail(&log->d, IK_ERR_UNSUPPORTED, IK_E081, IK_NOSPAN,
                   "nothing of this run was simulated cycle by cycle: there is no trace");
  ik_timeline_json(t, &json);
  ik_status st = json.failed ? ik_file_oom(path, IK_NOSPAN, &log->d)
                             : ik_file_write(path, json.data, json.len, &log->d);
  if (!st) ik_run_note_file(r, path);
  ik_buf_free(&json);
  return st;
}
