#define _GNU_SOURCE /* pipe2, posix_spawn_file_actions_addchdir_np */
#include "runtime/build.h"
#include "base/mem.h"
#include "base/system.h"
#include "base/undo.h"
#include "io/temp.h"
#include "runtime/cache.h"
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SOURCE, OBJECT, LOG, NFILES };
static const char *const suffix[NFILES] = {".c", ".so", ".log"};

struct ik_build {
  char   key[IK_CACHE_KEY + 1];
  char   compiler[PATH_MAX];
  char   cache[PATH_MAX];                /* "": none that can be used */
  char   work[PATH_MAX];                 /* the private folder; "": none */
  int    folder;                         /* the same, held as io/temp.h says; -1: none */
  char   name[NFILES][IK_CACHE_KEY + 8]; /* of the files in it */
  int    undo[NFILES + 2];               /* base/undo.h: the files, the folder, the compiler */
  pid_t  running;                        /* the compiler, a group of its own; 0: none */
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

/* ------------------------------------------------------------------------------ memory */

/* The interpreter may go on in place of what was to be compiled: who asks knows why. */
static ik_status out_of_memory(const char *to, ik_diag *d) {
  ik_mem_refuse();
  return ik_fail(d, IK_ERR_RESOURCE, IK_E072, IK_NOSPAN, "not enough memory to %s", to);
}

/* Has a program that ended so run out of memory?  A program that cannot have more may end in any
 * way: some say so, some are ended by the system, some by what they did not check. */
static bool lacked_memory(int status, const char *said) {
  static const char *const words[] = {"out of memory",    "annot allocate memory",
                                      "memory exhausted", "failed to map segment",
                                      "Killed signal",    "bad_alloc"};
  static const char *const limited[] = {"signal terminated", "terminated with signal",
                                        "internal compiler error", "cannot map", "cannot apply"};
  bool                     may_have_all = ik_system_memory_limit() == INT64_MAX;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return true;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(said, words[i])) return true;
  if (may_have_all) return false;
  for (size_t i = 0; i < sizeof limited / sizeof *limited; i++)
    if (strstr(said, limited[i])) return true;
  int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT;
}

/* --------------------------------------------------------------------------- processes */

/* The environment, but for where temporary files go; NULL: no memory. */
static char **environment_with(char *tmpdir) {
  size_t n = 0, k = 0;
  while (environ && environ[n]) n++;
  char **env = ik_calloc(n + 2, sizeof *env);
  for (size_t i = 0; env && i < n; i++)
    if (strncmp(environ[i], "TMPDIR=", 7)) env[k++] = environ[i];
  if (env) env[k] = tmpdir;
  return env;
}

/* Starts argv[0] in `folder` (NULL: where we are), writing to these files (err -1: to nowhere).  In
 * a folder of its own it is the first of a group of its own, so that all of it can be stopped.
 * Returns an error number. */
static int spawn(const char *const *argv, const char *folder, char *const *env, int out, int err,
                 pid_t *child) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t          attr;
  sigset_t                   none;
  sigemptyset(&none); /* whatever the caller blocks, the child must be stoppable */
  posix_spawnattr_init(&attr);
  posix_spawnattr_setsigmask(&attr, &none);
  posix_spawnattr_setpgroup(&attr, 0);
  posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | (folder ? POSIX_SPAWN_SETPGROUP : 0));
  posix_spawn_file_actions_init(&files);
  /* Without one of these the child would write into our own output. */
  int failed = folder ? posix_spawn_file_actions_addchdir_np(&files, folder) : 0;
  if (!failed) failed = posix_spawn_file_actions_adddup2(&files, out, 1);
  if (!failed && err >= 0) failed = posix_spawn_file_actions_adddup2(&files, err, 2);
  if (!failed && err < 0)
    failed = posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  if (!failed) failed = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  if (!failed) failed = posix_spawn(child, argv[0], &files, &attr, (char *const *)argv, env);
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

static const char *search_path(void) {
  for (char **e = environ; e && *e; e++)
    if (!strncmp(*e, "PATH=", 5)) return *e + 5;
  return "/bin:/usr/bin";
}

