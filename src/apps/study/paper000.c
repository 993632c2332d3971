/* paper000.c: "Do We Need Tensor Cores for Stencil Computations?" (Gu, Wu and others), table by
 * table.  What is printed there stands here as text, so that its digits are known. */
#include "base/text.h"
#include "model/matrix.h"
#include "apps/study/papers.h"
#include "apps/study/published.h"
#include <math.h>
#include <stdio.h>

/* ---- the machine ---- */

typedef struct platform { /* FLOP/s and B/s */
  double f64, f64_matrix, f32, tf32, tf32_sparse, bandwidth;
} platform;

static const char machine_name[] = "a100-80gb-pcie";

static platform platform_of(const ik_machine *m) {
  platform p = {0};
  ik_machine_number(m, "peak.f64", "FLOP/s", &p.f64);
  ik_machine_number(m, "peak.f64.matrix", "FLOP/s", &p.f64_matrix);
  ik_machine_number(m, "peak.f32", "FLOP/s", &p.f32);
  ik_machine_number(m, "peak.tf32.matrix", "FLOP/s", &p.tf32);
  ik_machine_number(m, "peak.tf32.sparse", "FLOP/s", &p.tf32_sparse);
  ik_machine_number(m, "memory.bandwidth", "B/s", &p.bandwidth);
  return p;
}

/* ---- rows ---- */

/* `why`: the reason of a contradiction in the paper, or NULL. */
static void number(ik_published *t, const char *row, const char *figure, const char *published,
                   double ours, const char *why) {
  ik_buf what = {0}, remark = {0};
  ik_buf_printf(&what, "%s: %s", row, figure);
  if (why) ik_buf_printf(&remark, "! %s", why);
  ik_published_add(t, ik_buf_text(&what), published, ours, why ? ik_buf_text(&remark) : NULL);
  t->text->failed |= what.failed || remark.failed;
  ik_buf_free(&what), ik_buf_free(&remark);
}

/* ---- stencils ---- */

static ik_matrix_stencil box(int d, int r, int t, double value) {
  return (ik_matrix_stencil){ik_matrix_points_box(d, r, 1), ik_matrix_points_box(d, r, t), t,
                             value};
}

/* The tables print 0.47; with 15/32 the operations of Table 2 come out whole. */
static const double spider = 15.0 / 32;

/* ---- Table 2 ---- */

typedef struct model_row {
  const char      *row;
  int              r, t;
  double           value, sparsity; /* 0: general-purpose unit */
  const char      *alpha, *c, *m, *i;
  const char      *measured[3]; /* C, M, I; NULL: the run of the row before */
  ik_matrix_tile   tile;        /* with which operands are padded */
  ik_matrix_scheme scheme;
} model_row;

