/* Every allocation fails once: the call that needs it says so (IK_ERR_RESOURCE) or does without,
 * nothing crashes and nothing stays allocated. */
#include "base/mem.h"
#include "check.h"
#include <ikat/ikat.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
enum { DENSE = 60 };
#else
enum { DENSE = 120 };
#endif

/* After so many runs in a row without a failure, all allocations have had their turn. */
enum { ENOUGH = 12 };

static char folder[64];

static const char *in_folder(const char *name) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void remove_folder(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command)) fputs("the scratch folder stays\n", stderr);
}

static void make_folder(void) {
  if (folder[0]) return;
  strcpy(folder, "/tmp/ikat-oom-XXXXXX");
  if (!mkdtemp(folder)) abort();
  atexit(remove_folder);
}

/* ---- what is done while memory is short ---- */

typedef ik_status work(ik_program *p, ik_log *log);

static ik_status compile(ik_program *p, ik_log *log) {
  ik_status st = ik_program_compile(p, log);
  ik_log_text(log, false), ik_log_json(log);
  return st;
}

static ik_status show(ik_program *p, ik_log *log) {
  static const char *const views[] = {"source", "format",     "ast",    "ir",
                                      "facts",  "facts-json", "summary"};
  ik_status                st = ik_program_compile(p, log);
  for (size_t i = 0; !st && i < sizeof views / sizeof *views; i++)
    if (!ik_program_show(p, views[i], NULL, log)) st = IK_ERR_RESOURCE;
  return st;
}

static ik_status files(ik_run *r, ik_log *log) {
  ik_picture_options picture;
  const char        *page;
  ik_status          st = ik_run_write_outputs(r, log);
  ik_picture_options_init(&picture);
  if (!st) st = ik_run_write(r, in_folder("u.npy"), "u", log);
  if (!st) st = ik_run_picture(r, &picture, in_folder("u.png"), log);
  if (!st) st = ik_run_report(r, in_folder("report"), "ikat run", log, &page);
  return st;
}

static ik_status run_and(ik_program *p, ik_log *log, ik_status (*then)(ik_run *, ik_log *)) {
  ik_run_options o;
  ik_run        *r = NULL;
  ik_status      st = ik_program_compile(p, log);
  ik_run_options_init(&o);
  o.directory = folder, o.allow_unstable = true;
  if (!st) st = ik_run_create(p, &o, log, &r);
  if (!st) st = ik_run_advance(r, 2, log);
  if (!st) st = ik_run_advance(r, -1, log);
  if (!st) ik_run_plan(r), ik_run_summary(r), ik_run_json(r);
  if (!st) st = then(r, log);
  ik_run_destroy(&r);
  return st;
}

static ik_status run(ik_program *p, ik_log *log) { return run_and(p, log, ik_run_write_outputs); }
static ik_status report(ik_program *p, ik_log *log) { return run_and(p, log, files); }

static ik_status verify(ik_program *p, ik_log *log) {
  const char    *text;
  ik_run_options o;
  ik_status      st = ik_program_compile(p, log);
  ik_run_options_init(&o);
  o.allow_unstable = true, o.quiet_files = true;
  return st ? st : ik_verify(p, &o, log, false, &text);
}

/* ---- every allocation in turn ---- */

static char said[2048]; /* by the last run */

static ik_status once(const char *text, work *f) {
  ik_log     *log = ik_log_create();
  ik_program *p = NULL;
  if (!log) return IK_ERR_RESOURCE;
  ik_status st = ik_program_from_text("oom", text, log, &p);
  if (!st) st = f(p, log);
  ik_mem_fail_after(-1);
  snprintf(said, sizeof said, "%s", ik_log_text(log, false));
  ik_program_destroy(&p);
  ik_log_destroy(&log);
  return st;
}

/* `expected` is how it ends when memory suffices. */
static void exhaust(const char *text, work *f, ik_status expected) {
  int      fine = 0, failed = 0;
  uint64_t turn = 0;
  make_folder();
  once(text, f); /* libraries loaded at the first call keep what they have */
  for (long n = 0; fine < ENOUGH; n += n < DENSE ? 1 : n / 10) {
    if (!check_is_due(turn++)) continue;
    long live = ik_mem_live();
    ik_mem_fail_after(n);
    ik_status st = once(text, f);
    if (st != expected && st != IK_ERR_RESOURCE)
      check_fail(__FILE__, __LINE__, "allocation %ld: ends with status %d\n%s", n, (int)st, said);
    if (ik_mem_live() != live)
      check_fail(__FILE__, __LINE__, "allocation %ld: leaves %ld blocks\n%s", n,
                 ik_mem_live() - live, said);
    fine = st == expected ? fine + 1 : 0;
    failed += st == IK_ERR_RESOURCE;
    if (ik_mem_live() != live) break;
  }
  CHECK(failed > 0 || expected == IK_ERR_RESOURCE);
  CHECK_EQ(once(text, f), expected);
}

