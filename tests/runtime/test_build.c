#define _GNU_SOURCE /* nftw */
#include "runtime/build.h"
#include "base/mem.h"
#include "check.h"
#include "runtime/cache.h"
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a folder for each case ---- */

static char dir[64];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at) {
  (void)st, (void)type, (void)at;
  return remove(path);
}

static void enter(void) {
  strcpy(dir, "/tmp/test_build.XXXXXX");
  CHECK(mkdtemp(dir));
}

static void leave(void) { nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

static const char *in_dir(const char *name) {
  static char path[4][PATH_MAX];
  static int  turn;
  char       *p = path[turn++ % 4];
  snprintf(p, PATH_MAX, "%s/%s", dir, name);
  return p;
}

static void write_file(const char *path, const char *text, mode_t mode) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  close(fd);
}

/* Files whose name ends so; the last of them in `path`. */
static int find(const char *folder, const char *end, char path[PATH_MAX]) {
  int  n = 0;
  DIR *f = opendir(folder);
  if (!f) return 0;
  for (struct dirent *e; (e = readdir(f));) {
    size_t len = strlen(e->d_name), want = strlen(end);
    if (e->d_name[0] == '.' || len < want || strcmp(e->d_name + len - want, end)) continue;
    n++;
    if (path) snprintf(path, PATH_MAX, "%s/%s", folder, e->d_name);
  }
  closedir(f);
  return n;
}

/* ---- building ---- */

static const char *number(int n) {
  static char text[128];
  snprintf(text, sizeof text, "int number(void) { return %d; }\n", n);
  return text;
}

typedef int number_fn(void);

/* Builds a function that returns `n`, calls it, and says whether it came from the cache; -1: no. */
static int build(const char *cache, const char *const *flags, int n) {
  ik_diag          d = {0};
  ik_build        *b = NULL;
  ik_build_options o = {.cache_dir = cache, .flags = flags};
  ik_status        s = ik_build_open(number(n), &o, &d, &b);
  ik_buf           text = {0};
  ik_diag_render(&d, false, &text);
  if (s) check_fail(__FILE__, __LINE__, "%s", ik_buf_text(&text));
  int cached = s ? -1 : ik_build_cached(b);
  if (!s) CHECK_EQ(((number_fn *)ik_build_symbol(b, "number"))(), n);
  if (!s) CHECK(!ik_build_symbol(b, "no_such_function"));
  if (!s) CHECK(ik_build_seconds(b) > 0);
  ik_build_close(&b);
  CHECK(!b);
  ik_buf_free(&text);
  ik_diag_free(&d);
  return cached;
}

/* Fails as it should; the messages in `text`. */
static void build_fails(const char *c, const ik_build_options *o, ik_status want, ik_buf *text) {
  ik_diag   d = {0};
  ik_build *b = NULL;
  CHECK_EQ(ik_build_open(c, o, &d, &b), want);
  CHECK(!b);
  CHECK_EQ(d.nerror, 1);
  ik_diag_render(&d, false, text);
  ik_diag_free(&d);
}

/* What a child of its own finds to be wrong. */
static int wrong_in_child(int (*what)(void)) {
  int status = -1;
  fflush(stdout);
  pid_t child = fork();
  if (!child) _exit(what());
  CHECK_EQ(waitpid(child, &status, 0), child);
  return status;
}

static int build_in_work(void) { return build(NULL, NULL, 1) != 0; }

/* A process looks for them once, so this comes before all that builds.  The folder is as long as
 * those that are made, begins as they do, and nobody holds it. */
CASE(folders_that_killed_runs_left_are_removed) {
  static const char *const others[] = {"ikat-build.aaaaa", "ikat-build.aaaaaaa",
                                       "ikat.build.aaaaaa"};
  enter();
  CHECK_EQ(mkdir(in_dir("ikat-build.aaaaaa"), 0700), 0);
  write_file(in_dir("ikat-build.aaaaaa/x.c"), "", 0600);
  for (int i = 0; i < 3; i++) CHECK_EQ(mkdir(in_dir(others[i]), 0700), 0);
  ik_build_work_in(dir);
  CHECK_EQ(wrong_in_child(build_in_work), 0);
  CHECK(access(in_dir("ikat-build.aaaaaa"), F_OK) != 0);
  for (int i = 0; i < 3; i++) CHECK_EQ(access(in_dir(others[i]), F_OK), 0);
  ik_build_work_in(in_dir("no/such/folder"));
  CHECK_EQ(wrong_in_child(build_in_work), 0); /* it works somewhere else */
  ik_build_work_in(NULL);
  leave();
}

