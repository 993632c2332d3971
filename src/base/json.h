/* json.h: writes one JSON value; commas, quotes and numbers are done here.
 *
 *   ik_json j = {.out = &buf};
 *   ik_json_open(&j, NULL, '{'); ik_json_int(&j, "steps", 3); ik_json_close(&j, '}');
 *
 * `key` is NULL inside an array. */
#pragma once
#include "base/buf.h"

typedef struct ik_json {
  ik_buf *out;
  bool    comma; /* a value stands before on this level */
} ik_json;

void ik_json_open(ik_json *j, const char *key, char bracket);
void ik_json_close(ik_json *j, char bracket);
void ik_json_str(ik_json *j, const char *key, const char *v); /* NULL is null */
void ik_json_int(ik_json *j, const char *key, long long v);
void ik_json_num(ik_json *j, const char *key, double v); /* NaN and infinities are null */
void ik_json_bool(ik_json *j, const char *key, bool v);
void ik_json_raw(ik_json *j, const char *key, const char *json); /* already JSON */