/* ---- programs ---- */

static const char waves[] =
    "param dt = 1 ms, c = 1500 m/s\n"
    "grid x = 20, y = 16, spacing = 5 m\n"
    "field u : f32, history 2\n"
    "field k : f32 = 1 + 0.1*noise(3)\n"
    "boundary u = absorbing(4)\n"
    "source ricker(f = 25 Hz) at (8, 6) into u\n"
    "receiver u at line (0, 2) .. (15, 2) count 5 with sinc into \"r.npy\"\n"
    "receiver u at (3, 3) into \"r.segy\"\n"
    "output u every 2 into \"u.npy\"\n"
    "step 6 { u' = 2*u - u[t-1] + (c*dt)^2*laplacian(u, order = 4) }\n";

static const char stages[] =
    "grid x = 12, y = 7, z = 5\n"
    "weights w = star(1, if distance == 0 then 0.4 else 0.1)\n"
    "def lap(a) = a[1,0,0] + a[-1,0,0] - 2*a\n"
    "field u, v : f64 = noise(1)\n"
    "field h : f16, on (x+1, y) = 0.5\n"
    "boundary u { x = periodic; -y = mirror; +y = sin(x); z = copy }\n"
    "boundary v = 0\n"
    "step 3 {\n"
    "  a = lap(u) + h; b = a[1,0,0] - a[-1,0,0]\n"
    "  u' = if b > 0 then u else stencil(u, w) on interior(1)\n"
    "  s = norm(u')\n"
    "  sweep z up { at first { c = u; v = u } within { c = c[0,0,-1] + u; v = v[0,0,-1] - c*s } }\n"
    "}\n"
    "repeat until max(abs(v)) < 1e-3 max 4 { v = 0.5*v }\n";

static const char mistakes[] = "grid x = 4, y = 4\n"
                               "field u : f64\n"
                               "field uu : f23\n"
                               "boundary u = periodc\n"
                               "step 3 { u' = u[1,0,0] + velo*2 + laplacian(uv) + sum(sum(u)) }\n"
                               "u = \"text\n";

static const char arrays[] = "grid x = 6, y = 6, spacing = 1 m\n"
                             "param dt = 1 s\n"
                             "weights w = file(\"%1$s/w.npy\")\n"
                             "weights p = sparse(\"%1$s/p.npy\")\n"
                             "field u : f64 = file(\"%1$s/u.npy\")\n"
                             "boundary u = 0\n"
                             "source wavelet(\"%1$s/s.npy\") at (2, 2) into u\n"
                             "receiver u at file(\"%1$s/r.npy\") into \"out.npy\"\n"
                             "step 3 { u' = 0.1*stencil(u, w) + 0.1*stencil(u, p) }\n";

/* A .npy file of rows x columns equal numbers (rows 0: one axis). */
static void put_array(const char *name, int rows, int columns, double value) {
  char   shape[32], header[128];
  double v[64];
  FILE  *f = fopen(in_folder(name), "wb");
  int    n = (rows ? rows : 1) * columns;
  if (!f) abort();
  if (rows)
    snprintf(shape, sizeof shape, "(%d, %d)", rows, columns);
  else
    snprintf(shape, sizeof shape, "(%d,)", columns);
  snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", shape);
  fprintf(f, "\x93NUMPY%c%c%c%c%-117s\n", 1, 0, 118, 0, header);
  for (int i = 0; i < n; i++) v[i] = value;
  if (ftell(f) != 128 || fwrite(v, sizeof *v, (size_t)n, f) != (size_t)n || fclose(f)) abort();
}

CASE(compiling_waves) { exhaust(waves, compile, IK_OK); }
CASE(compiling_stages) { exhaust(stages, compile, IK_OK); }
CASE(compiling_mistakes) { exhaust(mistakes, compile, IK_ERR_SOURCE); }
CASE(showing_stages) { exhaust(stages, show, IK_OK); }
CASE(running_waves) { exhaust(waves, run, IK_OK); }
CASE(reporting_waves) { exhaust(waves, report, IK_OK); }
CASE(running_stages) { exhaust(stages, run, IK_OK); }
CASE(verifying_stages) { exhaust(stages, verify, IK_OK); }

CASE(running_with_arrays) {
  char text[1024];
  make_folder();
  put_array("w.npy", 3, 3, 1), put_array("p.npy", 2, 3, 1), put_array("u.npy", 6, 6, 1);
  put_array("s.npy", 0, 5, 1), put_array("r.npy", 2, 2, 1);
  snprintf(text, sizeof text, arrays, folder);
  exhaust(text, run, IK_OK);
}
