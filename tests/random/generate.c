/* How a program stays legal and finite: a real expression is bounded by 1 if all that it reads is;
 * it reads only what has a value there (faces have boundaries, temporaries and u' come first); and
 * what a field on part of the axes is given differs along these alone. */
#include "generate.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { DIMS = 3, MOST_FIELDS = 4, MOST_NAMES = 12 };

typedef enum type { F64, F32, F16, BF16, I32 } type;
static const char *const type_names[] = {"f64", "f32", "f16", "bf16", "i32"};

typedef struct field {
  const char *name;
  type        type;
  bool        on[DIMS];
  int         more[DIMS]; /* cells beyond the grid's */
  int         history;
  bool        primed; /* a step gives it u'; else it is assigned with = */
  bool        closed; /* every face has a boundary */
  bool        layer;  /* absorbing or sponge */
  bool        fresh;  /* u' has a value here */
} field;

typedef struct gen {
  uint64_t                 state;
  const ik_random_options *opt;
  ik_buf                  *out;
  int                      ndim, n[DIMS];
  field                    field[MOST_FIELDS];
  int                      nfield;
  int                      ntemp, first_temp, nscalar, ndef, npattern;
  int                      arguments[MOST_NAMES]; /* of each def */
  /* where the expression being written stands */
  bool on[DIMS]; /* it may differ along these axes */
  bool offsets;  /* reads may leave the cells of the grid: false for fields without boundary */
  bool in_step, coordinates, temps;
  int  self; /* the field whose own new value, or in a sweep whose value, must not be read; or -1 */
  bool in_sweep;
} gen;

static const char axis_names[] = "xyz";

/* ---- chance ---- */

