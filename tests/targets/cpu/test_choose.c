/* What would be chosen on machines that need not be this one. */
#include "targets/cpu/choose.h"
#include "targets/cpu/layout.h"
#include "base/least.h"
#include "facts/memory.h"
#include "ir/state.h"
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
static const char *best_of(program *p, ik_isa isa, int threads) {
  static ik_choice all[IK_CHOICES];
  ik_stmt         *loop = p->ir->body;
  ik_choose        x =
      ik_choose_on(p->ir, ik_cpu_layout_of(p->ir, &p->arena), &isa, threads, NULL, &p->arena);
  x.slabs = true;
  int n = ik_choose_all(&x, loop->body, loop, true, &p->arena, all);
  ik_buf_free(&p->shown);
  if (n) ik_plan_write(&all[0].plan, &p->shown);
  return ik_buf_text(&p->shown);
}

#define HAS(text, isa, words) HAS_WITH(text, isa, 2, words)
#define HAS_WITH(text, isa, threads, words)                                                        \
  do {                                                                                             \
    program     p_;                                                                                \
    const char *is_ = MUST_OPEN(&p_, text) ? best_of(&p_, isa, threads) : "";                      \
    if (!strstr(is_, words)) CHECK_STR(is_, words);                                                \
    program_close(&p_);                                                                            \
  } while (0)

/* Eleven planes of two arrays, seven of the third, and four rows more, for two steps: that fills
 * two megabytes but for a seventh. */
CASE(a_wave_larger_than_the_caches_goes_in_slabs) {
  HAS(WAVES("384", "384", "f32"), avx512(), "skew steps=2 tile=0,36,0");
  HAS(WAVE("512", "f32"), avx512(), "skew steps=2 tile=0,24,0");
  HAS(WAVES("768", "768", "f32"), avx512(), "skew steps=2 tile=0,16,0");
  HAS(WAVES("896", "896", "f32"), avx512(), "skew steps=2 tile=0,12,0");
  HAS(WAVE("512", "f32"), neon(), "sweep steps=1");
}

#define BOX(radius, type)                                                                          \
  "grid x = 512, y = 512, z = 512\nfield u : " type "\nboundary u = 0\n"                           \
  "weights w = " radius "\nstep 12 { u' = stencil(u, w) }\n"

CASE(planes_of_boxes_are_computed_together) {
  HAS(BOX("box(1, 1/27)", "f32"), avx512(), "planes=2 rows=4 vectors=2 bytes=64");
  HAS(BOX("box(1, 1/27)", "f64"), avx512(), "planes=2 rows=4 vectors=2 bytes=64");
  HAS(BOX("star(2, 1/13)", "f32"), avx512(), "steps=3 tile=0,32,0 rows=4 vectors=2");
  HAS(BOX("star(1, 1/7)", "f32"), avx512(), "tile=0,32,0 rows=1 vectors=4 bytes=64");
}

/* Of 16 threads some are slow: those that are done take tiles from them. */
CASE(many_threads_have_several_tiles_each) {
  HAS_WITH(BOX("star(1, 1/7)", "f32"), avx512(), 16, "steps=4 tile=0,32,128");
  HAS_WITH(BOX("box(1, 1/27)", "f32"), avx512(), 16, "steps=4 tile=0,16,128");
  HAS_WITH(BOX("star(1, 1/7)", "f32"), avx512(), 2, "tile=0,32,0");
}

#define CUBE(n, type, value)                                                                       \
  "grid x = " n ", y = 512, z = 512\nfield u : " type "\nboundary u = 0\n"                         \
  "step 12 { u' = " value " }\n"

/* Cells of the plane above are the next plane's own if they lie right above each other. */
CASE(planes_share_what_lies_in_the_same_column) {
  HAS(CUBE("512", "f32", "u + u[0,0,1]"), neon(), "planes=2");
  HAS(CUBE("512", "f32", "u[1,0,0] + u[0,0,1]"), neon(), ",0 rows=1 vectors=4");
  HAS(CUBE("512", "f32", "u[0,1,0] + u[0,0,1]"), neon(), ",0 rows=1 vectors=4");
}

/* Loads that cross a line of the cache cost two only where vectors are such lines. */
CASE(vectors_as_wide_as_a_line_are_shifted) {
  HAS(BOX("star(1, 1/7)", "f32"), avx512(), "shift=1");
  HAS(BOX("star(1, 1/7)", "f32"), machine(32, 1 << 20), "shift=0");
  HAS(BOX("star(1, 1/7)", "f32"), neon(), "shift=0");
}

/* Is a plan with these words among those that are priced? */
static bool offers(const char *text, ik_isa isa, const char *words) {
  static ik_choice all[IK_CHOICES];
  bool             found = false;
  program          p;
  if (MUST_OPEN(&p, text)) {
    ik_stmt  *loop = p.ir->body;
    ik_choose x = ik_choose_on(p.ir, ik_cpu_layout_of(p.ir, &p.arena), &isa, 2, NULL, &p.arena);
    int       n = ik_choose_all(&x, loop->body, loop, true, &p.arena, all);
    for (int i = 0; i < n; i++) {
      ik_buf_free(&p.shown);
      ik_plan_write(&all[i].plan, &p.shown);
      found |= strstr(ik_buf_text(&p.shown), words) != NULL;
    }
  }
  program_close(&p);
  return found;
}

