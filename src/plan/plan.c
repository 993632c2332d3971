#include "plan/plan.h"
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

typedef struct word { /* "name=value" */
  const char        *name;
  int                low, high;
  size_t             at;     /* of an int in the plan, or of a bool */
  bool               flag;   /* a bool */
  int                from;   /* below that it goes without saying: such a plan has had no word */
  bool               needed; /* no plan is one without */
  const char        *key;    /* in JSON, where it is not the name; "": it is not there */
  const char *const *names;  /* of values, instead of numbers */
} word;

#define NUMBER(name, member, low, high, ...)                                                       \
  { name, low, high, offsetof(ik_plan, member), __VA_ARGS__ }
#define FLAG(name, member)                                                                         \
  { name, 0, 1, offsetof(ik_plan, member), .flag = true }

static const word steps_word = NUMBER("steps", steps, 1, 64, .needed = true);

static const word cpu_words[] = {NUMBER("planes", cpu.planes, 1, 8, .from = 2, .key = ""),
                                 NUMBER("rows", cpu.rows, 1, 16, .needed = true),
                                 NUMBER("vectors", cpu.vectors, 1, 8, .needed = true),
                                 NUMBER("bytes", cpu.vector_bytes, 8, 64, .key = "vector_bytes"),
                                 FLAG("stream", cpu.stream),
                                 FLAG("shift", cpu.shift),
                                 FLAG("in_place", cpu.in_place),
                                 NUMBER("terms", cpu.terms, 1, 3, .from = 2, .key = ""),
                                 {0}};

static const char *const forms[] = {"stream", "pipeline", "band", NULL};

static const word gpu_words[] = {NUMBER("form", gpu.form, 0, 2, .names = forms),
                                 NUMBER("columns", gpu.columns, 1, 64, .needed = true),
                                 NUMBER("rows", gpu.rows, 1, 64, .needed = true),
                                 NUMBER("levels", gpu.levels, 1, 64, .needed = true),
                                 NUMBER("warps", gpu.warps, 1, 32, .needed = true),
                                 NUMBER("blocks", gpu.blocks, 1, 64, .from = 1),
                                 {0}};

static void print_cpu(const ik_plan *p, ik_buf *out);
static void print_gpu(const ik_plan *p, ik_buf *out);
static bool is_cpu(const ik_plan *p);
static bool is_gpu(const ik_plan *p);

typedef struct kind { /* of machines */
  const char *target;
  const word *words; /* behind those that all plans have */
  void (*print)(const ik_plan *p, ik_buf *out);
  bool (*is_one)(const ik_plan *p);
} kind;

/* The first is that of plans that name no target. */
static const kind kinds[] = {{"cpu", cpu_words, print_cpu, is_cpu},
                             {"cuda", gpu_words, print_gpu, is_gpu}};

static const kind *kind_of(const ik_plan *p) {
  for (size_t i = 1; p->target && i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].target, p->target) == 0) return &kinds[i];
  return &kinds[0];
}

static int value_of(const ik_plan *p, const word *w) {
  const char *at = (const char *)p + w->at;
  return w->flag ? *(const bool *)at : *(const int *)at;
}

static void set_value(ik_plan *p, const word *w, int v) {
  char *at = (char *)p + w->at;
  if (w->flag)
    *(bool *)at = v;
  else
    *(int *)at = v;
}

static bool is_cpu(const ik_plan *p) {
  int n = p->cpu.vector_bytes;
  return n == 8 || n == 16 || n == 32 || n == 64;
}

static bool is_gpu(const ik_plan *p) { return p->gpu.levels == 0 || p->steps >= p->gpu.levels; }

bool ik_plan_is_whole(const ik_plan *p) {
  bool whole = p->strategy && value_of(p, &steps_word);
  for (const word *w = kind_of(p)->words; w->name; w++)
    whole = whole && (!w->needed || value_of(p, w));
  return whole;
}

/* ---- for people ---- */

static void put_count(ik_buf *out, int n, const char *what) {
  ik_buf_printf(out, "%d %s%s", n, what, n == 1 ? "" : "s");
}

static void put_tile(const ik_plan *p, const ik_ir *ir, ik_buf *out) {
  ik_buf_puts(out, "tile ");
  for (int d = 0; d < ir->ndim; d++) {
    if (d) ik_buf_puts(out, " x ");
    if (p->tile[d])
      ik_buf_printf(out, "%" PRId64, p->tile[d]);
    else
      ik_buf_puts(out, "all");
  }
}

static void print_cpu(const ik_plan *p, ik_buf *out) {
  const ik_plan_cpu *c = &p->cpu;
  if (c->planes > 1) ik_buf_printf(out, "%d planes x ", c->planes);
  put_count(out, c->rows, "row");
  ik_buf_puts(out, " x ");
  put_count(out, c->vectors, "vector");
  ik_buf_printf(out, " of %d bytes", c->vector_bytes);
  if (c->stream) ik_buf_puts(out, ", streaming stores");
  if (c->shift) ik_buf_puts(out, ", shifted neighbours");
  if (c->in_place) ik_buf_puts(out, ", in place");
}