static bool is_program(const char *path, struct stat *st) {
  return !stat(path, st) && S_ISREG(st->st_mode) && !access(path, X_OK);
}

/* As the shell does it, without the milliseconds that a shell takes: folders of PATH in order, an
 * empty one is where we are. */
static bool search(const char *name, char path[PATH_MAX], struct stat *st) {
  for (const char *at = search_path(), *end; at; at = *end ? end + 1 : NULL) {
    end = at + strcspn(at, ":");
    const char *folder = end == at ? "." : at;
    int         len = end == at ? 1 : (int)(end - at);
    if (snprintf(path, PATH_MAX, "%.*s/%s", len, folder, name) >= PATH_MAX) continue;
    if (is_program(path, st)) return true;
  }
  return false;
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
    ik_fail(d, IK_ERR_RESOURCE, IK_E083, IK_NOSPAN, "there is no C compiler '%s'", name);
  else
    ik_fail(d, IK_ERR_RESOURCE, IK_E083, IK_NOSPAN,
            "there is no C compiler: neither cc nor gcc nor clang is found");
  ik_help(d, "apt install gcc libc6-dev (or clang)");
  return IK_ERR_RESOURCE;
}

static bool find_program(const char *name, char path[PATH_MAX], struct stat *st) {
  bool found =
      strchr(name, '/') ? snprintf(path, PATH_MAX, "%s", name) < PATH_MAX : search(name, path, st);
  return found && make_absolute(path) && is_program(path, st);
}

static ik_status find_compiler(const char *name, char path[PATH_MAX], struct stat *st, ik_diag *d) {
  static const char *const usual[] = {"cc", "gcc", "clang"};
  for (int i = 0; i < (name ? 1 : 3); i++)
    if (find_program(name ? name : usual[i], path, st)) return IK_OK;
  return no_compiler(name, d);
}

bool ik_build_compiler(ik_buf *path) {
  char        name[PATH_MAX];
  struct stat st;
  ik_diag     ignored = {0};
  ik_status   status = find_compiler(NULL, name, &st, &ignored);
  ik_diag_free(&ignored);
  if (status == IK_OK) ik_buf_puts(path, name);
  return status == IK_OK;
}

/* --------------------------------------------------------------------------------- key */

static void add_text(ik_blake2b *h, const char *s) { ik_blake2b_add(h, s, strlen(s) + 1); }

static void make_key(ik_build *b, const char *text, const char *const *flags,
                     const struct stat *st) {
  ik_blake2b h;
  uint8_t    digest[IK_BLAKE2B];
  char       identity[80], key[sizeof b->key];
  snprintf(identity, sizeof identity, "%lld %lld %ld", (long long)st->st_size,
           (long long)st->st_mtim.tv_sec, (long)st->st_mtim.tv_nsec);
  ik_blake2b_init(&h);
  add_text(&h, b->compiler), add_text(&h, identity);
  for (; flags && *flags; flags++) add_text(&h, *flags);
#if defined __x86_64__ /* homes are shared between machines */
  add_text(&h, "x86-64");
#elif defined __aarch64__
  add_text(&h, "aarch64");
#endif
  add_text(&h, text);
  ik_blake2b_end(&h, digest);
  ik_blake2b_hex(digest, key);
  memcpy(b->key, key, sizeof b->key);
  for (int i = 0; i < NFILES; i++) snprintf(b->name[i], sizeof b->name[i], "%s%s", key, suffix[i]);
}

/* ------------------------------------------------------------------------------ folder */

#define WORK "ikat-build."

static char wanted[PATH_MAX]; /* where work is done; "": where it always is */

void ik_build_work_in(const char *folder) {
  int n = snprintf(wanted, sizeof wanted, "%s", folder ? folder : "");
  if (n + 64 >= (int)sizeof wanted) wanted[0] = 0;
}

static const char *in_work(const ik_build *b, int file, char path[PATH_MAX]) {
  if (snprintf(path, PATH_MAX, "%s/%s", b->work, b->name[file]) >= PATH_MAX) path[0] = 0;
  return path;
}

