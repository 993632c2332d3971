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
            "\"shift\": false, \"in_place\": false, \"threads\": 3}");
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
            "fuse steps=16 tile=1024,0,0 rows=4 vectors=2 bytes=64 stream=1 shift=1 in_place=1");
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

/* Words of one kind of machine are none of another. */
CASE(a_plan_of_a_gpu_comes_back) {
  ik_plan p = {.target = "cuda",
               .strategy = "fuse",
               .steps = 24,
               .tile = {464, 1000},
               .gpu = {IK_PLAN_PIPELINE, 16, 1, 3, 8, 1}};
  ik_plan q = {.target = "cuda"}, cpu = {.target = "cpu", .cpu.vector_bytes = 16};
  ik_buf  b = {0};
  ik_plan_write(&p, &b);
  CHECK_STR(ik_buf_text(&b),
            "fuse steps=24 tile=464,1000,0 form=pipeline columns=16 rows=1 levels=3 "
            "warps=8 blocks=1");
  CHECK(!ik_plan_read(ik_buf_text(&b), &cpu));
  CHECK(!ik_plan_is_whole(&q) && ik_plan_read(ik_buf_text(&b), &q) && ik_plan_is_whole(&q));
  CHECK(q.steps == 24 && !memcmp(&q.gpu, &p.gpu, sizeof q.gpu));
  ik_buf_free(&b);
  static const char *const wrong[] = {"form=",     "form=3", "form=pipelines", "warps=0",
                                      "vectors=2", "steps=2"}; /* fewer than a stage has */
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) CHECK(!ik_plan_read(wrong[i], &q));
  CHECK(ik_plan_read("form=band", &q) && q.gpu.form == IK_PLAN_BAND);
  ik_plan_print(&p, &two, &b);
  CHECK_STR(ik_buf_text(&b), "fuse: 24 steps, tile 464 x 1000, pipeline of 8 warps, 16 x 1 cells a "
                             "lane, 3 steps a stage, 1 block a multiprocessor");
  ik_buf_free(&b);
}

CASE(a_plan_of_a_gpu_as_json) {
  ik_plan p = {.target = "cuda", .strategy = "sweep", .steps = 1, .gpu = {0, 2, 1, 1, 4, 0}};
  ik_buf  b = {0};
  ik_json j = {.out = &b};
  ik_json_open(&j, NULL, '{');
  ik_plan_json(&p, &two, &j);
  ik_json_close(&j, '}');
  CHECK_STR(ik_buf_text(&b), "{\"target\": \"cuda\", \"strategy\": \"sweep\", \"steps\": 1, "
                             "\"tile\": [0, 0], \"form\": \"stream\", \"columns\": 2, \"rows\": 1, "
                             "\"levels\": 1, \"warps\": 4, \"blocks\": 0, \"threads\": 0}");
  ik_buf_free(&b);
}
