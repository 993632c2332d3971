#include "targets/cpu/value.h"
#include "lang/program.h"

/* Is the value beyond a face the same for all its cells? */
static bool is_uniform(const char *value) {
  char    text[200];
  bool    is = false;
  program p;
  snprintf(text, sizeof text,
           "grid x = 8, y = 8\nfield u : f64\nboundary u { x = periodic; y = %s }\n"
           "step 3 { u' = u[0,1] }\n",
           value);
  if (MUST_OPEN(&p, text))
    is = ik_value_is_uniform(p.ir->field[program_field(&p, "u")].bc[1][1].value);
  program_close(&p);
  return is;
}

CASE(values_that_know_no_place_are_uniform) {
  CHECK(is_uniform("0.5"));
  CHECK(is_uniform("sin(t)"));
  CHECK(!is_uniform("sin(0.1*x)"));
  CHECK(!is_uniform("1 + noise(3)"));
}
