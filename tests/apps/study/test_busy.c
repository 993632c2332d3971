#include "apps/study/busy.h"
#include "check.h"
#include <string.h>

typedef struct room {
  ik_arena         arena;
  ik_plan          plan[4];
  ik_pipeline_time time[4];
  ik_candidate     at[4];
  ik_candidates    c;
  ik_buf           out;
} room;

/* Four plans of a step of 100 s: two that are the same to the model, one that loads more than it
 * computes, one that nothing is known of. */
static void open_room(room *r) {
  *r = (room){0};
  ik_arena_init(&r->arena);
  for (int i = 0; i < 4; i++) {
    r->plan[i] = (ik_plan){.strategy = "fuse", .steps = 3, .cpu.rows = 4, .cpu.vectors = 4};
    r->plan[i].cpu.vector_bytes = 16;
    ik_pipeline_time *t = &r->time[i];
    t->seconds = 100;
    t->part[IK_PIPELINE_ARITHMETIC] = t->busy[IK_PIPELINE_ARITHMETIC] = 60;
    t->busy[IK_PIPELINE_LOADS] = 50;
    t->part[IK_PIPELINE_LINES] = t->busy[IK_PIPELINE_LINES] = 40;
    r->at[i] = (ik_candidate){.strategy = "fuse", .steps = 3, .seconds = 1000, .note = ""};
    r->at[i].plan = &r->plan[i], r->at[i].time = t;
  }
  r->plan[1].cpu.vectors = 2;
  r->plan[2].cpu.rows = 1, r->at[2].seconds = 1400;
  r->time[2] = (ik_pipeline_time){.seconds = 140};
  r->time[2].part[IK_PIPELINE_LOADS] = r->time[2].busy[IK_PIPELINE_LOADS] = 90;
  r->time[2].busy[IK_PIPELINE_ARITHMETIC] = 60;
  r->time[2].part[IK_PIPELINE_LINES] = r->time[2].busy[IK_PIPELINE_LINES] = 35;
  r->time[2].part[IK_PIPELINE_STARTS] = r->time[2].busy[IK_PIPELINE_STARTS] = 15;
  r->plan[3].strategy = r->at[3].strategy = "hex", r->at[3].time = NULL;
  r->c = (ik_candidates){r->at, 4, 4};
}

static void close_room(room *r) {
  ik_buf_free(&r->out);
  ik_arena_free(&r->arena);
}

CASE(what_the_model_cannot_tell_apart_is_one) {
  room r;
  open_room(&r);
  ik_busy_merge(&r.c, &r.arena);
  CHECK_EQ(r.c.n, 3);
  CHECK_STR(r.c.at[0].note, "as good: vectors=2");
  CHECK_STR(r.c.at[1].note, "");
  CHECK_STR(r.c.at[2].strategy, "hex");
  ik_busy_merge(&r.c, &r.arena);
  CHECK_EQ(r.c.n, 3);
  close_room(&r);
}

/* Another number of steps is another way, even if it takes as long. */
CASE(steps_are_never_merged) {
  room r;
  open_room(&r);
  r.at[1].steps = r.plan[1].steps = 6;
  ik_busy_merge(&r.c, &r.arena);
  CHECK_EQ(r.c.n, 4);
  close_room(&r);
}

CASE(the_limit_and_the_slack_of_the_others) {
  room r;
  open_room(&r);
  ik_busy_limit(&r.time[0], &r.out);
  CHECK_STR(ik_buf_text(&r.out), "limited by arithmetic, busy 60 % of the time; slack: loads 50 %, "
                                 "cache lines 60 %");
  close_room(&r);
}

/* Of the ports only the longest shows: loads in place of arithmetic are 30 % more, not 90. */
CASE(losses_by_resource) {
  room r;
  open_room(&r);
  ik_busy_loss(&r.at[0], &r.at[2], &r.out);
  CHECK_STR(ik_buf_text(&r.out), "rows=1 takes 1.40x: loads +30 %, starts +15 %, cache lines -5 %"
                                 " of the winner's time");
  ik_buf_free(&r.out);
  ik_busy_loss(&r.at[0], &r.at[1], &r.out);
  CHECK_STR(ik_buf_text(&r.out), "vectors=2 takes 1.00x");
  close_room(&r);
}

CASE(the_table_leaves_out_what_nobody_uses) {
  room r;
  open_room(&r);
  ik_busy_table(&r.c, 8, &r.out);
  const char *text = ik_buf_text(&r.out);
  CHECK(strstr(text, "starts") && !strstr(text, "chains") && !strstr(text, "memory"));
  CHECK(strstr(text, "fuse          3    1.40x        43 %   64 %         25 %    11 %\n") != NULL);
  CHECK(!strstr(text, "hex"));
  close_room(&r);
}

CASE(json) {
  room r;
  open_room(&r);
  ik_json j = {.out = &r.out};
  ik_json_open(&j, NULL, '{');
  ik_busy_json(&r.time[0], &j);
  ik_json_close(&j, '}');
  const char *text = ik_buf_text(&r.out);
  CHECK(strstr(text, "{\"saturated\": \"arithmetic\", \"slack\": {\"arithmetic\": 0.4") == text);
  CHECK(strstr(text, "\"seconds_of_step\": {\"arithmetic\": 60, \"loads\": 0,") != NULL);
  close_room(&r);
}
