/* temp.h: temporary files beside what they will replace.
 *
 * ".u.npy.tmp.PID.N" becomes "u.npy" when it is complete.  Whoever writes one holds a lock on it,
 * which the system takes back when the process ends, however that happens: a file of this pattern
 * that nobody holds is what a killed run left behind, and may go.
 */
#pragma once
#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* Makes one for `name` in an open folder, and locks it.  Its descriptor, or -1 with errno. */
int ik_temp_create(int folder, const char *name, mode_t mode, char temp[NAME_MAX + 1]);

/* Removes those in a folder that are the user's own and that nobody holds. */
void ik_temp_sweep(int folder);

/* Is the file or folder held by nobody?  Then it is held now, by `fd`. */
bool ik_temp_hold(int fd);
