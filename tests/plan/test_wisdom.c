#include "plan/wisdom.h"
#include "../io/scratch.h"
#include "../lang/program.h"
#include <sys/stat.h>
#include <sys/wait.h>

static const ik_wisdom_key key = {"1.2.3", 0x1234, 0x5678, 4, "cpu"};

static ik_plan some_plan(void) {
  ik_plan p = {.target = "cpu", .strategy = "fuse", .steps = 8, .tile = {512, 0, 0}, .cpu.rows = 4};
  p.cpu.vectors = 2, p.cpu.vector_bytes = 32, p.cpu.stream = true, p.threads = 4;
  return p;
}

static const char *kept(const char *name) {
  ik_diag     d = {0};
  ik_plan     p = some_plan();
  const char *path = scratch(name);
  remove(path);
  CHECK_EQ(ik_wisdom_keep(path, &key, &p, 1.5, &d), IK_OK);
  CHECK_EQ(d.nmsg, 0);
  return path;
}

/* Nothing is found, and one line says why; part NULL: nothing needs to be said. */
static void expect_none(const char *path, const ik_wisdom_key *k, const char *part) {
  ik_plan p;
  ik_diag d = {0};
  CHECK(!ik_wisdom_find(path, k, &p, &d));
  CHECK_EQ(d.nerror, 0);
  if (part)
    EXPECT_ERROR(&d, IK_W006, part);
  else
    CHECK_EQ(d.nmsg, 0);
  ik_diag_free(&d);
}

static bool found(const char *path, const ik_wisdom_key *k, ik_plan *p) {
  ik_diag d = {0};
  bool    ok = ik_wisdom_find(path, k, p, &d);
  CHECK_EQ(d.nmsg, 0);
  ik_diag_free(&d);
  return ok;
}

CASE(what_is_kept_comes_back) {
  const char *path = kept("wisdom");
  ik_plan     p, want = some_plan();
  ik_buf      a = {0}, b = {0};
  CHECK(found(path, &key, &p));
  ik_plan_write(&p, &a), ik_plan_write(&want, &b);
  CHECK_STR(ik_buf_text(&a), ik_buf_text(&b));
  CHECK_STR(p.target, "cpu");
  CHECK_EQ(p.threads, 4);
  ik_buf_free(&a), ik_buf_free(&b);
}

CASE(the_file_is_text_with_a_signature) {
  ik_buf  text = {0};
  ik_diag d = {0};
  CHECK_EQ(ik_file_read(kept("wisdom"), 4096, IK_NOSPAN, &text, &d), IK_OK);
  const char want[] = "ikat wisdom 1 1.2.3\n0000000000001234 0000000000005678 4 cpu fuse steps=8 ";
  CHECK(strncmp(ik_buf_text(&text), want, strlen(want)) == 0);
  CHECK(strstr(ik_buf_text(&text), " = 1.5 GPts/s\n"));
  ik_buf_free(&text);
}

CASE(the_untuned_choice_can_win) {
  ik_diag     d = {0};
  ik_plan     p = some_plan();
  const char *path = scratch("untuned");
  CHECK_EQ(ik_wisdom_keep(path, &key, NULL, 0.25, &d), IK_OK);
  CHECK(found(path, &key, &p));
  CHECK(p.strategy == NULL);
}

CASE(the_last_one_counts_and_others_stay) {
  const char   *path = kept("wisdom");
  ik_diag       d = {0};
  ik_plan       p = some_plan(), q;
  ik_wisdom_key other = key;
  struct stat   before, after;
  other.program = 9;
  p.steps = 3;
  CHECK_EQ(ik_wisdom_keep(path, &other, &p, 2, &d), IK_OK);
  stat(path, &before);
  p.steps = 5;
  CHECK_EQ(ik_wisdom_keep(path, &other, &p, 2, &d), IK_OK);
  stat(path, &after);
  CHECK_EQ(before.st_size, after.st_size);
  CHECK(found(path, &key, &q));
  CHECK_EQ(q.steps, 8);
  CHECK(found(path, &other, &q));
  CHECK_EQ(q.steps, 5);
}

CASE(what_does_not_fit_is_not_found) {
  const char   *path = kept("wisdom");
  ik_wisdom_key k = key;
  expect_none(scratch("nothere"), &key, NULL);
  k.program = 1;
  expect_none(path, &k, NULL);
  k = key, k.threads = 2;
  expect_none(path, &k, NULL);
  k = key, k.target = "cuda";
  expect_none(path, &k, NULL);
  k = key, k.machine = 1;
  expect_none(path, &k, "on another machine");
  k = key, k.version = "1.2.4";
  expect_none(path, &k, "of version '1.2.3'");
  k = key, k.version = "1.2";
  expect_none(path, &k, "of version '1.2.3'");
}

