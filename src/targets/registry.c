#include "base/text.h"
#include "targets/target.h"
#include <string.h>

#define IK_TARGET(name) extern const ik_target ik_target_##name;
#include "targets/list.h"
#undef IK_TARGET

const ik_target *const ik_targets[] = {
#define IK_TARGET(name) &ik_target_##name,
#include "targets/list.h"
#undef IK_TARGET
    NULL};

static ik_status unknown(const char *name, ik_diag *d) {
  const char *known[64];
  int         n = 0;
  for (const ik_target *const *t = ik_targets; *t && n < 64; t++) known[n++] = (*t)->name;
  const char *near = ik_nearest(name, known, n);
  ik_error(d, IK_E082, IK_NOSPAN, "there is no target '%s'", name);
  if (near)
    ik_help(d, "did you mean '%s'?", near);
  else
    ik_help(d, "`ikat doctor` lists the targets");
  return IK_ERR_SOURCE;
}

/* Is `name` the target itself, or NAME/rule? */
static const ik_target *match(const ik_target *t, const char *name) {
  size_t n = strlen(t->name);
  if (!name || strcmp(t->name, name) == 0) return t;
  return strncmp(t->name, name, n) == 0 && strcmp(name + n, "/rule") == 0 ? t->rule : NULL;
}

ik_status ik_target_find(const char *name, ik_diag *d, const ik_target **out) {
  for (const ik_target *const *i = ik_targets; *i; i++) {
    const ik_target *t = match(*i, name);
    ik_buf           why = {0};
    if (!t) continue;
    bool here = t->probe(&why);
    if (name && !here)
      ik_fail(d, IK_ERR_RESOURCE, IK_E082, IK_NOSPAN, "target '%s' is not available: %s", name,
              ik_buf_text(&why));
    ik_buf_free(&why);
    if (here) return *out = t, IK_OK;
    if (name) return IK_ERR_RESOURCE;
  }
  return unknown(name ? name : "", d);
}

const ik_target *ik_target_reference(void) {
  const ik_target *const *t = ik_targets;
  while (!(*t)->reference) t++;
  return *t;
}

const ik_target *ik_target_measure(const ik_target *t) {
  return t->rule ? t->rule : ik_target_reference();
}

ik_status ik_target_strategy(const ik_target *t, const char *name, ik_diag *d, const char **out) {
  ik_buf all = {0};
  *out = name ? NULL : t->strategies[0];
  for (const char *const *s = t->strategies; *s; s++) {
    if (name && strcmp(*s, name) == 0) *out = *s;
    ik_buf_printf(&all, "%s%s", s == t->strategies ? "" : ", ", *s);
  }
  if (!*out) {
    ik_error(d, IK_E082, IK_NOSPAN, "target '%s' has no strategy '%s'", t->name, name);
    ik_help(d, "it has: %s", ik_buf_text(&all));
  }
  ik_buf_free(&all);
  return *out ? IK_OK : IK_ERR_SOURCE;
}
