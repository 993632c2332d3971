#include "base/embed.h"
#include "base/text.h"
#include "machine/machine.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The embedded files as sources that live as long as the library, so that messages may point into
 * them.  names[0] is "local", which has no file. */
enum { MOST = 64, NAME = 48 };
static char           name_text[MOST][NAME];
static const char    *names[MOST];
static ik_source      sources[MOST];
static int            count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add(const ik_embedded *e) {
  static const char folder[] = "machines/", suffix[] = ".ikm";
  size_t            len = strlen(e->name), around = sizeof folder + sizeof suffix - 2;
  if (strncmp(e->name, folder, sizeof folder - 1) || len <= around || count == MOST) return;
  snprintf(name_text[count], NAME, "%.*s", (int)(len - around), e->name + sizeof folder - 1);
  names[count] = name_text[count];
  sources[count++] = (ik_source){e->name, e->data, e->size};
}

static void list(void) {
  names[count++] = "local";
  for (const ik_embedded *e = ik_embedded_files; e->name; e++) add(e);
}

const char *const *ik_machine_names(int *n) {
  pthread_once(&once, list);
  *n = count;
  return names;
}

static ik_status unknown(const char *name, ik_diag *d) {
  ik_error(d, IK_E082, IK_NOSPAN, "there is no machine '%s'", name);
  const char *near = ik_nearest(name, names, count);
  if (near)
    ik_help(d, "did you mean '%s'?", near);
  else
    ik_help(d, "`ikat machine list` shows them all");
  return IK_ERR_SOURCE;
}

/* ---- "local@FILE": this machine, and what was measured on it ---- */

/* The whole of a regular file of at most a mebibyte; NULL with the reason, or with none if there is
 * no such file. */
static const char *read_kept(const char *path, ik_arena *a, size_t *len, const char **why) {
  enum { MOST_BYTES = 1 << 20 };
  struct stat info;
  if (stat(path, &info)) {
    *why = errno == ENOENT || errno == ENOTDIR ? NULL : "it cannot be read";
    return NULL;
  }
  *why = "it is not a machine file";
  if (!S_ISREG(info.st_mode) || info.st_size > MOST_BYTES) return NULL; /* a pipe never ends */
  FILE *f = fopen(path, "re");
  *why = "it cannot be read";
  if (!f) return NULL;
  char *text = ik_arena_alloc(a, (size_t)info.st_size + 1);
  *len = fread(text, 1, (size_t)info.st_size, f);
  bool bad = ferror(f);
  fclose(f);
  return bad ? NULL : text;
}

/* The same processor, and all that the file tells of its cores is so here, too. */
static bool is_of(const ik_machine *kept, const ik_machine *m) {
  const char *x = ik_machine_text(kept, "title"), *y = ik_machine_text(m, "title");
  bool        same = x && y && strcmp(x, y) == 0;
  for (int i = 0; i < kept->n && same; i++) {
    const ik_figure *f = &kept->figure[i];
    double           v;
    if (!strncmp(f->key, "cpu.", 4) && f->numeric)
      same = ik_machine_number(m, f->key, f->unit, &v) && v == f->number;
  }
  return same;
}

/* The system's figures go before those of the file. */
static void merge(ik_machine *m, const ik_machine *more, ik_arena *a) {
  ik_figure *all = IK_NEW_N(a, ik_figure, m->n + more->n);
  int        n = m->n;
  if (n) memcpy(all, m->figure, (size_t)n * sizeof *all);
  for (int i = 0; i < more->n; i++)
    if (!ik_machine_get(m, more->figure[i].key)) all[n++] = more->figure[i];
  m->figure = all, m->n = n;
}

