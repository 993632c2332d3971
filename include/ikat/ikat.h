/* ikat.h: the public interface of ikat, a stencil compiler and runtime.
 *
 *   ik_log *log = ik_log_create();
 *   ik_program *p; ik_run *r;
 *   if (ik_program_from_text("heat", text, log, &p) || ik_program_compile(p, log) ||
 *       ik_run_create(p, NULL, log, &r) || ik_run_advance(r, -1, log))
 *     fputs(ik_log_text(log, 0), stderr);
 *
 * Every call that can fail returns an ik_status and writes what is wrong, where and what would be
 * right into the log.  Nothing is printed, no environment variable is read, nothing exits.  How
 * the caller's floating-point arithmetic rounds does not matter, and stays as it is.
 * Messages point into the text of the program: read the log before the program is destroyed.
 * Strings that a call returns belong to the object they came from and live until the next call on
 * it, unless stated otherwise.  They are whole: NULL when memory runs out, except those of the log,
 * which then say so.  Objects are not shared between threads.
 */
#ifndef IKAT_H
#define IKAT_H
#include "status.h"
#include "version.h"
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IK_API __attribute__((visibility("default")))

IK_API const char *ik_version(void); /* of the library that runs */

/* ---- messages ---- */

typedef struct ik_log ik_log;

typedef struct ik_log_entry {
  const char *code; /* "E040"; ik_explain() has the long text */
  bool        warning;
  const char *file; /* NULL: not about a place in a text */
  int         line, column, length;
  const char *message, *help; /* help may be NULL */
} ik_log_entry;

IK_API ik_log     *ik_log_create(void); /* NULL when out of memory */
IK_API void        ik_log_destroy(ik_log **log);
IK_API void        ik_log_clear(ik_log *log);
IK_API int         ik_log_count(const ik_log *log);
IK_API int         ik_log_errors(const ik_log *log);
IK_API bool        ik_log_get(const ik_log *log, int i, ik_log_entry *out);
IK_API const char *ik_log_text(ik_log *log, bool colour); /* as a compiler prints them */
IK_API const char *ik_log_json(ik_log *log);              /* an array */

/* ---- programs ---- */

typedef struct ik_program ik_program;

IK_API ik_status ik_program_open(const char *path, ik_log *log, ik_program **out);
IK_API ik_status ik_program_from_text(const char *name, const char *text, ik_log *log,
                                      ik_program **out);
IK_API void      ik_program_destroy(ik_program **p);

/* Overrides a parameter or the extent of an axis, with units if it has any: ("dt", "0.9 ms").
 * Takes effect at the next compile, which also complains about unknown names. */
IK_API ik_status ik_program_set(ik_program *p, const char *name, const char *value, ik_log *log);
/* Replaces the count of the program's step; -1: as written.  The next compile refuses what is
 * less, and more than 10^12. */
IK_API void ik_program_set_steps(ik_program *p, int64_t steps);

/* For texts of strangers: from now on the program reads only files below the current folder, the
 * folder that its own file is in, and `directory` (NULL: none).  Before compile, which reads files
 * too.  What a program may write is in ik_run_options. */
IK_API ik_status ik_program_confine(ik_program *p, const char *directory, ik_log *log);

/* Source text to IR and facts.  May be called again after changes. */
IK_API ik_status ik_program_compile(ik_program *p, ik_log *log);

/* What can be found wrong before a run beyond the text itself: an unstable time step, a file of
 * initial values that is not there. */
IK_API ik_status ik_program_check(const ik_program *p, ik_log *log);

/* Views of a program as text: "source", "format" (canonical layout), "ast", "ir", "facts",
 * "facts-json", "layout" (where a target puts the cells of fields), "loops" and "code" (what it
 * makes of the program: passes over memory, kernels), "summary" (what a run prints first).  NULL,
 * with a message, if it cannot be shown.
 * "source", "format" and "ast" need no compile.  "layout", "loops" and "code" are those of a run
 * with these options; NULL: of the best target. */
struct ik_run_options;
IK_API const char *ik_program_show(ik_program *p, const char *what, const struct ik_run_options *o,
                                   ik_log *log);

/* The program as one file of plain C99, for people who want to read it, keep it or build on it: it
 * needs a C compiler alone, and prints the hash that a run gives.  After compile.  NULL, with a
 * message, if that cannot be: E084 for a program that reads files.  It lives as long as a view. */
IK_API const char *ik_program_export(ik_program *p, ik_log *log);

