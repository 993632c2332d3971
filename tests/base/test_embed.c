#include "check.h"
#include "base/embed.h"

CASE(every_file_is_the_one_in_the_tree) {
  CHECK(ik_embedded_files[0].name != NULL);
  for (const ik_embedded *e = ik_embedded_files; e->name; e++) {
    FILE *f = fopen(check_data(e->name), "rb");
    if (!f) {
      check_fail(__FILE__, __LINE__, "%s is embedded, but not in the tree", e->name);
      continue;
    }
    size_t at = 0;
    for (int c; (c = getc(f)) != EOF; at++)
      if (at >= e->size || (unsigned char)e->data[at] != c) break;
    CHECK(feof(f));
    CHECK_EQ(at, e->size);
    CHECK_EQ(e->data[e->size], 0);
    fclose(f);
  }
}

CASE(names_are_sorted_and_found) {
  for (const ik_embedded *e = ik_embedded_files; e->name; e++) {
    CHECK(ik_embed_find(e->name) == e);
    if (e[1].name) CHECK(strcmp(e->name, e[1].name) < 0);
  }
}

CASE(an_unknown_name_is_not_found) {
  CHECK(ik_embed_find("examples/no-such-file.ik") == NULL);
  CHECK(ik_embed_find("") == NULL);
}
