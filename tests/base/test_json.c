#include "base/json.h"
#include "check.h"

CASE(nested_values_and_commas) {
  ik_buf  b = {0};
  ik_json j = {.out = &b};
  ik_json_open(&j, NULL, '{');
  ik_json_int(&j, "steps", -3);
  ik_json_open(&j, "list", '[');
  ik_json_num(&j, NULL, 0.1);
  ik_json_bool(&j, NULL, true);
  ik_json_open(&j, NULL, '{');
  ik_json_close(&j, '}');
  ik_json_open(&j, NULL, '[');
  ik_json_close(&j, ']');
  ik_json_str(&j, NULL, NULL);
  ik_json_close(&j, ']');
  ik_json_raw(&j, "raw", "[1]");
  ik_json_bool(&j, "last", false);
  ik_json_close(&j, '}');
  CHECK_STR(ik_buf_text(&b), "{\"steps\": -3, \"list\": [0.1, true, {}, [], null], \"raw\": [1], "
                             "\"last\": false}");
  ik_buf_free(&b);
}

CASE(text_is_escaped) {
  ik_buf  b = {0};
  ik_json j = {.out = &b};
  ik_json_open(&j, NULL, '{');
  ik_json_str(&j, "k\"", "a\\b\"c\nd\te\x01\x1f \xc3\xa9");
  ik_json_close(&j, '}');
  CHECK_STR(ik_buf_text(&b), "{\"k\\\"\": \"a\\\\b\\\"c\\nd\\u0009e\\u0001\\u001f \xc3\xa9\"}");
  ik_buf_free(&b);
}

CASE(numbers_that_json_lacks_are_null) {
  ik_buf  b = {0};
  ik_json j = {.out = &b};
  ik_json_open(&j, NULL, '[');
  ik_json_num(&j, NULL, NAN);
  ik_json_num(&j, NULL, INFINITY);
  ik_json_num(&j, NULL, -INFINITY);
  ik_json_num(&j, NULL, 1e300);
  ik_json_int(&j, NULL, -9223372036854775807 - 1);
  ik_json_close(&j, ']');
  CHECK_STR(ik_buf_text(&b), "[null, null, null, 1e+300, -9223372036854775808]");
  ik_buf_free(&b);
}
