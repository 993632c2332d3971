/* timeline.c: spans of a simulation, and the JSON that viewers open. */
#include "sim/timeline.h"
#include "base/json.h"
#include "base/mem.h"
#include <stdio.h>
#include <string.h>

void ik_timeline_add(ik_timeline *t, ik_timeline_span s) {
  if (t->nspan >= t->most) {
    t->left_out++;
    return;
  }
  if (t->nspan == t->room) {
    int64_t           room = t->room ? 2 * t->room : 1024;
    ik_timeline_span *more = ik_realloc(t->span, (size_t)room * sizeof *more);
    if (!more) {
      t->left_out++;
      return;
    }
    t->span = more;
    t->room = room;
  }
  t->span[t->nspan++] = s;
}

void ik_timeline_free(ik_timeline *t) {
  ik_free(t->span);
  t->span = NULL;
  t->nspan = t->room = 0;
}

const char *ik_timeline_kind_name(ik_timeline_kind k) {
  static const char *const name[IK_NTIMELINE] = {"compute", "send", "receive", "memory", "wait"};
  return name[k];
}

static int track_of(const ik_timeline *t, const ik_timeline_span *s) {
  const char *kind = ik_timeline_kind_name(s->kind);
  int         k = 0;
  while (k < t->ntrack - 1 && strcmp(t->track[k], s->what) && strcmp(t->track[k], kind)) k++;
  return k;
}

/* Viewers number threads within a process. */
static int thread_of(const ik_timeline *t, int x, int track) {
  return t->ntrack ? x * t->ntrack + track : x;
}

/* One event of the "X" kind: a name, a category, when and how long, who. */
static void put_span(ik_json *j, const ik_timeline *t, const ik_timeline_span *s) {
  double us = 1e6 / t->clock;
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "name", s->what);
  ik_json_str(j, "cat", ik_timeline_kind_name(s->kind));
  ik_json_str(j, "ph", "X");
  ik_json_num(j, "ts", (double)s->begin * us);
  ik_json_num(j, "dur", (double)(s->end - s->begin) * us);
  ik_json_int(j, "pid", s->element / t->nx);
  ik_json_int(j, "tid", thread_of(t, s->element % t->nx, track_of(t, s)));
  ik_json_open(j, "args", '{');
  ik_json_int(j, "cycle", s->begin);
  if (s->step >= 0) ik_json_int(j, "step", s->step);
  ik_json_close(j, '}');
  ik_json_close(j, '}');
}

/* What a viewer shows instead of numbers. */
static void put_name(ik_json *j, const char *of, int pid, int tid, const char *name) {
  ik_json_open(j, NULL, '{');
  ik_json_str(j, "name", of);
  ik_json_str(j, "ph", "M");
  ik_json_int(j, "pid", pid);
  ik_json_int(j, "tid", tid);
  ik_json_open(j, "args", '{');
  ik_json_str(j, "name", name);
  ik_json_close(j, '}');
  ik_json_close(j, '}');
}

static void put_threads(ik_json *j, const ik_timeline *t, int x, int y) {
  char text[96];
  for (int k = 0; k < (t->ntrack ? t->ntrack : 1); k++) {
    snprintf(text, sizeof text, "(%d, %d)%s%s", x, y, t->ntrack ? " " : "",
             t->ntrack ? t->track[k] : "");
    put_name(j, "thread_name", y, thread_of(t, x, k), text);
  }
}

static void put_names(ik_json *j, const ik_timeline *t) {
  char text[64];
  for (int y = 0; y < t->ny; y++) {
    snprintf(text, sizeof text, "y = %d", y);
    put_name(j, "process_name", y, 0, text);
    for (int x = 0; x < t->nx && y * t->nx + x < t->nelement; x++) put_threads(j, t, x, y);
  }
}

void ik_timeline_json(const ik_timeline *t, ik_buf *out) {
  ik_json j = {.out = out};
  ik_json_open(&j, NULL, '{');
  ik_json_str(&j, "displayTimeUnit", "ns");
  ik_json_open(&j, "otherData", '{');
  ik_json_str(&j, "title", t->title);
  ik_json_num(&j, "clock", t->clock);
  ik_json_int(&j, "left_out", t->left_out);
  ik_json_close(&j, '}');
  ik_json_open(&j, "traceEvents", '[');
  put_names(&j, t);
  for (int64_t i = 0; i < t->nspan; i++) put_span(&j, t, &t->span[i]);
  ik_json_close(&j, ']');
  ik_json_close(&j, '}');
}
