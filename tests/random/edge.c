#include "edge.h"
#include <stdbool.h>
#include <stdio.h>

enum { FIELDS = 4, TEMPS = 6 };

typedef struct field {
  const char *name;
  bool        primed; /* steps give u'; else it is overwritten in place */
  int         history;
  bool        fresh; /* u' has a value by now */
} field;

typedef struct gen {
  uint64_t state;
  ik_buf  *out;
  int      ndim, n[3];
  field    field[FIELDS];
  int      ntemp;
  bool     in_step;
} gen;

#define PUT(...) ik_buf_printf(g->out, __VA_ARGS__)

static uint64_t draw(gen *g) { /* splitmix64 */
  uint64_t z = g->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}
static int  pick(gen *g, int below) { return (int)(draw(g) % (uint64_t)below); }
static bool coin(gen *g) { return pick(g, 2) == 0; }

/* ---- expressions: bounded by what they read ---- */

static void put_place(gen *g, const char *level) {
  bool near = coin(g);
  if (!near && *level) PUT("[%s]", level);
  if (!near) return;
  int axis = pick(g, g->ndim), off = coin(g) ? 1 : -1 - pick(g, 2);
  PUT("[%s%s", level, *level ? ", " : "");
  for (int d = 0; d < g->ndim; d++) PUT("%s%d", d ? ", " : "", d == axis ? off : 0);
  PUT("]");
}

static void put_read(gen *g) {
  const field *f = &g->field[pick(g, FIELDS)];
  bool         older = f->history > 1 && coin(g);
  if (g->ntemp && pick(g, 3) == 0) {
    PUT("a%d", pick(g, g->ntemp));
    put_place(g, "");
    return;
  }
  PUT("%s%s", f->name, g->in_step && f->fresh && !older && coin(g) ? "'" : "");
  put_place(g, older ? "t-1" : "");
}

static void put_value(gen *g) {
  static const char *const factors[] = {"0.3", "0.25", "c", "0.2"};
  int                      n = 1 + pick(g, 3);
  for (int i = 0; i < n; i++) {
    if (i) PUT("%s", coin(g) ? " + " : " - ");
    PUT("%s*", i ? factors[pick(g, 4)] : "0.3");
    put_read(g);
  }
}

static void put_region(gen *g) {
  int lo = pick(g, 4), hi = g->n[0] - 1 - pick(g, 4);
  if (pick(g, 3)) return;
  if (coin(g))
    PUT(" on interior(1)");
  else
    PUT(" on x = %d .. %d", lo, hi);
}

/* ---- statements ---- */

static void put_assignment(gen *g, field *f) {
  PUT("%s%s = ", f->name, g->in_step && f->primed ? "'" : "");
  put_value(g), put_region(g);
  PUT("\n");
  f->fresh |= g->in_step && f->primed;
}

static void put_temporary(gen *g) {
  if (g->ntemp == TEMPS) return;
  PUT("a%d = ", g->ntemp), put_value(g), PUT("\n");
  g->ntemp++;
}

static void put_number(gen *g) {
  if (coin(g))
    PUT("c = 0.5*c + 0.1\n");
  else
    PUT("s = max("), put_value(g), PUT(")\nc = 0.2*min(1, abs(s))\n");
}

static void put_sweep(gen *g) {
  for (int k = 0; k < FIELDS; k++)
    if (!g->field[k].primed) {
      PUT("sweep y %s { %s = 0.5*%s + 0.3*%s[0, %s1%s] }\n", "up", g->field[k].name,
          g->field[k].name, g->field[k].name, "-", g->ndim > 2 ? ", 0" : "");
      return;
    }
}

/* Numbers stand between statements that could be moved; within steps they forbid nearly all. */
static void put_statement(gen *g) {
  int what = pick(g, 16), temporaries = g->in_step ? 11 : 9, numbers = g->in_step ? 14 : 11;
  if (what < temporaries)
    put_assignment(g, &g->field[pick(g, FIELDS)]);
  else if (what < numbers)
    put_temporary(g);
  else if (what < 15)
    put_number(g);
  else
    put_sweep(g);
}

/* ---- the program ---- */

static void put_boundary(gen *g, const field *f) {
  static const char *const kinds[] = {"0.5",   "0.5",      "0",      "copy",
                                      "0.1*t", "periodic", "mirror", "periodic"};
  PUT("boundary %s {", f->name);
  for (int d = 0; d < g->ndim; d++) PUT("%s %c = %s", d ? ";" : "", "xyz"[d], kinds[pick(g, 8)]);
  PUT(" }\n");
}

static void put_fields(gen *g) {
  static const char *const names[FIELDS] = {"u", "v", "w", "k"};
  for (int k = 0; k < FIELDS; k++) {
    field *f = &g->field[k];
    *f = (field){.name = names[k]};
    f->primed = pick(g, 3) > 0;
    f->history = pick(g, 4) ? 1 : 2;
    PUT("field %s : %s%s = noise(%d)\n", f->name, coin(g) ? "f32" : "f64",
        f->history > 1 ? ", history 2" : "", k + 1);
    put_boundary(g, f);
  }
}

/* Into a field that steps give a new value. */
static const field *updated(const gen *g) {
  for (int k = 0; k < FIELDS; k++)
    if (g->field[k].fresh) return &g->field[k];
  return NULL;
}

static void put_cell(gen *g) {
  for (int d = 0; d < g->ndim; d++) PUT("%s%d", d ? ", " : "", pick(g, g->n[d]));
}

static void put_source(gen *g) {
  const field *f = updated(g);
  bool         reads = coin(g);
  if (!f || pick(g, 3)) return;
  PUT("source 0.1*%s", reads ? g->field[pick(g, FIELDS)].name : "t");
  if (reads) PUT("["), put_cell(g), PUT("]");
  PUT(" at ("), put_cell(g), PUT(") into %s\n", f->name);
}

static void put_list(gen *g, int most) {
  int n = 1 + pick(g, most);
  for (int i = 0; i < n; i++) put_statement(g);
}

void edge_program(uint64_t seed, ik_buf *out) {
  gen  all = {.state = seed, .out = out, .ndim = seed % 4 ? 2 : 3};
  gen *g = &all;
  PUT("grid ");
  for (int d = 0; d < g->ndim; d++)
    PUT("%s%c = %d", d ? ", " : "", "xyz"[d],
        g -> n[d] = d < 2 ? 12 + pick(g, 24) : 5 + pick(g, 8));
  PUT("\nparam dt = 0.1\nscalar c = 0.2\n");
  put_fields(g);
  if (coin(g)) put_list(g, 5);
  ik_buf body = {0};
  g->in_step = true, g->out = &body;
  put_list(g, 4);
  g->in_step = false, g->out = out;
  put_source(g);
  PUT("step %d {\n%s}\n", 2 + pick(g, 7), ik_buf_text(&body));
  ik_buf_free(&body);
}
