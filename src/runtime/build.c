#define _GNU_SOURCE /* pipe2, posix_spawn_file_actions_addchdir_np */
#include "runtime/build.h"
#include "base/hash.h"
#include "base/mem.h"
#include "runtime/cache.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct ik_build {
  char   key[IK_CACHE_KEY + 1];
  char   compiler[PATH_MAX];
  char   cache[PATH_MAX]; /* "": none that can be used */
  char   work[64];        /* the private folder; "": none */
  pid_t  running;         /* the compiler; 0: none */
  void  *object;
  bool   cached;
  double seconds;
};

extern char **environ; /* for the compiler, which may need what is in there */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --------------------------------------------------------------------------- processes */

/* Starts argv[0] in `folder` (NULL: where we are), writing to these files (err -1: to nowhere).
 * Returns an error number. */
static int spawn(const char *const *argv, const char *folder, int out, int err, pid_t *child) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t          attr;
  sigset_t                   none;
  sigemptyset(&none); /* whatever the caller blocks, the child must be stoppable */
  posix_spawnattr_init(&attr);
  posix_spawnattr_setsigmask(&attr, &none);
  posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
  posix_spawn_file_actions_init(&files);
  if (folder) posix_spawn_file_actions_addchdir_np(&files, folder);
  posix_spawn_file_actions_adddup2(&files, out, 1);
  if (err >= 0)
    posix_spawn_file_actions_adddup2(&files, err, 2);
  else
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  int failed = posix_spawn(child, argv[0], &files, &attr, (char *const *)argv, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attr);
  return failed;
}

/* The status as waitpid() tells it; -1: somebody else has it. */
static int wait_for(pid_t child) {
  int   status;
  pid_t p;
  do p = waitpid(child, &status, 0);
  while (p < 0 && errno == EINTR);
  return p < 0 ? -1 : status;
}

/* ---------------------------------------------------------------------------- compiler */

/* The shell searches, as it does for everybody: where programs are is in the environment, which is
 * none of our business. */
static bool search(const char *const name[3], char path[PATH_MAX]) {
  const char *argv[] = {
      "/bin/sh", "-c",    "command -v \"$1\" || command -v \"$2\" || command -v \"$3\"",
      "sh",      name[0], name[1],
      name[2],   NULL};
  int    ends[2];
  size_t len = 0;
  pid_t  child;
  if (pipe2(ends, O_CLOEXEC)) return false;
  int err = spawn(argv, NULL, ends[1], -1, &child);
  close(ends[1]);
  for (ssize_t n = 1; !err && n > 0 && len<PATH_MAX - 1; len += n> 0 ? (size_t)n : 0) do
      n = read(ends[0], path + len, PATH_MAX - 1 - len);
    while (n < 0 && errno == EINTR);
  close(ends[0]);
  if (!err) wait_for(child);
  path[len] = 0;
  path[strcspn(path, "\n")] = 0;
  return path[0];
}

/* The compiler starts in another folder. */
static bool make_absolute(char path[PATH_MAX]) {
  char here[PATH_MAX], joined[PATH_MAX];
  if (path[0] == '/') return true;
  if (!strchr(path, '/') || !getcwd(here, sizeof here)) return false;
  if (snprintf(joined, sizeof joined, "%s/%s", here, path) >= (int)sizeof joined) return false;
  strcpy(path, joined);
  return true;
}

static ik_status no_compiler(const char *name, ik_diag *d) {
  if (name)
    ik_fail(d, IK_ERR_TOOLCHAIN, IK_E083, IK_NOSPAN, "there is no C compiler '%s'", name);
  else
    ik_fail(d, IK_ERR_TOOLCHAIN, IK_E083, IK_NOSPAN,
            "there is no C compiler: neither cc nor gcc nor clang is found");
  ik_help(d, "apt install gcc libc6-dev (or clang)");
  return IK_ERR_TOOLCHAIN;
}

static ik_status find_compiler(const char *name, char path[PATH_MAX], struct stat *st, ik_diag *d) {
  const char *names[3] = {"cc", "gcc", "clang"};
  if (name) names[0] = names[1] = names[2] = name;
  bool found = name && strchr(name, '/') ? snprintf(path, PATH_MAX, "%s", name) < PATH_MAX
                                         : search(names, path);
  if (!found || !make_absolute(path) || stat(path, st) || !S_ISREG(st->st_mode) ||
      access(path, X_OK))
    return no_compiler(name, d);
  return IK_OK;
}

/* --------------------------------------------------------------------------------- key */

static uint64_t hash_text(uint64_t h, const char *s) { return ik_hash(h, s, strlen(s) + 1); }

