/* The page of `ikat bench model`, from figures that were never measured. */
#include "check.h"
#include "base/mem.h"
#include "io/file.h"
#include "apps/tune/model_page.h"
#include <stdlib.h>
#include <unistd.h>

static ik_tune_job *make_job(void) {
  ik_tune_job        *j = ik_calloc(1, sizeof *j);
  static const double rate[] = {2e9, 3e9, 0, 1e9}, seconds[] = {1e-3, 5e-4, 1e-3, 0};
  j->nrow = 4;
  for (int i = 0; i < 4; i++) {
    ik_tune_row *r = &j->row[i];
    r->plan.strategy = i ? "sweep" : "fuse";
    r->n = rate[i] > 0, r->rate[0] = rate[i], r->seconds = seconds[i];
    ik_buf_printf(&r->text, "plan %d", i);
  }
  j->row[0].points = 1000000, j->row[0].did = 1;
  return j;
}

static void free_job(ik_tune_job *j) {
  for (int i = 0; i < j->nrow; i++) ik_buf_free(&j->row[i].text);
  ik_free(j);
}

CASE(plans_that_were_predicted_and_measured) {
  ik_tune_job  *j = make_job();
  ik_model_page p = {0};
  ik_model_page_add(&p, "star", j);
  CHECK_EQ(p.n, 2);
  CHECK(p.dot[0].chosen && !p.dot[1].chosen);
  CHECK_NEAR(p.dot[0].predicted, 1, 1e-12);
  CHECK_NEAR(p.dot[0].measured, 2, 1e-12);
  CHECK_NEAR(p.dot[1].predicted, 2, 1e-12);
  CHECK_STR(p.dot[1].strategy, "sweep");
  CHECK_STR(p.dot[1].plan, "plan 1");
  for (int i = 0; i < 100; i++) ik_model_page_add(&p, "box", j);
  CHECK_EQ(p.n, 202);
  CHECK_STR(p.dot[201].what, "box");
  ik_model_page_free(&p);
  free_job(j);
}

static bool file_has(const char *path, const char *part) {
  ik_buf  text = {0};
  ik_diag d = {0};
  bool yes = !ik_file_read(path, 1 << 24, IK_NOSPAN, &text, &d) && strstr(ik_buf_text(&text), part);
  ik_buf_free(&text), ik_diag_free(&d);
  return yes;
}

CASE(a_page_and_an_object) {
  char          folder[] = "/tmp/ikat-model-XXXXXX", html[64], json[64];
  ik_tune_job  *j = make_job();
  ik_model_page p = {0};
  ik_diag       d = {0};
  CHECK(mkdtemp(folder) != NULL);
  snprintf(html, sizeof html, "%s/report.html", folder);
  snprintf(json, sizeof json, "%s/report.json", folder);
  ik_model_page_add(&p, "star", j);
  CHECK_EQ(ik_model_page_write(&p, folder, "rms 7 < 8", &d), IK_OK);
  CHECK(file_has(html, "Predicted against measured"));
  CHECK(file_has(html, "<title>star: plan 0; predicted 1, measured 2; chosen</title>"));
  CHECK(file_has(html, "rms 7 &lt; 8"));
  CHECK(file_has(json, "\"case\": \"star\", \"plan\": \"plan 1\", "
                       "\"predicted_gstencils_per_s\": 2"));
  unlink(html), unlink(json), rmdir(folder);
  CHECK(ik_model_page_write(&p, "/dev/null/no", "", &d) != IK_OK);
  ik_diag_free(&d);
  ik_model_page_free(&p);
  free_job(j);
}
