#include "apps/bench/random.h"
#include <stdint.h>
#include <string.h>

typedef struct gen {
  uint64_t state;
  int      ndim;
  bool     second, history; /* there is a field v; u has u[t-1] */
  bool     scaled;          /* by the field k */
  ik_buf  *out;
} gen;

#define PUT(...) ik_buf_printf(g->out, __VA_ARGS__)

static int pick(gen *g, int below) { /* splitmix64 */
  uint64_t z = g->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (int)((z ^ z >> 31) % (uint64_t)below);
}

static bool chance(gen *g, int percent) { return pick(g, 100) < percent; }

/* ---- expressions ---- */

typedef struct tap {
  bool old; /* u[t-1] */
  int  off[3];
} tap;

/* Along one axis mostly, as far as two cells. */
static tap pick_tap(gen *g, bool old) {
  tap t = {.old = old && g->history && chance(g, 20)};
  int axis = chance(g, 75) ? pick(g, g->ndim) : -1;
  for (int d = 0; d < g->ndim && !t.old; d++)
    if (axis < 0 || axis == d) t.off[d] = pick(g, 5) - 2;
  return t;
}

static bool is_among(const tap *list, int n, const tap *t) {
  for (int i = 0; i < n; i++)
    if (list[i].old == t->old && !memcmp(list[i].off, t->off, sizeof t->off)) return true;
  return false;
}

static void put_tap(gen *g, const char *name, const tap *t) {
  PUT("%s", name);
  if (t->old) {
    PUT("[t-1]");
    return;
  }
  for (int d = 0; d < g->ndim; d++) PUT("%s%d", d ? ", " : "[", t->off[d]);
  PUT("]");
}

/* A mean of some cells, each once, as people write them: otherwise it would matter which compiler
 * may add up weights. */
static void put_mean(gen *g, const char *name, bool old) {
  enum { MOST = 8 };
  tap list[MOST];
  int n = 3 + pick(g, g->ndim > 1 ? MOST - 2 : 3);
  for (int i = 0; i < n; i++) {
    do list[i] = pick_tap(g, old);
    while (is_among(list, i, &list[i]));
    PUT("%s%.3f*", i ? " + " : "", 1.0 / n - 0.001 * (1 + pick(g, 9)));
    put_tap(g, name, &list[i]);
  }
}

static void put_value(gen *g, const char *name, const char *other, bool old) {
  switch (pick(g, 6)) {
  case 0: g->scaled = true, PUT("k*("), put_mean(g, name, old), PUT(") + (1 - k)*%s", other); break;
  case 1: PUT("0.5*max("), put_mean(g, name, old), PUT(", %s) + 0.25*%s", other, other); break;
  case 2: PUT("("), put_mean(g, name, old), PUT(")/(1 + abs(%s))", other); break;
  case 3:
    PUT("sqrt(0.01 + 0.4*%s*%s + 0.5*abs(", other, other), put_mean(g, name, old), PUT("))");
    break;
  default: put_mean(g, name, old);
  }
}

/* ---- declarations ---- */

static void put_boundary(gen *g, const char *name) {
  static const char *const kinds[] = {"0", "periodic", "mirror", "copy", "0.5", "antireflect"};
  PUT("boundary %s = %s\n", name, kinds[pick(g, 6)]);
}

static void put_fields(gen *g, const char *type) {
  PUT("field u : %s%s = noise(1)\n", type, g->history ? ", history 2" : "");
  put_boundary(g, "u");
  if (g->scaled) PUT("field k : %s = 0.2 + 0.6*noise(2)\nboundary k = copy\n", type);
  if (!g->second) return;
  PUT("field v : %s = noise(3)\n", type);
  put_boundary(g, "v");
}

static void put_step(gen *g) {
  bool stages = chance(g, 50);
  PUT("\nstep 10 {\n");
  if (stages) PUT("  a = "), put_value(g, "u", "u", true), PUT("\n");
  PUT("  u' = "), put_value(g, stages ? "a" : "u", g->second ? "v" : "u", !stages), PUT("\n");
  if (g->second) {
    PUT("  v' = ");
    put_value(g, "v", chance(g, 50) ? "u'" : "u", false);
    PUT("\n");
  }
  PUT("}\n");
}

void ik_random_write(int seed, int ndim, bool f64, ik_buf *out) {
  static const char axes[] = "xyz";
  ik_buf            step = {0};
  gen               random = {.state = (uint64_t)seed, .ndim = ndim, .out = &step}, *g = &random;
  g->second = chance(g, 40), g->history = chance(g, 30);
  put_step(g);
  g->out = out;
  PUT("grid ");
  for (int d = 0; d < ndim; d++) PUT("%s%c = 64", d ? ", " : "", axes[d]);
  PUT("\n");
  put_fields(g, f64 ? "f64" : "f32");
  PUT("%s", ik_buf_text(&step));
  out->failed |= step.failed;
  ik_buf_free(&step);
}
