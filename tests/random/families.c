#include "families.h"
#include "generate.h"
#include "targets/cpu/isa.h"
#include "trial.h"
#include <string.h>

uint64_t family_draw(uint64_t *state, uint64_t n) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (*state >> 33) % n;
}

int family_upto(uint64_t *s, int lo, int hi) {
  return lo + (int)family_draw(s, (uint64_t)(hi - lo + 1));
}

uint64_t family_mixed(uint64_t seed) {
  uint64_t s = (seed + 1) * 0x9e3779b97f4a7c15u;
  s = (s ^ s >> 30) * 0xbf58476d1ce4e5b9u;
  return (s ^ s >> 27) * 0x94d049bb133111ebu;
}

/* One draw a statement: in which order arguments are evaluated is the compiler's choice. */
#define DRAW(n)      family_draw(&s, n)
#define UPTO(lo, hi) family_upto(&s, lo, hi)
#define ONE_OF(list) list[family_draw(&s, sizeof(list) / sizeof *(list))]

/* ---- plans ---- */

family_vectors family_vectors_here(void) {
  family_vectors v = {.wide = trial_can_run(64)};
  v.n = ik_isa_widths(v.bytes);
  return v;
}

const char *const family_waves[2] = {"hex", "skew"};

ik_plan family_plan_any(uint64_t seed, const family_vectors *v) {
  static const int64_t tiles[] = {0, 0, 1, 2, 3, 5, 8, 16, 17, 33};
  static const int     steps[] = {1, 1, 2, 3, 4, 7};
  uint64_t             s = seed * 7919 + 1;
  ik_plan              p = {.target = "cpu"};
  p.steps = ONE_OF(steps);
  p.strategy = p.steps > 1 ? "fuse" : "sweep";
  for (int d = 0; d < IK_MAX_DIM; d++) p.tile[d] = ONE_OF(tiles);
  p.cpu.rows = 1 << DRAW(3), p.cpu.vectors = 1 << DRAW(4);
  p.cpu.vector_bytes = v->bytes[DRAW((uint64_t)v->n)];
  p.cpu.stream = DRAW(2), p.cpu.shift = DRAW(2);
  p.threads = UPTO(1, 4);
  uint64_t way = DRAW(3);
  if (way < 2) p.strategy = family_waves[way];
  p.cpu.planes = UPTO(1, 2);
  p.cpu.in_place = DRAW(3) > 0;
  return p;
}

ik_plan family_plan_rows(uint64_t seed, int bytes, bool place) {
  uint64_t s = family_mixed(~seed);
  ik_plan  p = {.target = "cpu", .strategy = "sweep", .steps = 1, .cpu.vector_bytes = bytes};
  p.cpu.stream = true, p.cpu.shift = (place && bytes == 64) || DRAW(2);
  p.threads = UPTO(1, 3);
  if (bytes < 64) p.tile[0] = DRAW(2) ? UPTO(1, 40) : 0, p.steps = UPTO(1, 2);
  if (p.steps > 1) p.strategy = "fuse";
  p.tile[1] = UPTO(1, 24), p.cpu.rows = UPTO(1, 2), p.cpu.vectors = UPTO(1, 3);
  p.cpu.planes = UPTO(0, 3) ? 1 : 2, p.cpu.in_place = place;
  return p;
}

/* Only vectors that the machine has: compilers take a minute to shift others (tests/emit has some).
 */
ik_plan family_plan_boxes(uint64_t seed, const family_vectors *v) {
  uint64_t s = family_mixed(seed + 78);
  ik_plan  p = family_plan_any(seed, v);
  p.cpu.rows = UPTO(1, 3), p.cpu.planes = UPTO(1, 2), p.cpu.vectors = UPTO(1, 2),
  p.cpu.shift = true;
  return p;
}

ik_plan family_plan_steps(uint64_t seed, const family_vectors *v) {
  uint64_t s = family_mixed(seed + 79);
  bool     lines = DRAW(4) == 0;
  ik_plan  p = lines ? family_plan_slabs(seed, v) : family_plan_any(seed, v);
  p.steps = UPTO(2, 5);
  if (strcmp(p.strategy, "sweep") == 0) p.strategy = "fuse";
  return p;
}

