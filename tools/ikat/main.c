/* ikat: options in, text out.  Whatever it can do, a C program can do with <ikat/ikat.h>. */
#include "interrupt.h"
#include "tool.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const command commands[] = {
    {"new", "[KIND [FILE]]", "a commented, working program to start from",
     "Writes KIND.ik, or FILE, and never overwrites a file.  Without KIND: lists the\n"
     "kinds.  FILE '-' is standard output.\n"
     "\n"
     "  ikat new wave2d\n",
     FOR_OTHER, 2, command_new},
    {"run", "FILE.ik [name=value]...", "run a program",
     "name=value replaces a parameter of the program or the extent of an axis, with a unit where\n"
     "it has one; quote what has spaces.  FILE '-' is standard input.\n"
     "\n"
     "  ikat run wave2d.ik --picture wave.png\n"
     "  ikat run wave2d.ik x=600 f=30Hz dt=\"0.4 ms\" --out u=u.npy --report out\n"
     "  ikat run wafer.ik --target wse2 --trace trace.json --report out\n"
     "\n"
     "The program's files go below the current folder, or --dir DIR; --confine restricts what it\n"
     "reads: docs/security.md.\n"
     "Ctrl-C ends the run after the step and still writes the files; twice ends it at once, as "
     "does\n"
     "a step that takes more than a second.\n"
     "kill -USR1 prints a line of progress.\n",
     FOR_RUN, -1, command_run},
    {"check", "FILE.ik [name=value]...",
     "check a program, and show its footprint, cost and stability",
     "Footprint, operations, bytes, stability and memory, without running anything.\n"
     "\n"
     "  ikat check wave2d.ik\n"
     "  ikat check wave2d.ik x=4000 --dump ir\n",
     FOR_CHECK, -1, command_check},
    {"verify", "FILE.ik [name=value]...", "compare a target with the reference interpreter",
     "Runs the program on both.  Exits 1 if the results differ.\n"
     "\n"
     "  ikat verify wave2d.ik x=64 y=64 --steps 20\n",
     FOR_VERIFY, -1, command_verify},
    {"fmt", "FILE.ik...", "format programs in the canonical layout",
     "Changes the files in place, those that need it.  '-' formats standard input to standard\n"
     "output.\n"
     "\n"
     "  ikat fmt wave2d.ik\n"
     "  ikat fmt --check examples/*.ik\n",
     FOR_FMT, -1, command_fmt},
    {"export", "FILE.ik [name=value]...", "a program as one file of plain C, to read and to keep",
     "The file needs a C99 compiler and nothing of ikat, and prints the hash that 'ikat run' "
     "prints.\n"
     "Given a name, it also writes the fields there.  What reads files cannot be exported; what "
     "the\n"
     "program writes is left out.\n"
     "\n"
     "  ikat export heat.ik -o heat.c\n"
     "  cc -std=c99 -O2 -ffp-contract=off heat.c -lm -o heat && ./heat\n"
     "  ikat export wave2d.ik x=600 --steps 10 | less\n",
     FOR_EXPORT, -1, command_export},
    {"tune", "FILE.ik [name=value]...",
     "measure the best ways to run a program, and save the winner",
     "Times a short list of plans on the program's own grid, without touching its files, next to\n"
     "the one that 'ikat run' would choose.  One that is at least 2 % faster is kept, and used in\n"
     "every 'ikat run' of the program on this machine with as many threads: docs/tune.md.\n"
     "\n"
     "  ikat tune wave2d.ik x=4000 y=4000 --budget 30\n"
     "\n"
     "Ctrl-C ends it and keeps nothing.\n",
     FOR_TUNE, -1, command_tune},
    {"bench", "[SUITE]", "how fast this machine is, beside plain C loops and its own limits",
     "Suite 'cpu', the first: each case is solved by a plain loop nest, compiled with -O3, and by\n"
     "every strategy of the target that can, in turns; docs/bench.md tells how to read the table.\n"
     "The largest cases want 9 GiB of free memory.  Exits 1 if a result is wrong.\n"
     "Suite 'examples': the same for the programs of 'ikat new' and for random ones, beside plain\n"
     "loops that are written from them.\n"
     "Suite 'growth': cells a second on eight times the cells, time of four times the steps.\n"
     "Suite 'papers': every published table that the models can compute, beside what they give.\n"
     "Suite 'spatial': the published tables of machines that are simulated, beside what the\n"
     "simulations give.  Exits 1 if one is further away than it may be.\n"
     "Suite 'model': how well the model of the CPU predicts, and how good its choice is; an hour.\n"
     "With --fit, its constants are fitted to this machine then, which plans and predictions "
     "heed.\n"
     "\n"
     "  ikat bench cpu\n"
     "  ikat bench cpu --only star2d --threads 4 --report out\n"
     "  ikat bench examples --only heat\n"
     "  ikat bench papers --only 000 --report out\n"
     "  ikat bench spatial --only wse2\n"
     "  ikat bench model --threads 16 --only wave\n"
     "  ikat bench model --fit\n",
     FOR_BENCH, 1, command_bench},
    {"machine", "list | show M | probe", "machines: known ones, and this one measured",
     "probe measures what this processor can do, in less than 20 seconds, and keeps it: from then\n"
     "on 'show local' has it.  docs/probe.md tells what is measured, and how.\n"
     "\n"
     "  ikat machine list\n"
     "  ikat machine show h200\n"
     "  ikat machine probe\n",
     FOR_OTHER, 2, command_machine},
    {"doctor", "", "what this machine can do, what is missing, and the line that installs it",
     "Lists the targets too.\n"
     "\n"
     "  ikat doctor\n",
     FOR_OTHER, 0, command_doctor},
    {"explain", "[CODE]", "the full explanation of a diagnostic",
     "Without CODE: lists all codes.\n"
     "\n"
     "  ikat explain E040\n",
     FOR_OTHER, 1, command_explain},
    {"help", "[COMMAND]", "this list, or the help of a command", "  ikat help run\n", FOR_OTHER, 1,
     command_help},
    {"plan", "FILE.ik [name=value]...", "every way to run a program, predicted, and why one wins",
     "For this machine, or for others that ikat has figures of ('ikat machine list').\n"
     "\n"
     "  ikat plan heat.ik --machine a100-80gb-pcie --machine h200\n"
     "  ikat plan heat.ik --machine h200 --what-if bandwidth=x2\n"
     "  ikat plan wafer.ik --machine wse2 --what-if pes=x4\n",
     FOR_PLAN, -1, command_plan},
    {"design", "[WORKLOAD]", "the best machine for a workload",
     "WORKLOAD is 2d or 3d, the stencils and sizes of \"Analytical Cost Metrics\", appendix C; or "
     "a\n"
     "file of programs and weights: examples/design.workload is one.  All designs of a GPU within\n"
     "the area are tried, with the best tiles for each stencil, size and objective.\n"
     "\n"
     "  ikat design 2d --area 398..601 --report out\n"
     "  ikat design examples/design.workload --objective edp --max-power 250\n",
     FOR_DESIGN, 1, command_design},
    {"chain", "SIZE SIZE SIZE...", "how to multiply a chain of matrices, and what moves",
     "Matrix 1 has the first size as rows and the second as columns, and so on.\n"
     "\n"
     "  ikat chain 936 1008 552 368 1016 616 544\n",
     FOR_CHAIN, -1, command_chain},
    {0},
};

