#include "base/diag.h"
#include "base/embed.h"
#include "base/mem.h"
#include "check.h"
#include "ikat/ikat.h"
#include <pthread.h>

/* ---- messages ---- */

CASE(every_code_has_a_text_that_begins_with_it) {
  for (int i = 0; i < IK_NCODES; i++) {
    const char *text = ik_explain(ik_code_name((ik_code)i));
    CHECK(text && strstr(text, ik_code_name((ik_code)i)));
  }
}

CASE(a_code_may_be_in_small_letters) {
  const char *text = ik_explain("e040");
  CHECK(text && strstr(text, "E040"));
  CHECK_STR(text ? text : "", ik_explain("E040"));
}

CASE(an_unknown_code_has_no_text) {
  CHECK(!ik_explain("E999"));
  CHECK(!ik_explain(""));
  CHECK(!ik_explain("E040 and something long"));
}

CASE(the_list_has_a_line_for_each_code) {
  const char *p = ik_explain_list();
  for (int i = 0; i < IK_NCODES; i++) {
    char line[160];
    snprintf(line, sizeof line, "%s  %s\n", ik_code_name((ik_code)i), ik_code_title((ik_code)i));
    CHECK(strncmp(p, line, strlen(line)) == 0);
    p += strcspn(p, "\n") + 1;
  }
  CHECK_STR(p, "");
}

/* ---- JSON, as far as our own writer can be wrong: brackets and strings ---- */

static bool balanced(const char *s) {
  char stack[64];
  int  depth = 0;
  for (; *s; s++) {
    if (*s == '"') {
      for (s++; *s && *s != '"'; s++)
        if (*s == '\\' && s[1]) s++;
      if (!*s) return false;
    } else if (*s == '{' || *s == '[') {
      if (depth == 64) return false;
      stack[depth++] = *s == '{' ? '}' : ']';
    } else if (*s == '}' || *s == ']') {
      if (!depth || stack[--depth] != *s) return false;
    }
  }
  return depth == 0;
}

/* ---- this machine and its targets ---- */

CASE(the_doctor_names_everything_it_looks_for) {
  static const char *const names[] = {"CPU",   "memory", "GPU", "compiler", "HDF5",
                                      "hwloc", "FFTW",   "MPI", "files",    "pictures"};
  const char              *text = ik_doctor(false);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char line[32];
    snprintf(line, sizeof line, "  %-9s", names[i]);
    CHECK(strstr(text, line) != NULL);
  }
}

CASE(the_doctor_in_json_has_the_same_items) {
  const char *json = ik_doctor(true);
  CHECK(balanced(json));
  CHECK(strncmp(json, "{\"items\": [{\"name\": \"CPU\", \"found\": true, ", 42) == 0);
  CHECK(strstr(json, "\"name\": \"HDF5\", \"found\": ") != NULL);
  CHECK(strstr(json, "\"name\": \"pictures\", \"found\": true") != NULL);
}

/* What is missing and of use says how to get it. */
CASE(what_is_missing_has_a_remedy) {
  for (const char *p = ik_doctor(true); (p = strstr(p, "\"found\": false")); p++) {
    const char *remedy = strstr(p, "\"remedy\": ");
    bool        gpu = strncmp(p - strlen("\"GPU\", "), "\"GPU\", ", strlen("\"GPU\", ")) == 0;
    CHECK(remedy && (gpu || strncmp(remedy, "\"remedy\": \"apt install ", 23) == 0));
  }
}

CASE(targets_are_listed) {
  CHECK(strstr(ik_target_list(false), "  ref        the reference interpreter") != NULL);
  const char *json = ik_target_list(true);
  CHECK(json[0] == '[' && balanced(json));
  CHECK(strstr(json, "{\"name\": \"ref\"") != NULL);
  CHECK(strstr(json, "\"available\": true, \"why\": null}") != NULL);
}

/* ---- machines ---- */

CASE(machines_are_listed) {
  const char *text = ik_machine_list(false);
  CHECK(strncmp(text, "  local            cpu    ", 25) == 0);
  CHECK(strstr(text, "\n  h200             gpu    NVIDIA H200\n") != NULL);
  const char *json = ik_machine_list(true);
  CHECK(json[0] == '[' && balanced(json));
  CHECK(strstr(json, "{\"name\": \"wse2\", \"kind\": \"wafer\", \"title\": ") != NULL);
}

CASE(a_machine_is_shown_with_its_sources) {
  ik_log     *log = ik_log_create();
  const char *text = ik_machine_show("wse2", false, log);
  CHECK(text && strstr(text, "850000") && strstr(text, "P arXiv 2204.03775, Section IV"));
  const char *json = ik_machine_show("wse2", true, log);
  CHECK(json && balanced(json) && strstr(json, "\"key\": \"pe.count\", \"value\": 850000"));
  CHECK(ik_machine_show("local", false, log) != NULL);
  CHECK_EQ(ik_log_count(log), 0);
  ik_log_destroy(&log);
}