static const model_row table2[] = {
    {"EBISU Box-2D1R t=3 f64",
     1,
     3,
     8,
     0,
     "",
     "54",
     "16",
     "3.38",
     {"55.78", "15.95", "3.50"},
     {0, 0},
     0},
    {"EBISU Box-2D3R t=1 f64",
     3,
     1,
     8,
     0,
     "",
     "98",
     "16",
     "6.12",
     {"100.65", "15.92", "6.32"},
     {0, 0},
     0},
    {"EBISU Box-2D1R t=7 f32",
     1,
     7,
     4,
     0,
     "",
     "126",
     "8",
     "15.75",
     {"137.35", "7.93", "17.32"},
     {0, 0},
     0},
    {"EBISU Box-2D7R t=1 f32",
     7,
     1,
     4,
     0,
     "",
     "450",
     "8",
     "56.25",
     {"484.51", "7.91", "61.23"},
     {0, 0},
     0},
    {"ConvStencil Box-2D1R t=3 f64",
     1,
     3,
     8,
     0.5,
     "1.81",
     "196",
     "16",
     "12.25",
     {"208.00", "15.91", "13.07"},
     {8, 4},
     IK_MATRIX_FLATTEN},
    {"ConvStencil Box-2D3R t=1 f64",
     3,
     1,
     8,
     0.5,
     "1",
     "196",
     "16",
     "12.25",
     {NULL},
     {8, 4},
     IK_MATRIX_FLATTEN},
    {"ConvStencil Box-2D1R t=7 f32",
     1,
     7,
     4,
     0.5,
     "3.57",
     "900",
     "8",
     "112.50",
     {"928.00", "8.27", "112.23"},
     {16, 8},
     IK_MATRIX_FLATTEN},
    {"ConvStencil Box-2D7R t=1 f32",
     7,
     1,
     4,
     0.5,
     "1",
     "900",
     "8",
     "112.50",
     {NULL},
     {16, 8},
     IK_MATRIX_FLATTEN},
    {"SPIDER Box-2D1R t=7 f32",
     1,
     7,
     4,
     15.0 / 32,
     "3.57",
     "960",
     "8",
     "120.00",
     {"960.00", "7.89", "121.64"},
     {16, 16},
     IK_MATRIX_BAND},
    {"SPIDER Box-2D7R t=1 f32",
     7,
     1,
     4,
     15.0 / 32,
     "1",
     "960",
     "8",
     "120.00",
     {NULL},
     {16, 16},
     IK_MATRIX_BAND},
};

enum { TABLE2 = sizeof table2 / sizeof *table2 };

static ik_matrix_work work_of(const ik_matrix_stencil *s, double sparsity) {
  return sparsity > 0 ? ik_matrix_unit(s, sparsity) : ik_matrix_general(s);
}

static void analytical(ik_published *t, const model_row *r) {
  ik_matrix_stencil st = box(2, r->r, r->t, r->value);
  ik_matrix_work    w = work_of(&st, r->sparsity);
  if (r->sparsity > 0) number(t, r->row, "α", r->alpha, ik_matrix_alpha(&st), NULL);
  number(t, r->row, "C", r->c, w.operations, NULL);
  number(t, r->row, "M", r->m, w.bytes, NULL);
  number(t, r->row, "I", r->i, w.intensity, NULL);
}

static void measured(ik_published *t, const model_row *r) {
  ik_matrix_stencil st = box(2, r->r, r->t, r->value);
  double            full = 0;
  if (!r->measured[0]) return;
  if (r->sparsity > 0)
    full = ik_matrix_sparsity_box(2, r->r, r->t, r->scheme, r->tile, IK_MATRIX_PADDED);
  ik_matrix_work w = work_of(&st, full);
  number(t, r->row, "C", r->measured[0], w.operations, NULL);
  number(t, r->row, "M", r->measured[1], w.bytes, NULL);
  number(t, r->row, "I", r->measured[2], w.intensity, NULL);
}

static void write_table2(ik_published_book *b) {
  ik_published t = ik_published_open(
      b, "Table 2", "operations C, bytes M, intensity I of an output point, as computed");
  for (int i = 0; i < TABLE2; i++) analytical(&t, &table2[i]);
  ik_published_close(&t);
  t = ik_published_open(b, "Table 2, measured",
                        "ours has matrix operands padded to whole instructions, which S = 0.5 "
                        "leaves out,\nbut not the halos of tiles");
  for (int i = 0; i < TABLE2; i++) measured(&t, &table2[i]);
  ik_published_close(&t);
}

/* ---- Tables 3 and 4 ---- */

typedef struct side {
  const char *code, *intensity, *ridge, *memory, *rate; /* memory-bound: "1" or "0" */
  const char *why_intensity, *why_rate;
} side;

typedef struct comparison {
  const char *row;
  int         d, r, t;
  bool        single; /* f32 on the sparse unit; else f64 on the dense one */
  double      sparsity;
  side        general, matrix;
  const char *scenario, *gain; /* "1" where the matrix unit wins, "-1" where it loses */
} comparison;