CASE(builds_without_a_cache) { CHECK_EQ(build(NULL, NULL, 7), 0); }

static int open_files(void) {
  int  n = 0;
  DIR *d = opendir("/proc/self/fd");
  while (d && readdir(d)) n++;
  if (d) closedir(d);
  return n;
}

CASE(what_is_kept_leaves_no_file_open) {
  enter();
  int before = open_files();
  CHECK_EQ(build(in_dir("cache"), NULL, 1), 0);
  CHECK_EQ(build(in_dir("cache"), NULL, 1), 1);
  CHECK_EQ(open_files(), before);
  leave();
}

CASE(the_second_time_is_cached) {
  enter();
  const char *cache = in_dir("a/b/cache");
  CHECK_EQ(build(cache, NULL, 1), 0);
  CHECK_EQ(build(cache, NULL, 1), 1);
  CHECK_EQ(build(cache, NULL, 2), 0);
  CHECK_EQ(build(cache, NULL, 2), 1);
  CHECK_EQ(build(cache, NULL, 1), 1);
  struct stat st;
  CHECK(stat(cache, &st) == 0 && (st.st_mode & 0777) == 0700);
  CHECK_EQ(find(cache, ".so", NULL), 2);
  CHECK_EQ(find(cache, ".c", NULL), 2);
  CHECK_EQ(find(cache, "", NULL), 4);
  leave();
}

CASE(flags_make_a_difference) {
  enter();
  const char *const one[] = {"-O1", NULL}, *const two[] = {"-O2", NULL};
  CHECK_EQ(build(dir, one, 1), 0);
  CHECK_EQ(build(dir, two, 1), 0);
  CHECK_EQ(build(dir, NULL, 1), 0);
  CHECK_EQ(build(dir, one, 1), 1);
  const char *const define[] = {"-Dnumber=other", NULL};
  ik_diag           d = {0};
  ik_build         *b = NULL;
  ik_build_options  o = {.cache_dir = dir, .flags = define};
  CHECK_EQ(ik_build_open(number(1), &o, &d, &b), IK_OK);
  CHECK(b && ik_build_symbol(b, "other") && !ik_build_symbol(b, "number"));
  ik_build_close(&b);
  ik_diag_free(&d);
  leave();
}

static const char *script(const char *name, const char *body) {
  char text[512];
  snprintf(text, sizeof text, "#!/bin/sh\n%s\n", body);
  const char *path = in_dir(name);
  write_file(path, text, 0700);
  return path;
}

CASE(another_compiler_makes_a_difference) {
  enter();
  ik_diag          d = {0};
  ik_build        *b = NULL;
  ik_build_options o = {.cache_dir = in_dir("cache"), .compiler = script("mine", "exec cc \"$@\"")};
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(ik_build_open(number(4), &o, &d, &b), IK_OK);
    CHECK_EQ(b && ik_build_cached(b), i == 1);
    ik_build_close(&b);
    if (i == 1) script("mine", "true; exec cc \"$@\"");
  }
  ik_diag_free(&d);
  leave();
}

/* ---- damage ---- */

static void damaged(void (*harm)(const char *object)) {
  char path[PATH_MAX];
  enter();
  CHECK_EQ(build(dir, NULL, 5), 0);
  CHECK_EQ(find(dir, ".so", path), 1);
  harm(path);
  CHECK_EQ(build(dir, NULL, 5), 0);
  CHECK_EQ(build(dir, NULL, 5), 1);
  leave();
}

