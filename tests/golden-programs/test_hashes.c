/* What the compiler makes of some hundred programs, as hashes in tests/golden-programs/hashes.txt:
 * the IR, the facts, the plans that several machines would have and what these cost, what special
 * strategies say, and the passes and the C of one way to run it.  No machine is asked and nothing
 * is run: whether the code is right is the business of the random tests, whether it changed is told
 * here.
 *
 *   IKAT_SHOW="random 17"   prints the texts of that program, to be compared with those of before
 *   IKAT_GOLDEN=1           writes the hashes anew, which `make golden` does */
#include "base/embed.h"
#include "base/hash.h"
#include "facts/amplification.h"
#include "facts/facts.h"
#include "golden.h"
#include "lang/program.h"
#include "random/edge.h"
#include "random/families.h"
#include "random/generate.h"
#include "targets/cpu/matrix.h"
#include "targets/cpu/compile.h"
#include "targets/cpu/time_tiles_run.h"
#include "targets/cpu/shape/shape.h"
#include <inttypes.h>
#include <stdlib.h>

/* ---- programs ---- */

static void write_small(uint64_t seed, ik_buf *out) {
  ik_random_options options = IK_RANDOM_DEFAULTS;
  options.max_steps = 9;
  ik_random_program(seed, &options, out);
}

static ik_plan plan_of_rows(uint64_t seed, const family_vectors *v) {
  return family_plan_rows(seed, v->bytes[seed % (uint64_t)v->n], seed % 4 > 0);
}

typedef struct source {
  const char   *name;
  int           n;
  family_write *write; /* NULL: the examples */
  family_plan  *plan;
  bool          large; /* on grids that no cache holds */
} source;

static const source sources[] = {
    {"random", 100, write_small, family_plan_any, false},
    {"large", 60, write_small, family_plan_any, true},
    {"edge", 100, edge_program, family_plan_any, false},
    {"ahead", 20, family_ahead, plan_of_rows, false},
    {"whole-rows", 30, family_whole_rows, plan_of_rows, false},
    {"large-rows", 20, family_whole_rows, family_plan_slabs, true},
    {"ends", 30, family_ends, plan_of_rows, false},
    {"large-ends", 20, family_ends, plan_of_rows, true},
    {"padded", 20, family_padded, family_plan_slabs, false},
    {"large-padded", 20, family_padded, family_plan_slabs, true},
    {"fluxes", 30, family_fluxes, family_plan_any, false},
    {"boxes", 20, family_boxes, family_plan_boxes, false},
    {"large-boxes", 10, family_boxes, family_plan_boxes, true},
    {"example", 0, NULL, family_plan_any, false},
};
enum { SOURCES = sizeof sources / sizeof *sources, AXES = 3, STEPS = 12 };

/* Rows that are and are no multiple of a vector, planes that do and do not fit into caches. */
static const char *const extents[][AXES] = {{"512", "300", "200"},  {"1000", "96", "64"},
                                            {"4099", "2000", "33"}, {"64", "1024", "1024"},
                                            {"384", "384", "384"},  {"20000", "5000", "12"}};

static int axes_of(const char *text) {
  int n = 1;
  for (const char *c = strstr(text, "grid x"); *c && *c != '\n'; c++)
    n += strncmp(c, " y = ", 5) == 0 || strncmp(c, " z = ", 5) == 0;
  return n;
}

static bool open_large(program *p, const char *text, int seed) {
  static const char *const axes[AXES] = {"x", "y", "z"};
  static ik_source         values[AXES];
  ik_override              over[AXES];
  int                      n = axes_of(text);
  for (int d = 0; d < n; d++) {
    const char *value = extents[seed % (int)(sizeof extents / sizeof *extents)][d];
    values[d] = (ik_source){axes[d], value, strlen(value)};
    over[d] = (ik_override){.name = axes[d], .text = &values[d]};
  }
  return program_open_with(p, text, over, n, STEPS);
}

static const char *example(int i) {
  for (const ik_embedded *e = ik_embedded_files; e->name; e++)
    if (strncmp(e->name, "examples/", 9) == 0 && --i == 0) return e->data;
  return NULL;
}

static int count_of(const source *s) {
  int n = s->n;
  while (!s->write && example(n + 1)) n++;
  return n;
}