/* The most steps of a plan for so many bytes of memory. */
static int most_steps(const char *text, int64_t memory) {
  static ik_choice all[IK_CHOICES];
  program          p;
  ik_isa           isa = avx512();
  int              most = 0;
  if (MUST_OPEN(&p, text)) {
    ik_layout *l = ik_cpu_layout_of(p.ir, &p.arena);
    ik_choose  x = ik_choose_on(p.ir, l, &isa, 2, NULL, &p.arena);
    x.memory = memory;
    int n = ik_choose_all(&x, p.ir->body->body, p.ir->body, true, &p.arena, all);
    for (int i = 0; i < n; i++) most = ik_max_int(most, all[i].plan.steps);
  }
  program_close(&p);
  return most;
}

/* 64 MiB for each of three levels, and for as many more as passes of several steps leave but one.
 */
CASE(fewer_steps_where_memory_is_short) {
  static const char text[] = "grid x = 4096, y = 4096\nfield u : f32, history 3\nboundary u = 0\n"
                             "step 12 { u' = u - 0.1*u[t-2] }\n";
  CHECK(most_steps(text, 0) == 12 && most_steps(text, INT64_C(500) << 20) == 12);
  CHECK_EQ(most_steps(text, INT64_C(380) << 20), 2);
  CHECK_EQ(most_steps(text, INT64_C(300) << 20), 1);
  CHECK_EQ(most_steps(text, 1000), 1);
}

/* Threads share the planes of the largest field, whatever a smaller one has. */
CASE(profiles_do_not_make_the_grid_smaller) {
  CHECK(offers("grid x = 512, y = 512, z = 512\nfield u : f32\nboundary u = 0\n"
               "field c : f32, on x = 0.1\nstep 12 { u' = c*(u + u[0,0,1]) }\n",
               avx512(), ",256 rows="));
}

CASE(rows_are_cut_where_they_are_long) {
  CHECK(!offers(CUBE("3000", "f32", "u + u[0,0,1]"), avx512(), "tile=1024,"));
  CHECK(offers(CUBE("3001", "f32", "u + u[0,0,1]"), avx512(), "tile=1024,"));
}

/* Of a line much lies in a cache, of each of several rows less. */
CASE(rows_of_planes_are_cut_shorter_than_lines) {
  static const char plane[] = "grid x = 100000, y = 100\nfield u : f32\nboundary u = 0\n"
                              "step 12 { u' = u + u[0,1] }\n";
  static const char line[] = "grid x = 100000\nfield u : f32\nboundary u = 0\n"
                             "step 12 { u' = u + u[1] }\n";
  CHECK(offers(plane, avx512(), "tile=4096,") && !offers(plane, avx512(), "tile=8192,"));
  CHECK(offers(line, avx512(), "tile=8192,") && offers(line, avx512(), "tile=65536,"));
}

/* Narrow vectors find four rows of a level in the first cache, wide ones want one in the second. */
CASE(sweeps_take_as_many_rows_as_a_cache_has_room_for) {
  static const char sweep[] = "grid x = 512, y = 512, z = 64\nfield u : f32\n"
                              "step 12 { sweep z up { at first { u = 1 } within { u = 0.5*u + "
                              "0.5*u[0,0,-1] } } }\n";
  CHECK(offers(sweep, neon(), "tile=0,4,") && !offers(sweep, neon(), "tile=0,8,"));
  CHECK(offers(sweep, machine(32, 1 << 20), "tile=0,1,"));
  CHECK(!offers(sweep, machine(32, 1 << 20), "tile=0,2,"));
}

/* Rings have what padding between slices and before the first one leaves of a tenth. */
CASE(padding_leaves_less_room_for_rings) {
  program p;
  ik_isa  isa = machine(64, 1);
  if (MUST_OPEN(&p, "grid x = 30, y = 30, z = 64\nfield u : f64\nboundary u = 0\n"
                    "step 12 { u' = u + u[0,0,1] }\n")) {
    ik_memory m;
    ik_memory_of(p.ir, &p.arena, &m);
    ik_layout *l = ik_cpu_layout_of(p.ir, &p.arena);
    int64_t    room = ik_choose_on(p.ir, l, &isa, 1, NULL, &p.arena).room;
    int64_t    plain = ik_layout_field_bytes(&l->field[0]) - ik_state_field_bytes(p.ir, 0);
    int64_t    padding = ik_layout_padding_bytes(&l->field[0]);
    CHECK(plain > 0 && padding > plain && room + padding <= m.total / 10);
  }
  program_close(&p);
}

/* In 2D rows are what is streamed, however far they look. */
CASE(rows_are_not_planes) {
  static const char far[] = "grid x = 4096, y = 4096\nfield u : f32\nboundary u = 0\n"
                            "step 12 { u' = u + 0.01*laplacian(u, order = 8) }\n";
  HAS(far, avx512(), "rows=4 vectors=2");
  HAS(far, neon(), "rows=4 vectors=4");
}

/* Blocks of several statements are half as large: as fast, and compiled in half the time. */
CASE(blocks_of_two_statements_have_fewer_rows) {
  HAS("grid x = 4096, y = 4096\nfield u, v : f32\nboundary u, v = 0\n"
      "step 12 { u' = u + u[0,1]\nv' = v + v[0,1] }\n",
      neon(), "rows=2 vectors=4");
}

#define EIGHT(z)                                                                                   \
  "u[1," z "]+u[2," z "]+u[3," z "]+u[4," z "]+u[5," z "]+u[6," z "]+u[7," z "]+u[8," z "]"

/* Narrow vectors: two rows share what one of them reads, if that is more than sixteen values. */
CASE(rows_share_where_much_is_read) {
  HAS(CUBE("512", "f32", EIGHT("0,1") "+" EIGHT("1,1")), neon(), "rows=1");
  HAS(CUBE("512", "f32", EIGHT("0,1") "+" EIGHT("1,1") "+ u[0,2,1]"), neon(), "rows=2");
}