static void cut(const char *path) { CHECK_EQ(truncate(path, 3000), 0); }
static void empty(const char *path) { CHECK_EQ(truncate(path, 0), 0); }
static void lengthen(const char *path) { CHECK_EQ(truncate(path, 100000), 0); }
static void flip(const char *path) {
  char c = 0;
  int  fd = open(path, O_RDWR);
  CHECK(fd >= 0 && pread(fd, &c, 1, 800) == 1);
  c ^= 4;
  CHECK_EQ(pwrite(fd, &c, 1, 800), 1);
  close(fd);
}
static void open_to_all(const char *path) { CHECK_EQ(chmod(path, 0666), 0); }
static void move_behind_link(const char *path) {
  const char *elsewhere = in_dir("elsewhere");
  CHECK_EQ(rename(path, elsewhere), 0);
  CHECK_EQ(symlink(elsewhere, path), 0);
}
static void replace_by_pipe(const char *path) { /* a pipe that nobody writes */
  CHECK_EQ(unlink(path), 0);
  CHECK_EQ(mkfifo(path, 0600), 0);
}

CASE(a_cut_object_is_built_anew) { damaged(cut); }
CASE(an_empty_object_is_built_anew) { damaged(empty); }
CASE(a_lengthened_object_is_built_anew) { damaged(lengthen); }
CASE(a_changed_object_is_built_anew) { damaged(flip); }
CASE(an_object_that_others_may_write_is_built_anew) { damaged(open_to_all); }
CASE(a_link_is_built_anew) { damaged(move_behind_link); }
CASE(a_pipe_is_built_anew) { damaged(replace_by_pipe); }

CASE(the_object_of_another_text_is_built_anew) {
  char one[PATH_MAX], two[PATH_MAX], saved[PATH_MAX];
  enter();
  CHECK_EQ(build(dir, NULL, 1), 0);
  CHECK_EQ(find(dir, ".so", one), 1);
  snprintf(saved, sizeof saved, "%s", in_dir("saved"));
  CHECK_EQ(rename(one, saved), 0);
  CHECK_EQ(build(dir, NULL, 2), 0);
  CHECK_EQ(find(dir, ".so", two), 1);
  CHECK_EQ(rename(saved, two), 0);
  CHECK_EQ(build(dir, NULL, 2), 0);
  leave();
}

/* Builds a function that returns 5; was it in the cache? */
static bool build_named(const char *prefix) {
  ik_diag          d = {0};
  ik_build        *b = NULL;
  ik_build_options o = {.cache_dir = dir, .prefix = prefix};
  CHECK_EQ(ik_build_open(number(5), &o, &d, &b), IK_OK);
  number_fn *f = b ? (number_fn *)ik_build_symbol(b, "number") : NULL;
  bool       cached = b && ik_build_cached(b);
  CHECK(f && f() == 5);
  ik_build_close(&b);
  ik_diag_free(&d);
  return cached;
}

/* The seal is right, and what it seals is useless. */
CASE(a_sealed_object_without_its_functions_is_built_anew) {
  char path[PATH_MAX], useless[PATH_MAX], key[IK_CACHE_KEY + 1], command[3 * PATH_MAX];
  enter();
  CHECK(!build_named("number"));
  CHECK(build_named("number"));
  CHECK_EQ(find(dir, ".so", path), 1);
  snprintf(key, sizeof key, "%s", strrchr(path, '/') + 1);
  write_file(in_dir("empty"), "int nothing;\n", 0600);
  snprintf(useless, sizeof useless, "%s", in_dir("useless"));
  snprintf(command, sizeof command, "cc -shared -fPIC -x c -o %s %s", useless, in_dir("empty"));
  CHECK_EQ(system(command), 0);
  CHECK(ik_cache_put_object(dir, key, useless, path));
  CHECK(!build_named("number"));
  CHECK(build_named("number"));
  leave();
}

CASE(an_object_beside_another_text_is_built_anew) {
  char path[PATH_MAX];
  enter();
  CHECK_EQ(build(dir, NULL, 5), 0);
  CHECK_EQ(find(dir, ".c", path), 1);
  write_file(path, "int other;\n", 0600);
  CHECK_EQ(build(dir, NULL, 5), 0);
  CHECK_EQ(build(dir, NULL, 5), 1);
  CHECK_EQ(unlink(path), 0);
  CHECK_EQ(build(dir, NULL, 5), 0);
  leave();
}

