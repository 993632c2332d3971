#include "plan/plan.h"
#include "check.h"

static const ik_ir two = {.ndim = 2}, three = {.ndim = 3};

CASE(a_plan_in_words) {
  ik_plan p = {.target = "cpu", .strategy = "fuse", .steps = 16, .tile = {1024, 0}, .cpu.rows = 4};
  ik_buf  b = {0};
  p.cpu.vectors = 1, p.cpu.vector_bytes = 64, p.cpu.stream = true, p.threads = 2;
  ik_plan_print(&p, &two, &b);
  CHECK_STR(ik_buf_text(&b),
            "fuse: 16 steps, tile 1024 x all, 4 rows x 1 vector of 64 bytes, streaming stores");
  ik_buf_free(&b);
  p.cpu.shift = true;
  ik_plan_print(&p, &two, &b);
  CHECK_STR(ik_buf_text(&b), "fuse: 16 steps, tile 1024 x all, 4 rows x 1 vector of 64 bytes, "
                             "streaming stores, shifted neighbours");
  ik_buf_free(&b);
  p.cpu.stream = p.cpu.shift = false, p.steps = 1, p.cpu.rows = 1, p.cpu.vectors = 2;
  ik_plan_print(&p, &three, &b);
  CHECK_STR(ik_buf_text(&b), "fuse: 1 step, tile 1024 x all x all, 1 row x 2 vectors of 64 bytes");
  ik_buf_free(&b);
}

CASE(a_plan_as_json) {
  ik_plan p = {.target = "cpu", .strategy = "plain", .steps = 1, .tile = {0, 32, 0}, .cpu.rows = 4};
  ik_buf  b = {0};
  ik_json j = {.out = &b};
  p.cpu.vectors = 2, p.cpu.vector_bytes = 32, p.threads = 3;
  ik_json_open(&j, NULL, '{');
  ik_plan_json(&p, &three, &j);
  ik_json_close(&j, '}');
  CHECK_STR(ik_buf_text(&b),
            "{\"target\": \"cpu\", \"strategy\": \"plain\", \"steps\": 1, \"tile\": [0, 32, 0], "
            "\"rows\": 4, \"vectors\": 2, \"vector_bytes\": 32, \"stream\": false, "
            "\"shift\": false, \"place\": false, \"threads\": 3}");
  ik_buf_free(&b);
}

CASE(a_plan_as_text_comes_back) {
  ik_plan p = {.target = "cpu", .strategy = "fuse", .steps = 16, .tile = {1024, 0}, .cpu.rows = 4},
          q = p;
  ik_buf b = {0};
  p.cpu.vectors = 2, p.cpu.vector_bytes = q.cpu.vector_bytes = 64,
  p.cpu.stream = p.cpu.shift = p.cpu.in_place = true;
  ik_plan_write(&p, &b);
  CHECK_STR(ik_buf_text(&b),
            "fuse steps=16 tile=1024,0,0 rows=4 vectors=2 bytes=64 stream=1 shift=1 place=1");
  CHECK(ik_plan_read(ik_buf_text(&b), &q));
  CHECK(q.cpu.stream && q.cpu.shift && q.cpu.in_place);
  CHECK_EQ(q.cpu.vectors, 2);
  CHECK(ik_plan_read("shift=0", &q));
  CHECK(q.cpu.stream && !q.cpu.shift);
  CHECK(!ik_plan_read("shift=2", &q));
  CHECK(ik_plan_read("matrix-band terms=3", &q));
  CHECK_EQ(q.cpu.terms, 3);
  CHECK(!ik_plan_read("terms=4", &q));
  CHECK(!ik_plan_read("rows=4294967298", &q)); /* 2, if it were cut to 32 bits */
  ik_buf_free(&b);
}

CASE(tiles_as_text) {
  static const char *const wrong[] = {"tile=",           "tile=8x", "tile=8,",
                                      "tile=8,16x",      "tile=-1", "tile=1,2,3,4",
                                      "tile=2000000000", "tile=,8", "tile=1,2,3x"};
  ik_plan                  q = {.cpu.vector_bytes = 64};
  CHECK(ik_plan_read("tile=8", &q));
  CHECK(q.tile[0] == 8 && q.tile[1] == 0 && q.tile[2] == 0);
  CHECK(ik_plan_read("tile=1,0,1073741824", &q));
  CHECK(q.tile[0] == 1 && q.tile[1] == 0 && q.tile[2] == 1 << 30);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) CHECK(!ik_plan_read(wrong[i], &q));
  CHECK(q.tile[0] == 1 && q.tile[2] == 1 << 30);
}
