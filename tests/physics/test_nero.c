/* The weather stencils against values computed once by an independent C program (gcc, no fused
 * operations, left to right as in the COSMO and GridTools kernels) on 12 x 10 x 8 points: sums,
 * extremes, single values and the hash of the whole array, in three precisions.
 *
 * The listed half-precision values are those of a compiler that computes an expression in float and
 * rounds it when it is given a name.  Half precision that rounds after every operation was computed
 * with numpy; of it only the hash is listed. */
#include "base/hash.h"
#include "run.h"

enum { NX = 12, NY = 10, NZ = 8 };

typedef struct golden {
  const char *type;
  double      sum, sumsq, min, max, value[3];
  uint64_t    hash;
} golden;

static const golden hdiff[] = {
    {"f32",
     200.9955833,
     180.909691,
     -0.443502933,
     1.36064517,
     {0.222139522, 0.244911745, 0.76995939},
     UINT64_C(0x284eaa369bd37146)},
    {"f64",
     200.9955829,
     180.9096882,
     -0.443502916,
     1.36064514,
     {0.222139509, 0.244911747, 0.769959384},
     UINT64_C(0xf42eb0f2b5d73e48)},
    {"f16",
     200.9920931,
     180.891804,
     -0.443359375,
     1.36132812,
     {0.222045898, 0.244873047, 0.770019531},
     UINT64_C(0x233199d16ea86af1)},
};
static const golden limited[] = {
    {"f32",
     199.9867337,
     135.8069977,
     0.000457108021,
     0.998846471,
     {0.36654532, 0.250188857, 0.69317466},
     UINT64_C(0x50101f738e4ddfc1)},
    {"f64",
     199.9867337,
     135.8069977,
     0.000457108021,
     0.998846486,
     {0.36654532, 0.250188859, 0.69317466},
     UINT64_C(0xe65db5260ac17d4f)},
    {"f16",
     199.9820359,
     135.8014312,
     0.000457048416,
     0.998535156,
     {0.366455078, 0.250244141, 0.693359375},
     UINT64_C(0xd566ed2df978a96d)},
};
static const golden vadvc[] = {
    {"f32",
     1.28682381,
     163.1074568,
     -1.12392962,
     1.06420898,
     {0.289496779, -0.319208622, -0.583100736},
     UINT64_C(0x17895a1b8cb0860a)},
    {"f64",
     1.286821595,
     163.1074532,
     -1.12392956,
     1.06420897,
     {0.289496612, -0.319208559, -0.583100764},
     UINT64_C(0x39eb3f73abb751c8)},
    {"f16",
     1.270789146,
     163.0818077,
     -1.12402344,
     1.06445312,
     {0.289550781, -0.319335938, -0.583496094},
     UINT64_C(0xca33b8856c9ac5dd)},
};

/* The example in another precision: its fields, and the arithmetic with them. */
static run run_as(const char *name, const char *type) {
  char *text = example_text(name), field[16], arithmetic[32];
  snprintf(field, sizeof field, ": %s", type);
  snprintf(arithmetic, sizeof arithmetic, "arithmetic plain %s\n", type);
  text = replaced(replaced(text, ": f32", field), "arithmetic plain\n", arithmetic);
  run x = run_text(text, "x=12 y=10 z=8");
  free(text);
  run_advance(&x, -1);
  return x;
}

/* Is this line "name = expression" or "def name(...) = expression"?  Then where that starts. */
static char *expression_in(char *line) {
  char *p = line + strspn(line, " ");
  if (strncmp(p, "def ", 4) == 0) return strstr(p, ") = ") + 4;
  p += strspn(p, "abcdefghijklmnopqrstuvwxyz");
  p += strspn(p, " ");
  return p[0] == '=' && p[1] == ' ' ? p + 2 : NULL;
}

/* The example with half-precision fields, computed in f32, where every name is rounded too. */
static run run_rounding_names(const char *name, const char *set) {
  char *text = replaced(example_text(name), ": f32", ": f16"), *out = malloc(1 << 16), *line = text;
  int   n = 0;
  for (char *end; (end = strchr(line, '\n')); line = end + 1) {
    char *e = expression_in(line), *region = strstr(line, " on interior");
    *end = 0;
    if (region && e && region < end) *region++ = 0;
    if (e && e < end)
      n += sprintf(out + n, "%.*sf32(f16(%s)) %s\n", (int)(e - line), line, e,
                   region && region < end ? region : "");
    else
      n += sprintf(out + n, "%s\n", line);
  }
  run x = run_text(out, set);
  free(text), free(out);
  run_advance(&x, -1);
  return x;
}