/* A file that does not suit is not used, which is no mistake of the program that asks. */
static void add_kept(ik_machine *m, const char *path, ik_arena *a, ik_diag *d) {
  ik_source  *src = IK_NEW(a, ik_source);
  ik_diag     quiet = {0};
  ik_machine *kept = NULL;
  const char *why;
  src->name = ik_arena_dup(a, path, strlen(path));
  src->text = read_kept(path, a, &src->len, &why);
  if (src->text && ik_machine_read(m->name, src, a, &quiet, &kept))
    why = "it is not a machine file";
  ik_diag_free(&quiet);
  if (kept && is_of(kept, m)) {
    merge(m, kept, a);
    return;
  }
  if (kept) why = "it was measured on another machine";
  if (why) ik_warn(d, IK_W006, IK_NOSPAN, "what was measured in '%s' is not used: %s", path, why);
}

ik_status ik_machine_find(const char *name, ik_arena *a, ik_diag *d, ik_machine **out) {
  static const char local_at[] = "local@";
  int               n, i = 0;
  if (strncmp(name, local_at, sizeof local_at - 1) == 0) {
    *out = ik_machine_local("", a);
    add_kept(*out, name + sizeof local_at - 1, a, d);
    return IK_OK;
  }
  ik_machine_names(&n);
  while (i < n && strcmp(names[i], name)) i++;
  if (i == n) return unknown(name, d);
  if (i > 0) return ik_machine_read(names[i], &sources[i], a, d, out);
  *out = ik_machine_local("", a);
  return IK_OK;
}

ik_machine *ik_machine_watch(const ik_machine *m, ik_arena *a) {
  ik_machine *w = IK_NEW(a, ik_machine);
  *w = *m;
  w->read = IK_NEW_N(a, bool, m->n + 1);
  return w;
}

void ik_machine_lines(const char *text, bool model, ik_buf *out) {
  static const char prefix[] = "model.";
  while (*text) {
    size_t len = strcspn(text, "\n") + (strchr(text, '\n') != NULL);
    if ((strncmp(text, prefix, sizeof prefix - 1) == 0) == model) ik_buf_write(out, text, len);
    text += len;
  }
}

const ik_figure *ik_machine_get(const ik_machine *m, const char *key) {
  for (int i = 0; i < m->n; i++) {
    if (strcmp(m->figure[i].key, key)) continue;
    if (m->read) m->read[i] = true;
    return &m->figure[i];
  }
  return NULL;
}

const char *ik_machine_text(const ik_machine *m, const char *key) {
  const ik_figure *f = ik_machine_get(m, key);
  return f && !f->numeric ? f->value : NULL;
}

/* How many `base` one `unit` is, if they differ by a prefix; else 0. */
static double prefix(const char *unit, const char *base) {
  static const struct {
    const char *text;
    double      factor;
  } table[] = {
      {"", 1},      {"k", 1e3},   {"K", 1e3},      {"M", 1e6},      {"G", 1e9},
      {"T", 1e12},  {"P", 1e15},  {"m", 1e-3},     {"u", 1e-6},     {"n", 1e-9},
      {"p", 1e-12}, {"Ki", 1024}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"Ti", 1024.0 * (1 << 30)}};
  size_t len = strlen(unit), tail = strlen(base);
  if (len < tail || strcmp(unit + len - tail, base)) return 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strlen(table[i].text) == len - tail && !strncmp(table[i].text, unit, len - tail))
      return table[i].factor;
  return 0;
}

/* Units to which a prefix can stand; others have to be asked for as they are written. */
static const char *const bases[] = {"B/s", "FLOP/s", "FLOP", "B/cycle", "B",
                                    "Hz",  "J/word", "J",    "W",       "s"};

bool ik_machine_number(const ik_machine *m, const char *key, const char *unit, double *out) {
  const ik_figure *f = ik_machine_get(m, key);
  return f && ik_figure_number(f, unit, out);
}

bool ik_figure_number(const ik_figure *f, const char *unit, double *out) {
  if (!f->numeric) return false;
  if (strcmp(f->unit, unit) == 0) return *out = f->number, true;
  for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
    double have = prefix(f->unit, bases[i]), want = prefix(unit, bases[i]);
    if (have > 0 && want > 0) return *out = f->number * have / want, true;
  }
  return false;
}
