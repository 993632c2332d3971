/* The table and the JSON object of a suite.  No dates: two results can be compared by diff. */
#include "base/json.h"
#include "apps/bench/bench.h"
#include <math.h>
#include <stdio.h>

/* ---- text ---- */

static int rounds_again(const ik_bench *b) {
  int again = 0;
  for (int i = 0; i < b->nrow; i++) again += b->row[i].again;
  return again;
}

/* None where the system never counts any, which does not say that there was none. */
static void write_stolen(const ik_bench *b, ik_buf *out) {
  if (!(b->stolen > 0)) return;
  ik_buf_printf(out, "stolen     %.2g %% of the threads' time; rounds done again: %d\n",
                100 * b->stolen, rounds_again(b));
}

static void write_head(const ik_bench *b, ik_buf *out) {
  const ik_limits *l = &b->limits;
  ik_buf_printf(out, "machine    %s, %d-byte vectors\n", b->machine, l->vector_bytes);
  ik_buf_printf(out, "compiler   %s\n", l->compiler);
  ik_buf_printf(out, "threads    %d\n", b->opt.threads);
  ik_buf_printf(out, "target     %s, ikat %s\n", b->target, ik_version());
  ik_buf_printf(out, "rounds     %d, medians\n", b->opt.rounds);
  ik_buf_printf(out,
                "memory     %.3g GB/s (copy %.3g, streaming copy %.3g, read %.3g, in place %.3g)\n",
                l->bandwidth, l->copy, l->copy_streaming, l->read, l->update);
  ik_buf_printf(out, "arithmetic %.4g GFLOP/s f32, %.4g GFLOP/s f64\n", l->gflops[0], l->gflops[1]);
  ik_cores_text(&b->cores, out);
  write_stolen(b, out);
  if (b->opt.small) ik_buf_puts(out, "size       small: these figures say nothing about speed\n");
}

static void grid_text(const ik_bench_row *row, char *out, size_t cap) {
  const int64_t *n = row->size->n;
  int            len = snprintf(out, cap, "%lld", (long long)n[0]);
  if (row->c->ndim > 1) len += snprintf(out + len, cap - (size_t)len, " x %lld", (long long)n[1]);
  if (row->c->ndim == 3) len += snprintf(out + len, cap - (size_t)len, " x %lld", (long long)n[2]);
  if (row->size->sets > 1) snprintf(out + len, cap - (size_t)len, ", %d sets", row->size->sets);
}

/* Above 100 % is possible where several steps are done in one pass. */
static void write_limit(const ik_bench_row *row, double rate, ik_buf *out) {
  double percent = row->limit > 0 ? 100 * rate / row->limit : 0;
  ik_buf_printf(out, " %6.0f %%%s", percent, percent > 100 ? " beyond one pass" : "");
}

static const char *verdict(double ratio, double goal) { return ratio >= goal ? "met" : "missed"; }

static void write_goal(const ik_bench *b, const ik_bench_row *row, const ik_bench_line *l,
                       ik_buf *out) {
  ik_bench_goal g;
  double        ratio = ik_bench_compared(row, l);
  if (!b->opt.goals || b->opt.small || !ik_bench_goal_of(b, row, l, &g)) return;
  ik_buf_printf(out, "   must %gx: %s, aim %gx: %s", g.must, verdict(ratio, g.must), g.aim,
                verdict(ratio, g.aim));
}

static void write_line(const ik_bench *b, const ik_bench_row *row, const ik_bench_line *l,
                       ik_buf *out) {
  ik_buf_printf(out, "  %-24s", l->strategy);
  if (!l->n) {
    ik_buf_printf(out, " failed: %s\n", l->failure);
    return;
  }
  ik_buf_printf(out, " %11.4g %8.2fx", l->rate, l->ratio);
  write_limit(row, l->rate, out);
  if (l->approximate) ik_buf_printf(out, "   error %.2g", l->error);
  if (l->wrong) ik_buf_puts(out, "   WRONG RESULT");
  if (ik_bench_compared(row, l) != l->ratio)
    ik_buf_printf(out, "   %.2fx the best other", ik_bench_compared(row, l));
  write_goal(b, row, l, out);
  ik_buf_putc(out, '\n');
}