/* Whatever files are in it; a compiler that was stopped leaves some of its own. */
static void empty_folder(int folder) {
  int  fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = fd < 0 ? NULL : fdopendir(fd);
  if (!dir && fd >= 0) close(fd);
  for (struct dirent *e; dir && (e = readdir(dir));) unlinkat(folder, e->d_name, 0);
  if (dir) closedir(dir);
}

/* A folder of the user's own that nobody holds was left by a killed run. */
static void remove_left(int place, const char *name) {
  struct stat st;
  int         fd = openat(place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return;
  if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && ik_temp_hold(fd)) {
    empty_folder(fd);
    unlinkat(place, name, AT_REMOVEDIR);
  }
  close(fd);
}

static void sweep(const char *path) {
  DIR *place = opendir(path);
  if (!place) return;
  for (struct dirent *e; (e = readdir(place));)
    if (!strncmp(e->d_name, WORK, strlen(WORK)) && strlen(e->d_name) == strlen(WORK) + 6)
      remove_left(dirfd(place), e->d_name);
  closedir(place);
}

/* Once is enough for a process. */
static void sweep_once(const char *path) {
  static atomic_flag done = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&done)) sweep(path);
}

static void note_work(ik_build *b) {
  for (int i = 0; i < NFILES; i++) b->undo[i] = ik_undo_file(b->folder, b->name[i]);
  b->undo[NFILES] = ik_undo_folder(b->work);
}

static void forget_work(ik_build *b) {
  for (int i = 0; i <= NFILES; i++) ik_undo_forget(b->undo[i]), b->undo[i] = -1;
}

static void leave_work(ik_build *b) {
  if (!b->work[0]) return;
  forget_work(b);
  if (b->folder >= 0) empty_folder(b->folder), close(b->folder);
  rmdir(b->work);
  b->work[0] = 0, b->folder = -1;
}

/* The source alone stays, under a name that the next run leaves alone. */
static bool keep_source(ik_build *b, char path[PATH_MAX]) {
  char        other[PATH_MAX];
  const char *slash = strrchr(b->work, '/');
  unlinkat(b->folder, b->name[OBJECT], 0), unlinkat(b->folder, b->name[LOG], 0);
  snprintf(other, sizeof other, "%.*s/ikat.XXXXXX", (int)(slash - b->work), b->work);
  if (!mkdtemp(other)) return false;
  if (rename(b->work, other)) return rmdir(other), false;
  forget_work(b);
  strcpy(b->work, other);
  in_work(b, SOURCE, path);
  close(b->folder);
  b->work[0] = 0, b->folder = -1;
  return true;
}

static int write_text(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), err = fd < 0 ? errno : 0;
  for (size_t left = strlen(text); !err && left;) {
    ssize_t n = write(fd, text, left);
    if (n > 0) text += n, left -= (size_t)n;
    if (n < 0 && errno != EINTR) err = errno;
  }
  if (fd >= 0 && close(fd) && !err) err = errno;
  return err;
}

static ik_status not_written(const char *where, int err, ik_diag *d) {
  return ik_fail(d, IK_ERR_RESOURCE, IK_E064, IK_NOSPAN,
                 "the generated C cannot be written to '%s': %s", where, strerror(err));
}

/* A folder that nobody else can look into.  Somebody who sweeps may have had it before it was held;
 * then there is another. */
