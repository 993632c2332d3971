#include "io/file.h"
#include "scratch.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void check_content(const char *path, const char *want) {
  ik_diag d = {0};
  ik_buf  b = {0};
  CHECK_EQ(ik_file_read(path, 1000, IK_NOSPAN, &b, &d), IK_OK);
  CHECK_STR(ik_buf_text(&b), want);
  CHECK_EQ(b.len, strlen(want));
  ik_buf_free(&b), ik_diag_free(&d);
}

CASE(write_then_read) {
  ik_diag d = {0};
  CHECK_EQ(ik_file_write(scratch("a.txt"), "hello", 5, &d), IK_OK);
  check_content(scratch("a.txt"), "hello");
  CHECK_EQ(ik_file_write(scratch("a.txt"), "", 0, &d), IK_OK);
  check_content(scratch("a.txt"), "");
  CHECK_EQ(scratch_scan(true), 1);
}

CASE(reading_reports_the_cause) {
  ik_diag   d = {0};
  ik_buf    b = {0};
  ik_source src = {"p.ik", "init u = file", 13};
  ik_span   at = {&src, 9, 4};
  CHECK_EQ(ik_file_read(scratch("none"), 10, at, &b, &d), IK_ERR_RESOURCE);
  CHECK(d.msg[0].span.src == &src && d.msg[0].span.off == 9);
  EXPECT_ERROR(&d, IK_E062, "No such file");
  CHECK_EQ(ik_file_read("/tmp", 10, IK_NOSPAN, &b, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E062, "Is a directory");
  CHECK_EQ(ik_file_readable("/tmp", IK_NOSPAN, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E062, "'/tmp'");
  CHECK(!b.data);
}

CASE(a_limit_holds_for_files_and_streams) {
  ik_diag     d = {0};
  ik_buf      b = {0};
  const char *path = scratch_put("ten", "0123456789", 10);
  CHECK_EQ(ik_file_read(path, 10, IK_NOSPAN, &b, &d), IK_OK);
  CHECK_EQ(b.len, 10);
  CHECK_EQ(ik_file_read(path, 9, IK_NOSPAN, &b, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E063, "9 bytes");
  CHECK_EQ(ik_file_read("/dev/zero", 1 << 20, IK_NOSPAN, &b, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E063, "1048576 bytes");
  CHECK_EQ(ik_file_read("/dev/null", 0, IK_NOSPAN, &b, &d), IK_OK);
  CHECK_EQ(b.len, 0);
  CHECK_EQ(ik_file_read("/proc/self/status", 1 << 20, IK_NOSPAN, &b, &d),
           IK_OK); /* states size 0 */
  CHECK(b.len > 100 && b.len == strlen(b.data));
  ik_buf_free(&b);
  scratch_scan(true);
}

CASE(a_full_device_is_reported_and_kept) {
  ik_diag     d = {0};
  struct stat info;
  CHECK_EQ(ik_file_write("/dev/full", "x", 1, &d), IK_ERR_RESOURCE); /* fails at fclose */
  EXPECT_ERROR(&d, IK_E064, "'/dev/full': No space left");
  static char large[1 << 20];
  CHECK_EQ(ik_file_write("/dev/full", large, sizeof large, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "No space left");
  CHECK(stat("/dev/full", &info) == 0 && S_ISCHR(info.st_mode));
  CHECK_EQ(ik_file_write("/dev/null", large, sizeof large, &d), IK_OK);
  CHECK(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
}

/* In a child, because a limit on file sizes cannot be raised again. */
static int write_beyond_limit(void) {
  static char large[1 << 20];
  ik_diag     d = {0};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){1 << 16, 1 << 16});
  ik_status s = ik_file_write(scratch("old"), large, sizeof large, &d);
  bool      told = d.nmsg == 1 && d.msg[0].code == IK_E064;
  ik_diag_free(&d);
  return s == IK_ERR_RESOURCE && told ? 0 : 1;
}

CASE(a_failed_write_keeps_the_old_file) {
  scratch_put("old", "old", 3);
  pid_t pid = fork();
  if (pid == 0) _exit(write_beyond_limit());
  int status;
  CHECK_EQ(waitpid(pid, &status, 0), pid);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  check_content(scratch("old"), "old");
  CHECK_EQ(scratch_scan(true), 1);
}

CASE(unwritable_places) {
  ik_diag d = {0};
  CHECK_EQ(ik_file_write("/nowhere/at/all.npy", "x", 1, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "mkdir -p '/nowhere/at'");
  CHECK_EQ(ik_file_write("/proc/ikat.npy", "x", 1, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "'/proc/ikat.npy'");
  CHECK_EQ(ik_file_write("/tmp", "x", 1, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "Is a directory");
  CHECK_EQ(ik_file_write(scratch("new/"), "x", 1, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "Is a directory");
  CHECK_EQ(ik_file_write("", "x", 1, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "''");
  CHECK_EQ(scratch_scan(true), 0);
}

CASE(protected_folders_and_files) {
  ik_diag d = {0};
  if (geteuid() == 0) return; /* root may write everywhere */
  scratch_put("old", "old", 3);
  CHECK_EQ(chmod(scratch("old"), 0444), 0);
  CHECK_EQ(ik_file_write(scratch("old"), "x", 1, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "Permission denied");
  CHECK_EQ(chmod(scratch_dir, 0555), 0);
  CHECK_EQ(ik_file_write(scratch("new"), "x", 1, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "a folder that you may write to");
  CHECK_EQ(chmod(scratch_dir, 0755), 0);
  check_content(scratch("old"), "old");
  CHECK_EQ(scratch_scan(true), 1);
}

CASE(long_names) {
  ik_diag d = {0};
  char    name[300];
  memset(name, 'n', sizeof name);
  name[250] = 0;
  CHECK_EQ(ik_file_write(scratch(name), "x", 1, &d), IK_OK);
  check_content(scratch(name), "x");
  name[250] = 'n', name[299] = 0;
  CHECK_EQ(ik_file_write(scratch(name), "x", 1, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "too long");
  CHECK_EQ(scratch_scan(true), 1);
}

CASE(a_link_is_followed_and_the_mode_kept) {
  ik_diag     d = {0};
  struct stat info;
  scratch_put("real", "1", 1);
  CHECK_EQ(chmod(scratch("real"), 0640), 0);
  CHECK_EQ(symlink("real", scratch("link")), 0);
  CHECK_EQ(ik_file_write(scratch("link"), "2", 1, &d), IK_OK);
  check_content(scratch("real"), "2");
  CHECK(lstat(scratch("link"), &info) == 0 && S_ISLNK(info.st_mode));
  CHECK(stat(scratch("real"), &info) == 0 && (info.st_mode & 0777) == 0640);
  CHECK_EQ(scratch_scan(true), 2);
}

CASE(abandoning_leaves_nothing) {
  ik_diag    d = {0};
  ik_outfile o;
  CHECK_EQ(ik_outfile_open(&o, scratch("x"), IK_NOSPAN, &d), IK_OK);
  ik_outfile_write(&o, "abc", 3);
  CHECK_EQ(scratch_scan(false), 1); /* the temporary file */
  ik_outfile_abandon(&o);
  ik_outfile_abandon(&o);
  CHECK_EQ(scratch_scan(false), 0);
}

CASE(obstacles_are_known_before) {
  ik_diag d = {0};
  CHECK_EQ(ik_file_writable(scratch("new"), IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(scratch_scan(true), 0); /* nothing is made on the way */
  scratch_put("x", "abc", 3);
  CHECK_EQ(ik_file_writable(scratch("x"), IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(ik_file_writable("/dev/null", IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(ik_file_writable(scratch("none/x"), IK_NOSPAN, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "No such file");
  CHECK_EQ(ik_file_writable(scratch("x/y"), IK_NOSPAN, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "Not a directory");
  CHECK_EQ(ik_file_writable("/", IK_NOSPAN, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E064, "Is a directory");
  check_content(scratch("x"), "abc");
}

CASE(two_writers_do_not_meet) {
  ik_diag    d = {0};
  ik_outfile a, b;
  CHECK_EQ(ik_outfile_open(&a, scratch("x"), IK_NOSPAN, &d), IK_OK);
  CHECK_EQ(ik_outfile_open(&b, scratch("x"), IK_NOSPAN, &d), IK_OK);
  ik_outfile_write(&a, "first", 5);
  ik_outfile_write(&b, "second", 6);
  CHECK_EQ(ik_outfile_commit(&b, &d), IK_OK);
  check_content(scratch("x"), "second");
  CHECK_EQ(ik_outfile_commit(&a, &d), IK_OK);
  check_content(scratch("x"), "first");
  CHECK_EQ(scratch_scan(true), 1);
}

CASE(out_of_memory) {
  ik_diag d = {0};
  ik_buf  b = {0};
  scratch_put("x", "abc", 3);
  ik_mem_fail_after(0);
  CHECK_EQ(ik_file_read(scratch("x"), 10, IK_NOSPAN, &b, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E072, "memory");
  ik_mem_fail_after(0);
  CHECK_EQ(ik_file_write(scratch("x"), "new", 3, &d), IK_ERR_RESOURCE);
  EXPECT_ERROR(&d, IK_E072, "memory");
  ik_mem_fail_after(-1);
  check_content(scratch("x"), "abc");
  CHECK_EQ(scratch_scan(true), 1);
}