/* Only root can make files of others. */
CASE(what_belongs_to_others_is_not_used) {
  enum { SOMEBODY = 65533 };
  char path[PATH_MAX];
  if (geteuid() != 0) return;
  enter();
  CHECK_EQ(mkdir(in_dir("cache"), 0700), 0);
  CHECK_EQ(build(in_dir("cache"), NULL, 5), 0);
  CHECK_EQ(build(in_dir("cache"), NULL, 5), 1);
  CHECK_EQ(symlink("cache", in_dir("link")), 0);
  CHECK_EQ(build(in_dir("link"), NULL, 5), 1);
  CHECK_EQ(lchown(in_dir("link"), SOMEBODY, SOMEBODY), 0);
  CHECK_EQ(build(in_dir("link"), NULL, 5), 0);
  CHECK_EQ(find(in_dir("cache"), ".so", path), 1);
  CHECK_EQ(chown(path, SOMEBODY, SOMEBODY), 0);
  CHECK_EQ(build(in_dir("cache"), NULL, 5), 0);
  CHECK_EQ(build(in_dir("cache"), NULL, 5), 1);
  CHECK_EQ(chown(in_dir("cache"), SOMEBODY, SOMEBODY), 0);
  CHECK_EQ(build(in_dir("cache"), NULL, 5), 0);
  leave();
}

/* ---- folders that cannot be used ---- */

CASE(a_folder_that_others_may_write_is_not_used) {
  enter();
  CHECK_EQ(chmod(dir, 0770), 0);
  CHECK_EQ(build(dir, NULL, 3), 0);
  CHECK_EQ(build(dir, NULL, 3), 0);
  CHECK_EQ(find(dir, "", NULL), 0);
  leave();
}

CASE(a_folder_that_cannot_be_made_is_done_without) {
  enter();
  write_file(in_dir("file"), "", 0600);
  CHECK_EQ(build(in_dir("file/cache"), NULL, 3), 0);
  CHECK_EQ(build(in_dir("file"), NULL, 3), 0);
  CHECK_EQ(build("", NULL, 3), 0);
  CHECK_EQ(build("/proc/no/such/folder", NULL, 3), 0);
  leave();
}

CASE(a_folder_that_cannot_be_written_is_still_read) {
  enter();
  CHECK_EQ(build(dir, NULL, 3), 0);
  CHECK_EQ(chmod(dir, 0500), 0);
  CHECK_EQ(build(dir, NULL, 3), 1);
  CHECK_EQ(build(dir, NULL, 4), 0);
  CHECK_EQ(chmod(dir, 0700), 0);
  leave();
}

/* ---- errors ---- */

CASE(what_the_compiler_refuses_is_kept) {
  enter();
  ik_buf           text = {0};
  char             path[PATH_MAX];
  ik_build_options o = {.cache_dir = dir};
  build_fails("int x = ;\n", &o, IK_ERR_TOOLCHAIN, &text);
  CHECK_EQ(find(dir, ".c", path), 1);
  CHECK(strstr(ik_buf_text(&text), path));
  CHECK(strstr(ik_buf_text(&text), "error")); /* what the compiler says */
  CHECK_EQ(find(dir, "", NULL), 1);
  ik_buf_free(&text);
  leave();
}

CASE(it_is_kept_without_a_cache_too) {
  ik_buf           text = {0};
  ik_build_options o = {0};
  build_fails("int x = ;\n", &o, IK_ERR_TOOLCHAIN, &text);
  char *from = strstr(ik_buf_text(&text), "'/tmp/ikat."), *end = from ? strchr(from + 1, '\'') : 0;
  CHECK(from && end);
  if (from && end) {
    *end = 0;
    CHECK_EQ(unlink(from + 1), 0);
    *strrchr(from, '/') = 0;
    CHECK_EQ(rmdir(from + 1), 0); /* nothing else is in it */
  }
  ik_buf_free(&text);
}