static uint64_t draw(gen *g) { /* splitmix64 */
  uint64_t z = g->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static int  pick(gen *g, int below) { return (int)(draw(g) % (uint64_t)below); }
static bool chance(gen *g, int percent) { return pick(g, 100) < percent; }
static bool has(const gen *g, unsigned feature) { return (g->opt->features & feature) != 0; }
static bool maybe(gen *g, unsigned feature, int percent) {
  bool hit = chance(g, percent); /* drawn in any case: features change as little as they can */
  return hit && has(g, feature);
}

/* One draw a call: in which order arguments are evaluated is the compiler's choice, and a seed
 * means the same program everywhere. */
#define PUT(...) ik_buf_printf(g->out, __VA_ARGS__)

/* ---- reads ---- */

static bool readable(const gen *g, const field *f, bool at_offset) {
  for (int d = 0; d < g->ndim; d++)
    if (f->on[d] && !g->on[d]) return false;
  return f->closed || (!at_offset && !g->offsets);
}

/* Index of a field that may be read here, or -1. */
static int choose_field(gen *g, bool whole, bool at_offset) {
  int start = pick(g, MOST_FIELDS);
  for (int i = 0; i < g->nfield; i++) {
    int k = (start + i) % g->nfield;
    if (g->in_sweep && k == g->self && !(g->in_step && g->field[k].primed)) continue;
    if ((g->field[k].type == I32) == whole && readable(g, &g->field[k], at_offset)) return k;
  }
  return -1;
}

static int offset(gen *g) {
  if (maybe(g, IK_RANDOM_FAR, 2)) return pick(g, 41) - 20;
  return chance(g, 80) ? pick(g, 3) - 1 : pick(g, 7) - 3;
}

static void put_offsets(gen *g, const bool on[DIMS], const char *level) {
  bool first = !*level;
  PUT("[%s", level);
  for (int d = 0; d < g->ndim; d++) {
    if (!on[d]) continue;
    PUT("%s%d", first ? "" : ", ", offset(g));
    first = false;
  }
  PUT("]");
}

static void read_field(gen *g, int k, bool at_offset) {
  const field *f = &g->field[k];
  char         level[16] = "";
  PUT("%s", f->name);
  if (g->in_step && f->fresh && k != g->self && chance(g, 40))
    PUT("'");
  else if (f->history > 1 && chance(g, 40)) {
    snprintf(level, sizeof level, "t-%d", 1 + pick(g, f->history - 1));
    if (!at_offset) {
      PUT("[%s]", level);
      return;
    }
  }
  if (at_offset) put_offsets(g, f->on, level);
}

static bool varies_everywhere(const gen *g) {
  for (int d = 0; d < g->ndim; d++)
    if (!g->on[d]) return false;
  return true;
}

static bool read_temp(gen *g) {
  static const bool all[DIMS] = {true, true, true};
  int               n = g->ntemp - g->first_temp;
  if (!g->temps || n == 0 || !varies_everywhere(g)) return false;
  PUT("a%d", g->first_temp + pick(g, n));
  if (chance(g, 60)) put_offsets(g, all, "");
  return true;
}

/* ---- expressions ---- */

static void real(gen *g, int depth);
static void whole(gen *g, int depth);

static void number(gen *g) {
  static const char *const some[] = {"0.5",  "0.25", "0.1", "1/3",    "0.7",
                                     "0.01", "1",    "0",   "0.6875", "2.5e-1"};
  PUT("%s", some[pick(g, (int)(sizeof some / sizeof *some))]);
}

static bool put_axis(gen *g) {
  int d = pick(g, g->ndim);
  if (!g->coordinates || !g->on[d]) return false;
  PUT("%c", axis_names[d]);
  return true;
}

static void coordinate(gen *g) { /* within [0, 1) or so */
  int d = pick(g, g->ndim);
  if (!g->coordinates || !g->on[d])
    number(g);
  else if (chance(g, 30))
    PUT("t/100");
  else
    PUT("(%c + 1)/(n%c + %d)", axis_names[d], axis_names[d], 1 + pick(g, 4));
}

static void real_leaf(gen *g) {
  bool at_offset = chance(g, 60);
  int  k = choose_field(g, false, at_offset);
  if (chance(g, 25) && read_temp(g)) return;
  if (g->nscalar && chance(g, 15)) {
    int i = pick(g, g->nscalar);
    PUT("s%d/(1 + abs(s%d))", i, i);
  } else if (k >= 0 && chance(g, 85)) {
    if (g->field[k].layer) PUT("0.05*"); /* a wave grows to some 20 */
    read_field(g, k, at_offset);
  } else if (chance(g, 50))
    coordinate(g);
  else
    number(g);
}

static void term(gen *g, int depth, int most) { /* bounded by 1/most */
  switch (pick(g, 3)) {
  case 0: PUT("1/%d*", most + pick(g, 3)); break;
  case 1: PUT("%.3f*", 1.0 / (most + pick(g, 3)) - 0.001); break;
  case 2:
    real(g, depth);
    PUT("/%d", most + pick(g, 2));
    return;
  }
  real(g, depth);
}

static void sum(gen *g, int depth) {
  int n = 2 + pick(g, 4);
  for (int i = 0; i < n; i++) {
    if (i) PUT("%s", chance(g, 70) ? " + " : " - ");
    term(g, depth, n);
  }
}

static void truth(gen *g, int depth) {
  static const char *const compare[] = {"<", "<=", ">", ">=", "==", "!="};
  switch (depth > 0 ? pick(g, 6) : pick(g, 2)) {
  case 0:
    if (put_axis(g)) {
      PUT(" %s", compare[pick(g, 6)]), PUT(" %d", pick(g, 6));
      return;
    }
    __attribute__((fallthrough));
  case 1:
    real(g, 0);
    PUT(" %s ", compare[pick(g, 4)]);
    real(g, 0);
    return;
  case 2: PUT("not ("), truth(g, depth - 1), PUT(")"); return;
  case 3: PUT("("), truth(g, depth - 1), PUT(") and ("), truth(g, depth - 1), PUT(")"); return;
  case 4: PUT("("), truth(g, depth - 1), PUT(") or ("), truth(g, depth - 1), PUT(")"); return;
  case 5: PUT("mod("), whole(g, 0), PUT(", 3) == %d", pick(g, 3)); return;
  }
}

static void choice(gen *g, int depth) {
  if (!has(g, IK_RANDOM_CONDITIONS)) {
    real(g, depth);
    return;
  }
  PUT("if "), truth(g, depth);
  PUT(" then "), real(g, depth);
  PUT(" else "), real(g, depth);
}

static void elementary(gen *g, int depth) {
  static const char *const before[] = {"tanh(",        "sin(",         "cos(",
                                       "0.5*atan(",    "exp(-abs(",    "sqrt(0.01 + abs(",
                                       "log(1 + abs(", "0.5*tan(0.5*", "0.25*exp("};
  static const char *const after[] = {")", ")", ")", ")", "))", "))", "))", ")", ")"};
  int                      k = pick(g, (int)(sizeof before / sizeof *before));
  if (!has(g, IK_RANDOM_ELEMENTARY)) k = 5; /* sqrt is arithmetic */
  PUT("%s", before[k]), real(g, depth), PUT("%s", after[k]);
}

static void derivative(gen *g, int depth) { /* spacings are at least 1 */
  int order = 2 * (1 + pick(g, 4)), d = pick(g, g->ndim);
  switch (pick(g, 5)) {
  case 0: PUT("0.05*laplacian("), real(g, depth), PUT(", order = %d)", order); return;
  case 1: PUT("0.15*d2("); break;
  case 2: PUT("0.4*d("); break;
  case 3: PUT("0.35*dfwd("); break;
  case 4: PUT("0.35*dbwd("); break;
  }
  real(g, depth), PUT(", %c, order = %d)", axis_names[d], order);
}

static void call(gen *g, int depth) {
  int f = pick(g, g->ndef);
  PUT("f%d(", f);
  for (int i = 0; i < g->arguments[f]; i++) {
    PUT("%s0.999*", i ? ", " : ""); /* a function asks a field itself for offsets of its own axes */
    real(g, depth);
  }
  PUT(")");
}

static void shifted(gen *g, int depth) { /* a whole expression at an offset */
  static const bool all[DIMS] = {true, true, true};
  PUT("("), sum(g, depth), PUT(")"), put_offsets(g, all, "");
}

static void product(gen *g, int depth) {
  switch (pick(g, 4)) {
  case 0: real(g, depth), PUT("*"), real(g, depth); return;
  case 1: real(g, depth), PUT("/(1 + abs("), real(g, depth), PUT("))"); return;
  case 2: PUT("("), real(g, depth), PUT(")^%d", 2 + pick(g, 3)); return;
  case 3: PUT("-"), real(g, depth); return;
  }
}

static void extreme(gen *g, int depth) {
  if (chance(g, 30)) {
    PUT("abs("), real(g, depth), PUT(")");
    return;
  }
  PUT("%s", chance(g, 50) ? "min(" : "max("), real(g, depth);
  for (int n = 1 + pick(g, 2); n > 0; n--) PUT(", "), real(g, depth);
  PUT(")");
}

/* Offsets of everything below: only where all fields that could be read have boundaries. */
static bool may_shift(const gen *g) { return g->offsets; }

static void converted(gen *g, int depth) {
  static const char *const to[] = {"f64", "f32", "f16", "bf16"};
  int                      k = pick(g, 4);
  if ((k == 2 && !has(g, IK_RANDOM_F16)) || (k == 3 && !has(g, IK_RANDOM_BF16))) k = 1;
  if (!has(g, IK_RANDOM_MIXED)) {
    real(g, depth);
    return;
  }
  if (maybe(g, IK_RANDOM_I32, 30))
    PUT("0.2*mod("), whole(g, depth), PUT(", 5)");
  else
    PUT("%s(", to[k]), real(g, depth), PUT(")");
}

static void real(gen *g, int depth) {
  if (depth <= 0 || chance(g, 20)) {
    real_leaf(g);
    return;
  }
  depth--;
  PUT("(");
  switch (pick(g, 11)) {
  case 0:
  case 1:
  case 2: sum(g, depth); break;
  case 3: product(g, depth); break;
  case 4: extreme(g, depth); break;
  case 5: choice(g, depth); break;
  case 6: elementary(g, depth); break;
  case 7: may_shift(g) && has(g, IK_RANDOM_DERIVATIVES) ? derivative(g, 0) : sum(g, depth); break;
  case 8: may_shift(g) && g->ndef ? call(g, depth) : sum(g, depth); break;
  case 9:
    if (may_shift(g) && g->npattern)
      PUT("stencil("), real(g, 0), PUT(", w%d)", pick(g, g->npattern));
    else
      sum(g, depth);
    break;
  case 10: may_shift(g) && chance(g, 50) ? shifted(g, depth) : converted(g, depth); break;
  }
  PUT(")");
}

/* May be 0, but is no constant: dividing by a 0 that is known in advance is an error. */
static void divisor(gen *g, int depth) { PUT("("), whole(g, depth), PUT(" + t - t)"); }

/* An i32 of any size: it wraps. */
static void whole(gen *g, int depth) {
  bool at_offset = chance(g, 60);
  int  k = choose_field(g, true, at_offset);
  if (depth <= 0 || chance(g, 30)) {
    if (k >= 0 && chance(g, 80))
      read_field(g, k, at_offset);
    else
      PUT("int(%d*", 1 + pick(g, 1000)), real_leaf(g), PUT(")");
    return;
  }
  depth--;
  PUT("(");
  switch (pick(g, 7)) {
  case 0: whole(g, depth), PUT(" + "), whole(g, depth); break;
  case 1: whole(g, depth), PUT(" - "), whole(g, depth); break;
  case 2: whole(g, depth), PUT("*"), whole(g, depth); break;
  case 3: whole(g, depth), PUT("/"), divisor(g, depth); break;
  case 4: PUT("mod("), whole(g, depth), PUT(", "), divisor(g, depth), PUT(")"); break;
  case 5: PUT("max(abs("), whole(g, depth), PUT("), %d)", pick(g, 50)); break;
  case 6: PUT("3*"), whole(g, depth), PUT(" - %d", pick(g, 9)); break;
  }
  PUT(")");
}

static void value_of(gen *g, type t, int depth) { t == I32 ? whole(g, depth) : real(g, depth); }

/* ---- declarations ---- */

static void grid(gen *g) {
  static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 17, 19, 31, 33, 64, 257, 523};
  int              left = g->opt->max_cells;
  g->ndim = 1 + pick(g, g->opt->max_dims);
  PUT("grid ");
  for (int d = 0; d < g->ndim; d++) {
    int n = sizes[pick(g, (int)(sizeof sizes / sizeof *sizes))];
    while (n > left || (d + 1 < g->ndim && n > left / 4 && n > 1)) n = (n + 1) / 2;
    g->n[d] = n, left /= n;
    PUT("%s%c = %d", d ? ", " : "", axis_names[d], n);
  }
  if (chance(g, 30)) PUT(", spacing = %d", 1 + pick(g, 3));
  PUT("\n");
}