typedef struct ik_field_info {
  const char *name;
  const char *type; /* "f64", "f32", "f16", "bf16", "i32" */
  int         ndim; /* axes that the field is on */
  int64_t     n[3]; /* extents, the contiguous axis first; 1 beyond ndim */
  size_t      bytes;
  int         history; /* levels in time that are kept: 1, the current one alone */
} ik_field_info;

IK_API int  ik_program_field_count(const ik_program *p); /* after compile */
IK_API bool ik_program_field(const ik_program *p, int i, ik_field_info *out);

/* The name of an axis, the contiguous one first; NULL: there are no more.  After compile. */
IK_API const char *ik_program_axis(const ik_program *p, int i);

/* ---- runs ---- */

typedef struct ik_run ik_run;

typedef struct ik_progress {
  int64_t     step, steps;  /* done, in all (rounds of a repeat count too, up to their limit) */
  double      seconds;      /* since the run began */
  double      points_per_s; /* cell updates; 0: not known, as on a simulated machine */
  double      seconds_left; /* estimate; negative while unknown */
  double      max_abs;      /* largest |value| at the last check */
  const char *field;        /* of that field */
} ik_progress;

typedef struct ik_run_options {
  const char *target;      /* NULL: the best that can run it */
  const char *strategy;    /* NULL: the best */
  int         threads;     /* 0: as many as useful; the interpreter has one.  Not below 0 */
  const char *plan;        /* words that go before what is chosen: "steps=8 tile=512,0" */
  const char *cache;       /* a folder for compiled kernels; NULL: they are not kept */
  const char *wisdom;      /* a file that ik_tune wrote; NULL: none.  Strategy and plan go
                              before it */
  const char *figures;     /* a machine file that ik_probe kept, for better choices; NULL: none */
  int64_t     max_memory;  /* bytes that may be allocated; 0: what the machine has free */
  int64_t     check_every; /* steps between checks for blow-up, 1..100; 0: chosen */
  bool        allow_unstable; /* run although the time step is beyond the limit */
  bool        quiet_files;    /* do not write receivers and outputs of the program */
  const char *directory;      /* where relative output paths of the program start, and below which
                                 its outputs lie; made if need be; NULL: here */
  bool                   allow_paths; /* the program may write anywhere */
  volatile sig_atomic_t *stop;        /* set from a signal handler: the run ends after the step */
  void (*progress)(const ik_progress *p, void *user); /* at most ten times a second */
  void *user;
} ik_run_options;

IK_API void ik_run_options_init(ik_run_options *o);

/* Plans memory, then allocates it.  The program must be compiled and outlive the run. */
IK_API ik_status ik_run_create(ik_program *p, const ik_run_options *o, ik_log *log, ik_run **out);
IK_API void      ik_run_destroy(ik_run **r);

/* Uses the caller's array as a field: its values are the initial values and it holds the result
 * whenever ik_run_advance returns.  Without copying, unless the target pads the field ("layout" of
 * ik_program_show): then ik_run_advance copies when it begins and when it ends.  Before the first
 * advance. */
IK_API ik_status ik_run_bind(ik_run *r, const char *field, void *data, size_t bytes, ik_log *log);

/* Runs the next `steps` steps (or rounds of a repeat); -1: to the end of the program.  Statements
 * before, between and after the loops are run on the way.  The first call sets the initial values
 * and refuses a time step that is unstable for them (IK_ERR_SOURCE).  Stops early with
 * IK_ERR_NUMERIC or IK_ERR_INTERRUPTED; what has been computed can then still be read and written.
 *
 * When all loops are done, -1 and 0 change nothing, and more steps are IK_ERR_SOURCE.  A program
 * without loops is an operator: each further call, unless `steps` is 0, runs its statements once
 * more on what the fields hold then, for instance new values in arrays that were bound.
 *
 * Less than -1 is IK_ERR_SOURCE.  A thread with a stack of 256 KiB can do this and compile: what
 * needs more runs on a thread of its own, callbacks included. */
IK_API ik_status ik_run_advance(ik_run *r, int64_t steps, ik_log *log);
IK_API bool      ik_run_done(const ik_run *r);

/* The current values, one after the other: those that the run works on, or a copy if the target
 * pads the field.  NULL if there is no such field, or no memory for a copy.  Valid until the run
 * goes on.
 */
IK_API const void *ik_run_data(const ik_run *r, const char *field, ik_field_info *info);
IK_API double ik_run_value(const ik_run *r, const char *field, int64_t x, int64_t y, int64_t z);
IK_API bool   ik_run_scalar(const ik_run *r, const char *name, double *out);

/* What the program's `receiver` and `output` lines ask for. */
IK_API ik_status ik_run_write_outputs(ik_run *r, ik_log *log);
/* A field (NULL: the first; all of them for .h5) to .npy, .h5 (with .xmf) or .raw; "u[t-1]" is what
 * it was one step earlier, if the program keeps that. */
