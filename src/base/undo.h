/* undo.h: what has to go when the process is ended from within a signal handler: compilers that
 * run, temporary files, temporary folders.  Whoever makes one notes it, and forgets it when it has
 * become a result or is gone.  There is room for a few dozen; beyond that, and after a SIGKILL, the
 * next run finds the leftovers (io/temp.h).
 */
#pragma once
#include <sys/types.h>

/* A file (a folder that is open, and a name in it), an empty folder, a group of processes.  The
 * name is not copied: it stays valid until it is forgotten.  Each returns what ik_undo_forget()
 * takes; -1 where there is no room. */
int  ik_undo_file(int folder, const char *name);
int  ik_undo_folder(const char *path);
int  ik_undo_children(pid_t group);
void ik_undo_forget(int note);

/* Stops the processes and removes the files.  Async-signal-safe. */
void ik_undo_all(void);