ik_plan family_plan_slabs(uint64_t seed, const family_vectors *v) {
  uint64_t s = family_mixed(seed + 77);
  ik_plan  p = {.target = "cpu", .strategy = "skew"};
  p.cpu.vector_bytes = v->bytes[DRAW((uint64_t)v->n)];
  if (DRAW(2) && v->wide) p.cpu.vector_bytes = 64;
  bool flat = DRAW(4) == 0;
  p.steps = UPTO(1, 4), p.threads = UPTO(1, 4);
  p.tile[flat ? 0 : 1] = UPTO(1, 13);
  p.cpu.rows = UPTO(1, 2), p.cpu.vectors = UPTO(1, 3), p.cpu.planes = UPTO(1, 2);
  p.cpu.in_place = DRAW(4) > 0,
  p.cpu.shift = (p.cpu.in_place && p.cpu.vector_bytes == 64) || DRAW(2);
  return p;
}

ik_plan family_plan_fused(uint64_t seed, const family_vectors *v) {
  uint64_t s = family_mixed(seed + 79);
  ik_plan  p = family_plan_any(seed, v);
  p.strategy = "fuse", p.steps = UPTO(2, 8);
  return p;
}

/* ---- any ---- */

void family_any(uint64_t seed, ik_buf *out) {
  ik_random_options options = IK_RANDOM_DEFAULTS;
  options.max_cells = 3000, options.max_steps = 9;
  ik_random_program(seed, &options, out);
}

/* ---- rows ---- */

/* A temporary around the cells of `in`, read around those of `out`, over and over. */
void family_ahead(uint64_t seed, ik_buf *out) {
  static const int cells[] = {64, 80, 96, 128, 160, 256, 73, 129, 17, 7};
  uint64_t         s = family_mixed(seed);
  int              lead = UPTO(0, 2), side = UPTO(0, 2), rim = UPTO(1, 4), odd = UPTO(0, 7);
  int              nx = ONE_OF(cells), ny = UPTO(9, 21), nz = UPTO(3, 5);
  const char      *type = DRAW(2) ? "f32" : "f64";
  ik_buf_printf(out,
                "param n = 5\ngrid x = %d, y = %d, z = %d\nfield in : %s = 2*noise(1) - 1\n"
                "field c : %s = 0.1*noise(2)\nfield out : %s = noise(3)\nfield w : %s = in\n"
                "boundary in = mirror\nboundary w = copy\n",
                nx, ny, nz, type, odd == 1 ? "f64" : type, type, type);
  ik_buf_puts(out, "repeat until n < 0 max n {\n");
  int x = UPTO(1, 3), y = UPTO(0, 2), z = UPTO(0, 1), back = UPTO(1, 3);
  ik_buf_printf(out, "  a = 4*in - (in[1, 0, 0] + in[-%d, 0, 0] + in[0, %d, 0] + in[0, -1, %d])\n",
                x, y, z);
  if (odd == 2) ik_buf_puts(out, "  b = a + sqrt(abs(in))\n");
  ik_buf_printf(out, "  out = in - c*(a[0, %d, 0] + a[%d, %d, 0]*a[-1, %d, 0] - %s%s)", lead, side,
                odd == 3 ? lead : lead - 1, lead - back, odd == 4 ? "w[1, 0, 0]" : "w",
                odd == 2 ? " + b[0, 1, 0]" : "");
  x = UPTO(0, 3), z = UPTO(0, 1);
  ik_buf_printf(out, " on interior(%d, %d, %d)\n", x, rim, z);
  if (odd == 5) ik_buf_puts(out, "  out = 0.5*out on x = 0 .. 1\n");
  if (odd == 6) ik_buf_puts(out, "  w = 0.9*out\n");
  if (odd == 7) ik_buf_puts(out, "  in = 0.9*in + 0.1*out on interior(1, 1, 0)\n");
  ik_buf_puts(out, "}\n");
}

