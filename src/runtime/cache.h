/* cache.h: a folder of shared objects, and of the C they were made from, shared by many processes.
 *
 * KEY.so and KEY.c appear complete or not at all.  An object ends in a seal, behind what the linker
 * wrote (which whoever loads it does not mind): its key, length and digest (BLAKE2b), and it is
 * used only with the very text that it was made from, so that a file that is cut short, damaged or
 * another one's is never loaded.  The folder and the files have to be the user's own.  Nothing here
 * reports errors: whoever uses a cache can do without.
 */
#pragma once
#include "base/blake2b.h"
#include <limits.h>
#include <stdbool.h>

enum { IK_CACHE_KEY = IK_BLAKE2B_HEX }; /* hexadecimal digits of a key */

/* More than this, and the files that were not used for the longest time go. */
#define IK_CACHE_FILES 512
#define IK_CACHE_BYTES (256L << 20)

/* Is the folder there (it is made if not, for its owner alone), ours alone to write, and on a way
 * that no link of somebody else's is part of? */
bool ik_cache_usable(const char *dir);

/* The path of the object with this key, if it is there, unharmed and made from `text`.  Marks it as
 * used. */
bool ik_cache_find(const char *dir, const char *key, const char *text, char path[PATH_MAX]);
/* An object that proved useless goes. */
void ik_cache_drop(const char *dir, const char *key);

/* These copy the file `from` to DIR/KEY.c or DIR/KEY.so, whose path they give, replace what is
 * there, and delete what has become too much in the folder.  False: nothing has changed. */
bool ik_cache_put_source(const char *dir, const char *key, const char *from, char path[PATH_MAX]);
bool ik_cache_put_object(const char *dir, const char *key, const char *from, char path[PATH_MAX]);