static const comparison table3[] = {
    {"case 1, Box-2D1R t=3 f64",
     2,
     1,
     3,
     false,
     0.5,
     {"EBISU", "3.38", "5", "1", "260.90", NULL, NULL},
     {"ConvStencil", "12.25", "10", "0", "190.14", NULL, NULL},
     "2",
     "-1"},
    {"case 2, Box-2D3R t=1 f64",
     2,
     3,
     1,
     false,
     0.5,
     {"EBISU", "6.13", "5", "0", "64.05", NULL, NULL},
     {"ConvStencil", "12.25", "10", "0", "63.33", NULL, NULL},
     "4",
     "0"},
    {"case 3, Box-2D1R t=7 f32",
     2,
     1,
     7,
     true,
     15.0 / 32,
     {"EBISU", "15.75", "10", "0", "318.31", NULL, NULL},
     {"SPIDER", "120.00", "161", "1", "1002.94", NULL, NULL},
     "3",
     "1"},
    {"case 4, Box-2D7R t=1 f32",
     2,
     7,
     1,
     true,
     15.0 / 32,
     {"EBISU", "21.58", "10", "0", "50.35", "K/D is 225/4, which Table 2 prints as 56.25",
      "450 operations for each of them would be 22.7 TFLOP/s, more than the unit's 19.5"},
     {"SPIDER", "120.00", "161", "1", "143.28", NULL, NULL},
     "3",
     "1"},
    {"case 5, Box-3D1R t=3 f64",
     3,
     1,
     3,
     false,
     0.5,
     {"EBISU", "10.13", "5", "0", "37.74", NULL, NULL},
     {"ConvStencil", "85.75", "10", "0", "24.63", NULL, NULL},
     "4",
     "-1"},
    {"case 6, Box-3D1R t=7 f32",
     3,
     1,
     7,
     true,
     15.0 / 32,
     {"EBISU", "47.25", "10", "0", "71.23", NULL, NULL},
     {"SPIDER", "1795.21", "161", "0", "51.13",
      "computed with S = 0.47; Table 2's operations need S = 15/32", NULL},
     "4",
     "-1"},
};

enum { TABLE3 = sizeof table3 / sizeof *table3 };

static ik_matrix_machine units_of(const comparison *c, const platform *p) {
  return c->single ? (ik_matrix_machine){p->f32, p->tf32_sparse, p->bandwidth}
                   : (ik_matrix_machine){p->f64, p->f64_matrix, p->bandwidth};
}

static ik_matrix_stencil stencil_of(const comparison *c) {
  return box(c->d, c->r, c->t, c->single ? 4 : 8);
}

/* The paper calls 1 % even; our ratio for that case is half a percent off. */
static double gain(double ratio) { return ratio > 1.02 ? 1 : ratio < 0.98 ? -1 : 0; }

static void write_side(ik_published *t, const char *row, const side *p, double intensity,
                       const ik_matrix_rate *r) {
  char name[96];
  snprintf(name, sizeof name, "%s, %s", row, p->code);
  number(t, name, "I", p->intensity, intensity, p->why_intensity);
  number(t, name, "ridge", p->ridge, r->ridge, NULL);
  number(t, name, "memory-bound", p->memory, r->memory, NULL);
  number(t, name, "GStencils/s", p->rate, r->gstencils, p->why_rate);
}

static void write_comparison(ik_published *t, const comparison *c, const platform *p) {
  ik_matrix_machine m = units_of(c, p);
  ik_matrix_stencil st = stencil_of(c);
  ik_matrix_verdict v = ik_matrix_compare(&st, c->sparsity, &m);
  write_side(t, c->row, &c->general, ik_matrix_general(&st).intensity, &v.general);
  write_side(t, c->row, &c->matrix, ik_matrix_unit(&st, c->sparsity).intensity, &v.matrix);
  number(t, c->row, "scenario", c->scenario, v.scenario, NULL);
  number(t, c->row, "gain", c->gain, gain(v.ratio), NULL);
}