/* Reads around a cell of u, and of v. */
static void put_neighbours(uint64_t *state, int odd, int far, bool old, ik_buf *out) {
  uint64_t s = *state;
  int      right = UPTO(1, 8), x = UPTO(-2, 2), y = UPTO(-4, 4), z = UPTO(-4, 4), up = UPTO(1, 5);
  ik_buf_printf(out,
                "  u' = 0.2*u[-%d, 0, 0] - 0.1*u[%d, 0, 0] + 0.2*u[%d, %d, %d] + 0.1*u[0, -%d, 0]",
                odd == 6 ? 9 : far, right, x, y, z, up);
  z = UPTO(-4, 4);
  if (DRAW(2)) ik_buf_printf(out, " + 0.1*v*u[0, 0, %d]", z);
  if (DRAW(3) == 0) ik_buf_puts(out, " + 0.1*v[1, 1, -1]");
  if (old) ik_buf_puts(out, " - 0.1*u[t-1]");
  if (odd == 5) ik_buf_puts(out, " + 0.1*a[0, 1, 0]");
  ik_buf_puts(out, odd == 7 ? " on interior(1, 0, 0)\n" : "\n");
  *state = s;
}

/* Cells around a cell, of fields that have a number beyond the ends of their rows. */
void family_whole_rows(uint64_t seed, ik_buf *out) {
  static const int         cells[] = {16, 32, 48, 64, 80, 112, 128, 192};
  static const char *const beyond[] = {"0", "0.5", "-0.25", "-0.0", "1e30", "mirror", "x + t"};
  uint64_t                 s = family_mixed(seed);
  int                      odd = UPTO(0, 15), far = UPTO(1, 8), low = UPTO(0, 4);
  const char              *type = DRAW(2) ? "f32" : "f64";
  bool                     old = DRAW(2);
  int                      nx = ONE_OF(cells), more = UPTO(1, 15), ny = UPTO(1, 30);
  int                      nz = UPTO(1, 20), y = UPTO(2, 6), z = DRAW(2) ? y : UPTO(2, 6);
  int                      high = UPTO(0, 4), v = UPTO(0, 4);
  ik_buf_printf(out,
                "grid x = %d, y = %d, z = %d\nfield u : %s%s = 2*noise(1) - 1\n"
                "field v : %s = 0.1*noise(2)\nfield w : f32 = noise(3)\n",
                nx + (odd == 3 ? more : 0), ny, nz, type, old ? ", history 2" : "",
                odd == 4 ? "f32" : type);
  ik_buf_printf(out, "boundary u { -x = %s; +x = %s; y = %s; z = %s }\nboundary v = %s\n",
                beyond[odd == 1   ? 5
                       : odd == 2 ? 6
                                  : low],
                beyond[high], beyond[y], beyond[z], beyond[v]);
  ik_buf_puts(out, "step 3 {\n");
  if (odd == 5) ik_buf_puts(out, "  a = u[1, 0, 0] + u[-1, 0, 0]\n");
  put_neighbours(&s, odd, far, old, out);
  if (odd == 8) ik_buf_puts(out, "  w = w + 0.1*u[1, 0, 0]\n");
  ik_buf_puts(out, "}\n");
}

static void put_parts_of_rows(uint64_t *state, int nx, bool other, ik_buf *out) {
  static const int far[] = {0, 1, 2, 3, 5, 16};
  uint64_t         s = *state;
  int              lo = DRAW(2) ? 0 : UPTO(0, nx - 1), hi = DRAW(2) ? nx - 1 : UPTO(lo, nx - 1);
  int              left = ONE_OF(far), right = ONE_OF(far), y = UPTO(-1, 1);
  bool             two = DRAW(2), again = DRAW(2);
  ik_buf_printf(out, "  a = 0.5*u[-%d, 0, 0] + 0.3*u[%d, %d, 0]*v + 0.1*u[0, 1, 1]%s\n", left,
                right, y, two ? " - 0.2*v[1, 0, -1]" : "");
  left = UPTO(0, 3), right = UPTO(0, 3);
  if (again)
    ik_buf_printf(out, "  w = 0.2*a[%d, 1, 0] - 0.3*a[-%d, 0, -1]*a", right, left);
  else
    ik_buf_puts(out, "  w = a");
  ik_buf_printf(out, " on x = %d .. %d\n", lo, hi);
  ik_buf_puts(out, other ? "  v' = 0.9*v + 0.1*u\n" : "  u' = 0.9*u + 0.01*w\n");
  *state = s;
}

/* Of all of a row or of a part, from near and from far; most fields have numbers or the last cell
 * beyond the ends. */
