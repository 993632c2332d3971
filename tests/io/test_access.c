#include "io/access.h"
#include "base/undo.h"
#include "io/file.h"
#include "io/temp.h"
#include "scratch.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* top/a/b, top/in -> a, top/out -> .., top/absolute -> top/a, top/a/up -> .., top/loop -> loop,
 * top/file -> a/file, top/deep -> in/b/../b */
static void make_tree(void) {
  char whole[400];
  scratch_scan(true);
  CHECK_EQ(mkdir(scratch("top"), 0700), 0);
  CHECK_EQ(mkdir(scratch("top/a"), 0700), 0);
  CHECK_EQ(mkdir(scratch("top/a/b"), 0700), 0);
  snprintf(whole, sizeof whole, "%s", scratch("top/a"));
  CHECK_EQ(symlink("a", scratch("top/in")), 0);
  CHECK_EQ(symlink("..", scratch("top/out")), 0);
  CHECK_EQ(symlink(whole, scratch("top/absolute")), 0);
  CHECK_EQ(symlink("..", scratch("top/a/up")), 0);
  CHECK_EQ(symlink("loop", scratch("top/loop")), 0);
  CHECK_EQ(symlink("a/file", scratch("top/file")), 0);
  CHECK_EQ(symlink("in/b/../b", scratch("top/deep")), 0);
}

static void remove_tree(void) {
  static const char *const all[] = {"a/up",     "a/b",  "a",    "in",   "out",
                                    "absolute", "loop", "file", "deep", "x"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char name[64];
    snprintf(name, sizeof name, "top/%s", all[i]);
    remove(scratch(name));
  }
  CHECK_EQ(rmdir(scratch("top")), 0);
}

CASE(paths_below_a_folder) {
  static const struct {
    const char *path;
    int         want;
    const char *where; /* the folder that the spot is in, seen from top */
  } rows[] = {
      {"x", 0, "."},
      {"./x", 0, "."},
      {"a//x", 0, "a"},
      {"a/b/x", 0, "a/b"},
      {"a/../x", 0, "."},
      {"in/x", 0, "a"},
      {"in/b/x", 0, "a/b"},
      {"deep/x", 0, "a/b"},
      {"a/up/x", 0, "."},
      {"file", 0, "a"},
      {"../x", IK_OUTSIDE, NULL},
      {"a/../../x", IK_OUTSIDE, NULL},
      {"/etc/passwd", IK_OUTSIDE, NULL},
      {"out/x", IK_OUTSIDE_BY_LINK, NULL},
      {"out", IK_OUTSIDE_BY_LINK, NULL},
      {"a/up/out/x", IK_OUTSIDE_BY_LINK, NULL},
      {"absolute/x", IK_OUTSIDE_BY_LINK, NULL},
      {"loop", ELOOP, NULL},
      {"loop/x", ELOOP, NULL},
      {"none/x", ENOENT, NULL},
      {"a/", EISDIR, NULL},
  };
  ik_folder top;
  make_tree();
  CHECK(ik_folder_open(&top, scratch("top")));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char        path[500], where[64];
    ik_spot     spot;
    struct stat got, want;
    snprintf(path, sizeof path, rows[i].path[0] == '/' ? "%.0s%s" : "%s/%s", scratch("top"),
             rows[i].path);
    int err = ik_spot_below(&top, path, &spot);
    if (err != rows[i].want) check_fail(__FILE__, __LINE__, "%s: %d", rows[i].path, err);
    if (!err && !rows[i].want) {
      snprintf(where, sizeof where, "top/%s", rows[i].where);
      CHECK(fstat(spot.folder, &got) == 0 && stat(scratch(where), &want) == 0);
      CHECK_EQ(got.st_ino, want.st_ino);
    }
    ik_spot_leave(&spot);
  }
  ik_folder_close(&top);
  remove_tree();
}

