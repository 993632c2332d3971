/* Spans and the JSON that viewers open. */
#include "sim/timeline.h"
#include "check.h"

static const char *const tracks[] = {"receive", "main"};

static ik_timeline two(void) {
  ik_timeline t = {.most = 3, .nelement = 4, .nx = 2, .ny = 2, .clock = 1e9, .title = "a test"};
  ik_timeline_add(&t, (ik_timeline_span){3, IK_TIMELINE_RECEIVE, 1000, 3000, "receive", 2});
  ik_timeline_add(&t, (ik_timeline_span){1, IK_TIMELINE_COMPUTE, 0, 500, "fma z", -1});
  ik_timeline_add(&t, (ik_timeline_span){0, IK_TIMELINE_RECEIVE, 7, 9, "from the west", -1});
  ik_timeline_add(&t, (ik_timeline_span){0, IK_TIMELINE_WAIT, 0, 1, "too many", -1});
  return t;
}

static bool has(const ik_buf *b, const char *text) { return strstr(ik_buf_text(b), text); }

/* A number of the span with that name. */
static double number_of(const ik_buf *b, const char *name, const char *key) {
  char        text[64];
  double      v = -1;
  const char *at;
  snprintf(text, sizeof text, "\"name\": \"%s\", \"cat\"", name);
  at = strstr(ik_buf_text(b), text);
  snprintf(text, sizeof text, "\"%s\": ", key);
  if (at) at = strstr(at, text);
  if (!at || sscanf(at + strlen(text), "%lf", &v) != 1)
    check_fail(__FILE__, __LINE__, "%s has no %s", name, key);
  return v;
}

CASE(elements_are_threads) {
  ik_timeline t = two();
  ik_buf      b = {0};
  ik_timeline_json(&t, &b);
  CHECK_EQ(t.nspan, 3);
  CHECK_EQ(t.left_out, 1);
  CHECK(has(&b, "\"receive\""));
  CHECK(has(&b, "\"(1, 1)\""));
  CHECK(has(&b, "\"left_out\""));
  CHECK(!has(&b, "too many"));
  CHECK_EQ(number_of(&b, "receive", "pid"), 1); /* element (1, 1) */
  CHECK_EQ(number_of(&b, "receive", "tid"), 1);
  CHECK_EQ(number_of(&b, "fma z", "pid"), 0); /* element (1, 0) */
  CHECK_EQ(number_of(&b, "fma z", "tid"), 1);
  CHECK_NEAR(number_of(&b, "receive", "ts"), 1, 1e-12); /* microseconds */
  CHECK_NEAR(number_of(&b, "receive", "dur"), 2, 1e-12);
  ik_buf_free(&b);
  ik_timeline_free(&t);
}

/* Where elements do several things at once, each of these is a thread of its own. */
CASE(tracks_are_threads) {
  ik_timeline t = two();
  ik_buf      b = {0};
  t.track = tracks;
  t.ntrack = 2;
  ik_timeline_json(&t, &b);
  CHECK(has(&b, "\"(1, 1) receive\""));
  CHECK(has(&b, "\"(1, 0) main\""));
  CHECK_EQ(number_of(&b, "receive", "tid"), 2 * 1);       /* called like a track */
  CHECK_EQ(number_of(&b, "from the west", "tid"), 2 * 0); /* of a kind that is */
  CHECK_EQ(number_of(&b, "fma z", "tid"), 2 * 1 + 1);     /* neither */
  ik_buf_free(&b);
  ik_timeline_free(&t);
}