void family_ends(uint64_t seed, ik_buf *out) {
  static const char *const beyond[] = {"0.5", "copy", "-0.0", "copy", "1e30", "mirror", "x + y"};
  uint64_t                 s = family_mixed(seed);
  int         odd = UPTO(0, 11), nx = DRAW(8) ? UPTO(20, 140) : UPTO(1, 19), ny = UPTO(1, 20);
  int         nz = UPTO(1, 12), y = UPTO(0, 6), z = DRAW(2) ? y : UPTO(0, 6);
  int         low = UPTO(0, 4), high = UPTO(0, 4), v = UPTO(0, 4), far = UPTO(-3, 3);
  const char *type = DRAW(2) ? "f32" : "f64";
  ik_buf_printf(out,
                "grid x = %d, y = %d, z = %d\nfield u : %s = 2*noise(1) - 1\n"
                "field v : %s = noise(2)\nfield w, p : %s = noise(3)\nboundary p = periodic\n",
                nx, ny, nz, type, odd == 1 ? "f64" : type, type);
  ik_buf_printf(out, "boundary u { -x = %s; +x = %s; y = %s; z = %s }\nboundary v = %s\n",
                beyond[odd == 2 ? 5 : low], beyond[odd == 3 ? 6 : high], beyond[y], beyond[z],
                odd == 4 ? "periodic" : beyond[v]);
  ik_buf_puts(out, "step 3 {\n");
  if (DRAW(4))
    put_parts_of_rows(&s, nx, odd == 5, out);
  else /* images of what is not read where it lies, from what is */
    ik_buf_printf(out, "  p' = 0.2*p[0, 0, 3] + 0.2*p[%d, 0, -3] + 0.1*v\n", far);
  ik_buf_puts(out, "}\n");
}

void family_padded(uint64_t seed, ik_buf *out) {
  static const char *const beyond[] = {"0", "0.5", "-0.0", "-3"};
  uint64_t                 s = family_mixed(seed);
  const char              *type = DRAW(2) ? "f32" : "f64", *b = ONE_OF(beyond);
  bool                     old = DRAW(2);
  int         nx = DRAW(2) ? 16 * UPTO(1, 6) : UPTO(1, 100), ny = UPTO(1, 40), nz = UPTO(1, 20);
  const char *row = ONE_OF(beyond);
  ik_buf_printf(out,
                "grid x = %d, y = %d, z = %d\nfield u : %s%s = noise(1)\nfield v : %s = noise(2)\n"
                "boundary u { x = %s; y = %s; z = %s }\n",
                nx, ny, nz, type, old ? ", history 2" : "", type, row, b, b);
  int left = UPTO(1, 4), x = UPTO(-2, 2), y = UPTO(-2, 2), z = UPTO(-1, 1), low = UPTO(0, 2);
  int high = UPTO(0, 3);
  ik_buf_printf(out,
                "step 5 {\n  u' = 0.2*u[-%d, 0, 0] + 0.1*u[%d, %d, %d] + 0.3*v*u[0, -%d, 1] + "
                "0.1*u[0, %d, -1]%s\n}\n",
                left, x, y, z, low, high, old ? " - 0.2*u[t-1]" : "");
}

/* ---- levels ---- */

typedef struct leveled { /* a field */
  const char *name;
  int         history;
} leveled;

/* Of some level, near or, now and then, beyond the whole grid. */
static void put_leveled(uint64_t *state, int ndim, const leveled *f, ik_buf *out) {
  uint64_t s = *state;
  int      back = UPTO(0, f->history - 1), far = DRAW(12) ? 2 : 30;
  ik_buf_puts(out, f->name);
  if (back) ik_buf_printf(out, "[t-%d", back);
  bool here = DRAW(3) == 0;
  for (int d = 0; d < ndim && !here; d++)
    ik_buf_printf(out, "%s%d", d || back ? ", " : "[", UPTO(-far, far));
  if (back || !here) ik_buf_puts(out, "]");
  *state = s;
}

