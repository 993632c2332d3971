#include "apps/tune/tune.h"

double ik_tune_predicted(const ik_tune_job *j, const ik_tune_row *r) {
  const ik_tune_row *untuned = &j->row[0];
  if (r->seconds <= 0 || !untuned->did) return 0;
  return (double)untuned->points / (double)untuned->did / r->seconds / 1e9;
}

static void put_rate(ik_buf *out, double gpts) {
  if (gpts > 0)
    ik_buf_printf(out, "%10.3g", gpts);
  else
    ik_buf_printf(out, "%10s", "-");
}

static void put_row(const ik_tune_job *j, const ik_tune_row *r, ik_buf *out) {
  ik_buf_puts(out, r == j->winner ? "* " : "  ");
  put_rate(out, ik_tune_predicted(j, r));
  put_rate(out, ik_tune_rate(r) / 1e9);
  ik_buf_printf(out, "%8.2fx  %s%s\n", ik_tune_ratio(r), ik_buf_text(&r->text),
                r == j->row ? " (default)" : "");
}

static int count_untried(const ik_tune_job *j) {
  int n = 0;
  for (int i = 1; i < j->nrow; i++) n += !j->row[i].n && !j->row[i].failed;
  return n;
}

static void put_verdict(const ik_tune_job *j, ik_buf *out) {
  int left = count_untried(j);
  if (j->winner != j->row)
    ik_buf_printf(out, "%.2f times as fast as the default plan: %s\n", ik_tune_ratio(j->winner),
                  ik_buf_text(&j->winner->text));
  else if (j->nrow == 1)
    ik_buf_puts(out, "the default plan stays: there is no other\n");
  else if (left < j->nrow - 1)
    ik_buf_puts(out, "the default plan stays: no other is 2 % faster\n");
  if (left > 0)
    ik_buf_printf(out, "%d plan%s not measured: raise --budget above %g s to reach more\n", left,
                  left == 1 ? " was" : "s were", j->t.budget);
  if (j->kept) ik_buf_printf(out, "saved in %s\n", j->opt.wisdom);
  if (j->kept && !j->opt.target && ik_default_target(j->p->ir))
    ik_buf_printf(out, "a run as short as this is interpreted, unless --target %s is given\n",
                  j->target->name);
}

void ik_tune_text(const ik_tune_job *j, ik_buf *out) {
  ik_buf_printf(out, "%s: target %s, %d thread%s\n", j->p->ir->name, j->target->name,
                j->key.threads, j->key.threads == 1 ? "" : "s");
  ik_buf_printf(out, "  %10s%10s%9s  %s\n", "predicted", "GPts/s", "ratio", "plan");
  for (int i = 0; i < j->nrow; i++)
    if (j->row[i].n) put_row(j, &j->row[i], out);
  put_verdict(j, out);
}

static void put_object(const ik_tune_job *j, const ik_tune_row *r, ik_json *out) {
  ik_json_open(out, NULL, '{');
  ik_json_str(out, "plan", ik_buf_text(&r->text));
  ik_json_str(out, "words", r == j->row ? NULL : ik_buf_text(&r->words));
  ik_json_bool(out, "untuned", r == j->row);
  ik_json_num(out, "predicted_gstencils_per_s", ik_tune_predicted(j, r));
  ik_json_num(out, "gstencils_per_s", ik_tune_rate(r) / 1e9);
  ik_json_num(out, "ratio", ik_tune_ratio(r));
  ik_json_int(out, "rounds", r->n);
  ik_json_close(out, '}');
}

void ik_tune_json(const ik_tune_job *j, ik_buf *text) {
  ik_json out = {.out = text};
  ik_json_open(&out, NULL, '{');
  ik_json_str(&out, "program", j->p->ir->name);
  ik_json_str(&out, "target", j->target->name);
  ik_json_int(&out, "threads", j->key.threads);
  ik_json_num(&out, "budget", j->t.budget);
  ik_json_open(&out, "plans", '[');
  for (int i = 0; i < j->nrow; i++)
    if (j->row[i].n) put_object(j, &j->row[i], &out);
  ik_json_close(&out, ']');
  ik_json_int(&out, "not_measured", count_untried(j));
  ik_json_str(&out, "winner", ik_buf_text(&j->winner->text));
  ik_json_num(&out, "ratio", ik_tune_ratio(j->winner));
  ik_json_bool(&out, "untuned", j->winner == j->row);
  ik_json_bool(&out, "kept", j->kept);
  ik_json_str(&out, "wisdom", j->kept ? j->opt.wisdom : NULL);
  ik_json_close(&out, '}');
}
