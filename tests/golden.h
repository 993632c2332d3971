/* golden.h: texts that are kept in the tree and compared with what is made today. */
#pragma once
#include "base/buf.h"
#include <stdbool.h>

bool golden_read(const char *path, ik_buf *text);

/* Fails with the first line that differs, unless the file holds that text.  IKAT_GOLDEN in the
 * environment: writes the file anew, which `make golden` does. */
void golden_keep(const char *path, const char *text);