/* Each is made of values of all, at whatever levels they keep. */
static void put_leveled_statement(uint64_t *state, int ndim, const leveled *all, int n, int i,
                                  ik_buf *out) {
  uint64_t s = *state;
  ik_buf_printf(out, "  %s' = ", all[i].name);
  for (int k = 0, terms = UPTO(1, 4); k < terms; k++) {
    ik_buf_printf(out, "%s0.%d*", k ? " + " : "", UPTO(1, 2));
    put_leveled(&s, ndim, &all[k ? DRAW((uint64_t)n) : (uint64_t)i], out);
  }
  if (i && DRAW(3) == 0) ik_buf_printf(out, " - 0.1*%s'", all[i - 1].name);
  if (DRAW(8) == 0) ik_buf_puts(out, " on interior(1)");
  ik_buf_puts(out, "\n");
  *state = s;
}

void family_levels(uint64_t seed, ik_buf *out) {
  static const char *const beyond[] = {"periodic", "mirror",      "copy", "0.5", "reflect",
                                       "periodic", "antireflect", "x",    "t",   "antimirror"};
  static const char *const types[] = {"f64", "f32", "f64", "f32", "f16", "bf16"};
  static const int         cells[] = {1, 2, 5, 7, 16, 17, 33, 40};
  static const int         histories[] = {1, 2, 2, 3, 3, 4, 9, 16};
  leveled                  field[] = {{"u", 1}, {"v", 1}, {"w", 1}};
  uint64_t                 s = family_mixed(seed + 7);
  int                      ndim = UPTO(1, 3), n = UPTO(1, 3), at[3] = {0};
  ik_buf_printf(out, "param dt = 2 ms\ngrid x = %d", at[0] = ONE_OF(cells));
  for (int d = 1; d < ndim; d++) ik_buf_printf(out, ", %c = %d", 'x' + d, at[d] = UPTO(1, 14));
  ik_buf_puts(out, "\n");
  for (int i = 0; i < n; i++) {
    field[i].history = ONE_OF(histories);
    ik_buf_printf(out, "field %s : %s, history %d = 2*noise(%d) - 1\nboundary %s {", field[i].name,
                  ONE_OF(types), field[i].history, i, field[i].name);
    for (int d = 0; d < ndim; d++)
      ik_buf_printf(out, "%s %c = %s", d ? ";" : "", 'x' + d, ONE_OF(beyond));
    ik_buf_puts(out, " }\n");
  }
  for (int k = UPTO(0, 2); k > 0; k--) {
    ik_buf_puts(out, "source 0.1*ricker(f = 20 Hz) at (");
    for (int d = 0; d < ndim; d++) ik_buf_printf(out, "%s%d", d ? ", " : "", UPTO(0, at[d] - 1));
    ik_buf_printf(out, ") into %s\n", field[DRAW((uint64_t)n)].name);
  }
  if (DRAW(4) == 0)
    ik_buf_printf(out, "receiver u at (%s) every 5 into \"r.npy\"\n",
                  ndim == 1   ? "0"
                  : ndim == 2 ? "0, 0"
                              : "0, 0, 0");
  for (int loops = UPTO(1, 2); loops > 0; loops--) {
    ik_buf_printf(out, "step %d {\n", UPTO(1, 21));
    for (int i = 0; i < n; i++) put_leveled_statement(&s, ndim, field, n, i, out);
    ik_buf_puts(out, "}\n");
  }
}

/* ---- neighbours along a row ---- */

/* Cells from one, along each axis that there is: u[1, 0, -1]. */
static void put_read(ik_buf *out, const char *name, int ndim, int x, int y, int z) {
  const int off[] = {x, y, z};
  ik_buf_printf(out, "%s[%d", name, off[0]);
  for (int d = 1; d < ndim; d++) ik_buf_printf(out, ", %d", off[d]);
  ik_buf_puts(out, "]");
}

static void put_flux(ik_buf *out, int ndim, int x, int y, int z) {
  ik_buf_puts(out, "flux(");
  put_read(out, "u", ndim, x, y, z);
  ik_buf_puts(out, ", ");
  put_read(out, "v", ndim, x - 1, y, z);
  ik_buf_puts(out, ")");
}