/* False: the text is no program, which is drawn now and then. */
static bool open_program(program *p, const source *s, int i, ik_buf *text) {
  if (!s->write)
    ik_buf_puts(text, example(i));
  else
    s->write((uint64_t)i, text);
  return s->large ? open_large(p, ik_buf_text(text), i) : program_open(p, ik_buf_text(text));
}

/* ---- what is made of one ---- */

static void show_ir(program *p, ik_buf *out) { ik_ir_print(p->ir, out); }

static void show_facts(program *p, ik_buf *out) {
  ik_facts facts;
  if (!ik_facts_of(p->ir, p->ir->flops_written, &p->arena, &p->diag, &facts))
    ik_facts_print(p->ir, &facts, out);
}

static const struct {
  ik_isa isa;
  int    threads;
} machines[] = {
    {{.vector_bytes = 64, .cores = 2, .l1 = 48 << 10, .l2 = 2 << 20, .l3 = 16 << 20}, 2},
    {{.vector_bytes = 64, .cores = 16, .l1 = 32 << 10, .l2 = 1 << 20, .l3 = 2 << 20}, 16},
    {{.vector_bytes = 32, .cores = 8, .l1 = 32 << 10, .l2 = 512 << 10, .l3 = 4 << 20}, 8},
    {{.vector_bytes = 16, .cores = 2, .l1 = 64 << 10, .l2 = 1 << 20, .l3 = 16 << 20}, 2},
    {{.vector_bytes = 8, .cores = 1, .l1 = 32 << 10, .l2 = 256 << 10}, 1},
};
enum { MACHINES = sizeof machines / sizeof *machines };

static void show_plan(const ik_plan *plan, double seconds, ik_buf *out) {
  ik_plan_write(plan, out);
  ik_buf_printf(out, ": %.4g s\n", seconds);
}

static void show_parts(const ik_compile *parts, ik_buf *out) {
  for (int k = 0; k < parts->n; k++) {
    const ik_compile_part *part = &parts->part[k];
    show_plan(&part->plan, part->seconds, out);
    for (int i = 0; i < part->nchoice; i++)
      show_plan(&part->choice[i].plan, part->choice[i].price.time.seconds, out);
  }
}

static void show_plans(program *p, ik_buf *out) {
  static const char *const strategies[] = {NULL, "sweep", "hex", "skew"};
  ik_problem               problem = {.ir = p->ir};
  for (int m = 0; m < MACHINES; m++)
    for (int k = 0; k < (m == 0 ? 4 : 1); k++) {
      ik_compile parts;
      ik_diag    why = {0};
      problem.strategy = strategies[k], problem.threads = machines[m].threads;
      bool ok = !ik_compile_plan(&problem, &machines[m].isa, problem.threads, k != 1, &p->arena,
                                 &why, &parts);
      ik_buf_printf(out, "machine %d, %s:\n", m, k ? strategies[k] : "the best");
      if (ok) show_parts(&parts, out);
      ik_diag_render(&why, false, out);
      ik_diag_free(&why);
    }
}

static void find_loop(const ik_stmt *s, void *ctx) {
  if (s->kind == IK_STEPS) *(const ik_stmt **)ctx = s;
}

static void show_special(program *p, ik_buf *out) {
  const ik_stmt *loop = NULL;
  ik_ir_each_stmt(p->ir, find_loop, &loop);
  if (!loop) return;
  const char *matrix = ik_matrix_illegal(p->ir, loop),
             *symbol = ik_amplification_illegal(p->ir, loop);
  ik_buf_printf(out, "matrix: %s\nsymbol: %s\n", matrix ? matrix : "", symbol ? symbol : "");
  for (int terms = 1; !matrix && terms <= IK_MATRIX_MAX_TERMS; terms++)
    ik_buf_printf(out, "%d terms: %" PRId64 " bytes, %.4g lost\n", terms,
                  ik_matrix_bytes(p->ir, loop, 2, terms), ik_matrix_loss(p->ir, loop, terms));
}

