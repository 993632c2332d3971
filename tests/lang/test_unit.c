#include "lang/unit.h"
#include "base/mem.h"
#include "check.h"

static bool is(const char *unit, double factor, ik_dim dim) {
  double got;
  ik_dim d;
  return ik_unit_parse(unit, &got, &d) && got == factor && memcmp(&d, &dim, sizeof d) == 0;
}

static bool refused(const char *unit) {
  double got;
  ik_dim d;
  return !ik_unit_parse(unit, &got, &d);
}

CASE(single_units) {
  CHECK(is("m", 1, (ik_dim){{1}}));
  CHECK(is("km", 1e3, (ik_dim){{1}}));
  CHECK(is("um", 1e-6, (ik_dim){{1}}));
  CHECK(is("min", 60, (ik_dim){{0, 0, 1}}));
  CHECK(is("h", 3600, (ik_dim){{0, 0, 1}}));
  CHECK(is("GHz", 1e9, (ik_dim){{0, 0, -1}}));
  CHECK(is("t", 1e3, (ik_dim){{0, 1}}));
  CHECK(is("GPa", 1e9, (ik_dim){{-1, 1, -2}}));
  CHECK(is("percent", 1e-2, (ik_dim){{0}}));
}

CASE(a_value_in_si_is_shown_in_a_unit) {
  CHECK(ik_unit_value("ms", 0.0005) == 0.5 && ik_unit_value("km/h", 10) == 36);
  CHECK(ik_unit_value(NULL, 7) == 7 && ik_unit_value("furlong", 7) == 7);
}

/* A law of physics per line: the two sides have one dimension. */
CASE(derived_units_agree) {
  static const char *const laws[][2] = {
      {"N", "kg*m/s^2"}, {"J", "N*m"},    {"W", "J/s"},     {"V", "W/A"},
      {"C", "A*s"},      {"Pa", "N/m^2"}, {"T", "V*s/m^2"}, {"Hz", "1/s"},
  };
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    double a = 0, b = 0;
    ik_dim da = {{0}}, db = {{0}};
    CHECK(ik_unit_parse(laws[i][0], &a, &da) && ik_unit_parse(laws[i][1], &b, &db));
    CHECK(a == b && memcmp(&da, &db, sizeof da) == 0);
  }
}

CASE(products_and_powers) {
  CHECK(is("km/s", 1e3, (ik_dim){{1, 0, -1}}));
  CHECK(is("m/s^2", 1, (ik_dim){{1, 0, -2}}));
  CHECK(is("cm^2", 1e-4, (ik_dim){{2}}));
  CHECK(is("km/h", 1e3 / 3600, (ik_dim){{1, 0, -1}}));
  CHECK(is("s^-1", 1, (ik_dim){{0, 0, -1}}));
  CHECK(is("1/s", 1, (ik_dim){{0, 0, -1}}));
  CHECK(is("1", 1, (ik_dim){{0}}));
}

CASE(refused_units) {
  static const char *const bad[] = {"",    "x",     "m/",   "m s", "m/x", "/s",   "m^",
                                    "m^x", "m^2.5", "m^12", "2",   "1/",  "1/x",  "m//s",
                                    "M",   "hz",    "m*",   "m^-", "_",   "1/s*m"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (!refused(bad[i])) check_fail(__FILE__, __LINE__, "'%s' is taken for a unit", bad[i]);
  CHECK(refused("m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9")); /* beyond the exponents */
}

/* The longest unit counts; what cannot belong to it stays. */
CASE(scan_stops) {
  ik_unit u;
  CHECK_EQ(ik_unit_scan("m/s+1", 5, &u), 3);
  CHECK_EQ(ik_unit_scan("m/dt", 4, &u), 1);
  CHECK_EQ(ik_unit_scan("m*u", 3, &u), 1);
  CHECK_EQ(ik_unit_scan("m/s", 2, &u), 1); /* reads no byte behind the end */
  CHECK_EQ(ik_unit_scan("m^2.5", 5, &u), 1);
  CHECK_EQ(ik_unit_scan("m^2..3", 6, &u), 3);
  CHECK_EQ(ik_unit_scan("ms", 2, &u), 2);
  CHECK_EQ(ik_unit_scan("mss", 3, &u), 0);
  CHECK_EQ(ik_unit_scan("", 0, &u), 0);
}

static const char *name_of(ik_dim d, ik_buf *b) {
  ik_buf_free(b);
  ik_unit_name(d, b);
  return ik_buf_text(b);
}

CASE(names_read_back) {
  ik_buf b = {0};
  CHECK_STR(name_of((ik_dim){{0}}, &b), "1");
  CHECK_STR(name_of((ik_dim){{1, 0, -2}}, &b), "m/s^2");
  CHECK_STR(name_of((ik_dim){{-1, 1, -2}}, &b), "kg/m/s^2");
  CHECK_STR(name_of((ik_dim){{0, 0, -1}}, &b), "1/s");
  CHECK_STR(name_of((ik_dim){{2, 1}}, &b), "m^2*kg");
  for (int i = 0; i < 3 * 3 * 3 * 3 * 3; i++) {
    ik_dim d = {{(signed char)(i % 3 - 1), (signed char)(i / 3 % 3 - 1),
                 (signed char)(i / 9 % 3 - 1), (signed char)(i / 27 % 3 - 1),
                 (signed char)(i / 81 % 3 - 1)}};
    CHECK(is(name_of(d, &b), 1, d));
  }
  ik_buf_free(&b);
}

CASE(nearest) {
  CHECK_STR(ik_unit_nearest("hz"), "Hz");
  CHECK_STR(ik_unit_nearest("KHZ"), "kHz");
  CHECK_STR(ik_unit_nearest("prcent"), "percent");
  CHECK(ik_unit_nearest("u") == NULL);
  CHECK(ik_unit_nearest("velocity") == NULL);
}