static void arithmetic(gen *g) {
  static const char *const in[] = {"", " f64", " f32", " f16", " bf16"};
  int                      k = pick(g, 8);
  bool                     plain = chance(g, 50);
  if ((k == 3 && !has(g, IK_RANDOM_F16)) || (k == 4 && !has(g, IK_RANDOM_BF16)) || k > 4) k = 0;
  if (maybe(g, IK_RANDOM_ARITHMETIC, 60))
    PUT("arithmetic %s%s\n", plain ? "plain" : "chain", in[k]);
}

static type draw_type(gen *g) {
  type t = (type)pick(g, 5);
  bool can = (t != F16 || has(g, IK_RANDOM_F16)) && (t != BF16 || has(g, IK_RANDOM_BF16)) &&
             (t != I32 || has(g, IK_RANDOM_I32));
  return can ? t : F32;
}

static void put_axes(gen *g, const field *f) {
  bool all = true, first = true;
  for (int d = 0; d < g->ndim; d++) all = all && f->on[d] && !f->more[d];
  if (all) return;
  PUT(", on (");
  for (int d = 0; d < g->ndim; d++) {
    if (!f->on[d]) continue;
    PUT("%s%c", first ? "" : ", ", axis_names[d]);
    if (f->more[d]) PUT("+%d", f->more[d]);
    first = false;
  }
  PUT(")");
}

