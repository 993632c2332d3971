/* Every command of the tool, while one allocation after the other fails: those of the library, of
 * the tool itself and of the C library in their name.
 *
 * For each n the command runs in a process of its own, in which the n-th allocation fails.  It ends
 * as it does otherwise, with the same words and the same files, or it says that memory ran out and
 * ends with 4.  It never crashes, leaves no block allocated and no temporary file behind, and what
 * it prints under --json is one JSON object however it ends.
 *
 * A failure names the command and n.  To see that one again:
 *
 *   IKAT_FAULT="17 run ../heat.ik --json" build/tests/fault/test_tool
 *
 * IKAT_FAULT_ALL=1 takes every allocation, which needs an hour; the quick run an eighth of those of
 * the full one.
 *
 * Under AddressSanitizer, which has an allocator of its own, the library's allocations fail alone.
 */
#define _GNU_SOURCE
#include "base/mem.h"
#include "check.h"
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int ikat_main(int argc, char **argv);

enum { EXIT_MEMORY = 4, MOST_WORDS = 32, MOST_TEXT = 1 << 20, MOST_FILES = 64 };

/* What the process of a trial tells its parent. */
typedef struct report {
  atomic_long allocations; /* so far, all threads */
  atomic_long blocks;      /* alive, with those of the C library */
  bool        ended;
  long        blocks_left, library_left; /* when the command had ended */
} report;

static report *told;

/* ---- the allocator ---- */

#ifndef __SANITIZE_ADDRESS__
enum { TAKES_ALL = 0 };
static atomic_long fails_at = -1; /* the allocation with this number fails */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *p, size_t bytes);
void  __libc_free(void *p);

static bool is_denied(void) {
  if (!told) return false;
  long n = atomic_fetch_add(&told->allocations, 1);
  return n == atomic_load(&fails_at);
}

static void *counted(void *p) {
  if (p && told) atomic_fetch_add(&told->blocks, 1);
  return p;
}

static void *denied(void) { return errno = ENOMEM, NULL; }

void *malloc(size_t bytes) { return is_denied() ? denied() : counted(__libc_malloc(bytes)); }

void *calloc(size_t count, size_t bytes) {
  return is_denied() ? denied() : counted(__libc_calloc(count, bytes));
}

void *realloc(void *p, size_t bytes) {
  if (is_denied()) return denied();
  void *q = __libc_realloc(p, bytes);
  return p ? q : counted(q);
}

void free(void *p) {
  if (p && told) atomic_fetch_sub(&told->blocks, 1);
  __libc_free(p);
}

/* HDF5 and hwloc are not there: they crash by themselves when they are denied memory. */
void *dlopen(const char *file, int flags) {
  static void *(*real)(const char *, int);
  if (file && (strstr(file, "hdf5") || strstr(file, "hwloc"))) return errno = ENOENT, NULL;
  if (!real) real = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
  return real(file, flags);
}

static void deny(long n) { atomic_store(&fails_at, n); }
static long allocations(void) { return atomic_load(&told->allocations); }
#else
enum { TAKES_ALL = 1 };
static void deny(long n) { ik_mem_fail_after(n); }
static long allocations(void) { return 150; } /* not known: as far as most commands go */
#endif

/* ---- JSON ---- */

static const char *after_value(const char *s);

static const char *after_blanks(const char *s) { return s + strspn(s, " \n"); }

static const char *after_string(const char *s) {
  if (*s++ != '"') return NULL;
  for (; *s != '"'; s++) {
    if ((unsigned char)*s < 0x20) return NULL; /* also the end of the text */
    if (*s == '\\' && !strchr("\"\\/bfnrtu", *++s)) return NULL;
  }
  return s + 1;
}

static const char *after_list(const char *s, bool keys) {
  char close = keys ? '}' : ']';
  s = after_blanks(s + 1);
  if (*s == close) return s + 1;
  for (;; s = after_blanks(s + 1)) {
    if (keys && (!(s = after_string(s)) || *(s = after_blanks(s)) != ':')) return NULL;
    if (!(s = after_value(keys ? after_blanks(s + 1) : s))) return NULL;
    s = after_blanks(s);
    if (*s == close) return s + 1;
    if (*s != ',') return NULL;
  }
}

static const char *after_number(const char *s) {
  char *end;
  if (!strchr("-0123456789", *s) || !*s) return NULL;
  strtod(s, &end);
  return end;
}