CASE(what_cannot_be_kept_leaves_nothing) {
  enter();
  ik_buf           text = {0};
  ik_build_options o = {.compiler = script("thief", "rm -rf \"$PWD\"; exit 1")};
  CHECK_EQ(mkdir(in_dir("work"), 0700), 0);
  ik_build_work_in(in_dir("work"));
  build_fails(number(1), &o, IK_ERR_TOOLCHAIN, &text);
  ik_build_work_in(NULL);
  CHECK(strstr(ik_buf_text(&text), "rejects the generated code") &&
        !strstr(ik_buf_text(&text), "kept"));
  CHECK_EQ(find(in_dir("work"), "", NULL), 0);
  ik_buf_free(&text);
  leave();
}

/* Somebody else may go on in place of what was to be compiled, and who asks is told why. */
CASE(a_compiler_without_memory_counts_as_memory_that_was_refused) {
  static const char *const end[] = {"kill -KILL $$", "echo Cannot allocate memory >&2; exit 1"};
  enter();
  for (int i = 0; i < 2; i++) {
    ik_buf           text = {0};
    ik_build_options o = {.compiler = script("hungry", end[i])};
    long             before = ik_mem_refused();
    build_fails(number(1), &o, IK_ERR_RESOURCE, &text);
    CHECK(strstr(ik_buf_text(&text), "not enough memory to run the C compiler"));
    CHECK(ik_mem_refused() > before);
    ik_buf_free(&text);
  }
  leave();
}

CASE(a_missing_compiler_says_what_to_install) {
  enter();
  static const char *const names[] = {"no-such-compiler", "/no/such/compiler", "./nor-this",
                                      "/tmp"};
  for (int i = 0; i < 4; i++) {
    ik_buf           text = {0};
    ik_build_options o = {.cache_dir = dir, .compiler = names[i]};
    build_fails(number(1), &o, IK_ERR_RESOURCE, &text);
    CHECK(strstr(ik_buf_text(&text), names[i]));
    CHECK(strstr(ik_buf_text(&text), "install"));
    ik_buf_free(&text);
  }
  leave();
}

/* The compiler that is found where PATH says so; both are relative to `dir`. */
static void check_found(const char *folders, const char *want) {
  ik_buf found = {0};
  CHECK_EQ(setenv("PATH", folders, 1), 0);
  CHECK_EQ(ik_build_compiler(&found), want != NULL);
  if (want) CHECK_STR(ik_buf_text(&found), in_dir(want));
  ik_buf_free(&found);
}

/* As the shell seeks it: a folder of that name is none, nor is a file that cannot be run, and an
 * empty entry is where we are. */
CASE(the_compiler_is_sought_in_the_folders_of_path) {
  char  here[PATH_MAX], folders[3 * PATH_MAX], before[PATH_MAX];
  char *path = getenv("PATH");
  CHECK(path && snprintf(before, sizeof before, "%s", path) < PATH_MAX);
  enter();
  CHECK(getcwd(here, sizeof here) && !chdir(dir));
  CHECK(!mkdir(in_dir("a"), 0700) && !mkdir(in_dir("a/cc"), 0700) && !mkdir(in_dir("b"), 0700));
  write_file(in_dir("b/cc"), "", 0600);
  script("b/clang", "exit 0");
  snprintf(folders, sizeof folders, "%s:%s:/none", in_dir("a"), in_dir("b"));
  check_found(folders, "b/clang");
  script("b/gcc", "exit 0");
  check_found(folders, "b/gcc");
  check_found("b", "b/gcc");
  check_found("/none", NULL);
  script("cc", "exit 0");
  snprintf(folders, sizeof folders, "%s::/none", in_dir("b"));
  check_found(folders, "./cc");
  CHECK(!setenv("PATH", before, 1) && !chdir(here));
  leave();
}

/* A path is not cut to one that happens to be there: here to `cc`, at the end of the longest that
 * fits. */