static void choose_shape(gen *g, field *f, bool main) {
  bool part = maybe(g, IK_RANDOM_PART_AXES, 20) && !main, more = maybe(g, IK_RANDOM_MORE_CELLS, 15);
  int  kept = pick(g, g->ndim);
  for (int d = 0; d < g->ndim; d++) {
    f->on[d] = !part || d == kept || chance(g, 50);
    f->more[d] = more && !main && f->on[d] && chance(g, 50) ? 1 + pick(g, 2) : 0;
  }
}

static void initial_value(gen *g, const field *f) {
  memcpy(g->on, f->on, sizeof g->on);
  g->offsets = f->more[0] || f->more[1] || f->more[2];
  PUT(" = ");
  if (f->type == I32)
    PUT("int(noise(%d)*", pick(g, 9)), PUT("%d)", 1 + pick(g, 4000));
  else if (chance(g, 60))
    PUT("2*noise(%d) - 1", pick(g, 9));
  else
    real(g, 1);
}

/* The first field is on the whole grid, has boundaries everywhere and moves in time. */
static void declare_field(gen *g, int k, type t) {
  static const char *const names[] = {"u", "v", "p", "q"};
  field                   *f = &g->field[k];
  *f = (field){.name = names[k], .type = t, .history = 1};
  choose_shape(g, f, k == 0);
  f->primed = k == 0 || chance(g, 50);
  f->closed = k == 0 || chance(g, 85);
  if (f->primed && maybe(g, IK_RANDOM_HISTORY, 40)) f->history = 2 + pick(g, 2);
  PUT("field %s : %s", f->name, type_names[f->type]);
  if (f->history > 1) PUT(", history %d", f->history);
  put_axes(g, f);
  if (chance(g, 85)) initial_value(g, f);
  PUT("\n");
  g->nfield++;
}

static void fields(gen *g) {
  int  n = 1 + pick(g, MOST_FIELDS);
  type all = draw_type(g);
  for (int k = 0; k < n; k++) {
    type t = draw_type(g);
    declare_field(g, k, has(g, IK_RANDOM_MIXED) && chance(g, 60) ? t : all);
  }
}

static void levels(gen *g) {
  for (int k = 0; k < g->nfield; k++)
    if (g->field[k].history > 1 && chance(g, 50)) {
      PUT("init %s[t-%d]", g->field[k].name, 1 + pick(g, g->field[k].history - 1));
      initial_value(g, &g->field[k]);
      PUT("\n");
    }
}

/* ---- boundaries ---- */

static void face_value(gen *g, const field *f) {
  if (f->type == I32)
    PUT("%s", chance(g, 50) ? "t - 3" : "7");
  else if (chance(g, 60))
    number(g);
  else
    PUT("sin(0.3*%c + t)", axis_names[pick(g, g->ndim)]);
}

static void face_kind(gen *g, const field *f) {
  static const char *const kinds[] = {"mirror", "antimirror", "reflect", "antireflect", "copy"};
  if (chance(g, 70))
    PUT("%s", kinds[pick(g, 5)]);
  else
    face_value(g, f);
}

