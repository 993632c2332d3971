#include "lower/delay.h"
#include "lang/program.h"
#include "lower/pipe.h"

/* What is assigned and set, in order: "r beta p sol". */
static void order_of(const char *text, char *out, size_t size) {
  program p;
  ik_buf  b = {0};
  if (MUST_OPEN(&p, text))
    for (const ik_stmt *s = ik_delay(p.ir, p.ir->body, &p.arena); s; s = s->next)
      ik_buf_printf(&b, "%s ",
                    s->kind == IK_ASSIGN ? p.ir->field[s->field].name
                                         : p.ir->scalar[s->scalar].name);
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
  "grid x = 9, y = 8\nfield sol, s2, p, q, m, r : f64 = noise(1)\nboundary p, sol = 0\n"           \
  "scalar alpha = 0.5\n"

CASE(an_update_joins_those_that_read_the_same) {
  CHECK_ORDER(HEAD "sol = sol + alpha*p\nr = r - alpha*q\nbeta = sum(r*r)\nbeta = beta + 1\n"
                   "p = r + beta*p\n",
              "alpha r sum#1 beta beta sol p ");
}

CASE(what_gains_nothing_stays) {
  CHECK_ORDER(HEAD "sol = sol + alpha\nr = r - alpha*q\nbeta = sum(r*r)\nbeta = beta + 1\n"
                   "p = r + beta*p\n",
              "alpha sol r sum#1 beta beta p ");
  CHECK_ORDER(HEAD "sol = sol + alpha*p\nr = r - p\nbeta = sum(r*r)\nbeta = beta + 1\n"
                   "p = r + beta*p\n",
              "alpha sol r sum#1 beta beta p ");
}

/* Two that move keep their order, and each goes as far as it gains, past several numbers. */
CASE(several_move) {
  CHECK_ORDER(HEAD "sol = sol + alpha*p\ns2 = s2 + alpha*m\nr = r - alpha*q\nbeta = sum(r*r)\n"
                   "beta = beta + 1\np = r + beta*p*m\n",
              "alpha r sum#1 beta beta sol s2 p ");
  CHECK_ORDER(HEAD "r = r - alpha*q\nsol = sol + alpha*p\nbeta = sum(r*r)\nbeta = beta + 1\n"
                   "s2 = 2*s2\nalpha2 = 3\np = r + beta*p\n",
              "alpha r sum#1 beta beta s2 alpha2 sol p ");
}

/* Each would gain three words where it reads what the last one reads. */
#define GAIN "p*q*m"
#define LAST "r = " GAIN " + beta\n"

CASE(what_only_gains_moves) {
  CHECK_ORDER(HEAD "sol = sol + alpha*" GAIN "\nbeta = 3\n" LAST, "alpha beta sol r ");
}

/* Its number, its inputs and its result are each in somebody's way. */
CASE(nothing_passes_what_it_depends_on) {
  CHECK_ORDER(HEAD "sol = sol + alpha*" GAIN "\nalpha = 2\nbeta = 3\n" LAST,
              "alpha sol alpha beta r ");
  CHECK_ORDER(HEAD "sol = sol + alpha*" GAIN "\nalpha = sum(r)\nbeta = 3\n" LAST,
              "alpha sol sum#1 alpha beta r ");
  CHECK_ORDER(HEAD "sol = sol + " GAIN "\np = 2*s2\nbeta = 3\n" LAST, "alpha sol p beta r ");
  CHECK_ORDER(HEAD "sol = sol + " GAIN "\nbeta = sum(sol)\nbeta = beta + 1\n" LAST,
              "alpha sol sum#1 beta beta r ");
  CHECK_ORDER(HEAD "sol = " GAIN "\nsol = 2*r\nbeta = 3\n" LAST, "alpha sol sol beta r ");
  CHECK_ORDER(HEAD "sol = " GAIN "\ns2 = sol + s2\nbeta = 3\n" LAST, "alpha sol s2 beta r ");
  CHECK_ORDER(HEAD "sol = " GAIN "\ns2 = p[1,0] + sol[0,1]\nbeta = 3\n" LAST,
              "alpha sol s2 beta r ");
}

/* Only cells that look at none but themselves may follow others into their pass. */
CASE(stencils_stay_where_they_are) {
  CHECK_ORDER(HEAD "sol = p[1,0]*q*m\nbeta = 3\n" LAST, "alpha sol beta r ");
  CHECK_ORDER(HEAD "sol = p[0,-1]*q*m\nbeta = 3\n" LAST, "alpha sol beta r ");
  CHECK_ORDER("grid x = 9, y = 8, z = 7\nfield sol, p, q, m, r : f64 = noise(1)\nboundary p = 0\n"
              "sol = q*m*p[0,0,1]\nbeta = 3\n" LAST,
              "sol beta r ");
}

CASE(a_copy_of_a_neighbour_stays_where_it_is) {
  CHECK_ORDER(HEAD "sol = p[1,0]\nbeta = 3\n" LAST, "alpha sol beta r ");
  CHECK_ORDER(HEAD "sol = p\nbeta = 3\n" LAST, "alpha beta sol r ");
}

/* Nor does anything join a stencil, or cells that are not its own. */
CASE(company_has_the_same_cells_and_looks_at_no_others) {
  CHECK_ORDER(HEAD "sol = sol + " GAIN "\nbeta = 3\nr = p[1,0]*q*m + beta\n", "alpha sol beta r ");
  CHECK_ORDER(HEAD "sol = sol + " GAIN "\nbeta = 3\nr = " GAIN " + beta on x = 1 .. 7\n",
              "alpha sol beta r ");
  CHECK_ORDER(HEAD "sol = sol + " GAIN " on x = 1 .. 7\nbeta = 3\nr = " GAIN
                   " + beta on x = 1 .. 7\n",
              "alpha beta sol r ");
  CHECK_ORDER(HEAD "a = sol + " GAIN "\nbeta = 3\nr = a*" GAIN " + beta\n", "alpha a beta r ");
}

CASE(a_list_that_is_fine_is_itself) {
  program p;
  if (MUST_OPEN(&p, HEAD "r = r - alpha*q\np = r + p\n"))
    CHECK(ik_delay(p.ir, p.ir->body, &p.arena) == p.ir->body);
  program_close(&p);
}