const command *command_find(const char *name) {
  for (const command *k = commands; k->name; k++)
    if (!strcmp(k->name, name)) return k;
  return NULL;
}

static int unknown_command(call *c, const char *name) {
  const char *names[sizeof commands / sizeof *commands];
  int         n = 0;
  for (const command *k = commands; k->name; k++) names[n++] = k->name;
  size_t len = strlen(name);
  if (len > 3 && !strcmp(name + len - 3, ".ik")) {
    char help[512];
    snprintf(help, sizeof help, "to run the program: ikat run %s", name);
    return complain(c, EXIT_USAGE, help, "'%s' is not a command", name);
  }
  return complain(c, EXIT_USAGE, did_you_mean(name, names, n, "'ikat help' lists the commands"),
                  "unknown command '%s'", name);
}

static int run_command(call *c) {
  complaint      why = {0};
  const command *k = c->command;
  char           help[256];
  if (!options_parse(c->argc, c->argv, 2, k->options, &c->set, &why))
    return complain(c, why.memory ? EXIT_MEMORY : EXIT_USAGE, why.help, "%s", why.text);
  if (c->set.help) return command_help(c);
  if (k->most >= 0 && c->set.plain.n > k->most) {
    snprintf(help, sizeof help, "ikat %s %s", k->name, k->usage);
    return complain(c, EXIT_USAGE, help, "unexpected argument '%s' of 'ikat %s'",
                    c->set.plain.word[k->most], k->name);
  }
  return k->run(c);
}