static void faces(gen *g, const field *f) {
  bool first = true;
  PUT("boundary %s { ", f->name);
  for (int d = 0; d < g->ndim; d++) {
    if (!f->on[d]) continue;
    PUT("%s", first ? "" : "; ");
    first = false;
    if (chance(g, 30)) {
      PUT("%c = periodic", axis_names[d]);
      continue;
    }
    PUT("-%c = ", axis_names[d]), face_kind(g, f);
    PUT("; +%c = ", axis_names[d]), face_kind(g, f);
  }
  PUT(" }\n");
}

/* A layer needs a wave equation in a field on the whole grid, with room at the faces. */
static bool layer(gen *g, field *f) {
  int least = g->n[0];
  for (int d = 0; d < g->ndim; d++) {
    if (g->n[d] < least) least = g->n[d];
    if (!f->on[d] || f->more[d]) return false;
  }
  if (f->type == I32 || f->history != 2 || least < 2 || !maybe(g, IK_RANDOM_LAYERS, 30))
    return false;
  PUT("boundary %s = %s", f->name, chance(g, 50) ? "absorbing" : "sponge");
  PUT("(%d)\n", 1 + pick(g, least / 2));
  return f->layer = true;
}

static void boundaries(gen *g) {
  for (int k = 0; k < g->nfield; k++) {
    field *f = &g->field[k];
    if (!f->closed || layer(g, f)) continue;
    if (maybe(g, IK_RANDOM_BOUNDARIES, 85))
      faces(g, f);
    else
      PUT("boundary %s = 0\n", f->name);
  }
}

/* ---- functions and patterns ---- */

static void put_shift(gen *g, const char *what) {
  PUT("%s[", what);
  for (int d = 0; d < g->ndim; d++) PUT("%s%d", d ? ", " : "", pick(g, 3) - 1);
  PUT("]");
}

static void functions(gen *g) {
  int n = pick(g, 3);
  for (int k = 0; k < n && has(g, IK_RANDOM_FUNCTIONS); k++) {
    g->arguments[k] = 1 + pick(g, 2);
    PUT("def f%d(%s) = ", k, g->arguments[k] == 1 ? "a" : "a, b");
    if (k && chance(g, 50))
      PUT("0.5*f%d(%s) + 0.5*", k - 1, g->arguments[k - 1] == 1 ? "a" : "a, a");
    PUT("(0.25*"), put_shift(g, "a"), PUT(" - 0.25*a + 0.5*");
    put_shift(g, g->arguments[k] == 2 ? "b" : "a");
    PUT(")\n");
    g->ndef++;
  }
}

/* `wide` has a bit for each axis along which there are three weights, not one. */
static void list(gen *g, int axis, int wide, int points) {
  int n = wide >> axis & 1 ? 3 : 1;
  PUT("[");
  for (int i = 0; i < n; i++) {
    if (i) PUT(", ");
    if (axis > 0)
      list(g, axis - 1, wide, points);
    else
      PUT("%d/%d", pick(g, 3) - 1, points);
  }
  PUT("]");
}

static void patterns(gen *g) {
  int n = pick(g, 3), r;
  for (int k = 0; k < n && has(g, IK_RANDOM_PATTERNS); k++) {
    PUT("weights w%d = ", k);
    switch (pick(g, 3)) {
    case 0:
      r = 1 + pick(g, 3);
      PUT("star(%d, if distance == 0 then 0.5 else 0.5/%d)", r, 2 * r * g->ndim);
      break;
    case 1: PUT("box(1, (i + j*k - 0.5)/54)"); break;
    case 2: list(g, g->ndim - 1, 1 | pick(g, 8), 27); break;
    }
    PUT("\n");
    g->npattern++;
  }
}

/* ---- statements ---- */

/* Sets where an expression stands: what field k is given, or (-1) a value on the whole grid. */
static void stand(gen *g, int k, bool in_step) {
  const field *f = k < 0 ? NULL : &g->field[k];
  bool         more = false;
  for (int d = 0; d < DIMS; d++) {
    g->on[d] = !f || f->on[d];
    more = more || (f && f->more[d]);
  }
  g->in_step = in_step, g->coordinates = true, g->temps = true, g->in_sweep = false;
  g->self = k;
  g->offsets = more || chance(g, 85);
}

static void region(gen *g, const field *f) {
  int  d = pick(g, g->ndim), n = g->n[d] + f->more[d], narrow = n;
  bool inside = chance(g, 50);
  for (int e = 0; e < g->ndim; e++)
    if (f->on[e] && g->n[e] + f->more[e] < narrow) narrow = g->n[e] + f->more[e];
  if (!f->on[d]) return;
  if (inside && narrow > 2)
    PUT(" on interior(%d)", 1 + pick(g, (narrow - 1) / 2));
  else if (!inside) {
    int a = pick(g, n), b = a + pick(g, n - a);
    PUT(" on %c = %d .. %d", axis_names[d], a, b);
  }
}

