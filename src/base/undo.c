#include "base/undo.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum { NOTES = 64 };

typedef enum kind { FREE, TAKEN, CHILDREN, FILES, FOLDERS } kind; /* TAKEN: being filled in */

typedef struct note {
  atomic_int  kind;
  int         folder;
  const char *name;
  pid_t       group;
} note;

static note notes[NOTES];

/* The kind is written last: a handler may come at any instant. */
static int take(kind k, int folder, const char *name, pid_t group) {
  for (int i = 0; i < NOTES; i++) {
    int before = FREE;
    if (!atomic_compare_exchange_strong(&notes[i].kind, &before, TAKEN)) continue;
    notes[i].folder = folder, notes[i].name = name, notes[i].group = group;
    atomic_store(&notes[i].kind, (int)k);
    return i;
  }
  return -1;
}

int ik_undo_file(int folder, const char *name) { return take(FILES, folder, name, 0); }
int ik_undo_folder(const char *path) { return take(FOLDERS, AT_FDCWD, path, 0); }
int ik_undo_children(pid_t group) { return take(CHILDREN, AT_FDCWD, NULL, group); }

void ik_undo_forget(int i) {
  if (i >= 0) atomic_store(&notes[i].kind, FREE);
}

static void undo(const note *n, kind k) {
  if (k == CHILDREN)
    kill(-n->group, SIGKILL);
  else
    unlinkat(n->folder, n->name, k == FOLDERS ? AT_REMOVEDIR : 0);
}

/* In the order of the kinds: files of a process that is gone, folders without files. */
void ik_undo_all(void) {
  int err = errno;
  for (int k = CHILDREN; k <= FOLDERS; k++)
    for (int i = 0; i < NOTES; i++)
      if (atomic_load(&notes[i].kind) == k) undo(&notes[i], (kind)k);
  errno = err;
}