static void write_table3(const platform *p, ik_published_book *b) {
  ik_published t = ik_published_open(
      b, "Table 3",
      "the general-purpose against the matrix unit; GStencils/s: measured there, the roof here;\n"
      "memory-bound: 1, compute-bound: 0; gain: 1 where the matrix unit wins, -1 where it loses");
  for (int i = 0; i < TABLE3; i++) write_comparison(&t, &table3[i], p);
  ik_published_close(&t);
}

static const side table4[] = {{"SPIDER dense", "120", "81", "0", "327.39", NULL, NULL},
                              {"SPIDER sparse", "120", "161", "1", "1002.94", NULL, NULL}};

static void write_table4(const platform *p, ik_published_book *b) {
  static const char row[] = "Box-2D1R t=7 f32";
  ik_matrix_stencil st = box(2, 1, 7, 4);
  ik_matrix_work    w = ik_matrix_unit(&st, spider);
  ik_matrix_rate    dense = ik_matrix_run(&w, p->tf32, p->bandwidth);
  ik_matrix_rate    sparse = ik_matrix_run(&w, p->tf32_sparse, p->bandwidth);
  ik_published      t = ik_published_open(b, "Table 4", "the sparse against the dense matrix unit");
  write_side(&t, row, &table4[0], w.intensity, &dense);
  write_side(&t, row, &table4[1], w.intensity, &sparse);
  number(&t, row, "gain", "1", gain(sparse.gstencils / dense.gstencils), NULL);
  ik_published_close(&t);
}

/* ---- figures in the text ---- */

static double rate_of(const char *printed) { return ik_strtod(printed, NULL); }

static double speed_up(const comparison *c) {
  return rate_of(c->matrix.rate) / rate_of(c->general.rate);
}

/* Measured above computed operations, in percent. */
static double surplus(const model_row *r) {
  return 100 * (rate_of(r->measured[0]) / rate_of(r->c) - 1);
}

static void write_text(ik_published_book *b) {
  static const char quotient[] = "not the quotient of Table 3's rates";
  ik_matrix_stencil case5 = stencil_of(&table3[4]);
  ik_published t = ik_published_open(b, "Figures of the text", "computed from those of the tables");
  number(&t, "case 1", "loss, %", "27.12", 100 * (1 - speed_up(&table3[0])), NULL);
  number(&t, "case 3", "speed-up", "7.73", speed_up(&table3[2]), quotient);
  number(&t, "case 4", "speed-up", "6.64", speed_up(&table3[3]), quotient);
  number(&t, "case 5", "α", "1.81", ik_matrix_alpha(&case5),
         "α of Box-2D1R; Table 3's I = 85.75 has that of Box-3D1R");
  number(&t, "Table 2, row 4", "C, measured above computed, %", "7.61", surplus(&table2[3]),
         "484.51 is 7.67 % above 450");
  number(&t, "Table 4", "speed-up", "3.06", rate_of(table4[1].rate) / rate_of(table4[0].rate),
         NULL);
  ik_published_close(&t);
}

/* ---- figure 10 ---- */

/* FLOP/s of a unit that K points in f32 saturate when t steps are fused. */
static double saturated(double points, double t, double bandwidth) {
  return t * points / 4 * bandwidth;
}

/* The paper locked the clock to measure; both of its depths tell how far the peak fell at least
 * (compute-bound at t) and at most (not yet at t - 1). */