static void reduction(gen *g) {
  static const char *const of_one[] = {"sum", "min", "max", "mean", "norm"};
  int                      k = choose_field(g, false, false), f = pick(g, 6);
  if (k < 0) k = choose_field(g, true, false);
  if (k < 0) k = 0;
  bool wraps = g->field[k].type == I32 && f == 4; /* a sum of squares may come out negative */
  PUT("%s(%s", f == 5 ? "dot" : of_one[f], wraps ? "f64(" : "");
  read_field(g, k, false);
  PUT("%s", f == 5 ? ", " : "*");
  if (g->field[k].type == I32 && f != 5)
    whole(g, 1);
  else
    real(g, 1);
  PUT("%s)", wraps ? ")" : "");
}

static void scalar_statement(gen *g, bool in_step) {
  stand(g, -1, in_step);
  if (g->nscalar == MOST_NAMES || (g->nscalar && chance(g, 30))) {
    PUT("  s%d = ", pick(g, g->nscalar));
    reduction(g), PUT("\n");
    return;
  }
  if (chance(g, 30))
    PUT("  scalar s%d : %s = ", g->nscalar, chance(g, 50) ? "f32" : "f64");
  else
    PUT("  s%d = ", g->nscalar);
  reduction(g), PUT("\n");
  g->nscalar++;
}

static void temp_statement(gen *g, bool in_step) {
  stand(g, -1, in_step);
  g->offsets = true; /* it will be wanted beyond the grid */
  PUT("  a%d = %s*", g->ntemp, g->field[0].layer ? "0.05" : "0.5");
  PUT("%s", g->field[0].type == I32 ? "mod(" : ""), read_field(g, 0, true);
  PUT("%s + 0.5*", g->field[0].type == I32 ? ", 2)" : ""), real(g, 2);
  PUT("\n");
  g->ntemp++;
}

/* u' = 2u - u[t-1] + k laplacian(u), damped enough to stay small for a few steps. */
static void wave_statement(gen *g, int k) {
  const char *u = g->field[k].name;
  PUT("  %s' = 2*%s - %s[t-1] + 0.0%d*", u, u, u, 1 + pick(g, 5));
  PUT("laplacian(%s, order = %d)\n", u, 2 * (1 + pick(g, 2)));
  g->field[k].fresh = true;
}

static void assign_statement(gen *g, int k, bool in_step) {
  field *f = &g->field[k];
  bool   prime = in_step && f->primed;
  if (f->layer) {
    if (prime && !f->fresh) wave_statement(g, k);
    return;
  }
  stand(g, k, in_step);
  PUT("  %s%s = ", f->name, prime ? "'" : "");
  if (prime && f->fresh && f->type != I32 && chance(g, 50)) PUT("0.5*%s' + 0.5*", f->name);
  value_of(g, f->type, 2 + pick(g, 2));
  if (f->type != I32 && maybe(g, IK_RANDOM_REDUCTIONS, 10)) {
    memset(g->on, true, sizeof g->on);
    PUT("*min(1, abs("), reduction(g), PUT("))");
  }
  if (maybe(g, IK_RANDOM_REGIONS, 25)) region(g, f);
  PUT("\n");
  if (prime) f->fresh = true;
}

/* ---- sweeps ---- */

static bool on_all_axes(const gen *g, const field *f) {
  for (int d = 0; d < g->ndim; d++)
    if (!f->on[d]) return false;
  return true;
}

/* A field without a layer that = or ' may give a value here; -1: none. */
static int sweepable(gen *g, bool in_step) {
  int start = pick(g, g->nfield);
  for (int i = 0; i < g->nfield; i++) {
    int    k = (start + i) % g->nfield;
    field *f = &g->field[k];
    bool   can = f->closed && !f->layer && !(in_step && f->primed && f->fresh);
    if (in_step && f->primed) can = can && on_all_axes(g, f);
    if (can && !(f->primed && !in_step && f->history > 1)) return k;
  }
  return -1;
}

static void put_behind(gen *g, int axis, int dir, bool across) {
  PUT("[");
  for (int d = 0; d < g->ndim; d++)
    PUT("%s%d", d ? ", " : "", d == axis ? -dir : across ? pick(g, 3) - 1 : 0);
  PUT("]");
}

/* Half of what lies behind (dir: or ahead) and half of anything else. */
static void swept(gen *g, const char *name, int axis, int dir, type t, bool across) {
  PUT("%s%s", t == I32 ? "" : "0.5*", name), put_behind(g, axis, dir, across), PUT(" + ");
  if (t == I32)
    whole(g, 1);
  else
    PUT("0.5*"), real(g, 2);
}

