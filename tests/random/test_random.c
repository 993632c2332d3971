/* Random programs: each one compiles, its IR and its source survive a round trip, and the
 * interpreter computes what the naive evaluator computes, bit by bit.
 *
 * IKAT_SEED is the first seed, IKAT_COUNT how many there are.  A program that fails is cut
 * down line by line as long as it fails the same way. */
#include "base/mem.h"
#include "check.h"
#include "generate.h"
#include "lang/lang.h"
#include "naive.h"
#include "play.h"
#include "shrink.h"
#include "targets/target.h"
#include <inttypes.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
enum { COUNT = 150 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { COUNT = 150 };
#else
enum { COUNT = 2000 };
#endif
#else
enum { COUNT = 2000 };
#endif

/* ---- one program ---- */

typedef enum outcome {
  FINE,
  NOT_LEGAL,
  NOT_SOUND,
  IR_CHANGES,
  FORMAT_CHANGES,
  STOPS,
  NOT_FINITE,
  DIFFERS
} outcome;
static const char *const outcome_names[] = {
    "fine",
    "does not compile",
    "has unsound IR",
    "has IR that reads back differently",
    "means something else when laid out",
    "does not run to its end",
    "gives a value that is not finite",
    "gives another result than the naive evaluator",
};

typedef struct trial {
  ik_arena  arena;
  ik_diag   diag;
  ik_source src;
  ik_ir    *ir;
  ik_buf    why;
} trial;

static outcome compile(trial *t, const char *text, size_t len) {
  ik_program_ast   program;
  ik_lower_options options = {.steps = -1, .name = "random"};
  t->src = (ik_source){"random.ik", text, len};
  if (ik_lang_parse(&t->src, &t->arena, &t->diag, &program)) return NOT_LEGAL;
  if (ik_lang_lower(&program, &options, &t->arena, &t->diag, &t->ir)) return NOT_LEGAL;
  return ik_ir_verify(t->ir, &t->diag) ? NOT_SOUND : FINE;
}

static outcome read_back(trial *t) {
  ik_buf once = {0}, twice = {0};
  ik_ir *again;
  ik_ir_print(t->ir, &once);
  ik_source text = {"random.ir", ik_buf_text(&once), once.len};
  outcome   o = IR_CHANGES;
  if (!ik_ir_read(&text, &t->arena, &t->diag, &again) && !ik_ir_verify(again, &t->diag)) {
    ik_ir_print(again, &twice);
    if (strcmp(ik_buf_text(&once), ik_buf_text(&twice)) == 0) o = FINE;
  }
  if (o != FINE) ik_diag_render(&t->diag, false, &t->why); /* before its text goes */
  ik_diag_free(&t->diag), memset(&t->diag, 0, sizeof t->diag);
  ik_buf_free(&once), ik_buf_free(&twice);
  return o;
}

static outcome lay_out(trial *t) {
  ik_buf    once = {0}, twice = {0}, before = {0}, after = {0};
  ik_ir    *ir = t->ir;
  outcome   o = FORMAT_CHANGES;
  ik_source src = t->src;
  ik_ir_print(ir, &before);
  if (ik_lang_format(&src, &t->arena, &t->diag, &once) == IK_OK &&
      compile(t, ik_buf_text(&once), once.len) == FINE) {
    ik_ir_print(t->ir, &after);
    bool same = ik_lang_format(&t->src, &t->arena, &t->diag, &twice) == IK_OK &&
                strcmp(ik_buf_text(&once), ik_buf_text(&twice)) == 0;
    if (same && strcmp(ik_buf_text(&before), ik_buf_text(&after)) == 0) o = FINE;
  }
  if (o != FINE) ik_buf_printf(&t->why, "laid out:\n%s", ik_buf_text(&once));
  t->ir = ir, t->src = src;
  ik_diag_free(&t->diag), memset(&t->diag, 0, sizeof t->diag);
  ik_buf_free(&once), ik_buf_free(&twice), ik_buf_free(&before), ik_buf_free(&after);
  return o;
}

/* ---- comparison ---- */

static bool all_finite(trial *t, const ik_state *s) {
  for (int f = 0; f < t->ir->nfield; f++) {
    if (t->ir->field[f].kind != IK_FIELD_USER) continue;
    for (int64_t i = 0; i < s->slot[f].layout->cells; i++) {
      double v;
      ik_state_load_row(t->ir->field[f].type, ik_state_data(s, f, 0), i, 1, &v);
      if (!isfinite(v)) return false;
    }
  }
  return true;
}

static bool same_bits(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static bool same_field(trial *t, const ik_state *s, const naive *v, int f) {
  const ik_field *field = &t->ir->field[f];
  int64_t         at[IK_MAX_DIM];
  const ik_box   *b = &field->box;
  for (at[2] = b->lo[2]; at[2] < b->hi[2]; at[2]++)
    for (at[1] = b->lo[1]; at[1] < b->hi[1]; at[1]++)
      for (at[0] = b->lo[0]; at[0] < b->hi[0]; at[0]++) {
        double x = ik_state_get(s, f, 0, at), y = naive_get(v, f, at);
        if (same_bits(x, y)) continue;
        ik_buf_printf(&t->why,
                      "first difference: %s at (%" PRId64 ", %" PRId64 ", %" PRId64
                      "): interpreter %.17g, naive %.17g\n",
                      field->name, at[0], at[1], at[2], x, y);
        return false;
      }
  return true;
}

static bool same_traces(trial *t, const ik_recorder *r, const naive *v) {
  for (int i = 0; i < t->ir->nrecord; i++) {
    int64_t n = r->trace[i].nsample * t->ir->record[i].npoint;
    bool    same = n == v->ntrace[i];
    for (int64_t k = 0; same && k < n; k++) same = same_bits(r->trace[i].data[k], v->trace[i][k]);
    if (same) continue;
    ik_buf_printf(&t->why, "receiver %d hears something else\n", i);
    return false;
  }
  return true;
}

static outcome compare(trial *t, const ik_state *s, const ik_recorder *r) {
  naive v;
  bool  same = true;
  naive_run(&v, t->ir);
  for (int f = 0; same && f < t->ir->nfield; f++)
    if (t->ir->field[f].kind != IK_FIELD_TEMP) same = same_field(t, s, &v, f);
  for (int i = 0; same && i < t->ir->nscalar; i++) {
    same = same_bits(s->scalar[i], v.scalar[i]);
    if (!same)
      ik_buf_printf(&t->why, "scalar %s: interpreter %.17g, naive %.17g\n", t->ir->scalar[i].name,
                    s->scalar[i], v.scalar[i]);
  }
  same = same && same_traces(t, r, &v);
  naive_free(&v);
  return same ? FINE : DIFFERS;
}

/* ---- running ---- */

static outcome run(trial *t) {
  const ik_target *target;
  ik_state        *state = NULL;
  ik_engine       *engine = NULL;
  ik_recorder      recorder;
  outcome          o = STOPS;
  if (ik_target_find("ref", &t->diag, &target) || ik_state_create(t->ir, &t->diag, &state) ||
      ik_recorder_create(&recorder, t->ir, &t->diag))
    abort();
  ik_problem problem = {.ir = t->ir};
  if (target->open(&problem, &t->diag, &engine) == IK_OK &&
      engine->ops->attach(engine, state, &t->diag) == IK_OK &&
      play_program(engine, &recorder, &t->diag) == IK_OK)
    o = all_finite(t, state) ? compare(t, state, &recorder) : NOT_FINITE;
  if (engine) engine->ops->destroy(&engine);
  ik_recorder_free(&recorder);
  ik_state_destroy(&state);
  return o;
}

/* What becomes of a program; `why` says more. */
static outcome try_program(const char *text, ik_buf *why) {
  static trial t;
  memset(&t, 0, sizeof t);
  ik_arena_init(&t.arena);
  if (setjmp(t.arena.oom)) abort();
  outcome o = compile(&t, text, strlen(text));
  if (o == FINE) o = read_back(&t);
  if (o == FINE) o = lay_out(&t);
  if (o == FINE) o = run(&t);
  if (o != FINE && t.diag.nerror) ik_diag_render(&t.diag, false, &t.why);
  ik_buf_puts(why, ik_buf_text(&t.why));
  ik_buf_free(&t.why), ik_diag_free(&t.diag), ik_arena_free(&t.arena);
  return o;
}

/* ---- making a failure small ---- */

static bool fails_as(const char *text, void *ctx) {
  ik_buf why = {0};
  bool   same = try_program(text, &why) == *(outcome *)ctx;
  ik_buf_free(&why);
  return same;
}

static bool try_seed(uint64_t seed) {
  ik_random_options options = IK_RANDOM_DEFAULTS;
  ik_buf            text = {0}, why = {0};
  ik_random_program(seed, &options, &text);
  outcome o = try_program(ik_buf_text(&text), &why);
  if (o != FINE) {
    printf("seed %" PRIu64 ": the program %s\n%s%s", seed, outcome_names[o], ik_buf_text(&text),
           ik_buf_text(&why));
    if (o != NOT_LEGAL) {
      shrink(&text, fails_as, &o), ik_buf_free(&why);
      try_program(ik_buf_text(&text), &why);
      printf("cut down:\n%s%s", ik_buf_text(&text), ik_buf_text(&why));
    }
    check_fail(__FILE__, __LINE__,
               "seed %" PRIu64 " %s; rerun with IKAT_SEED=%" PRIu64 " IKAT_COUNT=1", seed,
               outcome_names[o], seed);
  }
  ik_buf_free(&text), ik_buf_free(&why);
  return o == FINE;
}

CASE(interpreter_agrees_with_naive_evaluator) {
  uint64_t seed = check_seed();
  uint64_t count = check_count(COUNT);
  int      failed = 0;
  printf("seeds %" PRIu64 " to %" PRIu64 "\n", seed, seed + count - 1);
  for (uint64_t i = 0; i < count && failed < (check_only_asks() ? 1 : 5); i++)
    failed += !try_seed(seed + i);
}

/* ---- the generator itself ---- */

CASE(same_seed_same_program) {
  ik_random_options options = IK_RANDOM_DEFAULTS;
  ik_buf            a = {0}, b = {0}, c = {0};
  ik_random_program(7, &options, &a), ik_random_program(7, &options, &b);
  ik_random_program(8, &options, &c);
  CHECK_STR(ik_buf_text(&a), ik_buf_text(&b));
  CHECK(strcmp(ik_buf_text(&a), ik_buf_text(&c)) != 0);
  ik_buf_free(&a), ik_buf_free(&b), ik_buf_free(&c);
}

static int count_with(unsigned features, const char *word) {
  ik_random_options options = IK_RANDOM_DEFAULTS;
  int               n = 0;
  options.features = features;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    ik_buf text = {0};
    ik_random_program(seed, &options, &text);
    n += strstr(ik_buf_text(&text), word) != NULL;
    ik_buf_free(&text);
  }
  return n;
}

CASE(features_can_be_switched_off) {
  static const struct {
    unsigned    feature;
    const char *word;
  } each[] = {
      {IK_RANDOM_F16, ": f16"},         {IK_RANDOM_BF16, ": bf16"},
      {IK_RANDOM_I32, ": i32"},         {IK_RANDOM_HISTORY, "history"},
      {IK_RANDOM_MORE_CELLS, "+1"},     {IK_RANDOM_BOUNDARIES, "mirror"},
      {IK_RANDOM_CONDITIONS, "(if "},   {IK_RANDOM_ELEMENTARY, "tanh("},
      {IK_RANDOM_FUNCTIONS, "def "},    {IK_RANDOM_PATTERNS, "stencil("},
      {IK_RANDOM_REGIONS, "interior("}, {IK_RANDOM_DERIVATIVES, "dfwd("},
      {IK_RANDOM_SWEEPS, "sweep "},     {IK_RANDOM_REDUCTIONS, "norm("},
      {IK_RANDOM_REPEAT, "repeat "},    {IK_RANDOM_SOURCES, "source "},
      {IK_RANDOM_LAYERS, "absorbing("}, {IK_RANDOM_RECEIVERS, "receiver "},
      {IK_RANDOM_ARITHMETIC, "plain"},
  };
  for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
    unsigned without = IK_RANDOM_EVERYTHING & ~each[i].feature;
    if (each[i].feature == IK_RANDOM_REDUCTIONS) without &= ~(unsigned)IK_RANDOM_REPEAT;
    if (!count_with(IK_RANDOM_EVERYTHING, each[i].word) || count_with(without, each[i].word))
      check_fail(__FILE__, __LINE__, "'%s' cannot be switched on and off", each[i].word);
  }
}

CASE(programs_without_features_are_legal) {
  for (uint64_t seed = 1; seed <= 200; seed++) {
    ik_random_options options = {(unsigned)(seed * 2654435761u) & IK_RANDOM_EVERYTHING, 2, 50, 2};
    ik_buf            text = {0}, why = {0};
    ik_random_program(seed, &options, &text);
    outcome o = try_program(ik_buf_text(&text), &why);
    if (o != FINE)
      check_fail(__FILE__, __LINE__, "seed %" PRIu64 " features %x: the program %s\n%s%s", seed,
                 options.features, outcome_names[o], ik_buf_text(&text), ik_buf_text(&why));
    ik_buf_free(&text), ik_buf_free(&why);
  }
}
