/* What if a machine were another?  "bandwidth=x2,shared=x0.5" */
#include "base/text.h"
#include "machine/machine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct change {
  const char *name;
  int         len;
  double      factor;
} change;

/* A figure is meant by its whole name, or by the part behind the last dot that a name of fewer
 * parts leaves: "bandwidth" is memory.bandwidth and l2.bandwidth, "memory.bandwidth" is one of
 * them. */
static bool is_meant(const ik_figure *f, const change *c) {
  size_t len = strlen(f->key), n = (size_t)c->len;
  if (!f->numeric || len < n || memcmp(f->key + len - n, c->name, n)) return false;
  return len == n || f->key[len - n - 1] == '.';
}

static int apply(ik_figure *figure, int n, const change *c, ik_arena *a) {
  int changed = 0;
  for (int i = 0; i < n; i++) {
    if (!is_meant(&figure[i], c)) continue;
    figure[i].number *= c->factor, changed++;
    figure[i].value = ik_arena_printf(a, "%.6g", figure[i].number);
    figure[i].label = 'A';
    figure[i].source = ik_arena_printf(a, "what if it were x%g", c->factor);
  }
  return changed;
}

enum { NAMES = 256 };

/* The numeric figures, or those of them that were looked up. */
static int list_keys(const ik_machine *m, bool read, const char *keys[NAMES]) {
  int n = 0;
  for (int i = 0; i < m->n && n < NAMES; i++)
    if (m->figure[i].numeric && (!read || m->read[i])) keys[n++] = m->figure[i].key;
  return n;
}

static ik_status unknown(const ik_machine *m, const change *c, ik_diag *d) {
  const char *keys[NAMES];
  char        name[64];
  snprintf(name, sizeof name, "%.*s", c->len, c->name);
  const char *near = ik_nearest(name, keys, list_keys(m, false, keys));
  ik_error(d, IK_E082, IK_NOSPAN, "machine '%s' has no figure '%s'", m->name, name);
  if (near) ik_help(d, "did you mean '%s'?", near);
  return IK_ERR_SOURCE;
}

static ik_status unread(const ik_machine *m, const change *c, ik_arena *a, ik_diag *d) {
  const char *keys[NAMES], *near, *all = "";
  char        name[64];
  int         n = list_keys(m, true, keys);
  snprintf(name, sizeof name, "%.*s", c->len, c->name);
  for (int i = 0; i < n; i++) all = ik_arena_printf(a, "%s%s%s", all, i ? ", " : "", keys[i]);
  near = ik_nearest(name, keys, n);
  ik_error(d, IK_E082, IK_NOSPAN,
           "no model or simulation of this program on '%s' reads the figure '%s'", m->name, name);
  if (n)
    ik_help(d, "%s%s%sthose that are read: %s", near ? "did you mean '" : "", near ? near : "",
            near ? "'?  " : "", all);
  else
    ik_help(d, "none is: `ikat plan` without --what-if says why");
  return IK_ERR_SOURCE;
}

/* "bandwidth=x2": where the next one begins, or NULL. */
static const char *read_change(const char *at, change *c) {
  const char *equals = strchr(at, '=');
  char       *end;
  if (!equals || equals == at || equals[1] != 'x') return NULL;
  *c = (change){.name = at, .len = (int)(equals - at)};
  c->factor = ik_strtod(equals + 2, &end);
  if (end == equals + 2 || !(c->factor > 0) || c->factor > 1e12 || (*end && *end != ','))
    return NULL;
  return *end ? end + 1 : end;
}

static ik_status no_change(const char *at, ik_diag *d) {
  ik_error(d, IK_E081, IK_NOSPAN, "'%s' does not say what a figure should be", at);
  ik_help(d, "write factors, for instance bandwidth=x2,shared=x0.5");
  return IK_ERR_SOURCE;
}

ik_status ik_machine_vary(const ik_machine *m, const char *changes, ik_arena *a, ik_diag *d,
                          ik_machine **out) {
  ik_machine *v = IK_NEW(a, ik_machine);
  ik_figure  *figure = IK_NEW_N(a, ik_figure, m->n + 1);
  memcpy(figure, m->figure, (size_t)m->n * sizeof *figure);
  *v = (ik_machine){.name = m->name, .figure = figure, .n = m->n};
  *out = v;
  for (const char *at = changes; *at;) {
    change      c;
    const char *next = read_change(at, &c);
    if (!next) return no_change(at, d);
    if (!apply(figure, m->n, &c, a)) return unknown(m, &c, d);
    at = next;
  }
  return IK_OK;
}

static bool is_read(const ik_machine *m, const change *c) {
  for (int i = 0; i < m->n; i++)
    if (m->read[i] && is_meant(&m->figure[i], c)) return true;
  return false;
}

ik_status ik_machine_check_read(const ik_machine *m, const char *changes, ik_arena *a, ik_diag *d) {
  change c;
  for (const char *at = changes; *at && (at = read_change(at, &c));)
    if (!is_read(m, &c)) return unread(m, &c, a, d);
  return IK_OK;
}