IK_API ik_status ik_run_write(ik_run *r, const char *path, const char *field, ik_log *log);

typedef struct ik_picture_options {
  const char *field;  /* NULL: the first that a step updates */
  int         axis;   /* 3D: across which axis to cut; -1: the last */
  int64_t     index;  /* where; -1: the middle */
  double      lo, hi; /* range of colours; lo == hi: chosen */
} ik_picture_options;

IK_API void ik_picture_options_init(ik_picture_options *o);
/* E043 if the slice lies outside the grid; known before the run. */
IK_API ik_status ik_run_can_draw(const ik_run *r, const ik_picture_options *o, ik_log *log);
IK_API ik_status ik_run_picture(ik_run *r, const ik_picture_options *o, const char *path,
                                ik_log *log);
/* report.html and report.json in a folder, which is made; *path is the page. */
IK_API ik_status ik_run_report(ik_run *r, const char *directory, const char *command, ik_log *log,
                               const char **path);

typedef struct ik_film_options {
  const char *frames; /* a folder, which is made, for frame_0000.png and so on; NULL: none */
  const char *movie;  /* a .gif file; NULL: none */
  int64_t     every;  /* steps between frames; 0: about 48 frames in all */
} ik_film_options;

/* Runs to the end and draws the field on the way, all frames with one range of colours: that of the
 * options, or of all of them, which are then drawn at the end.  On a simulated machine the share of
 * time that each of its elements is busy stands beside it: the cycles that were simulated are shown
 * once, from the first picture to the last. */
IK_API ik_status ik_run_animate(ik_run *r, const ik_picture_options *o, const ik_film_options *film,
                                ik_log *log);

/* On a simulated machine: what its elements did, when, in the part that was simulated cycle by
 * cycle, as JSON that Perfetto and chrome://tracing open.  E081 where there is no such part; that
 * the machine is real is known before the run. */
IK_API ik_status ik_run_can_trace(const ik_run *r, ik_log *log);
IK_API ik_status ik_run_trace(ik_run *r, const char *path, ik_log *log);

IK_API const char *ik_run_plan(ik_run *r);    /* memory and target: lines for a person */
IK_API const char *ik_run_summary(ik_run *r); /* what was done and how fast, lines for a person */
IK_API const char *ik_run_json(ik_run *r);    /* the same as one object; `hash` is of all fields */
IK_API const char *ik_run_files(ik_run *r);   /* written so far, a path a line */

/* Runs the program on a target and on the interpreter and compares.  *text says how it went;
 * IK_ERR_NUMERIC if they differ. */
IK_API ik_status ik_verify(ik_program *p, const ik_run_options *o, ik_log *log, bool json,
                           const char **text);

typedef enum ik_result {
  IK_RESULT_ARRAY,   /* for ik_run_write */
  IK_RESULT_PICTURE, /* for ik_run_picture */
  IK_RESULT_FOLDER,  /* for ik_run_report, ik_run_animate */
  IK_RESULT_TRACE,   /* for ik_run_trace */
  IK_RESULT_MOVIE,   /* for ik_run_animate */
} ik_result;

/* Could a result be written there, as far as that is known before a run?  E081 for a name of the
 * wrong kind, E064 for a place that takes no files.  Nothing is made. */
IK_API ik_status ik_can_write(const char *path, ik_result kind, ik_log *log);

/* Replaces a file, or makes it: whatever happens, there is the old text or the new one, never a
 * part.  Links are followed and the mode is kept.  E064. */
IK_API ik_status ik_write_text(const char *path, const char *text, ik_log *log);

/* Where compilers work and keep their temporary files, for the whole process; NULL, as at first: in
 * /tmp.  The tool gives $TMPDIR. */
IK_API void ik_temporary_folder(const char *path);

/* Stops compilers that run for this process and removes its temporary files.  For a signal handler
 * that ends the process at once: async-signal-safe, and to be followed by _exit(). */
IK_API void ik_remove_temporaries(void);

/* ---- what there is; these strings are static or live until the same call is made again ---- */

IK_API const char *ik_explain(const char *code); /* long text of a diagnostic; NULL if unknown */
IK_API const char *ik_explain_list(void);        /* all codes, a line each */
IK_API const char *ik_doctor(bool json);         /* what this machine can do and what is missing */
IK_API const char *ik_target_list(bool json);
IK_API const char *ik_machine_list(bool json);
IK_API const char *ik_machine_show(const char *name, bool json, ik_log *log);
IK_API int         ik_template_count(void); /* programs to start from */
IK_API bool        ik_template(int i, const char **name, const char **title, const char **text,
                               size_t *len);
