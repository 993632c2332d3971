/* build.h: C text to functions that can be called.
 *
 * The text is compiled to a shared object by the C compiler of the system, in a private folder, and
 * loaded.  With a cache folder (runtime/cache.h) a text that was compiled before, by the same
 * compiler with the same flags, is loaded right away.  A cache that cannot be used, because it is
 * not ours alone, read-only or full, is done without.  The text must be complete: what it includes,
 * other than headers of the compiler, is not part of what a cached object is known by.
 *
 *   IK_TRY(ik_build_start(text, &options, d, &b));    the compiler runs; start others meanwhile
 *   IK_TRY(ik_build_finish(b, d));
 *   f = (ik_kernel_fn *)ik_build_symbol(b, "step");
 *   ik_build_close(&b);                               in any case, and only when `f` is done with
 */
#pragma once
#include "base/diag.h"

typedef struct ik_build ik_build;

typedef struct ik_build_options {
  const char        *cache_dir; /* NULL: none */
  const char        *compiler; /* a name or a path; NULL: cc, gcc or clang, whichever comes first */
  const char *const *flags;    /* NULL at its end; may be NULL.  No relative paths in it */
  const char        *keep;     /* a file that gets a copy of the text; NULL: none */
  const char        *prefix;   /* how the functions begin that the text defines; NULL: not known.
                                  A cached object that lacks one is dropped and built again */
  bool later;                  /* others have the processor first */
} ik_build_options;

/* Where the compiler works from now on, for the whole process; NULL: in /tmp, or where there is
 * room. What killed runs left there is removed. */
void ik_build_work_in(const char *folder);

/* Where the compiler is that is used where none is named; false: there is none. */
bool ik_build_compiler(ik_buf *path);

/* Looks into the cache or starts the compiler.  `text` and `o` are not needed afterwards.  When it
 * fails, *out is NULL.
 * IK_ERR_RESOURCE: there is no compiler (E083), or E064, E072. */
ik_status ik_build_start(const char *text, const ik_build_options *o, ik_diag *d, ik_build **out);

/* Waits for the compiler and loads what it made.  IK_ERR_TOOLCHAIN: it refused the text, which is
 * kept in the file that the message names, or it was interrupted. */
ik_status ik_build_finish(ik_build *b, ik_diag *d);

/* Both in one.  When it fails, *out is NULL. */
ik_status ik_build_open(const char *text, const ik_build_options *o, ik_diag *d, ik_build **out);

void  ik_build_close(ik_build **b);                         /* stops a compiler that still runs */
void *ik_build_symbol(const ik_build *b, const char *name); /* NULL: the text defines no such */

bool   ik_build_cached(const ik_build *b);  /* no compiler was needed */
double ik_build_seconds(const ik_build *b); /* spent in ik_build_start() and ik_build_finish() */