CASE(on_behalf_of_a_program) {
  ik_folder top;
  ik_diag   d = {0};
  make_tree();
  CHECK(ik_folder_open(&top, scratch("top")));
  const ik_access access = {.write = &top, .read = {&top}, .nread = 1};
  scratch_put("secret", "abc", 3);
  {
    IK_ON_BEHALF(&access);
    ik_buf b = {0};
    CHECK_EQ(ik_file_write(scratch("x"), "x", 1, &d), IK_ERR_SOURCE);
    EXPECT_ERROR(&d, IK_E069, "--allow-paths");
    CHECK_EQ(ik_file_write(scratch("top/out/x"), "x", 1, &d), IK_ERR_SOURCE);
    EXPECT_ERROR(&d, IK_E069, "symbolic link");
    CHECK_EQ(ik_file_writable(scratch("top/out/x"), IK_NOSPAN, &d), IK_ERR_SOURCE);
    EXPECT_ERROR(&d, IK_E069, "symbolic link");
    CHECK_EQ(ik_file_read(scratch("secret"), 10, IK_NOSPAN, &b, &d), IK_ERR_SOURCE);
    EXPECT_ERROR(&d, IK_E069, "--confine");
    CHECK_EQ(ik_file_read(scratch("top/out/secret"), 10, IK_NOSPAN, &b, &d), IK_ERR_SOURCE);
    EXPECT_ERROR(&d, IK_E069, "symbolic link");
    CHECK_EQ(ik_file_read("/dev/null", 10, IK_NOSPAN, &b, &d), IK_ERR_SOURCE);
    EXPECT_ERROR(&d, IK_E069, "/dev/null");
    CHECK_EQ(ik_file_write(scratch("top/x"), "x", 1, &d), IK_OK);
    CHECK_EQ(ik_file_read(scratch("top/x"), 10, IK_NOSPAN, &b, &d), IK_OK);
    ik_buf_free(&b);
  }
  CHECK(!ik_access_now());
  CHECK_EQ(ik_file_write(scratch("x"), "x", 1, &d), IK_OK);
  ik_folder_close(&top);
  remove_tree();
  CHECK_EQ(scratch_scan(true), 2);
}

/* Nobody reads or writes at the other end; with an alarm, in case that somebody waits. */
CASE(named_pipes_are_refused_at_once) {
  ik_diag d = {0};
  ik_buf  b = {0};
  alarm(20);
  CHECK_EQ(mkfifo(scratch("pipe"), 0600), 0);
  CHECK_EQ(ik_file_read(scratch("pipe"), 10, IK_NOSPAN, &b, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E062, "a named pipe");
  CHECK_EQ(ik_file_write(scratch("pipe"), "x", 1, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "a named pipe");
  CHECK_EQ(ik_file_writable(scratch("pipe"), IK_NOSPAN, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "a named pipe");
  alarm(0);
  CHECK_EQ(scratch_scan(true), 1);
}

CASE(what_nobody_holds_is_swept) {
  char temp[NAME_MAX + 1];
  scratch_put(".x.tmp.1.2", "left", 4);
  scratch_put(".x.tmp.1", "alike", 5);
  int folder = open(scratch_dir, O_RDONLY | O_DIRECTORY);
  int fd = ik_temp_create(folder, "y", 0600, temp);
  CHECK(fd >= 0);
  ik_temp_sweep(folder);
  CHECK_EQ(scratch_scan(false), 2); /* what is held, and what is no name of ours */
  close(fd);
  ik_temp_sweep(folder);
  CHECK_EQ(scratch_scan(true), 1);
  close(folder);
}

/* In a child that ends as a signal handler would end it. */
CASE(undoing_leaves_no_temporary_file) {
  fflush(stdout);
  scratch_put("old", "old", 3);
  pid_t pid = fork();
  if (pid == 0) {
    ik_diag    d = {0};
    ik_outfile o, p;
    bool       ok = !ik_outfile_open(&o, scratch("new"), IK_NOSPAN, &d) &&
              !ik_outfile_open(&p, scratch("old"), IK_NOSPAN, &d);
    ik_outfile_write(&p, "half", 4);
    ik_undo_all();
    _exit(ok ? 0 : 1);
  }
  int status = -1;
  CHECK_EQ(waitpid(pid, &status, 0), pid);
  CHECK_EQ(status, 0);
  CHECK_EQ(scratch_scan(true), 1);
}
