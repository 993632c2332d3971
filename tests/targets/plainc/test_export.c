/* Exported programs, compiled by the C compiler and run: they print what the interpreter has, the
 * hash of all fields and the scalars.
 *
 * IKAT_SEED is the first seed of random programs, IKAT_COUNT how many there are; of a seed
 * that fails everything is shown. */
#include "base/embed.h"
#include "check.h"
#include "random/generate.h"
#include "random/trial.h"
#include "sanitized.h"
#include "targets/plainc/plainc.h"
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

/* Warnings are errors: people compile the file with their own options. */
#define COMPILER                                                                                   \
  "cc -std=c99 -O1 -ffp-contract=off -Wall -Wextra -pedantic -Wno-unused-parameter -Werror"

static const char *scratch(const char *end) {
  static char path[2][64];
  static int  turn;
  const char *folder = getenv("TMPDIR");
  turn = !turn;
  snprintf(path[turn], sizeof path[turn], "%.40s/ikat-export-%d%s", folder ? folder : "/tmp",
           (int)getpid(), end);
  return path[turn];
}

static bool save(const char *path, const ik_buf *text) {
  FILE *f = fopen(path, "w");
  return f && fwrite(text->data, 1, text->len, f) == text->len && !fclose(f);
}

/* What a command prints, complaints included; false if it fails. */
static bool run_command(const char *command, ik_buf *out) {
  char   line[4096];
  size_t n;
  FILE  *f = popen(command, "r");
  while (f && (n = fread(line, 1, sizeof line, f))) ik_buf_write(out, line, n);
  return f && pclose(f) == 0;
}

/* An exported file, compiled and run. */
static bool run_file(const ik_buf *text, ik_buf *out) {
  char        command[512];
  const char *source = scratch(".c"), *program = scratch("");
  snprintf(command, sizeof command, COMPILER " %s -lm -o %s 2>&1 && %s 2>&1", source, program,
           program);
  bool ok = save(source, text) && run_command(command, out);
  remove(source), remove(program);
  return ok;
}

/* What the interpreter has in the end. */
static void expect(const trial *t, ik_buf *out) {
  for (int i = 0; i < t->ir->nscalar; i++)
    if (!t->ir->scalar[i].hidden)
      ik_buf_printf(out, "  %s = %.*g\n", t->ir->scalar[i].name,
                    t->ir->scalar[i].type == IK_I32 ? 10 : 9, t->state->scalar[i]);
  ik_buf_printf(out, "  hash    %016" PRIx64 "\n", ik_state_hash(t->state));
}

static bool agrees(const char *name, const char *text) {
  trial  t;
  ik_buf file = {0}, got = {0}, want = {0};
  bool   ok = trial_open(&t, name, text) && trial_play(&t, "ref", NULL) &&
            !ik_plainc_print(t.ir, &t.src, &t.diag, &file) && run_file(&file, &got);
  if (ok) expect(&t, &want);
  ok = ok && strcmp(ik_buf_text(&got), ik_buf_text(&want)) == 0;
  if (!ok) ik_diag_render(&t.diag, false, &want);
  if (!ok) printf("%s\n%s\n%s\nnot\n%s\n", text, ik_buf_text(&file), got.data, want.data);
  ik_buf_free(&file), ik_buf_free(&got), ik_buf_free(&want);
  trial_close(&t);
  return ok;
}

CASE(examples) {
  uint64_t i = 0;
  for (const ik_embedded *e = ik_embedded_files; e->name; e++) {
    bool large = strstr(e->name, "wave2d") || strstr(e->name, "gray") || strstr(e->name, "vadvc");
    if (strncmp(e->name, "examples/", 9) != 0 || !strstr(e->name, ".ik") || large) continue;
    if (check_is_due(i++) && !agrees(e->name, e->data))
      check_fail(__FILE__, __LINE__, "%s", e->name);
  }
}

/* ---- passes ---- */

/* Does an example's file have each of these lines, and none with `never`? */
static void check_text(const char *name, const char *const *lines, const char *never) {
  trial  t;
  ik_buf file = {0};
  CHECK(trial_open(&t, name, ik_embed_find(name)->data));
  CHECK_EQ(ik_plainc_print(t.ir, &t.src, &t.diag, &file), IK_OK);
  for (; *lines; lines++)
    if (!strstr(ik_buf_text(&file), *lines)) check_fail(__FILE__, __LINE__, "no %s", *lines);
  CHECK(!strstr(ik_buf_text(&file), never));
  ik_buf_free(&file);
  trial_close(&t);
}

CASE(temporaries_are_rings_of_planes) {
  static const char *const lines[] = {
      "static float (*lap)[3][NX - 1];",
      "for (long front = 1; front < NY - 1; front++) {",
      "lap[z][y % 3][x] =",
      "y = front - 1;",
      "lap[z][(y + 1) % 3][x]",
      "/* flx = lap[1,0,0] - lap */", /* of one that is computed where it is read */
      NULL,
  };
  check_text("examples/hdiff.ik", lines, "(*flx)");
}

CASE(what_is_read_at_its_cell_alone_is_a_variable) {
  static const char *const lines[] = {"const float corr =", "dcol[z - 1][y][x]*a)*q", NULL};
  check_text("examples/vadvc.ik", lines, "(*corr)");
}

CASE(sums_share_the_loops_of_what_they_add_up) {
  static const char *const lines[] = {
      "/* r = r - alpha*q */",
      "take(&rows_of_sum_5, z*NY + y, 0.16666667f*r[z][y][x]*r[z][y][x]);",
      NULL,
  };
  check_text("examples/poisson.ik", lines, "front");
}