static void write_row(const ik_bench *b, const ik_bench_row *row, ik_buf *out) {
  char grid[64];
  grid_text(row, grid, sizeof grid);
  ik_buf_printf(out, "\n%s: %s, %s\n", row->c->name, row->c->title, grid);
  if (row->no_plain) {
    ik_buf_printf(out, "  no plain loop: %s\n", row->no_plain);
    return;
  }
  ik_buf_printf(out, "  %-24s %11.4g %8.2fx", row->plain ? "plain loop, fast math" : "plain loop",
                row->plain_rate, 1.0);
  write_limit(row, row->plain_rate, out);
  ik_buf_puts(out, row->plain_wrong ? "   WRONG RESULT\n" : "\n");
  for (int i = 0; i < row->nline; i++) write_line(b, row, &row->line[i], out);
  if (!row->nline) ik_buf_puts(out, "  no strategy of this target can run it\n");
  ik_buf_printf(out, "  %-24s %11.4g            %s: %g bytes, %g operations a point\n",
                "limit of one pass", row->limit, row->memory_bound ? "memory" : "arithmetic",
                row->bytes, row->flops);
  if (row->c->published)
    ik_buf_printf(out, "  %-24s %s (x plain, on two cores of an Emerald Rapids server)\n",
                  "published", row->c->published);
}

static void write_goals(const ik_bench *b, ik_buf *out) {
  int asked = 0, must = 0, aim = 0;
  for (const ik_bench_row *row = b->row; row < b->row + b->nrow; row++)
    for (const ik_bench_line *l = row->line; l < row->line + row->nline; l++) {
      ik_bench_goal g;
      double        ratio = ik_bench_compared(row, l);
      if (!ik_bench_goal_of(b, row, l, &g)) continue;
      asked++, must += ratio >= g.must, aim += ratio >= g.aim;
    }
  ik_buf_printf(out, "\ngoals (bench/goals): %d; must: %d met, %d missed; aim: %d met, %d missed\n",
                asked, must, asked - must, aim, asked - aim);
}

static const char small_note[] = "size small: these figures say nothing about speed\n";

void ik_bench_write_text(const ik_bench *b, ik_buf *out) {
  write_head(b, out);
  ik_buf_printf(out, "\n%-26s %11s %9s %8s\n", "case", "GStencils/s", "x plain", "of limit");
  for (int i = 0; i < b->nrow; i++) write_row(b, &b->row[i], out);
  if (b->opt.small) ik_buf_printf(out, "\n%s", small_note);
  if (b->opt.goals && !b->opt.small) write_goals(b, out);
}

/* ---- JSON ---- */

static void json_goal(const ik_bench *b, const ik_bench_row *row, const ik_bench_line *l,
                      ik_json *j) {
  ik_bench_goal g;
  if (!b->opt.goals || !ik_bench_goal_of(b, row, l, &g)) return;
  ik_json_open(j, "goal", '{');
  ik_json_str(j, "against", row->c->against_best ? "best other strategy" : "plain loop");
  ik_json_num(j, "ratio", ik_bench_compared(row, l));
  ik_json_num(j, "must", g.must);
  ik_json_num(j, "aim", g.aim);
  ik_json_close(j, '}');
}

static void json_times(ik_json *j, const char *key, const double *v, int n) {
  ik_json_open(j, key, '[');
  for (int i = 0; i < n; i++) ik_json_num(j, NULL, v[i]);
  ik_json_close(j, ']');
}

static void json_line(const ik_bench *b, const ik_bench_row *row, const ik_bench_line *l,
                      ik_json *j) {
  char hash[20];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)l->hash);
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "strategy", l->strategy);
  if (!l->n) ik_json_str(j, "failure", l->failure);
  ik_json_num(j, "seconds", l->n ? row->points / l->rate / 1e9 : NAN);
  ik_json_num(j, "gstencils_per_s", l->rate);
  ik_json_num(j, "ratio", l->ratio);
  ik_json_num(j, "of_limit", l->rate / row->limit);
  ik_json_str(j, "plan", *l->plan ? l->plan : NULL);
  ik_json_int(j, "peak_bytes", l->peak_bytes);
  ik_json_str(j, "hash", l->n ? hash : NULL);
  ik_json_bool(j, "identical", l->identical);
  ik_json_num(j, "max_error", l->error);
  ik_json_bool(j, "correct", !l->wrong);
  json_times(j, "round_seconds", l->seconds, l->n);
  json_times(j, "round_plain_seconds", l->plain[row->plain], l->n);
  json_goal(b, row, l, j);
  ik_json_close(j, '}');
}