CASE(a_compiler_too_far_away_is_not_there) {
  enter();
  char here[PATH_MAX], inside[PATH_MAX], name[PATH_MAX] = "./";
  script("cc", "exec cc \"$@\"");
  CHECK(getcwd(here, sizeof here) && chdir(dir) == 0 && getcwd(inside, sizeof inside));
  size_t before = strlen(inside) + 1, left = PATH_MAX - before;
  memset(name + 2, '/', left - 5);
  for (int more = 0; more < 2; more++) { /* in all PATH_MAX - 1 characters, and one more */
    ik_diag          d = {0};
    ik_build        *b = NULL;
    ik_build_options o = {.compiler = name};
    strcpy(name + left - 3, more ? "ccx" : "cc");
    CHECK_EQ(before + strlen(name), (size_t)PATH_MAX - 1 + (size_t)more);
    CHECK_EQ(ik_build_open(number(1), &o, &d, &b), more ? IK_ERR_RESOURCE : IK_OK);
    ik_build_close(&b);
    ik_diag_free(&d);
  }
  CHECK_EQ(chdir(here), 0);
  leave();
}

/* It waits for that, or the test would have to look at the right moment. */
CASE(what_can_wait_lets_others_go_first) {
  enter();
  ik_diag          d = {0};
  ik_build        *b = NULL;
  ik_build_options o = {.later = true};
  o.compiler = script("patient", "i=0\n"
                                 "while [ $(nice) -lt 10 ]; do\n"
                                 "  i=$((i + 1)); [ $i -lt 1000 ] || exit 1; sleep 0.01\n"
                                 "done\n"
                                 "exec cc \"$@\"");
  CHECK_EQ(ik_build_open(number(1), &o, &d, &b), IK_OK);
  ik_build_close(&b);
  ik_diag_free(&d);
  leave();
}

/* Where the compiler ran. */
static void build_where(const char *folder, char where[PATH_MAX]) {
  char             body[256];
  ik_diag          d = {0};
  ik_build        *b = NULL;
  ik_build_options o = {0};
  snprintf(body, sizeof body, "pwd > %s/where\nexec cc \"$@\"", dir);
  o.compiler = script("tells", body);
  ik_build_work_in(folder);
  CHECK_EQ(ik_build_open(number(1), &o, &d, &b), IK_OK);
  ik_build_close(&b);
  ik_build_work_in(NULL);
  FILE *f = fopen(in_dir("where"), "r");
  CHECK(f && fgets(where, PATH_MAX, f));
  if (f) fclose(f);
  ik_diag_free(&d);
}

CASE(the_compiler_works_where_it_is_told_to_or_where_there_is_room) {
  char where[PATH_MAX] = "", want[PATH_MAX];
  enter();
  CHECK_EQ(mkdir(in_dir("work"), 0700), 0);
  build_where(in_dir("work"), where);
  snprintf(want, sizeof want, "%s/", in_dir("work"));
  CHECK(strncmp(where, want, strlen(want)) == 0);
  CHECK_EQ(find(in_dir("work"), "", NULL), 0); /* and leaves nothing there */
  build_where(in_dir("no/such/folder"), where);
  CHECK(strncmp(where, dir, strlen(dir)) != 0);
  leave();
}

/* The first file that is opened then takes its place. */
CASE(without_standard_input_all_is_cleaned_up_too) {
  enter();
  int input = dup(0);
  CHECK_EQ(mkdir(in_dir("work"), 0700), 0);
  ik_build_work_in(in_dir("work"));
  close(0);
  for (int i = 0; i < 3; i++) { /* without a cache, and with one that does not have it, and has */
    CHECK_EQ(build(i ? in_dir("cache") : NULL, NULL, 1), i == 2);
    CHECK_EQ(fcntl(0, F_GETFD), -1); /* nothing is left open */
  }
  ik_diag          d = {0};
  ik_build        *b = NULL;
  ik_build_options o = {.keep = in_dir("copy.c")};
  CHECK_EQ(ik_build_open(number(1), &o, &d, &b), IK_OK);
  ik_build_close(&b);
  ik_diag_free(&d);
  CHECK_EQ(fcntl(0, F_GETFD), -1);
  if (input >= 0) dup2(input, 0), close(input);
  ik_build_work_in(NULL);
  CHECK_EQ(find(in_dir("work"), "", NULL), 0);
  leave();
}

