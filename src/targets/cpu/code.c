#include "targets/cpu/code.h"
#include "targets/cpu/isa.h"
#include "base/embed.h"
#include <stdio.h>
#include <string.h>

/* ---- builds ---- */

/* Of rt/, that a line includes; NULL: none. */
static const ik_embedded *header_of(const char *line) {
  char name[16], path[48];
  if (strncmp(line, "#include ", 9) || sscanf(line + 9, "\"%15[a-z.]\"", name) != 1) return NULL;
  snprintf(path, sizeof path, "src/targets/cpu/rt/%s", name);
  return ik_embed_find(path);
}

/* Text with these headers in place of their lines. */
static void expand(const char *text, ik_buf *out) {
  for (size_t len; *text; text += len) {
    const char        *end = strchr(text, '\n');
    const ik_embedded *header = header_of(text);
    len = end ? (size_t)(end - text) + 1 : strlen(text);
    if (header)
      ik_buf_puts(out, header->data);
    else
      ik_buf_write(out, text, len);
  }
}

static void start_builds(ik_cpu_code *c, int from, int to, bool later) {
  const char *flags[16] = {"-O2", "-ffp-contract=off", "-fno-math-errno", "-w"};
  int         n = 4;
  for (const char *const *f = ik_isa_flags(c->vector_bytes); *f && n < 15;) flags[n++] = *f++;
  for (int i = from; i < to; i++) {
    ik_buf           text = {0};
    ik_build_options o = {
        .cache_dir = c->cache_dir, .flags = flags, .prefix = "ikat_", .later = later};
    expand(ik_buf_text(&c->parts->text[i]), &text);
    if (text.failed || ik_build_start(ik_buf_text(&text), &o, &c->why, &c->build[i]))
      c->build[i] = NULL;
    ik_buf_free(&text);
  }
}

static void *function_of(const ik_cpu_code *c, const char *name) {
  void *f = NULL;
  for (int i = 0; i < c->parts->ntext && !f; i++) f = ik_build_symbol(c->build[i], name);
  return f;
}

static ik_kernel_fn *kernel_of(const ik_cpu_code *c, int pass, int kernel, const char *suffix) {
  char       name[48];
  ik_code_of at = c->parts->code[pass][kernel];
  snprintf(name, sizeof name, "ikat_p%d_k%d%s", at.pass, at.kernel, suffix);
  return (ik_kernel_fn *)function_of(c, name);
}

static bool link_kernels(ik_cpu_code *c, int from, int to) {
  for (int p = from; p < to; p++)
    for (int k = 0; k < c->parts->pass[p]->nkernel; k++) {
      c->fn[p][2 * k] = kernel_of(c, p, k, "");
      c->fn[p][2 * k + 1] = kernel_of(c, p, k, "_one");
      if (!c->fn[p][2 * k] || !c->fn[p][2 * k + 1]) return false;
    }
  return true;
}

static void make_tables(ik_cpu_code *c) {
  c->fn = IK_NEW_N(c->arena, ik_kernel_fn **, c->parts->npass + 1);
  for (int p = 0; p < c->parts->npass; p++)
    c->fn[p] = IK_NEW_N(c->arena, ik_kernel_fn *, 2 * c->parts->pass[p]->nkernel + 1);
}

static bool link_functions(ik_cpu_code *c, int sweep, const char *kind, int n, ik_sweep_fn ***out) {
  *out = IK_NEW_N(c->arena, ik_sweep_fn *, n + 1);
  for (int i = 0; i < n; i++) {
    char name[48];
    snprintf(name, sizeof name, "ikat_s%d_%s%d", sweep, kind, i);
    (*out)[i] = (ik_sweep_fn *)function_of(c, name);
    if (!(*out)[i]) return false;
  }
  return true;
}

static bool link_orders(ik_cpu_code *c) {
  c->sweep = IK_NEW_N(c->arena, ik_sweep_code, c->parts->nsweep + 1);
  for (int i = 0; i < c->parts->nsweep; i++)
    if (!link_functions(c, i, "set", c->parts->sweep[i]->nset, &c->sweep[i].set) ||
        !link_functions(c, i, "cell", c->parts->sweep[i]->nstmt, &c->sweep[i].cell))
      return false;
  return true;
}

static bool are_finished(ik_cpu_code *c, int from, int to) {
  bool ok = true;
  for (int i = from; ok && i < to; i++)
    ok = c->build[i] && ik_build_finish(c->build[i], &c->why) == IK_OK;
  return ok;
}

/* Without a compiler, or should it refuse, the interpreter runs, and the message says so. */
static void give_up(ik_cpu_code *c, ik_diag *d) {
  c->missing = true;
  ik_warn(d, IK_W005, IK_NOSPAN, "no compiled code: the interpreter runs instead");
  if (!c->why.nmsg) return;
  const ik_message *m = &c->why.msg[0];
  ik_note_add(d, IK_NOSPAN, "%s", ik_buf_text(&m->text));
  for (int i = 0; i < m->nnote; i++) ik_note_add(d, IK_NOSPAN, "%s", ik_buf_text(&m->note[i].text));
  if (m->help.len) ik_help(d, "%s", ik_buf_text(&m->help));
}

/* Does a step loop end with fewer steps than a pass makes? */
static bool has_rest(const ik_cpu_code *c) {
  bool rest = false;
  for (int i = 0; i < c->parts->n; i++) {
    const ik_compile_part *p = &c->parts->part[i];
    rest |= p->steps && p->steps->count % p->pipe[0].steps != p->rest;
  }
  return rest;
}

static void start_late(ik_cpu_code *c) {
  if (!c->late) start_builds(c, c->parts->late_text, c->parts->ntext, true);
  c->late = true;
}

void ik_cpu_code_finish(ik_cpu_code *c, ik_diag *d) {
  bool ok = !setjmp(c->arena->oom);
  if (c->ready) return;
  c->ready = true;
  if (ok) make_tables(c);
  ok = ok && are_finished(c, 0, c->parts->late_text);
  ok = ok && link_kernels(c, 0, c->parts->late_pass) && link_orders(c);
  if (!ok) give_up(c, d);
}

void ik_cpu_code_finish_late(ik_cpu_code *c, ik_diag *d) {
  if (c->late_ready) return;
  c->late_ready = true;
  start_late(c);
  if (!are_finished(c, c->parts->late_text, c->parts->ntext) ||
      !link_kernels(c, c->parts->late_pass, c->parts->npass))
    give_up(c, d);
}

/* ---- life ---- */

bool ik_cpu_code_start(ik_cpu_code *c) {
  bool all = true;
  start_builds(c, 0, c->parts->late_text, false);
  if (has_rest(c)) start_late(c);
  for (int i = 0; i < c->parts->late_text; i++) all &= c->build[i] != NULL;
  return all;
}

void ik_cpu_code_free(ik_cpu_code *c) {
  for (int i = 0; i < IK_COMPILE_TEXTS; i++) ik_build_close(&c->build[i]);
  ik_diag_free(&c->why);
}