static void print_gpu(const ik_plan *p, ik_buf *out) {
  const ik_plan_gpu *g = &p->gpu;
  ik_buf_printf(out, "%s of ", forms[g->form]);
  put_count(out, g->warps, "warp");
  ik_buf_printf(out, ", %d x %d cells a lane", g->columns, g->rows);
  if (g->levels > 1) ik_buf_printf(out, ", %d steps a stage", g->levels);
  if (g->blocks) ik_buf_puts(out, ", "), put_count(out, g->blocks, "block");
  if (g->blocks) ik_buf_puts(out, " a multiprocessor");
}

void ik_plan_print(const ik_plan *p, const ik_ir *ir, ik_buf *out) {
  ik_buf_printf(out, "%s: ", p->strategy);
  put_count(out, p->steps, "step");
  ik_buf_puts(out, ", ");
  put_tile(p, ir, out);
  ik_buf_puts(out, ", ");
  kind_of(p)->print(p, out);
}

void ik_plan_json(const ik_plan *p, const ik_ir *ir, ik_json *out) {
  ik_json_str(out, "target", p->target);
  ik_json_str(out, "strategy", p->strategy);
  ik_json_int(out, "steps", p->steps);
  ik_json_open(out, "tile", '[');
  for (int d = 0; d < ir->ndim; d++) ik_json_int(out, NULL, p->tile[d]);
  ik_json_close(out, ']');
  for (const word *w = kind_of(p)->words; w->name; w++) {
    const char *key = w->key ? w->key : w->name;
    if (!*key) continue;
    if (w->names)
      ik_json_str(out, key, w->names[value_of(p, w)]);
    else if (w->flag)
      ik_json_bool(out, key, value_of(p, w));
    else
      ik_json_int(out, key, value_of(p, w));
  }
  ik_json_int(out, "threads", p->threads);
}

/* ---- as text ---- */

const char *const ik_plan_strategies[] = {"fuse",     "sweep",       "hex", "skew",
                                          "spectral", "matrix-band", NULL};

void ik_plan_write(const ik_plan *p, ik_buf *out) {
  ik_buf_printf(out, "%s steps=%d tile=%" PRId64 ",%" PRId64 ",%" PRId64, p->strategy, p->steps,
                p->tile[0], p->tile[1], p->tile[2]);
  for (const word *w = kind_of(p)->words; w->name; w++) {
    int v = value_of(p, w);
    if (v < w->from) continue;
    if (w->names)
      ik_buf_printf(out, " %s=%s", w->name, w->names[v]);
    else
      ik_buf_printf(out, " %s=%d", w->name, v);
  }
}

/* What stands behind "name="; NULL: it is another word. */
static const char *behind(const char *text, const char *name) {
  size_t n = strlen(name);
  return strncmp(text, name, n) || text[n] != '=' ? NULL : text + n + 1;
}

static bool read_name(const char *text, const word *w, int *out) {
  for (int i = 0; w->names[i]; i++)
    if (strcmp(text, w->names[i]) == 0) return *out = i, true;
  return false;
}

/* True if the text is this word and the value within bounds. */
static bool read_value(const char *text, const word *w, ik_plan *p) {
  const char *at = behind(text, w->name);
  char       *end;
  int         name;
  if (!at) return false;
  if (w->names) return read_name(at, w, &name) && (set_value(p, w, name), true);
  long long v = strtoll(at, &end, 10); /* one that is too large is not made to fit */
  if (end == at || *end || v < w->low || v > w->high) return false;
  return set_value(p, w, (int)v), true;
}

/* "tile=512,0": up to three numbers; the others are 0. */
static bool read_tile(const char *text, int64_t tile[IK_MAX_DIM]) {
  int64_t     t[IK_MAX_DIM] = {0};
  const char *at = behind(text, "tile");
  for (int d = 0; at && d < IK_MAX_DIM; d++) {
    char     *end;
    long long v = strtoll(at, &end, 10);
    if (end == at || v < 0 || v > 1 << 30 || (*end && *end != ',')) return false;
    t[d] = v;
    if (!*end) return memcpy(tile, t, sizeof t), true;
    at = end + 1;
  }
  return false; /* another word, or a fourth number */
}

static bool read_word(const char *text, ik_plan *p) {
  for (const char *const *s = ik_plan_strategies; *s; s++)
    if (strcmp(text, *s) == 0) return p->strategy = *s, true;
  for (const word *w = kind_of(p)->words; w->name; w++)
    if (read_value(text, w, p)) return true;
  return read_value(text, &steps_word, p) || read_tile(text, p->tile);
}

bool ik_plan_read(const char *text, ik_plan *p) {
  ik_plan q = *p;
  char    one[128];
  for (int n; sscanf(text, " %127s%n", one, &n) == 1; text += n)
    if (!read_word(one, &q)) return false;
  if (!kind_of(&q)->is_one(&q)) return false;
  *p = q;
  return true;
}