static const char *after_value(const char *s) {
  static const char *const words[] = {"null", "true", "false"};
  if (*s == '{' || *s == '[') return after_list(s, *s == '{');
  if (*s == '"') return after_string(s);
  for (int i = 0; i < 3; i++)
    if (!strncmp(s, words[i], strlen(words[i]))) return s + strlen(words[i]);
  return after_number(s);
}

static bool is_one_object(const char *text) {
  const char *end = *text == '{' ? after_value(text) : NULL;
  return end && !*after_blanks(end);
}

/* ---- one trial ---- */

typedef struct files {
  char name[MOST_FILES][64];
  int  n;
} files;

typedef struct trial {
  int   status;  /* of waitpid */
  char *out;     /* [MOST_TEXT] */
  char *err;     /* [MOST_TEXT] */
  files made;    /* what is in the folder afterwards */
  bool  damaged; /* a file that is empty, or .json and no object */
} trial;

static char folder[64], inside[96];

static int remove_one(const char *path, const struct stat *s, int flag, struct FTW *at) {
  (void)s, (void)flag;
  return at->level ? remove(path) : 0;
}

static void empty_folder(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

static size_t read_whole(int fd, char *text) {
  ssize_t n = pread(fd, text, MOST_TEXT - 1, 0);
  text[n < 0 ? 0 : n] = 0;
  return n < 0 ? 0 : (size_t)n;
}

static void look_at(trial *t, const char *path, const char *name) {
  static char text[MOST_TEXT];
  FILE       *f = fopen(path, "r");
  size_t      len = f ? fread(text, 1, sizeof text - 1, f) : 0;
  if (f) fclose(f);
  text[len] = 0;
  const char *dot = strrchr(name, '.');
  if (!len || (dot && !strcmp(dot, ".json") && !is_one_object(text))) t->damaged = true;
  snprintf(t->made.name[t->made.n++], sizeof t->made.name[0], "%s", name);
}

static trial *looking;

static int look_at_one(const char *path, const struct stat *s, int flag, struct FTW *at) {
  (void)s, (void)at;
  if (flag == FTW_F && looking->made.n < MOST_FILES)
    look_at(looking, path, path + strlen(inside) + 1);
  return 0;
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static void look_around(trial *t) {
  t->made.n = 0, t->damaged = false;
  looking = t;
  nftw(inside, look_at_one, 16, FTW_PHYS);
  qsort(t->made.name, (size_t)t->made.n, sizeof t->made.name[0], by_name);
}

static int split(char *line, char **words) {
  int n = 0;
  words[n++] = "ikat";
  for (char *w = strtok(line, " "); w && n < MOST_WORDS - 1; w = strtok(NULL, " ")) words[n++] = w;
  words[n] = NULL;
  return n;
}

static void become_the_tool(const char *line, long n, int out, int err) {
  char  copy[512], *words[MOST_WORDS];
  int   null = open("/dev/null", O_RDONLY);
  FILE *in = freopen("/dev/null", "r", stdin);
  snprintf(copy, sizeof copy, "%s", line);
  int count = split(copy, words);
  if (chdir(inside) || dup2(out, 1) < 0 || dup2(err, 2) < 0 || null < 0 || !in) _exit(99);
  close(null);
  alarm(100);
  atomic_store(&told->blocks, 0);
  atomic_store(&told->allocations, 0);
  deny(n);
  int code = ikat_main(count, words);
  ik_mem_fail_after(-1);
  told->blocks_left = atomic_load(&told->blocks), told->library_left = ik_mem_live();
  told->ended = true;
  _exit(code);
}

/* n < 0: nothing fails. */
static void run(const char *line, long n, trial *t) {
  int out = memfd_create("out", 0), err = memfd_create("err", 0);
  if (out < 0 || err < 0) abort();
  told->ended = false;
  atomic_store(&told->allocations, 0);
  pid_t child = fork();
  if (child < 0) abort();
  if (!child) become_the_tool(line, n, out, err);
  if (waitpid(child, &t->status, 0) != child) abort();
  read_whole(out, t->out), read_whole(err, t->err);
  close(out), close(err);
  look_around(t);
  empty_folder(inside);
}

static trial new_trial(void) {
  trial t = {.out = malloc(MOST_TEXT), .err = malloc(MOST_TEXT)};
  if (!t.out || !t.err) abort();
  return t;
}

/* ---- what must hold ---- */

/* "0.3 ms", "12 kPts/s": behind a number stands a unit with a prefix that depends on it. */
static const char *after_number_and_unit(const char *s) {
  s += strspn(s, "0123456789.e+-");
  const char *unit = s + (*s == ' '), *base = unit + (*unit && strchr("numkMGT", *unit) != NULL);
  return !strncmp(base, "Pts/s", 5) || (*base == 's' && !isalpha((unsigned char)base[1])) ? base
                                                                                          : s;
}

/* Numbers differ from run to run; all else is the same. */
static void blank_numbers(const char *s, char *to) {
  while (*s) {
    if (isdigit((unsigned char)*s))
      s = after_number_and_unit(s), *to++ = '#';
    else if (*s == ' ')
      s += strspn(s, " "), *to++ = ' ';
    else
      *to++ = *s++;
  }
  *to = 0;
}

static bool says_the_same(const char *a, const char *b) {
  static char x[MOST_TEXT], y[MOST_TEXT];
  blank_numbers(a, x), blank_numbers(b, y);
  return !strcmp(x, y);
}

static bool is_among(const files *f, const char *name) {
  for (int i = 0; i < f->n; i++)
    if (!strcmp(f->name[i], name)) return true;
  return false;
}

static bool is_part_of(const files *some, const files *all) {
  for (int i = 0; i < some->n; i++)
    if (!is_among(all, some->name[i])) return false;
  return true;
}

static bool wants_json(const char *line) { return strstr(line, "--json"); }

/* A row of the table: a command, and how it may go on with less memory. */
typedef struct row {
  const char *line;
  int         trials; /* at most */
  bool        varies; /* it may do without something: another engine, no advice */
} row;

/* What is wrong with a trial; NULL: nothing. */
static const char *fault_of(const row *r, const trial *plain, const trial *t) {
  if (!WIFEXITED(t->status)) return "crashes or hangs";
  int code = WEXITSTATUS(t->status), expected = WEXITSTATUS(plain->status);
  if (!told->ended) return "exits on the way";
  if (code != expected && code != EXIT_MEMORY) return "ends with another status";
  if (code == EXIT_MEMORY && !strstr(t->err, "memory")) return "does not say that memory ran out";
  if (wants_json(r->line) && !is_one_object(t->out)) return "prints no JSON object";
  if (wants_json(r->line) && code && !strstr(t->out, "\"error\": [{")) return "hides the error";
  if (t->damaged) return "leaves a damaged file";
  if (!is_part_of(&t->made, &plain->made)) return "leaves a file behind";
  if (told->library_left) return "leaves blocks of the library";
  if (code != expected) return NULL;
  if (!r->varies && !says_the_same(t->out, plain->out)) return "says something else";
  if (t->made.n != plain->made.n) return "lacks a file";
  return NULL;
}

static void show(const row *r, long n, const char *what, const trial *t) {
  check_fail(__FILE__, __LINE__,
             "allocation %ld of `ikat %s`: %s (status %d)\n--- out\n%.1500s\n--- err\n%.1500s\n"
             "  rerun: IKAT_FAULT=\"%ld %s\" build/tests/fault/test_tool",
             n, r->line, what, WIFEXITED(t->status) ? WEXITSTATUS(t->status) : -t->status, t->out,
             t->err, n, r->line);
  for (int i = 0; i < t->made.n; i++) fprintf(stderr, "  file %s\n", t->made.name[i]);
}

/* All allocations where there are few; else those at the beginning, those at the end, where results
 * are printed, and some between. */
static long next(long n, long total, int trials) {
  long dense = trials / 3, between = total - 2 * dense;
  bool all = TAKES_ALL || getenv("IKAT_FAULT_ALL") || total <= trials;
  if (all || n < dense || n >= total - dense) return n + 1;
  long stride = between / dense + 1, to = n + stride;
  return to > total - dense ? total - dense : to;
}

static void exhaust(const row *r) {
  enum { FEW = 5 };
  trial plain = new_trial(), t = new_trial();
  int   found = 0;
  run(r->line, -1, &plain); /* libraries, caches */
  run(r->line, -1, &plain);
  long     total = allocations(), blocks = told->blocks_left;
  uint64_t turn = 0;
  for (long n = 0; n < total && found < FEW; n = next(n, total, r->trials)) {
    if (!check_is_due(turn++)) continue;
    run(r->line, n, &t);
    if (allocations() <= n) break; /* what is measured decides how many there are */
    const char *fault = fault_of(r, &plain, &t);
    if (!fault && told->blocks_left > blocks) fault = "leaves blocks of the C library";
    if (fault) found++, show(r, n, fault, &t);
  }
  if (getenv("IKAT_FAULT_COUNT")) fprintf(stderr, "%6ld %s\n", total, r->line);
  free(plain.out), free(plain.err), free(t.out), free(t.err);
}

/* ---- where it happens ---- */

static void put_file(const char *name, const char *text) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  if (!f || fputs(text, f) < 0 || fclose(f)) abort();
}

static void remove_folder(void) {
  empty_folder(folder);
  rmdir(folder);
}

static const char heat[] = "grid x = 12, y = 8\n"
                           "param k = 0.1\n"
                           "field u : f64\n"
                           "boundary u = 0\n"
                           "init u = exp(-((x - 6)^2 + (y - 4)^2)/8)\n"
                           "step 4 { u' = u + k*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u) }\n";

static const char wafer[] = "grid x = 12, y = 8\n"
                            "field u : f32 = noise(1)\n"
                            "boundary u = 0\n"
                            "step 2 { u' = 0.25*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1]) }\n";

static const char waves[] = "param dt = 1 ms, c = 1500 m/s\n"
                            "grid x = 20, y = 16, spacing = 5 m\n"
                            "field u : f32, history 2\n"
                            "boundary u = absorbing(4)\n"
                            "source ricker(f = 25 Hz) at (8, 6) into u\n"
                            "receiver u at line (0, 2) .. (15, 2) count 5 into \"r.npy\"\n"
                            "receiver u at (3, 3) into \"r.segy\"\n"
                            "output u every 2 into \"u.npy\"\n"
                            "step 4 { u' = 2*u - u[t-1] + (c*dt)^2*laplacian(u) }\n";

static const char mistakes[] = "grid x = 4, y = 4\n"
                               "field u : f23\n"
                               "boundary u = periodc\n"
                               "step 3 { u' = u[1,0,0] + velo*2 + laplacian(uv) }\n";

static const char make[] = "grid x = 6, y = 4\n"
                           "field c : f64 = noise(1)\n"
                           "output c into \"../c.npy\"\n"
                           "step 1 { c' = c }\n";

static const char reader[] = "grid x = 6, y = 4\n"
                             "param dt = 0.1\n"
                             "field c : f64 = file(\"../c.npy\")\n"
                             "field u : f64 = 1\n"
                             "boundary u = 0\n"
                             "source wavelet(\"../signal.txt\") at file(\"../places.txt\") into u\n"
                             "receiver u at file(\"../places.txt\") into \"r_{dt}.npy\"\n"
                             "output u every 1 into \"u.raw\"\n"
                             "step 3 { u' = u + dt*c*laplacian(u) }\n";

static void set_the_stage(void) {
  static const char *const variables[] = {"HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"};
  if (folder[0]) return;
  strcpy(folder, "/tmp/ikat-fault-XXXXXX");
  if (!mkdtemp(folder)) abort();
  atexit(remove_folder);
  snprintf(inside, sizeof inside, "%s/here", folder);
  if (mkdir(inside, 0700)) abort();
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) setenv(variables[i], folder, 1);
  put_file("heat.ik", heat), put_file("waves.ik", waves), put_file("mistakes.ik", mistakes);
  put_file("wafer.ik", wafer), put_file("one.workload", "heat.ik 1 x=64 y=64 steps=64\n");
  put_file("make.ik", make), put_file("reader.ik", reader);
  put_file("signal.txt", "1\n2\n3\n"), put_file("places.txt", "1 1\n2 3\n");
  put_file("loose.ik", "grid x=4\nfield u:f64=1\nstep 2 {u'=u}\n");
  void *shared =
      mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) abort();
  told = shared;
}