CASE(another_machine_keeps_its_own) {
  const char   *path = kept("wisdom");
  ik_wisdom_key there = key;
  ik_diag       d = {0};
  ik_plan       p = some_plan();
  there.machine = 77, p.steps = 2;
  CHECK_EQ(ik_wisdom_keep(path, &there, &p, 1, &d), IK_OK);
  CHECK(found(path, &key, &p));
  CHECK_EQ(p.steps, 8);
  CHECK(found(path, &there, &p));
  CHECK_EQ(p.steps, 2);
}

CASE(a_new_version_begins_anew) {
  const char   *path = kept("wisdom");
  ik_wisdom_key newer = key;
  ik_diag       d = {0};
  ik_plan       p = some_plan();
  newer.version = "2.0.0", newer.program = 42;
  CHECK_EQ(ik_wisdom_keep(path, &newer, &p, 1, &d), IK_OK);
  CHECK(found(path, &newer, &p));
  newer.program = key.program;
  expect_none(path, &newer, NULL);
}

CASE(lines_that_cannot_be_read) {
  static const char *const bad[] = {
      "4 cpu",
      "4 cpu = 1 GPts/s",
      "4 cpu untuned = 1 GPts",
      "4 cpu untuned = nan GPts/s",
      "0 cpu untuned = 1 GPts/s",
      "cpu untuned = 1 GPts/s",
      "4 cpu fuse steps=8 = 1 GPts/s",
      "4 cpu fuse steps=8 tile=512 rows=4 vectors=2 bytes=32",
      "4 cpu steps=8 tile=512 rows=4 vectors=2 bytes=32 = 1 GPts/s",
      "4 cpu fuse steps=8 tile=512 rows=4 vectors=2 bytes=31 = 1 GPts/s",
      "4 cpu fuse steps=8 tile=512 rows=4 vectors=2 bytes=32 speed=1 = 1 GPts/s",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[512];
    int  n = snprintf(text, sizeof text,
                      "ikat wisdom 1 1.2.3\n0000000000001234 0000000000005678 %s\n", bad[i]);
    expect_none(scratch_put("bad", text, (size_t)n), &key, "1 cannot be read");
  }
}

CASE(what_is_no_file_of_wisdom) {
  expect_none(scratch_put("empty", "", 0), &key, "not a wisdom file");
  expect_none(scratch_put("short", "ikat wisdom 1 ", 14), &key, "not a wisdom file");
  expect_none(scratch_put("two", "ikat wisdom 2 1.2.3\n", 20), &key, "not a wisdom file");
  expect_none(scratch_put("esc", "ikat wisdom 1 \33[31m\n", 20), &key, "of version ''");
  mkdir(scratch("folder"), 0700);
  expect_none(scratch("folder"), &key, "not a wisdom file");
  expect_none("/dev/zero", &key, "not a wisdom file");
  static char long_text[(1 << 20) + 1] = "ikat wisdom 1 1.2.3\n";
  expect_none(scratch_put("long", long_text, sizeof long_text), &key, "not a wisdom file");
}

/* Whatever is there: no crash, at most one line, and what is kept afterwards is found. */
CASE(random_bytes_and_mutations) {
  uint32_t      seed = 7;
  ik_diag       d = {0};
  ik_plan       p = some_plan();
  ik_buf        whole = {0};
  unsigned char bytes[1024];
  CHECK_EQ(ik_file_read(kept("wisdom"), 1000, IK_NOSPAN, &whole, &d), IK_OK);
  for (int i = 0; i < 2000; i++) {
    size_t len = whole.len;
    memcpy(bytes, whole.data, len);
    if (i % 2)
      len = mutate(&seed, bytes, len, len);
    else
      for (size_t k = 20; k < len; k++) bytes[k] = (unsigned char)random_next(&seed);
    if (i % 10 == 0)
      for (size_t k = 0; k < len; k++) bytes[k] = (unsigned char)random_next(&seed);
    const char *path = scratch_put("random", bytes, len);
    ik_wisdom_find(path, &key, &p, &d);
    CHECK(d.nmsg <= 1 && d.nerror == 0);
    ik_diag_free(&d);
    if (i % 50) continue;
    p = some_plan();
    CHECK_EQ(ik_wisdom_keep(path, &key, &p, 1, &d), IK_OK);
    CHECK(found(path, &key, &p));
  }
  ik_buf_free(&whole);
}

