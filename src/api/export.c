#include "api/api.h"
#include "base/fp.h"
#include "base/mem.h"
#include "base/stack.h"
#include "targets/plainc/plainc.h"

typedef struct task { /* what may go deep; see base/stack.h */
  ik_program *p;
  ik_log     *log;
  ik_status   status;
} task;

static void export(void *ctx) {
  task *t = ctx;
  t->status = ik_plainc_print(t->p->ir, &t->p->text->source, &t->log->d, &t->p->shown);
}

const char *ik_program_export(ik_program *p, ik_log *log) {
  IK_OWN_ARITHMETIC;
  task t = {.p = p, .log = log};
  long before = ik_mem_refused();
  ik_buf_free(&p->shown);
  if (!p->ir) {
    ik_error(&log->d, IK_E081, IK_NOSPAN, "the program is not compiled");
    return NULL;
  }
  ik_stack_call(export, &t);
  if (t.status) return NULL;
  const char *text = ik_answer(&p->shown, before);
  if (!text) ik_log_no_memory(log);
  return text;
}