CASE(standard_input_is_not_written) {
  enter();
  struct stat st;
  int         input = dup(0), file = open(in_dir("input"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  CHECK(file >= 0 && dup2(file, 0) == 0);
  CHECK_EQ(build(in_dir("cache"), NULL, 1), 0);
  CHECK_EQ(build(in_dir("cache"), NULL, 1), 1);
  CHECK(fstat(0, &st) == 0 && st.st_size == 0);
  close(file), close(0);
  if (input >= 0) dup2(input, 0), close(input);
  leave();
}

CASE(a_compiler_that_lies_is_found_out) {
  enter();
  ik_buf           text = {0};
  ik_build_options o = {.compiler = script("liar", "exit 0")};
  build_fails(number(1), &o, IK_ERR_TOOLCHAIN, &text);
  CHECK(strstr(ik_buf_text(&text), "cannot be loaded"));
  ik_buf_free(&text);
  leave();
}

CASE(an_interrupted_compiler_is_an_error) {
  enter();
  ik_buf           text = {0};
  ik_build_options o = {.cache_dir = in_dir("cache"), .compiler = script("cc", "kill -INT $$")};
  build_fails(number(1), &o, IK_ERR_TOOLCHAIN, &text);
  CHECK(strstr(ik_buf_text(&text), "interrupted"));
  ik_buf_free(&text);
  leave();
}

CASE(a_copy_is_kept_on_demand) {
  enter();
  ik_diag          d = {0};
  ik_build        *b = NULL;
  ik_build_options o = {.keep = in_dir("copy.c")};
  CHECK_EQ(ik_build_open(number(6), &o, &d, &b), IK_OK);
  ik_build_close(&b);
  char  line[128] = "";
  FILE *f = fopen(o.keep, "r");
  CHECK(f && fgets(line, sizeof line, f));
  if (f) fclose(f);
  CHECK_STR(line, number(6));
  struct stat st;
  mode_t      mask = umask(0);
  umask(mask);
  CHECK(stat(o.keep, &st) == 0 && (st.st_mode & 07777) == (0666 & ~mask));
  ik_diag_free(&d);
  ik_buf text = {0};
  o.keep = in_dir("no/such/folder.c");
  build_fails(number(6), &o, IK_ERR_RESOURCE, &text);
  CHECK(strstr(ik_buf_text(&text), o.keep));
  ik_buf_free(&text);
  leave();
}

/* ---- side by side ---- */

CASE(several_compile_at_once) {
  enter();
  enum { N = 6 };
  ik_diag          d = {0};
  ik_build        *b[N] = {0};
  ik_build_options o = {.cache_dir = dir};
  for (int i = 0; i < N; i++) CHECK_EQ(ik_build_start(number(i / 2), &o, &d, &b[i]), IK_OK);
  for (int i = N - 1; i >= 0; i--) CHECK_EQ(ik_build_finish(b[i], &d), IK_OK);
  for (int i = 0; i < N; i++) CHECK_EQ(ik_build_finish(b[i], &d), IK_OK); /* again: nothing to do */
  for (int i = 0; i < N; i++) CHECK_EQ(((number_fn *)ik_build_symbol(b[i], "number"))(), i / 2);
  for (int i = 0; i < N; i++) ik_build_close(&b[i]);
  CHECK_EQ(find(dir, "", NULL), N);
  ik_diag_free(&d);
  leave();
}

/* The compiler tells where it runs, and would take very long. */
CASE(closing_stops_the_compiler_and_cleans_up) {
  enter();
  char  body[256], where[PATH_MAX] = "";
  FILE *f = NULL;
  snprintf(body, sizeof body, "pwd > %s/w && mv %s/w %s/where\nexec sleep 1000", dir, dir, dir);
  ik_diag          d = {0};
  ik_build        *b = NULL;
  ik_build_options o = {.compiler = script("slow", body)};
  CHECK_EQ(ik_build_start(number(1), &o, &d, &b), IK_OK);
  for (int i = 0; !f && i < 3000; i++, usleep(10000)) f = fopen(in_dir("where"), "r");
  CHECK(f && fgets(where, sizeof where, f));
  if (f) fclose(f);
  where[strcspn(where, "\n")] = 0;
  CHECK(access(where, F_OK) == 0);
  ik_build_close(&b);
  CHECK(access(where, F_OK) != 0);
  ik_diag_free(&d);
  leave();
}

/* Each process builds a text of its own and one that all share, and builds them again. */
static int work_in_child(int i) {
  int wrong = 0;
  for (int round = 0; round < 2; round++) {
    wrong += build(dir, NULL, 100) < 0;
    wrong += build(dir, NULL, i) != round;
  }
  return wrong;
}

CASE(many_processes_share_a_folder) {
  enter();
  enum { N = 8 };
  pid_t child[N];
  fflush(stdout);
  for (int i = 0; i < N; i++)
    if (!(child[i] = fork())) _exit(work_in_child(i));
  for (int i = 0; i < N; i++) {
    int status = -1;
    CHECK_EQ(waitpid(child[i], &status, 0), child[i]);
    CHECK_EQ(status, 0);
  }
  CHECK_EQ(find(dir, "", NULL), 2 * (N + 1));
  CHECK_EQ(build(dir, NULL, 100), 1);
  leave();
}

/* ---- tidiness ---- */

static void make_old(int i, const char *suffix, int64_t bytes) {
  char name[IK_CACHE_KEY + 32];
  snprintf(name, sizeof name, "%0*x%s", IK_CACHE_KEY, i, suffix);
  const char     *path = in_dir(name);
  struct timespec when[2] = {{.tv_sec = 1000 + i}, {.tv_sec = 1000 + i}};
  write_file(path, "", 0600);
  CHECK_EQ(truncate(path, bytes), 0);
  CHECK_EQ(utimensat(AT_FDCWD, path, when, 0), 0);
}

static bool is_there(int i, const char *suffix) {
  char name[IK_CACHE_KEY + 32];
  snprintf(name, sizeof name, "%0*x%s", IK_CACHE_KEY, i, suffix);
  return access(in_dir(name), F_OK) == 0;
}

CASE(the_oldest_files_go_when_there_are_too_many) {
  enter();
  for (int i = 0; i < IK_CACHE_FILES; i++) make_old(i, ".so", 1);
  write_file(in_dir("letter"), "not ours", 0600);
  CHECK_EQ(build(dir, NULL, 1), 0);
  CHECK(!is_there(0, ".so") && !is_there(1, ".so") && is_there(2, ".so"));
  CHECK_EQ(find(dir, "", NULL), IK_CACHE_FILES + 1);
  CHECK(access(in_dir("letter"), F_OK) == 0);
  CHECK_EQ(build(dir, NULL, 1), 1);
  leave();
}

CASE(the_oldest_files_go_when_they_are_too_large) {
  enter();
  for (int i = 0; i < 4; i++) make_old(i, ".so.Xy1234", IK_CACHE_BYTES / 4); /* sparse */
  CHECK_EQ(build(dir, NULL, 1), 0);
  CHECK(!is_there(0, ".so.Xy1234") && is_there(1, ".so.Xy1234"));
  leave();
}

CASE(what_is_used_stays) {
  char object[PATH_MAX];
  enter();
  CHECK_EQ(build(dir, NULL, 1), 0);
  CHECK_EQ(find(dir, ".so", object), 1);
  struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
  CHECK_EQ(utimensat(AT_FDCWD, object, old, 0), 0);
  CHECK_EQ(build(dir, NULL, 1), 1);
  struct stat st;
  CHECK(stat(object, &st) == 0 && st.st_mtime > 1000000000);
  leave();
}

CASE(running_out_of_memory_is_an_error_and_leaves_nothing) {
  enter();
  for (int n = 0;; n++) {
    ik_diag          d = {0};
    ik_build        *b = NULL;
    ik_build_options o = {.cache_dir = dir, .compiler = "cc"};
    long             live = ik_mem_live();
    ik_mem_fail_after(n);
    ik_status s = ik_build_open(number(n), &o, &d, &b);
    ik_mem_fail_after(-1);
    CHECK(s == IK_OK || s == IK_ERR_RESOURCE);
    ik_build_close(&b);
    ik_diag_free(&d);
    CHECK_EQ(ik_mem_live(), live);
    if (n >= 6) break; /* by then all has been made to fail */
    CHECK(n > 1 || s == IK_ERR_RESOURCE);
  }
  leave();
}
