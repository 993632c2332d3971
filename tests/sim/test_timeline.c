/* Spans and the JSON that viewers open. */
#include "sim/timeline.h"
#include "check.h"

static const char *const tracks[] = {"receive", "main"};

static ik_timeline two(void) {
  ik_timeline t = {.most = 2, .nelement = 4, .nx = 2, .ny = 2, .clock = 1e9, .title = "a test"};
  ik_timeline_add(&t, (ik_timeline_span){3, IK_TIMELINE_RECEIVE, 1000, 3000, "receive", 2});
  ik_timeline_add(&t, (ik_timeline_span){1, IK_TIMELINE_COMPUTE, 0, 500, "fma z", -1});
  ik_timeline_add(&t, (ik_timeline_span){0, IK_TIMELINE_WAIT, 0, 1, "too many", -1});
  return t;
}

static bool has(const ik_buf *b, const char *text) { return strstr(ik_buf_text(b), text); }

CASE(elements_are_threads) {
  ik_timeline t = two();
  ik_buf      b = {0};
  ik_timeline_json(&t, &b);
  CHECK_EQ(t.nspan, 2);
  CHECK_EQ(t.left_out, 1);
  CHECK(has(&b, "\"receive\""));
  CHECK(has(&b, "\"(1, 1)\""));
  CHECK(has(&b, "\"left_out\""));
  CHECK(!has(&b, "too many"));
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
  ik_buf_free(&b);
  ik_timeline_free(&t);
}
