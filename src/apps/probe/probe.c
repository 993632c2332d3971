#include "apps/probe/probe.h"
#include "api/api.h"
#include "base/fp.h"
#include "runtime/loop.h"

typedef struct job {
  ik_probe_options o;
  ik_log          *log;
  ik_machine      *os; /* what the operating system tells */
  ik_probe_result  result;
  int              threads;
  double           began;
  ik_buf           file; /* the machine file */
  bool             kept;
} job;

static ik_status measure(job *j) {
  ik_probe_room *room;
  IK_TRY(ik_probe_room_create(j->o.threads, j->os, &j->log->d, &room));
  ik_probe_list *l = ik_probe_room_list(room);
  ik_probe_rig   rig = ik_probe_room_rig(room);
  ik_probe_hooks hooks = {j->o.stop, j->o.progress, j->o.user};
  ik_status      st = ik_probe_measure(l, &rig, j->began, &hooks);
  j->threads = ik_probe_room_threads(room);
  ik_probe_figures(l, &j->result);
  ik_probe_room_destroy(&room);
  if (st == IK_ERR_INTERRUPTED)
    return ik_fail(&j->log->d, st, IK_E073, IK_NOSPAN, "interrupted; nothing was saved");
  return st;
}

/* What cannot be kept is still a result. */
static void keep(job *j) {
  ik_diag why = {0};
  if (!j->o.keep) return;
  j->kept = !ik_probe_keep(j->o.keep, &j->file, &why);
  if (!j->kept && why.nmsg)
    ik_warn(&j->log->d, IK_W006, IK_NOSPAN, "this could not be saved: %s",
            ik_buf_text(&why.msg[0].text));
  ik_diag_free(&why);
}

static void show_json(const job *j, const ik_machine *m, ik_buf *out) {
  ik_buf  machine = {0};
  ik_json inner = {.out = &machine}, outer = {.out = out};
  ik_machine_json(m, &inner);
  ik_json_open(&outer, NULL, '{');
  ik_json_raw(&outer, "machine", ik_buf_text(&machine));
  ik_json_int(&outer, "threads", j->threads);
  ik_json_num(&outer, "seconds", ik_loop_clock() - j->began);
  ik_json_str(&outer, "kept", j->kept ? j->o.keep : NULL);
  ik_json_close(&outer, '}');
  if (machine.failed) out->failed = true;
  ik_buf_free(&machine);
}

/* By way of the file, so that people see what will be read. */
static ik_status show(job *j, ik_arena *a, bool json, ik_buf *out) {
  ik_source   src = {"local.ikm", ik_buf_text(&j->file), j->file.len};
  ik_machine *m;
  IK_TRY(ik_machine_read("local", &src, a, &j->log->d, &m));
  if (json)
    show_json(j, m, out);
  else
    ik_machine_print(m, out);
  if (!json && j->kept) ik_buf_printf(out, "\nsaved in %s\n", j->o.keep);
  return out->failed ? ik_log_no_memory(j->log) : IK_OK;
}

static ik_status probe(job *j, ik_arena *a, bool json, ik_buf *out) {
  if (setjmp(a->oom)) return ik_log_no_memory(j->log);
  j->os = ik_machine_local("", a);
  IK_TRY(measure(j));
  ik_probe_write(&j->result, j->os, j->threads, &j->file);
  if (j->file.failed) return ik_log_no_memory(j->log);
  keep(j);
  return show(j, a, json, out);
}

ik_status ik_probe(const ik_probe_options *o, ik_log *log, bool json, const char **text) {
  IK_OWN_ARITHMETIC;
  job      j = {.log = log, .began = ik_loop_clock()};
  ik_arena a;
  if (o) j.o = *o;
  ik_buf_free(&log->text);
  ik_arena_init(&a);
  ik_status st = probe(&j, &a, json, &log->text);
  ik_arena_free(&a);
  ik_buf_free(&j.file);
  if (text) *text = ik_buf_text(&log->text);
  return st;
}
