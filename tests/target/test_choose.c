/* What would be chosen on machines that need not be this one. */
#include "target/cpu/choose.h"
#include "lang/program.h"

/* Two threads, 16 MiB of the last cache for each. */
static ik_isa machine(int vector_bytes, int64_t l2) {
  return (ik_isa){.vector_bytes = vector_bytes, .l1 = 48 << 10, .l2 = l2, .l3 = 16 << 20};
}
static ik_isa avx512(void) { return machine(64, 2 << 20); }
static ik_isa neon(void) { return machine(16, 1 << 20); }

#define WAVE(n, type) WAVES(n, "512", type)
#define WAVES(nx, n, type)                                                                         \
  "grid x = " nx ", y = " n ", z = " n "\nfield u : " type ", history 2\nfield v : " type          \
  " = 0.1\n"                                                                                       \
  "boundary u = 0\nstep 8 { u' = 2*u - u[t-1] + v*laplacian(u, order = 8) }\n"

/* The best plan of the step as words; "" if there is none. */
static const char *best(program *p, ik_isa isa) {
  static ik_choice all[IK_CHOICES];
  ik_stmt         *loop = p->ir->body;
  ik_choose        x = ik_choose_on(p->ir, &isa, 2, NULL, &p->arena);
  x.lines = true;
  int n = ik_choose_all(&x, loop->body, loop, true, &p->arena, all);
  ik_buf_free(&p->shown);
  if (n) ik_plan_write(&all[0].plan, &p->shown);
  return ik_buf_text(&p->shown);
}

#define HAS(text, isa, words)                                                                      \
  do {                                                                                             \
    program     p_;                                                                                \
    const char *is_ = MUST_OPEN(&p_, text) ? best(&p_, isa) : "";                                  \
    if (!strstr(is_, words)) CHECK_STR(is_, words);                                                \
    program_close(&p_);                                                                            \
  } while (0)

/* Eleven planes of two arrays, seven of the third, and four rows more, for two steps: that fills
 * two megabytes but for a seventh. */
CASE(a_wave_larger_than_the_caches_goes_in_lines) {
  HAS(WAVES("384", "384", "f32"), avx512(), "skew steps=2 tile=0,36,0");
  HAS(WAVE("512", "f32"), avx512(), "skew steps=2 tile=0,24,0");
  HAS(WAVES("768", "768", "f32"), avx512(), "skew steps=2 tile=0,16,0");
  HAS(WAVES("896", "896", "f32"), avx512(), "skew steps=2 tile=0,12,0");
  HAS(WAVE("512", "f32"), neon(), "sweep steps=1");
}

CASE(eight_vectors_where_rows_are_a_multiple_of_them) {
  HAS(WAVE("512", "f32"), avx512(), "rows=1 vectors=8 bytes=64");
  HAS(WAVE("320", "f32"), avx512(), "rows=1 vectors=4 bytes=64");
  HAS(WAVE("320", "f64"), avx512(), "rows=1 vectors=8 bytes=64");
  HAS(WAVE("500", "f32"), avx512(), "rows=1 vectors=4 bytes=64");
  HAS(WAVE("512", "f32"), neon(), "vectors=4 bytes=16");
}

#define BOX(radius, type)                                                                          \
  "grid x = 512, y = 512, z = 512\nfield u : " type "\nboundary u = 0\n"                           \
  "weights w = " radius "\nstep 12 { u' = stencil(u, w) }\n"

CASE(planes_of_boxes_are_computed_together) {
  HAS(BOX("box(1, 1/27)", "f32"), avx512(), "planes=2 rows=4 vectors=2 bytes=64");
  HAS(BOX("box(1, 1/27)", "f64"), avx512(), "planes=2 rows=4 vectors=2 bytes=64");
  HAS(BOX("star(2, 1/13)", "f32"), avx512(), "tile=0,24,256 rows=4 vectors=2");
  HAS(BOX("star(1, 1/7)", "f32"), avx512(), "tile=0,43,0 rows=1 vectors=4 bytes=64");
}