/* The nearest of some words, or NULL: for "did you mean". */
IK_API const char *ik_nearest_word(const char *word, const char *const *words, int n);

/* ---- benchmarks ---- */

/* Problems that people know, each solved by a plain C loop nest, compiled with the best options of
 * the compiler that is here, and by every strategy of a target that can; in turns, so that the
 * ratios hold on a machine that others use too.  Results are verified on the way. */
typedef struct ik_bench ik_bench;

typedef struct ik_bench_options {
  const char            *suite;    /* NULL: "cpu"; or "examples" */
  const char            *target;   /* NULL: the one that the suite is about */
  const char            *only;     /* a case, or how the names of some begin; NULL: all */
  const char            *strategy; /* of the target; NULL: all */
  bool                   small;   /* sizes that take seconds in all, and tell nothing about speed */
  bool                   goals;   /* also the developers' goals: bench/goals */
  int                    threads; /* of both sides */
  int                    rounds;  /* 1..100: timings of which the median counts */
  const char            *cache;   /* as in ik_run_options */
  volatile sig_atomic_t *stop;    /* set from a signal handler: ends after the timing */
  void (*progress)(const char *what, int done, int total, void *user); /* before each timing */
  void *user;
} ik_bench_options;

IK_API void ik_bench_options_init(ik_bench_options *o); /* two threads, five rounds */

/* IK_ERR_NUMERIC if a result is wrong.  *out holds what was measured, whatever is returned; NULL if
 * that is nothing. */
IK_API ik_status   ik_bench_run(const ik_bench_options *o, ik_log *log, ik_bench **out);
IK_API void        ik_bench_destroy(ik_bench **b);
IK_API const char *ik_bench_text(ik_bench *b); /* a table for a person */
IK_API const char *ik_bench_json(ik_bench *b); /* one object */
/* report.html and report.json in a folder, which is made; *path is the page. */
IK_API ik_status ik_bench_report(ik_bench *b, const char *directory, const char *command,
                                 ik_log *log, const char **path);
/* Names of the cases of a suite, NULL at the end; NULL if there is no such suite. */
IK_API const char *const *ik_bench_list(const char *suite);

/* Does the cost grow as it should?  Cells a second on a grid that no cache holds and on one of
 * eight times as many cells, seconds of n and of 4n steps.  o->suite is ignored.  A table or one
 * JSON object; it lives until the next call on the log. */
IK_API ik_status ik_bench_growth(const ik_bench_options *o, ik_log *log, bool json,
                                 const char **text);

/* ---- tuning ---- */

typedef struct ik_tune_options {
  double budget;  /* seconds that it may take, about; 0: ten */
  bool   all;     /* every plan of the planner, however long it takes: a timing is budget/100 */
  bool   dry_run; /* keep nothing */
  bool   fit;     /* of ik_tune_model(): fit its constants, and keep them in the file o->figures */
  void (*progress)(const char *what, int done, int total, void *user); /* before each timing */
  void       *user;
  const char *report; /* of ik_tune_model(): a folder for report.html and report.json; NULL: none */
  const char *only;   /* of ik_tune_model(): cases whose names begin so; NULL: all */
} ik_tune_options;

IK_API void ik_tune_options_init(ik_tune_options *o);

/* Times a short list of plans for the program on its own grid, in turns with the one that is chosen
 * without wisdom, and keeps the winner in the file o->wisdom (NULL: nowhere), for runs of the same
 * program with as many threads on this machine.  A plan that is not at least 2 % faster than the
 * untuned choice never wins.  o->strategy restricts what is tried.  No file of the program is
 * written.  *text says how it went: a table, or one JSON object.  A file that cannot be written is
 * a warning; IK_ERR_INTERRUPTED (o->stop) keeps nothing. */
IK_API ik_status ik_tune(ik_program *p, const ik_run_options *o, const ik_tune_options *t,
                         ik_log *log, bool json, const char **text);

/* Programs, sizes, types and numbers of threads, all plans of each measured as above and nothing
 * kept: how far what the model of the CPU predicts is from what is measured, and how good its
 * choice is, also beside a plain loop.  Takes about an hour (a timing is t->budget/100; 0: ten
 * milliseconds); `small` takes some seconds and tells nothing.  The text lives until the next call
 * on the log. */
IK_API ik_status ik_tune_model(const ik_run_options *o, const ik_tune_options *t, bool small,
                               ik_log *log, bool json, const char **text);

/* ---- studies ---- */