/* Nine digits are listed; the sums are those of an array that the hash holds to the last bit. */
static void near(double a, double b) { CHECK_NEAR(a, b, 6e-9 * fmax(1, fabs(b))); }

static void check_sums(const run *x, const char *field, int border, const golden *g) {
  double sum = 0, sumsq = 0, min = INFINITY, max = -INFINITY;
  for (int k = 0; k < NZ; k++)
    for (int j = border; j < NY - border; j++)
      for (int i = border; i < NX - border; i++) {
        double v = ik_run_value(x->r, field, i, j, k);
        sum += v, sumsq += v * v;
        min = fmin(min, v), max = fmax(max, v);
      }
  near(sum, g->sum), near(sumsq, g->sumsq), near(min, g->min), near(max, g->max);
}

static uint64_t hash_of(const run *x, const char *field) {
  ik_field_info info;
  const void   *data = ik_run_data(x->r, field, &info);
  return ik_hash(IK_HASH_INIT, data, info.bytes);
}

static void check(run *x, const char *field, int border, const int at[3][3], const golden *g) {
  CHECK(hash_of(x, field) == g->hash);
  check_sums(x, field, border, g);
  for (int p = 0; p < 3; p++)
    near(ik_run_value(x->r, field, at[p][0], at[p][1], at[p][2]), g->value[p]);
  run_free(x);
}

enum { F32, F64, F16 };
static const int inner[3][3] = {{2, 2, 0}, {5, 4, 3}, {9, 7, 7}};
static const int corners[3][3] = {{0, 0, 0}, {5, 4, 3}, {11, 9, 7}};

static void check_both(const char *name, const char *field, int border, const int at[3][3],
                       const golden *g) {
  for (int k = F32; k <= F64; k++) {
    run x = run_as(name, g[k].type);
    check(&x, field, border, at, &g[k]);
  }
}

CASE(hdiff) { check_both("hdiff", "out", 2, inner, hdiff); }
CASE(hdiff_limited) { check_both("hdiff-limited", "out", 2, inner, limited); }
CASE(vadvc) { check_both("vadvc", "utensstage", 0, corners, vadvc); }

/* 0.024993896484375 and 0.1500244140625 are 0.025 and 0.15 in half precision. */
CASE(half_rounding_names) {
  run x = run_rounding_names("hdiff", "x=12 y=10 z=8 coeff=0.024993896484375");
  check(&x, "out", 2, inner, &hdiff[F16]);
  x = run_rounding_names("hdiff-limited", "x=12 y=10 z=8 coeff=0.024993896484375");
  check(&x, "out", 2, inner, &limited[F16]);
  x = run_rounding_names("vadvc", "x=12 y=10 z=8 dtr=0.1500244140625");
  check(&x, "utensstage", 0, corners, &vadvc[F16]);
}

CASE(half_rounding_everything) {
  static const struct {
    const char *name, *field;
    uint64_t    hash;
  } numpy[] = {{"hdiff", "out", UINT64_C(0x70558e3ff2aa5aac)},
               {"hdiff-limited", "out", UINT64_C(0x9851494b8a73b1c6)},
               {"vadvc", "utensstage", UINT64_C(0x234303caa50049ad)}};
  for (int k = 0; k < 3; k++) {
    run x = run_as(numpy[k].name, "f16");
    CHECK(hash_of(&x, numpy[k].field) == numpy[k].hash);
    run_free(&x);
  }
}

CASE(initial_values) {
  run x = run_as("vadvc", "f64");
  near(ik_run_value(x.r, "ustage", 1, 2, 3), 6.88782191);
  near(ik_run_value(x.r, "wcon", 12, 9, 8), -0.0737897277);
  run_free(&x);
  x = run_as("hdiff", "f32");
  near(ik_run_value(x.r, "in", 0, 0, 0), 0.126449823);
  near(ik_run_value(x.r, "out", 1, 4, 3), ik_run_value(x.r, "in", 1, 4, 3));
  run_free(&x);
}
