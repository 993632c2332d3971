#include "lower/delay.h"
#include "lang/program.h"
#include "lower/pipe.h"

/* The fields that are assigned, in order: "r p sol". */
static void order_of(const char *text, char *out, size_t size) {
  program p;
  ik_buf  b = {0};
  if (MUST_OPEN(&p, text))
    for (const ik_stmt *s = ik_delay(p.ir, p.ir->body, &p.arena); s; s = s->next)
      if (s->kind == IK_ASSIGN) ik_buf_printf(&b, "%s ", p.ir->field[s->field].name);
  snprintf(out, size, "%s", ik_buf_text(&b));
  ik_buf_free(&b);
  program_close(&p);
}

#define CHECK_ORDER(text, expected)                                                                \
  do {                                                                                             \
    char order[64];                                                                                \
    order_of(text, order, sizeof order);                                                           \
    CHECK_STR(order, expected);                                                                    \
  } while (0)

#define HEAD                                                                                       \
  "grid x = 9, y = 8\nfield sol, p, q, r : f64 = noise(1)\nboundary p = 0\nscalar alpha = 0.5\n"

CASE(an_update_joins_those_that_read_the_same) {
  CHECK_ORDER(HEAD "sol = sol + alpha*p\nr = r - alpha*q\nbeta = sum(r*r)\nbeta = beta + 1\n"
                   "p = r + beta*p\n",
              "r sol p ");
}

CASE(what_gains_nothing_stays) {
  CHECK_ORDER(HEAD "sol = sol + alpha\nr = r - alpha*q\nbeta = sum(r*r)\nbeta = beta + 1\n"
                   "p = r + beta*p\n",
              "sol r p ");
}

/* Its number, its input and its result are each in somebody's way. */
CASE(nothing_passes_what_it_depends_on) {
  CHECK_ORDER(HEAD "sol = sol + alpha*p\nalpha = 2\nr = r + p\np = 2*p\n", "sol r p ");
  CHECK_ORDER(HEAD "sol = sol + alpha*p\np = 2*p\nbeta = 3\np = p + beta\n", "sol p p ");
  CHECK_ORDER(HEAD "sol = sol + alpha*p\nbeta = sum(sol*r)\nbeta = beta + 1\np = p + beta\n",
              "sol p ");
}

/* Only cells that look at none but themselves may follow others into their pass. */
CASE(stencils_stay_where_they_are) {
  CHECK_ORDER(HEAD "sol = p[1,0] + p\nr = r - alpha*q\nbeta = sum(r*r)\nbeta = beta + 1\n"
                   "p = r + beta*p\n",
              "sol r p ");
}

CASE(a_list_that_is_fine_is_itself) {
  program p;
  if (MUST_OPEN(&p, HEAD "r = r - alpha*q\np = r + p\n"))
    CHECK(ik_delay(p.ir, p.ir->body, &p.arena) == p.ir->body);
  program_close(&p);
}