/* What the models say, without running anything. */
typedef struct ik_study ik_study;

IK_API void        ik_study_destroy(ik_study **s);
IK_API const char *ik_study_text(ik_study *s); /* tables for a person */
IK_API const char *ik_study_json(ik_study *s); /* one object */
/* report.html and report.json in a folder, which is made; *path is the page. */
IK_API ik_status ik_study_report(ik_study *s, const char *directory, const char *command,
                                 ik_log *log, const char **path);

/* A chain of matrix products: matrix i has size[i] rows and size[i + 1] columns. */
typedef struct ik_chain_options {
  const int64_t *size; /* [n] */
  int            n;    /* at least 3 */
  double         fast; /* words of fast memory; 0: 65536 */
} ik_chain_options;

/* The order with the fewest operations, the least data movement over it, which products to fuse,
 * and the tiles; by the formulas as printed in "Analytical Cost Metrics" and as corrected. */
IK_API ik_status ik_study_chain(const ik_chain_options *o, ik_log *log, ik_study **out);

/* Every published table of a paper beside what the models give: "000" (matrix units), "003" (cost
 * metrics); NULL: of all. */
IK_API ik_status ik_study_papers(const char *paper, ik_log *log, ik_study **out);

/* Every published table of the spatial machines that ikat simulates beside what the simulations
 * give: "wse2", "wormhole", "nero"; NULL: of all.  Takes some seconds on `threads` threads (0: all
 * cores); the figures do not depend on them.  IK_ERR_NUMERIC if one is further from what is
 * published than its bar allows; *out is there all the same. */
IK_API ik_status ik_study_spatial(const char *only, int threads, ik_log *log, ik_study **out);

/* Every way to run a program, on machines that need not be here, what the models say that each
 * costs, which one wins and why. */
typedef struct ik_plan_options {
  const char *const *machine; /* [nmachine] names as in ik_machine_list(); none: "local" */
  int                nmachine;
  const char        *objective;  /* "time", "energy", "edp": their product; NULL: "time" */
  const char        *what_if;    /* "bandwidth=x2,shared=x0.5": other figures; NULL: as they are */
  double             max_error;  /* relative, of arithmetic with fewer bits; 0: any */
  int64_t            max_memory; /* bytes of a machine; 0: what it has */
  int                threads;    /* of the CPU; 0: all cores */
  const char        *wisdom;     /* a file that ik_tune wrote, for measured figures; NULL: none */
  bool simulate; /* a machine that nobody has is simulated beside the formula, although that takes
                    longer than all the rest */
} ik_plan_options;

IK_API ik_status ik_study_plan(ik_program *p, const ik_plan_options *o, ik_log *log,
                               ik_study **out);

/* Which machine a workload deserves: all designs of a GPU by the area model of "Analytical Cost
 * Metrics", the best tiles on each, the workload's time, energy or their product. */
typedef struct ik_design_options {
  const char            *workload;           /* "2d", "3d", or a file of programs and weights */
  double                 min_area, max_area; /* mm2; 0: 200, 650 */
  double                 max_power;          /* W; 0: any */
  const char            *objective;          /* "time", "energy", "edp"; NULL: "time" */
  const char            *reading; /* of the time model: "exact", "literal"; NULL: "exact" */
  int                    threads; /* 0: all cores */
  volatile sig_atomic_t *stop;
  void (*progress)(const char *what, int done, int total, void *user);
  void *user;
} ik_design_options;

IK_API ik_status ik_study_design(const ik_design_options *o, ik_log *log, ik_study **out);

/* ---- measuring this machine ---- */

typedef struct ik_probe_options {
  int                    threads; /* 0: one for each core */
  const char            *keep;    /* a machine file to write; NULL: nowhere */
  volatile sig_atomic_t *stop;    /* set from a signal handler: ends after the timing */
  void (*progress)(const char *what, int done, int total, void *user); /* before each timing */
  void *user;
} ik_probe_options;

/* Measures the processor in less than 20 seconds: peak, bandwidth and latency of each level of
 * memory, barriers, calls.  *text, which lives until the next call on the log, is the figures as
 * ik_machine_show() has them, or one JSON object.  They are kept in the file o->keep;
 * ik_machine_show("local@FILE") is `local` with the figures in FILE, if they are of this machine.
 * NULL: all cores, kept nowhere.  A file that cannot be written is a warning; IK_ERR_INTERRUPTED
 * (o->stop) keeps nothing; IK_ERR_RESOURCE without a compiler. */
IK_API ik_status ik_probe(const ik_probe_options *o, ik_log *log, bool json, const char **text);

#ifdef __cplusplus
}
#endif
#endif