static void exhaust_all(const row *rows, int n) {
  set_the_stage();
  for (int i = 0; i < n; i++) exhaust(&rows[i]);
}

#define EXHAUST(...)                                                                               \
  do {                                                                                             \
    static const row rows[] = {__VA_ARGS__};                                                       \
    exhaust_all(rows, (int)(sizeof rows / sizeof *rows));                                          \
  } while (0)

CASE(words) {
  EXHAUST({"", 200, 0}, {"--json", 200, 0}, {"--version", 200, 0}, {"--version --json", 200, 0},
          {"help", 200, 0}, {"help --json", 200, 0}, {"help plan", 200, 0},
          {"run --help --json", 200, 0}, {"new", 200, 0}, {"new --json", 200, 0},
          {"new heat", 200, 0}, {"new heat x.ik --json", 200, 0}, {"new heat -", 200, 0},
          {"explain", 200, 0}, {"explain --json", 200, 0}, {"explain E040", 200, 0},
          {"explain E040 --json", 200, 0}, {"explain E999 --json", 200, 0}, {"rnu --json", 200, 0},
          {"run --thraeds 3 --json", 200, 0});
}

CASE(machines) {
  EXHAUST({"doctor", 300, 0}, {"doctor --json", 300, 0}, {"machine list", 300, 0},
          {"machine list --json", 300, 0}, {"machine show h200", 300, 0},
          {"machine show h200 --json", 300, 0}, {"machine show local", 300, 0},
          {"machine show local --json", 300, 0}, {"machine show h20 --json", 300, 0});
}

