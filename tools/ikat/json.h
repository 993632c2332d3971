/* json.h: the one object that a command prints under --json, written piece by piece.
 *
 * It is kept in memory until the command ends, so that whatever happens standard output gets one
 * object and nothing else.  When memory runs out, json.out.failed says so.
 */
#pragma once
#include "strbuf.h"

typedef struct json {
  strbuf out;
  bool   comma; /* a value stands before on this level */
} json;

/* `key` is NULL inside an array. */
void json_open(json *j, const char *key, char bracket);
void json_close(json *j, char bracket);
void json_string(json *j, const char *key, const char *text); /* NULL is null */
void json_bool(json *j, const char *key, bool v);
void json_raw(json *j, const char *key, const char *value); /* already JSON */
/* The members of another object, or the items of another array. */
void json_members(json *j, const char *object);