static int print_version(call *c) {
  say(c, "ikat %s\n", ik_version());
  json_string(&c->object, "version", ik_version());
  return EXIT_FINE;
}

/* The first word is the command; options of ikat itself may stand in its place. */
static int dispatch(call *c) {
  const char *word = c->argc > 1 ? c->argv[1] : "--json";
  if (!strcmp(word, "--version")) return print_version(c);
  if (!strcmp(word, "--help") || !strcmp(word, "-h")) return command_help(c);
  if (!strcmp(word, "--json")) return command_overview(c);
  if (word[0] == '-')
    return complain(c, EXIT_USAGE, "the command comes first; 'ikat help' lists them",
                    "unknown option '%s'", word);
  c->command = command_find(word);
  return c->command ? run_command(c) : unknown_command(c, word);
}

/* Also when the rest of the line makes no sense. */
static bool wants_json(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
    if (!strcmp(argv[i], "--json")) return true;
  return false;
}

static bool wants_colour(void) {
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(STDERR_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

/* A file that we open must not get the number of a standard stream that the caller closed. */
static void occupy_standard_streams(void) {
  /* What is written to a standard output that is not there is an error, so it cannot be written. */
  static const int mode[] = {O_RDONLY, O_RDONLY, O_RDWR};
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", mode[fd]) < 0) return;
}

/* Whoever reads the output has not got all of it, also if he went away (`ikat check f.ik | head`).
 */
static int flush_output(const call *c, int code) {
  errno = 0;
  if (!fflush(stdout) && !ferror(stdout)) return code;
  int err = c->unwritten ? c->unwritten : errno;
  fprintf(stderr, "ikat: error: cannot write standard output%s%s\n", err ? ": " : "",
          err ? strerror(err) : "");
  return code ? code : EXIT_WRONG;
}

int main(int argc, char **argv) {
  call c = {.argc = argc, .argv = argv, .json = wants_json(argc, argv), .colour = wants_colour()};
  occupy_standard_streams();
  signal(SIGPIPE, SIG_IGN); /* a run still has files to write */
  interrupt_catch();
  ik_temporary_folder(getenv("TMPDIR"));
  c.log = ik_log_create();
  if (!c.log) c.lost = true;
  int code = c.log ? dispatch(&c) : EXIT_FINE;
  /* also where there was nothing left to stop, or memory ran out as well */
  code = finish(&c, interrupt_came() ? EXIT_INTERRUPTED : code);
  code = flush_output(&c, interrupt_came() ? EXIT_INTERRUPTED : code);
  strbuf_free(&c.object.out), strbuf_free(&c.messages.out);
  options_free(&c.set);
  ik_log_destroy(&c.log);
  return code;
}