CASE(programs) {
  EXHAUST({"check ../heat.ik", 300, 0}, {"check ../heat.ik --json", 300, 0},
          {"check ../heat.ik --dump ast,ir,facts,loops,code --json", 600, 0},
          {"check ../waves.ik k=3 --json", 300, 0}, {"check ../mistakes.ik", 300, 1},
          {"check ../mistakes.ik --json", 300, 1}, {"check ../none.ik --json", 300, 0},
          {"fmt --stdout ../loose.ik", 300, 0}, {"fmt --stdout ../loose.ik --json", 300, 0},
          {"fmt --check ../loose.ik --json", 300, 0}, {"export ../heat.ik -o heat.c", 300, 0},
          {"export ../heat.ik --json", 300, 0});
}

CASE(running) {
  EXHAUST({"run ../heat.ik", 60, 0}, {"run ../heat.ik --json", 400, 0}, {"run ../waves.ik", 60, 0},
          {"run ../waves.ik --json", 400, 0},
          {"run ../heat.ik --json --out u.npy --out u=u.raw --picture u.png", 150, 0},
          {"run ../waves.ik --report out", 24, 0}, {"run ../waves.ik --report out --json", 90, 0},
          {"run ../heat.ik --frames f --every 2 --json", 45, 0},
          {"run ../wafer.ik --target wse2 --json --trace t.json --report out", 24, 0},
          {"run ../wafer.ik --target wse2 --json", 400, 0}, {"run ../heat.ik k=0.9 --json", 300, 0},
          {"run ../heat.ik --movie m.gif --every 1 --range -1:1 --json", 45, 0});
}

