/* tool.h: what the commands of ikat share.
 *
 * A command gets a `call`, says what it has to say and returns how the process should end.  For a
 * person text goes to standard output and complaints to standard error; with --json the same things
 * are gathered in call.object, which main() prints when the command is over.
 */
#pragma once
#include "json.h"
#include "options.h"
#include "progress.h"
#include <ikat/ikat.h>
#include <stdio.h>

enum { /* how ikat ends; `ikat help` lists them */
       EXIT_FINE = 0,
       EXIT_WRONG = 1, /* the program, a file, or a result that differs */
       EXIT_USAGE = 2,
       EXIT_BLOWUP = 3,
       EXIT_MEMORY = 4,
       EXIT_INTERRUPTED = 5,
       EXIT_INTERNAL = 70,
};

typedef struct command command;

typedef struct call {
  const command *command;
  int            argc;
  char         **argv;
  settings       set;
  ik_log        *log;
  json           object, messages; /* `messages`: items as in ik_log_json */
  progress_bar   bar;
  bool           json, colour;
  int            unwritten; /* the error number of standard output; 0: it took all so far */
  bool           lost; /* memory ran out, and something that belongs to the output is missing */
  bool           said_memory;   /* ... which a message has said */
  char           cache[1024];   /* path of the folder for compiled kernels */
  char           wisdom[1024];  /* path of the file for what was tuned */
  char           figures[1024]; /* path of the file for what was measured */
} call;

struct command {
  const char *name, *usage; /* usage: what follows the name */
  const char *title;        /* one line */
  const char *text;         /* for --help: what to know, and an example */
  int         options;      /* FOR_RUN... */
  int         most;         /* plain words that it takes; -1: any number */
  int (*run)(call *c);
};

extern const command commands[];
const command       *command_find(const char *name); /* NULL if there is none */

/* ---- say.c ---- */

/* Standard output, for a person: nothing under --json and --quiet. */
void say(call *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A text of the library or our own; NULL, for which there was no memory, is noted in call.lost and
 * replaced by an empty one. */
const char *whole(call *c, const char *text);

/* A text of the library, which under --json is an object whose members are taken over. */
void say_members(call *c, const char *text);
/* A view of a program (ik_program_show), likewise. */
ik_status say_view(call *c, ik_program *p, const char *what);

/* A complaint of the tool's own; help may be empty.  Returns `code`. */
int complain(call *c, int code, const char *help, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* How a status of the library ends the process. */
int exit_code(const call *c, ik_status s);
/* Prints what is in the log and empties it.  To be called while the program that the messages point
 * into is still there. */
void show_messages(call *c);
/* Both: for `return fail(c, status)`. */
int fail(call *c, ik_status s);

/* Under --json the object, with "error" unless code is 0; and nothing may be missing.  Returns how
 * to end. */
int finish(call *c, int code);

/* "did you mean 'x'?", or `otherwise` where nothing is near.  Valid until the next call. */
const char *did_you_mean(const char *word, const char *const *list, int n, const char *otherwise);

/* ---- program.c ---- */

/* Opens the FILE among the plain words ("-" is standard input), applies the name=value words and
 * --steps, compiles, and does what --dump asks for.  Returns how to end, or 0 and the program. */
int program_load(call *c, ik_program **out);
/* Opens without compiling. */
ik_status   program_open(call *c, const char *path, ik_program **out);
const char *program_file(const call *c); /* NULL: none was given */
/* The options of a run that stand on the command line, with progress in c->bar; the first signal
 * asks it to stop from here on. */
void run_options(call *c, ik_run_options *o);

/* ---- info.c ---- */

/* Where the figures of this machine are kept, beside the wisdom: in `path`, behind the word
 * `before`.  NULL if the user has no folder. */
const char *kept_file(const ik_run_options *run, const char *before, char *path, size_t cap);

/* ---- run.c ---- */

/* The command line as it can be typed again, to be freed; NULL when there is no memory for it. */
char *command_text(call *c);

/* ---- the commands ---- */

int command_overview(call *c);
int command_help(call *c);
int command_new(call *c);
int command_run(call *c);
int command_check(call *c);
int command_verify(call *c);
int command_fmt(call *c);
int command_export(call *c);
int command_tune(call *c);
int command_bench(call *c);
int command_machine(call *c);
int command_plan(call *c);
int command_chain(call *c);
int command_design(call *c);
int bench_papers(call *c); /* a suite of `ikat bench` */
int bench_spatial(call *c);
/* How to end if the folder of --report cannot be written; 0: it can, or there is none. */
int can_report(call *c);
/* Says a study, and writes its page if one was asked for.  The study is gone then. */
int show_study(call *c, ik_status s, ik_study *study);
int command_doctor(call *c);
int command_explain(call *c);
