#include "io/npz.h"
#include "base/text.h"
#include "io/file.h"
#include "io/npy.h"
#include "io/zip.h"
#include <string.h>

/* The name of an array, which is that of its member without the extension. */
static size_t stem_of(const ik_zip_member *m) {
  static const char end[] = ".npy";
  size_t            n = sizeof end - 1;
  return m->name_len >= n && !memcmp(m->name + m->name_len - n, end, n) ? m->name_len - n
                                                                        : m->name_len;
}

static bool is_called(const ik_zip_member *m, const char *name) {
  size_t len = strlen(name);
  return (len == stem_of(m) || len == m->name_len) && !memcmp(m->name, name, len);
}

/* Printable characters alone: a name goes into messages. */
static void list_name(const ik_zip_member *m, ik_buf *all) {
  enum { LONGEST = 60, ENOUGH = 400 };
  if (all->len > ENOUGH) return;
  if (all->len) ik_buf_puts(all, ", ");
  for (size_t i = 0; i < stem_of(m) && i < LONGEST; i++)
    ik_buf_putc(all, m->name[i] >= ' ' && m->name[i] <= '~' ? m->name[i] : '?');
}

typedef struct search {
  ik_zip_member found;
  int           nfound, n;
  ik_buf        all; /* the names, for messages */
} search;

static const char *look(ik_zip z, const char *name, search *s) {
  const char   *wrong;
  ik_zip_member m;
  while (ik_zip_next(&z, &m, &wrong)) {
    s->n++;
    list_name(&m, &s->all);
    if (name && !is_called(&m, name)) continue;
    if (!s->nfound++) s->found = m;
  }
  return wrong;
}

static ik_status not_found(const char *path, const char *name, const search *s, ik_span at,
                           ik_diag *d) {
  if (!s->n) return ik_fail(d, IK_ERR_SOURCE, IK_E063, at, "'%s' holds no array", path);
  if (name)
    ik_fail(d, IK_ERR_SOURCE, IK_E063, at, "'%s' has no array '%s'", path, name);
  else
    ik_fail(d, IK_ERR_SOURCE, IK_E063, at, "'%s' holds %d arrays, and none is named", path, s->n);
  ik_help(d, "name one of them, as in  file(\"%s\", \"%.*s\");  it has %s", path,
          (int)strcspn(ik_buf_text(&s->all), ","), ik_buf_text(&s->all), ik_buf_text(&s->all));
  return IK_ERR_SOURCE;
}

static ik_status broken(const char *path, const char *wrong, ik_span at, ik_diag *d) {
  return ik_fail(d, IK_ERR_SOURCE, IK_E063, at, "'%s' cannot be read as .npz: %s", path, wrong);
}

static ik_status extract(const ik_zip *z, const char *path, const char *name, ik_span at,
                         ik_buf *out, ik_diag *d) {
  search      s = {0};
  const char *wrong = look(*z, name, &s);
  ik_status   st = IK_OK;
  if (!wrong && s.nfound != 1) st = not_found(path, name, &s, at, d);
  if (!wrong && !st) wrong = ik_zip_read(z, &s.found, out);
  ik_buf_free(&s.all);
  if (st) return st;
  if (wrong) return broken(path, wrong, at, d);
  return out->failed ? ik_file_oom(path, at, d) : IK_OK;
}

ik_status ik_npz_read(const char *path, const char *name, ik_span at, ik_array *out, ik_diag *d) {
  ik_buf file = {0}, member = {0};
  ik_zip z;
  *out = (ik_array){0};
  IK_TRY(ik_file_read(path, IK_FILE_MOST, at, &file, d));
  const char *wrong = ik_zip_open(&z, ik_buf_text(&file), file.len);
  ik_status   st = wrong ? broken(path, wrong, at, d) : extract(&z, path, name, at, &member, d);
  ik_buf_free(&file);
  if (!st) st = ik_npy_decode(&member, path, at, out, d);
  ik_buf_free(&member);
  return st;
}
