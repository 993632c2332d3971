#include "model/spatial.h"
#include "base/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

ik_spatial_kind ik_spatial_kind_of(const ik_machine *m) {
  const char *kind = ik_machine_text(m, "kind");
  if (!kind) return IK_SPATIAL_NONE;
  return !strcmp(kind, "wafer")   ? IK_SPATIAL_WAFER
         : !strcmp(kind, "tiles") ? IK_SPATIAL_TILES
         : !strcmp(kind, "fpga")  ? IK_SPATIAL_FPGA
                                  : IK_SPATIAL_NONE;
}

const char *ik_spatial_elements_name(ik_spatial_kind k) {
  return k == IK_SPATIAL_TILES ? "cores" : "elements";
}

/* ---- figures ---- */

typedef struct figure {
  const char *key, *unit;
  double     *to;
} figure;

static bool read_figures(const ik_machine *m, const figure *f, int n) {
  bool all = true;
  for (int i = 0; i < n; i++) all &= ik_machine_number(m, f[i].key, f[i].unit, f[i].to);
  return all;
}

#define READ(m, list) read_figures((m), (list), (int)(sizeof(list) / sizeof *(list)))

static bool refuse(ik_spatial_time *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The model applies, but the program does not fit. */
static bool refuse(ik_spatial_time *t, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  ik_vformat(t->why, sizeof t->why, fmt, ap);
  va_end(ap);
  t->fits = false;
  return true;
}

static double cells_of(const ik_spatial_work *w) { return w->n[0] * w->n[1] * w->n[2]; }
static double at_least_one(double v) { return v > 1 ? v : 1; }

/* ---- wafer ---- */

enum { PAPER_SLOTS = 53, CHUNK_MOST = 400, WORD = 4 };

typedef struct wafer {
  double step, cell, chunked; /* s */
  double broadcast;           /* s, of each but the first */
  double overhead, hop;       /* s, of a time step in what a step takes; of a reduction */
  double x, y;                /* elements along each side */
  double sram, code;          /* bytes of one, and of these for its instructions */
  double idle, flop;          /* W, J */
} wafer;

static double cycles_of(const ik_machine *m, const char *key, double clock) {
  double n;
  return clock > 0 && ik_machine_number(m, key, "cycles", &n) ? n / clock : 0;
}

/* `pes` is what a question "what if it had more" changes; the shape stays. */
static bool wafer_of(const ik_machine *m, wafer *w) {
  double       pes, clock;
  const figure need[] = {{"clock", "Hz", &clock},
                         {"pe.used.x", "", &w->x},
                         {"pe.used.y", "", &w->y},
                         {"pe.sram", "B", &w->sram}};
  if (!READ(m, need)) return false;
  w->step = cycles_of(m, "model.step", clock), w->cell = cycles_of(m, "model.cell", clock);
  w->chunked = cycles_of(m, "model.chunked", clock);
  w->broadcast = cycles_of(m, "model.broadcast", clock);
  w->overhead = cycles_of(m, "sim.overhead", clock), w->hop = cycles_of(m, "model.hop", clock);
  if (!(w->step > 0 && w->cell > 0)) return false;
  if (!ik_machine_number(m, "sim.code", "B", &w->code)) w->code = 0;
  if (!ik_machine_number(m, "power.idle", "W", &w->idle)) w->idle = NAN;
  if (!ik_machine_number(m, "energy.flop", "J", &w->flop)) w->flop = NAN;
  double by = ik_machine_number(m, "fabric.pes", "", &pes) ? sqrt(pes / (w->x * w->y)) : 1;
  w->x = floor(w->x * by + 1e-6), w->y = floor(w->y * by + 1e-6);
  return true;
}

/* The column in chunks: as many as the paper's kernel cuts it into, each as long as the others. */
static double chunks_of(double nz) { return 1 + floor(nz / (CHUNK_MOST + 1)); }

static double wafer_bytes(const ik_spatial_work *w, double n) {
  double b = ceil(w->n[2] / n);
  double r = fmax(w->radius[0], w->radius[1]), receive = r > 0 ? 4 * (r + 1) * b : 0;
  return WORD * (w->arrays * (n * b + 2 * w->radius[2]) + receive + n * b);
}

/* As the paper has it, or more if that does not fit; 0: it never does. */
static double pieces_of(const wafer *f, const ik_spatial_work *w) {
  enum { MORE = 64 };
  double first = chunks_of(w->n[2]);
  for (double n = first; n <= fmin(w->n[2], first + MORE); n++)
    if (wafer_bytes(w, n) <= f->sram - f->code) return n;
  return 0;
}

/* What does not depend on the length of columns. */
static double wafer_fixed(const wafer *f, const ik_spatial_work *w) {
  double step = w->steps ? f->step : f->step - f->overhead;
  return step + fmax(w->broadcasts - 1, 0) * f->broadcast +
         w->reductions * (w->n[0] + w->n[1]) * f->hop;
}

static bool time_wafer(const ik_machine *m, const ik_spatial_work *w, ik_spatial_time *t) {
  wafer f;
  if (!wafer_of(m, &f)) return false;
  double nz = w->n[2], pieces = pieces_of(&f, w), by = w->slots / PAPER_SLOTS;
  if (w->type != IK_F32)
    return refuse(t, "the kernels compute in f32, not %s", ik_type_name(w->type));
  if (!w->elements && (w->n[0] > f.x || w->n[1] > f.y))
    return refuse(t, "%.0f x %.0f columns are more than the %.0f x %.0f elements", w->n[0], w->n[1],
                  f.x, f.y);
  if (nz < 1) return refuse(t, "there are more elements than cells");
  if (!pieces)
    return refuse(t,
                  "a column of %.0f cells needs %.0f bytes of the %.0f that an element has, of "
                  "which %.0f are for its code",
                  nz, wafer_bytes(w, chunks_of(nz)), f.sram, f.code);
  t->fixed = wafer_fixed(&f, w);
  t->seconds = t->fixed + (f.cell - (pieces > 1 ? f.chunked : 0)) * by * nz;
  t->elements = w->n[0] * w->n[1];
  t->joules = f.idle * t->seconds + f.flop * w->flops * cells_of(w);
  bool starts = t->fixed > t->seconds / 2;
  t->bound = starts ? "start of a step" : "issue", t->kind = starts ? "overhead" : "compute";
  return t->fits = true;
}

/* ---- tiles ---- */

enum { TILE_X = 64, TILE_Y = 16, TILE = TILE_X * TILE_Y };

typedef struct chip {
  double clock, sync, host, hop;  /* Hz, cycles, factor, cycles */
  double pack, copy, sram, cores; /* B/cycle, B/cycle, B */
  double tdp;                     /* W */
} chip;

static bool chip_of(const ik_machine *m, chip *c) {
  const figure need[] = {{"clock", "Hz", &c->clock},         {"model.sync", "cycles", &c->sync},
                         {"model.host", "", &c->host},       {"model.hop", "cycles", &c->hop},
                         {"core.pack", "B/cycle", &c->pack}, {"core.copy", "B/cycle", &c->copy},
                         {"core.sram", "B", &c->sram},       {"die.enabled", "", &c->cores}};
  if (!ik_machine_number(m, "power.tdp", "W", &c->tdp)) c->tdp = NAN;
  return READ(m, need);
}

/* Cycles of an operation on a tile: the matrix unit in bf16 streams three tiles; the vector unit
 * copies two in, takes 32 instructions of 5 cycles and packs one. */
static double tile_cycles(const chip *c, int value) {
  if (value == 2) return 3.0 * TILE * 2 / c->pack + c->sync;
  return 2.0 * TILE * value / c->copy + 32 * 5 + (double)TILE * value / c->pack + c->sync;
}

/* Cores of a grid that is nearly square, along its rows and columns. */
static double hops_of(double cores, double wide, double high) {
  double by = sqrt(cores / (wide * high));
  return at_least_one(wide * by) + at_least_one(high * by) - 2;
}

static bool time_tiles(const ik_machine *m, const ik_spatial_work *w, ik_spatial_time *t) {
  chip   c;
  int    value = ik_type_bytes(w->type);
  double wide = w->n[0] / TILE_X, high = w->n[1] / TILE_Y;
  if (!w->elements) wide = ceil(wide), high = ceil(high);
  double cores = w->elements ? w->elements : wide * high, tiles = wide * high * w->n[2] / cores;
  if (!chip_of(m, &c)) return false;
  if (w->type != IK_F32 && w->type != IK_BF16)
    return refuse(t, "its units compute in f32 and bf16, not %s", ik_type_name(w->type));
  if (!w->elements && cores > c.cores)
    return refuse(t, "the grid has %.0f x %.0f tiles of %d x %d, the chip %.0f cores", wide, high,
                  TILE_X, TILE_Y, c.cores);
  if (tiles < 1) return refuse(t, "there are more cores than tiles");
  if (tiles * w->arrays * TILE * value > c.sram)
    return refuse(t, "%.0f tiles of %d arrays need %.0f bytes of the %.0f that a core has", tiles,
                  w->arrays, tiles * w->arrays * TILE * value, c.sram);
  double op = tile_cycles(&c, value), hops = hops_of(cores, wide, high);
  double sums = w->reductions * (hops * (op + c.hop) + 5 * op + 500);
  t->fixed = c.host * sums / c.clock;
  t->seconds = c.host * (tiles * w->tile_ops * op + sums) / c.clock;
  t->elements = cores, t->joules = c.tdp * t->seconds;
  t->bound = t->fixed > t->seconds / 2 ? "reductions" : "tile operations", t->kind = "compute";
  return t->fits = true;
}

/* ---- FPGA ---- */

typedef struct board {
  double clock, port;             /* Hz, B a cycle */
  double start, excess;           /* s of a window; share more of its transfer */
  double window;                  /* cells */
  double elements, memory, power; /* power: W of an element */
  double channel; /* B/s that all elements share; 0: each has its own port to memory */
} board;

/* "16x64x8" as cells; 0 if it is none. */
static double window_cells(const char *text) {
  int x, y, z;
  return text && sscanf(text, "%dx%dx%d", &x, &y, &z) == 3 ? (double)x * y * z : 0;
}

/* Two kinds of kernels were built: one that sweeps, one that does not. */
static const char *kernel_of(const ik_spatial_work *w) { return w->sweeps ? "vadvc" : "hdiff"; }

const char *ik_spatial_window(const ik_machine *m, const ik_spatial_work *w) {
  char key[32];
  snprintf(key, sizeof key, "window.%s.f%d", kernel_of(w), 8 * ik_type_bytes(w->type));
  return ik_machine_text(m, key);
}

static const char *power_of(const ik_spatial_work *w) {
  return w->sweeps ? "power.sweep" : "power.stencil";
}

static bool board_of(const ik_machine *m, const ik_spatial_work *w, board *b) {
  const char  *kernel = kernel_of(w);
  char         elements[32], start[32], excess[32];
  const figure need[] = {{"clock", "Hz", &b->clock},
                         {"port.width", "bit", &b->port},
                         {elements, "", &b->elements},
                         {"memory.size", "B", &b->memory}};
  snprintf(elements, sizeof elements, "pe.%s", kernel);
  snprintf(start, sizeof start, "model.%s.start", kernel);
  snprintf(excess, sizeof excess, "model.%s.excess", kernel);
  b->start = ik_machine_number(m, "clock", "Hz", &b->clock) ? cycles_of(m, start, b->clock) : 0;
  if (!ik_machine_number(m, excess, "", &b->excess)) b->excess = 0;
  if (!ik_machine_number(m, power_of(w), "W", &b->power)) b->power = NAN;
  if (!ik_machine_number(m, w->sweeps ? "sweep.channel" : "channel", "B/s", &b->channel))
    b->channel = 0;
  b->window = window_cells(ik_spatial_window(m, w));
  return READ(m, need) && b->window > 0;
}

static bool time_fpga(const ik_machine *m, const ik_spatial_work *w, ik_spatial_time *t) {
  board b;
  int   value = ik_type_bytes(w->type);
  if (w->type != IK_F32 && w->type != IK_F16)
    return refuse(t, "its pipelines compute in f32 and f16, not %s", ik_type_name(w->type));
  if (!board_of(m, w, &b)) return false;
  if (cells_of(w) * w->arrays * value > b.memory)
    return refuse(t, "%d arrays of %.3g cells need %.3g bytes of the %.3g of its memory", w->arrays,
                  cells_of(w), cells_of(w) * w->arrays * value, b.memory);
  double windows = ceil(cells_of(w) / b.window - 1e-9);
  double elements = w->elements ? w->elements : fmin(b.elements, windows);
  double window = fmin(b.window, cells_of(w)); /* no more than there is */
  double stream = w->reads * value * window / (b.port / 8 * b.clock) * (1 + b.excess);
  double rounds = ceil(windows / elements - 1e-9);
  if (w->elements > windows) return refuse(t, "there are more elements than windows");
  double shared = b.channel > 0 ? cells_of(w) * w->reads * value / b.channel : 0;
  t->fixed = stream + b.start;
  t->seconds = fmax(rounds * t->fixed, shared);
  t->elements = elements, t->joules = b.power * elements * t->seconds;
  bool starts = shared < t->seconds && b.start > stream;
  t->bound = shared == t->seconds ? "channel" : starts ? "start of a window" : "port";
  t->kind = starts ? "overhead" : "memory";
  return t->fits = true;
}

/* ---- all ---- */

bool ik_spatial_of(const ik_machine *m, const ik_spatial_work *w, ik_spatial_time *out) {
  *out = (ik_spatial_time){.joules = NAN};
  switch (ik_spatial_kind_of(m)) {
  case IK_SPATIAL_WAFER: return time_wafer(m, w, out);
  case IK_SPATIAL_TILES: return time_tiles(m, w, out);
  case IK_SPATIAL_FPGA: return time_fpga(m, w, out);
  case IK_SPATIAL_NONE: break;
  }
  return false;
}

const char *ik_spatial_energy_figures(const ik_machine *m, const ik_spatial_work *w) {
  switch (ik_spatial_kind_of(m)) {
  case IK_SPATIAL_WAFER: return "power.idle and energy.flop";
  case IK_SPATIAL_FPGA: return power_of(w);
  case IK_SPATIAL_TILES:
  case IK_SPATIAL_NONE: break;
  }
  return "power.tdp";
}

double ik_spatial_elements(const ik_machine *m, const ik_spatial_work *w) {
  wafer f;
  chip  c;
  board b;
  switch (ik_spatial_kind_of(m)) {
  case IK_SPATIAL_WAFER: return wafer_of(m, &f) ? f.x * f.y : 0;
  case IK_SPATIAL_TILES: return chip_of(m, &c) ? c.cores : 0;
  case IK_SPATIAL_FPGA: return board_of(m, w, &b) ? b.elements : 0;
  case IK_SPATIAL_NONE: break;
  }
  return 0;
}

/* ---- scaling ---- */

static double elements_now(const ik_machine *m, const ik_spatial_work *w) {
  ik_spatial_time t;
  return ik_spatial_of(m, w, &t) && t.fits ? t.elements : 0;
}

/* In the shape of the fabric, where there is one; else in that of the grid. */
static ik_spatial_work grow(const ik_machine *m, const ik_spatial_work *w, double now,
                            double elements) {
  ik_spatial_work v = *w;
  wafer           f = {.x = w->n[0], .y = w->n[1]};
  v.elements = elements;
  if (elements == now) return v;
  bool   shaped = ik_spatial_kind_of(m) == IK_SPATIAL_WAFER && wafer_of(m, &f);
  double by = sqrt(elements / (shaped ? f.x * f.y : now));
  v.n[0] = f.x * by, v.n[1] = f.y * by;
  return v;
}

ik_spatial_work ik_spatial_weak(const ik_machine *m, const ik_spatial_work *w, double elements) {
  double now = elements_now(m, w);
  return now > 0 ? grow(m, w, now, elements) : *w;
}

ik_spatial_work ik_spatial_strong(const ik_machine *m, const ik_spatial_work *w, double elements) {
  double          now = elements_now(m, w);
  ik_spatial_work v = *w;
  v.elements = elements;
  if (now > 0 && ik_spatial_kind_of(m) == IK_SPATIAL_WAFER) {
    v = grow(m, w, now, elements);
    v.n[2] = w->n[2] * now / elements;
  }
  return v;
}
