/* ref: the reference interpreter as a target.  Always there, runs everything. */
#include "base/mem.h"
#include "target/hosted.h"

static ik_status attach_ref(ik_engine *x, ik_state *s, ik_diag *d) {
  x->state = s;
  return ik_interp_create(s, d, &((ik_hosted *)x)->host);
}

static ik_status run_ref(ik_engine *x, const ik_stmt *first, const ik_stmt *end, ik_diag *d) {
  (void)d;
  ik_interp_run(((ik_hosted *)x)->host, first, end);
  return IK_OK;
}

static void destroy_ref(ik_engine **x) {
  if (!*x) return;
  ik_interp_destroy(&((ik_hosted *)*x)->host);
  ik_free(*x);
  *x = NULL;
}

static const ik_engine_ops ops = {attach_ref,      ik_hosted_ready,  run_ref,
                                  ik_hosted_steps, ik_hosted_scalar, ik_hosted_share,
                                  ik_hosted_pause, destroy_ref};

static ik_status open_ref(const ik_problem *p, ik_diag *d, ik_engine **out) {
  *out = NULL;
  IK_TRY(ik_hosted_no_wish(p, "ref", d));
  ik_hosted *x = ik_calloc(1, sizeof *x);
  if (!x) return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "no memory for the interpreter");
  *out = &x->base;
  x->base = (ik_engine){.ops = &ops, .bytes = ik_interp_bytes(p->ir), .stride = 1};
  return IK_OK;
}

static const char *const strategies[] = {"sweep", NULL}; /* one pass per step */

extern const ik_target ik_target_ref;
const ik_target        ik_target_ref = {
           .name = "ref",
           .help = "the reference interpreter: slow, complete, the meaning of a program",
           .reference = true,
           .strategies = strategies,
           .probe = ik_hosted_probe,
           .open = open_ref,
};