CASE(reading) {
  set_the_stage();
  trial t = new_trial();
  run("run ../make.ik --allow-paths", -1, &t);
  EXHAUST({"run ../reader.ik --json", 150, 0}, {"run ../reader.ik --confine --dir d", 60, 0},
          {"check ../reader.ik --json", 150, 0}, {"run ../reader.ik --out u=c.raw --json", 60, 0});
  free(t.out), free(t.err);
}

CASE(engines) {
  EXHAUST({"run ../heat.ik --target cpu --json", 300, 1}, {"verify ../heat.ik", 60, 1},
          {"verify ../heat.ik --json", 300, 1}, {"run ../wafer.ik --target wormhole --json", 60, 0},
          {"run ../wafer.ik --target nero-hbm --json", 60, 0},
          {"verify ../wafer.ik --target wse2 --json", 60, 0},
          {"check ../heat.ik --dump loops,code --json", 150, 0});
}

CASE(studies) {
  EXHAUST({"chain 30 35 15 5 10", 300, 0}, {"chain 30 35 15 5 10 --json --report out", 300, 0},
          {"plan ../heat.ik", 300, 0}, {"plan ../heat.ik --json", 300, 0},
          {"plan ../heat.ik --machine h200 --json --report out", 300, 0},
          {"plan ../wafer.ik --machine wse2 --simulate --json", 60, 0},
          {"plan ../heat.ik --machine h200 --what-if bandwidth=x2 --json", 150, 0},
          {"bench papers --only 000 --json --report out", 45, 0},
          {"design ../one.workload --area 100..110 --json", 60, 0});
}

LONG_CASE(timings) {
  EXHAUST({"tune ../heat.ik --budget 1 --dry-run --json", 6, 1},
          {"bench cpu --size small --only star2d --rounds 1 --json --report out", 3, 1});
}

/* One command and one n from outside. */
__attribute__((constructor)) static void rerun(void) {
  const char *override = getenv("IKAT_FAULT");
  char       *line;
  if (!override) return;
  set_the_stage();
  long  n = strtol(override, &line, 10);
  trial t = new_trial();
  run(line, -1, &t), run(line, n, &t);
  printf("%s%s--- status %d\n", t.out, t.err, t.status);
  exit(0);
}