static int make_work(ik_build *b, const char *place) {
  struct stat st;
  for (int attempt = 0; attempt < 20; attempt++) {
    snprintf(b->work, sizeof b->work, "%s/" WORK "XXXXXX", place);
    if (!mkdtemp(b->work)) return b->work[0] = 0, errno;
    b->folder = open(b->work, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (b->folder < 0) continue;
    ik_temp_hold(b->folder);
    if (fstat(b->folder, &st) == 0 && st.st_nlink > 0 && !access(b->work, F_OK)) return 0;
    close(b->folder), b->folder = -1;
  }
  return b->work[0] = 0, EAGAIN;
}

/* The first place that takes a folder with the text in it. */
static ik_status enter_work(ik_build *b, const char *text, ik_diag *d) {
  const char *const places[] = {wanted, "/tmp", "/var/tmp", "/dev/shm"};
  char              path[PATH_MAX];
  int               first = 0;
  for (size_t i = !wanted[0]; i < sizeof places / sizeof *places; i++) {
    sweep_once(places[i]);
    int err = make_work(b, places[i]);
    if (!err) note_work(b);
    if (!err) err = write_text(in_work(b, SOURCE, path), text);
    if (!err) return IK_OK;
    if (!first) first = err;
    leave_work(b);
  }
  return not_written(places[!wanted[0]], first, d);
}

/* ------------------------------------------------------------------------------- start */

static bool load(ik_build *b, const char *path) {
  return (b->object = ik_system_load(path, RTLD_NOW | RTLD_LOCAL)) != NULL;
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Whatever functions the text names that begin so are in the object. */
static bool has_symbols(const ik_build *b, const char *text, const char *prefix) {
  size_t len = strlen(prefix);
  for (const char *p = text; (p = strstr(p, prefix));) {
    char   name[128];
    size_t n = len;
    while (is_name(p[n])) n++;
    if (p[n] == '(' && (p == text || !is_name(p[-1]))) {
      snprintf(name, sizeof name, "%.*s", (int)n, p);
      if (!dlsym(b->object, name)) return false;
    }
    p += n;
  }
  return true;
}

static bool load_cached(ik_build *b, const char *text, const char *prefix) {
  char path[PATH_MAX];
  if (!b->cache[0] || !ik_cache_find(b->cache, b->key, text, path)) return false;
  if (load(b, path) && (!prefix || has_symbols(b, text, prefix))) return true;
  if (b->object) dlclose(b->object);
  b->object = NULL;
  ik_cache_drop(b->cache, b->key);
  return false;
}

/* Names are short, so that messages are: the compiler runs inside the folder, and has it for its
 * own temporary files, too. */
static ik_status run_compiler(ik_build *b, const char **argv, bool later, ik_diag *d) {
  enum { LATER = 10 }; /* of 20 steps; the compiler's own processes inherit it */
  char   tmpdir[PATH_MAX + 8];
  char **env = environment_with(tmpdir);
  if (!env) return out_of_memory("compile", d);
  snprintf(tmpdir, sizeof tmpdir, "TMPDIR=%s", b->work);
  int log = openat(b->folder, b->name[LOG], O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  int err = log < 0 ? errno : spawn(argv, b->work, env, log, log, &b->running);
  if (log >= 0) close(log);
  ik_free(env);
  if (!err && later) setpriority(PRIO_PROCESS, (id_t)b->running, LATER);
  if (!err) return b->undo[NFILES + 1] = ik_undo_children(b->running), IK_OK;
  b->running = 0;
  if (err == ENOMEM) return out_of_memory("start the C compiler", d);
  return ik_fail(d, IK_ERR_TOOLCHAIN, IK_E083, IK_NOSPAN, "the C compiler '%s' does not start: %s",
                 b->compiler, strerror(err));
}

static ik_status start_compiler(ik_build *b, const ik_build_options *o, ik_diag *d) {
  const char *fixed[] = {b->compiler, "-shared", "-fPIC", "-o", b->name[OBJECT], b->name[SOURCE]};
  size_t      n = 0, nfixed = sizeof fixed / sizeof *fixed;
  while (o->flags && o->flags[n]) n++;
  const char **argv = ik_calloc(nfixed + n + 1, sizeof *argv);
  if (!argv) return out_of_memory("compile", d);
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
  if (load_cached(b, text, o->prefix)) return b->cached = true, IK_OK;
  IK_TRY(enter_work(b, text, d));
  return start_compiler(b, o, d);
}

ik_status ik_build_start(const char *text, const ik_build_options *o, ik_diag *d, ik_build **out) {
  double    since = now();
  ik_build *b = *out = ik_calloc(1, sizeof *b);
  if (!b) return out_of_memory("compile", d);
  b->folder = -1;
  for (int i = 0; i < NFILES + 2; i++) b->undo[i] = -1;
  ik_status s = start(b, text, o, d);
  b->seconds = now() - since;
  if (s) ik_build_close(out);
  return s;
}

/* ------------------------------------------------------------------------------ finish */

/* The first lines of what the compiler said. */
static void read_log(const ik_build *b, char *text, size_t cap) {
  char path[PATH_MAX];
  if (!ik_system_read(in_work(b, LOG, path), text, cap)) *text = 0;
  for (size_t len = strlen(text); len && text[len - 1] == '\n';) text[--len] = 0;
}

/* For the report of what is a mistake of ours. */
static ik_status refused(ik_build *b, const char *said, ik_diag *d) {
  char path[PATH_MAX], source[PATH_MAX];
  in_work(b, SOURCE, source);
  bool stored =
      (b->cache[0] && ik_cache_put_source(b->cache, b->key, source, path)) || keep_source(b, path);
  ik_fail(d, IK_ERR_TOOLCHAIN, IK_E083, IK_NOSPAN,
          "the C compiler '%s' rejects the generated code%s%s%s", b->compiler,
          stored ? ", which is kept as '" : "", stored ? path : "", stored ? "'" : "");
  if (*said) ik_note_add(d, IK_NOSPAN, "%s", said);
  return IK_ERR_TOOLCHAIN;
}

static ik_status stopped(const ik_build *b, int signal, ik_diag *d) {
  bool asked = signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
  return ik_fail(d, IK_ERR_TOOLCHAIN, IK_E083, IK_NOSPAN, "the C compiler '%s' was %s by signal %d",
                 b->compiler, asked ? "interrupted" : "ended", signal);
}

static ik_status judge(ik_build *b, int status, ik_diag *d) {
  char said[2000];
  if (status == 0) return IK_OK;
  read_log(b, said, sizeof said);
  if (status > 0 && lacked_memory(status, said)) return out_of_memory("run the C compiler", d);
  if (status > 0 && WIFSIGNALED(status)) return stopped(b, WTERMSIG(status), d);
  if (status > 0) return refused(b, said, d);
  return ik_fail(d, IK_ERR_TOOLCHAIN, IK_E083, IK_NOSPAN,
                 "the exit status of the C compiler is lost: the calling program ignores SIGCHLD");
}

static ik_status store_and_load(ik_build *b, ik_diag *d) {
  char object[PATH_MAX], source[PATH_MAX], path[PATH_MAX];
  in_work(b, OBJECT, object), in_work(b, SOURCE, source);
  if (b->cache[0]) {
    ik_cache_put_source(b->cache, b->key, source, path);
    if (ik_cache_put_object(b->cache, b->key, object, path) && load(b, path)) return IK_OK;
  }
  if (load(b, object)) return IK_OK;
  if (ik_system_load_lacked_memory()) return out_of_memory("load the compiled code", d);
  return ik_fail(d, IK_ERR_TOOLCHAIN, IK_E083, IK_NOSPAN, "the compiled code cannot be loaded: %s",
                 ik_system_load_error());
}

static void forget_compiler(ik_build *b) {
  ik_undo_forget(b->undo[NFILES + 1]);
  b->undo[NFILES + 1] = -1, b->running = 0;
}

ik_status ik_build_finish(ik_build *b, ik_diag *d) {
  if (!b->running) return IK_OK;
  double since = now();
  int    status = wait_for(b->running);
  forget_compiler(b);
  ik_status s = judge(b, status, d);
  if (!s) s = store_and_load(b, d);
  leave_work(b);
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
  if (b->running) kill(-b->running, SIGKILL), wait_for(b->running), forget_compiler(b);
  leave_work(b);
  if (b->object) dlclose(b->object);
  ik_free(b);
  *build = NULL;
}

void *ik_build_symbol(const ik_build *b, const char *name) {
  return b && b->object ? dlsym(b->object, name) : NULL;
}
bool   ik_build_cached(const ik_build *b) { return b->cached; }
double ik_build_seconds(const ik_build *b) { return b->seconds; }
