#include "io/scratch.h"
#include "apps/probe/probe.h"
#include <sys/stat.h>

static ik_probe_result some_figures(void) {
  return (ik_probe_result){.n = 5,
                           .figure = {{"l2.bandwidth", "GB/s", 144.3217, 143.9, 144.4, 11, "reads"},
                                      {"time.barrier", "us", 0.30894, 0.3, 0.31, 11, "no work"},
                                      {"cache.l2.plan", "KiB", 996, 996, 996, 0, "of a core"},
                                      {"memory.bandwidth.64", "GB/s", 150, 150, 150, 0, "best"},
                                      {"time.slowest", "", 1.25, 1.2, 1.5, 11, "fma"}}};
}

static const ik_figure signature[] = {
    {.key = "title", .value = "Test \"core\"", .unit = ""},
    {.key = "cpu.cores", .value = "8", .numeric = true, .number = 8, .unit = ""},
};

CASE(the_text_is_a_machine_file) {
  ik_probe_result  r = some_figures();
  const ik_machine m = {.name = "local", .figure = signature, .n = 2};
  ik_buf           text = {0};
  ik_probe_write(&r, &m, 8, &text);
  CHECK_STR(
      ik_buf_text(&text),
      "# Written by `ikat machine probe`, and of no use on another machine.\n\n"
      "title = \"Test 'core'\"\n"
      "kind = \"cpu\"\n"
      "cpu.cores = 8 source M \"ikat machine probe\"\n"
      "probe.threads = 8 source M \"ikat machine probe\" # unless a figure is .one, .2, ...\n\n"
      "l2.bandwidth = 144.3 GB/s source M \"ikat machine probe\""
      " # reads; 11 rounds, the middle half from 143.9 to 144.4\n"
      "time.barrier = 0.3089 us source M \"ikat machine probe\""
      " # no work; 11 rounds, the middle half from 0.3 to 0.31\n"
      "cache.l2.plan = 996 KiB source M \"ikat machine probe\" # of a core\n"
      "memory.bandwidth.64 = 150 GB/s source M \"ikat machine probe\" # best\n"
      "time.slowest = 1.25 source M \"ikat machine probe\""
      " # fma; 11 rounds, the middle half from 1.2 to 1.5\n");
  ik_buf_free(&text);
}

/* ---- with this machine's own signature ---- */

typedef struct looking {
  ik_arena    arena;
  ik_diag     diag;
  ik_machine *machine;
} looking;

static void look(looking *l, const char *path) {
  char name[500];
  *l = (looking){0};
  snprintf(name, sizeof name, "local@%s", path);
  ik_arena_init(&l->arena);
  if (setjmp(l->arena.oom)) abort();
  CHECK_EQ(ik_machine_find(name, &l->arena, &l->diag, &l->machine), IK_OK);
}

static void end(looking *l) {
  ik_arena_free(&l->arena);
  ik_diag_free(&l->diag);
}

static double number(const ik_machine *m, const char *key, const char *unit) {
  double v;
  return ik_machine_number(m, key, unit, &v) ? v : NAN;
}

static void local_text(ik_buf *out) {
  ik_arena        a;
  ik_probe_result r = some_figures();
  ik_arena_init(&a);
  if (setjmp(a.oom)) abort();
  ik_probe_write(&r, ik_machine_local("", &a), 2, out);
  ik_arena_free(&a);
}

/* A file for this machine; `from` in it is replaced by `to`. */
static const char *put_local(const char *name, const char *from, const char *to) {
  ik_buf text = {0}, changed = {0};
  local_text(&text);
  const char *all = ik_buf_text(&text), *at = from ? strstr(all, from) : NULL;
  CHECK(at || !from);
  if (at) {
    ik_buf_write(&changed, all, (size_t)(at - all));
    ik_buf_printf(&changed, "%s%s", to, at + strlen(from));
  }
  const ik_buf *b = at ? &changed : &text;
  const char   *path = scratch_put(name, b->data, b->len);
  ik_buf_free(&text), ik_buf_free(&changed);
  return path;
}

CASE(what_was_kept_belongs_to_local) {
  looking     l;
  const char *path = put_local("kept", NULL, NULL);
  look(&l, path);
  CHECK_EQ(l.diag.nmsg, 0);
  CHECK_STR(l.machine->name, "local");
  CHECK_NEAR(number(l.machine, "l2.bandwidth", "B/s"), 144.3e9, 1);
  CHECK_NEAR(number(l.machine, "time.barrier", "s"), 0.3089e-6, 1e-15);
  CHECK_NEAR(number(l.machine, "cache.l2.plan", "B"), 996 * 1024, 0);
  CHECK_NEAR(number(l.machine, "memory.bandwidth.64", "B/s"), 150e9, 1);
  CHECK_NEAR(number(l.machine, "time.slowest", ""), 1.25, 0); /* a ratio */
  const ik_figure *f = ik_machine_get(l.machine, "l2.bandwidth");
  CHECK(f && f->label == 'M' && f->source && strcmp(f->source, "ikat machine probe") == 0);
  for (int i = 0; i < l.machine->n; i++) /* each once; the system's own first */
    CHECK(ik_machine_get(l.machine, l.machine->figure[i].key) == &l.machine->figure[i]);
  f = ik_machine_get(l.machine, "title");
  CHECK(f && strcmp(f->source, "/proc/cpuinfo") == 0);
  end(&l);
}

/* Nothing but what the system tells; one line says why, or there is nothing to say (NULL). */
static void expect_unused(const char *path, const char *why) {
  looking l;
  look(&l, path);
  CHECK(l.machine && ik_machine_text(l.machine, "title"));
  CHECK(!ik_machine_get(l.machine, "l2.bandwidth"));
  CHECK_EQ(l.diag.nerror, 0);
  if (why)
    EXPECT_ERROR(&l.diag, IK_W006, why);
  else
    CHECK_EQ(l.diag.nmsg, 0);
  end(&l);
}