static void put_flux_statements(uint64_t *state, int ndim, int nx, ik_buf *out) {
  uint64_t s = *state;
  int      far = UPTO(1, 4), x = UPTO(-3, 5), y = UPTO(-1, 1), z = UPTO(-1, 1), odd = UPTO(0, 7);
  if (odd < 3) { /* a temporary, put in place where it is read or not */
    ik_buf_puts(out, "  f = "), put_flux(out, ndim, 1, 0, 0), ik_buf_puts(out, "\n");
    ik_buf_puts(out, "  u' = u - 0.1*("), put_read(out, "f", ndim, 0, y, 0);
    ik_buf_puts(out, " - "), put_read(out, "f", ndim, -far, y, 0);
  } else {
    ik_buf_puts(out, "  u' = u - 0.1*("), put_flux(out, ndim, x, y, z);
    ik_buf_puts(out, " - "), put_flux(out, ndim, x - far, y, z);
  }
  if (odd % 3 == 1) ik_buf_puts(out, "*"), put_flux(out, ndim, UPTO(-3, 3), y, z);
  if (odd % 3 == 2) ik_buf_puts(out, " + "), put_flux(out, ndim, 1, 1 - y, 0);
  ik_buf_puts(out, ")");
  int lo = UPTO(0, 2), hi = UPTO(2, nx - 1);
  if (DRAW(4) == 0) ik_buf_printf(out, " on x = %d .. %d", lo, hi);
  ik_buf_puts(out, "\n");
  if (odd == 4) ik_buf_puts(out, "  v = 0.9*v + 0.1*u\n"); /* in place */
  if (odd == 5) ik_buf_puts(out, "  v' = 0.9*v + 0.1*u'\n");
  *state = s;
}

void family_fluxes(uint64_t seed, ik_buf *out) {
  static const char *const types[] = {"f32", "f64", "f32", "f64", "i32"};
  static const char *const beyond[] = {"periodic", "mirror", "copy", "0.5", "x"};
  static const int         cells[] = {64, 33, 48, 96, 17, 130, 11, 3};
  uint64_t                 s = family_mixed(seed + 5);
  int                      ndim = UPTO(1, 3), nx = ONE_OF(cells);
  const char              *type = ONE_OF(types), *other = DRAW(2) ? "f32" : "f64";
  const char              *u = ONE_OF(beyond), *v = ONE_OF(beyond);
  ik_buf_printf(out, "grid x = %d", nx);
  for (int d = 1; d < ndim; d++) ik_buf_printf(out, ", %c = %d", 'x' + d, UPTO(1, 12));
  ik_buf_printf(out, "\nfield u : %s = 4*noise(1) - 2\nfield v : %s = 4*noise(2) - 2\n", type,
                DRAW(5) ? type : other);
  ik_buf_printf(out, "boundary u = %s\nboundary v = %s\n", u, v);
  ik_buf_puts(out, "def flux(a, b) = if (a - b)*(a + b) > 0 then 3*b else a - b\nstep 4 {\n");
  put_flux_statements(&s, ndim, nx, out);
  ik_buf_puts(out, "}\n");
}

void family_boxes(uint64_t seed, ik_buf *out) {
  static const char *const beyond[] = {"periodic", "mirror", "copy", "0.5", "reflect"};
  static const int         cells[] = {64, 33, 48, 96, 17, 130, 1, 3};
  uint64_t                 s = family_mixed(seed + 6);
  int                      ndim = UPTO(2, 3), nx = ONE_OF(cells);
  const char              *type = DRAW(2) ? "f32" : "f64", *u = ONE_OF(beyond);
  /* Few of the largest: 125 neighbours in blocks of 12 vectors take gcc 14 s to compile. */
  int radius = ndim == 2 ? UPTO(1, 4) : DRAW(6) ? 1 : 2;
  ik_buf_printf(out, "grid x = %d", nx);
  for (int d = 1; d < ndim; d++) ik_buf_printf(out, ", %c = %d", 'x' + d, UPTO(1, 14));
  ik_buf_printf(out, "\nfield u : %s = 2*noise(1) - 1\nboundary u = %s\n", type, u);
  ik_buf_printf(out, "weights w = box(%d, (i - 2*j + %s0.3)/100)\n", radius,
                ndim == 2 ? "" : "k + ");
  ik_buf_puts(out, "step 5 { u' = stencil(u, w) }\n");
}

/* ---- sources and receivers ---- */