CASE(an_unknown_machine_is_an_error) {
  ik_log      *log = ik_log_create();
  ik_log_entry e = {0};
  CHECK(!ik_machine_show("h20", false, log));
  CHECK(ik_log_get(log, 0, &e));
  CHECK_STR(e.code, "E082");
  CHECK_STR(e.help, "did you mean 'h200'?");
  ik_log_destroy(&log);
}

/* ---- templates ---- */

static int find_template(const char *want, const char **title, const char **text, size_t *len) {
  const char *name;
  for (int i = 0; ik_template(i, &name, title, text, len); i++)
    if (strcmp(name, want) == 0) return i;
  return -1;
}

CASE(every_example_is_a_template_with_its_text) {
  int n = 0;
  for (const ik_embedded *e = ik_embedded_files; e->name; e++) {
    char        name[64] = "";
    const char *title, *text;
    size_t      len;
    if (sscanf(e->name, "examples/%63[^.].ik", name) != 1) continue;
    CHECK_EQ(find_template(name, &title, &text, &len), n++);
    CHECK(text == e->data && len == e->size);
    char line[256]; /* none is cut off */
    snprintf(line, sizeof line, "# %s: %s\n", name, title);
    CHECK(strncmp(text, line, strlen(line)) == 0);
  }
  CHECK(n >= 20 && ik_template_count() > n);
}

CASE(other_names_come_after_the_examples) {
  const char *title, *text, *real;
  size_t      len;
  int         alias = find_template("acoustic2d", &title, &text, &len);
  CHECK_STR(title, "alias of wave2d");
  CHECK(alias > find_template("wave2d", &title, &real, &len));
  CHECK(text == real);
}

/* A missing alias means an example that was renamed. */
CASE(all_other_names_have_their_example) {
  static const char *const names[] = {"acoustic2d",  "acoustic3d", "cg",       "diffusion2d",
                                      "diffusion3d", "fdtd",       "reaction", "smith-waterman"};
  const char              *title, *text;
  size_t                   len;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    CHECK(find_template(names[i], &title, &text, &len) >= 0);
}

CASE(names_of_templates_differ) {
  const char *a, *b, *title, *text;
  size_t      len;
  for (int i = 0; ik_template(i, &a, &title, &text, &len); i++)
    for (int k = 0; k < i && ik_template(k, &b, &title, &text, &len); k++) CHECK(strcmp(a, b) != 0);
}

CASE(there_is_no_template_beyond_the_last) {
  const char *name, *title, *text;
  size_t      len;
  CHECK(!ik_template(-1, &name, &title, &text, &len));
  CHECK(!ik_template(ik_template_count(), &name, &title, &text, &len));
}

CASE(the_nearest_word) {
  const char *const words[] = {"heat", "wave"};
  CHECK_STR(ik_nearest_word("haet", words, 2), "heat");
  CHECK(!ik_nearest_word("something else", words, 2));
}

/* ---- texts that are kept ---- */

CASE(a_text_lives_until_the_same_call) {
  const char *machines = ik_machine_list(false), *targets = ik_target_list(false);
  char        first[32], second[32];
  snprintf(first, sizeof first, "%.31s", machines);
  snprintf(second, sizeof second, "%.31s", targets);
  ik_doctor(true);
  ik_explain("E001");
  CHECK(strncmp(machines, first, strlen(first)) == 0);
  CHECK(strncmp(targets, second, strlen(second)) == 0);
}

static void *other_thread(void *mine) {
  *(const char **)mine = ik_machine_list(true);
  return NULL;
}

CASE(threads_do_not_share_texts) {
  const char *here = ik_machine_list(false), *there = here;
  pthread_t   t;
  CHECK_EQ(pthread_create(&t, NULL, other_thread, &there), 0);
  pthread_join(t, NULL);
  CHECK(here != there);
  CHECK(strncmp(here, "  local", 7) == 0);
}

/* Each allocation fails once: a whole text comes back or none, and nothing is left. */
CASE(running_out_of_memory_is_survived) {
  ik_log *log = ik_log_create();
  int     failed = 0;
  for (int n = 0; n < 200; n++) {
    ik_log_clear(log);
    ik_mem_fail_after(n);
    const char *doctor = ik_doctor(true), *list = ik_machine_list(true);
    const char *targets = ik_target_list(true), *shown = ik_machine_show("h200", true, log);
    ik_mem_fail_after(-1);
    CHECK(!doctor || balanced(doctor));
    CHECK(!list || balanced(list));
    CHECK(!targets || balanced(targets));
    failed += !doctor + !list + !targets + !shown;
    CHECK(shown ? balanced(shown) : ik_log_errors(log) > 0);
  }
  CHECK(failed > 10);
  ik_log_destroy(&log);
}
