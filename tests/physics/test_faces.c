/* What a read beyond a face gives, cell by cell, for every kind of boundary and for reaches beyond
 * the whole grid, against a plain statement of the rule. */
#include "run.h"

enum { REACH = 9 };

/* antireflect presumes a field that is zero on the faces. */
static bool zero_ends(const char *kind) { return strcmp(kind, "antireflect") == 0; }

static double inside(const char *kind, int n, int i) {
  return zero_ends(kind) ? i * (i - n + 1) * (i + 2) : 10 + i * i;
}

/* Folds i into 0 .. n-1 by walking: a step over a face lands where the rule says. */
static double expected(const char *kind, int n, int i) {
  double sign = 1;
  bool   anti = strncmp(kind, "anti", 4) == 0, node = strstr(kind, "reflect") != NULL;
  if (strcmp(kind, "copy") == 0) return inside(kind, n, i < 0 ? 0 : i >= n ? n - 1 : i);
  if (strcmp(kind, "periodic") == 0) return inside(kind, n, ((i % n) + n) % n);
  while (i < 0 || i >= n) {
    i = i < 0 ? (node ? -i : -1 - i) : (node ? 2 * (n - 1) - i : 2 * n - 1 - i);
    if (anti) sign = -sign;
  }
  return sign * inside(kind, n, i);
}

static void check_kind(const char *kind, int n) {
  for (int off = -REACH; off <= REACH; off++) {
    char text[512];
    snprintf(text, sizeof text,
             "grid x = %d\nfield u, r : f64\nboundary u = %s\ninit u = %s\nr = u[%d]\n", n, kind,
             zero_ends(kind) ? "x*(x - nx + 1)*(x + 2)" : "10 + x*x", off);
    run x = run_text(text, NULL);
    run_advance(&x, -1);
    for (int i = 0; i < n; i++)
      CHECK_NEAR(ik_run_value(x.r, "r", i, 0, 0), expected(kind, n, i + off), 0);
    run_free(&x);
  }
}

CASE(kinds) {
  static const char *const kinds[] = {"periodic", "mirror",      "antimirror",
                                      "reflect",  "antireflect", "copy"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int n = 3; n <= 6; n += 3) check_kind(kinds[k], n);
}

/* Corners: first one axis is brought inside, then the other. */
CASE(corners) {
  run x = run_text("grid x = 4, y = 3\nfield u, r : f64\n"
                   "boundary u { -x = mirror; +x = copy; y = periodic }\n"
                   "init u = x + 10*y\nr = u[-2,-1] + 100*u[3,2]\n",
                   NULL);
  run_advance(&x, -1);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 4; i++) {
      int left = i - 2 < 0 ? 1 - i : i - 2, right = i + 3 > 3 ? 3 : i + 3;
      CHECK_NEAR(ik_run_value(x.r, "r", i, j, 0),
                 left + 10 * ((j + 2) % 3) + 100 * (right + 10 * ((j + 2) % 3)), 0);
    }
  run_free(&x);
}

/* A value is that of the place and the time at which it is read. */
CASE(values) {
  run x = run_text("grid x = 4, y = 4\nfield u : f64\nboundary u = 1000*x + 10*y + t/2\n"
                   "step 2 { u' = u[-2,1] }\n",
                   NULL);
  run_advance(&x, 1);
  CHECK_NEAR(ik_run_value(x.r, "u", 0, 0, 0), -2000 + 10, 0);
  CHECK_NEAR(ik_run_value(x.r, "u", 3, 3, 0), 1000 + 40, 0);
  CHECK_NEAR(ik_run_value(x.r, "u", 3, 0, 0), 0, 0);
  run_advance(&x, 1);
  CHECK_NEAR(ik_run_value(x.r, "u", 1, 1, 0), -1000 + 20 + 0.5, 0);
  run_free(&x);
}