static void put_cell(uint64_t *state, int ndim, const int *n, ik_buf *out) {
  uint64_t s = *state;
  bool     last = DRAW(4) == 0;
  for (int d = 0; d < ndim; d++) {
    int quarters = UPTO(0, 4 * (n[d] - 1)), whole = quarters / 4 * 4;
    if (DRAW(2)) quarters = whole;
    ik_buf_printf(out, "%s%g", d ? ", " : "(", last ? n[d] - 1 : quarters / 4.0);
  }
  ik_buf_putc(out, ')');
  *state = s;
}

/* What the steps are: `odd` says how they differ from a plain one. */
static void put_heard_steps(uint64_t *state, int ndim, int odd, ik_buf *out) {
  static const char *const offset[3][3] = {
      {"1", "-1", "2"}, {"0, 1", "1, -1", "-2, 0"}, {"0, 0, 1", "1, 0, -1", "0, -2, 0"}};
  uint64_t           s = *state;
  const char *const *at = offset[ndim - 1];
  ik_buf_printf(out, "step %d {\n", UPTO(6, 14));
  if (odd == 1) ik_buf_printf(out, "  a = 0.5*u + 0.5*u[%s]\n", at[2]);
  ik_buf_printf(out, "  u' = 0.4*u + 0.2*u[%s] + 0.2*u[%s] + 0.1*%s[%s] + 0.05*c%s\n", at[0], at[1],
                odd == 1 ? "a" : "u", at[2], odd == 2 ? " - 0.1*u[t-1]" : "");
  if (odd == 3) ik_buf_puts(out, "  v = 0.5*v + 0.2*u\n");
  if (odd != 3) ik_buf_printf(out, "  v' = 0.5*v + 0.2*u%s\n", odd == 4 ? "'" : "");
  ik_buf_puts(out, "  q' = u - v\n}\n");
  *state = s;
}

/* Of five fields, each of a kind: u is read around cells and has sources, v at its cell, nobody
 * reads q, and c stays as it is. */
void family_heard(uint64_t seed, ik_buf *out) {
  static const char *const beyond[] = {"periodic", "mirror", "copy", "0.5", "antireflect"};
  static const char *const types[] = {"f32", "f64", "f16"}, *const names[] = {"u", "v", "q", "c"};
  static const char *const with[] = {"", " with sinc"};
  static const int         cells[] = {64, 33, 130, 17, 5, 1, 2};
  static const int         periods[] = {1, 1, 1, 2, 3, 5, 20};
  uint64_t                 s = family_mixed(seed + 80);
  int                      ndim = UPTO(1, 3), odd = UPTO(0, 9), n[3] = {ONE_OF(cells)};
  for (int d = 1; d < 3; d++) n[d] = UPTO(1, 19);
  const char *type = ONE_OF(types), *other = ONE_OF(types), *bc = ONE_OF(beyond);
  ik_buf_printf(out, "param dt = 2 ms\ngrid x = %d", n[0]);
  for (int d = 1; d < ndim; d++) ik_buf_printf(out, ", %c = %d", 'x' + d, n[d]);
  ik_buf_printf(out, "\nfield u : %s%s = 2*noise(1) - 1\nfield v : %s = noise(2)\n", type,
                odd == 2 ? ", history 2" : "", other);
  ik_buf_printf(out, "field q : %s\nfield c : f64 = noise(3)\nboundary u = %s\n", type, bc);
  put_heard_steps(&s, ndim, odd, out);
  for (int k = UPTO(0, 2); k > 0; k--) {
    uint64_t here = s;
    ik_buf_puts(out, "source 0.1*ricker(20 Hz) at "), put_cell(&s, ndim, n, out);
    ik_buf_puts(out, " into u\nreceiver u at "), put_cell(&here, ndim, n, out);
    ik_buf_printf(out, " into \"s%d.npy\"\n", k);
  }
  for (int k = UPTO(1, 4); k > 0; k--) {
    ik_buf_printf(out, "receiver %s at ", ONE_OF(names));
    bool line = DRAW(2);
    if (line) ik_buf_puts(out, "line "), put_cell(&s, ndim, n, out), ik_buf_puts(out, " .. ");
    put_cell(&s, ndim, n, out);
    ik_buf_puts(out, ONE_OF(with));
    ik_buf_printf(out, " every %d", ONE_OF(periods));
    ik_buf_printf(out, " into \"r%d.npy\"\n", k);
  }
}