/* at first ... within ... at last, with a temporary that is carried along. */
static void sweep_parts(gen *g, int k, bool prime, int axis, int dir) {
  const field *f = &g->field[k];
  const char  *u = f->name, *p = prime ? "'" : "";
  bool         carry = f->type != I32 && maybe(g, IK_RANDOM_TEMPS, 60);
  int          c = g->ntemp;
  char         own[8], carried[16];
  snprintf(own, sizeof own, "%s%s", u, p);
  snprintf(carried, sizeof carried, "a%d", c);
  PUT("    at first {\n");
  if (carry) PUT("      a%d = ", c), real(g, 1), PUT("\n");
  PUT("      %s = ", own), value_of(g, f->type, 2), PUT("\n    }\n    within {\n");
  if (carry) PUT("      a%d = ", c), swept(g, carried, axis, dir, f->type, false), PUT("\n");
  PUT("      %s = ", own), swept(g, own, axis, dir, f->type, chance(g, 50)), PUT("\n    }\n");
  if (chance(g, 70))
    PUT("    at last { %s = ", own), swept(g, own, axis, dir, f->type, false), PUT(" }\n");
  if (carry) g->first_temp = ++g->ntemp; /* nobody else reads it */
}

typedef struct sweep_axes {
  bool along[DIMS];
  int  dir[DIMS];
} sweep_axes;

/* Offsets of a field: behind the front along all axes, or anywhere but at the same index. */
static void put_swept(gen *g, const field *f, const sweep_axes *a) {
  bool behind = chance(g, 50), moved = false, first = true;
  int  off[DIMS] = {0}, some = 0;
  for (int d = 0; d < g->ndim; d++) {
    int any = pick(g, 3) - 1, back = -a->dir[d] * pick(g, 2);
    if (!f->on[d]) continue;
    off[d] = behind ? (a->along[d] ? back : 0) : any;
    if (a->along[d]) some = d, moved = moved || off[d];
  }
  if (!moved) off[some] = behind || chance(g, 50) ? -a->dir[some] : a->dir[some];
  PUT("%s[", f->name);
  for (int d = 0; d < g->ndim; d++)
    if (f->on[d]) PUT("%s%d", first ? "" : ", ", off[d]), first = false;
  PUT("]");
}

/* A value from one or two neighbours, of which the sweep has passed some, and anything else. */
static void swept_statement(gen *g, int k, bool in_step, const sweep_axes *a) {
  const field *f = &g->field[k];
  bool         two = chance(g, 50), whole_number = f->type == I32;
  stand(g, k, in_step);
  g->in_sweep = true;
  PUT("    %s = %s", f->name, whole_number ? "" : two ? "0.25*" : "0.5*");
  put_swept(g, f, a);
  if (two) PUT("%s", whole_number ? " - " : " - 0.25*"), put_swept(g, f, a);
  PUT(" + ");
  if (whole_number)
    whole(g, 1);
  else
    PUT("0.5*"), real(g, 2);
  PUT("\n");
}

/* Any axes, the one that the field is on first or last; any directions. */
static sweep_axes put_axes_of_sweep(gen *g, const field *f, bool prime, int *axis) {
  sweep_axes a = {{false}, {1, 1, 1}};
  bool       last = chance(g, 30), first = true;
  for (*axis = pick(g, g->ndim); !f->on[*axis];) *axis = (*axis + 1) % g->ndim;
  for (int d = 0; d < g->ndim; d++) {
    a.along[d] = d == *axis || (chance(g, 40) && !prime);
    a.dir[d] = chance(g, 60) ? 1 : -1;
  }
  PUT("  sweep ");
  for (int i = 0; i < g->ndim; i++) {
    int d = last ? (*axis + 1 + i) % g->ndim : (*axis + i) % g->ndim;
    if (!a.along[d]) continue;
    PUT("%s%c %s", first ? "" : ", ", axis_names[d], a.dir[d] > 0 ? "up" : "down");
    first = false;
  }
  PUT(" {\n");
  return a;
}

/* Another field along some axis of the sweep; -1: none. */
static int companion(gen *g, int k, bool in_step, const sweep_axes *a) {
  int other = sweepable(g, in_step);
  if (other < 0 || other == k || (in_step && g->field[other].primed)) return -1;
  for (int d = 0; d < g->ndim; d++)
    if (a->along[d] && g->field[other].on[d]) return other;
  return -1;
}

static void sweep_statement(gen *g, bool in_step) {
  int k = sweepable(g, in_step), axis;
  if (k < 0) return;
  field     *f = &g->field[k];
  bool       prime = in_step && f->primed, several = false;
  sweep_axes a = put_axes_of_sweep(g, f, prime, &axis);
  for (int d = 0; d < g->ndim; d++) several = several || (d != axis && a.along[d]);
  if (!prime && (several || !on_all_axes(g, f) || chance(g, 40))) {
    int other = companion(g, k, in_step, &a);
    swept_statement(g, k, in_step, &a);
    if (other >= 0 && chance(g, 40)) swept_statement(g, other, in_step, &a);
  } else {
    stand(g, k, in_step);
    g->in_sweep = true;
    sweep_parts(g, k, prime, axis, a.dir[axis]);
  }
  PUT("  }\n");
  if (prime) f->fresh = true;
}

