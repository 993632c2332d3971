#include "text.h"

static const char text[] = "title = \"A test\"\n"
                           "kind = \"gpu\"\n"
                           "memory.size = 80 GB source P \"a paper\"\n"
                           "c = 1.5 source D \"80/3 \\ 2\" # about\n"
                           "d = 2 us # loose\n";

CASE(figures_stand_in_columns) {
  reading r;
  ik_buf  b = {0};
  CHECK_EQ(read_text(&r, text), IK_OK);
  ik_machine_print(r.machine, &b);
  CHECK_STR(ik_buf_text(&b), "test  A test\n"
                             "  kind         gpu\n"
                             "  memory.size  80 GB  P a paper\n"
                             "  c            1.5    D 80/3 \\ 2  # about\n"
                             "  d            2 us   # loose\n"
                             "\n"
                             "  P published, D derived\n");
  ik_buf_free(&b);
  end_reading(&r);
}

CASE(json_has_the_same_content) {
  reading r;
  ik_buf  b = {0};
  ik_json j = {.out = &b};
  CHECK_EQ(read_text(&r, text), IK_OK);
  ik_machine_json(r.machine, &j);
  CHECK(strstr(b.data,
               "{\"name\": \"test\", \"title\": \"A test\", \"kind\": \"gpu\", \"figures\": ["));
  CHECK(strstr(b.data,
               "{\"key\": \"memory.size\", \"value\": 80, \"unit\": \"GB\", \"label\": \"P\", "
               "\"source\": \"a paper\", \"comment\": null}"));
  CHECK(strstr(b.data, "\"source\": \"80/3 \\\\ 2\", \"comment\": \"about\"}"));
  ik_buf_free(&b);
  end_reading(&r);
}

CASE(a_machine_without_figures_prints_its_name) {
  reading r;
  ik_buf  b = {0};
  CHECK_EQ(read_text(&r, "# nothing\n"), IK_OK);
  ik_machine_print(r.machine, &b);
  CHECK_STR(ik_buf_text(&b), "test\n");
  ik_buf_free(&b);
  end_reading(&r);
}