/* ---- one thing at a time ---- */

CASE(faces) {
  CHECK(agrees("faces", "grid x = 7, y = 5\nfield u : f64 = noise(1)\nboundary u {\n"
                        "  -x = mirror; +x = antimirror; -y = reflect; +y = antireflect\n}\n"
                        "step 3 { u' = 0.3*u[-1,1] + 0.3*u[1,-1] - 0.3*u[9,0] + 0.1*u[0,-7] }\n"));
  CHECK(agrees("values", "grid x = 7, y = 5, z = 4\nfield u : f32 = noise(1)\n"
                         "boundary u { -x = copy; +x = 0.5*t + y; -y = 1; +y = z; z = periodic }\n"
                         "step 3 { u' = 0.3*u[-1,1,1] + 0.3*u[1,-1,-1] - 0.1*u[2,2,6] }\n"));
}

CASE(fields_on_some_of_the_axes) {
  CHECK(agrees("part", "grid x = 6, y = 5, z = 4\nfield u : f64 = noise(1)\n"
                       "field q : f64, on (y) = y\nboundary u = 0\n"
                       "boundary q { -y = z + x + 1; +y = copy }\n"
                       "step 3 { u' = 0.3*u[-1,1,1] + q[-1] - q[1] }\n"));
}

/* New values that are read across periodic ends: the first plane waits for the last one. */
CASE(periodic_ends_of_new_values) {
  CHECK(agrees("wrapped", "grid x = 7, y = 5, z = 4\nfield u, v : f64 = noise(1)\n"
                          "boundary u, v = periodic\n"
                          "step 3 {\n  u' = 0.3*u[1,-1,1]\n  a = u'[0,0,-1] + u'[0,1,1]\n"
                          "  v' = a[0,0,1] - 0.2*a[0,-1,-1] + 0.1*u'\n}\n"));
}

CASE(pieces_and_sums_in_a_walk) {
  CHECK(agrees("walk", "grid x = 20, y = 6, z = 5\nfield u : f32 = noise(1)\nfield v : f32\n"
                       "boundary u = 0\nstep 2 {\n  a = u[0,1,0] - u[0,-1,0] + sin(u[1,0,0])\n"
                       "  v' = a[0,1,0] + a[0,-1,0] + a[1,0,0] on interior(2, 2, 1)\n"
                       "  s = sum(a*a[0,1,0])\n  m = max(a + v')\n  u' = u + 0.01*s/(1 + m)\n}\n"));
}

CASE(types) {
  static const char *const type[] = {"f64", "f32", "f16", "bf16"};
  for (int i = 0; i < 4; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "grid x = 40, y = 3\nfield u, v : %s = noise(3)\nboundary u = antimirror\n"
             "step 4 {\n  u' = 0.7*u[-1,0] + v*sqrt(abs(u)) - exp(u)/8 + min(u, v)\n}\n"
             "a = sum(u)\nb = max(u)\n",
             type[i]);
    CHECK(agrees(type[i], text));
  }
  CHECK(agrees("i32", "grid x = 40\nfield u : i32 = 1000003*x\nboundary u = periodic\n"
                      "step 9 { u' = u[-1]*u[1] + u/(x - 3) - mod(u, 7) }\na = sum(u)\n"));
}

CASE(elementary_functions) {
  CHECK(agrees("all", "grid x = 100\nfield a, b : f64\nfield c : f32\n"
                      "a = exp(x/9) + log(x + 1) + sin(x) + cos(9^x) + tan(x)\n"
                      "b = tanh(x/30) + atan(x - 50) + x^0.37 + mod(x, -7) + floor(x/3)\n"
                      "c = exp(x/9) + sin(x)\n"));
}

/* Names that C, its library or the file have for something else. */
CASE(names) {
  CHECK(agrees("names", "grid x = 9, int = 8\nfield t, u_new, u, double, y1, row, fma : f64 = x\n"
                        "scalar main = 2\nboundary u = 0\n"
                        "step 2 { u' = u[-1,0] + t + double*y1 + row - fma*main + u_new }\n"));
}

CASE(long_expressions_that_share_their_parts) {
  CHECK(agrees("shared", "grid x = 20\nfield u : f64 = noise(1)\ndef f(v) = v*v - 0.5\n"
                         "step 2 { u' = f(f(f(f(f(f(f(f(f(f(f(f(f(f(u)))))))))))))) }\n"));
}

CASE(files_are_refused) {
  trial  t;
  ik_buf out = {0};
  CHECK(
      trial_open(&t, "loads", "grid x = 3\nfield u : f64 = file(\"u.npy\")\nstep 1 { u' = u }\n"));
  CHECK_EQ(ik_plainc_print(t.ir, NULL, &t.diag, &out), IK_ERR_SOURCE);
  CHECK_EQ(t.diag.msg[0].code, IK_E084);
  ik_buf_free(&out);
  trial_close(&t);
}

/* ---- random programs ---- */

CASE(random_programs) {
  uint64_t first = check_seed(), count = check_count(is_sanitized() ? 24 : 250);
  for (uint64_t seed = first; seed < first + count; seed++) {
    ik_random_options options = IK_RANDOM_DEFAULTS;
    ik_buf            text = {0};
    ik_random_program(seed, &options, &text);
    if (!agrees("random", ik_buf_text(&text)))
      check_fail(__FILE__, __LINE__, "rerun with IKAT_SEED=%" PRIu64 " IKAT_COUNT=1", seed);
    ik_buf_free(&text);
  }
}
