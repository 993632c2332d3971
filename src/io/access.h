/* access.h: which files the text of a program may use.
 *
 * A program is a text, often somebody else's.  Whoever opens files because a program asks for them
 * says so with IK_ON_BEHALF: until the end of the block, every file that this thread opens through
 * io/file.h has to lie below the folders that `access` names.  Files of the user and of ikat itself
 * are opened outside of such blocks, and may be anywhere.
 *
 * A path is followed one folder at a time, each held open, and symbolic links are read and not left
 * to the system: nobody can exchange a folder for a link between the check and the use.  A link
 * that stays below the folder is followed; one that leads out of it, or is absolute, is not.
 */
#pragma once
#include <limits.h>
#include <stdbool.h>

typedef struct ik_folder { /* held open */
  int  fd;                 /* -1: none */
  char given[PATH_MAX];    /* as it was named, made absolute */
  char real[PATH_MAX];     /* without links */
} ik_folder;

/* The folder `path` (NULL: the current one).  False, with errno: it cannot be opened. */
bool ik_folder_open(ik_folder *f, const char *path);
void ik_folder_close(ik_folder *f);

enum { IK_ACCESS_READS = 3 };

typedef struct ik_access {                /* borrowed folders */
  const ik_folder *write;                 /* outputs lie below it; NULL: anywhere */
  const ik_folder *read[IK_ACCESS_READS]; /* inputs lie below one of these */
  int              nread;                 /* 0: anywhere */
} ik_access;

#define IK_ON_BEHALF(access)                                                                       \
  const ik_access *ik_access_before __attribute__((cleanup(ik_access_leave), unused)) =            \
      ik_access_enter(access)

const ik_access *ik_access_enter(const ik_access *a); /* what held before */
void             ik_access_leave(const ik_access *const *before);
const ik_access *ik_access_now(void); /* NULL: nothing is restricted */

typedef struct ik_spot { /* where a path leads */
  int  folder;           /* open; -1: none */
  char name[NAME_MAX + 1];
} ik_spot;

enum { IK_OUTSIDE = -1, IK_OUTSIDE_BY_LINK = -2 };

/* The spot of a path below a folder; what is there, if anything, is no link.  0, an error number,
 * or IK_OUTSIDE, IK_OUTSIDE_BY_LINK. */
int ik_spot_below(const ik_folder *f, const char *path, ik_spot *out);
/* The spot of any path, links followed as the system does. */
int  ik_spot_anywhere(const char *path, ik_spot *out);
void ik_spot_leave(ik_spot *s);