CASE(folders_are_made_for_the_user_alone) {
  ik_diag     d = {0};
  ik_plan     p = some_plan();
  struct stat info;
  char        path[400];
  snprintf(path, sizeof path, "%s/b/wisdom", scratch("a"));
  CHECK_EQ(ik_wisdom_keep(path, &key, &p, 1, &d), IK_OK);
  CHECK(found(path, &key, &p));
  CHECK(stat(scratch("a"), &info) == 0 && (info.st_mode & 0777) == 0700);
  remove(path);
  rmdir(scratch("a/b"));
}

CASE(what_cannot_be_written_is_told_and_nothing_is_lost) {
  ik_diag     d = {0};
  ik_plan     p = some_plan();
  const char *path = kept("wisdom");
  CHECK(ik_wisdom_keep("/proc/none/wisdom", &key, &p, 1, &d) != IK_OK);
  EXPECT_ERROR(&d, IK_E064, "/proc/none");
  mkdir(scratch("taken"), 0700);
  CHECK(ik_wisdom_keep(scratch("taken"), &key, &p, 1, &d) != IK_OK);
  EXPECT_ERROR(&d, IK_E064, "taken");
  if (geteuid() == 0) return; /* who may write everywhere */
  chmod(scratch_dir, 0500);
  CHECK(ik_wisdom_keep(path, &key, &p, 1, &d) != IK_OK);
  chmod(scratch_dir, 0700);
  EXPECT_ERROR(&d, IK_E064, "wisdom");
  CHECK(found(path, &key, &p));
}

CASE(many_writers_at_once) {
  enum { WRITERS = 6, EACH = 8 };
  const char   *path = kept("wisdom");
  ik_wisdom_key k = key;
  ik_plan       p = some_plan();
  int           bad = 0, status;
  for (int w = 0; w < WRITERS; w++) {
    if (fork()) continue;
    for (int i = 0; i < EACH; i++) {
      ik_diag d = {0};
      k.program = 1000 + (uint64_t)(w * EACH + i);
      bad += ik_wisdom_keep(path, &k, &p, 1, &d) != IK_OK;
    }
    _exit(bad != 0);
  }
  for (int w = 0; w < WRITERS; w++) wait(&status), bad += status != 0;
  CHECK_EQ(bad, 0);
  for (int i = 0; i < WRITERS * EACH; i++) {
    k.program = 1000 + (uint64_t)i;
    CHECK(found(path, &k, &p));
  }
  CHECK(found(path, &key, &p));
}

CASE(the_file_stays_small) {
  enum { MANY = 1010 };
  const char   *path = kept("wisdom");
  ik_wisdom_key k = key;
  ik_diag       d = {0};
  ik_plan       p = some_plan();
  for (int i = 0; i < MANY; i++) {
    k.program = 5000 + (uint64_t)i;
    CHECK_EQ(ik_wisdom_keep(path, &k, NULL, 1, &d), IK_OK);
  }
  CHECK(found(path, &k, &p)); /* the newest */
  expect_none(path, &key, NULL);
}

static uint64_t signature(const char *text, int64_t steps) {
  program  p;
  uint64_t h = 0;
  if (program_open_with(&p, text, NULL, 0, steps)) h = ik_wisdom_program(p.ir);
  CHECK(h != 0);
  program_close(&p);
  return h;
}

CASE(programs_are_known_by_what_they_compute) {
  static const char a[] = "grid x = 8\nfield u : f64\nboundary u = 0\nstep 3 { u' = u[-1] }\n";
  static const char larger[] = "grid x = 9\nfield u : f64\nboundary u = 0\nstep 3 { u' = u[-1] }\n";
  static const char other[] = "grid x = 8\nfield u : f64\nboundary u = 0\nstep 3 { u' = u[1] }\n";
  static const char typed[] = "grid x = 8\nfield u : f32\nboundary u = 0\nstep 3 { u' = u[-1] }\n";
  uint64_t          h = signature(a, -1);
  CHECK(signature(a, -1) == h);
  CHECK(signature(a, 1000) == h);
  CHECK(signature(larger, -1) != h);
  CHECK(signature(other, -1) != h);
  CHECK(signature(typed, -1) != h);
}
