#include "base/embed.h"
#include <string.h>

const ik_embedded *ik_embed_find(const char *name) {
  for (const ik_embedded *e = ik_embedded_files; e->name; e++)
    if (strcmp(e->name, name) == 0) return e;
  return NULL;
}