/* False: the strategy cannot run it, and says so. */
static bool show_code(program *p, const ik_problem *problem, const ik_isa *isa, ik_buf *loops,
                      ik_buf *code) {
  ik_compile parts;
  ik_diag    why = {0};
  bool       fused = !problem->plan || problem->plan->steps > 1;
  bool       ok = !ik_compile_plan(problem, isa, problem->threads, fused, &p->arena, &why, &parts);
  if (ok) ik_compile_lower(&parts);
  ok = ok && !ik_compile_emit(&parts, &why);
  for (int k = 0; ok && k < parts.n; k++)
    for (int i = 0; i < parts.part[k].npipe; i++)
      ik_shape_print(p->ir, &parts.part[k].pipe[i], loops);
  for (int i = 0; ok && i < parts.ntext; i++) ik_buf_puts(code, ik_buf_text(&parts.text[i]));
  if (ok) ik_compile_free(&parts);
  ik_diag_render(&why, false, loops);
  ik_diag_free(&why);
  return ok;
}

/* As drawn, or without its strategy; and as would be chosen. */
static void show_codes(program *p, ik_plan *plan, int machine, ik_buf *loops, ik_buf *code) {
  ik_problem problem = {.ir = p->ir, .threads = machines[machine].threads};
  show_code(p, &problem, &machines[machine].isa, loops, code);
  ik_isa isa = machines[0].isa;
  isa.vector_bytes = plan->cpu.vector_bytes;
  ik_plan_write(plan, loops), ik_buf_puts(loops, "\n");
  problem.plan = plan, problem.strategy = plan->strategy, problem.threads = plan->threads;
  if (show_code(p, &problem, &isa, loops, code)) return;
  problem.strategy = plan->strategy = plan->steps > 1 ? "fuse" : "sweep";
  show_code(p, &problem, &isa, loops, code);
}

/* ---- hashes ---- */

enum { IR, FACTS, PLANS, SPECIAL, LOOPS, CODE, ASPECTS };
static const char *const aspects[ASPECTS] = {"ir", "facts", "plans", "special", "loops", "code"};

/* Vectors of all widths, whatever machine this is. */
static void show_all(program *p, const source *s, int i, ik_buf text[ASPECTS]) {
  static const family_vectors vectors = {4, {64, 32, 16, 8}, true};
  ik_plan                     plan = s->plan((uint64_t)i, &vectors);
  ik_layout_padding_always = i % 3 == 0 ? 900 : 0;
  show_ir(p, &text[IR]), show_facts(p, &text[FACTS]), show_plans(p, &text[PLANS]);
  show_special(p, &text[SPECIAL]), show_codes(p, &plan, i % MACHINES, &text[LOOPS], &text[CODE]);
  ik_layout_padding_always = 0;
}

static bool is_wanted(const char *name) {
  const char *show = getenv("IKAT_SHOW");
  return show && strcmp(show, name) == 0;
}

/* "random 17: ir 0123456789abcdef, facts ...\n" */
static void add_line(const source *s, int i, ik_buf *out) {
  program p;
  char    name[64];
  ik_buf  whole = {0}, text[ASPECTS] = {{0}};
  snprintf(name, sizeof name, "%s %d", s->name, i);
  bool ok = open_program(&p, s, i, &whole);
  if (ok) show_all(&p, s, i, text);
  ik_buf_puts(out, name);
  if (is_wanted(name)) printf("%s\n%s", name, ik_buf_text(&whole));
  for (int k = 0; k < ASPECTS; k++) {
    if (is_wanted(name)) printf("---- %s\n%s\n", aspects[k], ik_buf_text(&text[k]));
    uint64_t h = ik_hash(IK_HASH_INIT, ik_buf_text(&text[k]), text[k].len);
    ik_buf_printf(out, " %s %012" PRIx64, aspects[k], h >> 16);
    ik_buf_free(&text[k]);
  }
  ik_buf_puts(out, "\n");
  program_close(&p), ik_buf_free(&whole);
}

CASE(what_is_made_of_programs_is_what_it_was) {
  ik_buf      lines = {0};
  const char *show = getenv("IKAT_SHOW");
  for (int k = 0; k < SOURCES; k++)
    for (int i = 1; i <= count_of(&sources[k]); i++) add_line(&sources[k], i, &lines);
  if (!show) golden_keep(check_data("tests/golden-programs/hashes.txt"), ik_buf_text(&lines));
  ik_buf_free(&lines);
}
