/* options.h: what stands behind the command on the command line.
 *
 * Every option is one row of a table (options.c): its name, its argument, its help, the commands
 * that take it, and the field of `settings` that it fills.  Nothing is printed here.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { /* commands that take options of their own; a row of the table names several */
       FOR_RUN = 1,
       FOR_CHECK = 2,
       FOR_VERIFY = 4,
       FOR_FMT = 8,
       FOR_OTHER = 16, /* no options but the common ones */
       FOR_BENCH = 32,
       FOR_TUNE = 64,
       FOR_CHAIN = 128,
       FOR_DESIGN = 256,
       FOR_PLAN = 512,
       FOR_EXPORT = 1024,
       FOR_ALL = ~0,
};

typedef struct words {
  const char **word; /* [n], pointing into argv */
  int          n;
} words;

typedef struct settings {
  bool help, json, quiet, allow_unstable, check, to_stdout, dry_run, all, simulate, fit, goals;
  bool allow_paths, confine;
  const char *target, *strategy, *plan, *picture, *field, *slice, *report, *size, *only;
  const char *trace, *frames, *movie, *range, *fabric, *dir, *to;
  const char *area, *objective, *reading, *what_if, *max_error;
  int64_t     steps; /* -1: as the program says */
  int64_t     threads, max_memory, check_every, every, rounds, budget, fast; /* 0: chosen */
  int64_t     max_power;                                                     /* W; 0: any */
  words       out, dump, machine, plain; /* `plain` are those that belong to no option */
} settings;

typedef struct complaint { /* about the command line */
  char text[512], help[512];
  bool memory; /* there is not enough of it; nothing is wrong with the words */
} complaint;

/* Reads argv[from..argc) for the command with the bit `command`.  False with a complaint about the
 * first thing that is wrong.  To be freed in either case. */
bool options_parse(int argc, char **argv, int from, int command, settings *s, complaint *why);
void options_free(settings *s);

/* "  --steps N   how many ..." for each option of a command. */
void options_help(int   command, void (*line)(const char *left, const char *help, void *user),
                  void *user);

/* "x=48" is name and value where a name stands before the '='; "./a=b.ik" and "=3" are not. */
const char *option_value(const char *word); /* what is after the '=', or NULL */
