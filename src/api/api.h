/* api.h: what stands behind the handles of ikat.h. */
#pragma once
#include "base/arena.h"
#include "base/diag.h"
#include "facts/facts.h"
#include "ikat/ikat.h"
#include "io/access.h"
#include "lang/lang.h"
#include "plan/wisdom.h"
#include "runtime/outcome.h"
#include "targets/target.h"

/* A piece of text with a life of its own, so that messages may point into it.  Never moves. */
typedef struct ik_text {
  ik_source source;
  char     *name, *content; /* owned */
} ik_text;

struct ik_log {
  ik_diag d;
  ik_buf  text;
};

typedef struct ik_setting { /* name=value from outside */
  char              *name;
  ik_text           *value;
  struct ik_setting *next;
} ik_setting;

struct ik_program {
  ik_text    *text;
  ik_setting *settings;
  int64_t     steps;                  /* -1: as written */
  bool        is_file;                /* the name of its text is a path */
  ik_folder   reads[IK_ACCESS_READS]; /* what it may read lies below these */
  int         nread;                  /* 0: it may read anything */
  bool        arena_used;
  ik_arena    arena; /* of the newest compilation */
  ik_ir      *ir;    /* NULL until compiled */
  ik_facts    facts;
  ik_buf      shown;
};

struct ik_run {
  ik_program      *program;
  ik_run_options   opt;
  const ik_target *target;
  const char      *strategy;
  ik_folder        outputs; /* the folder for files of the program */
  ik_access        access;
  ik_state        *state;
  ik_engine       *engine;
  ik_loop          loop;
  bool             tuned;   /* by wisdom */
  bool             small;   /* too little work for a compiler: the interpreter was chosen */
  bool             looped;  /* the loop exists */
  bool             checked; /* stability, once the initial values are known */
  ik_stability     stability;
  double           of_limit; /* dt over its limit; 0 if not known */
  ik_buf           text;
  ik_buf           files;   /* written so far, one a line */
  int64_t         *written; /* [noutput] files of a series */
  void           **copy;    /* [nfield] for ik_run_data, of fields with padding; NULL: none yet */
  ik_joules        energy;
  bool             starved; /* memory was refused to it; another engine may have taken over */
  bool             cut;     /* what the engine tells of itself lacks words: memory ran out */
  bool             metered; /* energy was asked for */
};

/* log.c */
ik_text  *ik_text_create(const char *name, const char *content, size_t len);
void      ik_text_destroy(ik_text *t);
ik_status ik_log_no_memory(ik_log *log);
/* `b` as a text for the caller; NULL if memory ran out anywhere since ik_mem_refused() was
 * `before`: a text that lacks something looks like any other. */
const char *ik_answer(const ik_buf *b, long before);

/* stages.c: the way of a program on one screen. */
ik_status ik_stages_compile(const ik_source *text, const ik_lower_options *opt, ik_arena *a,
                            ik_diag *d, ik_ir **ir, ik_facts *facts);
ik_status ik_stages_open(ik_run *r, const ik_problem *p, ik_diag *d);
ik_status ik_stages_advance(ik_run *r, int64_t steps, ik_diag *d);

/* program.c */
/* The compiler: text to IR and facts, in the arena `a`.  `dt` > 0 replaces the parameter dt. */
ik_status ik_compile(const ik_program *p, double dt, ik_arena *a, ik_diag *d, ik_ir **ir,
                     ik_facts *facts);

/* What the program may read; its outputs may lie anywhere. */
ik_access ik_program_access(const ik_program *p);

void ik_field_info_of(const ik_field *f, ik_field_info *out);
/* "dt = 0.5 ms": in the unit of its declaration. */
void ik_put_parameter(const ik_param *p, ik_buf *b);

/* stability.c */
/* E071, with the limit, if the time step is too large for the values the fields have (`engine`;
 * NULL: for what the program says they are); W003 if it is close.  `of_limit`: dt over its limit, 0
 * where that is not known. */
ik_status ik_check_stability(const ik_program *p, ik_engine *engine, ik_diag *d, ik_stability *s,
                             double *of_limit);

/* W004 and W007: what can be run and is most likely not meant. */
ik_status ik_check_sense(const ik_program *p, ik_engine *engine, ik_diag *d);
/* Every file that a run would read and, if `written`, write below `directory`: is it there, can it
 * be written, is its library here? */
ik_status ik_check_files(const ik_ir *ir, bool written, const char *directory, ik_diag *d);

/* run.c */
int  ik_run_field(const ik_run *r, const char *name); /* of the program; -1: it has none */
void ik_run_note_file(ik_run *r, const char *path);
/* The run loop, with what happens on the way. */
ik_status ik_run_loop(ik_run *r, ik_diag *d);
/* Once: is it stable, and does it make sense? */
ik_status ik_run_check(ik_run *r, ik_diag *d);
/* The target for a program if nobody asks for one; NULL: the best that is here. */
const char *ik_default_target(const ik_ir *ir);
/* Back to the initial values, which are set again; an array of the caller's must not be bound. */
ik_status ik_run_rewind(ik_run *r, ik_log *log);
/* One on the arrays of a run of the same program that is over, if they suit it; they are the run's,
 * or gone, whatever happens.  What is in them counts as any values until ik_run_follow(). */
ik_status ik_run_create_in(ik_program *p, const ik_run_options *o, ik_state **arrays, ik_log *log,
                           ik_run **out);
/* Ends a run but for its arrays. */
void ik_run_leave(ik_run **run, ik_state **arrays);
/* To where another run of the same program stands, with its values. */
ik_status ik_run_follow(ik_run *r, const ik_run *other, ik_log *log);

/* words.c */
/* "  name   the first line", and the others under it, which all begin at `column`. */
void ik_put_lines(const char *name, int column, const char *lines, ik_buf *b);
/* What runs the steps, in a sentence. */
const char *ik_run_help(const ik_run *r);
/* What was predicted and what was measured, so far. */
ik_outcome ik_run_outcome(const ik_run *r);

/* simulated.c */
/* Of a run on a simulated machine: lines for a person, members of the object that is open. */
void ik_simulated_text(const ik_run *r, ik_buf *b);
void ik_simulated_json(const ik_run *r, ik_json *j);

/* wisdom.c */
/* This machine, with the figures in a file (ik_run_options), as far as they suit; NULL without a
 * file. */
const ik_machine *ik_saved_figures(const char *file, ik_arena *a);
/* For a target that has something to choose. */
ik_status ik_wisdom_key_of(const ik_target *t, const ik_problem *p, ik_diag *d, ik_wisdom_key *out);
/* The engine of a run: as wisdom has it, if there is some and nothing else is asked for. */
ik_status ik_run_open(ik_run *r, const ik_problem *p, ik_diag *d);