static uint64_t hash_all(uint64_t h, const char *text, const char *const *flags,
                         const char *compiler, const struct stat *st) {
  char identity[80];
  snprintf(identity, sizeof identity, "%lld %lld %ld", (long long)st->st_size,
           (long long)st->st_mtim.tv_sec, (long)st->st_mtim.tv_nsec);
  h = hash_text(hash_text(h, compiler), identity);
  for (; flags && *flags; flags++) h = hash_text(h, *flags);
#if defined __x86_64__ /* homes are shared between machines */
  h = hash_text(h, "x86-64");
#elif defined __aarch64__
  h = hash_text(h, "aarch64");
#endif
  return hash_text(h, text);
}

/* 128 bits: the same hash from two starts. */
static void make_key(ik_build *b, const char *text, const char *const *flags,
                     const struct stat *st) {
  uint64_t one = hash_all(IK_HASH_INIT, text, flags, b->compiler, st);
  uint64_t two = hash_all(~IK_HASH_INIT, text, flags, b->compiler, st);
  snprintf(b->key, sizeof b->key, "%016" PRIx64 "%016" PRIx64, one, two);
}

/* ------------------------------------------------------------------------------ folder */

enum { WORK_PATH = 128 };

static const char *in_work(const ik_build *b, const char *suffix, char path[WORK_PATH]) {
  snprintf(path, WORK_PATH, "%s/%s%s", b->work, b->key, suffix);
  return path;
}

static void leave_work(ik_build *b, bool keep_source) {
  char path[WORK_PATH];
  if (!b->work[0]) return;
  unlink(in_work(b, ".so", path));
  unlink(in_work(b, ".log", path));
  if (!keep_source) unlink(in_work(b, ".c", path)), rmdir(b->work);
  b->work[0] = 0;
}

static int write_text(const char *path, const char *text) {
  FILE *f = fopen(path, "we");
  if (!f) return errno;
  errno = 0;
  fputs(text, f);
  bool failed = ferror(f);
  int  err = errno;
  if (fclose(f)) failed = true, err = errno;
  return failed ? (err ? err : EIO) : 0;
}

static ik_status not_written(const char *where, int err, ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E064, IK_NOSPAN,
                 "the generated C cannot be written to '%s': %s", where, strerror(err));
}

/* A folder that nobody else can look into, with the text in it. */
static ik_status enter_work(ik_build *b, const char *text, ik_diag *d) {
  static const char *const places[] = {"/tmp", "/var/tmp", "/dev/shm"};
  char                     path[WORK_PATH];
  int                      first = 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    snprintf(b->work, sizeof b->work, "%s/ikat.XXXXXX", places[i]);
    int err = 0;
    if (!mkdtemp(b->work))
      err = errno, b->work[0] = 0;
    else
      err = write_text(in_work(b, ".c", path), text);
    if (!err) return IK_OK;
    if (!first) first = err;
    leave_work(b, false);
  }
  return not_written(places[0], first, d);
}

/* ------------------------------------------------------------------------------- start */

static bool load(ik_build *b, const char *path) {
  return (b->object = dlopen(path, RTLD_NOW | RTLD_LOCAL)) != NULL;
}

static bool load_cached(ik_build *b) {
  char path[PATH_MAX];
  return b->cache[0] && ik_cache_find(b->cache, b->key, path) && load(b, path);
}

static ik_status out_of_memory(ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "not enough memory to compile");
}