CASE(no_file_is_nothing_to_talk_about) {
  expect_unused(scratch("absent"), NULL);
  expect_unused("/dev/null/absent", NULL);
  expect_unused("", NULL);
}

CASE(another_machine_is_told_apart) {
  expect_unused(put_local("kept", "title = \"", "title = \"Another "), "on another machine");
  expect_unused(put_local("kept", "title = ", "name = "), "on another machine");
  expect_unused(put_local("kept", "kind", "cpu.wings = 2\nkind"), "on another machine");
  expect_unused(put_local("kept", "cpu.usable = ", "cpu.usable = 9"), "on another machine");
}

CASE(garbage_is_not_used) {
  char nothing[64] = {0};
  expect_unused(scratch_put("kept", nothing, sizeof nothing), "not a machine file");
  expect_unused(scratch_put("kept", "l2.bandwidth = fast\n", 20), "not a machine file");
  expect_unused(scratch_put("kept", "", 0), "on another machine");
  expect_unused(put_local("kept", "996 KiB", "996 KiB KiB KiB"), "not a machine file");
  expect_unused(scratch_dir, "not a machine file");
  expect_unused("/dev/zero", "not a machine file");
}

CASE(any_damage_is_survived) {
  uint32_t seed = 7;
  ik_buf   text = {0};
  local_text(&text);
  unsigned char *bytes = malloc(text.len + 8);
  CHECK(bytes != NULL);
  for (int i = 0; i < 300 && bytes; i++) {
    looking l;
    memcpy(bytes, text.data, text.len);
    size_t len = mutate(&seed, bytes, text.len, text.len);
    look(&l, scratch_put("damaged", bytes, len < text.len ? len : text.len));
    CHECK(l.machine && l.diag.nerror == 0 && l.diag.nmsg <= 1);
    end(&l);
  }
  free(bytes);
  ik_buf_free(&text);
}

/* ---- keeping ---- */

CASE(keeping_makes_the_folder_and_replaces_the_file) {
  ik_buf      text = {0}, back = {0};
  ik_diag     d = {0};
  struct stat info;
  char        path[500];
  snprintf(path, sizeof path, "%s/local.ikm", scratch("new"));
  ik_buf_puts(&text, "first, and longer\n");
  CHECK_EQ(ik_probe_keep(path, &text, &d), IK_OK);
  CHECK(stat(scratch("new"), &info) == 0 && (info.st_mode & 0777) == 0700);
  ik_buf_free(&text);
  ik_buf_puts(&text, "second\n");
  CHECK_EQ(ik_probe_keep(path, &text, &d), IK_OK);
  CHECK_EQ(ik_file_read(path, 100, IK_NOSPAN, &back, &d), IK_OK);
  CHECK_STR(ik_buf_text(&back), "second\n");
  CHECK_EQ(d.nmsg, 0);
  remove(path);
  ik_buf_free(&text), ik_buf_free(&back);
}

/* It took longer than the measurement that replaces the rest. */
CASE(keeping_leaves_what_was_fitted) {
  static const char old[] = "clock = 1 GHz\nmodel.byte = 0.1 cycles\nmodel.vector = 16 B";
  ik_buf            text = {0}, back = {0};
  ik_diag           d = {0};
  const char       *path = scratch_put("fitted", old, sizeof old - 1);
  ik_buf_puts(&text, "clock = 2 GHz\n");
  CHECK_EQ(ik_probe_keep(path, &text, &d), IK_OK);
  CHECK_EQ(ik_file_read(path, 100, IK_NOSPAN, &back, &d), IK_OK);
  CHECK_STR(ik_buf_text(&back), "clock = 2 GHz\nmodel.byte = 0.1 cycles\nmodel.vector = 16 B");
  CHECK_EQ(d.nmsg, 0);
  ik_buf_free(&text), ik_buf_free(&back);
}

CASE(what_cannot_be_written_is_told_and_nothing_is_lost) {
  ik_buf      text = {0}, back = {0};
  ik_diag     d = {0};
  const char *path = scratch_put("old", "old\n", 4);
  ik_buf_puts(&text, "new\n");
  CHECK(ik_probe_keep("/proc/none/local.ikm", &text, &d) != IK_OK);
  EXPECT_ERROR(&d, IK_E064, "/proc/none");
  CHECK(ik_probe_keep("/dev/full", &text, &d) != IK_OK);
  EXPECT_ERROR(&d, IK_E064, "/dev/full");
  mkdir(scratch("taken"), 0700);
  CHECK(ik_probe_keep(scratch("taken"), &text, &d) != IK_OK);
  EXPECT_ERROR(&d, IK_E064, "taken");
  if (geteuid()) { /* who may not write everywhere */
    chmod(scratch_dir, 0500);
    CHECK(ik_probe_keep(path, &text, &d) != IK_OK);
    chmod(scratch_dir, 0700);
    EXPECT_ERROR(&d, IK_E064, "old");
  }
  CHECK_EQ(ik_file_read(path, 100, IK_NOSPAN, &back, &d), IK_OK);
  CHECK_STR(ik_buf_text(&back), "old\n");
  ik_buf_free(&text), ik_buf_free(&back);
}

CASE(a_text_that_memory_was_short_for_is_not_written) {
  ik_buf  text = {.failed = true};
  ik_diag d = {0};
  CHECK(ik_probe_keep(scratch("short"), &text, &d) != IK_OK);
  EXPECT_ERROR(&d, IK_E072, "");
  CHECK(access(scratch("short"), F_OK) != 0);
}
