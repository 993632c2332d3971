#include "io/scratch.h"
#include "lang/program.h"

#define HEAD                                                                                       \
  "grid x = 21, spacing = 10 m\nparam sx = 1.2 km\nparam dt = 0.5 ms\nparam k = 3\n"               \
  "param big = 1e15\nparam half = 0.1 + 0.2\nfield u : f64\nstep 4 { u' = u }\n"

static void expect(const char *name, const char *want) {
  char    text[600];
  program p;
  snprintf(text, sizeof text, HEAD "output u into \"%s\"\nreceiver u at 3 into \"r%s\"\n", name,
           name);
  if (MUST_OPEN(&p, text)) {
    CHECK_STR(p.ir->output[0].path, want);
    CHECK_STR(p.ir->record[0].path + 1, want);
  }
  program_close(&p);
}

CASE(parameters_stand_in_braces) {
  expect("shot_{sx}.npy", "shot_1.2.npy"); /* in the unit of the declaration */
  expect("{k}{k}_{dt}.npy", "33_0.5.npy");
  expect("n{nx}_{half}.npy", "n21_0.3.npy");
  expect("{big}.npy", "1e+15.npy");
  expect("{{k}.npy", "{k}.npy");
  expect("{{{k}}.npy", "{3}.npy");
  expect("a}b.npy", "a}b.npy");
}

CASE(a_value_from_outside_is_in_the_name) {
  ik_source   text = {"sx", "850m", 4};
  ik_override over = {.name = "sx", .text = &text};
  program     p;
  if (program_open_with(&p, HEAD "output u into \"shot_{sx}.npy\"\n", &over, 1, -1))
    CHECK_STR(p.ir->output[0].path, "shot_0.85.npy");
  else
    check_fail(__FILE__, __LINE__, "%s", program_messages(&p));
  program_close(&p);
}

CASE(a_parameter_in_a_name_is_used) {
  program p;
  if (MUST_OPEN(&p, "grid x = 4\nparam shot = 7\nfield u : f64\nstep 1 { u' = u }\n"
                    "output u into \"s{shot}.npy\"\n"))
    CHECK_EQ(p.diag.nmsg, 0); /* no W001 */
  program_close(&p);
}

CASE(inputs_have_parameters_too) {
  FAILS(HEAD "init u = file(\"/nowhere/{q}.npy\")\n", IK_E010, "unknown");
  FAILS(HEAD "receiver u at file(\"/nowhere/{k}.txt\") into \"r.npy\"\n", IK_E062,
        "/nowhere/3.txt");
  FAILS(HEAD "source 1 at file(\"/nowhere/{k}.txt\") into u\n", IK_E062, "/nowhere/3.txt");
  FAILS(HEAD "source wavelet(\"/nowhere/{k}.txt\") at 3 into u\n", IK_E062, "/nowhere/3.txt");
  FAILS(HEAD "weights w = file(\"/nowhere/{k}.npy\")\n", IK_E062, "/nowhere/3.npy");
  program p;
  if (MUST_OPEN(&p, HEAD "init u = file(\"in{k}.npy\")\n")) CHECK_STR(p.ir->init->path, "in3.npy");
  program_close(&p);
}

CASE(names_that_cannot_be) {
  FAILS(HEAD "output u into \"s_{sxx}.npy\"\n", IK_E010, "did you mean 'sx'?");
  FAILS(HEAD "output u into \"s_{sxx}.npy\"\n", IK_E010, "write  output u into \"s_{sx}.npy\"");
  FAILS(HEAD "output u into \"a\\\"{sxx}.npy\"\n", IK_E010, "into \"a\\\"{sx}.npy\"");
  FAILS(HEAD "output u into \"{u}.npy\"\n", IK_E023, "");
  FAILS(HEAD "output u into \"{}.npy\"\n", IK_E002, "name of a parameter");
  FAILS(HEAD "output u into \"a\\\"{sx.npy\"\n", IK_E002, "write  output u into \"a\\\"{sx}.npy\"");
  FAILS(HEAD "output u into \"{zz.npy\"\n", IK_E002, "write  output u into \"{{zz.npy\"");
  FAILS(HEAD "output u into \"{k+1}.npy\"\n", IK_E002, "name of a parameter");
  FAILS(HEAD "output u into \"{1}.npy\"\n", IK_E002, "name of a parameter");
  FAILS(HEAD "output u into \"a{\"\n", IK_E002, "name of a parameter");
}