static void json_plain(const ik_bench_row *row, ik_json *j) {
  ik_json_open(j, "plain", '{');
  ik_json_str(j, "options", ik_plain_options[row->plain]);
  ik_json_num(j, "seconds", row->points / row->plain_rate / 1e9);
  ik_json_num(j, "gstencils_per_s", row->plain_rate);
  ik_json_num(j, "of_limit", row->plain_rate / row->limit);
  ik_json_num(j, "max_error", row->plain_error);
  ik_json_bool(j, "correct", !row->plain_wrong);
  ik_json_close(j, '}');
}

static void json_row(const ik_bench *b, const ik_bench_row *row, ik_json *j) {
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "name", row->c->name);
  ik_json_str(j, "title", row->c->title);
  ik_json_str(j, "type", row->c->f64 ? "f64" : "f32");
  ik_json_open(j, "grid", '[');
  for (int k = 0; k < row->c->ndim; k++) ik_json_int(j, NULL, row->size->n[k]);
  ik_json_close(j, ']');
  ik_json_int(j, "sets", row->size->sets);
  ik_json_int(j, "steps", row->size->steps);
  ik_json_num(j, "points", row->points);
  ik_json_num(j, "bytes", row->bytes);
  ik_json_num(j, "flops", row->flops);
  ik_json_int(j, "declared_bytes", row->declared_bytes);
  if (row->no_plain) ik_json_str(j, "no_plain", row->no_plain);
  ik_json_str(j, "bound", row->memory_bound ? "memory" : "compute");
  ik_json_num(j, "limit_gstencils_per_s", row->limit);
  ik_json_int(j, "rounds_again", row->again);
  ik_cores_json(&row->cores, j);
  ik_json_str(j, "published", row->c->published);
  json_plain(row, j);
  ik_json_open(j, "strategies", '[');
  for (int i = 0; i < row->nline; i++) json_line(b, row, &row->line[i], j);
  ik_json_close(j, ']');
  ik_json_close(j, '}');
}

static void json_limits(const ik_limits *l, ik_json *j) {
  ik_json_open(j, "limits", '{');
  ik_json_num(j, "gb_per_s", l->bandwidth);
  ik_json_num(j, "copy_gb_per_s", l->copy);
  ik_json_num(j, "streaming_copy_gb_per_s", l->copy_streaming);
  ik_json_num(j, "read_gb_per_s", l->read);
  ik_json_num(j, "in_place_gb_per_s", l->update);
  ik_json_num(j, "gflops_f32", l->gflops[0]);
  ik_json_num(j, "gflops_f64", l->gflops[1]);
  ik_json_close(j, '}');
}

void ik_bench_write_json(const ik_bench *b, ik_buf *out) {
  ik_json j = {.out = out};
  ik_json_open(&j, NULL, '{');
  ik_json_str(&j, "suite", b->suite->name);
  ik_json_str(&j, "version", ik_version());
  ik_json_str(&j, "machine", b->machine);
  ik_json_str(&j, "compiler", b->limits.compiler);
  ik_json_int(&j, "vector_bytes", b->limits.vector_bytes);
  ik_json_str(&j, "target", b->target);
  ik_json_str(&j, "size", b->opt.small ? "small" : "full");
  ik_json_int(&j, "threads", b->opt.threads);
  ik_json_int(&j, "rounds", b->opt.rounds);
  json_limits(&b->limits, &j);
  ik_cores_json(&b->cores, &j);
  ik_json_num(&j, "stolen_share", b->stolen);
  ik_json_open(&j, "cases", '[');
  for (int i = 0; i < b->nrow; i++) json_row(b, &b->row[i], &j);
  ik_json_close(&j, ']');
  ik_json_close(&j, '}');
}
