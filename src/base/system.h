/* system.h: what the system tells through small files, and libraries that are loaded when they are
 * needed.  That memory ran out on the way is not taken for a file or a library that is not there.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The beginning of a file as a string, of at most `cap` - 1 bytes.  False if it cannot be read.
 * Asks for no memory. */
bool ik_system_read(const char *path, char *text, size_t cap);

/* The most address space a process may have (ulimit -v), in bytes; INT64_MAX: there is no limit. */
int64_t ik_system_memory_limit(void);

/* dlopen(); NULL counts as an allocation that was refused (base/mem.h) if memory was the reason. */
void *ik_system_load(const char *library, int flags);
/* After ik_system_load() gave NULL: was it memory, and what does the loader say? */
bool        ik_system_load_lacked_memory(void);
const char *ik_system_load_error(void);