/* ---- blocks ---- */

static void any_statement(gen *g, bool in_step) {
  int k = pick(g, g->nfield);
  if (maybe(g, IK_RANDOM_TEMPS, 25) && g->ntemp < MOST_NAMES)
    temp_statement(g, in_step);
  else if (maybe(g, IK_RANDOM_REDUCTIONS, 15))
    scalar_statement(g, in_step);
  else if (maybe(g, IK_RANDOM_SWEEPS, 20))
    sweep_statement(g, in_step);
  else
    assign_statement(g, k, in_step);
}

static void statements(gen *g, int most, bool in_step) {
  for (int n = pick(g, most + 1); n > 0; n--) any_statement(g, in_step);
}

static void step(gen *g) {
  for (int k = 0; k < g->nfield; k++) g->field[k].fresh = false;
  PUT("step %d {\n", chance(g, 4) ? 0 : 1 + pick(g, g->opt->max_steps));
  if (chance(g, 60)) g->first_temp = g->ntemp; /* else, those made before are read here, too */
  if (has(g, IK_RANDOM_STAGES)) statements(g, 3, true);
  if (!g->field[0].fresh) assign_statement(g, 0, true);
  if (has(g, IK_RANDOM_STAGES)) statements(g, 2, true);
  g->first_temp = g->ntemp;
  PUT("}\n");
  for (int k = 0; k < g->nfield; k++) g->field[k].fresh = false;
}

static void repeat(gen *g) {
  stand(g, -1, false);
  PUT("repeat until ");
  reduction(g);
  PUT(" > 0.%d", pick(g, 100)), PUT(" max %d {\n", 1 + pick(g, 3));
  g->first_temp = g->ntemp;
  statements(g, 2, false);
  assign_statement(g, pick(g, g->nfield), false);
  g->first_temp = g->ntemp;
  PUT("}\n");
}

/* ---- sources and receivers ---- */

static void position(gen *g) {
  PUT("(");
  for (int d = 0; d < g->ndim; d++) {
    int quarters = chance(g, 50) ? 4 * pick(g, g->n[d]) : pick(g, 4 * (g->n[d] - 1) + 1);
    PUT("%s%g", d ? ", " : "", quarters / 4.0);
  }
  PUT(")");
}

static void sources(gen *g) {
  static const char *const with[] = {"", " with linear", " with sinc"};
  for (int n = pick(g, 3); n > 0 && has(g, IK_RANDOM_SOURCES); n--) {
    stand(g, 0, false);
    g->temps = false;
    PUT("source 0.01*");
    switch (pick(g, 3)) {
    case 0: PUT("ricker(f = %d Hz)", 5 + pick(g, 40)); break;
    case 1: PUT("gaussian(%d ms)", 1 + pick(g, 9)); break;
    case 2: g->nscalar = 0, real(g, 1); break;
    }
    PUT(" at "), position(g), PUT("%s into u\n", with[pick(g, 3)]);
  }
}

static void receivers(gen *g) {
  for (int k = 0; k < 2 && maybe(g, IK_RANDOM_RECEIVERS, 30); k++) {
    PUT("receiver u at ");
    if (chance(g, 50))
      position(g);
    else
      PUT("line "), position(g), PUT(" .. "), position(g), PUT(" count %d", 1 + pick(g, 5));
    PUT("%s", chance(g, 50) ? " with sinc" : "");
    PUT(" every %d into \"r%d.npy\"\n", 1 + pick(g, 2), k);
  }
}

/* ---- the program ---- */

void ik_random_program(uint64_t seed, const ik_random_options *opt, ik_buf *out) {
  gen all = {.state = seed * 2 + 1, .opt = opt, .out = out, .self = -1}, *g = &all;
  ik_buf_printf(out, "# seed %llu\n", (unsigned long long)seed);
  PUT("param dt = 2 ms\n");
  arithmetic(g);
  grid(g);
  functions(g);
  patterns(g);
  g->coordinates = true;
  int ndef = g->ndef, npattern = g->npattern;
  g->ndef = g->npattern = 0; /* initial values stay simple */
  fields(g);
  boundaries(g);
  levels(g);
  g->ndef = ndef, g->npattern = npattern;
  if (has(g, IK_RANDOM_OUTSIDE)) statements(g, 2, false);
  step(g);
  if (maybe(g, IK_RANDOM_REPEAT, 30)) repeat(g);
  if (has(g, IK_RANDOM_OUTSIDE)) statements(g, 2, false);
  if (has(g, IK_RANDOM_OUTSIDE) && chance(g, 25)) step(g);
  sources(g);
  receivers(g);
}