/* Names are short, so that messages are: the compiler runs inside the folder. */
static ik_status run_compiler(ik_build *b, const char **argv, bool later, ik_diag *d) {
  enum { LATER = 10 }; /* of 20 steps; the compiler's own processes inherit it */
  char path[WORK_PATH];
  int  log = open(in_work(b, ".log", path), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  int  err = log < 0 ? errno : spawn(argv, b->work, log, log, &b->running);
  if (log >= 0) close(log);
  if (!err && later) setpriority(PRIO_PROCESS, (id_t)b->running, LATER);
  if (!err) return IK_OK;
  b->running = 0;
  return ik_fail(d, IK_ERR_TOOLCHAIN, IK_E083, IK_NOSPAN, "the C compiler '%s' does not start: %s",
                 b->compiler, strerror(err));
}

static ik_status start_compiler(ik_build *b, const ik_build_options *o, ik_diag *d) {
  char source[IK_CACHE_KEY + 4], object[IK_CACHE_KEY + 4];
  snprintf(source, sizeof source, "%s.c", b->key);
  snprintf(object, sizeof object, "%s.so", b->key);
  const char *fixed[] = {b->compiler, "-shared", "-fPIC", "-o", object, source};
  size_t      n = 0, nfixed = sizeof fixed / sizeof *fixed;
  while (o->flags && o->flags[n]) n++;
  const char **argv = ik_calloc(nfixed + n + 1, sizeof *argv);
  if (!argv) return out_of_memory(d);
  memcpy(argv, fixed, sizeof fixed);
  if (n) memcpy(argv + nfixed, o->flags, n * sizeof *o->flags);
  ik_status s = run_compiler(b, argv, o->later, d);
  ik_free(argv);
  return s;
}

static ik_status start(ik_build *b, const char *text, const ik_build_options *o, ik_diag *d) {
  struct stat st;
  int         err = o->keep ? write_text(o->keep, text) : 0;
  if (err) return not_written(o->keep, err, d);
  IK_TRY(find_compiler(o->compiler, b->compiler, &st, d));
  make_key(b, text, o->flags, &st);
  if (o->cache_dir && ik_cache_usable(o->cache_dir) &&
      snprintf(b->cache, sizeof b->cache, "%s", o->cache_dir) >= (int)sizeof b->cache)
    b->cache[0] = 0;
  if (load_cached(b)) return b->cached = true, IK_OK;
  IK_TRY(enter_work(b, text, d));
  return start_compiler(b, o, d);
}

ik_status ik_build_start(const char *text, const ik_build_options *o, ik_diag *d, ik_build **out) {
  double    since = now();
  ik_build *b = *out = ik_calloc(1, sizeof *b);
  if (!b) return out_of_memory(d);
  ik_status s = start(b, text, o, d);
  b->seconds = now() - since;
  if (s) ik_build_close(out);
  return s;
}

/* ------------------------------------------------------------------------------ finish */

/* The first lines of what the compiler said. */
static void add_log(const ik_build *b, ik_diag *d) {
  char   path[WORK_PATH], text[2000];
  FILE  *f = fopen(in_work(b, ".log", path), "re");
  size_t len = f ? fread(text, 1, sizeof text - 1, f) : 0;
  if (f) fclose(f);
  while (len && text[len - 1] == '\n') len--;
  text[len] = 0;
  if (len) ik_note_add(d, IK_NOSPAN, "%s", text);
}

/* For the report of what is a mistake of ours. */
static ik_status refused(ik_build *b, ik_diag *d) {
  char source[WORK_PATH], path[PATH_MAX];
  bool stored =
      b->cache[0] && ik_cache_put_source(b->cache, b->key, in_work(b, ".c", source), path);
  ik_fail(d, IK_ERR_TOOLCHAIN, IK_E083, IK_NOSPAN,
          "the C compiler '%s' refuses the generated code, which is kept as '%s'", b->compiler,
          stored ? path : in_work(b, ".c", source));
  add_log(b, d);
  leave_work(b, !stored);
  return IK_ERR_TOOLCHAIN;
}

static ik_status stopped(const ik_build *b, int signal, ik_diag *d) {
  bool asked = signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
  return ik_fail(d, IK_ERR_TOOLCHAIN, IK_E083, IK_NOSPAN, "the C compiler '%s' was %s by signal %d",
                 b->compiler, asked ? "interrupted" : "ended", signal);
}

static ik_status judge(ik_build *b, int status, ik_diag *d) {
  if (status == 0) return IK_OK;
  if (status > 0 && WIFSIGNALED(status)) return stopped(b, WTERMSIG(status), d);
  if (status > 0) return refused(b, d);
  return ik_fail(d, IK_ERR_TOOLCHAIN, IK_E083, IK_NOSPAN,
                 "the program around ikat collects child processes (SIGCHLD is ignored), so nobody "
                 "knows whether the C compiler has done its work");
}

static ik_status store_and_load(ik_build *b, ik_diag *d) {
  char object[WORK_PATH], source[WORK_PATH], path[PATH_MAX];
  in_work(b, ".so", object), in_work(b, ".c", source);
  if (b->cache[0]) {
    ik_cache_put_source(b->cache, b->key, source, path);
    if (ik_cache_put_object(b->cache, b->key, object, path) && load(b, path)) return IK_OK;
  }
  if (load(b, object)) return IK_OK;
  const char *why = dlerror();
  return ik_fail(d, IK_ERR_TOOLCHAIN, IK_E083, IK_NOSPAN, "the compiled code cannot be loaded: %s",
                 why ? why : "no reason given");
}

ik_status ik_build_finish(ik_build *b, ik_diag *d) {
  if (!b->running) return IK_OK;
  double since = now();
  int    status = wait_for(b->running);
  b->running = 0;
  ik_status s = judge(b, status, d);
  if (!s) s = store_and_load(b, d);
  leave_work(b, false);
  b->seconds += now() - since;
  return s;
}

/* ---------------------------------------------------------------------------- the rest */

ik_status ik_build_open(const char *text, const ik_build_options *o, ik_diag *d, ik_build **out) {
  ik_status s = ik_build_start(text, o, d, out);
  if (!s) s = ik_build_finish(*out, d);
  if (s) ik_build_close(out);
  return s;
}

void ik_build_close(ik_build **build) {
  ik_build *b = *build;
  if (!b) return;
  if (b->running) kill(b->running, SIGTERM), wait_for(b->running);
  leave_work(b, false);
  if (b->object) dlclose(b->object);
  ik_free(b);
  *build = NULL;
}

void *ik_build_symbol(const ik_build *b, const char *name) {
  return b && b->object ? dlsym(b->object, name) : NULL;
}
bool   ik_build_cached(const ik_build *b) { return b->cached; }
double ik_build_seconds(const ik_build *b) { return b->seconds; }
