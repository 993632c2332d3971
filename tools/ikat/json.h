/* json.h: the one object that a command prints under --json, written piece by piece.
 *
 * It is kept in memory until the command ends, so that whatever happens standard output gets one
 * object and nothing else.
 */
#pragma once
#include <stdbool.h>
#include <stdio.h>

typedef struct json {
  FILE  *out;  /* NULL: nothing is kept */
  char  *text; /* valid after fflush(out) */
  size_t len;
  bool   comma; /* a value stands before on this level */
} json;

bool json_create(json *j); /* false: no memory */
void json_destroy(json *j);

/* `key` is NULL inside an array. */
void json_open(json *j, const char *key, char bracket);
void json_close(json *j, char bracket);
void json_string(json *j, const char *key, const char *text); /* NULL is null */
void json_bool(json *j, const char *key, bool v);
void json_raw(json *j, const char *key, const char *value); /* already JSON */
/* The members of another object, or the items of another array. */
void json_members(json *j, const char *object);
