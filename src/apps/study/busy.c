#include "apps/study/busy.h"
#include "apps/study/table.h"
#include <math.h>
#include <string.h>

enum { ALL = IK_PIPELINE_RESOURCES };

static double busy_share(const ik_pipeline_time *t, int r) {
  return t->seconds > 0 ? t->busy[r] / t->seconds : 0;
}

static const char *name_of(int r) { return ik_pipeline_name((ik_pipeline_resource)r); }

/* ---- plans that are alike ---- */

/* The words of a plan that another does not have, as ik_plan_write() has them. */
static void put_difference(const ik_plan *of, const ik_plan *from, ik_buf *out) {
  ik_buf a = {0}, b = {0};
  ik_buf_putc(&b, ' '), ik_plan_write(from, &b), ik_buf_putc(&b, ' ');
  ik_plan_write(of, &a);
  const char *between = "";
  for (const char *p = ik_buf_text(&a); *p;) {
    int    len = (int)strcspn(p, " ");
    ik_buf word = {0};
    ik_buf_printf(&word, " %.*s ", len, p);
    if (!strstr(ik_buf_text(&b), ik_buf_text(&word))) {
      ik_buf_printf(out, "%s%.*s", between, len, p);
      between = " ";
    }
    ik_buf_free(&word);
    p += len + (p[len] == ' ');
  }
  ik_buf_free(&a), ik_buf_free(&b);
}

static bool same_time(const ik_pipeline_time *a, const ik_pipeline_time *b) {
  for (int i = 0; i < IK_PIPELINE_RESOURCES; i++)
    if (a->part[i] != b->part[i] || a->busy[i] != b->busy[i]) return false;
  return a->seconds == b->seconds;
}

static bool is_alike(const ik_candidate *a, const ik_candidate *b) {
  return a->time && b->time && !strcmp(a->strategy, b->strategy) && a->steps == b->steps &&
         same_time(a->time, b->time);
}

static void add_note(ik_candidate *c, const ik_plan *other, ik_arena *a) {
  ik_buf words = {0};
  put_difference(other, c->plan, &words);
  c->note = ik_arena_printf(a, "%s%s%s", *c->note ? c->note : "as good: ", *c->note ? ", " : "",
                            ik_buf_text(&words));
  ik_buf_free(&words);
}

void ik_busy_merge(ik_candidates *c, ik_arena *a) {
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    int k = 0;
    while (k < n && !is_alike(&c->at[k], &c->at[i])) k++;
    if (k < n)
      add_note(&c->at[k], c->at[i].plan, a);
    else
      c->at[n++] = c->at[i];
  }
  c->n = n;
}

/* ---- the table ---- */

/* Resources that somebody uses for at least half a percent of the time. */
static bool is_used(const ik_candidates *c, int most, int r) {
  for (int i = 0; i < c->n && i < most; i++)
    if (c->at[i].time && busy_share(c->at[i].time, r) >= 0.005) return true;
  return false;
}

static void put_row(const ik_candidates *c, int i, const bool used[ALL], ik_table *t) {
  ik_buf b = {0};
  ik_buf_printf(&b, "%s\t%d\t%.2fx", c->at[i].strategy, c->at[i].steps,
                c->at[i].seconds / c->at[0].seconds);
  for (int r = 0; r < ALL; r++)
    if (used[r]) ik_buf_printf(&b, "\t%.0f %%", 100 * busy_share(c->at[i].time, r));
  ik_table_row(t, "%s", ik_buf_text(&b));
  ik_buf_free(&b);
}

void ik_busy_table(const ik_candidates *c, int most, ik_buf *out) {
  bool     used[ALL];
  ik_buf   head = {0};
  ik_table t = {0};
  ik_buf_puts(&head, "strategy\tsteps\tof best");
  for (int r = 0; r < ALL; r++) {
    used[r] = is_used(c, most, r);
    if (used[r]) ik_buf_printf(&head, "\t%s", name_of(r));
  }
  ik_table_row(&t, "%s", ik_buf_text(&head));
  ik_buf_free(&head);
  for (int i = 0; i < c->n && i < most; i++)
    if (c->at[i].time) put_row(c, i, used, &t);
  ik_buf_puts(out, "utilisation, as a share of the time of each plan; the rest is slack\n");
  ik_table_write(&t, 2, out);
}

/* ---- sentences ---- */

/* The index of the greatest that is not done yet; -1: none is above `least`. */
static int next_of(const double v[ALL], bool done[ALL], double least) {
  int at = -1;
  for (int r = 0; r < ALL; r++)
    if (!done[r] && v[r] > least && (at < 0 || v[r] > v[at])) at = r;
  if (at >= 0) done[at] = true;
  return at;
}

void ik_busy_limit(const ik_pipeline_time *t, ik_buf *out) {
  int         most = (int)ik_pipeline_saturated(t);
  bool        done[ALL] = {false};
  const char *before = "; slack:";
  done[most] = true;
  ik_buf_printf(out, "limited by %s, busy %.0f %% of the time", name_of(most),
                100 * busy_share(t, most));
  for (int r; (r = next_of(t->busy, done, 0)) >= 0; before = ",")
    ik_buf_printf(out, "%s %s %.0f %%", before, name_of(r),
                  100 * ik_pipeline_slack(t, (ik_pipeline_resource)r));
}

/* Ports work side by side, and only the longest shows: which one it is may differ. */
static void join_ports(const ik_pipeline_time *t, double part[ALL]) {
  int longest = 0;
  for (int r = 1; r <= IK_PIPELINE_CHAIN; r++)
    if (t->part[r] > t->part[longest]) longest = r;
  memcpy(part, t->part, sizeof t->part);
  for (int r = 0; r <= IK_PIPELINE_CHAIN; r++) {
    if (r != longest) part[longest] += part[r];
    if (r != longest) part[r] = 0;
  }
}

/* Differences of at least a percent of the winner's time, the largest first. */
void ik_busy_loss(const ik_candidate *best, const ik_candidate *c, ik_buf *out) {
  double mine[ALL], more[ALL], size[ALL], ports = 0;
  bool   done[ALL] = {false};
  join_ports(c->time, mine);
  for (int r = 0; r <= IK_PIPELINE_CHAIN; r++) ports += best->time->part[r];
  for (int r = 0; r < ALL; r++) {
    double its = r > IK_PIPELINE_CHAIN ? best->time->part[r] : mine[r] > 0 ? ports : 0;
    more[r] = (mine[r] - its) / best->time->seconds;
    size[r] = fabs(more[r]);
  }
  put_difference(c->plan, best->plan, out);
  ik_buf_printf(out, " takes %.2fx", c->seconds / best->seconds);
  const char *before = ":";
  for (int r; (r = next_of(size, done, 0.01)) >= 0; before = ",")
    ik_buf_printf(out, "%s %s %+.0f %%", before, name_of(r), 100 * more[r]);
  if (*before == ',') ik_buf_puts(out, " of the winner's time");
}

/* ---- for programs ---- */

void ik_busy_json(const ik_pipeline_time *t, ik_json *j) {
  ik_json_str(j, "saturated", ik_pipeline_name(ik_pipeline_saturated(t)));
  ik_json_open(j, "slack", '{');
  for (int r = 0; r < ALL; r++)
    ik_json_num(j, name_of(r), ik_pipeline_slack(t, (ik_pipeline_resource)r));
  ik_json_close(j, '}');
  ik_json_open(j, "seconds_of_step", '{');
  for (int r = 0; r < ALL; r++) ik_json_num(j, name_of(r), t->part[r]);
  ik_json_close(j, '}');
}
