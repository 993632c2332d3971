/* file.h: whole files in, and files out that appear complete or not at all.
 *
 * An output is written under a temporary name in the same folder (io/temp.h), brought to the disk
 * and renamed when it is complete: after a crash there is the old file or the new one.  A device is
 * written directly, so that it is never replaced.  Symbolic links are followed.
 * Files are opened without waiting for anybody, and named pipes, sockets and disks are refused; a
 * pipe that the caller of the process set up (/dev/stdin, /dev/fd/63) is as good as a file.
 * Within IK_ON_BEHALF (io/access.h) files have to lie where the program may use them (E069).
 * `at` is the place in the program that asked for the file, or IK_NOSPAN.
 */
#pragma once
#include "base/diag.h"
#include "io/access.h"
#include <stdio.h>

#define IK_FILE_MOST ((size_t)1 << 40) /* a limit for files whose size tells nothing by itself */

/* Replaces `out` by the content of `path`.  E062 when it cannot be read, E063 when it is longer
 * than `limit` bytes, E072 when memory runs out; then `out` is empty. */
ik_status ik_file_read(const char *path, size_t limit, ik_span at, ik_buf *out, ik_diag *d);

/* E062 unless the file is there, may be read and is no folder. */
ik_status ik_file_readable(const char *path, ik_span at, ik_diag *d);

/* The same for libraries that open files themselves and could not say why they failed: *fd, to be
 * closed, is the file; `name` is what they open, the path itself unless the program is confined. */
ik_status ik_file_open(const char *path, ik_span at, int *fd, char name[PATH_MAX], ik_diag *d);

/* E064 if it is plain already that nothing can be written there: no such folder, no right to.
 * Removes what killed runs left in the folder. */
ik_status ik_file_writable(const char *path, ik_span at, ik_diag *d);

/* The same for a folder that may have to be made, with those above it, and for what is left in it.
 */
ik_status ik_file_folder_writable(const char *path, ik_span at, ik_diag *d);

/* Makes a folder, and those above it; one that is there is fine.  E064. */
ik_status ik_file_make_folder(const char *path, unsigned mode, ik_diag *d);

/* Writes all or nothing; E064. */
ik_status ik_file_write(const char *path, const void *bytes, size_t len, ik_diag *d);

/* E072 for a buffer of `path`. */
ik_status ik_file_oom(const char *path, ik_span at, ik_diag *d);

typedef struct ik_outfile {
  FILE   *f;
  char   *path;               /* as it was asked for */
  ik_spot spot;               /* where it goes; links resolved */
  char    temp[NAME_MAX + 1]; /* "": written to the spot directly */
  ik_span at;
  int     err;  /* errno of the first write that failed */
  int     undo; /* base/undo.h */
} ik_outfile;

/* E064 at once when the file cannot be written there; then nothing is open. */
ik_status ik_outfile_open(ik_outfile *o, const char *path, ik_span at, ik_diag *d);

/* After a failed write further ones do nothing; commit reports it. */
void ik_outfile_write(ik_outfile *o, const void *bytes, size_t len);

/* Closes and renames.  On failure (E064) nothing is left behind and an old file stays as it was. */
ik_status ik_outfile_commit(ik_outfile *o, ik_diag *d);
void      ik_outfile_abandon(ik_outfile *o); /* may follow a commit; then it does nothing */