static void write_figure10(const platform *p, ik_published_book *b) {
  static const char clock[] = "measured at a locked, lower clock: the peak was lower";
  double            rate = p->bandwidth, box2 = 9, star2 = 5, box3 = 125;
  ik_published      t =
      ik_published_open(b, "Figures 10 and 11", "steps to fuse until f32 is compute-bound");
  ik_published_add(&t, "Box-2D1R: t", "3", ik_matrix_depth(box2, 4, p->f32, rate), clock);
  ik_published_add(&t, "Star-2D1R: t", "5", ik_matrix_depth(star2, 4, p->f32, rate), clock);
  number(&t, "Box-3D2R", "t", "1", ik_matrix_depth(box3, 4, p->f32, rate), NULL);
  number(&t, "locked clock", "least peak for t = 3 and t = 5, TFLOP/s", NULL,
         fmax(saturated(box2, 2, rate), saturated(star2, 4, rate)) / 1e12, NULL);
  number(&t, "locked clock", "greatest peak for t = 3 and t = 5, TFLOP/s", NULL,
         fmin(saturated(box2, 3, rate), saturated(star2, 5, rate)) / 1e12, NULL);
  ik_published_close(&t);
}

/* ---- all ---- */

static void write_paper(const ik_machine *m, ik_published_book *b) {
  platform p = platform_of(m);
  ik_buf  *text = b->text;
  ik_buf_puts(text, "Do We Need Tensor Cores for Stencil Computations? (paper 000)\n");
  ik_buf_printf(text,
                "A100-80GB PCIe: f64 %.4g, f64 matrix %.4g, f32 %.4g, tf32 matrix %.4g, sparse "
                "%.4g TFLOP/s; %.4g TB/s.\n! marks where the paper contradicts itself.\n",
                p.f64 / 1e12, p.f64_matrix / 1e12, p.f32 / 1e12, p.tf32 / 1e12,
                p.tf32_sparse / 1e12, p.bandwidth / 1e12);
  ik_json_open(b->json, "paper000", '[');
  write_table2(b);
  write_table3(&p, b);
  write_table4(&p, b);
  write_text(b);
  write_figure10(&p, b);
  ik_json_close(b->json, ']');
}

void ik_paper000_write(ik_published_book *b) {
  ik_arena    a;
  ik_diag     d = {0};
  ik_machine *m;
  ik_arena_init(&a);
  if (setjmp(a.oom))
    b->text->failed = true;
  else if (ik_machine_find(machine_name, &a, &d, &m) == IK_OK)
    write_paper(m, b);
  else
    b->text->failed = true; /* the library carries that machine: only memory can be missing */
  ik_diag_free(&d);
  ik_arena_free(&a);
}

/* ---- points under roofs ---- */

static ik_units_point point(const side *p, const char *label, const ik_matrix_work *w,
                            const ik_matrix_rate *r) {
  return (ik_units_point){.group = p->code,
                          .label = label,
                          .intensity = w->intensity,
                          .predicted = r->attainable,
                          .measured = rate_of(p->rate) * 1e9 * w->operations / w->steps};
}

int ik_paper000_points(const ik_machine *m, ik_units_point out[IK_PAPER000_POINTS]) {
  /* Cases 1 and 2 are one run of ConvStencil, 3 and 4 one of SPIDER. */
  static const char *const label[TABLE3][2] = {{"1", "1, 2"}, {"2", NULL}, {"3", "3, 4"},
                                               {"4", NULL},   {"5", "5"},  {"6", "6"}};
  platform                 p = platform_of(m);
  int                      n = 0;
  for (int i = 0; i < TABLE3; i++) {
    const comparison *c = &table3[i];
    ik_matrix_machine units = units_of(c, &p);
    ik_matrix_stencil st = stencil_of(c);
    ik_matrix_work    general = ik_matrix_general(&st), matrix = ik_matrix_unit(&st, c->sparsity);
    ik_matrix_verdict v = ik_matrix_compare(&st, c->sparsity, &units);
    out[n++] = point(&c->general, label[i][0], &general, &v.general);
    out[n++] = point(&c->matrix, label[i][1], &matrix, &v.matrix);
  }
  ik_matrix_stencil st = box(2, 1, 7, 4);
  ik_matrix_work    w = ik_matrix_unit(&st, spider);
  ik_matrix_rate    dense = ik_matrix_run(&w, p.tf32, p.bandwidth);
  out[n++] = point(&table4[0], "Table 4", &w, &dense);
  return n;
}
